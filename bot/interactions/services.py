"""What every command and button needs, made once by `bot.app` and carried by the client."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bot.errors import RefereeError
from bot.messages.owner import Owner
from bot.messages.publisher import Publisher
from bot.messages.render import Painter
from bot.referee.clock.presence import Presence
from bot.referee.house.coach import Coach
from bot.referee.model.changes import PartitionMoved, StoreBusy, StoreReadOnly
from bot.referee.model.surfaces import Surface
from bot.referee.referee import Referee
from bot.referee.verify.upload_check import Desk
from bot.rest.delivery import Delivery
from bot.rest.emojis import Emojis
from bot.rest.members import Members


@dataclass(slots=True)
class Bans:
    """Banned users and servers; replaced in place when the settings are read again."""

    users: frozenset[int] = frozenset()
    servers: frozenset[int] = frozenset()

    def check_ban(self, user: int, server: int | None) -> None:
        """Raise RefereeError for a banned user, and for everyone in a banned server."""
        if user in self.users or server in self.servers:
            raise RefereeError("banned")


STOP_TIMEOUT = 3.0
"""seconds in which Discord takes a first answer, so that at the end nobody waits longer for one"""


@dataclass(slots=True)
class Services:
    """Everything that a handler may use; one per client."""

    referee: Referee
    publisher: Publisher
    owner: Owner
    members: Members
    emojis: Emojis
    presence: Presence | None = None
    """whether people can play; None where nothing is measured"""
    coach: Coach = field(default_factory=Coach)
    """perfect play, for reviews and analyses"""
    painter: Painter = field(default_factory=Painter)
    """pictures that are made for one message"""
    version: str = ""
    """of this program"""
    support: str = ""
    """where people tell of problems: an address; empty where there is none"""
    desk: Desk = field(default_factory=Desk)
    """where files that people send are looked at"""
    bans: Bans = field(default_factory=Bans)
    """whom the operator does not serve"""
    stopping: bool = False
    """going down: nothing new is taken in"""
    undone: dict[tuple[int, int], Surface] = field(default_factory=dict[tuple[int, int], Surface])
    """the private sentence that a press changed nothing, by user and pressed message"""
    running: set[asyncio.Task[Any]] = field(default_factory=set["asyncio.Task[Any]"])
    """interactions that are being answered; what they have committed is still to be shown and noted"""

    @property
    def delivery(self) -> Delivery:
        """Calls to Discord that are about no match."""
        return self.publisher.delivery

    def seconds_since(self, at: datetime) -> float:
        """Seconds since somebody asked for something at this time, by Discord's clock; rather too many than too few."""
        if self.presence is not None:
            return self.presence.press_age(at)
        return (self.referee.clock.now() - at).total_seconds()

    def report_save_failure(self, trouble: StoreBusy | StoreReadOnly) -> None:
        """Something was not taken in: no clock may run meanwhile, and who can mend it is told. A partition that another
        process owns by now is no trouble: that process has its clocks."""
        if isinstance(trouble, PartitionMoved):
            return
        if self.presence is not None:
            self.presence.stall()
        if isinstance(trouble, StoreReadOnly):
            self.owner.cannot_save(trouble)

    async def wait_until_idle(self) -> None:
        """Wait until every interaction that was taken in has been answered."""
        while self.running:
            await asyncio.wait(self.running)

    async def close(self) -> None:
        """End the processes and tasks of all parts."""
        await self.coach.close()
        self.painter.worker.stop()
        self.desk.close()
        await self.members.tasks.close()
        await self.owner.tasks.close()
        await self.publisher.close()

    async def stop(self) -> None:
        """Nothing more is taken in, and nothing waited for that Discord has given up."""
        self.stopping = True
        if self.running:
            _, late = await asyncio.wait(self.running, timeout=STOP_TIMEOUT)
            for one in late:
                one.cancel()
            await asyncio.gather(*late, return_exceptions=True)
