"""A client that calls Discord with the bot's token and hears nothing of it, for commands."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from bot.errors import GopsError
from bot.referee.model.changes import StoreBusy, StoreReadOnly
from bot.settings import EXIT_SETUP, Settings

if TYPE_CHECKING:
    from bot.app import Bot


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
