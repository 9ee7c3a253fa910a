"""People who press the keys of one board, with the whole bot behind but for the sockets."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from bot.interactions.answer import Answer
from bot.interactions.component import Component, ComponentRouter
from bot.interactions.context import ComponentMessage, InteractionContext, InteractionToken, Origin
from bot.interactions.services import Bans
from bot.messages.publisher import Publisher
from bot.referee.house.thinking import Thinking
from bot.referee.lobby.setups import Wish
from bot.referee.model.participant import Person, Place
from bot.referee.model.surfaces import Surface, board_among
from bot.rest.delivery import Delivery
from bot.rest.global_limit import CallBudget
from bot.rest.members import DiscordUser
from cogs.match import bids, boards, random_cards, table_keys
from tests.cogs.test_memory_leaks import Stage
from tests.cogs.wire import ANSWER, COUNTED, IDS, Call, Wire
from tests.memory_store import MemoryStore
from tests.referee.stage import HERE, Table

PEOPLE = tuple(Person(10 + number, name) for number, name in enumerate(("Ana", "Ben", "Cem", "Dee")))
ANA, BEN, CEM, DEE = PEOPLE


@asynccontextmanager
async def staged() -> AsyncGenerator[Stage]:
    """The whole Discord side over a store without a disk: no test here is about that."""
    table, wire = Table(MemoryStore()), Wire()
    await table.referee.leaving.note_member(HERE.guild)
    delivery = Delivery(wire.client().rest_client, CallBudget(lambda: 1e9))
    publisher, thinking = Publisher(table.referee, delivery), Thinking(table.referee.repository, table.referee.matches)
    table.referee.listeners[:] = [publisher.changed, thinking.wake]
    table.referee.clock_listeners[:] = [table.sleeper.wake]
    yield Stage(table, wire, publisher, thinking)
    await thinking.close()
    await publisher.close()


@dataclass
class TableMode:
    """One match in table mode, and what its people read alone."""

    place: Stage
    id: str = ""
    message: int = 0
    alone: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    """user and text of each private answer"""
    public: list[int] = field(default_factory=list[int])
    """boards that were posted as answers"""
    presses: ComponentRouter = field(default_factory=ComponentRouter)
    services: Any = None
    here: Place = HERE

    async def start(self, *people: Person, outside: bool = False, **wish: Any) -> TableMode:
        """Challenged and accepted, its board on the challenge's message with the token of *Accept*."""
        self.here = Place(0, HERE.channel) if outside else HERE
        self.presses = ComponentRouter()
        for feature in (table_keys, bids, boards, random_cards):
            self.presses.add(*(declared for declared in vars(feature).values() if isinstance(declared, Component)))
        people = people or (ANA, BEN)
        referee = self.place.referee
        wish = {"place": "board", **wish}
        lobby = await referee.challenges.open(self.here, people[0], people[1:], Wish(**wish))
        await self.place.posted(lobby)
        self.id, self.message = lobby.id, self.place.wire.sent[-1][2]
        for person in people[1:]:
            await referee.challenges.accept(lobby.id, person.user, self.message)
        await self.place.publisher.idle()
        self.place.wire.calls.clear()
        publisher = self.place.publisher
        self.services = SimpleNamespace(
            referee=referee,
            publisher=publisher,
            emojis=SimpleNamespace(request_check=lambda: None),
            stopping=False,
            bans=Bans(),
            running=set(),
            undone={},
            presence=None,
            report_save_failure=lambda _: None,  # pyright: ignore[reportUnknownLambdaType]
        )
        return self

    @property
    def shown(self) -> str:
        return re.sub("[\u2068\u2069]", "", self.place.wire.text(self.message))

    async def board(self) -> Surface:
        found = board_among(await self.place.publisher.notes.surfaces(self.id))
        assert found is not None
        return found

    async def prompt(self) -> int:
        return (await self.place.referee.views.view(self.id)).prompt

    async def lay(self, person: Person, card: Any, prompt: int | None = None) -> InteractionContext:
        """Press the key of this card; what was asked by it."""
        prompt = await self.prompt() if prompt is None else prompt
        return await self.press(person, f"g1:tk:{self.id}:{prompt}:{card}")

    async def press(
        self, person: Person, custom_id: str, message: int = 0, *, by_dm: bool = False, v2: bool = True
    ) -> InteractionContext:
        """Press this on the board, or on a console of their own: one that they alone see, or `by_dm`."""
        alone, message = bool(message) and not by_dm, message or self.message
        channel = person.user + 10**6 if by_dm else HERE.channel
        client = self.place.wire.client(self.services)
        at = self.place.table.clock.now()
        interaction = self.place.wire.press(message, person.user, client, at, components_v2=True, ephemeral=alone)
        interaction.response = _Response(self, person.user)
        interaction.followup = SimpleNamespace(send=self._further(person.user))
        context = InteractionContext(
            services=self.services,
            answer=Answer(interaction),
            author=DiscordUser(person.user, person.name, is_member=True),
            origin=Origin(0, channel) if by_dm else Origin(self.here.guild, channel, is_outside=not self.here.guild),
            id=interaction.id,
            created_at=at,
            token=InteractionToken(7, interaction.token),
            data={"custom_id": custom_id},
            pressed_message=ComponentMessage(
                message, channel, alone, v2, at, lambda: re.findall(r"g1:[^\"]+", self.place.wire.text(message))
            ),
        )
        await self.presses.dispatch(context, custom_id)
        async with asyncio.timeout(60):  # a line for its player alone needs no answer to wait for it
            while any(isinstance(key, tuple) for key in self.place.publisher.writers):  # noqa: ASYNC110
                await asyncio.sleep(0)
        return context

    def _further(self, user: int) -> Any:
        async def send(content: str = "", ephemeral: bool = True, **_: Any) -> Any:
            self.alone.append((user, content))
            return SimpleNamespace(id=next(IDS), flags=SimpleNamespace(ephemeral=ephemeral))

        return send

    def of(self, route: str) -> list[Call]:
        return [call for call in self.place.wire.calls if call.route == route]

    @property
    def counted(self) -> int:
        return len(self.of(COUNTED))

    @property
    def answers(self) -> list[int]:
        """The type of each callback but those that are messages of their own."""
        return [call.body["type"] for call in self.of(ANSWER)]


class _Response:
    """Answers that are messages of their own: discord.py's business."""

    def __init__(self, table: TableMode, user: int) -> None:
        self.table = table
        self.user = user
        self.done = False

    def is_done(self) -> bool:
        return self.done

    async def send_message(self, *, content: str = "", ephemeral: bool, view: Any = None, **_: Any) -> Any:
        self.done = True
        id = next(IDS)
        text = content or json.dumps(view.to_components(), ensure_ascii=False)
        if ephemeral:
            self.table.alone.append((self.user, text))
        else:
            self.table.place.wire.shown[id] = {"content": content, "components": view.to_components()}
            self.table.public.append(id)
        return SimpleNamespace(message_id=id, is_ephemeral=lambda: ephemeral)

    async def defer(self, **_: Any) -> None:
        self.done = True
