"""`gops doctor`: check everything that the bot needs."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bot.commands.common import add_env

if TYPE_CHECKING:
    from bot.operate.doctor.report import Diagnosis, DoctorCheck, DoctorContext

NAME = "doctor"
HELP = "check everything that the bot needs, and say how to repair what is wrong"
EXAMPLE = "gops doctor --run permissions"

MARKS = {"well": "ok", "warning": "warning", "trouble": "TROUBLE", "unknown": "unknown"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--list", action="store_true", help="list the checks")
    parser.add_argument("--run", action="append", default=[], metavar="NAME", dest="only", help="run this check only")
    parser.add_argument("--json", action="store_true", help="print one JSON object, for programs")
    parser.add_argument("--fix", action="store_true", help="repair what needs no decision, and check again")
    add_env(parser)


def run(args: argparse.Namespace) -> int:
    """Return 0 if nothing keeps the bot from working, 1 if something does or could not be checked."""
    from bot.commands.sync import payload
    from bot.operate.doctor import run_all

    if args.list:
        for one in run_all.CHECKS:
            print(f"{one.name:12} {one.about}{' (--fix)' if one.fix else ''}")
        return 0
    known = {one.name: one for one in run_all.CHECKS}
    strange = [name for name in args.only if name not in known]
    if strange:
        print(f"gops doctor: there is no check {strange[0]}; `gops doctor --list` lists them", file=sys.stderr)
        return 2
    context = run_all.read_context(os.environ, Path(args.env), payload)
    chosen = [one for one in run_all.CHECKS if not args.only or one.name in args.only]
    if args.fix:
        _fix(chosen, context)
    return asyncio.run(_run_checks(chosen, context, args.json))


def _fix(chosen: list[DoctorCheck], context: DoctorContext) -> None:
    for one in chosen:
        if one.fix is not None and context.read is not None:
            for done in one.fix(context):
                print(f"gops doctor: {done}", file=sys.stderr)


async def _run_checks(chosen: list[DoctorCheck], context: DoctorContext, as_json: bool) -> int:
    from bot.operate.doctor import run_all

    told: list[tuple[str, Diagnosis]] = []
    for one in chosen:
        for diagnosis in await run_all.run_check(one, context):
            told.append((one.name, diagnosis))
            if not as_json:
                print(_hide_token(_format(one.name, diagnosis), context), flush=True)
    if as_json:
        found = [{"name": name, "severity": one.severity.value, "said": one.said, "do": one.do} for name, one in told]
        print(_hide_token(json.dumps({"found": found}, indent=2, ensure_ascii=False), context))
    return int(any(one.severity.value in ("trouble", "unknown") for _, one in told))


def _format(name: str, one: Diagnosis) -> str:
    line = f"{MARKS[one.severity.value]:8} {name}: {one.said}"
    return f"{line}\n         → {one.do}" if one.do else line


def _hide_token(text: str, context: DoctorContext) -> str:
    """Remove the token from a text, because an error may contain it."""
    token = context.environment.get("DISCORD_TOKEN") or (context.read.token if context.read is not None else "")
    return text.replace(token, "…") if len(token) > 3 else text
