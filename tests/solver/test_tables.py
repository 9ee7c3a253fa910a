"""Tables: whole or refused, the same bytes however often their making was stopped, near to a solve."""

import hashlib
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bot.solver.build import Plan, build
from bot.solver.check import recheck
from bot.solver.library import Library
from bot.solver.shelf import SHIPPED
from bot.solver.solve import answer, solve, whole_game
from bot.solver.tables import TableError, ValueTable, open_table
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(Plan(4, "discard", 1, tmp_path_factory.mktemp("small")), 1)


@pytest.mark.parametrize(("cards", "ties"), [(6, "discard"), (6, "carry")])
def test_a_table_says_what_a_solve_says(tmp_path: Path, cards: int, ties: str) -> None:
    table = open_table(build(Plan(cards, ties, 1, tmp_path), 2))
    solved = solve(whole_game(cards, ties))
    for section in table.head.layers:
        values = solved.layers[section.cards - 1].values
        assert np.abs(table.decoded(section.cards) - values).max() == pytest.approx(section.error)
        assert section.error < 1e-3
        assert section.gap <= 1e-12
    assert all(finding.fine and finding.checked for finding in recheck(table, 20))
    at = whole_game(cards, ties).turned(cards)
    rounded, exact = answer(table, at), answer(solved, at)
    assert rounded is not None
    assert exact is not None
    assert rounded.mix == pytest.approx(exact.mix, abs=1e-3)
    assert list(tmp_path.iterdir()) == [table.path], "what was needed to build it is gone"


def test_a_table_knows_its_limits(small: Path) -> None:
    table = open_table(small)
    assert table.value(whole_game(5)) is None
    assert table.value(whole_game(4)) is None
    assert table.value(whole_game(3, "carry")) is None
    assert table.value(whole_game(4).turned(1).after(1, 2)) is not None


def test_a_table_is_opened_for_what_it_may_know_and_no_earlier(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def noted(path: Path) -> ValueTable:
        opened.append(path.name)
        return open_table(path)

    monkeypatch.setattr("bot.solver.library.open_table", noted)
    asked = whole_game(4).turned(1)
    library = Library((small.parent,))
    assert not library.knows(replace(asked, ties="carry"))
    assert not library.knows(replace(asked, objective="win"))
    assert not library.knows(whole_game(6).turned(1))
    assert opened == []
    assert library.knows(asked)
    assert library.knows(asked.after(1, 2).turned(2))
    assert opened == [small.name]
    (tmp_path / small.name).write_bytes(small.read_bytes()[:-1] + b"x")
    assert not Library((tmp_path,)).knows(asked), "a damaged one knows nothing"


def test_every_flipped_byte_is_refused(small: Path, tmp_path: Path) -> None:
    data = small.read_bytes()
    assert len(data) < 5000
    broken = tmp_path / "broken.table"
    for at in range(len(data)):
        broken.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with pytest.raises(TableError):
            open_table(broken)


@pytest.mark.parametrize(
    "spoil", [lambda data: data[:-1], lambda data: data + b"\0", lambda data: b"", lambda data: b"GOPS"]
)
def test_a_table_of_another_length_is_refused(small: Path, tmp_path: Path, spoil: Callable[[bytes], bytes]) -> None:
    broken = tmp_path / "broken.table"
    broken.write_bytes(spoil(small.read_bytes()))
    with pytest.raises(TableError):
        open_table(broken)


class Stop(Exception):
    """The build is stopped."""


@pytest.mark.parametrize("ties", ["discard", "carry"])
def test_a_stopped_build_goes_on_to_the_same_bytes(tmp_path: Path, ties: str) -> None:
    whole = build(Plan(6, ties, 2, tmp_path / "whole"), 1).read_bytes()
    plan = Plan(6, ties, 2, tmp_path / "stopped")
    made: list[tuple[int, int]] = []

    for patience in (3, 20, 40):
        left = [patience]

        def stop(cards: int, done: int, total: int, left: list[int] = left) -> None:
            made.append((cards, done))
            left[0] -= 1
            if not left[0]:
                raise Stop

        with pytest.raises(Stop):
            build(plan, 1, stop)
        assert not plan.path.exists()
        for lines in plan.workshop.glob("*.pieces"):
            lines.write_bytes(lines.read_bytes()[:-5])  # the last line was being written
    assert build(plan, 2).read_bytes() == whole
    assert max(cards for cards, _ in made) > 1


def test_a_killed_build_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    whole = build(Plan(7, "discard", 3, tmp_path / "whole"), 1).read_bytes()
    plan = Plan(7, "discard", 3, tmp_path / "killed")
    program = (
        "import os, sys; from pathlib import Path; from bot.solver.build import Plan, build\n"
        "def die(cards, done, total):\n    if cards == 5 and done > 20: os._exit(9)\n"
        "build(Plan(7, 'discard', 3, Path(sys.argv[1])), 2, die)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(plan.folder)], cwd=ROOT, check=False)
    assert done.returncode == 9
    assert (plan.workshop / "layer-04.ready").exists()
    assert build(plan, 2).read_bytes() == whole


def test_a_spoilt_piece_is_made_again(tmp_path: Path) -> None:
    whole = build(Plan(5, "discard", 1, tmp_path / "whole"), 1).read_bytes()
    plan = Plan(5, "discard", 1, tmp_path / "spoilt")

    def stop(cards: int, done: int, total: int) -> None:
        if cards == 3 and done > 10:
            raise Stop

    with pytest.raises(Stop):
        build(plan, 1, stop)
    values = plan.workshop / "layer-03.values"
    data = bytearray(values.read_bytes())
    data[3] ^= 1
    values.write_bytes(data)
    assert build(plan, 1).read_bytes() == whole


def test_the_shipped_tables_are_small() -> None:
    paths = sorted(SHIPPED.glob("*.table"))
    assert [path.name for path in paths] == ["carry-11.table", "points-13.table"]
    assert sum(path.stat().st_size for path in paths) < 1_000_000


@pytest.mark.parametrize(("name", "cards", "ties"), [("points-13", 13, "discard"), ("carry-11", 11, "carry")])
def test_the_shipped_tables(name: str, cards: int, ties: str) -> None:
    """Whole, and the upper layer follows from the lower."""
    table = open_table(SHIPPED / f"{name}.table")
    assert [section.cards for section in table.head.layers] == [cards - 2, cards - 1]
    assert (table.head.cards, table.head.ties) == (cards, ties)
    assert all(section.gap <= 1e-12 and section.error < 1e-3 for section in table.head.layers)
    below, above = recheck(table, 5)
    assert below.checked == (0 if cards == 13 else 2)
    assert above.checked == 5
    assert above.fine


def test_a_wrong_value_under_a_right_hash_is_found(small: Path, tmp_path: Path) -> None:
    """Hashes prove only that nobody changed the file: what was built wrong shows when it is worked out again."""
    table = open_table(small)
    data = bytearray(small.read_bytes())
    section = table.head.layers[-1]
    at = len(data) - 2 * section.values
    numbers = np.frombuffer(bytes(data[at:]), "<i2") // 2
    data[at:] = numbers.astype("<i2").tobytes()
    old = section.sha256
    new = hashlib.sha256(bytes(data[len(data) - section.bytes :])).hexdigest()
    text = table.head.text()
    changed = text.replace(old.encode(), new.encode())
    data = bytearray(
        bytes(data)
        .replace(text, changed)
        .replace(hashlib.sha256(text).hexdigest().encode(), hashlib.sha256(changed).hexdigest().encode())
    )
    wrong = tmp_path / "wrong.table"
    wrong.write_bytes(bytes(data))
    opened: ValueTable = open_table(wrong)
    assert not all(finding.fine for finding in recheck(opened, 20))
