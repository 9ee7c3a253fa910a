"""After a thousand matches of all kinds nothing is left of them in memory."""

from __future__ import annotations

import asyncio
import gc
import re
import types
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest

from bot.messages.publisher import Publisher
from bot.referee.house.thinking import Thinking
from bot.referee.lobby.setups import Wish
from bot.referee.model.changes import PutSurface
from bot.referee.model.model import Lobby
from bot.referee.model.participant import Person, Place
from bot.referee.model.surfaces import Surface, SurfaceKind
from bot.referee.referee import Referee
from bot.rest.delivery import Delivery
from bot.rest.global_limit import CallBudget
from bot.solver.players.levels import SLY
from data.cache import CachingStore
from tests.cogs.wire import TOKEN, Wire
from tests.referee.stage import HERE, Table

KINDS = ("finished", "resigned", "stopped", "expired", "declined", "withdrawn", "closed", "practice", "lost", "deleted")
EACH, AT_ONCE = 100, 25


@dataclass
class Stage:
    """The whole Discord side over a real store, but for the sockets."""

    table: Table
    wire: Wire
    publisher: Publisher
    thinking: Thinking
    people: Iterator[int] = field(default_factory=lambda: count(1000))

    @property
    def referee(self) -> Referee:
        return self.table.referee

    async def challenge(self, ana: Person, ben: Person, cards: int = 2) -> str:
        lobby = await self.referee.challenges.open(HERE, ana, [ben], Wish(game="classic", cards=cards))
        await self.posted(lobby)
        return lobby.id

    async def posted(self, lobby: Lobby) -> None:
        sent = await self.wire.send(lobby.channel, "asked")
        token = f"t{sent.id}"
        self.wire.tokens[token] = sent.id
        shown = Surface(lobby.id, SurfaceKind.LOBBY, 0, lobby.channel, sent.id, 0, lobby.created)
        until = lobby.created + timedelta(minutes=14)
        await self.referee.lobbies.note_message(lobby, replace(shown, token=token, token_until=until, token_app=7))

    async def goes(self, kind: str) -> str:
        """Something of this kind, from its beginning to its end; its code."""
        number = next(self.people)
        ana, ben = Person(2 * number, "Ana"), Person(2 * number + 1, "Ben")
        if kind == "practice":
            return await self.practice(ana)
        if kind == "closed":
            table = await self.referee.tables.open(HERE, ana, 2, Wish(game="classic"))
            await self.posted(table)
            await self.referee.tables.close(table.id, ana.user)
            return table.id
        id = await self.challenge(ana, ben)
        if kind == "declined":
            await self.referee.challenges.decline(id, ben.user)
        elif kind == "withdrawn":
            await self.referee.challenges.withdraw(id, ana.user)
        elif kind != "expired":
            await self.match(kind, id, ana, ben)
        return id

    async def practice(self, ana: Person) -> str:
        live = (await self.referee.practice.begin(Place(0, 5), ana, SLY, Wish(game="classic", cards=2))).live
        sent = await self.wire.send(5, "console")
        console = Surface(live.stored.id, SurfaceKind.CONSOLE_DM, ana.user, 5, sent.id, 0, self.table.clock.now())
        await self.referee.write((PutSurface(console),))
        self.publisher.wake(live.stored.id)
        await self.table.seal(live.stored.id, ana.user, 1)
        return live.stored.id

    async def match(self, kind: str, id: str, ana: Person, ben: Person) -> None:
        """Begun by the last acceptance: its board is the challenge's message, its consoles are owed by DM."""
        referee = self.referee
        await referee.challenges.accept(id, ben.user, 900)
        await self.wire.until(lambda: any(f"#{id}" in text for _, text, _ in self.wire.sent))
        self.publisher.record_look(id, ana.user, self.table.clock.now())
        if kind == "finished":
            await self.table.seal(id, ana.user, 1)
            await self.table.seal(id, ben.user, 2)
        elif kind == "stopped":
            await referee.matches.abort(id, "unseen")
        else:  # some boards are gone with their channel, or deleted
            if kind != "resigned":
                self.wire.refuse(TOKEN, 404, code=10003 if kind == "lost" else 10008)
            await referee.matches.resign(id, ana.user)


@pytest.fixture
async def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stage]:
    monkeypatch.setattr("bot.messages.plan.SPACING_FREE", 0.0)
    monkeypatch.setattr("bot.messages.plan.SPACING_COUNTED", 0.0)
    monkeypatch.setattr("bot.messages.display.TICK", 0.0)
    monkeypatch.setattr("bot.rest.old_message_limit.WINDOW", 0.0)
    store = await CachingStore.open(tmp_path / "gops.sqlite3")
    table, wire = Table(store), Wire()
    await table.referee.leaving.note_member(HERE.guild)
    delivery = Delivery(wire.client().rest_client, CallBudget(lambda: 1e9))
    publisher, thinking = Publisher(table.referee, delivery), Thinking(table.referee.repository, table.referee.matches)
    table.referee.listeners[:] = [publisher.changed, thinking.wake]
    table.referee.clock_listeners[:] = [table.sleeper.wake]
    yield Stage(table, wire, publisher, thinking)
    await thinking.close()
    await publisher.close()
    await store.close()


def reached(*roots: object) -> Iterator[str]:
    """Every string that these objects hold, however deep."""
    seen: set[int] = set()
    waiting: list[object] = list(roots)
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, type | types.ModuleType | types.FrameType | Wire):
            continue
        seen.add(id(one))
        if isinstance(one, str):
            yield one
        elif isinstance(one, types.FunctionType):
            waiting += one.__closure__ or ()
        else:
            waiting += gc.get_referents(one)
            if isinstance(one, dict):  # of which the collector does not follow names
                waiting += one


async def test_nothing_is_left_of_a_thousand_matches(place: Stage) -> None:
    ids: set[str] = set()
    for kind in KINDS * (EACH // AT_ONCE):
        ids.update(await asyncio.gather(*(place.goes(kind) for _ in range(AT_ONCE))))
        if kind == "expired":
            place.table.clock.forward(timedelta(days=1).total_seconds())
            await place.table.fire()
        await place.publisher.idle()
    assert len(ids) == EACH * len(KINDS)
    assert await place.referee.store.live_in(HERE.guild) == []
    looked_up = place.referee.repository._over  # pyright: ignore[reportPrivateUsage]
    looked_up.clear()  # of bounded size: the house may read a match once more that has just ended
    assert ids & names_in(place) == set()
    assert len(place.publisher.writers) == 0
    turns = place.publisher.delivery.old_messages._turns  # pyright: ignore[reportPrivateUsage]
    assert len(turns) <= 1, "of channels, and only of the last one that was edited"


async def test_objects_that_stay_in_memory_are_found(place: Stage) -> None:
    """The search says something: a match that goes on is remembered, by its board and by the referee."""
    ana, ben = Person(1, "Ana"), Person(2, "Ben")
    id = await place.challenge(ana, ben)
    await place.referee.challenges.accept(id, ben.user, 900)
    await place.publisher.idle()
    assert id in names_in(place)
    assert id in set(reached(place.publisher))


def names_in(place: Stage) -> set[str]:
    """Whatever looks like the code of a match, in all that stays in memory."""
    held = reached(place.publisher, place.referee, place.thinking, place.table.sleeper)
    return {code for text in held for code in re.findall(r"[2-9A-HJ-NP-Z]{4,13}", text)}
