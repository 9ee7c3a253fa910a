"""Calls that edit messages and answer interactions, over discord.py's session but without its objects.

discord.py builds a view of what is sent and a message of what comes back, and asks Discord for the whole message.
Nothing here needs them. Above all it repeats a failed call with the same content, which may be outdated by then. So
each call is made once: the caller gets the error, and renders again before the next try.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord

from bot.discord_internals import api_calls
from bot.discord_internals.client import InternalsBot
from bot.rest.call_result import CallResult
from bot.rest.global_limit import TOO_MANY, GlobalLimit, read_retry_after
from bot.rest.inline_response import EPHEMERAL, EXTRAS_KEY, InlineResponse, write_json
from bot.rest.late_tokens import LateTokens
from bot.ui.message import Attachment, Message, Modal
from bot.ui.nodes import make_form as form_payload

UPDATE = discord.InteractionResponseType.message_update.value
ACKNOWLEDGE = {"type": discord.InteractionResponseType.deferred_message_update.value}
FORM = discord.InteractionResponseType.modal.value
NO_HEADERS: Mapping[str, str] = {}

REFUSED, CLIENT_ERROR, SERVERS_FAULT = 300, 400, 500
ERRORS = {403: discord.Forbidden, 404: discord.NotFound}

CONNECTION_ERRORS = (aiohttp.ClientError, OSError, TimeoutError)
"""What a call raises when its connection breaks, besides discord.py's own exceptions."""


CALL_FAILURES = (discord.DiscordException, *CONNECTION_ERRORS)
"""Everything that a call to Discord can raise."""

TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=10, sock_read=15)
"""For one call, without its wait for limits. After 15 seconds without an answer the newest state is sent."""


class LimitTrace(aiohttp.TraceConfig):
    """The trace of a session by which its calls keep the limits. The context of a counted call has it as `out`. What
    the request brings as its context is called when a counted call goes out."""

    def __init__(self, limit: GlobalLimit) -> None:
        super().__init__()
        self._limit = limit
        self.on_request_start.append(self._start)
        self.on_request_end.append(self._end)
        self.on_request_exception.append(self._fail)

    async def _start(self, _: object, way: SimpleNamespace, call: aiohttp.TraceRequestStartParams) -> None:
        if "Authorization" in call.headers:
            way.out = await self._limit.start_call(call.method, call.url.path)
            if way.trace_request_ctx is not None:
                way.trace_request_ctx()
            return
        if self._limit.banned_until:
            await self._limit.wait_for_ban()

    async def _end(self, _: object, way: SimpleNamespace, call: aiohttp.TraceRequestEndParams) -> None:
        if call.response.status >= CLIENT_ERROR:
            self._limit.record_answer(call.response.status, call.response.headers)
        if hasattr(way, "out"):
            self._limit.end_call(way.out, call.response.status, call.response.headers)

    async def _fail(self, _: object, way: SimpleNamespace, __: object) -> None:
        if hasattr(way, "out"):
            self._limit.end_call(way.out, 0, NO_HEADERS)


async def write_as_owner(body: bytes, is_owner: Callable[[], bool]) -> AsyncIterator[bytes]:
    """Write the body of an edit only while this process owns the matches, else fail: a process can hang between the
    decision to send a drawing and the sending, and another one draws meanwhile."""
    if not is_owner():
        raise ConnectionError("another process may own the matches")
    yield body


class RestClient:
    """Edits messages and answers interactions by REST, each call made once. The client has to be logged in: over its
    session, with its trace, the global limit and the metrics see each call."""

    def __init__(self, client: InternalsBot) -> None:
        self.client = client
        self.is_owner: Callable[[], bool] | None = None
        """returns False while other processes may own the matches of this one; None: none ever does"""
        self.late_tokens = LateTokens()
        self.unsent = set[asyncio.Task[Any] | None]()
        """tasks that wait for their turn and the limits: no edit is made if one is cancelled now"""

    async def update_message(self, interaction: discord.Interaction[Any], message: Message) -> None:
        """Answer a press: replace the pressed message."""
        await self._answer(interaction, {"type": UPDATE, "data": message.edit_payload}, message.edit_files)

    async def acknowledge(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a press without a change of its message. Idempotent."""
        await self._answer(interaction, ACKNOWLEDGE)

    async def open_form(self, interaction: discord.Interaction[Any], form: Modal) -> None:
        """Answer with a form. discord.py would keep each form in memory until it is submitted."""
        await self._answer(interaction, {"type": FORM, "data": form_payload(form)})

    async def edit_by_token(self, app: int, token: str, message: Message, notify: bool = False, beside: int = 0) -> int:
        """Edit the message of an earlier press by its token, or the follow-up `beside`. With `notify` mentions notify,
        and the id of the message is returned, else 0."""
        body = message.edit_payload
        if notify:
            body["allowed_mentions"] = message.mentions_payload
        path = f"/webhooks/{app}/{token}/messages/{beside or '@original'}"
        told = await self._call("PATCH", path, body, files=message.edit_files)
        return int(json.loads(told)["id"]) if notify else 0

    async def send_ephemeral(self, app: int, token: str, message: Message) -> int:
        """Send a message without files as an ephemeral follow-up of an earlier press, and return its id."""
        payload = message.edit_payload
        body = {key: payload[key] for key in ("content", "components", "allowed_mentions") if payload[key]}
        body["flags"] = payload.get("flags", 0) | EPHEMERAL
        told = await self._call("POST", f"/webhooks/{app}/{token}?wait=true", body)
        return int(json.loads(told)["id"])

    async def delete_by_token(self, app: int, token: str, message: int) -> None:
        """Delete a follow-up of a press, or with 0 the message of the press itself."""
        await self._call("DELETE", f"/webhooks/{app}/{token}/messages/{message or '@original'}", None)

    async def edit_message(self, channel: int, message: int, new: Message) -> None:
        """Edit a message of the bot by a counted call."""
        path = f"/channels/{channel}/messages/{message}"
        headers = {"Authorization": f"Bot {api_calls.client_token(self.client)}"}
        on_sent = partial(self.unsent.discard, asyncio.current_task())
        await self._call("PATCH", path, new.edit_payload, headers, new.edit_files, on_sent)

    async def _answer(
        self, interaction: discord.Interaction[Any], payload: Mapping[str, Any], files: Sequence[Attachment] = ()
    ) -> None:
        inline: InlineResponse | None = interaction.extras.get(EXTRAS_KEY)
        if inline is None or not await inline.try_respond(None if files else payload):
            path = f"/interactions/{interaction.id}/{interaction.token}/callback"
            await self._call("POST", path, payload, files=files)

    async def _call(
        self,
        method: str,
        path: str,
        payload: Mapping[str, Any] | None,
        headers: Mapping[str, str] = NO_HEADERS,
        files: Sequence[Attachment] = (),
        on_sent: Callable[[], None] | None = None,
    ) -> bytes:
        """Make one call and raise the exceptions of discord.py. `on_sent` is called when a counted call goes out."""
        body: Any = write_json(payload).encode() if payload is not None else None
        kind = "application/json"
        if files:
            body, kind = await _write_parts(payload, files)
        headers = {"Content-Type": kind, "User-Agent": api_calls.user_agent_of(self.client), **headers}
        if method == "PATCH" and self.is_owner is not None:
            headers["Content-Length"] = str(len(body))
            body = write_as_owner(body, self.is_owner)
        session, url = api_calls.session_of(self.client), f"{api_calls.address()}{path}"
        how = {"headers": headers, "allow_redirects": False, "timeout": TIMEOUT, "trace_request_ctx": on_sent}
        async with session.request(method, url, data=body, **how) as response:
            if response.status < REFUSED:
                return await response.read()  # in any case: else the connection could not be used again
            told = await api_calls.read_error_body(response)
            data: dict[str, Any] = told if isinstance(told, dict) else {}
            if response.status == TOO_MANY and data.get("code") not in CallResult.TOO_OLD.codes:
                retry_after = data.get("retry_after", response.headers.get("Retry-After"))
                raise discord.RateLimited(read_retry_after(retry_after))
            if response.status >= SERVERS_FAULT:
                raise discord.DiscordServerError(response, told)
            raise ERRORS.get(response.status, discord.HTTPException)(response, told)


async def _write_parts(payload: Mapping[str, Any] | None, files: Sequence[Attachment]) -> tuple[bytes, str]:
    """Return a body of several parts and its content type."""
    form = aiohttp.FormData({"payload_json": write_json(payload)})
    for number, file in enumerate(files):
        form.add_field(f"files[{number}]", file.data, filename=file.name)
    parts = form()
    return await parts.as_bytes(), parts.headers["Content-Type"]
