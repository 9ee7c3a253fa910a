"""Stepping through a finished match."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.errors import Refused
from bot.interactions.client import GopsClient
from bot.interactions.commands import command, message_menu
from bot.interactions.component import press
from bot.interactions.context import Asked, stale
from bot.interactions.shared.board_button import board_press
from bot.referee.model.views import MatchView
from bot.referee.repository.live import Live
from bot.ui.custom_ids import records_ids
from bot.ui.message import Message
from cogs.records.replay_card import replay as replay_card
from cogs.records.sent import sent


@command("replay", "Step through a finished match")
@app_commands.describe(match="Match code, like K7Q2", record="Or a record from elsewhere")
async def replay(asked: Asked, match: str | None = None, record: discord.Attachment | None = None) -> None:
    if record is None:
        live = await asked.referee.find.finished(asked.user, match)
        asked.referee.find.check_open(live, asked.user, asked.where.guild)
    elif match is not None:
        raise Refused("either-match-or-record")
    else:
        kept = await asked.services.desk.bring(asked.user, await sent(record))
        live = await asked.referee.archive.bring(asked.user, kept)
    await send_replay(asked, live)


@message_menu("Replay")
async def replay_menu(asked: Asked, match: str) -> None:
    """The same from the menu of a message that shows a match."""
    live = await asked.referee.find.finished(asked.user, match)
    asked.referee.find.check_open(live, asked.user, asked.where.guild)
    await send_replay(asked, live)


@board_press("replay")
async def replay_pressed(asked: Asked, view: MatchView) -> None:
    await send_replay(asked, await asked.referee.archive.of(asked.user, asked.where.guild, view.id))


async def send_replay(asked: Asked, live: Live) -> None:
    """The first moment, for this person only."""
    await asked.answer.send(await _card(asked, live, 0))


async def _card(asked: Asked, live: Live, at: int, public: bool = False) -> Message:
    views = asked.referee.views
    tape = await views.tape(live)
    moment = tape.still(at, await views.cards(live.stored, 0 if public else asked.user))
    reviewable = (await views.of_live(live)).reviewable
    return replay_card(moment, public=public, reviewable=reviewable)


@press(records_ids.REPLAY)
async def replay_turned(asked: Asked) -> None:
    """Another moment, the turning point, or a copy for everyone."""
    id, at, what = records_ids.read_replay(asked.parts)
    if what == "all":
        asked.answer.will_send(private=False)
    live = await asked.referee.archive.of(asked.user, asked.where.guild, id)
    if what == "all":
        asked.referee.daily.check_shown((await asked.referee.views.of_live(live)).day)
        await asked.answer.send(await _card(asked, live, at, public=True), private=False)
    else:
        if what == "turn":
            at = (await asked.referee.views.tape(live)).turning
        await asked.answer.update(await _card(asked, live, at))


@press(records_ids.REPLAY_DEAL)
async def deal_chosen(asked: Asked) -> None:
    """The beginning of another deal."""
    live = await asked.referee.archive.of(asked.user, asked.where.guild, records_ids.read_replay_deal(asked.parts))
    if not asked.value.isdecimal() or len(asked.value) > 3:
        raise stale()
    tape = await asked.referee.views.tape(live)
    await asked.answer.update(await _card(asked, live, tape.first_of(int(asked.value) - 1)))


async def setup(bot: GopsClient) -> None:
    bot.offer(replay)
    bot.tree.add_command(replay_menu)
    bot.answer(replay_pressed, replay_turned, deal_chosen)
