"""Card faces as application emojis: uploaded and replaced behind everything else. Without them cards are text."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
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
"""the note that holds the ids of what was uploaded"""

SAVE_EVERY = 20
"""uploads between two notes of how far it has got"""

RETRY_DELAY = 3600.0
"""seconds until it is tried again after a failure"""

CHECK_INTERVAL = 600.0
"""seconds between two looks at what Discord has, however often a face was refused"""

NO_ROOM = 30008
ONE_REFUSED = (400, 413)
"""how Discord refuses one emoji: its name or its picture; whatever else it answers is about all of them"""


class SyncResult(NamedTuple):
    """What a comparison with Discord has changed."""

    uploaded: int
    deleted: int
    refused: int = 0


class Emojis:
    """The faces that may be written with, and how they get to Discord."""

    def __init__(self, client: discord.Client, referee: Referee) -> None:
        self.client = client
        self.referee = referee
        self.faces: Mapping[str, str] = {}
        """how each face is written in a text; nothing of a suit until all of it is there"""
        self._ids: dict[str, int] = {}
        """what we uploaded, by its name; older ones too, as long as they are there"""
        self._check_requested = asyncio.Event()

    async def load(self) -> None:
        """What was uploaded earlier, without asking Discord."""
        kept = await self.referee.store.note(self._note_key)
        self._ids = {} if kept is None else json.loads(kept)
        self._publish()

    async def run(self) -> None:
        """Compare with Discord now, and whenever a face was refused; until cancelled."""
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
        """A face was refused: perhaps somebody deleted it."""
        self._check_requested.set()

    async def sync(self) -> SyncResult:
        """Upload what is missing, use each suit that is there, and delete what it replaces. A rate limit is waited
        for. A face that is refused is left out until the next time."""
        wanted = {face.emoji: face for face in await asyncio.to_thread(load_album)}
        there = {one.name: one for one in await self._retry_on_limit(self.client.fetch_application_emojis)}
        ours = set(self._ids.values())
        known = {name: one.id for name, one in there.items() if find_face(name) or one.id in ours}
        changed, self._ids = known != self._ids, known
        missing = [face for name, face in wanted.items() if name not in there]
        before = len(self._ids)
        try:
            refused = await self._upload_all(missing)
        finally:
            uploaded = len(self._ids) - before
            if uploaded or changed:
                await self._save()
            self._publish()
        old = [there[name] for name in self._ids if name not in wanted] if set(wanted) <= set(self._ids) else []
        for one in old:
            with suppress(discord.NotFound):
                await self._retry_on_limit(one.delete)
            del self._ids[one.name]
        if old:
            await self._save()
        return SyncResult(uploaded, len(old), refused)

    async def _upload_all(self, missing: Sequence[Portrait]) -> int:
        """Upload faces as long as there is room; how many Discord refused."""
        refused = 0
        for number, face in enumerate(missing, 1):
            try:
                self._ids[face.emoji] = (await self._upload(face)).id
            except discord.HTTPException as error:
                if error.code == NO_ROOM:
                    left = len(missing) - number + 1
                    log.warning("this application has no room for %d more emojis: those cards stay text", left)
                    break
                if error.status not in ONE_REFUSED:
                    raise
                refused += 1
                log.warning("the card face %s was refused: %s", face.name, error)
            if number % SAVE_EVERY == 0:
                await self._save()
            if number == len(missing) or suit_of(missing[number].name) != suit_of(face.name):
                self._publish()
        return refused

    async def _upload(self, face: Portrait) -> discord.Emoji:
        return await self._retry_on_limit(lambda: self.client.create_application_emoji(name=face.emoji, image=face.png))

    async def _retry_on_limit(self, call: Callable[[], Awaitable[T]]) -> T:
        """Emojis have limits of their own, which may take longer than any other call would wait."""
        while True:
            try:
                return await call()
            except discord.RateLimited as limited:
                log.info("uploading card faces goes on in %.0f s", limited.retry_after)
                await asyncio.sleep(limited.retry_after)

    @property
    def _note_key(self) -> str:
        return f"{NOTE_PREFIX} {self.client.application_id}"

    async def _save(self) -> None:
        await self.referee.write((SaveNote(self._note_key, json.dumps(self._ids)),))

    def _publish(self) -> None:
        """All faces of a suit or none: half of them would look like a mistake. An older picture does until there is a
        new one."""
        newest = sorted(self._ids.items(), key=lambda one: one[1])
        written = {find_face(name): f"<:{name}:{id}>" for name, id in newest}
        incomplete = {suit_of(face) for face in list_faces() if face not in written}
        self.faces = {face: how for face, how in written.items() if suit_of(face) not in incomplete}
        use_pictures(self.faces)


INVALID_FORM = 50035


FILES_REFUSED = (400, 403, 413)
"""how Discord refuses a file: it is too large, or this place takes none"""


async def send_with_fallback(
    message: Message, send: Callable[[Message], Awaitable[T]], refused: Callable[[], object]
) -> T:
    """Send a message. Where it is refused for its pictures, send it once more in words, which say the same.

    A picture of a card was deleted, or Discord does not know yet what was just uploaded (discord-api-docs#7128);
    `refused` is called then. Other pictures may not be allowed in this channel.
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
