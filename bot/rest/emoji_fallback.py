"""Messages with pictures of cards, which Discord sometimes refuses: then the same is sent once more in words."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

import discord

from bot.ui.message import Message

log = logging.getLogger(__name__)

T = TypeVar("T")

INVALID_FORM = 50035


FILES_REFUSED = (400, 403, 413)
"""how Discord refuses a file: it is too large, or this place takes none"""


async def send_with_fallback(
    message: Message, send: Callable[[Message], Awaitable[T]], refused: Callable[[], object]
) -> T:
    """Send a message; where a picture that its words tell as well may be why it is refused, once more without it."""
    if not message.has_spare:
        return await _send_with_text_fallback(message, send, refused)
    try:
        return await _send_with_text_fallback(message, send, refused)
    except discord.HTTPException as error:
        if error.status not in FILES_REFUSED:
            raise
        log.info("refused with its picture (%d), so sent without", error.code)
    return await _send_with_text_fallback(message.spared(), send, refused)


async def _send_with_text_fallback(
    message: Message, send: Callable[[Message], Awaitable[T]], refused: Callable[[], object]
) -> T:
    """Send a message; where its pictures may be why it is refused, once more in words, and `refused` hears of it. One
    was deleted, or Discord does not know yet what was just uploaded (discord-api-docs#7128)."""
    try:
        return await send(message)
    except discord.HTTPException as error:
        if error.code != INVALID_FORM or not message.pictured:
            raise
        log.info("refused with card faces (%d), so sent without", error.code)
    refused()
    return await send(message.bare())
