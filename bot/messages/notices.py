"""What people are told once: reminders, offers, results. By DM where they like that, else where the board is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import product

from bot.messages.boards import Boards
from bot.messages.champions import tell_champions
from bot.messages.consoles import Consoles
from bot.messages.display import Offer
from bot.messages.parts import MessageParts
from bot.messages.roles import RoleGiver
from bot.referee.clock.quiet_hours import is_quiet
from bot.referee.model.durations import SLOW
from bot.referee.model.model import Deadline, DeadlineKind, Lobby, Surface, SurfaceKind, UserId, read_message_owner
from bot.referee.model.people import Player
from bot.referee.model.views import MatchView, SeatView
from bot.rest.call_result import CallResult
from bot.ui.message import Message
from bot.ui.screens import pings

LONG_UNSEEN = timedelta(minutes=15)


@dataclass(eq=False)
class Notices(MessageParts):
    """Messages that are sent and then left alone. Only reminders, and results by DM, become consoles or are removed."""

    boards: Boards
    consoles: Consoles

    # --- reminders ---------------------------------------------------------------------------------------

    async def remind(self, deadline: Deadline) -> bool | datetime:
        """A nudge or warning for whoever has not sealed, the champions, that somebody has paused, or roles by rating;
        False where Discord wants another try, and a time where there is more to be done then."""
        if deadline.kind is DeadlineKind.CHAMPIONS:
            return await tell_champions(self.referee, self.delivery, deadline)
        if deadline.kind is DeadlineKind.OUTDATED:
            return await self.delivery.delete(*read_message_owner(deadline.owner)) is not CallResult.LATER
        if deadline.kind is DeadlineKind.ROLES:
            done = await RoleGiver(self.referee, self.delivery).bring(deadline)
            return self.referee.clock.now() + done if isinstance(done, timedelta) else done
        view = await self.referee.views.view(deadline.owner)
        if deadline.kind is DeadlineKind.PAUSED:
            return view.over or not view.paused or await self._tell_paused(view)
        if view.over or view.prompt != deadline.prompt:
            return True
        nudge = deadline.kind is DeadlineKind.NUDGE
        if nudge:
            await self.referee.reminding.schedule(view.id)
        if not await self._remind(view, deadline, nudge):
            return False
        return True if nudge else await self.referee.reminding.next_reminder(view, deadline.due) or True

    async def _remind(self, view: MatchView, deadline: Deadline, nudge: bool) -> bool:
        done = True
        in_channel: list[SeatView] = []
        quiet: set[int] = set()
        for seat in view.awaited:
            if not seat.user or await self.consoles.seen_lately(view, seat):
                continue
            player = await self.referee.people.load_player(seat.user)
            muted = await self.referee.people.is_muted(view.id, seat.user)
            if muted or not (player.bids if nudge else player.warnings):
                continue
            if not nudge and not self.referee.reminding.is_due(view, player, deadline.due):
                continue
            mine = await self.referee.views.view(view.id, seat.user)
            fate = CallResult.DMS_CLOSED
            if await self.dms.wanted(mine, player):
                fate = await self._nudge(mine, player, nudge, deadline)
            if fate is not CallResult.DONE and not nudge:
                in_channel.append(seat)
                quiet |= {seat.user} if is_quiet(player, self.referee.clock.now()) else set()
            elif fate is CallResult.LATER:
                done = False
        for last, silent in product((False, True), (False, True)):
            users = [
                seat.user for seat in in_channel if (seat.misses_left == 1) is last and (seat.user in quiet) is silent
            ]
            if users:
                message = pings.render_channel_warning(view, users, await self.boards.link(view), last=last)
                nonce = f"{'l' if last else 'w'}{'q' if silent else ''}{view.id}{view.prompt}"
                nonce += self._which(view, deadline)
                fate, channel, posted = await self.boards.post(view, message, nonce, silent)
                if fate is CallResult.DONE:
                    await self._track_reminder(view, users, channel, posted)
                done = done and fate is not CallResult.LATER
        return done

    async def _track_reminder(self, view: MatchView, users: Sequence[int], channel: int, posted: int) -> None:
        """Remove a reminder in the channel when nobody whom it names has to bid, at the latest after the deadline."""
        now = self.referee.clock.now()
        where = Surface(view.id, SurfaceKind.CONSOLE_DM, 0, channel, posted, 0, now)
        await self.referee.surfaces.schedule_removal(channel, posted, view.deadline or now)
        self.displays[view.id].offers += (Offer(view.id, where, view.prompt, users=frozenset(users), is_reminder=True),)
        self.boards.wake(view.id)  # they may have bid while it was on its way

    def _which(self, view: MatchView, deadline: Deadline) -> str:
        """The minutes before the end, where one prompt has several warnings: each is a message of its own."""
        if view.setup.clock < SLOW or view.deadline is None or deadline.kind is DeadlineKind.NUDGE:
            return ""
        return f"m{round((view.deadline - deadline.due).total_seconds() / 60)}"

    async def _tell_paused(self, view: MatchView) -> bool:
        """Opponents read it in their DMs, else where the board is; silently, for there is nothing to do."""
        paused, done = dict(view.paused), True
        nonce = f"z{view.id}{int(max(paused.values()).timestamp()):x}"  # the same after a restart and a bid
        in_channel = False
        for seat in view.seats:
            if not seat.user or seat.left or seat.seat in paused:
                continue
            player = await self.referee.people.load_player(seat.user)
            if await self.referee.people.is_muted(view.id, seat.user):
                continue
            fate = CallResult.DMS_CLOSED
            if await self.dms.wanted(await self.referee.views.view(view.id, seat.user), player):
                message = pings.render_pause_note(view, await self.boards.link(view))
                fate, posted, channel = await self.dms.send(player, message, f"{nonce}s{seat.seat}", silent=True)
                if fate is CallResult.DONE:
                    now = self.referee.clock.now()
                    where = Surface(view.id, SurfaceKind.CONSOLE_DM, seat.user, channel, posted, 0, now)
                    self.displays[view.id].offers += (Offer(view.id, where, is_pause=True),)
                    self.boards.wake(view.id)  # the pause may have ended while the note was on its way
            done = done and fate is not CallResult.LATER
            in_channel = in_channel or fate not in (CallResult.DONE, CallResult.LATER)
        if in_channel and not view.outside:
            message = pings.render_pause_note(view, await self.boards.link(view))
            done = await self.boards.say(view, message, nonce, silent=True) is not CallResult.LATER and done
        return done

    async def _nudge(self, mine: MatchView, player: Player, nudge: bool, deadline: Deadline) -> CallResult:
        """A DM that becomes the console of this match; the one before it goes."""
        link = await self.boards.link(mine)
        message = pings.render_nudge(mine, link) if nudge else pings.render_warning(mine, link)
        letter = "n" if nudge else "k"
        nonce = f"{letter}{mine.id}{mine.seat}p{deadline.prompt}{self._which(mine, deadline)}"
        fate, posted, channel = await self.dms.send(player, message, nonce)
        if fate is CallResult.DONE:
            await self.consoles.take_dm(mine, player.user, channel, posted)
        return fate

    # --- offers ------------------------------------------------------------------------------------------

    async def offer_draw(self, view: MatchView, seats: Sequence[SeatView]) -> None:
        """An offer for these seats: by DM where their console is there, else one mention in the channel. A board with
        keys says it itself."""
        if view.at_table:
            return
        link = await self.boards.link(view)
        here: list[int] = []
        for seat in seats:
            if await self.referee.people.is_muted(view.id, seat.user):
                continue
            player = await self.referee.people.load_player(seat.user)
            mine = await self.referee.views.view(view.id, seat.user)
            if await self.dms.wanted(mine, player):
                nonce = f"d{view.id}{view.version}s{seat.seat}"
                message = pings.draw_offer(mine, link)
                fate, posted, channel = await self.dms.send(player, message, nonce)
                if fate is CallResult.DONE:
                    self._offered(view, seat.user, channel, posted, message.content)
                    continue
            here.append(seat.user)
        if here:
            message = pings.draw_offer(view, link, here)
            fate, channel, posted = await self.boards.post(view, message, f"d{view.id}{view.version}")
            if fate is CallResult.DONE:
                self._offered(view, 0, channel, posted, message.content, here)

    def _offered(
        self, view: MatchView, user: int, channel: int, posted: int, asked: str, here: Sequence[int] = ()
    ) -> None:
        """Its buttons go as soon as there is nothing left to answer."""
        where = Surface(view.id, SurfaceKind.CONSOLE_DM, user, channel, posted, 0, self.referee.clock.now())
        self.displays[view.id].offers += (Offer(view.id, where, view.prompt, asked, frozenset(here)),)

    def keep_own_offer(self, view: MatchView, answer: Surface, said: str) -> None:
        """Add to this private answer what becomes of the draw that this player offered, or agreed to. It reaches a
        player who has no console, too."""
        self.displays[view.id].offers += (Offer(view.id, answer, view.prompt, said, is_own=True),)

    async def offer_rematch(self, view: MatchView, users: Sequence[int], link: str, lobby: Lobby) -> None:
        """For these people by DM, where their console was; who cannot be reached there is mentioned in the channel."""
        assert view.seat is not None
        here: list[int] = []
        for seat in view.seats:
            if seat.user not in users:
                continue
            player = await self.referee.people.load_player(seat.user)
            message = pings.render_rematch_offer(view, view.seat, link, lobby.id)
            fate, posted, channel = await self.dms.send(player, message, f"o{lobby.id}s{seat.seat}")
            if fate is CallResult.DONE:
                now = self.referee.clock.now()
                offer = Surface(lobby.id, SurfaceKind.CONSOLE_DM, seat.user, channel, posted, 0, now)
                self.displays[lobby.id].offers += (Offer(view.id, offer),)
            else:
                here.append(seat.user)
        if here:
            message = pings.render_rematch_offer(view, view.seat, link, lobby.id, here)
            await self.delivery.post(lobby.channel, message, f"o{lobby.id}")

    # --- ends --------------------------------------------------------------------------------------------

    async def tell_end(self, view: MatchView, board_posted: datetime) -> None:
        """A match ended: a silent line where its result stands far above, and silent DMs after a slow one. That is told
        once, however often its board is drawn later. A board with keys notifies nobody."""
        if view.at_table:
            return
        view = await self.referee.views.view(view.id)  # a name may be erased since the board was drawn
        guild = await self.referee.deciding.load_settings(view.guild)
        ended = view.ended or self.referee.clock.now()  # the board may be edited long after
        in_channel = guild.result_lines and ended - board_posted > LONG_UNSEEN
        by_dm = view.setup.clock >= SLOW
        if not (in_channel or by_dm) or await self.referee.surfaces.is_result_told(view.id):
            return
        away = [seat for seat in view.seats if by_dm and not await self.consoles.seen_lately(view, seat, LONG_UNSEEN)]
        if in_channel:
            await self.boards.say_in_channel(view, partial(self._render_line, view.id), f"e{view.id}")
        await self._tell_result(view, away)
        await self.referee.surfaces.note_result_told(view.id)

    async def _render_line(self, id: str) -> Message:
        view = await self.referee.views.view(id)
        return pings.render_result_line(view, await self.boards.link(view))

    async def _render_note(self, id: str, user: UserId) -> Message:
        mine = await self.referee.views.view(id, user)
        return pings.render_result_note(mine, await self.boards.link(mine))

    async def _tell_result(self, view: MatchView, away: Sequence[SeatView]) -> None:
        """A slow match ended: a silent DM for players who have not looked for a while. It becomes their result."""
        for seat in away:
            if seat.user <= 0:
                continue
            player = await self.referee.people.load_player(seat.user)
            mine = await self.referee.views.view(view.id, seat.user)
            if mine.own and player.results and await self.dms.wanted(mine, player):
                note, nonce = partial(self._render_note, view.id, seat.user), f"r{view.id}{seat.seat}"
                fate, posted, channel = await self.dms.send(player, note, nonce, silent=True)
                if fate is CallResult.DONE:
                    await self.consoles.take_dm(mine, player.user, channel, posted)

    async def tell_ruling(self, view: MatchView, message: Message) -> None:
        """What a moderator did, where the board is, silently; by DM where nothing can be written there."""
        if await self.boards.say(view, message, f"v{view.id}{view.version}", silent=True) is CallResult.DONE:
            return
        for seat in view.seats:
            if seat.user > 0:
                player = await self.referee.people.load_player(seat.user)
                await self.dms.send(player, message, f"v{view.id}{view.version}s{seat.seat}", silent=True)

    async def tell_stopped(self, view: MatchView) -> bool:
        """That its channel is gone, by DM, to whoever can be reached; False if that must be tried again. Told twice, it
        is there once."""
        fates: list[CallResult] = []
        for seat in view.seats:
            if seat.user > 0 and not seat.left:
                player = await self.referee.people.load_player(seat.user)
                fate, _, _ = await self.dms.send(player, pings.render_stop_note(view), f"x{view.id}{seat.seat}")
                fates.append(fate)
        return CallResult.LATER not in fates
