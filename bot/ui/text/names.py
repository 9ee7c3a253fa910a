"""Names as they may stand on a screen: nothing in them can ping, format, reorder or break a line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from bot.engine.cards import Seat
from bot.referee.model.model import FORMER
from bot.referee.model.views import LobbyView, MatchView

LONG, SHORT = 32, 20
MANY = 5
"""so many seats share a screen, and names are cut shorter"""

HOUSE = 0
"""the user id of a house player"""

_OPEN, _CLOSE = "\u2068", "\u2069"  # first strong isolate: the direction of a name stays its own business
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # letters and marks that show nothing
_OWN = re.compile(r"( \(house\))+$")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#@:~|])")


def clean_name(raw: str, most: int = LONG) -> str:
    """A name without anything invisible, on one line, cut; may come out empty."""
    # Tabs and line ends count as spaces, other control, format, private and unassigned characters go.
    spaced = "".join(" " if c.isspace() else c for c in raw)
    kept = "".join(c for c in spaced if unicodedata.category(c)[0] != "C" and c not in _BLANK)
    folded = " ".join(kept.split())
    if not any(unicodedata.category(c)[0] not in "ZM" for c in folded):
        return ""
    return folded if len(folded) <= most else folded[: most - 1].rstrip() + "…"


def escape_markdown(text: str) -> str:
    """Text that no Markdown, mention, emoji or link is read out of."""
    return _MARKDOWN.sub(r"\\\1", text)


def isolate(text: str) -> str:
    return f"{_OPEN}{text}{_CLOSE}"


def format_name(raw: str, most: int = LONG, number: int = 1) -> str:
    """One name by itself, ready for a text."""
    return isolate(escape_markdown(clean_name(raw, most) or f"Player {number}"))


def quote(text: str, most: int = 100) -> str:
    """Something that a person typed, ready for a text."""
    return isolate(escape_markdown(clean_name(text, most)))


def make_bold(text: str) -> str:
    return f"**{text}**"


def join_words(parts: Sequence[str]) -> str:
    """Ana; Ana and Ben; Ana, Ben and Cem."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


class Names:
    """The names of people who share a screen, by seat."""

    def __init__(self, people: Iterable[tuple[int, str]], crowded: bool = False) -> None:
        people = tuple(people)
        most = SHORT if crowded or len(people) >= MANY else LONG
        self.labels: list[str] = []
        """as a button or a menu shows them, where nothing is formatted"""
        self.short: list[str] = []
        """house players without the word behind their name"""
        for number, (user, raw) in enumerate(people, 1):
            name = _OWN.sub("", clean_name(raw, most)) or f"Player {number}"  # nobody names themselves into the house
            bare = name
            if user == HOUSE:
                name = f"{name} (house)"
            elif user < 0:
                name = FORMER
            copy, unique = 1, name
            while unique in self.labels and name != FORMER:
                copy += 1
                unique = f"{name} ({copy})"
            self.labels.append(unique)
            self.short.append(isolate(escape_markdown(bare) + (f" ({copy})" if user == HOUSE and copy > 1 else "")))
        self.texts = [isolate(self._escaped(label)) for label in self.labels]

    @staticmethod
    def _escaped(label: str) -> str:
        """The brackets that we put behind a name are our own and stay as they are."""
        own = re.search(r"( \(house\))?( \(\d+\))?$", label)
        tail = own.group() if own else ""
        return escape_markdown(label.removesuffix(tail)) + tail

    def __getitem__(self, seat: Seat) -> str:
        return self.texts[seat]

    def __len__(self) -> int:
        return len(self.texts)

    def bold_name(self, seat: Seat) -> str:
        return make_bold(self.texts[seat])

    def join_names(self, seats: Iterable[Seat]) -> str:
        return join_words([self.texts[seat] for seat in seats])

    def join_bold_names(self, seats: Iterable[Seat]) -> str:
        return join_words([self.bold_name(seat) for seat in seats])


def make_names(view: MatchView | LobbyView, crowded: bool = False) -> Names:
    """The names of a match, or of a challenge; `crowded` where other matches share the screen."""
    if isinstance(view, MatchView):
        return _names(tuple((seat.user, seat.name) for seat in view.seats), crowded)
    return _names(tuple((user, name) for user, name, _ in view.people), False)


@lru_cache(maxsize=4096)
def _names(people: tuple[tuple[int, str], ...], crowded: bool) -> Names:
    """The same people are named again and again."""
    return Names(people, crowded)
