"""`/gops replay`: a finished match step by step."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.errors import RefereeError
from bot.interactions.client import GopsClient
from bot.interactions.commands import command, message_menu
from bot.interactions.component import component
from bot.interactions.context import InteractionContext, stale_button
from bot.interactions.shared.board_button import board_component
from bot.referee.model.views import MatchView
from bot.referee.repository.live import Live
from bot.ui.custom_ids import records_ids
from bot.ui.message import Message
from cogs.records.record_files import read_attachment
from cogs.records.replay_card import replay as replay_card


@command("replay", "Step through a finished match")
@app_commands.describe(match="Match code, like K7Q2", record="Or a record from elsewhere")
async def replay(
    context: InteractionContext, match: str | None = None, record: discord.Attachment | None = None
) -> None:
    if record is None:
        live = await context.referee.finder.find_open(context.user, match, context.origin.guild)
    elif match is not None:
        raise RefereeError("either-match-or-record")
    else:
        kept = await context.services.desk.bring(context.user, await read_attachment(record))
        live = await context.referee.archive.add_import(context.user, kept)
    await send_replay(context, live)


@message_menu("Replay")
async def replay_menu(context: InteractionContext, match: str) -> None:
    """Replay the match of a message from the menu of that message."""
    await send_replay(context, await context.referee.finder.find_open(context.user, match, context.origin.guild))


@board_component("replay")
async def replay_match(context: InteractionContext, view: MatchView) -> None:
    await send_replay(context, await context.referee.archive.load(context.user, context.origin.guild, view.id))


async def send_replay(context: InteractionContext, live: Live) -> None:
    """Send the first moment to this person only."""
    await context.answer.send(await _card(context, live, 0))


async def _card(context: InteractionContext, live: Live, at: int, public: bool = False) -> Message:
    views = context.referee.views
    tape = await views.tape(live)
    moment = tape.moment_at(at, await views.card_style(live.stored, 0 if public else context.user))
    reviewable = (await views.view_live(live)).reviewable
    return replay_card(moment, public=public, reviewable=reviewable)


@component(records_ids.REPLAY)
async def turn_replay(context: InteractionContext) -> None:
    """Show another moment, the turning point, or a copy to everyone."""
    id, at, what = records_ids.read_replay(context.id_parts)
    if what == "all":
        context.answer.will_send(private=False)
    live = await context.referee.archive.load(context.user, context.origin.guild, id)
    if what == "all":
        context.referee.daily.check_shown((await context.referee.views.view_live(live)).day)
        await context.answer.send(await _card(context, live, at, public=True), private=False)
    else:
        if what == "turn":
            at = (await context.referee.views.tape(live)).turning_point
        await context.answer.update(await _card(context, live, at))


@component(records_ids.REPLAY_DEAL)
async def choose_deal(context: InteractionContext) -> None:
    """Show the beginning of another deal."""
    live = await context.referee.archive.load(
        context.user, context.origin.guild, records_ids.read_replay_deal(context.id_parts)
    )
    if not context.value.isdecimal() or len(context.value) > 3:
        raise stale_button()
    tape = await context.referee.views.tape(live)
    await context.answer.update(await _card(context, live, tape.first_of(int(context.value) - 1)))


async def setup(bot: GopsClient) -> None:
    bot.add_commands(replay)
    bot.tree.add_command(replay_menu)
    bot.add_components(replay_match, turn_replay, choose_deal)
