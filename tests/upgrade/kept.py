"""A stand-in for Discord and a database as text, and back."""

from __future__ import annotations

import base64
import dataclasses
import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

DATABASE, DISCORD = "database.sql", "discord.jsonl"

# --- Discord ------------------------------------------------------------------------------------------------


def write_discord(core: Any, file: Path) -> None:
    """Everybody and everything; each message is a line of its own, behind the line that holds the rest."""
    world = core.world
    held = {
        "offset": core.clock.offset,
        "users": world.users,
        "apps": list(world.apps),
        "tokens": {token: app.id for token, app in world.tokens.items()},
        "app": next(iter(world.apps.values())),
        "guilds": world.guilds,
        "channels": [
            dataclasses.replace(one, messages={}, ephemerals={}, recipients=tuple(one.recipients))
            for one in world.channels.values()
        ],
        "dms": [[list(key), id] for key, id in world._dms.items()],
        "commands": [[list(scope), commands] for scope, commands in core.registry._scopes.items()],
    }
    lines = [held, *_messages(world)]
    text = "\n".join(json.dumps(_plain(one), ensure_ascii=False, separators=(",", ":")) for one in lines)
    file.write_text(text + "\n", encoding="utf-8")


def _messages(world: Any) -> Iterator[Any]:
    for channel in world.channels.values():
        for where in ("messages", "ephemerals"):
            for message in getattr(channel, where).values():
                yield {"channel": channel.id, "where": where, "message": message}


def read_discord(core: Any, file: Path) -> float:
    """Put it back; how far the clock was."""
    world = core.world
    world.add_user("somebody")  # tells us where people and the rest are made
    made = sys.modules[type(world.users.popitem()[1]).__module__]
    held, *messages = [_real(json.loads(line), made) for line in file.read_text(encoding="utf-8").splitlines()]
    world.users |= held["users"]
    app = held["app"]
    app.user = world.users[app.id]
    world.apps[app.id] = app
    world.tokens |= dict.fromkeys(held["tokens"], app)
    world.guilds |= held["guilds"]
    world.channels |= {one.id: one for one in held["channels"]}
    world._dms |= {tuple(key): id for key, id in held["dms"]}
    core.registry._scopes |= {tuple(scope): commands for scope, commands in held["commands"]}
    for one in messages:
        message = one["message"]
        getattr(world.channels[one["channel"]], one["where"])[message.id] = message
        core.shelf.files |= {file.id: file for file in message.attachments}
    return held["offset"]


def _plain(value: Any) -> Any:
    """As JSON has it, with a mark where JSON has nothing of the kind."""
    match value:
        case bytes():
            return {"~": "bytes", "of": base64.b64encode(value).decode()}
        case datetime():
            return {"~": "time", "of": value.isoformat()}
        case tuple() | set():
            return {"~": type(value).__name__, "of": [_plain(one) for one in value]}
        case list():
            return [_plain(one) for one in value]
        case dict() if all(isinstance(key, str) for key in value):
            return {key: _plain(one) for key, one in value.items()}
        case dict():
            return {"~": "dict", "of": [[_plain(key), _plain(one)] for key, one in value.items()]}
        case bool() | None | str() | float():
            return value
        case int():
            return int(value)
        case _:
            usual = {one.name: one.default for one in dataclasses.fields(value)}
            held = {key: getattr(value, key) for key in usual}
            told = {key: _plain(one) for key, one in held.items() if one != usual[key] and one not in ([], {})}
            return {"~": type(value).__name__, **told}


def _real(value: Any, made: Any) -> Any:
    if isinstance(value, list):
        return [_real(one, made) for one in value]
    if not isinstance(value, dict):
        return value
    kind = value.get("~")
    held = {key: _real(one, made) for key, one in value.items() if key != "~"}
    match kind:
        case None:
            return held
        case "bytes":
            return base64.b64decode(value["of"])
        case "time":
            return datetime.fromisoformat(value["of"])
        case "tuple":
            return tuple(held["of"])
        case "set":
            return set(held["of"])
        case "dict":
            return dict(held["of"])
        case "Channel":
            return made.Channel(**{**held, "type": made.ChannelType(held["type"])})
        case "Message":
            return made.Message(**{**held, "type": made.MessageType(held.get("type", 0))})
        case _:
            return getattr(made, kind)(**held)


# --- the database -------------------------------------------------------------------------------------------


def write_database(database: Path, file: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        [version] = connection.execute("PRAGMA user_version").fetchone()
        file.write_text("\n".join([f"PRAGMA user_version = {version};", *connection.iterdump()]) + "\n", "utf-8")


def read_database(file: Path, database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(file.read_text(encoding="utf-8"))
