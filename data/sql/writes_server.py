"""The steps of servers as statements."""

from collections.abc import Iterator

from bot.referee.model import changes as c
from data.sql.codec import dump, micros
from data.sql.statement import Statement, upsert

GUILD = upsert(
    "guilds",
    "guild",
    "game, clock, rated, console, boards, matches, channels, roles, dms, result_lines, cards, options, log_channel,"
    " version, place, seasons, champions, bands, threads",
)
BAR = upsert("bars", 'guild, "user"', "until, reason, by_user")


def save_guild(step: c.SaveGuild) -> Iterator[Statement]:
    one = step.settings
    values = (
        *(one.guild, one.game, one.clock, one.rated, one.console, one.boards, one.matches),
        *(dump(one.channels), dump(one.roles), one.dms, one.result_lines, one.cards, one.options, one.log),
        *(one.version, one.place, one.seasons, one.champions, dump(one.bands), one.threads),
    )
    if step.expect is None:
        yield Statement(GUILD, values)
        return
    failure = f"the settings of {one.guild} are not at version {step.expect}"
    yield Statement(f"{GUILD} WHERE guilds.version = ?", (*values, step.expect), 1, failure)


def add_audit(step: c.AddAudit) -> Iterator[Statement]:
    one = step.audit
    yield Statement(
        """INSERT INTO audit (guild, at, "user", what, was, became, version, match_id, about)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            *(one.guild, micros(one.at), one.user, one.what, one.before, one.after),
            *(one.version, one.match, one.about),
        ),
    )


OF_A_MATCH = ("daily_tries", "decisions", "deals", "seals", "earlier_seals", "seats", "rating_history")
OF_A_SERVER = (
    *("daily_tries", "daily_deals", "members", "ratings", "rating_history", "audit", "bars", "guilds"),
    *("seasons", "season_ratings", "season_tables", "season_places", "given_roles"),
)


def drop_match(step: c.DropMatch) -> Iterator[Statement]:
    """With the challenge that it began as, the messages that showed it, and what was noted of it."""
    for table in OF_A_MATCH:
        yield Statement(f"DELETE FROM {table} WHERE match_id = ?", (step.id,))
    yield Statement("DELETE FROM matches WHERE id = ?", (step.id,))
    yield Statement("DELETE FROM lobby_people WHERE lobby_id = ?", (step.id,))
    yield Statement("DELETE FROM lobbies WHERE id = ?", (step.id,))
    yield Statement("DELETE FROM deadlines WHERE owner = ?", (step.id,))
    for state in ("<> 'gone'", "= 'gone'"):  # each has an index
        yield Statement(f"DELETE FROM surfaces WHERE owner = ? AND state {state}", (step.id,))
    for noted in ("house", "hints", "told"):
        yield Statement("DELETE FROM notes WHERE key = ?", (f"{noted} {step.id}",))
    yield Statement("DELETE FROM notes WHERE key > ? AND key < ?", (f"mute {step.id} ", f"mute {step.id} :"))


def drop_server(step: c.DropServer) -> Iterator[Statement]:
    for table in OF_A_SERVER:
        yield Statement(f"DELETE FROM {table} WHERE guild = ?", (step.guild,))


ROLE = upsert("given_roles", 'guild, "user", role', "given")


def note_role(step: c.NoteRole) -> Iterator[Statement]:
    yield Statement(ROLE, (step.guild, step.user, step.role, step.given))


def drop_role(step: c.DropRole) -> Iterator[Statement]:
    yield Statement(
        'DELETE FROM given_roles WHERE guild = ? AND "user" = ? AND role = ?', (step.guild, step.user, step.role)
    )


def put_bar(step: c.PutBar) -> Iterator[Statement]:
    one = step.bar
    yield Statement(BAR, (one.guild, one.user, micros(one.until), one.reason, one.by))


def drop_bar(step: c.DropBar) -> Iterator[Statement]:
    yield Statement('DELETE FROM bars WHERE guild = ? AND "user" = ?', (step.guild, step.user))


def drop_bars(step: c.DropBars) -> Iterator[Statement]:
    yield Statement("DELETE FROM bars WHERE until <= ?", (micros(step.ended),))
