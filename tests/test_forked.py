"""What the fork server starts: a process of its own, with the bot imported already and nothing else done."""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path

import pytest

from bot.referee.house.thinking import Worker
from tests import forked, thinkers


def test_it_has_the_bot_imported_already(tmp_path: Path) -> None:
    """Else every start costs a second of a processor, and nobody notices."""
    done = forked.done(("-m", "tests.loaded", "some", "words"), b"", folder=tmp_path)
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


async def test_a_worker_of_the_house_is_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the environment of who asks for it, and what it thinks with there already."""
    worker = Worker()
    try:
        for word in ("one", "another"):
            monkeypatch.setenv("TESTS_WORD", word)
            pid, told, modules = await worker.think(about_itself, "TESTS_WORD", 60.0)
            assert pid != os.getpid()
            assert told == word
            assert ("tests.thought" in modules) is thinkers.KNOWN
            worker.stop()
    finally:
        worker.stop()


def about_itself(name: str) -> tuple[int, str | None, list[str]]:
    return os.getpid(), os.environ.get(name), sorted(sys.modules)


async def test_a_fork_server_of_workers_that_is_gone_is_made_anew() -> None:
    """Who is killed while asking it for a worker takes it along."""
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(forked.thinkers())  # and goes without a word
    worker = Worker()
    try:
        pid, _, _ = await worker.think(about_itself, "HOME", 60.0)
        assert pid != os.getpid()
    finally:
        worker.stop()
