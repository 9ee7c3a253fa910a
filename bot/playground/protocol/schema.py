"""Discord's own description of its API: request bodies are held to it, and in tests the answers too."""

import gzip
import json
import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bot.playground.protocol import refusal
from bot.playground.protocol.refusal import Where
from bot.playground.protocol.wire import Json, as_object

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


class Schema:
    """Validators per route and method, made when first needed. About 1 ms for a board's body."""

    def __init__(self, path: Path) -> None:
        from jsonschema import Draft202012Validator, validators
        from referencing import Registry, Resource
        from referencing.jsonschema import DRAFT202012

        description = read(path)
        # discord.py sends some ids as numbers, which Discord accepts; the description knows text only.
        ids = description["components"]["schemas"]["SnowflakeType"]
        ids["type"] = ["string", "integer"]
        # The faults inside a 50035 carry words, though the description has numbers for every error.
        description["components"]["schemas"]["Error"]["properties"]["code"]["type"] = ["integer", "string"]
        self._paths: Json = description["paths"]
        resource: Resource[Any] = Resource(contents=description, specification=DRAFT202012)
        registry: Registry[Any] = Registry()
        self._registry = registry.with_resource(_BASE, resource)
        self._schemas: Json = description["components"]["schemas"]
        plain = Draft202012Validator.VALIDATORS
        quick = {word: self._by_type(plain[word]) for word in ("oneOf", "anyOf")}
        extend: Any = validators.extend  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        self._make: Any = extend(Draft202012Validator, quick)
        self._known: dict[tuple[str, ...], Any] = {}

    def check_request(self, method: str, template: str, body: object) -> None:
        """Refuse a body that the description does not allow (50035)."""
        validator = self._validator(method, template, "requestBody", "content", "application/json", "schema")
        if validator is None:
            return
        faults = [
            (where, "BASE_TYPE_INVALID", text)
            for error in validator.iter_errors(body)
            for where, text in _deepest(error, ())
        ]
        if faults:
            raise refusal.invalid_form(faults)

    def answer_faults(self, method: str, template: str, status: int, body: object) -> list[str]:
        """What is wrong with an answer of the stand-in."""
        kind = str(status) if status < 400 else "4XX"
        steps = ("responses", kind, "content", "application/json", "schema")
        if status >= 400:
            pointer = "#/components/schemas/ErrorResponse"
            validator = self._at(("error",), pointer)
        else:
            validator = self._validator(method, template, *steps)
        if validator is None:
            return [] if body is None else [f"no body is described for {status}"]
        return [
            f"{list(where)}: {text}" for error in validator.iter_errors(body) for where, text in _deepest(error, ())
        ]

    def _by_type(self, plain: Any) -> Any:
        """`oneOf` and `anyOf` that look only at the alternative of the same `type`, where types decide.

        Components and callbacks nest alternatives of a dozen kinds each: trying them all takes ten times as
        long, and tells of faults in kinds that nobody meant.
        """

        def check(validator: Any, branches: list[Json], instance: Any, schema: Json) -> Iterator[Any]:
            given = as_object(instance)
            if given is not None and isinstance(given.get("type"), int):
                fitting = [one for one in branches if given["type"] in self._types(one)]
                if len(fitting) == 1:
                    yield from validator.descend(instance, fitting[0])
                    return
            yield from plain(validator, branches, instance, schema)

        return check

    def _types(self, branch: Json) -> list[Any]:
        """The values of `type` that an alternative names."""
        named = self._schemas.get(str(branch.get("$ref", "")).rpartition("/")[2], {})
        return named.get("properties", {}).get("type", {}).get("enum", [])

    def _validator(self, method: str, template: str, *steps: str) -> Any:
        place: Any = self._paths.get(template, {}).get(method.lower(), {})
        for step in steps:
            place = place.get(step)
            if place is None:
                return None
        pointer = "/".join(_escape(step) for step in ("paths", template, method.lower(), *steps))
        return self._at((method, template, *steps), f"#/{pointer}")

    def _at(self, key: tuple[str, ...], pointer: str) -> Any:
        if key not in self._known:
            self._known[key] = self._make({"$ref": f"{_BASE}{pointer}"}, registry=self._registry)
        return self._known[key]


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
