"""Everything that is kept about one person, table by table and column by column, to be given to them.

What is not given stands here with the reason; `tests/data/sqlite/test_own.py` finds every column that is in neither.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from bot.referee.model.model import PERSONAL_NOTES, UserId
from data.sql.statement import Query, Read
from data.sql.time_away import LOBBY_EXPIRES, LOBBY_VERSION, MATCH_AWAY, MATCH_DEADLINE, MATCH_VERSION

TableRows: TypeAlias = Sequence[Mapping[str, Any]]


class Kept(NamedTuple):
    """What of a table is a person's: its columns, and where the rows are found. Every `?` is their id."""

    columns: str
    rows: str
    order: str

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name.strip().strip('"') for name in self.columns.split(","))


SEATED = 'IN (SELECT match_id FROM seats WHERE "user" = ?)'
ASKED = 'IN (SELECT lobby_id FROM lobby_people WHERE "user" = ?)'
OWN_SEAT = 'EXISTS (SELECT 1 FROM seats s WHERE s.match_id = {0}.match_id AND s.seat = {0}.seat AND s."user" = ?)'

OWN: Mapping[str, Kept] = {
    "players": Kept(
        '"user", console, bids, warnings, results, cards, two_step, challenges, dm_channel, dm_closed_until, dm_told,'
        " zone, quiet_from, quiet_to, reminders",
        '"user" = ?',
        '"user"',
    ),
    "pauses": Kept('"user", began, until', '"user" = ?', "began"),
    "members": Kept('guild, "user", name, here', '"user" = ?', "guild"),
    "blocks": Kept('by_user, "user", name', "by_user = ?", '"user"'),
    "lobbies": Kept(
        "id, kind, guild, channel, message, host, game, options, seats, series, clock, rated, place, state, created,"
        " expires, version, finished",
        f"id {ASKED}",
        "created, id",
    ),
    "lobby_people": Kept('lobby_id, place, "user", name, answer', '"user" = ?', "lobby_id, place"),
    "matches": Kept(
        "id, guild, channel, game, options, seats, series, clock, rated, place, version, prompt, opened, deadline,"
        " started, live, leavers, ending, draw, away, ended, termination, winner, placings, totals, changes, unrated,"
        " void, reason, agreement, record, paused",
        f"id {SEATED}",
        "started, id",
    ),
    "seats": Kept(
        'match_id, seat, "user", name, misses, draw_from, seen, started, live, ended', '"user" = ?', "match_id, seat"
    ),
    "decisions": Kept(
        "match_id, deal, place, seat, choice, forced, round, sub, salt, at, n, digest",
        f"match_id {SEATED} AND {OWN_SEAT.format('decisions')}",
        "match_id, deal, place",
    ),
    "seals": Kept(
        "match_id, seat, prompt, choice, digest, at, forced, n",
        f"match_id {SEATED} AND {OWN_SEAT.format('seals')}",
        "match_id, seat",
    ),
    "earlier_seals": Kept(
        "match_id, deal, round, sub, seat, n, digest",
        f"match_id {SEATED} AND {OWN_SEAT.format('earlier_seals')}",
        "match_id, deal, round, sub, seat, n",
    ),
    "surfaces": Kept(
        'id, owner, kind, "user", channel, message, shown, wanted, posted, token_until, token_app, state, noted',
        '"user" = ? AND "user" <> 0',
        "id",
    ),
    "ratings": Kept(
        'guild, pool, "user", mu, sigma, played, won, drawn, lost, last',
        'guild IN (SELECT guild FROM members WHERE "user" = ?) AND "user" = ?',
        "guild, pool",
    ),
    "season_ratings": Kept(
        'guild, pool, "user", mu, sigma, played, won, drawn, lost, last',
        'guild IN (SELECT guild FROM members WHERE "user" = ?) AND "user" = ?',
        "guild, pool",
    ),
    "season_places": Kept(
        'guild, number, pool, line, place, "user", name, shown, played, won, provisional',
        '"user" = ?',
        "guild, number, pool, line",
    ),
    "rating_history": Kept(
        'match_id, "user", guild, pool, seat, place, mu_before, sigma_before, mu, sigma, at,'
        " season, season_mu, season_sigma",
        f'match_id {SEATED} AND "user" = ?',
        "at, match_id",
    ),
    "notes": Kept(
        "key, value",
        """key IN (SELECT 'mute ' || match_id || ' ' || "user" FROM seats WHERE "user" = ?)
            OR key IN ("""
        + ", ".join(f"'{word} ' || ?" for word in PERSONAL_NOTES)
        + ")",
        "key",
    ),
    "daily_tries": Kept(
        'guild, day, "user", match_id, shared',
        'guild IN (SELECT guild FROM members WHERE "user" = ?) AND "user" = ?',
        "guild, day",
    ),
    "audit": Kept(
        'id, guild, at, "user", what, was, became, version, match_id, about',
        '"user" = ? OR about = ? AND about <> 0',
        "id",
    ),
    "bars": Kept('guild, "user", until, reason, by_user', '"user" = ? OR by_user = ?', 'guild, "user"'),
    "given_roles": Kept('guild, "user", role, given', '"user" = ?', "guild, role"),
    "imports": Kept('id, "user", at, record', '"user" = ?', "at, id"),
}

TRUE_VALUES: Mapping[str, Mapping[str, str]] = {
    "lobbies": {"expires": LOBBY_EXPIRES, "version": LOBBY_VERSION},
    "matches": {"deadline": MATCH_DEADLINE, "away": MATCH_AWAY, "version": MATCH_VERSION},
}
"""columns that are stored less the time away"""


def own(user: UserId) -> Read[Mapping[str, TableRows]]:
    """Read every row of every table that is a user's, at one moment."""

    def by_table(*found: list[Any]) -> Mapping[str, TableRows]:
        return dict(zip(OWN, found, strict=True))

    return Read(tuple(_query(table, kept, user) for table, kept in OWN.items()), by_table)


def _query(table: str, kept: Kept, user: UserId) -> Query[Mapping[str, Any]]:
    names = kept.names
    values = TRUE_VALUES.get(table, {})
    columns = kept.columns if not values else ", ".join(values.get(name, name) for name in names)
    sql = f"SELECT {columns} FROM {table} WHERE {kept.rows} ORDER BY {kept.order}"

    def value(*row: Any) -> Mapping[str, Any]:
        return {name: _plain(one) for name, one in zip(names, row, strict=True)}

    params = (str(user),) * len(PERSONAL_NOTES) if table == "notes" else (user,) * (kept.rows.count("?") - 1)
    return Query(sql, (user, *params), value)


def _plain(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value
