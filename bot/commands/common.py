"""The settings that a command goes by: the environment's and those of the file that `--env` names."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bot.errors import GopsError, SettingsError
from bot.process.base.log import tell_operator
from bot.referee.model.changes import StoreBusy, StoreReadOnly
from bot.settings import EXIT_SETUP, Settings, load

if TYPE_CHECKING:
    from bot.app import Bot


def add_env(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--env", default=".env", metavar="FILE", help="the file with settings (.env)")


def load_settings(args: argparse.Namespace, name: str) -> Settings | None:
    """None where they do not hold: every problem has been told, and the command ends with `EXIT_SETUP`."""
    try:
        return load(os.environ, Path(args.env))
    except SettingsError as error:
        for problem in error.problems:
            tell_operator(error.log, name, problem)
        return None


async def run_logged_in(settings: Settings, name: str, work: Callable[[Bot], Awaitable[int]]) -> int:
    """Log in, do this work and return its exit code. Trouble is printed, and becomes an exit code, too."""
    import discord

    from bot.app import CONNECTION_ERRORS, EXIT_TROUBLE, Bot
    from bot.discord_internals import point_at

    if not settings.token:
        print(f"gops {name}: DISCORD_TOKEN is not set", file=sys.stderr)
        return EXIT_SETUP
    point_at(settings.api_url)
    client = Bot()
    try:
        await client.login(settings.token)
        return await work(client)
    except discord.LoginFailure:
        print(f"gops {name}: Discord refuses this token: check DISCORD_TOKEN", file=sys.stderr)
        return EXIT_SETUP
    except (discord.HTTPException, GopsError, StoreBusy, StoreReadOnly, *CONNECTION_ERRORS) as error:
        print(f"gops {name}: {error}", file=sys.stderr)
        return EXIT_TROUBLE
    finally:
        await client.close()
