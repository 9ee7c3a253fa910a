"""`gops erase`: erase a person's data, as `/gops privacy delete` does."""

import argparse
import asyncio
import sys

from bot.commands.common import add_env, discord_id, load_settings
from bot.errors import GopsError
from bot.settings import EXIT_SETUP, Settings

NAME = "erase"
HELP = "erase all data of a person; their matches stay, with a former player in that seat"
EXAMPLE = "gops erase 80351110224678912"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("user", metavar="USER", type=discord_id, help="id of their Discord account")
    parser.add_argument("--yes", action="store_true", help="also resign their live matches")
    add_env(parser)


def run(args: argparse.Namespace) -> int:
    """Return 0 if the data is erased, 1 if nothing changed."""
    settings = load_settings(args, NAME)
    if settings is None:
        return EXIT_SETUP
    try:
        print(asyncio.run(_erase(settings, args.user, args.yes)))
    except (GopsError, OSError) as error:
        print(f"gops erase: {error}", file=sys.stderr)
        return 1
    return 0


async def _erase(settings: Settings, user: int, resign: bool) -> str:
    from bot.operate.restore import refuse_in_use
    from bot.process.base.clock import SystemClock, SystemEntropy
    from bot.referee.referee import Referee
    from data.cache import CachingStore

    if not settings.server and not settings.database.exists():
        raise FileNotFoundError(f"there is no database {settings.database}")
    if not settings.server:
        refuse_in_use(settings.database)
    async with await CachingStore.open(settings.where, alone=True) as store:
        privacy = Referee(store, SystemClock(), SystemEntropy()).privacy
        live = (await privacy.preview_erase(user)).given_up
        if live and not resign:
            raise GopsError(f"they are in {live} live matches, which would be resigned: add --yes to do that")
        parted = await privacy.erase(user)
    matches = len(parted.matches) + len(parted.going)
    boards = "Boards of the last 30 days show it once the bot runs."
    return f"Erased. {matches} matches stay, with a former player in that seat. {boards}"
