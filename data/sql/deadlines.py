"""Deadlines, the heartbeat of the process that watches them, and the time away, by which all of them move at once.

Some times and versions are stored less the time away of their partition, so that giving time back writes one row for
each partition. Of a live match with a clock these are its deadline, its seconds away and its version. Of an open lobby
they are its end and its version; of a deadline its time, unless it goes by the calendar. Statements subtract the sums
of that row and queries add them, so the store returns true times. A change that was prepared before time was given back
is a conflict, for the version changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import chain

from bot.referee.model import changes as c
from bot.referee.model.clock_changes import NEXT_DM, Unmarked
from bot.referee.model.model import BY_CALENDAR, Deadline, DeadlineKind, LobbyState
from bot.referee.model.partitions import partition_of_owner
from bot.referee.model.surfaces import SurfaceKind
from data.sql.codec import MICROSECOND, Columns, read_time, read_time_or_none, to_micros
from data.sql.statement import Query, Read, Statement, all_rows, marks, one_row, read_row, upsert

OWN = "(SELECT partition FROM partitions WHERE owner = ?)"
"""The partitions of a process."""


def _select_sum(column: str, partition: str) -> str:
    return f"coalesce((SELECT {column} FROM time_away WHERE time_away.partition = {partition}), 0)"


def select_given(partition: str) -> str:
    """Return the query of the time away that was given back so far."""
    return _select_sum("given", partition)


CLOCKED = "matches.live = 1 AND matches.deadline IS NOT NULL"

OPEN = f"lobbies.state = {int(LobbyState.OPEN)}"


def _add_time_away(table: str, column: str, moves: str, by: str) -> str:
    return f"({table}.{column} + CASE WHEN {moves} THEN {_select_sum(by, f'{table}.partition')} ELSE 0 END)"


MATCH_DEADLINE = _add_time_away("matches", "deadline", CLOCKED, "given")

MATCH_AWAY = _add_time_away("matches", "away", CLOCKED, "told")

MATCH_VERSION = _add_time_away("matches", "version", CLOCKED, "times")

LOBBY_EXPIRES = _add_time_away("lobbies", "expires", OPEN, "given")

LOBBY_VERSION = _add_time_away("lobbies", "version", OPEN, "times")

DUE = f"(due + moves * {_select_sum('given', 'deadlines.partition')})"
"""Present value of each column."""

LESS_GIVEN, LESS_TOLD, LESS_TIMES = (f"? - ? * {_select_sum(away, '?')}" for away in ("given", "told", "times"))
"""Stored value. The second parameter is 1 if it moves with the time away, else 0; the third is its partition."""

LOBBY = int(SurfaceKind.LOBBY)

LATEST = 2**62
"""A time after all heartbeats, and a version after all others."""

GOING, SETTLED = LATEST, 0
"""Values of `pending`: the match or lobby goes on, or its last version is shown. Between them it is that version."""


TIMES = _select_sum("times", "surfaces.partition")
"""How often time was given back so far."""


def select_wanted(table: str, moves: str) -> str:
    """Return the version that a surface of a match or lobby should show. Those that only gave time back after the last
    note need no edit."""
    return f"({table}.version + CASE WHEN {moves} THEN surfaces.times ELSE 0 END)"


def _select_later(table: str, moves: str) -> str:
    """Return how often time was given back after the last note of a surface."""
    return f"coalesce((SELECT {TIMES} - surfaces.times FROM {table} WHERE id = owner AND {moves}), 0)"


SHOWN = f"""shown + CASE WHEN kind = {LOBBY} THEN {_select_later("lobbies", OPEN)}
    ELSE {_select_later("matches", CLOCKED)} END"""
"""Version that a surface counts as showing: by those that only gave time back it is not further behind."""

UNMARKED = "(SELECT unmarked FROM time_away WHERE time_away.partition = {}.partition)"

EARLY = 10_000_000
"""Microseconds by which a deadline may be shown too early."""

MATCH_EARLY = f"""(SELECT CASE WHEN clock BETWEEN 1 AND 99 THEN clock * {EARLY // 100} ELSE {EARLY} END
    FROM matches WHERE matches.id = surfaces.owner)"""
"""The same for a match: a tenth of its clock, if that is less."""


def _select_stale(early: str) -> str:
    given = f"{select_given('surfaces.partition')} - surfaces.given"
    return f"""surfaces.state <> 'gone' AND
        (noted >= {UNMARKED.format("surfaces")} OR {given} NOT BETWEEN 0 AND {early})"""


SHOWING = (
    ("matches", CLOCKED, "channel, id", f"kind <> {LOBBY} AND {_select_stale(MATCH_EARLY)}"),
    ("lobbies", OPEN, "guild, created, id", f"kind = {LOBBY} AND {_select_stale(str(EARLY))}"),
)
"""What moves with the time away: table, condition for its rows, order of the index, and condition for the surfaces that
show old times."""


def unmarked(process: int) -> Read[Unmarked | None]:
    """Read the surfaces to mark after downtime was credited; None if there are none."""

    def combine(times: list[tuple[int, int]], *found: list[tuple[str, int]]) -> Unmarked | None:
        urgent = dict(sorted(chain(*found)))
        early = frozenset(owner for owner in urgent if not urgent[owner])
        return Unmarked(tuple(urgent), tuple(times), early) if times else None

    times = (
        f"SELECT partition, times FROM time_away WHERE unmarked IS NOT NULL AND partition IN {OWN} ORDER BY partition"
    )
    queries = (_query_stale(process, *table) for table in SHOWING)
    return Read((Query(times, (process,), read_row), *queries), combine)


def _query_stale(process: int, table: str, moves: str, order: str, which: str) -> Query[tuple[str, int]]:
    is_urgent = f"shown < {select_wanted(table, moves)} OR noted >= {UNMARKED.format('surfaces')}"
    urgent = f"state <> 'gone' AND ({is_urgent})"
    return Query(
        f"""SELECT id, CASE WHEN EXISTS (SELECT 1 FROM surfaces WHERE owner = {table}.id AND {urgent}) THEN 1 ELSE 0 END
            FROM {table} WHERE {UNMARKED.format(table)} IS NOT NULL AND partition IN {OWN} AND {moves}
            AND EXISTS (SELECT 1 FROM surfaces WHERE owner = {table}.id AND {which} AND surfaces.times < {TIMES})
            ORDER BY {order}""",
        (process,),
        read_row,
    )


def shift_deadlines(step: c.ShiftDeadlines) -> Iterator[Statement]:
    since = (LATEST if step.doubted is None else to_micros(step.doubted)) if step.unseen else 0
    owed = {"owner": step.process, "partition": step.partition, "away_since": step.since and to_micros(step.since)}
    known = {column: value for column, value in owed.items() if value is not None}
    which = " AND ".join(f"{column} = ?" for column in known)
    shift = Statement(
        f"""INSERT INTO time_away (partition, given, told, times, unmarked)
            SELECT partition, ?, ?, 1, ? FROM partitions WHERE {which}
        ON CONFLICT (partition) DO UPDATE SET given = time_away.given + excluded.given,
            told = time_away.told + excluded.told, times = time_away.times + 1, unmarked = coalesce(
                CASE WHEN time_away.unmarked < excluded.unmarked THEN time_away.unmarked END,
                excluded.unmarked, time_away.unmarked)""",
        (step.by // MICROSECOND, max(round(step.by.total_seconds()), 0) if step.told else 0, since, *known.values()),
    )
    if step.by:
        yield shift
    if step.since is not None:
        yield Statement(f"UPDATE partitions SET away_since = NULL WHERE {which}", (*known.values(),))
    if step.by < timedelta() and step.partition is None:
        yield Statement(EARLIER_DM, (step.by // MICROSECOND,))


EARLIER_DM = f"UPDATE notes SET value = CAST(CAST(value AS BIGINT) + ? AS TEXT) WHERE key = '{NEXT_DM}'"
"""After a clock was set back, or a start with a slow one, the next DM channel is opened as soon as before."""


def mark_behind(step: c.MarkBehind) -> Iterator[Statement]:
    for table, moves, _, which in SHOWING:
        yield Statement(
            f"""UPDATE surfaces SET shown = 0, times = {TIMES}, pending = {GOING}
            WHERE owner = ? AND {which} AND EXISTS (SELECT 1 FROM {table} WHERE id = owner AND {moves})""",
            (step.owner,),
        )


def end_marking(step: c.EndMarking) -> Iterator[Statement]:
    for partition, times in sorted(step.times):  # in the order of every such change: they cannot deadlock
        yield Statement("UPDATE time_away SET unmarked = NULL WHERE partition = ? AND times = ?", (partition, times))


DEADLINE = Columns(Deadline)
DEADLINES = f"SELECT {DEADLINE.select(due=DUE)} FROM deadlines"


MINE = """(SELECT partitions.partition AS part, coalesce(time_away.given, 0) AS given FROM partitions
    LEFT JOIN time_away ON time_away.partition = partitions.partition WHERE partitions.owner = ?) AS mine"""
"""The partitions of a process, with the time that was given back to each."""


def due(process: int, now: datetime, limit: int = 100) -> Read[Sequence[Deadline]]:
    """Read due deadlines of the partitions of a process, earliest first."""

    def query(moves: int) -> Query[Deadline]:
        return Query(
            f"""SELECT {DEADLINE.select(due=f"due + {moves} * mine.given")} FROM {MINE} CROSS JOIN deadlines
            WHERE deadlines.partition = mine.part AND moves = {moves} AND due <= ? - {moves} * mine.given
            ORDER BY due + {moves} * mine.given, owner, kind LIMIT ?""",
            (process, to_micros(now), limit),
            DEADLINE.read,
        )

    def combine(moving: list[Deadline], fixed: list[Deadline]) -> Sequence[Deadline]:
        return sorted((*moving, *fixed), key=lambda deadline: (deadline.due, deadline.owner, deadline.kind))[:limit]

    return Read((query(1), query(0)), combine)


def deadlines_of(owner: str) -> Read[Sequence[Deadline]]:
    """Read what is due for a match, a lobby or a server."""
    return all_rows(f"{DEADLINES} WHERE owner = ? ORDER BY owner, kind", (owner,), DEADLINE.read)


def next_due(process: int) -> Read[datetime | None]:
    """Read when the next deadline of the partitions of a process is due."""

    def combine(*dates: list[datetime | None]) -> datetime | None:
        return min((date for (date,) in dates if date is not None), default=None)

    def query(moves: int) -> Query[datetime | None]:
        first = f"(SELECT min(due) FROM deadlines WHERE deadlines.partition = mine.part AND moves = {moves})"
        return Query(f"SELECT min({first} + {moves} * mine.given) FROM {MINE}", (process,), read_time_or_none)

    return Read((query(1), query(0)), combine)


def heartbeat() -> Read[datetime | None]:
    """Read the last heartbeat of any process."""
    return one_row("SELECT max(at) FROM heartbeats", (), read_time_or_none)


def heartbeat_of(process: int) -> Read[datetime | None]:
    """Read the last heartbeat of one process."""
    return one_row("SELECT max(at) FROM heartbeats WHERE process = ?", (process,), read_time_or_none)


def absences(process: int) -> Read[Sequence[tuple[int, datetime]]]:
    """Read since when the partitions of a process had no owner, of those to which that time is not given back yet."""
    sql = "SELECT partition, away_since FROM partitions WHERE owner = ? AND away_since IS NOT NULL ORDER BY partition"

    def read(partition: int, since: int) -> tuple[int, datetime]:
        return partition, read_time(since)

    return all_rows(sql, (process,), read)


PUT_DEADLINE = upsert("deadlines", "owner, kind", "due, prompt, moves, partition", {"due": LESS_GIVEN})

HEARTBEAT = upsert("heartbeats", "process", "at")


def set_deadline(step: c.SetDeadline) -> Iterator[Statement]:
    deadline = step.deadline
    moves, partition = deadline.kind not in BY_CALENDAR, partition_of_owner(deadline.owner)
    yield Statement(
        PUT_DEADLINE,
        (
            *(deadline.owner, deadline.kind),
            *(to_micros(deadline.due), moves, partition),
            *(deadline.prompt, moves, partition),
        ),
    )


def drop_deadlines(step: c.DropDeadlines) -> Iterator[Statement]:
    filters = {"owner": step.owner, "kind": step.kind, "prompt": step.prompt, DUE: to_micros(step.due)}
    conditions = {column: value for column, value in filters.items() if value is not None}
    wheres = [f"{column} = ?" for column in conditions] + [f"kind NOT IN ({marks(len(step.keep))})"] * bool(step.keep)
    yield Statement(f"DELETE FROM deadlines WHERE {' AND '.join(wheres)}", (*conditions.values(), *step.keep))


def move_deadlines(step: c.MoveDeadlines) -> Iterator[Statement]:
    yield Statement(
        f"UPDATE deadlines SET due = due + ? WHERE owner = ? AND kind <> {int(DeadlineKind.PAUSED)}",
        (step.by // MICROSECOND, step.owner),
    )


def put_off(step: c.PutOff) -> Iterator[Statement]:
    deadline = step.deadline
    sql = f"""UPDATE deadlines SET due = ? - moves * {_select_sum("given", "deadlines.partition")}
        WHERE owner = ? AND kind = ? AND prompt = ?"""
    params = to_micros(deadline.due), deadline.owner, deadline.kind, deadline.prompt
    if step.was is None:
        yield Statement(sql, params)
    else:
        failure = f"the deadline of {deadline.owner} has moved"
        yield Statement(f"{sql} AND {DUE} = ?", (*params, to_micros(step.was)), 1, failure)


def write_heartbeat(step: c.Heartbeat) -> Iterator[Statement]:
    yield Statement(HEARTBEAT, (step.process, to_micros(step.at)))
