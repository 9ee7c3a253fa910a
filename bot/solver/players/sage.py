"""The house player that plays the equilibrium of the match's own rules. Only worker processes import this."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.engine.cards import Points
from bot.engine.choices import Bid, Choice
from bot.engine.rules import Rules
from bot.engine.series import SINGLE, Series
from bot.engine.view import Observation
from bot.solver.exact import endgame_values, pico_values
from bot.solver.exact.endgame import Endgame
from bot.solver.exact.estimates import estimate_win
from bot.solver.exact.goal import find_goal
from bot.solver.exact.induction import count_cores
from bot.solver.exact.pico import Duel
from bot.solver.exact.position import Position
from bot.solver.exact.scope import EVEN, convert_card, find_position, find_scope
from bot.solver.kernels.matrix_game import Solution, solve_matrix
from bot.solver.players.basis import NEAR, POINTS, ROUGH, WIN, find_basis, is_points_known
from bot.solver.players.chance import Chance
from bot.solver.tables.library import Library
from bot.solver.tables.table_paths import BUILT

_library: list[Library] = []


def get_library() -> Library:
    """What this process knows: one solve answers the rest of a match, and the next match like it."""
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
    """A card drawn from the mix; None where there is none, and another level has to play."""
    prompt = seen.prompt
    assert prompt is not None
    wanted = find_goal(rules, series, before)
    how = find_basis(rules, seen, wanted)
    if how == EVEN:
        return Bid(chance.sample(prompt.options, 1))
    here = find_position(rules, seen, wanted)
    if how not in (WIN, NEAR, POINTS, ROUGH) or here is None:
        return None
    card = draw_card(sorted(here.mine), answer_by_basis(here, how).mix, chance.share())
    return Bid((convert_card(card, find_scope(rules)),))


def answer_by_basis(here: Position | Duel | Endgame, how: str, known: Library | None = None) -> Solution:
    """The game of a position as Sage sees it who plays by this basis, and its mix."""
    if isinstance(here, Duel):
        return pico_values.answer_duel(here)
    if isinstance(here, Endgame):
        return endgame_values.answer_endgame(here)
    known = known or get_library()
    if how == ROUGH:
        return answer_by_points(here, known)
    if how != NEAR:
        return known.judge(here).answer
    points = replace(here, objective="points", lead=0)
    exact = is_points_known(points)
    return estimate_win(here, known.judge(points).answer if exact else answer_by_points(points, known))


def answer_by_points(here: Position, known: Library) -> Solution:
    """The mix for what is at stake now, as if later ties were discarded and hands kept."""
    plain = replace(here, ties="discard", pot=0, swap=False)
    found = known.judge(plain).answer
    mine, theirs = sorted(here.mine), sorted(here.theirs)
    assert here.up is not None
    more = abs(here.up + here.pot) - abs(here.up)
    if not more:
        return found
    return solve_matrix(
        [
            [entry + more * ((a > b) - (a < b)) for b, entry in zip(theirs, row, strict=True)]
            for a, row in zip(mine, found.matrix, strict=True)
        ]
    )


def draw_card(cards: list[int], mix: tuple[float, ...], share: float) -> int:
    """The card at this share of the mix, lowest card first."""
    total = 0.0
    for card, chance in zip(cards, mix, strict=True):
        total += chance
        if share < total:
            return card
    return max(card for card, chance in zip(cards, mix, strict=True) if chance > 0)  # the rest is rounding
