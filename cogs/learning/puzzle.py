"""`/gops puzzle`: one position, one bid, and what perfect play says of it."""

from __future__ import annotations

from cogs.asked.asked import Asked
from cogs.asked.commands import command
from cogs.asked.presses import On, press
from cogs.client import GopsClient
from cogs.learning import ids, puzzle_card


@command("puzzle", "Find the best bid in a position of a few cards")
async def puzzle(asked: Asked) -> None:
    await asked.answer.send(puzzle_card.asked(*await asked.referee.puzzles.open(asked.user)))


@press(ids.PUZZLE, on=On.QUESTION)
async def puzzle_pressed(asked: Asked) -> None:
    """A bid, graded in place; or the next puzzle in its stead."""
    number, card = ids.read_puzzle(asked.parts)
    if card is None:
        await asked.answer.update(puzzle_card.asked(*await asked.referee.puzzles.open(asked.user)))
    else:
        await asked.answer.update(puzzle_card.graded(await asked.referee.puzzles.bid(asked.user, number, card)))


async def setup(bot: GopsClient) -> None:
    bot.offer(puzzle)
    bot.answer(puzzle_pressed)
