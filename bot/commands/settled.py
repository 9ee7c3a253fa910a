"""The settings that a command goes by: the environment's and those of the file that `--env` names."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from bot.errors import SettingsError
from bot.process.base.log import tell_operator
from bot.settings import Settings, load


def add_env(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--env", default=".env", metavar="FILE", help="the file with settings (.env)")


def settled(args: argparse.Namespace, name: str) -> Settings | None:
    """None where they do not hold: every problem has been told, and the command ends with `EXIT_SETUP`."""
    try:
        return load(os.environ, Path(args.env))
    except SettingsError as error:
        for problem in error.problems:
            tell_operator(error.log, name, problem)
        return None
