"""Files that people send."""

from __future__ import annotations

import discord

from bot.errors import RefereeError
from bot.referee.archive.record_import import MOST_BYTES
from bot.rest.rest_client import CONNECTION_ERRORS


async def read_attachment(file: discord.Attachment) -> bytes:
    """What is in it; one that is too large is not even fetched."""
    if file.size > MOST_BYTES:
        raise RefereeError("record-big")
    try:
        return await file.read()
    except (discord.HTTPException, *CONNECTION_ERRORS) as error:
        raise RefereeError("record-gone") from error
