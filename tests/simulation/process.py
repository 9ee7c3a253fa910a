"""A process of the bot: the product's leases, sharing, router, fence and call limits, with a small game behind them."""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast
from zlib import crc32

import discord

from bot.process.sharing import SharedParts, Sharing
from bot.referee.model.changes import Conflict, DropDeadlines, StoreBusy, StoreReadOnly
from bot.referee.model.partitions import partition_of
from bot.rest.global_limit import CallBudget, GlobalLimit
from bot.rest.inline_response import InlineResponse
from data.postgres.database import PostgresDatabase
from data.sql.statement import Query, Read, Statement
from tests.simulation.discord import Counted
from tests.simulation.loop import WorldLoop, context_of
from tests.simulation.network import Network
from tests.simulation.players import ROUNDS, Players
from tests.simulation.server import GET, PUT, Row, Server
from tests.simulation.wire import WholeChange, Wire

TOKEN = "simulation"
CALLS = 40
"""Counted calls a second of the whole bot: the default of `GOPS_CALLS`."""

DRAWERS = 12
"""Surfaces that a process draws at once."""

CALL_SECONDS = 0.06, 0.25
"""Shortest and longest way of a call to Discord, and as much back."""

DISCORD_EPOCH = discord.utils.snowflake_time(0)
NEW: Row = 0, None, None, None, None


class SimulatedProcess:
    """One life of a process, from its start to its death."""

    def __init__(
        self,
        loop: WorldLoop,
        chance: random.Random,
        server: Server,
        network: Network,
        players: Players,
        counted: Counted,
        calls_per_bid: float,
    ) -> None:
        self.address = f"process-{chance.getrandbits(40):x}:1"
        self.context = context_of(self.address)
        self.network = network
        self.wire = Wire(loop, chance, server, self.address)
        self.is_ready = False
        """True when interactions may be brought to it."""
        self._loop, self._chance, self._players, self._counted = loop, chance, players, counted
        self._calls_per_bid = calls_per_bid
        self._memory: defaultdict[int, dict[str, Row]] = defaultdict(dict)
        """Remembered matches, by partition."""
        self._busy: dict[str, list[asyncio.Future[None]]] = {}
        """Matches in which a bid is taken, and the bids that wait for it."""
        self._behind: dict[str, None] = {}
        self._drawing: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Play until others have declared this process dead."""
        database, leases = await PostgresDatabase.join(self.address, self.address, ())
        database._routines = cast("Any", WholeChange())
        self.database, self.leases = database, leases
        await leases.join()
        self.limit = GlobalLimit(lambda: min(CALLS, leases.call_limit))
        self.budget = CallBudget(lambda: min(CALLS, leases.call_limit))
        leases.share_calls(CALLS, self.limit.read_demand)
        self.sharing = Sharing(cast("SharedParts", self._parts()), TOKEN)
        sharing = asyncio.create_task(self.sharing.run(self.address))
        self.is_ready = True
        await database.lost.wait()
        self.is_ready = False
        sharing.cancel()
        await asyncio.gather(sharing, return_exceptions=True)
        await database.close()

    def hear(self, payload: dict[str, Any]) -> None:
        self.sharing.hear(payload)

    # --- what the real classes ask of the others ----------------------------------------------------------

    def _parts(self) -> SimpleNamespace:
        repository = SimpleNamespace(
            jobs=SimpleNamespace(wake=lambda: None), drop_partition=lambda partition: self._memory.pop(partition, None)
        )
        store = SimpleNamespace(absences=_know_none, process=0)
        referee = SimpleNamespace(repository=repository, store=store, clock=SimpleNamespace(now=self._now))
        publisher = SimpleNamespace(catch_up=_do_nothing, leave=_do_nothing)
        self.services = SimpleNamespace(
            referee=referee, publisher=publisher, seconds_since=self._seconds_since, presence=None
        )
        return SimpleNamespace(
            client=self,
            store=SimpleNamespace(drop_partition=lambda _: None, forget=lambda _: None, write=_do_nothing),
            leases=self.leases,
            sleeper=SimpleNamespace(referee=referee, wake=lambda: None),
            thinking=SimpleNamespace(catch_up=_do_nothing),
            before=_do_nothing,
            limit=self.limit,
        )

    def _now(self) -> datetime:
        return DISCORD_EPOCH + timedelta(seconds=self._loop.time())

    def _seconds_since(self, at: datetime) -> float:
        return self._loop.time() - (at - DISCORD_EPOCH).total_seconds()

    async def handle_event(self, name: str, told: dict[str, Any]) -> None: ...

    def check_shards(self) -> None: ...

    async def keep_shards(self) -> dict[int, str]:
        return {}

    def write_sessions(self) -> Mapping[int, str]:
        return {}

    async def refuse(self, payload: dict[str, Any]) -> None:
        self._players.refuse(int(payload["id"]))

    # --- bids ---------------------------------------------------------------------------------------------

    async def handle_payload(self, payload: dict[str, Any], _: InlineResponse | None) -> None:
        """Take a bid, and confirm it when it is committed. The bids of a match are taken one after another."""
        _, _, code, number, card = payload["data"]["custom_id"].split(":")
        while (waiting := self._busy.get(code)) is not None:
            waiting.append(turn := self._loop.create_future())
            await turn
        self._busy[code] = []
        memory = self._memory[partition_of(code)]
        try:
            row = await self._bid(memory.get(code), code, int(number), int(payload["user"]["id"]) & 1, int(card))
        except (StoreBusy, StoreReadOnly, Conflict):
            memory.pop(code, None)
            self._players.refuse(int(payload["id"]))
        else:
            memory[code] = row
            if row[0] == ROUNDS:
                del memory[code]
            self._players.confirm(int(payload["id"]), row)
        finally:
            for turn in self._busy.pop(code):
                if not turn.done():  # it is cancelled when the simulation ends
                    turn.set_result(None)

    async def _bid(self, row: Row | None, code: str, number: int, seat: int, card: int) -> Row:
        """Write a match with one more bid, unless that round is over. Return the match as it is then."""
        row = row or await self._read(code)
        if row[0] < number:
            raise StoreBusy("this process remembers what another one has changed since")
        if row[0] == number:
            row = play(row, seat, card)
            guard = self.database.guard((DropDeadlines(code),))  # any change of this match has this lock and this fence
            await self.database.write((*guard, Statement(PUT, (code, row))))
            if self._chance.random() < self._calls_per_bid:
                self._draw(code)
        return row

    async def _read(self, code: str) -> Row:
        read = Read((Query(GET, (code,), lambda row: row),), lambda rows: rows[0])
        return await self.database.read(read) or NEW

    # --- counted calls ------------------------------------------------------------------------------------

    def _draw(self, code: str) -> None:
        self._behind[code] = None
        if len(self._drawing) < DRAWERS:
            task = self._loop.create_task(self._keep_drawing())
            self._drawing.add(task)
            task.add_done_callback(self._drawing.discard)

    async def _keep_drawing(self) -> None:
        """Show the newest state of what is behind, one surface after another."""
        while self._behind:
            code = next(iter(self._behind))
            del self._behind[code]
            await self.budget.wait()
            channel = 10**17 + crc32(code.encode())
            call = await self.limit.start_call("PATCH", f"/channels/{channel}/messages/{channel}")
            there, back = (self._chance.uniform(*CALL_SECONDS) for _ in range(2))
            self._loop.after(there, self._counted.arrive, self._loop.time() + there)
            await asyncio.sleep(there + back)
            self.limit.end_call(call, 200, {})


def play(row: Row, seat: int, card: int) -> Row:
    """Return a match with one more bid. The second one shows both, and the next round begins."""
    number, first, second, *before = row
    bids = (card, second) if seat == 0 else (first, card)
    return (number, *bids, *before) if None in bids else (number + 1, None, None, *bids)  # pyright: ignore[reportReturnType]


async def _do_nothing(*_: object) -> None: ...


async def _know_none() -> Sequence[tuple[int, datetime]]:
    return ()
