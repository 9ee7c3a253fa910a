"""Many people and many matches at once, and a bot that is killed at an instant of the test's choosing."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sqlite3
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from bot.playground.faults.call import Fault, Faults, Kind, When
from bot.playground.protocol import schema
from bot.playground.protocol.wire import Json
from bot.playground.server import Playground
from data.store import SqlStore
from tests import forked
from tests.driver import Outcome, Person, Refused, Seen, Stage
from tests.e2e.house import PATIENCE, Bot, is_by_http
from tests.e2e.stuck import SCENES, Scene
from tests.migrated import migrated
from tests.postgres import PostgresStore, rows
from tests.sqlite_store import SqliteStore

TITLE = re.compile(r"#([2-9A-HJ-NP-Z]{4,13})\b")
LIVE = re.compile(r" · (?:deal|round|trick|extra game)\b")
ROUND = re.compile(r"round (\d+) of (\d+)")
SEALED = re.compile(r"\*\*(\S+) is sealed\.\*\*")
CARDS = {"A": 1, "J": 11, "Q": 12, "K": 13}


def card_of(token: str) -> int:
    return CARDS.get(token) or int(token)


def round_of(message: Seen) -> int:
    """The round that a board or console shows; 0 where it shows none."""
    found = ROUND.search(message.text)
    return int(found[1]) if found else 0


def is_over(message: Seen) -> bool:
    return message.has_button("Rematch")


def is_own_result(message: Seen) -> bool:
    """Return True for the result that one player has instead of a console."""
    return is_over(message) and re.search(r"\b[Yy]our?\b", message.text.partition("\n-# ")[0]) is not None


class Trap(Faults):
    """Kills the bot when a call of its arrives: before that call has its effect, or just after it."""

    def __init__(self, kill: Callable[[], None]) -> None:
        super().__init__()
        self.kill = kill
        self.sprung = asyncio.Event()
        self._route = ""
        self._when = When.BEFORE
        self._left = 0

    def set(self, route: str, when: When, number: int = 1) -> None:
        self.sprung.clear()
        self._route, self._when, self._left = route, when, number

    def take(self, method: str, template: str, path: str, *, files: bool = False) -> Fault | None:
        if self._left and fnmatchcase(f"{method} {template}", self._route):
            self._left -= 1
            if not self._left:
                self.kill()
                self.sprung.set()
                return Fault(Kind.RESET, when=self._when)
        return super().take(method, template, path, files=files)


class Ticks(Iterator[int]):
    """Numbers what happens, and remembers when that was by Discord's clock."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._moments: list[float] = []

    def __next__(self) -> int:
        self._moments.append(self._now())
        return len(self._moments)

    def when(self, tick: int) -> str:
        return f"{tick} at {datetime.fromtimestamp(self._moments[tick - 1], UTC):%H:%M:%S.%f}"


class Watch:
    """What one person was ever shown, by match. It looks at each message once, when it comes."""

    def __init__(self, person: Person, tick: Iterator[int]) -> None:
        self.person = person
        self.boards: dict[str, Seen] = {}
        self.posted: dict[str, set[str]] = {}
        """messages in the channel that were ever about a match"""
        self.consoles: dict[str, dict[str, Seen]] = {}
        self.lobbies: dict[str, Seen] = {}
        self.sealed: dict[tuple[str, int], list[tuple[int, int, str]]] = {}
        """for a match and round: when a console called which card sealed, and the message that this console is"""
        self._came: dict[tuple[str, int], float] = {}
        """for a match and round: when a console first showed it, by a clock that nobody sets; 0 for its end"""
        self._reached: dict[tuple[str, str], int] = {}
        """for a match and a console: the latest round that it has shown"""
        self.about: dict[str, set[str]] = {}
        """the matches that a message was ever about, by its id"""
        self.forgotten: set[str] = set()
        """matches of which a private console is gone from their client, which may have been the only one"""
        self.tick = tick
        screen: Any = person.screen
        read: Callable[[Json], Seen] = screen._seen

        def looked_at(raw: Json) -> Seen:
            seen = read(raw)
            self._look(seen)
            return seen

        screen._seen = looked_at

    def _look(self, seen: Seen) -> None:
        text = seen.text
        if "Accept" in text and seen.has_button("Accept"):
            self.lobbies[seen.id] = seen
            return
        self.lobbies.pop(seen.id, None)
        for kept in self.consoles.values():
            kept.pop(seen.id, None)  # what it shows now is what counts, also if that is no console any more
        heading = text.partition("\n")[0]
        at_end = is_over(seen) or LIVE.search(heading)  # results, boards and consoles have their code at the end
        title = TITLE.search(text if at_end else heading)
        if title is None:
            return
        match = title[1]
        self.about.setdefault(seen.id, set()).add(match)
        if seen.has_button("Open console"):
            return  # a reminder, which leads to one
        if "] against" in text or " against " in heading or is_own_result(seen):
            self.consoles.setdefault(match, {})[seen.id] = seen
            self._came.setdefault((match, round_of(seen)), time.monotonic())
            said, reached = SEALED.search(text), self._reached.get((match, seen.id), 0)
            self._reached[match, seen.id] = max(reached, round_of(seen))
            if said and round_of(seen) >= reached:  # else an edit of a round ago that has landed last: it is healed
                told = next(self.tick), card_of(said[1]), seen.id
                self.sealed.setdefault((match, round_of(seen)), []).append(told)
        elif not seen.is_ephemeral and (seen.has_button("Bid") or is_over(seen)):
            self.boards[match] = seen
            self.posted.setdefault(match, set()).add(seen.id)

    async def until(self, look: Callable[[], Any], what: str, patience: float = 30.0) -> Any:
        return await self.person.screen.wait(look, what, patience)

    def forget_private(self) -> None:
        """What only they see is gone from their client, as it is when they come back after a while."""
        for match, kept in self.consoles.items():
            self.consoles[match] = {id: one for id, one in kept.items() if not one.is_ephemeral}
            self.forgotten |= {match} if len(self.consoles[match]) < len(kept) else set()

    def had(self, match: str, round: int, opened: float) -> float:
        """For how many seconds a round was open, until the one after it, or the end, was seen. It was not open at
        `opened`; that it is seen only after a while, on a busy machine, takes nothing from its clock."""
        went = self._came.get((match, round + 1), self._came.get((match, 0)))
        return 0.0 if (match, round) not in self._came or went is None else went - opened

    def over(self, match: str) -> bool:
        board = self.boards.get(match)
        return board is not None and is_over(board)

    def newest(self, match: str) -> Seen | None:
        """Their console of the latest round; of several the one that came last, which took the place of the others."""
        kept = [one for one in self.consoles.get(match, {}).values() if self.person.now(one) is not None]
        return max(kept, key=lambda one: (is_over(one), round_of(one), int(one.id)), default=None)


def fail_waiting(playground: Playground) -> None:
    """Fail the interactions of an app that is dead: nobody has to wait out their three seconds."""
    interactions = playground.core.interactions
    for interaction in list(interactions.by_id.values()):
        interactions.fail(interaction)


class Hall:
    """The stand-in, the bot as its own process, and a crowd."""

    def __init__(self, playground: Playground, stage: Stage, bot: Bot) -> None:
        self.playground = playground
        self.stage = stage
        self.bot = bot
        self.up = asyncio.Event()
        self.tick = Ticks(playground.core.clock.time)
        self.server: str | None = None
        """the address of a PostgreSQL database, where there is no file"""
        self._supervisor: asyncio.Task[None] | None = None
        self.people: list[Person] = []
        self.watches: dict[str, Watch] = {}
        self.trap = Trap(self.strike)
        playground.pipeline.faults = self.trap

    async def crowd(self, names: Sequence[str], **how: Any) -> list[Person]:
        come = [await self.stage.person(name, **how) for name in names]
        for person in come:
            self.people.append(person)
            self.watches[person.id] = Watch(person, self.tick)
        return come

    def watch(self, person: Person) -> Watch:
        return self.watches[person.id]

    def strike(self) -> None:
        """Kill the bot now, in this very instant."""
        process = self.bot.process
        self._alone()
        if process is not None and process.returncode is None:
            os.kill(process.pid, signal.SIGKILL)

    async def down(self) -> None:
        self.up.clear()
        self._alone()
        await self.bot.kill()
        fail_waiting(self.playground)

    async def restart(self) -> None:
        if self.server is None:
            await self.bot.start()
        else:
            await self._started()
        self.up.set()

    async def _started(self) -> None:
        """As whoever supervises it does: again and again, for the server may be away; and again when it ends."""
        while True:
            await self.bot.spawn()
            process = self.bot.process
            assert process is not None
            ended = asyncio.create_task(process.wait())
            ready = asyncio.create_task(self.stage.bot_ready(patience=PATIENCE))
            await asyncio.wait({ended, ready}, return_when=asyncio.FIRST_COMPLETED)
            if process.returncode is None:
                ended.cancel()
                ready.result()
                self._supervisor = asyncio.create_task(self._again(process))
                return
            ready.cancel()
            await asyncio.gather(ready, return_exceptions=True)

    async def _again(self, process: Any) -> None:
        await process.wait()
        if self.bot.process is process:
            self.up.clear()
            await self.bot.kill()
            fail_waiting(self.playground)
            await self.restart()

    def _alone(self) -> None:
        """Nobody starts it again when it ends."""
        if self._supervisor is not None:
            self._supervisor.cancel()

    async def press(self, person: Person, message: Seen, button: str) -> Outcome | None:
        """Press if it can still be pressed, once the bot is up; None if the message has changed, or nobody answered."""
        await self.up.wait()
        now = person.now(message)
        found = next((one for one in (now.buttons if now else ()) if button in (one.label, one.custom_id)), None)
        if now is None or found is None or found.disabled or found.custom_id is None:
            return None
        try:
            outcome = await person.press(found.custom_id, in_=now, may_fail=True)
        except Refused:  # it changed while the press was on its way
            return None
        return None if outcome.failed else outcome

    def rows(self, sql: str, *values: object) -> list[Any]:
        """Look into the database, beside the bot."""
        if self.server is not None:
            return rows(self.server, sql, values)
        with closing(sqlite3.connect(f"file:{self.bot.database}?mode=ro", uri=True)) as connection:
            return connection.execute(sql, values).fetchall()

    def store(self) -> Awaitable[SqlStore[Any]]:
        """The store itself, while no bot is there."""
        return SqliteStore.open(self.bot.database) if self.server is None else PostgresStore.open(self.server)

    async def judged(self, records: Sequence[Json]) -> list[Json]:
        """What `gops referee` makes of exported records."""
        lines = "\n".join(json.dumps(record) for record in records)
        done = await asyncio.to_thread(forked.done, ("-m", "bot", "referee", "-"), lines.encode())
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]


@asynccontextmanager
async def opened_hall(
    folder: Path,
    *,
    limits: bool = False,
    patience: float = 30.0,
    server: str | None = None,
    start: bool = True,
    by_http: bool | None = None,
) -> AsyncGenerator[Hall]:
    """Everything up (without `start` all but the bot), over a file or the PostgreSQL database at this address; at the
    end the bot is stopped."""
    clock_file = folder / "clock"
    clock_file.write_text("0", encoding="utf-8")
    playground = Playground(schema=schema.find(), clock_file=clock_file)
    playground.add_bot("GOPS")
    async with Stage.begin(playground, patience=patience) as stage:
        if not limits:
            await stage.limits(enabled=False)
        bot = Bot(stage, migrated(folder / "gops.sqlite3"), clock_file, folder / "bot.log")
        await bot.unhurry()
        if is_by_http() if by_http is None else by_http:
            await bot.use_http()
        scene = Scene(playground, stage, bot)
        hall = Hall(playground, stage, bot)
        if server is not None:
            hall.server = bot.settings["GOPS_DATABASE"] = server
        try:
            if start:
                await hall.restart()
            yield hall
        finally:
            SCENES.discard(scene)
            hall._alone()
            await bot.stop()
