"""Custom ids of rules, hints, puzzles, reviews, the home card, the guided match and the daily deal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from bot.ui.custom_ids.shapes import KEY, MATCH, NUMBER, IdKind, Parts

RULES = IdKind("ru", rf"{KEY}(?:\.[a-z_]+=[a-z0-9_+-]+)*:(?:practise|tips|about|words|card|all)")
TOPIC = IdKind("se", f"(?:game|rule)(?::{NUMBER})?")
HINT = IdKind("hi", f"{MATCH}:{NUMBER}:(?:hint|past)")
PUZZLE = IdKind("pz", f"{NUMBER}:(?:next|{NUMBER})")
REVIEW = IdKind("rv", f"{MATCH}:{NUMBER}:(?:back|next|dearest|mix|all)")


def rules(topic: str, what: str) -> str:
    """Return the id of a button of a rules card: practise, tips, about, words, card, all."""
    return RULES.write(topic, what)


def read_rules(parts: Parts) -> tuple[str, str]:
    topic, what = parts
    return topic, what


def topic(what: str, number: int = 0) -> str:
    """Return the id of a menu of games or rules; `number` tells two menus of the same kind apart."""
    return TOPIC.write(what, *([number] if number else []))


def hint(match: str, prompt: int, what: str) -> str:
    """Return the id of a hint: "hint" for the bid that is open, "past" for the last one that was revealed."""
    return HINT.write(match, prompt, what)


def read_hint(parts: Parts) -> tuple[str, int, str]:
    match, prompt, what = parts
    return match, int(prompt), what


def puzzle(number: int, card: int | None = None) -> str:
    """Return the id of a bid for this puzzle or, without a card, of the next puzzle."""
    return PUZZLE.write(number, "next" if card is None else card)


def read_puzzle(parts: Parts) -> tuple[int, int | None]:
    number, card = parts
    return int(number), None if card == "next" else int(card)


def review(match: str, page: int, what: str) -> str:
    """Return the id of a button of a review: back, next, dearest, mix, all."""
    return REVIEW.write(match, page, what)


def read_review(parts: Parts) -> tuple[str, int, str]:
    match, page, what = parts
    return match, int(page), what


HOME = IdKind("hm", "(?:house|new|guide|rules)")
HOME_DAILY, HOME_WHO = IdKind("hm", "daily"), IdKind("hm", "who")
LESSON = IdKind("le", "(?:-|[1-5]{1,4}):(?:[1-5]|skip)")


def home(what: str) -> str:
    """Return the id of a button of the home card.

    `what` is house, guide, daily, rules, new (another practice match) or who (a menu of users).
    """
    return HOME.write(what)


def read_home(parts: Parts) -> str:
    (what,) = parts
    return what


def lesson(bids: Sequence[int], what: str) -> str:
    """Return the id of a button of the guided match after these bids: the next bid, or skip."""
    return LESSON.write("".join(map(str, bids)) or "-", what)


def read_lesson(parts: Parts) -> tuple[list[int], str]:
    bids, what = parts
    return [int(card) for card in bids if card != "-"], what


_DAY = "20[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"

DAILY = IdKind("dy", f"{_DAY}:(?:table|share)")
PLAY = IdKind("dp", _DAY)


def daily(day: date, what: str) -> str:
    """Return the id of a button of a daily deal: table, share."""
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
