"""Which process handles an interaction: the owner of the partition that it is about.

An interaction arrives at any process. What is about no match and no server is handled where it arrives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bot.referee.model.partitions import partition_of
from bot.ui.custom_ids import match_ids, records_ids, shapes

Payload = Mapping[str, Any]


MENUS = (match_ids.GAMES.verb, records_ids.OPEN.verb)
"""Verbs of menus of matches."""


def find_partition(payload: Payload) -> int | None:
    """Return the partition that an interaction is about: that of its match, or else of its server; None without any."""
    key = find_match(payload) or payload.get("guild_id")
    return partition_of(key) if key else None


def find_match(payload: Payload) -> str:
    """Return the code of the match that an interaction is about: of the pressed custom id, of the match chosen in a
    menu, of the option `match`, or of the message that was pressed or chosen. Return an empty string if there is
    none."""
    data: Payload = payload.get("data") or {}
    return (
        shapes.find_match(data.get("custom_id") or "")
        or _find_chosen(data)
        or _find_option(data)
        or _find_in_message(payload.get("message") or _find_chosen_message(data))
    )


def _find_chosen(data: Payload) -> str:
    verb, _ = shapes.read_id(data.get("custom_id")) or ("", "")
    value = next(iter(data.get("values") or ()), "") if verb in MENUS else ""
    return value if re.fullmatch(shapes.MATCH, value) else ""


def _find_option(data: Payload) -> str:
    for option in data.get("options") or ():
        if option.get("name") == "match" and isinstance(value := option.get("value"), str):
            code = value.strip().lstrip("#").upper()
            return code if re.fullmatch(shapes.MATCH, code) else ""
        if found := _find_option(option):
            return found
    return ""


def _find_chosen_message(data: Payload) -> Payload:
    """Return the message whose menu was used."""
    resolved: Payload = data.get("resolved") or {}
    messages: Payload = resolved.get("messages") or {}
    chosen: Payload | None = messages.get(str(data.get("target_id")))
    return chosen or {}


def _find_in_message(message: Payload) -> str:
    """Return the match that the keys of a message name, or else the first one in its text."""
    parts = [*_walk(message)]
    named = [shapes.find_match(part["custom_id"]) for part in parts if part.get("custom_id")]
    written = [found[1] for part in parts if (found := shapes.CODE.search(part.get("content") or ""))]
    return next(filter(None, (*named, *written)), "")


def _walk(part: Payload) -> Iterator[Payload]:
    """Yield a message or component, and every component in it."""
    yield part
    inside: list[Payload | None] = [*(part.get("components") or ()), part.get("accessory")]
    for each in inside:
        if each:
            yield from _walk(each)
