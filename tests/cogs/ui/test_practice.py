"""What practice looks like: board and console in one message, or a board that the channel watches."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from bot.engine.match import Termination
from bot.interactions.shared.match_rows import match_row
from bot.referee.match.resignation import Quitting
from bot.referee.model.views import MatchView
from bot.ui.message import Menu
from bot.ui.screens.board import render_board
from bot.ui.screens.console import render_console
from bot.ui.screens.refusals import format_refusal
from cogs.match import confirm
from cogs.match.boards import more
from cogs.match.matches import games_list
from tests.cogs.ui.reading import keys, read
from tests.cogs.ui.views import OPENED, Played, begin, example

DAY = date(2026, 11, 25)
MIDNIGHT = int(datetime(2026, 11, 26, tzinfo=UTC).timestamp())

HOUSE = {"names": ("Ana", "Sage (house)", "Sage (house)"), "users": (101, 0, 0)}


def practising(played: Played, sealed: dict[int, Any] | None = None, **changed: Any) -> MatchView:
    at_home = replace(played, **HOUSE, clock=0, rated=False)
    return at_home.view(0, sealed, **{"channel": 0, **changed})


def test_private_practice_is_board_and_console_in_one() -> None:
    told = read(render_console(practising(example(), {1: 13}), ephemeral=True)).splitlines()
    assert told[0] == "### You against Sage (house) · round 5 of 13"
    assert "Your turn. No time limit." in told
    assert "Score: **You 16** · Sage (house) 14, ✔ has bid" in told
    assert "-# #K7Q2" in told
    assert "🔒" not in read(render_console(practising(example(), {1: 13}), ephemeral=True))


def test_the_house_is_thinking() -> None:
    told = read(render_console(practising(example(), {0: 13}, mine=13)))
    assert "✔ Your **K is sealed.** Sage is thinking …" in told
    assert "Score: **You 16**, ✔ has bid · Sage (house) 14" in told


def test_the_house_ran_out_of_time() -> None:
    for view in (practising(example(), {1: 13}, lapsed=(1,)), practising(example(), {1: 13}, lapsed=(1,), channel=2)):
        assert "Sage needed too long, so it bid like Sly this round." in read(render_console(view))
    public = replace(practising(example(), {1: 13}, lapsed=(1,), channel=2), seat=None)
    assert "Sage needed too long, so it bid like Sly this round." in read(render_board(public))
    assert "ran out of time" not in read(render_console(practising(example(), {1: 13})))


def test_a_board_that_the_channel_watches() -> None:
    first = begin().deal((9, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13))
    told = read(render_board(replace(practising(first, {1: 3}, channel=2), seat=None)))
    assert "Press Bid to see your cards." in told
    assert "in your DM" not in told
    assert "Waiting for **Ana**. No time limit." in told
    assert "· unrated · Classic · #K7Q2\n" in told


def test_more_has_nothing_that_the_house_does_not_do() -> None:
    assert keys(more(practising(example()))) == ["[Rules] [Resign] [Verify]"]
    assert keys(more(practising(example(), channel=2))) == ["[Rules] [Resign] [Repost board] [Verify]"]
    assert "Offer draw" in read(more(example().view(0)))


def test_the_result_in_the_same_message() -> None:
    over = practising(example().finish(), unrated="house")
    told = read(render_console(over, ephemeral=True, banner="Too late."))
    lines = told.splitlines()
    assert lines[:2] == ["### You win 34–30", "⚠ Too late."]
    assert "Each player had one card left, so it was played automatically." in told or "Round 13" in told
    assert "Not rated: the house plays too." in lines
    assert any(line.startswith("-# Against Sage (house) · 13 rounds") for line in lines)
    assert keys(render_console(over))[-1] == "[Rematch] [More]"


@pytest.mark.parametrize("channel", [0, 2], ids=["private", "public"])
@pytest.mark.parametrize(
    ("how", "why", "told"),
    [
        (Termination.ABANDONED, "", "Nobody bid in #K7Q2 for a long time, so I stopped it. It does not count."),
        (
            Termination.ABORTED,
            "house",
            "#K7Q2 was stopped: only the house was left at the table. It does not count.",
        ),
    ],
    ids=["idle", "left"],
)
def test_stopped_practice_is_one_line_and_a_way_to_play_again(
    channel: int, how: Termination, why: str, told: str
) -> None:
    over = practising(example().stop(how), why=why, channel=channel)
    for shown in (render_console(over), render_board(replace(over, seat=None))):
        assert read(shown) == f"{told}\n[Play the house]"
        assert [button.id for button in shown.buttons] == ["g1:bd:K7Q2:rematch"]


def test_practice_that_a_newer_one_ended_needs_no_button() -> None:
    for channel in (0, 2):
        over = practising(example().stop(Termination.ABORTED), why="newer", channel=channel)
        told = "#K7Q2 was stopped: a newer practice match took its place. It does not count."
        assert read(render_console(over)) == told


def test_practice_of_a_player_who_deleted_their_data() -> None:
    over = practising(example().stop(Termination.ABORTED), why="erased")
    erased = replace(over, seats=(replace(over.seats[0], user=-1), *over.seats[1:]))
    told = "#K7Q2 was stopped: a player deleted their data. It does not count."
    assert read(render_console(erased)) == told


@pytest.mark.parametrize("why", ["seal", "rolled-back"])
def test_practice_that_was_damaged_keeps_its_seals(why: str) -> None:
    told = read(render_console(practising(example().stop(Termination.ABORTED), why=why)))
    assert "Match seal" in told
    assert told.splitlines()[-1] == "[Sheet] [Rematch]"


def test_among_live_matches() -> None:
    told = read(games_list([practising(example()), practising(example(), channel=2)], OPENED))
    assert "**#K7Q2** Classic, practice with Sage (house)" in told
    assert "**#K7Q2** Classic with Sage (house) in <#2>" in told


def test_a_daily_deal_among_live_matches() -> None:
    daily = practising(example(), day=DAY)
    listed = games_list([daily], OPENED)
    assert "**#K7Q2** Classic, Daily 329, against Sage (house)" in read(listed)
    assert "practice" not in read(listed)
    assert [one.label for item in listed.pressables if isinstance(item, Menu) for one in item.options] == [
        "#K7Q2 · Classic · Daily 329 · Sage (house)"
    ]
    assert match_row(daily, OPENED) == "#K7Q2 · Daily 329 · Sage (house) · your turn"


def test_a_daily_deal_says_until_when_it_counts() -> None:
    told = read(render_console(practising(example(), day=DAY)))
    assert "-# Daily 329: the same cards for everyone here, one try." in told
    assert f"Finish it by <t:{MIDNIGHT + 3600}>." in told
    assert "No time limit" not in told
    late = f"You had to finish by <t:{MIDNIGHT + 3600}>, so this does not count and is not in the ranking."
    closes = datetime(2026, 11, 26, 1, tzinfo=UTC)
    over = example().finish()
    assert late in read(render_console(practising(over, day=DAY, ended=closes)))
    assert "does not count" not in read(render_console(practising(over, day=DAY, ended=closes - timedelta(seconds=1))))
    assert format_refusal("daily-spoils", at=datetime(2026, 11, 26, tzinfo=UTC)).endswith(f"from <t:{MIDNIGHT}>.")


def test_giving_up_the_daily_deal_costs_its_one_try() -> None:
    daily = practising(example(), day=DAY)
    for comes_to in (Quitting.FREE, Quitting.RESIGNED):
        question = read(confirm.resign_question(daily, comes_to))
        assert question.startswith("Give up Daily 329? It uses up your only try, and you will not be in the ranking.")
        assert keys(confirm.resign_question(daily, comes_to)) == ["[Give up] [Keep playing]"]
    begun = begin().deal((9, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13))
    stopped, midnight = begun.stop(Termination.ABORTED), datetime(2026, 11, 26, tzinfo=UTC)
    over = read(render_console(practising(stopped, day=DAY, ended=midnight - timedelta(hours=2))))
    used_up = "Your only try at Daily 329 is used up, and it is not in the ranking."
    assert f"{used_up} Next deal: <t:{MIDNIGHT}:R>" in over
    assert "Next deal" not in read(render_console(practising(stopped, day=DAY, ended=midnight)))
    assert "It does not count for the ratings." not in over


SHORTER = "[Hint] (Explain last round) [Shorter: 5 cards]"


def offers(played: Played, sealed: dict[int, Any] | None = None, **changed: Any) -> bool:
    view = practising(played, {1: 3, **(sealed or {})}, **{"coached": True, "can_hint": True, **changed})
    return SHORTER in keys(render_console(view, ephemeral=True))


def test_the_first_round_offers_a_shorter_match() -> None:
    first = begin().deal((9, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13))
    assert offers(first)
    assert not offers(first, channel=2), "the channel watches this one"
    assert not offers(first, day=DAY), "a daily deal is the same for everyone"
    assert not offers(first.play(2, 3)), "it was begun"
    assert not offers(begin(options={"cards": 5}).deal((1, 2, 3, 4, 5)))
    assert not offers(begin(options={"ties": "carry"}).deal((1, 2, 3, 4, 5))), "these rules were chosen"
    assert not offers(begin("pico").deal(hands=[[10, 6, 7], [4, 9, 8]]), {}), "it has no such rule"
