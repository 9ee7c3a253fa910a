"""The calls that draw what is there already, by the shortest way: over discord.py's connections, without its objects.

discord.py builds a view out of what is sent and a message out of what comes back, and asks Discord to send the whole
message back. Nothing here needs either. Above all it repeats a call that Discord did not take at once, with what was
drawn the first time; meanwhile somebody may have drawn the message newer. So each call is made once: who called hears
of it, and draws anew before the next try.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol

import discord
from discord.http import HTTPClient, Route, json_or_text

from cogs.ui.message import Message

UPDATE = discord.InteractionResponseType.message_update.value
ACKNOWLEDGE = {"type": discord.InteractionResponseType.deferred_message_update.value}
JSON = {"Content-Type": "application/json"}

TOO_MANY = 429
SERVERS_FAULT = 500
REFUSED = 300
ERRORS = {403: discord.Forbidden, 404: discord.NotFound}


class Client(Protocol):
    """As much of a client as these calls need."""

    http: HTTPClient
    uncounted: Any
    """an aiohttp session for answers and edits by token, which count against no limit of the bot"""
    counted: Any
    """one for edits that count, through the same last door as discord.py's own calls"""


async def update(interaction: discord.Interaction[Any], message: Message) -> None:
    """Answer a press: the message that was pressed becomes this one."""
    await _answer(interaction, {"type": UPDATE, "data": message.edit})


async def acknowledge(interaction: discord.Interaction[Any]) -> None:
    """Answer a press without drawing anything: it may be repeated as often as it takes."""
    await _answer(interaction, ACKNOWLEDGE)


async def edit(client: Client, app: int, token: str, message: Message, notify: bool = False) -> int:
    """Edit the message of an earlier press by its token; its id. `notify`: it says something for the first time."""
    body = message.edit
    if notify:
        body["allowed_mentions"] = message.allowed_mentions.to_dict()
    path = f"/webhooks/{app}/{token}/messages/@original"
    told = await _call(client.uncounted, "PATCH", Route.BASE + path, body)
    return int(json.loads(told)["id"]) if notify else 0


async def edit_counted(client: Client, channel: int, message: int, drawn: Message) -> None:
    """Edit any message of the bot."""
    path = f"{Route.BASE}/channels/{channel}/messages/{message}"
    await _call(client.counted, "PATCH", path, drawn.edit, {**JSON, "Authorization": f"Bot {client.http.token}"})


async def _answer(interaction: discord.Interaction[Any], payload: Mapping[str, Any]) -> None:
    path = f"{Route.BASE}/interactions/{interaction.id}/{interaction.token}/callback"
    await _call(interaction.client.uncounted, "POST", path, payload)


async def _call(
    session: Any, method: str, url: str, payload: Mapping[str, Any], headers: Mapping[str, str] = JSON
) -> bytes:
    body = json.dumps(payload, separators=(",", ":")).encode()
    sent = session.request(method, url, data=body, headers=headers)
    async with sent as response:
        if response.status < REFUSED:
            return await response.read()  # in any case: else the connection could not be used again
        told = await json_or_text(response)
        if response.status == TOO_MANY:
            raise discord.RateLimited(_seconds(told, response.headers.get("Retry-After", "")))
        if response.status >= SERVERS_FAULT:
            raise discord.DiscordServerError(response, told)
        raise ERRORS.get(response.status, discord.HTTPException)(response, told)


def _seconds(told: Any, header: str) -> float:
    """How long Discord wants to be left alone."""
    try:
        return max(float(told["retry_after"] if isinstance(told, dict) and "retry_after" in told else header), 0.0)
    except (TypeError, ValueError):  # a date, or nothing: Discord itself always tells a number
        return 1.0
