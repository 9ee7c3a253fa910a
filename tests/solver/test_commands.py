"""The commands `gops solve` and `gops tables`."""

import errno
import io
import json
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.solver.tables import SHIPPED
from tests.conftest import ROOT

POSITION = "--mine 1,3,5 --theirs 2,3,4 --prizes 2,4,5 --up 4"
TWELVE = ",".join(map(str, range(1, 13)))
Capture = pytest.CaptureFixture[str]


def gops(capsys: Capture, line: str, *more: str) -> tuple[int, str, str]:
    try:
        code = main([*line.split(), *more])
    except SystemExit as stopped:
        code = int(stopped.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def data(capsys: Capture, line: str) -> dict[str, Any]:
    code, out, err = gops(capsys, line)
    assert (code, err) == (0, "")
    assert out.count("\n") == 1
    return json.loads(out)


def test_solve_prints_a_position_as_json(capsys: Capture) -> None:
    found = data(capsys, f"solve {POSITION} --json")
    assert {"value", "value_before_reveal", "matrix", "mix", "their_mix", "gap", "exact"} <= set(found)
    assert found["exact"] is True
    assert found["gap"] < 1e-9
    assert [len(row) for row in found["matrix"]] == [3, 3, 3]
    worst = min(sum(x * row[j] for x, row in zip(found["mix"], found["matrix"], strict=True)) for j in range(3))
    assert worst == pytest.approx(found["value"], abs=1e-9)


def test_ties_pot_objective_and_lead_change_the_answer(capsys: Capture) -> None:
    points = data(capsys, f"solve {POSITION} --json")
    carry = data(capsys, f"solve {POSITION} --ties carry --pot 3 --json")
    win = data(capsys, f"solve {POSITION} --objective win --lead -2 --json")
    both = data(capsys, f"solve {POSITION} --ties carry --pot 3 --objective win --lead -2 --json")
    assert len({each["value"] for each in (points, carry, win, both)}) == 4
    assert abs(win["value"]) <= 1
    assert win["lead"] == -2
    assert carry["pot"] == 3


def test_cards_may_be_given_in_any_order(capsys: Capture) -> None:
    mixed = data(capsys, "solve --mine 5,1,3 --theirs 4,3,2 --prizes 5,2,4 --up 4 --json")
    assert mixed == data(capsys, f"solve {POSITION} --json")


def test_solve_prints_first_moves_as_text(capsys: Capture) -> None:
    code, out, _ = gops(capsys, "solve --cards 4")
    assert code == 0
    assert [line for line in out.splitlines() if line.startswith("Prize")] == [
        f"Prize {prize} is up: worth +0.000000 to me; +0.000000 before it was turned." for prize in range(1, 5)
    ]
    assert "     1   0.3371" in out
    assert "     3   0.5269" in out
    assert out.count("Neither mix gives up more than") == 4


def test_solve_prints_first_moves_as_json_and_csv(capsys: Capture) -> None:
    found = data(capsys, "solve --cards 3 --json")
    assert found["value_before_reveal"] == 0
    assert [each["up"] for each in found["positions"]] == [1, 2, 3]
    code, out, _ = gops(capsys, "solve --cards 3 --csv")
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "up,bid,chance,gives_up,against_1,against_2,against_3"
    assert len(lines) == 10
    assert lines[1].startswith("1,1,1.0,0.0,")


def test_first_move_of_thirteen_cards_comes_from_the_table(capsys: Capture) -> None:
    found = data(capsys, "solve --cards 13 --up 7 --json --tables /nowhere")
    assert found["exact"] is False
    expected = [0.0198, 0, 0.0694, 0, 0.1237, 0, 0.1675, 0.0209, 0.2021, 0, 0.3967, 0, 0]
    assert found["mix"] == pytest.approx(expected, abs=2e-4)


def test_first_moves_of_eleven_carried_cards_come_from_the_table(capsys: Capture) -> None:
    found = data(capsys, "solve --cards 11 --ties carry --json --tables /nowhere")
    assert [each["exact"] for each in found["positions"]] == [False] * 11
    assert all(abs(each["value"]) < 1e-3 for each in found["positions"])


def test_solve_accepts_a_public_order(capsys: Capture) -> None:
    found = data(capsys, "solve --order 3,1,2 --json")
    assert found["order"] == [3, 1, 2]
    assert found["up"] == 3
    assert found["value"] == pytest.approx(0)
    known = data(capsys, "solve --order 1,2,3,4 --json")
    assert known["matrix"][0][1] == pytest.approx(-2 / 63)
    assert data(capsys, "solve --cards 4 --up 1 --json")["matrix"][0][1] == pytest.approx(274 / 34965)
    assert data(capsys, "solve --order 4,2,5 --mine 1,3,5 --theirs 2,3,4 --json")["up"] == 4


def test_solve_answers_a_file_of_positions(capsys: Capture, tmp_path: Path) -> None:
    lines: list[dict[str, Any]] = [
        {"mine": [1, 3, 5], "theirs": [2, 3, 4], "prizes": [2, 4, 5], "up": 4},
        {"mine": [1, 3, 5], "theirs": [2, 3, 4], "prizes": [2, 4, 5], "up": 4, "ties": "carry", "pot": 3},
        {"mine": [2, 1], "theirs": [1, 2], "prizes": [1, 2], "up": 2, "objective": "win", "lead": 1},
        {"mine": [1, 3, 5], "theirs": [2, 3, 4], "prizes": [2, 4, 5], "up": 5, "ties": "split"},
        {"mine": [7], "theirs": [9], "prizes": [13], "up": 13},
    ]
    file = tmp_path / "positions.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    code, out, err = gops(capsys, f"solve --positions {file}")
    assert (code, err) == (0, "")
    found = [json.loads(line) for line in out.splitlines()]
    assert [each["up"] for each in found] == [4, 4, 2, 5, 13]
    assert found[0] == data(capsys, f"solve {POSITION} --json")
    assert found[1]["value"] == pytest.approx(
        data(capsys, f"solve {POSITION} --ties carry --pot 3 --json")["value"], abs=1e-12
    )
    assert found[4]["value"] == -13


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{}", "line 2: mine is a list of whole numbers"),
        ("[1]", "line 2: a position is an object in braces"),
        ("{", "line 2: not JSON"),
        ('{"mine": [1], "theirs": [2], "prizes": [3]}', "line 2: up is missing"),
        (
            '{"mine": [1], "theirs": [2], "prizes": [3], "up": 4}',
            "line 2: the upturned prize 4 is not among the prizes",
        ),
        ('{"mine": [1.5], "theirs": [2], "prizes": [3], "up": 3}', "line 2: mine: 1.5 is not a whole number"),
        ('{"mine": [1], "theirs": [2], "prizes": [3], "up": 3, "pott": 1}', "line 2: unknown key 'pott'"),
    ],
)
def test_bad_line_of_a_file_is_named(capsys: Capture, tmp_path: Path, line: str, reason: str) -> None:
    file = tmp_path / "positions.jsonl"
    file.write_text('{"mine": [1], "theirs": [2], "prizes": [3], "up": 3}\n' + line, encoding="utf-8")
    code, out, err = gops(capsys, f"solve --positions {file}")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert reason in err


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "say what to solve"),
        ("--cards 14", "whole games have 1 to 13 cards"),
        ("--cards 0", "whole games have 1 to 13 cards"),
        ("--cards banana", "'banana' is not a whole number such as 7"),
        ("--cards 3 --lead 1.5", "'1.5' is not a whole number such as 7"),
        ("--cards 4 --kerr", "choose one of"),
        ("--mine 1,2 --theirs 1,2", "a position needs --mine, --theirs and --prizes"),
        ("--mine 1,x --theirs 1,2 --prizes 1,2", "'1,x' is not a list of whole numbers"),
        ("--cards 4 --pot 2", "a pot goes with ties that carry"),
        ("--cards 4 --chart x.gif", "a chart is a file that ends in .svg or .png"),
        ("--positions /nowhere/at/all", "/nowhere/at/all: No such file or directory"),
        ("--cards 3 --ties rebid", "invalid choice"),
        ("--cards 13 --objective win", "13 cards are too many to solve at once; --exact"),
        (
            f"--mine {TWELVE} --theirs {TWELVE} --prizes {TWELVE[2:]},14 --up 2 --ties carry",
            "12 cards are too many to solve at once, and no table has them; --exact",
        ),
        ("--order 1,2,2", "prizes has a card twice"),
    ],
)
def test_bad_usage_prints_one_line(capsys: Capture, line: str, reason: str) -> None:
    code, out, err = gops(capsys, f"solve {line}")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert reason in err


def test_kerr_figures_stand_beside_the_exact_figures(capsys: Capture) -> None:
    found = data(capsys, "solve --kerr --json")
    assert "Kerr" in found["source"]
    moves = {(each["cards"], each["up"]): each for each in found["first_moves"]}
    assert len(moves) == 14
    assert max(each["matrix_difference"] or 0 for each in moves.values()) < 0.011
    assert moves[4, 2]["mix"] == pytest.approx([154132 / 457239, 62196 / 457239, 240911 / 457239, 0], abs=1e-12)
    assert 0 < moves[5, 4]["exploited"] < 0.1
    code, out, _ = gops(capsys, "solve --kerr")
    assert code == 0
    assert "his mix can be exploited for" in out


def test_solve_draws_charts_as_svg_and_png(capsys: Capture, tmp_path: Path) -> None:
    drawing, picture = tmp_path / "mix.svg", tmp_path / "mix.png"
    assert gops(capsys, f"solve --cards 4 --chart {drawing}")[0] == 0
    assert gops(capsys, f"solve --cards 4 --chart {picture}")[0] == 0
    texts = [element.text for element in ET.fromstring(drawing.read_text(encoding="utf-8")).iter() if element.text]
    assert ".337" in texts
    assert "prize 4" in texts
    png = picture.read_bytes()
    width, height = struct.unpack(">II", png[16:24])
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    root = ET.fromstring(drawing.read_text(encoding="utf-8"))
    assert [str(width), str(height)] == [root.get("width"), root.get("height")]


def test_wide_payoffs_stay_in_separate_columns(capsys: Capture) -> None:
    code, out, _ = gops(capsys, "solve --mine 1,2,3 --theirs 2,3,4 --prizes 1,2,3 --up 2 --ties carry --pot 250")
    table = out.splitlines()[2:6]
    assert (code, [len(line.split()) for line in table]) == (0, [7, 5, 5, 5])
    assert len({len(line) for line in table}) == 1
    assert table[1].split()[2:] == ["-256.0000", "-254.1429", "-252.0000"]


def test_tables_check_names_the_layer_that_it_skips(capsys: Capture) -> None:
    code, out, _ = gops(capsys, "tables check --samples 1", str(SHIPPED / "carry-13.table"))
    assert (code, out.count("computed again, off by")) == (0, 2)
    assert "10 cards: every byte is as it was built; not computed again, which --deep does in a minute" in out
    assert gops(capsys, "tables check --samples few")[::2] == (
        2,
        "gops tables check: argument --samples: 'few' is not a whole number such as 7 (see gops tables check --help)\n",
    )


def test_tables_are_built_checked_and_listed(capsys: Capture, tmp_path: Path) -> None:
    code, out, err = gops(capsys, f"tables build --cards 5 --from 1 --folder {tmp_path}")
    assert (code, err) == (0, "")
    assert "5 cards, points, layers 1 to 4" in out
    file = tmp_path / "points-5.table"
    code, out, _ = gops(capsys, f"tables check {file}")
    assert code == 0
    assert out.count("fine") == 4
    code, out, _ = gops(capsys, f"tables list --json --folder {tmp_path}")
    assert [json.loads(line)["cards"] for line in out.splitlines()] == [5, 11, 13, 13]
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    code, out, _ = gops(capsys, f"tables check {file}")
    assert code == 1
    assert out == f"{file}: the layer of 4 cards is damaged; build the table again\n"
    assert gops(capsys, f"tables build --cards 1 --folder {tmp_path}")[0] == 2


def test_solve_runs_as_a_process_and_writes_nothing_into_the_package(tmp_path: Path) -> None:
    """Compiled code goes to the user's cache, not into the package."""
    line = [sys.executable, "-m", "bot", "solve", *POSITION.split(), "--json"]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, check=True)
    assert json.loads(done.stdout)["exact"] is True
    assert not list((ROOT / "bot/solver").rglob("*.nbi"))


def test_bot_starts_without_numba_or_the_tables() -> None:
    """Numbers are crunched by worker processes and the command line: the bot itself stays small, and says that Sage
    plays 13 carried cards exactly without opening the table."""
    program = (
        "import sys, pkgutil, importlib\n"
        "opened = []\n"
        "sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == 'open' else None)\n"
        "import bot.app, bot.__main__, cogs\n"
        "for module in pkgutil.walk_packages(cogs.__path__, 'cogs.'): importlib.import_module(module.name)\n"
        "from bot.engine import variants, view\n"
        "from bot.solver.players.basis import find_basis\n"
        "from bot.solver.exact.goal import FOR_POINTS\n"
        "rules = variants.find_game('classic').rules(2, {'ties': 'carry'})\n"
        "seen = view.observe(rules.start(rules.deal(tuple(rules.pack()))), 0)\n"
        "print(len(seen.hands[0]), find_basis(rules, seen, FOR_POINTS), len(opened) > 100)\n"
        "print([name for name in ('numpy', 'numba', 'llvmlite', 'resvg_py') if name in sys.modules])\n"
        "print([path for path in opened if path.endswith('.table')])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=True)
    assert done.stdout.decode().splitlines() == ["13 points True", "[]", "[]"]


@pytest.mark.parametrize("line", ["solve --cards 2", "house sage --positions {file}", "tables list"])
def test_closed_pipe_prints_no_error(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, line: str
) -> None:
    """As in `gops solve --kerr | head`."""
    file = tmp_path / "positions.jsonl"
    file.write_text('{"mine": [1, 3], "theirs": [2, 3], "prizes": [1, 3], "up": 1}', encoding="utf-8")

    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError(errno.EPIPE, "Broken pipe")

        def fileno(self) -> int:
            return mine.fileno()

    with (tmp_path / "mine").open("w") as mine, monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", Gone())
        code = main(line.format(file=file).split())
    assert (code, capsys.readouterr().err) == (0, "")


def test_tables_pack_writes_a_valid_table(capsys: Capture, tmp_path: Path) -> None:
    built, packed = tmp_path / "points-5.table", tmp_path / "packed"
    assert gops(capsys, f"tables build --cards 5 --from 1 --folder {tmp_path}")[0] == 0
    code, out, err = gops(capsys, f"tables pack {built} --from 2 --folder {packed}")
    assert (code, err) == (0, "")
    assert "5 cards, points, layers 2 to 4" in out
    assert gops(capsys, f"tables check {packed / built.name}")[0] == 0
    for wrong in (f"{built} --folder {tmp_path}", f"{built} --folder {packed} --from 9", f"{packed} --folder {packed}"):
        code, _, err = gops(capsys, f"tables pack {wrong}")
        assert (code, err.count("\n")) == (2, 1)
    assert gops(capsys, f"tables pack {built} --folder {packed} --from 1 --step 3")[0] == 2
