"""Observations as bytes, and other deals that look the same to one viewer."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any

from bot.engine.cards import Card
from bot.engine.choices import Choice
from bot.engine.rules import Rules
from bot.engine.state import Deal, State
from bot.engine.view import Observation

Observe = Callable[[State, int | None], Observation]
Line = list[dict[int, Choice]]


PLAIN = (int, str, bool, type(None))


@cache
def _fields(kind: type) -> tuple[str, ...] | None:
    """What a dataclass holds; None for any other type."""
    return tuple(one.name for one in fields(kind)) if is_dataclass(kind) else None


def canonical(value: object) -> Any:
    """Anything an observation holds, as JSON that tells types apart."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if isinstance(value, tuple):
        return [kind.__name__, *map(canonical, value)]
    names = _fields(kind)
    if names is not None:
        return [kind.__name__, {name: canonical(getattr(value, name)) for name in names}]
    if isinstance(value, Enum):
        return [kind.__name__, value.name]
    if isinstance(value, Mapping):
        raise TypeError("an observation has no mappings, whose order would tell something")
    assert isinstance(value, Fraction), f"{kind} in an observation"
    return ["Fraction", str(value)]


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
    if rules.has_public_order:
        return deal
    pool: list[Card] = list(state.stock)
    private = (
        []
        if rules.facts.public_hands or rules.hides_bids or rules.shows_bids_once
        else [s for s in range(rules.seats) if s != viewer]
    )
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
    led: dict[Deal, State] = {}
    """where the line leads in each world: where all hands are public it is the same one for everybody"""
    for viewer in viewers(rules):
        who = "the public" if viewer is None else f"seat {viewer}"
        world = another_world(state, viewer, seed)
        there = led[world] if world in led else rules.start(world)
        for number, joint in enumerate(() if world in led else line):
            if there.over:
                return f"{who} can tell after {number} of {len(line)}, because the deal went on"
            there, _ = rules.resolve(there, joint)
        led[world] = there
        if seen(observe, state, viewer) != seen(observe, there, viewer):
            return f"{who} can tell after {len(line)}"
    return ""
