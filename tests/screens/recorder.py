"""Writes down what people see: after each step, when the bot has nothing left to do, every message that became another.

Nothing of the bot is imported here. It is a process, and what it shows is read where Discord would keep it.
"""

from __future__ import annotations

import asyncio
import difflib
import hashlib
import json
import os
import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from bot.playground.server import Playground
from tests.driver import Outcome, Person, Seen, Server, Stage
from tests.e2e.house import Bot
from tests.migrated import migrated
from tests.screens.lines import changes, describe
from tests.screens.still_bot import NOON, PORT_FILE

FOLDER = Path(__file__).with_name("recorded")
RENEW = "RENEW_SCREENS"
"""set in the environment, it makes the tests write what they would compare"""

AT_ONCE = 2.5
"""seconds that the bot's waits are cut short by, while it waits for nothing else"""

STILL = 0.03
"""seconds in which nothing of what is under way comes or goes, when it only waits"""

PATIENCE = 60.0

SNOWFLAKE = re.compile(r"\d{17,20}")
STAMP = re.compile(r"<t:(\d+)")
ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)")


class Studio:
    """One bot whose clock stands still, for many recordings one after the other."""

    def __init__(self, stage: Stage, bot: Bot, playground: Any, port: int) -> None:
        self.stage = stage
        self.bot = bot
        self.core: Any = playground.core
        self.calls: Any = playground.pipeline.ledger
        self.port = port
        self._talk: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, what: str, *given: Any) -> Any:
        """Ask the bot's process something."""
        if self._talk is None:
            self._talk = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._talk
        writer.write(json.dumps([what, *given]).encode() + b"\n")
        return json.loads(await reader.readline())

    async def close(self) -> None:
        if self._talk is not None:
            self._talk[1].close()

    async def settle_in(self) -> None:
        """Whatever still goes on some time after the start always will."""
        still = 0
        while still < 10:
            still = still + 1 if await self.ask("busy") == [] else 0
            await self.ask("settle_in")
            await asyncio.sleep(0.03)

    async def settle(self, skip: float = AT_ONCE) -> None:
        """Wait until the bot has nothing to do and no wait of its own brings anything more."""
        quiet, until, before, since = 0, time.monotonic() + PATIENCE, None, time.monotonic()
        while quiet < 4:
            calls = self.calls.begun("*"), self.calls.count("*")
            at_rest = skip and quiet < 3 and calls[0] == calls[1]
            now = calls, await self.ask("busy", skip if at_rest else 0.0)
            busy = calls[0] > calls[1] or now[1] != []
            assert time.monotonic() < until, f"the bot has no rest: {now}"
            quiet = 0 if busy else quiet + 1
            if now != before:
                before, since = now, time.monotonic()
            # Only what stays as it is for a while waits for a clock. What the last skip brings is looked for once more.
            if at_rest and not busy:
                since = time.monotonic()
            elif skip and busy and calls[0] == calls[1] and time.monotonic() - since > STILL:
                await self.ask("skip", skip)
                since = time.monotonic()
            await asyncio.sleep(0.01 if busy else 0.002)


class Recording:
    """What people of one scene see, as text."""

    def __init__(self, studio: Studio, name: str, server: Server) -> None:
        self.studio = studio
        self.name = name
        self.server = server
        self.people: dict[str, Person] = {}
        self.lines: list[str] = []
        self._names: dict[str, str] = {server.id: "Club", studio.stage.bot(): "GOPS"}
        self._names |= {one.id: one.name for one in server.channels}
        self.details: dict[str, list[str]] = {}
        """what a digest stands for"""
        self._briefly: set[int] = set()
        self._shown: dict[int, list[str]] = {}
        self._bodies: dict[int, dict[str, Any]] = {}
        """what those lines were made of"""
        self._numbers: dict[int, str] = {}
        self._heard: list[tuple[int, int, str, bool]] = []
        self._began = studio.core.clock.time()

    def __enter__(self) -> Self:
        self._unsubscribe = self.studio.core.bus.subscribe(self.hear)
        return self

    def __exit__(self, *_: object) -> None:
        self._unsubscribe()

    # --- people ------------------------------------------------------------------------------------------

    async def person(self, name: str) -> Person:
        """Somebody new, with an id that is theirs in every run."""
        person = await self.studio.stage.person(f"{self.name}-{name}".lower(), server=self.server, display=name)
        self.knows(person, name)
        return person

    def knows(self, person: Person, name: str) -> None:
        """Somebody belongs to this scene, by this name."""
        self.people[name] = person
        self._names[person.id] = name

    def called(self, person: Person) -> str:
        return self._names[person.id]

    def numbered(self, message: Seen) -> str:
        return self._number(int(message.id))

    # --- writing down ------------------------------------------------------------------------------------

    async def step(
        self, title: str, doing: Awaitable[Any] | None = None, skip: float = AT_ONCE, brief: bool = False
    ) -> Any:
        """Do something, and write down what became of it for everybody; `brief`: of messages only a digest, so that
        whole matches are held to the letter and can still be read."""
        came = await doing if doing is not None else None
        await self.studio.settle(skip)
        await self.caught_up()
        self.lines += ["", f"# {title}"]
        self._write_messages(brief)
        if isinstance(came, Outcome):
            self._write_outcome(came)
        self._write_pings()
        return came

    async def written_out(self, title: str) -> None:
        """Every message of which there is only a digest so far."""
        for id in self._briefly:
            self._shown[id] = []
        await self.step(title)

    async def later(self, seconds: float, title: str) -> None:
        """Let time pass."""
        await self.step(title, self.studio.stage.forward(seconds))

    def note(self, title: str, told: object) -> None:
        """Something else that people are shown."""
        self.lines += ["", f"# {title}", *json.dumps(told, ensure_ascii=False, sort_keys=True, indent=1).splitlines()]

    def without_ids(self, told: Any) -> Any:
        """The commands as the bot told them."""
        if isinstance(told, list):
            return [self.without_ids(one) for one in told]
        if isinstance(told, dict):
            given = {key: one for key, one in told.items() if key not in ("id", "version", "application_id")}
            return {key: self.without_ids(one) for key, one in given.items() if one not in (None, [], {}, False)}
        return told

    def text(self) -> str:
        return "\n".join(self.lines).strip() + "\n"

    async def caught_up(self) -> None:
        """Wait until everybody's own screen is as new as what is written down."""
        people = list(self.people.values())
        marker = await people[0].say(".", in_=self.server.channels[0])
        for one in people:
            await one.screen.wait(lambda one=one: one.now(marker), "what was said", PATIENCE)
        await self.studio.stage.delete(marker)

    def _write_messages(self, brief: bool) -> None:
        seen: set[int] = set()
        for home in self._homes():
            for message in sorted([*home.messages.values(), *home.ephemerals.values()], key=lambda one: one.id):
                if message.author_id != int(self.studio.stage.bot()):
                    continue
                seen.add(message.id)
                body = self._body(message)
                if self._shown.get(message.id) and self._bodies.get(message.id) == body:
                    continue
                self._bodies[message.id] = body
                lines = self.plain("\n".join(describe(body))).split("\n")
                before = self._shown.get(message.id)
                if lines == before:
                    continue
                self._shown[message.id] = lines
                where = f"{self._number(message.id)} in {self._place(home)}"
                where += f" for {self._names[str(message.viewer_id)]}" if message.viewer_id else ""
                if brief:
                    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
                    self.details[digest] = lines
                    self._briefly.add(message.id)
                    self.lines.append(f"== {where} {digest}")
                    continue
                self.lines.append(f"== {where}")
                whole = before is None or message.id in self._briefly
                self._briefly.discard(message.id)
                self.lines += lines if before is None or whole else changes(before, lines)
        for gone in sorted(self._shown.keys() - seen):
            self.lines.append(f"== {self._number(gone)} is gone")
            del self._shown[gone], self._bodies[gone]

    def _write_outcome(self, outcome: Outcome) -> None:
        if outcome.failed:
            self.lines.append("-- This interaction failed")
        if outcome.modal is not None:
            self.lines.append(f"-- modal {self.plain(json.dumps(outcome.modal, ensure_ascii=False, sort_keys=True))}")

    def _write_pings(self) -> None:
        """What pushed, by person: order between people is chance."""
        for who, message, text, push in sorted(self._heard, key=lambda one: self._names[str(one[0])]):
            kind = "push" if push else "badge"
            said = self.plain(text).replace("\n", " / ")
            self.lines.append(f"-- {kind} for {self._names[str(who)]} of {self._number(message)}: {said}")
        self._heard.clear()

    # --- reading -----------------------------------------------------------------------------------------

    def hear(self, event: Any) -> None:
        if type(event).__name__ == "Notified" and str(event.user_id) in self._names:
            self._heard.append((event.user_id, event.message.id, event.text, event.push))

    def _homes(self) -> list[Any]:
        """The server's channels, and the DMs of these people, in an order that is always the same."""
        world = self.studio.core.world
        own = [one for one in world.channels.values() if str(one.guild_id) == self.server.id]
        people = [int(one.id) for one in self.people.values()]
        return own + [one for who in people for one in world.dms_of(who)]

    def _place(self, home: Any) -> str:
        if home.is_dm:
            return "DM of " + next(
                self._names[str(one)] for one in home.recipients if str(one) in self._names_of_people()
            )
        return f"#{home.name}"

    def _names_of_people(self) -> set[str]:
        return {one.id for one in self.people.values()}

    def _body(self, message: Any) -> dict[str, Any]:
        files = [f"{one.filename} {self._digest(one)} {one.description or ''}".rstrip() for one in message.attachments]
        return {
            "flags": message.flags,
            "content": message.content,
            "embeds": message.embeds,
            "components": message.components,
            "files": files,
        }

    def _digest(self, file: Any) -> str:
        """A text file to the letter; a picture is made by a library, which may pack it another way tomorrow."""
        if not file.filename.endswith((".json", ".txt")):
            return "-"
        return hashlib.sha256(self.plain(file.content.decode()).encode()).hexdigest()[:16]

    def _number(self, message: int) -> str:
        return self._numbers.setdefault(message, f"m{len(self._numbers) + 1}")

    def plain(self, text: str) -> str:
        """With names for ids, and times counted from the beginning."""
        text = STAMP.sub(lambda found: f"<t:{int(found[1]) - int(self._began):+d}", text)
        text = ISO.sub(lambda found: f"{datetime.fromisoformat(found[0]).timestamp() - self._began:+.0f}s", text)
        return SNOWFLAKE.sub(self._name, text)

    def _name(self, found: re.Match[str]) -> str:
        id = found[0]
        if id in self._names:
            return self._names[id]
        world = self.studio.core.world
        home = world.channels.get(int(id))
        if home is not None and home.is_dm:
            return "the-DM"
        return self._number(int(id)) if int(id) in self._numbers or self._is_message(int(id)) else id

    def _is_message(self, id: int) -> bool:
        return any(id in home.messages or id in home.ephemerals for home in self._homes())


# --- comparing ------------------------------------------------------------------------------------------------


def compare(file: Path, text: str, details: Mapping[str, Sequence[str]]) -> None:
    """With what was recorded; what is different is told line by line."""
    if os.environ.get(RENEW):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert file.exists(), f"{file} was never recorded: {RENEW}=1 python -m pytest {file.parents[1]}"
    before = file.read_text(encoding="utf-8")
    if before != text:
        told = "\n".join(_difference(before.split("\n"), text.split("\n"), details))
        raise AssertionError(f"{file.stem} reads otherwise than recorded:\n{told}")


def _difference(before: Sequence[str], now: Sequence[str], details: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """As patches have it; where only a digest was kept, with the whole message as it is now."""
    for line in difflib.unified_diff(before, now, "recorded", "now", n=4, lineterm=""):
        yield line
        if line.startswith("+== "):
            yield from (f"    {one}" for one in details.get(line.rpartition(" ")[2], ()))


@asynccontextmanager
async def studio(folder: Path, furnish: Callable[[Playground], None] | None = None) -> AsyncGenerator[Studio]:
    """The bot on its stage, with time and chance that are the same in every run. What the folder holds already, a
    database or a clock, is kept; `furnish` may set the stage in another way."""
    port, clock_file = folder / "port", folder / "clock"
    if not clock_file.exists():
        clock_file.write_text("0", encoding="utf-8")
    playground = Playground(clock_file=clock_file)
    clock: Any = playground.core.clock
    clock.time = lambda: NOON.timestamp() + clock.offset
    playground.core.world.steady = True
    if furnish is None:
        playground.add_bot("GOPS")
    else:
        furnish(playground)
    async with Stage.begin(playground, patience=30) as stage:
        await stage.limits(enabled=False)
        bot = Bot(stage, migrated(folder / "gops.sqlite3"), clock_file, folder / "bot.log")
        await bot.unhurry()
        await stage.settings(dm_opens=None, ack_seconds=60)
        bot.command = ("-m", "tests.screens.still_bot", "run")
        bot.settings[PORT_FILE] = str(port)
        try:
            await bot.start()
            made = Studio(stage, bot, playground, int(port.read_text(encoding="utf-8")))
            try:
                await made.settle_in()
                yield made
            finally:
                await made.close()
        finally:
            await bot.stop()
        assert bot.trouble() == []
        assert "took too long" not in bot.logged(), bot.logged()


@asynccontextmanager
async def recording(studio: Studio, name: str, channels: tuple[str, ...] = ("games",)) -> AsyncGenerator[Recording]:
    """A scene of its own; at its end it is compared with what was recorded."""
    await studio.stage.forward(3600)
    await studio.settle()
    await studio.ask("seed", name)
    server = await studio.stage.server(f"Club {name}", list(channels))
    with Recording(studio, name, server) as made:
        yield made
    compare(FOLDER / f"{name}.txt", made.text(), made.details)
