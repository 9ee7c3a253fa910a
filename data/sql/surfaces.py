"""Messages that show a match or a challenge, and which of them are behind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.referee.model import changes as c
from bot.referee.model.model import LobbyState
from bot.referee.model.partitions import partition_of
from bot.referee.model.surfaces import Surface, SurfaceKind
from data.sql.codec import Columns
from data.sql.deadlines import (
    ENDED,
    GOING,
    LOBBY,
    LOBBY_EXPIRES,
    LOBBY_VERSION,
    MATCH_DEADLINE,
    MATCH_VERSION,
    OPEN,
    OWN,
    PENDING,
    SETTLED,
    SHOWN,
    select_given,
)
from data.sql.statement import Query, Read, Statement, all_rows, marks

STORED, SURFACE = Columns(Surface, match="owner"), Columns(Surface, without=("id",), match="owner")
SURFACES = f"SELECT {STORED.select(shown=SHOWN)} FROM surfaces"


DEADLINE = f"""coalesce((SELECT {MATCH_DEADLINE} FROM matches WHERE matches.id = owner),
    (SELECT {LOBBY_EXPIRES} FROM lobbies WHERE lobbies.id = owner AND {OPEN}), 0)"""


def behind(process: int, limit: int = 200) -> Read[Sequence[Surface]]:
    """Read the surfaces of the partitions of a process that are behind: those without a deadline first, then the
    soonest."""
    where = f"WHERE {PENDING} AND partition IN {OWN} ORDER BY {DEADLINE}, id LIMIT ?"
    return all_rows(f"{SURFACES} {where}", (process, limit), STORED.read)


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
    behind = Query(f"SELECT count(*) FROM surfaces WHERE {PENDING}", (), int)
    return Read((live, behind), combine)


STARTED = int(LobbyState.STARTED)

NOTED = """coalesce((SELECT at FROM heartbeats JOIN partitions ON partitions.owner = process
    WHERE partitions.partition = {}), 0)"""
"""Last heartbeat before the shown version was noted. `deadlines.UNMARKED` is also a heartbeat."""


def put_surface(step: c.PutSurface) -> Iterator[Statement]:
    surface = step.surface
    is_lobby = surface.kind is SurfaceKind.LOBBY
    partition = partition_of(surface.match)
    values = (*SURFACE.write(surface), surface.match, partition)
    source = f"{LOBBY_VERSION} FROM lobbies" if is_lobby else f"{MATCH_VERSION} FROM matches"
    version = f"coalesce((SELECT {source} WHERE id = ?), 0)"
    if surface.id:
        # Nobody else's change is waited for: a version that is saved meanwhile is not read, but wanted already.
        wanted = f"CASE WHEN kind = ? AND wanted > {version} THEN wanted ELSE {version} END"
        pending = f"""CASE WHEN pending = {GOING} OR owner <> ? OR kind <> ? THEN {GOING}
            WHEN ? >= wanted AND ? >= {version} THEN {SETTLED} ELSE {ENDED} END"""
        yield Statement(
            f"""UPDATE surfaces SET {SURFACE.assignments()}, wanted = {wanted}, noted = {NOTED.format("?")},
                given = {select_given("surfaces.partition")}, pending = {pending}
                WHERE id = ? {f"AND kind = {LOBBY}" if is_lobby else ""}
                RETURNING id""",
            (
                *(*SURFACE.write(surface), int(surface.kind), surface.match, surface.match, partition),
                *(surface.match, int(surface.kind), surface.shown, surface.shown, surface.match, surface.id),
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
            f"""INSERT INTO surfaces ({SURFACE}, wanted, noted, given, pending, partition)
                SELECT {marks(len(SURFACE.names))}, {version}, {NOTED.format("?")}, {select_given("?")},
                CASE WHEN EXISTS (SELECT 1 FROM {going}) THEN {GOING} WHEN ? >= {version} THEN {SETTLED} ELSE {ENDED}
                END, ?
                {f"WHERE NOT EXISTS ({unless[0]})" if unless else ""} RETURNING id""",
            (
                *(*values, partition, surface.match, surface.shown, surface.match, partition),
                *(unless[1] if unless else ()),
            ),
            1,
            f"{surface.match} has started, or is shown as a challenge",
            gives_id=True,
        )


def surface_shown(step: c.SurfaceShown) -> Iterator[Statement]:
    yield Statement(
        f"""UPDATE surfaces SET shown = ?, noted = {NOTED.format("surfaces.partition")},
        given = {select_given("surfaces.partition")},
        pending = CASE WHEN pending = {ENDED} AND ? >= wanted THEN {SETTLED} ELSE pending END
        WHERE id = ? AND message = ? AND shown < ?""",
        (step.shown, step.shown, step.id, step.message, step.shown),
    )


def drop_surface(step: c.DropSurface) -> Iterator[Statement]:
    yield Statement("DELETE FROM surfaces WHERE id = ?", (step.id,))
