"""Begin practice matches from a command or a button, and show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.interactions.channel_checks import check_place, check_role, person_of
from bot.interactions.context import InteractionContext
from bot.interactions.shared.pressed_board import with_token
from bot.interactions.shared.pressed_console import open_console
from bot.referee.lobby.setups import Wish
from bot.referee.model.participant import Place
from bot.referee.model.surfaces import Surface, SurfaceKind
from bot.referee.repository.live import Live
from bot.solver.players.levels import Level
from bot.ui.message import Message
from bot.ui.screens.board import render_board
from bot.ui.text.names import join_words
from bot.ui.text.sentences import say


async def begin_practice(
    context: InteractionContext, level: Level, wish: Wish, public: bool = False, seats: int | None = None
) -> None:
    """Begin a match against this level. The match is committed before it is shown."""
    await _prepare(context, public)
    begun = await context.referee.practice.begin(_place(context), person_of(context.author), level, wish, public, seats)
    await show_practice(context, begun.live, begun.replaced)


async def repeat_practice(context: InteractionContext, old: Live) -> None:
    """Begin a match with the same levels, game and options, or open the one that a press before has begun."""
    await _prepare(context, bool(old.stored.channel))
    begun = await context.referee.practice.repeat(old, person_of(context.author), _place(context))
    if begun.is_new:
        await show_practice(context, begun.live, begun.replaced)
    else:
        await open_console(context, await context.referee.views.view_live(begun.live, context.user))


def _is_private(context: InteractionContext, public: bool) -> bool:
    """Return True if the message has to be ephemeral. A message in a DM with the bot is private already."""
    return not public and not context.origin.is_dm


def _place(context: InteractionContext) -> Place:
    """Return the channel of this interaction, in a server or a DM."""
    return Place(context.origin.guild, context.origin.channel)


async def _prepare(context: InteractionContext, public: bool) -> None:
    """Refuse a channel in which the bot cannot keep a board, and a user whose roles do not allow to play."""
    context.answer.will_send(private=_is_private(context, public))
    if public:
        context.guild  # noqa: B018 - refuses: without membership the bot can edit a board only after a press
        await check_place(context)
    if context.origin.guild:
        guild = await context.referee.deciding.load_settings(context.origin.guild)
        check_role(guild, context.author, asker=True)


async def show_practice(context: InteractionContext, live: Live, replaced: Sequence[str] = ()) -> None:
    """Answer with the board of a public match, or with the console of a private one.

    `replaced` are the matches that ended because of this one: the answer names them.
    """
    publisher, id = context.services.publisher, live.stored.id
    banner = say("practice-replaced", list=join_words([f"#{match}" for match in replaced])) if replaced else ""
    public, surface = bool(live.stored.channel), _make_surface(context, live)
    view = await context.referee.views.view_live(live, surface.user)
    if public:
        message = render_board(view)
    else:
        message = await publisher.consoles.render(view, surface, banner)
        surface = replace(surface, id=await publisher.notes.put(surface))  # an early press needs the row
    with publisher.press(surface):
        posted = await context.answer.send(message, private=_is_private(context, public), known=True)
        if posted is None:
            await context.referee.matches.abort(id, "unseen")  # no user sees the match, so it must not count as live
        elif public:
            await publisher.notes.put(replace(surface, message=posted))
        else:
            publisher.writers.of(replace(surface, message=posted)).banner = view.version, banner
            await publisher.consoles.take_place(replace(surface, message=posted))
    publisher.wake(id)
    if public and banner:
        await context.answer.send(Message(banner))


def _make_surface(context: InteractionContext, live: Live) -> Surface:
    """Return the surface of the answer before the answer is posted."""
    public, is_dm = bool(live.stored.channel), context.origin.is_dm
    console = SurfaceKind.CONSOLE_DM if is_dm else SurfaceKind.CONSOLE_EPHEMERAL
    kind, user = (SurfaceKind.BOARD, 0) if public else (console, context.user)
    surface = Surface(live.stored.id, kind, user, context.origin.channel, 0, live.stored.version, context.created_at)
    return with_token(context, surface)
