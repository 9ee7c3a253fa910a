"""From what the referee tells to what is shown: the right drawing with this surface's circumstances."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

from bot.engine.rules import Rules
from bot.referee.look import lobby_view
from bot.referee.model import Answer, Lobby, LobbyState, Player, Surface, SurfaceKind
from bot.referee.setups import playable
from bot.referee.views import MatchView
from cogs.learning import rules_card
from cogs.records import sheet
from cogs.records.sheet import Form
from cogs.ui.message import Attached, Attachment, Message, Text
from cogs.ui.screens import board, challenge, console


def link_to(guild: int, channel: int, message: int | None = None) -> str:
    """Where a channel or message is, to be clicked."""
    place = f"https://discord.com/channels/{guild or '@me'}/{channel}"
    return f"{place}/{message}" if message else place


def lobby_message(lobby: Lobby, why: str = "") -> Message:
    """A challenge is started by hand only where somebody declined; a table at any time with enough people."""
    enough = len(lobby.accepted) > 1 and playable(lobby.setup, len(lobby.accepted))
    declined = any(one.answer is Answer.DECLINED for one in lobby.people)
    can_start = enough and lobby.state is LobbyState.OPEN and (declined or lobby.kind == "table")
    return challenge.lobby(lobby_view(lobby, can_start), why)


def board_message(view: MatchView, style: str = "symbols") -> Message:
    return board.board(view, style=style, reviewable=view.reviewable)


def moved_message(view: MatchView, channel: int, message: int) -> Message:
    return board.moved(view.id, link_to(view.guild, channel, message))


def console_message(
    view: MatchView,
    surface: Surface,
    player: Player,
    board_at: Surface | None = None,
    banner: str = "",
    mask: int = 0,
    *,
    behind: bool = False,
) -> Message:
    """The console of the view's seat, for the place where it is shown."""
    ephemeral = surface.kind is SurfaceKind.CONSOLE_EPHEMERAL
    nowhere = board_at is None or board_at.state == "lost"
    link = "" if ephemeral or board_at is None or nowhere else link_to(view.guild, board_at.channel, board_at.message)
    return console.console(
        view,
        style="symbols" if player.cards == "faces" else player.cards,
        two_step=player.two_step,
        mask=mask,
        banner=banner,
        ephemeral=ephemeral,
        link=link,
        behind=behind,
    )


def sheet_message(
    view: MatchView,
    record: dict[str, Any] | None,
    deal: int | None = None,
    page: int | None = None,
    form: str = "",
    public: bool = False,
) -> Message:
    """A page of the sheet; of a finished match with its record as a file."""
    data = json.dumps(record, ensure_ascii=False, indent=1).encode() if record is not None else None
    chosen: Form | None = "g" if form == "g" else "s" if form == "s" else None
    return sheet.sheet(view, deal=deal, page=page, form=chosen, public=public, record=data)


def record_message(id: str, lines: Sequence[str], record: Mapping[str, Any]) -> Message:
    """What was checked, and the record to check it with elsewhere."""
    name = f"{id}.json"
    data = json.dumps(record, ensure_ascii=False, indent=1).encode()
    title = f"### #{id}"
    return Message(
        body=(Text(f"{title}\n" + "\n".join(lines)), Attached(name)),
        attachments=(Attachment(name, data),),
        essence=title,
    )


async def rules_message(key: str, rules: Rules | None = None, *, public: bool = False) -> Message:
    """The rules of a game, a preset, or a game with one rule changed; or those in force at some table."""
    return await asyncio.to_thread(rules_card.rules_card, key, rules, public=public)  # the example is played first
