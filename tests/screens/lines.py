"""A message as lines that lose nothing of it, and of a later version only what became different."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Sequence
from typing import Any

Json = dict[str, Any]

BUTTON = 2
STYLES = {1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link"}
FLAGS = {1 << 2: "no embeds", 1 << 6: "private", 1 << 7: "thinking", 1 << 12: "silent", 1 << 15: "v2"}


def describe(body: Json) -> list[str]:
    """Flags, text, embeds, components, files."""
    flags = [word for bit, word in FLAGS.items() if body["flags"] & bit]
    lines = [" ".join(["message", *flags])]
    lines += [f"| {line}" for line in body["content"].split("\n") if body["content"]]
    lines += [f"embed {_json(one)}" for one in body["embeds"]]
    for one in body["components"]:
        lines += component(one)
    return lines + [f"file {one}" for one in body["files"]]


def component(one: Json) -> Iterator[str]:
    rest = {
        key: value for key, value in one.items() if key not in ("id", "type") and value not in (None, [], {}, False)
    }
    match one["type"]:
        case 10:
            yield from (f"| {line}" for line in rest.pop("content").split("\n"))
            if rest:
                yield f"^ {_json(rest)}"
        case 1:
            children = rest.pop("components")
            yield from row(children) if all(child["type"] == BUTTON for child in children) else _tree("row", children)
            if rest:
                yield f"^ {_json(rest)}"
        case 2:
            yield f"button {button(one, '')}"
        case 3:
            options = rest.pop("options")
            yield f"select {_json(rest)}"
            yield from (f"  option {_json({key: value for key, value in one.items() if value})}" for one in options)
        case 9:
            children, accessory = rest.pop("components"), rest.pop("accessory")
            yield from _tree(_titled("section", rest), [*children, accessory])
        case 12:
            yield f"gallery {_json([item.get('description') for item in rest['items']])}"
        case 13:
            yield f"download {rest['name']}"
        case 14:
            yield f"line {_json(rest)}"
        case 17:
            yield from _tree(_titled("box", rest), rest.pop("components"))
        case kind:
            yield f"component {kind} {_json(rest)}"


def row(buttons: Sequence[Json]) -> Iterator[str]:
    """Buttons side by side: how their ids begin is told once, and an id's end only where it is not the label."""
    ids = [one["custom_id"] for one in buttons if "custom_id" in one]
    common = ids[0].rpartition(":")[0] + ":" if ids else ""
    if not all(id.startswith(common) for id in ids):
        common = ""
    yield " ".join(["row", common or "-", *(button(one, common) for one in buttons)])


def button(one: Json, common: str) -> str:
    label = one.get("label", "")
    id = one.get("custom_id", one.get("url", "")).removeprefix(common)
    known = ("id", "type", "label", "custom_id", "url", "style", "disabled")
    rest = {key: value for key, value in one.items() if key not in known and value is not None}
    style = STYLES[one["style"]]
    return "".join(
        [
            "(" if one.get("disabled") else "[",
            label,
            "" if id == label else f" ={id}",
            "" if style == "secondary" else f" {style}",
            f" {_json(rest)}" if rest else "",
            ")" if one.get("disabled") else "]",
        ]
    )


def changes(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Which lines became which; the whole if that is no longer."""
    told: list[str] = []
    for what, start, end, begin, stop in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if what != "equal":
            told.append(f"@ {start + 1}-{end}" if end > start else f"@ after {start}")
            told += after[begin:stop]
    return told if len("\n".join(told)) < 0.8 * len("\n".join(after)) else ["@ all", *after]


def _tree(title: str, children: Sequence[Json]) -> Iterator[str]:
    yield title
    for child in children:
        yield from (f"  {line}" for line in component(child))


def _titled(name: str, rest: Json) -> str:
    told = {key: value for key, value in rest.items() if key not in ("components", "accessory")}
    return f"{name} {_json(told)}" if told else name


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
