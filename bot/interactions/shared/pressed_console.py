"""Private consoles that a press opens, shows once more, or moves below an answer."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace

from bot.engine.fast_values import replace_fields
from bot.errors import RefereeError
from bot.interactions.context import InteractionContext
from bot.interactions.error_handler import describe_refusal
from bot.messages.render import newest
from bot.referee.model.changes import Conflict, StoreBusy, StoreReadOnly
from bot.referee.model.model import Surface, SurfaceKind, SurfaceState
from bot.referee.model.views import MatchView
from bot.rest.delivery import has_live_token, token_expiry
from bot.ui.message import Message
from bot.ui.text.sentences import say

log = logging.getLogger(__name__)


async def update_console(context: InteractionContext, view: MatchView, banner: str = "", mask: int = 0) -> None:
    """The pressed console as it is now, with a sentence if something was not done."""
    surface = await find_pressed_console(context, view.id)
    taken = with_press_token(context, surface)
    with context.services.publisher.left_to_press(view.id, surface.id):
        await edit_console(context, view, banner, surface, taken, mask)


async def edit_console(
    context: InteractionContext, view: MatchView, banner: str, surface: Surface, taken: Surface, mask: int = 0
) -> None:
    """While this press has the surface to itself. `taken`: the same with this press's token."""
    publisher, shown = context.services.publisher, view

    async def render() -> Message:
        nonlocal shown
        shown = await newest(context.referee, view, context.user)
        if shown.over:  # nobody presses there once more: it has to be sure that it arrived
            await context.answer.by_a_call()
        publisher.warns(surface, shown.version, banner)
        return await publisher.consoles.render(shown, surface, banner, mask if shown.prompt == view.prompt else 0)

    arrived = await context.answer.update(render, of=view.id)
    # Else the publisher shows it once more, by the token before: that of an answer that never arrived may be dead.
    pressed = taken if arrived or not has_live_token(surface, context.referee.clock.now()) else surface
    last = arrived and not context.services.lanes.unsure(context.message.id)
    pressed = replace_fields(pressed, shown=shown.version if last else 0, state=SurfaceState.LIVE)
    instead = await publisher.marks.keep(pressed)
    if instead is not None:
        publisher.answer_on(instead, shown.version, banner)


def with_press_token(context: InteractionContext, surface: Surface) -> Surface:
    """The console with this press's token."""
    token, kind = context.token, SurfaceKind.CONSOLE_EPHEMERAL if surface.kind.ephemeral else surface.kind
    until = token_expiry(context.created_at)
    return replace_fields(
        surface, kind=kind, state=SurfaceState.LIVE, token=token.text, token_until=until, token_app=token.app
    )


async def find_pressed_console(context: InteractionContext, id: str) -> Surface:
    """The console that was pressed, as the store knows it. An unknown one is known from now on: as the one that is
    known by its token alone, else in place of another."""
    message = context.message
    kind = SurfaceKind.CONSOLE_EPHEMERAL if message.ephemeral else SurfaceKind.CONSOLE_DM
    mine = [one for one in await context.services.publisher.marks.surfaces(id) if one.user == context.user]
    known = next((one for one in mine if one.message == message.id), None)
    if known is not None:
        return known
    same = min((one for one in mine if one.kind is kind), key=lambda one: one.message, default=None)
    if same is not None and not same.message:  # its token still reaches it, if this press comes to nothing
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


async def open_console(context: InteractionContext, view: MatchView, mask: int = 0) -> None:
    """The board's *Bid*: a console of one's own, for this person only, in place of the one that they had; `mask`: with
    keys that are chosen already."""
    publisher = context.services.publisher
    beside = not context.answer.sends
    surface = Surface(
        match=view.id,
        kind=SurfaceKind.CONSOLE_BESIDE if beside else SurfaceKind.CONSOLE_EPHEMERAL,
        user=context.user,
        channel=context.origin.channel,
        message=0,
        shown=view.version,
        posted=context.created_at,
        token=context.token.text,
        token_until=token_expiry(context.created_at),
        token_app=context.token.app,
    )
    if not beside:  # by its token, before it is there
        surface = await _store_console(context, surface)
    with publisher.left_to_press(view.id, surface.id):
        banner = await _closed_dm_notice(context, view)
        console = await publisher.consoles.render(view, surface, banner, mask)
        posted = await context.answer.send(console, known=True)
        if posted:
            await publisher.consoles.take_place(replace(surface, message=posted))
        elif not beside:  # nothing but its token reaches it
            await publisher.marks.keep(surface)


async def open_first_console(context: InteractionContext, id: str) -> None:
    """Who has just made a match begin, and gets no DM, finds their cards beside the board: the same as by *Bid*. It is
    a further message, of which Discord takes only so many in a channel."""
    publisher = context.services.publisher
    view = await context.referee.views.view(id, context.user)
    if view.at_table or view.own is None or view.over:
        return
    player = await context.referee.people.load_player(context.user)
    if await publisher.dms.wanted(view, player) or not publisher.asides.may(context.origin.channel):
        return
    try:
        await open_console(context, view)
    except publisher.reach.failures as error:  # *Bid* brings it as well
        log.info("a first console did not arrive: %s", type(error).__name__)


async def answer_above_console(context: InteractionContext, id: str, answer: Callable[[], Awaitable[None]]) -> None:
    """Answer a press privately, then post the player's console below, if it is here. A refusal is an answer, too."""
    if await _find_console_here(context, id) is None or await _plays_on_here(context, id):
        await answer()
        return
    await context.answer.by_a_call()  # the console follows by the token, which such a call makes known
    try:
        await answer()
    except RefereeError as refusal:
        await context.answer.send(Message(describe_refusal(refusal, asked_at=context.created_at)))
    await _post_below(context, id)


async def _find_console_here(context: InteractionContext, id: str) -> Surface | None:
    """Return the console that this person has in the channel of the press."""
    surfaces = await context.services.publisher.marks.surfaces(id)
    mine = (one for one in surfaces if one.user == context.user and one.channel == context.origin.channel)
    return next((one for one in mine if one.message or one.kind.ephemeral), None)


async def _plays_on_here(context: InteractionContext, id: str) -> bool:
    """Whether this match is over and the person has the console of a live one here, which has to stay the last."""
    if not (await context.referee.views.view(id, context.user)).over:
        return False
    live = await context.referee.finder.live_of(context.user)
    return any([await _find_console_here(context, one.id) is not None for one in live])


async def _post_below(context: InteractionContext, id: str) -> None:
    """Post the console again, below the answer that this press has just got.

    It shows the match and, in the end, its result: no answer may stand below it. Where Discord takes no further message
    it stays where it is.
    """
    publisher = context.services.publisher
    old = await _find_console_here(context, id)
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
    if by_dm:  # the press's token edits its own answer
        surface = replace(surface, token="", token_until=None)
    try:
        with publisher.left_to_press(id, old.id), suppress(Conflict):
            console = await publisher.consoles.render(view, surface)
            posted = await context.answer.send(console, private=not by_dm)
            if posted is not None:
                await publisher.consoles.take_place(replace(surface, message=posted))
    except publisher.reach.failures as error:
        log.info("a console could not be posted again: %s", type(error).__name__)


async def _store_console(context: InteractionContext, console: Surface) -> Surface:
    """Known by its token before it is there: a kill over the answer leaves no console that nobody brings up to date."""
    try:
        return replace(console, id=await context.services.publisher.marks.put(console))
    except (StoreBusy, StoreReadOnly):  # it can be looked at all the same
        return console


async def _closed_dm_notice(context: InteractionContext, view: MatchView) -> str:
    """Said once to somebody whom no DM reaches: how everything goes on without one."""
    player = await context.referee.people.load_player(context.user)
    closed = player.dm_closed_until is not None and player.dm_closed_until > context.referee.clock.now()
    missed = view.own is not None and view.own.misses  # which they must hear of first
    if not closed or player.dm_told or missed:
        return ""
    await context.referee.people.set_preferences(context.user, dm_told=True)
    return say("dms-closed", channel=f"<#{view.channel}>")
