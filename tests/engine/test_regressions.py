"""What properties and fuzzing found, each as one small case that stays."""

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.engine.choices import Bid
from bot.engine.record.record import RecordError, read_record
from bot.engine.record.replay import replay
from bot.engine.record.result import result_data
from bot.engine.refusals import BadSetup, RuleError
from bot.engine.rules import Rules
from bot.engine.state import Deal, State
from bot.engine.variants import GAMES, find_game


def classic(seats: int = 2, **options: Any) -> Rules:
    return find_game("classic").rules(seats, options)


def played(rules: Rules, stock: Sequence[int], *rounds: Sequence[int]) -> State:
    """A deal of one-card bids."""
    hand = rules.deal(rules.pack()).hands[0]
    state = rules.start(Deal(tuple(stock), (hand,) * rules.seats))
    for bids in rounds:
        state, _ = rules.resolve(state, {seat: Bid((card,)) for seat, card in enumerate(bids)})
    return state


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_states_can_be_hashed(game: Any) -> None:
    rules = game.rules(game.seats[0])
    deal = rules.deal(rules.pack())
    assert len({rules.start(deal), rules.start(deal)}) == 1


def test_early_win_leaves_points_unplayed() -> None:
    """Without an early win, split ties share out all points, and each seat gets some."""
    rules = classic(cards=2, ties="split", clinch=True)
    state = played(rules, (2, 1), (2, 1))
    assert (state.over, rules.score(state)) == (True, (2, 0))
    assert rules.facts.lowest == 0


def test_custom_order_needs_its_prizes_before_the_deal() -> None:
    with pytest.raises(BadSetup, match="needs the prizes listed"):
        classic(cards=3, order="custom").deal(())
    assert classic(cards=3, order="custom", prizes=[2, 3, 1]).deal(()).stock == (2, 3, 1)


def test_lowest_score_of_three_seats_may_be_one_split_prize() -> None:
    rules = classic(3, cards=3, ties="split")
    assert (
        rules.score(played(rules, (1, 2, 3), (3, 3, 1), (2, 1, 3), (1, 2, 2)))[0]
        == rules.facts.lowest
        == Fraction(1, 2)
    )
    pairs = classic(3, cards=4, ties="split", bid_cards=2)
    state = pairs.start(Deal((1, 2, 3, 4), ((1, 2, 3, 4),) * 3))
    for bids in (((1, 4), (3, 4), (1, 2)), ((2, 3), (1, 2), (3, 4))):
        state, _ = pairs.resolve(state, {seat: Bid(cards) for seat, cards in enumerate(bids)})
    assert pairs.score(state)[0] == pairs.facts.lowest == 0


def test_bid_of_the_whole_hand_shares_only_the_lowest_prize() -> None:
    rules = classic(cards=2, bid_cards=2, ties="split")
    state, _ = rules.resolve(rules.start(Deal((1, 2), ((1, 2),) * 2)), dict.fromkeys(range(2), Bid((1, 2))))
    assert state.over
    assert rules.score(state) == (rules.facts.lowest,) * 2 == (Fraction(1, 2),) * 2


def test_forced_card_of_a_seat_that_left_may_be_written_in_the_next_round() -> None:
    """Seat 0 left at once. Its card in the first round is left out; its last card, forced, comes first in the next."""
    record = {
        "game": "classic",
        "options": {"cards": 2},
        "seats": 3,
        "deals": [
            {
                "stock": [2, 1],
                "decisions": [[1, 2], [2, 1], [0, 2, "forced"], [1, 1, "forced"], [2, 2, "forced"]],
            }
        ],
        "left": [{"kind": "resigned", "seat": 0, "deal": 0, "after": 0}],
    }
    played = replay(read_record(record))
    assert played.error is None
    assert [r["bids"] for r in result_data(played.match)["deals"][0]["rounds"]] == [[1, 2, 1], [2, 1, 2]]


def test_early_win_does_not_depend_on_hidden_prizes() -> None:
    """Three of six prizes are sold. Seat 0 leads by 4, and nobody knows yet whether two small ones follow."""
    rules = classic(cards=6, bid_cards=2, clinch=True)
    for stock in ((4, 1, 2, 3, 5, 6), (4, 5, 6, 1, 2, 3)):
        state = rules.start(Deal(stock, (rules.deal(rules.pack()).hands[0],) * 2))
        state, _ = rules.resolve(state, {0: Bid((5, 6)), 1: Bid((1, 2))})
        assert not state.over
    public = classic(cards=6, bid_cards=2, clinch=True, order="custom", prizes=[4, 1, 2, 3, 5, 6])
    state, _ = public.resolve(public.start(public.deal(())), {0: Bid((5, 6)), 1: Bid((1, 2))})
    assert state.over


@pytest.mark.parametrize("odd", ["a\nb", "a\u2028b", "\ud800", "\x1b[2J", "x" * 500])
def test_refused_record_is_quoted_in_one_short_line(odd: str) -> None:
    record: dict[str, Any] = {"game": "classic", "seats": 2, "deals": []}
    for broken in (
        {**record, "game": odd},
        {**record, "options": {odd: 1}},
        {**record, "game": "bid", "options": {odd: 1}},
        {**record, "series": {"mode": odd}},
        {**record, "series": {"mode": "single", odd: 1}},
        {**record, "series": {"mode": [odd] * 500}},
    ):
        with pytest.raises(RecordError) as refused:
            read_record(broken)
        said = str(refused.value)
        assert len(said.splitlines()) == 1
        assert len(said) < 300
        assert said.encode("utf-8")


def test_unicode_separators_do_not_end_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The other separators of Unicode may stand in a JSON string, say in the name of a player."""
    record = {"game": "classic", "options": {"cards": 2}, "seats": 2, "deals": [], "players": ["a\u2028b", "c\x85d"]}
    file = tmp_path / "records"
    file.write_text(2 * (json.dumps(record, ensure_ascii=False) + "\n"), encoding="utf-8")
    assert main(["referee", str(file)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_seat_may_leave_before_the_last_decision() -> None:
    """Seat 1 leaves between the bids and the only pick: it counts as left, and is placed last."""
    record = {
        "game": "classic",
        "options": {"cards": 4, "bid_cards": 3, "open": "row", "row_size": 2, "ties": "discard"},
        "seats": 3,
        "deals": [
            {"stock": [1, 2, 3, 4], "decisions": [[0, [2, 3, 4]], [1, [1, 3, 4]], [2, [1, 2, 3]], [0, {"pick": 1}]]}
        ],
        "left": [{"kind": "resigned", "seat": 1, "deal": 0, "after": 3}],
    }
    result = result_data(replay(read_record(record)).match)
    assert (result["termination"], result["placings"]) == ("resigned", [1, 3, 2])


def test_switched_card_is_refused_with_its_own_reason() -> None:
    """G14.3: after the switch the card lies in the other hand."""
    rules = find_game("sops").rules(2, {"cards": 3})
    state = rules.start(Deal((2, 3, 1), ((1, 2, 3), (1, 2, 3))))
    state, _ = rules.resolve(state, {0: Bid((2,)), 1: Bid((1,))})
    state, _ = rules.resolve(state, {0: Bid((3,)), 1: Bid((3,))})
    with pytest.raises(RuleError) as caught:
        rules.check_choice(state, 0, Bid((1,)))
    assert caught.value.id == "seat-lost-card"
    with pytest.raises(RuleError) as caught:
        rules.check_choice(state, 0, Bid((3,)))
    assert caught.value.id == "seat-spent-card"
