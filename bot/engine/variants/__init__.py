"""Every game, one file each. A new one is a file here and a line in `GAMES`."""

import copyreg
from collections.abc import Callable, Mapping
from difflib import get_close_matches

from bot.engine.refusals import Unreadable
from bot.engine.rules import Game
from bot.engine.variants import bid, classic, parlett, pico, psych, sops, throps, vultures, welsh

GAMES: list[Game] = [
    classic.GAME,
    parlett.GAME,
    throps.GAME,
    vultures.GAME,
    pico.GAME,
    psych.GAME,
    sops.GAME,
    bid.GAME,
    welsh.GAME,
]

DEFAULT = classic.GAME
"""what is played where nobody names a game"""


def find(key: str) -> Game:
    """The game of this key; a refusal names what comes nearest."""
    for game in GAMES:
        if game.key == key:
            return game
    raise unknown_game(key, {game.key: game.key for game in GAMES})


def _pickle_by_key(game: Game) -> tuple[Callable[[str], Game], tuple[str]]:
    """Send a game to another process by its key."""
    return find, (game.key,)


copyreg.pickle(Game, _pickle_by_key)


def unknown_game(typed: str, known: Mapping[str, str]) -> Unreadable:
    """Return a refusal that names the nearest game and lists all; `known` has a key for each name."""
    near = get_close_matches(typed.lower(), list(known), n=1, cutoff=0.0)[0]
    return Unreadable("unknown-game", x=typed[:40], y=known[near], all=", ".join(dict.fromkeys(known.values())))
