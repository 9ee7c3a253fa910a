"""Custom ids of rules, hints, puzzles, reviews, the home card, the guided match and the daily deal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from bot.ui.custom_ids.shapes import KEY, MATCH, NUMBER, AnyId, IdKind, Parts, read_last_part

RULES = IdKind[str, str](
    "ru", rf"{KEY}(?:\.[a-z_]+=[a-z0-9_+-]+)*", "(?:practise|tips|about|words|theory|which|choose|card|all)"
)
"""a button of a rules card: the topic, and what the button does; `choose` stands on a set-up card"""
rules, read_rules = RULES.write, RULES.read

TOPIC = AnyId("se", f"(?:game|rule)(?::{NUMBER})?")

HINT = IdKind[str, int, str]("hi", MATCH, NUMBER, "(?:hint|past)")
"""a hint: match, prompt, and "hint" for the bid that is open or "past" for the last one that was revealed"""
hint, read_hint = HINT.write, HINT.read

PUZZLE = IdKind[int, str]("pz", NUMBER, f"(?:next|why(?:{NUMBER})?|{NUMBER})")
"""a button of a puzzle: the puzzle, and the card that answers it, or one of the next two"""
NEXT, WHY = "next", "why"
"""`why` goes before the card that was answered; buttons of older messages have no card"""
puzzle, read_puzzle = PUZZLE.write, PUZZLE.read

REVIEW = IdKind[str, int, str]("rv", MATCH, NUMBER, "(?:back|next|worst|numbers|all)")
"""a button of a review: match, page, and what the button does"""
review, read_review = REVIEW.write, REVIEW.read

HOME = IdKind[str]("hm", "(?:house|new|guide|rules)")
"""a button of the home card; `new` is another practice match"""
HOME_LESSON = AnyId("hm", f"lesson(?::{KEY})?")
"""the guided match from a message for everybody; a challenge of another game than Classic adds the game"""
HOME_DAILY = IdKind[str]("hm", "daily")
HOME_WHO = IdKind[str]("hm", "who")
"""a menu of users on the home card"""
home, read_home = HOME.write, read_last_part

LESSON = IdKind[str, str]("le", "(?:-|[1-5]{1,4})", "(?:[1-5]|skip)")

_DAY = "20[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
DAILY = IdKind[str, str]("dy", _DAY, "(?:ranking|share)")
PLAY = IdKind[str]("dp", _DAY)


def topic(what: str, number: int = 0) -> str:
    """Return the id of a menu of games or rules; `number` tells two menus of the same kind apart."""
    return TOPIC.write(what, number or None)


def guide(game: str = "") -> str:
    """Return the id of the button of the guided match in a message for everybody; it does not teach `game`."""
    return HOME_LESSON.write("lesson", game or None)


def read_guide(parts: Parts) -> str:
    """Return the game that the guided match does not teach, or an empty string."""
    return "".join(parts[1:])


def lesson(bids: Sequence[int], what: str) -> str:
    """Return the id of a button of the guided match after these bids: the next bid, or skip."""
    return LESSON.write("".join(map(str, bids)) or "-", what)


def read_lesson(parts: Parts) -> tuple[list[int], str]:
    bids, what = parts
    return [int(card) for card in bids if card != "-"], what


def daily(day: date, what: str) -> str:
    """Return the id of a button of a daily deal: ranking, share."""
    return DAILY.write(f"{day:%Y%m%d}", what)


def read_daily(parts: Parts) -> tuple[date | None, str]:
    """Return the day, or None if the calendar has no such day, and the button."""
    day, what = parts
    try:
        return date(int(day[:4]), int(day[4:6]), int(day[6:])), what
    except ValueError:
        return None, what


def play(day: date) -> str:
    """Return the id of the button that plays the daily deal of a shared result."""
    return PLAY.write(f"{day:%Y%m%d}")
