"""Changes of a match: each function takes a `Live` and returns the next one with the steps that store it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from bot.engine.cards import Seat
from bot.engine.choices import Choice
from bot.engine.fast_values import replace_fields
from bot.engine.match import Match, Termination
from bot.engine.record.record import choice_data
from bot.engine.record.result import points_data
from bot.referee.match.draws import GAP
from bot.referee.model.changes import (
    AddDecisions,
    DropSeals,
    KeepSeal,
    MoveDeadlines,
    NewDeal,
    PutSeal,
    SaveMatch,
    SetDeadline,
    Step,
)
from bot.referee.model.daily import last_moment
from bot.referee.model.durations import clock_start, prompt_deadlines
from bot.referee.model.model import (
    BROKEN_SEAL,
    DECIDED,
    Deadline,
    DeadlineKind,
    DrawOffer,
    EarlierSeal,
    Seal,
    Seated,
    StoredDeal,
    StoredDecision,
    StoredMatch,
)
from bot.referee.proof import promises
from bot.referee.repository.live import Live, Played, deal_zones, end_match, resolve_turn


def seal(live: Live, seat: Seat, choice: Choice, at: datetime, press: int = 0) -> Played:
    """Seal a choice, in place of the seat's earlier one (RULING C1)."""
    stored, rules, state = live.stored, live.rules, live.match.state
    assert state is not None
    value = choice_data(rules.physical(state, seat, choice))
    earlier = stored.seal_of(seat)
    n = 0 if earlier is None else earlier.n + 1
    salt = promises.salt_of(stored, live.place, seat, n)
    digest = promises.seal(stored, salt, live.place, seat, value)
    new = Seal(seat, value, salt, digest, at, n=n, press=press)
    sealed = (*(other for other in stored.sealed if other.seat != seat), new)
    changed = next_version(stored, sealed=sealed)
    steps: list[Step] = [SaveMatch(changed, stored.version, stored), PutSeal(stored.id, stored.prompt, new)]
    if earlier is not None:
        steps.append(_keep_seal(stored, live.place, earlier))
    return Played(Live(changed, live.match, live.turns), (*steps,))


def _keep_seal(stored: StoredMatch, place: promises.RoundPlace, one: Seal) -> KeepSeal:
    """Keep a seal that was shown and is not played, so that the sheet lists it."""
    return KeepSeal(stored.id, EarlierSeal(*place, one.seat, one.n, one.digest))


def reveal(live: Live, now: datetime, late: frozenset[Seat] = frozenset()) -> Played:
    """Resolve all sealed choices. Bid for seats that are late, left, or have no choice (RULINGS C3, C4, C5)."""
    stored = live.stored
    if not all(promises.is_seal_intact(stored, live.place, one) for one in _current_seals(live).values()):
        return stop(live, "aborted", now, BROKEN_SEAL)
    turned, steps = _reveal_round(live, now, late)
    return _open_prompt(turned, stored, now, steps, revealed=True)


def reveal_last(live: Live, now: datetime, late: frozenset[Seat]) -> Played:
    """Reveal the round whose clock ran out in a match that ends with it, before any forced bids.

    A round that would end the match by its rules is not revealed: only its misses are counted.
    """
    stored = live.stored
    turned, steps = _reveal_round(live, now, late)
    if turned.match.over:
        return save_match(live, next_version(stored, seats=turned.stored.seats, draw=None))
    return Played(turned, (SaveMatch(turned.stored, stored.version, stored), *steps), revealed=True)


def _current_seals(live: Live) -> dict[Seat, Seal]:
    """Return the seals of the present prompt, without seats that left: an older bot kept theirs."""
    return {one.seat: one for one in live.stored.sealed if one.seat not in live.match.left_seats}


def _reveal_round(live: Live, now: datetime, late: frozenset[Seat]) -> tuple[Live, list[Step]]:
    """Resolve one joint choice of the present prompt, and return the steps that store it."""
    stored, match, state = live.stored, live.match, live.match.state
    assert state is not None
    seals = _current_seals(live)
    taken: dict[Seat, tuple[Choice, bool]] = {}
    for prompt in match.prompts():
        one = seals.get(prompt.seat)
        if one is None:
            taken[prompt.seat] = (match.rules.physical(state, prompt.seat, prompt.lowest()), True)
        else:
            taken[prompt.seat] = (match.rules.read_choice(state, prompt.seat, one.choice), one.forced)
    seats = tuple(
        _count_miss(seated, seat in late) if seat in taken and (seat in late or seat in seals) else seated
        for seat, seated in enumerate(stored.seats)
    )
    changed = next_version(stored, sealed=(), seats=seats, draw=None, away=0)
    steps: list[Step] = [DropSeals(stored.id)]
    return _resolve_choices(Live(changed, match, live.turns), taken, seals, now, steps), steps


def begin_clock(live: Live, now: datetime) -> Played:
    """Begin the clock of this prompt now, since it was not shown before."""
    deadline = clock_start(live.stored, now) + timedelta(seconds=live.stored.setup.clock)
    changed = next_version(live.stored, opened=now, deadline=deadline)
    return add_steps(save_match(live, changed), changed, *prompt_deadlines(changed))


def pause(live: Live, until: datetime | None, now: datetime) -> Played:
    """Stop the clocks until a time; they keep the time that is left. Tell the opponents."""
    stored = live.stored
    by = max(until or now, now) - clock_start(stored, now)
    deadline = stored.deadline + by if stored.deadline is not None else None
    changed = next_version(stored, paused=until, deadline=deadline)
    steps: list[Step] = [SaveMatch(changed, stored.version)]
    if by:
        steps.append(MoveDeadlines(stored.id, by))
    if until is not None and by > timedelta():
        steps.append(SetDeadline(Deadline(stored.id, DeadlineKind.PAUSED, now, stored.prompt)))
    return Played(Live(changed, live.match, live.turns), (*steps,))


def begin(live: Live, now: datetime) -> Played:
    """Deal the first deal of a match."""
    return _open_prompt(live, live.stored, now, [], revealed=False, new=True)


def leave(live: Live, seat: Seat, kind: str, now: datetime) -> Played:
    """Resign or forfeit a seat (RULING C5). A draw to which all other seats agreed takes effect."""
    return _end_early(live, {"kind": kind, "seat": seat}, now)


def stop(live: Live, kind: str, now: datetime, why: str = "") -> Played:
    """End the match for all seats: agreed, aborted or abandoned."""
    return _end_early(live, {"kind": kind, "why": why} if why else {"kind": kind}, now)


def decide(live: Live, winner: Seat | None, now: datetime) -> Played:
    """Let a moderator decide the winner; None is a draw.

    All other seats forfeit, the one behind first, and nothing more is revealed: no sealed bid may change the decision.
    """
    if winner is None:
        return stop(live, "agreed", now, DECIDED)
    totals, sign = live.match.totals, -1 if live.rules.least_wins else 1
    others = [seat for seat in range(live.rules.seats) if seat != winner and seat not in live.match.left_seats]
    for seat in sorted(others, key=lambda seat: sign * totals[seat])[:-1]:
        left = _complete_ending(live, {"kind": "timed-out", "seat": seat, "why": DECIDED})
        live = Live(replace(live.stored, left=(*live.stored.left, left)), end_match(live.match, left), live.turns)
    last = next(seat for seat in others if seat not in live.match.left_seats)
    return _end_early(live, {"kind": "timed-out", "seat": last, "why": DECIDED}, now)


def add_steps(played: Played, stored: StoredMatch, *steps: Step) -> Played:
    """Return the change with another version of the match, and more steps."""
    saved = [replace(step, match=stored) if isinstance(step, SaveMatch) else step for step in played.steps]
    return Played(Live(stored, played.live.match, played.live.turns), (*saved, *steps), played.revealed)


def offer_draw(live: Live, seat: Seat, rounds: int) -> Played:
    """Offer a draw until the round is revealed. The next offer is allowed `GAP` rounds later."""
    stored = live.stored
    seats = tuple(
        replace(seated, draw_from=rounds + GAP) if s == seat else seated for s, seated in enumerate(stored.seats)
    )
    return save_match(live, next_version(stored, draw=DrawOffer(seat, frozenset({seat})), seats=seats))


def agree(live: Live, seat: Seat, now: datetime) -> Played:
    """Note that one more seat agrees to the draw; with the last one the match is drawn."""
    offer = live.stored.draw
    assert offer is not None
    agreed = save_match(live, next_version(live.stored, draw=DrawOffer(offer.by, offer.agreed | {seat})))
    return combine(agreed, stop(agreed.live, "agreed", now)) if is_draw_agreed(agreed.live) else agreed


def is_draw_agreed(live: Live) -> bool:
    """Return True if a draw stands to which every person who has not left agreed. The house agrees with them."""
    offer = live.stored.draw
    return offer is not None and offer.agreed.issuperset(list_people(live))


def list_people(live: Live) -> list[Seat]:
    """Return the seats of the people who have not left."""
    gone = live.match.left_seats
    return [seat for seat, seated in enumerate(live.stored.seats) if seated.user and seat not in gone]


def save_match(live: Live, changed: StoredMatch) -> Played:
    """Return a change that saves fields of the match only."""
    return Played(Live(changed, live.match, live.turns), (SaveMatch(changed, live.stored.version),))


def combine(first: Played, second: Played) -> Played:
    """Return two changes as one, saved against the version before both.

    A seal that is revealed at once is not stored.
    """
    saves = [step for step in (*first.steps, *second.steps) if isinstance(step, SaveMatch)]
    revealed = any(isinstance(step, DropSeals) and step.seat is None for step in second.steps)
    rest = [
        step for step in first.steps if not isinstance(step, SaveMatch) and not (revealed and isinstance(step, PutSeal))
    ]
    rest += [step for step in second.steps if not isinstance(step, SaveMatch)]
    saved = replace(saves[0], match=saves[-1].match)
    return Played(second.live, (saved, *rest), first.revealed or second.revealed)


def next_version(stored: StoredMatch, **fields: Any) -> StoredMatch:
    return replace_fields(stored, version=stored.version + 1, **fields)


def rounds_played(match: Match) -> int:
    """Return the number of revealed rounds of the match."""
    return sum(len(state.rounds) for state in match.deals)


def has_bids(live: Live) -> bool:
    """Return True if a person has sealed anything in this match."""
    stored = live.stored
    people = {seat for seat, seated in enumerate(stored.seats) if seated.user}
    played = (decision.seat for _, decision in stored.decisions if decision.digest)
    return not people.isdisjoint([*played, *(one.seat for one in stored.sealed)])


def is_drawn_unplayed(live: Live) -> bool:
    """Return True if the players agreed on a draw before a bid of any person was revealed."""
    ending = live.stored.ending
    agreed = live.match.termination is Termination.AGREED and (ending is None or ending.get("why") != DECIDED)
    return agreed and not has_bids(live)


def _count_miss(one: Seated, late: bool) -> Seated:
    misses = one.misses + 1 if late else 0
    return one if misses == one.misses else replace_fields(one, misses=misses)


def _resolve_choices(
    live: Live,
    taken: Mapping[Seat, tuple[Choice, bool]],
    seals: Mapping[Seat, Seal],
    now: datetime,
    steps: list[Step],
) -> Live:
    """Resolve one joint choice, and add its decisions to the stored deal."""
    stored, match = live.stored, live.match
    match, turn = resolve_turn(match, taken)
    deal, at = turn.deal, (turn.round, turn.sub)
    decisions = tuple(
        _stored_decision(seat, choice_data(choice), forced, at, seals.get(seat), now)
        for seat, (choice, forced) in sorted(taken.items())
    )
    filed = stored.deals[deal]
    steps.append(AddDecisions(stored.id, deal, len(filed.decisions), decisions))
    grown = replace_fields(filed, decisions=(*filed.decisions, *decisions))
    deals = (*stored.deals[:deal], grown)
    return Live(replace_fields(stored, deals=deals), match, (*live.turns, turn))


def _stored_decision(
    seat: Seat, choice: object, forced: bool, at: tuple[int, int], seal: Seal | None, now: datetime
) -> StoredDecision:
    """Return a decision with its seal and the time of the seal; the time of the reveal if it was not sealed."""
    if seal is None:
        return StoredDecision(seat, choice, forced, *at, b"", now)
    return StoredDecision(seat, choice, forced, *at, seal.salt, seal.at, seal.n, seal.digest)


def _open_prompt(
    live: Live, before: StoredMatch, now: datetime, steps: list[Step], revealed: bool, new: bool = False
) -> Played:
    """Deal and force until a seat has a choice or the match is over; then open the prompt."""
    while not live.match.over:
        if live.match.needs_deal:
            live = _deal_next(live, steps)
        elif live.match.has_choice:
            break
        else:
            live = _resolve_choices(live, _forced_choices(live.match), {}, now, steps)
    stored = live.stored
    if live.match.over:
        stored = _finish(live, now)
    else:
        clock = stored.setup.clock
        deadline = clock_start(stored, now) + timedelta(seconds=clock) if clock else None
        stored = replace_fields(stored, prompt=len(live.turns), opened=now, deadline=deadline)
    first: list[Step] = [] if new else [SaveMatch(stored, before.version, before)]
    day = promises.day_of(stored)
    deadlines = prompt_deadlines(stored, None if day is None else last_moment(day))
    return Played(Live(stored, live.match, live.turns), (*first, *steps, *deadlines), revealed)


def _forced_choices(match: Match) -> dict[Seat, tuple[Choice, bool]]:
    state = match.state
    assert state is not None
    return {seat: (match.rules.physical(state, seat, choice), True) for seat, choice in match.forced_choices().items()}


def _deal_next(live: Live, steps: list[Step]) -> Live:
    """Return the next deal: fixed by the one before, or shuffled from the nonce."""
    stored, match = live.stored, live.match
    rules, number = match.rules, match.deal_number
    previous = match.previous_deal()
    deal = rules.redeal(previous) if previous is not None else None
    if deal is None:
        deal = rules.deal(promises.shuffle_pack(stored, number, rules.pack()))
    filed = StoredDeal(number, deal_zones(deal))
    steps.append(NewDeal(stored.id, filed))
    match, _ = match.begin(deal)
    return Live(replace(stored, deals=(*stored.deals, filed)), match, live.turns)


def _complete_ending(live: Live, ending: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add the place to an ending; `after` counts the decisions of the deal."""
    deals, deal = live.stored.deals, live.match.deal_number
    return {**ending, "deal": deal, "after": len(deals[deal].decisions) if deal < len(deals) else 0}


def _end_early(live: Live, ending: Mapping[str, Any], now: datetime) -> Played:
    """End the match early, or continue without a seat."""
    stored = live.stored
    ending = _complete_ending(live, ending)
    match = end_match(live.match, ending)
    if match.over:
        changed = next_version(stored, ending=ending, sealed=(), draw=None)
        over = _finish(Live(changed, match, live.turns), now)
        kept = (_keep_seal(stored, live.place, one) for one in stored.sealed)
        steps = (SaveMatch(over, stored.version), *kept, DropSeals(stored.id), *prompt_deadlines(over))
        return Played(Live(over, match, live.turns), steps)
    # RULING C5: it is played on with its lowest cards from here, so what it has sealed goes with it.
    seat = ending["seat"]
    kept = tuple(_keep_seal(stored, live.place, one) for one in stored.sealed if one.seat == seat)
    sealed = tuple(one for one in stored.sealed if one.seat != seat)
    changed = next_version(stored, left=(*stored.left, ending), sealed=sealed)
    left = Live(changed, match, live.turns)
    gone = Played(left, (SaveMatch(changed, stored.version), *kept, DropSeals(stored.id, seat)))
    if is_draw_agreed(left):
        return combine(gone, stop(left, "agreed", now))
    if left.awaited and match.has_choice:
        return gone
    # All other seats had sealed, or have no choice: the round can be revealed.
    return combine(gone, reveal(left, now))


def _finish(live: Live, now: datetime) -> StoredMatch:
    outcome = live.match.outcome()
    return replace(
        live.stored,
        live=False,
        ended=now,
        deadline=None,
        termination=int(outcome.termination),
        winner=outcome.winner,
        placings=outcome.placings,
        totals=tuple(str(points_data(points)) for points in live.match.decisive_scores),
    )
