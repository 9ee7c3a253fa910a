"""SOPS, by John Conway (rules.md 4.4): classic, and a tie switches the hands."""

from bot.engine.auction.auction import Auction
from bot.engine.counted import Counted
from bot.engine.guide import Guide, Note
from bot.engine.options import Number, OneOf, Options, Switch
from bot.engine.rules import Game, Rules

TIES = {
    "carry": "Carried: it joins the next prize",
    "discard": "Discarded: nobody gets it",
    "split": "Split among the tied",
}
TIE_WORDS = {"carry": "ties carried", "discard": "ties discarded", "split": "ties split"}


def build(game: Game, seats: int, options: Options) -> Rules:
    suit = tuple(range(1, options["cards"] + 1))
    ties = options["ties"]
    return Auction(game, seats, options, hand=suit, prizes=suit, ties=ties, swap=True, shows_margin=options["margin"])


GAME = Game(
    key="sops",
    name="SOPS",
    title="Classic for two, but a tie switches the hands",
    seats=(2, 2),  # RULING S1
    sections=("4.4",),
    options=(
        Number("cards", "How many cards each hand has", 2, 25, 13, "cards-range", Counted("1 card", "{n} cards")),
        # RULING S3
        OneOf("ties", "What happens to a prize when the bids are equal", TIES, "carry", TIE_WORDS),
        Switch("margin", "Scores as a difference: what one gains the other loses", words="scores as a difference"),
    ),
    margin="Two-handed scores can also be told as a difference: whoever wins a round gains its value and the other"
    " loses it, a tie is 0. It never changes who wins.",
    build=build,
    excludes=(
        ("info", "win-only", "swap-win-only"),  # RULING S4
        ("ties", "rebid", "swap-rebid"),  # RULING S3
        ("open", "draft", "open-swap"),
        ("open", "row", "open-swap"),
    ),
    guide=Guide(
        line="Classic GOPS for two, but whenever the bids are equal the two of you exchange your hands.",
        round="Both hold A (1) to K (13), and the prizes are the same. A prize is turned, both seal a card, both are"
        " revealed, and the higher takes the prize.",
        ties="On a tie both cards are spent first, then the hands change places, then the next prize is turned."
        " The tied prize is carried to the next one unless you agreed otherwise.",
        winning="A prize is worth its rank. Most points after the last round wins.",
        example="Three cards each, prizes 2 3 1. A 2 beats a 1 and takes the 2. Then 3 and 3 tie: the hands 1 and"
        " 2 change owners, and whoever was behind now bids the 1 against your 2 for 3 + 1.",
    ),
    notes=(
        Note("cards", None, "round", "", swaps=(("A (1) to K (13)", "{low} to {high}"),)),
        Note(
            "ties",
            "carry",
            "ties",
            "On a tie both cards are spent first, then the hands change places, and the prize joins the next one.",
            True,
        ),
        Note(
            "ties",
            "discard",
            "ties",
            "On a tie both cards are spent first, then the hands change places, and nobody gets the prize.",
            True,
        ),
        Note(
            "ties",
            "split",
            "ties",
            "On a tie both cards are spent first, then the hands change places, and each scores half of the prize.",
            True,
        ),
        Note("margin", True, "winning", "Scores are told as a difference: +7 is 7 more. It changes nothing else."),
    ),
    tips=(
        "With the worse hand a tie is worth more than a small prize.",
        "With the better hand avoid the cards that the other would match.",
        "What you leave yourself may be what the other plays with: do not hoard for nothing.",
    ),
)
