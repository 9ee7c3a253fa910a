"""Error handling of interactions: every one is answered, after a refusal, an error or a timeout, too."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from datetime import datetime
from typing import TYPE_CHECKING

import discord

from bot.engine.refusals import RuleError
from bot.errors import RefereeError
from bot.interactions.answer import GIVE_UP, UNDONE, Answer
from bot.referee.model.changes import Conflict, StoreBusy, StoreReadOnly
from bot.referee.model.model import Lobby
from bot.referee.model.surfaces import Surface, SurfaceKind, token_expiry
from bot.referee.model.views import MatchView
from bot.referee.repository.match_repository import INTERACTION, HandledInteraction
from bot.ui.custom_ids import shapes
from bot.ui.message import Message
from bot.ui.screens.refusals import describe_error
from bot.ui.text.sentences import say
from bot.ui.text.stamps import link_to

if TYPE_CHECKING:
    from bot.interactions.context import InteractionContext

log = logging.getLogger(__name__)

DEFER_AFTER = 1.8
"""seconds after which an answer is deferred, so that nobody reads "This interaction failed" """

WORKING, STILL = 12.0, 6.0
"""seconds after which somebody hears that it takes long, and between one news of that and the next"""

SOON = 0.5
"""seconds from the deferral of a press to that news, where the work is long and the pressed message stays as it is"""

MOST_UNDONE = 1000
"""sentences about presses that changed nothing, which wait for the next press of the same message"""


async def run(context: InteractionContext, work: Callable[[InteractionContext], Awaitable[None]]) -> None:
    """Run a handler and answer the user in any case. No exception leaves this: discord.py would only log it."""
    services, answer, pressed = context.services, context.answer, context.pressed_message
    undone = services.undone.pop((context.user, pressed.id), None) if pressed is not None else None
    INTERACTION.set(HandledInteraction(context.id))
    task = asyncio.current_task()
    assert task is not None
    services.running.add(task)
    loop, progress = asyncio.get_running_loop(), list[asyncio.Task[None]]()
    timer = loop.call_later(DEFER_AFTER, lambda: progress.append(loop.create_task(_tell_progress(answer))))
    patience = asyncio.timeout(GIVE_UP)
    try:
        async with patience:
            if services.stopping:
                raise RefereeError("restarting")
            match = shapes.find_match(context.data.get("custom_id") or "")
            async with services.referee.arrival(match) if match else nullcontext():
                await _admit(context)
            await work(context)
    except (RefereeError, RuleError) as refusal:
        await _send_refusal(context, describe_refusal(refusal, asked_at=context.created_at))
    except Conflict:
        await _send_refusal(context, say("busy"))
    except (StoreBusy, StoreReadOnly) as trouble:
        services.report_save_failure(trouble)
        await _send_refusal(context, say("read-only" if isinstance(trouble, StoreReadOnly) else "busy"))
    except Exception as error:  # whatever went wrong, the person must hear of it
        if isinstance(error, TimeoutError) and patience.expired():
            log.warning("an interaction took too long")
            if not answer.given:
                await _send_refusal(context, say("took-long"))
            return
        reference = secrets.token_hex(3)
        log.exception("trouble %s with an interaction", reference)
        await _send_refusal(context, say("trouble", ref=reference))
    finally:
        timer.cancel()
        for telling in progress:
            telling.cancel()
        if answer.note is not None:
            await answer.settled()
        if undone is not None:  # this answer takes its place
            await services.delivery.delete_ephemeral(undone, services.referee.clock.now())
        services.running.discard(task)


async def _admit(context: InteractionContext) -> None:
    """Find out where an interaction comes from and if its author is banned, and set the clock by it."""
    services = context.services
    if context.origin.guild:
        await context.locate()
    if services.bans.users or services.bans.servers:
        services.bans.check_ban(context.user, context.origin.guild)
    if services.presence is not None:
        await services.presence.sync_clock(context.created_at, context.is_replayed)


def describe_refusal(
    refusal: RefereeError | RuleError, view: MatchView | None = None, asked_at: datetime | None = None
) -> str:
    """The catalogue's sentence for a refusal."""
    lobby = refusal.data.get("lobby")
    if isinstance(lobby, Lobby):
        return describe_error(refusal, view, asked_at, link=link_to(lobby.guild, lobby.channel, lobby.message))
    return describe_error(refusal, view, asked_at)


async def _send_refusal(context: InteractionContext, sentence: str) -> None:
    pressed = context.pressed_message if sentence in map(say, UNDONE) else None
    try:
        sent = await context.answer.send(Message(sentence), known=pressed is not None)
    except discord.HTTPException:
        log.warning("a refusal could not be sent")
        return
    if pressed is None or sent is None or sent == pressed.id:
        return
    undone, at, kind, token = context.services.undone, context.created_at, SurfaceKind.CONSOLE_BESIDE, context.token
    if len(undone) >= MOST_UNDONE:
        undone.clear()
    undone[context.user, pressed.id] = Surface(
        *("", kind, context.user, context.origin.channel, sent, 0, at), token.text, token_expiry(at), token.app
    )


async def _tell_progress(answer: Answer) -> None:
    """Defer a slow answer, and later say that it takes long."""
    await answer.defer()
    shows_nothing = answer.so_far is not None and not answer.sends  # a put-off press on a page, known to take long
    await asyncio.sleep(SOON if shows_nothing else WORKING - DEFER_AFTER)
    await answer.working()
    while answer.so_far is not None:
        await asyncio.sleep(STILL)
        await answer.working()
