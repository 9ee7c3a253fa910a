"""Our bot where it goes discord.py's own way instead of ours, so that `load` measures both in one run.

`python -m tests.bench.own_way_bot direct`: calls are made with discord.py's objects (the switch of `cogs.wire.direct`).
`python -m tests.bench.own_way_bot view`: for each press the view of its message is rebuilt and its item looked up, as
discord.py does for a `DynamicItem` before it is asked what to do (`cogs.asked.presses`).
"""

from __future__ import annotations

import sys
from typing import Any

import discord

from bot.__main__ import main
from cogs.client import GopsClient
from cogs.inside import HELD
from cogs.wire.direct import Direct

View = discord.ui.View | discord.ui.LayoutView


def rebuilt(message: discord.Message, custom_id: str) -> discord.ui.Item[Any] | None:
    """The item that was pressed, found as discord.py finds it."""
    kind = discord.ui.LayoutView if message.flags.components_v2 else discord.ui.View
    view: View = kind.from_message(message, timeout=None)
    return next((item for item in view.walk_children() if getattr(item, "custom_id", None) == custom_id), None)


def go(way: str) -> None:
    if way == "direct":
        Direct.short = False
        return
    ours = GopsClient.on_interaction

    def read(self: GopsClient, payload: dict[str, Any]) -> discord.Interaction[Any]:
        """With objects of everything that the pressed message was made of."""
        told: Any = payload
        press: discord.Interaction[Any] = discord.Interaction(data=told, state=self._connection)
        if press.message is not None:
            press.extras[HELD] = payload["message"]["components"]
        return press

    async def on_interaction(self: GopsClient, interaction: discord.Interaction[Any]) -> None:
        data: Any = interaction.data
        if interaction.message is not None and rebuilt(interaction.message, data["custom_id"]) is None:
            raise LookupError("no such item")
        await ours(self, interaction)

    GopsClient.read, GopsClient.on_interaction = read, on_interaction


if __name__ == "__main__":
    go(sys.argv[1])
    sys.exit(main(["run"]))
