"""The rules card, made beside the loop: its example is played first."""

from __future__ import annotations

import asyncio

from bot.engine.rules import Rules
from bot.engine.series import Series
from bot.interactions.shared.rules_card import rules_card
from bot.ui.message import Message


async def rules_message(
    key: str, rules: Rules | None = None, series: Series | None = None, *, public: bool = False, opening: str = ""
) -> Message:
    """The rules of a game, a preset, or a game with one rule changed; or those in force at some table, with the whole
    opening of a challenge that was not accepted yet."""
    return await asyncio.to_thread(rules_card, key, rules, series, public=public, opening=opening)
