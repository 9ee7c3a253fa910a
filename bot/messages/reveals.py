"""A short new message at each reveal, for players who wish it: a screen reader does not read edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.messages.asides import Asides
from bot.messages.boards import MessageParts
from bot.messages.display import Display
from bot.referee.model.model import HOUSE, UserId
from bot.referee.model.surfaces import KEPT, RevealNote, Surface
from bot.referee.repository.live import Live
from bot.rest.call_result import Attempt, CallResult
from bot.ui.screens.pings import render_reveal

NONE = RevealNote(0)


@dataclass(eq=False)
class Reveals(MessageParts):
    """Sends the messages where the console is, behind it. In a DM each one replaces the one before."""

    asides: Asides

    async def announce(self, display: Display, live: Live, surfaces: Sequence[Surface]) -> None:
        """Send a message to each player who has to hear of the newest reveal, by a writer of its own: presses on their
        console do not wait for it."""
        number, is_due = len(live.turns), False
        for seat, seated in enumerate(live.stored.seats if number else ()):
            console = self._console_of(surfaces, seated.user)
            if console is None or not (await self.referee.people.load_player(seated.user)).reveals:
                continue
            # It may have been switched on after the end.
            nothing = NONE if live.stored.live else RevealNote(number)
            told = (await self._load_told(display)).get(seat, nothing)
            if told.number < number and not await self.referee.people.is_muted(display.id, seated.user):
                is_due = True
                self.writers.of(replace(console, message=0)).want(partial(self._announce, display, console))
        if not is_due:
            display.revealed = number

    async def _announce(self, display: Display, console: Surface) -> Attempt:
        live, notes = await self.referee.live(display.id), await self._load_told(display)
        number, seat = len(live.turns), live.stored.seat_of(console.user)
        if seat is None or (told := notes.get(seat, NONE)).number >= number:
            return Attempt(CallResult.DONE)
        message = render_reveal(await self.referee.views.view_live(live, console.user))
        channel = posted = 0
        if not console.kind.ephemeral:
            nonce = f"u{live.stored.id}{seat}t{number}"
            result, posted, channel = await self.dms.send(console.user, message, nonce)
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
