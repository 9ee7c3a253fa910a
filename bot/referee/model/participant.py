"""Participants: a person, the place of a match, how many can play a setup, and when the house can join."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.engine.record.record import options_data
from bot.engine.refusals import RuleError
from bot.engine.variants import find_game
from bot.referee.model.model import Lobby, LobbyState, Reply, Setup, Snowflake, UserId

FILL_AFTER = timedelta(seconds=60)
"""Time after which the host of a table may fill it with the house."""


@dataclass(frozen=True, slots=True)
class Person:
    """A member of a server."""

    user: UserId
    name: str


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a match."""

    guild: Snowflake
    channel: Snowflake


def has_former_player(users: Iterable[UserId]) -> bool:
    """Return True if one of these players has erased their data: such a match cannot be repeated."""
    return any(user < 0 for user in users)


def is_playable(setup: Setup, seats: int) -> bool:
    """Return True if this many people can play the setup."""
    try:
        find_game(setup.game).rules(seats, setup.options)
    except RuleError:
        return False
    return True


def resize_setup(setup: Setup, seats: int) -> Setup:
    """Return the setup for another number of seats. A rule that is usual for the one number is usual for the other."""
    game = find_game(setup.game)
    usual = game.rules(setup.seats).options
    chosen = {key: value for key, value in setup.options.items() if value != usual[key]}
    return replace(setup, seats=seats, options=options_data(game.rules(seats, chosen)))


def _can_resize(lobby: Lobby, by: int) -> bool:
    try:
        resize_setup(lobby.setup, count_seats(lobby) + by)
    except RuleError:
        return False
    return True


def fewest_seats(setup: Setup, taken: int = 0) -> int:
    """Return the fewest seats that can play the setup, at least `taken`."""
    counts = range(max(taken, find_game(setup.game).seats[0]), setup.seats)
    return next((seats for seats in counts if is_playable(setup, seats)), setup.seats)


def can_start(lobby: Lobby) -> bool:
    """Return True if the host may start with those who are there: a challenge only where a player declined, a table at
    any time with enough people."""
    is_table, accepted = lobby.kind == "table", len(lobby.accepted)
    may_start = is_table or any(invite.answer is Reply.DECLINED for invite in lobby.people)
    seated = accepted + (len(lobby.house) if is_table or accepted > 1 else 0)
    return may_start and lobby.state is LobbyState.OPEN and seated > 1 and is_playable(lobby.setup, seated)


# --- the house in a lobby -----------------------------------------------------------------------------------


def count_seats(lobby: Lobby) -> int:
    """Return the seats that are taken, or offered to a person who has not declined."""
    return sum(invite.answer is not Reply.DECLINED for invite in lobby.people) + len(lobby.house)


def can_add_house(lobby: Lobby) -> bool:
    """Return True if the host may add a house seat: to a challenge before somebody accepts, to a table with room."""
    if lobby.kind == "table":
        return lobby.state is LobbyState.OPEN and count_seats(lobby) < lobby.setup.seats
    return _is_unanswered(lobby) and _can_resize(lobby, 1)


def can_remove_house(lobby: Lobby) -> bool:
    """Return True if the host may remove the house seat that was added last."""
    if not lobby.house or lobby.kind == "table":
        return bool(lobby.house) and lobby.state is LobbyState.OPEN
    return _is_unanswered(lobby) and _can_resize(lobby, -1)


def can_fill_table(lobby: Lobby, now: datetime) -> bool:
    """Return True if the host of a table has waited long enough to give all free seats to the house."""
    waited = lobby.kind == "table" and now >= lobby.created + FILL_AFTER
    return waited and can_add_house(lobby) and is_playable(lobby.setup, lobby.setup.seats)


def _is_unanswered(lobby: Lobby) -> bool:
    return lobby.kind == "challenge" and lobby.state is LobbyState.OPEN and len(lobby.accepted) == 1
