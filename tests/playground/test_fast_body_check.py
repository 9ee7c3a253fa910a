"""The fast body check accepts the same bodies as jsonschema."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.playground.protocol import schema
from bot.playground.protocol.quick import Compiler, Unsure
from bot.playground.protocol.schema import Schema
from tests.playground.test_refusals import BAD, GOOD

MESSAGE = "#/components/schemas/MessageCreateRequest"
CALLBACK = (
    "#/paths/~1interactions~1{interaction_id}~1{interaction_token}~1callback/post"
    "/requestBody/content/application~1json/schema"
)
COMMANDS = "#/paths/~1applications~1{application_id}~1commands/put/requestBody/content/application~1json/schema"

COMMAND = {
    "type": 1,
    "name": "deal",
    "description": "Deal cards",
    "name_localizations": {"de": "geben"},
    "contexts": [0, 1],
    "integration_types": [0],
    "options": [
        {"type": 4, "name": "cards", "description": "How many", "required": True, "min_value": 1, "max_value": 13},
        {"type": 3, "name": "to", "description": "To whom", "choices": [{"name": "Ana", "value": "a"}]},
        {"type": 1, "name": "again", "description": "Once more", "options": []},
    ],
}
MODAL = {
    "title": "Say it",
    "custom_id": "m",
    "components": [{"type": 18, "label": "What", "component": {"type": 4, "custom_id": "w", "style": 1}}],
}

BODIES: list[tuple[str, Any]] = [
    *((MESSAGE, body) for body in (*GOOD.values(), *(body for body, _ in BAD.values()))),
    *((CALLBACK, {"type": 4, "data": body}) for body in GOOD.values()),
    (CALLBACK, {"type": 6}),
    (CALLBACK, {"type": 9, "data": MODAL}),
    (COMMANDS, [COMMAND, {"type": 2, "name": "Wave"}]),
]

INSTEAD: list[Any] = [None, True, False, 0, 1, 2, 17, -1, 1.0, 2.5, 10**20, "", "1", "x" * 5000, [], {}, [1, 1], ["a"]]
INSTEAD += [[0, 1], [{"type": 1}], {"type": 2}, {"type": True}, {"type": "1"}]
GONE = object()


@pytest.fixture(scope="module")
def described() -> Schema:
    path = schema.find()
    assert path is not None
    return schema.described(path)


def places(value: Any) -> Iterator[list[Any]]:
    yield []
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from ([key, *more] for more in places(one))


@st.composite
def changed(draw: st.DrawFn) -> tuple[str, Any]:
    """Build a body with parts exchanged or deleted."""
    pointer, body = draw(st.sampled_from(BODIES))
    made = [copy.deepcopy(body)]
    *way, last = [0, *draw(st.sampled_from(list(places(body))))]
    home: Any = made
    for step in way:
        home = home[step]
    instead = draw(st.sampled_from([*INSTEAD, GONE] if way else INSTEAD))
    if instead is GONE:
        del home[last]
    else:
        home[last] = instead
    return pointer, made[0]


@given(st.sampled_from(BODIES) | changed())
def test_fast_check_agrees_with_jsonschema(described: Schema, body: tuple[str, Any]) -> None:
    pointer, value = body
    assert described.fits(pointer, value) is described._validator(pointer).is_valid(value)


def test_good_bodies_pass_the_fast_check(described: Schema) -> None:
    for pointer, body in BODIES[: len(GOOD)]:
        assert described.fits(pointer, body)


def test_fast_check_knows_every_keyword_of_the_description(described: Schema) -> None:
    """An unknown keyword would send every body to the slow check."""
    words: set[str] = set()

    def collect(one: Any) -> None:
        match one:
            case dict() if "properties" in one and isinstance(one["properties"], dict):
                collect({key: more for key, more in one.items() if key != "properties"})
                collect(list(one["properties"].values()))
            case dict():
                words.update(one)
                collect([more for key, more in one.items() if key not in ("const", "enum")])
            case list():
                for more in one:
                    collect(more)
            case _:
                pass

    collect(list(described._description["components"]["schemas"].values()))
    for word in words:
        made = Compiler({"part": {word: []}})
        try:
            made.at("#/part")({})
        except Unsure:
            pytest.fail(word)
        except (KeyError, TypeError, AttributeError, ValueError):
            pass  # known, and given something that it cannot use


def test_fast_check_leaves_unknown_keywords_undecided() -> None:
    with pytest.raises(Unsure):
        Compiler({"part": {"dependentRequired": {}}}).at("#/part")({})
    with pytest.raises(Unsure):
        Compiler({"part": {"uniqueItems": True}}).at("#/part")([[1], [1]])
