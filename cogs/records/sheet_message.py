"""The sheet, of a finished match with its record as a file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from bot.referee.model.people import SeatPause
from bot.referee.model.views import MatchView
from bot.ui.message import Message
from cogs.records import sheet
from cogs.records.sheet import Form


def sheet_message(
    view: MatchView,
    record: dict[str, Any] | None,
    deal: int | None = None,
    page: int | None = None,
    form: str = "",
    public: bool = False,
    noted: Sequence[SeatPause] = (),
) -> Message:
    """A page of the sheet; of a finished match with its record as a file."""
    data = json.dumps(record, ensure_ascii=False, indent=1).encode() if record is not None else None
    chosen: Form | None = "g" if form == "g" else "s" if form == "s" else None
    return sheet.sheet(view, deal=deal, page=page, form=chosen, public=public, record=data, noted=noted)
