"""The calls that every bid makes, by the shortest way: over discord.py's connections, without its objects.

discord.py builds a view out of what is sent and a message out of what comes back, and asks Discord to send the whole
message back. Nothing here needs either. Whatever carries files goes the long way, and so does whatever Discord does not
answer at once: waiting and trying again is discord.py's business.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import discord
from discord.http import Route, json_or_text
from discord.webhook.async_ import async_context

from cogs.ui.message import Message

if TYPE_CHECKING:
    from cogs.services import GopsClient

UPDATE = discord.InteractionResponseType.message_update.value
JSON = {"Content-Type": "application/json"}

TOO_MANY = 429
SERVERS_FAULT = 500
REFUSED = 300
ERRORS = {403: discord.Forbidden, 404: discord.NotFound}


async def update(interaction: discord.Interaction[GopsClient], message: Message) -> None:
    """Answer a press: the message that was pressed becomes this one."""
    payload = {"type": UPDATE, "data": message.edit}
    path = f"/interactions/{interaction.id}/{interaction.token}/callback"
    await _call(interaction.client, "POST", path, (interaction.id, interaction.token), payload)


async def edit(client: GopsClient, app: int, token: str, message: Message) -> None:
    """Edit the message of an earlier press by its token."""
    await _call(client, "PATCH", f"/webhooks/{app}/{token}/messages/@original", (app, token), message.edit)


async def edit_counted(client: GopsClient, channel: int, message: int, drawn: Message) -> None:
    """Edit any message of the bot."""
    path = "/channels/{channel_id}/messages/{message_id}"
    await client.http.request(Route("PATCH", path, channel_id=channel, message_id=message), json=drawn.edit)


async def _call(client: GopsClient, method: str, path: str, whose: tuple[int, str], payload: dict[str, Any]) -> None:
    session = client.uncounted
    body = json.dumps(payload, separators=(",", ":")).encode()
    async with session.request(method, Route.BASE + path, data=body, headers=JSON) as response:
        if response.status < REFUSED:
            await response.read()  # else the connection could not be used again
            return
        if response.status < SERVERS_FAULT and response.status != TOO_MANY:
            raise ERRORS.get(response.status, discord.HTTPException)(response, await json_or_text(response))
    route = Route(method, path)
    route.webhook_id, route.webhook_token = whose  # whose limits apply
    await async_context.get().request(route, session, payload=payload)
