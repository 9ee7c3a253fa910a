"""Private consoles that a press opens, updates, or moves below an answer."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace

from bot.engine.fast_values import replace_fields
from bot.errors import RefereeError
from bot.interactions import error_handler
from bot.interactions.context import InteractionContext
from bot.messages.display import KEPT_WAITING
from bot.messages.writer import Writer
from bot.referee.model.changes import Conflict, StoreBusy, StoreReadOnly
from bot.referee.model.surfaces import Surface, SurfaceKind, SurfaceState, token_expiry
from bot.referee.model.views import MatchView
from bot.rest.rest_client import CALL_FAILURES
from bot.ui.custom_ids import match_ids
from bot.ui.message import Message
from bot.ui.screens.keys import add_way_back
from bot.ui.text.sentences import say

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PressedConsole:
    """A console on which a user pressed a button; while the press is dealt with nobody else shows it."""

    context: InteractionContext
    surface: Surface
    """the row of the console in the store"""
    writer: Writer

    async def show(self, view: MatchView, banner: str = "", mask: int = 0, *, is_bid: bool = False) -> None:
        """Answer the press with the newest console. `banner` tells what was not done; `mask` is the drafted bid.
        `is_bid`: tell, too, where Discord keeps the board waiting."""
        context, surface, writer, shown = self.context, self.surface, self.writer, view
        publisher = context.services.publisher
        display = publisher.displays[view.id]
        if is_bid and not banner and display.late is not None:
            banner = say("discord-slow") if display.is_behind(context.referee.clock.now(), KEPT_WAITING) else ""

        async def render() -> Message:
            nonlocal shown
            shown = await context.referee.views.newest(view, context.user)
            writer.banner = shown.version, banner
            draft = mask if shown.prompt == view.prompt else 0
            if draft or surface.message in display.drafts:
                display.record_draft(surface.message, shown.prompt, draft)
            return await publisher.consoles.render(shown, surface, banner, draft)

        arrived = await context.answer.update(render, of=view.id)
        replacement = await self._note(shown, SurfaceState.LIVE, arrived)
        if replacement is not None:
            publisher.writers.of(replacement).doubt((shown.version, banner))

    async def show_page(self, view: MatchView, page: Message) -> None:
        """Answer the press with a page in the place of the console, which comes back with the next news."""
        context, surface, publisher = self.context, self.surface, self.context.services.publisher
        draft = _find_draft(context, surface, view)
        page = add_way_back(context.answer.fit(page), view, draft)
        self.writer.banner = 0, ""
        publisher.displays[view.id].record_draft(surface.message, view.prompt, draft)
        publisher.record_look(view.id, context.user, context.created_at)
        await self._note(view, SurfaceState.READ, await context.answer.update(page, of=view.id))

    async def _note(self, shown: MatchView, state: SurfaceState, arrived: bool) -> Surface | None:
        """Note what the console shows. A page that may not be there is no page: the console is shown once more.
        Return the console that has taken the place of this one meanwhile, if one has."""
        context, surface, writer = self.context, self.surface, self.writer
        # If the answer never arrived, its token may be invalid. The publisher then edits with the token before it.
        is_token_good = arrived or not surface.has_live_token(context.referee.clock.now())
        is_token_good = is_token_good and not context.answer.is_astray
        updated = with_press_token(context, surface) if is_token_good else surface
        is_newest = arrived and not (writer.is_crossed or writer.is_stale)
        version, state = (shown.version, state) if is_newest else (0, SurfaceState.LIVE)
        return await context.services.publisher.notes.keep(replace_fields(updated, shown=version, state=state))


@asynccontextmanager
async def pressed_console(context: InteractionContext, id: str) -> AsyncGenerator[PressedConsole]:
    """Deal with a press on the console of a match."""
    await context.referee.live(id)  # one read brings its surfaces, too
    surface = await find_pressed_console(context, id)
    with context.services.publisher.press(surface) as writer:
        yield PressedConsole(context, surface, writer)


async def update_console(context: InteractionContext, view: MatchView, banner: str = "", mask: int = 0) -> None:
    """Show the newest state on the pressed console, with a sentence if something was not done."""
    async with pressed_console(context, view.id) as console:
        await console.show(view, banner, mask)


def with_press_token(context: InteractionContext, surface: Surface) -> Surface:
    """Return the console with the token of this press."""
    token, kind = context.token, SurfaceKind.CONSOLE_EPHEMERAL if surface.kind.ephemeral else surface.kind
    until = token_expiry(context.created_at)
    return replace_fields(
        surface, kind=kind, state=SurfaceState.LIVE, token=token.text, token_until=until, token_app=token.app
    )


async def find_pressed_console(context: InteractionContext, id: str) -> Surface:
    """Find the pressed console in the store.

    A console without a row takes the row of the player's console of the same kind, which may be stored by its token
    alone, without a message.
    """
    message = context.message
    kind = SurfaceKind.CONSOLE_EPHEMERAL if message.ephemeral else SurfaceKind.CONSOLE_DM
    surfaces = await context.services.publisher.notes.surfaces(id)
    mine = [surface for surface in surfaces if surface.user == context.user]
    stored = next((surface for surface in mine if surface.message == message.id), None)
    if stored is not None:
        return stored
    same = min((surface for surface in mine if surface.kind is kind), key=lambda row: row.message, default=None)
    if same is not None and not same.message:  # if this press fails, the token still works
        return replace_fields(same, channel=message.channel, message=message.id)
    return Surface(
        match=id,
        kind=kind,
        user=context.user,
        channel=message.channel,
        message=message.id,
        shown=0,
        posted=message.posted_at,
        id=same.id if same is not None else 0,
    )


def make_console(context: InteractionContext, id: str, kind: SurfaceKind, shown: int) -> Surface:
    """Return a private console in the channel of this press, which is not posted yet."""
    return Surface(
        match=id,
        kind=kind,
        user=context.user,
        channel=context.origin.channel,
        message=0,
        shown=shown,
        posted=context.created_at,
        token=context.token.text,
        token_until=token_expiry(context.created_at),
        token_app=context.token.app,
    )


async def open_console(context: InteractionContext, view: MatchView, mask: int = 0) -> None:
    """Answer with a new private console that replaces the player's old one; `mask` holds the chosen keys."""
    publisher = context.services.publisher
    is_followup = not context.answer.sends
    kind = SurfaceKind.CONSOLE_BESIDE if is_followup else SurfaceKind.CONSOLE_EPHEMERAL
    surface = make_console(context, view.id, kind, view.version)
    if not is_followup:
        surface = await _store_console(context, surface)
    with publisher.press(surface):
        banner = await _closed_dm_notice(context, view)
        console = await publisher.consoles.render(view, surface, banner, mask)
        posted = await context.answer.send(console, known=True)
        if posted:
            publisher.displays[view.id].record_draft(posted, view.prompt, mask)
            await publisher.consoles.take_place(replace(surface, message=posted))
        elif not is_followup:  # the message id is unknown, so only the token can edit the console
            await publisher.notes.keep(surface)


async def open_first_console(context: InteractionContext, id: str) -> None:
    """Open the console of a player who began the match by this press and gets no DM: a follow-up of the board. Without
    quota for follow-ups in the channel, the player opens it with *Bid*."""
    publisher = context.services.publisher
    view = await context.referee.views.view(id, context.user)
    if view.at_table or view.own is None or view.over:
        return
    if await publisher.dms.wanted(view, context.user) or not publisher.asides.may(context.origin.channel):
        return
    try:
        await open_console(context, view)
    except CALL_FAILURES as error:
        log.info("a first console did not arrive: %s", type(error).__name__)


async def answer_above_console(context: InteractionContext, id: str, answer: Callable[[], Awaitable[None]]) -> None:
    """Answer a press privately, then post the player's console of this channel below the answer or refusal."""
    if await _find_console_to_move(context, id) is None:
        await answer()
        return
    await context.answer.by_a_call()  # the follow-up needs an answer that Discord has confirmed
    try:
        await answer()
    except RefereeError as refusal:
        await context.answer.send(Message(error_handler.describe_refusal(refusal, asked_at=context.created_at)))
    await _post_below(context, id)


async def _find_console_to_move(context: InteractionContext, id: str) -> Surface | None:
    """Return the console that has to move below the answer: that of this player in the channel of the press.

    A result stays in its place if the console of a live match is below it. It also stays after a slow answer, because
    the player may have asked for something else meanwhile.
    """
    console = await _find_channel_console(context, id)
    if console is None or not (await context.referee.views.view(id, context.user)).over:
        return console
    if time.monotonic() - context.answer.begun > error_handler.DEFER_AFTER:
        return None
    live = await context.referee.finder.live_of(context.user)
    others = [await _find_channel_console(context, match.id) for match in live]
    is_below = any(other is not None and other.message > console.message for other in others)
    return None if is_below else console


async def _find_channel_console(context: InteractionContext, id: str) -> Surface | None:
    """Return the console that this player has in the channel of the press."""
    surfaces = await context.services.publisher.notes.surfaces(id)
    mine = (row for row in surfaces if row.user == context.user and row.channel == context.origin.channel)
    return next((row for row in mine if row.message or row.kind.ephemeral), None)


async def _post_below(context: InteractionContext, id: str) -> None:
    """Post the console again below the answer to this press.

    The console has to be the last message, because it shows the match and later its result. Without quota for
    follow-ups in the channel the console stays in its place.
    """
    publisher = context.services.publisher
    old = await _find_console_to_move(context, id)
    if old is None or not publisher.asides.may(context.origin.channel):
        return
    view = await context.referee.views.view(id, context.user)
    by_dm = not old.kind.ephemeral
    surface = replace(
        with_press_token(context, old),
        id=0,
        kind=SurfaceKind.CONSOLE_DM if by_dm else SurfaceKind.CONSOLE_BESIDE,
        message=0,
        shown=view.version,
        posted=context.created_at,
    )
    if by_dm:  # the token of the press edits only the answer
        surface = replace(surface, token="", token_until=None)
    try:
        with publisher.press(old), suppress(Conflict):
            draft = _find_draft(context, old, view)
            console = await publisher.consoles.render(view, surface, mask=draft)
            posted = await context.answer.send(console, private=not by_dm)
            if posted is not None:
                publisher.displays[id].record_draft(posted, view.prompt, draft)
                publisher.displays[id].record_draft(old.message, view.prompt, 0)
                await publisher.consoles.take_place(replace(surface, message=posted))
    except CALL_FAILURES as error:
        log.info("a console could not be posted again: %s", type(error).__name__)


def _find_draft(context: InteractionContext, console: Surface, view: MatchView) -> int:
    """Return the mask of the chosen cards of a console. After a restart only its own buttons tell them."""
    pressed = context.pressed_message
    known = context.services.publisher.displays[view.id].find_draft(console.message, view.prompt)
    return known or (match_ids.find_draft(pressed.list_custom_ids(), view.id, view.prompt) if pressed else 0)


async def _store_console(context: InteractionContext, console: Surface) -> Surface:
    """Store a console before it is posted, so that a killed process leaves no console that is never updated."""
    try:
        return replace(console, id=await context.services.publisher.notes.put(console))
    except (StoreBusy, StoreReadOnly):  # the console still works, but is not updated if the process is killed
        return console


async def _closed_dm_notice(context: InteractionContext, view: MatchView) -> str:
    """Return the notice for a player who cannot get DMs: how to play without them. It is shown once."""
    player = await context.referee.people.load_player(context.user)
    is_closed = player.dm_closed_until is not None and player.dm_closed_until > context.referee.clock.now()
    has_missed = view.own is not None and view.own.misses  # the banner of a missed bid goes first
    if not is_closed or player.dm_told or has_missed:
        return ""
    await context.referee.people.set_preferences(context.user, dm_told=True)
    return say("dms-closed", channel=f"<#{view.channel}>")
