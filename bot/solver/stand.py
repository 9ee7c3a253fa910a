"""A position that somebody wrote down, as a seat of a match would see it, so that any level can be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from bot.engine import variants
from bot.engine.auction import Auction
from bot.engine.cards import Card
from bot.engine.choices import Kind, Prompt
from bot.engine.refusals import Refusal
from bot.engine.rules import Game, Rules
from bot.engine.state import Round
from bot.engine.view import Observation
from bot.solver.goal import FOR_POINTS, TO_WIN, Goal
from bot.solver.position import TIES, Position, PositionError, read_position

USUAL = 13
"""Whoever says nothing of the game's size means so many cards."""


@dataclass(frozen=True)
class Stand:
    """What the seat with `mine` is asked."""

    rules: Rules
    seen: Observation
    goal: Goal


def read_stand(data: Mapping[str, object]) -> Stand:
    """A line of `gops solve --positions`, with `game` and `options` where they matter.

    Nothing but `"objective": "points"` makes it a deal of a series that adds up points; else it is played to win.
    """
    given = {key: value for key, value in data.items() if key not in ("game", "options")}
    if given.get("objective") is None:
        given["objective"] = "win"
    game, options = _named(data)
    agreed = options.setdefault("ties", data["ties"]) if data.get("ties") is not None else options.get("ties")
    usual = next((option.default for option in game.options if option.key == "ties"), None)
    agreed = str(agreed or usual or TIES[0]).removeprefix("unique-")
    if given.get("ties", agreed) != agreed:
        raise PositionError(f"ties are {given['ties']} here and {agreed} in the options")
    if agreed in TIES:
        given["ties"] = agreed
    here = read_position(given)
    rules = _rules(game, options, here)
    if here.up is None and not rules.blind:
        raise PositionError("up is missing")
    return Stand(rules, _seen(rules, here), TO_WIN if here.aim.win else FOR_POINTS)


def _named(data: Mapping[str, object]) -> tuple[Game, dict[str, object]]:
    """The game and the options that the line names."""
    game, options = data.get("game", "classic"), data.get("options", {})
    if not isinstance(game, str):
        raise PositionError("game is a word")
    if not isinstance(options, dict):
        raise PositionError("options are an object in braces")
    try:
        return variants.find(game), dict(cast("dict[str, object]", options))
    except Refusal as refusal:
        raise PositionError(str(refusal)) from None


def _rules(game: Game, options: dict[str, object], here: Position) -> Auction:
    """The rules, to which all cards of the line belong."""
    if any(option.key == "cards" for option in game.options):
        options.setdefault("cards", max(USUAL, *here.mine, *here.theirs, *here.prizes))
    try:
        rules = game.rules(2, options)
    except Refusal as refusal:
        raise PositionError(str(refusal)) from None
    if not isinstance(rules, Auction) or rules.per_bid != 1 or rules.expose or rules.hidden_bids:
        raise PositionError(f"{game.name} by these options has no positions of two hands and one prize")
    for name, cards, known in (
        ("mine", here.mine, rules.hand),
        ("theirs", here.theirs, rules.hand),
        ("prizes", here.prizes, tuple(map(rules.value, rules.prizes))),
    ):
        strange = [card for card in cards if card not in known]
        if strange:
            raise PositionError(f"{name} has {strange[0]}, which this game has not")
    return rules


def _seen(rules: Auction, here: Position) -> Observation:
    """What the seat sees: the cards as they are, the prizes gone as gone, and nothing of what was bid."""
    later = [prize for prize in here.prizes if prize != here.up]
    if rules.public_order and rules.order != "random-public":
        places = {card: place for place, card in enumerate(rules.fixed_order())}
        later.sort(key=lambda prize: places.get(prize, 0))
        if here.up is not None and any(places.get(prize, 0) < places.get(here.up, 0) for prize in later):
            raise PositionError(f"a prize before {here.up} is still to come, against the order")
    hands: tuple[tuple[Card, ...], ...] = here.mine, here.theirs
    gone = [card for card in rules.prizes if rules.value(card) not in here.prizes]
    keys = tuple(rules.hand)
    return Observation(
        game=rules.game.key,
        seat=0,
        seats=2,
        number=len(gone) + 1,
        sub_round=0,
        exposed=() if here.up is None else (here.up,),
        fresh=() if here.up is None else (here.up,),
        pot=(),
        worth=None if here.up is None else here.up + here.pot,
        stock_left=len(later),
        to_come=tuple(later),
        in_order=rules.public_order,
        hands=hands,
        held=(len(here.mine), len(here.theirs)),
        spent=tuple(tuple(card for card in keys if card not in hand) for hand in hands),
        aside=((), ()),
        table=(),
        won=((), ()),
        out=(),
        scores=(here.lead, 0),
        awaited=(0, 1),
        prompt=Prompt(0, Kind.COMMIT, hands[0]),
        keys=keys,
        bids=(),
        again=(),
        turns=(),
        picks=(),
        rounds=tuple(Round((prize,), (None, None), "drop", (), (0, 0)) for prize in gone),
        events=(),
        over=False,
    )
