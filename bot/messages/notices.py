"""What the bot says once: reminders, offers, reveals and results, by DM where players like that, else by the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from bot.messages.asides import DONE, Asides
from bot.messages.boards import Boards, MessageParts
from bot.messages.consoles import Consoles
from bot.messages.display import Display, Offer
from bot.messages.offers import closed_offer, draw_now, is_answered
from bot.messages.posts import Posts
from bot.referee.clock.quiet_hours import is_quiet
from bot.referee.model.changes import Conflict
from bot.referee.model.durations import SLOW
from bot.referee.model.model import HOUSE, Deadline, DeadlineKind, Lobby, Snowflake, UserId
from bot.referee.model.surfaces import KEPT, RevealNote, Surface, SurfaceKind
from bot.referee.model.views import MatchView, SeatView
from bot.referee.repository.live import Live
from bot.rest.call_result import Attempt, CallResult
from bot.rest.delivery import Render
from bot.ui.message import Message
from bot.ui.screens import pings
from bot.ui.screens.refusals import describe_error, match_over_error

LONG_UNSEEN = timedelta(minutes=15)

NO_REVEAL = RevealNote(0)


@dataclass(eq=False)
class Notices(MessageParts):
    """Messages that are sent and left alone. Reminders, pauses and results by DM become consoles; offers are closed."""

    boards: Boards
    consoles: Consoles
    asides: Asides

    def __post_init__(self) -> None:
        self.posts = Posts(self.referee, self.delivery)

    # --- reminders ---------------------------------------------------------------------------------------

    async def remind(self, deadline: Deadline) -> bool | datetime:
        """A nudge or warning for a player who has not sealed, that a player has paused, or what is about no match;
        False where Discord wants another try, and a time where there is more to do then."""
        if (post := self.posts.due.get(deadline.kind)) is not None:
            return await post(deadline)
        view = await self.referee.views.view(deadline.owner)
        if deadline.kind is DeadlineKind.PAUSED:
            return view.over or not view.paused or await self._tell_paused(view)
        if view.over or view.prompt != deadline.prompt:
            return True
        nudge = deadline.kind is DeadlineKind.NUDGE
        warning = await self.referee.reminding.find_due(view) if nudge else deadline
        if nudge:
            await self.referee.reminding.schedule(view.id)
        done = await self._remind(view, deadline, warning)
        return done and (nudge or await self.referee.reminding.next_reminder(view, deadline.due) or True)

    async def _remind(self, view: MatchView, deadline: Deadline, warning: Deadline | None) -> bool:
        """Remind everybody who has to bid; return False if Discord has to be tried again. `warning` is due by now."""
        done, nudge = True, deadline is not warning
        # The warnings of one prompt are messages of their own.
        which = f"m{round((view.deadline - deadline.due).total_seconds() / 60)}" if view.deadline else ""
        in_channel: dict[tuple[bool, bool], list[UserId]] = {}
        for seat in await self._list_unmuted(view, view.awaited):
            player = await self.referee.people.load_player(seat.user)
            # A nudge that is due at the same time is no warning.
            warned = player.warnings and bool(warning and self.referee.reminding.is_due(view, player, warning.due))
            is_meant = player.bids and not warned if nudge else warned
            if not is_meant or await self.consoles.seen_lately(view, seat):
                continue
            result = await self._remind_by_dm(view, seat, nudge, which)
            if result is not CallResult.DONE and not nudge:
                how = seat.misses_left == 1, is_quiet(player, self.referee.clock.now())
                in_channel.setdefault(how, []).append(seat.user)
            elif result is CallResult.LATER:
                done = False
        for (last, silent), users in sorted(in_channel.items()):
            message = pings.render_channel_warning(view, users, await self.boards.link(view), last=last)
            nonce = f"{'l' if last else 'w'}{'q' if silent else ''}{view.id}{view.prompt}{which}"
            result, channel, posted = await self.boards.post(view, message, nonce, silent)
            if result is CallResult.DONE:
                where = self._at(view.id, 0, channel, posted)
                await self.referee.surfaces.schedule_removal(channel, posted, view.deadline or where.posted)
                self.track(Offer(view.id, where, view.prompt, users=frozenset(users), is_reminder=True))
            done = done and result is not CallResult.LATER
        return done

    async def _remind_by_dm(self, view: MatchView, seat: SeatView, nudge: bool, which: str) -> CallResult:
        """Remind a player in their console. One that is on its way tells the same."""
        owed = await self.consoles.by_dm(view.id, seat.user)
        if owed is not None and not owed.message:
            return await self.consoles.send_now(owed)
        mine, link = await self.referee.views.view(view.id, seat.user), await self.boards.link(view)
        if mine.over or mine.prompt != view.prompt or mine.own is None or not mine.own.awaited:
            return CallResult.DONE  # there is nothing to bid any more
        message = pings.render_nudge(mine, link) if nudge else pings.render_warning(mine, link)
        nonce = f"{'n' if nudge else 'k'}{view.id}{seat.seat}p{view.prompt}{which}"
        return await self._send_console(view, seat.user, message, nonce)

    async def _tell_paused(self, view: MatchView) -> bool:
        """Tell opponents in their DMs, else where the board is; silently, because there is nothing to do. The DM
        becomes their console, which says when it is over."""
        paused = dict(view.paused)
        nonce = f"z{view.id}{int(max(paused.values()).timestamp()):x}"  # the same after a restart and a bid
        message = pings.render_pause_note(view, await self.boards.link(view))
        others = [seat for seat in view.seats if not seat.left and seat.seat not in paused]
        results = [
            await self._send_console(view, seat.user, message, f"{nonce}s{seat.seat}", silent=True)
            for seat in await self._list_unmuted(view, others)
        ]
        if {*results} - {CallResult.DONE, CallResult.LATER} and not view.outside:
            results.append((await self.boards.post(view, message, nonce, silent=True))[0])
        return CallResult.LATER not in results

    # --- sent and posted ---------------------------------------------------------------------------------

    async def _list_unmuted(self, view: MatchView, seats: Sequence[SeatView]) -> list[SeatView]:
        """Return the seats of people who have not muted this match."""
        is_muted = self.referee.people.is_muted
        return [seat for seat in seats if seat.user and not await is_muted(view.id, seat.user)]

    async def _send_console(
        self, view: MatchView, user: UserId, message: Message | Render, nonce: str, silent: bool = False
    ) -> CallResult:
        """Send a DM that becomes the console of this match; the one before it goes."""
        result, where = await self._send(view, user, message, nonce, silent)
        if result is CallResult.DONE:
            with suppress(Conflict):  # its player's data was erased meanwhile
                await self.consoles.take_place(where)
        return result

    async def _send(
        self, view: MatchView, user: UserId, message: Message | Render, nonce: str, silent: bool = False
    ) -> tuple[CallResult, Surface]:
        """Send a DM to a player if their console comes by DM. Return where it is, too."""
        result, posted, channel = CallResult.DMS_CLOSED, 0, 0
        if await self.dms.wanted(view, user):
            result, posted, channel = await self.dms.send(user, message, nonce, silent)
        return result, self._at(view.id, user, channel, posted)

    def _at(self, id: str, user: UserId, channel: Snowflake, message: Snowflake) -> Surface:
        return Surface(id, SurfaceKind.CONSOLE_DM, user, channel, message, 0, self.referee.clock.now())

    def track(self, offer: Offer) -> None:
        """Keep this message true. What it asks for may have been answered while it was on its way."""
        self.displays[offer.surface.match].offers[offer.surface.message] = offer
        self.wake(offer.surface.match)

    # --- offers ------------------------------------------------------------------------------------------

    async def offer_draw(self, view: MatchView) -> None:
        """Offer the draw that stands to all who have not agreed: by DM where their console is there, else in one
        mention in the channel. A board with keys says it itself."""
        if view.at_table or view.draw is None:
            return
        link, nonce = await self.boards.link(view), f"d{view.id}{view.version}"
        asked = await self._list_unmuted(view, view.undecided)
        if here := await self._ask(view, asked, pings.draw_offer(view, link), nonce, view.id, view.prompt):
            message = pings.draw_offer(view, link, here)
            result, channel, posted = await self.boards.post(view, message, nonce)
            if result is CallResult.DONE:
                where = self._at(view.id, 0, channel, posted)
                self.track(Offer(view.id, where, view.prompt, message.content, frozenset(here)))

    async def _ask(
        self, view: MatchView, seats: Sequence[SeatView], message: Message, nonce: str, shown: str, prompt: int | None
    ) -> list[UserId]:
        """Send an offer by DM, which is kept true while it may be answered: `shown` is the match, or the challenge to a
        rematch. Return the players whom it did not reach."""
        unreached: list[UserId] = []
        for seat in seats:
            result, where = await self._send(view, seat.user, message, f"{nonce}s{seat.seat}")
            if result is CallResult.DONE:
                self.track(Offer(view.id, replace(where, match=shown), prompt, message.content))
            else:
                unreached.append(seat.user)
        return unreached

    async def answer_mention(self, before: MatchView, channel: Snowflake, message: Snowflake) -> Render | None:
        """Return what a mention in the channel shows after an answer: it goes on asking the others, or says how the
        offer ended. Return None while the offer is being saved: it is known by the next press."""
        offers = self.displays[before.id].offers
        offer = offers.get(message)
        if offer is None:
            if before.draw is None:
                return None
            # After a restart it is unknown whom it mentions: all who have not answered count.
            asked = pings.draw_offer(before, users=[seat.user for seat in before.undecided])
            where = self._at(before.id, 0, channel, message)
            offer = Offer(before.id, where, before.prompt, asked.content, frozenset(asked.mentions))
        if is_answered(await self.referee.live(before.id), offer):
            offers.pop(message, None)
        return partial(self._render_offer, before.id, offer)

    async def split_by_dm(self, view: MatchView, user: UserId) -> tuple[list[UserId], list[UserId]]:
        """Return who of the others gets this user's offer of a rematch by DM, and who a mention: not by DM where the
        match had keys on its board, and nobody who muted the match."""
        others = [seat for seat in view.seats if seat.user not in (HOUSE, user)]
        unmuted = [seat.user for seat in await self._list_unmuted(view, others)]
        by_dm = [one for one in unmuted if not view.at_table and await self.dms.wanted(view, one)]
        return by_dm, [one for one in unmuted if one not in by_dm]

    async def offer_rematch(self, view: MatchView, users: Sequence[UserId], link: str, lobby: Lobby) -> None:
        """Offer a rematch by DM; who cannot be reached there is mentioned in the channel."""
        assert view.seat is not None
        seats, nonce = [seat for seat in view.seats if seat.user in users], f"o{lobby.id}"
        message = pings.render_rematch_offer(view, view.seat, link, lobby.id)
        if here := await self._ask(view, seats, message, nonce, lobby.id, None):
            message = pings.render_rematch_offer(view, view.seat, link, lobby.id, here)
            await self.delivery.post(lobby.channel, message, nonce)

    async def close(self, display: Display, offer: Offer) -> Attempt:
        """Show why there is nothing left to answer, or remove a reminder."""
        surface, attempt = offer.surface, Attempt(CallResult.DONE)
        if offer.is_reminder:
            await self.consoles.remove(surface.channel, surface.message)
        else:
            render = partial(self._render_offer, display.id, offer)
            attempt = await self.delivery.edit(surface, render, self.referee.clock.now())
        if attempt.result is not CallResult.LATER:
            if display.offers.get(surface.message) is offer:
                del display.offers[surface.message]
            live, rest = self.referee.find_cached(display.id), replace(offer, is_own=True)
            if attempt.result is CallResult.DONE and live is not None and not is_answered(live, rest):
                self.track(rest)  # the others have not answered yet
        return attempt

    async def _render_offer(self, id: str, offer: Offer) -> Message:
        if offer.is_question:
            return Message(describe_error(match_over_error(await self.referee.views.view(id, offer.surface.user))))
        if offer.prompt is not None:
            view = await self.referee.views.view(id)
            return draw_now(view, offer, await self.boards.link(view))
        return await closed_offer(self.referee, await self.referee.lobbies.get(id), offer.match, offer.surface.user)

    # --- ends --------------------------------------------------------------------------------------------

    async def tell_end(self, view: MatchView, posted: datetime) -> Attempt:
        """Tell the end once: by a silent line where the result stands far above, and by silent DMs after a slow match.
        A board with keys notifies nobody. `posted` is when the board was."""
        ended = view.ended or self.referee.clock.now()  # the board may be edited long after
        by_line = (await self.referee.deciding.load_settings(view.guild)).result_lines and ended - posted > LONG_UNSEEN
        by_dm = view.setup.clock >= SLOW
        if view.at_table or not (by_line or by_dm) or await self.referee.surfaces.is_result_told(view.id):
            return DONE
        if by_line:
            line = partial(self._render_end, pings.render_result_line, view.id)
            await self.boards.post(view, line, f"e{view.id}", silent=True, in_thread=False)
        for seat in [one for one in view.seats if by_dm and one.user > 0]:
            player = await self.referee.people.load_player(seat.user)
            is_erased = (await self.referee.views.view(view.id, seat.user)).own is None
            if player.results and not is_erased and not await self.consoles.seen_lately(view, seat, LONG_UNSEEN):
                note = partial(self._render_end, pings.render_result_note, view.id, seat.user)
                await self._send_console(view, seat.user, note, f"r{view.id}{seat.seat}", silent=True)
        await self.referee.surfaces.note_result_told(view.id)
        return DONE

    async def _render_end(self, render: Callable[[MatchView, str], Message], id: str, user: UserId = 0) -> Message:
        """Render the news of an end when it is sent: a name may be erased since the board was drawn."""
        view = await self.referee.views.view(id, user)
        return render(view, await self.boards.link(view))

    async def tell_ruling(self, view: MatchView, message: Message, logged: str) -> None:
        """Tell what a moderator did, where the board is, silently; by DM where nothing can be written there. Write it
        in the log of the server."""
        nonce = f"v{view.id}{view.version}"
        result, _, _ = await self.boards.post(view, message, nonce, silent=True)
        for seat in view.seats if result is not CallResult.DONE else ():
            if seat.user > 0:
                await self.dms.send(seat.user, message, f"{nonce}s{seat.seat}", silent=True)
        await self.posts.post_log(view.guild, [logged])

    async def tell_stopped(self, id: str) -> Attempt:
        """Tell by DM that the match was stopped. Told twice, it is there once."""
        view = await self.referee.views.view(id)
        message, nonce = pings.render_stop_note(view), f"x{view.id}"
        playing = [seat for seat in view.seats if seat.user > 0 and not seat.left]
        results = [(await self.dms.send(seat.user, message, f"{nonce}{seat.seat}"))[0] for seat in playing]
        return Attempt(CallResult.LATER if CallResult.LATER in results else CallResult.DONE)

    # --- reveals -----------------------------------------------------------------------------------------

    async def tell_reveal(self, display: Display, live: Live, surfaces: Sequence[Surface]) -> None:
        """Send a short message to each player who wishes it, behind their console: a screen reader does not read edits.
        In a DM it replaces the one before. It has a writer of its own: presses on the console do not wait for it."""
        number, is_due = len(live.turns), False
        for seat, seated in enumerate(live.stored.seats if number else ()):
            console = self._console_of(surfaces, seated.user)
            if console is None or not (await self.referee.people.load_player(seated.user)).reveals:
                continue
            # It may have been switched on after the end.
            nothing = NO_REVEAL if live.stored.live else RevealNote(number)
            told = (await self._load_told(display)).get(seat, nothing)
            if told.number < number and not await self.referee.people.is_muted(display.id, seated.user):
                is_due = True
                self.writers.of(replace(console, message=0)).want(partial(self._tell_reveal, display, console))
        if not is_due:
            display.revealed = number

    async def _tell_reveal(self, display: Display, console: Surface) -> Attempt:
        live, notes = await self.referee.live(display.id), await self._load_told(display)
        number, seat = len(live.turns), live.stored.seat_of(console.user)
        if seat is None or (told := notes.get(seat, NO_REVEAL)).number >= number:
            return Attempt(CallResult.DONE)
        message = pings.render_reveal(await self.referee.views.view_live(live, console.user))
        channel = posted = 0
        if not console.kind.ephemeral:
            result, posted, channel = await self.dms.send(console.user, message, f"u{live.stored.id}{seat}t{number}")
            if result is CallResult.LATER:
                return Attempt(result)
        elif self.asides.may(console.channel):
            await self.delivery.send_beside(console, message)
        display.reveal_notes = {**await self._load_told(display), seat: RevealNote(number, channel, posted)}
        await self.referee.surfaces.save_reveals(display.id, display.reveal_notes)
        if told.message and told.message != posted:
            await self.delivery.delete(told.channel, told.message)
        return Attempt(CallResult.DONE)

    async def _load_told(self, display: Display) -> Mapping[int, RevealNote]:
        """Return what each seat was told last. It is stored, so that a restart tells nothing twice."""
        if display.reveal_notes is None:
            display.reveal_notes = await self.referee.surfaces.load_reveals(display.id)
        return display.reveal_notes

    def _console_of(self, surfaces: Sequence[Surface], user: UserId) -> Surface | None:
        """Return the console that this player used last, if a message can be sent behind it."""
        now = self.referee.clock.now()
        mine = [one for one in surfaces if one.user == user != HOUSE and one.state in KEPT]
        reached = [one for one in mine if (one.has_live_token(now) if one.kind.ephemeral else one.message)]
        return max(reached, key=lambda one: one.token_until or one.posted, default=None)
