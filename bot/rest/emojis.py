"""Card faces as application emojis, uploaded in the background. Without them cards are text."""

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

from bot.pictures.faces import Portrait, find_face, find_version, list_faces, load_album, name_emoji, suit_of
from bot.referee.model.changes import SaveNote, StoreBusy, StoreReadOnly
from bot.referee.referee import Referee
from bot.rest.rest_client import CALL_FAILURES
from bot.ui.text.style import use_pictures

log = logging.getLogger(__name__)

T = TypeVar("T")

NOTE_PREFIX = "emojis"
"""Start of the key of the note with the uploaded emojis."""

RETRY_DELAY = 3600.0
"""Seconds until the next try after a failure."""

LOAD_DELAY = 60.0
"""Seconds until the next look for what another process uploads."""

CHECK_INTERVAL = 600.0
"""Seconds between two comparisons, however often a face is refused in a message."""

NO_ROOM = 30008
ONE_REFUSED = (400, 413)
"""Statuses that refuse one emoji, for its name or its picture. All others are about all emojis."""


class Upload(NamedTuple):
    """An emoji of ours at Discord, as the store keeps it under its name."""

    digest: str
    """of its picture"""
    id: int
    """0 while Discord has not answered the upload"""


class SyncResult(NamedTuple):
    """Numbers of faces that a comparison with Discord has uploaded, and that are missing afterwards."""

    uploaded: int
    missing: int = 0


class Emojis:
    """Card faces in texts, and their upload to Discord.

    A redrawn face is a new emoji (four_of_hearts_2). The earlier one stays, because old messages show it. Of several
    processes one uploads, and the others read from the store what it uploaded.
    """

    def __init__(
        self, client: discord.Client, referee: Referee, uploads_here: Callable[[], bool] = lambda: True
    ) -> None:
        self.client = client
        self.referee = referee
        self._uploads_here = uploads_here
        self.faces: Mapping[str, str] = {}
        """the text of each face; no face of a suit before the whole suit is uploaded"""
        self._uploads: dict[str, Upload] = {}
        """by name, those of older drawings included"""
        self._digests: dict[str, str] = {}
        """of the newest drawing of each face; empty before the first comparison"""
        self._check_requested = asyncio.Event()

    async def load(self) -> None:
        """Load the faces of earlier uploads from the store."""
        kept = await self.referee.store.note(self._note_key)
        self._uploads = {} if kept is None else {name: Upload(*one) for name, one in json.loads(kept).items()}
        self._publish()

    async def run(self) -> None:
        """Upload what is missing now, and look again after a message was refused for its faces."""
        looked = -CHECK_INTERVAL
        while True:
            try:
                done = await self.sync() if self._uploads_here() else await self._read_uploaded()
            except (*CALL_FAILURES, StoreBusy, StoreReadOnly) as error:
                log.warning("the card faces could not be compared with Discord's: %s", error)
                await asyncio.sleep(RETRY_DELAY)
                continue
            if done.uploaded:
                log.info("uploaded %d card faces", done.uploaded)
            if done.missing:
                await asyncio.sleep(RETRY_DELAY if self._uploads_here() else LOAD_DELAY)
                continue
            await self._check_requested.wait()
            await asyncio.sleep(max(0.0, looked + CHECK_INTERVAL - time.monotonic()))
            looked = time.monotonic()
            self._check_requested.clear()

    def request_check(self) -> None:
        """Request a comparison: a message was refused for its faces, so an emoji may be deleted."""
        self._check_requested.set()

    async def sync(self) -> SyncResult:
        """Upload what is missing, and use each suit that is there. A refused face is left out until the next time."""
        await self.load()
        album = await asyncio.to_thread(load_album)
        self._digests = {face.name: face.digest for face in album}
        await self._adopt_listed()
        missing = self._list_missing(album)
        if not missing:
            return SyncResult(0)
        names = self._name_uploads(missing)
        try:
            await self._save()  # before the uploads: a lost answer does not lose the digest of its picture
            uploaded, refused = await self._upload_all(names)
            if refused:  # another process may have uploaded them
                await self._adopt_listed()
        finally:
            await self._save()
            self._publish()
        return SyncResult(uploaded, len(self._list_missing(refused)))

    async def _read_uploaded(self) -> SyncResult:
        await self.load()
        return SyncResult(0, sum(face not in self.faces for face in list_faces()))

    async def _adopt_listed(self) -> None:
        """Take over what Discord lists, and forget what is gone. An emoji that the store does not know counts as the
        newest drawing: a lost store is likelier than an old picture."""
        listed = await self._retry_on_limit(self.client.fetch_application_emojis)
        ours = {one.name: one.id for one in listed if find_face(one.name)}
        newest = {find_face(name): name for name in sorted(ours, key=find_version)}
        before, self._uploads = self._uploads, {}
        for name, id in ours.items():
            face = find_face(name)
            unknown = self._digests[face] if newest[face] == name else ""
            self._uploads[name] = Upload(before[name].digest if name in before else unknown, id)
        if self._uploads != before:
            await self._save()
        self._publish()

    def _list_missing(self, album: Sequence[Portrait]) -> list[Portrait]:
        there = {(find_face(name), one.digest) for name, one in self._uploads.items() if one.id}
        return [face for face in album if (face.name, face.digest) not in there]

    def _name_uploads(self, missing: Sequence[Portrait]) -> dict[str, Portrait]:
        """Give each face a name that Discord does not have yet, and note it as asked for."""
        versions = {find_face(name): find_version(name) for name in sorted(self._uploads, key=find_version)}
        names: dict[str, Portrait] = {}
        for face in missing:
            version = versions.get(face.name, 0) + 1
            names[name_emoji(face.name) + (f"_{version}" if version > 1 else "")] = face
        self._uploads |= {name: Upload(face.digest, 0) for name, face in names.items()}
        return names

    async def _upload_all(self, names: Mapping[str, Portrait]) -> tuple[int, list[Portrait]]:
        """Upload faces as long as there is room. Return how many were uploaded, and those that Discord refused."""
        uploaded, refused = 0, list[Portrait]()
        for name, face in names.items():
            try:
                id = await self._upload(name, face)
            except discord.HTTPException as error:
                if error.code == NO_ROOM:
                    left = len(names) - uploaded - len(refused)
                    log.warning("this application has no room for %d more emojis: those cards stay text", left)
                    break
                if error.status not in ONE_REFUSED:
                    raise
                refused.append(face)
                log.warning("the card face %s was refused: %s", face.name, error)
            else:
                self._uploads[name] = Upload(face.digest, id)
                uploaded += 1
            self._publish()
        return uploaded, refused

    async def _upload(self, name: str, face: Portrait) -> int:
        """Upload a face and return its id. Where the application is full, the oldest replaced drawing makes room."""
        create = partial(self.client.create_application_emoji, name=name, image=face.png)
        while True:
            try:
                return (await self._retry_on_limit(create)).id
            except discord.HTTPException as error:
                oldest = self._find_oldest_replaced()
                if error.code != NO_ROOM or oldest is None:
                    raise
                await self._delete(oldest)

    def _find_oldest_replaced(self) -> str | None:
        replaced = [
            (one.id, name)
            for name, one in self._uploads.items()
            if one.id and one.digest != self._digests.get(find_face(name))
        ]
        return min(replaced)[1] if replaced else None

    async def _delete(self, name: str) -> None:
        id = self._uploads.pop(name).id
        with suppress(discord.NotFound):
            emoji = await self._retry_on_limit(partial(self.client.fetch_application_emoji, id))
            await self._retry_on_limit(emoji.delete)

    async def _save(self) -> None:
        await self.referee.write((SaveNote(self._note_key, json.dumps(self._uploads)),))

    async def _retry_on_limit(self, call: Callable[[], Awaitable[T]]) -> T:
        """Make a call of emojis, whose rate limits may last longer than discord.py waits."""
        while True:
            try:
                return await call()
            except discord.RateLimited as limited:
                log.info("uploading card faces continues in %.0f s", limited.retry_after)
                await asyncio.sleep(limited.retry_after)

    @property
    def _note_key(self) -> str:
        return f"{NOTE_PREFIX} {self.client.application_id}"

    def _publish(self) -> None:
        """Use all faces of a suit or none: half of them would look like a mistake. An older drawing serves until there
        is a newer one."""
        uploads = [(find_face(name), name, one) for name, one in self._uploads.items() if one.id]
        uploads.sort(key=lambda one: (one[2].digest == self._digests.get(one[0]), one[2].id))
        written = {face: f"<:{name}:{one.id}>" for face, name, one in uploads}
        incomplete = {suit_of(face) for face in list_faces() if face not in written}
        self.faces = {face: how for face, how in written.items() if suit_of(face) not in incomplete}
        use_pictures(self.faces)
