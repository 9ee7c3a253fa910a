"""Deadlines, the heartbeat of the bot that watches them, and the time away, by which all of them move at once.

Some times and versions are stored less the time away, so that giving time back writes one row. Of a live match with a
clock these are its deadline, its seconds away and its version. Of an open lobby they are its end and its version; of a
deadline its time, unless it goes by the calendar. Statements subtract the sums of that row and queries add them, so the
store returns true times. A change that was prepared before time was given back is a conflict, for the version changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain

from bot.referee.model import changes as c
from bot.referee.model.clock_changes import Unmarked
from bot.referee.model.model import BY_CALENDAR, Deadline, DeadlineKind, LobbyState, SurfaceKind
from data.sql.codec import MICROSECOND, Columns, read_time, read_time_or_none, to_micros
from data.sql.statement import Query, Read, Statement, all_rows, first_row, upsert

SCOPE = 0
"""Key of the only row of `time_away`."""


def _select_sum(column: str) -> str:
    return f"coalesce((SELECT {column} FROM time_away WHERE scope = {SCOPE}), 0)"


GIVEN, TOLD, TIMES = _select_sum("given"), _select_sum("told"), _select_sum("times")

CLOCKED = "matches.live = 1 AND matches.deadline IS NOT NULL"

OPEN = f"lobbies.state = {int(LobbyState.OPEN)}"


def _add_time_away(column: str, moves: str, by: str) -> str:
    return f"({column} + CASE WHEN {moves} THEN {by} ELSE 0 END)"


MATCH_DEADLINE = _add_time_away("matches.deadline", CLOCKED, GIVEN)

MATCH_AWAY = _add_time_away("matches.away", CLOCKED, TOLD)

MATCH_VERSION = _add_time_away("matches.version", CLOCKED, TIMES)

LOBBY_EXPIRES = _add_time_away("lobbies.expires", OPEN, GIVEN)

LOBBY_VERSION = _add_time_away("lobbies.version", OPEN, TIMES)

DUE = f"(due + moves * {GIVEN})"
"""Present value of each column."""

LESS_GIVEN, LESS_TOLD, LESS_TIMES = (f"? - ? * {away}" for away in (GIVEN, TOLD, TIMES))
"""Stored value. The second parameter is 1 if it moves with the time away, else 0."""

LOBBY = int(SurfaceKind.LOBBY)

SHOWN = f"""CASE WHEN shown < wanted THEN shown
    WHEN kind = {LOBBY} THEN coalesce((SELECT {LOBBY_VERSION} FROM lobbies
        WHERE id = owner AND {LOBBY_VERSION} > shown), shown)
    ELSE coalesce((SELECT {MATCH_VERSION} FROM matches WHERE id = owner AND {MATCH_VERSION} > shown), shown) END"""
"""Version that a surface counts as showing. Versions that only give time back need no edit, unless the surface is
marked as behind."""

UP_TO_DATE = "shown = CASE WHEN shown >= wanted AND shown < ? THEN ? ELSE shown END, wanted = ?"
"""Assignments that set the version a surface should show. The first two parameters are the version before: an
up-to-date surface counts as showing that one."""

UNMARKED = f"(SELECT unmarked FROM time_away WHERE scope = {SCOPE})"

_NOTED = f"surfaces.state <> 'gone' AND noted >= {UNMARKED}"

SHOWING = (
    ("matches", CLOCKED, "channel, id", MATCH_VERSION, f"kind <> {LOBBY} AND {_NOTED}"),
    ("lobbies", OPEN, "guild, created, id", LOBBY_VERSION, f"kind = {LOBBY} AND {_NOTED}"),
)
"""What moves with the time away: table, condition for its rows, order of the index, version, and condition for the
surfaces that show old times."""


def unmarked() -> Read[Unmarked | None]:
    """Read the surfaces to mark after downtime was credited; None if there are none."""

    def combine(times: list[int], *owners: list[str]) -> Unmarked | None:
        return Unmarked(tuple(sorted(chain(*owners))), times[0]) if times else None

    times = "SELECT times FROM time_away WHERE scope = ? AND unmarked IS NOT NULL"
    return Read((Query(times, (SCOPE,), int), *(_query_stale(*table) for table in SHOWING)), combine)


def _query_stale(table: str, moves: str, order: str, version: str, which: str) -> Query[str]:
    return Query(
        f"""SELECT id FROM {table} WHERE {UNMARKED} IS NOT NULL AND {moves} AND EXISTS
            (SELECT 1 FROM surfaces WHERE owner = {table}.id AND {which} AND wanted < {version})
            ORDER BY {order}""",
        (),
        str,
    )


def shift_deadlines(step: c.ShiftDeadlines) -> Iterator[Statement]:
    since = to_micros(step.doubted) if step.unseen else 0
    yield Statement(
        f"""INSERT INTO time_away (scope, given, told, times, unmarked) VALUES ({SCOPE}, ?, ?, 1, ?)
        ON CONFLICT (scope) DO UPDATE SET given = time_away.given + excluded.given,
            told = time_away.told + excluded.told, times = time_away.times + 1, unmarked = coalesce(
                CASE WHEN time_away.unmarked < excluded.unmarked THEN time_away.unmarked END,
                excluded.unmarked, time_away.unmarked)""",
        (step.by // MICROSECOND, max(round(step.by.total_seconds()), 0) if step.told else 0, since),
    )


def mark_behind(step: c.MarkBehind) -> Iterator[Statement]:
    for table, moves, _, version, which in SHOWING:
        yield Statement(
            f"""UPDATE surfaces SET wanted = (SELECT {version} FROM {table} WHERE id = owner)
            WHERE owner = ? AND {which} AND EXISTS (SELECT 1 FROM {table} WHERE id = owner AND {moves})""",
            (step.owner,),
        )


def end_marking(step: c.EndMarking) -> Iterator[Statement]:
    yield Statement(f"UPDATE time_away SET unmarked = NULL WHERE scope = {SCOPE} AND times = ?", (step.times,))


DEADLINE = Columns(Deadline)
DEADLINES = f"SELECT {DEADLINE.select(due=DUE)} FROM deadlines"


def due(now: datetime, limit: int = 100) -> Read[Sequence[Deadline]]:
    """Read due deadlines, earliest first."""

    def query(moves: int, until: str) -> Query[Deadline]:
        return Query(
            f"{DEADLINES} WHERE moves = {moves} AND due <= {until} ORDER BY due, owner, kind LIMIT ?",
            (to_micros(now), limit),
            DEADLINE.read,
        )

    def combine(moving: list[Deadline], fixed: list[Deadline]) -> Sequence[Deadline]:
        return sorted((*moving, *fixed), key=lambda deadline: (deadline.due, deadline.owner, deadline.kind))[:limit]

    return Read((query(1, f"? - {GIVEN}"), query(0, "?")), combine)


def deadlines_of(owner: str) -> Read[Sequence[Deadline]]:
    """Read what is due for a match, a lobby or a server."""
    return all_rows(f"{DEADLINES} WHERE owner = ? ORDER BY owner, kind", (owner,), DEADLINE.read)


def next_due() -> Read[datetime | None]:
    """Read when the next deadline is due."""

    def combine(*dates: list[datetime | None]) -> datetime | None:
        return min((date for (date,) in dates if date is not None), default=None)

    moving = f"SELECT min(due) + {GIVEN} FROM deadlines WHERE moves = 1"
    fixed = "SELECT min(due) FROM deadlines WHERE moves = 0"
    return Read((Query(moving, (), read_time_or_none), Query(fixed, (), read_time_or_none)), combine)


def heartbeat() -> Read[datetime | None]:
    return first_row("SELECT at FROM heartbeat", (), read_time)


PUT_DEADLINE = upsert("deadlines", "owner, kind", "due, prompt, moves", {"due": LESS_GIVEN})

HEARTBEAT = upsert("heartbeat", '"only"', "at")


def set_deadline(step: c.SetDeadline) -> Iterator[Statement]:
    deadline = step.deadline
    moves = deadline.kind not in BY_CALENDAR
    yield Statement(
        PUT_DEADLINE, (deadline.owner, deadline.kind, to_micros(deadline.due), moves, deadline.prompt, moves)
    )


def drop_deadlines(step: c.DropDeadlines) -> Iterator[Statement]:
    filters = {"owner": step.owner, "kind": step.kind, "prompt": step.prompt, DUE: to_micros(step.due)}
    conditions = {column: value for column, value in filters.items() if value is not None}
    yield Statement(
        f"DELETE FROM deadlines WHERE {' AND '.join(f'{column} = ?' for column in conditions)}", (*conditions.values(),)
    )


def move_deadlines(step: c.MoveDeadlines) -> Iterator[Statement]:
    yield Statement(
        f"UPDATE deadlines SET due = due + ? WHERE owner = ? AND kind <> {int(DeadlineKind.PAUSED)}",
        (step.by // MICROSECOND, step.owner),
    )


def put_off(step: c.PutOff) -> Iterator[Statement]:
    deadline = step.deadline
    yield Statement(
        f"UPDATE deadlines SET due = ? - moves * {GIVEN} WHERE owner = ? AND kind = ? AND prompt = ?",
        (to_micros(deadline.due), deadline.owner, deadline.kind, deadline.prompt),
    )


def write_heartbeat(step: c.Heartbeat) -> Iterator[Statement]:
    yield Statement(HEARTBEAT, (1, to_micros(step.at)))
