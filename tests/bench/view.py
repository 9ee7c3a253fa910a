"""What it takes to find out whose a press is: our reading of its id, beside the view that discord.py would rebuild.

Both in turns over the same press, a key of a console with 13 cards, and as a share of what discord.py has done by
then: the event read and the interaction made. `make bench ARGS=load` with VIEW=on measures a whole bid both ways.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

import discord

from cogs.asked.made import asked_by
from cogs.client import GopsClient
from cogs.match import bids
from cogs.match import ids as match_ids
from tests.bench.measure import beside_the_first
from tests.bench.own_way_bot import rebuilt

PRESSES, REPETITIONS = 200, 30
PERSON = {"id": "3", "username": "ana", "discriminator": "0", "avatar": None}
BOT = {"id": "7", "username": "gops", "discriminator": "0", "avatar": None, "bot": True}
KEYS = [match_ids.card("K7Q2", 4, card) for card in range(1, 14)]


def press() -> str:
    """As the gateway brings it."""
    keys = [{"type": 2, "style": 2, "label": "A", "custom_id": key, "disabled": False, "id": 1} for key in KEYS]
    rows = [{"type": 1, "id": 1, "components": keys[start : start + 5]} for start in (0, 5, 10)]
    looks = [{**keys[0], "custom_id": match_ids.board("K7Q2", what)} for what in ("sheet", "rules", "more")]
    texts = [{"type": 10, "id": 1, "content": "x" * 200}, {"type": 14, "id": 1, "divider": True, "spacing": 1}]
    inside = [*texts, *rows, {"type": 1, "id": 1, "components": looks}]
    message: dict[str, Any] = {
        "id": "5",
        "channel_id": "8",
        "content": "",
        "type": 0,
        "timestamp": "2026-11-22T07:00:00+00:00",
        "author": BOT,
        "attachments": [],
        "embeds": [],
        "mentions": [],
        "mention_roles": [],
        "flags": 1 << 15,
        "edited_timestamp": None,
        "pinned": False,
        "tts": False,
        "mention_everyone": False,
        "components": [{"type": 17, "id": 1, "accent_color": None, "spoiler": False, "components": inside}],
    }
    return json.dumps(
        {
            "id": "1",
            "application_id": "7",
            "type": 3,
            "token": "t",
            "version": 1,
            "channel_id": "8",
            "user": PERSON,
            "channel": {"id": "8", "type": 1, "recipients": [PERSON]},
            "message": message,
            "data": {"custom_id": KEYS[12], "component_type": 2},
            "app_permissions": "0",
            "entitlements": [],
            "authorizing_integration_owners": {},
            "attachment_size_limit": 1,
        }
    )


def run() -> None:
    asyncio.run(measure())


async def measure() -> None:
    client: Any = GopsClient()
    client.services = None
    client.answer(bids.key_pressed)
    sent = press()

    def made() -> discord.Interaction[Any]:
        return discord.Interaction(data=json.loads(sent), state=client._connection)

    asked = asked_by(made())
    message = made().message
    assert message is not None
    assert client.presses.find(asked, KEYS[12]) is not None
    assert rebuilt(message, KEYS[12]) is not None
    ways: dict[str, Callable[[], object]] = {
        "the event read, the interaction made": made,
        "ours: the id read": lambda: client.presses.find(asked, KEYS[12]),
        "a DynamicItem: the view rebuilt": lambda: rebuilt(message, KEYS[12]),
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(REPETITIONS):
        for name, way in ways.items():  # in turns: whatever else the machine does meets all of them
            start = time.process_time()
            for _ in range(PRESSES):
                way()
            taken[name].append((time.process_time() - start) / PRESSES)
    beside_the_first(taken)
