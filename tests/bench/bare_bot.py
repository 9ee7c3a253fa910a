"""The least that a bot can do with a press: a dynamic item that edits the pressed message. What load is compared with.

`python -m tests.bench.bare_bot MESSAGE.json`, with the settings of the bot in the environment.
"""

import json
import os
import re
import sys
from pathlib import Path
from typing import Any, Self

import discord

from bot.app import point_at

SHAPE: list[dict[str, Any]] = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")) if len(sys.argv) > 1 else []
"""the components of the message, as Discord takes them"""


class Key(discord.ui.Button[Any]):
    def is_dispatchable(self) -> bool:
        return False  # else discord.py would remember every message for ever


def item(one: dict[str, Any]) -> discord.ui.Item[Any]:
    match one["type"]:
        case 17:
            return discord.ui.Container(*map(item, one["components"]))
        case 10:
            return discord.ui.TextDisplay(one["content"])
        case 1:
            return discord.ui.ActionRow(*map(item, one["components"]))
        case _:
            style, off = discord.ButtonStyle(one["style"]), bool(one.get("disabled"))
            return Key(label=one["label"], custom_id=one["custom_id"], style=style, disabled=off)


def drawn() -> discord.ui.LayoutView:
    view = discord.ui.LayoutView(timeout=None)
    for one in SHAPE:
        view.add_item(item(one))
    return view


class Press(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"bare:(?P<rest>.*)"):
    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(item)  # pyright: ignore[reportArgumentType]

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.edit_message(view=drawn(), allowed_mentions=discord.AllowedMentions.none())


def main() -> None:
    point_at(os.environ["DISCORD_API_URL"])
    client = discord.Client(
        intents=discord.Intents(guilds=True),
        member_cache_flags=discord.MemberCacheFlags.none(),
        max_messages=None,
        chunk_guilds_at_startup=False,
    )
    client.add_dynamic_items(Press)
    client.run(os.environ["DISCORD_TOKEN"], log_handler=None)


if __name__ == "__main__":
    main()
