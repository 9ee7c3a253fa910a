"""A match of which an earlier version is known: only what may be another since is read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.referee.ports.model import Seal, Seated, StoredDeal, StoredDecision, StoredMatch
from data.sql import rows_match as rows
from data.sql.statement import Query, Read, grouped


def newer(known: StoredMatch) -> Read[StoredMatch | None]:
    """The match as it is now. One that is over has changed in more than is read here."""
    id, last = known.id, len(known.deals) - 1
    filed = len(known.deals[last].decisions) if known.deals else 0

    def row(*columns: Any) -> StoredMatch:
        return replace(known, **rows.changing(*columns))

    def made(
        found: list[StoredMatch],
        seats: list[tuple[str, Seated]],
        deals: list[tuple[str, StoredDeal]],
        decisions: list[tuple[tuple[str, int], StoredDecision]],
        seals: list[tuple[str, Seal]],
    ) -> StoredMatch | None:
        if not found:
            return None
        made = grouped(decisions)
        all = (*known.deals, *(deal for _, deal in deals))
        return replace(
            found[0],
            seats=tuple(seat for _, seat in seats),
            deals=tuple(
                replace(deal, decisions=(*deal.decisions, *new)) if (new := made.get((id, deal.number))) else deal
                for deal in all
            ),
            sealed=tuple(seal for _, seal in seals),
        )

    return Read(
        (
            Query(f"SELECT {rows.CHANGING} FROM matches WHERE id = ?", (id,), row),
            rows.seats("WHERE match_id = ? ORDER BY seat", (id,)),
            rows.deals("WHERE match_id = ? AND number > ? ORDER BY number", (id, last)),
            rows.decisions(
                "WHERE match_id = ? AND (deal, place) >= (?, ?) ORDER BY deal, place",
                (id, max(last, 0), filed),
            ),
            rows.seals("WHERE match_id = ? ORDER BY seat", (id,)),
        ),
        made,
    )
