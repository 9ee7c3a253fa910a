"""Rules that must come to the same: what one option changes, and what it must leave alone (rules.md 7)."""

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.engine.auction.auction import Auction
from bot.engine.choices import Choice, Pick
from bot.engine.events import HandsSwitched
from bot.engine.rules import Game, Rules
from bot.engine.state import Deal, State
from bot.engine.variants import find_game
from tests.engine.strategies import (
    SEEDS,
    Policy,
    accepted,
    any_policy,
    any_rules,
    follow,
    games_with,
    play,
    shuffled_deal,
)

CLASSIC = find_game("classic")


def other(rules: Rules, **options: Any) -> Rules | None:
    """The same game with something else chosen; None where that is refused."""
    chosen = {key: value for key, value in rules.options.items() if value is not None}
    return accepted(rules.game, rules.seats, {**chosen, **options})


def line_of(rules: Rules, deal: Deal, policy: Policy) -> list[dict[int, Choice]]:
    return [step.choices for step in play(rules, deal, policy)]


def bids_of(states: list[State]) -> list[Any]:
    return [played.bids for played in states[-1].rounds]


@given(any_rules(games_with("ties", "discard", "split"), 2, {"ties": "discard"}), SEEDS, any_policy())
def test_discarded_and_split_ties_give_the_same_difference(rules: Rules, seed: int, policy: Policy) -> None:
    """Item 3: two seats, nothing cancelled."""
    split = other(rules, ties="split")
    if split is None or rules.ends_early:
        return
    deal = shuffled_deal(rules, seed)
    line = line_of(rules, deal, policy)
    for one, two in zip(follow(rules, deal, line), follow(split, deal, line), strict=True):
        (a, b), (c, d) = rules.score(one), split.score(two)
        assert a - b == c - d


@given(st.integers(2, 13), st.sampled_from(["discard", "carry"]), st.booleans(), SEEDS, any_policy())
def test_no_seat_takes_every_prize(cards: int, ties: str, blind: bool, seed: int, policy: Policy) -> None:
    """Item 4: a score of 0 means 0-0, and no score is above all prizes but the least."""
    rules = CLASSIC.rules(2, {"cards": cards, "ties": ties, "blind": blind})
    scores = rules.score(play(rules, shuffled_deal(rules, seed), policy)[-1].after)
    assert 0 not in scores or scores == (0, 0)
    assert max(scores) <= cards * (cards + 1) // 2 - 1


@given(
    any_rules([CLASSIC], 2, {"ties": "unique-carry"}) | any_rules([CLASSIC], 2, {"ties": "unique-discard"}),
    SEEDS,
    any_policy(),
)
def test_cancelled_bids_of_two_seats_are_ties(rules: Rules, seed: int, policy: Policy) -> None:
    plain = other(rules, ties=rules.options["ties"].removeprefix("unique-"))
    assert plain is not None
    deal = shuffled_deal(rules, seed)
    line = line_of(rules, deal, policy)
    for one, two in zip(follow(rules, deal, line), follow(plain, deal, line), strict=True):
        assert rules.score(one) == plain.score(two)
        assert [(r.outcome, r.winners) for r in one.rounds] == [(r.outcome, r.winners) for r in two.rounds]
        assert (one.unscored, one.pot, one.over) == (two.unscored, two.pot, two.over)


@given(any_rules([CLASSIC], given={"bid_cards": 1}), SEEDS, any_policy())
def test_remainder_rule_changes_nothing_with_one_card_a_bid(rules: Rules, seed: int, policy: Policy) -> None:
    deal = shuffled_deal(rules, seed)
    line = line_of(rules, deal, policy)
    for remainder in ("drop", "short-last"):
        same = other(rules, remainder=remainder)
        assert same is not None
        assert same.score(follow(same, deal, line)[-1]) == rules.score(follow(rules, deal, line)[-1])


@given(st.integers(2, 13), st.sampled_from(["discard", "carry"]), SEEDS, any_policy())
def test_draft_of_one_prize_scores_as_classic(cards: int, ties: str, seed: int, policy: Policy) -> None:
    """With one prize shown, one picker and one copy of each, open prizes are ordinary prizes."""
    rules = CLASSIC.rules(2, {"cards": cards, "ties": ties})
    assert isinstance(rules, Auction)
    draft = replace(rules, expose=1, pickers=1, cancel=True)
    deal = shuffled_deal(rules, seed)
    opened = draft.start(deal)
    for step in play(rules, deal, policy):
        opened, _ = draft.resolve(opened, step.choices)
        while opened.turns:  # the winner takes all there is, the carried prizes too
            opened, _ = draft.resolve(opened, {opened.turns[0]: Pick(opened.exposed[0])})
        assert draft.score(opened) == rules.score(step.after)
        assert opened.unscored == step.after.unscored
        assert opened.over == step.after.over


@given(st.integers(2, 8), SEEDS, any_policy())
def test_vultures_without_negative_prizes_is_classic(seats: int, seed: int, policy: Policy) -> None:
    vultures = find_game("vultures").rules(seats, {})
    classic = CLASSIC.rules(seats, {"cards": 15, "ties": "unique-carry"})
    assert isinstance(vultures, Auction)
    assert isinstance(classic, Auction)
    mice = replace(vultures, prizes=classic.prizes)
    deal = shuffled_deal(mice, seed)
    line = line_of(mice, deal, policy)
    for one, two in zip(follow(mice, deal, line), follow(classic, deal, line), strict=True):
        assert replace(one, rules=classic) == two


@given(st.integers(2, 13), st.sampled_from(["discard", "carry", "split"]), SEEDS, any_policy())
def test_sops_before_its_first_tie_is_classic(cards: int, ties: str, seed: int, policy: Policy) -> None:
    """Up to the first tie nothing is different."""
    sops, classic = (find_game(key).rules(2, {"cards": cards, "ties": ties}) for key in ("sops", "classic"))
    deal = shuffled_deal(sops, seed)
    other = classic.start(deal)
    for step in play(sops, deal, policy):
        if any(isinstance(event, HandsSwitched) for event in step.events):
            break
        other, events = classic.resolve(other, step.choices)
        assert replace(step.after, rules=classic) == other
        assert step.events == events


def turnable() -> list[Game]:
    return games_with("blind")


@given(any_rules(turnable(), given={"blind": True}), SEEDS, any_policy())
def test_blind_bids_score_as_open_bids(rules: Rules, seed: int, policy: Policy) -> None:
    """Item 10: the same bids, whether the prize is turned before or after them."""
    seen = other(rules, blind=False)
    assert seen is not None
    deal = shuffled_deal(rules, seed)
    line = line_of(rules, deal, policy)
    blind, open_ = follow(rules, deal, line), follow(seen, deal, line)
    assert bids_of(blind) == bids_of(open_)
    for one, two in zip(blind, open_, strict=True):
        assert rules.score(one) == seen.score(two)
        assert one.over == two.over
    assert [r.prizes for r in blind[-1].rounds] == [r.prizes for r in open_[-1].rounds]
