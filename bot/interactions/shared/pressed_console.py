"""Private consoles that a press opens, shows once more, or moves below an answer."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, suppress
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


class PressedConsole:
    """The console that a press came from."""

    def __init__(self, context: InteractionContext, surface: Surface) -> None:
        """`surface`: the console as the store knows it."""
        self.surface = surface
        self._context = context
        self._publisher = context.services.publisher

    def reserved(self) -> AbstractContextManager[None]:
        """Keep the publisher from editing this console; the press does it."""
        return self._publisher.left_to_press(self.surface.match, self.surface.id)

    async def show(self, view: MatchView, banner: str = "", mask: int = 0) -> None:
        """Answer the press with the newest console; `banner` says what was not done, `mask` is the draft."""
        context, surface, shown = self._context, self.surface, view

        async def render() -> Message:
            nonlocal shown
            shown = await newest(context.referee, view, context.user)
            self._publisher.warns(surface, shown.version, banner)
            draft = mask if shown.prompt == view.prompt else 0
            return await self._publisher.consoles.render(shown, surface, banner, draft)

        arrived = await context.answer.update(render, of=view.id)
        last = arrived and not context.services.lanes.unsure(context.message.id)
        # The token of an answer that never arrived may be dead, so the publisher edits by the one before.
        live = arrived or not has_live_token(surface, context.referee.clock.now())
        updated = with_press_token(context, surface) if live else surface
        updated = replace_fields(updated, shown=shown.version if last else 0, state=SurfaceState.LIVE)
        replacement = await self._publisher.marks.keep(updated)
        if replacement is not None:
            self._publisher.answer_on(replacement, shown.version, banner)


async def update_console(context: InteractionContext, view: MatchView, banner: str = "", mask: int = 0) -> None:
    """Show the newest state on the pressed console, with a sentence if something was not done."""
    console = await find_pressed_console(context, view.id)
    with console.reserved():
        await console.show(view, banner, mask)


def with_press_token(context: InteractionContext, surface: Surface) -> Surface:
    """Return the console with the token of this press."""
    token, kind = context.token, SurfaceKind.CONSOLE_EPHEMERAL if surface.kind.ephemeral else surface.kind
    until = token_expiry(context.created_at)
    return replace_fields(
        surface, kind=kind, state=SurfaceState.LIVE, token=token.text, token_until=until, token_app=token.app
    )


async def find_pressed_console(context: InteractionContext, id: str) -> PressedConsole:
    """Find the pressed console in the store. One that is not there takes the row of the console that is known by its
    token alone, or of the player's other console of its kind."""
    message = context.message
    kind = SurfaceKind.CONSOLE_EPHEMERAL if message.ephemeral else SurfaceKind.CONSOLE_DM
    surfaces = await context.services.publisher.marks.surfaces(id)
    mine = [surface for surface in surfaces if surface.user == context.user]
    known = next((surface for surface in mine if surface.message == message.id), None)
    if known is not None:
        return PressedConsole(context, known)
    same = min((surface for surface in mine if surface.kind is kind), key=lambda row: row.message, default=None)
    if same is not None and not same.message:  # its token still reaches it if this press fails
        return PressedConsole(context, replace_fields(same, channel=message.channel, message=message.id))
    new = Surface(
        match=id,
        kind=kind,
        user=context.user,
        channel=message.channel,
        message=message.id,
        shown=0,
        posted=message.posted_at,
        id=same.id if same is not None else 0,
    )
    return PressedConsole(context, new)


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
    if await _find_console_to_move(context, id) is None:
        await answer()
        return
    await context.answer.by_a_call()  # the console follows by the token, which such a call makes known
    try:
        await answer()
    except RefereeError as refusal:
        await context.answer.send(Message(describe_refusal(refusal, asked_at=context.created_at)))
    await _post_below(context, id)


async def _find_console_to_move(context: InteractionContext, id: str) -> Surface | None:
    """Return the console that this player has in the channel of the press. A result stays above the
    console of a live match that is below it."""
    console = await _find_console_here(context, id)
    if console is None or not (await context.referee.views.view(id, context.user)).over:
        return console
    live = await context.referee.finder.live_of(context.user)
    others = [await _find_console_here(context, match.id) for match in live]
    is_below = any(other is not None and other.message > console.message for other in others)
    return None if is_below else console


async def _find_console_here(context: InteractionContext, id: str) -> Surface | None:
    surfaces = await context.services.publisher.marks.surfaces(id)
    mine = (row for row in surfaces if row.user == context.user and row.channel == context.origin.channel)
    return next((row for row in mine if row.message or row.kind.ephemeral), None)


async def _post_below(context: InteractionContext, id: str) -> None:
    """Post the console again, below the answer that this press has just got.

    It shows the match and, in the end, its result: no answer may stand below it. Where Discord takes no further message
    it stays where it is.
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
