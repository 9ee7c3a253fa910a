"""Presses that show more of a match than the store knows: it was put back to an earlier time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.errors import Refused
from bot.interactions.context import Asked
from bot.ui.message import Message
from bot.ui.text.sentences import say


def heeded(handler: Callable[[Asked], Awaitable[None]]) -> Callable[[Asked], Awaitable[None]]:
    """The handler of a press, and what is done where its match is only a challenge by now: its board is a stub then,
    for everybody to read."""

    async def work(asked: Asked) -> None:
        try:
            await handler(asked)
        except Refused as refusal:
            id = next(iter(asked.parts), "")  # of a match, where the press is about one
            if refusal.id != "unknown-match" or refusal.data["x"] != id or not _held(asked):
                raise
            try:
                await asked.referee.lobbies.end_older(id)
            except Refused:
                await asked.answer.update(Message(say("rolled-back", m=id)))
                return
            raise

    return work


async def check_prompt(asked: Asked, id: str, prompt: int) -> None:
    """Refuse a press of a prompt that is newer than any the store knows, and stop its match."""
    live = await asked.referee.live(id)
    if live.stored.live and prompt > live.stored.prompt and _held(asked):
        await asked.referee.matches.stop_older(id, prompt)


async def check_over(asked: Asked, id: str) -> None:
    """The same for a press on the result of a match that the store still plays."""
    if _held(asked):
        await asked.referee.matches.stop_older(id)


def _held(asked: Asked) -> bool:
    """Nobody can put a match to an end by making such an id up: it must stand in the message that was pressed."""
    return asked.pressed is not None and asked.pressed.holds(str(asked.data.get("custom_id")))
