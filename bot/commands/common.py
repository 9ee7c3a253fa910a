"""What several `gops` commands share: settings, a logged-in client, reading files, reporting problems."""

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
    parser.add_argument("--env", default=".env", metavar="FILE", help="file with settings (.env)")


def load_settings(args: argparse.Namespace, name: str) -> Settings | None:
    """Read the settings. If they are invalid, print every problem and return None; the exit code is `EXIT_SETUP`."""
    try:
        return load(os.environ, Path(args.env))
    except SettingsError as error:
        for problem in error.problems:
            tell_operator(error.log, name, problem)
        return None


async def run_logged_in(settings: Settings, name: str, work: Callable[[Bot], Awaitable[int]]) -> int:
    """Log in, do the work and return its exit code. Print an error, and return its exit code."""
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
    except SettingsError as error:
        print(f"gops {name}: {error}", file=sys.stderr)
        return EXIT_SETUP
    except (discord.HTTPException, GopsError, StoreBusy, StoreReadOnly, *CONNECTION_ERRORS) as error:
        print(f"gops {name}: {error}", file=sys.stderr)
        return EXIT_TROUBLE
    finally:
        await client.close()


def discord_id(text: str) -> int:
    """Parse the id of an account or a server on Discord."""
    if not text.isdecimal() or not 0 < int(text) < 2**63:
        raise argparse.ArgumentTypeError(f"{text!r} is not an id of Discord, which is a number like 80351110224678912")
    return int(text)


def read_text(name: str) -> tuple[str, str]:
    """Return the text of a file, and the problem with it."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return data.decode("utf-8-sig"), ""
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        return "", f"{name}: {reason}"


def print_problem(reason: str, command: str) -> int:
    """Print one line to standard error. Return exit code 2."""
    print(f"gops {command}: {' '.join(reason.split())}", file=sys.stderr)
    return 2
