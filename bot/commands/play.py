"""`gops play`: a stand-in for Discord in a browser, or a match in the terminal."""

import argparse
import asyncio
import random
import shutil
import sys
import textwrap
from pathlib import Path

from bot.engine.match import new_match
from bot.engine.refusals import RuleError
from bot.engine.text.presets import find_offer, list_offers

NAME = "play"
HELP = "try the bot in a browser, without Discord; or play in the terminal"
HOME = "/gops help"
"""command that an empty channel of the page suggests"""
EXAMPLE = "gops play --terminal --game vultures --seats 3"

_LETTERS = str.maketrans("♣♦♥♠−", "CDHS-")
"""letters for symbols that a terminal cannot show"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    page = parser.add_argument_group("in a browser (no account, no token, no network)")
    page.add_argument("--port", type=_port, metavar="N", help="port of the page (8765, or any free port)")
    page.add_argument("--no-browser", action="store_true", help="print the address, and open no browser")
    page.add_argument(
        "--data", type=Path, metavar="FOLDER", help="keep the database in this folder (default: keep nothing)"
    )
    page.add_argument(
        "--processes",
        type=_processes,
        default=1,
        metavar="N",
        help="share the work among processes (PostgreSQL)",
    )
    table = parser.add_argument_group("in the terminal, against the house")
    table.add_argument("--terminal", action="store_true", help="play a match in this terminal")
    names = ", ".join(offer.key for offer in list_offers())
    table.add_argument("--game", metavar="NAME", help=f"one of {names}")
    table.add_argument("--seats", type=int, metavar="N", help="seats at the table, yours included")
    table.add_argument("--seed", type=int, metavar="N", help="deal the same cards again")


def run(args: argparse.Namespace) -> int:
    if args.terminal:
        return _in_terminal(args)
    if (args.game, args.seats, args.seed) != (None, None, None):
        print("gops play: --game, --seats and --seed go with --terminal", file=sys.stderr)
        return 2
    if args.processes > 1 and args.data is not None:
        print("gops play: --data keeps the file of one process; it does not go with --processes", file=sys.stderr)
        return 2
    return _in_browser(args)


def _in_browser(args: argparse.Namespace) -> int:
    from bot.playground import local, postgres  # imported late: the terminal needs no server
    from bot.referee import verify

    papers = {"verify.html": Path(verify.__file__).with_name("verify.html")}
    options = local.Options(args.port, args.data, not args.no_browser, args.processes)
    try:
        asyncio.run(local.perform(options, _say, papers, HOME))
    except postgres.NoServer as error:
        print(f"gops play: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        print(f"gops play: {named}{error.strerror or error}", file=sys.stderr)
        return 1
    return 0


def _in_terminal(args: argparse.Namespace) -> int:
    from bot.commands.play_terminal import PlayerQuit, TerminalMatch

    try:
        game, offer = find_offer(_offer_key(args.game or "classic"))
        seats = (offer.seats or game.seats[0]) if args.seats is None else args.seats
        match = new_match(game, seats, offer.options)
    except RuleError as refusal:
        print(f"gops play: {refusal}", file=sys.stderr)
        return 2
    try:
        TerminalMatch(match, input, _say_wrapped, random.Random(args.seed)).play()
    except (PlayerQuit, EOFError, KeyboardInterrupt):
        print("\nGoodbye.")
    return 0


def _say_wrapped(text: str) -> None:
    """Print a text whose lines are broken between words, at the width of the terminal.

    A terminal that cannot show suits gets their letters, which can be typed.
    """
    width = shutil.get_terminal_size().columns
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        text = text.translate(_LETTERS)
    for line in text.split("\n"):
        _say(textwrap.fill(line, width, break_on_hyphens=False))


def _offer_key(typed: str) -> str:
    """Return the key of the game that is named by its key or its name."""
    wanted = typed.strip().lower()
    return next((offer.key for offer in list_offers() if offer.name.lower() == wanted), wanted)


def _say(line: str) -> None:
    print(line, flush=True)


def _port(text: str) -> int:
    number = int(text) if text.isdecimal() else -1
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return number


def _processes(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if not 1 <= number <= 8:
        raise argparse.ArgumentTypeError("the number of processes is from 1 to 8")
    return number
