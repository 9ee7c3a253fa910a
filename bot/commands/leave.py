"""`gops leave`: take the bot out of a server."""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING

from bot.commands.common import add_env, load_settings, run_logged_in
from bot.settings import EXIT_SETUP

if TYPE_CHECKING:
    from bot.app import Bot

NAME = "leave"
HELP = "take the bot out of a server; what it keeps of that server goes after 30 days, as always"
EXAMPLE = "gops leave 41771983423143937"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("server", metavar="SERVER", type=_server, help="the id of the server on Discord")
    add_env(parser)


def _server(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 2**63:
        raise argparse.ArgumentTypeError(f"{text!r} is no id of a server: it is a number like 41771983423143937")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """0: the bot has left; 1: it could not."""
    settings = load_settings(args, NAME)
    if settings is None:
        return EXIT_SETUP

    async def work(client: Bot) -> int:
        return await _leave(client, args.server)

    return asyncio.run(run_logged_in(settings, NAME, work))


async def _leave(client: Bot, server: int) -> int:
    """Ask Discord. The database is left to the running bot, which hears of it."""
    import discord

    try:
        guild = await client.fetch_guild(server, with_counts=False)
        await guild.leave()
    except (discord.NotFound, discord.Forbidden):
        print(f"gops leave: the bot is in no server {server}", file=sys.stderr)
        return 1
    print(f"Left server {server}.")
    return 0
