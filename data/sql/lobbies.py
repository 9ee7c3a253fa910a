"""Lobbies (challenges and open tables) with their invited people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.referee.model import changes as c
from bot.referee.model.model import Invite, Lobby, LobbyState, Reply, Snowflake, UserId
from bot.referee.model.partitions import partition_of
from data.sql.codec import Columns, read_time, to_micros
from data.sql.deadlines import (
    GOING,
    LESS_GIVEN,
    LESS_TIMES,
    LOBBY,
    LOBBY_EXPIRES,
    LOBBY_VERSION,
)
from data.sql.match_lists import LIVE_COUNT
from data.sql.matches import SETUP
from data.sql.statement import Query, Read, Statement, group, insert, marks

PLAIN = Columns(Lobby, without=("setup", "people", "expires", "version"))
CHANGING = Columns(Lobby, only=("channel", "message", "host", "state", "house"))
INVITE = Columns(Invite)

LOBBIES = f"SELECT {LOBBY_EXPIRES}, {LOBBY_VERSION}, {SETUP}, {PLAIN} FROM lobbies"

PEOPLE = f"SELECT lobby_id, {INVITE} FROM lobby_people"

OPEN_LOBBIES = f"""SELECT id FROM lobbies WHERE guild = ? AND state = {int(LobbyState.OPEN)}
    AND (host = ? OR EXISTS (SELECT 1 FROM lobby_people p WHERE p.lobby_id = lobbies.id AND p."user" = ?))"""

INVITED = f"""SELECT p.lobby_id FROM lobby_people p JOIN lobbies l ON l.id = p.lobby_id
    WHERE p."user" = ? AND l.state = {int(LobbyState.OPEN)}"""

DECLINED = f"""SELECT id FROM lobbies WHERE host = ? AND expires > ? AND guild = ?
    AND state <> {int(LobbyState.OPEN)}
    AND EXISTS (SELECT 1 FROM lobby_people p
        WHERE p.lobby_id = lobbies.id AND p.answer = {int(Reply.DECLINED)})"""
"""`expires` of a closed lobby is the time at which it closed."""

HOSTED = f"""SELECT id FROM lobbies WHERE host = ? AND expires > ? AND created > ? AND state <> {int(LobbyState.OPEN)}
    UNION ALL SELECT id FROM lobbies WHERE host = ? AND expires > ? - coalesce((SELECT max(given) FROM time_away), 0)
    AND {LOBBY_EXPIRES} > ? AND state = {int(LobbyState.OPEN)}"""
"""No lobby closes before it is created, so the conditions on `expires` let an index find them."""


def lobby(id: str) -> Read[Lobby | None]:
    return Read(_queries("= ?", (id,)), lambda *parts: next(iter(_combine(*parts)), None))


def open_lobbies(guild: Snowflake, user: UserId) -> Read[Sequence[Lobby]]:
    """Read the open lobbies of a server that a user hosts or is invited to, oldest first."""
    return Read(_queries(f"IN ({OPEN_LOBBIES})", (guild, user, user)), _combine)


def invited(user: UserId) -> Read[Sequence[Lobby]]:
    """Read the open lobbies of all servers that a user hosts or is invited to, oldest first."""
    return Read(_queries(f"IN ({INVITED})", (user,)), _combine)


def _queries(where: str, params: tuple[Any, ...]) -> tuple[Query[Any], ...]:
    """Build the queries for lobbies and for their people."""
    return (
        Query(f"{LOBBIES} WHERE id {where} ORDER BY created, id", params, _read_lobby),
        Query(f"{PEOPLE} WHERE lobby_id {where} ORDER BY lobby_id, place", params, INVITE.read_keyed),
    )


def _combine(lobbies: list[Lobby], people: list[tuple[str, Invite]]) -> Sequence[Lobby]:
    """Add the people to their lobbies."""
    people_of = group(people)
    return [replace(lobby, people=tuple(people_of.get(lobby.id, ()))) for lobby in lobbies]


def _read_lobby(expires: int, version: int, *row: Any) -> Lobby:
    """Read a lobby from its own row, without its people."""
    size = len(SETUP.names)
    setup, fields = SETUP.read(*row[:size]), PLAIN.read_fields(row[size:])
    return Lobby(setup=setup, people=(), expires=read_time(expires), version=version, **fields)


def declined_since(guild: Snowflake, host: UserId, since: datetime) -> Read[Sequence[Lobby]]:
    """Read the declined lobbies of a host, by the time at which they closed."""
    return Read(_queries(f"IN ({DECLINED})", (host, to_micros(since), guild)), _combine_by_end)


def _combine_by_end(lobbies: list[Lobby], people: list[tuple[str, Invite]]) -> Sequence[Lobby]:
    return sorted(_combine(lobbies, people), key=lambda lobby: (lobby.expires, lobby.id))


def hosted_since(host: UserId, since: datetime) -> Read[Sequence[Lobby]]:
    """Read the lobbies of a host that are open or were created after `since`, oldest first."""
    at = to_micros(since)
    return Read(_queries(f"IN ({HOSTED})", (host, at, at, host, at, at)), _combine)


def new_lobby(step: c.NewLobby) -> Iterator[Statement]:
    lobby = step.lobby
    plain = (*SETUP.write(lobby.setup), *PLAIN.write(lobby))
    yield Statement(
        f"""INSERT INTO lobbies ({SETUP}, {PLAIN}, expires, version, partition)
        SELECT {marks(len(plain))}, {LESS_GIVEN}, {LESS_TIMES}, ?
        WHERE NOT EXISTS (SELECT 1 FROM matches WHERE id = ?)""",
        (*plain, *_expiry_values(lobby), partition_of(lobby.id), lobby.id),
        1,
        f"{lobby.id} is taken",
    )
    yield from _insert_people(lobby)


def save_lobby(step: c.SaveLobby) -> Iterator[Statement]:
    """Update a lobby and its people. Kind, server and nonce never change."""
    lobby = step.lobby
    if lobby.version <= step.expect:
        raise ValueError(f"lobby {lobby.id} keeps its version {lobby.version}")
    yield Statement(
        f"""UPDATE lobbies SET {SETUP.assignments()}, {CHANGING.assignments()}, expires = {LESS_GIVEN},
            version = {LESS_TIMES} WHERE id = ? AND {LOBBY_VERSION} = ?""",
        (*SETUP.write(lobby.setup), *CHANGING.write(lobby), *_expiry_values(lobby), lobby.id, step.expect),
        1,
        f"lobby {lobby.id} is not at version {step.expect}",
    )
    yield Statement("DELETE FROM lobby_people WHERE lobby_id = ?", (lobby.id,))
    yield from _insert_people(lobby)
    yield Statement(
        f"UPDATE surfaces SET pending = ? WHERE owner = ? AND state <> 'gone' AND kind = {LOBBY}",
        (GOING if lobby.state is LobbyState.OPEN else lobby.version, lobby.id),
    )


def _expiry_values(lobby: Lobby) -> tuple[int, bool, int, int, bool, int]:
    moves, partition = lobby.state is LobbyState.OPEN, partition_of(lobby.id)
    return to_micros(lobby.expires), moves, partition, lobby.version, moves, partition


ADD_PERSON = insert("lobby_people", f"lobby_id, place, {INVITE}")


def _insert_people(lobby: Lobby) -> Iterator[Statement]:
    for place, person in enumerate(lobby.people):
        yield Statement(ADD_PERSON, (lobby.id, place, *INVITE.write(person)))


def check_people(step: c.CheckPeople) -> Iterator[Statement]:
    failure = "what was read of these people is not so any more"
    for user in step.users:
        yield Statement(
            f"""SELECT 1 WHERE ({LIVE_COUNT}) < ? AND NOT EXISTS
                (SELECT 1 FROM bans WHERE guild = ? AND "user" = ? AND until > ?)
                AND NOT EXISTS (SELECT 1 FROM blocks WHERE by_user = ? AND "user" = ?)
                AND NOT EXISTS (SELECT 1 FROM blocks WHERE by_user = ? AND "user" = ?)""",
            (user, step.limit, step.guild, user, to_micros(step.now), user, step.host, step.host, user),
            1,
            failure,
        )
    if step.since is not None:
        at = to_micros(step.since)
        hosted = (step.host, at, at, step.host, at, at, step.hosted)
        yield Statement(f"SELECT 1 WHERE (SELECT count(*) FROM ({HOSTED}) AS found) = ?", hosted, 1, failure)
