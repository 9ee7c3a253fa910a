"""The honours of a profile come from the records alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest

from bot.referee.model.daily import DailyTry
from bot.referee.model.model import RatingChange, Seated
from bot.referee.model.people import Finished
from bot.referee.people.honours import MEDALS, Curve, Honours, Win, compute_honours
from tests.referee.stage import ANA, BEN, CEM, START, Table

DAY = date(2026, 11, 21)
PEOPLE = (Seated(ANA.user, "Ana"), Seated(BEN.user, "Ben"))
SAGE = (Seated(ANA.user, "Ana"), Seated(0, "Sage (house)"))


def match(number: int, place: int = 1, **more: object) -> Finished:
    """Of Ana, who came in at this place: a draw is 0."""
    placings = {0: (1, 1), 1: (1, 2), 2: (2, 1)}[place]
    at = START + timedelta(hours=number)
    one = Finished(f"M{number}", 1, "classic", PEOPLE, placings, ("2", "1"), 1, (), True, False, at)
    return replace(one, **more)  # type: ignore[arg-type]


def shown(finished: Sequence[Finished], tries: Sequence[DailyTry] = ()) -> Honours:
    """Newest first, as the store gives them."""
    return compute_honours(ANA.user, finished[::-1], tries[::-1], (), DAY)


def day(ago: int, margin: int = 3, best: int | None = 9) -> DailyTry:
    at, ended = DAY - timedelta(days=ago), START - timedelta(days=ago)
    totals = (str(margin), "0")
    return DailyTry(1, at, ANA.user, f"D{ago}", totals=totals, ended=ended, termination=1, best=best)


@pytest.mark.parametrize(
    ("places", "now", "ever"), [((1, 1, 1), 3, 3), ((1, 1, 2), 0, 2), ((1, 1, 0, 1), 1, 2), ((2,), 0, 0), ((), 0, 0)]
)
def test_honours_count_the_current_and_the_longest_row_of_wins(places: tuple[int, ...], now: int, ever: int) -> None:
    one = shown([match(number, place) for number, place in enumerate(places)])
    assert (one.wins, one.most_wins) == (now, ever)


def test_uncounted_matches_and_practice_give_no_wins() -> None:
    stopped = match(2, placings=None, termination=5)
    practice = match(3, seats=SAGE)
    assert shown([match(1), stopped, practice]).wins == 1


@pytest.mark.parametrize(
    ("game", "options", "earned"),
    [
        ("classic", {}, True),
        ("classic", {"blind": True}, True),
        ("classic", {"info": "win-only"}, False),
        ("psych", {}, False),
        ("pico", {}, True),
    ],
)
def test_win_over_sage_counts_where_sage_does_not_play_as_another_level(
    game: str, options: dict[str, object], earned: bool
) -> None:
    """Where the console says that Sage plays as Sly, it is Sly that was beaten."""
    assert ("sage" in shown([match(1, seats=SAGE, game=game, options=options)]).medals) is earned


def test_best_win_is_the_win_over_the_highest_rating() -> None:
    def rated(number: int, before: float, place: int = 1) -> Finished:
        changes = (RatingChange(0, 2000, 2001, 9), RatingChange(1, before, before - 1, 9))
        return match(number, place, changes=changes)

    one = shown([rated(1, 1500), rated(2, 1643), rated(3, 1800, place=2), rated(4, 1643), match(5)])
    assert one.best_win == Win("M4", ("Ben",), 1643)
    assert shown([match(1)]).best_win is None


@pytest.mark.parametrize(
    ("medal", "finished", "tries"),
    [
        ("first-win", [match(1)], []),
        ("ten-wins", [match(number) for number in range(10)], []),
        ("all-round", [match(n, game=game) for n, game in enumerate(("classic", "bid", "pico", "sops", "psych"))], []),
        ("hundred", [match(number, 2) for number in range(100)], []),
        ("sage", [match(1, seats=SAGE)], []),
        ("perfect-day", [], [day(3, 9)]),
        ("seven-days", [], [day(ago) for ago in range(20, 13, -1)]),
    ],
)
def test_medal_needs_every_part_of_its_condition(medal: str, finished: list[Finished], tries: list[DailyTry]) -> None:
    assert medal in shown(finished, tries).medals
    less = shown(
        [replace(one, placings=(2, 1)) for one in finished[1:]], [replace(one, best=None) for one in tries[1:]]
    )
    assert medal not in less.medals
    assert list(shown(finished, tries).medals) == [key for key in MEDALS if key in shown(finished, tries).medals]


async def test_profile_honours_come_from_the_matches_played(table: Table) -> None:
    for number in range(10):
        id = await table.start(cards=4, rated=True)
        await table.play_out(id, (2, 3, 4, 1) if number % 2 else (1, 2, 3, 4), (1, 2, 3, 4) if number else (4, 3, 2, 1))
        table.clock.forward(86_400)
    await table.start((ANA, CEM), cards=4)
    view = await table.referee.people.profile(1, ANA.user, "Ana", BEN.user)
    assert isinstance(view.curve, Curve)
    assert len(view.curve.points) == 10
    assert view.honours.habit is not None
    assert view.honours.habit.of == 40
    assert view.honours.most_wins == max(view.honours.wins, view.honours.most_wins)
    nobody = await table.referee.people.profile(1, 99, "Nobody", BEN.user)
    assert (nobody.curve, nobody.honours) == (None, Honours())
