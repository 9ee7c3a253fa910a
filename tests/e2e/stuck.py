"""What to know when something did not come: where the bot, the stand-in and the people of the test stand."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING
from weakref import WeakSet

from bot.playground.server import Playground
from bot.playground.world.model import State
from bot.process.base import event_loop
from tests import postgres
from tests.driver import Stage

if TYPE_CHECKING:
    from tests.e2e.house import Bot

ANSWERS_WITHIN = 3.0
"""seconds that the bot has to say where it stands"""

AGAIN = 5.0
"""seconds within which the same is not told twice: many wait for the same thing"""

LINES = 120

SCENES: WeakSet[Scene] = WeakSet()
"""those that are up"""


class Scene:
    """One stand-in with its people, and one bot."""

    def __init__(self, playground: Playground, stage: Stage, bot: Bot) -> None:
        self.playground = playground
        self.stage = stage
        self.bot = bot
        self._loop = asyncio.get_running_loop()
        self._told = -AGAIN
        stage.explain = self.explain
        SCENES.add(self)

    def explain(self) -> str:
        """All of it, now; without the loop, so that it can be told of a loop that hangs."""
        if time.monotonic() - self._told < AGAIN:
            return "(where everybody stands is told by the one who waited out first)"
        told = [
            "=== The people wait for ===",
            *(f"{person.name}: {what}" for person in self.stage.people.values() for what in person.waits()),
            "=== What they see ===",
            *(str(person.screen) for person in self.stage.people.values() if person.waits()),
            "=== What the store believes is shown ===",
            *_surfaces(self.bot),
            "=== The test's own tasks ===",
            *map(event_loop.describe_task, asyncio.all_tasks(self._loop)),
            "=== The stand-in: calls under way ===",
            *self.playground.pipeline.ledger.under_way(),
            *_unanswered(self.playground),
            *_bot(self.bot),
        ]
        self._told = time.monotonic()
        return "\n".join(told)


def _unanswered(playground: Playground) -> list[str]:
    """Describe the interactions that no app has acknowledged yet."""
    now = playground.core.clock.time()
    return [
        f"{one.user.name}, {one.kind.name.lower()} {one.data.get('custom_id') or one.command}: "
        f"for {now - one.created:.1f} s"
        for one in playground.core.interactions.by_id.values()
        if one.state is State.WAITING
    ]


def _surfaces(bot: Bot) -> list[str]:
    """Of what goes on: which message shows which version, and how far it is behind."""
    address = bot.settings.get("GOPS_DATABASE", str(bot.database))
    if address == str(bot.database) and not bot.database.exists():
        return ["(there is no store)"]
    named = "owner, kind, \"user\", message, shown, state, token <> '' AS token"
    live = "owner IN (SELECT id FROM matches WHERE live = 1 UNION SELECT id FROM lobbies)"
    asked = f"SELECT {named} FROM surfaces WHERE {live} ORDER BY owner, id"
    try:
        if address != str(bot.database):
            rows = postgres.rows(address, asked, ())
        else:
            with closing(sqlite3.connect(f"file:{bot.database}?mode=ro", uri=True)) as connection:
                rows = connection.execute(asked).fetchall()
    except (sqlite3.Error, OSError, postgres.ERRORS) as error:
        return [f"(it cannot be read: {error})"]
    return [named, *(" ".join(map(str, row)) for row in rows)]


def _bot(bot: Bot) -> list[str]:
    """Where it stands, and its log."""
    process = bot.process
    if process is None or process.returncode is not None:
        return [f"=== The bot is down; {bot.log.name} ends ===", *bot.logged().splitlines()[-LINES:]]
    before = bot.logged()
    os.kill(process.pid, signal.SIGUSR1)
    until = time.monotonic() + ANSWERS_WITHIN
    while event_loop.END not in bot.logged()[len(before) :] and time.monotonic() < until:
        time.sleep(0.02)
    told = bot.logged()[len(before) :].replace("\\n", "\n")
    return [
        "=== The bot's log ===",
        *before.splitlines()[-LINES:],
        f"=== The bot, process {process.pid}, stands ===",
        told or f"It said nothing within {ANSWERS_WITHIN:g} s.",
    ]
