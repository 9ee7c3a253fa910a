"""A rating pool: results one after the other, recomputed, and the leaderboard."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ratings.pool import RatedMatch, RatingUpdate, Standing, rank_standings, rate_match, replay_results
from bot.ratings.skill import NEWCOMER, SIGMA, Skill, widen_skill

START = datetime(2026, 1, 1, tzinfo=UTC)
ANA, BEN, CEM = 1, 2, 3


def at(days: float) -> datetime:
    return START + timedelta(days=days)


def recompute(results: list[RatedMatch]) -> tuple[dict[int, Standing], dict[str, tuple[RatingUpdate, ...]]]:
    found = replay_results(results)
    return found.standings, found.moves


def result(match: str, days: float, *places: tuple[int, int]) -> RatedMatch:
    return RatedMatch(match, at(days), places or ((ANA, 1), (BEN, 2)))


@st.composite
def some_results(draw: st.DrawFn) -> list[RatedMatch]:
    """A pool of up to six people over two years; several matches may end at once."""
    found: list[RatedMatch] = []
    for number in range(draw(st.integers(0, 12))):
        users = draw(st.lists(st.integers(1, 6), min_size=2, max_size=4, unique=True))
        places = tuple((user, draw(st.integers(1, len(users)))) for user in users)
        found.append(RatedMatch(f"M{number}", at(draw(st.integers(0, 700))), places))
    return found


def one_by_one(results: list[RatedMatch]) -> tuple[dict[int, Standing], dict[str, tuple[RatingUpdate, ...]]]:
    """As the referee does it when matches end: load, play, save."""
    saved: dict[int, tuple[float, float, int, int, int, int, datetime | None]] = {}
    moves: dict[str, tuple[RatingUpdate, ...]] = {}
    for one in sorted(results, key=lambda one: (one.at, one.match)):
        loaded: dict[int, Standing] = {}
        for user, _ in one.places:
            if user in saved:
                mu, sigma, *rest = saved[user]
                loaded[user] = Standing(user, Skill(mu, sigma), *rest)  # pyright: ignore[reportArgumentType]
        moves[one.match] = rate_match(loaded, one)
        for move in moves[one.match]:
            new = move.after
            saved[move.user] = (new.skill.mu, new.skill.sigma, new.played, new.won, new.drawn, new.lost, new.last)
    standings = {user: Standing(user, Skill(row[0], row[1]), *row[2:]) for user, row in saved.items()}
    return standings, moves


@given(some_results(), st.randoms(use_true_random=False))
def test_recomputed_ratings_equal_incremental_ratings(results: list[RatedMatch], dice: object) -> None:
    incremental = one_by_one(results)
    dice.shuffle(results)  # pyright: ignore[reportAttributeAccessIssue]
    assert recompute(results) == incremental


@given(some_results())
def test_recomputing_without_a_voided_match_equals_never_having_played_it(results: list[RatedMatch]) -> None:
    if not results:
        return
    kept = results[:-1]
    assert recompute([one for one in results if one.match != results[-1].match]) == one_by_one(kept)


@given(some_results())
def test_every_seat_of_every_match_is_counted(results: list[RatedMatch]) -> None:
    standings, _ = recompute(results)
    assert sum(one.played for one in standings.values()) == sum(len(one.places) for one in results)
    assert all(one.played == one.won + one.drawn + one.lost for one in standings.values())


def test_ratings_depend_on_the_order_in_time() -> None:
    first, second = result("A", 1, (ANA, 1), (BEN, 2)), result("B", 2, (BEN, 1), (CEM, 2))
    swapped = [replace(first, at=second.at), replace(second, at=first.at)]
    assert recompute([first, second]) == recompute([second, first])
    assert recompute([first, second])[0] != recompute(swapped)[0]


def test_match_changes_ratings_and_counts_of_its_seats() -> None:
    ana = Standing(ANA, Skill(30, 3), 10, 5, 2, 3, at(-70))
    moves = rate_match({ANA: ana}, result("A", 0, (BEN, 2), (ANA, 1)))
    assert [(move.user, move.seat, move.place) for move in moves] == [(BEN, 0, 2), (ANA, 1, 1)]
    assert moves[1].before == widen_skill(ana.skill, timedelta(weeks=10))
    assert moves[0].before == NEWCOMER
    after = moves[1].after
    assert (after.played, after.won, after.drawn, after.lost, after.last) == (11, 6, 2, 3, at(0))
    assert after.skill.mu > 30
    assert (moves[0].after.played, moves[0].after.lost) == (1, 1)


def test_shared_first_place_is_a_draw_and_shared_second_is_not() -> None:
    moves = rate_match({}, result("A", 0, (ANA, 1), (BEN, 1), (CEM, 3)))
    assert [(one.after.won, one.after.drawn, one.after.lost) for one in moves] == [(0, 1, 0), (0, 1, 0), (0, 0, 1)]
    moves = rate_match({}, result("A", 0, (ANA, 1), (BEN, 2), (CEM, 2)))
    assert [(one.after.won, one.after.drawn, one.after.lost) for one in moves] == [(1, 0, 0), (0, 0, 1), (0, 0, 1)]


@pytest.mark.parametrize("places", [((ANA, 1), (ANA, 2)), ((ANA, 1), (0, 2))])
def test_match_with_a_house_player_cannot_be_rated(places: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(ValueError, match="cannot be rated"):
        rate_match({}, result("A", 0, *places))


def test_leaderboard_sorts_by_rating_then_by_matches_played() -> None:
    base = Standing(1, Skill(30, 3), 10, last=at(0))
    strong = replace(base, user=9, skill=Skill(31, 3))
    busy = replace(base, user=8, played=11)
    early = replace(base, user=7, last=at(-1))
    lower, higher = replace(base, user=5), replace(base, user=6)
    away = replace(base, user=4, skill=Skill(33, 3), last=at(-700))
    fresh = Standing(3, Skill(30, 6), 1, last=at(0))
    never = Standing(2)
    lines = rank_standings([never, higher, fresh, lower, away, busy, early, strong], at(0))
    assert [line.standing.user for line in lines] == [9, 8, 7, 5, 6, 3, 4]
    assert [line.place for line in lines] == [1, 2, 2, 2, 2, 6, 7]
    assert [line.standing.provisional for line in lines] == [False] * 5 + [True, False]
    assert lines[-1].skill.sigma > 8
    assert lines[-1].skill.sigma <= SIGMA
    assert [line.skill.shown for line in lines[:2]] == [1440, 1420]
