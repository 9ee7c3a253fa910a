"""What may be done for a match or lobby to be shown as it is, and what there is room for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.engine.fast_values import value_type
from bot.messages.show import Offer
from bot.referee.model.model import Surface, SurfaceState, UserId
from bot.rest.lanes import Lane


@value_type
class Room:
    """What there is room for at this moment."""

    free: float = 1.0
    """the share of counted calls that could be made at once"""
    turns: Mapping[int, float] = field(default_factory=dict[int, float])
    """by surface, when the counted call that is paid for it already may be made"""
    lanes: Mapping[int, Lane] = field(default_factory=dict[int, Lane])
    """by message, where something is to be known of it"""
    dms: Mapping[UserId, bool] = field(default_factory=dict[UserId, bool])
    """whether somebody lets a match write to them, for those of whom a board that is lost has to know it"""
    spare: bool = False
    """whether the token of the press before the board's last one still lives"""


# --- the steps --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Edit:
    """Its message is shown anew; `paid` says that its turn among counted calls was taken."""

    surface: Surface
    paid: bool = False


@dataclass(frozen=True, slots=True)
class Post:
    """It gets a new message."""

    surface: Surface


@dataclass(frozen=True, slots=True)
class Reserve:
    """It takes its turn among counted calls. If that comes at once `then` is done, else the next plan tells."""

    surface: Surface
    then: Edit | Post


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing of it until this time of the loop; None: until the call that is on its way there has ended."""

    surface: Surface
    until: float | None


@dataclass(frozen=True, slots=True)
class Leave:
    """What stands there counts as up to date, and is noted in this state."""

    surface: Surface
    state: SurfaceState


@dataclass(frozen=True, slots=True)
class Drop:
    """It is not needed any more, and was never there."""

    surface: Surface


@dataclass(frozen=True, slots=True)
class Owe:
    """The board is lost: this person is owed a console by DM."""

    board: Surface
    user: UserId


@dataclass(frozen=True, slots=True)
class Stop:
    """The board is lost, and somebody has no DM: the match is stopped, and does not count."""

    board: Surface


@dataclass(frozen=True, slots=True)
class Tell:
    """That it was stopped is told by DM, for no board can."""

    board: Surface


@dataclass(frozen=True, slots=True)
class Close:
    """There is nothing left to answer: this offer says why."""

    offer: Offer


@dataclass(frozen=True, slots=True)
class LetGo:
    """It is over, and that is shown: nothing of it is kept in memory."""


Step: TypeAlias = Edit | Post | Reserve | Wait | Leave | Drop | Owe | Stop | Tell | Close | LetGo
