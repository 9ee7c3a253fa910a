"""The recorder itself: it loses nothing, and what is different it tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cogs.ui.reading import stray_markup
from tests.screens import recorder
from tests.screens.lines import changes, describe

BUTTON = {"type": 2, "style": 2, "label": "A", "custom_id": "g1:co:K7Q2:0:A"}
BODY = {"flags": 1 << 15, "content": "", "embeds": [], "files": [], "components": [{"type": 1, "components": [BUTTON]}]}


@pytest.mark.parametrize("change", [{"style": 1}, {"label": "B"}, {"custom_id": "g1:co:K7Q2:1:A"}, {"disabled": True}])
def test_no_part_of_a_button_is_lost(change: dict[str, object]) -> None:
    changed = {**BODY, "components": [{"type": 1, "components": [{**BUTTON, **change}]}]}
    assert describe(changed) != describe(BODY)


@pytest.mark.parametrize(
    "change", [{"flags": 1 << 6}, {"content": "x"}, {"files": ["a"]}, {"embeds": [{"title": "x"}]}]
)
def test_no_part_of_a_message_is_lost(change: dict[str, object]) -> None:
    assert describe({**BODY, **change}) != describe(BODY)


def test_of_a_long_message_only_the_changed_lines_are_told() -> None:
    before = [f"line {number}" for number in range(20)]
    assert changes(before, [*before[:3], "new", *before[4:]]) == ["@ 4-4", "new"]
    assert changes(before, ["short"]) == ["@ all", "short"]


def test_what_reads_otherwise_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(recorder.RENEW, raising=False)
    (tmp_path / "scene.txt").write_text("one\n== m1 in #games 0123\n", encoding="utf-8")
    recorder.compare(tmp_path / "scene.txt", "one\n== m1 in #games 0123\n", {})
    with pytest.raises(AssertionError, match=r"(?s)-== m1 in #games 0123\n\+== m1 in #games 4567\n    the whole"):
        recorder.compare(tmp_path / "scene.txt", "one\n== m1 in #games 4567\n", {"4567": ["the whole"]})
    with pytest.raises(AssertionError, match="never recorded"):
        recorder.compare(tmp_path / "another.txt", "one\n", {})


@pytest.mark.parametrize("path", sorted(recorder.FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_no_line_shows_its_markup(path: Path) -> None:
    """Discord reads small print and headings at the start of a line alone."""
    told = (line.lstrip().removeprefix("| ") for line in path.read_text("utf-8").splitlines() if "| " in line)
    assert stray_markup("\n".join(told)) == []


def test_markup_inside_a_line_is_found() -> None:
    assert stray_markup("-# small\n### #K7Q2 is over\n⚠ -# You typed: `-# x`") == ["⚠ -# You typed: `-# x`"]
    assert stray_markup("a ### b\na C# b") == ["a ### b"]
