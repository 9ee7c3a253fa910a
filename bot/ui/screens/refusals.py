"""Sentences for `RefereeError` of the referee and `RuleError` of the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from bot.engine.refusals import RuleError
from bot.errors import RefereeError
from bot.referee.model.views import MatchView
from bot.ui.screens.result import cause_phrase
from bot.ui.story.outcome import describe_outcome_within
from bot.ui.text import names as naming
from bot.ui.text.names import join_words, make_names
from bot.ui.text.sentences import capitalize, has_sentence, say
from bot.ui.text.stamps import format_moment, format_time, round_up_minute

NAME_KEYS = frozenset({"name", "names", "host"})
TYPED_KEYS = frozenset({"x", "y"})
"""Data that a person typed."""
GAMES_COMMAND = "/gops rules"
"""Command that lists all games, for people who name one that does not exist."""
FALLBACKS: Mapping[str, tuple[str, str]] = {
    "stale-button": ("link", "stale-here"),
    "stale-console": ("r", "stale-console-old"),
    "card-spent": ("r", "card-spent-before"),
    "table-card-spent": ("r", "card-not-held"),
    "not-awaited": ("names", "not-awaited-now"),
    "asked-already": ("link", "asked-already-bare"),
    "match-stopped": ("reason", "match-stopped-bare"),
}
"""Data that a sentence needs, and the sentence to use if it is missing."""


def describe_error(
    error: RefereeError | RuleError, view: MatchView | None = None, asked_at: datetime | None = None, **more: Any
) -> str:
    """Return the sentence for an error. `view` is the match as the reader sees it; `more` adds data.

    Players may be given by name, times as datetimes. With `asked_at` a time of the same day has no date.
    """
    data: dict[str, Any] = {**error.data, **more}
    if view is not None:
        data.setdefault("round", view.rules.round_word)
    if view is not None and view.over:
        result = {"result": describe_outcome_within(view, make_names(view)), "reason": cause_phrase(view)}
        data = {**result, **data, "can_repeat": _has_rematch(view)}
    id = error.id
    needed, otherwise = FALLBACKS.get(id, ("", ""))
    if needed and not data.get(needed):
        id = otherwise
    elif id == "match-over":
        winner = data.get("winner")
        result = say("over-drawn") if winner is None else say("over-won", name=_format_names(winner))
        id = id if data.get("can_repeat", True) else "match-over-final"
        data = {"result": result, **data}
    elif id in ("unknown-game", "no-such-game"):
        data["all"] = GAMES_COMMAND
    return format_refusal(id, asked_at, **data)


def match_over_error(view: MatchView) -> RefereeError:
    """Return the refusal of a press that came after the end of the match."""
    if view.outcome is not None and not view.outcome.termination.counts:
        return RefereeError("match-stopped", m=view.id, reason=cause_phrase(view))
    result = describe_outcome_within(view, make_names(view))
    return RefereeError("match-over", m=view.id, result=result, can_repeat=_has_rematch(view))


def _has_rematch(view: MatchView) -> bool:
    """Return True if the result has the button *Rematch* for this reader."""
    return view.can_repeat and view.day is None and view.seat is not None


def format_refusal(id: str, asked_at: datetime | None = None, **data: Any) -> str:
    """Return a sentence of the catalogue. The data may hold names, times or lists."""
    if not has_sentence(id):
        return say("refused")
    data.setdefault("round", "round")
    data["Round"] = capitalize(data["round"])
    try:
        return capitalize(say(id, **{key: _format_value(key, value, asked_at) for key, value in data.items()}))
    except (KeyError, IndexError):
        return say("refused")


# --- data into words -----------------------------------------------------------------------------------------


def _format_value(key: str, value: Any, asked_at: datetime | None) -> object:
    if isinstance(value, datetime):
        at = round_up_minute(value)
        return format_time(at) if asked_at is None else format_moment(at, asked_at)
    if key in NAME_KEYS:
        return _format_names(value)
    if key == "option" and isinstance(value, str):
        return value.replace("_", " ")
    if key == "how":
        return say(f"how-{value}")
    if key == "channel" and isinstance(value, int):
        return f"<#{value}>"
    if key in ("channels", "roles") and isinstance(value, Sequence) and not isinstance(value, str):
        mark = "#" if key == "channels" else "@&"
        return join_words([f"<{mark}{item}>" if isinstance(item, int) else str(item) for item in cast("Any", value)])
    if key in TYPED_KEYS and isinstance(value, str):
        return naming.quote(value)
    return value


def _format_names(value: str | Sequence[str]) -> str:
    """Return names as they are shown. Finished text stays unchanged."""
    if isinstance(value, str):
        return value if value.startswith(("\u2068", "<@")) else naming.format_name(value)
    return join_words([_format_names(item) for item in value])
