"""Open tables: the command, and the buttons under them."""

from __future__ import annotations

from collections.abc import Mapping

from discord import app_commands

from bot.errors import RefereeError
from bot.interactions.channel_checks import check_role, person_of
from bot.interactions.commands import command
from bot.interactions.component import MessageKind, component
from bot.interactions.context import InteractionContext
from bot.interactions.shared.challenge_options import ChallengeOptions
from bot.interactions.shared.setup_repair import answer_with_repair
from bot.referee.model.model import Lobby
from bot.referee.repository.live import Live
from bot.ui.custom_ids import challenge_ids
from cogs.challenge.challenges import LobbyAnswer, reserve_lobby, send_rules, send_table, show_result


@command("open", "Open a table that anybody here can join", seats="Seats at the table, yours included")
async def open_table(
    context: InteractionContext, seats: app_commands.Range[int, 2, 8] | None = None, *, typed: ChallengeOptions
) -> None:
    try:
        await send_table(context, seats, typed.read_wish())
    except RefereeError as refusal:
        await answer_with_repair(context, refusal, typed.read_nearest_wish(), seats=seats)


async def join(context: InteractionContext, id: str) -> Lobby | Live:
    guild = await context.referee.deciding.load_settings(context.origin.guild)
    check_role(guild, context.author, asker=True)
    person = person_of(context.author)
    return await context.referee.tables.join(id, person, context.message.id, context.created_at)


ANSWERS: Mapping[str, LobbyAnswer] = {
    "j": join,
    "l": lambda context, id: context.referee.tables.leave(id, context.user, context.created_at),
    "s": lambda context, id: context.referee.tables.start(id, context.user, context.message.id, context.created_at),
    "x": lambda context, id: context.referee.tables.close(id, context.user, context.created_at),
}
"""by the word in the id: join, leave, start now, close"""


@component(challenge_ids.TABLE, on=MessageKind.SHARED)
async def answer_table(context: InteractionContext) -> None:
    """Change a table, and show it or the board that it has become."""
    id, what = challenge_ids.read_button(context.id_parts)
    async with reserve_lobby(context, id, joins=what == "j"):
        await show_result(context, id, await ANSWERS[what](context, id))


@component(challenge_ids.TABLE_RULES, on=MessageKind.SHARED)
async def show_table_rules(context: InteractionContext) -> None:
    """Show the rules of a table."""
    id, _ = challenge_ids.read_button(context.id_parts)
    await send_rules(context, await context.referee.tables.get(id))
