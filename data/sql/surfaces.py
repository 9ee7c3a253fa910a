"""Messages that show a match or a challenge, and which of them are behind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.referee.model import changes as c
from bot.referee.model.model import LobbyState
from bot.referee.model.partitions import partition_of
from bot.referee.model.surfaces import Surface, SurfaceKind
from data.sql.codec import Columns
from data.sql.deadlines import (
    CLOCKED,
    GOING,
    LOBBY,
    LOBBY_EXPIRES,
    MATCH_DEADLINE,
    OPEN,
    OWN,
    SETTLED,
    SHOWN,
    select_wanted,
)
from data.sql.statement import Query, Read, Statement, all_rows, marks

STORED, SURFACE = Columns(Surface, match="owner"), Columns(Surface, without=("id",), match="owner")
SURFACES = f"SELECT {STORED.select(shown=SHOWN)} FROM surfaces"


DEADLINE = f"""coalesce((SELECT {MATCH_DEADLINE} FROM matches WHERE matches.id = owner),
    (SELECT {LOBBY_EXPIRES} FROM lobbies WHERE lobbies.id = owner AND {OPEN}), 0)"""


def select_behind(where: str = "") -> str:
    """Return the query of the ids of the surfaces that are behind, with a condition for them."""
    return " UNION ALL ".join(
        f"""SELECT surfaces.id FROM surfaces JOIN {table} ON {table}.id = surfaces.owner
        WHERE pending > {SETTLED} AND surfaces.state IN ('live', 'read') AND surfaces.kind {which} {LOBBY}
        AND shown < {select_wanted(table, moves)} {where}"""
        for table, moves, which in (("matches", CLOCKED, "<>"), ("lobbies", OPEN, "="))
    )


def behind(process: int, limit: int = 200) -> Read[Sequence[Surface]]:
    """Read the surfaces of the partitions of a process that are behind: those without a deadline first, then the
    soonest."""
    own = select_behind(f"AND surfaces.partition IN {OWN}")
    where = f"WHERE id IN ({own}) ORDER BY {DEADLINE}, id LIMIT ?"
    return all_rows(f"{SURFACES} {where}", (process, process, limit), STORED.read)


def surfaces(match: str) -> Read[Sequence[Surface]]:
    """Read every surface of a match or lobby that is not gone."""
    return all_rows(f"{SURFACES} WHERE owner = ? AND state <> 'gone' ORDER BY id", (match,), STORED.read)


def unfinished(process: int) -> Read[tuple[list[str], list[str]]]:
    """Read the ids of live matches, and of open lobbies, in the partitions of a process."""

    def combine(live: list[str], open_lobbies: list[str]) -> tuple[list[str], list[str]]:
        return live, open_lobbies

    live, open_lobbies = (
        Query(f"SELECT id FROM {table} WHERE {state} AND partition IN {OWN} ORDER BY id", (process,), str)
        for table, state in (("matches", "live = 1"), ("lobbies", f"state = {int(LobbyState.OPEN)}"))
    )
    return Read((live, open_lobbies), combine)


def count_load() -> Read[tuple[int, int]]:
    """Count the live matches, and the surfaces that are behind."""

    def combine(live: list[int], behind: list[int]) -> tuple[int, int]:
        return live[0], behind[0]

    live = Query("SELECT count(*) FROM matches WHERE live = 1", (), int)
    behind = Query(f"SELECT count(*) FROM ({select_behind()}) AS behind", (), int)
    return Read((live, behind), combine)


STARTED = int(LobbyState.STARTED)

NOTED = """SELECT coalesce(at, 0) AS noted, coalesce(given, 0) AS given, coalesce(times, 0) AS times
    FROM partitions LEFT JOIN heartbeats ON process = partitions.owner
    LEFT JOIN time_away ON time_away.partition = partitions.partition WHERE partitions.partition = {}"""
"""Last heartbeat before the shown version was noted, and the time away by then. `deadlines.UNMARKED` is also a
heartbeat."""


def put_surface(step: c.PutSurface) -> Iterator[Statement]:
    surface = step.surface
    is_lobby = surface.kind is SurfaceKind.LOBBY
    partition = partition_of(surface.match)
    last = f"coalesce((SELECT version FROM {'lobbies' if is_lobby else 'matches'} WHERE id = ? AND version > ?), 0)"
    if surface.id:
        # Nobody else's change is waited for: a last version that is saved meanwhile is not read, but pending already.
        pending = f"""CASE WHEN owner <> ? OR kind <> ? THEN {GOING} WHEN ? < pending THEN pending ELSE {last} END"""
        yield Statement(
            f"""UPDATE surfaces SET {SURFACE.assignments()}, (noted, given, times) = ({NOTED.format("?")}),
                pending = {pending} WHERE id = ? {f"AND kind = {LOBBY}" if is_lobby else ""}
                RETURNING id""",
            (
                *(*SURFACE.write(surface), partition, surface.match, int(surface.kind)),
                *(surface.shown, surface.match, surface.shown, surface.id),
            ),
            1,
            f"surface {surface.id} is gone, or a board by now",
            gives_id=True,
        )
    else:
        going = f"lobbies WHERE id = ? AND {OPEN}" if is_lobby else "matches WHERE id = ? AND live = 1"
        # The message of a challenge becomes the board, so a match never has rows of both. Its post and the first press
        # can also race to insert the same message; only one row is inserted.
        there = f"SELECT 1 FROM surfaces WHERE owner = ? AND state <> 'gone' AND kind = {LOBBY}"
        started = f"SELECT 1 FROM lobbies WHERE id = ? AND state = {STARTED}"
        unless = {
            SurfaceKind.LOBBY: (
                f"{started} UNION ALL {there} AND message = ?",
                (surface.match, surface.match, surface.message),
            ),
            SurfaceKind.BOARD: (there, (surface.match,)),
        }.get(surface.kind)
        yield Statement(
            f"""INSERT INTO surfaces ({SURFACE}, noted, given, times, pending, partition)
                SELECT {marks(len(SURFACE.names))}, noted, given, times,
                CASE WHEN EXISTS (SELECT 1 FROM {going}) THEN {GOING} ELSE {last} END, ?
                FROM ({NOTED.format("?")}) AS now
                {f"WHERE NOT EXISTS ({unless[0]})" if unless else ""} RETURNING id""",
            (
                *(*SURFACE.write(surface), surface.match, surface.match, surface.shown, partition, partition),
                *(unless[1] if unless else ()),
            ),
            1,
            f"{surface.match} has started, or is shown as a challenge",
            gives_id=True,
        )


def surface_shown(step: c.SurfaceShown) -> Iterator[Statement]:
    yield Statement(
        f"""UPDATE surfaces SET shown = ?, (noted, given, times) = ({NOTED.format("surfaces.partition")}),
        pending = CASE WHEN ? < pending THEN pending ELSE {SETTLED} END
        WHERE id = ? AND message = ? AND shown < ?""",
        (step.shown, step.shown, step.id, step.message, step.shown),
    )


def drop_surface(step: c.DropSurface) -> Iterator[Statement]:
    yield Statement("DELETE FROM surfaces WHERE id = ?", (step.id,))
