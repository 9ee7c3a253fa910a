"""Presses that show more of a match than the store knows: it was put back to an earlier time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.errors import RefereeError
from bot.interactions.context import InteractionContext
from bot.ui.message import Message
from bot.ui.text.sentences import say


def stop_on_rollback(
    handler: Callable[[InteractionContext], Awaitable[None]],
) -> Callable[[InteractionContext], Awaitable[None]]:
    """The handler of a press, and what is done where its match is only a challenge by now: its board is a stub then,
    for everybody to read."""

    async def work(context: InteractionContext) -> None:
        try:
            await handler(context)
        except RefereeError as refusal:
            id = next(iter(context.id_parts), "")  # of a match, where the press is about one
            if refusal.id != "unknown-match" or refusal.data["x"] != id or not _is_on_message(context):
                raise
            try:
                await context.referee.lobbies.end_older(id)
            except RefereeError:
                await context.answer.update(Message(say("rolled-back", m=id)))
                return
            raise

    return work


async def check_prompt(context: InteractionContext, id: str, prompt: int) -> None:
    """Refuse a press of a prompt that is newer than any the store knows, and stop its match."""
    live = await context.referee.live(id)
    if live.stored.live and prompt > live.stored.prompt and _is_on_message(context):
        await context.referee.matches.stop_older(id, prompt)


async def check_result(context: InteractionContext, id: str) -> None:
    """The same for a press on the result of a match that the store still plays."""
    if _is_on_message(context):
        await context.referee.matches.stop_older(id)


def _is_on_message(context: InteractionContext) -> bool:
    """Nobody can put a match to an end by making such an id up: it must stand in the message that was pressed."""
    return context.pressed_message is not None and context.pressed_message.has_custom_id(
        str(context.data.get("custom_id"))
    )
