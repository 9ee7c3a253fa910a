"""Rematches and draws that were offered by DM: what becomes of the message when there is nothing left to answer.

Where they are is not stored: after a restart such a message says what became of it when its button is pressed.
"""

from __future__ import annotations

from bot.engine.match import Termination
from bot.errors import Refused
from bot.referee.match.live import Live
from bot.referee.ports.model import Lobby, LobbyState, Reply, UserId
from bot.referee.referee import Referee
from cogs.show.show import Offer
from cogs.ui.message import Message
from cogs.ui.screens import pings
from cogs.ui.words.links import link_to
from cogs.ui.words.refusals import sentence, told
from cogs.ui.words.sentences import say


def has_answered(lobby: Lobby | Live, user: UserId, prompt: int | None = None) -> bool:
    """Whether this person has nothing to answer any more; a draw was offered at a prompt."""
    if isinstance(lobby, Live):
        stored = lobby.stored
        stands = stored.live and stored.draw is not None and stored.prompt == prompt
        return not stands or stored.draw is None or stored.seat_of(user) in stored.draw.agreed
    if lobby.state is not LobbyState.OPEN:
        return True
    return any(one.user == user and one.answer is not Reply.ASKED for one in lobby.people)


def answered(lobby: Lobby, user: UserId) -> str:
    """Why this person has nothing to answer any more; empty if they have."""
    if not has_answered(lobby, user):
        return ""
    if lobby.state is LobbyState.STARTED:
        host, *others = lobby.people
        return sentence("challenge-started", host=host.name, names=[one.name for one in others])
    if lobby.state is not LobbyState.OPEN:
        return told(Refused("challenge-gone", how=lobby.state.name.lower(), lobby=lobby))
    return say("already-answered")


def closed_draw(live: Live, offer: Offer) -> Message:
    """The offer of a draw, as it was, without its buttons; and what became of it."""
    stored = live.stored
    seat = stored.seat_of(offer.surface.user)
    if stored.termination == Termination.AGREED:
        how = say("drawn-agreed")
    elif stored.live and stored.draw is not None and seat in stored.draw.agreed:
        how = say("done-agree")
    else:
        how = say("done-declined" if stored.live and stored.prompt == offer.prompt else "draw-gone")
    return Message(content=f"{offer.asked}\n{how}")


async def closed_offer(referee: Referee, lobby: Lobby, match: str, user: UserId, how: str) -> Message:
    """Such a message without its button."""
    view = await referee.views.of(match, user)
    by = next((seat.seat for seat in view.seats if seat.user == lobby.host), 0)
    return pings.rematch_answered(view, by, link_to(lobby.guild, lobby.channel, lobby.message), how)
