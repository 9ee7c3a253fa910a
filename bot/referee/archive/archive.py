"""Finished matches and imported records, for reviews, replays and exports."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence

from bot.engine.refusals import RuleError
from bot.errors import RefereeError
from bot.referee.archive.record_import import match_of_import
from bot.referee.model.changes import KeepImport
from bot.referee.model.model import Snowflake, StoredMatch, UserId
from bot.referee.model.people import Import
from bot.referee.repository.finder import Finder
from bot.referee.repository.live import Live, replay_match
from bot.referee.repository.match_repository import Commands, LastUsed, MatchRepository
from bot.referee.repository.view_builder import record_data
from bot.referee.repository.view_service import Lapse, Views

log = logging.getLogger(__name__)

MOST_IMPORTS = 10
"""Imported records that are kept for one person."""
OPENED = 16
"""Imported records that are cached, for all people together."""


class Archive(Commands):
    """Matches that are over, wherever they were played."""

    def __init__(self, repository: MatchRepository, find: Finder, views: Views) -> None:
        super().__init__(repository)
        self._views = views
        self._find = find
        self._opened = LastUsed[tuple[UserId, str], Live](OPENED)
        self._exporting: dict[UserId, int] = {}

    async def load(self, user: UserId, guild: Snowflake, id: str) -> Live:
        """Return a match by its id: a record that this person imported, or a match that they may look into."""
        known = self._opened.find((user, id))
        if known is not None:
            return known
        kept = await self._store.imported(user, id)
        if kept is not None:
            return await self._open(kept)
        live = await self._repository.live(id)
        self._find.check_open(live, user, guild)
        return live

    async def add_import(self, user: UserId, record: str) -> Live:
        """Keep a record that was refereed; the oldest of this person's makes room."""
        kept = Import(await self._repository.new_id(), user, self._clock.now(), record)
        await self._repository.write((KeepImport(kept, MOST_IMPORTS),))
        return await self._open(kept)

    async def _open(self, kept: Import) -> Live:
        try:
            live = await asyncio.to_thread(replay_match, match_of_import(kept))
        except (RuleError, LookupError, ValueError) as error:  # the rules are stricter than when it was kept
            log.warning("the imported record %s is not valid any more", kept.id)
            raise RefereeError("unknown-match", x=kept.id) from error
        return self._opened.keep((kept.user, kept.id), live)

    # --- to take along -----------------------------------------------------------------------------------

    async def export_history(self, user: UserId) -> list[bytes]:
        """Return the records of all matches that a person finished, oldest first, one line each."""
        if user in self._exporting:
            raise RefereeError("coach-busy")
        store, lines = self._store, list[bytes]()
        ids = await store.finished_ids(user)
        if not ids:
            raise RefereeError("empty-history")
        self._exporting[user] = 0
        try:
            for id in ids:
                stored = await store.match(id)
                if stored is not None:
                    lapses = await self._views.list_lapses(stored)
                    lines.append(await asyncio.to_thread(_record_line, stored, lapses))
                    self._exporting[user] = len(lines)
        finally:
            del self._exporting[user]
        return lines

    def count_exported(self, user: UserId) -> int:
        """Return how many records of the running export are done."""
        return self._exporting.get(user, 0)

    def forget(self, user: UserId) -> None:
        """Drop the cached imports of a person."""
        for key in [key for key in self._opened if key[0] == user]:
            del self._opened[key]


def _record_line(stored: StoredMatch, lapses: Sequence[Lapse]) -> bytes:
    record = record_data(replay_match(stored), lapses)
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
