"""Reaching Discord for the publisher: free by a live token, else counted and budgeted; failures sorted by meaning."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import datetime, timedelta
from enum import Enum
from functools import partial
from typing import Any, Protocol

import discord

from bot.referee.model.model import Surface, SurfaceKind
from bot.rest.call_budget import CallBudget
from bot.rest.call_result import Attempt, CallResult, Refusals, call_result
from bot.rest.dm_opener import DmOpener, DmsTooFast
from bot.rest.emojis import send_with_fallback
from bot.rest.old_message_limit import OldMessageLimit, is_old
from bot.rest.rest_client import RestClient
from bot.ui.message import Message

log = logging.getLogger(__name__)

Render = Callable[[], Awaitable[Message]]
"""gives what is to be shown, as it is at that moment"""

HISTORY_LIMIT = 50
"""messages of a channel among which one is looked for"""

TOKEN_LIFE = timedelta(minutes=14, seconds=30)
"""a token lives 15 minutes; what is left is for clocks that differ, because a call that comes late counts as invalid"""

THREAD_THERE = (160004,)
A_DAY, A_WEEK = 1440, 10080
"""minutes after which a thread that nobody writes in is archived"""
THREAD_PERMISSIONS = {
    "create_public_threads": "Create Public Threads",
    "send_messages_in_threads": "Send Messages in Threads",
}


def token_expiry(at: datetime) -> datetime:
    """Until when the token of a press can be used."""
    return at + TOKEN_LIFE


def has_live_token(surface: Surface, now: datetime) -> bool:
    """Whether a live token edits it, which counts nowhere and waits for nothing."""
    return bool(surface.token) and surface.token_until is not None and now < surface.token_until


def _custom_ids(components: Sequence[Any]) -> Iterator[str]:
    """Of everything in a message that can be pressed; only the bot's own have ids of ours."""
    for one in components:
        if custom_id := getattr(one, "custom_id", None):
            yield custom_id
        yield from _custom_ids(getattr(one, "children", ()))


class RoleStatus(Enum):
    """Whether a role can be given; each but the first and the last is said where a server sets its roles."""

    YES = "yes"
    NO_RIGHT = "no-right"
    ABOVE = "above"
    NEVER = "never"
    GONE = "gone"
    UNKNOWN = "unknown"


class DeliveryClient(Protocol):
    """As much of a client as is needed to reach people."""

    @property
    def rest_client(self) -> RestClient: ...

    def get_partial_messageable(self, id: int, /, *, guild_id: int | None = None) -> discord.PartialMessageable: ...

    def get_guild(self, id: int, /) -> discord.Guild | None: ...

    def get_channel(self, id: int, /) -> object: ...

    async def fetch_channel(self, channel_id: int, /) -> object: ...

    async def create_dm(self, user: discord.abc.Snowflake, /) -> discord.DMChannel: ...


class Delivery:
    """Sends, edits and deletes; every counted call takes its turn in the budget."""

    def __init__(
        self,
        client: DeliveryClient,
        budget: CallBudget,
        broken: tuple[type[Exception], ...],
        report_refused_faces: Callable[[], object] = lambda: None,
    ) -> None:
        """`report_refused_faces` is called after Discord refused a message for its pictures of cards."""
        self.client = client
        self.budget = budget
        self.refusals = Refusals()
        self.old_messages = OldMessageLimit()
        self._opening: DmOpener[tuple[CallResult, int]] = DmOpener(
            lambda opened: opened[0] is CallResult.TOO_MANY_DMS, budget.wait
        )
        self._report_refused_faces = report_refused_faces
        self.failures = (discord.DiscordException, *broken)
        """whatever a call to Discord can end in"""

    async def edit(
        self,
        surface: Surface,
        render: Render,
        now: datetime,
        *,
        paid: bool = False,
        spare: Surface | None = None,
        counted: bool = True,
    ) -> Attempt:
        """Make one try to show a message: free by a live token, its own or that of `spare`, else by a counted call.

        `paid`: that call is taken from the budget already. Where the bot is no member there are no `counted` calls.
        The caller makes sure that no other call to this message is under way.
        """
        late: list[float] = []
        try:
            for one in (surface, spare):
                if (
                    one is not None
                    and has_live_token(one, now)
                    and await self._edit_by_token(one, await render(), late)
                ):
                    break
            else:
                if late and not paid:
                    return Attempt(CallResult.LATER, min(late), is_exact=True)
                if not counted or not surface.message or surface.kind.ephemeral:
                    return Attempt(CallResult.TOKEN_DEAD)  # nothing but a token reaches an ephemeral
                if not paid:
                    await asyncio.sleep(self.reserve_edit(surface, now))
                await self._edit_counted(surface, await render(), now)
        except self.failures as error:
            return self._record_failure(surface, error)
        if self.refusals.counts:
            self.refusals.forget(("edit", surface.channel, surface.message))
        return Attempt(CallResult.DONE)

    def _record_failure(self, surface: Surface, error: Exception) -> Attempt:
        result = self._log_failure(error, "edit", surface.channel, surface.message)
        rest = error.retry_after if isinstance(error, discord.RateLimited) else 0.0
        if result is CallResult.TOO_OLD and self.old_messages.record_refusal(surface.message):
            return Attempt(CallResult.LATER, self.old_messages.window)
        if result is not CallResult.LATER:
            self.old_messages.forget(surface.message)
        return Attempt(result, rest)

    def reserve_edit(self, surface: Surface, now: datetime) -> float:
        """Take the turn of a counted edit: how many seconds to wait for it."""
        wait = self.budget.reserve()
        return max(wait, self.old_messages.reserve(surface.channel)) if is_old(surface.message, now) else wait

    def free_share(self, surface: Surface | None, now: datetime) -> float:
        """The share of counted calls that is free, from 0 to 1; none while a message of that age has to wait."""
        waits = surface is not None and is_old(surface.message, now) and self.old_messages.delay(surface.channel)
        return 0.0 if waits else self.budget.free_share

    async def _edit_counted(self, surface: Surface, message: Message, now: datetime) -> None:
        send = partial(self.client.rest_client.edit_message, surface.channel, surface.message)
        await send_with_fallback(message, send, self._report_refused_faces)
        if is_old(surface.message, now):
            self.old_messages.record_success(surface.message)

    async def _edit_by_token(self, surface: Surface, message: Message, late: list[float]) -> bool:
        """Whether it did, and its token is not dead. `late` gets the seconds until one is tried again that Discord does
        not know yet."""
        try:
            app, token = surface.token_app, surface.token
            beside = surface.message if surface.kind is SurfaceKind.CONSOLE_BESIDE else 0
            send = partial(self.client.rest_client.edit_by_token, app, token, beside=beside)
            await send_with_fallback(message, send, self._report_refused_faces)
        except self.failures as error:
            fate = call_result(error)
            wait = self.client.rest_client.late_tokens.delay(surface.token, error)
            if wait is not None:
                late.append(wait)
                return False
            if fate is not CallResult.TOKEN_DEAD and (fate is not CallResult.MESSAGE_GONE or surface.message):
                raise
            self._log_failure(error, "edit by token")
            return False
        return True

    async def post(
        self, channel: int, new: Message | Render, nonce: str, silent: bool = False, *, paid: bool = False
    ) -> tuple[CallResult, int]:
        """A new message. The nonce makes a repeated call give the message that is there already."""
        if not paid:
            await self.budget.wait()
        message = new if isinstance(new, Message) else await new()
        try:
            where = self.client.get_partial_messageable(channel)
            sent = await send_with_fallback(
                message, lambda one: where.send(**one.to_send(), nonce=nonce, silent=silent), self._report_refused_faces
            )
        except self.failures as error:
            return self._log_failure(error, "post", channel, nonce), 0
        return CallResult.DONE, sent.id

    async def check_message(self, channel: int, message: int) -> CallResult:
        """Whether a message is still there."""
        return (await self.read_custom_ids(channel, message))[0]

    async def read_custom_ids(self, channel: int, message: int) -> tuple[CallResult, Sequence[str]]:
        """The ids of everything that can be pressed on a message as it stands on Discord, if it can be read."""
        await self.budget.wait()
        try:
            found = await self.client.get_partial_messageable(channel).get_partial_message(message).fetch()
        except self.failures as error:
            return self._log_failure(error, "look", channel, message), ()
        return CallResult.DONE, list(_custom_ids(found.components))

    async def find_message(self, channel: int, prefixes: tuple[str, ...]) -> int:
        """The newest message of a channel with a button of ours that begins so; 0 where it is not found."""
        await self.budget.wait()
        try:
            async for one in self.client.get_partial_messageable(channel).history(limit=HISTORY_LIMIT):
                if any(id.startswith(prefixes) for id in _custom_ids(one.components)):
                    return one.id
        except self.failures as error:
            self._log_failure(error, "find")
        return 0

    async def delete(self, channel: int, message: int) -> CallResult:
        """Remove an old message; it may fail."""
        await self.budget.wait()
        try:
            await self.client.get_partial_messageable(channel).get_partial_message(message).delete()
        except self.failures as error:
            return self._log_failure(error, "delete", channel, message)
        return CallResult.DONE

    async def remove_console(self, surface: Surface, now: datetime) -> None:
        """Remove a console that another one replaces. One that only a dead token reaches stays."""
        if not surface.kind.ephemeral:
            await self.delete(surface.channel, surface.message)
        elif has_live_token(surface, now):
            beside = surface.message if surface.kind is SurfaceKind.CONSOLE_BESIDE else 0
            calls, app, token = self.client.rest_client, surface.token_app, surface.token
            try:
                await calls.late_tokens.retry(token, lambda: calls.delete_by_token(app, token, beside))
            except self.failures as error:
                self._log_failure(error, "remove")

    async def start_thread(self, guild: int, channel: int, message: int, name: str, *, slow: bool) -> int:
        """A public thread of a message; 0 where there can be none. A slow match keeps it open for a week of silence."""
        await self.budget.wait()
        where = self.client.get_partial_messageable(channel, guild_id=guild).get_partial_message(message)
        try:
            return (await where.create_thread(name=name, auto_archive_duration=A_WEEK if slow else A_DAY)).id
        except (*self.failures, ValueError) as error:  # a server that is gone has no threads
            if isinstance(error, discord.HTTPException) and error.code in THREAD_THERE:
                return message  # a thread has the id of the message that it grew from
            self._log_failure(error, "start a thread")
            return 0

    def is_thread(self, guild: int, channel: int) -> bool:
        """Whether this is a thread itself, in which no other can be opened."""
        place = self.client.get_guild(guild)
        return place is not None and place.get_thread(channel) is not None

    async def is_locked(self, guild: int, channel: int) -> bool:
        """Whether this is a locked thread, which no player can reopen. Of an archived one only Discord knows."""
        place = self.client.get_guild(guild)
        thread = place.get_thread(channel) if place is not None else None
        if thread is not None:
            return thread.locked
        await self.budget.wait()
        try:
            found = await self.client.fetch_channel(channel)
        except self.failures as error:
            self._log_failure(error, "look", channel)
            return False
        return isinstance(found, discord.Thread) and found.locked

    def missing_for_threads(self, guild: int) -> list[str]:
        """Permissions that the bot lacks in a whole server; a channel may still refuse it."""
        place = self.client.get_guild(guild)
        if place is None or place.unavailable:
            return []
        own = place.me.guild_permissions
        return [name for key, name in THREAD_PERMISSIONS.items() if not getattr(own, key)]

    async def set_role(self, guild: int, user: int, role: int, *, on: bool, why: str) -> CallResult:
        """Somebody gets a role of a server, or loses it."""
        await self.budget.wait()
        try:
            await self.client.rest_client.set_role(guild, user, role, on=on, why=why)
        except self.failures as error:
            return self._log_failure(error, "give a role" if on else "take a role", 0, user, role)
        return CallResult.DONE

    def role_status(self, guild: int, role: int) -> RoleStatus:
        """Whether the bot may give and take this role, as the gateway tells: no call that would be refused is made."""
        place = self.client.get_guild(guild)
        if place is None or place.unavailable:
            return RoleStatus.UNKNOWN
        found, own = place.get_role(role), place.me
        if found is None:
            return RoleStatus.GONE
        if not own.guild_permissions.manage_roles:
            return RoleStatus.NO_RIGHT
        if found.managed or found.is_default():
            return RoleStatus.NEVER
        return RoleStatus.YES if own.top_role > found else RoleStatus.ABOVE

    def guild_of(self, channel: int) -> int:
        """The server of a channel or an open thread; 0 where none is known."""
        return getattr(getattr(self.client.get_channel(channel), "guild", None), "id", 0)

    def is_member(self, guild: int) -> bool:
        """Whether the bot is still a member of this server."""
        return self.client.get_guild(guild) is not None

    async def open_dm(self, user: int) -> tuple[CallResult, int]:
        """The DM channel of a person, once those who asked before have theirs."""
        try:
            return await self._opening.run(lambda: self._open_dm(user))
        except DmsTooFast:
            return CallResult.LATER, 0

    async def _open_dm(self, user: int) -> tuple[CallResult, int]:
        try:
            channel = await self.client.create_dm(discord.Object(user))
        except self.failures as error:
            return self._log_failure(error, "open a DM", 0, user), 0
        return CallResult.DONE, channel.id

    def _log_failure(self, error: Exception, what: str, channel: int = 0, *about: object) -> CallResult:
        """What became of a call. A lasting refusal is tried again a few times: it may be about what was shown then."""
        fate = call_result(error)
        code = error.code if isinstance(error, discord.HTTPException) else 0
        log.info("could not %s: %s (%s)", what, fate.value, code or type(error).__name__)
        if fate is CallResult.REFUSED and not self.refusals.is_final((what, channel, *about), channel, code):
            return CallResult.LATER
        return fate
