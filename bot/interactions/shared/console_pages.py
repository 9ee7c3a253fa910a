"""What a player reads in the place of a console, with a way back to it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.errors import RefereeError
from bot.interactions.context import InteractionContext
from bot.interactions.error_handler import describe_refusal
from bot.interactions.shared.pressed_console import answer_above_console, pressed_console, update_console
from bot.referee.model.surfaces import SurfaceKind
from bot.referee.model.views import MatchView
from bot.ui.custom_ids import match_ids
from bot.ui.message import Message

Send = Callable[[Message], Awaitable[object]]


async def is_on_console(context: InteractionContext, id: str) -> bool:
    """Return True if the pressed message is a console of this match, or shows what is read in its place."""
    pressed = context.pressed_message
    if pressed is None or not (pressed.ephemeral or context.origin.is_dm):
        return False
    if match_ids.find_prompt(pressed.list_custom_ids(), id) is not None:
        return True
    return any(
        one.message == pressed.id and one.user == context.user and one.kind is not SurfaceKind.BOARD
        for one in await context.services.publisher.notes.surfaces(id)
    )


async def answer_privately(
    context: InteractionContext, view: MatchView, make: Callable[[], Awaitable[Message]], send: Send | None = None
) -> None:
    """Show a page in the place of the pressed console. If another message was pressed, `send` the page, and have the
    console of this channel below it."""
    if await is_on_console(context, view.id):
        await _read_in_place(context, view, make)
        return
    context.answer.will_send()

    async def answer() -> None:
        page = await make()
        await (send or context.answer.send)(page)

    await answer_above_console(context, view.id, answer)


async def _read_in_place(context: InteractionContext, view: MatchView, make: Callable[[], Awaitable[Message]]) -> None:
    """Show a page on the console; a refusal becomes its banner. A console that is out of date shows the truth first."""
    if is_outdated(context, view):
        await update_console(context, view)
        return
    try:
        page = await make()
    except RefereeError as refusal:
        mine = await context.referee.views.view(view.id, context.user)
        said = "" if refusal.id in ("match-over", "match-stopped") else describe_refusal(refusal, mine)
        await update_console(context, mine, said)
        return
    await show_page(context, view, page)


async def show_page(context: InteractionContext, view: MatchView, page: Message) -> None:
    """Show this page in the place of the pressed console."""
    async with pressed_console(context, view.id) as console:
        if is_outdated(context, view):
            await console.show(view)
        else:
            await console.show_page(view, page)


def is_outdated(context: InteractionContext, view: MatchView) -> bool:
    """Return True if the pressed console shows an older prompt than the match has, or one of a match that is over."""
    shown = match_ids.find_prompt(context.message.list_custom_ids(), view.id)
    return shown is not None and (view.over or shown < view.prompt)


async def update_page(context: InteractionContext, page: Message) -> None:
    """Show another page on the pressed message. One in the place of a console keeps the way back to it."""
    id = match_ids.find_back(context.message.list_custom_ids())
    if id and await is_on_console(context, id):
        await show_page(context, await context.referee.views.view(id, context.user), page)
    else:
        await context.answer.update(page)


async def turn_page(context: InteractionContext, page: Message, *, public: bool) -> None:
    """Show another page on the pressed message, or post a public copy, which was announced by `will_send`."""
    if public:
        await context.answer.send(page, private=False)
    else:
        await update_page(context, page)


async def end_page(context: InteractionContext, id: str, sentence: str) -> bool:
    """Say on the console what a press has done in its place. Return False if another message was pressed."""
    if not await is_on_console(context, id):
        return False
    view = await context.referee.views.view(id, context.user)
    await update_console(context, view, "" if view.over else sentence)
    return True
