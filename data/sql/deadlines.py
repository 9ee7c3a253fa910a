"""Deadlines of matches, challenges and people, and the sign of life of the bot that watches them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from bot.referee.model import changes as c
from bot.referee.model.model import BY_CALENDAR, Deadline, DeadlineKind
from data.sql.codec import MICROSECOND, micros, time, time_or_none
from data.sql.statement import Query, Read, Statement, every, first, upsert
from data.sql.time_away import DUE, GIVEN, LESS_GIVEN


def due(now: datetime, limit: int = 100) -> Read[Sequence[Deadline]]:
    def which(moves: int, until: str) -> Query[Deadline]:
        return Query(
            f"""SELECT owner, kind, {DUE}, prompt FROM deadlines WHERE moves = {moves} AND due <= {until}
            ORDER BY due, owner, kind LIMIT ?""",
            (micros(now), limit),
            _deadline,
        )

    def made(moving: list[Deadline], fixed: list[Deadline]) -> Sequence[Deadline]:
        return sorted((*moving, *fixed), key=lambda one: (one.due, one.owner, one.kind))[:limit]

    return Read((which(1, f"? - {GIVEN}"), which(0, "?")), made)


def _deadline(owner: str, kind: int, at: int, prompt: int) -> Deadline:
    return Deadline(owner, DeadlineKind(kind), time(at), prompt)


def deadlines_of(owner: str) -> Read[Sequence[Deadline]]:
    return every(
        f"SELECT owner, kind, {DUE}, prompt FROM deadlines WHERE owner = ? ORDER BY owner, kind", (owner,), _deadline
    )


def next_due() -> Read[datetime | None]:
    def made(*found: list[datetime | None]) -> datetime | None:
        return min((one for (one,) in found if one is not None), default=None)

    moving = f"SELECT min(due) + {GIVEN} FROM deadlines WHERE moves = 1"
    fixed = "SELECT min(due) FROM deadlines WHERE moves = 0"
    return Read((Query(moving, (), time_or_none), Query(fixed, (), time_or_none)), made)


def heartbeat() -> Read[datetime | None]:
    return first("SELECT at FROM heartbeat", (), time)


DEADLINE = upsert("deadlines", "owner, kind", "due, prompt, moves", {"due": LESS_GIVEN})

HEARTBEAT = upsert("heartbeat", '"only"', "at")


def set_deadline(step: c.SetDeadline) -> Iterator[Statement]:
    one = step.deadline
    moves = one.kind not in BY_CALENDAR
    yield Statement(DEADLINE, (one.owner, one.kind, micros(one.due), moves, one.prompt, moves))


def drop_deadlines(step: c.DropDeadlines) -> Iterator[Statement]:
    named = {"owner": step.owner, "kind": step.kind, "prompt": step.prompt, DUE: micros(step.due)}
    wanted = {column: value for column, value in named.items() if value is not None}
    yield Statement(f"DELETE FROM deadlines WHERE {' AND '.join(f'{one} = ?' for one in wanted)}", (*wanted.values(),))


def move_deadlines(step: c.MoveDeadlines) -> Iterator[Statement]:
    yield Statement(
        f"UPDATE deadlines SET due = due + ? WHERE owner = ? AND kind <> {int(DeadlineKind.PAUSED)}",
        (step.by // MICROSECOND, step.owner),
    )


def put_off(step: c.PutOff) -> Iterator[Statement]:
    one = step.deadline
    yield Statement(
        f"UPDATE deadlines SET due = ? - moves * {GIVEN} WHERE owner = ? AND kind = ? AND prompt = ?",
        (micros(one.due), one.owner, one.kind, one.prompt),
    )


def write_heartbeat(step: c.Heartbeat) -> Iterator[Statement]:
    yield Statement(HEARTBEAT, (1, micros(step.at)))
