"""Names for messages: cleaned and escaped, so that a name cannot ping, format, reorder or break a line."""

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
"""from this number of seats on, names are cut shorter and lists may give only their number"""

HOUSE = 0
"""the user id of a house player"""

_OPEN, _CLOSE = "\u2068", "\u2069"  # first strong isolate: the direction of a name does not change the text around it
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # letters and marks that show nothing
_OWN = re.compile(r"( \(house\))+$")
_FORMER_FIRST = re.compile(rf"((?:^(?:#+ |-# |> |\* )?|[.!?] )(?:\*\*)?{_OPEN}?){FORMER}", re.MULTILINE)
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#@:~|])")


def begin_sentences(text: str) -> str:
    """Return a whole text with a capital where a former player begins a line or a sentence."""
    return _FORMER_FIRST.sub(rf"\1{FORMER.capitalize()}", text) if FORMER in text else text


def clean_name(raw: str, most: int = LONG) -> str:
    """Return a name without invisible characters, on one line and cut; the result may be empty."""
    # Tabs and line ends count as spaces, other control, format, private and unassigned characters go.
    spaced = "".join(" " if c.isspace() else c for c in raw)
    visible = "".join(c for c in spaced if unicodedata.category(c)[0] != "C" and c not in _BLANK)
    folded = " ".join(visible.split())
    if not any(unicodedata.category(c)[0] not in "ZM" for c in folded):
        return ""
    return folded if len(folded) <= most else folded[: most - 1].rstrip() + "…"


def escape_markdown(text: str) -> str:
    """Escape a text so that Discord reads no Markdown, mention, emoji or link in it."""
    return _MARKDOWN.sub(r"\\\1", text)


def isolate(text: str) -> str:
    return f"{_OPEN}{text}{_CLOSE}"


def format_name(raw: str, most: int = LONG, number: int = 1) -> str:
    """Return a name that is ready for a message; `number` is for a player with an empty name."""
    return isolate(escape_markdown(clean_name(raw, most) or f"Player {number}"))


def quote(text: str, most: int = 100) -> str:
    """Return a text that a user typed, ready for a message."""
    return isolate(escape_markdown(clean_name(text, most)))


def join_words(parts: Sequence[str]) -> str:
    """Join words: "Ana", "Ana and Ben", "Ana, Ben and Cem"."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


class Names:
    """Names of the players on one screen, by seat."""

    def __init__(self, people: Iterable[tuple[int, str]], is_crowded: bool = False) -> None:
        people = tuple(people)
        most = SHORT if is_crowded or len(people) >= MANY else LONG
        self.labels: list[str] = []
        """names for buttons and menus, in which Discord formats nothing"""
        self.short: list[str] = []
        """names for messages, without "(house)" behind those of house players, unless a player has the same name"""
        for number, (user, raw) in enumerate(people, 1):
            name = _OWN.sub("", clean_name(raw, most)) or f"Player {number}"  # a user cannot pass as a house player
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
        for seat, (user, _) in enumerate(people):
            if user == HOUSE and self.short[seat] in self.texts:
                self.short[seat] = self.texts[seat]

    @staticmethod
    def _escaped(label: str) -> str:
        """Escape a label, except for the brackets that this class adds."""
        own = re.search(r"( \(house\))?( \(\d+\))?$", label)
        tail = own.group() if own else ""
        return escape_markdown(label.removesuffix(tail)) + tail

    def __getitem__(self, seat: Seat) -> str:
        return self.texts[seat]

    def __len__(self) -> int:
        return len(self.texts)

    def bold_name(self, seat: Seat) -> str:
        return f"**{self.texts[seat]}**"

    def join_names(self, seats: Iterable[Seat]) -> str:
        return join_words([self.texts[seat] for seat in seats])


def make_names(view: MatchView | LobbyView, is_crowded: bool = False) -> Names:
    """Return the names of a match or challenge; `is_crowded`: other matches share the screen, so names are shorter."""
    if isinstance(view, MatchView):
        return _names(tuple((seat.user, seat.name) for seat in view.seats), is_crowded)
    people = tuple((user, name) for user, name, _ in view.people)
    return _names((*people, *((HOUSE, name) for name in view.house)), False)


@lru_cache(maxsize=4096)
def _names(people: tuple[tuple[int, str], ...], is_crowded: bool) -> Names:
    """Return names from the cache, because every message of a match needs them."""
    return Names(people, is_crowded)
