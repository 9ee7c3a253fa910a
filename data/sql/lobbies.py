"""Lobbies: challenges and open tables, with the people that they name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.referee.model import changes as c
from bot.referee.model.model import Invite, Lobby, LobbyState, Reply, Snowflake, UserId
from data.sql.codec import micros, read_setup, setup_columns, time
from data.sql.deadlines import GIVEN, LESS_GIVEN, LESS_TIMES, LOBBY, LOBBY_EXPIRES, LOBBY_VERSION, UP_TO_DATE
from data.sql.statement import Query, Read, Statement, grouped

LOBBIES = f"""SELECT id, kind, guild, channel, message, host, game, options, seats, series, clock, rated, place,
    nonce, state, created, {LOBBY_EXPIRES}, {LOBBY_VERSION}, finished FROM lobbies"""

PEOPLE = 'SELECT lobby_id, "user", name, answer FROM lobby_people'

OPEN_LOBBIES = f"""SELECT id FROM lobbies WHERE guild = ? AND state = {int(LobbyState.OPEN)}
    AND (host = ? OR EXISTS (SELECT 1 FROM lobby_people p WHERE p.lobby_id = lobbies.id AND p."user" = ?))"""

INVITED = f"""SELECT p.lobby_id FROM lobby_people p JOIN lobbies l ON l.id = p.lobby_id
    WHERE p."user" = ? AND l.state = {int(LobbyState.OPEN)}"""

DECLINED = f"""SELECT id FROM lobbies WHERE host = ? AND expires > ? AND guild = ?
    AND state <> {int(LobbyState.OPEN)}
    AND EXISTS (SELECT 1 FROM lobby_people p
        WHERE p.lobby_id = lobbies.id AND p.answer = {int(Reply.DECLINED)})"""
"""a lobby that is not open any more ended at its `expires`"""

HOSTED = f"""SELECT id FROM lobbies WHERE host = ? AND expires > ? AND created > ? AND state <> {int(LobbyState.OPEN)}
    UNION ALL SELECT id FROM lobbies WHERE host = ? AND expires > ? - {GIVEN} AND state = {int(LobbyState.OPEN)}"""
"""no lobby ends before it was made, so `expires` finds them by an index"""


def lobby(id: str) -> Read[Lobby | None]:
    return Read(_of("= ?", (id,)), lambda *parts: next(iter(_lobbies(*parts)), None))


def open_lobbies(guild: Snowflake, user: UserId) -> Read[Sequence[Lobby]]:
    """Oldest first."""
    return Read(_of(f"IN ({OPEN_LOBBIES})", (guild, user, user)), _lobbies)


def invited(user: UserId) -> Read[Sequence[Lobby]]:
    """Oldest first, everywhere."""
    return Read(_of(f"IN ({INVITED})", (user,)), _lobbies)


def _of(which: str, params: tuple[Any, ...]) -> tuple[Query[Any], ...]:
    """Both parts of some lobbies."""
    return (
        Query(f"{LOBBIES} WHERE id {which} ORDER BY created, id", params, _lobby),
        Query(f"{PEOPLE} WHERE lobby_id {which} ORDER BY lobby_id, place", params, _invite),
    )


def _lobbies(found: list[Lobby], people: list[tuple[str, Invite]]) -> Sequence[Lobby]:
    """The parts put together."""
    named = grouped(people)
    return [replace(one, people=tuple(named.get(one.id, ()))) for one in found]


def _lobby(id: str, kind: str, guild: int, channel: int, message: int | None, host: int, *row: Any) -> Lobby:
    """What a lobby's own row says."""
    nonce, state, created, expires, version, finished = row[7:]
    return Lobby(
        id=id,
        kind=kind,
        guild=guild,
        channel=channel,
        message=message,
        host=host,
        setup=read_setup(*row[:7]),
        nonce=nonce,
        state=LobbyState(state),
        people=(),
        created=time(created),
        expires=time(expires),
        version=version,
        finished=finished,
    )


def _invite(id: str, user: int, name: str, answer: int) -> tuple[str, Invite]:
    return id, Invite(user, name, Reply(answer))


def declined_since(guild: Snowflake, host: UserId, since: datetime) -> Read[Sequence[Lobby]]:
    """Those that ended first come first."""
    return Read(_of(f"IN ({DECLINED})", (host, micros(since), guild)), _by_end)


def _by_end(found: list[Lobby], people: list[tuple[str, Invite]]) -> Sequence[Lobby]:
    return sorted(_lobbies(found, people), key=lambda one: (one.expires, one.id))


def hosted_since(host: UserId, since: datetime) -> Read[Sequence[Lobby]]:
    """Oldest first."""
    return Read(_of(f"IN ({HOSTED})", (host, micros(since), micros(since), host, micros(since))), _lobbies)


def new_lobby(step: c.NewLobby) -> Iterator[Statement]:
    one = step.lobby
    yield Statement(
        f"""INSERT INTO lobbies (id, kind, guild, channel, message, host, game, options, seats, series, clock, rated,
            place, nonce, state, created, expires, version, finished)
        SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {LESS_GIVEN}, {LESS_TIMES}, ?
        WHERE NOT EXISTS (SELECT 1 FROM matches WHERE id = ?)""",
        (
            *(one.id, one.kind, one.guild, one.channel, one.message, one.host, *setup_columns(one.setup)),
            *(one.nonce, one.state, micros(one.created), *_end_and_version(one)),
            *(one.finished, one.id),
        ),
        1,
        f"{one.id} is taken",
    )
    yield from _people(one)


def save_lobby(step: c.SaveLobby) -> Iterator[Statement]:
    """Where it was made, and with which nonce, never changes."""
    one = step.lobby
    if one.version <= step.expect:
        raise ValueError(f"lobby {one.id} keeps its version {one.version}")
    yield Statement(
        f"""UPDATE lobbies SET channel = ?, message = ?, host = ?, game = ?, options = ?, seats = ?, series = ?,
            clock = ?, rated = ?, place = ?, state = ?, expires = {LESS_GIVEN}, version = {LESS_TIMES}
            WHERE id = ? AND {LOBBY_VERSION} = ?""",
        (
            *(one.channel, one.message, one.host, *setup_columns(one.setup)),
            *(one.state, *_end_and_version(one), one.id, step.expect),
        ),
        1,
        f"lobby {one.id} is not at version {step.expect}",
    )
    yield Statement("DELETE FROM lobby_people WHERE lobby_id = ?", (one.id,))
    yield from _people(one)
    yield Statement(
        f"UPDATE surfaces SET {UP_TO_DATE} WHERE owner = ? AND state <> 'gone' AND kind = {LOBBY}",
        (step.expect, step.expect, one.version, one.id),
    )


def _end_and_version(lobby: Lobby) -> tuple[int, bool, int, bool]:
    moves = lobby.state is LobbyState.OPEN
    return micros(lobby.expires), moves, lobby.version, moves


def _people(lobby: Lobby) -> Iterator[Statement]:
    for place, person in enumerate(lobby.people):
        yield Statement(
            'INSERT INTO lobby_people (lobby_id, place, "user", name, answer) VALUES (?, ?, ?, ?, ?)',
            (lobby.id, place, person.user, person.name, person.answer),
        )
