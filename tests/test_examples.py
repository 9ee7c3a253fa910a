"""Examples of commands in the README and the docs: each can be typed, and the bot takes it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from bot.commands.sync import payload
from bot.errors import RefereeError
from bot.interactions.shared.challenge_options import find_game
from bot.referee.clock.quiet_hours import read_hours, read_zone
from bot.referee.lobby.setups import Wish, make_setup
from bot.referee.match.reminders import read_reminders
from bot.referee.model.guild_settings import GuildSettings
from tests.conftest import ROOT

PAPERS = sorted(path for pattern in ("*.md", "docs/*.md") for path in ROOT.glob(pattern) if path.name != "CHANGELOG.md")
OWN_GAMES = {"Evens"}
"""games that a page shows how to add"""

GROUP, INTEGER, USER = 2, 4, 6
"""types of Discord's options"""

Command = Mapping[str, Any]


def take_options(words: str) -> None:
    make_setup(Wish(words=words), 2, GuildSettings(1))


def take_game(name: str) -> None:
    if name not in OWN_GAMES:
        find_game(name)


TAKEN: Mapping[str, Callable[[str], object]] = {
    "options": take_options,
    "game": take_game,
    "quiet": read_hours,
    "zone": read_zone,
    "warnings": read_reminders,
}
"""how the bot reads what is typed freely"""


def examples() -> Iterator[tuple[str, str]]:
    """Every code span that is a command, or one option with its value."""
    for path in PAPERS:
        text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for span in re.findall(r"`([^`]+)`", text):
            if span.startswith("/gops") or re.match(r"[a-z]{3,}: ?[^\s/]", span):
                yield path.name, " ".join(span.split())


@pytest.fixture(scope="module")
def commands() -> list[Command]:
    found: list[Command] = [one for one in asyncio.run(payload()) if one.get("type", 1) == 1]
    return found


def leaves(command: Command) -> Iterator[Command]:
    nested = [one for one in command.get("options", ()) if one["type"] <= GROUP]
    if not nested:
        yield command
    for one in nested:
        yield from leaves(one)


def check_value(option: Command, value: str) -> None:
    if "choices" in option:
        assert value in [choice["name"] for choice in option["choices"]]
    elif option["type"] == INTEGER:
        assert option["min_value"] <= int(value) <= option["max_value"]
    else:
        TAKEN[option["name"]](value)


def check_command(commands: list[Command], words: list[str], rest: str) -> None:
    """Walk down the names, then read what is typed behind them."""
    [command] = [one for one in commands if one["name"] == words[0]]
    if len(words) > 1 and command.get("options", [{"type": 3}])[0]["type"] <= GROUP:
        check_command(command["options"], words[1:], rest)
        return
    people = " ".join(words[1:])
    options = {option["name"]: option for option in command.get("options", ())}
    if people:  # the first option, which is asked for
        first = next(iter(options.values()))
        assert first["type"] == USER
        assert first["required"]
    for name, value in split_options(rest):
        check_value(options[name], value)


def split_options(text: str) -> list[tuple[str, str]]:
    """Names and values; a colon before a space belongs to a value."""
    return re.findall(r"(\w+):(?=\S)(.*?)(?=\s+\w+:\S|$)", text)


@pytest.mark.parametrize(("page", "example"), sorted(set(examples())))
def test_example_of_a_page_is_accepted(commands: list[Command], page: str, example: str) -> None:
    if example.startswith("/"):
        names, colon, _ = example[1:].partition(":")
        words = names.split()
        first = words.pop() if colon else ""
        check_command(commands, words, example[example.index(f"{first}:") :] if colon else "")
        return
    typed = split_options(example)
    assert len(typed) == 1
    name, value = typed[0]
    options = [
        one for command in commands for leaf in leaves(command) for one in leaf["options"] if one["name"] == name
    ]
    check_value(options[0], value)


@pytest.mark.parametrize(
    "example", ["options:blind bids, row size 4", "where:All the board", "cards:50", "/gops preferences quiet:99"]
)
def test_wrong_example_is_found(commands: list[Command], example: str) -> None:
    with pytest.raises((AssertionError, RefereeError)):
        test_example_of_a_page_is_accepted(commands, "README.md", example)


def test_examples_are_found_on_every_page() -> None:
    assert {"README.md", "players.md", "servers.md", "playground.md"} <= {page for page, _ in examples()}
