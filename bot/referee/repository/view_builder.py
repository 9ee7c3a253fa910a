"""From a `Live` to the view of one viewer, and to the exported record."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.engine.cards import Seat
from bot.engine.match import Match, Outcome
from bot.engine.series import count_wins, read_series
from bot.engine.state import State
from bot.engine.variants import find_game
from bot.engine.view import observe
from bot.referee.model.durations import misses_left
from bot.referee.model.model import EarlierSeal, Lobby, Seated, StoredMatch
from bot.referee.model.participant import can_add_house, can_remove_house, can_start
from bot.referee.model.views import DealView, LobbyView, MatchView, SealView, SeatView
from bot.referee.proof import promises
from bot.referee.proof.version2 import VERSION, record_seal
from bot.referee.repository.house_levels import find_levels, level_of, seated
from bot.referee.repository.live import Live
from bot.solver.coach.advice import Move, can_review, list_moves
from bot.solver.coach.hint import can_teach, find_spot_before_bid
from bot.solver.exact.goal import find_goal
from bot.solver.exact.scope import find_scope


# Long: the view has this many fields.
def match_view(
    live: Live,
    seat: Seat | None,
    chances: tuple[float, ...] = (),
    lapses: Sequence[Sequence[Any]] = (),
    cards: str = "",
    hints: int = 0,
    paused: tuple[tuple[Seat, datetime], ...] = (),
) -> MatchView:
    """Return the match for one seat, or for the public."""
    stored, match = live.stored, shown_match(live.match) if live.match.over else live.match
    state = match.state if match.state is not None else match.finished[-1]
    shown = len(match.finished) + (match.state is not None)
    outcome = match.outcome() if match.over else None
    own = stored.seal_of(seat)
    day = promises.day_of(stored)  # no help with a deal that others play, too
    coached = stored.live and stored.is_practice and seat is not None and can_teach(match.rules) and day is None
    return MatchView(
        id=stored.id,
        guild=stored.guild,
        channel=stored.channel,
        setup=stored.setup,
        rules=match.rules,
        series=match.series,
        version=stored.version,
        prompt=stored.prompt,
        seat=seat,
        seats=_seat_views(live, state, outcome),
        deal=shown,
        seen=observe(state, seat),
        rounds_total=match.rules.rounds(state.deal),
        finished=tuple(_deal_view(match, number) for number in range(shown - 1)),
        mine=None if own is None else own.choice,
        opened=stored.opened,
        deadline=stored.deadline,
        started=stored.started,
        draw=stored.draw,
        away=stored.away,
        opening=promises.opening_of(stored),
        record="" if stored.live or stored.imported else record_data(live, lapses)["fairness"]["record"],
        clocked=0 if stored.live else sum(len(turn.late) for turn in live.turns),
        over=not stored.live,
        ended=stored.ended,
        outcome=outcome,
        changes=stored.changes,
        chances=chances,
        unrated=stored.unrated,
        reason=stored.reason,
        why=str((stored.ending or {}).get("why", "")),
        nth=max((change.nth for change in stored.changes), default=0),
        hands=compare_hands(match) if match.finished else "",
        unscored=sum(deal.unscored for deal in match.deals),
        lapsed=_lapsed_seats(live, state, shown - 1, lapses) if lapses else (),
        plays=_house_plans(live, state) if stored.live and stored.has_house and not state.over else (),
        reviewable=not stored.live and can_review(match.rules) and any(deal.rounds for deal in match.deals),
        cards=cards,
        hints=hints,
        coached=coached,
        can_hint=coached and seat is not None and _has_hint(match, seat),
        day=day,
        imported=stored.imported,
        halted=stored.paused if stored.live else None,
        paused=paused,
    )


def _has_hint(match: Match, seat: Seat) -> bool:
    """Return True if the coach knows how to bid now: of some games it knows the end only."""
    scores = [result.scores for result in match.results]
    return (
        match.state is not None
        and find_spot_before_bid(match.rules, match.state, seat, match.series, scores) is not None
    )


def shown_match(match: Match) -> Match:
    """Return the match as shown: once it is over, without a last deal of which nothing was revealed."""
    state = match.state
    if state is None or not match.over or not match.finished:
        return match
    revealed = state.rounds or state.again or state.bids
    return match if revealed else replace(match, state=None)


def _lapsed_seats(live: Live, state: State, deal: int, lapses: Sequence[Sequence[Any]]) -> tuple[Seat, ...]:
    """Return the house seats that ran out of time at the present prompt, else in the last revealed round."""
    now = live.place if live.stored.live else None
    here = tuple(lapse[3] for lapse in lapses if tuple(lapse[:3]) == now)
    last = (deal, len(state.rounds) - 1)
    return here or tuple(sorted({lapse[3] for lapse in lapses if tuple(lapse[:2]) == last}))


def review_moves(live: Live) -> tuple[Move, ...]:
    """Return the rounds of a finished match for the coach."""
    deals = [(state.deal, state.rounds) for state in live.match.deals]
    return list_moves(live.rules, deals, live.match.series)


def _house_plans(live: Live, state: State) -> tuple[tuple[Seat, str], ...]:
    """Return what house seats play by. It reveals neither their cards nor their choice."""
    levels = ((seat, level_of(seated)) for seat, seated in enumerate(live.stored.seats))
    wanted = find_goal(live.rules, live.match.series, [result.scores for result in live.match.results])
    return tuple(
        (seat, level.basis(live.rules, observe(state, seat), wanted)) for seat, level in levels if level and level.basis
    )


def _seat_views(live: Live, state: State, outcome: Outcome | None) -> tuple[SeatView, ...]:
    match, stored = live.match, live.stored
    asked = match.awaited if stored.live else ()
    seals = {seal.seat: seal.digest.hex() for seal in stored.sealed}
    left = {leave.seat: leave.kind.word for leave in match.left}
    totals, scores = match.totals, match.rules.score(state)
    wins = count_wins(match.results) if match.results else [0] * len(stored.seats)
    return tuple(
        SeatView(
            seat=seat,
            user=seated.user,
            name=seated.name,
            total=totals[seat],
            score=scores[seat],
            wins=wins[seat],
            asked=seat in asked,
            seal=seals.get(seat, ""),
            misses=seated.misses,
            left=left.get(seat, ""),
            misses_left=misses_left(match, seat, seated.misses) if seated.misses and stored.live else 0,
        )
        for seat, seated in enumerate(stored.seats)
    )


def compare_hands(match: Match) -> str:
    """Return how the hands of the deal in play relate to those of the last deal."""
    if match.state is None or not match.finished:
        return ""
    before, now = match.finished[-1].deal.hands, match.state.deal.hands
    if now == before:
        return "back"
    return "exchanged" if now == before[::-1] else "new"


def _deal_view(match: Match, number: int) -> DealView:
    state, result = match.finished[number], match.results[number]
    return DealView(number + 1, result.scores, result.winner, state.rounds, match.rules.tallies(state))


def seal_views(live: Live, earlier: Sequence[EarlierSeal]) -> tuple[SealView, ...]:
    """Return all shown seals, by place."""
    stored = live.stored
    found = [
        SealView(seal.deal, seal.round, seal.sub, seal.seat, seal.n, seal.digest.hex(), "earlier") for seal in earlier
    ]
    found += [
        SealView(deal, decision.round, decision.sub, decision.seat, decision.n, decision.digest.hex(), "played")
        for deal, decision in stored.decisions
        if decision.digest
    ]
    found += [SealView(*live.place, seal.seat, seal.n, seal.digest.hex(), "sealed") for seal in stored.sealed]
    return tuple(sorted(found, key=lambda one: one.place))


def proof_text(live: Live, earlier: Sequence[EarlierSeal], withheld: bool = False) -> str:
    """Return the digits of a finished match as a table in plain text.

    With `withheld`, leave out the nonce, and the salts that follow from it.
    """
    stored = live.stored
    lines = [f"match    {promises.name_of(stored)}"]
    lines.append("nonce    opens when the day is over (UTC)" if withheld else f"nonce    {stored.nonce.hex()}")
    lines.append(f"opening  {promises.opening_of(stored)}")
    lines.append(f"message  {promises.message_of(stored) or 'erased'}")
    lines.append(f"record   {record_data(live)['fairness']['record']}")
    lines += ["", "deal round step seat seal  digest, and the salt of what was played"]
    salts = {
        (deal, decision.round, decision.sub, decision.seat, decision.n): decision.salt.hex()
        for deal, decision in stored.decisions
        if not withheld
    }
    for one in seal_views(live, earlier):
        numbers = " ".join(f"{part + 1:>{width}}" for part, width in zip(one.place, (4, 5, 4, 4, 4), strict=True))
        lines.append(f"{numbers}  {one.digest} {salts.get(one.place, '-')}")
    return "\n".join(lines) + "\n"


def lobby_view(lobby: Lobby, enough: bool = False, can_fill: bool = False, newcomer: bool = False) -> LobbyView:
    """Return a challenge or table in public view."""
    setup = lobby.agreed
    return LobbyView(
        id=lobby.id,
        kind=lobby.kind,
        guild=lobby.guild,
        channel=lobby.channel,
        message=lobby.message,
        setup=setup,
        rules=find_game(setup.game).rules(setup.seats, setup.options),
        series=read_series(setup.series),
        host=lobby.host,
        people=tuple((invite.user, invite.name, invite.answer.name.lower()) for invite in lobby.people),
        state=lobby.state.name.lower(),
        created=lobby.created,
        expires=lobby.expires,
        opening=promises.opening(lobby.id, lobby.nonce),
        can_start=can_start(lobby),
        finished=lobby.finished,
        enough=enough,
        house=tuple(seated(level).name for level in find_levels(lobby.house)),
        house_joined=lobby.kind == "table" and lobby.setup.rated and bool(lobby.house) and len(lobby.people) > 1,
        can_add_house=can_add_house(lobby),
        can_remove_house=can_remove_house(lobby),
        can_fill=can_fill,
        newcomer=newcomer,
    )


def record_data(live: Live, lapses: Sequence[Sequence[Any]] = (), withheld: bool = False) -> dict[str, Any]:
    """Return the record of a finished match, with its proof.

    With `withheld`, leave out the nonce; the seal is that of the whole record, as it is from the next day on.
    """
    stored = live.stored
    setup = stored.setup
    data: dict[str, Any] = {
        "schema": 1,
        "game": setup.game,
        "options": dict(setup.options),
        "seats": setup.seats,
        "deals": [
            {
                **deal.zones,
                "decisions": [
                    [decision.seat, decision.choice, "forced"] if decision.forced else [decision.seat, decision.choice]
                    for decision in deal.decisions
                ],
            }
            for deal in stored.deals
        ],
        "series": dict(setup.series),
    }
    if stored.ending is not None:
        data["ending"] = _ending_data(stored.ending)
    if stored.left:
        data["left"] = list(map(_ending_data, stored.left))
    data["fairness"] = fairness_data(stored)
    data["players"] = [_player_data(seat, seated, live.match) for seat, seated in enumerate(stored.seats)]
    played = {(deal, decision.round, decision.sub, decision.seat) for deal, decision in stored.decisions}
    # A seat that ran out of time may have sealed what was never revealed.
    lapses = sorted([*lapse] for lapse in lapses if tuple(lapse[:4]) in played)
    if lapses:
        data["fairness"]["lapses"] = [list(lapse) for lapse in lapses]
    data["fairness"]["record"] = stored.record or record_seal(data)
    if withheld:
        del data["fairness"]["nonce"]
    data["times"] = [[decision.at.isoformat() for decision in deal.decisions] for deal in stored.deals]
    return data


def _ending_data(ending: Mapping[str, Any]) -> dict[str, Any]:
    """Return an ending in the form of the record, without the reason."""
    return {key: value for key, value in ending.items() if key != "why"}


def _player_data(seat: Seat, one: Seated, match: Match) -> dict[str, Any]:
    """Return the player of a seat.

    House seats have their level, and their objective in each deal, so that their draws can be checked.
    """
    level = level_of(one)
    data: dict[str, Any] = {"seat": seat, "name": one.name}
    if level is None:
        return data
    if level.basis and find_scope(match.rules).is_solvable:
        scores = [result.scores for result in match.results]
        deals = range(len(match.deals))
        data["plays"] = [find_goal(match.rules, match.series, scores[:number]).objective for number in deals]
    return {**data, "house": level.key}


def fairness_data(stored: StoredMatch) -> dict[str, Any]:
    """Return the proof for `gops verify`, without the record's seal."""
    return {
        "version": VERSION,
        "nonce": stored.nonce.hex(),
        "opening": promises.opening_of(stored),
        "agreement": json.loads(stored.agreement),
        "seals": [
            [deal, decision.round, decision.sub, decision.seat, decision.n, decision.digest.hex()]
            for deal, decision in stored.decisions
            if decision.digest
        ],
    }
