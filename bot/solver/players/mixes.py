"""Find the mixed strategies of a house level in many written positions. Positions share solves where possible.

Only commands import this module.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
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
from bot.solver.players.chance import Chance
from bot.solver.players.levels import Level, Question, find_level
from bot.solver.players.sage import answer_by_basis
from bot.solver.tables import BUILT
from bot.solver.tables.library import Library

Wanted = Position | Duel | Endgame
Rule = tuple[Objective, str]
"""The objective and the tie rule, which distinguish whole games of the same size."""

SAMPLES = 256
"""The number of samples of a level that has no explicit mix."""
WHOLE = 9
"""The most cards of a whole game that is solved to answer its positions."""


@dataclass(frozen=True)
class LevelMix:
    """The probability of each card, weakest first, and the basis of the mix."""

    mix: tuple[tuple[int, float], ...]
    basis: str

    def data(self) -> dict[str, object]:
        """Return the JSON object that `gops house` prints."""
        return {"mix": {str(card): share for card, share in self.mix}, "basis": self.basis}


def find_mixes(level: Level, positions: Sequence[WrittenPosition], threads: int) -> Iterator[LevelMix]:
    """Yield the mix of a level in each of these positions, in their order."""
    if level.key not in ("hawk", "sage"):
        yield from (_sample_level(level, written) for written in positions)
        return
    shared = Library((BUILT,), threads)
    small = (_find_small_position(written) for written in positions)
    for start in _list_whole_games(at for at in small if at is not None):
        shared.learn(start)
    yield from _find_each_mix(level, positions, shared, threads)


def _find_each_mix(
    level: Level, positions: Sequence[WrittenPosition], shared: Library, threads: int
) -> Iterator[LevelMix]:
    """Yield the mix of a level in each position, each from its own solve or by sampling."""
    bases = [find_basis(written.rules, written.seen, written.goal) for written in positions]
    solved = [_find_solved_position(written, basis) for written, basis in zip(positions, bases, strict=True)]
    wanted = ((at, basis) for at, basis in zip(solved, bases, strict=True) if at is not None)
    known = _start_answers(wanted, shared, threads)
    for written, basis, at in zip(positions, bases, solved, strict=True):
        if at is None:
            yield _mix_evenly(written) if basis == EVEN else _sample_level(_get_level(basis), written)
            continue
        answer = known[at, basis].result()
        safe_mix = (
            hawk.find_first_mix(written.rules, written.seen, written.goal, answer) if level.key == "hawk" else None
        )
        scope, mix = find_scope(written.rules), zip(sorted(at.mine), safe_mix or answer.mix, strict=True)
        shown_basis = find_hawk_basis(written.rules, written.seen, written.goal) if safe_mix else basis
        yield LevelMix(tuple(sorted((convert_card(card, scope), share) for card, share in mix)), shown_basis)


def _get_level(key: str) -> Level:
    level = find_level(key)
    assert level is not None
    return level


def _find_solved_position(written: WrittenPosition, basis: str) -> Wanted | None:
    return find_position(written.rules, written.seen, written.goal) if basis in (WIN, NEAR, POINTS, ROUGH) else None


def _list_options(written: WrittenPosition) -> list[int]:
    assert written.seen.prompt is not None
    return [int(card) for card in written.seen.prompt.options]


def _mix_evenly(written: WrittenPosition) -> LevelMix:
    cards = _list_options(written)
    return LevelMix(tuple((card, 1 / len(cards)) for card in cards), EVEN)


def _sample_level(level: Level, written: WrittenPosition) -> LevelMix:
    """Estimate the mix of a level from samples; a level that draws no random number is sampled once."""
    if level.key == "random":
        return _mix_evenly(written)
    cards = _list_options(written)
    count = dict.fromkeys(cards, 0)
    for sample in range(SAMPLES):
        chance = _WatchedChance(hashlib.sha256(f"gops house {sample}".encode()).digest())
        choice = level.mind(Question(written.rules, SINGLE, written.seen, (), chance))
        assert isinstance(choice, Bid)
        count[int(choice.cards[0])] += 1
        if not chance.used:
            break
    times = sum(count.values())
    return LevelMix(tuple((card, count[card] / times) for card in cards), level.key)


class _WatchedChance(Chance):
    """Random numbers that record whether any was drawn."""

    used = False

    def number(self) -> int:
        self.used = True
        return super().number()


# --- solves that positions share ---------------------------------------------------------------------------------


def _start_answers(
    asked: Iterable[tuple[Wanted, str]], shared: Library, threads: int
) -> dict[tuple[Wanted, str], Future[Solution]]:
    """Start the solves in a thread pool, the longest first; return a future of each position's solution.

    Positions that differ only in the upturned prize share a solve.
    """
    unique = dict.fromkeys(asked)
    groups: dict[Wanted, list[tuple[Wanted, str]]] = {}
    for position, basis in unique:
        groups.setdefault(replace(position, up=None) if isinstance(position, Position) else position, []).append(
            (position, basis)
        )
    futures = {each: Future[Solution]() for each in unique}

    def work(group: list[tuple[Wanted, str]]) -> None:
        library = shared.copy_for_thread()
        for position, basis in group:
            try:
                futures[position, basis].set_result(answer_by_basis(position, basis, library))
            except BaseException as error:
                futures[position, basis].set_exception(error)

    pool = ThreadPoolExecutor(max(1, threads))
    for start in sorted(groups, key=lambda start: -len(start.mine)):
        pool.submit(work, groups[start])
    pool.shutdown(wait=False)
    return futures


def _list_whole_games(positions: Iterable[Position]) -> Iterator[Position]:
    """Yield the small whole games that take less time to solve than the positions asked of them one by one."""
    games: dict[Rule, list[Position]] = {}
    for position in positions:
        games.setdefault((position.aim, position.ties), []).append(position)
    for same in games.values():
        hand = tuple(range(1, max(max(*position.mine, *position.theirs, *position.prizes) for position in same) + 1))
        start = replace(same[0], mine=hand, theirs=hand, prizes=hand, up=None, pot=0, lead=0)
        left, seen = _estimate_seconds(start), set[object]()
        for position in same:
            solve_of = position.mine, position.theirs, position.prizes, position.pot, position.lead
            if solve_of not in seen:
                seen.add(solve_of)
                left -= _estimate_seconds(position)
            if left < 0:
                yield start
                break


def _find_small_position(written: WrittenPosition) -> Position | None:
    """Return the position if it belongs to a small whole game, is played exactly and needs no conversion; else None."""
    position = written.position
    if position is None or min(position.prizes) <= 0 or max(*position.mine, *position.theirs, *position.prizes) > WHOLE:
        return None
    return position if find_position_basis(position) in (WIN, POINTS) else None


def _estimate_seconds(position: Position) -> float:
    """Estimate the seconds of a solve from the time for nine cards and the growth with each further card."""
    nine, more = (0.3, 6.0) if position.aim.is_plain else (8.0, 8.5) if not position.aim.carry else (80.0, 11.0)
    return nine * more ** (len(position.mine) - 9)
