"""Open tables: the command, and the buttons under them."""

from __future__ import annotations

from discord import app_commands

from bot.errors import RefereeError
from bot.interactions.channel_checks import check_role, person_of
from bot.interactions.client import GopsClient
from bot.interactions.commands import command
from bot.interactions.component import MessageKind, component
from bot.interactions.context import InteractionContext, stale_button
from bot.interactions.shared import challenge_options
from bot.interactions.shared.rules_card import render_rules_in_thread
from bot.interactions.shared.setup_repair import answer_with_repair
from bot.referee.repository.view_builder import lobby_view
from bot.ui.custom_ids import challenge_ids
from cogs.challenge.challenges import lobby_left_to, send_table, show_result


@command("open", "Open a table that anybody here can join")
@app_commands.describe(seats="Seats at the table, yours included", **challenge_options.DESCRIPTIONS)
@app_commands.choices(ties=challenge_options.TIE_CHOICES)
@app_commands.choices(clock=challenge_options.CLOCK_CHOICES)
@app_commands.choices(place=challenge_options.PLACE_CHOICES)
@app_commands.autocomplete(
    game=challenge_options.complete_game,
    options=challenge_options.complete_options,
    series=challenge_options.complete_series,
)
async def open_table(
    context: InteractionContext,
    seats: app_commands.Range[int, 2, 8] | None = None,
    game: str | None = None,
    cards: app_commands.Range[int, 2, 25] | None = None,
    ties: str | None = None,
    clock: int | None = None,
    series: app_commands.Range[str, 1, 60] | None = None,
    rated: bool | None = None,
    options: app_commands.Range[str, 1, challenge_options.MAX_TYPED] | None = None,
    place: str | None = None,
) -> None:
    typed = challenge_options.ChallengeOptions(game, cards, ties, clock, series, rated, options, place)
    try:
        await send_table(context, seats, typed.read_wish())
    except RefereeError as refusal:
        await answer_with_repair(context, refusal, typed.read_nearest_wish(), seats=seats)


@component(challenge_ids.TABLE, on=MessageKind.SHARED)
async def table_pressed(context: InteractionContext) -> None:
    """Join, leave, start now, close, rules."""
    id, what = challenge_ids.read_button(context.id_parts)
    referee, user = context.referee, context.author
    if what == "r":
        view = lobby_view(await referee.tables.get(id))
        await context.answer.send(
            await render_rules_in_thread(view.setup.game, view.rules, view.series, opening=view.opening)
        )
        return
    async with lobby_left_to(context, id, joins=what == "j"):
        if what == "j":
            check_role(await referee.deciding.load_settings(context.origin.guild), user, asker=True)
            result = await referee.tables.join(id, person_of(user), context.message.id, context.created_at)
        elif what == "l":
            result = await referee.tables.leave(id, user.id, context.created_at)
        elif what == "s":
            result = await referee.tables.start(id, user.id, context.message.id, context.created_at)
        elif what == "x":
            result = await referee.tables.close(id, user.id, context.created_at)
        else:
            raise stale_button()
        await show_result(context, id, result)


async def setup(bot: GopsClient) -> None:
    bot.add_commands(open_table)
    bot.add_components(table_pressed)
