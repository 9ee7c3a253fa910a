"""Every game, one file each. A new one is a file here and a line in `GAMES`."""

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
    keys = [game.key for game in GAMES]
    near = get_close_matches(key.lower(), keys, n=1, cutoff=0.0)
    raise Unreadable("unknown-game", x=key[:40], y=near[0] if near else keys[0], all=", ".join(keys))
