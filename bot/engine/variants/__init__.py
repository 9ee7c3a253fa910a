"""All games, one file each. A new game is a file in this folder and a line in `GAMES`."""

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
"""The game that is played if none is named."""


def find_game(key: str) -> Game:
    """Return the game of this key. A refusal suggests a similar key."""
    for game in GAMES:
        if game.key == key:
            return game
    raise unknown_game(key, {game.key: game.key for game in GAMES})


def _pickle_by_key(game: Game) -> tuple[Callable[[str], Game], tuple[str]]:
    """Send a game to another process by its key."""
    return find_game, (game.key,)


copyreg.pickle(Game, _pickle_by_key)


def unknown_game(typed: str, known: Mapping[str, str]) -> Unreadable:
    """Return a refusal that lists all games and suggests a similar one; `known` maps typed names to shown names."""
    x, all_games = typed[:40], "; ".join(dict.fromkeys(known.values()))
    near = get_close_matches(typed.lower(), list(known), n=1)
    if not near:
        return Unreadable("no-such-game", x=x, all=all_games)
    return Unreadable("unknown-game", x=x, y=known[near[0]], all=all_games)
