"""A match in the terminal against the house, through the same engine as everywhere else."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from bot.engine.cards import ACE_HIGH, ACE_LOW, STANDARD, Card, Points, Seat, faces, format_points, suit
from bot.engine.choices import Choice, Kind, Prompt
from bot.engine.counted import Counted, Sentence, ordinal
from bot.engine.events import BidsRevealed, Event, PrizeRevealed
from bot.engine.match import Match
from bot.engine.record.transcript import Teller
from bot.engine.refusals import Illegal, RuleError, Unreadable, printable
from bot.engine.series import count_wins
from bot.engine.state import State
from bot.engine.text.wording import read_card
from bot.engine.view import Observation, observe, redact
from bot.interactions.shared.rules_card import EXAMPLE_TITLE, list_part_texts, make_topic
from bot.interactions.shared.worked_example import play_example
from bot.referee.repository.house_levels import table_levels
from bot.solver.players.chance import Chance
from bot.solver.players.levels import SLY, Level, Question
from bot.ui.story.lines import say_to_come, score_with_tally
from bot.ui.text.faces import Faces
from bot.ui.text.names import join_words
from bot.ui.text.sentences import say

YOU: Seat = 0
Ask = Callable[[str], str]
Say = Callable[[str], None]

COURTS = ("A", "J", "Q", "K")
"""Letters that name no card in a game whose cards are numbers only."""

HOW_TO = 'Type your card and press Enter. Type "?" for the rules, or "quit" to leave.'
HOW_TO_SUIT = "Type ♦7 as D7 or 7D: C is clubs, D diamonds, H hearts, S spades."
HOW_TO_ACE = "You have one Ace. Type A- to play it low, or A+ to play it high."

_REFUSED: Mapping[str, Sentence] = {
    "suit-missing": "{card} needs its suit. {tip} Your cards are {hand}.",
    "choice-unknown": 'There is no card "{card}" in this game. {tip}',
    "seat-lacks-card": "You don't have {card}. Your cards: {hand}.",
    "seat-spent-card": "You have already played {card}. Your cards are {hand}.",
    "seat-lost-card": "{card} went to House when you swapped cards. Your cards are {hand}.",
    "seat-set-card-aside": "{card} is set aside until this {round} ends. Play another card.",
    "bid-too-small": Counted("A bid is 1 card now; you named {n}.", "A bid is {k} cards now; you named {n}.", by="k"),
    "bid-too-large": Counted(
        "One card at a time, and you named {n}.", "A bid is {k} cards, and you named {n}.", by="k"
    ),
    "same-card-twice": "You have {card} only once.",
    "prize-not-open": "{card} is not on view. Pick one of {cards}.",
    "ace-bare": "Say how your Ace counts: A- is low, A+ is high.",
}


class PlayerQuit(Exception):
    """The player has had enough."""


def house_names(levels: Sequence[Level]) -> list[str]:
    """Name house seats by their level; a number would be read as a score or a card."""
    if len(levels) == 1:
        return ["House"]
    before = [levels[:seat].count(level) for seat, level in enumerate(levels)]
    return [f"{level.name} {'I' * (n + 1)}" if n else level.name for level, n in zip(levels, before, strict=True)]


class TerminalMatch:
    """One person against house players, one question at a time."""

    def __init__(self, match: Match, ask: Ask, say: Say, shuffle: random.Random) -> None:
        self.match = match
        self.ask = ask
        self.say = say
        self.shuffle = shuffle
        self.levels = table_levels(SLY, match.rules, match.rules.seats - 1)
        self.names = ["You", *house_names(self.levels)]
        self.teller = Teller(match.rules, self.names, YOU)
        self.announced = (-1, 0, 0)
        """deal, round and bid of the last heading"""
        self.goal = ""

    def play(self) -> None:
        """The whole match; `PlayerQuit` comes through when the player quits."""
        self.introduce()
        while not self.match.over:
            if self.match.needs_deal:
                self.deal()
            elif self.match.has_choice:
                self.round()
            else:
                self.force()
        self.say(self.ending())

    @property
    def deal_state(self) -> State:
        assert self.match.state is not None
        return self.match.state

    def introduce(self) -> None:
        rules = self.match.rules
        topic = make_topic(rules, self.match.series)
        self.say(f"{topic.name}{f': {topic.title}' if topic.title else ''}")
        self.say(list_part_texts(topic, is_match=True)[0][1])
        if len(self.levels) > 1:
            others = zip(self.names[1:], self.levels, strict=True)
            told = [f"{name} ({level.explain(rules)})" for name, level in others]
            self.say(f"You play against {join_words(told)}.")
        self.say(HOW_TO)

    def deal(self) -> None:
        rules = self.match.rules
        previous = self.match.previous_deal()
        deal = rules.redeal(previous) if previous is not None else None
        if deal is None:
            pack = list(rules.pack())
            self.shuffle.shuffle(pack)
            deal = rules.deal(tuple(pack))
        number = self.match.deal_number + 1
        if self.match.series.mode != "single":
            self.say(f"\n=== Deal {number} ({self.match.series}) ===")
        self.follow(self.match.begin(deal))
        if number == 1:
            self.explain_typing(self.match.prompts())

    def explain_typing(self, prompts: Iterable[Prompt]) -> None:
        mine = next((prompt.options for prompt in prompts if prompt.seat == YOU), ())
        if any(map(suit, mine)):
            self.say(HOW_TO_SUIT)
        if ACE_HIGH in mine:
            self.say(HOW_TO_ACE)

    # --- a round -----------------------------------------------------------------------------------------

    def round(self) -> None:
        """Show what you may see, let the house seal, ask you, reveal."""
        prompts = {prompt.seat: prompt for prompt in self.match.prompts()}
        choices = {seat: self.house_choice(seat) for seat in prompts if seat != YOU}
        seen = observe(self.deal_state, YOU)
        self.announce(seen)
        if YOU in prompts:
            self.show_hands(seen)
            if choices:
                sealed = self.teller.seats(choices)
                self.say(f"{sealed} {'has' if len(choices) == 1 else 'have'} sealed.")
            choices[YOU] = self.choose(prompts[YOU])
        self.follow(self.match.resolve(choices))

    def house_choice(self, seat: Seat) -> Choice:
        """Ask the level that sits there, as the referee does."""
        match, chance = self.match, Chance(self.shuffle.randbytes(32))
        past = tuple(observe(deal, seat) for deal in match.finished)
        seen = observe(self.deal_state, seat)
        return self.levels[seat - 1].mind(Question(match.rules, match.series, seen, past, chance))

    def force(self) -> None:
        """Play the only choice of every seat."""
        if self.announce(observe(self.deal_state, YOU)):
            self.say("Nobody has a choice left: the last cards are played.")
        self.follow(self.match.force())

    def announce(self, seen: Observation) -> bool:
        """Show a round once: its number, its prize, what is still to come, and the score.

        Return False for a pick in the same round, and for another bid of house seats only.
        """
        place = (self.match.deal_number, seen.number, seen.sub_round)
        if place == self.announced or (seen.sub_round and YOU not in seen.awaited):
            return False
        self.announced = place
        self.say(f"\n--- Round {seen.number}{f', {ordinal(seen.sub_round + 1)} bid' if seen.sub_round else ''} ---")
        lines = (
            self.prize_line(seen),
            self.coming_line(seen),
            f"Score: {self.scores(seen.scores, seen.tallies)}",
            self.won_line(seen),
            self.goal_line(seen),
        )
        for line in filter(None, lines):
            self.say(line)
        return True

    def won_line(self, seen: Observation) -> str:
        """Return the won cards of each seat, where a score does not tell them."""
        sale = self.match.rules.sale
        if sale is None or sale.additive or not any(seen.won):
            return ""
        piles = zip(self.names, seen.won, strict=True)
        return f"Won so far: {', '.join(f'{name} {self.teller.cards(pile)}' for name, pile in piles if pile)}"

    def goal_line(self, seen: Observation) -> str:
        """Return what you play for, when it is new, and at first what cards are worth."""
        goal = self.match.rules.goal(seen.won[YOU])
        if goal == self.goal:
            return ""
        values = "" if self.goal else self.match.rules.card_values
        self.goal = goal
        return f"Goal: {goal}." + (f"\nValues: {values}" if values else "")

    def prize_line(self, seen: Observation) -> str:
        up, sale = self.teller.cards(seen.exposed), self.match.rules.sale
        shown = Faces(self.match.rules)
        if shown.is_signed and len(seen.exposed) == 1 and not seen.pot:
            return shown.prizes(seen.exposed)
        pot = self.teller.cards(seen.pot)
        if sale is None:
            return ""
        if not up:
            return f"The prize is face down: bid first, then it is turned.{f' In the pot: {pot}.' if pot else ''}"
        if sale.open:
            return f"On view: {up}"
        worth = "" if seen.worth is None else format_points(seen.worth)
        told = f", worth {worth}" if worth and (pot or worth != up) else ""
        return f"{'Prize' if len(seen.exposed) == 1 else 'Prizes'} {up}{f' + pot ({pot})' if pot else ''}{told}"

    def coming_line(self, seen: Observation) -> str:
        if not seen.stock_left or (seen.exposed and not self.match.has_choice):
            return ""
        if seen.to_come is None:
            return say("cards-to-come-count", n=seen.stock_left)
        if seen.in_order:
            return say("cards-to-come-order", cards=self.teller.cards(seen.to_come))
        rounds = self.match.rules.rounds(self.deal_state.deal)
        return say_to_come(
            "cards-to-come", seen, rounds, self.teller.cards(Faces(self.match.rules).sort_coming(seen.to_come))
        )

    def show_hands(self, seen: Observation) -> None:
        prompt = seen.prompt
        assert prompt is not None
        if prompt.kind is Kind.PICK:
            self.say(f"Pick one of: {self.shown(prompt.options)}")
            return
        for seat, hand in enumerate(seen.hands):
            if seat != YOU and hand:
                self.say(f"{self.names[seat]}: {self.teller.cards(hand)}")
        own = seen.hands[YOU] or ()
        by_rank = not any(map(suit, prompt.options)) and any(map(suit, own))  # cards of a rank are bid as one
        self.say(f"Your cards: {self.teller.cards(own) if by_rank else self.shown(prompt.options)}")

    def shown(self, cards: Iterable[Card]) -> str:
        """Return cards as they can be typed; a declared Ace is shown as A- or A+."""
        return " ".join(
            str(card) if card in (ACE_LOW, ACE_HIGH) else faces((card,), self.teller.has_court_letters)
            for card in cards
        )

    # --- your choice -------------------------------------------------------------------------------------

    def choose(self, prompt: Prompt) -> Choice:
        """Ask until the answer is legal; a refusal says why and changes nothing."""
        wanted = "pick" if prompt.kind is Kind.PICK else "bid" if prompt.size == 1 else f"{prompt.size} cards"
        while True:
            words = self.ask(f"Your {wanted}> ").replace(",", " ").split()
            match [word.lower() for word in words]:
                case []:
                    self.say(self.example(prompt))
                case ["quit"] | ["exit"]:
                    raise PlayerQuit
                case ["?"] | ["help"] | ["rules"]:
                    self.rules()
                case _:
                    try:
                        return self.read(prompt, words)
                    except RuleError as refusal:
                        self.say(self.sentence(refusal, prompt))

    def read(self, prompt: Prompt, words: Sequence[str]) -> Choice:
        """Read a bid or a pick; raise a refusal for what the rules do not take."""
        rules, cards = self.match.rules, [read_card(word) for word in words]
        for word, card in zip(words, cards, strict=True):
            named = word.upper() in COURTS and not rules.has_court_letters
            if card is None or named or rules.read_card(card) is None:
                bare = isinstance(card, int) and card in STANDARD and any(map(suit, prompt.options))
                raise Unreadable("suit-missing", card=word.upper()) if bare else Unreadable("choice-unknown", card=word)
        if prompt.kind is Kind.PICK and len(cards) > 1:
            raise Illegal("bid-too-large", k=1, n=len(cards))
        choice = rules.read_choice(self.deal_state, YOU, {"pick": cards[0]} if prompt.kind is Kind.PICK else cards)
        rules.check_choice(self.deal_state, YOU, choice)
        return choice

    def sentence(self, refusal: RuleError, prompt: Prompt) -> str:
        data = {key: printable(value) for key, value in refusal.data.items()}
        data |= {"hand": self.shown(prompt.options), "tip": self.example(prompt)}
        sentence = _REFUSED.get(refusal.id)
        return sentence.format(**data) if sentence else str(refusal)

    def example(self, prompt: Prompt) -> str:
        """Say what can be typed, with cards that this seat holds."""
        first = prompt.options[: prompt.size]
        cards = " ".join(str(card) if suit(card) else self.shown([card]) for card in first)
        of = "the prizes on view" if prompt.kind is Kind.PICK else "your cards"
        return f"Type {'one' if prompt.size == 1 else prompt.size} of {of}, for example {cards}."

    def rules(self) -> None:
        """The rules of this match, with its options, and how to type."""
        for title, text in list_part_texts(make_topic(self.match.rules, self.match.series), is_match=True):
            self.say(f"{title}: {text}")
        self.say(f"{EXAMPLE_TITLE}:\n{play_example(self.match.rules)}")
        self.say(HOW_TO)

    # --- what happened -----------------------------------------------------------------------------------

    def follow(self, step: tuple[Match, tuple[Event, ...]]) -> None:
        finished = len(self.match.finished)
        self.match, events = step
        deal_over = len(self.match.finished) > finished
        if self.match.rules.hides_bids and not deal_over:
            events = tuple(event for event in redact(events, YOU) if not isinstance(event, BidsRevealed))
        for event in events:
            told = replace(event, forced=()) if isinstance(event, BidsRevealed) else event
            sentence = self.teller.tell(told)
            if sentence and not (event is events[-1] and isinstance(event, PrizeRevealed)):  # else it is asked with it
                self.say(f"{sentence.removesuffix(':')}." if sentence.endswith(":") else sentence)
        if deal_over and self.match.rules.hides_bids:
            self.open_bids()
        if deal_over and self.match.series.mode != "single":
            self.tell_deal()

    def open_bids(self) -> None:
        """Show the bids of a deal in which they were hidden until its end."""
        self.say("All bids of this deal:")
        for number, played in enumerate(self.match.finished[-1].rounds, 1):
            self.say(f"{number}. For {self.teller.cards(played.prizes)}: {self.teller.bids(played.bids)}")

    def tell_deal(self) -> None:
        """Show the result of the deal that has just ended, and how the match stands."""
        state, number = self.match.finished[-1], len(self.match.finished)
        self.say(f"Deal {number} is over: {self.scores(state.rules.score(state), state.rules.tallies(state))}")
        if number > 1 and not self.match.over:
            self.say(self.total())

    def total(self) -> str:
        match = self.match
        if match.series.mode in ("best-of", "first-to") or match.rules.by_wins:
            return f"Deals won: {self.scores(count_wins(match.results))}"
        return f"All deals: {self.scores(match.totals)}"

    def scores(self, points: Sequence[Points], tallies: Sequence[str] = ()) -> str:
        return ", ".join(
            f"{name} {score_with_tally(points[seat], tallies, seat)}" for seat, name in enumerate(self.names)
        )

    def ending(self) -> str:
        match, winner = self.match, self.match.outcome().winner
        result = "A draw." if winner is None else f"{self.teller.does(winner, 'win')}."
        if match.rules.least_wins and winner is not None:
            result = f"{result} Fewest points win."
        if match.series.mode != "single":
            return f"\n{result} {self.total()}"
        last = match.finished[-1]
        return f"\n{result} {self.scores(match.totals, last.rules.tallies(last))}"
