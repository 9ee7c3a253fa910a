"""Properties of every deal of every game, under any policy (rules.md 7)."""

import dataclasses
from typing import TypeGuard

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.engine.auction.auction import Auction
from bot.engine.choices import Bid, Choice, Pick
from bot.engine.events import Bids, BidsRevealed, DealEnded
from bot.engine.refusals import RuleError
from bot.engine.rules import Rules
from bot.engine.state import Deal, State
from bot.engine.variants import GAMES, find_game
from tests.engine.strategies import (
    SEEDS,
    Policy,
    any_policy,
    any_rules,
    auction_games,
    follow,
    one_line,
    play,
    shuffled_deal,
    worth,
    zones,
)


@given(any_rules(), SEEDS, any_policy())
def test_every_card_is_in_exactly_one_zone(rules: Rules, seed: int, policy: Policy) -> None:
    deal = shuffled_deal(rules, seed)
    first = rules.start(deal)
    dealt = zones(first)
    assert sum(dealt.values()) == len(deal.stock) + len(deal.out) + sum(map(len, deal.hands))
    for step in play(rules, deal, policy):
        assert zones(step.after) == dealt


@given(any_rules(auction_games()), SEEDS, any_policy())
def test_hands_stay_equal_in_an_auction(rules: Rules, seed: int, policy: Policy) -> None:
    for step in play(rules, shuffled_deal(rules, seed), policy):
        assert len(set(map(len, step.after.hands))) == 1
        assert len(set(map(len, step.after.aside))) == 1


@given(any_rules(auction_games()), SEEDS, any_policy())
def test_points_of_exposed_prizes_stay_constant(rules: Rules, seed: int, policy: Policy) -> None:
    """Scores, unscored points and points still at stake add up to all exposed prizes."""
    assert isinstance(rules, Auction)
    deal = shuffled_deal(rules, seed)
    for step in play(rules, deal, policy):
        state = step.after
        exposed = [card for played in state.rounds for card in played.prizes] + list(state.fresh)
        assert exposed == list(deal.stock[: len(exposed)])
        if not state.over:
            assert len(exposed) + len(state.stock) == len(deal.stock)
        if rules.additive:
            scored = sum(rules.score(state)) + state.unscored + worth(rules, (*state.pot, *state.exposed))
            assert scored == worth(rules, exposed)


def scores_every_prize(rules: Rules, deal: Deal) -> TypeGuard[Auction]:
    """Return True if the scores of a deal must add up to the worth of all prizes."""
    return (
        isinstance(rules, Auction)
        and type(rules).facts is Auction.facts
        and (rules.ties, rules.ends_early, rules.rounds(deal)) == ("split", False, len(rules.prizes))
    )


@example(find_game("parlett").rules(3), 0, Policy(("random", "random", "lowest")))  # a seat bids its Ace last
@given(any_rules(), SEEDS, any_policy())
def test_deal_keeps_the_facts_that_its_game_declares(rules: Rules, seed: int, policy: Policy) -> None:
    facts = rules.facts
    steps = play(rules, shuffled_deal(rules, seed), policy)  # which holds it to the longest deal
    last = steps[-1].after
    scores = rules.score(last)
    assert all(facts.lowest <= points <= facts.highest for points in scores)
    if scores_every_prize(rules, last.deal):
        assert sum(scores) == worth(rules, rules.prizes)
    assert isinstance(steps[-1].events[-1], DealEnded)
    assert last.rounds[-1].scores == scores
    announced = rules.rounds(last.deal)
    assert announced is None or len(last.rounds) == announced or (rules.ends_early and len(last.rounds) < announced)
    opened = rules.open_rounds(last.deal)
    asked = [len(step.before.rounds) for step in steps if not all(one.is_forced for one in rules.prompts(step.before))]
    assert opened is None or max(asked, default=-1) < opened
    assert not last.awaited
    assert not last.stock
    assert rules.prompts(last) == ()


@given(any_rules(), SEEDS, st.sampled_from(["lowest", "highest", "mirror"]))
def test_deal_ends_under_stubborn_policies(rules: Rules, seed: int, mode: str) -> None:
    assert play(rules, shuffled_deal(rules, seed), Policy((mode,), seed))[-1].after.over


@given(any_rules(), SEEDS, any_policy(), st.randoms())
def test_renaming_seats_renames_the_results(rules: Rules, seed: int, policy: Policy, dice: object) -> None:
    deal = shuffled_deal(rules, seed)
    order = list(range(rules.seats))
    getattr(dice, "shuffle")(order)  # noqa: B009
    new = {old: place for place, old in enumerate(order)}
    renamed = Deal(deal.stock, tuple(deal.hands[old] for old in order), deal.out, deal.partial)
    steps = play(rules, deal, policy)
    line = [{new[seat]: explicit(step.before, seat, choice) for seat, choice in step.choices.items()} for step in steps]
    for step, state in zip(steps, follow(rules, renamed, line)[1:], strict=True):
        same = step.after
        assert state.over == same.over
        assert {new[seat] for seat in same.awaited} == set(state.awaited)
        assert state.turns == tuple(new[seat] for seat in same.turns)
        assert rules.score(state) == tuple(rules.score(same)[old] for old in order)
        assert rules.standing(state) == tuple(rules.standing(same)[old] for old in order)
        for pile in ("hands", "won", "spent", "aside"):
            assert getattr(state, pile) == tuple(getattr(same, pile)[old] for old in order)
        for theirs, ours in zip(state.rounds, same.rounds, strict=True):
            assert (theirs.prizes, theirs.outcome) == (ours.prizes, ours.outcome)
            assert set(theirs.winners) == {new[seat] for seat in ours.winners}
            assert theirs.bids == tuple(ours.bids[old] for old in order)


def explicit(state: State, seat: int, choice: Choice) -> Choice:
    """The choice with the very cards that it takes."""
    return state.rules.physical(state, seat, choice)


@given(any_rules(), SEEDS, any_policy())
def test_order_of_choices_does_not_change_the_result(rules: Rules, seed: int, policy: Policy) -> None:
    for step in play(rules, shuffled_deal(rules, seed), policy):
        backwards = {seat: step.choices[seat] for seat in reversed(step.choices)}
        assert rules.resolve(step.before, backwards) == (step.after, step.events)


@given(any_rules(), SEEDS, any_policy())
def test_bids_are_revealed_together_and_once(rules: Rules, seed: int, policy: Policy) -> None:
    for step in play(rules, shuffled_deal(rules, seed), policy):
        revealed: list[Bids] = [event.bids for event in step.events if isinstance(event, BidsRevealed)]
        if step.before.turns:
            assert revealed == []
            continue
        chosen = {s: explicit(step.before, s, choice) for s, choice in step.choices.items()}
        assert revealed == [tuple(chosen.get(seat) for seat in range(rules.seats))]


# --- refusals and immutability ---------------------------------------------------------------------------------

WEIRD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=True),
    st.sampled_from(["A", "A+", "A-", "Jk", "QS", "10H", "K", "", "♠Q", "\ud800", "0", [], [[]], [1, 1], [1, "A"], {}]),
    st.sampled_from([{"pick": 1}, {"pick": []}, {"pick": None}, {"prize": 1}, {"pick": 1, "x": 2}, {1: 2}]),
    st.text(max_size=5),
    st.lists(st.integers(-3, 14), max_size=4),
)


@given(any_rules(), SEEDS, any_policy(), st.data())
def test_illegal_choice_is_refused_and_changes_nothing(
    rules: Rules, seed: int, policy: Policy, data: st.DataObject
) -> None:
    steps = play(rules, shuffled_deal(rules, seed), policy)
    step = data.draw(st.sampled_from(steps))
    state, before = step.before, dataclasses.replace(step.before)
    seat = data.draw(st.integers(-1, rules.seats))
    everything = sorted(zones(state), key=str)
    known: st.SearchStrategy[Choice] = st.builds(Pick, st.sampled_from(everything)) | st.builds(
        Bid, st.lists(st.sampled_from(everything), max_size=4).map(tuple)
    )
    refusals: list[RuleError] = []
    for _ in range(5):
        try:
            raw = data.draw(st.none() | WEIRD.map(lambda value: (value,)))
            choice = data.draw(known) if raw is None else rules.read_choice(state, seat, raw[0])
            rules.resolve(state, {**step.choices, seat: choice})
        except RuleError as refusal:
            refusals.append(refusal)
        assert state == before
    assert all(map(one_line, refusals))
    missing = data.draw(st.sampled_from(sorted(step.choices)))
    with pytest.raises(RuleError):
        rules.resolve(state, {s: choice for s, choice in step.choices.items() if s != missing})
    after = steps[-1].after
    with pytest.raises(RuleError):
        rules.resolve(after, step.choices)
    assert rules.resolve(state, step.choices) == (step.after, step.events)


@given(any_rules(), SEEDS, any_policy())
def test_state_is_frozen_hashable_and_comparable(rules: Rules, seed: int, policy: Policy) -> None:
    """States are frozen, hashable, and equal to states made again from the same choices."""
    deal = shuffled_deal(rules, seed)
    steps = play(rules, deal, policy)
    again = follow(rules, deal, [step.choices for step in steps])
    states = [steps[0].before, *(step.after for step in steps)]
    assert again == states
    assert len(set(again) | set(states)) == len(states)
    for field in dataclasses.fields(State):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(states[-1], field.name, None)


@given(any_rules(), SEEDS, SEEDS, any_policy())
def test_repr_of_deals_and_states_shows_no_card(rules: Rules, seed: int, other: int, policy: Policy) -> None:
    one, two = shuffled_deal(rules, seed), shuffled_deal(rules, other)
    assert repr(one) == repr(two) == "Deal(...)"
    for deal in (one, two):
        for number, step in enumerate(play(rules, deal, policy)):
            again = len(step.before.again)
            assert repr(step.before) == f"State({rules.game.key}, round {step.before.number}.{again})"
            if number > 20:
                break


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_strategies_draw_every_registered_game(game: object) -> None:
    """The strategies know no game by name: what is registered is played."""
    from hypothesis import find

    assert find(any_rules(), lambda rules: rules.game is game).game is game
