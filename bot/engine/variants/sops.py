"""SOPS, by John Conway (rules.md 4.4): classic, and a tie switches the hands."""

from bot.engine.auction.auction import Auction
from bot.engine.counted import Counted
from bot.engine.guide import Guide, Note
from bot.engine.options import Number, OneOf, Options, Switch
from bot.engine.rules import Game, Rules

TIES = {
    "carry": "The prize stays in the pot",
    "discard": "Nobody gets the prize",
    "split": "The prize is split",
}
TIE_WORDS = {
    "carry": "ties: the prize stays in the pot",
    "discard": "ties: nobody gets the prize",
    "split": "ties: the prize is split",
}


def build(game: Game, seats: int, options: Options) -> Rules:
    suit = tuple(range(1, options["cards"] + 1))
    ties = options["ties"]
    return Auction(game, seats, options, hand=suit, prizes=suit, ties=ties, swap=True, shows_margin=options["margin"])


GAME = Game(
    key="sops",
    name="SOPS",
    title="For two: after a tie you swap your cards",
    seats=(2, 2),  # RULING S1
    sections=("4.4",),
    options=(
        Number("cards", "How many cards each hand has", 2, 25, 13, "cards-range", Counted("1 card", "{n} cards")),
        # RULING S3
        OneOf("ties", "What happens to a prize when the cards are equal", TIES, "carry", TIE_WORDS),
        Switch("margin", "Scores as a difference: what one gains the other loses", words="scores as a difference"),
    ),
    margin="With two players, scores can also be a difference. The winner of a round gains its value and the other"
    " player loses it; a tie is 0. This never changes who wins.",
    build=build,
    excludes=(
        ("info", "win-only", "swap-win-only"),  # RULING S4
        ("ties", "rebid", "swap-rebid"),  # RULING S3
        ("open", "draft", "open-swap"),
        ("open", "row", "open-swap"),
    ),
    guide=Guide(
        line="Classic GOPS for two, but after a tie you swap all your cards.",
        round="Both hold A (1) to K (13), and the prizes are the same cards. A prize is turned up, both players"
        " choose a card in secret, both cards are revealed, and the higher takes the prize.",
        ties="On a tie both cards are gone. Then both players swap their cards, and the next prize is turned up."
        " The tied prize stays in the pot, unless you choose another rule for ties.",
        winning="A prize is worth its rank. Most points after the last round wins.",
        example="You both hold 1 2 3. For the prize 2 you bid 2 against 1, and take it. For the prize 3 you both bid 3:"
        " a tie, so it stays in the pot. You have the 1 left and the other player the 2. Now you swap these cards:"
        " your 2 beats the 1, and you take the last prize and the pot, 1 + 3.",
    ),
    notes=(
        Note("cards", None, "round", "", swaps=(("A (1) to K (13)", "{low} to {high}"),)),
        Note(
            "ties",
            "carry",
            "ties",
            "On a tie both cards are gone. Then both players swap their cards, and the prize stays in the pot.",
            True,
        ),
        Note(
            "ties",
            "discard",
            "ties",
            "On a tie both cards are gone. Then both players swap their cards, and nobody gets the prize.",
            True,
        ),
        Note(
            "ties",
            "split",
            "ties",
            "On a tie both cards are gone. Then both players swap their cards, and each scores half of the prize.",
            True,
        ),
        Note("margin", True, "winning", "Scores are shown as a difference: +7 means 7 more. Nothing else changes."),
    ),
    tips=(
        "With the worse hand, a tie is worth more than a small prize.",
        "With the better hand, avoid the cards that your opponent may also bid.",
        "Your opponent may get the cards that you keep: don't save them for nothing.",
    ),
)
