"""`python -m bot COMMAND`, installed as `gops`."""

import argparse
import os
import sys
from collections.abc import Sequence
from functools import cache
from typing import NoReturn

from bot.commands import backup, doctor, erase, leave, move, people, play, ratings, referee, restore, run, sync, verify
from bot.commands.common import CommandError
from bot.commands.solver import house, solve, tables
from bot.engine.record.record import RecordError
from bot.errors import GopsError, SettingsError
from bot.process.base.log import tell_operator
from bot.process.base.version import own_version
from bot.referee.model.changes import Conflict, StoreBusy, StoreReadOnly
from bot.settings import EXIT_SETUP
from bot.solver.exact.position import PositionError

COMMANDS = (
    run,
    play,
    sync,
    referee,
    verify,
    solve,
    tables,
    house,
    backup,
    restore,
    move,
    doctor,
    erase,
    leave,
    ratings,
    people,
)


class _Parser(argparse.ArgumentParser):
    """A parser that reports bad usage in one line and exits with 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def build_parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="gops", description="A referee for GOPS and its relatives.")
    parser.add_argument("--version", action="version", version=f"gops {own_version()}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
    for command in COMMANDS:
        sub = commands.add_parser(
            command.NAME, help=command.HELP, description=f"{command.HELP[:1].upper()}{command.HELP[1:]}."
        )
        sub.epilog = f"example: {command.EXAMPLE}"
        command.add_arguments(sub)
        sub.set_defaults(run=command.run, command=command.NAME)
    return parser


_parser = cache(build_parser)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Return its exit code: for an expected error 2, 1 or `EXIT_SETUP`."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)  # a test may replace it by an object without it
    if reconfigure is not None:  # a terminal may lack a character: escape it, and lose no output
        reconfigure(errors="backslashreplace")
    args = _parser().parse_args(arguments)
    try:
        return args.run(args)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of the output is gone: let the flush at exit write to nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except SettingsError as error:
        for problem in error.problems:
            tell_operator(error.log, args.command, problem)
        return EXIT_SETUP
    except (CommandError, RecordError, PositionError) as error:
        print(f"gops {args.command}: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except (GopsError, Conflict, StoreBusy, StoreReadOnly) as error:
        print(f"gops {args.command}: {str(error) or type(error).__name__}", file=sys.stderr)
        return 1
    except Exception as error:  # an unexpected error is one line and exit code 1
        print(f"gops: something went wrong: {type(error).__name__}: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
