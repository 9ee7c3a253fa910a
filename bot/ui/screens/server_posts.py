"""Posts for a whole server: the champions of a season, and what the bot says as it joins."""

from __future__ import annotations

from datetime import date

from bot.referee.model.seasons import FrozenPage, Season
from bot.ui.custom_ids import learning_ids
from bot.ui.message import BLUE, Button, Message, Text, join_lines, make_row
from bot.ui.text.names import format_name, join_words
from bot.ui.text.offers import pool_name
from bot.ui.text.sentences import say
from bot.ui.text.stamps import season_name
from bot.ui.text.terms import rating_text

MOST_POOLS = 12


def hello_message(today: date) -> Message:
    """Render the card that the bot posts in a server that it has just joined."""
    title = say("home-title")
    keys = (
        Button(say("home-guide"), learning_ids.guide(), BLUE),
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
