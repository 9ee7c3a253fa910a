"""Fill a database with live matches, without the referee or the store, which are what a bench measures."""

import random
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from bot.referee.model.partitions import partition_of
from data.sql.schema import load_migrations
from data.sqlite.migrate import migrate
from tests.bench.shapes import CHANNEL, GUILD, board_id, console_id, dm_id, person_id, written

CLOCK = 600
"""seconds for a bid: long enough that no deadline and no reminder falls into a run"""
CARDS = list(range(1, 14))
MANY = 1_000_000

_DIGITS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"


def match_id(number: int) -> str:
    return "".join(_DIGITS[number >> 5 * place & 31] for place in range(3, -1, -1))


def fill(database: Path, matches: int) -> None:
    """Matches of two with 13 cards, a board and two consoles by DM each, all of them up to date; nobody has bid yet."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        migrate(connection, load_migrations())
        connection.execute("BEGIN")
        _put(
            *(connection, "guilds"),
            *{"guild": GUILD, "game": "classic", "clock": CLOCK, "rated": 1, "place": "dm", "boards": MANY}.items(),
            *{
                "matches": MANY,
                "channels": "[]",
                "roles": "[]",
                "result_lines": 1,
                "cards": "symbols",
                "options": "",
                "log_channel": 0,
                "version": 0,
                "seasons": "off",
                "champions": 0,
                "daily_channel": 0,
                "waiting_channel": 0,
                "search_role": 0,
                "bands": "[]",
                "threads": 0,
            }.items(),
        )
        chance = random.Random(1)
        for number in range(matches):
            _match(connection, number, chance)
        connection.execute("COMMIT")


def channel_of(number: int) -> int:
    """Eight boards a channel, as servers have it unless they say otherwise."""
    return CHANNEL + number // 8


def put_on_board(database: Path, matches: int, channel: Callable[[int], int] = channel_of) -> None:
    """The same matches with keys on their boards, and no consoles."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        migrate(connection, load_migrations())
        connection.execute("BEGIN")
        connection.execute("DELETE FROM surfaces WHERE kind = 2")
        for table in ("matches", "lobbies"):
            connection.execute(f"UPDATE {table} SET place = 'board'")
        for number in range(matches):
            where = (channel(number), match_id(number))
            connection.execute("UPDATE surfaces SET channel = ? WHERE owner = ?", where)
            for table in ("matches", "lobbies"):
                connection.execute(f"UPDATE {table} SET channel = ? WHERE id = ?", where)
        connection.execute("COMMIT")


def _match(connection: sqlite3.Connection, number: int, chance: random.Random) -> None:
    id, now = match_id(number), time.time_ns() // 1000
    people = [(person_id(number, seat), f"P{number}.{seat}") for seat in (0, 1)]
    agreed = {"game": "classic", "options": '{"ties":"discard"}', "seats": 2, "series": '{"mode":"single"}'}
    agreed |= {"clock": CLOCK, "rated": 1, "nonce": chance.randbytes(32), "guild": GUILD, "channel": CHANNEL}
    agreed |= {"place": "own", "partition": partition_of(id)}
    until = now + CLOCK * 1_000_000
    lobby = {
        "id": id,
        "kind": "challenge",
        "message": None,
        "host": people[0][0],
        "house": "[]",
        "state": 2,
        "version": 2,
    }
    _put(connection, "lobbies", *{**agreed, **lobby, "created": now, "expires": until}.items())
    match: dict[str, Any] = {"id": id, "version": 2, "prompt": 0, "opened": now, "deadline": until, "started": now}
    match |= {"live": 1, "leavers": "[]", "away": 0, "totals": "[]", "changes": "[]", "unrated": "", "void": 0}
    match |= {"agreement": b"", "reason": ""}
    _put(connection, "matches", *{**agreed, **match}.items())
    stock = chance.sample(CARDS, len(CARDS))
    zones = written({"hands": [CARDS, CARDS], "out": [], "stock": stock}).decode()
    _put(connection, "deals", ("match_id", id), ("number", 0), ("zones", zones))
    for kind, due in ((2, until), (3, now + CLOCK * 750_000)):
        deadline = {"owner": id, "kind": kind, "due": due, "prompt": 0, "moves": 1, "partition": partition_of(id)}
        _put(connection, "deadlines", *deadline.items())
    _surface(connection, id, kind=1, user=0, channel=CHANNEL, message=board_id(number), posted=now)
    for seat, (user, name) in enumerate(people):
        channel = dm_id(number, seat)
        named = {"user": user, "name": name}
        _put(connection, "lobby_people", *{**named, "lobby_id": id, "place": seat, "answer": 3 if seat else 1}.items())
        _put(connection, "members", *{**named, "guild": GUILD, "here": 1}.items())
        sat = {"match_id": id, "seat": seat, "misses": 0, "draw_from": 0, "started": now, "live": 1}
        _put(connection, "seats", *{**named, **sat}.items())
        wishes = {"user": user, "console": "server", "bids": 1, "warnings": 1, "results": 1, "cards": "symbols"}
        wishes |= {"two_step": 0, "reveals": 0, "challenges": 1, "dm_channel": channel, "dm_told": 0}
        wishes |= {"zone": "", "quiet_from": 0, "quiet_to": 0, "reminders": "[]"}
        _put(connection, "players", *wishes.items())
        message = console_id(number, seat)
        _surface(connection, id, kind=2, user=user, channel=channel, message=message, posted=now)


def _surface(connection: sqlite3.Connection, owner: str, **values: int) -> None:
    shown = {"owner": owner, "shown": 2, "token": "", "token_app": 0, "beside": 0, "state": "live"}
    shown["partition"] = partition_of(owner)
    _put(connection, "surfaces", *{**shown, **values}.items())


def _put(connection: sqlite3.Connection, table: str, *row: tuple[str, Any]) -> None:
    names = ", ".join(name for name, _ in row)
    marks = ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", [value for _, value in row])
