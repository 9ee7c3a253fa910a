"""The command line as users see it: a process, its output, its exit code."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import COMMANDS
from bot.engine.text.presets import list_offers
from tests import forked

RECORD: dict[str, Any] = {
    "game": "classic",
    "options": {"cards": 3, "ties": "carry"},
    "seats": 2,
    "deals": [{"stock": [2, 3, 1], "decisions": [[0, 1], [1, 2], [0, 3], [1, 3], [0, 2], [1, 1]]}],
}
RESULT = {
    "deals": [
        {
            "scores": [4, 2],
            "unscored": 0,
            "rounds": [
                {"prizes": [2], "bids": [1, 2], "outcome": "award", "winners": [1], "scores": [0, 2]},
                {"prizes": [3], "bids": [3, 3], "outcome": "hold", "winners": [], "scores": [0, 2]},
                {"prizes": [1], "bids": [2, 1], "outcome": "award", "winners": [0], "scores": [4, 2]},
            ],
        }
    ],
    "totals": [4, 2],
    "winner": 0,
    "placings": [1, 2],
    "termination": "completed",
}


def gops(*arguments: str, text: str | bytes = "") -> subprocess.CompletedProcess[str]:
    """A process of its own; each command is also started by an interpreter of its own once, for its help."""
    return forked.done(("-m", "bot", *arguments), text.encode() if isinstance(text, str) else text)


def environment_without(*names: str) -> dict[str, str]:
    """This environment without some settings."""
    return {name: value for name, value in os.environ.items() if name not in names}


def broken(**changes: object) -> str:
    """The record with decision 2 of deal 0 made illegal."""
    decisions = [[0, 1], [1, 2], [0, 1], [1, 3]]
    return json.dumps({**RECORD, "deals": [{"stock": [2, 3, 1], "decisions": decisions}], **changes})


def test_referee_reads_one_record_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(RECORD, indent=2), encoding="utf-8")
    done = gops("referee", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == RESULT


def test_referee_reads_standard_input_with_a_byte_order_mark() -> None:
    done = gops("referee", "-", text="\ufeff" + json.dumps(RECORD))
    assert (done.returncode, json.loads(done.stdout)) == (0, RESULT)


def test_illegal_decision_gives_one_line_and_no_result() -> None:
    done = gops("referee", "-", text=broken())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "gops referee: deal 0, decision 2: seat 0 has spent A; its cards are 2 3\n"


def test_prefix_prints_the_result_so_far_of_an_illegal_record() -> None:
    done = gops("referee", "--prefix", "-", text=broken())
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    result = json.loads(done.stdout)
    assert result["deals"][0]["rounds"] == RESULT["deals"][0]["rounds"][:1]
    assert result["termination"] is None


def test_many_records_give_one_result_a_line() -> None:
    lines = [json.dumps(RECORD), broken(), "{", json.dumps(RECORD)]
    done = gops("referee", "-", text="\n".join(lines) + "\n")
    assert (done.returncode, done.stderr) == (2, "")
    first, illegal, malformed, last = map(json.loads, done.stdout.splitlines())
    assert first == last == RESULT
    assert list(illegal) == list(malformed) == ["error"]
    assert illegal["error"].startswith("deal 0, decision 2: ")


def test_many_good_records_exit_with_0() -> None:
    done = gops("referee", "-", text=f"{json.dumps(RECORD)}\n{json.dumps(RECORD)}\n")
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 2)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1"),
        ("{", "line 1, column 2"),
        ('{\n "game": classic\n}', "line 2"),
        ("[1, 2]", "object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"game": "classic", "seats": NaN, "deals": []}', "NaN"),
        ('{"game": "classic", "seats": ' + "9" * 5000 + ', "deals": []}', "digits"),
        (b"\xff\xfe", "UTF-8"),
    ],
)
def test_invalid_record_gives_one_line(text: str | bytes, says: str) -> None:
    done = gops("referee", "-", text=text)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_missing_file_gives_one_line() -> None:
    done = gops("referee", "no-such-file.json")
    assert (done.returncode, done.stderr) == (2, "gops referee: no-such-file.json: No such file or directory\n")


def test_referee_describes_a_match_in_words() -> None:
    done = gops("referee", "--text", "-", text=json.dumps(RECORD))
    assert done.returncode == 0
    assert "P2 takes 2 (+2)." in done.stdout
    assert done.stdout.endswith("Total: 4 : 2. P1 wins, completed.\n")


@pytest.mark.parametrize("arguments", [[], ["frobnicate"], ["referee"], ["referee", "-", "--bad"]])
def test_bad_usage_gives_one_line_and_exit_code_2(arguments: list[str]) -> None:
    done = gops(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("command", [command.NAME for command in COMMANDS])
def test_every_command_has_help_with_an_example(command: str) -> None:
    done = subprocess.run([sys.executable, "-m", "bot", command, "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert f"example: gops {command}" in " ".join(done.stdout.split())


def test_whole_match_can_be_played_in_the_terminal() -> None:
    typed = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    done = gops("play", "--terminal", "--seed", "3", text="\n".join(typed))
    assert (done.returncode, done.stderr) == (0, "")
    assert "Prize" in done.stdout
    assert "House has sealed." in done.stdout
    assert any(line.startswith(("You win", "House wins", "A draw")) for line in done.stdout.splitlines())


def test_terminal_addresses_the_player_as_you() -> None:
    typed = [card for card in ["K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"] for _ in range(2)]
    said = gops("play", "--terminal", "--seed", "3", text="\n".join(typed)).stdout
    assert "You take " in said
    assert "You takes" not in said
    assert "You's" not in said


def test_hand_of_vultures_is_written_in_numbers() -> None:
    said = gops("play", "--terminal", "--game", "vultures", "--seed", "3", text="quit\n").stdout
    assert "Your cards: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15" in said


def test_wrong_input_in_the_terminal_changes_nothing() -> None:
    done = gops("play", "--terminal", "--seed", "3", text="77\nfoo\n5 6\n?\nK\nquit\n")
    assert done.returncode == 0
    assert "You don't have 77. Your cards: A 2 3" in done.stdout
    assert 'There is no card "foo" in this game.' in done.stdout
    assert "One card at a time, and you named 2." in done.stdout
    assert "Example:" in done.stdout
    assert done.stdout.count("--- Round") == 2
    assert done.stdout.endswith("Goodbye.\n")


def test_terminal_breaks_lines_between_words() -> None:
    """Lines have at most 80 characters where the width of the terminal is unknown."""
    lines = gops("play", "--terminal", text="?\n").stdout.replace("Your bid> ", "").splitlines()
    assert max(map(len, lines)) <= 80
    assert "A round: Everybody holds the same cards" in " ".join(lines)


def test_unknown_game_in_the_terminal_is_refused_with_a_suggestion() -> None:
    done = gops("play", "--terminal", "--game", "vulture")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "Did you mean Vultures?" in done.stderr


def test_refusal_of_an_unknown_game_lists_all_games() -> None:
    said = gops("play", "--terminal", "--game", "hearts").stderr
    assert "Did you mean" not in said, "nothing is like it"
    assert set(said.partition("All games: ")[2].strip().split("; ")) == {offer.name for offer in list_offers()}


@pytest.mark.parametrize(
    ("typed", "near"), [("three handed", "Three-handed"), ("two card", "Two cards a bid"), ("warfare", "Welsh Warfare")]
)
def test_nearest_game_is_suggested(typed: str, near: str) -> None:
    assert f"Did you mean {near}?" in gops("play", "--terminal", "--game", typed).stderr


def test_game_can_be_named_by_its_title() -> None:
    assert gops("play", "--terminal", "--game", "Welsh Warfare", text="").stdout.startswith("Welsh Warfare")


def test_match_without_seats_is_refused() -> None:
    done = gops("play", "--terminal", "--seats", "0")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Classic GOPS is for 2 to 8 players, not for 0." in done.stderr


def test_ctrl_c_leaves_the_terminal_cleanly() -> None:
    game = subprocess.Popen(
        [sys.executable, "-u", "-m", "bot", "play", "--terminal"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert game.stdin is not None
    assert game.stdout is not None
    seen = b""
    while b"Your bid>" not in seen:
        seen += os.read(game.stdout.fileno(), 4096)
    game.send_signal(signal.SIGINT)
    out, err = game.communicate(timeout=30)
    assert (game.returncode, err) == (0, b"")
    assert out.endswith(b"Goodbye.\n")


def characters(command: dict[str, Any]) -> int:
    """Count the characters that Discord counts: names, descriptions and values of the command and all its parts."""
    own = sum(len(str(command.get(key, ""))) for key in ("name", "description", "value"))
    return own + sum(map(characters, [*command.get("options", ()), *command.get("choices", ())]))


def test_command_payload_can_be_printed_without_a_token() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot", "sync", "--print"],
        env=environment_without("DISCORD_TOKEN"),
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    commands = json.loads(done.stdout)
    assert [command["name"] for command in commands] == [
        "gops",
        *("Challenge to GOPS", "Rating and history", "Verify", "Replay", "Review", "Block"),
    ]
    group = commands[0]
    assert characters(group) < 8000
    assert all(1 <= len(child["description"]) <= 100 for child in group["options"])
    names = [child["name"] for child in group["options"]]
    assert {"challenge", "games", "show", "resign", "draw", "rematch", "leaderboard", "profile", "rules"} <= set(names)


def test_bot_without_a_token_says_what_to_do(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot", "run"],
        env=environment_without("DISCORD_TOKEN"),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (78, "", 1)
    assert "DISCORD_TOKEN is not set" in done.stderr
    assert "make play" in done.stderr
