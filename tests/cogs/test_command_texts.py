"""What Discord shows of the commands: short enough for translations, with the default of each option."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from bot.commands.sync import payload
from bot.interactions.shared.challenge_options import list_level_rows

MOST_CHARACTERS = 5_700
"""Discord takes 8,000 of the longest translation; German and French need a third more than English"""
MOST_CHILDREN = 24
"""Discord takes 25 subcommands and groups"""

WITHOUT_DEFAULT = {"record", "reason", "quiet", "zone", "warnings"}
"""options that mean nothing when they are left out, or change nothing"""


@pytest.fixture(scope="module")
def gops() -> dict[str, Any]:
    return next(one for one in asyncio.run(payload()) if one["name"] == "gops")


def walk(entry: dict[str, Any], name: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the command, its subcommands and their options, with their whole names."""
    whole = f"{name} {entry['name']}".strip()
    yield whole, entry
    for option in entry.get("options", ()):
        yield from walk(option, whole)


def count_characters(gops: dict[str, Any]) -> int:
    """Count as Discord does: names, descriptions, and names and values of choices."""
    choices = [choice for _, entry in walk(gops) for choice in entry.get("choices", ())]
    named = sum(len(entry["name"]) + len(entry["description"]) for _, entry in walk(gops))
    return named + sum(len(choice["name"]) + len(str(choice["value"])) for choice in choices)


def test_translations_have_room(gops: dict[str, Any]) -> None:
    assert count_characters(gops) <= MOST_CHARACTERS
    assert len(gops["options"]) <= MOST_CHILDREN


def test_each_option_names_its_default(gops: dict[str, Any]) -> None:
    optional = {name: one for name, one in walk(gops) if one.get("type", 1) > 2 and not one.get("required")}
    silent = {name for name, one in optional.items() if "(default: " not in one["description"]}
    assert len(optional) > 40
    assert {name.split()[-1] for name in silent} <= WITHOUT_DEFAULT, silent


def test_house_levels_say_how_strong_they_are() -> None:
    assert [name for name, _ in list_level_rows()] == [
        "Random (easiest)",
        "Matcher (easy)",
        "Sly (medium)",
        "Reader (hard)",
        "Hawk (very hard)",
        "Sage (strongest)",
    ]
