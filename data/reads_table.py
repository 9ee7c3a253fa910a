"""What stands around the matches: lobbies, deadlines, surfaces. Each function reads within one snapshot."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from bot.referee.model import (
    Answer,
    Deadline,
    DeadlineKind,
    Invite,
    Lobby,
    LobbyState,
    Snowflake,
    Surface,
    SurfaceKind,
    UserId,
)
from data.codec import micros, read_setup, time, time_or_none

LOBBY = """SELECT id, kind, guild, channel, message, host, game, options, seats, series, clock, rated,
    nonce, state, created, expires, version FROM lobbies"""
SURFACE = """SELECT owner, kind, user, channel, message, shown, posted, token, token_until, token_app, state, id
    FROM surfaces"""


# --- lobbies ----------------------------------------------------------------------------------------------


def lobby(connection: sqlite3.Connection, id: str) -> Lobby | None:
    row = connection.execute(f"{LOBBY} WHERE id = ?", (id,)).fetchone()
    return None if row is None else _lobby(connection, row)


def open_lobbies(connection: sqlite3.Connection, guild: Snowflake, user: UserId) -> Sequence[Lobby]:
    """Oldest first."""
    rows = connection.execute(
        f"""{LOBBY} WHERE guild = ? AND state = {int(LobbyState.OPEN)}
            AND (host = ? OR EXISTS (SELECT 1 FROM lobby_people WHERE lobby_id = id AND user = ?))
        ORDER BY created, id""",
        (guild, user, user),
    ).fetchall()
    return [_lobby(connection, row) for row in rows]


def _lobby(connection: sqlite3.Connection, row: tuple[Any, ...]) -> Lobby:
    id, kind, guild, channel, message, host = row[:6]
    nonce, state, created, expires, version = row[12:]
    people = connection.execute("SELECT user, name, answer FROM lobby_people WHERE lobby_id = ? ORDER BY place", (id,))
    return Lobby(
        id=id,
        kind=kind,
        guild=guild,
        channel=channel,
        message=message,
        host=host,
        setup=read_setup(*row[6:12]),
        nonce=nonce,
        state=LobbyState(state),
        people=tuple(Invite(user, name, Answer(answer)) for user, name, answer in people),
        created=time(created),
        expires=time(expires),
        version=version,
    )


def declined_since(connection: sqlite3.Connection, guild: Snowflake, host: UserId, since: datetime) -> Sequence[Lobby]:
    """A lobby that is not open any more ended at its `expires`."""
    rows = connection.execute(
        f"""{LOBBY} WHERE host = ? AND expires > ? AND guild = ?
            AND state <> {int(LobbyState.OPEN)}
            AND EXISTS (SELECT 1 FROM lobby_people WHERE lobby_id = id AND answer = {int(Answer.DECLINED)})
        ORDER BY expires, id""",
        (host, micros(since), guild),
    ).fetchall()
    return [_lobby(connection, row) for row in rows]


# --- clocks -----------------------------------------------------------------------------------------------


def due(connection: sqlite3.Connection, now: datetime, limit: int) -> Sequence[Deadline]:
    rows = connection.execute(
        "SELECT owner, kind, due, prompt FROM deadlines WHERE due <= ? ORDER BY due, owner, kind LIMIT ?",
        (micros(now), limit),
    )
    return [Deadline(owner, DeadlineKind(kind), time(at), prompt) for owner, kind, at, prompt in rows]


def next_due(connection: sqlite3.Connection) -> datetime | None:
    return time_or_none(connection.execute("SELECT min(due) FROM deadlines").fetchone()[0])


def heartbeat(connection: sqlite3.Connection) -> datetime | None:
    row = connection.execute("SELECT at FROM heartbeat").fetchone()
    return None if row is None else time(row[0])


# --- surfaces ---------------------------------------------------------------------------------------------


def behind(connection: sqlite3.Connection, limit: int) -> Sequence[Surface]:
    """Oldest first."""
    return _surfaces(
        connection.execute(f"{SURFACE} WHERE state = 'live' AND shown < wanted ORDER BY id LIMIT ?", (limit,))
    )


def surfaces(connection: sqlite3.Connection, owner: str) -> Sequence[Surface]:
    return _surfaces(connection.execute(f"{SURFACE} WHERE owner = ? AND state <> 'gone' ORDER BY id", (owner,)))


def _surfaces(rows: Iterable[tuple[Any, ...]]) -> Sequence[Surface]:
    return [
        Surface(
            *(owner, SurfaceKind(kind), user, channel, message, shown, time(posted)),
            *(token, time_or_none(until), app, state, id),
        )
        for owner, kind, user, channel, message, shown, posted, token, until, app, state, id in rows
    ]
