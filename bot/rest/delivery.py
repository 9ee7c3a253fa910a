"""Calls to Discord for the publisher: free ones by a live token, else counted ones in their turn."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

import discord

from bot.discord_internals.payloads import list_custom_ids
from bot.referee.model.surfaces import Surface
from bot.rest.call_result import REPEATED, Attempt, CallResult, Refusals, call_result
from bot.rest.dm_opener import DmOpener
from bot.rest.global_limit import CallBudget
from bot.rest.old_message_limit import OldMessageLimit, is_old
from bot.rest.rest_client import CALL_FAILURES, RestClient
from bot.rest.server_roles import ServerRoles
from bot.ui.message import Message

log = logging.getLogger(__name__)

T = TypeVar("T")

Render = Callable[[], Awaitable[Message]]
"""Renders a message as it is at the moment of the call."""

HISTORY_LIMIT = 50
"""Messages of a channel among which `find_message` searches."""

INVALID_FORM = 50035

FILES_REFUSED = (400, 403, 413)
"""Statuses that refuse a file: it is too large, or the channel allows none."""

A_DAY, A_WEEK = 1440, 10080
"""Minutes without a message after which a thread is archived."""


async def send_with_fallback(
    new: Message | Render, send: Callable[[Message], Awaitable[T]], refused: Callable[[], object]
) -> T:
    """Render a message and send it. If Discord refuses it for its pictures, send it without; its words say the same.

    `refused` is called for card faces: an emoji was deleted, or Discord does not know a new one yet
    (discord-api-docs#7128). Files may not be allowed in this channel.
    """
    message = new if isinstance(new, Message) else await new()
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


class Delivery:
    """Sends, edits and deletes messages. Each counted call waits for its turn in the budget."""

    def __init__(
        self,
        rest_client: RestClient,
        budget: CallBudget,
        report_refused_faces: Callable[[], object] = lambda: None,
        dm_opener: DmOpener | None = None,
    ) -> None:
        """`report_refused_faces` is called after Discord refused a message for its pictures of cards. Without a
        `dm_opener` DM channels are opened at once."""
        self.rest_client = rest_client
        self.client = rest_client.client
        self.budget = budget
        self.refusals = Refusals()
        self.old_messages = OldMessageLimit()
        self._dm_opener = dm_opener
        self._report_refused_faces = report_refused_faces

    async def edit(self, surface: Surface, new: Message | Render, now: datetime, *, counted: bool = True) -> Attempt:
        """Make one try to edit a message: free by its live token, else by a counted call in its turn, before which the
        task is in `RestClient.unsent`. Pass `counted=False` where the bot is no member.

        The caller makes sure that no other call to this message is under way.
        """
        attempt = Attempt(CallResult.TOKEN_DEAD)
        if surface.has_live_token(now):
            edit = partial(self.rest_client.edit_by_token, surface.token_app, surface.token)
            attempt = await self._edit(surface, new, partial(edit, beside=surface.follow_up))
        # nothing but a token reaches an ephemeral
        if attempt.result is CallResult.TOKEN_DEAD and counted and surface.message and not surface.kind.ephemeral:
            unsent, task, is_slow = self.rest_client.unsent, asyncio.current_task(), is_old(surface.message, now)
            unsent.add(task)
            try:
                await self.budget.wait(self.old_messages.reserve(surface.channel) if is_slow else 0.0)
                edit = partial(self.rest_client.edit_message, surface.channel, surface.message)
                attempt = await self._edit(surface, new, edit)
            finally:
                unsent.discard(task)
            if attempt.result is CallResult.DONE and is_slow:
                self.old_messages.record_success()
        return attempt

    async def _edit(
        self, surface: Surface, new: Message | Render, send: Callable[[Message], Awaitable[object]]
    ) -> Attempt:
        """Make one call that edits a message. Its token may be dead, or not known to Discord yet."""
        try:
            await send_with_fallback(new, send, self._report_refused_faces)
        except CALL_FAILURES as error:
            if (wait := self.rest_client.late_tokens.delay(surface.token, error)) is not None:
                return Attempt(CallResult.LATER, wait)
            result = self._log_failure(error, "edit", surface.channel, surface.message)
            if result is CallResult.MESSAGE_GONE and not surface.message:
                return Attempt(CallResult.TOKEN_DEAD)
            if call_result(error) is CallResult.TOO_OLD:
                self.old_messages.record_refusal()
                return Attempt(result, self.old_messages.window)
            return Attempt(result, error.retry_after if isinstance(error, discord.RateLimited) else 0.0)
        if self.refusals.counts:
            self.refusals.forget(("edit", surface.channel, surface.message))
        return Attempt(CallResult.DONE)

    def free_share(self, surface: Surface, now: datetime) -> float:
        """Return the free share of counted calls, from 0 to 1; 0 while this message waits for the limit of old ones."""
        waits = is_old(surface.message, now) and self.old_messages.delay(surface.channel)
        return 0.0 if waits else self.budget.free_share

    async def post(
        self, channel: int, new: Message | Render, nonce: str, silent: bool = False
    ) -> tuple[CallResult, int]:
        """Send a new message. Return the result and the id; a repeated call with the same nonce returns the same id."""
        where = self.client.get_partial_messageable(channel)

        def send(message: Message) -> Awaitable[discord.Message]:
            return where.send(**message.to_send(), nonce=nonce, silent=silent)

        post = partial(send_with_fallback, new, send, self._report_refused_faces)
        result, sent = await self._call("post", post, channel, nonce)
        return result, sent.id if sent is not None else 0

    async def send_beside(self, console: Surface, new: Message) -> None:
        """Send a message behind a console as an ephemeral by its token."""
        rest, token = self.rest_client, console.token
        post = partial(rest.send_ephemeral, console.token_app, token)
        send = partial(send_with_fallback, new, post, self._report_refused_faces)
        await self._call("send", lambda: rest.late_tokens.retry(token, send), console.channel, paid=True)

    async def read_custom_ids(self, channel: int, message: int) -> tuple[CallResult, Sequence[str]]:
        """Return the custom ids of all components of a message on Discord."""
        path = "/channels/{channel_id}/messages/{message_id}"
        result, found = await self._read(path, channel_id=channel, message_id=message)
        return result, list_custom_ids(found.get("components", ())) if found else ()

    async def find_message(self, channel: int, prefixes: tuple[str, ...]) -> int:
        """Return the newest message of a channel with a custom id of one of these prefixes, or 0."""
        _, newest = await self._read(f"/channels/{{channel_id}}/messages?limit={HISTORY_LIMIT}", channel_id=channel)
        for one in newest or ():
            if any(id.startswith(prefixes) for id in list_custom_ids(one.get("components", ()))):
                return int(one["id"])
        return 0

    async def delete(self, channel: int, message: int) -> CallResult:
        """Delete a message."""
        call = self.client.get_partial_messageable(channel).get_partial_message(message).delete
        return (await self._call("delete", call, channel, message))[0]

    async def delete_ephemeral(self, surface: Surface, now: datetime) -> None:
        """Delete an ephemeral console, if its token lives."""
        if surface.has_live_token(now):
            rest, token = self.rest_client, surface.token
            call = partial(rest.delete_by_token, surface.token_app, token, surface.follow_up)
            await self._call("remove", lambda: rest.late_tokens.retry(token, call), paid=True)

    async def start_thread(self, channel: int, message: int, name: str, *, slow: bool) -> int:
        """Start a public thread from a message and return its id, or 0: in a thread there can be no other. A slow match
        keeps it open for a week of silence."""
        path = "/channels/{channel_id}/messages/{message_id}/threads"
        body = {"name": name, "auto_archive_duration": A_WEEK if slow else A_DAY}
        call = partial(self.client.call_api, "POST", path, body, channel_id=channel, message_id=message)
        result, made = await self._call("start a thread", call, channel, message)
        if result is CallResult.THREAD_EXISTS:
            return message  # a thread has the id of the message that it grew from
        return int(made["id"]) if made is not None else 0

    async def read_channel(self, channel: int) -> Mapping[str, Any]:
        """Return what Discord says of a channel; nothing if it does not say."""
        return (await self._read("/channels/{channel_id}", channel_id=channel))[1] or {}

    async def is_locked(self, channel: int) -> bool:
        """Return True if this is a locked thread, which no player can reopen."""
        return bool((await self.read_channel(channel)).get("thread_metadata", {}).get("locked"))

    async def guild_of(self, channel: int) -> int:
        """Return the server of a channel, or 0."""
        return int((await self.read_channel(channel)).get("guild_id") or 0)

    async def read_roles(self, guild: int) -> ServerRoles | None:
        """Return the roles of a server and which of them the bot has, or None if Discord does not say."""
        own = self.client.user
        if own is None:
            return None
        (_, roles), (_, member) = await asyncio.gather(
            self._read("/guilds/{guild_id}/roles", guild_id=guild),
            self._read("/guilds/{guild_id}/members/{user_id}", guild_id=guild, user_id=own.id),
        )
        return ServerRoles(guild, roles, member) if roles and member else None

    async def set_role(self, guild: int, user: int, role: int, *, on: bool, why: str) -> CallResult:
        """Give a member a role, or take it; `why` is shown in the audit log of the server."""
        path, ids = "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", {"user_id": user, "role_id": role}
        call = partial(self.client.call_api, "PUT" if on else "DELETE", path, reason=why, guild_id=guild, **ids)
        return (await self._call("give a role" if on else "take a role", call, 0, user, role))[0]

    async def open_dm(self, user: int) -> tuple[CallResult, int]:
        """Open the DM channel of a user."""
        create = partial(self.client.create_dm, discord.Object(user))
        call = partial(self._call, "open a DM", create, 0, user, paid=True)
        await self.budget.wait()
        result, channel = await (call() if self._dm_opener is None else self._dm_opener.run(call))
        return result, channel.id if channel is not None else 0

    async def _read(self, path: str, **ids: int) -> tuple[CallResult, Any]:
        """Read what Discord says under this path."""
        return await self._call("look", partial(self.client.call_api, "GET", path, **ids), *ids.values())

    async def _call(
        self, what: str, call: Callable[[], Awaitable[T]], channel: int = 0, *about: object, paid: bool = False
    ) -> tuple[CallResult, T | None]:
        """Make a call in its turn, unless that is `paid` for or the call is free. A failure is logged."""
        if not paid:
            await self.budget.wait()
        try:
            return CallResult.DONE, await call()
        except CALL_FAILURES as error:
            return self._log_failure(error, what, channel, *about), None

    def _log_failure(self, error: Exception, what: str, channel: int = 0, *about: object) -> CallResult:
        """Log a failure and return its result: LATER for the first refusals, as Discord may accept newer content."""
        result = call_result(error)
        code = error.code if isinstance(error, discord.HTTPException) else 0
        log.info("could not %s: %s (%s, channel %d)", what, result.text, code or type(error).__name__, channel)
        is_final = result not in REPEATED or self.refusals.is_final((what, channel, *about), channel, code)
        return result if is_final else CallResult.LATER
