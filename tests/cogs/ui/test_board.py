"""The board in every state of its table."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.match import Termination
from bot.referee.model.model import DrawOffer
from bot.ui.screens.board import render_board, render_moved_board
from cogs.match.boards import more
from cogs.records.sheets import sheet
from tests.cogs.ui.reading import keys, read
from tests.cogs.ui.views import EXAMPLE_STOCK, Played, T, begin, example

BUTTONS = "[Bid] [All cards] [Sheet] [More]"


def lines(played: Played, **changed: Any) -> list[str]:
    return read(render_board(played.view(None, **changed))).splitlines()


def test_board_of_the_example() -> None:
    assert read(render_board(example().view(None, {0: 13}))) == "\n".join(
        (
            "### Ana and Ben · round 5 of 13",
            "Round 4: ♠9 beats ♥6. **Ana takes ♦7** (+7)",
            "─────────",
            "## Prize ♦Q: 12 points",
            f"Waiting for **Ben** · bids close {T}",
            "Score: **Ana 16**, ✔ has bid · Ben 14",
            "─────────",
            "-# Prizes left: A 2 4 5 6 8 10 K · Classic · #K7Q2",
            BUTTONS,
        )
    )


def test_ids_and_the_primary_button() -> None:
    buttons = render_board(example().view()).buttons
    assert [button.id for button in buttons] == [f"g1:bd:K7Q2:{what}" for what in ("bid:5", "cards", "sheet", "more")]
    assert [button.style.name for button in buttons] == ["primary"] + ["secondary"] * 3


def test_first_round_states_how_to_bid() -> None:
    told = lines(begin().deal(EXAMPLE_STOCK))
    assert told[1] == "Press Bid, or use the buttons in your DM. All bids are shown at the same time."
    assert "🔒" not in "".join(told)
    assert f"Waiting for both players · bids close {T}" in told


@pytest.mark.parametrize(
    ("seats", "sealed", "line"),
    [
        (2, (0, 1), "All bids are in."),
        (3, (), "Waiting for all 3 players · bids close T"),
        (3, (0,), "Waiting for **Ben** and **Cem** · bids close T"),
        (3, (0, 2), "Waiting only for **Ben** · bids close T"),
        (8, (0, 1, 2, 6, 7), "Waiting for 3 of 8: Dee, Eli, Fay · bids close T"),
        (8, (0, 1, 2, 4, 5, 6, 7), "Waiting only for **Dee** · bids close T"),
    ],
)
def test_board_names_awaited_players(seats: int, sealed: tuple[int, ...], line: str) -> None:
    assert line.replace("T", T) in lines(begin(seats=seats).deal((7, 5, 6)), sealed=dict.fromkeys(sealed, 9))


def test_board_without_a_clock_gives_no_time() -> None:
    assert "Waiting for both players. No time limit." in lines(begin(clock=0).deal((7, 5, 6)))


def test_a_house_player_thinks() -> None:
    played = begin(users=(101, 0), names=("Ana", "Sage")).deal((7, 5, 6))
    told = lines(played, sealed={0: 3})
    assert "Sage is thinking …" in told
    assert "Score: Ana 0, ✔ has bid · Sage (house) 0" in told


def test_prize_with_a_pot_states_its_worth() -> None:
    played = begin(options={"ties": "carry"}).deal((7, 3, 12, 5)).play(9, 9).play(8, 8)
    assert "## Prize ♦Q + pot (♦7 ♦3) = 22 points" in lines(played)


def test_a_pot_of_24_prizes() -> None:
    played = begin(options={"cards": 25, "ties": "carry", "order": "ascending"}).deal(range(1, 26))
    for card in range(1, 25):
        played = played.play(card, card, on=False)
    told = lines(played)
    assert told[3] == f"## Prize 25 + pot ({' '.join(map(str, range(1, 25)))}) = 325 points"
    assert render_board(played.view()).is_sendable
    assert "Points that nobody won: 325" in read(more(played.play(25, 25, on=False).view()))


def test_vultures_say_what_they_are() -> None:
    played = begin("vultures", 3).deal((-5, 7, 4))
    assert "## Vulture −5" in lines(played)
    assert "## Mouse +7 + pot (Vulture −5) = 2 points, for the highest card" in lines(played.play(6, 6, 6))


def test_bid_after_a_tie_is_stated_in_title_and_line() -> None:
    told = lines(begin("psych").deal((10, 4, 5)).play(9, 9).play(4, 4))
    assert told[0] == "### Ana and Ben · round 1 · 3rd bid"
    assert told[1] == "Round 1, 2nd bid: ♠4 ties ♥4. Both cards are gone. **Bid again for ♦10.**"


def test_bid_13_of_a_round() -> None:
    played = begin("bid").deal((10, 4, 5))
    for card in range(2, 14):
        played = played.play(card, card, on=False)
    assert lines(played)[0] == "### Ana and Ben · round 1 · 13th bid"


def test_seats_that_do_not_bid_again() -> None:
    hands = [["9S", "KS", "2S"], ["8H", "KH", "2H"], ["5D", "3D"], ["4C", "5C"]]
    told = lines(begin("welsh", 4).deal(hands=hands).play(13, 13, 3, 4))
    assert "## On the table: ♦3 ♣4" in told
    assert "Cem 2 · not bidding" in told
    alone = lines(begin("welsh", 4).deal(hands=[hands[0], ["KH"], *hands[2:]]).play(13, 13, 3, 4))
    assert "Ben 1 · no card left for this bid" in alone
    assert "Cem 2 · not bidding" in alone


def test_seat_without_cards_is_marked() -> None:
    hands = [["9S", "KS", "2S"], ["8H", "QH", "2H"], ["5D"], ["4C", "5C"]]
    told = lines(begin("welsh", 4).deal(hands=hands).play(13, 12, 5, 4))
    assert "Cem 0 · out of cards" in told
    assert told[1].endswith("Cem is out of cards.")


def test_board_states_who_picks() -> None:
    played = begin(options={"open": "draft"}).deal((3, 12, 8, 8, 1, 1)).play(6, 9)
    told = lines(played)
    assert "## Prizes 3 · Q" in told
    assert f"**Ben** picks now, then Ana · picks close {T}" in told
    assert "Score: Ana 0 · Ben 0" in told
    assert told[-1] == BUTTONS.replace("Bid", "Pick")
    assert render_board(played.view()).buttons[0].id == "g1:bd:K7Q2:bid:1"


def test_blind_bids_show_the_prize_face_down() -> None:
    told = lines(begin(options={"blind": True}).deal((7, 3, 12)))
    assert told[3:5] == ["## Prize face down", "Bid first, then the prize is turned up."]


def test_new_deal_states_the_last_round_before() -> None:
    played = begin(options={"cards": 2}, series={"mode": "best-of", "games": 3}).deal((1, 2)).play(1, 2).deal((2, 1))
    told = lines(played)
    assert told[0] == "### Ana and Ben · deal 2 · round 1 of 2"
    assert told[1:3] == [
        "Round 1: ♥2 beats ♠A. **Ben takes ♦A** (+1)",
        "Round 2: Each player had one card left, so it was played automatically. ♠2 beats ♥A. **Ana takes ♦2** (+2)",
    ]
    assert told[3] == "Deal 1: **Ana 2**, Ben 1. Series: Ana 1, Ben 0 (best of 3). All cards are back in hand."
    assert "Score: Ana 0, 1 won · Ben 0, 0 won" in told


def test_series_counts_the_deals_that_have_ended() -> None:
    played = begin(options={"cards": 2}, series={"mode": "deals", "deals": 3}).deal((1, 2)).finish().deal((2, 1))
    assert "(1 of 3 deals, points added up)." in joined(played)
    assert "(2 of 3 deals, points added up)." in joined(played.finish().deal((1, 2)))
    won = begin(options={"cards": 2}, series={"mode": "best-of", "games": 3}).deal((1, 2)).finish().deal((2, 1))
    assert "(best of 3)." in joined(won)


@pytest.mark.parametrize(
    ("game", "hands", "said"),
    [
        ("throps", [["2S", "3S"], ["2H", "3H"], ["2D", "3D"]], "New cards are dealt."),
        ("pico", [[10, 6], [4, 9]], "Each player starts with the cards that the other one had."),
    ],
)
def test_what_becomes_of_the_hands(game: str, hands: list[list[Any]], said: str) -> None:
    """They come back only where they are the same in every deal."""
    stock = ["2C", "3C"] if game == "throps" else ()
    played = begin(game, len(hands), series={"mode": "deals", "deals": 2}).deal(stock, hands).finish()
    played = played.deal(*([stock, hands[1:] + hands[:1]] if game == "throps" else ((), hands[::-1])))
    assert said in joined(played)
    assert "back in hand" not in joined(played)


def test_a_new_deal_of_throps_adds_nothing_to_the_series() -> None:
    """A player without a card has 40 points: they belong to the deal, not to the deals before it."""
    hands = [["2S", "3S"], ["2H", "3H"], ["2D", "3D"]]
    first = begin("throps", 3, series={"mode": "target", "points": 100}).deal(["2C", "3C"], hands)
    assert "Score: Ana 40 · Ben 40 · Cem 40" in joined(first)
    assert "This deal: Ana 40, Ben 40, Cem 40\n" in read(sheet(first.view()))
    first = first.finish()
    points = [int(result) for result in first.match.results[0].scores]
    assert points != [40, 40, 40]
    told = joined(first.deal(["2C", "3C"], hands))
    series = ", ".join(f"{name} {n}" for name, n in zip(("Ana", "Ben", "Cem"), points, strict=True))
    assert f"Series: {series} (to 100 points)." in told
    earlier = " · ".join(f"{name} 40, earlier deals {n}" for name, n in zip(("Ana", "Ben", "Cem"), points, strict=True))
    assert f"Score: {earlier}" in told


def joined(played: Played) -> str:
    return "\n".join(lines(played))


def test_an_extra_game_is_called_so() -> None:
    series = {"mode": "best-of", "games": 3}
    played = begin(options={"cards": 2}, series=series)
    for _ in range(3):
        played = played.deal((1, 2)).play(1, 1)
    told = lines(played.deal((2, 1)))
    assert told[0] == "### Ana and Ben · deal 4 · extra game · round 1 of 2"


def test_many_prizes_on_view_are_counted() -> None:
    """What is carried from round to round stays readable."""
    played = begin(seats=8, options={"open": "draft"}).deal((1, 1, 2, 2, 2, 3, 3, 13, 1, 1, 2, 4, 4, 4, 4, 5))
    assert "## Prizes A · A · 2 · 2 · 2 · 3 · 3 · K" in lines(played)
    assert "## Prizes A ×4 · 2 ×4 · 3 ×2 · 4 ×4 · 5 · K" in lines(played.play(*[5] * 8))


def test_who_picks_is_named_among_several() -> None:
    played = begin(seats=3, options={"open": "draft"}).deal((3, 7, 12)).play(9, 4, 6)
    assert "Round 1: In order: Ana with 9, Cem with 6, Ben with 4." in lines(played)


def test_deals_that_are_added_up() -> None:
    series = {"mode": "deals", "deals": 20}
    played = begin(options={"cards": 2}, series=series)
    for _ in range(11):
        played = played.deal((1, 2)).play(1, 2)
    told = lines(played.deal((2, 1)))
    assert told[0] == "### Ana and Ben · deal 12 of 20 · round 1 of 2"
    assert "Score: Ana 0, earlier deals 22 · Ben 0, earlier deals 11" in told


def test_missed_bids_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Out of as many as forfeit a seat: one number, which the referee goes by."""
    assert "Ben 14 · missed 1 of 3" in lines(example(), misses={1: 1})
    monkeypatch.setattr("bot.referee.model.durations.MISSES", 5)
    assert "Ben 14 · missed 1 of 5" in lines(example(), misses={1: 1})
    short = begin(options={"cards": 3}).deal((2, 1, 3)).play(1, 2)
    assert "Ana 0 · missed 1 bid" in lines(short, misses={0: 1})


def test_a_draw_is_offered() -> None:
    message = render_board(example().view(draw=DrawOffer(0, frozenset({0}))))
    assert "Ana offers a draw." in read(message).splitlines()
    three = begin(seats=3).deal((7, 5, 6)).view(draw=DrawOffer(0, frozenset({0, 2})))
    assert "Ana offers a draw. Cem agreed; Ben must answer." in read(render_board(three))
    assert keys(message) == ["[Accept draw] [Decline draw]", BUTTONS]
    assert [button.id for button in message.buttons[:2]] == ["g1:dr:K7Q2:5:y", "g1:dr:K7Q2:5:n"]
    assert message.components == 15


def test_a_seat_has_left() -> None:
    played = begin(seats=4).deal((7, 5, 6)).leave(3)
    assert "Dee 0 · left, lowest cards are played" in lines(played)
    assert f"Waiting for **Ana**, **Ben** and **Cem** · bids close {T}" in lines(played)


def test_downtime_of_a_minute_is_stated() -> None:
    assert "-# The bot was away 4 minutes. Every clock got that time back." in lines(example(), away=240)
    assert "-# The bot was away 1 minute. Every clock got that time back." in lines(example(), away=60)
    assert not [line for line in lines(example(), away=59) if "away" in line], "a restart is not worth a line"


def test_private_hands_and_suits_that_decide() -> None:
    hands = [["QS", "9S"], ["QD", "9H"], ["2C", "9C"]]
    told = lines(begin("throps", 3).deal(["7D", "4C"], hands))
    order = "If ranks are equal: ♦ beats ♥ beats ♣ beats ♠"
    assert told[-2] == f"-# To 100 points · {order} · 1 prize left · rated · Throps · #K7Q2"


def test_board_names_its_game_once_in_every_round() -> None:
    first = begin(options={"ties": "carry"}).deal(EXAMPLE_STOCK)
    for played in (first, first.play(2, 3), first.play(2, 3).play(5, 5)):
        told = joined(played)
        assert told.count("Classic") == 1
        assert "· Classic (Carried ties) · #K7Q2\n" in told


def test_moved_board_links_to_the_new_one() -> None:
    assert read(render_moved_board("K7Q2", "https://x")) == "The board of #K7Q2 moved to https://x."
    assert not render_moved_board("K7Q2", "https://x").rows


SEALS = "🔒 Match seal `77c0 3f9a 11d2 5e08` · deal seal `9c1f 2e7a 05b3 d846`"


@pytest.mark.parametrize(
    ("kind", "reason", "text"),
    [
        (Termination.ABORTED, "spam", "### #K7Q2 · stopped in round 5\nA moderator stopped it: spam."),
        (Termination.ABORTED, "", "### #K7Q2 · stopped in round 5\nA moderator stopped it."),
    ],
)
def test_stopped_match_states_its_reason(kind: Termination, reason: str, text: str) -> None:
    told = read(render_board(example().stop(kind).view(reason=reason)))
    assert told == f"{text}\nIt does not count for the ratings.\n-# {SEALS}\n─────────\n[Sheet] [Rematch]"


def test_abandoned_match_states_every_last_round() -> None:
    """Every round is told there: nobody has seen the last ones."""
    left = example().play(1, 1, forced=[0, 1]).stop(Termination.ABANDONED)
    told = read(render_board(left.view(misses={0: 1, 1: 1}))).splitlines()
    assert told[0] == "### #K7Q2 · abandoned after round 5"
    assert [line.split(":")[0] for line in told[1:6]] == [f"Round {number}" for number in range(1, 6)]
    assert "Time ran out for Ana: lowest card played (♠A). Time ran out for Ben: lowest card played (♥A)." in told[5]
    assert told[6:8] == ["Both players missed a bid.", "It does not count for the ratings."]
    none = begin().deal((7, 5, 6)).play(1, 1, forced=[0, 1]).stop(Termination.ABANDONED)
    assert "Nobody bid." in read(render_board(none.view(misses={0: 1, 1: 1}))).splitlines()
    idle = read(render_board(left.view(misses={0: 1, 1: 1}, why="idle")))
    assert "Nobody bid for a long time." in idle
    many = begin(seats=8).deal((7, 5, 6, 1, 2, 3, 4, 8, 9, 10, 11, 12, 13))
    for card in range(1, 12):
        many = many.play(*[card] * 8, forced=range(8))
    long = render_board(many.stop(Termination.ABANDONED).view(misses=dict.fromkeys(range(8), 3)))
    assert long.is_sendable
    assert "All players missed three bids in a row." in read(long)
    assert "The sheet has every round." in read(long)
    assert "Round 11: " in read(long)
