"""Servers: settings, audit log and bans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from bot.referee.model import changes as c
from bot.referee.model.guild_settings import SETTINGS as DECLARED
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.people import Audit, Ban
from data.sql.codec import Columns, read_time_or_none, to_micros
from data.sql.statement import Read, Statement, all_rows, first_row, first_row_or, one_row

SETTINGS = Columns(GuildSettings, **{name: setting.column for name, setting in DECLARED.items() if setting.column})
AUDIT = Columns(Audit, before="was", after="became", match="match_id")
BAN = Columns(Ban, by="by_user")


def guild(id: Snowflake, usual: GuildSettings) -> Read[GuildSettings]:
    """Read the settings of a server; `usual` has what the operator chose for servers that chose nothing."""
    columns = SETTINGS.select(
        clock="CASE clock WHEN 0 THEN ? ELSE clock END", place="CASE place WHEN '' THEN ? ELSE place END"
    )
    params = (usual.clock, usual.place, id)
    sql = f"SELECT {columns} FROM guilds WHERE guild = ?"
    return first_row_or(sql, params, SETTINGS.read, replace(usual, guild=id))


def all_settings() -> Read[Sequence[GuildSettings]]:
    """Read the settings of each server that has changed any."""
    where = "WHERE guild > 0 AND clock > 0 ORDER BY guild"
    return all_rows(f"SELECT {SETTINGS} FROM guilds {where}", (), SETTINGS.read)


def servers() -> Read[Sequence[Snowflake]]:
    """Read the ids of all servers. This scans whole tables; use it only at the start."""
    return all_rows(
        """SELECT guild FROM guilds WHERE guild > 0 UNION SELECT guild FROM members WHERE guild > 0
            UNION SELECT guild FROM matches WHERE guild > 0 UNION SELECT guild FROM lobbies WHERE guild > 0
            ORDER BY guild""",
        (),
        int,
    )


def ids_in(guild: Snowflake, limit: int) -> Read[Sequence[str]]:
    """Read some matches, challenges and tables of a server."""
    return all_rows(
        """SELECT id FROM matches WHERE guild = ? UNION SELECT id FROM lobbies WHERE guild = ?
            ORDER BY id LIMIT ?""",
        (guild, guild, limit),
        str,
    )


def audits(guild: Snowflake, limit: int, offset: int = 0) -> Read[Sequence[Audit]]:
    """Read what moderators did in a server, newest first."""
    return all_rows(
        f"""SELECT {AUDIT} FROM audit WHERE guild = ? ORDER BY at DESC, id DESC LIMIT ? OFFSET ?""",
        (guild, limit, offset),
        AUDIT.read,
    )


def changed_since(guild: Snowflake, version: int) -> Read[Sequence[str]]:
    """Read which settings were changed after this version of them."""
    return all_rows(
        "SELECT DISTINCT what FROM audit WHERE guild = ? AND version > ? ORDER BY what", (guild, version), str
    )


BANS = f"SELECT {BAN} FROM bans"


def ban(guild: Snowflake, user: UserId) -> Read[Ban | None]:
    """Read the ban of a person in a server; it may have expired."""
    return first_row(f'{BANS} WHERE guild = ? AND "user" = ?', (guild, user), BAN.read)


def bans(guild: Snowflake) -> Read[Sequence[Ban]]:
    """Read all bans of a server, by person; some may have expired."""
    return all_rows(f'{BANS} WHERE guild = ? ORDER BY "user"', (guild,), BAN.read)


def banned(user: UserId) -> Read[Sequence[Ban]]:
    """Read all bans of a person, by server; some may have expired."""
    return all_rows(f'{BANS} WHERE "user" = ? ORDER BY guild, "user"', (user,), BAN.read)


def next_ban_end(guild: Snowflake) -> Read[datetime | None]:
    """Read when the next ban of a server runs out, or did."""
    return one_row("SELECT min(until) FROM bans WHERE guild = ?", (guild,), read_time_or_none)


PUT_SETTINGS = SETTINGS.upsert("guilds", "guild")
PUT_BAN = BAN.upsert("bans", "guild", '"user"')


def save_guild(step: c.SaveGuild) -> Iterator[Statement]:
    settings, values = step.settings, SETTINGS.write(step.settings)
    if step.expect is None:
        yield Statement(PUT_SETTINGS, values)
        return
    failure = f"the settings of {settings.guild} are not at version {step.expect}"
    yield Statement(f"{PUT_SETTINGS} WHERE guilds.version = ?", (*values, step.expect), 1, failure)


def add_audit(step: c.AddAudit) -> Iterator[Statement]:
    yield Statement(AUDIT.insert("audit"), AUDIT.write(step.audit))


MATCH_TABLES = ("daily_tries", "decisions", "deals", "seals", "earlier_seals", "seats", "rating_history")

SERVER_TABLES = (
    *("daily_tries", "daily_deals", "members", "ratings", "rating_history", "audit", "bans", "guilds"),
    *("seasons", "season_ratings", "season_tables", "season_places", "given_roles", "daily_counts"),
    *("searches", "search_posts"),
)


def drop_match(step: c.DropMatch) -> Iterator[Statement]:
    """Delete a match with its lobby, deadlines, surfaces and notes."""
    for table in MATCH_TABLES:
        yield Statement(f"DELETE FROM {table} WHERE match_id = ?", (step.id,))
    yield Statement("DELETE FROM matches WHERE id = ?", (step.id,))
    yield Statement("DELETE FROM lobby_people WHERE lobby_id = ?", (step.id,))
    yield Statement("DELETE FROM lobbies WHERE id = ?", (step.id,))
    yield Statement("DELETE FROM deadlines WHERE owner = ?", (step.id,))
    for state in ("<> 'gone'", "= 'gone'"):  # each has an index
        yield Statement(f"DELETE FROM surfaces WHERE owner = ? AND state {state}", (step.id,))
    for word in ("house", "hints", "told", "reveals"):
        yield Statement("DELETE FROM notes WHERE key = ?", (f"{word} {step.id}",))
    yield Statement("DELETE FROM notes WHERE key > ? AND key < ?", (f"mute {step.id} ", f"mute {step.id} :"))


def drop_server(step: c.DropServer) -> Iterator[Statement]:
    for table in SERVER_TABLES:
        yield Statement(f"DELETE FROM {table} WHERE guild = ?", (step.guild,))


def put_ban(step: c.PutBan) -> Iterator[Statement]:
    yield Statement(PUT_BAN, BAN.write(step.ban))


def drop_ban(step: c.DropBan) -> Iterator[Statement]:
    yield Statement('DELETE FROM bans WHERE guild = ? AND "user" = ?', (step.guild, step.user))


def drop_bans(step: c.DropBans) -> Iterator[Statement]:
    yield Statement("DELETE FROM bans WHERE guild = ? AND until <= ?", (step.guild, to_micros(step.ended)))
