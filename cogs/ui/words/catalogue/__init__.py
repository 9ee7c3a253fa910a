"""Every sentence that anybody ever reads, by id: whole sentences, so that they can be translated."""

from collections.abc import Mapping

from bot.engine import refusals
from bot.engine.counted import Sentence
from cogs.ui.words.catalogue.about import ABOUT
from cogs.ui.words.catalogue.bidding import BIDDING
from cogs.ui.words.catalogue.coaching import COACHING
from cogs.ui.words.catalogue.daily import DAILY
from cogs.ui.words.catalogue.lobby import LOBBY
from cogs.ui.words.catalogue.match import MATCH
from cogs.ui.words.catalogue.outcome import OUTCOME
from cogs.ui.words.catalogue.past import PAST
from cogs.ui.words.catalogue.people import PEOPLE
from cogs.ui.words.catalogue.records import RECORDS
from cogs.ui.words.catalogue.result import RESULT
from cogs.ui.words.catalogue.seasons import SEASONS
from cogs.ui.words.catalogue.servers import SERVERS
from cogs.ui.words.catalogue.welcome import WELCOME

OWN: Mapping[str, Sentence] = {
    **BIDDING,
    **COACHING,
    **LOBBY,
    **PEOPLE,
    **RECORDS,
    **PAST,
    **MATCH,
    **OUTCOME,
    **RESULT,
    **SERVERS,
    **SEASONS,
    **WELCOME,
    **DAILY,
    **ABOUT,
}

SENTENCES: Mapping[str, Sentence] = {**refusals.SENTENCES, **OWN}
"""The interface's own words, and the engine's where it says why a game, rule or value is refused. No id is in both."""
