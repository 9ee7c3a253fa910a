"""`gops leave`: take the bot out of a server."""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING

from bot.commands.common import add_env, discord_id, load_settings, run_logged_in
from bot.settings import EXIT_SETUP

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
    settings = load_settings(args, NAME)
    if settings is None:
        return EXIT_SETUP

    async def work(client: Bot) -> int:
        return await _leave(client, args.server)

    return asyncio.run(run_logged_in(settings, NAME, work))


async def _leave(client: Bot, server: int) -> int:
    """Leave the server on Discord. The running bot gets the event, and changes the database."""
    import discord

    try:
        guild = await client.fetch_guild(server, with_counts=False)
        await guild.leave()
    except (discord.NotFound, discord.Forbidden):
        print(f"gops leave: the bot is in no server {server}", file=sys.stderr)
        return 1
    print(f"Left server {server}.")
    return 0
