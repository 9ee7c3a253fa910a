"""What can be won from the mixes that `gops house sage` tells: the best answer to them, in every position of a game.

`CARDS=4,5,6` says which games: 6 cards take minutes, 7 an hour, 8 a night. Only the order of two hands matters to the
solver, so one pair of hands stands for all that are in the same order; both seats are asked.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterator

from bot.solver.levels import find_level
from bot.solver.mixes import mixes
from bot.solver.position import Position
from bot.solver.solve import Frame, decide, frame, whole_game
from bot.solver.stand import read_stand
from bot.solver.words import LETTERS, MINE, THEIRS, spell, swapped

CARDS = tuple(int(each) for each in os.environ.get("CARDS", "4,5,6").split(","))
CHUNK = 20_000

Place = tuple[int, tuple[int, ...], int]
"""The word of two hands, seen from the player; the prizes to come; by how much the player leads."""


def run() -> None:
    print("what the best answer wins of P(win) - P(loss) from the mixes of `gops house sage`, in every position")
    for cards in CARDS:
        begin = time.process_time()
        lost, asked = exploited(cards)
        took = time.process_time() - begin
        print(f"  {cards} cards: {lost:.1e} ({asked} positions asked, {took:.0f} s of processor time)", flush=True)


def exploited(cards: int) -> tuple[float, int]:
    """What the best answer wins, and how many positions the level was asked for."""
    shape, worth, asked = frame(whole_game(cards, objective="win")), dict[Place, float](), 0
    for count in range(1, cards + 1):
        every = _positions(shape, cards, count)
        for chunk in iter(lambda every=every: tuple(itertools.islice(every, CHUNK)), ()):
            asked += len(chunk)
            _settle(chunk, _told(chunk, cards), worth)
    start = whole_game(cards, objective="win")
    return -worth[_place(start)], asked


def _positions(shape: Frame, cards: int, count: int) -> Iterator[Position]:
    """Every position of a layer with its prize up, for both seats."""
    stakes = shape.stakes(count)
    assert stakes is not None
    for left, bits in enumerate(shape.turns[count - 1].sets.tolist()):
        prizes = tuple(prize for bit, prize in enumerate(shape.prizes) if bits >> bit & 1)
        leads = stakes.leads[stakes.lead_starts[left] : stakes.lead_starts[left + 1]].tolist()
        for canonical in shape.ladder.at(count).words.tolist():
            for word in {canonical, int(swapped(canonical))}:
                mine, theirs = _hands(word)
                for lead, up in itertools.product(leads, prizes):
                    yield Position(mine, theirs, prizes, up, objective="win", lead=lead)


def _hands(word: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The lowest hands in this order."""
    letters = [word >> shift & 3 for shift in range(2 * LETTERS, -1, -2)]
    letters = [letter for letter in letters if letter]
    mine, theirs = (tuple(card for card, letter in enumerate(letters, 1) if letter & side) for side in (MINE, THEIRS))
    return mine, theirs


def _told(chunk: tuple[Position, ...], cards: int) -> list[tuple[float, ...]]:
    """What `gops house sage` tells for each."""
    level = find_level("sage")
    assert level is not None
    stands = [
        read_stand(
            {
                "mine": list(at.mine),
                "theirs": list(at.theirs),
                "prizes": list(at.prizes),
                "up": at.up,
                "lead": at.lead,
                "options": {"cards": cards},
            }
        )
        for at in chunk
    ]
    found: list[tuple[float, ...]] = []
    for told in mixes(level, stands, 1):
        assert told.basis == "win"
        found.append(tuple(share for _, share in told.mix))
    return found


def _settle(chunk: tuple[Position, ...], told: list[tuple[float, ...]], worth: dict[Place, float]) -> None:
    """What each mix brings against the best answer, where that is known of everything that follows."""
    for at, mix in zip(chunk, told, strict=True):
        assert at.up is not None
        brings = [
            sum(
                share * _worth(at.after(mine, theirs), worth) for share, mine in zip(mix, at.mine, strict=True) if share
            )
            for theirs in at.theirs
        ]
        place = _place(at)
        worth[place] = worth.get(place, 0.0) + min(brings) / len(at.prizes)


def _worth(at: Position, worth: dict[Place, float]) -> float:
    decided = decide(at)
    return worth[_place(at)] if decided is None else decided


def _place(at: Position) -> Place:
    return spell(at.mine, at.theirs), at.prizes, at.lead


if __name__ == "__main__":
    run()
