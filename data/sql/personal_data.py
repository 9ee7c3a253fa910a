"""Personal data: what a user can download, table by table, and how it is erased.

`tests/data/sqlite/test_personal_data.py` fails for a column that is neither listed here nor excluded there with a
reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from bot.referee.model import changes as c
from bot.referee.model.clock_changes import pause_owner
from bot.referee.model.model import FORMER, PERSONAL_NOTES, LobbyState, UserId
from bot.referee.model.surfaces import SurfaceKind
from data.sql.codec import to_micros
from data.sql.deadlines import (
    LOBBY_EXPIRES,
    LOBBY_VERSION,
    MATCH_AWAY,
    MATCH_DEADLINE,
    MATCH_VERSION,
)
from data.sql.statement import Query, Read, Statement

TableRows: TypeAlias = Sequence[Mapping[str, Any]]


class PersonalTable(NamedTuple):
    """Columns of a table that are personal data, and the condition for the rows of a user. Each `?` is the user id."""

    columns: str
    rows: str
    order: str

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name.strip().strip('"') for name in self.columns.split(","))


SEATED = 'IN (SELECT match_id FROM seats WHERE "user" = ?)'

ASKED = 'IN (SELECT lobby_id FROM lobby_people WHERE "user" = ?)'

OWN_SEAT = 'EXISTS (SELECT 1 FROM seats s WHERE s.match_id = {0}.match_id AND s.seat = {0}.seat AND s."user" = ?)'

OWN: Mapping[str, PersonalTable] = {
    "players": PersonalTable(
        '"user", console, bids, warnings, results, reveals, cards, two_step, challenges, dm_channel, dm_closed_until,'
        " dm_told, zone, quiet_from, quiet_to, reminders",
        '"user" = ?',
        '"user"',
    ),
    "pauses": PersonalTable('"user", began, until', '"user" = ?', "began"),
    "members": PersonalTable('guild, "user", name, here', '"user" = ?', "guild"),
    "blocks": PersonalTable('by_user, "user", name', "by_user = ?", '"user"'),
    "lobbies": PersonalTable(
        "id, kind, guild, channel, message, host, game, options, seats, house, series, clock, rated, place, state,"
        " created, expires, version, finished",
        f"id {ASKED}",
        "created, id",
    ),
    "lobby_people": PersonalTable('lobby_id, place, "user", name, answer', '"user" = ?', "lobby_id, place"),
    "searches": PersonalTable(
        '"user", name, guild, channel, game, pool, rating, provisional, began, waited, lobby_id',
        '"user" = ?',
        '"user"',
    ),
    "matches": PersonalTable(
        "id, guild, channel, game, options, seats, series, clock, rated, place, version, prompt, opened, deadline,"
        " started, live, leavers, ending, draw, away, ended, termination, winner, placings, totals, changes, unrated,"
        " void, reason, agreement, record, paused",
        f"id {SEATED}",
        "started, id",
    ),
    "seats": PersonalTable(
        'match_id, seat, "user", name, misses, draw_from, seen, started, live, ended', '"user" = ?', "match_id, seat"
    ),
    "decisions": PersonalTable(
        "match_id, deal, place, seat, choice, forced, round, sub, salt, at, n, digest",
        f"match_id {SEATED} AND {OWN_SEAT.format('decisions')}",
        "match_id, deal, place",
    ),
    "seals": PersonalTable(
        "match_id, seat, prompt, choice, digest, at, forced, n, press",
        f"match_id {SEATED} AND {OWN_SEAT.format('seals')}",
        "match_id, seat",
    ),
    "earlier_seals": PersonalTable(
        "match_id, deal, round, sub, seat, n, digest",
        f"match_id {SEATED} AND {OWN_SEAT.format('earlier_seals')}",
        "match_id, deal, round, sub, seat, n",
    ),
    "surfaces": PersonalTable(
        'id, owner, kind, "user", channel, message, shown, times, posted,'
        " token_until, token_app, beside, state, noted, given, pending",
        '"user" = ? AND "user" <> 0',
        "id",
    ),
    "ratings": PersonalTable(
        'guild, pool, "user", mu, sigma, played, won, drawn, lost, last',
        'guild IN (SELECT guild FROM members WHERE "user" = ?) AND "user" = ?',
        "guild, pool",
    ),
    "season_ratings": PersonalTable(
        'guild, pool, "user", mu, sigma, played, won, drawn, lost, last',
        'guild IN (SELECT guild FROM members WHERE "user" = ?) AND "user" = ?',
        "guild, pool",
    ),
    "season_places": PersonalTable(
        'guild, number, pool, line, place, "user", name, shown, played, won, provisional',
        '"user" = ?',
        "guild, number, pool, line",
    ),
    "rating_history": PersonalTable(
        'match_id, "user", guild, pool, seat, place, mu_before, sigma_before, mu, sigma, at,'
        " season, season_mu, season_sigma",
        f'match_id {SEATED} AND "user" = ?',
        "at, match_id",
    ),
    "notes": PersonalTable(
        "key, value",
        """key IN (SELECT 'mute ' || match_id || ' ' || "user" FROM seats WHERE "user" = ?)
            OR key IN ("""
        + ", ".join(f"'{word} ' || ?" for word in PERSONAL_NOTES)
        + ")",
        "key",
    ),
    "daily_tries": PersonalTable(
        'guild, day, "user", match_id, shared',
        'guild IN (SELECT guild FROM members WHERE "user" = ?) AND "user" = ?',
        "guild, day",
    ),
    "audit": PersonalTable(
        'id, guild, at, "user", what, was, became, version, match_id, about',
        '"user" = ? OR about = ? AND about <> 0',
        "id",
    ),
    "bans": PersonalTable('guild, "user", until, reason, by_user', '"user" = ? OR by_user = ?', 'guild, "user"'),
    "given_roles": PersonalTable('guild, "user", role, given', '"user" = ?', "guild, role"),
    "imports": PersonalTable('id, "user", at, record', '"user" = ?', "at, id"),
}

TRUE_VALUES: Mapping[str, Mapping[str, str]] = {
    "lobbies": {"expires": LOBBY_EXPIRES, "version": LOBBY_VERSION},
    "matches": {"deadline": MATCH_DEADLINE, "away": MATCH_AWAY, "version": MATCH_VERSION},
}
"""Expressions for columns that are stored less the time away."""


def own(user: UserId) -> Read[Mapping[str, TableRows]]:
    """Read all personal data of a user in one snapshot."""

    def combine(*tables: list[Any]) -> Mapping[str, TableRows]:
        return dict(zip(OWN, tables, strict=True))

    return Read(tuple(_query(table, personal, user) for table, personal in OWN.items()), combine)


def _query(table: str, personal: PersonalTable, user: UserId) -> Query[Mapping[str, Any]]:
    names = personal.names
    values = TRUE_VALUES.get(table, {})
    columns = personal.columns if not values else ", ".join(values.get(name, name) for name in names)
    sql = f"SELECT {columns} FROM {table} WHERE {personal.rows} ORDER BY {personal.order}"

    def value(*row: Any) -> Mapping[str, Any]:
        return {name: _encode_bytes(value) for name, value in zip(names, row, strict=True)}

    params = (str(user),) * len(PERSONAL_NOTES) if table == "notes" else (user,) * (personal.rows.count("?") - 1)
    return Query(sql, (user, *params), value)


def _encode_bytes(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value


# Long: one statement for each table with personal data.
def erase(step: c.Erase) -> Iterator[Statement]:
    user, number = step.user, step.number
    yield Statement(
        f"""SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM seats WHERE "user" = ?)
            AND NOT EXISTS (SELECT 1 FROM lobby_people p JOIN lobbies l ON l.id = p.lobby_id
                WHERE p."user" = ? AND l.state = {int(LobbyState.OPEN)})
            AND (SELECT count(DISTINCT match_id) FROM seats WHERE "user" = ? AND live = 0) = ?
            AND (SELECT count(DISTINCT match_id) FROM seats WHERE "user" = ? AND live = 1) = ?""",
        (number, user, user, len(step.matches), user, len(step.going)),
        1,
        "a person still plays after the erasure, or their number is taken",
    )
    for match in step.matches:
        yield Statement(
            "UPDATE matches SET agreement = ?, record = ?, version = version + 1 WHERE id = ? AND live = 0",
            (match.agreement, match.record, match.match),
            1,
            f"match {match.match} is not over",
        )
    for id in step.going:
        yield from _redraw_match(id, user)
    yield Statement(
        f"""UPDATE surfaces SET pending = (SELECT version FROM matches WHERE id = surfaces.owner)
            WHERE state <> 'gone' AND kind IN ({int(SurfaceKind.BOARD)}, {int(SurfaceKind.CONSOLE_DM)})
            AND owner IN (SELECT match_id FROM seats WHERE "user" = ? AND ended >= ?)""",
        (user, to_micros(step.shown_since)),
    )
    yield from _erase_notes(user)
    yield Statement(
        f'UPDATE rating_history SET "user" = ? WHERE match_id {SEATED} AND "user" = ?', (number, user, user)
    )
    yield Statement(
        """INSERT INTO members (guild, "user", name, here)
            SELECT m.guild, ?, ?, 0 FROM members m WHERE m."user" = ?
            AND (EXISTS (SELECT 1 FROM ratings r WHERE r.guild = m.guild AND r."user" = m."user")
                OR EXISTS (SELECT 1 FROM seats s JOIN matches x ON x.id = s.match_id
                    WHERE s."user" = m."user" AND s.live = 1 AND x.guild = m.guild))""",
        (number, FORMER, user),
    )
    yield Statement(
        """UPDATE ratings SET "user" = ?
            WHERE guild IN (SELECT guild FROM members WHERE "user" = ?) AND "user" = ?""",
        (number, user, user),
    )
    yield Statement(
        """UPDATE season_ratings SET "user" = ?
            WHERE guild IN (SELECT guild FROM members WHERE "user" = ?) AND "user" = ?""",
        (number, user, user),
    )
    yield Statement('UPDATE season_places SET "user" = ?, name = ? WHERE "user" = ?', (number, FORMER, user))
    yield Statement('UPDATE seats SET "user" = ?, name = ?, seen = NULL WHERE "user" = ?', (number, FORMER, user))
    yield Statement(
        """UPDATE lobbies SET host = ? WHERE host = ?
            AND id IN (SELECT lobby_id FROM lobby_people WHERE "user" = ?)""",
        (number, user, user),
    )
    yield Statement("UPDATE lobbies SET host = ? WHERE host = ?", (number, user))
    yield Statement('UPDATE lobby_people SET "user" = ?, name = ? WHERE "user" = ?', (number, FORMER, user))
    yield Statement(
        """DELETE FROM daily_tries WHERE guild IN (SELECT guild FROM members WHERE "user" = ?) AND "user" = ?""",
        (user, user),
    )
    yield Statement('UPDATE pauses SET "user" = ? WHERE "user" = ?', (number, user))
    yield Statement("DELETE FROM deadlines WHERE owner = ?", (pause_owner(user),))
    yield Statement(
        """DELETE FROM deadlines
            WHERE owner IN (SELECT 'search ' || guild || ' ' || "user" FROM searches WHERE "user" = ?)""",
        (user,),
    )
    yield Statement('UPDATE audit SET "user" = ? WHERE "user" = ?', (number, user))
    yield from _erase_bans(step)
    for table in ("members", "players", "imports", "blocks", "given_roles", "searches"):
        yield Statement(f'DELETE FROM {table} WHERE "user" = ?', (user,))
    yield Statement("DELETE FROM blocks WHERE by_user = ?", (user,))
    yield Statement('DELETE FROM surfaces WHERE "user" = ? AND "user" <> 0', (user,))


def _redraw_match(match: str, user: int) -> Iterator[Statement]:
    """Mark the messages of a live match with a seat of this user as behind, so that they lose the name."""
    yield Statement(
        """UPDATE matches SET version = version + 1 WHERE id = ? AND live = 1
            AND EXISTS (SELECT 1 FROM seats WHERE match_id = matches.id AND "user" = ?)""",
        (match, user),
        1,
        f"match {match} is over",
    )


def erase_agreement(step: c.EraseAgreement) -> Iterator[Statement]:
    erased = step.erased
    yield Statement(
        "UPDATE matches SET agreement = ?, record = ? WHERE id = ?", (erased.agreement, erased.record, erased.match), 1
    )


def _erase_bans(step: c.Erase) -> Iterator[Statement]:
    """Erase the user from bans and the audit log.

    An active ban keeps the id, or the user could return at once. The audit log then omits who was banned, because it
    would link that id to the number in the seats.
    """
    user, number = step.user, step.number
    yield Statement(
        """UPDATE audit SET about = CASE WHEN what IN ('ban', 'unban') THEN 0 ELSE ? END
            WHERE about = ? AND about <> 0""",
        (number, user),
    )
    yield Statement("UPDATE bans SET by_user = ? WHERE by_user = ?", (number, user))
    yield Statement('DELETE FROM bans WHERE "user" = ? AND until <= ?', (user, to_micros(step.at)))
    yield Statement("UPDATE bans SET reason = '' WHERE \"user\" = ?", (user,))


def _erase_notes(user: int) -> Iterator[Statement]:
    yield Statement(
        """DELETE FROM notes WHERE key IN (SELECT 'mute ' || match_id || ' ' || "user" FROM seats WHERE "user" = ?)""",
        (user,),
    )
    keys = [f"{word} {user}" for word in PERSONAL_NOTES]
    yield Statement(f"DELETE FROM notes WHERE key IN ({', '.join('?' * len(keys))})", tuple(keys))
