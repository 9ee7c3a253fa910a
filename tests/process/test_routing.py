"""Which partition an interaction belongs to."""

from __future__ import annotations

from typing import Any

import pytest

from bot.process.routing import find_match, find_partition
from bot.referee.model.partitions import partition_of
from bot.ui.custom_ids import learning_ids, match_ids, records_ids

SERVER = "4711"
KEY = {"type": 2, "custom_id": match_ids.OPEN_CONSOLE.write("K7Q2")}


def press(custom_id: str, **message: Any) -> dict[str, Any]:
    return {"guild_id": SERVER, "data": {"custom_id": custom_id}, "message": message}


def choose(custom_id: str, value: str) -> dict[str, Any]:
    return {"guild_id": SERVER, "data": {"custom_id": custom_id, "values": [value]}}


def command(*options: dict[str, Any]) -> dict[str, Any]:
    return {"guild_id": SERVER, "data": {"name": "gops", "options": [*options]}}


def show(value: str) -> dict[str, Any]:
    return command({"name": "show", "options": [{"name": "match", "value": value}]})


def menu(**message: Any) -> dict[str, Any]:
    return {"guild_id": SERVER, "data": {"target_id": "9", "resolved": {"messages": {"9": message}}}}


@pytest.mark.parametrize(
    ("payload", "match"),
    [
        (press(KEY["custom_id"], content="the older match #AAAA"), "K7Q2"),
        (press(match_ids.CONFIRM.write("resign", "K7Q2", True), content="the older match #AAAA"), "K7Q2"),
        (choose(match_ids.games(0, "resign"), "K7Q2"), "K7Q2"),
        (choose(records_ids.open_match(), "K7Q2"), "K7Q2"),
        (choose("g1:other:menu", "7777"), ""),
        (show(" #k7q2 "), "K7Q2"),
        (show("Ana against"), ""),
        (press(learning_ids.PLAY.write("20600"), content="match #K7Q2"), "K7Q2"),
        (press("another bot's", components=[{"components": [{"accessory": KEY}]}]), "K7Q2"),
        (menu(content="#AAAA", components=[{"components": [KEY]}]), "K7Q2"),
        (menu(components=[{"components": [{"content": "Round 2 · #K7Q2"}]}]), "K7Q2"),
        (press(learning_ids.PUZZLE.write(2345, "next")), ""),
        (press(learning_ids.LESSON.write("2345", "1")), ""),
        (command({"name": "leaderboard"}), ""),
        ({"data": {"name": "gops"}}, ""),
    ],
)
def test_match_is_found_in_the_id_the_option_or_the_message(payload: dict[str, Any], match: str) -> None:
    assert find_match(payload) == match


def test_partition_is_that_of_the_match_and_else_of_the_server() -> None:
    assert find_partition(show("K7Q2")) == partition_of("K7Q2")
    assert find_partition(command()) == partition_of(SERVER)
    assert find_partition({"data": {"name": "gops"}}) is None
