"""Every registered game has golden cases, a playthrough, rules and tips; every ruling is named in the engine."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.engine.options import OneOf, Switch
from bot.engine.rules import Game
from bot.engine.text.presets import PRESETS, find_offer, list_offers
from bot.engine.variants import GAMES
from tests import golden_cases, playthrough
from tests.conftest import ROOT
from tests.games_table import PAGE, with_table

_HIGHEST = {"C": 8, "G": 1, "M": 3, "K": 2, "O": 6, "P": 2, "B": 1, "F": 5, "N": 1, "T": 7, "H": 2} | {
    "V": 2,
    "I": 2,
    "Y": 1,
    "S": 4,
    "D": 2,
    "W": 4,
}
RULINGS = [f"{letter}{number}" for letter, highest in _HIGHEST.items() for number in range(1, highest + 1)]
"""Every ruling of the rules."""


def options_without_rules(game: Game) -> list[str]:
    """Return the options whose rules no text explains."""
    missing: list[str] = []
    told = {(note.option, note.value) for note in game.notes}
    for option in game.options:
        values: Sequence[Any] = (None,)
        if isinstance(option, OneOf):
            values = [value for value in option.values if value != option.default]
        elif isinstance(option, Switch):
            values = [not option.default]
        missing += [f"{option.key} {value}" for value in values if not {(option.key, value), (option.key, None)} & told]
    return missing


def missing(game: Game) -> list[str]:
    """Return the parts that a game still lacks."""
    lacks: list[str] = []
    if game.key not in golden_cases.names():
        lacks.append("golden cases")
    if not (playthrough.FOLDER / f"{game.key}.txt").is_file():
        lacks.append("playthrough")
    if not all(text.strip() for _, text in game.guide.parts):
        lacks.append("rules text")
    lacks += [f"rules of {option}" for option in options_without_rules(game)]
    if not game.tips:
        lacks.append("tips")
    return lacks


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_game_has_every_required_part(game: Game) -> None:
    assert missing(game) == []
    assert 1 <= len(game.title) <= 100  # pickers cut longer ones
    assert sum(len(title) + len(text) for title, text in game.guide.parts) <= 1800


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_playthrough_of_a_game_equals_its_file(game: Game) -> None:
    golden = (playthrough.FOLDER / f"{game.key}.txt").read_text(encoding="utf-8")
    assert playthrough.play_through(playthrough.record_of(game.key)) == golden


def test_every_section_of_the_rules_has_a_game() -> None:
    sections = {section for game in GAMES for section in game.sections}
    wanted = [f"2.{n}" for n in range(1, 9)] + ["3.1", "3.2"] + [f"4.{n}" for n in range(1, 7)]
    assert sorted(sections) == sorted(wanted)
    golden = {case["section"] for name in golden_cases.names() for case in golden_cases.load(name)}
    assert set(wanted) <= golden


@pytest.mark.parametrize("ruling", RULINGS)
def test_ruling_is_named_in_a_comment_of_the_engine(ruling: str) -> None:
    pattern = re.compile(rf"RULINGS? (?:[A-Z]\d,? (?:and )?)*{ruling}\b")
    files = [path for path in (ROOT / "bot" / "engine").rglob("*.py") if pattern.search(_text(path))]
    assert files, f"no comment says RULING {ruling}"


def test_every_preset_gives_valid_rules() -> None:
    keys = [offer.key for offer in list_offers()]
    assert len(set(keys)) == len(keys)
    for preset in PRESETS:
        game, _ = find_offer(preset.key)
        game.rules(preset.seats or game.seats[0], preset.options)


def test_page_for_players_lists_every_game() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert with_table(text) == text, "run python -m tests.games_table"


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
