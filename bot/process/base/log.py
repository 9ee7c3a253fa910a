"""Logging: one line per event, as text (`console`) or JSON (`json`). No sealed card is ever logged."""

import json
import logging
import re
import sys
from datetime import UTC, datetime
from types import TracebackType
from typing import TextIO

QUIET_FOR = 60.0
"""seconds in which a line about a failing store is not repeated"""

TOKEN = re.compile(r"(/(?:webhooks|interactions)/\d+/)[^/\s]+")
"""the token of an interaction in the address of a call, which errors of aiohttp name"""


class LinesWithoutTokens(logging.StreamHandler[TextIO]):
    """Write lines without the tokens of interactions: with one, messages could be changed for a quarter of an hour."""

    def format(self, record: logging.LogRecord) -> str:
        return TOKEN.sub(r"\1...", super().format(record))


class JsonLines(logging.Formatter):
    """Format a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


class StoreErrorFilter(logging.Filter):
    """Shorten and limit records about a failing store: one line a minute for each place in the code, without traceback.

    Clocks, boards and heartbeats all meet a full or locked store every few seconds, and the store logs the cause."""

    def __init__(self, expected: tuple[type[Exception], ...]) -> None:
        """`expected` are the errors that the store logs itself."""
        super().__init__()
        self._expected = expected
        self._said: dict[tuple[str, int], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, self._expected):
            return True
        record.msg, record.args, record.exc_info = f"{record.getMessage()}: {error}", (), None
        line = record.name, record.lineno
        if record.created - self._said.get(line, 0.0) < QUIET_FOR:
            return False
        self._said[line] = record.created
        return True


def tell_operator(kind: str, command: str, sentence: str, level: str = "critical") -> None:
    """Write one line to standard error without logging: before `set_up`, or at the end of the process."""
    line = f"gops {command}: {sentence}"
    if kind == "json":
        line = JsonLines().format(logging.makeLogRecord({"name": "bot", "levelname": level, "msg": sentence}))
    sys.stderr.write(f"{line}\n")


def _log_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    logging.getLogger("bot").critical("the bot ends: %s", kind.__name__, exc_info=(kind, error, trace))


def set_up(kind: str, expected: tuple[type[Exception], ...] = ()) -> None:
    """Log to standard error, libraries from warnings up. `expected` errors get no traceback."""
    handler = LinesWithoutTokens(sys.stderr)
    if kind == "json":
        handler.setFormatter(JsonLines())
        sys.excepthook = _log_uncaught
    else:
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)-7s %(name)s  %(message)s", "%H:%M:%S"))
    handler.addFilter(StoreErrorFilter(expected))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for noisy in ("discord", "aiosqlite", "aiohttp"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    # asyncpg logs a traceback for each failed connection; the store logs that the server does not answer.
    logging.getLogger("asyncpg").setLevel(logging.ERROR)
