"""`gops referee`: results from records, one record or one a line."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, cast

from bot.engine.record.record import RecordError, read_record
from bot.engine.record.replay import Replay, replay
from bot.engine.record.result import result_data
from bot.engine.record.transcript import transcript

NAME = "referee"
HELP = "work out the result of a game record"
EXAMPLE = "gops referee match.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a record, or one record a line; - reads standard input")
    parser.add_argument("--prefix", action="store_true", help="print the result so far of a broken record too")
    parser.add_argument("--text", action="store_true", help="tell the match in words instead of JSON")


def run(args: argparse.Namespace) -> int:
    text, problem = read_text(args.file)
    if problem:
        return print_problem(problem)
    document, problem = _parse(text)
    if document is not None:
        return _print_one(document, args.prefix, args.text)
    # Only a line feed ends a line: splitlines knows separators that may stand inside a JSON string.
    lines = [line for line in text.split("\n") if line.strip()]
    parsed = [_parse(line) for line in lines]
    if not any(document is not None for document, _ in parsed):
        return print_problem(problem)
    failed = False
    for document, problem in parsed:
        failed = not _print_line(document, problem, args.prefix, args.text) or failed
    return 2 if failed else 0


def _print_one(document: dict[str, Any], prefix: bool, text: bool) -> int:
    """One record: its result, or one line about what is wrong with it."""
    try:
        played = replay(read_record(document))
    except RecordError as error:
        return print_problem(str(error))
    if played.error is None or prefix:
        print(_format(played, text))
    return 0 if played.error is None else print_problem(str(played.error))


def _print_line(document: dict[str, Any] | None, problem: str, prefix: bool, text: bool) -> bool:
    """One record of many: a result line, or an error in its place."""
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


def read_text(name: str) -> tuple[str, str]:
    """The text of a file, and what was wrong with it."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return data.decode("utf-8-sig"), ""
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        return "", f"{name}: {reason}"


def _parse(text: str) -> tuple[dict[str, Any] | None, str]:
    """A parsed JSON object, or None and why it is none."""
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


def print_problem(reason: str, command: str = NAME) -> int:
    """One line on standard error, and exit 2."""
    print(f"gops {command}: {' '.join(reason.split())}", file=sys.stderr)
    return 2
