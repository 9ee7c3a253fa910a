"""What a coach says: of a bid that is open, and of one that was made."""

from collections.abc import Mapping

from bot.engine.counted import Counted, Sentence

COACHING: Mapping[str, Sentence] = {
    "hint": "Hint",
    "what-was-that": "What was that?",
    "hint-late": "That round is over. *What was that?* tells what it came to.",
    "hint-nothing-yet": "No round with a choice was played yet.",
    "hint-practice": "The coach helps in practice alone.",
    "no-hint": "I know no exact play here.",
    "hinted": Counted("{name} asked for 1 hint.", "{name} asked for {n} hints.", "n"),
    "hint-title": "**Round {n}**, best mix: {mix}.",
    "hint-title-near": "**Round {n}**, best mix, nearly: {mix}.",
    "hint-win": "With best play on both sides you win {chance} of the time, a draw as half.",
    "hint-points": "With best play on both sides this is worth {value} points to you from here on.",
    "hint-only": "Only the {card} is right here.",
    "hint-never": "{card} is never right here: {other} does at least as well, whatever is bid.",
    "hint-costs": "Dearest is {card}: it gives up {cost}.",
    "hint-chance": "Every card of the mix does equally well against best play."
    " Let chance choose: who can be foreseen can be beaten.",
    "past-title": "**Round {n}**: you bid {card} against {other}. Best mix: {mix}.",
    "past-title-near": "**Round {n}**: you bid {card} against {other}. Best mix, nearly: {mix}.",
    "past-win": "Before the bids you would win {before} of the time, after them {after}.",
    "past-points": "Before the bids {before} points were to be expected from there on, after them {after}.",
    "past-cards": "Against {other} your cards would have come to: {list}.",
    "past-card": "{card} {value}",
    "past-bid": "**{card} {value}**",
    "past-right": "Your {card} belongs to the best mix.",
    "past-never": "A {card} was never right here: the {other} does at least as well, whatever is bid.",
    "past-cost": "Against best play the {card} gave up {cost}; {other} gives up nothing.",
    "past-free": "The {card} is no part of the best mix, but gave up nothing against best play.",
    "cost-chance": "{share} % of the chance to win",
    "cost-points": "{points} points",
}
