"""What a state knows besides hands and prizes: the pot that was carried, and for the chance to win the lead.

A pot is the sum of the prizes of the last ties in a row. How many ties that can be depends on the word: a tie takes a
card from both hands. So words fall into classes, and each class has its list of pots for every set of prizes.

Prizes and pots may be below zero, as in Vultures: then the lower card takes them, so the higher one gains as much.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.solver.kernels.jit import Ints, Shorts
from bot.solver.kernels.prizes import Turns
from bot.solver.kernels.words import Ladder, Moves

WordClass = tuple[int, bool]
"""How many ties a run from an empty pot may have (-1: not even the empty pot); whether all turns may have tied."""


class PotLayout(NamedTuple):
    """Where the values of one layer lie: word, then set of prizes, then pot, then lead."""

    kind: Shorts  # of each word: its class
    start: Ints  # of each word: where its values begin; one more at the end
    offset: Ints  # [class, set]: from there to those of the set
    pot_starts: Ints  # [class, set]: where in `pots` the list begins, one set more for the end
    pots: Shorts
    pot_place: Shorts  # [class, set, pot - least]: how far its values lie from those of the set, or -1
    least: int  # the least pot that has a column in pot_place
    sides: int  # how many lists of leads a set has: 2 where a lead is even or odd as the pot will have it
    lead_starts: Shorts  # of each list (set * sides + pot & 1): where in `leads` it begins, and one more for the end
    leads: Shorts
    lead_place: Shorts  # [list, lead + reach]: its place in the list, or -1
    lead_near: Shorts  # [list, lead + reach]: the place of the widest listed lead that is no wider, else the first
    rest: Shorts  # of each set: what can be won of its prizes together

    @property
    def size(self) -> int:
        return int(self.start[-1])

    @property
    def reach(self) -> int:
        """The widest lead that has a column in lead_place."""
        return self.lead_place.shape[1] // 2

    def place(self, word: int, left: int, pot: int, lead: int) -> int | None:
        """Where a value lies; None: nowhere."""
        kind = int(self.kind[word])
        if not 0 <= pot - self.least < self.pot_place.shape[2] or abs(lead) > self.reach:
            return None
        listed = left * self.sides + (pot & 1 if self.sides > 1 else 0)
        row, column = int(self.pot_place[kind, left, pot - self.least]), int(self.lead_place[listed, lead + self.reach])
        if row < 0 or column < 0:
            return None
        return int(self.start[word] + self.offset[kind, left]) + row + column


GROUND = PotLayout(
    kind=np.zeros(1, dtype=np.int32),
    start=np.array([0, 1], dtype=np.int64),
    offset=np.zeros((1, 2), dtype=np.int64),
    pot_starts=np.array([[0, 1]], dtype=np.int64),
    pots=np.zeros(1, dtype=np.int32),
    pot_place=np.zeros((1, 1, 1), dtype=np.int32),
    least=0,
    sides=1,
    lead_starts=np.array([0, 1], dtype=np.int32),
    leads=np.zeros(1, dtype=np.int32),
    lead_place=np.zeros((1, 1), dtype=np.int32),
    lead_near=np.zeros((1, 1), dtype=np.int32),
    rest=np.zeros(1, dtype=np.int32),
)
"""The layer of no cards: one value."""


@dataclass(frozen=True)
class LayoutStart:
    """Where a solve begins: the pot of the words that came by ties alone, and the leads that there may be."""

    carry: bool
    win: bool
    pot: int = 0
    leads: tuple[int, ...] = (0,)
    ordered: bool = False
    """both know in which order the prizes come, so a pot is what was turned last"""


def lay_out_values(
    ladder: Ladder, turns: Sequence[Turns], prizes: Sequence[int], start: LayoutStart, roots: Sequence[WordClass]
) -> tuple[PotLayout, ...]:
    """The places of all values, layer by layer; `roots` are the classes of the words of the highest layer."""
    classes = list(roots)
    found: list[PotLayout] = []
    for moves, turn in zip(reversed(ladder.layers), reversed(turns[-len(ladder.layers) :]), strict=True):
        found.append(_lay_out_layer(moves, turn, prizes, start, classes))
        below = int(moves.child.max(initial=0)) + 1
        classes = _find_classes_below(moves, classes, below) if start.carry else [(0, False)] * below
    return tuple(reversed(found))


def _find_classes_below(moves: Moves, classes: Sequence[WordClass], count: int) -> list[WordClass]:
    """The classes of the words of the layer below."""
    runs: Ints = np.array([run for run, _ in classes], dtype=np.int64)
    chains: Ints = np.array([chain for _, chain in classes], dtype=np.int64)
    shape = moves.child.shape
    row: Ints = np.arange(shape[1], dtype=np.int64).reshape(1, -1, 1)
    column: Ints = np.arange(shape[2], dtype=np.int64).reshape(1, 1, -1)
    real: NDArray[np.bool_] = (row < moves.rows[:, None, None]) & (column < moves.columns[:, None, None])
    tied: NDArray[np.bool_] = real & (moves.sign == 0)
    run_below: Ints = np.full(count, -1, dtype=np.int64)
    run_below[moves.child[real & (moves.sign != 0)]] = 0
    longer: Ints = np.where(runs >= 0, runs + 1, -1)
    np.maximum.at(run_below, moves.child[tied], np.broadcast_to(longer[:, None, None], shape)[tied])
    chain_below: Ints = np.zeros(count, dtype=np.int64)
    np.maximum.at(chain_below, moves.child[tied], np.broadcast_to(chains[:, None, None], shape)[tied])
    return [(int(run), bool(chain)) for run, chain in zip(run_below, chain_below, strict=True)]


def _lay_out_layer(
    moves: Moves, turn: Turns, prizes: Sequence[int], start: LayoutStart, classes: Sequence[WordClass]
) -> PotLayout:
    kinds = sorted(set(classes))
    of_kind = {kind: at for at, kind in enumerate(kinds)}
    total = sum(map(abs, prizes))
    least = min(0, start.pot) + sum(prize for prize in prizes if prize < 0)
    highest = max(0, start.pot) + sum(prize for prize in prizes if prize > 0)
    sets, sides = len(turn.sets), 2 if start.carry and start.win else 1
    gone = [[prize for bit, prize in enumerate(prizes) if not int(left) >> bit & 1] for left in turn.sets]
    rest: Shorts = np.array([total - sum(map(abs, away)) for away in gone], dtype=np.int32)
    leads = [_list_leads(away, start, total, pot if sides > 1 else None) for away in gone for pot in range(sides)]
    reach = max((listed[-1] for listed in leads if listed), default=0)
    lead_place: Shorts = np.full((sets * sides, 2 * reach + 1), -1, dtype=np.int32)
    for left, listed in enumerate(leads):
        lead_place[left, np.array(listed, dtype=np.int64) + reach] = np.arange(len(listed))
    lead_near: Shorts = np.maximum(np.maximum.accumulate(lead_place, axis=1), 0)
    width = [len(listed) for listed in leads]
    lead_starts: Shorts = np.concatenate([[0], np.cumsum(width)]).astype(np.int32)
    all_leads: Shorts = np.array([lead for listed in leads for lead in listed], dtype=np.int32)
    offset: Ints = np.zeros((len(kinds), sets + 1), dtype=np.int64)
    pot_starts: Ints = np.zeros((len(kinds), sets + 1), dtype=np.int64)
    place: Shorts = np.full((len(kinds), sets, highest - least + 1), -1, dtype=np.int32)
    pots: list[int] = []
    for at, (run, chain) in enumerate(kinds):
        for left, away in enumerate(gone):
            pot_starts[at, left] = len(pots)
            listed = _list_pots(away, run, start.pot if chain else None, start.ordered)
            size = 0
            for pot in listed:
                place[at, left, pot - least] = size
                size += width[left * sides + (pot & 1 if sides > 1 else 0)]
            pots += listed
            offset[at, left + 1] = offset[at, left] + size
        pot_starts[at, sets] = len(pots)
    kind: Shorts = np.array([of_kind[each] for each in classes], dtype=np.int32)
    starts: Ints = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(offset[kind, sets])])
    return PotLayout(
        kind=kind,
        start=starts,
        offset=offset,
        pot_starts=pot_starts,
        pots=np.array(pots, dtype=np.int32),
        pot_place=place,
        least=least,
        sides=sides,
        lead_starts=lead_starts,
        leads=all_leads,
        lead_place=lead_place,
        lead_near=lead_near,
        rest=rest,
    )


def _list_pots(gone: Sequence[int], run: int, chain: int | None, ordered: bool) -> list[int]:
    """Every pot: sums of at most `run` prizes that are gone, and all of them on top of the first pot; none first."""
    found: set[int] = set()
    if ordered:
        found = {sum(gone[len(gone) - count :]) for count in range(min(run, len(gone)) + 1)}
    elif run >= 0:
        zero = -sum(prize for prize in gone if prize < 0)
        sums = [1 << zero] + [0] * run  # bit zero + s of sums[n]: n prizes can be worth s together
        for prize in gone:
            for count in range(len(sums) - 1, 0, -1):
                sums[count] |= sums[count - 1] << prize if prize > 0 else sums[count - 1] >> -prize
        every = 0
        for some in sums:
            every |= some
        found = {bit - zero for bit in range(every.bit_length()) if every >> bit & 1}
    if chain is not None:
        found.add(chain + sum(gone))
    return sorted(found, key=lambda pot: (pot != 0, pot))


def _list_leads(gone: Sequence[int], start: LayoutStart, total: int, pot: int | None) -> list[int]:
    """Every lead that is not decided, from both sides: each prize that is gone went to me, to them, or to nobody.

    Where ties are carried a prize that is gone was won, or is in the pot; so for a pot that is even (0) or odd (1)
    every second lead cannot be.
    """
    if not start.win:
        return [0]
    spent = sum(map(abs, gone))
    first = abs(start.pot)
    # Whoever leads by more than everything that is left has won; a pot can be all that was played for.
    most = total - spent + (first + spent if start.carry else 0)
    zero = spent + first + max(abs(lead) for lead in start.leads)
    found = 0  # bit zero + lead
    for lead in start.leads:
        found |= 1 << zero + lead | 1 << zero - lead
    for prize in (*map(abs, gone), *([first] if first else [])):
        found |= found << prize | found >> prize
    fits = None if pot is None else (start.leads[0] + start.pot + spent + pot) & 1
    return [
        lead
        for lead in range(-min(zero, most), min(zero, most) + 1)
        if found >> zero + lead & 1 and (fits is None or lead & 1 == fits)
    ]
