"""Convert written positions (JSON) to what a seat of a match observes, so that every house level can answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from bot.engine import variants
from bot.engine.auction.auction import Auction
from bot.engine.cards import Card
from bot.engine.choices import Kind, Prompt
from bot.engine.refusals import RuleError
from bot.engine.rules import Game, Rules
from bot.engine.state import Deal, Round
from bot.engine.variants import pico, vultures
from bot.engine.view import Observation, observe
from bot.solver.exact import endgame
from bot.solver.exact.goal import FOR_POINTS, TO_WIN, Goal
from bot.solver.exact.position import TIES, Position, PositionError, read_hand, read_position
from bot.solver.exact.scope import find_scope

USUAL = 13
"""The number of cards if the line does not name it and has no higher card."""


@dataclass(frozen=True)
class WrittenPosition:
    """A written position for the seat with `mine`, and its observation."""

    rules: Rules
    goal: Goal
    seen: Observation
    position: Position | None = None
    """the solver's position, if the solver takes it exactly as written"""


def read_written_position(data: Mapping[str, object]) -> WrittenPosition:
    """Read a line of `gops solve --positions`, which may also have `game` and `options`.

    With `"objective": "points"` the deal is part of a series that adds up points; else it is played to win.
    """
    try:
        return _read_line(data)
    except RuleError as refusal:
        raise PositionError(str(refusal)) from None


def _read_line(data: Mapping[str, object]) -> WrittenPosition:
    given = {key: value for key, value in data.items() if key not in ("game", "options")}
    if given.get("objective") is None:
        given["objective"] = "win"
    game, options = _read_game(data)
    if game is pico.GAME:
        return _read_duel(given, game, options)
    if game.key in endgame.GAMES:
        return _read_endgame(given, game, options)
    agreed = _find_ties(data, game, options)
    if given.get("ties", agreed) != agreed:
        raise PositionError(f"ties are {given['ties']} here and {agreed} in the options")
    if agreed in TIES:
        given["ties"] = agreed
    position = read_position(given)
    rules = _find_rules(game, options, position)
    scope = find_scope(rules)
    if position.up is None and not rules.blind:
        raise PositionError("up is missing")
    drawn = _read_drawn_order(data, position) if rules.order == "random-public" else ()
    is_exact = scope.is_solvable and not (scope.ordered or scope.least or rules.blind) and position.ties == scope.ties
    solved = replace(position, swap=True) if scope.swap else position
    goal = TO_WIN if position.aim.win else FOR_POINTS
    return WrittenPosition(rules, goal, _observe_auction(rules, position, drawn), solved if is_exact else None)


def _find_ties(data: Mapping[str, object], game: Game, options: dict[str, object]) -> str:
    """Return the tie rule: from the line, else from its options, else the default or only rule of the game."""
    choice = next((option for option in game.options if option.key == "ties"), None)
    if choice is None:
        return TIES[2] if game is vultures.GAME else TIES[0]
    agreed = options.setdefault("ties", data["ties"]) if data.get("ties") is not None else options.get("ties")
    return str(agreed or choice.default or TIES[0]).removeprefix("unique-")


def _read_duel(given: Mapping[str, object], game: Game, options: dict[str, object]) -> WrittenPosition:
    """Read a line of Pico: two hands, and the lead if it is played to win."""
    if given.keys() - {"mine", "theirs", "lead", "objective"}:
        raise PositionError("a line of Pico has mine, theirs, lead and objective")
    rules = game.rules(2, options)
    hands = tuple(read_hand(name, given.get(name)) for name in ("mine", "theirs"))
    for name, hand in zip(("mine", "theirs"), hands, strict=True):
        _refuse_strange(name, hand, rules.pack())
        if not 2 <= len(hand) <= pico.HAND:
            raise PositionError(f"{name} has {len(hand)} cards; 2 to {pico.HAND} can be")
    if set(hands[0]) & set(hands[1]):
        raise PositionError(f"both hands have {min(set(hands[0]) & set(hands[1]))}, which is there once")
    lead, goal = _read_aim(given)
    seen = observe(rules.start(Deal((), hands, (), True)), 0)
    return WrittenPosition(rules, goal, replace(seen, scores=(lead, 0)))


def _read_endgame(given: Mapping[str, object], game: Game, options: dict[str, object]) -> WrittenPosition:
    """Read a line of Bid or Psych near its end: two hands, the prize that is up, and all prizes that may follow."""
    if given.keys() - {"mine", "theirs", "prizes", "up", "lead", "objective"}:
        raise PositionError(f"a line of {game.name} has mine, theirs, prizes, up, lead and objective")
    rules = game.rules(2, options)
    assert isinstance(rules, Auction)
    if not endgame.has_endgame(rules):
        raise PositionError(f"{game.name} by these options has no positions of two hands and one prize")
    hands = tuple(read_hand(name, given.get(name)) for name in ("mine", "theirs"))
    prizes, up = list(read_hand("prizes", given.get("prizes"))), given.get("up")
    for name, cards, known in (
        ("mine", hands[0], rules.hand),
        ("theirs", hands[1], rules.hand),
        ("prizes", prizes, rules.prizes),
    ):
        strange = [card for card in cards if cards.count(card) > known.count(card)]
        if strange:
            raise PositionError(f"{name} has {strange[0]} more often than this game")
    if not 1 <= len(hands[0]) == len(hands[1]) <= endgame.MOST:
        raise PositionError(f"mine and theirs need as many cards each, 1 to {endgame.MOST}")
    if not isinstance(up, int) or isinstance(up, bool) or up not in prizes:
        raise PositionError("up is one of the prizes")
    if len(prizes) < len(hands[0]):
        raise PositionError("there are more cards in hand than prizes that may still come")
    lead, goal = _read_aim(given)
    gone = list(rules.prizes)
    for prize in prizes:
        gone.remove(prize)
    prizes.remove(up)
    seen = _make_observation(rules, hands, up, prizes, gone)
    return WrittenPosition(rules, goal, replace(seen, scores=(lead, 0)))


def _read_game(data: Mapping[str, object]) -> tuple[Game, dict[str, object]]:
    """Read the game and the options of a line."""
    game, options = data.get("game", "classic"), data.get("options", {})
    if not isinstance(game, str):
        raise PositionError("game is a word")
    if not isinstance(options, dict):
        raise PositionError("options are an object in braces")
    return variants.find_game(game), dict(cast("dict[str, object]", options))


def _find_rules(game: Game, options: dict[str, object], position: Position) -> Auction:
    """Find the rules that a line names; refuse cards that they do not have."""
    if any(option.key == "cards" for option in game.options):
        options.setdefault("cards", max(USUAL, *position.mine, *position.theirs, *position.prizes))
    rules = game.rules(2, options)
    if (
        not isinstance(rules, Auction)
        or rules.per_bid != 1
        or rules.expose
        or rules.hides_bids
        or rules.shows_bids_once
    ):
        raise PositionError(f"{game.name} by these options has no positions of two hands and one prize")
    _refuse_strange("mine", position.mine, rules.hand)
    _refuse_strange("theirs", position.theirs, rules.hand)
    _refuse_strange("prizes", position.prizes, tuple(map(rules.value, rules.prizes)))
    return rules


def _refuse_strange(name: str, cards: Sequence[Card], known: Sequence[Card]) -> None:
    """Refuse cards that a game does not have."""
    strange = [card for card in cards if card not in known]
    if strange:
        raise PositionError(f"{name} has {strange[0]}, which this game has not")


def _read_aim(given: Mapping[str, object]) -> tuple[int, Goal]:
    """Read the lead and the objective of a line that is not an auction of the solver."""
    lead, win = given.get("lead", 0), given["objective"] == "win"
    if isinstance(lead, bool) or not isinstance(lead, int) or (lead and not win):
        raise PositionError("a lead is a whole number, and goes with the objective win")
    return lead, TO_WIN if win else FOR_POINTS


def _read_drawn_order(data: Mapping[str, object], position: Position) -> tuple[int, ...]:
    """Read the prizes in the order of the line, which is the order drawn for the match."""
    drawn = tuple(cast("list[int]", data["prizes"]))
    if position.up is not None and drawn[:1] != (position.up,):
        raise PositionError("prizes begin with the one that is up, and then come in their order")
    return drawn


def _observe_auction(rules: Auction, position: Position, drawn: tuple[int, ...] = ()) -> Observation:
    """Return the observation of the seat: cards, prizes to come and prizes gone, without the bids of earlier rounds."""
    later = [prize for prize in drawn or position.prizes if prize != position.up]
    if rules.has_public_order and not drawn:
        places = {card: place for place, card in enumerate(rules.fixed_order())}
        later.sort(key=lambda prize: places.get(prize, 0))
        if position.up is not None and any(places.get(prize, 0) < places.get(position.up, 0) for prize in later):
            raise PositionError(f"a prize before {position.up} is still to come, against the order")
    gone = [card for card in rules.prizes if rules.value(card) not in position.prizes]
    seen = _make_observation(rules, (position.mine, position.theirs), position.up, later, gone)
    return replace(seen, scores=(position.lead, 0), worth=None if position.up is None else position.up + position.pot)


def _make_observation(
    rules: Auction, hands: tuple[tuple[Card, ...], ...], up: Card | None, later: Sequence[Card], gone: Sequence[Card]
) -> Observation:
    keys = tuple(rules.hand)
    return Observation(
        game=rules.game.key,
        seat=0,
        seats=2,
        number=len(gone) + 1,
        sub_round=0,
        exposed=() if up is None else (up,),
        fresh=() if up is None else (up,),
        pot=(),
        worth=None if up is None else rules.value(up),
        stock_left=len(later),
        to_come=tuple(later),
        in_order=rules.has_public_order,
        hands=hands,
        held=tuple(map(len, hands)),
        spent=tuple(tuple(card for card in keys if card not in hand) for hand in hands),
        aside=((), ()),
        table=(),
        won=((), ()),
        out=(),
        scores=(0, 0),
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
