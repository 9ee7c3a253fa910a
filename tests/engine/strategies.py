"""Random play of every registered game, through what the game declares and nothing else."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.vendor.pretty import for_type_by_name

from bot.engine.auction.auction import Auction
from bot.engine.cards import Card, Points
from bot.engine.choices import Bid, Choice, Kind, Prompt
from bot.engine.choices import Pick as PickChoice
from bot.engine.events import Event
from bot.engine.options import CardList, Number, OneOf, Option, Switch
from bot.engine.refusals import BadSetup
from bot.engine.rules import Game, Rules
from bot.engine.series import Series, read_series
from bot.engine.state import Deal, State
from bot.engine.variants import GAMES

# A failure shows a game by its key, not with all its texts.
for_type_by_name(Game.__module__, Game.__name__, lambda game, printer, cycle: printer.text(f"find({game.key!r})"))

# --- games, options and series ---------------------------------------------------------------------------------


@cache
def _number(low: int, high: int) -> st.SearchStrategy[int]:
    return st.integers(low, min(high, low + 5)) | st.integers(low, high)


def value_of(option: Option, pack: Sequence[Card]) -> st.SearchStrategy[Any]:
    """Any value that an option allows; small numbers more often, because they play faster."""
    match option:
        case OneOf():
            return st.sampled_from(list(option.values))
        case Number():
            return _number(option.low, option.high)
        case Switch():
            return st.booleans()
        case CardList():
            return st.permutations(pack).map(tuple)


@cache
def _whole(low: int, high: int) -> st.SearchStrategy[int]:
    """Made once: a strategy that is new has to be looked through at every draw."""
    return st.integers(low, high)


@cache
def _places(count: int) -> st.SearchStrategy[list[int]]:
    """Some of so many places, in any order."""
    return st.lists(st.integers(0, count - 1), unique=True)


def accepted(game: Game, seats: int, options: dict[str, Any]) -> Rules | None:
    """The game with these options, None where it refuses them; it may refuse in no other way."""
    try:
        rules = game.rules(seats, options)
        rules.deal(rules.pack())
    except BadSetup as refusal:
        str(refusal)  # it has a sentence
        return None
    return rules


@st.composite
def any_rules(
    draw: st.DrawFn,
    games: Iterable[Game] | None = None,
    seats: int | None = None,
    given: Mapping[str, Any] | None = None,
) -> Rules:
    """A game with random seats and options: one option after the other, each kept where it is not refused.

    `given` are options that it must have.
    """
    offered = list(games or GAMES)
    game = offered[draw(_whole(0, len(offered) - 1))]
    number = seats or draw(_whole(*game.seats))
    taken: dict[str, Any] = dict(given or {})
    rules = accepted(game, number, taken)
    assert rules is not None, f"{game.key} refuses {taken} for {number}"
    free = [option for option in game.options if option.key not in taken]
    for option in [free[place] for place in draw(_places(len(free)))] if free else []:
        sizes = {key: value for key, value in taken.items() if type(value) is int}
        like = accepted(game, number, sizes)
        more = {**taken, option.key: draw(value_of(option, like.pack() if like else ()))}
        if found := accepted(game, number, more):
            rules, taken = found, more
    return rules


def auction_games() -> list[Game]:
    return [game for game in GAMES if isinstance(game.rules(game.seats[0]), Auction)]


def games_with(option: str, *values: str) -> list[Game]:
    """Games that have this option with all these values."""
    return [
        game
        for game in GAMES
        for one in game.options
        if one.key == option and (not values or (isinstance(one, OneOf) and set(values) <= set(one.values)))
    ]


ANY_SERIES: st.SearchStrategy[Series] = st.one_of(
    st.just({"mode": "single"}),
    st.builds(
        lambda games, level: {"mode": "best-of", "games": games, "level": level},
        st.sampled_from((1, 3, 5)),
        st.sampled_from(("extra-game", "points")),
    ),
    st.builds(lambda deals: {"mode": "deals", "deals": deals}, st.integers(1, 4)),
    st.builds(lambda points: {"mode": "target", "points": points}, st.integers(1, 250)),
    st.builds(lambda wins: {"mode": "first-to", "wins": wins}, st.integers(1, 3)),
).map(read_series)


def most_deals(series: Series) -> int:
    """The caps of rules.md 2.7: a series never takes more deals."""
    caps = {"single": 1, "best-of": series.number + 1, "deals": series.number, "target": 20}
    return caps.get(series.mode, 4 * series.number - 1)


# --- policies --------------------------------------------------------------------------------------------------

MODES = ("random", "lowest", "highest", "mirror", "driven")


@dataclass(frozen=True)
class Policy:
    """How every seat chooses. Mirrored seats choose the same place in their options; `driven` follows `script`."""

    modes: tuple[str, ...]
    seed: int = 0
    script: bytes = b""

    def player(self) -> Callable[[Rules, State], dict[int, Choice]]:
        """Joint choices, one call after the other; the same each time it is started anew."""
        dice = random.Random(self.seed)
        script = iter(self.script)

        def choices(rules: Rules, state: State) -> dict[int, Choice]:
            together = dice.randrange(1 << 16)
            return {
                prompt.seat: choose(rules, prompt, self.modes[prompt.seat % len(self.modes)], dice, script, together)
                for prompt in rules.prompts(state)
            }

        return choices


def choose(
    rules: Rules, prompt: Prompt, mode: str, dice: random.Random, script: Iterator[int], together: int
) -> Choice:
    """One legal choice."""
    options = list(prompt.options)
    size = min(prompt.size, len(options))
    places = len(options) - size + 1
    if prompt.kind is Kind.PICK:
        options.reverse()  # picks stand best first
    if mode == "random":
        cards = dice.sample(options, size)
    elif mode == "driven":
        at = next(script, 0) % len(options)
        cards = (options[at:] + options[:at])[:size]
    else:
        first = {"lowest": 0, "highest": places - 1}.get(mode, together % places)
        cards = options[first : first + size]
    return PickChoice(cards[0]) if prompt.kind is Kind.PICK else rules.bid(*cards)


_MANNERS: st.SearchStrategy[tuple[str, ...]] = st.one_of(
    st.sampled_from(MODES).map(lambda mode: (mode,)),
    st.lists(st.sampled_from(MODES), min_size=8, max_size=8).map(tuple),
)
_SCRIPTS = st.binary(max_size=60)
SEEDS = st.integers(0, 2**32)


@st.composite
def any_policy(draw: st.DrawFn) -> Policy:
    """Everybody alike, or each seat in its own way."""
    return Policy(draw(_MANNERS), draw(SEEDS), draw(_SCRIPTS))


FEWER = settings(max_examples=settings().max_examples // 4)
"""Settings for tests with several matches in each example."""

# --- play ------------------------------------------------------------------------------------------------------


def shuffled_deal(rules: Rules, seed: int, previous: Deal | None = None) -> Deal:
    """A random deal, or the one that must follow."""
    if previous is not None and (following := rules.redeal(previous)) is not None:
        return following
    pack = list(rules.pack())
    random.Random(seed).shuffle(pack)
    return rules.deal(tuple(pack))


@dataclass(frozen=True)
class Step:
    """One joint choice and where it led."""

    before: State
    choices: dict[int, Choice]
    after: State
    events: tuple[Event, ...]


def play(rules: Rules, deal: Deal, policy: Policy) -> list[Step]:
    """A deal to its end, which must come within what the game declares."""
    state, choices = rules.start(deal), policy.player()
    steps: list[Step] = []
    while not state.over:
        assert len(steps) < rules.facts.longest, f"{rules.game.key} takes more than {rules.facts.longest}"
        joint = choices(rules, state)
        after, events = rules.resolve(state, joint)
        steps.append(Step(state, joint, after, events))
        state = after
    return steps


def follow(rules: Rules, deal: Deal, line: Iterable[dict[int, Choice]]) -> list[State]:
    """Every state that these joint choices lead through, the first one included."""
    states = [rules.start(deal)]
    for joint in line:
        states.append(rules.resolve(states[-1], joint)[0])
    return states


def zones(state: State) -> Counter[Card]:
    """Every card, wherever it lies; bids that are revealed while prizes are picked lie on the table."""
    cards: Counter[Card] = Counter()
    for zone in (state.stock, state.exposed, state.pot, state.out, *state.hands, *state.aside, *state.spent):
        cards.update(zone)
    for pile in state.won:
        cards.update(pile)
    cards.update(card for card in state.table if card is not None)
    cards.update(state.rules.card(card) for bid in state.bids if isinstance(bid, Bid) for card in bid.cards)
    return cards


def one_line(error: Exception) -> bool:
    """Whether this is a message that fits on one line, and says something."""
    return len(str(error).splitlines()) == 1 and bool(str(error).strip())


def worth(rules: Rules, cards: Iterable[Card]) -> Points:
    return sum(rules.value(card) for card in cards)
