"""The steps of servers as statements."""

from collections.abc import Iterator

from bot.referee.ports import changes as c
from data.sql.codec import dump, micros
from data.sql.statement import Statement, upsert

GUILD = upsert(
    "guilds",
    "guild",
    "game, clock, rated, console, boards, matches, channels, roles, dms, result_lines, cards, options, log_channel,"
    " version",
)
BAR = upsert("bars", 'guild, "user"', "until, reason, by_user")


def save_guild(step: c.SaveGuild) -> Iterator[Statement]:
    one = step.settings
    values = (
        *(one.guild, one.game, one.clock, one.rated, one.console, one.boards, one.matches),
        *(dump(one.channels), dump(one.roles), one.dms, one.result_lines, one.cards, one.options, one.log),
        one.version,
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


def put_bar(step: c.PutBar) -> Iterator[Statement]:
    one = step.bar
    yield Statement(BAR, (one.guild, one.user, micros(one.until), one.reason, one.by))


def drop_bar(step: c.DropBar) -> Iterator[Statement]:
    yield Statement('DELETE FROM bars WHERE guild = ? AND "user" = ?', (step.guild, step.user))
