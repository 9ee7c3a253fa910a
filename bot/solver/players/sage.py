"""Sage, the house player that plays the equilibrium of the match's rules, and the compilation of its kernels.

Only worker processes import this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.engine.cards import Points
from bot.engine.choices import Bid, Choice
from bot.engine.rules import Rules
from bot.engine.series import SINGLE, Series
from bot.engine.text.presets import find_offer
from bot.engine.view import Observation, observe
from bot.solver.exact import endgame_values, pico_values
from bot.solver.exact.endgame import Endgame
from bot.solver.exact.endgame_values import answer_endgame
from bot.solver.exact.goal import find_goal
from bot.solver.exact.induction import count_cores
from bot.solver.exact.pico import Duel
from bot.solver.exact.position import Position
from bot.solver.exact.scope import EVEN, convert_card, find_position, find_scope
from bot.solver.exact.solve import estimate_win
from bot.solver.kernels.cache_folder import is_compiled, mark_compiled
from bot.solver.kernels.matrix_game import Solution, solve_matrix
from bot.solver.players.basis import NEAR, POINTS, ROUGH, WIN, find_basis, is_points_known
from bot.solver.players.chance import Chance
from bot.solver.players.levels import Question, find_level
from bot.solver.tables import BUILT
from bot.solver.tables.library import Library

_library: list[Library] = []


def get_library() -> Library:
    """Return the library of this process; its cache serves the rest of a match and later matches."""
    if not _library:
        _library.append(Library((BUILT,), count_cores()))
    return _library[0]


def choose_sage_bid(
    rules: Rules,
    seen: Observation,
    chance: Chance,
    series: Series = SINGLE,
    before: Sequence[tuple[Points, ...]] = (),
) -> Choice | None:
    """Draw a card from the mix; return None if the position is not solved and another level has to play."""
    prompt = seen.prompt
    assert prompt is not None
    goal = find_goal(rules, series, before)
    basis = find_basis(rules, seen, goal)
    if basis == EVEN:
        return Bid(chance.sample(prompt.options, 1))
    position = find_position(rules, seen, goal)
    if basis not in (WIN, NEAR, POINTS, ROUGH) or position is None:
        return None
    card = draw_card(sorted(position.mine), answer_by_basis(position, basis).mix, chance.share())
    return Bid((convert_card(card, find_scope(rules)),))


def answer_by_basis(position: Position | Duel | Endgame, basis: str, library: Library | None = None) -> Solution:
    """Return the matrix game of a position and its mixes, exact or estimated as the basis says."""
    if isinstance(position, Duel):
        return pico_values.answer_duel(position)
    if isinstance(position, Endgame):
        return endgame_values.answer_endgame(position)
    library = library or get_library()
    if basis == ROUGH:
        return answer_by_points(position, library)
    if basis != NEAR:
        return library.judge(position).answer
    points = replace(position, objective="points", lead=0)
    is_exact = is_points_known(points)
    return estimate_win(position, library.judge(points).answer if is_exact else answer_by_points(points, library))


def answer_by_points(position: Position, library: Library) -> Solution:
    """Return the game for the stake of this round, as if later ties were discarded and hands kept."""
    plain = replace(position, ties="discard", pot=0, swap=False)
    solution = library.judge(plain).answer
    mine, theirs = sorted(position.mine), sorted(position.theirs)
    assert position.up is not None
    more = abs(position.up + position.pot) - abs(position.up)
    if not more:
        return solution
    return solve_matrix(
        [
            [entry + more * ((a > b) - (a < b)) for b, entry in zip(theirs, row, strict=True)]
            for a, row in zip(mine, solution.matrix, strict=True)
        ]
    )


def draw_card(cards: list[int], mix: tuple[float, ...], share: float) -> int:
    """Return the card at this quantile of the mix, lowest card first."""
    total = 0.0
    for card, chance in zip(cards, mix, strict=True):
        total += chance
        if share < total:
            return card
    return max(card for card, chance in zip(cards, mix, strict=True) if chance > 0)  # rounding: the total was below 1


GAMES: tuple[tuple[str, dict[str, object]], ...] = (
    ("classic", {}),
    *(("classic", {"cards": 4, "ties": ties}) for ties in ("discard", "carry", "split")),
    ("known-order", {"cards": 4}),
    ("sops", {"cards": 4}),
    ("pico", {}),
)
SERIES = (SINGLE, Series("target", 1000))
"""A series played to win a deal, and a series played for points."""


def compile_kernels() -> None:
    """Compile all kernels that Sage and Hawk call, unless the cache folder holds them already."""
    if is_compiled():
        return
    answer_endgame(Endgame((1, 2), (1, 3), 2, (1, 2)))
    for question in _list_questions():
        for key in ("sage", "hawk"):
            level = find_level(key)
            assert level is not None
            level.mind(question)
    mark_compiled()


def _list_questions() -> Iterator[Question]:
    """Yield a first bid of each kind of game: a game in the tables, and small games that are solved at once."""
    for key, options in GAMES:
        game, offer = find_offer(key)
        declared = {option.key for option in game.options}
        chosen = {name: value for name, value in {**offer.options, **options}.items() if name in declared}
        rules = game.rules(2, chosen)
        state = rules.start(rules.deal(tuple(rules.pack())))
        for series in SERIES:
            yield Question(rules, series, observe(state, 0), (), Chance(b"warm-up"))
