"""What a game declares about every deal of it, and about how it sells its prizes."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.cards import Points
from bot.engine.state import Cards


@dataclass(frozen=True, slots=True)
class Facts:
    """What a game promises about every deal; tests hold it to that."""

    lowest: Points
    """no seat can score less in a deal"""
    highest: Points
    """no seat can score more in a deal"""
    longest: int
    """at most so many (sub-)rounds and picks are waited for in a deal"""
    public_hands: bool = True
    """whether everybody may know what everybody holds"""
    margin: bool = False
    """whether the zero-sum display makes sense: two seats, one's gain is the other's loss (rules.md 2.1)"""


@dataclass(frozen=True, slots=True)
class Sale:
    """How prizes are sold: what whoever tells a round of it has to know."""

    prizes: Cards
    """every prize of a full deal, in ascending order"""
    hand: Cards
    """what every seat holds at the start; nothing where hands differ"""
    ties: str
    """what becomes of a prize for which the highest bids are equal: discard, carry, split or rebid"""
    cancel: bool
    """whether equal bids strike each other out, at every rank"""
    returned: bool
    """whether tied bids come back after the round instead of being spent"""
    circular: bool
    """whether a low card may beat a high one"""
    additive: bool
    """whether a deal score is the sum of the values won, so that a prize has a worth of its own"""
    open: bool
    """whether several prizes lie on view, and are picked"""
    row: bool
    """whether they stay on view until somebody picks them, and are filled up"""
    blind: bool
    """whether bids come before the prize is turned"""
    pickers: int
    """how many seats pick in a round, where prizes are open"""
