"""Stored values of surfaces: the messages that show a match. Immutable."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from datetime import datetime, timedelta
from enum import IntEnum, StrEnum
from typing import NamedTuple

from bot.engine.fast_values import value_type
from bot.referee.model.model import Lobby, Snowflake, UserId

TOKEN_LIFE = timedelta(minutes=14, seconds=30)
"""A token lives 15 minutes. The margin is for clocks that differ: a call after its end counts as invalid."""


def token_expiry(at: datetime) -> datetime:
    """Return the time until which the token of a press can be used."""
    return at + TOKEN_LIFE


class SurfaceKind(IntEnum):
    """A message that shows a match. The numbers are stored."""

    BOARD = 1
    CONSOLE_DM = 2
    CONSOLE_EPHEMERAL = 3
    LOBBY = 5  # 4 is free: it was for reminders, which are no surfaces
    CONSOLE_BESIDE = 6
    """An ephemeral sent beside the pressed message, which the token of the press would edit otherwise."""

    @property
    def ephemeral(self) -> bool:
        """True if only a token reaches the message."""
        return self in (SurfaceKind.CONSOLE_EPHEMERAL, SurfaceKind.CONSOLE_BESIDE)


class SurfaceState(StrEnum):
    """Whether a surface can be kept up to date. The words are stored: never change one."""

    LIVE = "live"
    READ = "read"
    """a console in the place of which its player reads something, until there is news"""
    LAPSED = "lapsed"
    """an ephemeral past its token, which nothing reaches until it is pressed"""
    GONE = "gone"
    STUCK = "stuck"
    """a board that Discord refuses to edit"""
    CLOSED = "closed"
    """A board whose thread is closed."""
    LOST = "lost"
    """A board whose channel is deleted."""


KEPT = (SurfaceState.LIVE, SurfaceState.READ)
"""states of messages that are brought up to date by themselves"""


@value_type
class Surface:
    """One message and the version that it last showed; the publisher brings it up to date."""

    match: str
    kind: SurfaceKind
    user: UserId
    """The owner of a console; 0 for the board."""
    channel: Snowflake
    message: Snowflake
    """0 for an ephemeral that is only reached by its token"""
    shown: int
    posted: datetime
    token: str = field(default="", repr=False)
    token_until: datetime | None = None
    token_app: Snowflake = 0
    beside: bool = False
    """True if the token was answered by another message, and this one is a follow-up."""
    state: SurfaceState = SurfaceState.LIVE
    id: int = 0
    """given by the store"""

    @property
    def follow_up(self) -> Snowflake:
        """The message to name where its token is used; 0 if the token has no other."""
        return self.message if self.beside or self.kind is SurfaceKind.CONSOLE_BESIDE else 0

    @property
    def key(self) -> int:
        """The key of its writer: the message, or the row of one that is not there yet."""
        return self.message or -self.id

    def has_live_token(self, now: datetime) -> bool:
        """Return True if a live token edits this message. Such a call counts towards no limit."""
        return bool(self.token) and self.token_until is not None and now < self.token_until

    def is_behind(self, version: int) -> bool:
        """Return True if a live board or console shows less than this version, or is not there yet."""
        if self.kind is SurfaceKind.LOBBY or self.state not in KEPT:
            return False
        # An ephemeral without a message is known by its token alone, and has been shown.
        return self.shown < version or not (self.message or self.kind.ephemeral)

    def is_pressed_after(self, other: Surface) -> bool:
        """Return True if the press that gave it its token came after that of the other."""
        return self.token_until is not None and other.token_until is not None and self.token_until > other.token_until


def board_among(surfaces: Iterable[Surface]) -> Surface | None:
    """Return the board, if the match has one."""
    return next((one for one in surfaces if one.kind is SurfaceKind.BOARD), None)


def console_among(surfaces: Iterable[Surface], user: UserId, kind: SurfaceKind) -> Surface | None:
    """Return the console of a player, of one kind."""
    return next((one for one in surfaces if one.user == user and one.kind is kind), None)


def lobby_surface(lobby: Lobby, message: Snowflake) -> Surface:
    """Return the surface of the message that shows a challenge or table."""
    return Surface(lobby.id, SurfaceKind.LOBBY, 0, lobby.channel, message, 0, lobby.created)


class RevealNote(NamedTuple):
    """What a player was told of the newest reveal by a new message."""

    number: int
    """how many reveals there were"""
    channel: Snowflake = 0
    message: Snowflake = 0
    """0 if it cannot be deleted"""
