"""Consoles: what they show, and where they are. One that is owed arrives by DM; closed DMs stop nothing."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial

from bot.errors import RefereeError
from bot.messages.boards import RETRY, Boards, MessageParts
from bot.messages.writer import Writer
from bot.referee.model.changes import CommitUnknown, Conflict, DropSurface, SurfaceShown
from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.surfaces import Surface, SurfaceKind, SurfaceState, console_among
from bot.referee.model.views import MatchView, SeatView
from bot.rest.call_result import Attempt, CallResult
from bot.ui.message import Message
from bot.ui.screens import pings
from bot.ui.screens.console import render_console
from bot.ui.text.sentences import say
from bot.ui.text.stamps import link_to

TROUBLES = {SurfaceState.STUCK: "board-stuck", SurfaceState.LOST: "channel-gone", SurfaceState.CLOSED: "thread-closed"}
"""what a console says of a board in one of these states"""

JUST_SEEN = timedelta(seconds=20)


@dataclass(eq=False)
class Consoles(MessageParts):
    """Private keyboards that nobody pressed for."""

    boards: Boards
    _placing: asyncio.Lock = field(default_factory=asyncio.Lock)
    """held while the store is asked whose place a message takes, and told; never over a call to Discord"""

    def last_look(self, id: str, user: UserId) -> datetime | None:
        """Return when a person last looked at their match, as far as this process knows."""
        display = self.displays.get(id)
        return display.seen.get(user) if display is not None else None

    async def seen_lately(self, view: MatchView, seat: SeatView, within: timedelta = JUST_SEEN) -> bool:
        live = await self.referee.live(view.id)
        times = (live.stored.last_press(seat.seat), self.last_look(view.id, seat.user))
        now = self.referee.clock.now()
        return any(seen is not None and now - seen < within for seen in times)

    # --- rendered ----------------------------------------------------------------------------------------

    async def render(self, mine: MatchView, surface: Surface, banner: str = "", mask: int = 0) -> Message:
        """A console as this person likes it."""
        if mine.seat is None:  # their data was erased
            raise RefereeError("not-in-match", m=mine.id)
        player = await self.referee.people.load_player(surface.user)
        board = await self.referee.surfaces.find_board(mine.id)
        display, behind = self.displays.get(mine.id), False
        if display is not None and display.late is not None and not mine.over:
            behind = display.is_behind(self.referee.clock.now())
        if board is not None and board.state in TROUBLES and not banner and not mine.over:
            banner = say(TROUBLES[board.state], channel=f"<#{mine.channel}>", m=mine.id)
        ephemeral, link = surface.kind.ephemeral, ""
        if not ephemeral and board is not None and board.state is not SurfaceState.LOST:
            link = link_to(mine.guild, board.channel, board.message)
        return render_console(
            mine, two_step=player.two_step, mask=mask, banner=banner, ephemeral=ephemeral, link=link, behind=behind
        )

    # --- brought up to date ------------------------------------------------------------------------------

    async def edit(self, writer: Writer, surface: Surface) -> Attempt:
        """Show the newest version on a console that is there, or send one that is owed."""
        if not surface.message and surface.kind is not SurfaceKind.CONSOLE_EPHEMERAL:
            return await self._send(surface)
        mine = await self.referee.views.view(surface.match, surface.user)

        async def render() -> Message:
            nonlocal mine
            mine = await self.referee.views.newest(mine, surface.user)
            draft = self.displays[mine.id].find_draft(surface.message, mine.prompt)
            return await self.render(mine, surface, writer.banner_at(mine.version), draft)

        attempt = await self.delivery.edit(surface, render, self.referee.clock.now())
        known = await self.notes.find(surface) or surface
        match attempt.result:
            case CallResult.LATER:
                pass
            case CallResult.DONE:
                if writer.is_crossed:
                    pass  # another call may have shown something else
                elif known.state is SurfaceState.READ and known.token == surface.token:
                    self.notes.add_change(known, state=SurfaceState.LIVE, shown=mine.version)  # it was read till now
                else:
                    self.notes.add(SurfaceShown(surface.id, surface.message, mine.version, surface.match))
                return Attempt(CallResult.DONE, is_last=not mine.over)
            case result:
                if (known.message, known.token) != (surface.message, surface.token):
                    pass  # it was pressed, or replaced, meanwhile
                elif result is CallResult.TOKEN_DEAD:
                    self.notes.add_change(surface, state=SurfaceState.LAPSED, shown=mine.version)
                else:
                    self.notes.add(DropSurface(surface.id))
        return attempt

    # --- sent --------------------------------------------------------------------------------------------

    async def _send(self, surface: Surface) -> Attempt:
        """Send a console that is owed, or one in place of this one: plain, so that it reaches the lock screen. Its keys
        come with the first edit. A player who asks for it while it is on its way waits for that one, and gets no
        second."""
        known = await self.notes.find(surface)
        if known is None or known.message != surface.message:
            return Attempt(CallResult.DONE if known is not None else CallResult.DMS_CLOSED)
        mine = await self.referee.views.view(surface.match, surface.user)
        if (mine.over or surface.kind.ephemeral) and not surface.message:  # its token would edit what it followed
            self.notes.add(DropSurface(surface.id))
            return Attempt(CallResult.DONE)
        # A console that is asked for once more is another message, and a call that is repeated is not.
        nonce = f"c{surface.id}o{surface.message % 10**12}" if surface.message else f"c{surface.id}"
        opens = pings.render_first_dm(mine, await self.boards.link(mine))
        result, posted, channel = await self.dms.send(surface.user, opens, nonce)
        if result is CallResult.LATER:
            return Attempt(result, RETRY)
        if result is CallResult.DONE:
            now = self.referee.clock.now()
            sent = Surface(surface.match, surface.kind, surface.user, channel, posted, 0, now, id=surface.id)
            try:
                await self.take_place(sent)
            except CommitUnknown:  # it is tried again, and the same call brings the same message
                raise
            except Conflict:  # nobody is owed it any more
                await self.delivery.delete(channel, posted)
                return Attempt(CallResult.DMS_CLOSED)
        elif not surface.message:
            await self.referee.surfaces.drop(surface.id)
            await self._call_in_channel(mine)
        return Attempt(result)

    async def take_place(self, new: Surface) -> None:
        """Make this message, just posted, the only console of its player: the only one by DM, or the only ephemeral.

        Of several at once the newest message stays. The others are removed where Discord lets the bot reach them.
        """
        async with self._placing:
            there = await self.notes.surfaces(new.match)
            mine = [one for one in there if one.user == new.user and one.kind.ephemeral is new.kind.ephemeral]
            row = next((one for one in mine if one.id == new.id or one.message == new.message), None)
            rivals = [one for one in mine if one.message not in (0, new.message)]
            newest = max((new, *rivals), key=lambda one: one.message)
            gone = [one for one in (*rivals, new) if one is not newest]
            kept = newest
            if newest is new:
                row = kept = row or next((one for one in mine if one.message or not one.kind.ephemeral), new)
                # After a kill the DM before it is still removed.
                old = next(((one.channel, one.message) for one in gone if not one.kind.ephemeral), None)
                await self.notes.put(replace(new, id=row.id), old)
            for one in (*rivals, row):
                if one is not None and one.id and one is not kept:
                    self.notes.add(DropSurface(one.id))
        for one in gone:
            if one.kind.ephemeral:
                await self.delivery.delete_ephemeral(one, self.referee.clock.now())
            else:
                await self.remove(one.channel, one.message)
        self.boards.wake(new.match)

    async def remove(self, channel: Snowflake, message: Snowflake) -> None:
        """Delete a message that is not needed any more. Its deadline stays where Discord does not delete it now."""
        if await self.delivery.delete(channel, message) is not CallResult.LATER:
            await self.referee.surfaces.drop_removal(channel, message)

    async def _call_in_channel(self, mine: MatchView) -> None:
        """Their DMs are closed: one mention in the channel, unless they pressed just now."""
        own = mine.own
        if own is not None and not await self.seen_lately(mine, own):
            message = pings.render_start_ping(mine, [own.user], await self.boards.link(mine))
            await self.boards.post(mine, message, f"m{mine.id}{own.seat}")

    async def owe(self, id: str, user: UserId) -> Surface:
        """This person is to get a console by DM, and after a crash still is."""
        player = await self.referee.people.load_player(user)
        owed = Surface(id, SurfaceKind.CONSOLE_DM, user, player.dm_channel, 0, 0, self.referee.clock.now())
        return replace(owed, id=await self.notes.put(owed))

    async def send_by_dm(self, view: MatchView, user: UserId) -> bool:
        """Send a player the console that they asked for, in place of the one before: closed DMs are tried once more.
        Return False if they are closed still, which the player has to read elsewhere."""
        people = self.referee.people
        await people.set_preferences(user, dm_closed_until=None)
        self.displays[view.id].seen[user] = self.referee.clock.now()
        console = await self.by_dm(view.id, user) or await self.owe(view.id, user)
        result = await self.send_now(console)
        if result is CallResult.LATER:
            self.writers.of(replace(console, message=0)).want(partial(self._send, console))
        elif result is not CallResult.DONE:
            await people.set_preferences(user, dm_told=True)
        return result in (CallResult.DONE, CallResult.LATER)

    async def send_now(self, console: Surface) -> CallResult:
        """Send a console by DM, or wait for one on its way."""
        result = await self.writers.of(replace(console, message=0)).attempt(partial(self._send, console))
        self.boards.wake(console.match)
        return result

    async def by_dm(self, id: str, user: UserId) -> Surface | None:
        """This person's console by DM."""
        return console_among(await self.referee.surfaces.load(id), user, SurfaceKind.CONSOLE_DM)
