"""Sheets of a match, and the seals of one that is played."""

from __future__ import annotations

from bot.interactions.client import GopsClient
from bot.interactions.component import press
from bot.interactions.context import Asked
from bot.interactions.shared.board_button import board_press, over
from bot.referee.model.views import MatchView
from bot.ui.custom_ids import records_ids
from bot.ui.message import Message
from cogs.records.seals_card import seals_card
from cogs.records.sheet_message import sheet_message


@board_press("sheet")
async def sheet_pressed(asked: Asked, view: MatchView) -> None:
    await asked.answer.send(await _sheet(asked, view))


async def _sheet(
    asked: Asked,
    view: MatchView,
    deal: int | None = None,
    page: int | None = None,
    form: str = "",
    public: bool = False,
) -> Message:
    record = await asked.referee.views.record(view.id) if view.over else None
    noted = await asked.referee.pausing.noted(view.id)
    return sheet_message(view, record, deal, page, form, public, noted)


@press(records_ids.SHEET)
async def sheet_turned(asked: Asked) -> None:
    """Another page or form of a sheet."""
    id, deal, page, form, everyone = records_ids.read_sheet(asked.parts)
    if everyone:
        asked.answer.will_send(private=False)
    view = await asked.referee.views.of(id, asked.user)
    if everyone:
        asked.referee.daily.check_shown(view.day)
        view = await asked.referee.views.of(view.id)  # for everyone, so as everyone may see it
        await asked.answer.send(await _sheet(asked, view, deal, page, form, public=True), private=False)
    else:
        await asked.answer.update(await _sheet(asked, view, deal, page, form))


@press(records_ids.SEALS)
async def seals_shown(asked: Asked) -> None:
    """Every seal in full while it is played; *Verify* has them afterwards."""
    id, page = records_ids.read_seals(asked.parts)
    view = await asked.referee.views.of(id, asked.user)
    if view.over:
        raise over(view)
    await asked.answer.update(seals_card(view, await asked.referee.views.seals(id), page))


async def setup(bot: GopsClient) -> None:
    bot.answer(sheet_pressed, sheet_turned, seals_shown)
