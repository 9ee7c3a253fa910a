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
    micros,
    numbers,
    parse,
    parse_changes,
    parse_draw,
    parse_or_none,
    read_setup,
    setup_columns,
    time,
    time_or_none,
)
from data.sql.deadlines import LESS_GIVEN, LESS_TIMES, LESS_TOLD, MATCH_AWAY, MATCH_DEADLINE, MATCH_VERSION, UP_TO_DATE
from data.sql.statement import Query, Read, Statement, every, grouped, upsert

CHANGING = f"""channel, {MATCH_VERSION}, prompt, opened, {MATCH_DEADLINE}, live, leavers, ending, draw, {MATCH_AWAY},
    ended, termination, winner, placings, totals, changes, unrated, void, reason, paused"""


# Long: one parameter for each column.
def changing(
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
    """What these columns say."""
    ended, termination, winner, placings, totals, changes, unrated, void, reason, paused = rest
    return {
        "channel": channel,
        "version": version,
        "prompt": prompt,
        "opened": time(opened),
        "deadline": time_or_none(deadline),
        "live": bool(live),
        "left": tuple(parse(leavers)),
        "ending": parse_or_none(ending),
        "draw": parse_draw(draw),
        "away": away,
        "ended": time_or_none(ended),
        "termination": termination,
        "winner": winner,
        "placings": None if placings is None else numbers(placings),
        "totals": tuple(parse(totals)),
        "changes": parse_changes(changes),
        "unrated": unrated,
        "void": bool(void),
        "reason": reason,
        "paused": time_or_none(paused),
    }


def seats(which: str, params: tuple[Any, ...]) -> Query[tuple[str, Seated]]:
    """Who sits there, with the id of the match. `which`: the rest of the question, after its table."""

    def value(id: str, user: int, name: str, misses: int, draw_from: int, seen: int | None) -> tuple[str, Seated]:
        return id, Seated(user, name, misses, draw_from, time_or_none(seen))

    columns = 'seats.match_id, "user", name, misses, draw_from, seen'
    return Query(f"SELECT {columns} FROM seats {which}", params, value)


def deals(which: str, params: tuple[Any, ...]) -> Query[tuple[str, StoredDeal]]:
    """Without what was decided in them."""

    def value(id: str, number: int, zones: str) -> tuple[str, StoredDeal]:
        return id, StoredDeal(number, parse(zones))

    return Query(f"SELECT match_id, number, zones FROM deals {which}", params, value)


def decisions(which: str, params: tuple[Any, ...]) -> Query[tuple[tuple[str, int], StoredDecision]]:
    """With the match and the number of the deal."""
    columns = "match_id, deal, seat, choice, forced, round, sub, salt, at, n, digest"
    return Query(f"SELECT {columns} FROM decisions {which}", params, _decision_value)


def seals(which: str, params: tuple[Any, ...]) -> Query[tuple[str, Seal]]:
    return Query(f"SELECT match_id, seat, choice, salt, digest, at, forced, n FROM seals {which}", params, _seal_value)


# Long: one parameter for each column.
def _decision_value(
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
    return (id, deal), StoredDecision(seat, parse(choice), bool(forced), turn, sub, salt, time(at), n, digest)


def _seal_value(
    id: str, seat: int, choice: str, salt: bytes, digest: bytes, at: int, forced: int, n: int
) -> tuple[str, Seal]:
    return id, Seal(seat, parse(choice), salt, digest, time(at), bool(forced), n)


MATCHES = f"""SELECT id, game, options, seats, series, clock, rated, place, guild, nonce, started, agreement,
    record, {CHANGING} FROM matches"""

EARLIER = "SELECT deal, round, sub, seat, n, digest FROM earlier_seals"

LIVE = 'SELECT match_id FROM seats WHERE "user" = ? AND live = 1'


def match(id: str) -> Read[StoredMatch | None]:
    """Everything of one match, by five queries."""
    return Read(_of("= ?", (id,)), lambda *parts: next(iter(_matches(*parts)), None))


def live_of(user: UserId) -> Read[Sequence[StoredMatch]]:
    """As many queries, however many matches there are."""
    return Read(_of(f"IN ({LIVE})", (user,)), _matches)


def _of(which: str, params: tuple[Any, ...]) -> tuple[Query[Any], ...]:
    """All parts of some matches, the oldest match first."""
    return (
        Query(f"{MATCHES} WHERE id {which} ORDER BY started, id", params, _match),
        seats(f"WHERE match_id {which} ORDER BY match_id, seat", params),
        deals(f"WHERE match_id {which} ORDER BY match_id, number", params),
        decisions(f"WHERE match_id {which} ORDER BY match_id, deal, place", params),
        seals(f"WHERE match_id {which} ORDER BY match_id, seat", params),
    )


def _matches(
    found: list[StoredMatch],
    seats: list[tuple[str, Seated]],
    deals: list[tuple[str, StoredDeal]],
    decisions: list[tuple[tuple[str, int], StoredDecision]],
    seals: list[tuple[str, Seal]],
) -> Sequence[StoredMatch]:
    """The parts put together."""
    made = grouped(decisions)
    played = grouped((id, replace(deal, decisions=tuple(made.get((id, deal.number), ())))) for id, deal in deals)
    seated, sealed = grouped(seats), grouped(seals)
    return [
        replace(
            one,
            seats=tuple(seated.get(one.id, ())),
            deals=tuple(played.get(one.id, ())),
            sealed=tuple(sealed.get(one.id, ())),
        )
        for one in found
    ]


def _match(id: str, *row: Any) -> StoredMatch:
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
        started=time(started),
        agreement=agreement,
        record=record,
        **changing(*rest),
    )


def earlier_seals(id: str) -> Read[Sequence[EarlierSeal]]:
    return every(f"{EARLIER} WHERE match_id = ? ORDER BY deal, round, sub, seat, n", (id,), EarlierSeal)


SEAL = upsert("seals", "match_id, seat", "prompt, choice, salt, digest, at, forced, n")

CHANGES_OFTEN = ("version", "prompt", "opened", "deadline", "draw", "away", "paused")

CHANGES_RARELY = (
    *("channel", "live", "leavers", "ending", "ended", "termination", "winner", "placings", "totals", "changes"),
    *("unrated", "void", "reason"),
)
"""columns of a match; those that are found by an index are among these"""

STORED = {"version": LESS_TIMES, "deadline": LESS_GIVEN, "away": LESS_TOLD}
"""those that take two parameters"""


def _saved(*columns: str) -> str:
    return f"""UPDATE matches SET {", ".join(f"{column} = {STORED.get(column, '?')}" for column in columns)}
        WHERE id = ? AND {MATCH_VERSION} = ? AND (SELECT count(*) FROM seats WHERE match_id = matches.id) = ?"""


SAVE, SAVE_ALL = _saved(*CHANGES_OFTEN), _saved(*CHANGES_OFTEN, *CHANGES_RARELY)

SAVE_SEAT = "UPDATE seats SET misses = ?, draw_from = ?, seen = ? WHERE match_id = ? AND seat = ?"

SAVE_ALL_OF_SEAT = """UPDATE seats SET misses = ?, draw_from = ?, seen = ?, "user" = ?, name = ?, live = ?, ended = ?
    WHERE match_id = ? AND seat = ?"""


def new_match(step: c.NewMatch) -> Iterator[Statement]:
    """With the deals and seals that it may begin with."""
    one = step.match
    yield Statement(
        f"""INSERT INTO matches (id, guild, game, options, seats, series, clock, rated, place, nonce, started,
            agreement, {", ".join((*CHANGES_OFTEN, *CHANGES_RARELY))})
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
            {", ".join(STORED.get(column, "?") for column in (*CHANGES_OFTEN, *CHANGES_RARELY))})""",
        (
            *(one.id, one.guild, *setup_columns(one.setup), one.nonce, micros(one.started)),
            *(one.agreement, *_often(one), *_rarely(one)),
        ),
    )
    started, ended = micros(one.started), micros(one.ended)
    for seat, who in enumerate(one.seats):
        yield Statement(
            """INSERT INTO seats (match_id, seat, "user", name, misses, draw_from, seen, started, live, ended)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (
                *(one.id, seat, who.user, who.name, who.misses, who.draw_from, micros(who.seen)),
                *(started, one.live, ended),
            ),
        )
    for deal in one.deals:
        yield from new_deal(c.NewDeal(one.id, deal))
    for seal in one.sealed:
        yield _seal(one.id, one.prompt, seal)
    yield _wanted(one, 0)


def save_match(step: c.SaveMatch) -> Iterator[Statement]:
    """What was agreed, the nonce, and when it began never change."""
    one = step.match
    if one.version <= step.expect:
        raise ValueError(f"match {one.id} keeps its version {one.version}")
    all_of_it = step.before is None or _rare(one) != _rare(step.before)
    values = (*_often(one), *_rarely(one)) if all_of_it else _often(one)
    yield Statement(
        SAVE_ALL if all_of_it else SAVE,
        (*values, one.id, step.expect, len(one.seats)),
        1,
        f"match {one.id} is not at version {step.expect} with {len(one.seats)} seats",
    )
    yield from _save_seats(one, step.before)
    yield _wanted(one, step.expect)


def _save_seats(one: StoredMatch, before: StoredMatch | None) -> Iterator[Statement]:
    """Those that are otherwise than before. Of a bid that is the time at which its seat was seen last: no index of
    people's matches has to be written for it."""
    known = () if before is None or (before.live, before.ended) != (one.live, one.ended) else before.seats
    for seat, (who, was) in enumerate(zip_longest(one.seats, known)):
        if who == was:
            continue
        values = (who.misses, who.draw_from, micros(who.seen))
        if was is not None and (who.user, who.name) == (was.user, was.name):
            yield Statement(SAVE_SEAT, (*values, one.id, seat))
        else:
            values = (*values, who.user, who.name, one.live, micros(one.ended))
            yield Statement(SAVE_ALL_OF_SEAT, (*values, one.id, seat))


_rare = attrgetter(*("left" if one == "leavers" else one for one in CHANGES_RARELY))


def _often(one: StoredMatch) -> tuple[Any, ...]:
    moves = one.live and one.deadline is not None
    return (
        *(one.version, moves, one.prompt, micros(one.opened), micros(one.deadline), moves),
        *(dump_draw(one.draw), one.away, moves, micros(one.paused)),
    )


def _rarely(one: StoredMatch) -> tuple[Any, ...]:
    return (
        *(one.channel, one.live, dump([dict(left) for left in one.left]), dump_or_none(one.ending)),
        *(micros(one.ended), one.termination, one.winner, dump_or_none(one.placings), dump(one.totals)),
        *(dump_changes(one.changes), one.unrated, one.void, one.reason),
    )


def _wanted(one: StoredMatch, before: int) -> Statement:
    return Statement(
        f"UPDATE surfaces SET {UP_TO_DATE} WHERE owner = ? AND state <> 'gone' AND kind <> {int(SurfaceKind.LOBBY)}",
        (before, before, one.version, one.id),
    )


def new_deal(step: c.NewDeal) -> Iterator[Statement]:
    """The same deal twice is one deal; another one of its number is a conflict."""
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
        yield _decision(step.match, step.deal, place, decision)


def _decision(match: str, deal: int, place: int, one: StoredDecision) -> Statement:
    return Statement(
        """INSERT INTO decisions (match_id, deal, place, seat, choice, forced, round, sub, salt, at, n,
            digest)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            *(match, deal, place, one.seat, dump(one.choice), one.forced, one.round, one.sub),
            *(one.salt, micros(one.at), one.n, one.digest),
        ),
    )


def put_seal(step: c.PutSeal) -> Iterator[Statement]:
    yield _seal(step.match, step.prompt, step.seal)


def _seal(match: str, prompt: int, one: Seal) -> Statement:
    return Statement(
        SEAL, (match, one.seat, prompt, dump(one.choice), one.salt, one.digest, micros(one.at), one.forced, one.n)
    )


def seals_fit(match: str) -> Statement:
    """After a change: whatever is sealed was sealed for the present prompt."""
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
    one = step.seal
    yield Statement(
        """INSERT INTO earlier_seals (match_id, deal, round, sub, seat, n, digest) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (match_id, deal, round, sub, seat, n) DO UPDATE SET digest = excluded.digest""",
        (step.match, one.deal, one.round, one.sub, one.seat, one.n, one.digest),
    )
