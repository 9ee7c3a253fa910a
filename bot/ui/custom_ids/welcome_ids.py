"""The ids of the home card and of the guided match."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ui.custom_ids.shapes import IdKind, Parts

HOME = IdKind("hm", "(?:house|new|guide|rules)")
HOME_DAILY, HOME_WHO = IdKind("hm", "daily"), IdKind("hm", "who")
LESSON = IdKind("le", "(?:-|[1-5]{1,4}):(?:[1-5]|skip)")


def home(what: str) -> str:
    """house, guide, daily, rules; new: another practice match; who: a menu of people."""
    return HOME.write(what)


def read_home(parts: Parts) -> str:
    (what,) = parts
    return what


def lesson(bids: Sequence[int], what: str) -> str:
    """A bid after these, or skip."""
    return LESSON.write("".join(map(str, bids)) or "-", what)


def read_lesson(parts: Parts) -> tuple[list[int], str]:
    bids, what = parts
    return [int(card) for card in bids if card != "-"], what
