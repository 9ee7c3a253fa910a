"""Which rows a change takes before anything else, where several changes are carried out at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from bot.referee.model import changes as c
from bot.referee.model.changes import Change
from data.sql.statement import Statement

MATCH_STEPS = (
    *(c.SaveMatch, c.AddDecisions, c.PutSeal, c.DropSeals, c.KeepSeal, c.NewDeal),
    *(c.SetDeadline, c.DropDeadlines),
)
"""steps that neither read nor write a challenge: most bids have no others"""
TIMED_STEPS = (c.NewLobby, c.SaveLobby, c.NewMatch, c.SaveMatch, c.SetDeadline, c.PutOff)
"""steps that store times less the time away, which must be the same for all of a change"""
TIME_AWAY = 0x41574159
"""Of the advisory lock that stands for the time away. A lock of its row would be written with each bid."""


def lock_rows(change: Change) -> Iterator[Statement]:
    """First of all a change takes the rows of its matches and challenges, always in the same order: whatever it counts
    or compares after that, nobody else changes meanwhile, and no two changes wait for each other."""
    owners = sorted({id for step in change for id in _owner_ids(step)})
    if any(isinstance(step, c.ShiftDeadlines) for step in change):
        yield Statement(f"SELECT pg_advisory_xact_lock({TIME_AWAY})")
    elif any(isinstance(step, TIMED_STEPS) for step in change):  # else what is opened meanwhile is half moved
        yield Statement(f"SELECT pg_advisory_xact_lock_shared({TIME_AWAY})")
    shown = sorted({step.id for step in change if isinstance(step, c.SurfaceShown | c.DropSurface)})
    marks = ", ".join(["?"] * len(owners) + ["(SELECT owner FROM surfaces WHERE id = ?)"] * len(shown))
    for table in ("matches",) if all(isinstance(step, MATCH_STEPS) for step in change) else ("matches", "lobbies"):
        if marks:
            yield Statement(f"SELECT 1 FROM {table} WHERE id IN ({marks}) ORDER BY id FOR UPDATE", (*owners, *shown))


def _owner_ids(step: Any) -> Iterable[str]:
    """The ids of matches and challenges that a step changes something of."""
    match step:
        case c.NewMatch(one) | c.SaveMatch(one) | c.NewLobby(one) | c.SaveLobby(one):
            return (one.id,)
        case c.PutSurface(surface):
            return (surface.match,)
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
