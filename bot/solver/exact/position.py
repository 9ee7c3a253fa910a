"""Positions of a two-seat auction as the solver knows them, and their checks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import cast


@dataclass(frozen=True)
class Objective:
    """The rules of a match that decide how values are stored and computed."""

    carry: bool = False
    swap: bool = False  # a tie also exchanges the hands
    win: bool = False  # values are P(win) - P(loss), not points

    @property
    def is_plain(self) -> bool:
        """Whether a value depends on hands and prizes only."""
        return not (self.carry or self.swap or self.win)


@cache
def get_objective(carry: bool, swap: bool, win: bool) -> Objective:
    """Return the cached objective; every step of a search needs one, so construction would be slow."""
    return Objective(carry, swap, win)


Hand = tuple[int, ...]
TIES = ("discard", "split", "carry")
OBJECTIVES = ("points", "win")
MOST_CARDS = 13
HIGHEST = 25
"""The highest card and the highest prize."""
MOST_POT, MOST_LEAD = 10 * HIGHEST, 1000


class PositionError(ValueError):
    """A position is impossible; the message says why."""


@dataclass(frozen=True)
class Position:
    """Two hands and the prizes to come, the upturned prize included; `up` is None before the next prize is turned.

    `ties` is `discard`, `split` (the same values, because the difference is the same), or `carry`. `pot` was carried
    before the upturned prize. Prizes and pots may be negative: the lower card takes them, which is worth the same to
    the higher card. With `ordered` both sides know that the prizes come in the order given. With `swap` a tie
    exchanges the hands.
    """

    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    prizes: tuple[int, ...]
    up: int | None = None
    ties: str = "discard"
    pot: int = 0
    objective: str = "points"
    lead: int = 0
    ordered: bool = False
    swap: bool = False

    def __post_init__(self) -> None:
        for name, cards in (("mine", self.mine), ("theirs", self.theirs), ("prizes", self.prizes)):
            _check_cards(name, cards, -HIGHEST if name == "prizes" else 1)
        if not len(self.mine) == len(self.theirs) == len(self.prizes):
            counts = f"{len(self.mine)}, {len(self.theirs)} and {len(self.prizes)}"
            raise PositionError(f"mine, theirs and prizes need as many cards each, not {counts}")
        if self.up is not None and self.up not in self.prizes:
            raise PositionError(f"the upturned prize {self.up} is not among the prizes")
        if self.ordered and self.up not in (None, *self.prizes[:1]):
            raise PositionError("in a public order the first prize is the upturned one")
        if self.ties not in TIES:
            raise PositionError(f"ties are one of {', '.join(TIES)}")
        if self.objective not in OBJECTIVES:
            raise PositionError(f"the objective is one of {', '.join(OBJECTIVES)}")
        if abs(self.pot) > MOST_POT or (self.pot and self.ties != "carry"):
            raise PositionError(f"a pot goes with ties that carry, and is not beyond {MOST_POT}")
        if abs(self.lead) > MOST_LEAD or (self.lead and self.objective != "win"):
            raise PositionError(f"a lead goes with the objective win, and is not beyond {MOST_LEAD}")

    @property
    def aim(self) -> Objective:
        """The objective of this position."""
        return get_objective(self.ties == "carry", self.swap, self.objective == "win")

    @property
    def is_even(self) -> bool:
        """Whether both seats have the same position, so that the value before the turn is 0."""
        return set(self.mine) == set(self.theirs) and self.lead == 0

    def turned(self, prize: int) -> "Position":
        """Return the position with a prize upturned."""
        if prize not in self.prizes or (self.ordered and prize != self.prizes[0]):
            return replace(self, up=prize)  # raises PositionError
        return self._copy_with(up=prize)

    def after(self, mine: int, theirs: int) -> "Position":
        """Return the position after two bids, before the next prize is turned. Points won show in the lead only."""
        assert self.up is not None
        won = (mine > theirs) - (mine < theirs)
        stake = self.up + self.pot
        hands = without_card(self.mine, mine), without_card(self.theirs, theirs)
        if self.swap and not won:
            hands = hands[1], hands[0]
        return self._copy_with(
            mine=hands[0],
            theirs=hands[1],
            prizes=without_card(self.prizes, self.up),
            up=None,
            pot=stake if self.ties == "carry" and not won else 0,
            lead=self.lead + won * abs(stake) if self.objective == "win" else 0,
        )

    def _copy_with(self, **changes: object) -> "Position":
        """Return a copy without checks: its pot and lead may exceed the limits of written positions."""
        copy = object.__new__(Position)
        copy.__dict__.update(self.__dict__)
        copy.__dict__.update(changes)
        return copy


def without_card(hand: Hand, card: int) -> Hand:
    return tuple([each for each in hand if each != card])


def _check_cards(name: str, cards: Sequence[int], least: int) -> None:
    if len(cards) > MOST_CARDS:
        raise PositionError(f"{name} has {len(cards)} cards; {MOST_CARDS} is the most")
    if len(set(cards)) != len(cards):
        raise PositionError(f"{name} has a card twice")
    if cards and (min(cards) < least or max(cards) > HIGHEST or 0 in cards):
        but = "" if least > 0 else ", but not 0"
        raise PositionError(f"{name} are whole numbers from {least} to {HIGHEST}{but}")


def read_position(data: Mapping[str, object]) -> Position:
    """Read a position from JSON; its cards may come in any order."""
    known = {"mine", "theirs", "prizes", "up", "ties", "pot", "objective", "lead"}
    strange = sorted(set(data) - known)
    if strange:
        raise PositionError(f"unknown key {strange[0]!r}; the keys are {', '.join(sorted(known))}")
    cards = {name: read_hand(name, data.get(name)) for name in ("mine", "theirs", "prizes")}
    if not cards["mine"]:
        raise PositionError("mine has no card")
    up = data.get("up")
    return Position(
        cards["mine"],
        cards["theirs"],
        cards["prizes"],
        up=None if up is None else _read_number("up", up),
        ties=_read_word("ties", data.get("ties")) or "discard",
        pot=_read_number("pot", data.get("pot") or 0),
        objective=_read_word("objective", data.get("objective")) or "points",
        lead=_read_number("lead", data.get("lead") or 0),
    )


def read_hand(name: str, given: object) -> tuple[int, ...]:
    """Read cards from JSON; return them in ascending order."""
    if not isinstance(given, list):
        raise PositionError(f"{name} is a list of whole numbers")
    return tuple(sorted(_read_number(name, each) for each in cast("list[object]", given)))


def _read_number(name: str, given: object) -> int:
    if isinstance(given, bool) or not isinstance(given, int):
        raise PositionError(f"{name}: {given!r} is not a whole number")
    return given


def _read_word(name: str, given: object) -> str:
    if given is None or isinstance(given, str):
        return given or ""
    raise PositionError(f"{name}: {given!r} is not a word")


def can_follow(now: Position, later: Position) -> bool:
    """Return True if `later` equals `now` or bids can lead from `now` to it. Tie rules and scores may differ."""
    if len(later.mine) == len(now.mine):
        same_hands = set(later.mine) == set(now.mine) and set(later.theirs) == set(now.theirs)
        return same_hands and set(later.prizes) == set(now.prizes) and later.up in (None, now.up)
    left = set(now.prizes) - {now.up}
    return set(later.mine) <= set(now.mine) and set(later.theirs) <= set(now.theirs) and set(later.prizes) <= left
