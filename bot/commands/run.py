"""`gops run`: run the bot on Discord."""

import argparse
import os
from functools import partial
from pathlib import Path

from bot.commands.common import add_env, load_settings
from bot.errors import GopsError
from bot.process.base import event_loop, log
from bot.referee.model.changes import CommitUnknown, StoreBusy, StoreReadOnly
from bot.settings import EXIT_SETUP, database_source, is_open_to_others, load

NAME = "run"
HELP = "run the bot with the settings from the environment and .env"
EXAMPLE = "gops run"

OVERRULED = (
    "GOPS_DATABASE in the environment overrules GOPS_DATABASE in {env}, which names another database: name it"
    " in one place"
)

EMPTY = (
    "DISCORD_TOKEN is not set. Make an application at https://discord.com/developers/applications,"
    " copy its bot token into .env (see .env.example), and run again. To try everything without a token: make play"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_env(parser)
    parser.add_argument(
        "--until-stdin-ends",
        action="store_true",
        help="also stop at the end of standard input",
    )


def run(args: argparse.Namespace) -> int:
    from bot import app

    settings = load_settings(args)
    say = partial(log.tell_operator, settings.log, NAME)
    if is_open_to_others(Path(args.env)):
        say(f"{args.env} holds the token, and others can read it: chmod 600 {args.env}", "warning")
    if database_source(os.environ, Path(args.env)).overrules:
        say(OVERRULED.format(env=args.env), "warning")
    if not settings.token:
        say(EMPTY)
        return EXIT_SETUP
    log.set_up(settings.log, (StoreBusy, StoreReadOnly, CommitUnknown))
    try:
        reload = partial(load, os.environ, Path(args.env))
        return event_loop.run(app.serve(settings, args.until_stdin_ends, reload))
    except (GopsError, StoreReadOnly) as error:
        say(str(error))
        return EXIT_SETUP
    except StoreBusy as error:  # the database server may not be up yet: a supervisor retries
        say(str(error))
        return app.EXIT_TROUBLE
