"""`gops referee`: compute the results of one record, or of one record per line."""

import argparse
import json
from typing import Any, cast

from bot.commands.common import print_problem, read_text
from bot.engine.record.record import RecordError, read_record
from bot.engine.record.replay import Replay, replay
from bot.engine.record.result import result_data
from bot.engine.record.transcript import transcript

NAME = "referee"
HELP = "compute the result of a game record"
EXAMPLE = "gops referee match.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a record, or one record per line; - reads standard input")
    parser.add_argument("--prefix", action="store_true", help="also print the result so far of a broken record")
    parser.add_argument("--text", action="store_true", help="print the match in words instead of JSON")


def run(args: argparse.Namespace) -> int:
    text, problem = read_text(args.file)
    if problem:
        return print_problem(problem, NAME)
    document, problem = _parse(text)
    if document is not None:
        return _print_one(document, args.prefix, args.text)
    # Only a line feed ends a line: splitlines knows separators that may stand inside a JSON string.
    lines = [line for line in text.split("\n") if line.strip()]
    parsed = [_parse(line) for line in lines]
    if not any(document is not None for document, _ in parsed):
        return print_problem(problem, NAME)
    failed = False
    for document, problem in parsed:
        failed = not _print_line(document, problem, args.prefix, args.text) or failed
    return 2 if failed else 0


def _print_one(document: dict[str, Any], prefix: bool, text: bool) -> int:
    """Print the result of a single record, or one line about its error. Return the exit code."""
    try:
        played = replay(read_record(document))
    except RecordError as error:
        return print_problem(str(error), NAME)
    if played.error is None or prefix:
        print(_format(played, text))
    return 0 if played.error is None else print_problem(str(played.error), NAME)


def _print_line(document: dict[str, Any] | None, problem: str, prefix: bool, text: bool) -> bool:
    """Print the result of one record of many, or its error, as a line. Return False for an error."""
    try:
        if document is None:
            raise ValueError(problem)
        played = replay(read_record(document))
    except (RecordError, ValueError) as error:
        print(json.dumps({"error": str(error)}, ensure_ascii=False))
        return False
    if played.error is None:
        print(_format(played, text))
        return True
    so_far = result_data(played.match) if prefix else {}
    print(json.dumps({"error": str(played.error), **so_far}, ensure_ascii=False))
    return False


def _format(played: Replay, text: bool) -> str:
    return transcript(played.match) if text else json.dumps(result_data(played.match), ensure_ascii=False)


def _parse(text: str) -> tuple[dict[str, Any] | None, str]:
    """Return a parsed JSON object, or None and the problem."""
    try:
        document: object = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        return None, f"line {error.lineno}, column {error.colno}: not JSON: {error.msg}"
    except RecursionError:
        return None, "not JSON that can be read: nested too deeply"
    except ValueError as error:
        return None, f"not JSON that can be read: {error}"
    if isinstance(document, dict):
        return cast("dict[str, Any]", document), ""
    return None, "a record is an object in braces"


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a number of JSON")
