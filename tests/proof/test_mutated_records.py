"""Mutated records never give a traceback, and give exit 0 only if no covered value changed."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.record.record import RecordError
from bot.referee.proof.version2 import COVERED
from bot.referee.verify.check import verify_text
from bot.referee.verify.findings import Report
from tests.proof.author import Author, nth
from tests.proof.forgeries import FOLDER, duel

UNCOVERED = {"players", "times"}

BASES: list[dict[str, Any]] = [
    duel().play().written(),
    Author("classic", {"cards": 4}, 3).play(turns=1).leave(2).play().written(),
    Author("classic", {"cards": 4, "open": "draft"}, 2).play(nth(5)).written(),
    Author("pico").play().written(),
    duel().play(turns=2).leave(1).written(),
    json.loads((FOLDER / "honest-practice.json").read_text(encoding="utf-8")),
]
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 20),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=True),
    st.sampled_from(["", "A", "forced", "♠", "0" * 64, "ab" * 32, "classic", "resigned", "house:sly", "101", "\ud800"]),
    st.builds(list),
    st.builds(dict),
    st.lists(st.integers(0, 9), max_size=6),
    st.dictionaries(st.sampled_from(["pick", "hash", "kind", "version"]), st.integers(0, 3), max_size=2),
)

Path = tuple[Any, ...]


def paths(value: Any, above: Path = ()) -> list[Path]:
    """Every place in a document."""
    found = [above] if above else []
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return found + [path for key, one in inner for path in paths(one, (*above, key))]


PATHS = [paths(base) for base in BASES]


def parent(record: Any, path: Path) -> Any:
    for key in path[:-1]:
        record = record[key]
    return record


def replaced(record: Any, path: Path, value: Any, _: Path) -> None:
    parent(record, path)[path[-1]] = value


def removed(record: Any, path: Path, value: Any, _: Path) -> None:
    del parent(record, path)[path[-1]]


def added(record: Any, path: Path, value: Any, _: Path) -> None:
    inside = parent(record, path)
    if isinstance(inside, list):
        inside.insert(path[-1], value)
    else:
        inside["added"] = value


def doubled(record: Any, path: Path, value: Any, _: Path) -> None:
    inside = parent(record, path)
    if isinstance(inside, list):
        inside.insert(path[-1], deepcopy(inside[path[-1]]))


def moved(record: Any, path: Path, value: Any, other: Path) -> None:
    """Two parts of the document change places."""
    one, two = parent(record, path), parent(record, other)
    one[path[-1]], two[other[-1]] = two[other[-1]], one[path[-1]]


WAYS: list[Callable[[Any, Path, Any, Path], None]] = [replaced, removed, added, doubled, moved]


def looked_at(text: str) -> Report | None:
    """Return the report on a text, or None if the text cannot be read."""
    try:
        return verify_text(text)
    except (RecordError, ValueError):
        return None


def covered(record: dict[str, Any]) -> str:
    """All that is covered, as text: true is not 1."""
    return json.dumps({key: record.get(key) for key in (*COVERED, "fairness")}, sort_keys=True)


def test_unchanged_base_records_verify() -> None:
    for base in BASES:
        report = looked_at(json.dumps(base))
        assert report is not None
        assert report.code == (0 if "version" in base["fairness"] else 3)


@pytest.mark.parametrize("agreement", [None, 5, "hash", ["hash"], {}], ids=str)
def test_broken_agreement_fails_verification(agreement: object) -> None:
    for base in BASES:
        if "version" in base["fairness"]:
            report = looked_at(json.dumps({**base, "fairness": {**base["fairness"], "agreement": agreement}}))
            assert report is not None
            assert report.code not in (0, 3)


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_mutated_record_verifies_only_if_no_covered_value_changed(data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(BASES) - 1))
    true = BASES[number]
    record = deepcopy(true)
    for _ in range(data.draw(st.sampled_from([1, 1, 1, 2, 3]))):
        path, other = data.draw(st.sampled_from(PATHS[number])), data.draw(st.sampled_from(PATHS[number]))
        way = data.draw(st.sampled_from(WAYS))
        try:
            way(record, path, data.draw(VALUES), other)
        except (KeyError, IndexError, TypeError):
            return  # an earlier change took that place away
    try:
        text = json.dumps(record)
    except ValueError:
        return  # a part was moved into itself
    report = looked_at(text)
    if text == json.dumps(true) or report is None:
        return
    assert all(one.what and one.line for one in report.findings)
    if report.code == 0:
        assert covered(record) == covered(true), [one.line for one in report.findings]


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(BASES) - 2), st.data())
def test_mutated_text_verifies_only_if_no_covered_value_changed(number: int, data: st.DataObject) -> None:
    """A few characters are replaced or deleted."""
    text = json.dumps(BASES[number])
    at = data.draw(st.integers(0, len(text) - 1))
    size = data.draw(st.integers(0, 3))
    instead = data.draw(st.text('0123456789abcdef"{}[],:.-eE \\tn', max_size=3))
    changed = text[:at] + instead + text[at + size :]
    report = looked_at(changed)
    if report is not None and report.code == 0:
        after = json.loads(changed)
        assert covered(after) == covered(BASES[number])


@pytest.mark.parametrize("key", sorted(UNCOVERED))
def test_uncovered_fields_may_change(key: str) -> None:
    record = deepcopy(BASES[0])
    record[key] = [{"seat": 0, "name": "Somebody else ♠", "at": 1.5}]
    assert verify_text(json.dumps(record)).code == 0


def test_layout_of_the_record_may_change() -> None:
    text = json.dumps(BASES[0], indent=3, sort_keys=True).replace('"K7Q2"', '"\\u004b7Q2"')
    assert verify_text(text).code == 0
