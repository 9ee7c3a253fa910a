"""Commands on a live match: seal, change, resign, draw, and what clocks do."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.engine.cards import Seat
from bot.engine.choices import Choice
from bot.engine.match import Termination
from bot.engine.record.record import choice_data
from bot.engine.refusals import RuleError, Unreadable
from bot.errors import RefereeError
from bot.referee.match import play, press_errors
from bot.referee.match.draws import GAP, NextOffer, next_offer
from bot.referee.match.resignation import Quitting, assess_quit, count_stop
from bot.referee.model.changes import SaveNote
from bot.referee.model.durations import GRACE, MISSES
from bot.referee.model.model import HOUSE, IDLE, Deadline, Seal, UserId
from bot.referee.model.views import MatchView
from bot.referee.proof.version2 import MOST_SEALS
from bot.referee.repository.live import Live, Played
from bot.referee.repository.match_repository import Commands, LastUsed, MatchRepository, Work
from bot.referee.repository.view_service import Views, lapses_key
from bot.solver.players.levels import SLY, Level

log = logging.getLogger(__name__)

ChooseBid = Callable[[Live, Seat, Level], Choice]

LATELY = 1000
"""Presses whose time is kept, to detect presses that are handled out of order."""


class Matches(Commands):
    """All commands on a match between its first prompt and its end."""

    def __init__(self, repository: MatchRepository, views: Views, choose: ChooseBid) -> None:
        """`choose` bids for a house seat at once."""
        super().__init__(repository)
        self._views, self._choose = views, choose
        self._again = LastUsed[tuple[str, UserId], tuple[int, int]](LATELY)
        """who pressed what they had sealed already, lately: at which prompt, and the id of the press"""

    # --- bidding -----------------------------------------------------------------------------------------

    async def seal(
        self, id: str, user: UserId, prompt: int, value: Any, at: datetime, press: int = 0
    ) -> tuple[MatchView, bool]:
        """Seal or change a choice; the last missing choice reveals the round. Return the view, and True if it was
        revealed.

        `value` is in the form of the record, `at` the time of the press, `press` the id of its interaction. A press
        that is repeated, or handled after a later one, changes nothing.
        """

        async def work(live: Live) -> Played | None:
            stored = live.stored
            mine = stored.seal_of(stored.seat_of(user))
            if mine is not None and prompt == stored.prompt and self._has_pressed_since(id, user, mine, prompt, press):
                return None
            return self._seal(live, user, prompt, value, at, press)

        played = await self._repository.change(id, work, is_bid=True)
        return await self._views.view_live(played.live, user), played.revealed

    def _seal(self, live: Live, user: UserId, prompt: int, value: Any, at: datetime, press: int) -> Played:
        stored = live.stored
        seat = stored.seat_of(user)
        if seat is None:
            raise RefereeError("not-in-match", m=stored.id)
        if not stored.live:
            raise press_errors.match_over(live)
        if seat in live.match.left_seats:
            raise RefereeError("seat-left", m=stored.id)
        if prompt != stored.prompt:
            raise press_errors.stale_press(live, seat, prompt, at)
        if seat not in live.match.awaited:
            raise press_errors.seat_not_asked(live, seat)
        if stored.deadline is not None and at > stored.deadline:
            raise press_errors.too_late(live, seat)
        state, rules = live.match.state, live.rules
        assert state is not None
        try:
            choice = rules.read_choice(state, seat, value)
        except Unreadable as refusal:
            raise RefereeError("stale-button", link="") from refusal
        try:
            rules.check_choice(state, seat, choice)
        except RuleError as refusal:
            raise press_errors.illegal_choice(live, seat, choice, refusal) from refusal
        canonical = choice_data(rules.physical(state, seat, choice))
        mine = stored.seal_of(seat)
        if mine is not None and mine.choice == canonical:
            self._again.keep((stored.id, user), (prompt, press))
            raise RefereeError("same-card", card=press_errors.choice_text(live, choice))
        if mine is not None and mine.n + 1 >= MOST_SEALS:
            kept = rules.read_choice(state, seat, mine.choice)
            raise RefereeError("too-many-changes", card=press_errors.choice_text(live, kept), n=mine.n)
        sealed = play.seal(live, seat, choice, at, press)
        if sealed.live.awaited:
            return sealed
        # The last choice reveals at once, without a grace period (RULING C1).
        return play.combine(sealed, play.reveal(sealed.live, self._clock.now()))

    def _has_pressed_since(self, id: str, user: UserId, mine: Seal, prompt: int, press: int) -> bool:
        """Return True if this person sealed this, or pressed it again, by this press or by a later one. Ids grow."""
        again, latest = self._again.get((id, user), (prompt, 0))
        return 0 < press <= max(mine.press, latest if again == prompt else 0)

    async def seal_house(self, id: str, prompt: int, seat: Seat, choice: Choice, instead: str = "") -> None:
        """Seal the choice of a house seat; do nothing if it is too late.

        `instead` is the level that chose because the seat's own ran out of time; it is recorded.
        """

        async def work(live: Live) -> Played | None:
            stored = live.stored
            asked = seat in live.awaited and stored.seats[seat].user == HOUSE
            if not asked or stored.prompt != prompt:
                return None
            now = self._clock.now()
            sealed = play.seal(live, seat, choice, now)
            if instead:
                sealed = replace(sealed, steps=(*sealed.steps, await self._lapse_note(live, seat, instead)))
            return sealed if sealed.live.awaited else play.combine(sealed, play.reveal(sealed.live, now))

        await self._repository.change(id, work)

    async def _lapse_note(self, live: Live, seat: Seat, instead: str) -> SaveNote:
        known = await self._views.list_lapses(live.stored)
        return SaveNote(lapses_key(live.stored.id), json.dumps([*known, [*live.place, seat, instead]]))

    # --- leaving and agreeing ----------------------------------------------------------------------------

    async def preview_quit(self, id: str, user: UserId) -> Quitting:
        """Return what giving up would cost. Refuse what `resign` would refuse."""
        live = await self._repository.live(id)
        self._require_seat(live, user)
        return await assess_quit(self._store, live, user, self._clock.now())

    async def resign(self, id: str, user: UserId, free: bool = False, why: str = "") -> MatchView:
        """Give up. Before the first reveal the match is stopped without counting, unless the hand was known or the
        person does this often.

        With `free`, refuse if it would count. `why` is kept as the reason of a stop.
        """

        async def work(live: Live) -> Played:
            seat = self._require_seat(live, user)
            now = self._clock.now()
            comes_to = await assess_quit(self._store, live, user, now)
            if free and comes_to is not Quitting.FREE:
                raise RefereeError("expired-question")
            if comes_to is Quitting.FREE:
                stopped = play.stop(live, "aborted", now, why)
                if live.stored.is_practice:
                    return stopped
                return replace(stopped, steps=(*stopped.steps, await count_stop(self._store, user, now)))
            if len(live.stored.seats) > 2 and _alone_without(live, seat):
                return play.stop(live, "aborted", now, "house")  # no person is left
            return play.leave(live, seat, "resigned", now)

        async with self._repository.lock(f"quit {user}"):  # several at once are counted one by one
            return await self._change(id, user, work)

    async def stop_older(self, id: str, prompt: int | None = None) -> None:
        """Stop a match if a prompt was shown that the store does not know; without `prompt`, if its end was shown.

        The database was restored to an earlier time. People who saw the cards must not play the rounds again. Raise
        `rolled-back` then.
        """
        stopped = False

        async def work(live: Live) -> Played | None:
            nonlocal stopped
            stopped = live.stored.live and (prompt is None or prompt > live.stored.prompt)
            return play.stop(live, "aborted", self._clock.now(), "rolled-back") if stopped else None

        await self._repository.change(id, work)
        if stopped:
            log.error("the database was restored: players saw more of %s than it has; the match is stopped", id)
            raise RefereeError("rolled-back", m=id)

    async def abort(self, id: str, why: str) -> MatchView:
        """Stop a match that cannot continue; it does not count. `why` is `channel` if its channel is gone."""

        async def work(live: Live) -> Played:
            if not live.stored.live:
                raise press_errors.match_over(live)
            return play.stop(live, "aborted", self._clock.now(), why)

        return await self._change(id, 0, work)

    async def offer_draw(self, id: str, user: UserId) -> MatchView:
        """Offer a draw, or agree to an open offer."""

        async def work(live: Live) -> Played:
            seat = self._check_draw_offer(live, user)
            if live.stored.draw is not None:
                return play.agree(live, seat, self._clock.now())
            return play.offer_draw(live, seat, play.rounds_played(live.match))

        return await self._change(id, user, work)

    async def check_draw_offer(self, id: str, user: UserId) -> NextOffer:
        """Refuse what `offer_draw` would refuse. Return when the next offer is allowed."""
        live = await self._repository.live(id)
        self._check_draw_offer(live, user)
        return next_offer(live, GAP)

    def _check_draw_offer(self, live: Live, user: UserId) -> Seat:
        seat, stored = self._require_seat(live, user), live.stored
        if stored.has_house and len(play.list_people(live)) == 1:
            raise RefereeError("draw-house")
        if stored.draw is not None:
            if stored.draw.by == seat:
                raise RefereeError("draw-open")
            return seat
        rounds = play.rounds_played(live.match)
        if rounds < stored.seats[seat].draw_from:
            again = next_offer(live, stored.seats[seat].draw_from - rounds)
            raise RefereeError(f"draw-soon-{again.when}", r=again.round, round=live.rules.round_word)
        return seat

    async def answer_draw(self, id: str, user: UserId, yes: bool, prompt: int | None = None) -> MatchView:
        """Accept or decline the open offer."""

        async def work(live: Live) -> Played:
            seat = self._require_seat(live, user)
            offer = live.stored.draw
            if offer is None or (prompt is not None and prompt != live.stored.prompt):
                raise RefereeError("draw-gone", round=live.rules.round_word)
            if offer.by == seat:
                others = [s for s in play.list_people(live) if s not in offer.agreed]
                raise RefereeError("draw-own", names=press_errors.names_of(live, others))
            if yes:
                return play.agree(live, seat, self._clock.now())
            return play.save_match(live, play.next_version(live.stored, draw=None))

        return await self._change(id, user, work)

    async def _change(self, id: str, user: UserId, work: Work) -> MatchView:
        return await self._views.view_live((await self._repository.change(id, work)).live, user)

    def _require_seat(self, live: Live, user: UserId) -> Seat:
        seat = live.stored.seat_of(user)
        if seat is None:
            raise RefereeError("not-in-match", m=live.stored.id)
        if not live.stored.live:
            raise press_errors.match_over(live)
        if seat in live.match.left_seats:
            raise RefereeError("seat-left", m=live.stored.id)
        return seat

    # --- clocks ------------------------------------------------------------------------------------------

    async def expire(self, deadline: Deadline) -> MatchView | None:
        """Bid for late seats, and forfeit seats that missed too many bids (RULING C4)."""

        async def work(live: Live) -> Played | None:
            stored = live.stored
            now = self._clock.now()
            shown = stored.deadline
            if not stored.live or stored.prompt != deadline.prompt or shown is None:
                return None
            if deadline.due <= shown:
                return None  # the clock was moved
            return await self._run_out(live, now)

        played = await self._repository.change(deadline.owner, work)
        return await self._views.view_live(played.live) if played.steps else None

    async def enforce_clock(self, id: str, at: datetime, *, shown: bool) -> bool:
        """Apply an expired clock at the next press, on a board that gets no notices.

        If the prompt was shown, do what `expire` does; else begin its clock again. Return True if the match changed.
        """

        async def work(live: Live) -> Played | None:
            stored, now = live.stored, self._clock.now()
            over = stored.deadline is not None and now >= stored.deadline + GRACE and at > stored.deadline
            if not stored.live or not stored.outside or not over:
                return None
            if not shown:
                return play.begin_clock(live, now)
            return await self._run_out(live, now)

        return bool((await self._repository.change(id, work)).steps)

    async def abandon(self, id: str, prompt: int) -> bool:
        """Stop a match without a clock that has been idle for very long; it does not count."""

        async def work(live: Live) -> Played | None:
            stored = live.stored
            if not stored.live or stored.prompt != prompt or not (stored.deadline is None or stored.outside):
                return None
            return play.stop(live, "abandoned", self._clock.now(), IDLE)

        return bool((await self._repository.change(id, work)).steps)

    async def _run_out(self, live: Live, now: datetime) -> Played:
        """Bid for late seats, and forfeit seats that missed too many bids in a row."""
        thinking = [seat for seat in live.awaited if live.stored.seats[seat].user == HOUSE]
        if not thinking:
            return self._bid_late(live, now)
        stood = await self._stand_in(live, thinking, now)
        return play.combine(stood, self._bid_late(stood.live, now))

    async def _stand_in(self, live: Live, thinking: Sequence[Seat], now: datetime) -> Played:
        """Let Sly bid for house seats that still think. Their time is nobody's miss."""
        place, played = live.place, Played(live, ())
        for seat in thinking:
            sealed = play.seal(played.live, seat, self._choose(live, seat, SLY), now)
            played = play.combine(played, sealed) if played.steps else sealed
        known = await self._views.list_lapses(live.stored)
        lapses = [*known, *([*place, seat, SLY.key] for seat in thinking)]
        return replace(played, steps=(*played.steps, SaveNote(lapses_key(live.stored.id), json.dumps(lapses))))

    def _bid_late(self, live: Live, now: datetime) -> Played:
        """Play the lowest card of late seats.

        Abandon the match if all people missed too many bids, or if it would end without a bid of any person.
        """
        late = frozenset(live.awaited)
        played = play.reveal(live, now, late)
        unplayed = played.live.match.termination is Termination.COMPLETED and not play.has_bids(live)
        out, people = _seats_out(played.live)
        if not out and not unplayed:
            return played
        if played.live.match.termination is Termination.COMPLETED:
            played = play.reveal_last(live, now, late)
        if unplayed or len(out) == len(people):
            return play.combine(played, play.stop(played.live, "abandoned", now))
        for seat in out:
            if played.live.stored.live:
                played = play.combine(played, play.leave(played.live, seat, "timed-out", now))
        return played


def _seats_out(live: Live) -> tuple[list[Seat], list[Seat]]:
    """Return the seats of people that missed too many bids in a row, and all seats of people that are left."""
    people = play.list_people(live)
    return [seat for seat in people if live.stored.seats[seat].misses >= MISSES], people


def _alone_without(live: Live, seat: Seat) -> bool:
    """Return True if only house players would be left without this seat."""
    return play.list_people(live) == [seat]
