"""`gops erase`: erase a person's data, as `/gops privacy delete` does."""

import argparse
import asyncio

from bot.commands.common import PATIENCE, add_env, discord_id, load_settings, refuse_running
from bot.errors import GopsError, JobsWaiting
from bot.settings import Settings

NAME = "erase"
HELP = "erase all data of a person; their matches stay, with a former player in that seat"
EXAMPLE = "gops erase 80351110224678912"


LEFT = {
    "leave": "nothing is erased yet, so run the command again later",
    "forget": "their data is erased, but some boards still show the name",
}
"""what is left to do after `PATIENCE`"""


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
    async with await CachingStore.open_beside(settings.where, alone=True) as store:
        referee = Referee(store, SystemClock(), SystemEntropy())
        referee.repository.jobs.patience = PATIENCE
        live = (await referee.privacy.preview_erase(user)).given_up
        if live and not resign:
            raise GopsError(f"this would resign live matches: {live}. Add --yes to do that")
        try:
            parted = await referee.privacy.erase(user)
        except JobsWaiting as waiting:
            raise GopsError(f"{LEFT[waiting.work.split()[0]]}: {waiting}") from None
        boards = "now" if store.is_shared else "when the bot runs"
    matches = len(parted.matches) + len(parted.going)
    return f"Erased. Matches that stay, with a former player: {matches}. Boards of the last 30 days change {boards}."
