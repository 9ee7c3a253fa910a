"""Messages that offer a rematch or a draw, or remind of a bid: when they are answered, and their end.

Their places are not stored. After a restart such a message is updated when its button is pressed. A reminder in a
channel also has a deadline that removes it.
"""

from __future__ import annotations

from datetime import datetime

from bot.engine.match import Termination
from bot.errors import RefereeError
from bot.messages.display import Offer
from bot.referee.model.model import DECIDED, Lobby, LobbyState, Reply, UserId
from bot.referee.model.surfaces import Surface, SurfaceKind
from bot.referee.model.views import MatchView
from bot.referee.referee import Referee
from bot.referee.repository.live import Live
from bot.ui.message import Message, join_lines
from bot.ui.screens import pings
from bot.ui.screens.refusals import describe_error, format_refusal
from bot.ui.story.outcome import describe_outcome
from bot.ui.text.names import make_names
from bot.ui.text.sentences import say
from bot.ui.text.stamps import link_to


def has_answered(lobby: Lobby | Live, user: UserId, prompt: int | None = None) -> bool:
    """Return True if this user has nothing to answer any more; a draw was offered at a prompt."""
    if isinstance(lobby, Live):
        stored = lobby.stored
        if stored.draw is None or not offer_stands(lobby, prompt) or stored.has_left(user):
            return True
        return stored.seat_of(user) in stored.draw.agreed
    return lobby.state is not LobbyState.OPEN or any(
        one.user == user and one.answer is not Reply.ASKED for one in lobby.people
    )


def offer_stands(live: Live, prompt: int | None) -> bool:
    """Return True if a draw that was offered at this prompt stands."""
    return live.stored.live and live.stored.draw is not None and live.stored.prompt == prompt


def is_answered(lobby: Lobby | Live, offer: Offer) -> bool:
    """Return True if none of the users whom this message asks has anything to answer any more."""
    live = lobby if isinstance(lobby, Live) and lobby.stored.live else None
    if offer.is_question:
        return live is None
    if offer.is_own:
        return live is None or not offer_stands(live, offer.prompt)
    if offer.is_reminder:
        if live is None or live.stored.prompt != offer.prompt:
            return True
        return all(live.stored.seat_of(user) not in live.awaited for user in offer.users)
    return all(has_answered(lobby, user, offer.prompt) for user in offer.users or (offer.surface.user,))


def answered(lobby: Lobby, user: UserId) -> str:
    """Return why this user has nothing to answer any more; empty if they have."""
    if not has_answered(lobby, user):
        return ""
    if lobby.state is LobbyState.STARTED:
        host, *others = lobby.people
        return format_refusal("challenge-started", host=host.name, names=[one.name for one in others])
    if lobby.state is not LobbyState.OPEN:
        return describe_error(RefereeError("challenge-gone", how=lobby.state.name.lower(), lobby=lobby))
    return say("already-answered")


def draw_now(view: MatchView, offer: Offer, link: str = "") -> Message:
    """Render an offer of a draw: its state, and its buttons while one of its users may answer. What it asked names a
    player, and goes when somebody has erased their data."""
    asked = offer.asked if view.can_repeat else ""
    stands = not view.over and view.draw is not None and view.prompt == offer.prompt
    agreed = view.draw.agreed - {view.draw.by} if stands and view.draw is not None else frozenset[int]()
    if stands and offer.users:
        open = any(seat.user in offer.users and seat.seat not in agreed and not seat.left for seat in view.seats)
        how = say("draw-agreed-by", names=make_names(view).join_names(sorted(agreed))) if agreed else ""
        return Message(content=join_lines(asked, how), body=pings.draw_offer(view, link).body if open else ())
    if view.outcome is not None and view.why == DECIDED:
        how = f"{describe_outcome(view, make_names(view))}."
    elif view.outcome is not None and view.outcome.termination is Termination.AGREED:
        how = say("drawn-agreed-left" if any(seat.left for seat in view.seats) else "drawn-agreed")
    elif stands and any(seat.left and seat.user == offer.surface.user for seat in view.seats):
        how = say("seat-left", m=view.id)
    elif stands:
        how = say("done-agree")
    else:
        is_declined = not view.over and view.prompt == offer.prompt
        how = say("done-declined" if is_declined else "draw-gone", round=view.rules.round_word)
    return Message(content=join_lines(asked, how))


def draw_mentioned(view: MatchView, channel: int, message: int, at: datetime) -> Offer:
    """Return an offer that mentions all players who have not answered: after a restart its users are unknown."""
    assert view.draw is not None
    users = [seat.user for seat in view.seats if seat.user and not seat.left and seat.seat not in view.draw.agreed]
    where = Surface(view.id, SurfaceKind.CONSOLE_DM, 0, channel, message, 0, at)
    return Offer(view.id, where, view.prompt, pings.draw_offer(view, users=users).content, frozenset(users))


async def closed_offer(referee: Referee, lobby: Lobby, match: str, user: UserId, how: str) -> Message:
    """Render an offer of a rematch without its button."""
    view = await referee.views.view(match, user)
    by = next((seat.seat for seat in view.seats if seat.user == lobby.host), 0)
    return pings.render_closed_rematch(view, by, link_to(lobby.guild, lobby.channel, lobby.message), how)
