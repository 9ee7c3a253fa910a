"""People: preferences, pauses, names, blocks, notes and imported records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from bot.referee.model import changes as c
from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.people import Import, Pause, Player
from data.sql.codec import dump, micros, numbers, time, time_or_none
from data.sql.statement import Query, Read, Statement, every, first, first_or, single, upsert


def player(user: UserId) -> Read[Player]:
    return first_or(
        Query(
            """SELECT "user", console, bids, warnings, results, cards, two_step, challenges, dm_channel,
                dm_closed_until, dm_told, zone, quiet_from, quiet_to, reminders
            FROM players WHERE "user" = ?""",
            (user,),
            _player,
        ),
        Player(user),
    )


def _player(
    user: int,
    console: str,
    bids: int,
    warnings: int,
    results: int,
    cards: str,
    two_step: int,
    challenges: int,
    dm_channel: int,
    dm_closed_until: int | None,
    dm_told: int,
    zone: str,
    quiet_from: int,
    quiet_to: int,
    reminders: str,
) -> Player:
    return Player(
        *(user, console, bool(bids), bool(warnings), bool(results), cards, bool(two_step), bool(challenges)),
        *(dm_channel, time_or_none(dm_closed_until), bool(dm_told), zone, quiet_from, quiet_to),
        numbers(reminders),
    )


def pauses(users: Sequence[UserId], since: datetime) -> Read[Sequence[Pause]]:
    if not users:
        return Read((), lambda: ())
    marks = ", ".join("?" * len(users))
    return every(
        Query(
            f"""SELECT "user", began, until FROM pauses WHERE "user" IN ({marks}) AND until > ?
            ORDER BY "user", began""",
            (*users, micros(since)),
            _pause,
        )
    )


def _pause(user: int, began: int, until: int) -> Pause:
    return Pause(user, time(began), time(until))


def name_of(guild: Snowflake, user: UserId) -> Read[str | None]:
    return first(Query('SELECT name FROM members WHERE guild = ? AND "user" = ?', (guild, user), str))


def blocked(by: UserId, user: UserId) -> Read[bool]:
    return single(Query('SELECT count(*) FROM blocks WHERE by_user = ? AND "user" = ?', (by, user), bool))


def blocks(by: UserId) -> Read[Sequence[tuple[UserId, str]]]:
    return every(Query('SELECT "user", name FROM blocks WHERE by_user = ? ORDER BY "user"', (by,), _blocked))


def _blocked(user: int, name: str) -> tuple[UserId, str]:
    return user, name


def note(key: str) -> Read[str | None]:
    return first(Query("SELECT value FROM notes WHERE key = ?", (key,), str))


def imported(user: UserId, id: str) -> Read[Import | None]:
    return first(
        Query(
            'SELECT id, "user", at, record FROM imports WHERE "user" = ? AND id = ?',
            (user, id),
            _import,
        )
    )


def _import(id: str, user: int, at: int, record: str) -> Import:
    return Import(id, user, time(at), record)


PLAYER = upsert(
    "players",
    '"user"',
    "console, bids, warnings, results, cards, two_step, challenges, dm_channel, dm_closed_until, dm_told,"
    " zone, quiet_from, quiet_to, reminders",
)

MEMBER = upsert("members", 'guild, "user"', "name, here")

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
