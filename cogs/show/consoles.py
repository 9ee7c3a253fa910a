"""Consoles outside the press that opened them: the one that arrives by DM, and nudges. Closed DMs stop nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from bot.referee.clock.clocks import MISSES, SLOW
from bot.referee.lobby.reaching import dm_wanted
from bot.referee.ports.changes import DropSurface, PutSurface, SurfaceShown
from bot.referee.ports.model import Deadline, DeadlineKind, Lobby, Surface, SurfaceKind, SurfaceState, UserId
from bot.referee.ports.people import Player
from bot.referee.query.views import MatchView, SeatView
from cogs.show.draw import console_message
from cogs.show.finding import board_among, console_among
from cogs.show.marks import Marks
from cogs.show.rematch_offers import Offer, Offers
from cogs.ui.message import Message
from cogs.ui.screens import pings
from cogs.ui.words.links import link_to
from cogs.ui.words.sentences import say
from cogs.wire.reach import Fate, Reach
from cogs.wire.sharing import Shared

if TYPE_CHECKING:
    from bot.referee.referee import Referee
    from cogs.show.board_news import BoardNews

TROUBLES = {
    SurfaceState.STUCK: "board-stuck",
    SurfaceState.LOST: "channel-gone",
    SurfaceState.CLOSED: "thread-closed",
}
"""what a console says of a board in one of these states"""

RETRY = 5.0
DMS_CLOSED_FOR = timedelta(days=30)
JUST_SEEN = timedelta(seconds=20)
LONG_UNSEEN = timedelta(minutes=15)
SEEN_KEPT = 10_000


class Consoles:
    """Private keyboards that nobody pressed for."""

    def __init__(self, referee: Referee, reach: Reach, marks: Marks, news: BoardNews) -> None:
        self.referee = referee
        self.reach = reach
        self.marks = marks
        self.news = news
        self._seen: dict[str, dict[UserId, datetime]] = {}
        """by match, when each person looked at it last"""
        self._opening: Shared[int, tuple[Fate, int]] = Shared("open-dm")
        """by person: several consoles that arrive at once share the call for their DM channel"""
        self._sending: Shared[int, float | None] = Shared("send-console")
        """by surface: somebody who asks for their console while it is on its way gets that one, and not a second"""
        self.offers = Offers(referee, reach)
        self._outdated: dict[int, tuple[int, int]] = {}
        """by surface, channel and message of the console that goes when the new one is there"""

    def saw(self, id: str, user: int, at: datetime) -> None:
        """Somebody looked at their match. Not stored: after a restart their next press tells it again."""
        self._seen.setdefault(id, {})[user] = at
        while len(self._seen) > SEEN_KEPT:
            self._seen.pop(next(iter(self._seen)))

    def forget(self, id: str) -> None:
        """The match is over."""
        self._seen.pop(id, None)
        self.offers.forget(id)

    async def wants_dm(self, view: MatchView, player: Player) -> bool:
        """Whether this person's console arrives by DM."""
        guild = await self.referee.store.guild(view.guild)
        return dm_wanted(view.setup.clock, player, guild, self.referee.clock.now())

    async def bring_up(self, surface: Surface, view: MatchView, paid: bool = False) -> float | None:
        """Show the newest version on one console; seconds to wait if that must be tried again."""
        own = view.own
        mine = view if own and own.user == surface.user else await self.referee.views.of(view.id, surface.user)
        if surface.kind is SurfaceKind.CONSOLE_DM and not surface.message:
            return await self._sending.run(surface.id, lambda: self._send(surface, mine))

        async def draw() -> Message:
            nonlocal mine
            mine = await self.newest(mine, surface.user)
            return await self.drawn(mine, surface)

        fate = await self.reach.edit(surface, draw, self.referee.clock.now(), paid)
        if fate is Fate.LATER:
            return self.reach.rest(surface)
        if fate is Fate.DONE:
            self.marks.mark(SurfaceShown(surface.id, mine.version))
        elif await self._another(surface):  # what failed is not what it is by now
            return 0.0
        elif fate is Fate.TOKEN_DEAD:
            self.marks.mark(PutSurface(replace(surface, state=SurfaceState.LAPSED, shown=mine.version)))
        else:
            self.marks.mark(DropSurface(surface.id))
        return None

    async def newest(self, view: MatchView, user: UserId = 0) -> MatchView:
        """The match as this process knows it by now; a view costs more than looking whether it is the newest."""
        live = self.referee.known(view.id)
        if live is None or live.stored.version == view.version:
            return view
        return await self.referee.views.of_live(live, user)

    async def _another(self, surface: Surface) -> bool:
        """Whether this console was pressed, or replaced, while a call was on its way to it."""
        known = next((one for one in await self.marks.surfaces(surface.match) if one.id == surface.id), surface)
        return (known.message, known.token) != (surface.message, surface.token)

    async def drawn(self, mine: MatchView, surface: Surface, banner: str = "", mask: int = 0) -> Message:
        """A console as this person likes it."""
        player = await self.referee.store.player(surface.user)
        board = await self._board(mine.id)
        if board is not None and not banner and not mine.over:
            banner = self._of_board(mine, board, surface.user)
        behind = not mine.over and self.news.behind(mine.id)
        return console_message(mine, surface, player, board, banner, mask, behind=behind)

    def _of_board(self, mine: MatchView, board: Surface, user: int) -> str:
        """What is to be said of the board, if anything."""
        if board.state in TROUBLES:
            return say(TROUBLES[board.state], channel=f"<#{mine.channel}>", m=mine.id)
        if self.news.tell(mine.id, user):
            return say("board-gone", link=link_to(mine.guild, board.channel, board.message))
        return ""

    async def _send(self, surface: Surface, mine: MatchView) -> float | None:
        """The console arrives: plain, so that it reaches the lock screen, and then with its keys."""
        if mine.over:
            self._outdated.pop(surface.id, None)
            self.marks.mark(DropSurface(surface.id))
            return None
        player = await self.referee.store.player(surface.user)
        # A console that is asked for once more is another message, and a call that is repeated is not.
        old = self._outdated.get(surface.id)
        nonce = f"c{surface.id}" if old is None else f"c{surface.id}o{old[1] % 10**12}"
        fate, posted, channel = await self.send_dm(player, pings.console_opens(mine, await self.link(mine)), nonce)
        if fate is Fate.LATER:
            return RETRY
        if fate is not Fate.DONE:
            self._outdated.pop(surface.id, None)
            await self.referee.surfaces.drop(surface.id)
            await self._call_in_channel(mine)
            return None
        sent = replace(surface, channel=channel, message=posted, posted=self.referee.clock.now(), shown=0)
        await self.marks.put(sent)
        if old is not None:
            self._outdated.pop(surface.id, None)
            if old[1] != posted:
                await self.reach.delete(*old)
        return await self.bring_up(sent, mine)

    async def send_anew(self, surface: Surface) -> None:
        """Somebody asked for their console once more: it is owed again, and the one that they have goes with it."""
        self._outdated[surface.id] = surface.channel, surface.message
        owed = replace(surface, message=0, shown=0, state=SurfaceState.LIVE, token="", token_until=None)
        await self.marks.put(owed)

    async def has_dm(self, id: str, user: int) -> bool | None:
        """Whether this person has a console by DM, or has just got one; None while Discord does not say."""
        mine = await self.referee.views.of(id, user)
        known = await self._dm_console(id, user)
        if known is not None and known.message:
            return True
        player = await self.referee.store.player(user)
        now = self.referee.clock.now()
        closed = player.dm_closed_until is not None and player.dm_closed_until > now
        if closed or not (await self.referee.store.guild(mine.guild)).dms:
            return False
        if known is None:
            owed = Surface(id, SurfaceKind.CONSOLE_DM, user, player.dm_channel, 0, 0, now)
            await self.marks.put(owed)
        return await self.arrived(mine, user)

    async def arrived(self, mine: MatchView, user: int) -> bool | None:
        """Send the console that is owed to somebody, now; whether it reached them, None if that must be tried again."""
        owed = await self._dm_console(mine.id, user)
        if owed is not None:
            await self.bring_up(owed, mine)
        left = await self._dm_console(mine.id, user)
        if left is not None and not left.message:
            return None
        return left is not None

    async def _dm_console(self, id: str, user: int) -> Surface | None:
        surfaces = await self.referee.store.surfaces(id)
        return console_among(surfaces, user, SurfaceKind.CONSOLE_DM)

    async def send_dm(
        self, player: Player, message: Message, nonce: str, silent: bool = False
    ) -> tuple[Fate, int, int]:
        """A DM, if their DMs are open: what became of it, the message and its channel."""
        fate, channel = await self._dm_channel(player)
        if fate is not Fate.DONE:
            return (await self._closed(player) if fate is Fate.DMS_CLOSED else fate), 0, 0
        fate, posted = await self.reach.post(channel, message, nonce, silent)
        if fate in (Fate.DMS_CLOSED, Fate.FORBIDDEN):
            return await self._closed(player), 0, channel
        return fate, posted, channel

    async def _dm_channel(self, player: Player) -> tuple[Fate, int]:
        if player.dm_channel:
            return Fate.DONE, player.dm_channel
        return await self._opening.run(player.user, lambda: self._open_dm(player.user))

    async def _open_dm(self, user: int) -> tuple[Fate, int]:
        known = (await self.referee.store.player(user)).dm_channel
        if known:  # opened while this call was on its way
            return Fate.DONE, known
        fate, channel = await self.reach.open_dm(user)
        if fate is Fate.DONE:
            await self.referee.people.prefer(user, dm_channel=channel)
        return fate, channel

    async def close(self) -> None:
        """Nothing goes on behind this."""
        await self._sending.close()
        await self._opening.close()

    async def _closed(self, player: Player) -> Fate:
        until = self.referee.clock.now() + DMS_CLOSED_FOR
        await self.referee.people.prefer(player.user, dm_closed_until=until)
        return Fate.DMS_CLOSED

    async def _call_in_channel(self, mine: MatchView) -> None:
        """Their DMs are closed: one mention in the channel, unless they pressed just now."""
        own = mine.own
        if own is None or await self._seen_lately(mine, own):
            return
        message = pings.match_starts(mine, [own.user], await self.link(mine))
        await self.post(mine, message, f"m{mine.id}{own.seat}")

    async def _seen_lately(self, view: MatchView, seat: SeatView, within: timedelta = JUST_SEEN) -> bool:
        live = await self.referee.live(view.id)
        times = (live.stored.seats[seat.seat].seen, self._seen.get(view.id, {}).get(seat.user))
        now = self.referee.clock.now()
        return any(seen is not None and now - seen < within for seen in times)

    # --- reminders ---------------------------------------------------------------------------------------

    async def remind(self, deadline: Deadline) -> bool:
        """A nudge or a warning for whoever has not sealed; False where Discord wants another try."""
        view = await self.referee.views.of(deadline.owner)
        if view.over or view.prompt != deadline.prompt:
            return True
        nudge, done = deadline.kind is DeadlineKind.NUDGE, True
        in_channel: list[SeatView] = []
        for seat in view.awaited:
            if not seat.user or await self._seen_lately(view, seat):
                continue
            player = await self.referee.store.player(seat.user)
            muted = await self.referee.people.muted(view.id, seat.user)
            if muted or not (player.bids if nudge else player.warnings):
                continue
            mine = await self.referee.views.of(view.id, seat.user)
            fate = Fate.DMS_CLOSED
            if await self.wants_dm(mine, player):
                fate = await self._nudge(mine, player, nudge, deadline)
            if fate is not Fate.DONE and not nudge:
                in_channel.append(seat)
            elif fate is Fate.LATER:
                done = False
        for last in (False, True):
            users = [seat.user for seat in in_channel if (seat.misses >= MISSES - 1) is last]
            if users:
                message = pings.warning_in_channel(view, users, await self.link(view), last=last)
                fate = await self.post(view, message, f"{'l' if last else 'w'}{view.id}{view.prompt}")
                done = done and fate is not Fate.LATER
        return done

    async def _nudge(self, mine: MatchView, player: Player, nudge: bool, deadline: Deadline) -> Fate:
        """A DM that becomes the console of this match; the one before it goes."""
        link = await self.link(mine)
        message = pings.nudge(mine, link) if nudge else pings.warning(mine, link)
        letter = "n" if nudge else "k"
        nonce = f"{letter}{mine.id}{mine.seat}p{deadline.prompt}"
        fate, posted, channel = await self.send_dm(player, message, nonce)
        if fate is not Fate.DONE:
            return fate
        old = await self._dm_console(mine.id, player.user)
        now = self.referee.clock.now()
        new = Surface(mine.id, SurfaceKind.CONSOLE_DM, player.user, channel, posted, 0, now)
        await self.marks.put(replace(new, id=old.id if old is not None else 0))
        if old is not None and old.message and old.message != posted:
            await self.reach.delete(old.channel, old.message)
        if self.reach.budget.free > 0.5:
            kept = await self._dm_console(mine.id, player.user)
            if kept is not None:
                await self.bring_up(kept, mine)
        return fate

    async def offer_draw(self, view: MatchView, seats: Sequence[SeatView]) -> None:
        """An offer for these seats: by DM where their console is there, else one mention in the channel."""
        link = await self.link(view)
        here: list[int] = []
        for seat in seats:
            if await self.referee.people.muted(view.id, seat.user):
                continue
            player = await self.referee.store.player(seat.user)
            mine = await self.referee.views.of(view.id, seat.user)
            if await self.wants_dm(mine, player):
                nonce = f"d{view.id}{view.version}s{seat.seat}"
                fate, _, _ = await self.send_dm(player, pings.draw_offer(mine, link), nonce)
                if fate is Fate.DONE:
                    continue
            here.append(seat.user)
        if here:
            await self.post(view, pings.draw_offer(view, link, here), f"d{view.id}{view.version}")

    async def offer_rematch(self, view: MatchView, users: Sequence[int], link: str, lobby: Lobby) -> None:
        """For these people by DM, where their console was; who cannot be reached there is mentioned in the channel."""
        assert view.seat is not None
        here: list[int] = []
        for seat in view.seats:
            if seat.user not in users:
                continue
            player = await self.referee.store.player(seat.user)
            message = pings.rematch_offer(view, view.seat, link, lobby.id)
            fate, posted, channel = await self.send_dm(player, message, f"o{lobby.id}s{seat.seat}")
            if fate is Fate.DONE:
                self.offers.sent(lobby.id, Offer(view.id, seat.user, channel, posted))
            else:
                here.append(seat.user)
        if here:
            message = pings.rematch_offer(view, view.seat, link, lobby.id, here)
            await self.reach.post(lobby.channel, message, f"o{lobby.id}")

    async def link(self, view: MatchView) -> str:
        """Where the board is."""
        board = await self._board(view.id)
        return link_to(view.guild, board.channel, board.message) if board else link_to(view.guild, view.channel)

    async def post(self, view: MatchView, message: Message, nonce: str, silent: bool = False) -> Fate:
        """A message where the board is."""
        board = await self._board(view.id)
        fate, _ = await self.reach.post(board.channel if board else view.channel, message, nonce, silent)
        return fate

    async def _board(self, id: str) -> Surface | None:
        surfaces = await self.referee.store.surfaces(id)
        return board_among(surfaces)

    async def tell_end(self, view: MatchView, board_posted: datetime) -> None:
        """A match ended: a silent line where its result stands far above, and silent DMs after a slow one."""
        guild = await self.referee.store.guild(view.guild)
        if guild.result_lines and self.referee.clock.now() - board_posted > LONG_UNSEEN:
            line = pings.result_line(view, await self.link(view))
            await self.post(view, line, f"e{view.id}", silent=True)
        await self._tell_result(view)

    async def _tell_result(self, view: MatchView) -> None:
        """A slow match ended: a silent DM for whoever has not looked for a while."""
        if view.setup.clock < SLOW:
            return
        for seat in view.seats:
            if not seat.user or await self._seen_lately(view, seat, LONG_UNSEEN):
                continue
            player = await self.referee.store.player(seat.user)
            mine = await self.referee.views.of(view.id, seat.user)
            if player.results and await self.wants_dm(mine, player):
                await self.send_dm(
                    player, pings.result_note(mine, await self.link(mine)), f"r{view.id}{seat.seat}", silent=True
                )
