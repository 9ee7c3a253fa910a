"""What somebody is given of all that is kept about them: matches that are folded as the rows that they were."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.errors import DamagedMatch
from bot.referee.ports.model import EarlierSeal
from data.sql.codec import read_setup
from data.sql.folding import Unfolded, decision_row, unfold, unpack_agreement
from data.sql.reads_own import OWN, Found, TableRows

log = logging.getLogger(__name__)


def given(found: Found) -> Mapping[str, TableRows | Sequence[str]]:
    """All of it that can be read; `damaged` names matches of which that is not all. Somebody may have many, so this is
    for a thread beside the loop."""
    damaged: list[str] = []
    tables = {name: [*rows] for name, rows in found.tables.items()}
    seats, agreements = {(one["match_id"], one["seat"]) for one in tables["seats"]}, dict[str, str]()
    for row in found.folded:
        id, nonce, *setup, agreement, folded = row
        try:
            whole = unfold(id, nonce, folded)
            agreement = unpack_agreement(id, nonce, read_setup(*setup), agreement)
        except DamagedMatch as error:
            log.error("%s", error)  # one that is damaged stands in no other's way
            damaged.append(id)
            agreements[id] = ""
            continue
        tables["decisions"] += (one for one in _decisions(id, whole) if (id, one["seat"]) in seats)
        tables["earlier_seals"] += (_earlier(id, one) for one in whole.earlier if (id, one.seat) in seats)
        agreements[id] = agreement.hex()
    tables["matches"] = [
        {**one, "agreement": agreements[one["id"]]} if one["id"] in agreements else one for one in tables["matches"]
    ]
    for name in ("decisions", "earlier_seals"):
        order = OWN[name].order.split(", ")
        tables[name].sort(key=lambda one, order=order: [one[column] for column in order])
    return {**tables, "damaged": damaged} if damaged else tables


def _decisions(id: str, whole: Unfolded) -> Iterator[Mapping[str, Any]]:
    names = OWN["decisions"].names
    for deal in whole.deals:
        for place, one in enumerate(deal.decisions):
            yield dict(zip(names, (id, deal.number, place, *decision_row(one)), strict=True))


def _earlier(id: str, one: EarlierSeal) -> Mapping[str, Any]:
    row = id, one.deal, one.round, one.sub, one.seat, one.n, one.digest.hex()
    return dict(zip(OWN["earlier_seals"].names, row, strict=True))
