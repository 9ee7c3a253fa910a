"""The picture of a result as SVG."""

from __future__ import annotations

from bot.pictures.duel import draw_duel
from bot.pictures.ranking import draw_ranking
from bot.pictures.scoreboard import Scoreboard


def draw_scoreboard(board: Scoreboard, title: str) -> str:
    """Return the picture of a result; `title` says who won a match of three and more."""
    return draw_duel(board) if len(board.seats) == 2 else draw_ranking(board, title)
