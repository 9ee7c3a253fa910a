"""`gops verify`: check an exported record, also against what a player noted."""

import argparse
import sys
from collections.abc import Callable

from bot.commands.common import CommandError, read_text
from bot.referee.verify.check import verify_text
from bot.referee.verify.findings import Claims, read_digits, read_message

NAME = "verify"
HELP = "check the deal, the seals and the rules of an exported record"
EXAMPLE = 'gops verify K7Q2.json --record "77c0 3f9a 11d2 5e08"'

PLAIN = {"✔": "ok", "✘": "WRONG", "·": "-", "–": "-"}
"""replacements for a terminal that cannot show the marks"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="an exported record; - reads standard input")
    group = parser.add_argument_group("what you noted in Discord")
    group.add_argument("--record", metavar="HEX", type=_typed(read_digits), help="digits of the record in the result")
    group.add_argument("--opening", metavar="HEX", type=_typed(read_digits), help="digits under the challenge")
    group.add_argument(
        "--message", metavar="ID-OR-LINK", type=_typed(read_message), help="the message that showed them"
    )


def _typed(read: Callable[[str], str]) -> Callable[[str], str]:
    def typed(text: str) -> str:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return typed


def run(args: argparse.Namespace) -> int:
    """Return 0 if everything holds, 1 if something does not, 2 if unreadable, 3 if something cannot be shown."""
    text = read_text(args.file)
    known = Claims(args.record or "", args.opening or "", args.message or "")
    try:
        report = verify_text(text, known)
    except RecursionError as error:
        raise CommandError("not JSON that can be read: nested too deeply") from error
    except ValueError as error:
        raise CommandError(f"not a record that can be read: {error}") from error
    for finding in report.findings:
        _say(finding.line)
    return report.code


def _say(line: str) -> None:
    """Print a line with marks that the terminal can show."""
    try:
        line.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        for mark, plain in PLAIN.items():
            line = line.replace(mark, plain)
    sys.stdout.write(f"{line}\n")
