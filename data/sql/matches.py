"""One match: its row, seats, deals, decisions and seals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from operator import attrgetter
from typing import Any

from bot.referee.model import changes as c
from bot.referee.model.model import (
    EarlierSeal,
    Seal,
    Seated,
    StoredDeal,
    StoredDecision,
    StoredMatch,
    SurfaceKind,
    UserId,
)
from data.sql.codec import (
    dump,
    dump_changes,
    dump_draw,
    dump_or_none,
    parse,
    parse_changes,
    parse_draw,
    parse_numbers,
    parse_or_none,
    read_setup,
    read_time,
    read_time_or_none,
    setup_columns,
    to_micros,
)
from data.sql.deadlines import LESS_GIVEN, LESS_TIMES, LESS_TOLD, MATCH_AWAY, MATCH_DEADLINE, MATCH_VERSION, UP_TO_DATE
from data.sql.statement import Query, Read, Statement, all_rows, group, upsert

CHANGING = f"""channel, {MATCH_VERSION}, prompt, opened, {MATCH_DEADLINE}, live, leavers, ending, draw, {MATCH_AWAY},
    ended, termination, winner, placings, totals, changes, unrated, void, reason, paused"""


# Long: one parameter for each column.
def read_changing(
    channel: int,
    version: int,
    prompt: int,
    opened: int,
    deadline: int | None,
    live: int,
    leavers: str,
    ending: str | None,
    draw: str | None,
    away: int,
    *rest: Any,
) -> dict[str, Any]:
    """Convert the columns of `CHANGING` to fields of `StoredMatch`."""
    ended, termination, winner, placings, totals, changes, unrated, void, reason, paused = rest
    return {
        "channel": channel,
        "version": version,
        "prompt": prompt,
        "opened": read_time(opened),
        "deadline": read_time_or_none(deadline),
        "live": bool(live),
        "left": tuple(parse(leavers)),
        "ending": parse_or_none(ending),
        "draw": parse_draw(draw),
        "away": away,
        "ended": read_time_or_none(ended),
        "termination": termination,
        "winner": winner,
        "placings": None if placings is None else parse_numbers(placings),
        "totals": tuple(parse(totals)),
        "changes": parse_changes(changes),
        "unrated": unrated,
        "void": bool(void),
        "reason": reason,
        "paused": read_time_or_none(paused),
    }


def query_seats(where: str, params: tuple[Any, ...]) -> Query[tuple[str, Seated]]:
    """Build a query for seats, each with the id of its match. `where` follows the name of the table."""

    def value(id: str, user: int, name: str, misses: int, draw_from: int, seen: int | None) -> tuple[str, Seated]:
        return id, Seated(user, name, misses, draw_from, read_time_or_none(seen))

    columns = 'seats.match_id, "user", name, misses, draw_from, seen'
    return Query(f"SELECT {columns} FROM seats {where}", params, value)


def query_deals(where: str, params: tuple[Any, ...]) -> Query[tuple[str, StoredDeal]]:
    """Build a query for deals without their decisions, each with the id of its match."""

    def value(id: str, number: int, zones: str) -> tuple[str, StoredDeal]:
        return id, StoredDeal(number, parse(zones))

    return Query(f"SELECT match_id, number, zones FROM deals {where}", params, value)


def query_decisions(where: str, params: tuple[Any, ...]) -> Query[tuple[tuple[str, int], StoredDecision]]:
    """Build a query for decisions, each with its match and the number of its deal."""
    columns = "match_id, deal, seat, choice, forced, round, sub, salt, at, n, digest"
    return Query(f"SELECT {columns} FROM decisions {where}", params, _read_decision)


def query_seals(where: str, params: tuple[Any, ...]) -> Query[tuple[str, Seal]]:
    return Query(f"SELECT match_id, seat, choice, salt, digest, at, forced, n FROM seals {where}", params, _read_seal)


# Long: one parameter for each column.
def _read_decision(
    id: str,
    deal: int,
    seat: int,
    choice: str,
    forced: int,
    turn: int,
    sub: int,
    salt: bytes,
    at: int,
    n: int,
    digest: bytes,
) -> tuple[tuple[str, int], StoredDecision]:
    return (id, deal), StoredDecision(seat, parse(choice), bool(forced), turn, sub, salt, read_time(at), n, digest)


def _read_seal(
    id: str, seat: int, choice: str, salt: bytes, digest: bytes, at: int, forced: int, n: int
) -> tuple[str, Seal]:
    return id, Seal(seat, parse(choice), salt, digest, read_time(at), bool(forced), n)


MATCHES = f"""SELECT id, game, options, seats, series, clock, rated, place, guild, nonce, started, agreement,
    record, {CHANGING} FROM matches"""

EARLIER = "SELECT deal, round, sub, seat, n, digest FROM earlier_seals"

LIVE = 'SELECT match_id FROM seats WHERE "user" = ? AND live = 1'


def match(id: str) -> Read[StoredMatch | None]:
    """Read one match by five queries."""
    return Read(_queries("= ?", (id,)), lambda *parts: next(iter(_combine(*parts)), None))


def live_of(user: UserId) -> Read[Sequence[StoredMatch]]:
    """Read the live matches of a user, by the same five queries for all of them."""
    return Read(_queries(f"IN ({LIVE})", (user,)), _combine)


def _queries(where: str, params: tuple[Any, ...]) -> tuple[Query[Any], ...]:
    """Build the queries for all parts of matches, oldest match first."""
    return (
        Query(f"{MATCHES} WHERE id {where} ORDER BY started, id", params, _read_match),
        query_seats(f"WHERE match_id {where} ORDER BY match_id, seat", params),
        query_deals(f"WHERE match_id {where} ORDER BY match_id, number", params),
        query_decisions(f"WHERE match_id {where} ORDER BY match_id, deal, place", params),
        query_seals(f"WHERE match_id {where} ORDER BY match_id, seat", params),
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


def _read_match(id: str, *row: Any) -> StoredMatch:
    """Read a match from its own row, without its seats, deals and seals."""
    guild, nonce, started, agreement, record, *rest = row[7:]
    return StoredMatch(
        id=id,
        guild=guild,
        setup=read_setup(*row[:7]),
        nonce=nonce,
        seats=(),
        deals=(),
        sealed=(),
        started=read_time(started),
        agreement=agreement,
        record=record,
        **read_changing(*rest),
    )


def earlier_seals(id: str) -> Read[Sequence[EarlierSeal]]:
    """Read the seals of a match that were shown and are not played, by place and number."""
    return all_rows(f"{EARLIER} WHERE match_id = ? ORDER BY deal, round, sub, seat, n", (id,), EarlierSeal)


SEAL = upsert("seals", "match_id, seat", "prompt, choice, salt, digest, at, forced, n")

FREQUENT_COLUMNS = ("version", "prompt", "opened", "deadline", "draw", "away", "paused")

RARE_COLUMNS = (
    *("channel", "live", "leavers", "ending", "ended", "termination", "winner", "placings", "totals", "changes"),
    *("unrated", "void", "reason"),
)
"""Columns that most changes leave alone, among them all indexed ones."""

STORED = {"version": LESS_TIMES, "deadline": LESS_GIVEN, "away": LESS_TOLD}
"""Expressions of the columns that are stored less the time away. Each takes two parameters."""


def _build_update(*columns: str) -> str:
    return f"""UPDATE matches SET {", ".join(f"{column} = {STORED.get(column, '?')}" for column in columns)}
        WHERE id = ? AND {MATCH_VERSION} = ? AND (SELECT count(*) FROM seats WHERE match_id = matches.id) = ?"""


SAVE, SAVE_ALL = _build_update(*FREQUENT_COLUMNS), _build_update(*FREQUENT_COLUMNS, *RARE_COLUMNS)

SAVE_SEAT = "UPDATE seats SET misses = ?, draw_from = ?, seen = ? WHERE match_id = ? AND seat = ?"

SAVE_ALL_OF_SEAT = """UPDATE seats SET misses = ?, draw_from = ?, seen = ?, "user" = ?, name = ?, live = ?, ended = ?
    WHERE match_id = ? AND seat = ?"""


def new_match(step: c.NewMatch) -> Iterator[Statement]:
    """Insert a match with its seats, deals and seals."""
    match = step.match
    yield Statement(
        f"""INSERT INTO matches (id, guild, game, options, seats, series, clock, rated, place, nonce, started,
            agreement, {", ".join((*FREQUENT_COLUMNS, *RARE_COLUMNS))})
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
            {", ".join(STORED.get(column, "?") for column in (*FREQUENT_COLUMNS, *RARE_COLUMNS))})""",
        (
            *(match.id, match.guild, *setup_columns(match.setup), match.nonce, to_micros(match.started)),
            *(match.agreement, *_frequent_values(match), *_rare_values(match)),
        ),
    )
    started, ended = to_micros(match.started), to_micros(match.ended)
    for seat, who in enumerate(match.seats):
        yield Statement(
            """INSERT INTO seats (match_id, seat, "user", name, misses, draw_from, seen, started, live, ended)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (
                *(match.id, seat, who.user, who.name, who.misses, who.draw_from, to_micros(who.seen)),
                *(started, match.live, ended),
            ),
        )
    for deal in match.deals:
        yield from new_deal(c.NewDeal(match.id, deal))
    for seal in match.sealed:
        yield from put_seal(c.PutSeal(match.id, match.prompt, seal))
    yield _want_version(match, 0)


def save_match(step: c.SaveMatch) -> Iterator[Statement]:
    """Update a match and its seats. Agreement, nonce and start never change."""
    match = step.match
    if match.version <= step.expect:
        raise ValueError(f"match {match.id} keeps its version {match.version}")
    has_rare_change = step.before is None or _rare_fields(match) != _rare_fields(step.before)
    values = (*_frequent_values(match), *_rare_values(match)) if has_rare_change else _frequent_values(match)
    yield Statement(
        SAVE_ALL if has_rare_change else SAVE,
        (*values, match.id, step.expect, len(match.seats)),
        1,
        f"match {match.id} is not at version {step.expect} with {len(match.seats)} seats",
    )
    # A bid changes only the last activity of a seat, and then no index is written.
    before = step.before
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
    yield _want_version(match, step.expect)


_rare_fields = attrgetter(*("left" if column == "leavers" else column for column in RARE_COLUMNS))


def _frequent_values(match: StoredMatch) -> tuple[Any, ...]:
    moves = match.live and match.deadline is not None
    return (
        *(match.version, moves, match.prompt, to_micros(match.opened), to_micros(match.deadline), moves),
        *(dump_draw(match.draw), match.away, moves, to_micros(match.paused)),
    )


def _rare_values(match: StoredMatch) -> tuple[Any, ...]:
    return (
        *(match.channel, match.live, dump([dict(left) for left in match.left]), dump_or_none(match.ending)),
        *(to_micros(match.ended), match.termination, match.winner, dump_or_none(match.placings), dump(match.totals)),
        *(dump_changes(match.changes), match.unrated, match.void, match.reason),
    )


def _want_version(match: StoredMatch, before: int) -> Statement:
    return Statement(
        f"UPDATE surfaces SET {UP_TO_DATE} WHERE owner = ? AND state <> 'gone' AND kind <> {int(SurfaceKind.LOBBY)}",
        (before, before, match.version, match.id),
    )


def new_deal(step: c.NewDeal) -> Iterator[Statement]:
    """Insert a deal. The same deal again changes nothing; another deal with its number is a conflict."""
    deal = step.deal
    yield Statement(
        """INSERT INTO deals (match_id, number, zones) VALUES (?, ?, ?)
        ON CONFLICT (match_id, number) DO UPDATE SET zones = excluded.zones WHERE deals.zones = excluded.zones""",
        (step.match, deal.number, dump(dict(deal.zones))),
        1,
        f"match {step.match} has another deal {deal.number}",
    )
    if deal.decisions:
        yield from add_decisions(c.AddDecisions(step.match, deal.number, 0, deal.decisions))


def add_decisions(step: c.AddDecisions) -> Iterator[Statement]:
    yield Statement(
        """SELECT 1 FROM deals WHERE match_id = ? AND number = ?
            AND (SELECT count(*) FROM decisions WHERE match_id = ? AND deal = ?) = ?""",
        (step.match, step.deal, step.match, step.deal, step.first),
        1,
        f"deal {step.deal} of match {step.match} does not have {step.first} decisions",
    )
    for place, decision in enumerate(step.decisions, step.first):
        yield _insert_decision(step.match, step.deal, place, decision)


def _insert_decision(match: str, deal: int, place: int, decision: StoredDecision) -> Statement:
    return Statement(
        """INSERT INTO decisions (match_id, deal, place, seat, choice, forced, round, sub, salt, at, n,
            digest)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            *(match, deal, place, decision.seat, dump(decision.choice), decision.forced, decision.round, decision.sub),
            *(decision.salt, to_micros(decision.at), decision.n, decision.digest),
        ),
    )


def put_seal(step: c.PutSeal) -> Iterator[Statement]:
    seal, choice = step.seal, dump(step.seal.choice)
    yield Statement(
        SEAL,
        (
            *(step.match, seal.seat, step.prompt, choice, seal.salt, seal.digest),
            *(to_micros(seal.at), seal.forced, seal.n),
        ),
    )


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
    seal = step.seal
    yield Statement(
        """INSERT INTO earlier_seals (match_id, deal, round, sub, seat, n, digest) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (match_id, deal, round, sub, seat, n) DO UPDATE SET digest = excluded.digest""",
        (step.match, seal.deal, seal.round, seal.sub, seal.seat, seal.n, seal.digest),
    )
