"""Simple house players that play every game: they look at nothing but their observation."""

from __future__ import annotations

from bot.engine.choices import Bid, Choice, Kind, Pick
from bot.engine.rules import Rules
from bot.engine.state import Cards
from bot.engine.view import Observation
from bot.solver.players.chance import Chance


def choose_at_random(rules: Rules, seen: Observation, chance: Chance) -> Choice:
    """Any legal choice, each card as likely as any other."""
    prompt = seen.prompt
    assert prompt is not None
    if prompt.kind is Kind.PICK:
        return Pick(chance.sample(prompt.options, 1)[0])
    return rules.bid(*chance.sample(prompt.options, prompt.size))


def choose_matcher_bid(rules: Rules, seen: Observation, above: int = 0, off: int = 0) -> Choice:
    """Bid the card that stands in the hand where the prize stands among the prizes: the prize's own rank, in Classic.

    `above` is so many places higher; past the highest card it begins again with the lowest. `off` is how far from
    there within the hand. Of open prizes the best is picked.
    """
    prompt = seen.prompt
    assert prompt is not None
    if prompt.kind is Kind.PICK:
        return Pick(prompt.options[0])
    keys = seen.keys
    place = (round((len(keys) - 1) * rank_stake(rules, seen)) + above) % len(keys)
    wanted = rules.strength(keys[min(max(place + off, 0), len(keys) - 1)])
    places = len(prompt.options) - prompt.size
    # That card, or where it is gone the next one above it, or the highest that is left.
    first = next((place for place, card in enumerate(prompt.options) if rules.strength(card) >= wanted), places)
    first = min(first, places)
    return Bid(prompt.options[first : first + prompt.size])


def choose_sly_bid(rules: Rules, seen: Observation, off: int = 0) -> Choice:
    """One above the prize, and the lowest card for the highest prize."""
    return choose_matcher_bid(rules, seen, 1, off)


def draw_offset(seen: Observation, chance: Chance) -> int:
    """How far off to bid at tables of three or more: players who all bid alike would cancel each other every time."""
    if seen.seats < 3:
        return 0
    most = 1 if seen.seats == 3 else 2
    return chance.below(2 * most + 1) - most


def rank_stake(rules: Rules, seen: Observation) -> float:
    """From 0 to 1: how much the prize is worth among all of this deal. In the middle if none lies open."""
    return rank_prizes(rules, list_stakes(rules, seen), seen.exposed)


def list_stakes(rules: Rules, seen: Observation) -> list[int]:
    """What the prizes of this deal are worth, each value once, the least first."""
    earlier = (prize for played in seen.rounds for prize in played.prizes)
    return sorted({abs(rules.value(card)) for card in (*seen.exposed, *(seen.to_come or ()), *earlier)})


def rank_prizes(rules: Rules, values: list[int], prizes: Cards) -> float:
    """Where the best of these prizes stands among all values, from 0 to 1."""
    if not prizes or len(values) < 2:
        return 0.5
    best = max(abs(rules.value(card)) for card in prizes)
    share = values.index(best) / (len(values) - 1)
    return 1 - share if rules.least_wins else share
