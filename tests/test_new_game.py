"""A new game takes one file and one registry line, and then appears everywhere."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator

import pytest

from bot.__main__ import build_parser
from bot.commands.play_terminal import TerminalMatch
from bot.engine import variants
from bot.engine.match import new_match
from bot.engine.record.record import read_record
from bot.engine.record.replay import replay
from bot.engine.record.result import result_data
from bot.engine.refusals import RuleError
from bot.engine.text.presets import find_offer, list_offers
from bot.engine.view import observe
from bot.solver.players.simple import choose_matcher_bid
from tests import test_complete, toy_game
from tests.games_table import games_table


@pytest.fixture
def registered() -> Iterator[None]:
    variants.GAMES.append(toy_game.GAME)
    yield
    variants.GAMES.remove(toy_game.GAME)


RECORD = {
    "game": "toy",
    "options": {},
    "seats": 2,
    "deals": [{"stock": [2, 3, 1], "decisions": [[0, 1], [1, 2], [0, 3], [1, 3]]}],
}


def test_new_game_is_unknown_before_it_is_registered() -> None:
    with pytest.raises(RuleError, match='no game "toy"'):
        variants.find_game("toy")


@pytest.mark.usefixtures("registered")
def test_new_game_is_refereed() -> None:
    result = result_data(replay(read_record(RECORD)).match)
    assert result["totals"] == [1, 2]
    kind = {**RECORD, "options": {"kind": True}}
    assert result_data(replay(read_record(kind)).match)["totals"] == ["5/2", "7/2"]


@pytest.mark.usefixtures("registered")
def test_new_game_is_offered_and_documented(capsys: pytest.CaptureFixture[str]) -> None:
    assert "toy" in [offer.key for offer in list_offers()]
    assert "| Toy |" in games_table()
    with pytest.raises(SystemExit):
        build_parser().parse_args(["play", "--help"])
    assert "toy" in capsys.readouterr().out


@pytest.mark.usefixtures("registered")
def test_new_game_can_be_played_against_the_house() -> None:
    game, offer = find_offer("toy")
    said: list[str] = []
    table = TerminalMatch(new_match(game, 3, offer.options), lambda _: "quit", said.append, random.Random(1))
    table.choose = lambda prompt: choose_matcher_bid(table.match.rules, observe(table.deal_state, prompt.seat))
    table.play()
    assert said[-1].strip().startswith(("You win.", "Sly wins.", "Reader wins.", "A draw."))


@pytest.mark.usefixtures("registered")
def test_completeness_test_names_the_missing_parts() -> None:
    assert test_complete.missing(toy_game.GAME) == ["golden cases", "playthrough"]


def test_record_of_a_new_game_is_refereed_by_the_command() -> None:
    program = (
        "import sys; from bot.engine import variants; from tests import toy_game;"
        "variants.GAMES.append(toy_game.GAME); from bot.__main__ import main; sys.exit(main(['referee', '-']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=json.dumps(RECORD), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["winner"] == 1
