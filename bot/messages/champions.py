"""The champions of a season, told once when it ends, in the channel that the server chose."""

from __future__ import annotations

import logging

from bot.referee.model.model import Deadline
from bot.referee.model.seasons import FrozenPage, Season
from bot.referee.referee import Referee
from bot.referee.season.seasons import read_champions
from bot.rest.call_result import CallResult
from bot.rest.delivery import Delivery
from bot.ui.message import Message, join_lines
from bot.ui.text.names import format_name, join_words
from bot.ui.text.offers import pool_name
from bot.ui.text.sentences import say
from bot.ui.text.stamps import season_name

log = logging.getLogger(__name__)

MOST_POOLS = 12


async def tell_champions(referee: Referee, delivery: Delivery, deadline: Deadline) -> bool:
    """False where Discord wants another try; the same message is not posted twice."""
    guild, number = read_champions(deadline.owner)
    settings = await referee.deciding.load_settings(guild)
    seasons = await referee.seasons.load_all(guild)
    season = next((one for one in seasons if one.number == number), None)
    if season is None or not settings.champions:
        return True
    tables = await referee.seasons.load_champions(guild, number)
    message = champions_message(season, tables, follows=any(not one.over for one in seasons))
    fate, _ = await delivery.post(settings.champions, message, f"s{guild}n{number}"[:25])
    if fate not in (CallResult.DONE, CallResult.LATER):
        log.warning("the champions of server %d cannot be told: %s", guild, fate.text)
    return fate is not CallResult.LATER


def champions_message(season: Season, tables: dict[str, FrozenPage], *, follows: bool) -> Message:
    """Plain, so that it can be read in a notification; it pings nobody."""
    lines = [_pool(pool, page) for pool, page in list(tables.items())[:MOST_POOLS]]
    title = say("champions-title", season=season_name(season)[:1].upper() + season_name(season)[1:])
    return Message(join_lines(title, *lines, say("champions-next" if follows else "champions-last")))


def _pool(pool: str, page: FrozenPage) -> str:
    first = [one for one in page.lines if one.place == page.lines[0].place]
    data = {
        "pool": pool_name(pool),
        "name": join_words([format_name(one.name) for one in first]),
        "shown": page.lines[0].shown,
    }
    after = [format_name(one.name) for one in page.lines[len(first) :]]
    return say("champions-pool-more", list=join_words(after), **data) if after else say("champions-pool", **data)
