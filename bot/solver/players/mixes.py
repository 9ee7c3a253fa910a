"""The chance of each card in written positions when a level of the house bids, for thousands of positions at once.

Positions that one solve answers share it. Only commands import this.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

from bot.engine.choices import Bid
from bot.engine.series import SINGLE
from bot.solver.exact.endgame import Endgame
from bot.solver.exact.pico import Duel
from bot.solver.exact.position import Objective, Position
from bot.solver.exact.scope import EVEN, convert_card, find_position, find_scope
from bot.solver.exact.written_position import WrittenPosition
from bot.solver.kernels.matrix_game import Solution
from bot.solver.players import hawk
from bot.solver.players.basis import NEAR, POINTS, ROUGH, WIN, find_basis, find_hawk_basis, find_position_basis
from bot.solver.players.bulk import PIECE, BulkLookup
from bot.solver.players.chance import Chance
from bot.solver.players.levels import Level, Question, find_level
from bot.solver.players.sage import answer_by_basis
from bot.solver.tables.library import Library
from bot.solver.tables.table_paths import BUILT

Wanted = Position | Duel | Endgame
Rule = tuple[Objective, str]
"""What tells whole games of one size apart: their aim, and what ties do."""

SAMPLES = 256
"""So often a level is asked whose choice hangs on its chance in no simple way."""
WHOLE = 9
"""Up to so many cards the whole game is solved where that pays."""


@dataclass(frozen=True)
class LevelMix:
    """The chance of each card, weakest first, and what it comes from."""

    mix: tuple[tuple[int, float], ...]
    basis: str

    def data(self) -> dict[str, object]:
        """As `gops house` prints it."""
        return {"mix": {str(card): share for card, share in self.mix}, "basis": self.basis}


def find_mixes(level: Level, stands: Sequence[WrittenPosition], threads: int) -> Iterator[LevelMix]:
    """What a level does in each of these positions, in their order."""
    if level.key not in ("hawk", "sage"):
        yield from (_sample_level(level, asked) for asked in stands)
        return
    shared = Library((BUILT,), threads)
    small = [_find_small_position(asked) for asked in stands]
    solved = {
        _find_rule(start): BulkLookup(shared.learn(start))
        for start in _list_whole_games(at for at in small if at is not None)
    }
    if level.key == "hawk":
        solved.clear()  # what it leans by is more than a mix
    many: list[Position | None] = []
    for first in range(0, len(small), PIECE):
        many += _find_reached(solved, small[first : first + PIECE])
    alone = _find_each_mix(
        level, [asked for asked, at in zip(stands, many, strict=True) if at is None], shared, threads
    )
    for first in range(0, len(many), PIECE):
        some = many[first : first + PIECE]
        for at, mix in zip(some, _look_up_mixes(solved, some), strict=True):
            yield (
                next(alone) if at is None else LevelMix(tuple(zip(at.mine, mix, strict=True)), find_position_basis(at))
            )


def _find_reached(solved: Mapping[Rule, BulkLookup], some: Sequence[Position | None]) -> list[Position | None]:
    """Those that one of these games has."""
    found: list[Position | None] = [None] * len(some)
    for bulk, places, positions in _group_by_game(solved, some):
        for place, at, has in zip(places, positions, bulk.reached(positions), strict=True):
            found[place] = at if has else None
    return found


def _look_up_mixes(solved: Mapping[Rule, BulkLookup], some: Sequence[Position | None]) -> list[tuple[float, ...]]:
    """The mixes of those that one of these games has; nothing for the others."""
    found: list[tuple[float, ...]] = [()] * len(some)
    for bulk, places, positions in _group_by_game(solved, some):
        for place, mix in zip(places, bulk.mixes(positions), strict=True):
            found[place] = mix
    return found


def _group_by_game(
    solved: Mapping[Rule, BulkLookup], some: Sequence[Position | None]
) -> Iterator[tuple[BulkLookup, list[int], list[Position]]]:
    for rule, bulk in solved.items():
        places = [place for place, at in enumerate(some) if at is not None and _find_rule(at) == rule]
        yield bulk, places, [at for at in some if at is not None and _find_rule(at) == rule]


def _find_each_mix(
    level: Level, stands: Sequence[WrittenPosition], shared: Library, threads: int
) -> Iterator[LevelMix]:
    """Find the mix of a level in each position on its own."""
    how = [find_basis(asked.rules, asked.seen, asked.goal) for asked in stands]
    here = [_find_solved_position(asked, by) for asked, by in zip(stands, how, strict=True)]
    wanted = ((at, by) for at, by in zip(here, how, strict=True) if at is not None)
    known = _start_answers(wanted, shared, threads)
    for asked, by, at in zip(stands, how, here, strict=True):
        if at is None:
            yield _mix_evenly(asked) if by == EVEN else _sample_level(_get_level(by), asked)
            continue
        answer = known[at, by].result()
        leant = hawk.find_first_mix(asked.rules, asked.seen, asked.goal, answer) if level.key == "hawk" else None
        found, mix = find_scope(asked.rules), zip(sorted(at.mine), leant or answer.mix, strict=True)
        read_error_body = find_hawk_basis(asked.rules, asked.seen, asked.goal) if leant else by
        yield LevelMix(tuple(sorted((convert_card(card, found), share) for card, share in mix)), read_error_body)


def _get_level(key: str) -> Level:
    level = find_level(key)
    assert level is not None
    return level


def _find_solved_position(asked: WrittenPosition, by: str) -> Wanted | None:
    return find_position(asked.rules, asked.seen, asked.goal) if by in (WIN, NEAR, POINTS, ROUGH) else None


def _list_options(asked: WrittenPosition) -> list[int]:
    assert asked.seen.prompt is not None
    return [int(card) for card in asked.seen.prompt.options]


def _mix_evenly(asked: WrittenPosition) -> LevelMix:
    cards = _list_options(asked)
    return LevelMix(tuple((card, 1 / len(cards)) for card in cards), EVEN)


def _sample_level(level: Level, asked: WrittenPosition) -> LevelMix:
    """By asking, with as many different chances; once, where it does not look at its chance."""
    if level.key == "random":
        return _mix_evenly(asked)
    cards = _list_options(asked)
    count = dict.fromkeys(cards, 0)
    for sample in range(SAMPLES):
        chance = _WatchedChance(hashlib.sha256(f"gops house {sample}".encode()).digest())
        choice = level.mind(Question(asked.rules, SINGLE, asked.seen, (), chance))
        assert isinstance(choice, Bid)
        count[int(choice.cards[0])] += 1
        if not chance.used:
            break
    times = sum(count.values())
    return LevelMix(tuple((card, count[card] / times) for card in cards), level.key)


class _WatchedChance(Chance):
    """Knows whether it was used."""

    used = False

    def number(self) -> int:
        self.used = True
        return super().number()


# --- who answers what ------------------------------------------------------------------------------------------


def _start_answers(
    asked: Iterable[tuple[Wanted, str]], shared: Library, threads: int
) -> dict[tuple[Wanted, str], Future[Solution]]:
    """The game and the mix of each, as soon as known: those that one solve answers share it, the longest first."""
    unique = dict.fromkeys(asked)
    groups: dict[Wanted, list[tuple[Wanted, str]]] = {}
    for here, by in unique:
        groups.setdefault(replace(here, up=None) if isinstance(here, Position) else here, []).append((here, by))
    found = {each: Future[Solution]() for each in unique}

    def work(group: list[tuple[Wanted, str]]) -> None:
        library = shared.copy_for_thread()
        for here, by in group:
            try:
                found[here, by].set_result(answer_by_basis(here, by, library))
            except BaseException as error:
                found[here, by].set_exception(error)

    pool = ThreadPoolExecutor(max(1, threads))
    for start in sorted(groups, key=lambda start: -len(start.mine)):
        pool.submit(work, groups[start])
    pool.shutdown(wait=False)
    return found


def _list_whole_games(positions: Iterable[Position]) -> Iterator[Position]:
    """The small whole games that take less than all that is asked of them one by one."""
    games: dict[Rule, list[Position]] = {}
    for here in positions:
        games.setdefault(_find_rule(here), []).append(here)
    for same in games.values():
        hand = tuple(range(1, max(max(*here.mine, *here.theirs, *here.prizes) for here in same) + 1))
        start = replace(same[0], mine=hand, theirs=hand, prizes=hand, up=None, pot=0, lead=0)
        left, seen = _estimate_seconds(start), set[object]()
        for here in same:
            solve_of = here.mine, here.theirs, here.prizes, here.pot, here.lead
            if solve_of not in seen:
                seen.add(solve_of)
                left -= _estimate_seconds(here)
            if left < 0:
                yield start
                break


def _find_small_position(asked: WrittenPosition) -> Position | None:
    """A position of a small whole game that is played exactly, and that the solver has just as it was written down."""
    here = asked.position
    if here is None or min(here.prizes) <= 0 or max(*here.mine, *here.theirs, *here.prizes) > WHOLE:
        return None
    return here if find_position_basis(here) in (WIN, POINTS) else None


def _find_rule(here: Position) -> Rule:
    return here.aim, here.ties


def _estimate_seconds(here: Position) -> float:
    """Seconds of a solve, about: of nine cards, and how much more every further card takes."""
    nine, more = (0.3, 6.0) if here.aim.plain else (8.0, 8.5) if not here.aim.carry else (80.0, 11.0)
    return nine * more ** (len(here.mine) - 9)
