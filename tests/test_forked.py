"""What the fork server starts: a process of its own, with the bot imported already and nothing else done."""

from __future__ import annotations

import json
import os
from pathlib import Path

from tests import forked


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
        "cogs.tree",
        "data.store",
        "discord",
        "aiohttp.web",
    }
    assert needed <= set(modules)
    assert not {"bot.__main__", "jsonschema", "numpy", "numba", "pytest"} & set(modules)
