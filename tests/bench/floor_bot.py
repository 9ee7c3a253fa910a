"""The least that a bot can do which makes the calls of ours: it answers every press, edits the console of the other
seat once a round, and brings boards up, at most 40 a second. It keeps nothing: no store, no rules, no clock, only the
token of each console's last press.

`python -m tests.bench.floor_bot SHAPES.json`, with the settings of the bot in the environment.
With COLLECT=ours in the environment Python collects its garbage as seldom as in ours.
"""

import asyncio
import gc
import os
from typing import Any

import discord

from bot.app import COLLECT
from bot.process.base import event_loop
from tests.bench import bare_bot
from tests.bench.bare_bot import drawn
from tests.bench.shapes import CHANNEL, board_id

A_SECOND = 40
"""as many counted calls as ours makes at most"""

TOKENS: dict[tuple[int, int], tuple[int, str]] = {}
BEHIND: dict[int, None] = {}
"""matches whose board is not up to date, in order"""
WAITING = asyncio.Event()
"""whether there are any"""


class Press(bare_bot.Press, template=r"bare:(?P<match>\d+)\.(?P<seat>\d):.*"):
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await super().callback(interaction)
        TOKENS[self.table, self.seat] = interaction.application_id, interaction.token
        BEHIND.setdefault(self.table)
        WAITING.set()
        other = self.table, 1 - self.seat
        if self.seat == 1 and other in TOKENS:  # both have bid
            app, token = TOKENS[other]
            webhook = discord.Webhook.partial(app, token, client=interaction.client)
            original: Any = "@original"
            await webhook.edit_message(original, view=drawn("console", f"{other[0]}.{other[1]}"))


async def boards(client: discord.Client) -> None:
    channel = client.get_partial_messageable(CHANNEL)
    while True:
        await WAITING.wait()
        match = next(iter(BEHIND))
        del BEHIND[match]
        if not BEHIND:
            WAITING.clear()
        await channel.get_partial_message(board_id(match)).edit(view=drawn("board", f"{match}.0"))
        await asyncio.sleep(1 / A_SECOND)


async def run() -> None:
    if os.environ.get("COLLECT") == "ours":
        gc.freeze()
        gc.set_threshold(*COLLECT)
    async with bare_bot.client() as client, asyncio.TaskGroup() as tasks:
        client.add_dynamic_items(Press)
        drawing = tasks.create_task(boards(client))
        await client.start(os.environ["DISCORD_TOKEN"])
        drawing.cancel()


if __name__ == "__main__":
    event_loop.run(run())
