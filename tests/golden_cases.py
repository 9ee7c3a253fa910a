"""The golden cases as data, and how a result is held against them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "golden"


def load(name: str) -> list[dict[str, Any]]:
    """The cases of one file."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def mismatch(expected: object, got: object, path: str = "result") -> str:
    """Where a result differs from what is expected of it; nothing if it fits. Objects may have more keys."""
    if isinstance(expected, Mapping):
        if not isinstance(got, Mapping):
            return f"{path}: {got!r} is not an object"
        for key, value in expected.items():
            if key not in got:
                return f"{path}.{key} is missing"
            if wrong := mismatch(value, got[key], f"{path}.{key}"):
                return wrong
        return ""
    if isinstance(expected, Sequence) and not isinstance(expected, str):
        if not isinstance(got, Sequence) or isinstance(got, str) or len(got) != len(expected):
            return f"{path}: expected {expected!r}, got {got!r}"
        for place, (want, have) in enumerate(zip(expected, got, strict=True)):
            if wrong := mismatch(want, have, f"{path}[{place}]"):
                return wrong
        return ""
    same = type(expected) is type(got) and expected == got
    return "" if same else f"{path}: expected {expected!r}, got {got!r}"
