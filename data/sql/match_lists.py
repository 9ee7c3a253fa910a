"""Lists and counts of matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.referee.model.model import DECIDED, HOUSE, Seated, Snowflake, UserId
from bot.referee.model.people import Finished
from bot.referee.model.seasons import Between
from data.sql.codec import Columns, parse, to_micros
from data.sql.matches import query_seats
from data.sql.statement import Query, Read, all_rows, first_row, first_row_or, group, one_row

PLACE = "substr(m.placings, CAST(2 + 2 * s.seat AS INT), 1)"
"""Place of a seat in a list such as `[1,3,2]`. Each place is one digit, because a match has at most 8 seats."""

RESULTS = {"won": "m.winner = s.seat", "lost": f"{PLACE} <> '1'", "drawn": f"m.winner IS NULL AND {PLACE} = '1'"}
"""Condition for each result of a seat. A match without placings has none of them."""


FINISHED = Columns(Finished, without=("seats", "decided"))
COLUMNS = FINISHED.select(ended="m.ended", rated="(m.rated = 1 AND m.unrated = '' AND m.void = 0)")


def _practice(seat: str) -> str:
    """Write the condition that the person of a seat plays against the house alone, as `is_practice` has it."""
    return f"""EXISTS (SELECT 1 FROM seats h WHERE h.match_id = {seat}.match_id AND h."user" = {HOUSE})
                AND NOT EXISTS (SELECT 1 FROM seats o
                    WHERE o.match_id = {seat}.match_id AND o."user" NOT IN ({HOUSE}, {seat}."user"))"""


def known_id(id: str) -> Read[bool]:
    """Read whether a lobby, a match or a record from elsewhere has this id."""
    return one_row(
        """SELECT EXISTS (SELECT 1 FROM matches WHERE id = ?) OR EXISTS (SELECT 1 FROM lobbies WHERE id = ?)
                OR EXISTS (SELECT 1 FROM imports WHERE id = ?)""",
        (id, id, id),
        bool,
    )


LIVE_COUNT = f"""SELECT count(DISTINCT match_id) FROM seats WHERE "user" = ? AND live = 1
    AND NOT ({_practice("seats")})"""


def live_count(user: UserId) -> Read[int]:
    """Count the live matches of a user, without practice."""
    return one_row(LIVE_COUNT, (user,), int)


def boards_in(channel: Snowflake) -> Read[int]:
    """Read the number of live matches of a channel."""
    return one_row("SELECT count(*) FROM matches WHERE channel = ? AND live = 1", (channel,), int)


def live_in(guild: Snowflake, channel: Snowflake = 0) -> Read[Sequence[str]]:
    """Read the ids of live matches of a server, or of one of its channels."""
    where, params = ("guild = ? AND channel = ?", (guild, channel)) if channel else ("guild = ?", (guild,))
    return all_rows(f"SELECT id FROM matches WHERE live = 1 AND {where} ORDER BY id", params, str)


def finished_of(
    guild: Snowflake,
    user: UserId,
    limit: int,
    offset: int = 0,
    against: UserId = 0,
    game: str = "",
    result: str = "",
    span: Between = (),
) -> Read[Sequence[Finished]]:
    """Read a person's finished matches in a server, newest first; `result` is won, lost or drawn, or empty for
    all; `span`: only those that ended from its first time on and before its second."""
    where, params = 's."user" = ? AND m.guild = ?', (user, guild)
    if game:
        where, params = f"{where} AND m.game = ?", (*params, game)
    if against:
        where += ' AND m.id IN (SELECT o.match_id FROM seats o WHERE o."user" = ?)'
        params = (*params, against)
    if result:
        where = f"{where} AND {RESULTS[result]}"
    if span:
        where, params = f"{where} AND s.ended >= ? AND s.ended < ?", (*params, *map(to_micros, span))
    page = f"""(SELECT DISTINCT s.ended, s.match_id FROM seats s JOIN matches m ON m.id = s.match_id
        WHERE {where} AND s.ended IS NOT NULL AND m.live = 0 AND m.termination IS NOT NULL
        ORDER BY s.ended DESC, s.match_id DESC LIMIT ? OFFSET ?) AS found"""
    params = (*params, limit, offset)
    return Read(
        (
            Query(
                f"""SELECT m.ending, {COLUMNS} FROM {page} JOIN matches m ON m.id = found.match_id
                ORDER BY found.ended DESC, found.match_id DESC""",
                params,
                _read_finished,
            ),
            query_seats(f"JOIN {page} ON found.match_id = seats.match_id ORDER BY seats.match_id, seat", params),
        ),
        _combine,
    )


def _read_finished(ending: str | None, *row: Any) -> Finished:
    is_decided = ending is not None and parse(ending).get("why") == DECIDED
    return Finished(seats=(), decided=is_decided, **FINISHED.read_fields(row))


def _combine(matches: list[Finished], seats: list[tuple[str, Seated]]) -> Sequence[Finished]:
    seats_of = group(seats)
    return [replace(match, seats=tuple(seats_of[match.id])) for match in matches]


def finished_ids(user: UserId) -> Read[Sequence[str]]:
    """Read the ids of a user's finished matches, oldest first. Each is listed once, even if the house had two seats."""
    return all_rows(
        """SELECT id FROM matches WHERE id IN (SELECT match_id FROM seats WHERE "user" = ? AND ended IS NOT NULL)
            AND live = 0 ORDER BY ended, id""",
        (user,),
        str,
    )


def former_number() -> Read[UserId]:
    """Read the next free number for an erased user: one below the lowest in any seat."""
    return one_row('SELECT min("user") FROM seats', (), _number_below)


def _number_below(least: int | None) -> int:
    return min(least or 0, 0) - 1


def last_match(
    user: UserId, channel: Snowflake = 0, live: bool | None = None, guild: Snowflake | None = None
) -> Read[str | None]:
    """Find the newest match of a person, in a channel if one is named; in a server, or practice, if one is."""
    where, params = 's."user" = ?', (user,)
    if channel:
        where, params = f"{where} AND m.channel = ?", (*params, channel)
    if live is not None:
        where, params = f"{where} AND m.live = ?", (*params, int(live))
    if guild is not None:
        where, params = f"{where} AND (m.guild = ? OR {_practice('s')})", (*params, guild)
    when = "ended" if live is False else "started"
    return first_row(
        f"""SELECT s.match_id FROM seats s JOIN matches m ON m.id = s.match_id WHERE {where}
            ORDER BY s.{when} DESC, s.match_id DESC, s.seat DESC LIMIT 1""",
        params,
        str,
    )


def has_finished(guild: Snowflake, user: UserId) -> Read[bool]:
    """Return True for a person with a match in this server that is over."""
    return first_row_or(
        """SELECT s.match_id FROM seats s JOIN matches m ON m.id = s.match_id
            WHERE s."user" = ? AND s.ended IS NOT NULL AND m.guild = ? ORDER BY s.ended, s.match_id, s.seat LIMIT 1""",
        (user, guild),
        bool,
        otherwise=False,
    )


def is_played(guild: Snowflake, since: datetime) -> Read[bool]:
    """Return True if a match has begun in a server since then."""
    return first_row_or(
        "SELECT id FROM matches WHERE guild = ? AND started >= ? ORDER BY started, id LIMIT 1",
        (guild, to_micros(since)),
        bool,
        otherwise=False,
    )


def rated_pairs_since(guild: Snowflake, users: Sequence[UserId], since: datetime, games: Sequence[str]) -> Read[int]:
    """Count the rated matches of exactly these users. Matches beyond the daily limit were unrated and do not count."""
    people = sorted(set(users))
    if not people or not games:
        return Read((), lambda: 0)
    user_marks, game_marks = ", ".join("?" * len(people)), ", ".join("?" * len(games))
    return one_row(
        f"""SELECT count(DISTINCT m.id) FROM seats s JOIN matches m ON m.id = s.match_id
            WHERE s."user" = ? AND s.ended >= ? AND m.guild = ?
                AND m.live = 0 AND m.rated = 1 AND m.unrated = '' AND m.void = 0 AND m.game IN ({game_marks})
                AND (SELECT count(DISTINCT o."user") FROM seats o WHERE o.match_id = m.id) = ?
                AND (SELECT count(DISTINCT o."user") FROM seats o
                    WHERE o.match_id = m.id AND o."user" IN ({user_marks})) = ?""",
        (people[0], to_micros(since), guild, *games, len(people), *people, len(people)),
        int,
    )
