"""`gops referee`: compute the results of one record, or of one record per line."""

import argparse
import json
from typing import Any, cast

from bot.commands.common import CommandError, read_text
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
    text = read_text(args.file)
    document = _parse(text)
    if not isinstance(document, ValueError):
        return _print_one(document, args.prefix, args.text)
    # Only a line feed ends a line: splitlines knows separators that may stand inside a JSON string.
    parsed = [_parse(line) for line in text.split("\n") if line.strip()]
    if all(isinstance(line, ValueError) for line in parsed):
        raise CommandError(document)
    are_printed = [_print_line(line, args.prefix, args.text) for line in parsed]
    return 0 if all(are_printed) else 2


def _print_one(document: dict[str, Any], prefix: bool, text: bool) -> int:
    """Print the result of a single record. Raises `RecordError`, or `CommandError` for a broken one."""
    played = replay(read_record(document))
    if played.error is None or prefix:
        print(_format(played, text))
    if played.error is not None:
        raise CommandError(played.error)
    return 0


def _print_line(document: dict[str, Any] | ValueError, prefix: bool, text: bool) -> bool:
    """Print the result of one record of many, or its error, as a line. Return False for an error."""
    try:
        if isinstance(document, ValueError):
            raise document
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


def _parse(text: str) -> dict[str, Any] | ValueError:
    """Return a parsed JSON object, or the problem with it."""
    try:
        document: object = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        return ValueError(f"line {error.lineno}, column {error.colno}: not JSON: {error.msg}")
    except RecursionError:
        return ValueError("not JSON that can be read: nested too deeply")
    except ValueError as error:
        return ValueError(f"not JSON that can be read: {error}")
    if isinstance(document, dict):
        return cast("dict[str, Any]", document)
    return ValueError("a record is an object in braces")


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a number of JSON")
