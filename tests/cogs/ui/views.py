"""Views for tests: a match is played by the engine as far as wanted, then looked at by one seat or by everybody."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import discord

from bot.engine.auction.auction import Auction
from bot.engine.cards import Seat
from bot.engine.match import Match, Termination, new_match
from bot.engine.record.record import read_record
from bot.engine.record.replay import replay
from bot.engine.series import count_wins, read_series
from bot.engine.state import Deal
from bot.engine.variants import find_game
from bot.engine.view import observe
from bot.referee.model.durations import misses_left
from bot.referee.model.model import Setup
from bot.referee.model.views import DealView, LobbyView, MatchView, SeatView
from bot.referee.repository.view_builder import compare_hands
from bot.ui.message import Message
from tests.engine.matches import advance

NAMES = ("Ana", "Ben", "Cem", "Dee", "Eli", "Fay", "Gus", "Hal")
START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
OPENED = START + timedelta(minutes=5)
DEADLINE = OPENED + timedelta(minutes=2)
T = f"<t:{int(DEADLINE.timestamp())}:R>"
"""the deadline as every test's text has it, where it counts down"""
CLOCK = f"<t:{int(DEADLINE.timestamp())}:T>"
"""the same within a sentence"""
OPENING = "9c1f2e7a05b3d846" * 4
RECORD = "77c03f9a11d25e08" * 4


@dataclass(frozen=True)
class Played:
    """A match in play, and everything about it that the engine does not know."""

    match: Match
    names: Sequence[str] = NAMES
    users: Sequence[int] = tuple(range(101, 109))
    clock: int = 120
    rated: bool = True

    # --- playing on --------------------------------------------------------------------------------------

    def deal(self, stock: Sequence[Any] = (), hands: Sequence[Sequence[Any]] | None = None) -> Played:
        """Begin a deal with this stock, and with these hands where they are not fixed."""
        rules = self.match.rules
        given = frozenset(["stock"] if stock else []) | frozenset(["hands"] if hands else [])
        dealt = Deal(tuple(stock), tuple(map(tuple, hands or ())))
        if stock or hands:
            dealt = replace(dealt, partial=True)
        if isinstance(rules, Auction) and rules.hand and not hands:
            dealt = replace(dealt, hands=(rules.hand,) * rules.seats)
            given |= {"hands"}
        checked = rules.check(dealt, given, self.match.previous_deal())
        return replace(self, match=advance(self.match.begin(checked)[0]))

    def play(self, *choices: Any, forced: Sequence[Seat] = (), on: bool = True) -> Played:
        """One joint choice of everybody awaited, in seat order; then everything that is forced."""
        state = self.match.state
        assert state is not None
        prompts = [p for p in self.match.prompts() if p.seat not in self.match.left_seats]
        read = {
            prompt.seat: state.rules.physical(state, prompt.seat, state.rules.read_choice(state, prompt.seat, value))
            for prompt, value in zip(prompts, choices, strict=True)
        }
        match = self.match.resolve(read, frozenset(forced))[0]
        return replace(self, match=advance(match) if on else match)

    def play_all(self, *rounds: Sequence[Any]) -> Played:
        played = self
        for choices in rounds:
            played = played.play(*choices)
        return played

    def finish(self) -> Played:
        """Everybody bids their lowest until the deal is over."""
        match, deals = self.match, self.match.deal_number
        while not match.over and match.deal_number == deals:
            choices = {prompt.seat: prompt.lowest() for prompt in match.prompts()}
            match = match.resolve(choices)[0]
        return replace(self, match=match)

    def leave(self, seat: Seat, kind: Termination = Termination.RESIGNED) -> Played:
        return replace(self, match=self.match.leave(seat, kind)[0])

    def stop(self, kind: Termination) -> Played:
        return replace(self, match=self.match.stop(kind)[0])

    # --- looking at it -----------------------------------------------------------------------------------

    def view(
        self,
        seat: Seat | None = None,
        sealed: Mapping[Seat, Any] | None = None,
        misses: Mapping[Seat, int] | None = None,
        **changed: Any,
    ) -> MatchView:
        """As this seat sees it; `sealed` are the choices that are in, `changed` replaces fields of the view."""
        match = self.match
        state = match.state or match.finished[-1]
        sealed, misses = sealed or {}, misses or {}
        shown = match.finished if match.state is not None else match.finished[:-1]
        results = match.results
        wins = count_wins(results) or [0] * match.rules.seats
        asked = {prompt.seat for prompt in match.prompts()}
        left = {leave.seat: leave.kind.word for leave in match.left}
        scores = match.rules.score(state)
        seats = tuple(
            SeatView(
                seat=s,
                user=self.users[s],
                name=self.names[s],
                total=match.totals[s],
                score=scores[s],
                wins=wins[s],
                asked=s in asked and not match.over,
                seal=seal_of(s, sealed[s]) if s in sealed else "",
                misses=misses.get(s, 0),
                left=left.get(s, ""),
                misses_left=misses_left(match, s, misses[s]) if misses.get(s) and not match.over else 0,
            )
            for s in range(match.rules.seats)
        )
        view = MatchView(
            id="K7Q2",
            guild=1,
            channel=2,
            setup=Setup(match.rules.game.key, {}, match.rules.seats, match.series.data(), self.clock, self.rated),
            rules=match.rules,
            series=match.series,
            version=7,
            prompt=len(state.rounds) + 1,
            seat=seat,
            seats=seats,
            deal=len(shown) + 1,
            seen=observe(state, seat),
            rounds_total=match.rules.rounds(state.deal),
            finished=tuple(
                DealView(n, match.rules.score(one), results[n - 1].winner, one.rounds, match.rules.tallies(one))
                for n, one in enumerate(shown, 1)
            ),
            mine=sealed.get(seat) if seat is not None else None,
            opened=OPENED,
            deadline=DEADLINE if self.clock else None,
            started=START,
            draw=None,
            away=0,
            opening=OPENING,
            record=RECORD if match.over else "",
            over=match.over,
            ended=START + timedelta(minutes=14) if match.over else None,
            outcome=match.outcome() if match.over else None,
            unscored=sum(one.unscored for one in match.deals),
            hands=compare_hands(match),
        )
        return replace(view, **changed)


def seal_of(seat: Seat, choice: Any) -> str:
    return hashlib.sha256(json.dumps([seat, choice]).encode()).hexdigest()


def begin(
    game: str = "classic",
    seats: int = 2,
    options: Mapping[str, Any] | None = None,
    series: Mapping[str, Any] | None = None,
    **more: Any,
) -> Played:
    """A match before its first deal."""
    read = None if series is None else read_series(series)
    return Played(new_match(find_game(game), seats, options or {}, read), **more)


def from_record(data: Mapping[str, Any], **more: Any) -> Played:
    """A match as far as a record leads."""
    played = replay(read_record(data))
    assert played.error is None, played.error
    return Played(played.match, **more)


EXAMPLE_STOCK = (9, 11, 3, 7, 12, 1, 2, 4, 5, 6, 8, 10, 13)
"""prizes of the example that the drawings show: round 4 was for ♦7, round 5 is for ♦Q"""


def example() -> Played:
    """Classic for two in round 5 of 13, ♦Q being auctioned; Ana has 19, Ben 11."""
    played = begin().deal(EXAMPLE_STOCK)
    return played.play_all((10, 2), (5, 12), (3, 5), (9, 6))


def lobby(kind: str = "challenge", game: str = "classic", seats: int = 2, **changed: Any) -> LobbyView:
    rules = find_game(game).rules(seats)
    people = tuple(
        (101 + seat, NAMES[seat], "host" if seat == 0 else "asked" if kind == "challenge" else "accepted")
        for seat in range(seats)
    )
    view = LobbyView(
        id="K7Q2",
        kind=kind,
        guild=1,
        channel=2,
        message=None,
        setup=Setup(game, {}, seats, {"mode": "single"}, 120, True),
        rules=rules,
        series=rules.game.series,
        host=101,
        people=people,
        state="open",
        created=START,
        expires=DEADLINE,
        opening=OPENING,
    )
    return replace(view, **changed)


def arguments_of_edit(message: Message) -> dict[str, Any]:
    """Return the arguments with which discord.py replaces a whole message."""
    nobody = discord.AllowedMentions.none()
    content = message.fit().content or None
    return {"content": content, "view": message.view, "attachments": message.files, "allowed_mentions": nobody}
