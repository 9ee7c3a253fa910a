"""Row locks that a change takes first, in a database that runs several changes at once."""

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
"""Steps that neither read nor write a lobby. Most bids consist of these."""
TIMED_STEPS = (c.NewLobby, c.SaveLobby, c.NewMatch, c.SaveMatch, c.SetDeadline, c.PutOff)
"""Steps that store times less the time away, which must be constant during a change."""
TIME_AWAY = 0x41574159
"""Key of the advisory lock for the time away. A lock of its row would cause a write with each bid."""


def lock_rows(change: Change) -> Iterator[Statement]:
    """Lock the rows of all matches and lobbies of a change.

    What the change counts or compares afterwards is stable. The order of locks is fixed, so changes cannot deadlock.
    """
    owners = sorted({id for step in change for id in _owner_ids(step)})
    if any(isinstance(step, c.ShiftDeadlines) for step in change):
        yield Statement(f"SELECT pg_advisory_xact_lock({TIME_AWAY})")
    elif any(isinstance(step, TIMED_STEPS) for step in change):  # else a shift meanwhile would move only half of it
        yield Statement(f"SELECT pg_advisory_xact_lock_shared({TIME_AWAY})")
    shown = sorted({step.id for step in change if isinstance(step, c.SurfaceShown | c.DropSurface)})
    marks = ", ".join(["?"] * len(owners) + ["(SELECT owner FROM surfaces WHERE id = ?)"] * len(shown))
    for table in ("matches",) if all(isinstance(step, MATCH_STEPS) for step in change) else ("matches", "lobbies"):
        if marks:
            yield Statement(f"SELECT 1 FROM {table} WHERE id IN ({marks}) ORDER BY id FOR UPDATE", (*owners, *shown))


def _owner_ids(step: Any) -> Iterable[str]:
    """Return the ids of the matches and lobbies that a step changes."""
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
