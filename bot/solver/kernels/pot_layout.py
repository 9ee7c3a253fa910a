"""Layout of a layer's values when a state has a pot (carried ties) or a lead (chance to win) besides hands and prizes.

A pot is the sum of the prizes of consecutive ties. The possible number of ties depends on the word, because a tie
removes the same rank from both hands. So words fall into classes, and each class has a list of pots for each set.

Prizes and pots may be negative, as in Vultures: the lower card takes them, which is worth the same to the higher card.
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
"""The most ties in a row since the pot was empty (-1: the pot cannot be empty); whether all turns may have tied."""


class PotLayout(NamedTuple):
    """The order of the values of one layer: by word, then set of prizes, then pot, then lead."""

    kind: Shorts  # for each word: its class
    start: Ints  # for each word: the index of its first value, and the end of the last word
    offset: Ints  # [class, set]: the offset of the set's values from `start`
    pot_starts: Ints  # [class, set]: the start of the set's list in `pots`, and the end of the last list
    pots: Shorts
    pot_place: Shorts  # [class, set, pot - least]: the offset of the pot's values from those of the set, or -1
    least: int  # the least pot that has a column in pot_place
    sides: int  # the number of lists of leads of a set: 2 if the parity of the lead follows from that of the pot
    lead_starts: Shorts  # for each list (set * sides + pot & 1): its start in `leads`, and the end of the last list
    leads: Shorts
    lead_place: Shorts  # [list, lead + reach]: the lead's index in the list, or -1
    lead_near: Shorts  # [list, lead + reach]: the index of the largest listed lead up to this one, else 0
    rest: Shorts  # for each set: the sum of its prizes without their signs

    @property
    def size(self) -> int:
        return int(self.start[-1])

    @property
    def reach(self) -> int:
        """The widest lead that has a column in lead_place."""
        return self.lead_place.shape[1] // 2

    def find_index(self, word: int, left: int, pot: int, lead: int) -> int | None:
        """Return the index of a value; None if the layer does not hold it."""
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
    """The start of a solve: the first pot, which remains while all turns tie, and the possible leads."""

    carry: bool
    win: bool
    pot: int = 0
    leads: tuple[int, ...] = (0,)
    ordered: bool = False
    """whether both sides know the order of the prizes; then a pot is the sum of the last prizes turned"""


def lay_out_values(
    ladder: Ladder, turns: Sequence[Turns], prizes: Sequence[int], start: LayoutStart, roots: Sequence[WordClass]
) -> tuple[PotLayout, ...]:
    """Return the layout of each layer; `roots` are the classes of the words of the highest layer."""
    classes = list(roots)
    layouts: list[PotLayout] = []
    for moves, turn in zip(reversed(ladder.layers), reversed(turns[-len(ladder.layers) :]), strict=True):
        layouts.append(_lay_out_layer(moves, turn, prizes, start, classes))
        below = int(moves.child.max(initial=0)) + 1
        classes = _find_classes_below(moves, classes, below) if start.carry else [(0, False)] * below
    return tuple(reversed(layouts))


def _find_classes_below(moves: Moves, classes: Sequence[WordClass], count: int) -> list[WordClass]:
    """Return the classes of the words of the layer below."""
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
    """List all possible pots, the empty pot first.

    A pot is a sum of at most `run` of the prizes that are gone. With a `chain` (the first pot) it may also be that pot
    plus all prizes that are gone.
    """
    possible: set[int] = set()
    if ordered:
        possible = {sum(gone[len(gone) - count :]) for count in range(min(run, len(gone)) + 1)}
    elif run >= 0:
        zero = -sum(prize for prize in gone if prize < 0)
        sums = [1 << zero] + [0] * run  # bit zero + s of sums[n]: some n prizes have the sum s
        for prize in gone:
            for count in range(len(sums) - 1, 0, -1):
                sums[count] |= sums[count - 1] << prize if prize > 0 else sums[count - 1] >> -prize
        every = 0
        for some in sums:
            every |= some
        possible = {bit - zero for bit in range(every.bit_length()) if every >> bit & 1}
    if chain is not None:
        possible.add(chain + sum(gone))
    return sorted(possible, key=lambda pot: (pot != 0, pot))


def _list_leads(gone: Sequence[int], start: LayoutStart, total: int, pot: int | None) -> list[int]:
    """List the leads, for both sides, at which the deal is still open.

    Each prize that is gone went to me, to them, or to nobody. If ties are carried, a prize that is gone was won or is
    in the pot; then `pot` is the parity of the pot, and half of the leads are impossible.
    """
    if not start.win:
        return [0]
    spent = sum(map(abs, gone))
    first = abs(start.pot)
    # A lead above the sum of all that is left wins. The pot may hold every prize that is gone.
    most = total - spent + (first + spent if start.carry else 0)
    zero = spent + first + max(abs(lead) for lead in start.leads)
    possible = 0  # bit zero + lead
    for lead in start.leads:
        possible |= 1 << zero + lead | 1 << zero - lead
    for prize in (*map(abs, gone), *([first] if first else [])):
        possible |= possible << prize | possible >> prize
    parity = None if pot is None else (start.leads[0] + start.pot + spent + pot) & 1
    return [
        lead
        for lead in range(-min(zero, most), min(zero, most) + 1)
        if possible >> zero + lead & 1 and (parity is None or lead & 1 == parity)
    ]
