"""What is to be done for what people see of one match or lobby to be true. Pure: it reads no clock, calls nobody and
spends nothing; whatever a step changes, the next plan finds changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.engine.fast_values import replace_fields
from bot.messages.display import STUCK_MOST, Display, Moment, Offer
from bot.messages.offers import is_answered
from bot.referee.model.model import Lobby, LobbyState
from bot.referee.model.surfaces import Surface, SurfaceKind, SurfaceState
from bot.referee.repository.live import Live

SPACING_FREE, SPACING_COUNTED = 1.0, 1.5
"""seconds between two edits of a board: a seal must stand there before others can have sealed and revealed"""

SHORT = 0.5
"""the share of the budget that must be free for a tick"""


# --- the steps --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Edit:
    """Its message shows the newest state; a console that is owed is sent, or dropped after the end. A board that is to
    stand in a thread is posted there."""

    surface: Surface


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing of it until this time of the loop."""

    surface: Surface
    until: float


@dataclass(frozen=True, slots=True)
class Leave:
    """What stands there counts as up to date, and is noted in this state."""

    surface: Surface
    state: SurfaceState


@dataclass(frozen=True, slots=True)
class Close:
    """There is nothing left to answer: this offer says why."""

    offer: Offer


@dataclass(frozen=True, slots=True)
class LetGo:
    """It is over, and that is shown: nothing of it is kept in memory."""


Step = Edit | Wait | Leave | Close | LetGo

# --- the plan ---------------------------------------------------------------------------------------------


def plan(surfaces: Sequence[Surface], live: Live | Lobby, display: Display, now: Moment) -> tuple[Step, ...]:
    """At most a step for each surface and offer, those that wait included; nothing where nothing is to be done."""
    steps: list[Step | None] = [
        Close(offer)
        for offer in display.offers.values()
        if offer.surface.message not in now.busy and (is_answered(live, offer) or _is_lapsed(offer.surface, now))
    ]
    for one in surfaces:
        if one.key in now.busy:
            continue
        if one.key in now.stale:
            one = replace_fields(one, shown=0)
        if isinstance(live, Lobby):
            steps.append(_lobby(one, live, now))
        elif one.kind is SurfaceKind.BOARD:
            steps.append(_board(one, live, display, now))
        elif one.kind is not SurfaceKind.LOBBY:
            steps.append(_console(one, live, display, now))
    if isinstance(live, Lobby):
        over = live.state is not LobbyState.OPEN
    else:
        over = not live.stored.live and display.revealed == len(live.turns)  # else a player has to hear of the reveal
    due = tuple([step for step in steps if step is not None])
    if over and not due and not display.presses and not now.busy:
        return (LetGo(),)
    return due


def _is_lapsed(surface: Surface, now: Moment) -> bool:
    """Whether nothing reaches it any more: only a token reaches an ephemeral."""
    return surface.kind.ephemeral and not surface.has_live_token(now.at)


# --- boards -----------------------------------------------------------------------------------------------


def _board(board: Surface, live: Live, display: Display, now: Moment) -> Step | None:
    """Reveals and results must be shown; a tick is best effort."""
    free = board.has_live_token(now.at)
    if not live.stored.guild and not free:  # nothing but the next press reaches it, and that must find it behind:
        # a prompt that no board has shown costs nobody anything
        over = not live.stored.live and board.is_behind(live.stored.version)
        return Leave(board, SurfaceState.LIVE) if over else None
    if display.into_thread:
        return Edit(board)
    if not board.is_behind(live.stored.version):
        is_given_up = not live.stored.live and display.stuck_for >= STUCK_MOST
        if board.state is not SurfaceState.STUCK or is_given_up:
            return None
        if (due := display.edited + display.stuck_for) > now.loop:
            return Wait(board, due)
    if display.shows_face(board) and board.state is SurfaceState.LIVE and not free:
        if now.free < SHORT:  # the budget is needed elsewhere
            return Leave(board, SurfaceState.LIVE)
        if display.ticks_at > now.loop:
            return Wait(board, display.ticks_at)
    if free and live.stored.setup.place == "board":
        return Edit(board)  # everybody sees what they pressed: there is nothing to wait for
    pause = display.edited + (SPACING_FREE if free else SPACING_COUNTED)
    if display.edited and live.stored.live and pause > now.loop:
        return Wait(board, pause)
    return Edit(board)


# --- consoles and lobbies ---------------------------------------------------------------------------------


def _console(console: Surface, live: Live, display: Display, now: Moment) -> Step | None:
    if not console.is_behind(live.stored.version):
        return None
    if console.message and display.shows_face(console):
        # Somebody else sealed: this console heals when it is pressed, and is told of the reveal.
        return Leave(console, console.state)
    if _is_lapsed(console, now):
        return Leave(console, SurfaceState.LAPSED)  # nothing but a token reaches it
    return Edit(console)


def _lobby(surface: Surface, lobby: Lobby, now: Moment) -> Step | None:
    if surface.shown >= lobby.version:
        return None
    if lobby.state is LobbyState.STARTED:  # just now: it is a board, and whoever made it one has woken us
        return None
    if not lobby.guild and not surface.has_live_token(now.at):
        return None  # nothing but the next press reaches it
    return Edit(surface)
