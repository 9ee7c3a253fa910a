"""Posts in channels that a server chose: its log, the champions of a season, and what the bot says as it joins."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Coroutine, Sequence
from datetime import date

from bot.referee.model.clock_changes import read_owner
from bot.referee.model.model import Deadline
from bot.referee.model.seasons import FrozenPage, Season
from bot.referee.referee import Referee
from bot.rest.call_result import CallResult
from bot.rest.delivery import Delivery
from bot.ui.custom_ids import learning_ids
from bot.ui.message import BLUE, Button, Message, Text, join_lines, make_row
from bot.ui.text.names import format_name, join_words
from bot.ui.text.offers import pool_name
from bot.ui.text.sentences import say
from bot.ui.text.stamps import season_name
from bot.ui.text.terms import rating_text

log = logging.getLogger(__name__)

MOST_POOLS = 12


class ServerLog:
    """Posts in the log channel of a server, if there is one."""

    def __init__(
        self, referee: Referee, delivery: Delivery, run: Callable[[Coroutine[None, None, None], str], object]
    ) -> None:
        """`run` starts a background task."""
        self._referee = referee
        self._delivery = delivery
        self._run = run
        delivery.refusals.report = self._report

    async def tell(self, guild: int, lines: Sequence[str]) -> bool:
        """Return False if there is no log channel or the message was not posted."""
        known = await self._referee.deciding.load_settings(guild)
        if not known.log or not lines:
            return False
        _, posted = await self._delivery.post(known.log, Message("\n".join(lines)), secrets.token_hex(12))
        return bool(posted)

    def _report(self, channel: int, code: int) -> None:
        """Post that the bot has given up a call in this channel."""
        self._run(self._tell_refusal(channel, code), "server-log")

    async def _tell_refusal(self, channel: int, code: int) -> None:
        if guild := await self._delivery.guild_of(channel):
            await self.tell(guild, [say("log-refused", channel=f"<#{channel}>", code=code)])


async def tell_champions(referee: Referee, delivery: Delivery, deadline: Deadline) -> bool:
    """Post the champions of a season that has ended. Return False if the call has to be made again."""
    guild, number = read_owner(deadline.owner)
    settings = await referee.deciding.load_settings(guild)
    seasons = await referee.seasons.load_all(guild)
    season = next((one for one in seasons if one.number == number), None)
    if season is None or not settings.champions:
        return True
    tables = await referee.seasons.load_champions(guild, number)
    message = champions_message(season, tables, follows=any(not one.over for one in seasons))
    result, _ = await delivery.post(settings.champions, message, f"s{guild}n{number}"[:25])
    if result not in (CallResult.DONE, CallResult.LATER):
        log.warning("the champions of server %d could not be posted: %s", guild, result.text)
    return result is not CallResult.LATER


def hello_message(today: date) -> Message:
    """Render the card that the bot posts in a server that it has just joined."""
    title = say("home-title")
    keys = (
        Button(say("home-guide"), learning_ids.home("lesson"), BLUE),
        Button(say("home-daily"), learning_ids.play(today)),
    )
    return Message(body=(Text(title), Text(say("home-text")), make_row(*keys), Text(say("hello-more"))), essence=title)


def champions_message(season: Season, tables: dict[str, FrozenPage], *, follows: bool) -> Message:
    """Render a plain message, which notifications can show; it mentions nobody."""
    lines = [_pool(pool, page) for pool, page in list(tables.items())[:MOST_POOLS]]
    title = say("champions-title", season=season_name(season)[:1].upper() + season_name(season)[1:])
    note = say("provisional") if any(page.lines[0].provisional for page in tables.values()) else ""
    return Message(join_lines(title, *lines, note, say("champions-next" if follows else "champions-last")))


def _pool(pool: str, page: FrozenPage) -> str:
    first = [one for one in page.lines if one.place == page.lines[0].place]
    data = {
        "pool": pool_name(pool),
        "name": join_words([format_name(one.name) for one in first]),
        "shown": rating_text(page.lines[0].shown, provisional=page.lines[0].provisional),
    }
    after = [format_name(one.name) for one in page.lines[len(first) :]]
    return say("champions-pool-more", list=join_words(after), **data) if after else say("champions-pool", **data)
