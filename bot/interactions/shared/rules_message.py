"""The rules card, made beside the loop: its example is played first."""

from __future__ import annotations

import asyncio

from bot.engine.rules import Rules
from bot.engine.series import Series
from bot.interactions.shared.rules_card import render_rules
from bot.ui.message import Message


async def render_rules_in_thread(
    key: str, rules: Rules | None = None, series: Series | None = None, *, public: bool = False, opening: str = ""
) -> Message:
    """The rules of a game, a preset, or a game with one rule changed; or those in force at some table, with the whole
    opening of a challenge that was not accepted yet."""
    return await asyncio.to_thread(render_rules, key, rules, series, public=public, opening=opening)
