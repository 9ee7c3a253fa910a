"""Processes of the fork server: each is separate, with the bot imported and nothing else done."""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path

import pytest

from bot.referee.house.thinking import Worker
from tests import forked, thinkers


def test_forked_process_has_the_bot_imported(tmp_path: Path) -> None:
    """Without that, every start costs a second of CPU, unnoticed."""
    done = forked.done(("-m", "tests.describe_process", "some", "words"), b"", folder=tmp_path)
    assert done.returncode == 3, done.stderr
    pid, folder, arguments, modules = json.loads(done.stdout)
    assert pid != os.getpid()
    assert (folder, arguments) == (str(tmp_path), ["some", "words"])
    needed = {
        "bot.app",
        "bot.commands.run",
        "bot.playground.server",
        "bot.command_tree",
        "data.store",
        "discord",
        "aiohttp.web",
    }
    assert needed <= set(modules)
    assert not {"bot.__main__", "jsonschema", "numpy", "numba", "pytest"} & set(modules)


async def test_worker_of_the_house_is_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker has the environment of the bot, and its libraries are loaded."""
    worker = Worker()
    try:
        for word in ("one", "another"):
            monkeypatch.setenv("TESTS_WORD", word)
            pid, told, modules = await worker.think(about_itself, "TESTS_WORD", 60.0)
            assert pid != os.getpid()
            assert told == word
            assert ("tests.worker_libraries" in modules) is thinkers.KNOWN
            worker.stop()
    finally:
        worker.stop()


def about_itself(name: str) -> tuple[int, str | None, list[str]]:
    return os.getpid(), os.environ.get(name), sorted(sys.modules)


async def test_lost_fork_server_of_workers_is_started_again() -> None:
    """A process killed during its request for a worker takes the fork server along."""
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(forked.thinkers())  # and goes without a word
    worker = Worker()
    try:
        pid, _, _ = await worker.think(about_itself, "HOME", 60.0)
        assert pid != os.getpid()
    finally:
        worker.stop()
