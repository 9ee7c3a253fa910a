"""Consoles outside the press that opened them. One that is owed arrives by DM; closed DMs stop nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.messages.boards import RETRY, Boards
from bot.messages.dms import Dms
from bot.messages.marks import Marks
from bot.messages.render import console_message, newest
from bot.messages.show import Shows
from bot.messages.surfaces import console_among
from bot.referee.model.changes import CommitUnknown, Conflict, DropSurface, PutSurface, StoreBusy, StoreReadOnly
from bot.referee.model.model import Snowflake, Surface, SurfaceKind, SurfaceState, UserId
from bot.referee.model.views import MatchView, SeatView
from bot.referee.referee import Referee
from bot.rest.call_result import CallResult
from bot.rest.delivery import Delivery, lane_of
from bot.ui.message import Message
from bot.ui.screens import pings
from bot.ui.text.sentences import say
from bot.ui.text.stamps import link_to

TROUBLES = {
    SurfaceState.STUCK: "board-stuck",
    SurfaceState.LOST: "channel-gone",
    SurfaceState.CLOSED: "thread-closed",
}
"""what a console says of a board in one of these states"""

JUST_SEEN = timedelta(seconds=20)


class Consoles:
    """Private keyboards that nobody pressed for."""

    def __init__(self, referee: Referee, reach: Delivery, shows: Shows, marks: Marks, dms: Dms, boards: Boards) -> None:
        self.referee = referee
        self.reach = reach
        self.shows = shows
        self.marks = marks
        self.dms = dms
        self.boards = boards
        self._placing = asyncio.Lock()
        """held while the store is asked whose place a message takes, and told; never over a call to Discord"""

    def saw(self, id: str, user: UserId, at: datetime) -> None:
        """Somebody looked at their match. Not stored: after a restart their next press tells it again."""
        self.shows.of(id).seen[user] = at

    def last_look(self, id: str, user: UserId) -> datetime | None:
        """Return when a person last looked at their match, as far as this process knows."""
        show = self.shows.known(id)
        return show.seen.get(user) if show is not None else None

    async def seen_lately(self, view: MatchView, seat: SeatView, within: timedelta = JUST_SEEN) -> bool:
        live = await self.referee.live(view.id)
        times = (live.stored.seats[seat.seat].seen, self.last_look(view.id, seat.user))
        now = self.referee.clock.now()
        return any(seen is not None and now - seen < within for seen in times)

    # --- edited ------------------------------------------------------------------------------------------

    async def render(self, mine: MatchView, surface: Surface, banner: str = "", mask: int = 0) -> Message:
        """A console as this person likes it."""
        player = await self.referee.people.load_player(surface.user)
        board = await self.boards.of(mine.id)
        if board is not None and not banner and not mine.over:
            banner = self._of_board(mine, board, surface)
        behind = not mine.over and self._behind(mine.id)
        return console_message(mine, surface, player, board, banner, mask, behind=behind)

    def _of_board(self, mine: MatchView, board: Surface, surface: Surface) -> str:
        """What is to be said of the board, if anything."""
        if board.state in TROUBLES:
            return say(TROUBLES[board.state], channel=f"<#{mine.channel}>", m=mine.id)
        show = self.shows.known(mine.id)
        if show is not None and show.tells(surface.user, surface.message, mine.version):
            link = link_to(mine.guild, board.channel, board.message)
            return say("board-locked" if show.locked else "board-gone", link=link)
        return ""

    def _behind(self, id: str) -> bool:
        show = self.shows.known(id)
        return show is not None and show.is_behind(self.referee.clock.now())

    async def edit(self, surface: Surface, mine: MatchView, paid: bool = False) -> None:
        """Show the newest version on a console that is there."""

        async def render() -> Message:
            nonlocal mine
            mine = await newest(self.referee, mine, surface.user)
            show = self.shows.known(surface.match)
            banner = show.warning(surface.message, mine.version) if show is not None else ""
            return await self.render(mine, surface, banner)

        fate = await self.reach.edit(surface, render, self.referee.clock.now(), paid)
        if fate is CallResult.LATER:
            return
        if fate is CallResult.DONE:
            if not self.reach.lanes.unsure(lane_of(surface)):
                self.marks.shown(surface, mine.version)
        elif await self._another(surface):  # what failed is not what it is by now
            return
        elif fate is CallResult.TOKEN_DEAD:
            self.marks.changed(surface, state=SurfaceState.LAPSED, shown=mine.version)
        else:
            self.marks.mark(DropSurface(surface.id))

    async def _another(self, surface: Surface) -> bool:
        """Whether this console was pressed, or replaced, while a call was on its way to it."""
        known = await self._known(surface) or surface
        return (known.message, known.token) != (surface.message, surface.token)

    async def _known(self, surface: Surface) -> Surface | None:
        return next((one for one in await self.marks.surfaces(surface.match) if one.id == surface.id), None)

    # --- sent --------------------------------------------------------------------------------------------

    async def send(self, surface: Surface, mine: MatchView) -> None:
        """The console arrives: plain, so that it reaches the lock screen, and then with its keys. Somebody who asks for
        theirs while it is on its way waits for that one, and gets no second."""
        lanes, lane = self.reach.lanes, lane_of(surface)
        with lanes.turn(lane) as turn:
            async with turn:
                sent = await self._sent(surface, mine)
        lanes.forget(lane)
        if sent is not None:
            await self.edit(sent, mine)

    async def _sent(self, surface: Surface, mine: MatchView) -> Surface | None:
        """The message that has just come to be."""
        show = self.shows.of(surface.match)
        known = await self._known(surface)
        if known is None or known.message:
            return None
        if mine.over:
            show.outdated.pop(surface.id, None)
            self.marks.mark(DropSurface(surface.id))
            return None
        player = await self.referee.people.load_player(surface.user)
        # A console that is asked for once more is another message, and a call that is repeated is not.
        old = show.outdated.get(surface.id)
        nonce = f"c{surface.id}" if old is None else f"c{surface.id}o{old[1] % 10**12}"
        opens = pings.render_first_dm(mine, await self.boards.link(mine))
        fate, posted, channel = await self.dms.send(player, opens, nonce)
        if fate is CallResult.LATER:
            show.rests[surface.id] = asyncio.get_running_loop().time() + RETRY
            return None
        if fate is not CallResult.DONE:
            show.outdated.pop(surface.id, None)
            show.unreached |= {surface.user}
            await self.referee.surfaces.drop(surface.id)
            await self._call_in_channel(mine)
            return None
        sent = replace(surface, channel=channel, message=posted, posted=self.referee.clock.now(), shown=0)
        old = old if old is not None and old[1] != posted else None
        try:
            await self.marks.put(sent, old)
        except CommitUnknown:  # else it is tried again, and the same call brings the same message
            if posted not in {one.message for one in await self.marks.surfaces(surface.match)}:
                raise
        except Conflict:  # nobody is owed it any more
            show.outdated.pop(surface.id, None)
            await self.reach.delete(channel, posted)
            return None
        show.outdated.pop(surface.id, None)
        if old is not None:
            await self.remove(*old)
        return sent

    async def take_place(self, new: Surface) -> None:
        """Make this message, just posted, the only console of its player: the only one by DM, or the only ephemeral.

        Of several at once the newest message stays. The others are removed where Discord lets the bot reach them.
        """
        async with self._placing:
            there = await self.marks.surfaces(new.match)
            mine = [one for one in there if one.user == new.user and one.kind.ephemeral is new.kind.ephemeral]
            row = next((one for one in mine if one.id == new.id or one.message == new.message), None)
            rivals = [one for one in mine if one.message and one is not row]
            newest = max((new, *rivals), key=lambda one: one.message)
            gone = [one for one in (*rivals, new) if one is not newest]
            kept = newest
            if newest is new:
                row = kept = row or next((one for one in mine if one.message or not one.kind.ephemeral), new)
                await self._put(replace(new, id=row.id), gone)
            for one in (*rivals, row):
                if one is not None and one.id and one is not kept:
                    self.marks.mark(DropSurface(one.id))
        for one in gone:
            await self._remove_console(one)
        self.boards.wake(new.match)

    async def take_dm(self, mine: MatchView, user: UserId, channel: Snowflake, message: Snowflake) -> None:
        """Make a DM that has just been sent the console of its player, shown in full as soon as there is room."""
        now = self.referee.clock.now()
        await self.take_place(Surface(mine.id, SurfaceKind.CONSOLE_DM, user, channel, message, 0, now))

    async def _put(self, console: Surface, instead_of: Sequence[Surface]) -> None:
        """Store a console. After a kill the DM whose place it takes is still removed."""
        old = next(((one.channel, one.message) for one in instead_of if not one.kind.ephemeral), None)
        try:
            await self.marks.put(console, old)
        except (StoreBusy, StoreReadOnly):
            if not console.id:
                raise
            self.marks.mark(PutSurface(console))  # stored with the next marks

    async def _remove_console(self, console: Surface) -> None:
        if console.kind.ephemeral:
            await self.reach.remove_console(console, self.referee.clock.now())
        else:
            await self.remove(console.channel, console.message)

    async def remove(self, channel: Snowflake, message: Snowflake) -> None:
        """Delete a message that is not needed any more. Its deadline stays where Discord does not delete it now."""
        if await self.reach.delete(channel, message) is not CallResult.LATER:
            await self.referee.surfaces.drop_removal(channel, message)

    async def _call_in_channel(self, mine: MatchView) -> None:
        """Their DMs are closed: one mention in the channel, unless they pressed just now."""
        own = mine.own
        if own is not None and not await self.seen_lately(mine, own):
            message = pings.render_start_ping(mine, [own.user], await self.boards.link(mine))
            await self.boards.say(mine, message, f"m{mine.id}{own.seat}")

    async def owe(self, id: str, user: UserId) -> None:
        """This person is to get a console by DM, and after a crash still is."""
        player = await self.referee.people.load_player(user)
        now = self.referee.clock.now()
        await self.marks.put(Surface(id, SurfaceKind.CONSOLE_DM, user, player.dm_channel, 0, 0, now))

    async def send_anew(self, surface: Surface) -> None:
        """Somebody asked for their console once more: it is owed again, and the one that they have goes with it."""
        self.shows.of(surface.match).outdated[surface.id] = surface.channel, surface.message
        await self.marks.put(replace(surface, message=0, shown=0, state=SurfaceState.LIVE, token="", token_until=None))

    async def arrived(self, mine: MatchView, user: UserId) -> bool | None:
        """Send the console that is owed to somebody, now; whether it reached them, None if that must be tried again."""
        owed = await self.by_dm(mine.id, user)
        if owed is not None:
            await (self.edit if owed.message else self.send)(owed, mine)
        left = await self.by_dm(mine.id, user)
        if left is not None and not left.message:
            return None
        return left is not None

    async def by_dm(self, id: str, user: UserId) -> Surface | None:
        """This person's console by DM."""
        return console_among(await self.referee.surfaces.load(id), user, SurfaceKind.CONSOLE_DM)
