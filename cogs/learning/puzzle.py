"""`/gops puzzle`: one position, one bid, and what perfect play says of it."""

from __future__ import annotations

from bot.interactions.client import GopsClient
from bot.interactions.commands import command
from bot.interactions.component import MessageKind, component
from bot.interactions.context import InteractionContext
from bot.ui.custom_ids import learning_ids
from bot.ui.message import Message
from cogs.learning.puzzle_card import puzzle_question, puzzle_result


@command("puzzle", "Find the best bid in a position of a few cards")
async def puzzle(context: InteractionContext) -> None:
    await context.answer.send(await _open_puzzle(context))


@component(learning_ids.PUZZLE, on=MessageKind.QUESTION)
async def answer_puzzle(context: InteractionContext) -> None:
    """A bid, graded in place; or the next puzzle in its stead."""
    number, card = learning_ids.read_puzzle(context.id_parts)
    if card is None:
        await context.answer.update(await _open_puzzle(context))
    else:
        found = await context.referee.puzzles.bid(context.user, number, card)
        await context.answer.update(puzzle_result(found, await _cards(context)))


async def _open_puzzle(context: InteractionContext) -> Message:
    """The puzzle before this person."""
    puzzle, record = await context.referee.puzzles.open(context.user)
    return puzzle_question(puzzle, record, await _cards(context))


async def _cards(context: InteractionContext) -> str:
    """How they like cards."""
    return (await context.referee.people.load_player(context.user)).cards


async def setup(bot: GopsClient) -> None:
    bot.add_commands(puzzle)
    bot.add_components(answer_puzzle)
