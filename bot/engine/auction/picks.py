"""Open prizes: several lie on view, and the strongest bidders pick (rules.md 2.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.engine.cards import Seat
from bot.engine.choices import Choices, Kind, Pick, Prompt
from bot.engine.events import Bids, PickMade, PrizesCarried
from bot.engine.state import State, Workbench

if TYPE_CHECKING:
    from bot.engine.auction.auction import Auction


def begin_picks(rules: Auction, table: Workbench, bids: Bids, winners: tuple[Seat, ...]) -> None:
    """Let the seats whose bids were not cancelled pick, strongest first, in cycles up to the quota (RULING O3)."""
    quota = 1 if rules.row else -(-len(table.exposed) // rules.pickers)
    table.bids, table.winners = bids, winners
    table.turns = list(winners * quota)[: len(table.exposed)]
    table.awaited = tuple(table.turns[:1])
    if not table.turns:
        finish_picks(rules, table)


def pick_prompt(rules: Auction, state: State, seat: Seat) -> Prompt:
    """Return a prompt for any exposed prize, the most valuable first: a missed deadline takes that (RULING O6)."""
    options = tuple(sorted(state.exposed, key=rules.value, reverse=True))
    return Prompt(seat, Kind.PICK, options)


def take_pick(rules: Auction, table: Workbench, choices: Choices, forced: frozenset[Seat]) -> None:
    """Move the chosen prize to the seat that picks now."""
    seat = table.turns.pop(0)
    choice = choices[seat]
    assert isinstance(choice, Pick)
    prize = choice.prize
    points = rules.value(prize)
    table.exposed.remove(prize)  # the earliest of equal ones
    table.won[seat].append(prize)
    table.pay(seat, points)
    table.picks = (*table.picks, (seat, prize))
    table.emit(PickMade(seat, prize, points, seat in forced))
    table.awaited = tuple(table.turns[:1])
    if not table.turns:
        finish_picks(rules, table)


def finish_picks(rules: Auction, table: Workbench) -> None:
    """Keep or lose the unpicked prizes by the tie rule, and close the round (RULING O4)."""
    left = tuple(table.exposed)
    outcome = "award" if table.winners else "hold" if rules.ties == "carry" else "drop"
    if rules.ties == "carry":
        if left and not rules.row:
            table.emit(PrizesCarried(left))
    elif not rules.row or not table.winners:
        # A draft loses everything unpicked; a row loses the card that has been there longest.
        lost = left[:1] if rules.row else left
        table.exposed = table.exposed[len(lost) :]
        if lost:
            rules.lose_prizes(table, lost)
    rules.close_round(table, table.bids, outcome, table.winners)
