"""Nobody can see what they may not know: two worlds that differ in that alone look the same to the byte."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.choices import Bid, Choice
from bot.engine.events import BidsRevealed, PrizeRevealed
from bot.engine.refusals import RuleError
from bot.engine.rules import Rules
from bot.engine.state import State
from bot.engine.variants import GAMES, find_game
from bot.engine.view import Observation, observe
from tests.engine.observing import Line, Observe, another_world, leak, seen, viewers
from tests.engine.strategies import (
    SEEDS,
    Policy,
    any_policy,
    any_rules,
    games_with,
    play,
    shuffled_deal,
    zones,
)


@st.composite
def any_moment(draw: st.DrawFn, rules: st.SearchStrategy[Rules] | None = None) -> tuple[State, Line]:
    """An open state, and the line that leads there from its deal."""
    game = draw(any_rules() if rules is None else rules)
    steps = play(game, shuffled_deal(game, draw(SEEDS)), draw(any_policy()))
    at = draw(st.integers(0, len(steps) - 1))
    return steps[at].before, [step.choices for step in steps[:at]]


# --- hidden stock and hidden hands -----------------------------------------------------------------------------


@given(any_moment(), SEEDS)
def test_view_does_not_depend_on_the_stock_or_on_private_hands(moment: tuple[State, Line], seed: int) -> None:
    state, line = moment
    assert leak(observe, state, line, seed) == ""


@given(any_moment(any_rules(games_with("clinch"), given={"clinch": True, "bid_cards": 2})), SEEDS)
def test_early_win_does_not_reveal_the_stock(moment: tuple[State, Line], seed: int) -> None:
    """Not all prizes are sold here: whether a deal ends must not reveal the next prizes."""
    state, line = moment
    assert leak(observe, state, line, seed) == ""


@given(any_moment(), SEEDS, st.data())
def test_refusal_reveals_nothing_hidden_from_its_reader(
    moment: tuple[State, Line], seed: int, data: st.DataObject
) -> None:
    state, line = moment
    rules = state.rules
    seat = data.draw(st.sampled_from(state.awaited))
    there = rules.start(another_world(state, seat, seed))
    for joint in line:
        there, _ = rules.resolve(there, joint)
    for card in sorted(zones(state), key=str):
        said = [str(refused(one, seat, Bid((card,)))) for one in (state, there)]
        assert said[0] == said[1]
        assert repr(state) == repr(there)


def refused(state: State, seat: int, choice: Choice) -> RuleError | None:
    try:
        state.rules.check_choice(state, seat, choice)
    except RuleError as refusal:
        return refusal
    return None


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_hands_are_visible_only_where_the_game_says_so(game: Any) -> None:
    rules = game.rules(game.seats[0])
    state = rules.start(shuffled_deal(rules, 1))
    for viewer in viewers(rules):
        shown = observe(state, viewer).hands
        for seat, hand in enumerate(shown):
            assert (hand is not None) == (rules.facts.public_hands or viewer == seat)


# --- sealed choices --------------------------------------------------------------------------------------------


@given(any_moment(), st.data())
def test_incomplete_round_shows_no_sealed_choice(moment: tuple[State, Line], data: st.DataObject) -> None:
    """The engine never stores half a round, and the refusal of an incomplete one reveals none of its choices."""
    state, _ = moment
    rules = state.rules
    if len(state.awaited) < 2:
        return
    seat = data.draw(st.sampled_from(state.awaited))
    before = [seen(observe, state, viewer) for viewer in viewers(rules)]
    options = rules.prompt(state, seat)
    said: set[str] = set()
    for start in range(len(options.options) - options.size + 1):
        choice = rules.bid(*options.options[start : start + options.size])
        rules.check_choice(state, seat, choice)
        with pytest.raises(RuleError) as refusal:
            rules.resolve(state, {seat: choice})
        said.add(str(refusal.value))
        assert [seen(observe, state, viewer) for viewer in viewers(rules)] == before
    assert len(said) == 1


@given(any_moment(any_rules(games_with("blind"), given={"blind": True})))
def test_blind_bids_and_their_prize_are_revealed_together(moment: tuple[State, Line]) -> None:
    """G6.3: nothing of this round's prize is in any view; G6.1: prize and bids appear in one step."""
    state, line = moment
    rules = state.rules
    for viewer in viewers(rules):
        view = observe(state, viewer)
        assert (view.exposed, view.fresh) == ((), ())
        assert not any(isinstance(event, PrizeRevealed) for event in view.events)
    here = rules.start(state.deal)
    for joint in line:
        here, events = rules.resolve(here, joint)
        kinds = [type(event) for event in events if isinstance(event, PrizeRevealed | BidsRevealed)]
        assert kinds == [PrizeRevealed, BidsRevealed]


def test_blind_bids_of_two_cards_score_as_in_the_rules() -> None:
    """G6.1 as it stands."""
    rules = find_game("classic").rules(2, {"cards": 2, "blind": True})
    state = rules.start(replace(rules.deal((2, 1)), stock=(2, 1)))
    for bids, scores in (((1, 2), (0, 2)), ((2, 1), (1, 2))):
        assert not any(observe(state, viewer).exposed for viewer in viewers(rules))
        state, _ = rules.resolve(state, {seat: Bid((card,)) for seat, card in enumerate(bids)})
        assert rules.score(state) == scores


@given(st.sampled_from(["ascending", "descending", "custom", "random-public"]), st.integers(2, 13), SEEDS)
def test_public_order_is_visible_to_all_from_the_start(order: str, cards: int, seed: int) -> None:
    """G5.3."""
    options = {"order": order, "cards": cards}
    if order == "custom":
        options["prizes"] = list(shuffled_deal(find_game("classic").rules(2, {"cards": cards}), seed).stock)
    rules = find_game("classic").rules(3, options)
    deal = shuffled_deal(rules, seed)
    state = rules.start(deal)
    for viewer in viewers(rules):
        view = observe(state, viewer)
        assert (*view.exposed, *(view.to_come or ())) == deal.stock
        assert view.in_order


# --- win-only --------------------------------------------------------------------------------------------------


def moments(rules: Rules, state: State, line: Line) -> Iterator[tuple[State, Line]]:
    """Every state that some bids lead to while the deal goes on, each once, and the line that leads there."""
    prompts = rules.prompts(state)
    for cards in product(*(prompt.options for prompt in prompts)):
        joint: dict[int, Choice] = {prompt.seat: Bid((card,)) for prompt, card in zip(prompts, cards, strict=True)}
        after, _ = rules.resolve(state, joint)
        if not after.over:
            yield after, [*line, joint]
            yield from moments(rules, after, [*line, joint])


def bids_that_show(look: Observe, ties: str, seats: int, cards: int) -> str:
    """For every line and every viewer: is a view made of anything but what may be known?

    That is the viewer's own bids and what is told: who won, and where the prize went.
    """
    rules = find_game("classic").rules(seats, {"cards": cards, "ties": ties, "info": "win-only"})
    known: dict[Any, bytes] = {}
    for state, line in moments(rules, rules.start(shuffled_deal(rules, 1)), []):
        told = tuple((played.outcome, played.winners) for played in state.rounds)
        for viewer in viewers(rules):
            own = tuple(joint[viewer] for joint in line) if viewer is not None else ()
            view = seen(look, state, viewer)
            if known.setdefault((viewer, told, own), view) != view:
                return f"viewer {viewer} sees bids after {told}"
    return ""


@pytest.mark.parametrize(("seats", "cards"), [(2, 3), (2, 4), (3, 3)])
@pytest.mark.parametrize("ties", ["discard", "carry", "unique-carry", "unique-discard"])
def test_win_only_hides_the_bids_of_others(ties: str, seats: int, cards: int) -> None:
    assert bids_that_show(observe, ties, seats, cards) == ""


@pytest.mark.parametrize(("ties", "scores"), [("discard", (1, 2)), ("carry", (4, 2))])
def test_win_only_shows_all_bids_at_the_end(ties: str, scores: tuple[int, int]) -> None:
    """G17.1: the scores of G1.1, and A's bids nowhere in B's view until then."""
    rules = find_game("classic").rules(2, {"cards": 3, "ties": ties, "info": "win-only"})
    state = rules.start(replace(rules.deal((2, 3, 1)), stock=(2, 3, 1)))
    for bids in ((1, 2), (3, 3), (2, 1)):
        view = observe(state, 1)
        assert view.hands[0] is None
        assert view.spent[0] is None
        assert all(played.bids[0] is None for played in view.rounds)
        shown = [event for played in view.rounds for event in played.events] + list(view.events)
        assert all(event.bids[0] is None for event in shown if isinstance(event, BidsRevealed))
        state, _ = rules.resolve(state, {seat: Bid((card,)) for seat, card in enumerate(bids)})
    assert rules.score(state) == scores
    assert [played.bids for played in observe(state, 1).rounds] == [played.bids for played in state.rounds]


# --- the end ---------------------------------------------------------------------------------------------------


@given(any_rules(), SEEDS, any_policy())
def test_finished_deal_is_visible_to_everyone(rules: Rules, seed: int, policy: Policy) -> None:
    state = play(rules, shuffled_deal(rules, seed), policy)[-1].after
    for viewer in viewers(rules):
        view = observe(state, viewer)
        assert (view.hands, view.spent, view.out) == (state.hands, state.spent, state.out)
        assert (view.rounds, view.scores) == (state.rounds, rules.score(state))
        assert view.prompt is None
        assert replace(view, seat=None, keys=()) == observe(state, None)


# --- would these tests notice? ---------------------------------------------------------------------------------


def leaky_stock(state: State, seat: int | None) -> Observation:
    return replace(observe(state, seat), to_come=state.stock)


def leaky_next(state: State, seat: int | None) -> Observation:
    """Only a hint: whether the next prize is higher than this one."""
    hint = str(state.stock[:1]) > str(state.exposed[:1])
    return replace(observe(state, seat), sub_round=int(hint))


def leaky_hands(state: State, seat: int | None) -> Observation:
    return replace(observe(state, seat), hands=state.hands)


def leaky_rounds(state: State, seat: int | None) -> Observation:
    return replace(observe(state, seat), rounds=state.rounds)


def leaky_spent(state: State, seat: int | None) -> Observation:
    return replace(observe(state, seat), spent=state.spent)


@pytest.mark.parametrize(
    ("game", "look"),
    [("classic", leaky_stock), ("psych", leaky_next), ("throps", leaky_hands), ("throps", leaky_stock)],
)
def test_leak_check_finds_leaked_cards(game: str, look: Observe) -> None:
    rules = find_game(game).rules(find_game(game).seats[0])
    steps = play(rules, shuffled_deal(rules, 1), Policy(("random",), 1))
    noticed = [leak(look, step.before, [s.choices for s in steps[:at]], 7) for at, step in enumerate(steps)]
    assert any(noticed)


@pytest.mark.parametrize("look", [leaky_rounds, leaky_spent, leaky_hands])
def test_leak_check_finds_leaked_bids(look: Observe) -> None:
    assert bids_that_show(look, "discard", 2, 3)
