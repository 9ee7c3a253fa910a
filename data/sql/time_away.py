"""Times and versions that are stored less the time away, so that giving time back writes one row.

Of a live match with a clock these are its deadline, its seconds away and its version; of an open lobby its end and its
version; of a deadline its time, unless it goes by the calendar. Statements subtract the sums of that row and queries
add them, so that the store tells true times. A change that was worked out before time was given back is a conflict, for
the version has another number by then.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from bot.referee.model import changes as c
from bot.referee.model.clock_changes import Unmarked
from bot.referee.model.model import LobbyState, SurfaceKind
from data.sql.codec import MICROSECOND, micros
from data.sql.statement import Query, Read, Statement

SCOPE = 0
"""the only one so far"""


def _sum(column: str) -> str:
    return f"coalesce((SELECT {column} FROM time_away WHERE scope = {SCOPE}), 0)"


GIVEN, TOLD, TIMES = _sum("given"), _sum("told"), _sum("times")

CLOCKED = "matches.live = 1 AND matches.deadline IS NOT NULL"

OPEN = f"lobbies.state = {int(LobbyState.OPEN)}"


def _now(column: str, moves: str, by: str) -> str:
    return f"({column} + CASE WHEN {moves} THEN {by} ELSE 0 END)"


MATCH_DEADLINE = _now("matches.deadline", CLOCKED, GIVEN)

MATCH_AWAY = _now("matches.away", CLOCKED, TOLD)

MATCH_VERSION = _now("matches.version", CLOCKED, TIMES)

LOBBY_EXPIRES = _now("lobbies.expires", OPEN, GIVEN)

LOBBY_VERSION = _now("lobbies.version", OPEN, TIMES)

DUE = f"(due + moves * {GIVEN})"
"""what a row says now"""

LESS_GIVEN, LESS_TOLD, LESS_TIMES = (f"? - ? * {one}" for one in (GIVEN, TOLD, TIMES))
"""how a value is stored: its second parameter is 1 where it goes by the time away, 0 where not"""

LOBBY = int(SurfaceKind.LOBBY)

SHOWN = f"""CASE WHEN shown < wanted THEN shown
    WHEN kind = {LOBBY} THEN coalesce((SELECT {LOBBY_VERSION} FROM lobbies
        WHERE id = owner AND {LOBBY_VERSION} > shown), shown)
    ELSE coalesce((SELECT {MATCH_VERSION} FROM matches WHERE id = owner AND {MATCH_VERSION} > shown), shown) END"""
"""What a surface counts as showing: the version that was given a number by nothing but time given back, unless it is
marked as behind."""

UP_TO_DATE = "shown = CASE WHEN shown >= wanted AND shown < ? THEN ? ELSE shown END, wanted = ?"
"""Before a new version is wanted, the version before it, twice, is what such a surface shows."""

UNMARKED = f"(SELECT unmarked FROM time_away WHERE scope = {SCOPE})"

_NOTED = f"surfaces.state <> 'gone' AND noted >= {UNMARKED}"

SHOWING = (
    ("matches", CLOCKED, "channel, id", MATCH_VERSION, f"kind <> {LOBBY} AND {_NOTED}"),
    ("lobbies", OPEN, "guild, created, id", LOBBY_VERSION, f"kind = {LOBBY} AND {_NOTED}"),
)
"""Of what goes by the time away: its table, which rows do, the order of the index that finds them, their version, and
which surfaces show an old one."""


def unmarked() -> Read[Unmarked | None]:
    def made(times: list[int], *owners: list[str]) -> Unmarked | None:
        return Unmarked(tuple(sorted(chain(*owners))), times[0]) if times else None

    times = "SELECT times FROM time_away WHERE scope = ? AND unmarked IS NOT NULL"
    return Read((Query(times, (SCOPE,), int), *(_showing_old(*one) for one in SHOWING)), made)


def _showing_old(table: str, moves: str, order: str, version: str, which: str) -> Query[str]:
    return Query(
        f"""SELECT id FROM {table} WHERE {UNMARKED} IS NOT NULL AND {moves} AND EXISTS
            (SELECT 1 FROM surfaces WHERE owner = {table}.id AND {which} AND wanted < {version})
            ORDER BY {order}""",
        (),
        str,
    )


def shift_deadlines(step: c.ShiftDeadlines) -> Iterator[Statement]:
    since = micros(step.doubted) if step.unseen else 0
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
