"""The message of a challenge or table: posted, reserved for a press, and shown as what a press has made of it."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import discord

from bot.errors import RefereeError
from bot.interactions.context import InteractionContext
from bot.interactions.shared.pressed_board import with_token
from bot.interactions.shared.pressed_console import open_first_console
from bot.messages.offers import answered, closed_offer
from bot.messages.render import lobby_message
from bot.referee.model.changes import Conflict, StoreBusy, StoreReadOnly
from bot.referee.model.model import Lobby, LobbyState
from bot.referee.model.surfaces import Surface, SurfaceKind, lobby_surface
from bot.referee.repository.live import Live
from bot.ui.message import Message
from bot.ui.screens.board import render_board
from bot.ui.text.sentences import say

log = logging.getLogger(__name__)


async def post_lobby(context: InteractionContext, lobby: Lobby, mentions: Sequence[int] | None = None) -> int | None:
    """Show a challenge publicly, and save where. Return the message's id, or None if nobody can see it."""
    referee = context.referee
    try:
        message = await lobby_message(referee, lobby, mentions=mentions)
        posted = await context.answer.send(message, private=False)
    except discord.HTTPException:
        await referee.challenges.withdraw(lobby.id, lobby.host)  # so that the host can try again
        raise
    if posted is None or context.answer.hidden:  # nobody can answer it
        await referee.challenges.withdraw(lobby.id, lobby.host)
        if context.answer.hidden:
            await context.answer.take_back(Message(say("apps-off")))
        return None
    try:
        await referee.lobbies.note_message(lobby, with_token(context, lobby_surface(lobby, posted)))
    except (Conflict, StoreBusy, StoreReadOnly):  # the first press on the message saves it
        log.warning("the message of challenge %s could not be saved", lobby.id)
    return posted


@asynccontextmanager
async def reserve_lobby(context: InteractionContext, id: str, *, joins: bool) -> AsyncGenerator[None]:
    """Reserve the message of a challenge or table for a press. `joins`: the press takes a seat."""
    referee = context.referee
    surface = next(
        (surface for surface in await referee.surfaces.load(id) if surface.message == context.message.id), None
    )
    with context.services.publisher.press(surface or _pressed_surface(context, id)):
        if joins and surface is None:  # nothing keeps others from a board that is not known: no time may pass then
            await context.answer.by_a_call()
        try:
            yield
        except RefereeError as refusal:
            lobby = refusal.data.get("lobby")
            mine = isinstance(lobby, Lobby) and lobby.id == id and lobby.state is not LobbyState.STARTED
            if mine and surface is None:
                with suppress(Conflict):  # the match has started meanwhile
                    await referee.surfaces.put(_pressed_surface(context, id))
            if not joins or surface is None or surface.kind is not SurfaceKind.BOARD:
                raise
            match = await referee.live(id)
            if match.stored.seat_of(context.user) is None:
                raise
            # The answer to the press that began the match did not arrive: the message still shows Accept or Join.
            await show_result(context, id, match)


def _pressed_surface(context: InteractionContext, id: str) -> Surface:
    """Return the surface of the pressed message, which a crash kept from being saved."""
    message = context.message
    return Surface(id, SurfaceKind.LOBBY, 0, message.channel, message.id, 0, message.posted_at)


async def show_result(context: InteractionContext, id: str, result: Lobby | Live, why: str = "") -> None:
    """Show the pressed message: the challenge as it is now, or the board that it has become."""
    try:
        await _show_outcome(context, id, result, why)
    except discord.HTTPException:
        lobby = await context.referee.lobbies.get(id)
        if isinstance(result, Live) or lobby.state is not LobbyState.STARTED:
            raise
        # The last person has accepted meanwhile; Discord cannot turn a board (v2) back into a challenge.
        await _show_outcome(context, id, await context.referee.live(id))


async def _show_outcome(context: InteractionContext, id: str, result: Lobby | Live, why: str = "") -> None:
    publisher = context.services.publisher
    await context.answer.by_a_call()  # only a press can show this message where the bot is no member
    if isinstance(result, Lobby):
        arrived = await context.answer.update(await lobby_message(context.referee, result, why))
        shown = result.version
    else:
        view = await context.referee.views.view(id)
        publisher.displays[id].record_press()
        arrived = await context.answer.update(render_board(view))
        if arrived:
            publisher.displays[id].record_shown()
        due = await publisher.boards.is_due_in_thread(result, await context.referee.surfaces.load(id))
        shown = 0 if due else view.version  # behind until it is shown, even after a crash
    is_lobby = isinstance(result, Lobby)
    known = await publisher.notes.surfaces(id)
    surface = next((surface for surface in known if surface.message == context.message.id), None)
    if surface is None and is_lobby:
        surface = _pressed_surface(context, id)
    if surface is not None and (surface.kind is SurfaceKind.LOBBY) is is_lobby:
        # With version 0 the publisher shows it again.
        fresh = with_token(context, replace(surface, shown=shown if arrived else 0))
        with suppress(Conflict):  # the last person has accepted meanwhile: it is a board now
            await publisher.notes.put(fresh)
    if arrived and not is_lobby:  # else nothing can follow the board
        await open_first_console(context, id)


async def show_offer(context: InteractionContext, lobby: Lobby, match: str) -> bool:
    """Show on the pressed offer of a rematch why there is nothing left to answer. Return False if there is."""
    is_closed = bool(answered(lobby, context.user))
    if is_closed:
        await context.answer.update(lambda: closed_offer(context.referee, lobby, match, context.user), of=lobby.id)
    return is_closed
