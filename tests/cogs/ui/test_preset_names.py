"""A match by the rules of a preset is called by its name."""

from dataclasses import replace

import pytest

from bot.engine.text.presets import PRESETS, Preset
from bot.engine.variants import find_game
from bot.ui.screens.board import render_board
from bot.ui.screens.challenge import render_lobby
from bot.ui.screens.result_details import render_details
from bot.ui.text.terms import game_title
from tests.cogs.ui.reading import read
from tests.cogs.ui.views import begin, lobby

TITLES = {
    "carry": "Classic GOPS (Carried ties)",
    "three-handed": "Classic GOPS (Three-handed)",
    "quick": "Quick GOPS",
    "blind": "Classic GOPS (Blind bids)",
    "pico1": "Pico, first edition",
    "attrition": "Welsh attrition",
}


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.key)
def test_every_preset_has_a_title(preset: Preset) -> None:
    game = find_game(preset.game)
    title = game_title(game.rules(preset.seats or game.seats[0], preset.options))
    assert preset.name in title
    assert title == TITLES.get(preset.key, title)


def test_other_rules_have_the_name_of_the_game() -> None:
    classic, welsh = find_game("classic"), find_game("welsh")
    assert game_title(classic.rules(2)) == "Classic GOPS"
    assert game_title(classic.rules(5)) == "Classic GOPS"
    assert game_title(classic.rules(3, {"cards": 7})) == "Quick GOPS"
    assert game_title(classic.rules(3, {"cards": 6})) == "Classic GOPS"
    assert game_title(welsh.rules(4, {"attrition": True, "tricks": 20})) == "Welsh Warfare"
    assert game_title(welsh.rules(4, {"attrition": False})) == "Welsh Warfare"


def test_challenges_and_boards_name_the_preset() -> None:
    rules = find_game("welsh").rules(4, {"attrition": True})
    assert "challenges you to **Welsh attrition**.\n" in read(render_lobby(lobby(game="welsh", seats=4, rules=rules)))
    three = read(render_lobby(lobby(seats=3)))
    assert "challenges you to **Classic GOPS (Three-handed)**.\n13 cards · equal cards don't count" in three
    board = read(render_board(begin(seats=3).deal((5, 9, 8)).view()))
    assert "-# Equal cards don't count" in board
    assert "· Classic (Three-handed) · #K7Q2\n" in board
    attrition = read(render_board(begin("welsh", 4, {"attrition": True}).deal().view()))
    assert "-# Winning cards go out of play" in attrition
    assert "· Welsh attrition · #K7Q2\n" in attrition
    blind = read(render_board(begin(options={"blind": True}).deal((5, 9, 8)).view()))
    assert "-# Ties: nobody gets the prize · prizes left" in blind, "the name says it already"
    assert "· Classic (Blind bids) · #K7Q2\n" in blind
    over = begin("welsh", 4, {"attrition": True}, {"mode": "single"}).deal(hands=[["KS"], ["2H"], [], []]).view()
    assert read(render_details(over, ())).startswith("### #K7Q2 · Welsh attrition\n")


def test_a_table_for_several_numbers_of_players_names_none_of_them() -> None:
    view = lobby("table", seats=4)
    assert "opens a table: **Classic GOPS**, 2 to 4 players" in read(render_lobby(view))
    carried = replace(view, rules=find_game("classic").rules(4, {"ties": "carry"}))
    assert "opens a table: **Classic GOPS (Carried ties)**, 2 to 4 players" in read(render_lobby(carried))
