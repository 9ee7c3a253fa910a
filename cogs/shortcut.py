"""The two calls that every bid makes, by the shortest way: over discord.py's session, without its objects.

discord.py builds a view out of what is sent and a message out of what comes back, and asks Discord to send the whole
message back. Nothing here needs either. Whatever carries files goes the long way, and so does whatever Discord does not
answer at once: waiting and trying again is discord.py's business.
"""

from __future__ import annotations

import json
from typing import Any

import discord
from discord.http import Route, json_or_text
from discord.webhook.async_ import async_context

from cogs.ui.message import Message

UPDATE = discord.InteractionResponseType.message_update.value
JSON = {"Content-Type": "application/json"}

TOO_MANY = 429
SERVERS_FAULT = 500
REFUSED = 300
ERRORS = {403: discord.Forbidden, 404: discord.NotFound}


async def update(interaction: discord.Interaction[Any], message: Message) -> None:
    """Answer a press: the message that was pressed becomes this one."""
    route = Route("POST", f"/interactions/{interaction.id}/{interaction.token}/callback")
    route.webhook_id, route.webhook_token = interaction.id, interaction.token  # whose limits apply
    await _call(route, interaction.followup, {"type": UPDATE, "data": message.edit})


async def edit(client: discord.Client, app: int, token: str, message: Message) -> None:
    """Edit the message of an earlier press by its token."""
    webhook = discord.Webhook.partial(app, token, client=client)
    route = Route("PATCH", f"/webhooks/{app}/{token}/messages/@original")
    route.webhook_id, route.webhook_token = app, token
    await _call(route, webhook, message.edit)


async def _call(route: Route, webhook: discord.Webhook, payload: dict[str, Any]) -> None:
    body = json.dumps(payload, separators=(",", ":")).encode()
    async with webhook.session.request(
        route.method, route.url, data=body, headers=JSON, proxy=webhook.proxy, proxy_auth=webhook.proxy_auth
    ) as response:
        if response.status < REFUSED:
            await response.read()  # else the connection could not be used again
            return
        if response.status < SERVERS_FAULT and response.status != TOO_MANY:
            raise ERRORS.get(response.status, discord.HTTPException)(response, await json_or_text(response))
    await async_context.get().request(
        route, webhook.session, payload=payload, proxy=webhook.proxy, proxy_auth=webhook.proxy_auth
    )
