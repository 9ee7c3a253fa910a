"""Locks of a change, taken before its statements, so that what it reads and compares is stable."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from bot.referee.model import changes as c
from bot.referee.model.changes import Change
from bot.referee.model.counts import NoteJoined, NoteLeft
from bot.referee.model.daily import NewDailyDeal, NewDailyTry, SaveDailyBest, ShareDaily
from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.partitions import partition_of, partition_of_owner
from bot.referee.model.people_check import CheckPeople
from data.sql.statement import Statement

PARTITION = 0x474F5041
"""First key of the advisory lock of a partition. A change shares it; a new owner, and who gives time back, takes it."""

SHARE = f"SELECT pg_advisory_xact_lock_shared({PARTITION}, ?)"
TAKE = f"SELECT pg_advisory_xact_lock({PARTITION}, ?)"
TAKE_ALL = f"""SELECT pg_advisory_xact_lock({PARTITION}, CAST(partition AS INT)) FROM partitions WHERE owner = ?
    ORDER BY partition"""

MATCH_STEPS = (
    *(c.SaveMatch, c.AddDecisions, c.PutSeal, c.DropSeals, c.KeepSeal, c.NewDeal),
    *(c.SetDeadline, c.DropDeadlines),
)
"""Steps that neither read nor write a lobby. Most bids consist of these."""


SERVER_STEPS = (
    *(c.DropServer, c.DropBan, c.DropBans, c.NoteRole, c.DropRole, c.DropRating),
    *(NoteJoined, NoteLeft, c.SeasonMoves, c.FreezeSeason, c.MarkSeason, NewDailyTry, SaveDailyBest, ShareDaily),
)
"""Steps with a `guild`, whose rows only the owner of its partition writes."""


def list_partitions(change: Change) -> list[int]:
    """Return the partitions of the matches, lobbies, deadlines and servers of a change, in order."""
    return sorted({partition for step in change for partition in _list_partitions(step)})


def _list_partitions(step: Any) -> Iterator[int]:
    match step:
        case c.SetDeadline(deadline) | c.PutOff(deadline):
            yield partition_of_owner(deadline.owner)
        case c.DropDeadlines(owner) | c.MoveDeadlines(owner):
            yield partition_of_owner(owner)
        case c.ShiftDeadlines(partition=int(partition)):
            yield partition
        case c.PutSurface(surface):
            yield partition_of(surface.match)
        case c.SurfaceShown():
            yield partition_of(step.match)
        case c.EndJob(job):
            yield job.partition
        case c.SaveGuild(one) | c.PutBan(one) | c.AddAudit(one) | c.SaveRating(one) | c.AddRatingEntry(one):
            yield from _list_server(one.guild)
        case c.NewSeason(one) | c.SaveSeason(one) | NewDailyDeal(one):
            yield from _list_server(one.guild)
        case _ if isinstance(step, SERVER_STEPS):
            yield from _list_server(step.guild)
        case c.Erase():
            pass  # it takes its partitions, whoever owns them
        case _:
            yield from map(partition_of, _list_owners(step))


def _list_server(guild: Snowflake) -> Iterator[int]:
    """Yield the partition of a server; none for a direct message."""
    if guild:
        yield partition_of(guild)


def lock_partitions(change: Change, partitions: Collection[int]) -> Iterator[Statement]:
    """Share the partitions of a change, which `list_partitions` returned. A change of the time away takes them, else
    another one would be half moved; and so does an erasure, for it changes what their owners know."""
    shifts = [step for step in change if isinstance(step, c.ShiftDeadlines)]
    if any(step.partition is None for step in shifts):
        yield Statement(TAKE_ALL, (shifts[0].process,))
        return
    erased = {partition for step in change if isinstance(step, c.Erase) for partition in step.partitions}
    marked = {partition for step in change if isinstance(step, c.EndMarking) for partition, _ in step.times}
    for partition in sorted(erased.union(marked, partitions)):
        yield Statement(TAKE if shifts or partition in erased else SHARE, (partition,))


def lock_people(change: Change) -> Iterator[Statement]:
    """Lock the people of a change, so that no two processes decide at once what each may do."""
    for user in sorted({user for step in change for user in _list_people(step)}):
        yield Statement("SELECT pg_advisory_xact_lock(?)", (user,))


def _list_people(step: Any) -> Iterable[UserId]:
    match step:
        case CheckPeople():
            return (*step.users, *((step.host,) if step.host else ()))
        case c.Erase():
            return (step.user, step.number)
        case c.NewPause(one) | c.PutBan(one):
            return (one.user,)
        case c.Block():
            return (step.by, step.user)
        case _:
            return ()


def lock_rows(change: Change) -> Iterator[Statement]:
    """Lock the rows of all matches and lobbies of a change, in a fixed order, so that changes cannot deadlock. A note
    of what a surface shows locks the row of the surface only, and waits for no bid, unless that ends the match. A bid
    begins with the update of its match, which locks the row and compares the version."""
    for step in change:
        if isinstance(step, c.SaveMatch) and not step.match.live:
            yield Statement("SELECT 1 FROM surfaces WHERE owner = ? ORDER BY id FOR UPDATE", (step.match.id,))
    owners = sorted({id for step in change for id in _list_owners(step)})
    marks = ", ".join("?" * len(owners))
    is_of_match = all(isinstance(step, MATCH_STEPS) for step in change)
    if is_of_match and len(owners) == 1 and isinstance(change[0], c.SaveMatch):
        return
    for table in ("matches",) if is_of_match else ("matches", "lobbies"):
        if marks:
            yield Statement(f"SELECT 1 FROM {table} WHERE id IN ({marks}) ORDER BY id FOR UPDATE", (*owners,))


def _list_owners(step: Any) -> Iterable[str]:
    """Return the ids of the matches and lobbies that a step changes, or whose versions it must not miss."""
    match step:
        case c.NewMatch(one) | c.SaveMatch(one) | c.NewLobby(one) | c.SaveLobby(one):
            return (one.id,)
        case c.PutSurface(surface):
            return () if surface.id else (surface.match,)
        case c.NewDeal() | c.AddDecisions() | c.PutSeal() | c.DropSeals() | c.KeepSeal():
            return (step.match,)
        case c.Erase():
            return step.going
        case c.MarkBehind(owner):
            return (owner,)
        case c.EraseAgreement(erased):
            return (erased.match,)
        case _:
            return ()
