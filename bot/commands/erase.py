"""`gops erase`: erase a person's data, as `/gops privacy delete` does."""

import argparse
import asyncio

from bot.commands.common import add_env, discord_id, load_settings, refuse_running
from bot.errors import GopsError
from bot.settings import Settings

NAME = "erase"
HELP = "erase all data of a person; their matches stay, with a former player in that seat"
EXAMPLE = "gops erase 80351110224678912"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("user", metavar="USER", type=discord_id, help="id of their Discord account")
    parser.add_argument("--yes", action="store_true", help="also resign their live matches")
    add_env(parser)


def run(args: argparse.Namespace) -> int:
    """Return 0 if the data is erased, 1 if nothing changed."""
    print(asyncio.run(_erase(load_settings(args), args.user, args.yes)))
    return 0


async def _erase(settings: Settings, user: int, resign: bool) -> str:
    from bot.process.base.clock import SystemClock, SystemEntropy
    from bot.referee.referee import Referee
    from data.cache import CachingStore

    refuse_running(settings)
    async with await CachingStore.open(settings.where, alone=True) as store:
        privacy = Referee(store, SystemClock(), SystemEntropy()).privacy
        live = (await privacy.preview_erase(user)).given_up
        if live and not resign:
            raise GopsError(f"this would resign live matches: {live}. Add --yes to do that")
        parted = await privacy.erase(user)
    matches = len(parted.matches) + len(parted.going)
    boards = "Boards of the last 30 days change when the bot runs."
    return f"Erased. Matches that stay, with a former player: {matches}. {boards}"
