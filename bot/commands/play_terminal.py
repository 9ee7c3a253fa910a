"""A match in the terminal against the house, through the same engine as everywhere else."""

import random
from collections.abc import Callable, Mapping

from bot.engine.cards import Card, Seat, face, faces, spoken
from bot.engine.choices import Choice, Kind, Prompt
from bot.engine.counted import Counted, Sentence
from bot.engine.events import Event, PrizeRevealed
from bot.engine.match import Match
from bot.engine.refusals import Refusal
from bot.engine.state import State
from bot.engine.transcript import Teller
from bot.engine.view import Observation, observe
from bot.engine.wording import series_told
from bot.solver.simple import matcher

YOU: Seat = 0
Ask = Callable[[str], str]
Say = Callable[[str], None]


_REFUSED: Mapping[str, Sentence] = {
    "choice-unknown": "I cannot read {card}. Type a card such as A, 10 or K; ? shows the rules.",
    "seat-lacks-card": "You do not hold {card}. Your cards are {hand}.",
    "seat-spent-card": "You spent {card} already. Your cards are {hand}.",
    "seat-set-card-aside": "{card} lies aside until this round ends. Bid another card.",
    "bid-too-small": Counted("A bid is 1 card now; you named {n}.", "A bid is {k} cards now; you named {n}.", by="k"),
    "bid-too-large": Counted(
        "One card at a time, and you named {n}.", "A bid is {k} cards, and you named {n}.", by="k"
    ),
    "prize-not-open": "{card} is not on view. Pick one of {cards}.",
    "ace-bare": "Say how your Ace counts: A- is low, A+ is high.",
}


class Enough(Exception):
    """The player has had enough."""


class Sitting:
    """One person against house players, one question at a time."""

    def __init__(self, match: Match, ask: Ask, say: Say, shuffle: random.Random) -> None:
        self.match = match
        self.ask = ask
        self.say = say
        self.shuffle = shuffle
        seats = match.rules.seats
        names = ["You", *(["House"] if seats == 2 else [f"House {seat}" for seat in range(1, seats)])]
        self.names = names
        self.teller = Teller(match.rules, names, YOU)

    def play(self) -> None:
        """The whole match; `Enough` comes through when the player quits."""
        rules = self.match.rules
        self.say(f"{rules.game.name}: {rules.game.guide.line}")
        self.say("Type a card to seal it, ? for the rules, q to leave.")
        while not self.match.over:
            if self.match.needs_deal:
                self.deal()
            elif self.match.choice_left:
                self.round()
            else:
                self.follow(self.match.force())
        self.say(self.ending())

    @property
    def deal_state(self) -> State:
        assert self.match.state is not None
        return self.match.state

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

    def round(self) -> None:
        """Show what you may see, let the house seal, ask you, reveal."""
        state = self.deal_state
        prompts = {prompt.seat: prompt for prompt in self.match.prompts()}
        choices: dict[Seat, Choice] = {}
        for seat in prompts:
            if seat != YOU:
                # Always bidding the very rank would be read at once.
                nudge = self.shuffle.choice((-1, 0, 0, 1))
                choices[seat] = matcher(self.match.rules, observe(state, seat), off=nudge)
        if YOU in prompts:
            self.show(observe(state, YOU))
            if choices:
                sealed = ", ".join(self.names[seat] for seat in choices)
                self.say(f"{sealed} {'has' if len(choices) == 1 else 'have'} sealed.")
            choices[YOU] = self.choose(prompts[YOU])
        self.follow(self.match.resolve(choices))

    def show(self, seen: Observation) -> None:
        court = self.teller.court
        again = f", re-bid {seen.sub_round}" if seen.sub_round else ""
        self.say(f"\n--- Round {seen.number}{again} ---")
        if seen.exposed:
            worth = f", worth {spoken(seen.worth)}" if seen.worth is not None and not seen.turns else ""
            pot = f" with a pot of {faces(seen.pot, court)}" if seen.pot else ""
            self.say(f"Prize {faces(seen.exposed, court)}{pot}{worth}")
        elif seen.stock_left:
            self.say("The prize is face down: bid first, then it is turned.")
        score = ", ".join(f"{name} {spoken(points)}" for name, points in zip(self.names, seen.scores, strict=True))
        self.say(f"Score: {score}")
        for seat, hand in enumerate(seen.hands):
            if seat != YOU and hand is not None:
                self.say(f"{self.names[seat]}: {faces(hand, court)}")
        prompt = seen.prompt
        assert prompt is not None
        what = "Pick one of" if prompt.kind is Kind.PICK else "Your cards"
        self.say(f"{what}: {' '.join(_typed(card, court) for card in prompt.options)}")

    def choose(self, prompt: Prompt) -> Choice:
        """Ask until the answer is legal; a refusal says why and changes nothing."""
        state = self.deal_state
        rules = self.match.rules
        wanted = "pick" if prompt.kind is Kind.PICK else "bid" if prompt.size == 1 else f"{prompt.size} cards"
        while True:
            words = self.ask(f"Your {wanted}> ").replace(",", " ").split()
            if words in (["q"], ["quit"]):
                raise Enough
            if words == ["?"]:
                self.rules()
                continue
            try:
                values = [_read(word) for word in words]
                value: object = values[0] if len(values) == 1 else values
                if prompt.kind is Kind.PICK:
                    value = {"pick": value}
                choice = rules.read_choice(state, YOU, value)
                rules.check_choice(state, YOU, choice)
            except Refusal as refusal:
                sentence = _REFUSED.get(refusal.id)
                self.say(sentence.format(**refusal.data) if sentence else f"No: {refusal}")
                continue
            return choice

    def rules(self) -> None:
        for title, text in self.match.rules.game.guide.parts:
            more = series_told(self.match.series, self.match.rules) if title == "Winning" else ""
            self.say(f"{title}: {text}{f' {more}' if more else ''}")

    def follow(self, step: tuple[Match, tuple[Event, ...]]) -> None:
        self.match, events = step
        for event in events:
            sentence = self.teller.tell(event)
            if sentence and not (event is events[-1] and isinstance(event, PrizeRevealed)):  # else it is asked with it
                self.say(sentence)

    def ending(self) -> str:
        outcome = self.match.outcome()
        score = ", ".join(
            f"{name} {spoken(points)}" for name, points in zip(self.names, self.match.totals, strict=True)
        )
        if outcome.winner is None:
            return f"\nA draw. {score}"
        return f"\n{'You win' if outcome.winner == YOU else f'{self.names[outcome.winner]} wins'}. {score}"


def _read(word: str) -> object:
    """A typed card as the record writes it."""
    word = word.upper().replace("−", "-")
    if word == "JK":
        return "Jk"
    number = word.removeprefix("-")
    return int(word) if number.isascii() and number.isdigit() and len(number) < 4 else word


def _typed(card: Card, court: bool) -> str:
    """A card as it is typed, with letters for ranks where the game shows them."""
    return card if isinstance(card, str) else face(card, court).replace("−", "-")
