"""What is watched all the time: whose time has come, and what shows an old version."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import chain

from bot.referee.model.clock_changes import Unmarked
from bot.referee.model.model import Deadline, DeadlineKind, LobbyState, Surface, SurfaceKind, SurfaceState
from data.sql.codec import micros, time, time_or_none
from data.sql.statement import Query, Read, every, first
from data.sql.time_away import DUE, GIVEN, SCOPE, SHOWING, SHOWN, UNMARKED

# --- clocks -----------------------------------------------------------------------------------------------


def due(now: datetime, limit: int) -> Read[Sequence[Deadline]]:
    def which(moves: int, until: str) -> Query[Deadline]:
        return Query(
            f"""SELECT owner, kind, {DUE}, prompt FROM deadlines WHERE moves = {moves} AND due <= {until}
            ORDER BY due, owner, kind LIMIT ?""",
            (micros(now), limit),
            _deadline,
        )

    def made(moving: list[Deadline], fixed: list[Deadline]) -> Sequence[Deadline]:
        return sorted((*moving, *fixed), key=lambda one: (one.due, one.owner, one.kind))[:limit]

    return Read((which(1, f"? - {GIVEN}"), which(0, "?")), made)


def _deadline(owner: str, kind: int, at: int, prompt: int) -> Deadline:
    return Deadline(owner, DeadlineKind(kind), time(at), prompt)


def deadlines_of(owner: str) -> Read[Sequence[Deadline]]:
    return every(
        Query(
            f"SELECT owner, kind, {DUE}, prompt FROM deadlines WHERE owner = ? ORDER BY owner, kind",
            (owner,),
            _deadline,
        )
    )


def next_due() -> Read[datetime | None]:
    def made(*found: list[datetime | None]) -> datetime | None:
        return min((one for (one,) in found if one is not None), default=None)

    moving = f"SELECT min(due) + {GIVEN} FROM deadlines WHERE moves = 1"
    fixed = "SELECT min(due) FROM deadlines WHERE moves = 0"
    return Read((Query(moving, (), time_or_none), Query(fixed, (), time_or_none)), made)


def heartbeat() -> Read[datetime | None]:
    return first(Query("SELECT at FROM heartbeat", (), time))


# --- surfaces ---------------------------------------------------------------------------------------------

SURFACES = f"""SELECT owner, kind, "user", channel, message, {SHOWN}, posted, token, token_until, token_app, state, id
    FROM surfaces"""


def behind(limit: int) -> Read[Sequence[Surface]]:
    """Oldest first."""
    where = "WHERE state = 'live' AND shown < wanted ORDER BY id LIMIT ?"
    return every(Query(f"{SURFACES} {where}", (limit,), _surface))


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


def surfaces(owner: str) -> Read[Sequence[Surface]]:
    return every(Query(f"{SURFACES} WHERE owner = ? AND state <> 'gone' ORDER BY id", (owner,), _surface))


def _surface(
    owner: str,
    kind: int,
    user: int,
    channel: int,
    message: int,
    shown: int,
    posted: int,
    token: str,
    until: int | None,
    app: int,
    state: str,
    id: int,
) -> Surface:
    return Surface(
        *(owner, SurfaceKind(kind), user, channel, message, shown, time(posted)),
        *(token, time_or_none(until), app, SurfaceState(state), id),
    )


def unfinished() -> Read[tuple[list[str], list[str]]]:
    """Live matches, and open challenges and tables."""

    def made(live: list[str], asked: list[str]) -> tuple[list[str], list[str]]:
        return live, asked

    live = Query("SELECT id FROM matches WHERE live = 1 ORDER BY id", (), str)
    asked = Query(f"SELECT id FROM lobbies WHERE state = {int(LobbyState.OPEN)} ORDER BY id", (), str)
    return Read((live, asked), made)


def crowd() -> Read[tuple[int, int]]:
    """How many matches are live, and how many messages are behind."""

    def made(live: list[int], behind: list[int]) -> tuple[int, int]:
        return live[0], behind[0]

    live = Query("SELECT count(*) FROM matches WHERE live = 1", (), int)
    behind = Query("SELECT count(*) FROM surfaces WHERE state = 'live' AND shown < wanted", (), int)
    return Read((live, behind), made)
