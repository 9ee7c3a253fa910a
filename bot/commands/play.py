"""`gops play`: a match here and now, against the house."""

import argparse
import random
import sys

from bot.engine.match import new_match
from bot.engine.presets import find_offer, offers
from bot.engine.refusals import Refusal
from bot.terminal import Leave, Table

NAME = "play"
HELP = "play a match in the terminal against the house"
EXAMPLE = "gops play --game vultures --seats 3"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--terminal", action="store_true", help="play in the terminal (the default so far)")
    names = ", ".join(offer.key for offer in offers())
    parser.add_argument("--game", default="classic", metavar="NAME", help=f"one of {names}")
    parser.add_argument("--seats", type=int, metavar="N", help="seats at the table, yours included")
    parser.add_argument("--seed", type=int, metavar="N", help="deal the same cards again")


def run(args: argparse.Namespace) -> int:
    try:
        game, offer = find_offer(args.game)
        match = new_match(game, args.seats or offer.seats or game.seats[0], offer.options)
    except Refusal as refusal:
        print(f"gops play: {refusal}", file=sys.stderr)
        return 2
    try:
        Table(match, input, print, random.Random(args.seed)).play()
    except (Leave, EOFError, KeyboardInterrupt):
        print("\nGoodbye.")
    return 0
