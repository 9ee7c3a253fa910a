"""Logs: JSON lines for machines, and few lines while the store is in trouble."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from bot.process.base.log import QUIET_FOR, JsonLines, LinesWithoutTokens, StoreErrorFilter
from bot.referee.model.changes import CommitUnknown, StoreReadOnly

Log = tuple[logging.Logger, io.StringIO]


@pytest.fixture
def log() -> Iterator[Log]:
    """One that is written as `gops run` writes it."""
    written = io.StringIO()
    handler = LinesWithoutTokens(written)
    handler.setFormatter(JsonLines())
    handler.addFilter(StoreErrorFilter((StoreReadOnly, CommitUnknown)))
    logger = logging.getLogger("tests.log")
    logger.addHandler(handler)
    yield logger, written
    logger.removeHandler(handler)


def lines(written: io.StringIO) -> list[dict[str, str]]:
    return [json.loads(line) for line in written.getvalue().splitlines()]


def fail(logger: logging.Logger, error: Exception) -> None:
    try:
        raise error
    except Exception:
        logger.exception("the heartbeat of %s could not be written", "this bot")


def test_token_of_a_failed_call_is_not_logged(log: Log) -> None:
    logger, written = log
    fail(
        logger, OSError("Can not write request body for https://discord.com/api/v10/webhooks/42/aW50ZXI.x-_y/messages")
    )
    assert "aW50ZXI" not in written.getvalue()
    (line,) = lines(written)
    assert "/webhooks/42/.../messages" in line["exception"]


def test_store_trouble_is_logged_once_without_a_traceback(log: Log) -> None:
    logger, written = log
    for _ in range(3):
        fail(logger, StoreReadOnly("the disk is full"))
    (line,) = lines(written)
    assert line["message"] == "the heartbeat of this bot could not be written: the disk is full"
    assert "exception" not in line


def test_unknown_commit_is_logged_without_a_traceback(log: Log) -> None:
    logger, written = log
    fail(logger, CommitUnknown("the connection was lost"))
    (line,) = lines(written)
    assert "exception" not in line


def test_store_trouble_is_logged_again_after_a_minute() -> None:
    calm, error = StoreErrorFilter((StoreReadOnly,)), StoreReadOnly("the disk is full")

    def passes(seconds: float) -> bool:
        record = logging.makeLogRecord({"created": 1000.0 + seconds, "exc_info": (type(error), error, None)})
        return bool(calm.filter(record))

    assert [passes(seconds) for seconds in (0, 3, QUIET_FOR - 1, QUIET_FOR, QUIET_FOR + 3)] == [
        True,
        False,
        False,
        True,
        False,
    ]


def test_other_failures_keep_their_traceback(log: Log) -> None:
    logger, written = log
    for _ in range(2):
        fail(logger, ZeroDivisionError("by zero"))
    assert ["ZeroDivisionError: by zero" in line["exception"] for line in lines(written)] == [True, True]
