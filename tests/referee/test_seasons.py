"""Seasons end at midnight, over restarts and beside matches that end; frozen tables never change."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import RefereeError
from bot.ratings.pool import (
    RatedMatch,
    SeasonSpan,
    Standing,
    begin_standing,
    find_next_end,
    list_standings,
    pull_to_middle,
    rate_match,
    replay_results,
)
from bot.ratings.skill import MU, NEWCOMER, SIGMA, Skill
from bot.referee.model.clock_changes import read_owner
from bot.referee.model.model import DeadlineKind
from bot.referee.model.participant import Person
from bot.referee.model.people import Rating
from bot.referee.model.seasons import MONTHLY, MONTHS, QUARTERLY
from bot.referee.season.seasons import champions_owner
from bot.referee.server.rating_rebuild import rebuild
from tests.referee.stage import ANA, BEN, CEM, HERE, HandClock, Table

MOD = Person(99, "Mod")
GUILD = HERE.guild
DAY = 24 * 3600
FIRST = datetime(2026, 12, 1, tzinfo=UTC)
"""the end of the month in which tests begin"""


async def decide(table: Table, seasons: str, **more: object) -> None:
    known = await table.store.guild(GUILD)
    await table.referee.deciding.change(GUILD, MOD, known.version, seasons=seasons, **more)


async def won(table: Table, winner: Person = ANA, loser: Person = BEN) -> str:
    id = await table.start((winner, loser), cards=3)
    await table.seal(id, winner.user, 2)
    await table.seal(id, loser.user, 3)
    await table.referee.matches.resign(id, loser.user)
    table.clock.forward(25 * 3600)
    return id


async def season_table(table: Table) -> list[Rating]:
    return list(await table.store.season_ratings(GUILD, "classic"))


async def checked(table: Table) -> None:
    """Check that both tables, recomputed, are the same to the last digit."""
    assert (await rebuild(table.store, GUILD, "classic")).steps == ()


# --- the arithmetic ---------------------------------------------------------------------------------------


def test_months_and_quarters_end_at_midnight() -> None:
    def end(kind: str, *at: int) -> tuple[int, int, int, int]:
        found = find_next_end(MONTHS[kind], datetime(*at, tzinfo=UTC))  # type: ignore[misc, arg-type]
        return found.year, found.month, found.day, found.hour

    assert end(MONTHLY, 2026, 11, 30, 23, 59, 59) == (2026, 12, 1, 0)
    assert end(MONTHLY, 2026, 12, 1) == (2027, 1, 1, 0)
    assert end(MONTHLY, 2028, 2, 29, 12) == (2028, 3, 1, 0)
    assert end(QUARTERLY, 2026, 1, 1) == end(QUARTERLY, 2026, 3, 31, 23) == (2026, 4, 1, 0)
    assert end(QUARTERLY, 2026, 11, 5) == (2027, 1, 1, 0)


def test_season_rating_starts_halfway_to_a_newcomer() -> None:
    assert pull_to_middle(Skill(35.0, 3.0)).mu == MU + 5
    assert 3.0 < pull_to_middle(Skill(35.0, 3.0)).sigma < SIGMA
    assert pull_to_middle(NEWCOMER) == NEWCOMER


@given(st.lists(st.tuples(st.permutations([1, 2, 3]), st.integers(0, 40), st.booleans()), max_size=12))
def test_replayed_seasons_equal_seasons_rated_match_by_match(played: list[tuple[list[int], int, bool]]) -> None:
    began = FIRST - timedelta(days=20)
    all_time: dict[int, Standing] = {}
    season: dict[int, Standing] = {}
    results: list[RatedMatch] = []
    at = FIRST - timedelta(days=40)
    for number, (users, days, tie) in enumerate(played):
        at += timedelta(days=days, seconds=1)
        result = RatedMatch(f"M{number:02}", at, ((users[0], 1), (users[1], 1 if tie else 2)))
        results.append(result)
        if at >= began:
            there = list_standings(users[:2], season, all_time, began)
            season.update((move.user, move.after) for move in rate_match(there, result))
        all_time.update((move.user, move.after) for move in rate_match(all_time, result))
    found = replay_results(reversed(results), [SeasonSpan(began)])
    assert (found.standings, found.seasons) == (all_time, [season])


# --- a season goes on -------------------------------------------------------------------------------------


async def test_season_begins_when_it_is_switched_on_and_ends_with_the_month(table: Table) -> None:
    await won(table)
    before = table.clock.now()
    await decide(table, "monthly")
    season = await table.store.season(GUILD)
    assert season is not None
    assert (season.number, season.began, season.ends) == (1, before, FIRST)
    assert [(one.kind, one.due) for one in await table.store.deadlines_of(f"season {GUILD}")] == [
        (DeadlineKind.SEASON, FIRST)
    ]
    await decide(table, "quarterly")
    season = await table.store.season(GUILD)
    assert season is not None
    assert (season.number, season.began, season.ends) == (1, before, datetime(2027, 1, 1, tzinfo=UTC))
    assert await season_table(table) == []


async def test_match_counts_in_the_season_and_the_all_time_table(table: Table) -> None:
    await won(table)
    known = await table.store.rating(GUILD, "classic", ANA.user)
    assert known is not None
    await decide(table, "monthly")
    season = await table.store.season(GUILD)
    assert season is not None
    base = begin_standing(Standing(ANA.user, Skill(known.mu, known.sigma), 1, 1, 0, 0, known.last), season.began)
    await won(table)
    ana, ben = await season_table(table)
    assert (ana.played, ana.won, ben.lost) == (1, 1, 1)
    [entry] = [one for one in await table.store.rating_history(GUILD, "classic", ANA.user) if one.at >= season.began]
    assert (entry.season, entry.season_mu, entry.season_sigma) == (1, base.skill.mu, base.skill.sigma)
    assert [one.played for one in await table.store.ratings(GUILD, "classic")] == [2, 2]
    await checked(table)


async def test_season_table_is_frozen_at_midnight_and_the_next_season_begins(table: Table) -> None:
    await decide(table, "monthly", champions=55)
    await won(table)
    await won(table)
    before = {one.user: one for one in await season_table(table)}
    table.clock.time = FIRST - timedelta(microseconds=1)
    await table.fire()
    assert (await table.store.frozen_pools(GUILD, 1)) == []
    table.clock.time = FIRST
    await table.fire()
    view = await table.referee.people.leaderboard(GUILD, BEN.user, season=1)
    assert [(row.user, row.place, row.played, row.won) for row in view.rows] == [
        (ANA.user, 1, 2, 2),
        (BEN.user, 2, 2, 0),
    ]
    assert view.own is not None
    assert (view.own.place, view.size, view.season is not None and view.season.over) == (2, 2, True)
    assert before.keys() == {ANA.user, BEN.user}
    assert await season_table(table) == []
    going = await table.store.season(GUILD)
    assert going is not None
    assert (going.number, going.began, going.ends) == (2, FIRST, datetime(2027, 1, 1, tzinfo=UTC))
    assert [one.owner for one in table.reminded] == [champions_owner(GUILD, 1)]
    assert read_owner(champions_owner(GUILD, 1)) == (GUILD, 1)
    await won(table, BEN, ANA)
    assert [one.played for one in await season_table(table)] == [1, 1]
    assert (await table.store.ratings(GUILD, "classic"))[0].played == 3
    await checked(table)


async def test_match_that_ends_after_midnight_counts_in_the_next_season(table: Table) -> None:
    """The bot was away or its sleeper is busy; the past season takes no more results."""
    await decide(table, "monthly")
    first, second = await table.start(cards=3), await table.start((ANA, CEM), cards=3)
    for id, other in ((first, BEN), (second, CEM)):
        await table.seal(id, ANA.user, 2)
        await table.seal(id, other.user, 3)
    table.clock.time = FIRST - timedelta(seconds=1)
    await table.referee.matches.resign(first, BEN.user)
    table.clock.time = FIRST + timedelta(days=40)
    await table.referee.matches.resign(second, CEM.user)
    seasons = await table.store.seasons(GUILD)
    assert [(one.number, one.over) for one in seasons] == [(3, False), (2, True), (1, True)]
    frozen = [(await table.referee.people.leaderboard(GUILD, ANA.user, season=number)).size for number in (1, 2)]
    assert frozen == [2, 0]
    assert {one.user for one in await season_table(table)} == {ANA.user, CEM.user}
    await checked(table)


async def test_season_ends_once_over_a_restart(table: Table) -> None:
    await decide(table, "monthly", champions=55)
    await won(table)
    clock = HandClock()
    clock.time = FIRST + timedelta(hours=5)
    again = Table(table.store, clock)
    await again.fire()
    another = Table(table.store, clock)
    await another.fire()
    assert [one.number for one in await table.store.seasons(GUILD)] == [2, 1]
    assert [one.owner for one in again.reminded] == [champions_owner(GUILD, 1)]
    assert another.reminded == []


async def test_credited_downtime_does_not_move_the_end_of_a_season(table: Table) -> None:
    from bot.referee.clock.presence import credit_downtime

    await decide(table, "monthly")
    await credit_downtime(table.referee, timedelta(hours=7))
    [deadline] = await table.store.deadlines_of(f"season {GUILD}")
    assert deadline.due == FIRST


async def test_two_processes_end_a_season_once_and_lose_no_result(table: Table) -> None:
    await decide(table, "monthly")
    id = await table.start(cards=3)
    await table.seal(id, ANA.user, 2)
    await table.seal(id, BEN.user, 3)
    other = Table(table.store, table.clock, "other")
    table.clock.time = FIRST
    [deadline] = await table.store.deadlines_of(f"season {GUILD}")
    await asyncio.gather(
        table.referee.seasons.end(deadline),
        other.referee.seasons.end(deadline),
        table.referee.matches.resign(id, BEN.user),
    )
    assert [one.number for one in await table.store.seasons(GUILD)] == [2, 1]
    assert [one.played for one in await season_table(table)] == [1, 1]
    await checked(table)


async def test_clock_set_back_changes_no_frozen_table(table: Table) -> None:
    await decide(table, "monthly")
    await won(table)
    id = await table.start(cards=3)
    await table.seal(id, ANA.user, 2)
    await table.seal(id, BEN.user, 3)
    table.clock.time = FIRST
    assert await table.referee.seasons.get_current(GUILD, FIRST)
    table.clock.time = FIRST - timedelta(hours=2)
    await table.referee.matches.resign(id, BEN.user)
    stored = await table.store.match(id)
    assert stored is not None
    assert stored.ended == FIRST
    assert [one.played for one in await season_table(table)] == [1, 1]
    await checked(table)


async def test_switched_off_season_ends_at_once(table: Table) -> None:
    await decide(table, "monthly")
    await won(table)
    await decide(table, "off")
    assert await table.store.season(GUILD) is None
    assert (await table.referee.people.leaderboard(GUILD, ANA.user, season=1)).size == 2
    assert await table.store.deadlines_of(f"season {GUILD}") == []
    await won(table)
    assert await season_table(table) == []
    await decide(table, "quarterly")
    season = await table.store.season(GUILD)
    assert season is not None
    assert season.number == 2
    assert (await table.referee.people.leaderboard(GUILD, ANA.user, season=None)).season == season
    with pytest.raises(RefereeError, match="unknown-season"):
        await table.referee.people.leaderboard(GUILD, ANA.user, season=9)


# --- what is over stays -----------------------------------------------------------------------------------


async def test_later_void_marks_the_frozen_table_without_changing_it(table: Table) -> None:
    await decide(table, "monthly")
    first = await won(table)
    table.clock.time = FIRST
    await table.fire()
    await won(table, BEN, ANA)
    before = await table.referee.people.leaderboard(GUILD, ANA.user, season=1)
    played = await season_table(table)
    await table.referee.moderating.unrate(GUILD, first, MOD, "bought")
    after = await table.referee.people.leaderboard(GUILD, ANA.user, season=1)
    assert (after.rows, after.voided, before.voided) == (before.rows, 1, 0)
    assert [one.played for one in await table.store.ratings(GUILD, "classic")] == [1, 1]
    assert await season_table(table) != played, "they begin the season from other all-time ratings"
    await checked(table)


async def test_match_voided_within_its_season_leaves_no_trace_in_it(table: Table) -> None:
    await decide(table, "monthly")
    first = await won(table)
    wanted = await season_table(table)
    second = await won(table, BEN, ANA)
    assert await season_table(table) != wanted
    await table.referee.moderating.unrate(GUILD, second, MOD, "bought")
    assert await season_table(table) == wanted
    await table.referee.moderating.unrate(GUILD, first, MOD, "bought")
    assert await season_table(table) == []
    await checked(table)


async def test_erased_player_is_a_number_in_the_frozen_table(table: Table) -> None:
    await decide(table, "monthly")
    await won(table)
    table.clock.time = FIRST
    await table.fire()
    await won(table)
    before = await table.referee.people.leaderboard(GUILD, BEN.user, season=1)
    await table.referee.privacy.erase(ANA.user)
    after = await table.referee.people.leaderboard(GUILD, BEN.user, season=1)
    assert [(row.user, row.name) for row in after.rows] == [(-1, "a former player"), (BEN.user, "Ben")]
    assert [(row.place, row.shown, row.won) for row in after.rows] == [
        (row.place, row.shown, row.won) for row in before.rows
    ]
    assert after.rows[1] == before.rows[1]
    assert (await table.referee.people.leaderboard(GUILD, BEN.user, season=2)).size == 1
    await checked(table)


# --- what is asked of it ----------------------------------------------------------------------------------


async def test_leaderboard_shows_the_rank_change_within_a_week(table: Table) -> None:
    for winner, loser in ((ANA, BEN), (ANA, CEM), (BEN, CEM)):
        await won(table, winner, loser)
    table.clock.forward(8 * DAY)
    for _ in range(4):
        await won(table, CEM, ANA)
    people = table.referee.people
    ana, cem = await people.leaderboard(GUILD, ANA.user), await people.leaderboard(GUILD, CEM.user)
    assert (cem.own is not None and cem.own.place, cem.moved) == (1, 2)
    assert ana.moved is not None
    assert ana.moved < 0
    assert (await people.leaderboard(GUILD, MOD.user)).moved is None
    table.clock.forward(8 * DAY)
    assert (await people.leaderboard(GUILD, CEM.user)).moved == 0


async def test_history_can_be_limited_to_a_season(table: Table) -> None:
    first = await won(table)
    await decide(table, "monthly")
    second = await won(table)
    table.clock.time = FIRST
    await table.fire()
    third = await won(table)
    history = table.referee.people.history
    assert [one.id for one in await history(GUILD, ANA.user, 0)] == [third, second, first]
    assert [one.id for one in await history(GUILD, ANA.user, 0, season=1)] == [second]
    assert [one.id for one in await history(GUILD, ANA.user, 0, season=2)] == [third]
    with pytest.raises(RefereeError, match="unknown-season"):
        await history(GUILD, ANA.user, 0, season=3)
