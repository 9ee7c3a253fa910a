"""Every command that a log line, a sentence or a document names exists, with its options."""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.__main__ import build_parser
from tests.conftest import ROOT

PAPERS = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "deploy").iterdir(),
        *(ROOT / name for name in ("Dockerfile", ".env.example", "Makefile", ".ci/run")),
        *(ROOT / "tests").rglob("README.md"),
    ]
)
SOURCES = [path for room in ("bot", "cogs", "data") for path in sorted((ROOT / room).rglob("*.py"))]

GOPS = re.compile(r"(?:(?<![/\w#@-])|(?<=/bin/))(?<!-u )(?:gops|(?<=python -m )bot) (?P<rest>[a-z][^`\n]*)")
"""a command as people type it; `/gops challenge` is Discord's"""

MAKE = re.compile(r"(?<![\w-])make (?P<rest>(?:[A-Z]+=[^\s\"]+ )*[a-z][\w-]*)")
QUOTED = re.compile(rf"(?<=`){MAKE.pattern}")
"""in a sentence of English to make is a word like any other"""

HASHED = re.compile(r"^\w+ \d\|")
"""`gops open 2|` begins what is hashed, and is no command"""


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Each command with its own parser."""
    for action in build_parser()._actions:  # pyright: ignore[reportPrivateUsage]
        if isinstance(action, argparse._SubParsersAction):  # pyright: ignore[reportPrivateUsage]
            return dict(action.choices)  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
    raise AssertionError("there are no commands")


def options_of(parser: argparse.ArgumentParser) -> set[str]:
    """Its own, and those of what stands below it."""
    found: set[str] = set()
    for action in parser._actions:  # pyright: ignore[reportPrivateUsage]
        found |= set(action.option_strings)
        if isinstance(action, argparse._SubParsersAction):  # pyright: ignore[reportPrivateUsage]
            below: list[argparse.ArgumentParser] = list(action.choices.values())  # pyright: ignore
            found = found.union(*map(options_of, below))
    return found


KNOWN = parsers()
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def wrong(text: str, make: re.Pattern[str] = MAKE) -> list[str]:
    """Return the commands and options that a text names and that do not exist."""
    found: list[str] = []
    for match in GOPS.finditer(text):
        rest = match["rest"]
        if HASHED.match(rest):
            continue
        name = re.match(r"[a-z]+", rest)
        assert name is not None
        if name[0] not in KNOWN:
            found.append(match[0])
            continue
        options = options_of(KNOWN[name[0]])
        command = re.split(r"[`;|&)\"'→]| #|  ", rest)[0]
        found += [f"{name[0]} {one}" for one in re.findall(r"(?<!\S)--[a-z-]+", command) if one not in options]
    for match in make.finditer(text):
        target = match["rest"].split()[-1]
        if target not in TARGETS:
            found.append(match[0])
    return found


def typed(path: Path) -> Iterator[str]:
    """Yield the parts of a document that a reader would type: text between backticks, and lines of code."""
    fenced = False
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    ") or path.suffix != ".md":
            yield line
        else:
            yield from re.findall(r"`([^`]+)`", line)


def spoken(path: Path) -> Iterator[str]:
    """Yield every text of a module: sentences, log lines and docstrings."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.parametrize("path", PAPERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_documents_name_existing_commands(path: Path) -> None:
    assert [one for text in typed(path) for one in wrong(text)] == []


def test_sentences_and_log_lines_name_existing_commands() -> None:
    said = [(path, text) for path in SOURCES for text in spoken(path)]
    found = {f"{path.relative_to(ROOT)}: {one}" for path, text in said for one in wrong(text, QUOTED)}
    assert found == set()


def test_missing_command_and_option_are_found() -> None:
    assert wrong("go back with `gops restore`, or gops undo") == ["gops undo"]
    assert wrong("`gops backup --sideways --keep 3`") == ["backup --sideways"]
    assert wrong("make haste, then make test") == ["make haste"]
    assert wrong("`/gops challenge` and gops open 2|x") == []
    assert {"restore", "backup", "doctor", "run"} <= KNOWN.keys()
    assert {"run", "test", "play"} <= TARGETS
