"""The description that `schema` holds bodies to, made into functions that say yes or no and nothing else.

Nearly every body fits, and then nobody asks where it does not. A yes costs a hundredth of a search for faults.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from bot.playground.protocol.wire import Json, as_object, items

Fits = Callable[[Any], bool]

ONLY_TELLS = {"title", "description", "format", "contentEncoding", "x-discord-union"}


class Unsure(Exception):
    """Something that is not decided here."""


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return _is_number(value) and (isinstance(value, int) or value.is_integer())


_IS: dict[str, Fits] = {
    "string": lambda value: isinstance(value, str),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": _is_number,
    "integer": _is_whole,
}

_LIMITS: dict[str, tuple[Fits, Callable[[Any, Any], bool]]] = {
    "minLength": (_IS["string"], lambda value, least: len(value) >= least),
    "maxLength": (_IS["string"], lambda value, most: len(value) <= most),
    "pattern": (_IS["string"], lambda value, pattern: re.search(pattern, value) is not None),
    "minItems": (_IS["array"], lambda value, least: len(value) >= least),
    "maxItems": (_IS["array"], lambda value, most: len(value) <= most),
    "minProperties": (_IS["object"], lambda value, least: len(value) >= least),
    "maxProperties": (_IS["object"], lambda value, most: len(value) <= most),
    "minimum": (_is_number, lambda value, least: value >= least),
    "maximum": (_is_number, lambda value, most: value <= most),
    "required": (_IS["object"], lambda value, keys: all(key in value for key in keys)),
}
"""for each of these words, what it is about, and whether the limit is kept"""


class Compiler:
    """Makes a function of any part of the description, once."""

    def __init__(self, description: Json) -> None:
        self._description = description
        self._made: dict[str, Fits] = {}

    def at(self, pointer: str) -> Fits:
        """What stands at `#/components/schemas/...`."""
        if pointer not in self._made:
            self._made[pointer] = lambda value: self._made[pointer](value)  # for parts that contain themselves
            self._made[pointer] = self._schema(self._find(pointer))
        return self._made[pointer]

    def by_type(self, branches: Sequence[Json]) -> Callable[[object], int | None]:
        """Which of these alternatives is the only one that names the `type` of an object."""
        places: dict[int, list[int]] = {}
        for place, branch in enumerate(branches):
            for one in self._types(branch):
                places.setdefault(one, []).append(place)

        def find(value: object) -> int | None:
            given = as_object(value)
            kind = None if given is None else given.get("type")
            found = places.get(kind, ()) if isinstance(kind, int) else ()
            return found[0] if len(found) == 1 else None

        return find

    def _types(self, branch: Json) -> list[int]:
        pointer = str(branch.get("$ref", ""))
        named: Json = self._find(pointer) if pointer else {}
        return named.get("properties", {}).get("type", {}).get("enum", [])

    def _find(self, pointer: str) -> Any:
        place: Any = self._description
        for step in pointer.removeprefix("#/").split("/"):
            place = place[step.replace("%7B", "{").replace("%7D", "}").replace("~1", "/").replace("~0", "~")]
        return place

    def _schema(self, schema: Any) -> Fits:
        if isinstance(schema, bool):
            return lambda _: schema
        return _all([self._word(word, given, schema) for word, given in schema.items() if word not in ONLY_TELLS])

    def _word(self, word: str, given: Any, schema: Json) -> Fits:
        """What one word of a schema asks for."""
        match word:
            case "$ref":
                return self.at(given)
            case "type":
                return _any([_IS[one] for one in ([given] if isinstance(given, str) else given)])
            case "const":
                return _one_of([given])
            case "enum":
                return _one_of(given)
            case "properties":
                return _properties({key: self._schema(one) for key, one in given.items()})
            case "additionalProperties":
                return _others(frozenset(schema.get("properties", ())), self._schema(given))
            case "items":
                each = self._schema(given)
                return lambda value: all(map(each, items(value)))
            case "allOf":
                return _all([self._schema(one) for one in given])
            case "oneOf" | "anyOf":
                return self._alternatives(given, [1] if word == "oneOf" else range(1, len(given) + 1))
            case "uniqueItems":
                return _are_unique if given else lambda _: True
            case _ if word in _LIMITS:
                concerns, holds = _LIMITS[word]
                return lambda value: not concerns(value) or holds(value, given)
            case _:
                return _unsure

    def _alternatives(self, branches: list[Json], wanted: Sequence[int]) -> Fits:
        """So many of them fit; of those whose `type` decides, the one that it is."""
        if all(set(one) - ONLY_TELLS == {"const"} for one in branches):
            return _one_of([one["const"] for one in branches])
        made = [self._schema(one) for one in branches]
        find = self.by_type(branches)

        def fits(value: Any) -> bool:
            place = find(value)
            return made[place](value) if place is not None else sum([one(value) for one in made]) in wanted

        return fits


def _all(checks: Sequence[Fits]) -> Fits:
    def fits(value: Any) -> bool:
        for check in checks:  # noqa: SIM110 - half the time of a generator
            if not check(value):
                return False
        return True

    return checks[0] if len(checks) == 1 else fits


def _any(checks: Sequence[Fits]) -> Fits:
    return checks[0] if len(checks) == 1 else lambda value: any(check(value) for check in checks)


def _properties(known: dict[str, Fits]) -> Fits:
    def fits(value: Any) -> bool:
        return all(known[key](one) for key, one in (as_object(value) or {}).items() if key in known)

    return fits


def _others(named: frozenset[str], check: Fits) -> Fits:
    """Of an object that has more than is named."""

    def fits(value: Any) -> bool:
        return all(check(one) for key, one in (as_object(value) or {}).items() if key not in named)

    return fits


def _one_of(known: Sequence[Any]) -> Fits:
    """As JSON compares: 1 is 1.0 and not true."""
    wanted = {(isinstance(one, bool), one) for one in known}

    def fits(value: Any) -> bool:
        return not isinstance(value, list | dict) and (isinstance(value, bool), value) in wanted

    return fits


def _are_unique(value: Any) -> bool:
    inner = items(value)
    if not all(type(one) in (str, int) for one in inner):
        raise Unsure
    return len(set(inner)) == len(inner)


def _unsure(value: Any) -> bool:
    raise Unsure
