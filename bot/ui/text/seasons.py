"""Seasons by their names: November 2026, or quarter 4 of 2026."""

from __future__ import annotations

from bot.referee.model.seasons import MONTHLY, Season
from bot.ui.text.sentences import say


def season_name(season: Season) -> str:
    began = season.began
    if season.kind == MONTHLY:
        return say("season-month", month=say(f"month-{began.month}"), year=str(began.year))
    return say("season-quarter", n=(began.month + 2) // 3, year=str(began.year))
