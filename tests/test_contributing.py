"""The steps of docs/contributing.md lead to a complete new game."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
STEPS = PAGE.partition("## A new game, step by step\n")[2]
FILE = re.compile(r"^`([\w/.]+)`\n\n```(?:python|json)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CHANGE = re.compile(r"`([\w/.]+)`:[^\n]*\n\n((?:```diff\n.*?^```\n\n?)+)", re.MULTILINE | re.DOTALL)
COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COPIED = ("bot", "cogs", "data", "docs", "tests", "README.md", "CHANGELOG.md", "pyproject.toml")


def changed(text: str, diff: str) -> str:
    """With the lines of one block taken out and put in."""
    lines = diff.splitlines()
    old = "\n".join(line[1:] for line in lines if line.startswith("-"))
    new = "\n".join(line[1:] for line in lines if line.startswith("+"))
    assert text.count(f"{old}\n") == 1, f"{old!r} is not there, or twice"
    return text.replace(f"{old}\n", f"{new}\n")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project in which the page was followed, up to its commands."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.sqlite3*", "left"))
        else:
            shutil.copy(source, folder / name)
    for name, text in FILE.findall(STEPS):
        (folder / name).write_text(text, encoding="utf-8")
    for name, blocks in CHANGE.findall(STEPS):
        path = folder / name
        for block in re.findall(r"```diff\n(.*?)^```", blocks, re.MULTILINE | re.DOTALL):
            path.write_text(changed(path.read_text(encoding="utf-8"), block), encoding="utf-8")
    return folder


def run(checkout: Path, *arguments: str, given: str | None = None) -> str:
    environment = {**os.environ, "PYTHONPATH": str(checkout), "PYTEST_ADDOPTS": "-p no:cacheprovider"}
    environment = {key: value for key, value in environment.items() if not key.startswith("PYTEST_XDIST")}
    done = subprocess.run(
        (sys.executable, *arguments),
        cwd=checkout,
        env=environment,
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_steps_of_the_page_lead_to_a_playable_game(checkout: Path) -> None:
    assert len(FILE.findall(STEPS)) == 2
    assert len(CHANGE.findall(STEPS)) == 2
    lines = [line for block in COMMANDS.findall(STEPS) for line in block.splitlines()]
    assert len(lines) == 3
    for line in lines:
        run(checkout, *line.split()[1:])
    (case,) = json.loads((checkout / "tests/golden/evens.json").read_text(encoding="utf-8"))
    judged = json.loads(run(checkout, "-m", "bot", "referee", "-", given=json.dumps(case["record"])))
    assert judged["totals"] == [8, 0]
    assert "even prizes count double" in (checkout / "docs/players.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", sorted(set(re.findall(r"`((?:bot|cogs|data|tests)/[\w/.]+)`", PAGE))))
def test_path_named_by_the_page_exists(folder: str, checkout: Path) -> None:
    assert (checkout / folder).exists()
