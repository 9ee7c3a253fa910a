"""The daily deal: its result with *Share*, its ranking, and the line for everyone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from bot.referee.model.daily import DailyRanking, DailyTry, Score, number_of
from bot.referee.model.views import MatchView
from bot.ui.message import BLUE, GREEN
from bot.ui.screens.console import render_console
from bot.ui.screens.daily import render_ranking, render_share
from tests.cogs.ui.reading import keys, plain, read
from tests.cogs.ui.views import begin

DAY = date(2026, 11, 25)
ENDED = datetime(2026, 11, 25, 12, tzinfo=UTC)
MIDNIGHT = int(datetime(2026, 11, 26, tzinfo=UTC).timestamp())


def score(margin: int, user: int = 101, name: str = "Ana") -> Score:
    return Score(DailyTry(1, DAY, user, "K7Q2", name=name), ENDED, 3 + margin, 3)


def ranked(own: Score | None, *others: Score, shared: bool = False, best: int | None = 16) -> DailyRanking:
    scores = sorted((*((own,) if own else ()), *others), key=lambda one: -one.margin)
    return DailyRanking(DAY, best, tuple(scores), own, "" if own else "too-late", shared, 5, 9)


def ended(ranking: DailyRanking, bids: str = "34 13 42") -> MatchView:
    """A deal of four cards with prizes 1, 3, 2, 4; the last round plays itself."""
    played = begin(options={"cards": 4}, names=("Ana", "Reader (house)"), users=(101, 0), clock=0, rated=False)
    played = played.deal((1, 3, 2, 4))
    for mine, theirs in bids.split():
        played = played.play(int(mine), int(theirs))
    return replace(played.finish().view(0, channel=0, day=DAY, ended=ENDED), daily=ranking)


def result(ranking: DailyRanking, bids: str = "34 13 42") -> list[str]:
    return plain(read(render_console(ended(ranking, bids), ephemeral=True))).splitlines()


def test_result_has_title_squares_streak_rank_and_share() -> None:
    told = result(ranked(score(-2), score(5, 102, "Ben"), score(-4, 103, "Cem")))
    assert told[0] == "### Daily 329 · you beat Reader 6–4"
    assert "🟥🟥🟩🟩 · 5 days in a row · rank 2 of 3" in told
    assert "-# 🟩 won 2 · 🟥 lost 2 · 🟨 tied 0" in told
    assert told[-1].startswith("[Share] [Ranking]"), told
    assert not any("Not rated" in line or "Reader (house)" in line for line in told)


def test_result_says_who_won_a_daily_deal() -> None:
    mine = ranked(score(6))
    assert result(mine, "43 31 24")[0] == "### Daily 329 · you lose to Reader 4–6"
    tied = result(mine, "11 33 22")
    assert tied[0] == "### Daily 329 · you and Reader draw 0–0"
    assert "-# 🟩 won 0 · 🟥 lost 0 · 🟨 tied 4" in tied


def test_share_is_the_one_coloured_button_until_it_is_used() -> None:
    def styles(ranking: DailyRanking) -> list[tuple[str, bool]]:
        buttons = render_console(ended(ranking), ephemeral=True).buttons
        return [(one.label, one.style is BLUE) for one in buttons][:2]

    assert styles(ranked(score(1))) == [("Share", True), ("Ranking", False)]
    assert styles(ranked(score(1), shared=True))[0] == ("Ranking", True)
    assert styles(ranked(None))[0] == ("Ranking", True), "a try that came too late is not shared"


def test_try_that_came_too_late_has_no_rank() -> None:
    told = result(ranked(None))
    assert told[0] == "### Daily 329 · you beat Reader 6–4"
    assert "🟥🟥🟩🟩" in told


def test_ranking_shows_the_own_result_and_the_best_possible_one() -> None:
    card = render_ranking(ranked(score(3), score(5, 102, "Ben")), ended(ranked(score(3))).seen.rounds, DAY)
    assert plain(read(card)).replace("*", "").splitlines() == [
        "### Daily 329 · 25 November 2026",
        "You have played this deal: 🟥🟥🟩🟩 +3",
        f"Next deal: <t:{MIDNIGHT}:R>",
        "Best possible: +16",
        "Streak: 5 days · best 9",
        "-# 🟩 won 2 · 🟥 lost 2 · 🟨 tied 0",
        "─────────",
        "1. Ben +5",
        "2. Ana +3",
        "[Share]",
    ]
    assert keys(render_ranking(ranked(score(3), shared=True), (), DAY)) == []
    assert "Best possible: still being calculated" in read(render_ranking(ranked(score(3), best=None), (), DAY))
    assert "Yours is the best possible result." in read(render_ranking(ranked(score(16)), (), DAY))


def test_ranking_of_an_earlier_day_announces_no_deal() -> None:
    later = read(render_ranking(ranked(score(3)), (), DAY + timedelta(days=1)))
    assert "You have played this deal" in later
    assert "Next deal" not in later


def test_ranking_of_a_try_that_does_not_count_says_when_the_next_deal_comes() -> None:
    told = plain(read(render_ranking(ranked(None), (), DAY))).splitlines()
    assert told[1:3] == ["You finished this one too late, so it does not count.", f"Next deal: <t:{MIDNIGHT}:R>"]


def test_shared_line_has_number_margin_streak_squares_legend_and_command() -> None:
    def shared(margin: int) -> list[str]:
        own = score(margin)
        message = render_share(ended(ranked(own)), "Ana", ranked(own), own)
        assert [(one.label, one.style) for one in message.buttons] == [("Play it too", GREEN)]
        return plain(message.content).splitlines()

    assert shared(3) == [
        "Ana · GOPS daily 329 · beat Reader by 3 · 5 days in a row",
        "🟥🟥🟩🟩",
        "-# 🟩 won 2 · 🟥 lost 2 · 🟨 tied 0 · play: /gops daily",
    ]
    assert shared(-6)[0] == "Ana · GOPS daily 329 · lost to Reader by 6 · 5 days in a row"
    assert shared(0)[0] == "Ana · GOPS daily 329 · drew with Reader · 5 days in a row"


def test_days_are_numbered_from_the_first_one() -> None:
    assert number_of(date(2026, 1, 1)) == 1
    assert number_of(date(2027, 1, 1)) == 366
