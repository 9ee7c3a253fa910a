"""People: preferences, pauses, names, blocks, notes and imported records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from bot.referee.model import changes as c
from bot.referee.model.clock_changes import NEXT_DM
from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.people import Import, Pause, Player
from data.sql.codec import MICROSECOND, Columns, to_micros
from data.sql.statement import Read, Statement, all_rows, first_row, first_row_or, one_row, read_row, upsert

PLAYER = Columns(Player)
PAUSE = Columns(Pause)
IMPORT = Columns(Import)

AN_HOUR = 3_600_000 << 22
"""An hour in an id of Discord, which begins with milliseconds."""


def player(user: UserId) -> Read[Player]:
    """Read a person's preferences, or the defaults for an unknown person."""
    return first_row_or(f'SELECT {PLAYER} FROM players WHERE "user" = ?', (user,), PLAYER.read, Player(user))


def pauses(users: Sequence[UserId], since: datetime) -> Read[Sequence[Pause]]:
    """Read the pauses of these people that end after `since`, by person, oldest first."""
    if not users:
        return Read((), lambda: ())
    marks = ", ".join("?" * len(users))
    return all_rows(
        f"""SELECT {PAUSE} FROM pauses WHERE "user" IN ({marks}) AND until > ?
            ORDER BY "user", began""",
        (*users, to_micros(since)),
        PAUSE.read,
    )


def name_of(guild: Snowflake, user: UserId) -> Read[str | None]:
    return first_row('SELECT name FROM members WHERE guild = ? AND "user" = ?', (guild, user), str)


def servers_of(user: UserId) -> Read[Sequence[Snowflake]]:
    """Read the servers that know a person."""
    return all_rows('SELECT guild FROM members WHERE "user" = ? ORDER BY guild', (user,), int)


def blocked(by: UserId, user: UserId) -> Read[bool]:
    return one_row('SELECT count(*) FROM blocks WHERE by_user = ? AND "user" = ?', (by, user), bool)


def blocks(by: UserId) -> Read[Sequence[tuple[UserId, str]]]:
    """Read the people whom a person blocks, with the name that each had then."""
    return all_rows('SELECT "user", name FROM blocks WHERE by_user = ? ORDER BY "user"', (by,), read_row)


def note(key: str) -> Read[str | None]:
    return first_row("SELECT value FROM notes WHERE key = ?", (key,), str)


def is_handled(interaction: Snowflake) -> Read[bool]:
    """Return True if this interaction changed something before."""
    return first_row_or("SELECT 1 FROM handled WHERE interaction = ?", (interaction,), bool, otherwise=False)


def imported(user: UserId, id: str) -> Read[Import | None]:
    """Read a record that this person brought in."""
    return first_row(f'SELECT {IMPORT} FROM imports WHERE "user" = ? AND id = ?', (user, id), IMPORT.read)


PUT_PLAYER = PLAYER.upsert("players", '"user"')
MEMBER = upsert("members", 'guild, "user"', "name, here")

NOTE = upsert("notes", "key", "value")


def save_player(step: c.SavePlayer) -> Iterator[Statement]:
    yield Statement(PUT_PLAYER, PLAYER.write(step.player))


def new_pause(step: c.NewPause) -> Iterator[Statement]:
    pause = step.pause
    yield Statement(
        f"""INSERT INTO pauses ({PAUSE}) SELECT ?, ?, ?
        WHERE NOT EXISTS (SELECT 1 FROM pauses WHERE "user" = ? AND until > ?)""",
        (*PAUSE.write(pause), pause.user, to_micros(pause.began)),
        1,
        f"a pause of {pause.user} goes on",
    )


def end_pause(step: c.EndPause) -> Iterator[Statement]:
    pause = step.pause
    yield Statement(
        'UPDATE pauses SET until = ? WHERE "user" = ? AND began = ? AND until = ?',
        (to_micros(pause.until), pause.user, to_micros(pause.began), to_micros(step.expect)),
        1,
        f"the pause of {pause.user} does not end then",
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


NEXT = "CAST(notes.value AS BIGINT)"

RESERVE_DM = f"""INSERT INTO notes (key, value) VALUES ('{NEXT_DM}', ?) ON CONFLICT (key) DO UPDATE SET value = CAST(
    CASE WHEN {NEXT} > ? AND {NEXT} <= ? THEN {NEXT} + ? ELSE ? END AS TEXT)
    WHERE {NEXT} <= ? OR {NEXT} > ? RETURNING {NEXT}"""


def reserve_dm(step: c.ReserveDm) -> Iterator[Statement]:
    now, pace, latest, absurd = (
        to_micros(step.now),
        step.pace // MICROSECOND,
        *map(to_micros, (step.latest, step.absurd)),
    )
    params = (str(now + pace), now, absurd, pace, now + pace, latest, absurd)
    yield Statement(RESERVE_DM, params, 1, "no DM channel may be opened so soon", gives_id=True)


def note_handled(step: c.NoteHandled) -> Iterator[Statement]:
    yield Statement("INSERT INTO handled (interaction) VALUES (?) ON CONFLICT DO NOTHING", (step.interaction,))
    yield Statement("DELETE FROM handled WHERE interaction < ?", (step.interaction - AN_HOUR,))


def keep_import(step: c.KeepImport) -> Iterator[Statement]:
    record = step.record
    yield Statement(IMPORT.insert("imports"), IMPORT.write(record))
    yield Statement(
        """DELETE FROM imports WHERE "user" = ? AND id NOT IN (
            SELECT id FROM imports WHERE "user" = ? ORDER BY at DESC, id DESC LIMIT ?)""",
        (record.user, record.user, step.most),
    )
