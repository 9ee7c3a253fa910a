"""`gops leave`: take the bot out of a server."""

from __future__ import annotations

import argparse
import asyncio
from functools import partial
from typing import TYPE_CHECKING

from bot.commands.common import add_env, discord_id, load_settings, run_logged_in
from bot.errors import GopsError

if TYPE_CHECKING:
    from bot.app import Bot

NAME = "leave"
HELP = "take the bot out of a server; it deletes the data of that server 30 days later"
EXAMPLE = "gops leave 41771983423143937"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("server", metavar="SERVER", type=discord_id, help="id of the server on Discord")
    add_env(parser)


def run(args: argparse.Namespace) -> int:
    """Return 0 if the bot has left, 1 if it could not."""
    return asyncio.run(run_logged_in(load_settings(args), partial(_leave, args.server)))


async def _leave(server: int, client: Bot) -> int:
    """Leave the server on Discord. The running bot gets the event, and changes the database."""
    import discord

    try:
        guild = await client.fetch_guild(server, with_counts=False)
        await guild.leave()
    except (discord.NotFound, discord.Forbidden) as error:
        raise GopsError(f"the bot is in no server {server}") from error
    print(f"Left server {server}.")
    return 0
