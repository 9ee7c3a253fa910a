"""A notification shows the text of a message in a channel as it is written, so it has no mark of small print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.screens.recorder import FOLDER


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_no_plain_message_has_small_print(path: Path) -> None:
    recorded = path.read_text(encoding="utf-8")
    for written in re.findall(r"^message\n((?:\| .*\n)+)|^-- push (.*)", recorded, re.MULTILINE):
        assert "-# " not in "".join(written)
