"""Observations as bytes, and other worlds that look the same to somebody."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from bot.engine.cards import Card
from bot.engine.choices import Choice
from bot.engine.rules import Rules
from bot.engine.state import Deal, State
from bot.engine.view import Observation

Observe = Callable[[State, int | None], Observation]
Line = list[dict[int, Choice]]


def canonical(value: object) -> Any:
    """Anything an observation holds, as JSON that tells types apart."""
    if is_dataclass(value) and not isinstance(value, type):
        return [type(value).__name__, {f.name: canonical(getattr(value, f.name)) for f in fields(value)}]
    if isinstance(value, Enum):
        return [type(value).__name__, value.name]
    if isinstance(value, Fraction):
        return ["Fraction", str(value)]
    if isinstance(value, tuple):
        return [type(value).__name__, *map(canonical, value)]
    if isinstance(value, Mapping):
        raise TypeError("an observation has no mappings, whose order would tell something")
    assert value is None or isinstance(value, int | str), f"{type(value)} in an observation"
    return value


def seen(observe: Observe, state: State, seat: int | None) -> bytes:
    """What a seat, or the public, gets to see, to the byte."""
    return json.dumps(canonical(observe(state, seat)), ensure_ascii=False).encode()


def viewers(rules: Rules) -> list[int | None]:
    return [None, *range(rules.seats)]


def another_world(state: State, viewer: int | None, seed: int) -> Deal:
    """A deal that differs from this one only in what the viewer cannot know now.

    Where hands are private, what others hold and what is in the stock may be anywhere among them. Cards that were
    bid stay where they were bid from, so the same line can be played.
    """
    rules, deal, dice = state.rules, state.deal, random.Random(seed)
    turned = len(deal.stock) - len(state.stock)
    assert deal.stock[turned:] == state.stock
    if rules.public_order:
        return deal
    pool: list[Card] = list(state.stock)
    private = [] if rules.facts.public_hands or rules.hidden_bids else [s for s in range(rules.seats) if s != viewer]
    for seat in private:
        pool += state.hands[seat]
    dice.shuffle(pool)
    stock, pool = pool[: len(state.stock)], pool[len(state.stock) :]
    hands = list(deal.hands)
    for seat in private:
        kept = [card for card in deal.hands[seat] if card not in state.hands[seat]]
        fresh, pool = pool[: len(state.hands[seat])], pool[len(state.hands[seat]) :]
        hands[seat] = (*kept, *fresh)
    return Deal((*deal.stock[:turned], *stock), tuple(hands), deal.out, deal.partial)


def leak(observe: Observe, state: State, line: Line, seed: int) -> str:
    """Who can tell from what they see that another world is another one; nothing if nobody can.

    `state` is open, and `line` leads to it. Every moment of a deal is to be tried.
    """
    rules = state.rules
    for viewer in viewers(rules):
        who = "the public" if viewer is None else f"seat {viewer}"
        there = rules.start(another_world(state, viewer, seed))
        for number, joint in enumerate(line):
            if there.over:
                return f"{who} can tell after {number} of {len(line)}, because the deal went on"
            there, _ = rules.resolve(there, joint)
        if seen(observe, state, viewer) != seen(observe, there, viewer):
            return f"{who} can tell after {len(line)}"
    return ""
