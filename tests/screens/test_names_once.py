"""Boards, consoles and results state a name only where it is needed, in every recorded match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.screens.recorder import FOLDER

MATCHES = sorted(path for path in FOLDER.glob("*-[2-8].txt"))

NAME = re.compile("\u2068(.+?)\u2069")

STORY = re.compile(r"(Round|Trick|Deal|Series) |.*(takes?|wins?|beats?) .*|.*(can win|can catch up|offers a draw).*")
"""lines that tell what happened, or something that is not always so"""


def screens(recorded: str) -> Iterator[list[str]]:
    """The lines of each board, console and result that is written out, without those that tell what happened
    and the small print."""
    for message in re.split(r"^== .*\n(?:@ all\n)?|^# .*\n|^@ .*\n|^-- .*\n", recorded, flags=re.MULTILINE):
        if re.search(r"^  row .*:bd:", message, re.MULTILINE) and (title := re.search(r"\| ### ([^#].*)", message)):
            told = [title[1], *re.findall(r"^  \| (.*)", message, re.MULTILINE)]
            yield [
                told[0],
                *(line for line in told[1:] if not line.startswith(("###", "-#")) and not STORY.match(line)),
            ]


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_no_name_is_stated_twice_without_need(path: Path) -> None:
    """A match of two names both in its title; one of more names each player in the line of scores, and who is awaited.
    Nobody is named where all are awaited."""
    [_, seats] = path.stem.rsplit("-", 1)
    found = list(screens(path.read_text(encoding="utf-8")))
    assert len(found) > 3
    everybody = {name for told in found for line in told for name in NAME.findall(line)}
    for told in found:
        named = [NAME.findall(line) for line in told]
        assert all(len(set(names)) == len(names) for names in named), told
        waiting = [names for line, names in zip(told, named, strict=True) if line.startswith("Waiting")]
        assert all(set(names) < everybody for names in waiting), told
        most = 3 if seats == "2" else 2
        assert all(sum(name in names for names in named) <= most for name in everybody), told
        if seats != "2" and re.search(r"(round|trick) \d", told[0]):
            assert named[0] == [], told
