"""What several `gops` commands share: settings, a logged-in client, reading files, reporting problems."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bot.errors import GopsError, SettingsError
from bot.settings import Settings, load

if TYPE_CHECKING:
    from bot.app import Bot


PATIENCE = 60.0
"""seconds that processes get to do what a command asks for"""


class CommandError(Exception):
    """A command cannot use what it was given. The program prints one line and exits with 2."""


@contextmanager
def report_file_errors() -> Generator[None]:
    """Turn the error of a file into a `CommandError` with its name."""
    try:
        yield
    except BrokenPipeError:
        raise  # the reader of the output stopped, which is no error
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}") from error


def add_env(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--env", default=".env", metavar="FILE", help="file with settings (.env)")


def load_settings(args: argparse.Namespace) -> Settings:
    """Read the settings. Raises `SettingsError` with every problem."""
    return load(os.environ, Path(args.env))


def refuse_running(settings: Settings) -> None:
    """Raise `GopsError` if the file of the database is missing or used. The lock of a server refuses a second bot."""
    from bot.operate.restore import refuse_in_use

    if not settings.server:
        if not settings.database.exists():
            raise GopsError(f"there is no database {settings.database}")
        refuse_in_use(settings.database)


async def run_logged_in(settings: Settings, work: Callable[[Bot], Awaitable[int]]) -> int:
    """Log in, do the work and return its exit code. Raises `GopsError`."""
    import discord

    from bot.app import Bot
    from bot.discord_internals.api_calls import point_at
    from bot.rest.rest_client import CONNECTION_ERRORS

    if not settings.token:
        raise SettingsError(["DISCORD_TOKEN is not set"])
    point_at(settings.api_url)
    client = Bot()
    try:
        await client.login(settings.token)
        return await work(client)
    except discord.LoginFailure as error:
        raise SettingsError(["Discord refuses this token: check DISCORD_TOKEN"]) from error
    except (discord.HTTPException, *CONNECTION_ERRORS) as error:
        raise GopsError(str(error)) from error
    finally:
        await client.close()


def discord_id(text: str) -> int:
    """Parse the id of an account or a server on Discord."""
    if not text.isdecimal() or not 0 < int(text) < 2**63:
        raise argparse.ArgumentTypeError(f"{text!r} is not an id of Discord, which is a number like 80351110224678912")
    return int(text)


@report_file_errors()
def read_text(name: str) -> str:
    """Return the text of a file, or of standard input for `-`."""
    data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CommandError(f"{name}: it is not UTF-8 text") from error
