"""Match point, the colours of a board and the words that say the same, and the line that says what one plays for."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import pytest

from bot.engine.match import Termination
from bot.ui.screens.board import render_board
from bot.ui.screens.console import render_console
from bot.ui.story.colours import BIDS_OPEN, LOST, MATCH_POINT, TIE, WON, find_match_point
from tests.cogs.ui.reading import said
from tests.cogs.ui.views import Played, begin, example


def test_board_with_open_bids_has_their_colour() -> None:
    message = render_board(example().view())
    assert message.accent == BIDS_OPEN
    assert "bids close" in said(message)


def test_a_tie_and_a_pot() -> None:
    tied = begin(options={"cards": 5}).deal((1, 2, 3, 4, 5)).play(2, 2)
    assert render_board(tied.view()).accent == TIE
    assert "♠2 ties ♥2" in said(render_board(tied.view()))
    assert render_board(tied.play(1, 3).view()).accent == BIDS_OPEN
    carried = begin(options={"cards": 5, "ties": "carry"}).deal((1, 2, 3, 4, 5)).play(2, 2)
    assert carried.view().seen.pot
    assert render_console(carried.view(0)).accent == TIE
    again = begin("psych").deal((4, 10, 5)).play(9, 9)
    assert render_board(again.view()).accent == TIE
    assert "Bid again" in said(render_board(again.view()))


def test_match_point_for_one() -> None:
    played = begin(options={"cards": 5}).deal((5, 4, 3, 2, 1)).play(5, 1)
    message = render_board(played.view())
    assert message.accent == MATCH_POINT, "9 of 15: nobody catches up any more"
    assert "Ana can win the match now." in said(message)
    assert "With this prize you win the match." in said(render_console(played.view(0)))
    assert "Ana can win the match now." in said(render_console(played.view(1)))
    decided = played.play(4, 2)
    assert not find_match_point(decided.view()), "it is won already"
    assert "can win the match" not in said(render_board(decided.view()))


def test_match_point_for_both() -> None:
    played = begin(options={"cards": 3}).deal((1, 2, 3)).play(1, 2).play(2, 1)
    over = played if played.match.over else played.play(3, 3)
    assert over.match.over
    last = begin(options={"cards": 4}).deal((1, 2, 3, 4)).play(1, 2).play(2, 1)
    assert find_match_point(last.view()) == (), "3 still leaves 4 to come"
    low = begin(options={"cards": 4}).deal((1, 2, 4, 3)).play(1, 2).play(2, 1)
    assert find_match_point(low.view()) == (0,), "6 against 1, and 3 to come; Ben would have 5 against 2 and 3"
    even = begin(options={"cards": 4}).deal((2, 1, 4, 3)).play(2, 1).play(1, 2)
    assert find_match_point(even.view()) == (0,)


def test_hand_that_cannot_take_the_prize_has_no_match_point() -> None:
    """Ana would win the match with the 4, but her A and 2 are lower than Ben's 3 and 4."""
    played = begin(options={"cards": 4}).deal((1, 2, 4, 3)).play(4, 1).play(3, 2)
    assert find_match_point(played.view()) == ()
    for message in (render_board(played.view()), render_console(played.view(0)), render_console(played.view(1))):
        assert "win the match" not in said(message)
        assert message.accent != MATCH_POINT
    hidden = begin(options={"cards": 4, "info": "win-only"}).deal((1, 2, 4, 3)).play(4, 1).play(3, 2)
    assert find_match_point(hidden.view()) == find_match_point(hidden.view(0)) == (0,), "nobody else sees the hands"


@pytest.mark.parametrize(
    ("game", "seats", "options", "cards", "size"),
    [
        ("classic", 2, {}, (1, 2, 3, 4), 2),
        ("classic", 3, {"ties": "unique-carry"}, (1, 2, 3), 2),
        ("classic", 3, {"ties": "discard"}, (1, 2, 3), 2),
        ("classic", 2, {"bid_cards": 2}, (1, 2, 3, 4), 3),
        ("psych", 2, {}, (1, 3, 10, 11, 13), 2),
    ],
)
def test_a_hand_can_win_if_one_choice_of_bids_lets_it(
    game: str, seats: int, options: dict[str, Any], cards: tuple[int, ...], size: int
) -> None:
    for hands in product(combinations(cards, size), repeat=seats):
        dealt = begin(game, seats, options).deal((5, 6), hands)
        bids = [[list(bid) for bid in combinations(hand, options.get("bid_cards", 1))] for hand in hands]
        won: set[int] = set()
        for choices in product(*bids):
            rounds = dealt.play(*choices, on=False).match.deals[-1].rounds
            won |= {seat for played in rounds[:1] if played.outcome == "award" for seat in played.winners}
        rules = dealt.match.rules
        assert {seat for seat in range(seats) if rules.can_win(hands, seat)} == won, hands


def test_a_series_has_its_match_point_where_it_can_end() -> None:
    series = {"mode": "best-of", "games": 3}
    first = begin(options={"cards": 3}, series=series).deal((3, 2, 1))
    assert find_match_point(first.play(3, 1).view()) == (), "the first of three deals wins no match"
    second = first.play(3, 1).play(2, 3)
    assert second.match.results[0].scores == (3, 3)
    won = first.play(3, 2).play(2, 1).deal((3, 2, 1))
    assert won.match.results[0].winner == 0
    assert find_match_point(won.view()) == (), "3 against 2 and 1 is not enough"
    assert find_match_point(won.play(2, 1).view()) == (0,), "5 is; for Ben it would be one deal each"
    summed = begin(options={"cards": 3}, series={"mode": "deals", "deals": 2}).deal((3, 2, 1)).play(3, 2).play(2, 1)
    assert summed.match.totals == (5, 1)
    assert find_match_point(summed.deal((3, 2, 1)).view()) == (0,), "points of both deals are added up"


@pytest.mark.parametrize("options", [{}, {"ties": "carry"}, {"ties": "split"}, {"order": "descending"}])
@pytest.mark.parametrize("seats", [2, 3])
def test_who_takes_it_at_match_point_wins(seats: int, options: dict[str, Any]) -> None:
    """Whatever is bid afterwards."""
    chance, seen = random.Random(7), 0
    for _ in range(150):
        size = chance.randint(3, 6)
        stock = chance.sample(range(1, size + 1), size)
        if options.get("order") == "descending":
            stock = sorted(stock, reverse=True)
        played = begin(seats=seats, options={"cards": size, **options}).deal(stock)
        while not played.match.over:
            before, prompts = find_match_point(played.view()), played.match.prompts()
            bids = [chance.choice(prompt.options) for prompt in prompts]
            after = played.play(*bids)
            rounds = (after.match.state or after.match.finished[-1]).rounds
            number = len((played.match.state or played.match.finished[-1]).rounds)
            taken = rounds[number]
            for seat in before:
                if taken.outcome == "award" and taken.winners == (seat,):
                    seen += 1
                    assert _finished(after, chance).match.outcome().winner == seat
            played = after
    assert seen > 5


def _finished(played: Played, chance: random.Random) -> Played:
    while not played.match.over:
        played = played.play(*(chance.choice(prompt.options) for prompt in played.match.prompts()))
    return played


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("classic", 2, {"aim": "least"}),
        ("classic", 2, {"open": "draft"}),
        ("parlett", 3, {}),
        ("throps", 3, {}),
        ("pico", 2, {}),
    ],
)
def test_nothing_is_told_where_taking_it_does_not_decide(game: str, seats: int, options: dict[str, Any]) -> None:
    played = begin(game, seats, options)
    rules = played.match.rules
    played = replace(played, match=played.match.begin(rules.deal(tuple(rules.pack())))[0])
    while not played.match.over and not played.match.needs_deal:
        assert find_match_point(played.view()) == ()
        choices = {prompt.seat: prompt.lowest() for prompt in played.match.prompts()}
        played = replace(played, match=played.match.resolve(choices)[0])


def test_finished_board_is_blue_for_everybody() -> None:
    message = render_board(example().finish().view())
    assert message.accent == BIDS_OPEN
    assert said(message).startswith("### Ana wins")
    assert render_board(example().stop(Termination.ABORTED).view()).accent is None, "it does not count"


@pytest.mark.parametrize("private", [False, True])
def test_a_private_result_has_the_colour_of_its_reader(private: bool) -> None:
    more: dict[str, Any] = {"channel": 0} if private else {}
    won, lost = (render_console(replace(example().finish().view(seat), **more)) for seat in (0, 1))
    assert (won.accent, lost.accent) == (WON, LOST)


GOALS = {
    ("parlett", 3): "-# Goal: get the highest or the lowest total."
    " The middle total scores 0, and equal totals score 0.",
    ("throps", 3): "-# Goal: collect one suit of your choice. Other suits cost you points.",
    ("vultures", 3): "-# Goal: win mice and avoid vultures. A mouse goes to the highest card, a vulture to the lowest.",
    ("pico", 2): "-# Goal: win with the cards that score most. The higher card wins,"
    " unless it is more than double the lower card. Then the lower card wins.",
    ("welsh", 4): "-# Goal: capture all the cards. The highest card takes the trick."
    " An Ace is lowest, but it beats a King that is on the table.",
}


@pytest.mark.parametrize(("game", "seats"), GOALS)
def test_the_goal_stands_on_board_and_console(game: str, seats: int) -> None:
    played = begin(game, seats)
    rules = played.match.rules
    played = replace(played, match=played.match.begin(rules.deal(tuple(rules.pack())))[0])
    assert GOALS[game, seats] in said(render_board(played.view()))
    assert GOALS[game, seats] in said(render_console(played.view(0)))
    assert "Goal" not in said(render_board(example().view())), "scores tell it"


VALUES = {
    ("parlett", "Joker"): "A J is worth as much as the lowest card that you won",
    (
        "throps",
        "",
    ): "-# Values: 2 to 10 their number, J, Q and K 10, A 11. Each suit that you have not won yet adds 10:"
    " you begin with 40.",
    ("pico", ""): "-# Values: 4 scores 1, 5 to 7 score 2, 8 to 13 score 3, 16 scores 4.",
    ("pico", "pico1"): "-# Values: 2 to 4 score 1, 5 to 7 score 2, 8 to 10 and 13 score 3, 16 scores 4.",
}


@pytest.mark.parametrize(("game", "pack"), VALUES)
def test_card_values_are_told_where_they_are_needed(game: str, pack: str) -> None:
    begun = begin(game, 2 if game == "pico" else 3, {"pack": pack} if game == "pico" and pack else {})
    rules = begun.match.rules
    dealt = replace(begun, match=begun.match.begin(rules.deal(tuple(rules.pack())))[0])
    assert VALUES[game, pack] in said(render_board(dealt.view()))
    assert VALUES[game, pack] in said(render_console(dealt.view(0)))
    lowest = {prompt.seat: prompt.lowest() for prompt in dealt.match.prompts()}
    later = replace(dealt, match=dealt.match.resolve(lowest)[0])
    while later.view().seen.sub_round:
        lowest = {prompt.seat: prompt.lowest() for prompt in later.match.prompts()}
        later = replace(later, match=later.match.resolve(lowest)[0])
    stays = game == "pico"  # a card that wins scores itself, and nothing else shows how much
    for shown in (render_board(later.view()), render_console(later.view(0))):
        assert (VALUES[game, pack] in said(shown)) == stays


def test_the_goal_of_throps_names_the_suit_that_is_ahead() -> None:
    hands = [["QS", "9S", "3S"], ["QD", "9H", "3H"], ["2C", "9C", "3C"]]
    played = begin("throps", 3).deal(["7D", "4C", "5C"], hands).play("QS", "QD", "2C")
    told = said(render_console(played.view(1)))
    assert "-# Goal: collect diamonds, now your best suit. Other suits cost you points." in told
    assert "-# Goal: collect one suit" in said(render_console(played.view(0)))
    board = said(render_board(played.view()))
    assert "-# Goal: collect one suit" in board
    assert "Score:\nAna 40\nBen 37 (collects diamonds)\nCem 40" in board
    assert "Score: You 37 (collects diamonds) · Ana 40 · Cem 40" in told


def test_a_score_of_throps_that_stays_the_same_has_its_reason() -> None:
    hands = [["QS", "9S", "3S"], ["QD", "9H", "3H"], ["2C", "9C", "3C"]]
    played = begin("throps", 3).deal(["10D", "4C", "5C"], hands).play("QS", "QD", "2C")
    told = said(render_board(played.view()))
    assert "**Ben takes ♦10** (score 40: diamonds 10 + 30 for 3 missing suits)" in told
    assert "Ben 40 (collects diamonds)" in told
    assert "**You take ♦10** (score 40: diamonds" in said(render_console(played.view(1)))


def test_a_picture_of_a_prize_has_its_suit_beside_it_where_suits_decide(pictures: dict[str, str]) -> None:
    played = begin("throps", 3).deal(["8D", "4C"], [["QS", "9S"], ["QD", "9H"], ["2C", "9C"]])
    shown = render_board(played.view(cards="faces"))
    assert re.search(r"^## Prize <:eight_of_diamonds:\d+> ♦8$", said(shown), re.MULTILINE)
    for message in (shown.without_emojis(), render_board(played.view())):
        assert "## Prize ♦8\n" in said(message)
    assert not re.search("^## Prize .*♦", said(render_board(example().view(cards="faces"))), re.MULTILINE)
