"""How a match ended: the drawing, and every other heading."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from bot.engine.choices import Bid, Choice, Kind, Pick, Prompt
from bot.engine.match import Outcome, Termination
from bot.referee.match.draws import NextOffer
from bot.referee.match.resignation import Quitting
from bot.referee.model.model import RatingChange
from bot.ui.screens import pings
from bot.ui.screens.board import render_board
from bot.ui.screens.console import render_console
from bot.ui.screens.result import ResultPicture, render_result
from bot.ui.story.colours import BIDS_OPEN, DRAWN, LOST, WON
from cogs.match import confirm
from cogs.match.boards import more
from tests.cogs.ui.reading import keys, read
from tests.cogs.ui.views import EXAMPLE_STOCK, Played, begin, example

ROUNDS = [(10, 2), (5, 12), (3, 5), (9, 6), (13, 8), (1, 1), (2, 3), (4, 4), (6, 7), (7, 9), (8, 10), (11, 11)]
"""then Q against K for ♦K"""
CHANGES = (RatingChange(0, 1512.2, 1527.4, 31), RatingChange(1, 1490.0, 1475.6, 12))


SMALL = "-# 13 rounds · 14 minutes · 🔒 Fair play `77c0 3f9a 11d2 5e08` · #K7Q2"
SEALS = "🔒 Match seal `77c0 3f9a 11d2 5e08` · deal seal `9c1f 2e7a 05b3 d846`"


def finished() -> Played:
    return begin().deal(EXAMPLE_STOCK).play_all(*ROUNDS)


def told(played: Played, reviewable: bool = False, **changed: Any) -> list[str]:
    return read(render_board(played.view(None, reviewable=reviewable, **changed))).splitlines()


def details(played: Played, **changed: Any) -> list[str]:
    """What *More* of the result says."""
    return read(more(played.view(None, **changed))).splitlines()


def test_result_says_who_won_by_how_much_and_how_the_ratings_changed() -> None:
    assert told(finished(), True, changes=CHANGES, chances=(0.62, 0.38)) == [
        "### Ben wins 48–28",
        "Rating (Classic): Ben 1490 → **1476** · Ana 1512 → **1527**",
        SMALL,
        "[Rematch] [Review] [More]",
    ]


def test_everything_else_stands_behind_more() -> None:
    assert details(finished(), changes=CHANGES, chances=(0.62, 0.38), nth=2) == [
        "### #K7Q2 · Classic GOPS",
        (
            "Best round for the winner: round 13. Ben bid ♥K against ♠Q and took ♦K. Ben was 14 points behind after"
            " round 5, and came back!"
        ),
        "1st **Ben** 48",
        "2nd **Ana** 28",
        "Ana's win chance by rating was 62%.",
        "Second rated match between these players within a day.",
        "-# Points that nobody won: 15",
        f"-# {SEALS}",
        "─────────",
        "[Sheet] [Replay] [Verify]",
        "[Export] [Rules]",
    ]


@pytest.mark.parametrize(
    ("seat", "title", "ratings", "colour"),
    [
        (0, "### You lose 28–48", "Rating (Classic): Ben 1490 → **1476** · You 1512 → **1527**", LOST),
        (1, "### You win 48–28", "Rating (Classic): You 1490 → **1476** · Ana 1512 → **1527**", WON),
        (None, "### Ben wins 48–28", "Rating (Classic): Ben 1490 → **1476** · Ana 1512 → **1527**", BIDS_OPEN),
    ],
)
def test_card_of_one_player_speaks_to_them_and_has_their_colour(
    seat: int | None, title: str, ratings: str, colour: int
) -> None:
    view = finished().view(seat, changes=CHANGES)
    shown = render_board(view) if seat is None else render_console(view)
    lines = read(shown).splitlines()
    assert (lines[0], shown.accent) == (title, colour)
    assert ratings in lines
    assert "[Rematch] [More]" in lines


def test_drawn_match_is_grey_for_its_players() -> None:
    drawn = begin(options={"cards": 2}).deal((1, 2)).play(1, 1, on=False).play(2, 2, on=False)
    shown = render_console(drawn.view(0))
    assert (read(shown).splitlines()[0], shown.accent) == ("### Draw, 0–0", DRAWN)


def test_result_without_ratings_names_both_players() -> None:
    assert told(finished(), unrated="asked")[1:3] == [
        "Not rated, as agreed.",
        SMALL.replace("-# ", "-# Ana and Ben · "),
    ]
    own = read(render_console(finished().view(0, unrated="asked"), link="https://x")).splitlines()
    assert own[-2] == SMALL.replace("-# ", "-# Against Ben · ").replace("#K7Q2", "[#K7Q2](https://x) · <#2>")


def test_picture_takes_the_place_of_the_last_round() -> None:
    view = finished().view(0)
    assert "Round 13: " in read(render_result(view))
    shown = render_result(view, card=ResultPicture(b"", "what it shows"))
    assert "Round 13: " not in read(shown)
    assert read(shown).splitlines()[:2] == ["### You lose 28–48", "<picture: what it shows>"]


@pytest.mark.parametrize(
    ("before", "chance", "is_told"),
    [
        ((1512, 1490), 0.62, True),
        ((1490, 1512), 0.38, True),
        ((1512, 1490), 0.5, False),
        ((1512, 1490), 0.59, False),
        ((1122, 1137), 0.51, False),
        ((1122, 1137), 0.62, False),  # a rating that is less sure may promise more than a higher one
    ],
)
def test_chance_before_a_match_is_told_where_the_ratings_that_are_shown_favour_the_same_player(
    before: tuple[int, int], chance: float, is_told: bool
) -> None:
    changes = tuple(RatingChange(seat, float(points), float(points), 12) for seat, points in enumerate(before))
    lines = details(finished(), changes=changes, chances=(chance, 1 - chance))
    assert any("win chance by rating" in line for line in lines) is is_told


def test_buttons_of_a_result() -> None:
    buttons = render_board(finished().view(reviewable=True)).buttons
    assert [button.id.split(":")[-1] for button in buttons] == ["rematch", "review", "more"]
    assert buttons[0].style.name == "primary"


def test_only_what_can_be_answered_has_a_button() -> None:
    assert told(finished())[-1] == "[Rematch] [More]"


def test_a_match_with_a_former_player_offers_no_rematch() -> None:
    played = replace(finished(), users=(101, -1))
    assert told(played)[-1] == "[More]"
    assert read(render_console(played.view(0))).splitlines()[-1] == "[More]"
    note = pings.render_result_note(played.view(0), "https://discord.com/channels/1/2/3")
    assert [button.label for button in note.buttons] == ["Go to board"]


@pytest.mark.parametrize(
    ("played", "line"),
    [
        (1, "Rating (Classic): Ben 1490 → **1493** · Ana **1210**\\*"),
        (3, "Rating (Classic): Ben 1490 → **1493** · Ana 1000\\* → **1210**\\*"),
        (8, "Rating (Classic): Ben 1490 → **1493** · Ana 1000\\* → **1210**"),
        (9, "Rating (Classic): Ben 1490 → **1493** · Ana 1000 → **1210**"),
    ],
)
def test_star_marks_the_ratings_of_a_new_player(played: int, line: str) -> None:
    lines = told(finished(), changes=(RatingChange(0, 1000, 1210.2, played), RatingChange(1, 1490, 1493, 20)))
    assert lines[1] == line
    assert ("-# \\* New rating, not certain yet: fewer than 8 rated matches." in lines) is (played < 8)


@pytest.mark.parametrize(
    ("why", "line"),
    [
        ("house", "Not rated: the house plays too."),
        ("asked", "Not rated, as agreed."),
        ("unplayed", "Not rated: nobody had played a card."),
        ("farming", "Not rated: only the first five matches between the same players within a day count."),
        ("stopped", "Not rated: stopped."),
        ("something else", "Not rated."),
    ],
)
def test_unrated_says_why(why: str, line: str) -> None:
    assert told(finished(), unrated=why)[1] == line


def outcome(kind: Termination, winner: int | None, *placings: int) -> Outcome:
    return Outcome(kind, winner, placings)


@pytest.mark.parametrize(
    ("seats", "end", "heading"),
    [
        (2, outcome(Termination.COMPLETED, None, 1, 1), "Draw, 0–0"),
        (2, outcome(Termination.RESIGNED, 0, 1, 2), "Ana wins because Ben resigned"),
        (2, outcome(Termination.TIMED_OUT, 0, 1, 2), "Ana wins because Ben missed three bids in a row"),
        (2, outcome(Termination.AGREED, None, 1, 1), "Drawn by agreement"),
        (4, outcome(Termination.COMPLETED, 3, 2, 3, 4, 1), "Dee wins (4 players)"),
        (4, outcome(Termination.COMPLETED, None, 1, 3, 4, 1), "Ana and Dee share the win (4 players)"),
        (3, outcome(Termination.RESIGNED, 0, 1, 2, 3), "Ana wins (3 players)"),
    ],
)
def test_heading_states_the_outcome(seats: int, end: Outcome, heading: str) -> None:
    played = begin(seats=seats).deal((7, 5, 6))
    view = replace(played.view(), over=True, outcome=end)
    lines = read(render_board(view)).splitlines()
    assert lines[0] == f"### {heading}"
    places = [line.split("\\.")[0] for line in lines if "\\. " in line]
    assert places == ([str(place) for place in sorted(end.placings or ())] if seats > 2 else [])


def test_result_of_a_series_lists_its_deals() -> None:
    played = begin(options={"cards": 2}, series={"mode": "best-of", "games": 3})
    for bids in ((1, 2), (2, 1), (1, 2)):
        played = played.deal((1, 2)).play(*bids)
    assert told(played)[0] == "### Ana wins 2–1 (best of 3)"
    assert details(played)[:7] == [
        "### #K7Q2 · Classic GOPS",
        "Best round for the winner: round 2 of deal 1. Ana bid ♠2 against ♥A and took ♦2.",
        "1st **Ana** 2 deals",
        "2nd **Ben** 1 deal",
        "Deal 1: **Ana 2**, Ben 1",
        "Deal 2: Ana 1, **Ben 2**",
        "Deal 3: **Ana 2**, Ben 1",
    ]


def test_a_long_series_leaves_its_deals_to_the_sheet() -> None:
    played = begin(options={"cards": 2}, series={"mode": "deals", "deals": 20})
    for _ in range(20):
        played = played.deal((1, 2)).play(1, 2)
    lines = details(played)
    assert "The sheet has all 20 deals." in lines
    assert sum(line.startswith("Deal ") for line in lines) == 7
    assert told(played)[0] == "### Ana wins 40–20 (20 deals, points added up)"


def test_a_result_without_a_round_counts_none() -> None:
    """As where a moderator decides at once."""
    played = begin(options={"cards": 3}).deal((1, 2, 3)).stop(Termination.AGREED)
    assert not any("round" in line for line in told(played))
    assert any(
        "1 round ·" in line for line in told(begin(options={"cards": 2}).deal((1, 2)).play(1, 2, on=False).leave(0))
    )


def test_a_leaver_of_many() -> None:
    played = begin(seats=3, options={"cards": 3}).deal((1, 2, 3)).leave(2).play(2, 3).play(3, 2)
    assert "3\\. Cem 3 · left" in told(played)


# --- confirmations -------------------------------------------------------------------------------------------


def question(message: Any) -> tuple[str, str]:
    text, row = read(message).rsplit("\n", maxsplit=1)
    return text, row


def test_questions_state_what_they_do() -> None:
    again = NextOffer("round", 8)
    two, three = example().view(0), begin(seats=3).deal((7, 5, 6)).view(0)
    assert question(confirm.resign_question(two)) == (
        "Resign #K7Q2? Ben wins, and the match counts as a loss for you. You can't undo this.",
        "[Resign] [Keep playing]",
    )
    assert question(confirm.resign_question(three)) == (
        "Leave #K7Q2? Your lowest cards are played for you, and you can't win.",
        "[Leave match] [Keep playing]",
    )
    assert question(confirm.draw_question(two, again)) == (
        "Offer Ben a draw? The offer ends when this round is revealed; you may offer again 3 rounds later.",
        "[Offer draw] [Not now]",
    )
    assert question(confirm.draw_question(three, again))[0].startswith("Offer Ben and Cem a draw? All must agree.")
    assert read(confirm.unchanged_message()) == "Nothing changed."
    assert read(confirm.done_message("done-resign", m="K7Q2")) == "Done. You resigned #K7Q2."


def test_the_second_of_three_to_leave_reads_that_the_match_ends() -> None:
    played = begin(seats=3, options={"cards": 3}).deal((1, 2, 3)).play(1, 2, 3).leave(2)
    assert question(confirm.resign_question(played.view(0))) == (
        "Resign #K7Q2? Ben wins, and the match counts as a loss for you. You can't undo this.",
        "[Resign] [Keep playing]",
    )


@pytest.mark.parametrize("comes_to", [Quitting.HAND, Quitting.OFTEN])
def test_leaving_three_in_the_first_round_reads_that_the_others_play_on(comes_to: Quitting) -> None:
    first = begin("throps", 3).deal(["2C", "3C"], [["2S", "3S"], ["2H", "3H"], ["2D", "3D"]]).view(0)
    assert question(confirm.resign_question(first, comes_to))[0].startswith(
        "Leave #K7Q2? Your lowest cards are played for you"
    )


def test_the_dangerous_answer_is_red_and_first() -> None:
    buttons = confirm.resign_question(example().view(0)).buttons
    assert [button.style.name for button in buttons] == ["danger", "secondary"]
    assert [button.id for button in buttons] == ["g1:cf:resign:K7Q2:y", "g1:cf:resign:K7Q2:n"]
    assert keys(confirm.draw_question(example().view(0), NextOffer("round", 8)))[0] == "[Offer draw] [Not now]"


def test_who_left_is_told_in_a_rated_match_too() -> None:
    """They stand last with any score, which needs its reason."""
    played = begin(seats=3, options={"cards": 2}).deal((2, 1)).leave(2).play(1, 1)
    view = played.view(None, changes=(RatingChange(2, 1000.0, 950.0, 9),))
    assert "3\\. Cem 0 · left · rating 1000 → **950**" in read(render_board(view)).splitlines()


def test_where_fewest_points_win_the_biggest_swing_is_what_the_loser_took() -> None:
    played = begin(options={"cards": 4, "aim": "least"}).deal((1, 2, 3, 4)).play_all((4, 1), (1, 3), (3, 2))
    assert told(played)[0] == "### Ana wins 4–6"
    assert details(played)[1] == "Best round for the winner: round 4. Ben bid ♥4 against ♠2 and took ♦4."


def test_a_vulture_that_the_loser_took_can_be_the_biggest_swing() -> None:
    stock, ties = (-5, 1, *range(-4, 0), *range(2, 11)), ((card, card) for card in range(1, 13))
    played = begin("vultures").deal(stock).play_all((15, 14), (14, 15), *ties)
    assert told(played)[0] == "### Ana wins 0 to −4"
    assert details(played)[1] == "Best round for the winner: round 1. Ben bid 14 against 15 and took Vulture −5."


OPEN = "It was open until the last card!"


def test_match_that_each_could_win_with_the_last_choice_was_open_until_the_last_card() -> None:
    """Ana leads by 7 to 6 with A 6 against 3 6, and 3 and 4 are still to be won."""
    match = begin("classic", 2, {"cards": 6}).deal((5, 6, 1, 2, 3, 4))
    match = match.play_all((5, 4), (4, 5), (1, 1), (3, 2), (2, 6))
    assert OPEN in " ".join(details(match))


def test_match_in_which_one_player_wins_all_that_is_left_was_not_open_until_the_last_card() -> None:
    """Ben is behind until the last prize, but holds 5 and 3 against A and 2."""
    match = begin("classic", 2, {"cards": 6}).deal((6, 1, 4, 5, 2, 3))
    match = match.play_all((6, 6), (5, 2), (3, 4), (4, 1), (1, 5))
    assert "Ben wins 9–6" in told(match)[0]
    assert OPEN not in " ".join(details(match))


def test_match_that_one_player_could_make_sure_of_was_not_open_until_the_last_card() -> None:
    """With A and 5 against 4 and 2 Ana keeps the 5 for the 6, which decides."""
    match = begin("classic", 2, {"cards": 6}).deal((1, 5, 3, 4, 2, 6))
    match = match.play_all((6, 6), (4, 1), (3, 3), (2, 5), (1, 4))
    assert "Ana wins 11–6" in told(match)[0]
    assert OPEN not in " ".join(details(match))


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("classic", 2, {"cards": 6, "bid_cards": 2}),
        ("classic", 2, {"cards": 6, "open": "draft"}),
        ("classic", 2, {"cards": 6, "blind": True, "ties": "carry"}),
        ("classic", 2, {"cards": 6, "clinch": True}),
        ("classic", 4, {"cards": 4}),
        ("sops", 2, {"cards": 6}),
        ("vultures", 2, {}),
        ("psych", 2, {}),
        ("bid", 2, {}),
    ],
)
def test_remark_is_chosen_for_every_course_of_a_match(game: str, seats: int, options: dict[str, Any]) -> None:
    for seed in range(40):
        dice = random.Random(seed)
        match = begin(game, seats, options).match
        while not match.over:
            if match.needs_deal:
                pack = list(match.rules.pack())
                dice.shuffle(pack)
                match = match.begin(match.rules.deal(tuple(pack)))[0]
            prompts = match.prompts()
            match = match.resolve({prompt.seat: choose_at_random(prompt, dice) for prompt in prompts})[0]
        assert details(Played(match))[0].startswith("### ")


def choose_at_random(prompt: Prompt, dice: random.Random) -> Choice:
    if prompt.kind is Kind.PICK:
        return Pick(dice.choice(prompt.options))
    at = sorted(dice.sample(range(len(prompt.options)), min(prompt.size, len(prompt.options))))
    return Bid(tuple(prompt.options[place] for place in at))
