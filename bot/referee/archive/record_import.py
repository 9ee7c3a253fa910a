"""Import of records: each is refereed from the first card on, and stored like a finished match.

`import_record` runs in a worker process, because a hostile file may take long.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any, cast

from bot.engine.match import Termination
from bot.engine.record.record import Record, RecordError, choice_data, options_data, read_record
from bot.engine.record.replay import Replay, replay
from bot.errors import RefereeError
from bot.referee.model.model import Seated, Setup, StoredDeal, StoredDecision, StoredMatch
from bot.referee.model.people import Import
from bot.referee.proof.version2 import refuse_version_1
from bot.referee.repository.live import deal_zones, prompt_place

MOST_BYTES = 1024 * 1024
MOST_DECISIONS = 5000
"""More decisions than any match has; a record may claim any number."""
MOST_NAME = 100


def read_text(data: bytes) -> str:
    """Decode an uploaded file. Raise `RefereeError` if it is too large or not UTF-8."""
    if len(data) > MOST_BYTES:
        raise RefereeError("record-big")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RefereeError("record-unreadable", n=1, why="it is not UTF-8 text") from error


@contextmanager
def refuse_unreadable() -> Generator[None]:
    """Refuse a file by `RefereeError` for whatever is wrong with it."""
    try:
        yield
    except RecordError as error:
        raise RefereeError("record-refused", why=str(error)) from error
    except json.JSONDecodeError as error:
        raise RefereeError("record-unreadable", n=error.lineno, why=error.msg) from error
    except RecursionError as error:
        raise RefereeError("record-unreadable", n=1, why="it is nested too deeply") from error
    except ValueError as error:
        raise RefereeError("record-unreadable", n=1, why=str(error)[:100]) from error


def import_record(data: bytes) -> str:
    """Check a record and return it in its stored form: choices by place, and of the sender's claims only the names."""
    with refuse_unreadable():
        document: object = json.loads(read_text(data), parse_constant=_no_constant)
        if not isinstance(document, dict):
            raise ValueError("a record is an object in braces")
        found = cast("dict[str, Any]", document)
        if sum(len(deal["decisions"]) for deal in _countable_deals(found)) > MOST_DECISIONS:
            raise RefereeError("record-long")
        refuse_version_1(found)
        record = read_record(found)
        played = replay(record)
    if played.error is not None:
        raise RefereeError("record-illegal", why=str(played.error))
    if not played.joints:
        raise RefereeError("record-empty")
    return json.dumps(_stored_form(found, record, played), ensure_ascii=False, separators=(",", ":"))


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a number of JSON")


def _countable_deals(document: Mapping[str, Any]) -> list[Mapping[str, list[Any]]]:
    """Return the deals whose decisions can be counted; others are refused later, with their place."""
    deals: object = document.get("deals")
    found: list[Any] = cast("list[Any]", deals) if isinstance(deals, list) else []
    return [deal for deal in found if isinstance(deal, dict) and isinstance(cast("Any", deal).get("decisions"), list)]


def _stored_form(document: Mapping[str, Any], record: Record, played: Replay) -> dict[str, Any]:
    rules = record.start.rules
    kept: dict[str, Any] = {
        "game": rules.game.key,
        "options": options_data(rules),
        "seats": rules.seats,
        "series": record.start.series.data(),
        "deals": [{**deal_zones(state.deal), "decisions": []} for state in played.match.deals],
        "names": _read_names(document.get("players"), rules.seats),
    }
    left = [{"seat": leave.seat, "kind": leave.kind.word} for leave in played.match.left]
    counts: list[tuple[int, int]] = []
    """For each seat that left, the deal, and how many decisions it had by then."""
    for joint in played.joints:
        deal, round, sub = prompt_place(joint.before)
        decisions = kept["deals"][deal]["decisions"]
        counts += [(deal, len(decisions))] * (len(joint.before.left) - len(counts))
        decisions += [
            [seat, choice_data(choice), int(seat in joint.forced), round, sub]
            for seat, choice in sorted(joint.choices.items())
        ]
    deal = max(0, len(kept["deals"]) - 1)
    end = (deal, len(kept["deals"][deal]["decisions"]))
    counts += [end] * (len(left) - len(counts))
    kept["left"] = [{**one, "deal": deal, "after": at} for one, (deal, at) in zip(left, counts, strict=True)]
    ended = played.match.termination
    if ended not in (None, Termination.COMPLETED):  # a leave that ended the match comes first
        kept["ending"] = {"kind": ended.word, "deal": end[0], "after": end[1]}
    return kept


def _read_names(players: object, seats: int) -> list[str]:
    """Return the names that the record gives its players."""
    names = [""] * seats
    for one in cast("list[Any]", players) if isinstance(players, list) else []:
        if isinstance(one, dict):
            found = cast("dict[str, Any]", one)
            seat, name = found.get("seat"), found.get("name")
            if isinstance(seat, int) and 0 <= seat < seats and isinstance(name, str):
                names[seat] = name.encode("utf-8", "replace").decode()[:MOST_NAME]
    return names


def match_of_import(one: Import) -> StoredMatch:
    """Return an imported record as a finished match without a server and without users."""
    kept: dict[str, Any] = json.loads(one.record)
    deals = tuple(
        StoredDeal(
            number,
            {key: value for key, value in deal.items() if key != "decisions"},
            tuple(_stored_decision(one.at, *decision) for decision in deal["decisions"]),
        )
        for number, deal in enumerate(kept["deals"])
    )
    return StoredMatch(
        id=one.id,
        guild=0,
        channel=0,
        setup=Setup(kept["game"], kept["options"], kept["seats"], kept["series"], 0, rated=False),
        nonce=b"",
        seats=tuple(Seated(number, name) for number, name in enumerate(kept["names"], 1)),
        opened=one.at,
        started=one.at,
        deals=deals,
        live=False,
        left=tuple(kept["left"]),
        ending=kept.get("ending"),
    )


def _stored_decision(at: datetime, seat: int, choice: Any, forced: int, round: int, sub: int) -> StoredDecision:
    return StoredDecision(seat, choice, bool(forced), round, sub, b"", at)
