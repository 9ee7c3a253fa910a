"""`/gops puzzle`: one position, one bid, and what perfect play says of it."""

from __future__ import annotations

from bot.interactions.client import GopsClient
from bot.interactions.commands import command
from bot.interactions.component import On, press
from bot.interactions.context import Asked
from bot.ui.custom_ids import learning_ids
from bot.ui.message import Message
from cogs.learning import puzzle_card


@command("puzzle", "Find the best bid in a position of a few cards")
async def puzzle(asked: Asked) -> None:
    await asked.answer.send(await _opened(asked))


@press(learning_ids.PUZZLE, on=On.QUESTION)
async def puzzle_pressed(asked: Asked) -> None:
    """A bid, graded in place; or the next puzzle in its stead."""
    number, card = learning_ids.read_puzzle(asked.parts)
    if card is None:
        await asked.answer.update(await _opened(asked))
    else:
        found = await asked.referee.puzzles.bid(asked.user, number, card)
        await asked.answer.update(puzzle_card.graded(found, await _cards(asked)))


async def _opened(asked: Asked) -> Message:
    """The puzzle before this person."""
    puzzle, record = await asked.referee.puzzles.open(asked.user)
    return puzzle_card.asked(puzzle, record, await _cards(asked))


async def _cards(asked: Asked) -> str:
    """How they like cards."""
    return (await asked.referee.store.player(asked.user)).cards


async def setup(bot: GopsClient) -> None:
    bot.offer(puzzle)
    bot.answer(puzzle_pressed)
