"""The house player that plays the equilibrium of the match's own rules. Only worker processes import this."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.choices import Bid, Choice
from bot.engine.rules import Rules
from bot.engine.view import Observation
from bot.solver.basis import EXACT, POINTS, basis
from bot.solver.draws import Draws
from bot.solver.games import Answer, play
from bot.solver.induction import every_core
from bot.solver.library import Library
from bot.solver.position import Position
from bot.solver.scope import EVEN, card_of, position, scope
from bot.solver.shelf import BUILT

_library: list[Library] = []


def library() -> Library:
    """What this process knows: one solve answers the rest of a match, and the next match like it."""
    if not _library:
        _library.append(Library((BUILT,), every_core()))
    return _library[0]


def sage(rules: Rules, seen: Observation, draws: Draws) -> Choice | None:
    """A card drawn from the mix; None where there is none, and another level has to play."""
    prompt = seen.prompt
    assert prompt is not None
    how = basis(rules, seen)
    if how == EVEN:
        return Bid(draws.sample(prompt.options, 1))
    here = position(rules, seen)
    if how not in (EXACT, POINTS) or here is None:
        return None
    found = library().judge(here).answer if how == EXACT else by_points(here)
    card = drawn(sorted(here.mine), found.mix, draws.share())
    return Bid((card_of(card, scope(rules)),))


def by_points(here: Position) -> Answer:
    """The mix for what is at stake now, as if later ties were discarded and hands kept."""
    plain = replace(here, ties="discard", pot=0, swap=False)
    game = library().judge(plain).answer.matrix
    mine, theirs = sorted(here.mine), sorted(here.theirs)
    return play(
        [
            [entry + here.pot * ((a > b) - (a < b)) for b, entry in zip(theirs, row, strict=True)]
            for a, row in zip(mine, game, strict=True)
        ]
    )


def drawn(cards: list[int], mix: tuple[float, ...], share: float) -> int:
    """The card at this share of the mix, lowest card first."""
    total = 0.0
    for card, chance in zip(cards, mix, strict=True):
        total += chance
        if share < total:
            return card
    return max(card for card, chance in zip(cards, mix, strict=True) if chance > 0)  # the rest is rounding
