"""One answer to every interaction: a callback when it is quick, deferred and edited when it is slow, never nothing."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

import discord

from bot.interactions.services import Services
from bot.rest.call_result import Attempt, CallResult, call_result
from bot.rest.delivery import Render, send_with_fallback
from bot.rest.global_limit import TOO_MANY
from bot.rest.inline_response import EXTRAS_KEY, InlineResponse
from bot.rest.late_tokens import PAUSES
from bot.rest.rest_client import CALL_FAILURES, SERVERS_FAULT, RestClient
from bot.ui.message import Message, Modal, join_lines
from bot.ui.text.sentences import say

log = logging.getLogger(__name__)

T = TypeVar("T")

GIVE_UP = 60.0
"""seconds after which nothing more is tried"""

DONE_ALREADY = 40060
"""a retry of a callback that worked is told so; the answer has arrived"""

UNDONE = "busy", "read-only", "restarting"
"""sentences of a run that changed nothing: where the same event comes again, its answer takes their place"""

TOO_MANY_FOLLOWUPS = 40094
"""Discord takes no more messages of an app from outside"""


class Answer:
    """The answer to one interaction."""

    def __init__(self, interaction: discord.Interaction[Any], in_dm: bool = False) -> None:
        self.interaction = interaction
        self.private = True
        """whether a message that was announced is for this person only"""
        self._in_dm = in_dm
        self.sends = interaction.type is discord.InteractionType.application_command
        """Whether the answer is a message of its own, so that the token's message is that one. Else it is the pressed
        message, and what is sent besides must never be edited by this token as if it were."""
        self._deferring = False
        self._updated = False
        self._lost = False
        """whether a first answer was tried"""
        self.is_astray = False
        """whether the token's message may be another than the pressed one: a process that died has answered, perhaps
        by a message beside it, and the event came again"""
        self._waiting = False
        """whether that message is announced, and nothing is in it yet"""
        self.hidden = False
        """whether what was sent for everybody is seen by this person alone: apps from outside may not speak there"""
        self.given = False
        """whether there was an answer, so that nobody waits any more"""
        self.so_far: Callable[[], str] | None = None
        """how far long work is, for whoever waits for it"""
        self.begun = time.monotonic()
        self.services: Services = interaction.client.services
        self._direct: RestClient = interaction.client.rest_client
        self._late = self._direct.late_tokens
        self._inline: InlineResponse | None = interaction.extras.get(EXTRAS_KEY)
        self._lock = asyncio.Lock()
        self._last_news: str | None = None
        """what stands in an announced message while it takes long"""
        self._spoken = False
        """whether the first answer was a message"""
        self.further = 0
        """what was sent for everybody beside the first answer, which is the token's own message"""
        self.note: int | None = None
        """the id of what says that it takes long, where this is a message of its own"""

    @property
    def deferred(self) -> bool:
        """Whether the first answer is given, so that whatever follows is an edit or a message more."""
        return self._updated or self.interaction.response.is_done()

    def will_send(self, private: bool = True) -> None:
        """This press is answered by a message of its own. If that takes long it is announced, and then edited in:
        an edit may be repeated, and a message that is sent twice stands there twice. Where the press was put off before
        this was known, its token's own message stays the pressed one, which others may see: then it comes beside that.
        """
        self.sends, self.private = self.sends or not (self.deferred or self._deferring), private

    async def defer(self) -> None:
        """Win time: the client shows that something is being done. It goes by a call, so that Discord knows the token
        when the message follows."""
        async with self._lock:
            if self.deferred:
                return
            await self.by_a_call()
            self._deferring, self._waiting = True, self.sends
            defer = partial(self.interaction.response.defer, ephemeral=self.private, thinking=self.sends)
            announced, _ = await self._tried(defer, is_repeatable=True)
            self.hidden = self.sends and not self.private and announced is not None and announced.is_ephemeral()

    def fit(self, message: Message) -> Message:
        """Return what to show here: in a DM nobody else would read a copy for everybody, so none is offered."""
        return message.without_public_buttons() if self._in_dm else message

    async def send(self, message: Message, private: bool = True, *, known: bool = False) -> int | None:
        """A message of its own; gives its id, or None if it cannot be there. The id of a private one is sure to be told
        only where it has to be `known`."""
        async with self._lock:
            self.given = True
            try:
                return await self._send(self.fit(message), private, known)
            except discord.HTTPException as error:
                if private or error.code != TOO_MANY_FOLLOWUPS:
                    raise
                log.info("a message for everybody was refused: %d", error.code)
                self.hidden = True
                return None

    async def _send(self, message: Message, private: bool, known: bool) -> int | None:
        if not self.deferred:
            if known or not private:  # a response tells neither its id nor who sees it
                await self.by_a_call()
            response = self.interaction.response
            sent, answered = await self._tried(
                lambda: self._faced(message, lambda one: response.send_message(**one.to_send(), ephemeral=private))
            )
            if sent is not None:
                self._waiting, self._spoken = False, True
                self.hidden = not private and sent.is_ephemeral()
                return sent.message_id
            if not (self._deferring and answered):  # else Discord has the deferral of which we heard nothing
                there, _ = await self._tried(self.interaction.original_response)
                self._updated = self._spoken = there is not None
                if there is None or not answered or there.content not in map(say, UNDONE):
                    return None if there is None else there.id
                self._waiting = self.private = True  # what was sent by a process that has gone is filled in
        is_announced, self._waiting = self._waiting, False
        if is_announced and private is self.private:
            return await self._filled_in(message)
        if is_announced:  # for other eyes than the message: it goes beside what says that something is being done
            await self._tried(lambda: self._edit(Message(say("one-moment"))))
        posted = await self._follow_up(message, private)
        if is_announced:
            await self._tried(self.interaction.delete_original_response)
        return posted

    async def take_back(self, message: Message) -> None:
        """What was sent for everybody and came out `hidden` says this instead, with nothing to press. Where nothing of
        it is there, this is told to whoever asked, if there is a way that leaves what others see alone."""
        pressed = self.interaction.message
        is_own = self.sends or self._spoken or (pressed is not None and pressed.flags.ephemeral)
        async with self._lock:
            if not self.deferred:  # the first answer was refused
                await self._send(message, private=True, known=False)
            elif self.further or is_own:
                await self._tried(lambda: self._edit(message, of=self.further))

    async def by_a_call(self) -> None:
        """Answer by a call from here on: it tells if Discord took it, an HTTP response does not."""
        if self._inline is not None:
            await self._inline.try_respond(None)

    async def _follow_up(self, message: Message, private: bool) -> int | None:
        follow = self.interaction.followup
        sent, _ = await self._tried(
            lambda: self._faced(message, lambda one: follow.send(**one.to_send(), ephemeral=private, wait=True))
        )
        if sent is not None and not private:
            self.further, self.hidden = sent.id, sent.flags.ephemeral
        return sent.id if sent is not None else None

    async def _filled_in(self, message: Message) -> int | None:
        """What was announced becomes this message, which unlike other edits notifies. If nothing was heard it is looked
        at, and filled in if it is still empty: else a player may have pressed its buttons already, and it must not be
        put back."""
        for pause in (*PAUSES, None):
            filled, _ = await self._tried(lambda: self._edit(message, notify=True))
            if filled is not None:
                return filled
            there, _ = await self._tried(self.interaction.original_response)
            if there is not None and not (there.flags.loading or there.content == self._last_news):
                return there.id
            if pause is not None:
                await asyncio.sleep(pause)
        return None

    async def working(self) -> None:
        """It takes long: say so, where that changes nothing that others see."""
        async with self._lock:
            if self.given or self.note is not None:
                return
            so_far = self.so_far() if self.so_far is not None else ""
            message = Message(join_lines(say("working", n=round(GIVE_UP)), so_far))
            if self.sends:
                self._last_news = message.content
                await self._tried(lambda: self._edit(message))
                return
            self.note = await self._follow_up(message, private=True)

    async def settled(self) -> None:
        """It was answered: nobody needs to read any more that it takes long."""
        if self.note is not None:
            await self._tried(partial(self.interaction.followup.delete_message, self.note))

    async def update(self, new: Message | Render, of: str = "", *, shared: bool = False) -> bool:
        """Update the pressed message; return True if the update is known to have arrived. A `Render` is rendered just
        before each try. `of`: its match or lobby; such an answer is a call, as a refused response goes unnoticed.
        `shared`: several people press at once, and a late press is only acknowledged."""
        pressed = self.interaction.message
        writer = self.services.publisher.writers[pressed.id if pressed is not None else self.interaction.id]
        async with self._lock:
            self.given = True
            if of:
                writer.match = of
                if self._inline is not None:
                    await self.by_a_call()
            shown = self.fit(new) if isinstance(new, Message) else new
            return await writer.answer(self, shown, shared=shared)

    async def acknowledge(self) -> None:
        """Answer a press without a change of its message."""
        _, self._updated = await self._tried(lambda: self._direct.acknowledge(self.interaction))

    async def try_update(self, new: Message | Render) -> Attempt:
        """Make one try to update the pressed message. Return LATER where another try makes sense."""
        pressed, message = self.interaction.message, new if isinstance(new, Message) else await new()
        if pressed is not None and pressed.flags.components_v2:
            message = message.as_v2()  # there is no way back to a plain message
        try:
            if self.deferred or not await self._first(message):
                await self._edit(message)
        except CALL_FAILURES as error:
            wait = self._late.delay(self.interaction.token, error) if self.deferred else None
            if wait is None:
                wait = _read_failure(error)
            if call_result(error) is CallResult.MESSAGE_GONE and not self.deferred:
                await self.acknowledge()
            return Attempt(CallResult.TOKEN_DEAD) if wait is None else Attempt(CallResult.LATER, wait)
        return Attempt(CallResult.DONE)

    async def _first(self, message: Message) -> bool:
        """The first answer to this interaction; whether the message came with it. Discord accepts only one."""
        lost, self._lost = self._lost, True
        try:
            await self._faced(message, partial(self._direct.update_message, self.interaction))
        except discord.HTTPException as error:
            if error.code != DONE_ALREADY:
                raise
            # A try without an answer, or our deferral, has arrived; or it is the answer of another process.
            self.is_astray, self._updated = not lost, True
            return False
        self._updated = True
        return True

    async def _edit(self, message: Message, *, notify: bool = False, of: int = 0) -> int:
        """Edit the token's own message, or one `of` those beside it."""
        app, token, pressed = self.interaction.application_id, self.interaction.token, self.interaction.message
        which = of or (pressed.id if self.is_astray and pressed is not None else 0)
        return await self._faced(message, lambda one: self._direct.edit_by_token(app, token, one, notify, which))

    async def _faced(self, message: Message, send: Callable[[Message], Awaitable[T]]) -> T:
        """Send it; once more in words where its pictures of cards are refused, which only a call tells."""
        if self._inline is not None and message.has_emojis:
            await self.by_a_call()
        return await send_with_fallback(message, send, self.services.emojis.request_check)

    async def _tried(self, call: Callable[[], Awaitable[Any]], *, is_repeatable: bool = False) -> tuple[Any, bool]:
        """What a callback gave, and whether it is known to have arrived: 40060 tells that an earlier try has. It is
        tried until Discord knows the token. `is_repeatable`: make a second try of a first answer that may be lost, for
        Discord waits three seconds only."""
        try:
            return await self._late.retry(self.interaction.token, call), True
        except CALL_FAILURES as error:
            if getattr(error, "code", 0) == DONE_ALREADY:
                return None, True
            # It may or may not have arrived, and a second one could double it.
            if wait := _read_failure(error):
                await asyncio.sleep(wait)
            if is_repeatable and wait is not None:
                return await self._tried(call)
        return None, False

    async def ask(self, form: Modal) -> None:
        """A form to fill in. It has to be the first answer: where that has been given, somebody is asked to press
        again."""
        async with self._lock:
            if not self.deferred:
                self.given = self._updated = True
                await self._tried(lambda: self._direct.open_form(self.interaction, form))
                return
        await self.send(Message(say("form-late")))


def _read_failure(error: Exception) -> float | None:
    """Return the seconds until another try of an answer makes sense, None where nobody waits for it any more: its token
    is dead, or its message gone. Raise what another try cannot mend."""
    result, status = call_result(error), getattr(error, "status", SERVERS_FAULT)
    is_in_vain = result in (CallResult.TOKEN_DEAD, CallResult.MESSAGE_GONE)
    is_passing = status >= SERVERS_FAULT or (status == TOO_MANY and result is not CallResult.TOO_OLD)
    if not (is_in_vain or is_passing):
        raise error
    log.warning("an interaction could not be answered: %s", error)
    if isinstance(error, discord.RateLimited):
        return error.retry_after
    return None if is_in_vain or isinstance(error, discord.InteractionResponded) else 0.0
