"""Card faces as application emojis, uploaded and replaced in the background. Without them cards are text."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple, TypeVar

import discord

from bot.pictures.faces import Portrait, find_face, list_faces, load_album, suit_of
from bot.referee.model.changes import SaveNote, StoreBusy, StoreReadOnly
from bot.referee.referee import Referee
from bot.rest.rest_client import CALL_FAILURES
from bot.ui.message import Message
from bot.ui.text.style import use_pictures

log = logging.getLogger(__name__)

T = TypeVar("T")

NOTE_PREFIX = "faces"
"""Start of the key of the note with the ids of uploaded emojis."""

RETRY_DELAY = 3600.0
"""Seconds until the next try after a failure."""

CHECK_INTERVAL = 600.0
"""Seconds between two comparisons, however often a face is refused in a message."""

NO_ROOM = 30008
ONE_REFUSED = (400, 413)
"""Statuses that refuse one emoji, for its name or its picture. All others are about all emojis."""


class SyncResult(NamedTuple):
    """Numbers of emojis that a comparison with Discord has uploaded and deleted, and that Discord refused."""

    uploaded: int
    deleted: int
    refused: int = 0


class Emojis:
    """Card faces in texts, and their upload to Discord."""

    def __init__(self, client: discord.Client, referee: Referee) -> None:
        self.client = client
        self.referee = referee
        self.faces: Mapping[str, str] = {}
        """the text of each face; no face of a suit before the whole suit is uploaded"""
        self._ids: dict[str, int] = {}
        """ids of uploaded emojis by name, those of older drawings included"""
        self._check_requested = asyncio.Event()

    async def load(self) -> None:
        """Load the faces of earlier uploads from the store."""
        kept = await self.referee.store.note(self._note_key)
        self._ids = {} if kept is None else json.loads(kept)
        self._publish()

    async def run(self) -> None:
        """Compare with Discord now, and again after a message was refused for its faces."""
        looked = -CHECK_INTERVAL
        while True:
            try:
                done = await self.sync()
            except (*CALL_FAILURES, StoreBusy, StoreReadOnly) as error:
                log.warning("the card faces could not be compared with Discord's: %s", error)
                await asyncio.sleep(RETRY_DELAY)
                continue
            if done.uploaded or done.deleted:
                log.info("uploaded %d card faces, deleted %d old ones", done.uploaded, done.deleted)
            if done.refused:
                await asyncio.sleep(RETRY_DELAY)
                continue
            await self._check_requested.wait()
            await asyncio.sleep(max(0.0, looked + CHECK_INTERVAL - time.monotonic()))
            looked = time.monotonic()
            self._check_requested.clear()

    def request_check(self) -> None:
        """Request a comparison: a message was refused for its faces, so an emoji may be deleted."""
        self._check_requested.set()

    async def sync(self) -> SyncResult:
        """Upload what is missing, use each suit that is there, and delete replaced faces. A refused face is left out
        until the next time."""
        wanted = {face.emoji: face for face in await asyncio.to_thread(load_album)}
        there = {one.name: one for one in await self._retry_on_limit(self.client.fetch_application_emojis)}
        before, ours = self._ids, set(self._ids.values())
        self._ids = {name: one.id for name, one in there.items() if find_face(name) or one.id in ours}
        known = len(self._ids)
        try:
            refused = await self._upload_all([face for name, face in wanted.items() if name not in there])
            uploaded = len(self._ids) - known
            replaced = self._ids.keys() - wanted.keys() if wanted.keys() <= self._ids.keys() else set[str]()
            for name in replaced:
                with suppress(discord.NotFound):
                    await self._retry_on_limit(there[name].delete)
                del self._ids[name]
        finally:
            if self._ids != before:
                await self.referee.write((SaveNote(self._note_key, json.dumps(self._ids)),))
            self._publish()
        return SyncResult(uploaded, len(replaced), refused)

    async def _upload_all(self, missing: Sequence[Portrait]) -> int:
        """Upload faces as long as there is room, and return how many Discord refused."""
        refused = 0
        self._publish()
        for number, face in enumerate(missing):
            create = partial(self.client.create_application_emoji, name=face.emoji, image=face.png)
            try:
                self._ids[face.emoji] = (await self._retry_on_limit(create)).id
            except discord.HTTPException as error:
                if error.code == NO_ROOM:
                    left = len(missing) - number
                    log.warning("this application has no room for %d more emojis: those cards stay text", left)
                    break
                if error.status not in ONE_REFUSED:
                    raise
                refused += 1
                log.warning("the card face %s was refused: %s", face.name, error)
            self._publish()
        return refused

    async def _retry_on_limit(self, call: Callable[[], Awaitable[T]]) -> T:
        """Make a call of emojis, whose rate limits may last longer than discord.py waits."""
        while True:
            try:
                return await call()
            except discord.RateLimited as limited:
                log.info("uploading card faces goes on in %.0f s", limited.retry_after)
                await asyncio.sleep(limited.retry_after)

    @property
    def _note_key(self) -> str:
        return f"{NOTE_PREFIX} {self.client.application_id}"

    def _publish(self) -> None:
        """Use all faces of a suit or none: half of them would look like a mistake. An older drawing serves until there
        is a newer one."""
        newest = sorted(self._ids.items(), key=lambda one: one[1])
        written = {find_face(name): f"<:{name}:{id}>" for name, id in newest}
        incomplete = {suit_of(face) for face in list_faces() if face not in written}
        self.faces = {face: how for face, how in written.items() if suit_of(face) not in incomplete}
        use_pictures(self.faces)


INVALID_FORM = 50035

FILES_REFUSED = (400, 403, 413)
"""Statuses that refuse a file: it is too large, or the channel allows none."""


async def send_with_fallback(
    message: Message, send: Callable[[Message], Awaitable[T]], refused: Callable[[], object]
) -> T:
    """Send a message. If Discord refuses it for its pictures, send it again without; its words say the same.

    `refused` is called for card faces: an emoji was deleted, or Discord does not know a new one yet
    (discord-api-docs#7128). Files may not be allowed in this channel.
    """
    try:
        return await send(message)
    except discord.HTTPException as error:
        if error.code == INVALID_FORM and message.has_emojis:
            log.info("refused with card faces (%d), so sent without", error.code)
            refused()
            simpler = message.without_emojis()
        elif error.status in FILES_REFUSED and message.has_spare_files:
            log.info("refused with its picture (%d), so sent without", error.code)
            simpler = message.without_spare_files()
        else:
            raise
    return await send_with_fallback(simpler, send, refused)
