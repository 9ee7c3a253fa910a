"""`gops sync`: register the commands with Discord and upload the card faces, or print the commands."""

from __future__ import annotations

import argparse
import asyncio
import json
from functools import partial
from typing import TYPE_CHECKING, Any

from bot.commands.common import add_env, load_settings, run_logged_in
from bot.errors import SettingsError
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.app import Bot

NAME = "sync"
HELP = "register the slash commands with Discord, and upload the card faces"
EXAMPLE = "gops sync --print"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--print", action="store_true", help="print the commands that would be sent, as JSON, and send nothing"
    )
    add_env(parser)


def run(args: argparse.Namespace) -> int:
    if args.print:
        print(json.dumps(asyncio.run(payload()), indent=2, ensure_ascii=False))
        return 0
    settings = load_settings(args)
    if not settings.token:
        raise SettingsError(["DISCORD_TOKEN is not set; --print needs none"])
    return asyncio.run(run_logged_in(settings, partial(_sync, settings)))


async def payload(by_users: bool = True) -> list[dict[str, Any]]:
    """Return the commands as Discord gets them. `by_users`: users can install the application for themselves."""
    from bot import command_tree
    from bot.app import Bot
    from bot.interactions import command_sync

    bot = Bot()
    command_tree.plant(bot)
    command_sync.limit_installs(bot.tree, by_users=by_users)
    return command_sync.commands_payload(bot.tree)


async def _sync(settings: Settings, client: Bot) -> int:
    from bot.interactions.command_sync import NO_USERS, settle_installs
    from bot.rest.emojis import Emojis

    by_users = await settle_installs(client)
    told = await client.tree.sync()
    print(f"Registered {len(told)} commands with Discord.")
    print("Servers and people can install it." if by_users else f"Note: {NO_USERS}.")
    if settings.faces:
        print(f"Uploaded {await Emojis(client).sync()} card faces.")
    return 0
