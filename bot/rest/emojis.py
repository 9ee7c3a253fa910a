"""Card faces as application emojis, uploaded in the background. Without them cards are text."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

import discord

from bot.pictures.faces import find_face, find_version, list_faces, name_emoji, read_face, suit_of
from bot.rest.rest_client import CALL_FAILURES
from bot.ui.text.style import use_pictures

log = logging.getLogger(__name__)

RETRY_DELAY = 3600.0
"""Seconds until the next try after a failure."""

LOAD_DELAY = 60.0
"""Seconds until the next look for what another process uploads."""

CHECK_INTERVAL = 600.0
"""Seconds between two comparisons, however often a face is refused in a message."""

NO_ROOM = 30008
ONE_REFUSED = (400, 413)
"""Statuses that refuse one emoji, for its name or its picture. All others are about all emojis."""


class Emojis:
    """Card faces in texts, and their upload to Discord.

    A redrawn face is a new emoji (four_of_hearts_2). The earlier one stays, because old messages show it. Of several
    processes one uploads, and the others read from Discord what it uploaded.
    """

    def __init__(self, client: discord.Client, uploads_here: Callable[[], bool] = lambda: True) -> None:
        self.client = client
        self._uploads_here = uploads_here
        self._ids: dict[str, int] = {}
        """by name, those of older drawings included"""
        self._check_requested = asyncio.Event()

    async def load(self) -> None:
        """Use the faces that Discord lists."""
        listed = await self.client.fetch_application_emojis()
        self._ids = {one.name: one.id for one in listed if find_face(one.name)}
        self._publish()

    async def run(self) -> None:
        """Upload what is missing now, and look again after a message was refused for its faces."""
        looked = -CHECK_INTERVAL
        while True:
            try:
                if uploaded := await self.sync():
                    log.info("uploaded %d card faces", uploaded)
            except CALL_FAILURES as error:
                log.warning("the card faces could not be compared with Discord's: %s", error)
            if self._list_missing():
                await asyncio.sleep(RETRY_DELAY if self._uploads_here() else LOAD_DELAY)
                continue
            await self._check_requested.wait()
            await asyncio.sleep(max(0.0, looked + CHECK_INTERVAL - time.monotonic()))
            looked = time.monotonic()
            self._check_requested.clear()

    def request_check(self) -> None:
        """Request a comparison: a message was refused for its faces, so an emoji may be deleted."""
        self._check_requested.set()

    async def sync(self) -> int:
        """Use each suit that is there, upload what is missing, and return how many faces were uploaded. A refused face
        is left out until the next time."""
        await self.load()
        uploaded, is_refused = 0, False
        for face in self._list_missing() if self._uploads_here() else ():
            try:
                await self._upload(face)
            except discord.HTTPException as error:
                if error.status not in ONE_REFUSED:
                    raise
                is_refused = True
                log.warning("the card face %s was refused: %s", face, error)
                if error.code == NO_ROOM:
                    break
            else:
                uploaded += 1
        if is_refused:  # another process may have uploaded them
            await self.load()
        return uploaded

    def _list_missing(self) -> list[str]:
        return [face for face in list_faces() if name_emoji(face) not in self._ids]

    async def _upload(self, face: str) -> None:
        """Upload a face. The rate limits of emojis may last longer than discord.py waits."""
        name, picture = name_emoji(face), await asyncio.to_thread(read_face, face)
        while name not in self._ids:
            try:
                self._ids[name] = (await self.client.create_application_emoji(name=name, image=picture)).id
            except discord.RateLimited as limited:
                log.info("uploading card faces continues in %.0f s", limited.retry_after)
                await asyncio.sleep(limited.retry_after)
        self._publish()

    def _publish(self) -> None:
        """Use all faces of a suit or none: half of them would look like a mistake. Another drawing serves until there
        is the present one."""
        names = sorted(self._ids, key=lambda name: (name == name_emoji(find_face(name)), find_version(name)))
        written = {find_face(name): f"<:{name}:{self._ids[name]}>" for name in names}
        incomplete = {suit_of(face) for face in list_faces() if face not in written}
        use_pictures({face: how for face, how in written.items() if suit_of(face) not in incomplete})
