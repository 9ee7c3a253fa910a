"""One answer to every interaction: a callback when it is quick, deferred and edited when it is slow, never nothing."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import discord

from bot.errors import Refusal, Refused
from bot.referee.changes import Conflict, StoreBusy, StoreReadOnly
from bot.referee.model import Lobby
from bot.referee.views import MatchView
from cogs.draw import link_to
from cogs.services import services_of
from cogs.ui.message import Message
from cogs.ui.refusals import sentence as spoken
from cogs.ui.refusals import told
from cogs.ui.sentences import say

log = logging.getLogger(__name__)

GUARD = 1.8
"""seconds after which an answer is deferred, so that nobody reads "This interaction failed" """

DONE_ALREADY = 40060
"""a retry of a callback that worked is told so; the answer has arrived"""

UNKNOWN_INTERACTION = 10062


class Answer:
    """The answer to one interaction."""

    def __init__(self, interaction: discord.Interaction[Any], private: bool = True) -> None:
        self.interaction = interaction
        self.private = private
        """whether a deferred answer to a command is for this person only"""
        self._lock = asyncio.Lock()

    @property
    def deferred(self) -> bool:
        return self.interaction.response.is_done()

    async def defer(self) -> None:
        """Win time: the client shows that something is being done."""
        async with self._lock:
            if self.deferred:
                return
            if self.interaction.type is discord.InteractionType.application_command:
                await self._quietly(self.interaction.response.defer(ephemeral=self.private, thinking=True))
            else:
                await self._quietly(self.interaction.response.defer())

    async def send(self, message: Message, private: bool = True) -> int | None:
        """A message of its own; gives its id where Discord tells it."""
        async with self._lock:
            response = self.interaction.response
            if not self.deferred:
                sent = await self._quietly(response.send_message(**message.to_send(), ephemeral=private))
                return sent.message_id if sent is not None else None
            if self.interaction.type is discord.InteractionType.application_command:
                edited = await self._quietly(self.interaction.edit_original_response(**message.to_edit()))
                return edited.id if edited is not None else None
            followup = await self._quietly(
                self.interaction.followup.send(**message.to_send(), ephemeral=private, wait=True)
            )
            return followup.id if followup is not None else None

    async def update(self, message: Message) -> bool:
        """The message that was pressed, drawn anew; whether that surely arrived."""
        async with self._lock:
            if self.deferred:
                done = await self._quietly(self.interaction.edit_original_response(**message.to_edit()))
            else:
                done = await self._quietly(self.interaction.response.edit_message(**message.to_edit()))
        return done is not None

    async def _quietly(self, call: Awaitable[Any]) -> Any:
        """A callback whose effect may have happened before: 40060 means that it has."""
        try:
            return await call
        except discord.HTTPException as error:
            if error.code not in (DONE_ALREADY, UNKNOWN_INTERACTION):
                raise
            if error.code == UNKNOWN_INTERACTION:
                log.warning("an interaction was answered too late")
        except discord.InteractionResponded:
            log.debug("an interaction was answered already")
        except services_of(self.interaction).broken:
            # The connection broke; the answer may or may not have arrived, and a second one could double it.
            log.warning("the connection broke while an interaction was answered")
        return None

    async def say(self, id: str, **data: Any) -> None:
        """One sentence, for this person only; names in it are made safe to show."""
        await self.send(Message(spoken(id, **data)))


async def answered(
    answer: Answer,
    work: Callable[[], Awaitable[None]],
    refused: Callable[[str], Awaitable[None]] | None = None,
) -> None:
    """Do the work and see that the person hears of it, whatever happens. `refused` shows a sentence in place."""
    services = services_of(answer.interaction)
    if services.stopping:
        await answer.say("restarting")
        return
    task = asyncio.current_task()
    assert task is not None
    services.under_way.add(task)
    show = refused if refused is not None else _tell(answer)
    guard = asyncio.get_running_loop().call_later(GUARD, _defer_soon, answer)
    try:
        await work()
    except (Refused, Refusal) as refusal:
        await show(sentence(refusal))
    except (Conflict, StoreBusy):
        await show(say("busy"))
    except StoreReadOnly:
        await show(say("read-only"))
    except Exception:
        reference = secrets.token_hex(3)
        log.exception("trouble %s with an interaction", reference)
        await show(say("trouble", ref=reference))
    finally:
        guard.cancel()
        services.under_way.discard(task)


def sentence(refusal: Refused | Refusal, view: MatchView | None = None) -> str:
    """The catalogue's sentence for a refusal."""
    lobby = refusal.data.get("lobby")
    if isinstance(lobby, Lobby):
        return told(refusal, view, link=link_to(lobby.guild, lobby.channel, lobby.message))
    return told(refusal, view)


def _tell(answer: Answer) -> Callable[[str], Awaitable[None]]:
    async def tell(sentence: str) -> None:
        try:
            await answer.send(Message(sentence))
        except discord.HTTPException:
            log.warning("a refusal could not be told")

    return tell


_deferring: set[asyncio.Task[None]] = set()


def _defer_soon(answer: Answer) -> None:
    task = asyncio.get_running_loop().create_task(answer.defer())
    _deferring.add(task)
    task.add_done_callback(_deferring.discard)
