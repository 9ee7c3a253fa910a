"""Rematches that were offered by DM: what becomes of the message when there is nothing left to answer.

Where they are is not stored: after a restart such a message says what became of it when its button is pressed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.errors import Refused
from bot.referee.ports.model import Answer, Lobby, LobbyState, Snowflake, Surface, SurfaceKind, UserId
from cogs.show.draw import link_to
from cogs.ui.message import Message
from cogs.ui.screens import pings
from cogs.ui.words.refusals import sentence, told
from cogs.ui.words.sentences import say
from cogs.wire.reach import Fate, Reach

if TYPE_CHECKING:
    from bot.referee.referee import Referee


@dataclass(frozen=True, slots=True)
class Offer:
    """A message by which somebody was asked."""

    match: str
    """which was played"""
    user: UserId
    channel: Snowflake
    message: Snowflake


class Offers:
    """Those that may still be answered, by the challenge that they are about."""

    def __init__(self, referee: Referee, reach: Reach) -> None:
        self.referee = referee
        self.reach = reach
        self._sent: dict[str, list[Offer]] = {}

    def sent(self, lobby: str, offer: Offer) -> None:
        self._sent.setdefault(lobby, []).append(offer)

    def forget(self, lobby: str) -> None:
        self._sent.pop(lobby, None)

    async def bring_up(self, id: str) -> float | None:
        """Whoever has nothing to answer any more reads why; seconds to wait if that must be tried again."""
        if id not in self._sent:
            return None
        lobby = await self.referee.lobbies.get(id)
        rests: list[float] = []
        for offer in list(self._sent[id]):
            how = answered(lobby, offer.user)
            if not how:
                continue
            rest = await self._close(lobby, offer, how)
            if rest is not None:
                rests.append(rest)
            elif offer in self._sent.get(id, ()):
                self._sent[id].remove(offer)
        if not self._sent.get(id):
            self.forget(id)
        return min(rests, default=None)

    async def drawn(self, lobby: Lobby, match: str, user: UserId, how: str) -> Message:
        """Such a message without its button."""
        view = await self.referee.views.of(match, user)
        by = next((seat.seat for seat in view.seats if seat.user == lobby.host), 0)
        return pings.rematch_answered(view, by, link_to(lobby.guild, lobby.channel, lobby.message), how)

    async def _close(self, lobby: Lobby, offer: Offer, how: str) -> float | None:
        now = self.referee.clock.now()
        shown = Surface(lobby.id, SurfaceKind.CONSOLE_DM, offer.user, offer.channel, offer.message, 0, now)
        if rest := self.reach.rest(shown):
            return rest
        fate = await self.reach.edit(shown, lambda: self.drawn(lobby, offer.match, offer.user, how), now)
        return self.reach.rest(shown) if fate is Fate.LATER else None


def answered(lobby: Lobby, user: UserId) -> str:
    """Why this person has nothing to answer any more; empty if they have."""
    if lobby.state is LobbyState.STARTED:
        host, *others = lobby.people
        return sentence("challenge-started", host=host.name, names=[one.name for one in others])
    if lobby.state is not LobbyState.OPEN:
        return told(Refused("challenge-gone", how=lobby.state.name.lower(), lobby=lobby))
    if any(one.user == user and one.answer is not Answer.ASKED for one in lobby.people):
        return say("already-answered")
    return ""
