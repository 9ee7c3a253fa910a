"""Every sentence that anybody ever reads, by id: whole sentences, so that they can be translated."""

from collections.abc import Mapping

from bot.engine import refusals
from bot.engine.counted import Sentence
from bot.ui.text.catalogue.coach import COACH
from bot.ui.text.catalogue.daily import DAILY
from bot.ui.text.catalogue.lobby import LOBBY
from bot.ui.text.catalogue.match import MATCH
from bot.ui.text.catalogue.outcome import OUTCOME
from bot.ui.text.catalogue.past import PAST
from bot.ui.text.catalogue.people import PEOPLE
from bot.ui.text.catalogue.records import RECORDS
from bot.ui.text.catalogue.result import RESULT
from bot.ui.text.catalogue.seasons import SEASONS
from bot.ui.text.catalogue.servers import SERVERS
from bot.ui.text.catalogue.welcome import WELCOME

OWN: Mapping[str, Sentence] = {
    **LOBBY,
    **PEOPLE,
    **COACH,
    **RECORDS,
    **PAST,
    **MATCH,
    **OUTCOME,
    **RESULT,
    **SERVERS,
    **SEASONS,
    **WELCOME,
    **DAILY,
}

SENTENCES: Mapping[str, Sentence] = {**refusals.SENTENCES, **OWN}
"""The interface's own words, and the engine's where it says why a game, rule or value is refused. No id is in both."""
