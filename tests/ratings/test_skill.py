"""The rating of one match: who gains, who loses, and the expected result."""

import math
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ratings.skill import (
    BETA,
    COUNTED,
    NEWCOMER,
    SETTLED,
    SIGMA,
    WINDOW,
    Skill,
    find_win_chance,
    find_win_chances,
    is_counted,
    is_provisional,
    rate_table,
    widen_skill,
)

SKILLS = st.builds(Skill, st.floats(-20, 70), st.floats(0.5, SIGMA))
TABLES = st.lists(st.tuples(SKILLS, st.integers(1, 8)), min_size=2, max_size=8)
NEAR = 1e-9


def test_newcomer_has_a_rating_of_1000() -> None:
    assert Skill(25.0, 25 / 3) == NEWCOMER
    assert (NEWCOMER.shown, NEWCOMER.spread) == (1000, 167)
    assert (Skill(35.5, 2.0).shown, Skill(35.5, 2.0).points, Skill(35.5, 2.0).spread) == (1590, 1590.0, 40)


def test_ratings_do_not_change_with_the_library() -> None:
    """Two newcomers are computed by hand, three by openskill 6.2.0. If these change, recompute every pool."""
    winner, loser = rate_table([(NEWCOMER, 1), (NEWCOMER, 2)])
    variance = SIGMA**2 + (SIGMA / 100) ** 2  # each match makes everybody a little less sure first
    c = math.sqrt(2 * (variance + BETA**2))
    gain, shrunk = variance / c / 2, math.sqrt(variance * (1 - variance**1.5 / c**3 / 4))
    assert (winner.mu, loser.mu) == pytest.approx((25 + gain, 25 - gain))
    assert (winner.sigma, loser.sigma) == pytest.approx((shrunk, shrunk))
    three = rate_table([(Skill(30, 4), 2), (Skill(20, 6), 1), (NEWCOMER, 2)])
    assert [skill.mu for skill in three] == pytest.approx([29.321525, 22.138780, 23.818439], abs=1e-6)
    assert [skill.sigma for skill in three] == pytest.approx([3.973319, 5.952128, 7.835690], abs=1e-6)


@given(TABLES)
def test_sole_winner_never_falls_and_sole_loser_never_rises(table: list[tuple[Skill, int]]) -> None:
    places = [place for _, place in table]
    for (before, place), after in zip(table, rate_table(table), strict=True):
        if places.count(place) == 1 and place == min(places):
            assert after.mu >= before.mu
        if places.count(place) == 1 and place == max(places):
            assert after.mu <= before.mu


@given(TABLES)
def test_rating_is_never_less_certain_than_a_newcomers(table: list[tuple[Skill, int]]) -> None:
    assert all(0 < after.sigma <= SIGMA and math.isfinite(after.mu) for after in rate_table(table))


@given(SKILLS, st.integers(2, 8))
def test_draw_of_equals_changes_no_rating(skill: Skill, seats: int) -> None:
    for after in rate_table([(skill, 1)] * seats):
        assert after.mu == pytest.approx(skill.mu, abs=NEAR)
        assert abs(after.sigma - skill.sigma) < 1


@given(SKILLS, SKILLS)
def test_draw_brings_two_ratings_closer(one: Skill, other: Skill) -> None:
    after = rate_table([(one, 1), (other, 1)])
    assert abs(after[0].mu - after[1].mu) <= abs(one.mu - other.mu) + NEAR


@given(SKILLS)
def test_winner_of_equals_gains_what_the_loser_loses(skill: Skill) -> None:
    winner, loser = rate_table([(skill, 1), (skill, 2)])
    assert winner.mu - skill.mu == pytest.approx(skill.mu - loser.mu, abs=NEAR)
    assert winner.sigma == pytest.approx(loser.sigma, abs=NEAR)


@given(SKILLS, st.floats(0, 20), st.floats(0, 20))
def test_win_over_a_stronger_player_is_worth_more(skill: Skill, weak: float, more: float) -> None:
    other = Skill(skill.mu + weak, skill.sigma)
    stronger = Skill(other.mu + more, skill.sigma)
    assert rate_table([(skill, 1), (stronger, 2)])[0].mu >= rate_table([(skill, 1), (other, 2)])[0].mu - NEAR


@given(TABLES, st.randoms(use_true_random=False))
def test_order_of_seats_does_not_change_ratings(table: list[tuple[Skill, int]], dice: object) -> None:
    order = list(range(len(table)))
    dice.shuffle(order)  # pyright: ignore[reportAttributeAccessIssue]
    straight, mixed = rate_table(table), rate_table([table[place] for place in order])
    for place, after in zip(order, mixed, strict=True):
        assert after.mu == pytest.approx(straight[place].mu, abs=1e-6)
        assert after.sigma == pytest.approx(straight[place].sigma, abs=1e-6)


@given(TABLES, st.integers(1, 5), st.integers(-3, 3))
def test_rating_change_depends_only_on_the_order_of_places(
    table: list[tuple[Skill, int]], factor: int, shift: int
) -> None:
    other = [(skill, place * factor + shift) for skill, place in table]
    assert rate_table(other) == rate_table(table)


def test_match_of_one_seat_is_refused() -> None:
    with pytest.raises(ValueError, match="two seats"):
        rate_table([(NEWCOMER, 1)])


# --- time away --------------------------------------------------------------------------------------------


def test_time_away_makes_a_rating_less_certain() -> None:
    settled = Skill(30.0, SETTLED)
    assert widen_skill(settled, timedelta(days=6, hours=23)) == settled
    assert widen_skill(settled, timedelta(days=-30)) == settled
    assert widen_skill(settled, timedelta(weeks=104)).sigma == pytest.approx(SIGMA)
    assert widen_skill(settled, timedelta(weeks=1000)) == Skill(30.0, SIGMA)
    assert widen_skill(settled, timedelta(weeks=4)).shown == settled.shown - 22


@given(SKILLS, st.integers(0, 200), st.integers(0, 200))
def test_longer_time_away_never_makes_a_rating_more_certain(skill: Skill, weeks: int, more: int) -> None:
    short, long = widen_skill(skill, timedelta(weeks=weeks)), widen_skill(skill, timedelta(weeks=weeks + more))
    assert skill.sigma - NEAR <= short.sigma <= long.sigma <= SIGMA
    assert widen_skill(short, timedelta(weeks=more)).sigma == pytest.approx(long.sigma)


# --- win chances ------------------------------------------------------------------------------------------


@given(SKILLS, SKILLS)
def test_win_chances_of_two_players_sum_to_one(one: Skill, other: Skill) -> None:
    expected = 1 / (1 + math.exp(-(one.mu - other.mu) / math.sqrt(one.sigma**2 + other.sigma**2 + 2 * BETA**2)))
    assert find_win_chance(one, other) == pytest.approx(expected)
    assert find_win_chance(one, other) + find_win_chance(other, one) == pytest.approx(1)


@given(st.lists(SKILLS, min_size=2, max_size=8))
def test_win_chances_of_a_table_sum_to_one(skills: list[Skill]) -> None:
    given = find_win_chances(skills)
    assert sum(given) == pytest.approx(1)
    assert all(0 < one < 1 for one in given)
    order = sorted(range(len(skills)), key=lambda seat: skills[seat].mu)
    assert [given[seat] for seat in order] == sorted(given)


@given(SKILLS, st.integers(2, 8))
def test_equal_players_have_equal_win_chances(skill: Skill, seats: int) -> None:
    assert find_win_chances([skill] * seats) == pytest.approx([1 / seats] * seats)


# --- rules ------------------------------------------------------------------------------------------------


def test_rating_is_provisional_before_eight_matches() -> None:
    assert [is_provisional(played) for played in (0, 7, 8)] == [True, True, False]


def test_first_five_matches_of_a_pair_a_day_count() -> None:
    assert [is_counted(earlier) for earlier in range(COUNTED + 2)] == [True] * 5 + [False] * 2
    assert timedelta(hours=24) == WINDOW


@pytest.mark.parametrize("strengths", [(25.0, 25.0), (30.0, 25.0), (22.0, 27.0)])
def test_draws_alone_lift_nobody_above_the_strength_that_was_there(strengths: tuple[float, float]) -> None:
    """A draw takes doubt away, so that both shown ratings of new players rise; it makes nobody stronger."""
    drawn = tuple(Skill(mu) for mu in strengths)
    first = rate_table([(skill, 1) for skill in drawn])
    if strengths[0] == strengths[1]:
        assert all(after.shown > before.shown for before, after in zip(drawn, first, strict=True))
    for _ in range(500):
        drawn = rate_table([(skill, 1) for skill in drawn])
    certain = 1000 + 20 * max(25.0, *strengths)
    assert all(skill.points < certain for skill in drawn)
    assert sum(skill.mu for skill in drawn) == pytest.approx(sum(strengths), abs=0.5)
