"""A toy game for tests: the whole of it is this file and one line in the registry."""

from bot.engine.auction.auction import Auction
from bot.engine.guide import Guide, Note
from bot.engine.options import Options, Switch
from bot.engine.rules import Game, Rules


def build(game: Game, seats: int, options: Options) -> Rules:
    suit = (1, 2, 3)
    return Auction(game, seats, options, hand=suit, prizes=suit, ties="split" if options["kind"] else "discard")


GAME = Game(
    key="toy",
    name="Toy",
    title="Three cards, for tests",
    seats=(2, 4),
    sections=("0.0",),
    options=(Switch("kind", "Share tied prizes"),),
    build=build,
    guide=Guide("Three cards.", "Seal one.", "Nobody gets it.", "Most points.", "3 beats 2."),
    notes=(Note("kind", True, "ties", "It is shared.", True),),
    tips=("Keep the 3 for the 3.",),
)
