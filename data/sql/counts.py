"""Daily counts, when the bot joined each server, and the figures of the product week by week.

The queries of figures go through whole tables: they are for the operator, not for presses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from bot.engine.match import Termination
from bot.referee.model.counts import ACCEPTED, CountDaily, DailyCount, Figure, NoteJoined, NoteLeft, WeekCount
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.model import LobbyState, Snowflake
from data.sql.codec import day_number, to_micros
from data.sql.server import SETTINGS
from data.sql.statement import Query, Read, Statement, all_rows, first_row_or, marks, read_row

DAY = 24 * 3600 * 1_000_000
WEEK = 7 * DAY
BY_CLOCK = f"({int(Termination.TIMED_OUT)}, {int(Termination.ABANDONED)})"


def joined_servers() -> Read[Sequence[Snowflake]]:
    """Read the servers of which it is known when the bot joined. Use it only at the start."""
    return all_rows("SELECT guild FROM guilds WHERE guild > 0 AND joined IS NOT NULL ORDER BY guild", (), int)


def member_servers() -> Read[Sequence[Snowflake]]:
    """Read the servers that the bot is a member of. Use it only at the start."""
    return all_rows("SELECT guild FROM guilds WHERE guild > 0 AND here = 1 ORDER BY guild", (), int)


def is_member(guild: Snowflake) -> Read[bool]:
    """Return True if the bot is a member of this server."""
    return first_row_or("SELECT here FROM guilds WHERE guild = ?", (guild,), bool, otherwise=False)


def count_daily(step: CountDaily) -> Iterator[Statement]:
    yield Statement(
        """INSERT INTO daily_counts (guild, day, what, number) VALUES (?, ?, ?, 1)
            ON CONFLICT (guild, day, what) DO UPDATE SET number = daily_counts.number + 1""",
        (step.guild, day_number(step.day), step.what),
    )


def note_joined(step: NoteJoined) -> Iterator[Statement]:
    """Make a row with the usual settings if there is none."""
    usual = SETTINGS.write(GuildSettings(step.guild, clock=0, place=""))
    known = "(guild) DO UPDATE SET joined = coalesce(guilds.joined, excluded.joined), here = 1"
    yield Statement(
        f"""INSERT INTO guilds ({SETTINGS}, joined, here) VALUES ({marks(len(usual) + 1)}, 1)
            ON CONFLICT {"DO NOTHING" if step.first else known}""",
        (*usual, None if step.at is None else to_micros(step.at)),
        1,
        f"server {step.guild} has a row already",
    )


def note_left(step: NoteLeft) -> Iterator[Statement]:
    yield Statement("UPDATE guilds SET here = 0 WHERE guild = ?", (step.guild,))


# --- figures ------------------------------------------------------------------------------------------------

PLAYED = f"""
SELECT week, count(DISTINCT "user") FROM (
    SELECT "user", (started - ?) / {WEEK} AS week FROM seats WHERE "user" > 0 AND started >= ? AND started < ?
    UNION ALL
    SELECT "user", (ended - ?) / {WEEK} AS week FROM seats WHERE "user" > 0 AND ended >= ? AND ended < ?
) played GROUP BY week ORDER BY week"""
"""People with a match that began or ended in the week."""

FIRST_MATCHES = f"""
WITH firsts AS (
    SELECT "user", min(started) AS began FROM seats WHERE "user" > 0 GROUP BY "user"
    HAVING min(started) >= ? AND min(started) < ?
)
SELECT week, count(*), sum(finished), sum(again), sum(back) FROM (
    SELECT (began - ?) / {WEEK} AS week,
        CASE WHEN EXISTS (SELECT 1 FROM seats s JOIN matches m ON m.id = s.match_id WHERE s."user" = f."user"
            AND s.started = began AND m.termination = {int(Termination.COMPLETED)}) THEN 1 ELSE 0 END AS finished,
        CASE WHEN EXISTS (SELECT 1 FROM seats s WHERE s."user" = f."user"
            AND s.started > began AND s.started < began + {WEEK}) THEN 1 ELSE 0 END AS again,
        CASE WHEN EXISTS (SELECT 1 FROM seats s WHERE s."user" = f."user"
            AND s.started >= began + {30 * DAY} AND s.started < began + {37 * DAY}) THEN 1 ELSE 0 END AS back
    FROM firsts f
) cohort GROUP BY week ORDER BY week"""
"""People whose first match began in the week: how many, how many finished it, began a second one within 7 days, and
came back in the week after the 30th day."""

NEXT_DAYS = """
WITH tries AS (
    SELECT "user", day FROM daily_tries WHERE day >= ? AND day <= ? GROUP BY "user", day
)
SELECT week, count(DISTINCT "user"), count(later), count(*) FROM (
    SELECT t."user", (t.day - ?) / 7 AS week, n.day AS later
    FROM tries t LEFT JOIN tries n ON n."user" = t."user" AND n.day = t.day + 1 WHERE t.day < ?
) days GROUP BY week ORDER BY week"""
"""Tries at the daily deal, and how many of them were followed by one on the next day."""

COUNTED = """
SELECT week, what, CAST(sum(number) AS BIGINT) FROM (
    SELECT (day - ?) / 7 AS week, what, number FROM daily_counts WHERE day >= ? AND day < ?
) counts GROUP BY week, what ORDER BY week, what"""

CHALLENGED = f"""
SELECT week, count(DISTINCT "user"), count(DISTINCT playing) FROM (
    SELECT p."user", (l.created - ?) / {WEEK} AS week,
        CASE WHEN l.state = {int(LobbyState.STARTED)} THEN p."user" END AS playing
    FROM lobbies l JOIN lobby_people p ON p.lobby_id = l.id
    WHERE l.kind = 'challenge' AND l.created >= ? AND l.created < ? AND p."user" > 0
) asked GROUP BY week ORDER BY week"""
"""People in challenges of the week, and in accepted ones: daily counts do not tell how many they are about."""

ENDED = f"""
SELECT week, count(DISTINCT "user"), count(DISTINCT late), count(DISTINCT id) FROM (
    SELECT (m.ended - ?) / {WEEK} AS week, m.id, s."user",
        CASE WHEN m.termination IN {BY_CLOCK} THEN m.id END AS late
    FROM matches m JOIN seats s ON s.match_id = m.id
    WHERE m.ended >= ? AND m.ended < ? AND m.clock > 0 AND s."user" > 0
) ended GROUP BY week ORDER BY week"""
"""Matches with a clock that ended in the week, and those that the clock ended."""

SERVERS = f"""
SELECT week, count(*), sum(active) FROM (
    SELECT (g.joined - ?) / {WEEK} AS week,
        CASE WHEN EXISTS (SELECT 1 FROM matches m WHERE m.guild = g.guild
            AND m.started >= g.joined + {8 * WEEK} AND m.started < g.joined + {9 * WEEK}) THEN 1 ELSE 0 END AS active
    FROM guilds g WHERE g.joined >= ? AND g.joined < ? AND g.guild > 0
) joined GROUP BY week ORDER BY week"""
"""Servers that the bot joined in the week, and those with a match in the week that began 8 weeks after it."""


def week_counts(since: datetime, weeks: int) -> Read[Sequence[WeekCount]]:
    """Read all figures of so many weeks from a moment on, also those that may not be told yet or at all."""
    first, day = to_micros(since), day_number(since.date())
    last, last_day = first + weeks * WEEK, day + 7 * weeks
    span, days = (first, first, last), (day, day, last_day)
    queries = (
        Query(PLAYED, (*span, *span), read_row),
        Query(FIRST_MATCHES, (first, last, first), read_row),
        Query(NEXT_DAYS, (day, last_day, day, last_day), read_row),
        Query(COUNTED, days, read_row),
        Query(CHALLENGED, span, read_row),
        Query(ENDED, span, read_row),
        Query(SERVERS, span, read_row),
    )
    return Read(queries, _combine)


def _combine(*found: Sequence[tuple[Any, ...]]) -> Sequence[WeekCount]:
    played, firsts, days, counted, asked, ended, servers = found
    daily: dict[int, dict[str, int]] = {}
    for week, what, number in counted:
        daily.setdefault(int(week), {})[what] = int(number)
    rows = [(Figure.PLAYED, week, n, n, n) for week, n in played]
    for week, n, finished, again, back in firsts:
        parts = ((Figure.FIRST_FINISHED, finished), (Figure.SECOND_MATCH, again), (Figure.BACK, back))
        rows += [(figure, week, n, part, n) for figure, part in parts]
    rows += [(Figure.DAILY_NEXT_DAY, *row) for row in days]
    people = {int(week): (int(n), int(playing)) for week, n, playing in asked}
    for week, numbers in daily.items():
        rows += _count_week(week, numbers, *people.get(week, (0, 0)))
    rows += [(Figure.BY_CLOCK, *row) for row in ended]
    rows += [(Figure.SERVERS, week, n, active, n) for week, n, active in servers]
    return [WeekCount(figure, *map(int, numbers)) for figure, *numbers in rows]


def _count_week(
    week: int, numbers: Mapping[str, int], challenged: int, playing: int
) -> list[tuple[Figure, int, int, int, int]]:
    """Return the figures of a week that come from daily counts.

    `challenged` is the number of people in challenges, `playing` of those in accepted ones.
    """
    begun, sent = numbers.get(DailyCount.LESSON_BEGUN, 0), numbers.get(DailyCount.CHALLENGE_SENT, 0)
    within: list[int] = []
    for _, bucket in ACCEPTED:
        within.append(numbers.get(bucket, 0) + (within[-1] if within else 0))
    quick = zip((Figure.IN_MINUTE, Figure.IN_TEN, Figure.IN_HOUR), within, strict=False)
    return [
        (Figure.LESSON_FINISHED, week, begun, numbers.get(DailyCount.LESSON_FINISHED, 0), begun),
        (Figure.ACCEPTED, week, challenged, within[-1], sent),
        *((figure, week, playing, part, within[-1]) for figure, part in quick),
    ]
