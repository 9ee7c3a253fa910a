"""What is to be done for what people see of one match or lobby to be true. Pure: it reads no clock, calls nobody and
spends nothing; whatever a step changes, the next plan finds changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.messages.face import face_of_live
from bot.messages.offers import is_answered
from bot.messages.show import STUCK_MOST, Moment, Offer, Show
from bot.messages.steps import Close, Drop, Edit, Leave, LetGo, Owe, Post, Reserve, Room, Step, Stop, Tell, Wait
from bot.messages.surfaces import console_among, is_behind
from bot.referee.model.model import Lobby, LobbyState, Surface, SurfaceKind, SurfaceState
from bot.referee.repository.live import Live
from bot.rest.call_result import CallResult
from bot.rest.delivery import has_live_token, lane_of
from bot.rest.lanes import Lane

SPACING_FREE, SPACING_COUNTED = 1.0, 1.5
"""seconds between two edits of a board: a seal must stand there before others can have sealed and revealed"""

SHORT = 0.5
"""the share of the budget that must be free for a tick"""

CLEAR = Lane()

# --- the plan ---------------------------------------------------------------------------------------------


def plan(surfaces: Sequence[Surface], live: Live | Lobby, show: Show, room: Room, now: Moment) -> tuple[Step, ...]:
    """At most a step for each surface and offer, those that wait included; nothing where nothing is to be done."""
    steps: list[Step | None] = [_offer(offer, live, show, room, now) for offer in show.offers]
    if isinstance(live, Lobby):
        steps += [_lobby(one, live, show, room, now) for one in surfaces]
        over = live.state is not LobbyState.OPEN
    else:
        steps += _match(surfaces, live, show, room, now)
        over = not live.stored.live
    due = tuple([step for step in steps if step is not None])
    if over and not due and not show.is_busy:
        return (LetGo(),)
    return due


def _match(surfaces: Sequence[Surface], live: Live, show: Show, room: Room, now: Moment) -> Iterator[Step | None]:
    for one in surfaces:
        if one.id in show.reserved or one.id in show.apart:
            continue  # we are woken when that has ended
        if one.kind is SurfaceKind.BOARD:
            if show.fate is CallResult.CHANNEL_GONE:
                yield from _lost(one, surfaces, live, show, room, now)
            else:
                yield _board(one, live, show, room, now)
        elif one.kind is not SurfaceKind.LOBBY:
            yield _console(one, live, show, room, now)


def _lane(surface: Surface, room: Room) -> Lane:
    return room.lanes.get(lane_of(surface), CLEAR) if room.lanes else CLEAR


def _waits(surface: Surface, show: Show, lane: Lane, now: Moment) -> Wait | None:
    """For the end of a call that is under way, or of a rest after one that failed."""
    if lane.taken:
        return Wait(surface, None)
    until = max(now.loop + lane.rest if lane.rest else 0.0, show.rests.get(surface.id, 0.0))
    return Wait(surface, until) if until > now.loop else None


def _counted(surface: Surface, room: Room, now: Moment, step: Edit | Post) -> Step:
    """A counted call takes its turn first. What was rendered must not wait: it would put a newer state back."""
    turn = room.turns.get(surface.id)
    if turn is None:
        return Reserve(surface, step)
    return Wait(surface, turn) if turn > now.loop else step


# --- boards -----------------------------------------------------------------------------------------------


def _board(board: Surface, live: Live, show: Show, room: Room, now: Moment) -> Step | None:
    """Reveals and results must be shown; a tick is best effort."""
    lane, free = _lane(board, room), has_live_token(board, now.at) or room.spare
    if not live.stored.guild and not free:  # nothing but the next press reaches it, and that must find it behind:
        # a prompt that no board has shown costs nobody anything
        over = not live.stored.live and is_behind(board, live.stored.version) and not lane.taken
        return Leave(board, SurfaceState.LIVE) if over else None
    stale = lane.stale and board.state is SurfaceState.LIVE
    if show.fate is None and not stale and not show.into_thread and not is_behind(board, live.stored.version):
        tried = _stuck_until(live, show, now) if board.state is SurfaceState.STUCK else None
        if tried is None:
            return None
        if tried > now.loop:
            return Wait(board, tried)
    if waits := _waits(board, show, lane, now):
        return waits
    if show.fate is CallResult.THREAD_CLOSED:
        return Leave(board, SurfaceState.CLOSED)
    if show.fate in (CallResult.MESSAGE_GONE, CallResult.TOO_OLD) or (show.fate is None and show.into_thread):
        return _counted(board, room, now, Post(board))
    if show.fate is not None:
        return Leave(board, SurfaceState.STUCK)
    face = face_of_live(live)
    if face == show.face and board.state is SurfaceState.LIVE and not stale:
        if not show.free and room.free < SHORT:  # the budget is needed elsewhere
            return Leave(board, SurfaceState.LIVE)
        if not show.free and show.ticks_at > now.loop:
            return Wait(board, show.ticks_at)
    if free and live.stored.setup.place == "table":
        return Edit(board)  # everybody sees what they pressed: there is nothing to wait for
    pause = show.edited + (SPACING_FREE if show.free else SPACING_COUNTED)
    if show.edited and live.stored.live and pause > now.loop and board.id not in room.turns:
        return Wait(board, pause)
    if free:
        return Edit(board)
    return _counted(board, room, now, Edit(board, paid=True))  # consoles, which are free, do not wait behind a board


def _stuck_until(live: Live, show: Show, now: Moment) -> float | None:
    """When a board whose edits are forbidden is tried again; None if not any more."""
    if not live.stored.live and now.loop - show.stuck_since > STUCK_MOST:
        return None
    return show.stuck_until


def _lost(
    board: Surface, surfaces: Sequence[Surface], live: Live, show: Show, room: Room, now: Moment
) -> Iterator[Step | None]:
    """Its place is gone for good. The match goes on by DM; it is stopped where somebody who plays has none."""
    if waits := _waits(board, show, _lane(board, room), now):
        yield waits
    elif not live.stored.live:
        why = (live.stored.ending or {}).get("why", "")
        yield Tell(board) if why == "channel" and not show.told else Leave(board, SurfaceState.LOST)
    else:
        gone = live.match.left_seats
        playing = [one.user for seat, one in enumerate(live.stored.seats) if one.user and seat not in gone]
        consoles = {user: console_among(surfaces, user, SurfaceKind.CONSOLE_DM) for user in playing}
        without = [user for user, console in consoles.items() if console is None or not console.message]
        reached = [user for user in without if room.dms.get(user, False) and user not in show.unreached]
        if not without:
            yield Leave(board, SurfaceState.LOST)
        elif not reached:
            yield Stop(board)
        else:  # a console that is owed already is on its way, and the board waits for it
            yield from (Owe(board, user) for user in reached if consoles[user] is None)


# --- consoles, lobbies, offers ----------------------------------------------------------------------------


def _console(console: Surface, live: Live, show: Show, room: Room, now: Moment) -> Step | None:
    lane = _lane(console, room)
    stale = lane.stale and console.state is SurfaceState.LIVE
    if not stale and not is_behind(console, live.stored.version):
        return None
    if waits := _waits(console, show, lane, now):
        return waits
    if console.kind is SurfaceKind.CONSOLE_DM and not console.message:
        return Post(console) if live.stored.live else Drop(console)
    known = show.consoles.get(console.user)
    if console.message and known is not None and console.shown >= known[1] and not stale:
        # Somebody else sealed: this console heals when it is pressed, and is told of the reveal.
        return Leave(console, SurfaceState.LIVE)
    if has_live_token(console, now.at):
        return Edit(console)
    if console.kind.ephemeral:
        return Leave(console, SurfaceState.LAPSED)  # nothing but a token reaches it
    return _counted(console, room, now, Edit(console, paid=True))


def _lobby(surface: Surface, lobby: Lobby, show: Show, room: Room, now: Moment) -> Step | None:
    if surface.id in show.reserved or surface.id in show.apart:
        return None
    lane = _lane(surface, room)
    stale = lane.stale and surface.state is SurfaceState.LIVE
    if surface.shown >= lobby.version and not stale:
        return None
    if lobby.state is LobbyState.STARTED:  # just now: it is a board, and whoever made it one has woken us
        return None
    if waits := _waits(surface, show, lane, now):
        return waits
    if has_live_token(surface, now.at):
        return Edit(surface)
    if not lobby.guild:
        return None  # nothing but the next press reaches it
    return _counted(surface, room, now, Edit(surface, paid=True))


def _offer(offer: Offer, live: Live | Lobby, show: Show, room: Room, now: Moment) -> Step | None:
    surface = offer.surface
    if surface.id in show.apart or not is_answered(live, offer):
        return None
    return _waits(surface, show, _lane(surface, room), now) or Close(offer)
