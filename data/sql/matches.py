"""One match: its row, seats, deals, decisions and seals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from bot.referee.model import changes as c
from bot.referee.model.model import EarlierSeal, Seal, Seated, Setup, StoredDeal, StoredDecision, StoredMatch, UserId
from bot.referee.model.partitions import partition_of
from bot.referee.model.people import Player
from bot.referee.model.surfaces import Surface, SurfaceKind
from data.sql.codec import Columns, dump, dump_draw, parse, to_micros
from data.sql.deadlines import (
    GOING,
    LESS_GIVEN,
    LESS_TIMES,
    LESS_TOLD,
    MATCH_AWAY,
    MATCH_DEADLINE,
    MATCH_VERSION,
)
from data.sql.people import PLAYER
from data.sql.statement import Query, Read, Statement, all_rows, group, insert, marks, upsert
from data.sql.surfaces import surfaces

SETUP = Columns(Setup)
MATCH = Columns(StoredMatch, without=("setup", "seats", "deals", "sealed"), left="leavers")
SEATED = Columns(Seated)
DECISION = Columns(StoredDecision)
SEAL = Columns(Seal)
EARLIER = Columns(EarlierSeal)


def query_seats(where: str, params: tuple[Any, ...]) -> Query[tuple[str, Seated]]:
    """Build a query for seats, each with the id of its match. `where` follows the name of the table."""
    return Query(f"SELECT seats.match_id, {SEATED} FROM seats {where}", params, SEATED.read_keyed)


MATCHES = (
    f"SELECT {SETUP}, {MATCH.select(version=MATCH_VERSION, deadline=MATCH_DEADLINE, away=MATCH_AWAY)} FROM matches"
)

DEALS = "SELECT match_id, number, zones FROM deals"

DECISIONS = f"SELECT match_id, deal, {DECISION} FROM decisions"

SEALS = f"SELECT match_id, {SEAL} FROM seals"

LIVE = 'SELECT match_id FROM seats WHERE "user" = ? AND live = 1'


def match(id: str) -> Read[StoredMatch | None]:
    """Read one match by five queries."""
    return Read(_queries("= ?", (id,)), lambda *parts: next(iter(_combine(*parts)), None))


def match_with_messages(id: str) -> Read[tuple[StoredMatch | None, Sequence[Surface], Sequence[Player]]]:
    """Read one match with its surfaces, and the preferences of its players: what a press on it needs."""

    def combine(*parts: list[Any]) -> tuple[StoredMatch | None, Sequence[Surface], Sequence[Player]]:
        *of_match, shown, players = parts
        found = next(iter(_combine(*of_match)), None)
        known = {player.user: player for player in players}
        users = [seated.user for seated in found.seats if seated.user] if found is not None else []
        return found, shown, [known.get(user, Player(user)) for user in users]

    seated = 'SELECT "user" FROM seats WHERE match_id = ?'
    players = Query(f'SELECT {PLAYER} FROM players WHERE "user" IN ({seated}) ORDER BY "user"', (id,), PLAYER.read)
    return Read((*_queries("= ?", (id,)), *surfaces(id).queries, players), combine)


def live_of(user: UserId) -> Read[Sequence[StoredMatch]]:
    """Read the live matches of a user, by the same five queries for all of them."""
    return Read(_queries(f"IN ({LIVE})", (user,)), _combine)


def _queries(where: str, params: tuple[Any, ...]) -> tuple[Query[Any], ...]:
    """Build the queries for all parts of matches, oldest match first."""
    return (
        Query(f"{MATCHES} WHERE id {where} ORDER BY started, id", params, _read_match),
        query_seats(f"WHERE match_id {where} ORDER BY match_id, seat", params),
        Query(f"{DEALS} WHERE match_id {where} ORDER BY match_id, number", params, _read_deal),
        Query(f"{DECISIONS} WHERE match_id {where} ORDER BY match_id, deal, place", params, _read_decision),
        Query(f"{SEALS} WHERE match_id {where} ORDER BY match_id, seat", params, SEAL.read_keyed),
    )


def _combine(
    matches: list[StoredMatch],
    seats: list[tuple[str, Seated]],
    deals: list[tuple[str, StoredDeal]],
    decisions: list[tuple[tuple[str, int], StoredDecision]],
    seals: list[tuple[str, Seal]],
) -> Sequence[StoredMatch]:
    """Build matches from their parts."""
    decisions_of = group(decisions)
    deals_of = group(
        (id, replace(deal, decisions=tuple(decisions_of.get((id, deal.number), ())))) for id, deal in deals
    )
    seats_of, seals_of = group(seats), group(seals)
    return [
        replace(
            match,
            seats=tuple(seats_of.get(match.id, ())),
            deals=tuple(deals_of.get(match.id, ())),
            sealed=tuple(seals_of.get(match.id, ())),
        )
        for match in matches
    ]


_read_setup = lru_cache(256)(SETUP.read)
"""Most matches share one of a few."""


def _read_match(*row: Any) -> StoredMatch:
    """Read a match from its own row, without its seats, deals and seals."""
    size = len(SETUP.names)
    setup, fields = _read_setup(*row[:size]), MATCH.read_fields(row[size:])
    return StoredMatch(setup=setup, seats=(), deals=(), sealed=(), **fields)


def _read_deal(id: str, number: int, zones: str) -> tuple[str, StoredDeal]:
    return id, StoredDeal(number, parse(zones))


def _read_decision(id: str, deal: int, *row: Any) -> tuple[tuple[str, int], StoredDecision]:
    return (id, deal), DECISION.read(*row)


def earlier_seals(id: str) -> Read[Sequence[EarlierSeal]]:
    """Read the seals of a match that were shown and are not played, by place and number."""
    sql = f"SELECT {EARLIER} FROM earlier_seals WHERE match_id = ? ORDER BY deal, round, sub, seat, n"
    return all_rows(sql, (id,), EARLIER.read)


PUT_SEAL = upsert("seals", "match_id, seat", "choice, salt, digest, at, forced, n, press, prompt")
KEEP_SEAL = upsert("earlier_seals", "match_id, deal, round, sub, seat, n", "digest")

FREQUENT_COLUMNS = ("version", "prompt", "opened", "deadline", "draw", "away", "paused")

FIXED = Columns(StoredMatch, only=("id", "guild", "nonce", "started", "agreement", "record"))

NEXT = Columns(StoredMatch, only=("prompt", "opened", "draw", "paused"))

RARE = Columns(
    StoredMatch,
    only=(
        *("channel", "live", "left", "ending", "ended", "termination", "winner", "placings", "totals", "changes"),
        *("unrated", "void", "reason"),
    ),
    left="leavers",
)
"""Columns that most changes leave alone, among them all indexed ones."""

STORED = {"version": LESS_TIMES, "deadline": LESS_GIVEN, "away": LESS_TOLD}
"""Expressions of the columns that are stored less the time away. Each takes three parameters."""


AT_VERSION = f"WHERE id = ? AND {MATCH_VERSION} = ?"

SAVE_ALL = f"""UPDATE matches SET {", ".join(f"{name} = {STORED.get(name, '?')}" for name in FREQUENT_COLUMNS)},
    {RARE.assignments()} {AT_VERSION} AND (SELECT count(*) FROM seats WHERE match_id = matches.id) = ?"""

SAVE_NEXT = f"""UPDATE matches SET version = version + ?, deadline = deadline + ?, away = away + ?, {NEXT.assignments()}
    {AT_VERSION}"""
"""Update by the differences from the match before, which are the same with and without the time away."""

SAVE_VERSION = f"UPDATE matches SET version = version + ? {AT_VERSION}"
"""Update where nothing else of the row differs, as after most bids."""

SAVE_SEAT = "UPDATE seats SET misses = ?, draw_from = ?, seen = ? WHERE match_id = ? AND seat = ?"

SAVE_ALL_OF_SEAT = """UPDATE seats SET misses = ?, draw_from = ?, seen = ?, "user" = ?, name = ?, live = ?, ended = ?
    WHERE match_id = ? AND seat = ?"""


def new_match(step: c.NewMatch) -> Iterator[Statement]:
    """Insert a match with its seats, deals and seals."""
    match = step.match
    plain = (*SETUP.write(match.setup), *FIXED.write(match), *RARE.write(match))
    yield Statement(
        f"""INSERT INTO matches ({SETUP}, {FIXED}, {RARE}, {", ".join(FREQUENT_COLUMNS)}, partition)
        VALUES ({marks(len(plain))}, {", ".join(STORED.get(column, "?") for column in FREQUENT_COLUMNS)}, ?)""",
        (*plain, *_frequent_values(match), partition_of(match.id)),
    )
    started, ended = to_micros(match.started), to_micros(match.ended)
    for seat, who in enumerate(match.seats):
        yield Statement(
            insert("seats", f"match_id, seat, {SEATED}, started, live, ended"),
            (match.id, seat, *SEATED.write(who), started, match.live, ended),
        )
    for deal in match.deals:
        yield from new_deal(c.NewDeal(match.id, deal))
    for seal in match.sealed:
        yield from put_seal(c.PutSeal(match.id, match.prompt, seal))
    yield _set_pending(match)


def save_match(step: c.SaveMatch) -> Iterator[Statement]:
    """Update a match and its seats. Agreement, nonce and start never change."""
    match = step.match
    if match.version <= step.expect:
        raise ValueError(f"match {match.id} keeps its version {match.version}")
    before = step.before
    yield _update(match, step.expect, before)
    # Most bids change no seat. One after a missed bid does, and then no index is written.
    seats_before = () if before is None or (before.live, before.ended) != (match.live, match.ended) else before.seats
    for seat, (who, was) in enumerate(zip_longest(match.seats, seats_before)):
        if who == was:
            continue
        values = (who.misses, who.draw_from, to_micros(who.seen))
        if was is not None and (who.user, who.name) == (was.user, was.name):
            yield Statement(SAVE_SEAT, (*values, match.id, seat))
        else:
            values = (*values, who.user, who.name, match.live, to_micros(match.ended))
            yield Statement(SAVE_ALL_OF_SEAT, (*values, match.id, seat))
    if not match.live:
        yield _set_pending(match)


def _update(match: StoredMatch, expect: int, before: StoredMatch | None) -> Statement:
    """Build the update of the row of a match, by what differs from the match before if that is known."""
    failure = f"match {match.id} is not at version {expect} with {len(match.seats)} seats"
    at = match.id, expect
    if before is None or _rare_values(match) != _rare_values(before):
        values = *_frequent_values(match), *RARE.write(match), *at, len(match.seats)
        return Statement(SAVE_ALL, values, 1, failure)
    version, away = match.version - expect, match.away - before.away
    later = (to_micros(match.deadline) or 0) - (to_micros(before.deadline) or 0)
    if not later and not away and NEXT.values_of(match) == NEXT.values_of(before):
        return Statement(SAVE_VERSION, (version, *at), 1, failure)
    return Statement(SAVE_NEXT, (version, later, away, *NEXT.write(match), *at), 1, failure)


def _rare_values(match: StoredMatch) -> tuple[Any, ...]:
    return *RARE.values_of(match), match.deadline is None, len(match.seats)


def _frequent_values(match: StoredMatch) -> tuple[Any, ...]:
    moves = match.live and match.deadline is not None, partition_of(match.id)
    return (
        *(match.version, *moves, match.prompt, to_micros(match.opened), to_micros(match.deadline), *moves),
        *(None if match.draw is None else dump_draw(match.draw), match.away, *moves, to_micros(match.paused)),
    )


def _set_pending(match: StoredMatch) -> Statement:
    """Set which version of a match that is over settles its surfaces."""
    return Statement(
        f"UPDATE surfaces SET pending = ? WHERE owner = ? AND state <> 'gone' AND kind <> {int(SurfaceKind.LOBBY)}",
        (GOING if match.live else match.version, match.id),
    )


def new_deal(step: c.NewDeal) -> Iterator[Statement]:
    """Insert a deal. The same deal again changes nothing; another deal with its number is a conflict."""
    deal = step.deal
    yield Statement(
        """INSERT INTO deals (match_id, number, zones) VALUES (?, ?, ?)
        ON CONFLICT (match_id, number) DO UPDATE SET zones = excluded.zones WHERE deals.zones = excluded.zones""",
        (step.match, deal.number, dump(deal.zones)),
        1,
        f"match {step.match} has another deal {deal.number}",
    )
    if deal.decisions:
        added = c.AddDecisions(step.match, deal.number, 0, deal.decisions)
        yield from (check_decisions(added), *add_decisions(added))


ADD_DECISION = insert("decisions", f"match_id, deal, place, {DECISION}")


def check_decisions(step: c.AddDecisions) -> Statement:
    """Check before a change that it continues the decisions of the deal."""
    return Statement(
        """SELECT 1 FROM deals WHERE match_id = ? AND number = ?
            AND (SELECT coalesce(max(place) + 1, 0) FROM decisions WHERE match_id = ? AND deal = ?) = ?""",
        (step.match, step.deal, step.match, step.deal, step.first),
        1,
        f"deal {step.deal} of match {step.match} does not have {step.first} decisions",
    )


def add_decisions(step: c.AddDecisions) -> Iterator[Statement]:
    for place, decision in enumerate(step.decisions, step.first):
        yield Statement(ADD_DECISION, (step.match, step.deal, place, *DECISION.write(decision)))


def put_seal(step: c.PutSeal) -> Iterator[Statement]:
    yield Statement(PUT_SEAL, (step.match, *SEAL.write(step.seal), step.prompt))


def check_seals(match: str) -> Statement:
    """Check after a change that all seals of a match belong to its present prompt."""
    return Statement(
        """SELECT 1 WHERE NOT EXISTS (
            SELECT 1 FROM seals JOIN matches ON matches.id = match_id
            WHERE seals.match_id = ? AND seals.prompt <> matches.prompt)""",
        (match,),
        1,
        f"match {match} asks for something else by now",
    )


def drop_seals(step: c.DropSeals) -> Iterator[Statement]:
    if step.seat is None:
        yield Statement("DELETE FROM seals WHERE match_id = ?", (step.match,))
    else:
        yield Statement("DELETE FROM seals WHERE match_id = ? AND seat = ?", (step.match, step.seat))


def keep_seal(step: c.KeepSeal) -> Iterator[Statement]:
    yield Statement(KEEP_SEAL, (step.match, *EARLIER.write(step.seal)))
