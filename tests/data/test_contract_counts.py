"""The contract of every store: daily counts, when the bot joined, and the figures of the product by weeks."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.engine.match import Termination
from bot.referee.model import changes as c
from bot.referee.model.counts import CountDaily, DailyCount, Figure, NoteJoined, NoteLeft, WeekCount
from bot.referee.model.daily import NewDailyTry
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.model import HOUSE, Invite, LobbyState, Reply, Setup
from data.sql import server
from data.sql.counts import week_counts
from data.store import Store
from tests.data import examples as ex
from tests.data.examples import ANA, BEN, CEM, GUILD

MONDAY = datetime(2026, 8, 3, tzinfo=UTC)
WEEKS = 12


def on(week: int, day: float = 0) -> datetime:
    return MONDAY + timedelta(weeks=week, days=day)


def begun(id: str, at: datetime, *users: int, over: Termination | None = Termination.COMPLETED, **wish: Any) -> c.Step:
    """A match that began at this time, and ended an hour later unless it goes on."""
    one = ex.match(id, users, started=at, opened=at, deadline=None)
    if over is None:
        return c.NewMatch(one)
    ended = {"live": False, "ended": at + timedelta(hours=1), "termination": int(over)}
    return c.NewMatch(ex.match(id, users, **{"started": at, "opened": at, "deadline": None, **ended, **wish}))


async def counted(store: Store, figure: Figure) -> list[tuple[int, int, int, int]]:
    """Each week of a figure: its number, the people, the part and what it is a part of."""
    found = await store.database.read(week_counts(MONDAY, WEEKS))
    return [(one.week, one.people, one.part, one.of) for one in found if one.figure is figure]


async def test_first_time_of_joining_stays_and_settings_stay_as_they_are(store: Store) -> None:
    assert await store.joined_servers() == []
    await store.write((NoteJoined(GUILD, on(1)),))
    assert await store.guild(GUILD) == GuildSettings(GUILD)
    await store.write((NoteJoined(5, on(2)), NoteJoined(GUILD, on(3))))
    usual = GuildSettings(0, clock=900, place="board")
    for undecided in (5, 6):
        settings = await store.database.read(server.guild(undecided, usual))
        assert settings == replace(usual, guild=undecided), "a server that decided nothing has what is usual"
    assert await store.joined_servers() == [5, GUILD]
    await store.write((c.SaveGuild(GuildSettings(5, clock=60, version=1), 0), NoteJoined(5, on(4))))
    assert await store.guild(5) == GuildSettings(5, clock=60, version=1)
    assert await counted(store, Figure.SERVERS) == [(1, 1, 0, 1), (2, 1, 0, 1)]


async def test_a_first_row_of_a_server_is_written_once(store: Store) -> None:
    await store.write((NoteJoined(GUILD, on(1), first=True),))
    assert await store.joined_servers() == await store.member_servers() == [GUILD]
    with pytest.raises(c.Conflict):
        await store.write((NoteJoined(GUILD, on(2), first=True),))
    await store.write((c.SaveGuild(GuildSettings(5, clock=60, version=1), 0),))
    with pytest.raises(c.Conflict):
        await store.write((NoteJoined(5, on(2), first=True),))
    assert await store.guild(5) == GuildSettings(5, clock=60, version=1)
    assert not await store.is_member(5)


async def test_membership_follows_joining_leaving_and_the_end_of_the_data(store: Store) -> None:
    assert not await store.is_member(GUILD)
    await store.write((NoteJoined(GUILD), NoteJoined(5)))
    assert await store.member_servers() == [5, GUILD]
    assert await store.joined_servers() == []
    await store.write((NoteLeft(GUILD), c.SaveGuild(GuildSettings(5, clock=60, version=1), 0), NoteLeft(6)))
    assert [await store.is_member(guild) for guild in (GUILD, 5, 6)] == [False, True, False]
    await store.write((NoteJoined(GUILD, on(1)), c.DropServer(5)))
    assert await store.member_servers() == await store.joined_servers() == [GUILD]


async def test_servers_count_if_they_play_in_the_week_eight_weeks_after_they_joined(store: Store) -> None:
    await store.write((NoteJoined(GUILD, on(0, 2)), NoteJoined(5, on(0, 3)), NoteJoined(6, on(0, 3))))
    played = (begun("AAAA", on(8, 2), ANA, BEN), begun("BBBB", on(8, 2.9), ANA, BEN, guild=5))
    await store.write((*played, begun("CCCC", on(9, 3.1), ANA, BEN, guild=6)))
    assert await counted(store, Figure.SERVERS) == [(0, 3, 1, 3)]


async def test_people_who_played_are_counted_once_a_week_and_house_seats_never(store: Store) -> None:
    await store.write((begun("AAAA", on(1), ANA, BEN), begun("BBBB", on(1, 2), ANA, HOUSE)))
    await store.write((begun("CCCC", on(3), ANA, over=None), begun("DDDD", on(4), -1, CEM)))
    await store.write((begun("EEEE", on(-1, 6.99), CEM, BEN),))  # it ended in week 0
    assert await counted(store, Figure.PLAYED) == [(0, 2, 2, 2), (1, 2, 2, 2), (3, 1, 1, 1), (4, 1, 1, 1)]


async def test_people_are_followed_from_their_first_match(store: Store) -> None:
    await store.write((begun("AAAA", on(0), ANA, BEN), begun("BBBB", on(0, 6), ANA, HOUSE)))
    await store.write((begun("CCCC", on(0, 33), BEN, HOUSE), begun("DDDD", on(0, 40), ANA, HOUSE)))
    await store.write((begun("EEEE", on(2), CEM, HOUSE, over=Termination.RESIGNED),))
    assert await counted(store, Figure.FIRST_FINISHED) == [(0, 2, 2, 2), (2, 1, 0, 1)]
    assert await counted(store, Figure.SECOND_MATCH) == [(0, 2, 1, 2), (2, 1, 0, 1)]
    assert await counted(store, Figure.BACK) == [(0, 2, 1, 2), (2, 1, 0, 1)]


async def test_daily_players_count_if_they_play_on_the_next_day(store: Store) -> None:
    await store.write((c.NewMatch(ex.match()),))
    tries = ((GUILD, ANA, 0), (GUILD, ANA, 1), (GUILD, ANA, 6), (GUILD, ANA, 7), (GUILD, BEN, 3), (GUILD, BEN, 5))
    for guild, user, day in (*tries, (5, ANA, 0)):
        await store.write((NewDailyTry(guild, on(0, day).date(), user, "K7Q2"),))
    assert await counted(store, Figure.DAILY_NEXT_DAY) == [(0, 2, 2, 5), (1, 1, 0, 1)]


async def test_matches_that_the_clock_ended_are_a_part_of_those_with_a_clock(store: Store) -> None:
    free = ex.match().setup
    without = Setup(free.game, free.options, free.seats, free.series, 0, False)
    await store.write((begun("AAAA", on(0), ANA, BEN), begun("BBBB", on(0), ANA, CEM, over=Termination.TIMED_OUT)))
    await store.write((begun("CCCC", on(0), ANA, BEN, over=Termination.ABANDONED),))
    await store.write((begun("DDDD", on(0), ANA, HOUSE, setup=without),))
    assert await counted(store, Figure.BY_CLOCK) == [(0, 3, 2, 3)]


def asked(id: str, *users: int, state: LobbyState = LobbyState.DECLINED) -> c.Step:
    people = tuple(Invite(user, "x", Reply.ASKED) for user in users)
    return c.NewLobby(ex.lobby(id, people=people, host=users[0], created=on(0, 1), expires=on(0, 2), state=state))


async def test_daily_counts_are_added_up_over_servers_and_days(store: Store) -> None:
    kinds = (DailyCount.LESSON_BEGUN, DailyCount.LESSON_BEGUN, DailyCount.LESSON_FINISHED)
    await store.write(tuple(CountDaily(GUILD, on(0, 1).date(), what) for what in kinds))
    await store.write((CountDaily(0, on(0, 2).date(), DailyCount.LESSON_BEGUN),))
    assert await counted(store, Figure.LESSON_FINISHED) == [(0, 3, 1, 3)]
    await store.write((asked("AAAA", ANA, BEN, state=LobbyState.STARTED), asked("BBBB", ANA, CEM)))
    sent = (DailyCount.CHALLENGE_SENT,) * 4
    took = (DailyCount.ACCEPTED_IN_MINUTE, DailyCount.ACCEPTED_IN_HOUR, DailyCount.ACCEPTED_LATER)
    for what in (*sent, *took):
        await store.write((CountDaily(GUILD, on(0, 1).date(), what),))
    assert await counted(store, Figure.ACCEPTED) == [(0, 3, 3, 4)]
    assert await counted(store, Figure.IN_MINUTE) == [(0, 2, 1, 3)]
    assert await counted(store, Figure.IN_TEN) == [(0, 2, 1, 3)]
    assert await counted(store, Figure.IN_HOUR) == [(0, 2, 2, 3)]


async def test_counts_go_with_their_server(store: Store) -> None:
    await store.write((CountDaily(GUILD, on(0).date(), DailyCount.LESSON_BEGUN), NoteJoined(GUILD, on(0))))
    await store.write((CountDaily(5, on(0).date(), DailyCount.LESSON_BEGUN), c.DropServer(GUILD)))
    assert await store.joined_servers() == []
    found = await store.database.read(week_counts(MONDAY, WEEKS))
    assert WeekCount(Figure.LESSON_FINISHED, 0, 1, 0, 1) in found
    assert Figure.SERVERS not in {one.figure for one in found}
