"""Tables: complete or refused, the same bytes after interrupted builds, and close to a solve."""

import hashlib
import json
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from bot.engine.choices import Bid
from bot.engine.text.presets import find_offer
from bot.solver.coach import coach
from bot.solver.coach.advice import Analysis, list_moves
from bot.solver.coach.typed_position import TypedPosition, read_typed
from bot.solver.exact.position import Position
from bot.solver.exact.solve import answer_position, solve_position, start_whole_game
from bot.solver.players.basis import can_solve
from bot.solver.tables import SHIPPED
from bot.solver.tables.build import TablePlan, build_table, recheck_table
from bot.solver.tables.library import Library
from bot.solver.tables.table import TableError, ValueTable, open_table
from tests.conftest import ROOT
from tests.solver.test_commands import Capture, gops

CARDS = "A 2 3 4 5 6 7 8 9 10 J Q K"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_table(TablePlan(4, "discard", 1, tmp_path_factory.mktemp("small")), 1)


@pytest.mark.parametrize(("cards", "ties"), [(6, "discard"), (6, "carry")])
def test_table_agrees_with_a_solve_within_its_error(tmp_path: Path, cards: int, ties: str) -> None:
    table = open_table(build_table(TablePlan(cards, ties, 1, tmp_path), 2))
    solved = solve_position(start_whole_game(cards, ties))
    for section in table.head.layers:
        values = solved.layers[section.cards - 1].values
        assert np.abs(table.decode_layer(section.cards) - values).max() == pytest.approx(section.error)
        assert section.error < 1e-3
        assert section.gap <= 1e-12
    assert all(finding.is_fine and finding.checked for finding in recheck_table(table, 20))
    at = start_whole_game(cards, ties).turned(cards)
    rounded, exact = answer_position(table, at), answer_position(solved, at)
    assert rounded is not None
    assert exact is not None
    assert rounded.mix == pytest.approx(exact.mix, abs=1e-3)
    assert list(tmp_path.iterdir()) == [table.path], "what was needed to build it is gone"


def test_table_has_no_value_for_positions_outside_it(small: Path) -> None:
    table = open_table(small)
    assert table.value(start_whole_game(5)) is None
    assert table.value(start_whole_game(4)) is None
    assert table.value(start_whole_game(3, "carry")) is None
    assert table.value(start_whole_game(4).turned(1).after(1, 2)) is not None


def test_table_is_opened_only_for_positions_that_it_may_hold(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def noted(path: Path) -> ValueTable:
        opened.append(path.name)
        return open_table(path)

    monkeypatch.setattr("bot.solver.tables.library.open_table", noted)
    asked = start_whole_game(4).turned(1)
    library = Library((small.parent,))
    assert not library.knows(replace(asked, ties="carry"))
    assert not library.knows(replace(asked, objective="win"))
    assert not library.knows(start_whole_game(6).turned(1))
    assert opened == []
    assert library.knows(asked)
    assert library.knows(asked.after(1, 2).turned(2))
    assert opened == [small.name]
    (tmp_path / small.name).write_bytes(small.read_bytes()[:-1] + b"x")
    assert not Library((tmp_path,)).knows(asked), "a damaged one knows nothing"


def test_table_with_any_flipped_byte_is_refused(small: Path, tmp_path: Path) -> None:
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
def test_table_of_another_length_is_refused(small: Path, tmp_path: Path, spoil: Callable[[bytes], bytes]) -> None:
    broken = tmp_path / "broken.table"
    broken.write_bytes(spoil(small.read_bytes()))
    with pytest.raises(TableError):
        open_table(broken)


class Stop(Exception):
    """The build is stopped."""


@pytest.mark.parametrize("ties", ["discard", "carry"])
def test_stopped_build_resumes_to_the_same_bytes(tmp_path: Path, ties: str) -> None:
    whole = build_table(TablePlan(6, ties, 2, tmp_path / "whole"), 1).read_bytes()
    plan = TablePlan(6, ties, 2, tmp_path / "stopped")
    made: list[tuple[int, int]] = []

    for patience in (3, 20, 40):
        left = [patience]

        def stop(cards: int, done: int, total: int, left: list[int] = left) -> None:
            made.append((cards, done))
            left[0] -= 1
            if not left[0]:
                raise Stop

        with pytest.raises(Stop):
            build_table(plan, 1, stop)
        assert not plan.path.exists()
        for lines in plan.workshop.glob("*.pieces"):
            lines.write_bytes(lines.read_bytes()[:-5])  # the last line was being written
    assert build_table(plan, 2).read_bytes() == whole
    assert max(cards for cards, _ in made) > 1


def test_killed_build_resumes_to_the_same_bytes(tmp_path: Path) -> None:
    whole = build_table(TablePlan(7, "discard", 3, tmp_path / "whole"), 1).read_bytes()
    plan = TablePlan(7, "discard", 3, tmp_path / "killed")
    program = (
        "import os, sys; from pathlib import Path; from bot.solver.tables.build import TablePlan, build_table\n"
        "def die(cards, done, total):\n    if cards == 5 and done > 20: os._exit(9)\n"
        "build_table(TablePlan(7, 'discard', 3, Path(sys.argv[1])), 2, die)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(plan.folder)], cwd=ROOT, check=False)
    assert done.returncode == 9
    assert (plan.workshop / "layer-04.ready").exists()
    assert build_table(plan, 2).read_bytes() == whole


def test_damaged_part_of_a_build_is_built_again(tmp_path: Path) -> None:
    whole = build_table(TablePlan(5, "discard", 1, tmp_path / "whole"), 1).read_bytes()
    plan = TablePlan(5, "discard", 1, tmp_path / "spoilt")

    def stop(cards: int, done: int, total: int) -> None:
        if cards == 3 and done > 10:
            raise Stop

    with pytest.raises(Stop):
        build_table(plan, 1, stop)
    values = plan.workshop / "layer-03.values"
    data = bytearray(values.read_bytes())
    data[3] ^= 1
    values.write_bytes(data)
    assert build_table(plan, 1).read_bytes() == whole


def test_shipped_tables_are_small() -> None:
    paths = sorted(SHIPPED.glob("*.table"))
    assert [path.name for path in paths] == ["carry-11.table", "carry-13.table", "points-13.table"]
    assert sum(path.stat().st_size for path in paths) < 4_000_000


@cache
def shipped(name: str) -> ValueTable:
    """Unpacked once for all tests of this file."""
    return open_table(SHIPPED / f"{name}.table")


@pytest.mark.parametrize(
    ("name", "layers", "ties", "error"),
    [
        ("points-13", [10, 11, 12], "discard", 0.0022),
        ("carry-11", [9, 10], "carry", 0.001),
        ("carry-13", [10, 11, 12], "carry", 0.0103),
    ],
)
def test_shipped_tables_pass_their_check(name: str, layers: list[int], ties: str, error: float) -> None:
    """Each shipped table is complete, and every layer follows from the layer below."""
    table = shipped(name)
    assert [section.cards for section in table.head.layers] == layers
    assert (table.head.cards, table.head.ties) == (layers[-1] + 1, ties)
    assert all(section.gap <= 1e-12 and section.error < error for section in table.head.layers)
    lowest, *above = recheck_table(table, 5)
    assert lowest.checked == (0 if layers[0] > 9 else 2)
    assert [layer.checked for layer in above] == [5] * len(above)
    assert all(layer.is_fine for layer in above)


def no_solve(*_: object) -> None:
    raise AssertionError("a thought of many seconds")


def test_thirteen_carried_cards_need_no_solve(capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """For `gops house`, for analyses and for the review of a match. The King is bid for the King in 46 of 100 games."""
    monkeypatch.setattr("bot.solver.tables.library.solve_position", no_solve)
    monkeypatch.setattr("bot.solver.tables.library.open_table", lambda path: shipped(path.stem))
    monkeypatch.setattr("bot.solver.players.sage._library", [Library()])
    monkeypatch.setattr(
        "bot.solver.exact.solve.count_games", lambda here: 10**12
    )  # to win it is too long, as a count of 3 s says
    start = start_whole_game(13, "carry").turned(13)
    hand = list(start.mine)
    line = {"mine": hand, "theirs": hand, "prizes": hand, "up": 13, "objective": "points", "ties": "carry"}
    (tmp_path / "first.jsonl").write_text(json.dumps(line), encoding="utf-8")
    code, out, err = gops(capsys, f"house sage --positions {tmp_path / 'first.jsonl'}")
    assert (code, err) == (0, "")
    assert json.loads(out)["basis"] == "points"
    assert json.loads(out)["mix"]["13"] == pytest.approx(0.4619, abs=0.0005)

    assert can_solve(start)
    analysis = coach.analyse(read_typed(TypedPosition(CARDS, CARDS, "K", CARDS[:-2], "carry")))
    assert isinstance(analysis, Analysis)
    assert dict(analysis.mix)[13] == pytest.approx(0.4619, abs=0.0005)
    assert analysis.value == pytest.approx(0, abs=1e-9)

    rules = find_offer("carry")[0].rules(2, {"ties": "carry"})
    deal, bids = rules.deal((13, *hand[:-1])), {seat: Bid((card,)) for seat, card in enumerate((13, 12))}
    state, _ = rules.resolve(rules.start(deal), bids)
    [move] = list_moves(rules, [(deal, state.rounds)])
    judged = coach.judge_move(move)
    assert (move.exact, judged.exact) == (True, True)
    assert judged.value == pytest.approx(0, abs=1e-9)
    assert judged.after == pytest.approx(9.67954, abs=0.0002)


ELEVEN = (
    (range(1, 11), (12,), range(1, 10), (11, 13), 9, -4.448039229729096),
    ((1, 3, 4), range(6, 14), (1, 2, 4, 5), range(7, 14), 13, 1.058421310655232),
)
"""Hands of positions of 11 cards with the prizes 3 to 13, the upturned one, and their values by the layer of 10 cards
as it was before it was rounded."""


def test_eleven_cards_left_need_no_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.solver.tables.library.solve_position", no_solve)
    monkeypatch.setattr("bot.solver.tables.library.open_table", lambda path: shipped(path.stem))
    library = Library()
    for low, high, lower, higher, up, value in ELEVEN:
        verdict = library.judge(Position((*low, *high), (*lower, *higher), tuple(range(3, 14)), up))
        assert verdict.answer.value == pytest.approx(value, abs=0.0022)
        assert not verdict.exact


def test_shipped_table_with_a_flipped_bit_is_refused(tmp_path: Path) -> None:
    broken, dice = tmp_path / "broken.table", random.Random(18)
    for path in sorted(SHIPPED.glob("*.table")):
        data = bytearray(path.read_bytes())
        for at in dice.sample(range(len(data)), 40):
            bit = 1 << dice.randrange(8)
            data[at] ^= bit
            broken.write_bytes(data)
            data[at] ^= bit
            with pytest.raises(TableError):
                open_table(broken)


def test_check_finds_a_wrong_value_under_a_correct_hash(small: Path, tmp_path: Path) -> None:
    """Hashes prove only that the file did not change. A wrong value is found by computing it again."""
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
    assert not all(finding.is_fine for finding in recheck_table(opened, 20))
