"""Sage plays the equilibrium of the match's rules, draws from it with the match's chance, and states its basis."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from bot.engine.choices import Bid, Choice
from bot.engine.rules import Rules
from bot.engine.series import SINGLE, Series
from bot.engine.state import State
from bot.engine.text.presets import find_offer, list_offers
from bot.engine.view import observe
from bot.solver.exact.goal import FOR_POINTS, TO_WIN, Goal, find_goal
from bot.solver.exact.position import Position
from bot.solver.exact.scope import find_auction_position
from bot.solver.exact.solve import estimate_chance, start_whole_game
from bot.solver.players import sage as equilibrium
from bot.solver.players.basis import find_basis
from bot.solver.players.chance import Chance
from bot.solver.players.levels import Level, Question, find_level
from bot.solver.players.sage import answer_by_basis, answer_by_points, draw_card, get_library
from tests.solver import slow
from tests.solver.response import exploitability

DEAR = {"vultures": (11, 10, 8), "bid": (5, 4), "psych": (5, 4)}
"""sizes of hands that take Sage too long for this test; other sizes cover the same code"""


def sage() -> Level:
    found = find_level("sage")
    assert found is not None
    return found


def lowest() -> Level:
    found = find_level("matcher")
    assert found is not None
    return found


def begin(key: str, stock: tuple[int, ...] | None = None, **options: Any) -> tuple[Rules, State]:
    game, offer = find_offer(key)
    rules = game.rules(offer.seats or game.seats[0], {**offer.options, **options})
    pack = list(rules.pack())
    random.Random(key).shuffle(pack)
    return rules, rules.start(rules.deal(stock or tuple(pack)))


def ask(rules: Rules, state: State, seat: int, key: object) -> Question:
    return Question(rules, SINGLE, observe(state, seat), (), Chance(str(key).encode()))


def test_sage_draws_cards_with_the_chances_of_its_mix() -> None:
    """Four cards, prize 2, in a series that adds up points: (.3371, .1360, .5269, 0), Kerr's matrix solved exactly."""
    rules, state = begin("classic", (2, 1, 3, 4), cards=4)
    asked = (replace(ask(rules, state, 0, n), series=Series("target", 100)) for n in range(2000))
    drawn_so_far = Counter[Choice](sage().mind(each) for each in asked)
    shares = [drawn_so_far[Bid((card,))] / 2000 for card in (1, 2, 3, 4)]
    assert shares == pytest.approx([154132 / 457239, 62196 / 457239, 240911 / 457239, 0], abs=0.04)
    assert shares[3] == 0


def test_sage_draws_the_same_card_from_the_same_chance() -> None:
    rules, state = begin("classic", cards=5)
    assert sage().mind(ask(rules, state, 0, "x")) == sage().mind(ask(rules, state, 0, "x"))


def test_sage_bid_does_not_depend_on_hidden_cards() -> None:
    """The order of the prizes to come changes nothing."""
    bids = set[Choice]()
    for rest in itertools.permutations((1, 2, 4, 5)):
        rules, state = begin("carry", (3, *rest), cards=5)
        bids.add(sage().mind(ask(rules, state, 1, "x")))
    assert len(bids) == 1


def test_draw_card_never_leaves_the_mix_through_rounding() -> None:
    assert draw_card([2, 5, 9], (0.25, 0.75 - 1e-16, 0.0), 0.9999999999999999) == 5
    assert draw_card([2, 5, 9], (0.0, 0.5, 0.5), 0.0) == 5


@pytest.mark.parametrize("key", [offer.key for offer in list_offers()])
def test_sage_plays_every_preset_to_its_end(key: str) -> None:
    game, _ = find_offer(key)
    small: dict[str, Any] = {"cards": 5} if any(option.key == "cards" for option in game.options) else {}
    stock = (1, 2, 3, 4, 5) if key == "fixed-order" else None
    rules, state = begin(key, stock, **small)
    steps = 0
    while not state.over:
        level = sage() if len(state.hands[0]) not in DEAR.get(key, ()) else lowest()
        joint = {seat: level.mind(ask(rules, state, seat, (steps, seat))) for seat in state.awaited}
        state, _ = rules.resolve(state, joint)
        steps += 1
    assert steps <= rules.facts.longest


@pytest.mark.parametrize(
    ("key", "cards", "says"),
    [
        ("classic", 9, "win"),
        ("classic", 10, "near"),
        ("split", 9, "win"),
        ("misere", 9, "win"),
        ("known-order", 13, "win"),
        ("carry", 8, "win"),
        ("carry", 13, "near"),
        ("sops", 8, "win"),
        ("sops", 13, "near"),
        ("blind", 13, "even"),
        ("classic", 14, "reader"),
        ("vultures", None, "reader"),
        ("pico", None, "win"),
        ("open-draft", None, "sly"),
        ("welsh", None, "sly"),
    ],
)
def test_sage_states_its_basis_for_every_game(key: str, cards: int | None, says: str) -> None:
    size: dict[str, Any] = {} if cards is None else {"cards": cards}
    rules, state = begin(key, **size)
    assert find_basis(rules, observe(state, 0)) == says == find_basis(rules, observe(state, 1))


@pytest.mark.parametrize(
    ("key", "cards", "says"),
    [
        ("classic", 13, "points"),
        ("carry", 10, "points"),
        ("carry", 13, "points"),
        ("carry", 14, "reader"),
        ("sops", 10, "points"),
        ("sops", 13, "rough"),
    ],
)
def test_sage_plays_for_points_in_a_series_that_adds_points(key: str, cards: int, says: str) -> None:
    rules, state = begin(key, cards=cards)
    assert find_basis(rules, observe(state, 0), FOR_POINTS) == says


def test_known_order_with_carried_ties_is_exact_from_the_first_bid() -> None:
    rules, state = begin("known-order", cards=13, ties="carry")
    assert [find_basis(rules, observe(state, 0), each) for each in (TO_WIN, FOR_POINTS)] == ["win", "points"]


def test_goal_follows_from_the_series() -> None:
    rules, _ = begin("classic")
    assert (
        find_goal(rules) == find_goal(rules, Series("best-of", 3)) == find_goal(rules, Series("first-to", 2)) == TO_WIN
    )
    assert (
        find_goal(rules, Series("deals", 3), [(40, 30)])
        == find_goal(rules, Series("target", 100), [(40, 30)])
        == FOR_POINTS
    )
    last = find_goal(rules, Series("deals", 3), [(40, 30), (20, 50)])
    assert (last.is_to_win, last.ahead) == (True, (60, 80))


@pytest.mark.parametrize(
    ("ties", "target", "before", "last"),
    [
        ("discard", 30, (29, 29), True),
        ("discard", 60, (29, 29), False),
        ("discard", 30, (10, 10), True),
        ("split", 100, (55, 54), True),
        ("split", 100, (53, 53), False),
        ("discard", 100, (55, 54), False),
        ("discard", 100, (85, 80), True),
    ],
)
def test_last_deal_of_a_target_series_is_played_to_win(ties: str, target: int, before: Any, last: bool) -> None:
    rules, _ = begin("classic", ties=ties)
    found = find_goal(rules, Series("target", target), [before])
    assert found == (Goal(ahead=before) if last else FOR_POINTS)


def test_sage_plays_the_last_deal_of_a_target_series_like_a_single_deal() -> None:
    """At 29 : 29 in a match to 30 points, the winner of this deal wins the match."""
    rules, state = begin("classic", cards=5)
    seen = observe(state, 0)
    for number in range(40):
        chances = [Chance(str(number).encode()) for _ in range(2)]
        single = equilibrium.choose_sage_bid(rules, seen, chances[0])
        assert equilibrium.choose_sage_bid(rules, seen, chances[1], Series("target", 30), [(29, 29)]) == single


@pytest.mark.parametrize(("key", "sign"), [("classic", 1), ("split", 1), ("misere", -1)])
def test_lead_equals_the_difference_of_scores_with_earlier_deals(key: str, sign: int) -> None:
    """Both seats see the same lead from their side; earlier deals are included if they count."""
    rules, state = begin(key, (3, 1, 2, 4, 5), cards=5)
    for mine, theirs in ((5, 2), (1, 3), (2, 4)):
        state, _ = rules.resolve(state, {0: Bid((mine,)), 1: Bid((theirs,))})
    for ahead in ((), (10, 4)):
        here = [find_auction_position(rules, observe(state, seat), Goal(ahead=ahead)) for seat in (0, 1)]
        scores = [a + b for a, b in zip(rules.score(state), ahead or (0, 0), strict=True)]
        assert [each.lead for each in here if each] == [sign * (scores[0] - scores[1]), sign * (scores[1] - scores[0])]


def test_early_win_rule_does_not_change_the_bid() -> None:
    """The deal ends once it is won: until then it is the same game."""
    plain, early = (begin("classic", (5, 1, 3, 2, 4), cards=5, clinch=clinch) for clinch in (False, True))
    found = [find_auction_position(rules, observe(state, 0), TO_WIN) for rules, state in (plain, early)]
    assert found[0] == found[1] is not None
    assert sage().mind(ask(*plain, 0, "x")) == sage().mind(ask(*early, 0, "x"))


def test_sage_plays_safe_when_it_leads() -> None:
    """Ahead by more than the Ace, which is up, with the 3 to come and a 2 and a 3 against the same: keep the 3."""
    rules, state = begin("classic", (2, 1, 3), cards=3)
    state, _ = rules.resolve(state, {0: Bid((2,)), 1: Bid((1,))})
    here = find_auction_position(rules, observe(state, 0), TO_WIN)
    assert here == Position((1, 3), (2, 3), (1, 3), 1, objective="win", lead=2)
    assert here is not None
    found = answer_by_basis(here, "win")
    game = slow.matrix((1, 3), (2, 3), (1, 3), 1, win=True, lead=2)
    assert found.value == pytest.approx(float(slow.game_value(game)))


def test_best_reply_wins_nothing_from_sage() -> None:
    """Against the best answer in every position of the game, the mix that it plays loses nothing."""
    start = start_whole_game(4, objective="win")
    get_library().learn(start)
    assert exploitability(start, lambda at: answer_by_basis(at, "win").mix, 0.0) < 1e-9


def test_estimated_chance_is_symmetric_and_never_falls_with_the_lead() -> None:
    later = (1, 4, 9, 13)
    told = [estimate_chance(lead, later) for lead in range(-30, 31)]
    assert told == sorted(told)
    assert told[0] == -1 == -told[-1]
    assert [a + b for a, b in zip(told, reversed(told), strict=True)] == pytest.approx([0.0] * len(told))
    assert [estimate_chance(lead, ()) for lead in (-0.5, 0, 2)] == [-1, 0, 1]


def test_classic_is_exact_when_few_cards_are_left() -> None:
    rules, state = begin("classic")
    said: list[str] = []
    while not state.over:
        said.append(find_basis(rules, observe(state, 0)))
        state, _ = rules.resolve(state, {seat: rules.prompt(state, seat).lowest() for seat in state.awaited})
    assert said == ["near"] * 4 + ["win"] * len(said[4:])


def test_vultures_are_exact_when_few_cards_are_left() -> None:
    rules, state = begin("vultures")
    said: list[str] = []
    while not state.over:
        said.append(find_basis(rules, observe(state, 0)))
        state, _ = rules.resolve(state, {seat: rules.prompt(state, seat).lowest() for seat in state.awaited})
    assert said == ["reader"] * 4 + ["near"] * 3 + ["win"] * 8


def test_near_mix_bids_for_the_pot_that_decides() -> None:
    """The pot decides: bid the card that takes it."""
    here = Position((1, 4), (2, 3), (1, 2), 1, ties="carry", pot=50, objective="win", lead=-1)
    assert answer_by_basis(here, "near").mix == pytest.approx((0, 1))


def test_points_mix_counts_the_pot() -> None:
    """With nothing to come after this prize and the next the pot is all that matters: bid the higher card."""
    here = Position((1, 3), (2, 3), (1, 2), 1, ties="carry", pot=50)
    assert answer_by_points(here, get_library()).mix == pytest.approx((0, 1))


def test_sage_mix_gives_at_least_the_value_against_every_bid() -> None:
    """Against every fixed bid its mix gives at least the value, in positions of a whole match."""
    rules, state = begin("carry", cards=5)
    dice = random.Random(4)
    while not state.over:
        here = find_auction_position(rules, observe(state, 0))
        assert here is not None
        found = get_library().judge(here).answer
        columns = zip(*found.matrix, strict=True)
        worst = min(sum(share * entry for share, entry in zip(found.mix, column, strict=True)) for column in columns)
        assert worst == pytest.approx(found.value, abs=1e-9)
        state, _ = rules.resolve(state, {seat: Bid((dice.choice(state.hands[seat]),)) for seat in state.awaited})
