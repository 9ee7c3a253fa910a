"""Discord's own description of its API: request bodies are held to it, and in tests the answers too."""

import gzip
import json
import os
from collections.abc import Iterator
from functools import cache, cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bot.playground.protocol import refusal
from bot.playground.protocol.quick import Compiler, Unsure
from bot.playground.protocol.refusal import Where
from bot.playground.protocol.wire import Json

ENVIRONMENT = "DISCORD_OPENAPI"
"""names the file, as it is or packed with gzip"""
_BASE = "urn:discord"


def find() -> Path | None:
    """The description that the environment names, if it is there and can be used."""
    if find_spec("jsonschema") is None:
        return None
    named = os.environ.get(ENVIRONMENT)
    return Path(named) if named and Path(named).is_file() else None


def read(path: Path) -> Json:
    data = path.read_bytes()
    return json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)


@cache
def described(path: Path) -> "Schema":
    """One for all who hold bodies to the same description."""
    return Schema(path)


class Schema:
    """What fits is found out by `quick`; only for what does not, a validator of its route looks for every fault."""

    def __init__(self, path: Path) -> None:
        description = read(path)
        # discord.py sends some ids as numbers, which Discord accepts; the description knows text only.
        ids = description["components"]["schemas"]["SnowflakeType"]
        ids["type"] = ["string", "integer"]
        # The faults inside a 50035 carry words, though the description has numbers for every error.
        description["components"]["schemas"]["Error"]["properties"]["code"]["type"] = ["integer", "string"]
        self._description = description
        self._quick = Compiler(description)
        self._known: dict[str, Any] = {}

    def check_request(self, method: str, template: str, body: object) -> None:
        """Refuse a body that the description does not allow (50035)."""
        pointer = self._pointer(method, template, "requestBody", "content", "application/json", "schema")
        if pointer is None:
            return
        faults = [(where, "BASE_TYPE_INVALID", text) for where, text in self.faults(pointer, body)]
        if faults:
            raise refusal.invalid_form(faults)

    def answer_faults(self, method: str, template: str, status: int, body: object) -> list[str]:
        """What is wrong with an answer of the stand-in."""
        if status >= 400:
            pointer = "#/components/schemas/ErrorResponse"
        else:
            pointer = self._pointer(method, template, "responses", str(status), "content", "application/json", "schema")
        if pointer is None:
            return [] if body is None else [f"no body is described for {status}"]
        return [f"{list(where)}: {text}" for where, text in self.faults(pointer, body)]

    def faults(self, pointer: str, body: object) -> Iterator[tuple[Where, str]]:
        """Every fault of a body, by what stands at that place of the description."""
        if not self.fits(pointer, body):
            for error in self._validator(pointer).iter_errors(body):
                yield from _deepest(error, ())

    def fits(self, pointer: str, body: object) -> bool:
        """Whether it surely fits."""
        try:
            return self._quick.at(pointer)(body)
        except Unsure:
            return False

    def _pointer(self, method: str, template: str, *steps: str) -> str | None:
        """Where the description tells of this part of a route, if it does."""
        place: Any = self._description["paths"].get(template, {}).get(method.lower(), {})
        for step in steps:
            place = place.get(step)
            if place is None:
                return None
        return "#/" + "/".join(_escape(step) for step in ("paths", template, method.lower(), *steps))

    def _validator(self, pointer: str) -> Any:
        if pointer not in self._known:
            self._known[pointer] = self._make({"$ref": f"{_BASE}{pointer}"})
        return self._known[pointer]

    @cached_property
    def _make(self) -> Any:
        """Makes validators: about 1 ms for a board's body."""
        from jsonschema import Draft202012Validator, validators
        from referencing import Registry, Resource
        from referencing.jsonschema import DRAFT202012

        resource: Resource[Any] = Resource(contents=self._description, specification=DRAFT202012)
        empty: Registry[Any] = Registry()
        registry = empty.with_resource(_BASE, resource)
        plain = Draft202012Validator.VALIDATORS
        by_type = {word: self._by_type(plain[word]) for word in ("oneOf", "anyOf")}
        extend: Any = validators.extend  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        return partial(extend(Draft202012Validator, by_type), registry=registry)

    def _by_type(self, plain: Any) -> Any:
        """`oneOf` and `anyOf` that look only at the alternative of the same `type`, where types decide.

        Components and callbacks nest alternatives of a dozen kinds each: trying them all takes ten times as
        long, and tells of faults in kinds that nobody meant.
        """

        def check(validator: Any, branches: list[Json], instance: Any, schema: Json) -> Iterator[Any]:
            place = self._quick.by_type(branches)(instance)
            if place is None:
                yield from plain(validator, branches, instance, schema)
            else:
                yield from validator.descend(instance, branches[place])

        return check


def _escape(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D")


def _deepest(error: Any, above: Where) -> Iterator[tuple[Where, str]]:
    """The place and words of a fault; of alternatives, those of the one that came closest."""
    where = (*above, *error.relative_path)
    if not error.context:
        yield where, str(error.message)[:300]
        return
    branches: dict[Any, list[Any]] = {}
    for inner in error.context:
        branches.setdefault(inner.relative_schema_path[0], []).append(inner)
    best = min(branches.values(), key=_distance)
    for inner in best:
        yield from _deepest(inner, where)


def _distance(errors: list[Any]) -> tuple[bool, int]:
    """How far a branch is from fitting: one whose `type` is another altogether is farthest."""
    wrong_kind = any(list(error.relative_path) == ["type"] for error in errors)
    return wrong_kind, len(errors)
