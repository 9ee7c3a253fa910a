"""The bot as a separate, unmodified process beside the stand-in, and how a test kills and restarts it."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sqlite3
import sys
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from bot.engine.text.presets import find_offer
from bot.interactions.shared.setup_card import is_for_two
from bot.playground.protocol import schema
from bot.playground.server import Playground
from bot.referee.model.changes import SaveGuild
from bot.referee.model.guild_settings import GuildSettings
from data.sql.steps import build_statements
from tests import forkserver
from tests.driver import Outcome, Person, Seen, Server, Stage
from tests.e2e.stuck import SCENES, Scene
from tests.forked import Forked, forked
from tests.migrated import migrated
from tests.operate.ports import free_port

GALLERY = 12
"""the type of a component that shows pictures"""

UNHURRIED = 15.0
"""seconds that Discord waits for an answer where the time that one takes is not the matter: other tests run beside"""

SLOW = 8.0
"""seconds after which the bot says there that it takes long"""

TOKEN_DELAY = 10.0
"""seconds after which Discord was seen to know the token of an answer in the HTTP response"""

HASTE = 0.2
"""so much shorter is that, and so are the bot's pauses"""

transports = ["gateway"]
"""how interactions come in the tests that run now; the fixture `transport` sets it"""

UNLIMITED = "9999"
"""counted calls a second where Discord counts none: on a fast machine the tests of one bot make more than its 40"""

PATIENCE = 90.0
"""seconds for a start: an interpreter of its own needs two or three of them for itself alone"""


def is_by_http() -> bool:
    return transports[-1] == "HTTP"


class Bot:
    """One process after another on the same database."""

    command: tuple[str, ...] = ("-m", "bot", "run")
    forked: bool = True
    """from the fork server, or started by an interpreter of its own as in earnest"""
    unhurried: bool = False

    def __init__(self, stage: Stage, database: Path, clock_file: Path, log: Path) -> None:
        self.stage = stage
        self.database = database
        self.clock_file = clock_file
        self.log = log
        self.process: asyncio.subprocess.Process | Forked | None = None
        self.settings: dict[str, str] = {}

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "DISCORD_TOKEN": "playground",
            "DISCORD_API_URL": f"{self.stage.address}/api/v10",
            "GOPS_DATABASE": str(self.database),
            "GOPS_CLOCK_FILE": str(self.clock_file),
            "GOPS_LOG": "json",
            "GOPS_PICTURES": "off",  # each takes a process that draws
            "GOPS_FACES": "off",  # uploading them takes as long as many a test
            **({forkserver.UNHURRIED: str(SLOW)} if self.unhurried else {}),
            **self.settings,
        }

    async def unhurry(self, *, announces: bool = False) -> None:
        """On a machine that is busy with other tests nobody reads that it failed; nor that the bot is thinking, unless
        it `announces` slow answers as in earnest."""
        self.unhurried = not announces
        await self.stage.settings(ack_seconds=UNHURRIED)

    async def use_http(self) -> int:
        """Let interactions come by HTTP from the next start on, with tokens that become known late, as Discord's do;
        the port that the bot listens on."""
        self.settings[forkserver.LATE_TOKENS] = str(HASTE)
        await self.stage.settings(token_delay=TOKEN_DELAY * HASTE)
        return self.listen()

    def listen(self) -> int:
        """Let it listen for interactions on a port of its own from the next start on; which one."""
        port = free_port()
        self.settings |= {"GOPS_LISTEN": str(port), "GOPS_ENDPOINT": f"http://127.0.0.1:{port}/interactions"}
        return port

    async def start(self) -> None:
        """Start, and wait until the stand-in sees it at its gateway."""
        await self.spawn()
        await self.stage.bot_ready(patience=PATIENCE)

    async def spawn(self) -> None:
        """Start, and wait for nothing."""
        with self.log.open("ab") as log:
            if self.forked and self.command[0] == "-m":
                self.process = forked(self.command, log, self.environment())
            else:
                self.process = await asyncio.create_subprocess_exec(
                    sys.executable, *self.command, env=self.environment(), stdout=log, stderr=log
                )

    async def kill(self) -> None:
        """As a power cut would."""
        await self._end(signal.SIGKILL)
        await self.stage.bot_gone()

    async def stop(self) -> int:
        """As a supervisor asks for it; the exit code."""
        return await self._end(signal.SIGTERM)

    async def _end(self, number: signal.Signals) -> int:
        process, self.process = self.process, None
        if process is None:
            return 0
        if process.returncode is None:
            process.send_signal(number)
        return await process.wait()

    def logged(self) -> str:
        return self.log.read_text(encoding="utf-8") if self.log.exists() else ""

    async def logs(self, words: str, patience: float = 30) -> None:
        """Wait until this stands in its log."""
        async with asyncio.timeout(patience):
            while words not in self.logged():  # noqa: ASYNC110 - a file tells nobody that it has grown
                await asyncio.sleep(0.01)

    def trouble(self) -> list[str]:
        """Each traceback in its log, with the line before it and those after it."""
        lines = self.logged().splitlines()
        return ["\n".join(lines[max(at - 1, 0) : at + 40]) for at, line in enumerate(lines) if "Traceback" in line]


class House:
    """A stage with the bot on it, and two people."""

    def __init__(self, stage: Stage, bot: Bot, ana: Person, ben: Person, server: Server | None = None) -> None:
        self.stage = stage
        self.bot = bot
        self.ana = ana
        self.ben = ben
        self._server = server

    @property
    def server(self) -> Server:
        assert self._server is not None, "this house has no server of its own"
        return self._server

    def decide(self, **settings: Any) -> None:
        """What this server decides for itself, before anything is done in it: the bot reads it once."""
        saved = SaveGuild(GuildSettings(int(self.server.id), **{"cards": "symbols", **settings}), None)
        with closing(sqlite3.connect(self.bot.database)) as connection, connection:
            for statement in build_statements((saved,)):
                connection.execute(statement.sql, statement.params)

    async def replaced_console(self, console: Seen) -> None:
        """Wait until the store knows this console in the channel alone, in the place of an older one."""
        asked, of = "SELECT message FROM surfaces WHERE kind = 3 AND owner = ?", code_of(console)
        with closing(sqlite3.connect(self.bot.database)) as store:
            async with asyncio.timeout(30):
                while store.execute(asked, (of,)).fetchall() != [(int(console.id),)]:  # noqa: ASYNC110 - asked only
                    await asyncio.sleep(0.02)

    async def person(self, name: str, **more: Any) -> Person:
        """One more person in this server, new in every test."""
        return await newcomer(self.stage, name, self._server, **more)

    async def challenge(self, **options: Any) -> Seen:
        """Ana challenges Ben; the message as Ben sees it."""
        await self.ana.slash("/gops challenge", opponent=self.ben, **options)
        return await self.ben.sees("challenges you")

    async def challenge_all(self, *others: Person, **options: Any) -> Seen:
        """Ana challenges Ben and these on the set-up card; the message as Ben sees it."""
        await send_card(self.ana, [self.ben, *others], **options)
        return await self.ben.sees("challenges you")

    async def match(self, **options: Any) -> Seen:
        """A match of the two, accepted; its board."""
        challenge = await self.challenge(**options)
        await self.ben.press("Accept", in_=challenge)
        return await self.ben.sees(lambda seen: not seen.has_button("Accept"), in_=challenge)


ADD = "Add players (up to 6)"
"""the menu of players while Classic is chosen"""


def find_add(card: Seen) -> str:
    """Return the name of the menu of players for the chosen game."""
    return next(one.placeholder for one in card.selects if one.placeholder and one.placeholder.startswith("Add "))


async def send_card(host: Person, others: Sequence[Person], game: str = "classic", **options: Any) -> Outcome:
    """Challenge several people on the set-up card, which answers the wish for a game of three or four."""
    typed = "three-handed" if is_for_two(game) else game
    card = (await host.slash("/gops challenge", opponent=others[0], game=typed, **options)).shown
    if typed != game:  # ties and series are those of the new game
        card = (await host.choose(find_offer(game)[1].name, select="Game", in_=card)).shown
    card = (await host.choose(*others[1:], select=find_add(card), in_=card)).shown
    return await host.press("Send the challenge", in_=card)


async def newcomer(stage: Stage, name: str, server: Server | None, **more: Any) -> Person:
    """Somebody whom no other test knows, called by this name."""
    unique = f"{name.lower()}{len(stage.people)}"
    return await stage.person(unique, server=server, **{"display": name, **more})


def key(card: int) -> str:
    """A card as its key is labelled."""
    return {1: "A", 11: "J", 12: "Q", 13: "K"}.get(card, str(card))


STILL = "Still working"

UNSEEN = {0x2068: None, 0x2069: None, 0x2060: None, 0xA0: " "}


def plain(text: str) -> str:
    """Without the marks that hold a name apart or a score together, and every gap as any other."""
    return text.translate(UNSEEN)


def told(outcome: Outcome) -> str:
    """What came of an action, as text."""
    return plain(outcome.shown.text)


async def behind_more(person: Person, label: str, message: Seen) -> Outcome:
    """Press what stands behind *More* of a board or result; a match that was stopped has it beside the rematch."""
    if message.has_button(label):
        return await person.press(label, in_=message)
    return await person.press(label, in_=(await person.press("More", in_=message)).shown)


async def seal_of(person: Person, name: str, board: Seen) -> str:
    """The digits of somebody's newest seal, as *Verify* shows them to anybody while the match is live."""
    more = (await person.press("More", in_=board)).shown
    text = told(await person.press("Verify", in_=more))
    found = re.search(rf"· {name} `([0-9a-f]{{64}})`", text)
    assert found is not None, text
    return found[1]


async def answer(person: Person, outcome: Outcome) -> Seen:
    """The message that came of an action. A bot that is kept from answering at once says first that it is thinking,
    and then that it is still at it."""
    return await person.sees(lambda seen: not seen.is_loading and STILL not in seen.text, in_=outcome.shown)


def lines(outcome: Outcome) -> list[str]:
    """The same line by line, without what frames them."""
    return [line.removeprefix("┃ ").removeprefix("⚠ ") for line in told(outcome).split("\n")]


def banner(outcome: Outcome) -> list[str]:
    """Return the lines of a card of settings that say what a press has changed, or why it has not."""
    text = [line.removeprefix("┃ ") for line in told(outcome).split("\n")]
    return [line for line in text if line.startswith(("✔ ", "⚠ ", "Nothing changed."))]


async def through_a_kill(house: House) -> None:
    """A match in whose middle the bot is killed, to its result and what became of the ratings."""
    board = await house.match(cards=2)
    await house.ana.press("A", in_=await house.ana.sees(awaits(1, dm=True)))
    await house.bot.kill()
    await house.bot.start()
    await house.ben.press("2", in_=await house.ben.sees(awaits(1, dm=True)))
    await house.ana.sees(has("[Rematch]"), in_=board)
    assert "1 played, 1 won" in told(await house.ana.slash("/gops leaderboard"))


def has(*parts: str, **wanted: bool) -> Callable[[Seen], bool]:
    """A message with all of these parts; `ephemeral` says whether it is for one person only."""

    def fits(message: Seen) -> bool:
        text = plain(message.text)
        there = "ephemeral" not in wanted or message.is_ephemeral is wanted["ephemeral"]
        return there and all(part in text for part in parts)

    return fits


def code_of(message: Seen) -> str:
    """The match that a message is about."""
    found = re.search(r"#([2-9A-Z]{4,13})\b", message.text)
    assert found, message.text
    return found[1]


def awaits(round: int, dm: bool) -> Callable[[Seen], bool]:
    """A console of this round that still asks for a bid: in a DM, or the ephemeral one."""

    def fits(message: Seen) -> bool:
        here = message.is_ephemeral is not dm and "against" in message.text
        return here and f"round {round} of" in message.text and "Your turn" in message.text

    return fits


@asynccontextmanager
async def opened(
    folder: Path,
    *,
    start: bool = True,
    limits: bool = False,
    in_time: bool = False,
    announces: bool = False,
    others: tuple[str, ...] = (),
    by_http: bool | None = None,
) -> AsyncGenerator[House]:
    """Everything up; at the end the bot is stopped, and must not have logged a traceback. `in_time`: Discord waits no
    more than three seconds for an answer, as in earnest; `announces`: the bot says what takes long, as in earnest."""
    clock_file = folder / "clock"
    clock_file.write_text("0", encoding="utf-8")
    playground = Playground(schema=schema.find(), clock_file=clock_file)
    playground.add_bot("GOPS")
    for name in others:
        playground.add_bot(name, token=name, server=None)
    async with Stage.begin(playground, patience=30) as stage:
        stage.until_done = True
        if not limits:
            await stage.limits(enabled=False)
        database = folder / "gops.sqlite3"
        bot = Bot(stage, migrated(database) if start else database, clock_file, folder / "bot.log")
        if not limits:
            bot.settings["GOPS_CALLS"] = UNLIMITED
        scene = Scene(playground, stage, bot)
        if not in_time:
            await bot.unhurry(announces=announces)
        if is_by_http() if by_http is None else by_http:
            await bot.use_http()
        try:
            if start:
                await bot.start()
            ana, ben = await stage.person("Ana"), await stage.person("Ben")
            yield House(stage, bot, ana, ben)
        finally:
            SCENES.discard(scene)
            await bot.stop()
        assert mute_pictures(playground) == [], "every picture has words for who does not see it, and is small"


LARGEST_PICTURE = 100_000


def mute_pictures(playground: Playground) -> list[str]:
    """Pictures that were posted without alt text, or that are too large."""
    named = re.compile(r"attachment|/attachments/")
    found = [
        f"no alt text: {item}"
        for channel in playground.core.world.channels.values()
        for message in (*channel.messages.values(), *channel.ephemerals.values())
        for item in _media(message.components)
        if named.search(str(item)) and not item.get("description")
    ]
    files = playground.core.shelf.files.values()
    found += [
        f"{one.filename}: {len(one.content)} bytes"
        for one in files
        if one.filename.endswith(".png") and len(one.content) >= LARGEST_PICTURE
    ]
    return found


def _media(components: Sequence[Any]) -> Iterator[Any]:
    """Every item of every gallery."""
    for one in components:
        yield from one.get("items", ()) if one["type"] == GALLERY else ()
        yield from _media(one.get("components", ()))
