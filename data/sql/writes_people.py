"""The steps of people, ratings and notes as statements."""

from collections.abc import Iterator
from dataclasses import astuple

from bot.referee.model import changes as c
from data.sql.codec import dump, micros
from data.sql.statement import Statement, upsert

PLAYER = upsert(
    "players",
    '"user"',
    "console, bids, warnings, results, cards, two_step, challenges, dm_channel, dm_closed_until, dm_told,"
    " zone, quiet_from, quiet_to, reminders",
)
MEMBER = upsert("members", 'guild, "user"', "name, here")
TABLES = ("ratings", "season_ratings")
RATING = {table: upsert(table, 'guild, pool, "user"', "mu, sigma, played, won, drawn, lost, last") for table in TABLES}
ENTRY = upsert(
    "rating_history",
    'match_id, "user"',
    "guild, pool, seat, place, mu_before, sigma_before, mu, sigma, at, season, season_mu, season_sigma",
)
NOTE = upsert("notes", "key", "value")


def save_player(step: c.SavePlayer) -> Iterator[Statement]:
    one = step.player
    yield Statement(
        PLAYER,
        (
            *(one.user, one.console, one.bids, one.warnings, one.results, one.cards, one.two_step, one.challenges),
            *(one.dm_channel, micros(one.dm_closed_until), one.dm_told),
            *(one.zone, one.quiet_from, one.quiet_to, dump(one.reminders)),
        ),
    )


def new_pause(step: c.NewPause) -> Iterator[Statement]:
    one = step.pause
    yield Statement(
        """INSERT INTO pauses ("user", began, until) SELECT ?, ?, ?
        WHERE NOT EXISTS (SELECT 1 FROM pauses WHERE "user" = ? AND until > ?)""",
        (one.user, micros(one.began), micros(one.until), one.user, micros(one.began)),
        1,
        f"a pause of {one.user} goes on",
    )


def end_pause(step: c.EndPause) -> Iterator[Statement]:
    one = step.pause
    yield Statement(
        'UPDATE pauses SET until = ? WHERE "user" = ? AND began = ? AND until = ?',
        (micros(one.until), one.user, micros(one.began), micros(step.expect)),
        1,
        f"the pause of {one.user} does not end then",
    )


def name_member(step: c.NameMember) -> Iterator[Statement]:
    yield Statement(MEMBER, (step.guild, step.user, step.name, step.here))


def block(step: c.Block) -> Iterator[Statement]:
    if step.on:
        yield Statement(
            'INSERT INTO blocks (by_user, "user", name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
            (step.by, step.user, step.name),
        )
    else:
        yield Statement('DELETE FROM blocks WHERE by_user = ? AND "user" = ?', (step.by, step.user))


def save_rating(step: c.SaveRating) -> Iterator[Statement]:
    """Name and presence are `NameMember`'s business; here they only stand in for somebody unknown."""
    one, table = step.rating, TABLES[step.season]
    key = (one.guild, one.pool, one.user)
    values = (one.mu, one.sigma, one.played, one.won, one.drawn, one.lost, micros(one.last))
    failure = f"the rating of {one.user} is not at {step.expect} matches"
    if step.expect is None:
        yield Statement(RATING[table], (*key, *values))
    elif step.expect == 0:
        yield Statement(f"{RATING[table]} WHERE {table}.played = 0", (*key, *values), 1, failure)
    else:
        was, moved = ("", ()) if step.mu is None else (" AND mu = ?", (step.mu,))
        yield Statement(
            f"""UPDATE {table} SET mu = ?, sigma = ?, played = ?, won = ?, drawn = ?, lost = ?, last = ?
            WHERE guild = ? AND pool = ? AND "user" = ? AND played = ?{was}""",
            (*values, *key, step.expect, *moved),
            1,
            failure,
        )
    yield Statement(
        'INSERT INTO members (guild, "user", name, here) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
        (one.guild, one.user, one.name, one.here),
    )


def drop_rating(step: c.DropRating) -> Iterator[Statement]:
    yield Statement(
        f'DELETE FROM {TABLES[step.season]} WHERE guild = ? AND pool = ? AND "user" = ? AND played = ? AND mu = ?',
        (step.guild, step.pool, step.user, step.expect, step.mu),
        1,
        f"the rating of {step.user} is not at {step.expect} matches",
    )


def add_rating_entry(step: c.AddRatingEntry) -> Iterator[Statement]:
    """A pool that is worked out anew writes its entries again."""
    one = step.entry
    match, guild, pool, user, seat, place, *skills, _, season, mu, sigma = astuple(one)
    yield Statement(ENTRY, (match, user, guild, pool, seat, place, *skills, micros(one.at), season, mu, sigma))


def save_note(step: c.SaveNote) -> Iterator[Statement]:
    yield Statement(NOTE, (step.key, step.value))


def keep_import(step: c.KeepImport) -> Iterator[Statement]:
    one = step.record
    yield Statement(
        'INSERT INTO imports (id, "user", at, record) VALUES (?, ?, ?, ?)',
        (one.id, one.user, micros(one.at), one.record),
    )
    yield Statement(
        """DELETE FROM imports WHERE "user" = ? AND id NOT IN (
            SELECT id FROM imports WHERE "user" = ? ORDER BY at DESC, id DESC LIMIT ?)""",
        (one.user, one.user, step.most),
    )
