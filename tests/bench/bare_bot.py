"""The least that a bot can do with a press: a dynamic item that edits the pressed message. What load is compared with.

`python -m tests.bench.bare_bot SHAPES.json`, with the settings of the bot in the environment.
"""

import json
import os
import re
import sys
from pathlib import Path
from typing import Any, Self

import discord
import yarl
from discord.gateway import DiscordWebSocket

from bot.discord_internals.api_calls import point_at
from bot.process.base import event_loop

SHAPES: dict[str, list[dict[str, Any]]] = (
    json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")) if len(sys.argv) > 1 else {}
)
"""the components of a console and of a board, as Discord takes them; `@` stands for the match and the seat"""


class Key(discord.ui.Button[Any]):
    def is_dispatchable(self) -> bool:
        return False  # else discord.py would remember every message for ever


def item(one: dict[str, Any], key: str) -> discord.ui.Item[Any]:
    match one["type"]:
        case 17:
            return discord.ui.Container(*(item(part, key) for part in one["components"]))
        case 10:
            return discord.ui.TextDisplay(one["content"])
        case 14:
            return discord.ui.Separator(visible=one["divider"], spacing=discord.SeparatorSpacing(one["spacing"]))
        case 1:
            return discord.ui.ActionRow(*(item(part, key) for part in one["components"]))
        case 2:
            style, off = discord.ButtonStyle(one["style"]), bool(one.get("disabled"))
            return Key(label=one["label"], custom_id=one["custom_id"].replace("@", key), style=style, disabled=off)
        case other:
            raise ValueError(f"a plain bot draws no component of type {other} yet")


def drawn(shape: str, key: str) -> discord.ui.LayoutView:
    view = discord.ui.LayoutView(timeout=None)
    for one in SHAPES[shape]:
        view.add_item(item(one, key))
    return view


class Press(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"bare:(?P<match>\d+)\.(?P<seat>\d):.*"):
    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        made = cls(item)  # pyright: ignore[reportArgumentType]
        made.table, made.seat = int(match["match"]), int(match["seat"])
        return made

    table: int
    seat: int

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        view = drawn("console", f"{self.table}.{self.seat}")
        await interaction.response.edit_message(view=view, allowed_mentions=discord.AllowedMentions.none())


def client() -> discord.Client:
    point_at(os.environ["DISCORD_API_URL"])
    here = yarl.URL(os.environ["DISCORD_API_URL"])
    DiscordWebSocket.DEFAULT_GATEWAY = here.with_scheme("ws").with_path("/gateway")
    return discord.Client(
        intents=discord.Intents(guilds=True),
        member_cache_flags=discord.MemberCacheFlags.none(),
        max_messages=None,
        chunk_guilds_at_startup=False,
    )


async def run() -> None:
    async with client() as made:
        made.add_dynamic_items(Press)
        await made.start(os.environ["DISCORD_TOKEN"])


if __name__ == "__main__":
    event_loop.run(run())  # what ours runs on counts for all
