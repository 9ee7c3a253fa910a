"""`gops leave`: take the bot out of a server."""

import argparse
import asyncio
import sys

from bot.commands.settled import add_env, settled
from bot.settings import EXIT_SETUP, Settings

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
    settings = settled(args, NAME)
    if settings is None:
        return EXIT_SETUP
    if not settings.token:
        print("gops leave: DISCORD_TOKEN is not set", file=sys.stderr)
        return EXIT_SETUP
    return asyncio.run(_leave(settings, args.server))


async def _leave(settings: Settings, server: int) -> int:
    """Ask Discord. The database is left to the running bot, which hears of it."""
    import discord

    from bot.app import BROKEN, EXIT_TROUBLE, Bot, point_at

    point_at(settings.api_url)
    client = Bot(syncs=False)
    try:
        await client.login(settings.token)
        guild = await client.fetch_guild(server, with_counts=False)
        await guild.leave()
    except discord.LoginFailure:
        print("gops leave: Discord refuses this token: check DISCORD_TOKEN", file=sys.stderr)
        return EXIT_SETUP
    except (discord.NotFound, discord.Forbidden):
        print(f"gops leave: the bot is in no server {server}", file=sys.stderr)
        return EXIT_TROUBLE
    except (discord.HTTPException, *BROKEN) as error:
        print(f"gops leave: {error}", file=sys.stderr)
        return EXIT_TROUBLE
    finally:
        await client.close()
    print(f"Left server {server}.")
    return 0
