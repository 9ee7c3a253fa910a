"""A person's own data: a copy of all of it, and all of it erased."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from bot.errors import DamagedMatch, Refused
from bot.referee.keeper import TRIES, Keeper
from bot.referee.lobby.challenges import Challenges
from bot.referee.lobby.tables import Tables
from bot.referee.match.live import revive
from bot.referee.past.archive import Archive
from bot.referee.ports.changes import Conflict, Erase, Erased, SaveNote
from bot.referee.ports.model import StoredMatch, UserId
from bot.referee.ports.people import Bar
from bot.referee.proof import version2
from bot.referee.query.look import record_data
from bot.referee.query.viewing import Lapse, Views

log = logging.getLogger(__name__)

AGAIN = timedelta(hours=1)
"""between two copies of one person's data"""

SHOWN = timedelta(days=30)
"""boards of matches that ended so lately are drawn anew without the name"""

ABOUT = (
    "Everything that this bot keeps about you, table by table as its database has it."
    " Times are microseconds since 1970 (UTC); bytes are written as hex digits."
    " `damaged` names matches of which not everything can be read any more."
)


class Parted(NamedTuple):
    """What became of the matches of somebody whose data is erased."""

    matches: Sequence[str]
    """whose boards show it"""
    damaged: Sequence[str]
    """which nobody can read any more; they are gone from there as well"""


class Privacy:
    """What a person may have and may take back."""

    def __init__(self, keeper: Keeper, views: Views, archive: Archive, challenges: Challenges, tables: Tables) -> None:
        self._keeper = keeper
        self._views = views
        self._archive = archive
        self._challenges = challenges
        self._tables = tables

    # --- a copy ------------------------------------------------------------------------------------------

    async def export(self, user: UserId) -> Mapping[str, Any]:
        """Everything that is kept about a person, as JSON has it."""
        now = self._keeper.clock.now()
        lately = await self._keeper.store.note(_exported(user))
        if lately and now < datetime.fromisoformat(lately) + AGAIN:
            raise Refused("export-lately", t=datetime.fromisoformat(lately) + AGAIN)
        kept = await self._keeper.store.own(user)
        await self._keeper.write((SaveNote(_exported(user), now.isoformat()),))
        return {"about": ABOUT, "user": str(user), "at": now.isoformat(), **kept}

    # --- erased ------------------------------------------------------------------------------------------

    async def check_erasable(self, user: UserId) -> None:
        """Live matches must end first: others are playing them."""
        live = await self._keeper.store.live_count(user)
        if live:
            raise Refused("delete-live", n=live)

    async def bars(self, user: UserId) -> Sequence[Bar]:
        """What keeps them from playing somewhere, and stays when the rest is erased."""
        now = self._keeper.clock.now()
        return [one for one in await self._keeper.store.barred(user) if one.until > now]

    async def erase(self, user: UserId) -> Parted:
        """Erase a person. What others played with them stays as it was."""
        for _ in range(TRIES):
            await self.check_erasable(user)
            await self._leave_lobbies(user)
            now, ids = self._keeper.clock.now(), await self._keeper.store.finished_ids(user)
            matches: list[Erased] = []
            damaged: list[str] = []
            for id in ids:
                try:
                    stored = await self._keeper.store.match(id)
                except DamagedMatch as error:
                    if error.newer:  # nothing is wrong with it
                        raise
                    log.error("%s", error)
                    damaged.append(id)
                    matches.append(Erased(id, b"", ""))  # its agreement may name them, and nobody can prove it any more
                    continue
                if stored is not None:
                    lapses = await self._views.lapses(stored)
                    matches.append(await asyncio.to_thread(_erased, stored, user, lapses))
            number = await self._keeper.store.former_number()
            try:
                await self._keeper.write((Erase(user, number, tuple(matches), now - SHOWN, now),))
            except Conflict:  # they played on meanwhile
                continue
            self._keeper.forget()
            self._archive.forget(user)
            parted = Parted([id for id in ids if id not in damaged], damaged)
            for id in parted.matches:
                self._keeper.tell(id)
            return parted
        raise Refused("busy")

    async def _leave_lobbies(self, user: UserId) -> None:
        """Whatever they asked for is taken back, and whatever they were asked is declined."""
        for lobby in await self._keeper.store.invited(user):
            if lobby.kind == "table":
                await self._tables.leave(lobby.id, user)
            elif lobby.host == user:
                await self._challenges.withdraw(lobby.id, user)
            else:
                await self._challenges.decline(lobby.id, user)


def _exported(user: UserId) -> str:
    return f"exported {user}"


def _erased(stored: StoredMatch, user: UserId, lapses: Sequence[Lapse]) -> Erased:
    """Where the agreement names them by their id only its hash stays, and the seal that was published over it."""
    players: Sequence[str] = json.loads(stored.agreement).get("players", ()) if stored.agreement else ()
    if str(user) not in players:  # version 1; a daily deal, whose agreement all tries share; or it has gone already
        return Erased(stored.id, stored.agreement, stored.record)
    agreed = json.dumps({"hash": version2.agreed(stored.agreement)}).encode()
    return Erased(stored.id, agreed, record_data(revive(stored), lapses)["fairness"]["record"])
