"""Servers: what they decided, what moderators did, who may not play."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.people import Audit, Band, Bar, GuildSettings
from data.sql.codec import numbers, parse, time, time_or_none
from data.sql.statement import Query, Read, every, first, first_or, single


def guild(id: Snowflake, usual_clock: int) -> Read[GuildSettings]:
    return first_or(
        Query(
            """SELECT guild, game, clock, rated, console, boards, matches, channels, roles, dms, result_lines, cards,
                options, log_channel, version, place, seasons, champions, bands, threads
            FROM guilds WHERE guild = ?""",
            (id,),
            _guild,
        ),
        GuildSettings(id, clock=usual_clock),
    )


def _guild(
    id: int,
    game: str,
    clock: int,
    rated: int,
    console: str,
    boards: int,
    matches: int,
    channels: str,
    roles: str,
    dms: int,
    result_lines: int,
    cards: str,
    options: str,
    log: int,
    version: int,
    place: str,
    seasons: str,
    champions: int,
    bands: str,
    threads: int,
) -> GuildSettings:
    return GuildSettings(
        *(id, game, clock, bool(rated), console, boards, matches, numbers(channels), numbers(roles)),
        *(bool(dms), bool(result_lines), cards, options, log, version, place, seasons, champions),
        *(tuple(Band(*one) for one in parse(bands)), bool(threads)),
    )


def servers() -> Read[Sequence[Snowflake]]:
    """Reads all there is: for the start."""
    return every(
        Query(
            """SELECT guild FROM guilds WHERE guild > 0 UNION SELECT guild FROM members WHERE guild > 0
            UNION SELECT guild FROM matches WHERE guild > 0 UNION SELECT guild FROM lobbies WHERE guild > 0
            ORDER BY guild""",
            (),
            int,
        )
    )


def ids_in(guild: Snowflake, limit: int) -> Read[Sequence[str]]:
    return every(
        Query(
            """SELECT id FROM matches WHERE guild = ? UNION SELECT id FROM lobbies WHERE guild = ?
            ORDER BY id LIMIT ?""",
            (guild, guild, limit),
            str,
        )
    )


# --- what moderators did ----------------------------------------------------------------------------------


def audits(guild: Snowflake, limit: int, offset: int) -> Read[Sequence[Audit]]:
    return every(
        Query(
            """SELECT guild, at, "user", what, was, became, version, match_id, about
            FROM audit WHERE guild = ? ORDER BY at DESC, id DESC LIMIT ? OFFSET ?""",
            (guild, limit, offset),
            _audit,
        )
    )


def _audit(
    guild: int, at: int, user: int, what: str, before: str, after: str, version: int, match: str, about: int
) -> Audit:
    return Audit(guild, time(at), user, what, before, after, version, match, about)


def changed_since(guild: Snowflake, version: int) -> Read[Sequence[str]]:
    return every(
        Query(
            "SELECT DISTINCT what FROM audit WHERE guild = ? AND version > ? ORDER BY what",
            (guild, version),
            str,
        )
    )


# --- who may not play -------------------------------------------------------------------------------------

BARS = 'SELECT guild, "user", until, reason, by_user FROM bars'


def bar(guild: Snowflake, user: UserId) -> Read[Bar | None]:
    return first(Query(f'{BARS} WHERE guild = ? AND "user" = ?', (guild, user), _bar))


def bars(guild: Snowflake) -> Read[Sequence[Bar]]:
    return every(Query(f'{BARS} WHERE guild = ? ORDER BY "user"', (guild,), _bar))


def barred(user: UserId) -> Read[Sequence[Bar]]:
    return every(Query(f'{BARS} WHERE "user" = ? ORDER BY guild, "user"', (user,), _bar))


def next_bar_end() -> Read[datetime | None]:
    return single(Query("SELECT min(until) FROM bars", (), time_or_none))


def _bar(guild: int, user: int, until: int, reason: str, by: int) -> Bar:
    return Bar(guild, user, time(until), reason, by)
