"""Simple house players for every game. They use only their observation."""

from __future__ import annotations

from bot.engine.choices import Bid, Choice, Kind, Pick
from bot.engine.rules import Rules
from bot.engine.state import Cards
from bot.engine.view import Observation
from bot.solver.players.chance import Chance


def choose_at_random(rules: Rules, seen: Observation, chance: Chance) -> Choice:
    """Make a legal choice uniformly at random."""
    prompt = seen.prompt
    assert prompt is not None
    if prompt.kind is Kind.PICK:
        return Pick(chance.sample(prompt.options, 1)[0])
    return rules.bid(*chance.sample(prompt.options, prompt.size))


def choose_matcher_bid(rules: Rules, seen: Observation, above: int = 0, off: int = 0) -> Choice:
    """Bid the card with the prize's rank: its place among the cards is the prize's place among the prizes.

    `above` shifts the place up and wraps around from the highest card to the lowest. `off` then shifts it without
    wrapping. If that card is gone, bid the next higher card, else the highest. From open prizes pick the best.
    """
    prompt = seen.prompt
    assert prompt is not None
    if prompt.kind is Kind.PICK:
        return Pick(prompt.options[0])
    keys = seen.keys
    place = (round((len(keys) - 1) * rank_stake(rules, seen)) + above) % len(keys)
    wanted = rules.strength(keys[min(max(place + off, 0), len(keys) - 1)])
    places = len(prompt.options) - prompt.size

    first = next((place for place, card in enumerate(prompt.options) if rules.strength(card) >= wanted), places)
    first = min(first, places)
    return Bid(prompt.options[first : first + prompt.size])


def choose_sly_bid(rules: Rules, seen: Observation, off: int = 0) -> Choice:
    """Bid the card above the prize's rank, and the lowest card for the highest prize."""
    return choose_matcher_bid(rules, seen, 1, off)


def draw_offset(seen: Observation, chance: Chance) -> int:
    """Draw a shift for tables of three or more seats, where players with equal bids would cancel each other."""
    if seen.seats < 3:
        return 0
    most = 1 if seen.seats == 3 else 2
    return chance.below(2 * most + 1) - most


def rank_stake(rules: Rules, seen: Observation) -> float:
    """Return the rank of the open prize among all prizes of the deal, from 0 to 1; 0.5 if no prize is open."""
    return rank_prizes(rules, list_stakes(rules, seen), seen.exposed)


def list_stakes(rules: Rules, seen: Observation) -> list[int]:
    """List the distinct absolute values of the prizes of this deal, ascending."""
    earlier = (prize for played in seen.rounds for prize in played.prizes)
    return sorted({abs(rules.value(card)) for card in (*seen.exposed, *(seen.to_come or ()), *earlier)})


def rank_prizes(rules: Rules, values: list[int], prizes: Cards) -> float:
    """Return the rank of the best of these prizes among all values, from 0 to 1."""
    if not prizes or len(values) < 2:
        return 0.5
    best = max(abs(rules.value(card)) for card in prizes)
    share = values.index(best) / (len(values) - 1)
    return 1 - share if rules.least_wins else share
