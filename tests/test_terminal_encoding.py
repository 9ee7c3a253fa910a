"""Terminals that cannot show every character still get the whole answer and its exit code."""

import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.proof.forgeries import FOLDER

ASCII = {"PYTHONIOENCODING": "ascii"}
WESTERN = {"PYTHONIOENCODING": "cp1252"}
PLAIN_C = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
"""a machine on which no language was ever set"""

DECIDES = ("PYTHONIOENCODING", "PYTHONUTF8", "PYTHONCOERCECLOCALE", "LC_ALL", "LC_CTYPE", "LANG")

HONEST, FORGED, OPEN = "honest-duel", "changed-bid", "honest-unfinished"


def gops(terminal: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """An interpreter of its own: what it may write is settled at its start."""
    bare = {name: value for name, value in os.environ.items() if name not in DECIDES}
    command = (sys.executable, "-m", "bot", *arguments)
    return subprocess.run(command, env={**bare, **terminal}, cwd=ROOT, capture_output=True, check=False)


@pytest.mark.parametrize(
    ("terminal", "name", "code"),
    [
        (ASCII, HONEST, 0),
        (ASCII, FORGED, 1),
        (ASCII, OPEN, 3),
        (PLAIN_C, HONEST, 0),
        (PLAIN_C, FORGED, 1),
        (WESTERN, FORGED, 1),
    ],
)
def test_verify_keeps_its_verdict_and_sentences_on_a_limited_terminal(
    terminal: dict[str, str], name: str, code: int
) -> None:
    """Exit code 1 means cheating: a character that cannot be shown must never cause it."""
    done = gops(terminal, "verify", str(FOLDER / f"{name}.json"))
    assert (done.returncode, done.stderr) == (code, b"")
    said = done.stdout.decode(terminal.get("PYTHONIOENCODING", "ascii"))
    assert "\nok " in said
    assert ("\nWRONG " in said) == (code == 1)
    assert ("\n? " in said) == (code == 3)
    as_ever = gops({"PYTHONUTF8": "1"}, "verify", str(FOLDER / f"{name}.json"))
    assert len(said.splitlines()) == len(as_ever.stdout.decode("utf-8").splitlines())


def test_missing_record_exits_with_2_on_an_ascii_terminal() -> None:
    done = gops(ASCII, "verify", "−.json")
    assert done.returncode == 2
    assert done.stderr.decode("ascii").startswith("gops verify: ")


def test_match_text_and_help_are_escaped_on_an_ascii_terminal() -> None:
    """The text has suits, and the help has dashes."""
    told = gops(ASCII, "referee", "--text", str(FOLDER / f"{HONEST}.json"))
    assert (told.returncode, told.stderr) == (0, b"")
    assert b"\\u" in told.stdout
    help = gops(ASCII, "solve", "--help")
    assert (help.returncode, help.stderr) == (0, b"")


def test_hand_is_shown_with_letters_for_suits_on_an_ascii_terminal() -> None:
    done = gops(ASCII, "play", "--terminal", "--game", "throps", "--seed", "4")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Your cards: H3 D4 S4 S5 C8 " in done.stdout
    assert b"\\u" not in done.stdout
