"""How many bids may be missed is told from the one constant."""

import importlib
import re
from collections.abc import Iterator

import pytest

from bot.engine.counted import forms
from bot.referee.model import durations
from bot.ui.text import catalogue
from bot.ui.text.catalogue import match, numbers, result
from tests.conftest import ROOT

SCREENS = ROOT / "tests" / "screens" / "recorded"

TOLD = {
    match: ("MATCH", ["last-chance", "forfeited-many"]),
    result: ("RESULT", ["timed-out"]),
}


@pytest.fixture
def reloaded(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    yield monkeypatch
    monkeypatch.undo()
    for module in TOLD:
        importlib.reload(module)


def said() -> list[str]:
    for module in TOLD:
        importlib.reload(module)
    return [text for module, (name, ids) in TOLD.items() for id in ids for text in forms(getattr(module, name)[id])]


def test_today_it_is_three() -> None:
    assert durations.MISSES == 3
    texts = [text for ids in TOLD.values() for id in ids[1] for text in forms(catalogue.SENTENCES[id])]
    assert len(texts) == sum(bool(re.search(r"\b(three|third)\b", text)) for text in texts)


@pytest.mark.parametrize(("most", "words"), [(1, {"a bid", "first"}), (4, {"four bids in a row", "fourth"})])
def test_another_constant_tells_another_number(reloaded: pytest.MonkeyPatch, most: int, words: set[str]) -> None:
    reloaded.setattr(durations, "MISSES", most)
    texts = said()
    assert not [text for text in texts if re.search(r"\b(three|third)\b", text)]
    assert {word for word in words if any(re.search(rf"\b{word}\b", text) for text in texts)} == words


def test_per_cent_without_a_blank() -> None:
    """No line begins with the sign alone: it stands at its number on every screen."""
    assert [numbers.percent_of(share) for share in (0.5, 0.004, 1)] == ["50%", "<1%", "100%"]
    texts = {id: text for id, sentence in catalogue.SENTENCES.items() for text in forms(sentence)}
    assert [id for id, text in texts.items() if "%" in text] == [], "`numbers.percent` writes it"
    recorded = {path.name: path.read_text(encoding="utf-8") for path in SCREENS.iterdir()}
    assert [name for name, text in recorded.items() if re.search(r"\D%|[<>] \d", text)] == []
    assert sum(len(re.findall(r"\d%", text)) for text in recorded.values()) > 20


def test_numbers_in_words() -> None:
    assert [numbers.spelled(number) for number in (0, 1, 10, 11)] == ["no", "one", "ten", "11"]
    assert [numbers.ordinal_word(number) for number in (1, 10, 11, 22)] == ["first", "tenth", "11th", "22nd"]
