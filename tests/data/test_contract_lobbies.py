"""The contract of every store: challenges and open tables."""

import pytest

from bot.referee.model import changes as c
from bot.referee.model.model import (
    Invite,
    LobbyState,
    Reply,
)
from data.store import Store
from tests.data import examples as ex
from tests.data.checks import ids, refuses
from tests.data.examples import ANA, BEN, CEM, GUILD, at


async def test_a_lobby_comes_back_as_it_was(store: Store) -> None:
    assert await store.lobby("K7Q2") is None
    assert await store.write((c.NewLobby(ex.lobby()),)) == []
    assert await store.lobby("K7Q2") == ex.lobby()
    people = (Invite(ANA, "Ana", Reply.HOST), Invite(CEM, "Cem", Reply.ACCEPTED), Invite(BEN, "B", Reply.DECLINED))
    started = ex.lobby(message=77, state=LobbyState.STARTED, people=people, expires=at(1), version=2)
    await store.write((c.SaveLobby(started, 1),))
    assert await store.lobby("K7Q2") == started


async def test_a_lobby_keeps_its_origin(store: Store) -> None:
    await store.write((c.NewLobby(ex.lobby()),))
    await store.write((c.SaveLobby(ex.lobby(nonce=b"other", guild=5, created=at(9), version=2), 1),))
    assert await store.lobby("K7Q2") == ex.lobby(version=2)


async def test_a_table_may_have_another_host(store: Store) -> None:
    table = ex.lobby(kind="table")
    await store.write((c.NewLobby(table),))
    handed = ex.lobby(kind="table", host=CEM, people=(Invite(CEM, "Cem", Reply.HOST),), version=2)
    await store.write((c.SaveLobby(handed, 1),))
    assert await store.lobby("K7Q2") == handed
    assert await store.open_lobbies(table.guild, CEM) == [handed]
    assert await store.open_lobbies(table.guild, table.host) == []


async def test_a_lobby_is_saved_only_over_the_version_before(store: Store) -> None:
    await refuses(store, (c.SaveLobby(ex.lobby(version=2), 1),))
    await store.write((c.NewLobby(ex.lobby()),))
    await refuses(store, (c.SaveLobby(ex.lobby(version=3), 2),))
    assert await store.lobby("K7Q2") == ex.lobby()
    with pytest.raises(ValueError, match="keeps its version"):
        await store.write((c.SaveLobby(ex.lobby(), 1),))


async def test_an_id_is_used_once(store: Store) -> None:
    assert not await store.known_id("K7Q2")
    await store.write((c.NewLobby(ex.lobby()),))
    await refuses(store, (c.NewLobby(ex.lobby()),))
    await store.write((c.NewMatch(ex.match()),))  # a lobby becomes the match of its id
    await refuses(store, (c.NewMatch(ex.match()),))
    await store.write((c.NewMatch(ex.match("PRAC")),))
    await refuses(store, (c.NewLobby(ex.lobby("PRAC")),))
    assert await store.known_id("K7Q2")
    assert await store.known_id("PRAC")


async def test_open_lobbies(store: Store) -> None:
    third = Invite(CEM, "Cem", Reply.ASKED)
    for step in (
        c.NewLobby(ex.lobby("LATE", created=at(5))),
        c.NewLobby(ex.lobby("SOON", created=at(1))),
        c.NewLobby(ex.lobby("DONE", state=LobbyState.EXPIRED)),
        c.NewLobby(ex.lobby("AWAY", guild=5)),
        c.NewLobby(ex.lobby("CEMS", host=CEM, people=(third,))),
    ):
        await store.write((step,))
    assert ids(await store.open_lobbies(GUILD, BEN)) == ["SOON", "LATE"]
    assert ids(await store.open_lobbies(GUILD, CEM)) == ["CEMS"]
    assert await store.open_lobbies(GUILD, 999) == []


async def test_declined_since(store: Store) -> None:
    people = (Invite(ANA, "Ana", Reply.HOST), Invite(BEN, "Ben", Reply.DECLINED))
    for id, ended in (("AAAA", 10), ("BBBB", 30), ("CCCC", 20)):
        await store.write((c.NewLobby(ex.lobby(id, people=people, state=LobbyState.DECLINED, expires=at(ended))),))
    await store.write((c.NewLobby(ex.lobby("OPEN", people=people, expires=at(99))),))
    await store.write((c.NewLobby(ex.lobby("WITH", state=LobbyState.WITHDRAWN, expires=at(99))),))
    assert ids(await store.declined_since(GUILD, ANA, at(0))) == ["AAAA", "CCCC", "BBBB"]
    assert (await store.declined_since(GUILD, ANA, at(0)))[0].people == people
    assert ids(await store.declined_since(GUILD, ANA, at(20))) == ["BBBB"]
    assert await store.declined_since(GUILD, ANA, at(30)) == []
    assert await store.declined_since(GUILD, BEN, at(0)) == []
    assert await store.declined_since(5, ANA, at(0)) == []


async def test_hosted_since(store: Store) -> None:
    for id, made, ended, state in (
        ("AAAA", 10, 11, LobbyState.WITHDRAWN),
        ("BBBB", 30, 90, LobbyState.STARTED),
        ("CCCC", 5, 99, LobbyState.OPEN),
        ("DDDD", 6, 99, LobbyState.DECLINED),
    ):
        await store.write((c.NewLobby(ex.lobby(id, created=at(made), expires=at(ended), state=state)),))
    await store.write((c.NewLobby(ex.lobby("AWAY", guild=5, created=at(40), expires=at(50))),))
    await store.write((c.NewLobby(ex.lobby("BENS", host=BEN, created=at(40), expires=at(50))),))
    assert ids(await store.hosted_since(ANA, at(7))) == ["CCCC", "AAAA", "BBBB", "AWAY"]
    assert ids(await store.hosted_since(ANA, at(10))) == ["CCCC", "BBBB", "AWAY"]
    assert ids(await store.hosted_since(ANA, at(95))) == ["CCCC"]
    assert await store.hosted_since(CEM, at(0)) == []


async def test_what_is_unfinished_is_live_or_open(store: Store) -> None:
    assert await store.unfinished() == ([], [])
    await store.write((c.NewMatch(ex.match("TWO2")), c.NewMatch(ex.match("ONE1")), c.NewMatch(ex.over("OVER"))))
    await store.write((c.NewLobby(ex.lobby("OPEN")), c.NewLobby(ex.lobby("DONE", state=LobbyState.EXPIRED))))
    assert await store.unfinished() == (["ONE1", "TWO2"], ["OPEN"])
