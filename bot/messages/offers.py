"""Messages that offer a rematch or a draw, or remind of a bid: when they are answered, and their end.

Their places are not stored. After a restart such a message is updated when its button is pressed. A reminder in a
channel also has a deadline that removes it.
"""

from __future__ import annotations

from bot.engine.match import Termination
from bot.errors import RefereeError
from bot.messages.display import Offer
from bot.referee.model.model import DECIDED, Lobby, LobbyState, Reply, UserId
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


def is_answered(shown: Lobby | Live, offer: Offer) -> bool:
    """Return True if none of the users whom this message asks has anything to answer any more."""
    if isinstance(shown, Lobby):
        return bool(answered(shown, offer.surface.user))
    stored = shown.stored
    if not stored.live or offer.is_question:
        return not stored.live
    if stored.prompt != offer.prompt:
        return True
    seats = [stored.seat_of(user) for user in offer.users or (offer.surface.user,) if not stored.has_left(user)]
    if offer.is_reminder:
        return all(seat not in shown.awaited for seat in seats)
    if stored.draw is None or offer.is_own:
        return stored.draw is None
    return all(seat in stored.draw.agreed for seat in seats)


def answered(lobby: Lobby, user: UserId) -> str:
    """Return why this user has nothing to answer any more; empty if they have."""
    if lobby.state is LobbyState.STARTED:
        host, *others = lobby.people
        return format_refusal("challenge-started", host=host.name, names=[one.name for one in others])
    if lobby.state is not LobbyState.OPEN:
        return describe_error(RefereeError("challenge-gone", how=lobby.state.name.lower(), lobby=lobby))
    has_answered = any(one.user == user and one.answer is not Reply.ASKED for one in lobby.people)
    return say("already-answered") if has_answered else ""


def draw_now(view: MatchView, offer: Offer, link: str = "") -> Message:
    """Render an offer of a draw: its state, and its buttons while one of its users may answer. What it asked names a
    player, and goes when somebody has erased their data."""
    asked = offer.asked if view.can_repeat else ""
    standing = view.draw if not view.over and view.prompt == offer.prompt else None
    if standing is not None and offer.users:
        agreed = sorted(standing.agreed - {standing.by})
        is_asking = any(seat.user in offer.users for seat in view.undecided)
        how = say("draw-agreed-by", names=make_names(view).join_names(agreed)) if agreed else ""
        return Message(content=join_lines(asked, how), body=pings.draw_offer(view, link).body if is_asking else ())
    if view.outcome is not None and view.why == DECIDED:
        how = f"{describe_outcome(view, make_names(view))}."
    elif view.outcome is not None and view.outcome.termination is Termination.AGREED:
        how = say("drawn-agreed-left" if any(seat.left for seat in view.seats) else "drawn-agreed")
    elif standing is not None and any(seat.left and seat.user == offer.surface.user for seat in view.seats):
        how = say("seat-left", m=view.id)
    elif standing is not None:
        how = say("done-agree")
    else:
        is_declined = not view.over and view.prompt == offer.prompt
        how = say("done-declined" if is_declined else "draw-gone", round=view.rules.round_word)
    return Message(content=join_lines(asked, how))


async def closed_offer(referee: Referee, lobby: Lobby, match: str, user: UserId) -> Message:
    """Render an offer of a rematch without its button, and why there is nothing left to answer."""
    view = await referee.views.view(match, user)
    by = next((seat.seat for seat in view.seats if seat.user == lobby.host), 0)
    return pings.render_closed_rematch(
        view, by, link_to(lobby.guild, lobby.channel, lobby.message), answered(lobby, user)
    )
