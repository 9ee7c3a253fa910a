"""Likely next positions are solved in advance; unneeded ones are not."""

from __future__ import annotations

import pytest

from bot.engine.choices import Bid
from bot.engine.series import SINGLE
from bot.engine.text.presets import find_offer
from bot.engine.view import observe
from bot.solver.exact.goal import TO_WIN
from bot.solver.exact.scope import find_auction_position
from bot.solver.players import lookahead, sage
from bot.solver.players.chance import Chance
from bot.solver.players.levels import Question
from bot.solver.players.lookahead import LIKELIEST, OVER, Prospect, look_ahead
from bot.solver.tables.library import Library


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> Library:
    """Only what has up to 3 cards is solved to win, as it is with 9 in earnest; nothing is known yet."""
    library = Library()
    monkeypatch.setattr(
        "bot.solver.players.basis.WON_AT_ONCE", {(a, b): 3 for a in (False, True) for b in (False, True)}
    )
    monkeypatch.setattr(sage, "_library", [library])
    return library


def asked(game: str = "classic") -> Question:
    """The seat has 4 of 5 cards left, and the prize is up."""
    rules = find_offer(game)[0].rules(2, {"cards": 5})
    state = rules.start(rules.deal(tuple(rules.pack())))
    state, _ = rules.resolve(state, {0: Bid((2,)), 1: Bid((4,))})
    return Question(rules, SINGLE, observe(state, 0), (), Chance(b"ahead"))


@pytest.mark.parametrize("game", ["classic", "carry", "known-order"])
def test_likeliest_next_positions_are_solved_in_advance(
    small: Library, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    question = asked(game)
    here = find_auction_position(question.rules, question.seen, TO_WIN)
    assert here is not None
    chances = sage.answer_by_basis(here, "near").their_mix
    answers = [sorted(here.theirs)[at] for at in sorted(range(4), key=lambda at: -chances[at]) if chances[at] > 0]
    nexts = [here.after(3, theirs) for theirs in answers[:LIKELIEST]]
    turned = [each.turned(up) for each in nexts for up in (each.prizes[:1] if each.ordered else each.prizes)]
    assert not all(small.knows(each) for each in turned)
    place, steps = 0, 0
    while place != OVER:
        place, steps = look_ahead(Prospect(question, Bid((3,)), place)), steps + 1
    assert steps == len(nexts) + 1
    monkeypatch.setattr("bot.solver.tables.library.solve_position", None)
    for each in turned:
        assert small.judge(each).exact


def test_solve_that_would_take_too_long_is_not_started(small: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookahead, "LONGEST", 0.0)
    question = asked()
    sage.answer_by_basis(find_auction_position(question.rules, question.seen, TO_WIN), "near")  # pyright: ignore[reportArgumentType]
    monkeypatch.setattr("bot.solver.tables.library.solve_position", None)
    assert look_ahead(Prospect(question, Bid((3,)))) == 1


def test_interrupted_lookahead_resumes_at_the_same_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def learn(*_: object, **__: object) -> None:
        lookahead._interrupt()

    monkeypatch.setattr(Library, "learn", learn)
    monkeypatch.setattr(sage, "answer_by_basis", lambda *_: type("Found", (), {"their_mix": (0.1, 0.2, 0.3, 0.4)}))
    assert look_ahead(Prospect(asked(), Bid((3,)), 1)) == 1
    lookahead._interrupt()  # without a lookahead the interrupt does nothing


def test_prospect_repr_hides_the_sealed_bid() -> None:
    prospect = Prospect(asked(), Bid((3,)))
    assert repr(prospect) == "Prospect(place=0)"
