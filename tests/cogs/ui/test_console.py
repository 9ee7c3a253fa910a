"""The console: what a seat is asked, and a key for every card in its place."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from bot.engine.match import Termination
from bot.referee.model.model import DECIDED
from bot.ui.custom_ids import match_ids
from bot.ui.screens.board import render_board
from bot.ui.screens.console import render_console
from bot.ui.screens.keys import add_way_back, make_keys
from bot.ui.screens.pings import render_pause_note
from bot.ui.story.lines import make_faces
from bot.ui.text.faces import Faces
from bot.ui.text.sentences import say
from cogs.match.boards import cards_card
from tests.cogs.ui.reading import keys, read, said
from tests.cogs.ui.views import EXAMPLE_STOCK, START, T, begin, example


def test_console_of_the_example() -> None:
    assert read(render_console(example().view(0, {0: 13}))) == "\n".join(
        (
            "### You against Ben · round 5 of 13",
            "Round 4: your ♠9 beats ♥6. **You take ♦7** (+7)",
            "## Prize ♦Q: 12 points",
            f"✔ Your **K is sealed.** Waiting for Ben · bids close {T}",
            "Score: You 16 · Ben 14",
            "-# Ben holds A 3 4 7 8 9 10 J K · prizes left: A 2 4 5 6 8 10 K",
            "-# #K7Q2",
            "[A] [2] (3) [4] (5)",
            "[6] [7] [8] (9) (10)",
            "[J] [Q] [✔ K]",
            "[Sheet] [Rules] [More]",
        )
    )


def test_keys_seal_and_controls_look_up() -> None:
    buttons = render_console(example().view(0, {0: 13})).buttons
    assert buttons[0].id == "g1:co:K7Q2:5:A"
    assert buttons[12].id == "g1:co:K7Q2:5:K"
    assert [button.style.name for button in buttons if "✔" in button.label] == ["success"]
    assert [button.id for button in buttons[13:]] == [f"g1:bd:K7Q2:{what}" for what in ("sheet", "rules", "more")]


def test_in_a_dm_the_code_leads_to_the_board() -> None:
    told = said(render_console(example().view(0), link="https://x/1")).splitlines()
    assert told[-1] == "-# [#K7Q2](https://x/1) · <#2>"


def test_ephemeral_banner_and_behind() -> None:
    told = read(render_console(example().view(0), ephemeral=True, banner="Nothing was bid.", behind=True)).splitlines()
    assert told[3:5] == ["⚠ Nothing was bid.", f"Your turn · bids close {T}"]
    assert told[7:9] == [
        "-# The board is not up to date yet. This message is.",
        "-# #K7Q2",
    ]


def test_first_round_without_a_clock() -> None:
    told = read(render_console(begin(clock=0).deal(EXAMPLE_STOCK).view(1))).splitlines()
    assert told[1] == "Pick a card. It stays sealed (hidden) until all bid."
    assert told[3] == "Your turn. No time limit."


@pytest.mark.parametrize(("options", "two_step"), [({}, False), ({}, True), ({"bid_cards": 2}, False)])
def test_first_round_says_what_sealed_means_and_no_later_one_does(options: dict[str, Any], two_step: bool) -> None:
    first = begin(options=options).deal(EXAMPLE_STOCK)
    line = said(render_console(first.view(0), two_step=two_step)).splitlines()[1]
    assert "sealed (hidden) until all bid." in line
    assert len(line.split(". ")[-1].split()) <= 10
    later = first.play(*([[2, 3], [4, 5]] if options else [2, 3]))
    assert "hidden" not in said(render_console(later.view(0), two_step=two_step))


def test_reader_who_is_awaited_alone_sees_that_the_others_have_bid() -> None:
    assert f"Your turn. Ben has bid · bids close {T}" in said(render_console(example().view(0, {1: 8})))
    free = begin(clock=0).deal(EXAMPLE_STOCK)
    assert "Your turn. Ben has bid. No time limit." in said(render_console(free.view(0, {1: 8})))
    three = begin(seats=3).deal(EXAMPLE_STOCK)
    assert f"Your turn. The others have bid · bids close {T}" in said(render_console(three.view(0, {1: 8, 2: 9})))
    left = three.leave(2)
    assert f"Your turn. Ben has bid · bids close {T}" in said(render_console(left.view(0, {1: 8})))
    for view in (three.view(0, {1: 8}), example().view(0), example().view(0, {0: 3, 1: 8})):
        assert "has bid" not in said(render_console(view)), "it is not edited when another player bids"
    house = begin(users=(101, 0), names=("Ana", "Sage")).deal(EXAMPLE_STOCK)
    assert "has bid" not in said(render_console(house.view(0, {1: 8})))


def test_line_that_another_player_has_bid_tells_nothing_of_the_card() -> None:
    told = {read(render_console(example().view(0, {1: card}))) for card in (1, 8, 13)}
    assert len(told) == 1


def test_sealed_card_is_called_the_readers_own() -> None:
    for sealed in ({0: 13}, {0: 13, 1: 8}):
        assert "✔ Your **K is sealed.**" in said(render_console(example().view(0, sealed)))
    assert say("same-card", card="K").startswith("Your K is already sealed (hidden until all bid).")


def test_console_names_nobody_while_several_are_awaited() -> None:
    """It is not edited when one of them seals."""
    three = begin(seats=3).deal(EXAMPLE_STOCK)
    told = said(render_console(three.view(0, {0: 13})))
    assert f"✔ Your **K is sealed.** Waiting for the others. Press another card to change it · bids close {T}" in told
    assert "✔ Your **K is sealed.** Waiting for Cem." in said(render_console(three.view(0, {0: 13, 1: 8})))


def test_everybody_else_has_sealed() -> None:
    told = said(render_console(example().view(0, {0: 13, 1: 8})))
    assert f"✔ Your **K is sealed.** · bids close {T}" in told


def test_the_house_thinks() -> None:
    played = begin(users=(101, 0), names=("Ana", "Sage"), clock=0).deal((7, 5, 6))
    told = said(render_console(played.view(0, {0: 13}), practice=True))
    assert "✔ Your **K is sealed.** Sage is thinking …" in told
    assert "You 0, ✔ has bid · Sage (house) 0" in told


def test_several_cards_are_chosen_then_sealed() -> None:
    view = begin(options={"bid_cards": 2}).deal(EXAMPLE_STOCK).view(0)
    assert keys(render_console(view))[-1] == "(Seal) (Clear) [Sheet] [More]"
    assert f"Your turn: choose 2 cards · bids close {T}" in said(render_console(view))
    mask = (1 << 6) | (1 << 4)
    chosen = render_console(view, mask=mask)
    assert keys(chosen)[:2] == ["[A] [2] [3] [4] [• 5]", "[6] [• 7] [8] [9] [10]"]
    assert keys(chosen)[-1] == "[Seal 7 + 5 = 12] [Clear] [Sheet] [More]"
    assert f"Choosing: 7 + 5 · bids close {T}" in said(chosen)
    ids = [button.id for button in chosen.buttons]
    assert ids[0] == "g1:cm:K7Q2:1:50:A"
    assert ids[13:15] == ["g1:cs:K7Q2:1:50", "g1:cc:K7Q2:1"]
    assert [button.style.name for button in chosen.buttons if "•" in button.label] == ["primary"] * 2


def test_an_earlier_bid_stands_until_the_new_one_is_sealed() -> None:
    view = begin(options={"bid_cards": 2}).deal(EXAMPLE_STOCK).view(0, {0: [2, 9]})
    told = render_console(view, mask=(1 << 6) | (1 << 4))
    assert f"✔ Your **9 + 2 is sealed.** Choosing: 7 + 5 · bids close {T}" in said(told)
    assert keys(told)[:2] == ["[A] [✔ 2] [3] [4] [• 5]", "[6] [• 7] [8] [✔ 9] [10]"]


def test_two_steps_for_who_fears_a_slip() -> None:
    view = example().view(0)
    assert keys(render_console(view, two_step=True))[-1] == "(Seal) (Clear) [Sheet] [More]"
    assert keys(render_console(view, two_step=True, mask=1 << 12))[-1] == "[Seal K] [Clear] [Sheet] [More]"
    assert "choose, then seal" in said(render_console(view, two_step=True))


def test_a_mask_of_cards_that_are_gone_chooses_nothing() -> None:
    view = example().view(0)
    assert make_keys(view, make_faces(view), two_step=True, mask=1 << 8).chosen == ()
    assert len(make_keys(view, make_faces(view), two_step=True, mask=(1 << 13) - 1).chosen) == 1


def test_aces_are_bid_low_or_high() -> None:
    played = begin("parlett", 3).deal((5, 9, 2))
    assert keys(render_console(played.view(0, {0: "A+"})))[:3] == [
        "[A low] [2] [3] [4] [5]",
        "[6] [7] [8] [9] [10]",
        "[J] [Q] [K] [✔ A high]",
    ]
    assert keys(render_console(played.play("A-", 4, 5).view(0)))[0].startswith("(A low)")


def test_ranks_with_counts() -> None:
    hands = [["9S", "9C", "KS", "2S", "9D"], ["8H", "KH"], ["5D", "3D"], ["4C", "5C"]]
    view = begin("welsh", 4).deal(hands=hands).view(0, {0: "KS"})
    assert keys(render_console(view))[:3] == ["(A) [2] (3) (4) (5)", "(6) (7) (8) [9 ×3] (10)", "(J) (Q) [✔ K]"]
    assert "✔ Your **K is sealed.**" in said(render_console(view))


def test_suits_lie_by_suit() -> None:
    hands = [["QS", "9S", "3H"], ["QD", "9H", "4S"], ["2C", "9C", "5S"]]
    view = begin("throps", 3).deal(["7D", "4C", "2H"], hands).view(0)
    assert keys(render_console(view))[0] == "[♠9] [♠Q] [♥3]"
    assert keys(render_console(replace(view, cards="letters")))[0] == "[9S] [QS] [3H]"
    told = said(render_console(view))
    assert "If ranks are equal: ♦ beats ♥ beats ♣ beats ♠" in told
    assert "holds" not in told


def test_after_a_switch_the_same_places_light_up_differently() -> None:
    played = begin("sops").deal((7, 4, 5, 6)).play(9, 8).play(2, 2)
    told = render_console(played.view(0))
    assert "⚠ You swapped cards with the other player: these are yours now." in said(told)
    assert keys(told)[:2] == ["[A] (2) [3] [4] [5]", "[6] [7] (8) [9] [10]"]


def test_console_offers_prizes_to_pick() -> None:
    played = begin(seats=3, options={"open": "draft"}).deal((12, 12, 3, 1, 2, 5)).play(6, 9, 4)
    mine = render_console(played.view(1))
    assert keys(mine)[:4] == ["(A) (2) (3) (4) (5)", "(6) (7) (8) (9) (10)", "(J) (Q) (K)", "[Take 3] [Take Q ×2]"]
    assert [button.id for button in mine.buttons[13:15]] == ["g1:pk:K7Q2:1:3", "g1:pk:K7Q2:1:Q"]
    assert {button.style.name for button in mine.buttons[13:15]} == {"success"}
    assert f"Your turn to pick · picks close {T}" in said(mine)
    assert "Ben picks now; you pick next" in said(render_console(played.view(0)))
    assert keys(render_console(played.view(0)))[3] == "(Take 3) (Take Q ×2)"
    assert "Ben picks now; you pick third" in said(render_console(played.view(2)))


def test_no_pick_this_round() -> None:
    played = begin(seats=3, options={"open": "row"}).deal((12, 10, 3, 1, 2, 5)).play(6, 9, 4)
    told = render_console(played.view(0))
    assert "Ben picks now; you have no pick this round" in said(told)
    assert keys(told)[0] == "(A) (2) (3) (4) (5)"


def test_console_of_a_tied_round_of_others_has_no_keys() -> None:
    hands = [["9S", "KS", "2S"], ["8H", "KH", "2H"], ["5D", "3D"], ["4C", "5C"]]
    played = begin("welsh", 4).deal(hands=hands).play(13, 13, 3, 4)
    told = render_console(played.view(2))
    assert "Nothing to do: Ana and Ben bid again" in said(told)
    assert not [button for button in told.buttons[:13] if button.enabled]
    assert "Ana set aside: ♠K · Ben set aside: ♥K" in said(told)
    assert "Ana set aside: ♠K · You set aside: ♥K" in said(render_console(played.view(1)))
    assert "**Ana** holds ♠2 ♠9 · set aside: ♠K" in read(cards_card(played.view(1)))


def test_who_left_watches() -> None:
    played = begin(seats=3).deal((7, 5, 6)).leave(2)
    told = render_console(played.view(2))
    assert "You left #K7Q2. Your lowest cards are played for you." in said(told)
    assert not [button for button in told.buttons[:13] if button.enabled]


def test_console_becomes_the_result() -> None:
    told = read(render_console(example().finish().view(1))).splitlines()
    assert told[0] == "### You lose 30–34"
    assert told[-1] == "[Rematch] [More]"
    stopped = said(render_console(example().stop(Termination.ABORTED).view(1)))
    assert "#K7Q2 was stopped: a moderator stopped it. It does not count." in stopped


def test_a_moderators_decision_is_no_forfeit() -> None:
    """The seats that lose are noted as late, but missed nothing."""
    for seats in (2, 3):
        played = begin(seats=seats).deal((7, 5, 6))
        for seat in range(1, seats):
            played = played.leave(seat, Termination.TIMED_OUT)
        shown = said(render_console(played.view(1, why=DECIDED)))
        assert "### A moderator decided: Ana wins" in shown
        assert "missed" not in shown


@pytest.mark.parametrize(
    ("game", "seats", "options", "rows"),
    [
        ("classic", 2, {}, [5, 5, 3]),
        ("classic", 2, {"cards": 2}, [2]),
        ("classic", 2, {"cards": 25}, [5] * 5),
        ("vultures", 3, {}, [5, 5, 5]),
        ("bid", 2, {}, [5, 5, 3]),
    ],
)
def test_positions_are_promises(game: str, seats: int, options: dict[str, Any], rows: list[int]) -> None:
    """The same keys in the same places, whatever is spent."""
    stock = (7, 8) if game != "classic" or options.get("cards", 13) > 2 else (1, 2)
    played = begin(game, seats, options).deal(stock)
    first = render_console(played.view(0))
    assert [len(one.items) for one in first.rows[:-1]] == rows
    later = render_console(played.play(*range(2, 2 + seats)).view(0)) if options.get("cards", 13) > 2 else first
    labels = [button.label for button in first.buttons]
    assert [button.label for button in later.buttons] == labels
    assert labels[0] == ("2" if game == "bid" else "1" if rows != [5, 5, 3] and rows != [2] else "A")


def test_a_missed_bid_is_told_by_a_banner() -> None:
    played = begin().deal((7, 12, 5, 3)).play(9, 1, forced=[1])
    told = said(render_console(played.view(1, misses={1: 2})))
    assert (
        "⚠ Time ran out in round 1: your lowest card was played, A. If you miss 1 more in a row, you are out." in told
    )
    assert told.count("Time ran out") == 1
    assert "Time ran out for Ben" in said(render_console(played.view(0, misses={1: 2})))
    later = render_console(played.view(1, {1: 5}, misses={1: 2}))
    assert "⚠" not in said(later)


def test_a_missed_pick_is_told_by_a_banner() -> None:
    played = (
        begin(options={"open": "draft"})
        .deal((3, 1, 2, 5, 8, 8, 4, 4, 9, 9, 6, 6))
        .play(6, 9)
        .play({"pick": 3}, forced=[1])
    )
    assert "3 was picked for you. If you miss 2 more in a row" in said(render_console(played.view(1, misses={1: 1})))


def test_forfeits_and_abandoned_matches() -> None:
    two = example().leave(1, Termination.TIMED_OUT)
    assert "### Ana wins because you missed three bids in a row" in said(render_console(two.view(1)))
    assert "### You win because Ben missed three bids in a row" in said(render_console(two.view(0)))
    three = begin(seats=3).deal((7, 5, 6)).leave(2, Termination.TIMED_OUT)
    assert "are out of #K7Q2. The others play on." in said(render_console(three.view(2)))
    nobody = example().stop(Termination.ABANDONED)
    told = said(render_console(nobody.view(0, misses={0: 3, 1: 3})))
    assert "Both players missed three bids in a row, so #K7Q2 was abandoned. It does not count." in told
    crowd = begin(seats=3).deal((7, 5, 6, 1, 2, 3, 4)).play(9, 8, 7)
    crowd = crowd.play(1, 1, 1).play(2, 2, 2).play(3, 3, 3).stop(Termination.ABANDONED)
    told = said(render_console(crowd.view(0, misses={0: 3, 1: 3, 2: 3})))
    assert "All players missed three bids in a row, so #K7Q2 was abandoned. It does not count." in told


def test_hands_where_suits_do_not_matter_are_counted_by_rank() -> None:
    hands = [["AS", "2S"], ["2H", "QH", "QS", "KH"], ["2D"], ["2C"]]
    played = begin("welsh", 4).deal(hands=hands)
    faces = Faces(played.match.rules)
    assert faces.ranks(("2H", "QH", "QS", "KH")) == "2 Q×2 K"
    text = read(render_console(played.view(0)))
    assert "holds" not in text, "of more than two, hands stand behind All cards"
    assert text.splitlines()[-1] == "[All cards] [Sheet] [Rules] [More]"
    assert "**Ben** holds ♥2 ♥Q ♠Q ♥K" in read(cards_card(played.view(0)))


def test_page_of_all_cards_and_its_way_back_have_different_names() -> None:
    view = begin(seats=3).deal((7, 5, 6)).view(0)
    (opens,) = (
        button.label for button in render_console(view).buttons if button.id == match_ids.board(view.id, "cards")
    )
    (back,) = (button.label for button in add_way_back(cards_card(view), view, 0).buttons)
    assert (opens, back) == ("All cards", "◀ Cards")


def test_who_has_paused_reads_it_of_themselves() -> None:
    view = replace(example().view(0), paused=((0, START), (1, START)))
    told = said(render_console(view))
    assert "You are on vacation until <t:" in told
    assert "**Ben** is on vacation until <t:" in told


def test_who_has_paused_is_told_to_the_others() -> None:
    view = replace(example().view(0), paused=((1, START),))
    assert f"#{view.id}: Ben is on vacation until <t:" in said(render_pause_note(view, ""))


def test_prizes_that_may_come_and_how_many_will_at_most() -> None:
    for game in ("psych", "bid"):
        played = begin(game)
        assert played.match.rules.sale is not None
        view = played.deal(played.match.rules.sale.prizes).view(0)
        assert re.search(r"up to 12 more prizes, out of: ", read(render_console(view)))
        assert re.search(r"Up to 12 more prizes, out of: ", read(cards_card(view)))
        assert re.search(r"up to 12 more prizes, out of: ", read(render_board(view)))
