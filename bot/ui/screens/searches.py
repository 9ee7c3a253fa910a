"""The search for an opponent: who waits, for all, and one's own search, for oneself."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.text.presets import find_offer
from bot.referee.model.searches import HOUSE_AFTER, Search
from bot.ui.custom_ids import challenge_ids
from bot.ui.message import GREEN, Button, Message, join_lines, make_row
from bot.ui.text.names import format_name, join_words
from bot.ui.text.sentences import say

MOST_NAMES = 10
"""Most names of one game."""


def render_waiting(waiting: Sequence[Search], role: int = 0) -> Message:
    """Return who waits in a channel, for each game. The house is offered once a person has waited for a minute."""
    games = dict.fromkeys(one.game for one in waiting)
    lines = [_game_line(game, [one.name for one in waiting if one.game == game]) for game in games]
    buttons = [Button(say("search-more"), challenge_ids.search("more"), GREEN)]
    if any(one.waited >= HOUSE_AFTER for one in waiting):
        buttons.append(Button(say("search-house"), challenge_ids.search("house")))
    buttons.append(Button(say("search-stop"), challenge_ids.search("stop")))
    title = say("search-title")
    ping = say("search-ping", role=f"<@&{role}>") if role else ""
    return Message(
        join_lines(title, *lines, ping),
        (make_row(*buttons),),
        roles=(role,) if role else (),
        essence=title,
    )


def _game_line(game: str, names: Sequence[str]) -> str:
    shown = [format_name(name) for name in names[:MOST_NAMES]]
    more = [f"+{len(names) - MOST_NAMES}"] if len(names) > MOST_NAMES else []
    return say("search-line", game=find_offer(game)[1].name, names=join_words([*shown, *more]))


def render_search(search: Search, *, is_new: bool) -> Message:
    """Return one's own search with the button that ends it."""
    data = {"game": find_offer(search.game)[1].name, "channel": f"<#{search.channel}>"}
    text = say("search-paired" if search.lobby else "search-wait" if is_new else "search-elsewhere", **data)
    return Message(text, (make_row(Button(say("search-stop"), challenge_ids.search("stop"))),))
