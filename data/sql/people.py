"""People: preferences, pauses, names, blocks, notes and imported records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from bot.referee.model import changes as c
from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.people import Import, Pause, Player
from data.sql.codec import Columns, micros
from data.sql.statement import Read, Statement, every, first, first_or, single, upsert

PLAYER = Columns(Player)
PAUSE = Columns(Pause)
IMPORT = Columns(Import)


def player(user: UserId) -> Read[Player]:
    return first_or(f'SELECT {PLAYER} FROM players WHERE "user" = ?', (user,), PLAYER.read, Player(user))


def pauses(users: Sequence[UserId], since: datetime) -> Read[Sequence[Pause]]:
    if not users:
        return Read((), lambda: ())
    marks = ", ".join("?" * len(users))
    return every(
        f"""SELECT {PAUSE} FROM pauses WHERE "user" IN ({marks}) AND until > ?
            ORDER BY "user", began""",
        (*users, micros(since)),
        PAUSE.read,
    )


def name_of(guild: Snowflake, user: UserId) -> Read[str | None]:
    return first('SELECT name FROM members WHERE guild = ? AND "user" = ?', (guild, user), str)


def blocked(by: UserId, user: UserId) -> Read[bool]:
    return single('SELECT count(*) FROM blocks WHERE by_user = ? AND "user" = ?', (by, user), bool)


def blocks(by: UserId) -> Read[Sequence[tuple[UserId, str]]]:
    return every('SELECT "user", name FROM blocks WHERE by_user = ? ORDER BY "user"', (by,), _blocked)


def _blocked(user: int, name: str) -> tuple[UserId, str]:
    return user, name


def note(key: str) -> Read[str | None]:
    return first("SELECT value FROM notes WHERE key = ?", (key,), str)


def imported(user: UserId, id: str) -> Read[Import | None]:
    return first(f'SELECT {IMPORT} FROM imports WHERE "user" = ? AND id = ?', (user, id), IMPORT.read)


PUT_PLAYER = PLAYER.upsert("players", '"user"')
MEMBER = upsert("members", 'guild, "user"', "name, here")

NOTE = upsert("notes", "key", "value")


def save_player(step: c.SavePlayer) -> Iterator[Statement]:
    yield Statement(PUT_PLAYER, PLAYER.write(step.player))


def new_pause(step: c.NewPause) -> Iterator[Statement]:
    one = step.pause
    yield Statement(
        f"""INSERT INTO pauses ({PAUSE}) SELECT ?, ?, ?
        WHERE NOT EXISTS (SELECT 1 FROM pauses WHERE "user" = ? AND until > ?)""",
        (*PAUSE.write(one), one.user, micros(one.began)),
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
    yield Statement(IMPORT.insert("imports"), IMPORT.write(one))
    yield Statement(
        """DELETE FROM imports WHERE "user" = ? AND id NOT IN (
            SELECT id FROM imports WHERE "user" = ? ORDER BY at DESC, id DESC LIMIT ?)""",
        (one.user, one.user, step.most),
    )
