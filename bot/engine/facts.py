"""Facts about every deal of a game, and about how the game sells its prizes."""

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
    """the most (sub-)rounds and picks of a deal"""
    public_hands: bool = True
    """True if all hands are public."""
    margin: bool = False
    """True if the zero-sum display makes sense: two seats, one's gain is the other's loss (rules.md 2.1)"""


@dataclass(frozen=True, slots=True)
class Sale:
    """How prizes are sold, for the text that describes a round."""

    prizes: Cards
    """every prize of a full deal, in ascending order"""
    hand: Cards
    """what every seat holds at the start; empty if hands differ"""
    ties: str
    """What happens to a prize if the highest bids are equal: discard, carry, split or rebid."""
    cancel: bool
    """True if equal bids strike each other out, at every rank"""
    swap: bool
    """True if both players swap their cards after a tie"""
    returned: bool
    """True if tied bids come back after the round instead of being spent"""
    circular: bool
    """True if a low card may beat a high one"""
    additive: bool
    """True if a deal score is the sum of the values won, so that a prize has a worth of its own"""
    open: bool
    """True if several prizes lie on view, and are picked"""
    row: bool
    """True if the exposed prizes stay until they are picked, and the row is filled up."""
    blind: bool
    """True if bids come before the prize is turned"""
    pickers: int
    """how many seats pick in a round, if prizes are open"""
