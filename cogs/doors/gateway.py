"""Presses as the gateway brings them; commands come to discord.py's tree by themselves."""

from __future__ import annotations

from typing import Any

import discord

from cogs.asked.made import asked_by
from cogs.asked.presses import Presses


async def pressed(interaction: discord.Interaction[Any], presses: Presses) -> None:
    """Any press of a button or menu, and any form sent in."""
    data: Any = interaction.data or {}
    match interaction.type:
        case discord.InteractionType.component | discord.InteractionType.modal_submit:
            await presses.deal_with(asked_by(interaction), data.get("custom_id"))
        case _:
            pass
