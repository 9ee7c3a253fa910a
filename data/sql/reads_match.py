"""Matches and their lists. Each function reads within one snapshot."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, cast

from bot.referee.model import Finished, Seal, Seated, StoredDeal, StoredDecision, StoredMatch, UserId
from data.sql.codec import (
    micros,
    numbers,
    parse,
    parse_changes,
    parse_draw,
    parse_or_none,
    read_setup,
    time,
    time_or_none,
)

Row = tuple[Any, ...]

MATCH = """SELECT game, options, seats, series, clock, rated,
    guild, channel, nonce, version, prompt, opened, deadline, started, live, leavers, ending, draw, away,
    ended, termination, winner, placings, totals, changes, unrated, void FROM matches WHERE id = ?"""
SEATS = "SELECT user, name, misses, draw_from, seen FROM seats WHERE match_id = ? ORDER BY seat"
DEALS = "SELECT number, zones FROM deals WHERE match_id = ? ORDER BY number"
DECISIONS = """SELECT deal, seat, choice, forced, round, sub, salt, at FROM decisions WHERE match_id = ?
    ORDER BY deal, place"""
SEALS = "SELECT seat, choice, salt, digest, at, forced FROM seals WHERE match_id = ? ORDER BY seat"


def match(connection: sqlite3.Connection, id: str) -> StoredMatch | None:
    """Everything of one match, in five statements."""
    row = connection.execute(MATCH, (id,)).fetchone()
    if row is None:
        return None
    (guild, channel, nonce, version, prompt, opened, deadline, started, live, leavers, ending, draw, away), rest = (
        row[6:19],
        row[19:],
    )
    ended, termination, winner, placings, totals, changes, unrated, void = rest
    return StoredMatch(
        id=id,
        guild=guild,
        channel=channel,
        setup=read_setup(*row[:6]),
        nonce=nonce,
        version=version,
        seats=_seats(connection, id),
        deals=_deals(connection, id),
        sealed=tuple(
            Seal(seat, parse(choice), salt, digest, time(at), bool(forced))
            for seat, choice, salt, digest, at, forced in connection.execute(SEALS, (id,))
        ),
        prompt=prompt,
        opened=time(opened),
        deadline=time_or_none(deadline),
        started=time(started),
        live=bool(live),
        left=tuple(parse(leavers)),
        ending=parse_or_none(ending),
        draw=parse_draw(draw),
        away=away,
        ended=time_or_none(ended),
        termination=termination,
        winner=winner,
        placings=None if placings is None else numbers(placings),
        totals=tuple(parse(totals)),
        changes=parse_changes(changes),
        unrated=unrated,
        void=bool(void),
    )


def _seats(connection: sqlite3.Connection, id: str) -> tuple[Seated, ...]:
    return tuple(
        Seated(user, name, misses, draw_from, time_or_none(seen))
        for user, name, misses, draw_from, seen in connection.execute(SEATS, (id,))
    )


def _deals(connection: sqlite3.Connection, id: str) -> tuple[StoredDeal, ...]:
    made: dict[int, list[StoredDecision]] = {}
    for deal, seat, choice, forced, turn, sub, salt, at in connection.execute(DECISIONS, (id,)):
        made.setdefault(deal, []).append(StoredDecision(seat, parse(choice), bool(forced), turn, sub, salt, time(at)))
    return tuple(
        StoredDeal(number, parse(zones), tuple(made.get(number, ())))
        for number, zones in connection.execute(DEALS, (id,))
    )


def known_id(connection: sqlite3.Connection, id: str) -> bool:
    return bool(
        connection.execute(
            "SELECT EXISTS (SELECT 1 FROM matches WHERE id = ?) OR EXISTS (SELECT 1 FROM lobbies WHERE id = ?)",
            (id, id),
        ).fetchone()[0]
    )


def live_of(connection: sqlite3.Connection, user: UserId) -> Sequence[StoredMatch]:
    rows = connection.execute(
        "SELECT DISTINCT match_id FROM seats WHERE user = ? AND live = 1 ORDER BY started, match_id", (user,)
    )
    found = [match(connection, id) for (id,) in rows.fetchall()]
    return [one for one in found if one is not None]


def live_count(connection: sqlite3.Connection, user: UserId) -> int:
    return _number(
        connection.execute("SELECT count(DISTINCT match_id) FROM seats WHERE user = ? AND live = 1", (user,))
    )


def boards_in(connection: sqlite3.Connection, channel: int) -> int:
    return _number(connection.execute("SELECT count(*) FROM matches WHERE channel = ? AND live = 1", (channel,)))


def live_in(connection: sqlite3.Connection, guild: int, channel: int) -> Sequence[str]:
    where, values = ("guild = ? AND channel = ?", (guild, channel)) if channel else ("guild = ?", (guild,))
    rows = connection.execute(f"SELECT id FROM matches WHERE live = 1 AND {where} ORDER BY id", values)
    return [id for (id,) in rows]


def finished_of(
    connection: sqlite3.Connection, guild: int, user: UserId, limit: int, offset: int, against: UserId, game: str
) -> Sequence[Finished]:
    rows = connection.execute(
        """SELECT DISTINCT m.id, m.game, m.placings, m.totals, m.termination, m.changes,
            m.rated AND m.unrated = '' AND NOT m.void, m.ended
        FROM seats s JOIN matches m ON m.id = s.match_id
        WHERE s.user = ? AND s.ended IS NOT NULL AND m.guild = ? AND m.live = 0 AND m.termination IS NOT NULL
            AND (? = '' OR m.game = ?)
            AND (? = 0 OR EXISTS (SELECT 1 FROM seats o WHERE o.match_id = m.id AND o.user = ?))
        ORDER BY s.ended DESC, s.match_id DESC LIMIT ? OFFSET ?""",
        (user, guild, game, game, against, against, limit, offset),
    )
    return [
        Finished(
            id=id,
            guild=guild,
            game=name,
            seats=_seats(connection, id),
            placings=None if placings is None else numbers(placings),
            totals=tuple(parse(totals)),
            termination=termination,
            changes=parse_changes(changes),
            rated=bool(rated),
            ended=time(ended),
        )
        for id, name, placings, totals, termination, changes, rated, ended in rows.fetchall()
    ]


def last_match(connection: sqlite3.Connection, user: UserId, channel: int, live: bool | None) -> str | None:
    row = connection.execute(
        """SELECT m.id FROM seats s JOIN matches m ON m.id = s.match_id
        WHERE s.user = ? AND (? = 0 OR m.channel = ?) AND (? IS NULL OR m.live = ?)
        ORDER BY s.started DESC, s.match_id DESC LIMIT 1""",
        (user, channel, channel, live, live),
    ).fetchone()
    return None if row is None else cast("str", row[0])


def rated_pairs_since(connection: sqlite3.Connection, guild: int, users: Sequence[UserId], since: Any) -> int:
    """Only matches that counted: the sixth of a day does not, so it does not push others out either."""
    people = sorted(set(users))
    if not people:
        return 0
    named = ", ".join("?" * len(people))
    return _number(
        connection.execute(
            f"""SELECT count(DISTINCT m.id) FROM seats s JOIN matches m ON m.id = s.match_id
            WHERE s.user = ? AND s.ended >= ? AND m.guild = ?
                AND m.live = 0 AND m.rated AND m.unrated = '' AND NOT m.void
                AND (SELECT count(DISTINCT user) FROM seats o WHERE o.match_id = m.id) = ?
                AND (SELECT count(DISTINCT user) FROM seats o WHERE o.match_id = m.id AND o.user IN ({named})) = ?""",
            (people[0], micros(since), guild, len(people), *people, len(people)),
        )
    )


def _number(cursor: sqlite3.Cursor) -> int:
    return int(cursor.fetchone()[0])
