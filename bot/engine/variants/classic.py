"""Classic GOPS and its family (rules.md 2.1 to 2.8): equal hands 1..N bid for the prizes 1..N."""

from collections import Counter

from bot.engine.auction.auction import Auction
from bot.engine.counted import Counted
from bot.engine.guide import Guide, Note, Tip
from bot.engine.options import CardList, Number, OneOf, Options, Switch
from bot.engine.refusals import BadSetup
from bot.engine.rules import Game, Rules

TIES = {
    "discard": "Nobody gets the prize",
    "carry": "The prize stays in the pot",
    "split": "The prize is split",
    "unique-carry": "Equal cards don't count; all tied: the prize stays in the pot",
    "unique-discard": "Equal cards don't count; all tied: nobody gets the prize",
}
TIE_WORDS = {
    "discard": "ties: nobody gets the prize",
    "carry": "ties: the prize stays in the pot",
    "split": "ties: the prize is split",
    "unique-carry": "equal cards don't count (all tied: the prize stays in the pot)",
    "unique-discard": "equal cards don't count (all tied: nobody gets the prize)",
}

OPTIONS = (
    # RULING N1: a hand of one card always ties and is for tests only.
    Number("cards", "How many cards each hand has", 2, 25, 13, "cards-range", Counted("1 card", "{n} cards")),
    # RULING G1: discard is the preset for two; RULING M3: unique-carry for more.
    OneOf("ties", "What happens to a prize when the highest cards are equal", TIES, None, TIE_WORDS),
    OneOf(
        "order",
        "The order of the prizes",
        {
            "random": "Shuffled and hidden",
            "ascending": "1, 2, 3 ..., known to all",  # RULING P1
            "descending": "N ... 3, 2, 1, known to all",
            "custom": "As listed, known to all",
            "random-public": "Shuffled, then shown before round 1",
        },
        "random",
        {
            "random": "prizes shuffled",
            "ascending": "prizes from low to high",
            "descending": "prizes from high to low",
            "custom": "prizes in a listed order",
            "random-public": "prize order shown",
        },
    ),
    CardList("prizes", "The prizes of a custom order", words="prizes in the order {n}", implies=("order", "custom")),
    Switch("blind", "Bid before the prize is turned", words="blind bids"),
    Number(
        "bid_cards", "How many cards make a bid", 1, 3, 1, "bid-cards-range", Counted("1 card a bid", "{n} cards a bid")
    ),
    OneOf(
        "remainder",
        "Cards left over when a bid takes several",
        {"drop": "Never used", "short-last": "Bid together in one more round"},
        "drop",
        {"drop": "left-over cards never used", "short-last": "a short last bid"},
    ),
    OneOf(
        "open",
        "Open prizes",
        {
            "none": "One prize at a time",
            "draft": "One prize for each player, picked in order of bids",
            "row": "A row of prizes, the winner picks one",
        },
        "none",
        {"none": "one prize at a time", "draft": "open prizes", "row": "a row of prizes"},
    ),
    Number(
        "row_size",
        "Prizes on view in an open row",
        1,
        25,
        None,
        "row-size",
        Counted("1 prize on view", "{n} prizes on view"),
        ("open", "row"),
    ),
    OneOf(
        "info",
        "What you see after a round",
        {
            "full": "All bids",
            "win-only": "Only the winner; bids stay hidden until the deal ends",
            "memory": "All bids, but only once: remember what the others have left",
        },
        "full",
        {"full": "all bids shown", "win-only": "win-only", "memory": "bids shown once"},
    ),
    OneOf(
        "aim",
        "Who wins",
        {"most": "Most points", "least": "Fewest points (misère)"},
        "most",
        {"most": "most points win", "least": "fewest points win"},
    ),
    Switch("clinch", "End a deal as soon as nobody can catch up", words="early win"),
    Switch("margin", "Scores as a difference: what one gains the other loses", words="scores as a difference"),
    OneOf(
        "suits",
        "The suit of the prizes",
        {"diamonds": "♦ diamonds", "spades": "♠ spades", "hearts": "♥ hearts", "clubs": "♣ clubs"},
        "diamonds",
        {suit: f"prizes in {suit}" for suit in ("diamonds", "spades", "hearts", "clubs")},
    ),
)


CARRIED, DISCARDED = ("carry", "unique-carry"), ("discard", "unique-discard")

NOTES = (
    Note("cards", None, "round", "", swaps=(("A (1) to K (13)", "{low} to {high}"),)),
    Note("ties", "discard", "ties", "When the highest cards are equal, nobody gets the prize.", True),
    Note(
        "ties",
        "carry",
        "ties",
        "When the highest cards are equal, the prize stays in the pot: the next winner takes it too. Nobody gets what"
        " is in the pot after the last round.",
        True,
    ),
    Note("ties", "split", "ties", "Players who tie for the highest card split the prize's points equally.", True),
    Note(
        "ties",
        "unique-carry",
        "ties",
        "Equal cards don't count: the highest other card wins. If every card is tied, the prize stays in the pot: the"
        " next winner takes it too.",
        True,
    ),
    Note(
        "ties",
        "unique-discard",
        "ties",
        "Equal cards don't count: the highest other card wins. If every card is tied, nobody gets the prize.",
        True,
    ),
    Note("order", "ascending", "round", "The prizes come from the lowest to the highest."),
    Note("order", "descending", "round", "The prizes come from the highest to the lowest."),
    Note("order", "custom", "round", "The prizes come in a listed order that everybody knows."),
    Note("order", "random-public", "round", "The order of the shuffled prizes is shown before the first round."),
    Note("prizes", None, "round", "Their order: {n}."),
    Note(
        "blind",
        True,
        "round",
        "",
        swaps=(
            ("A prize is turned up, everybody chooses", "Everybody chooses"),
            ("in secret, and the highest", "in secret, then a prize is turned up, and the highest"),
            ("The top card of the prize pile is turned up, each player chooses", "Each player chooses"),
            ("in secret, and all", "in secret, then the top card of the prize pile is turned up, and all"),
        ),
    ),
    Note(
        "bid_cards",
        None,
        "round",
        "Cards that are left over are never used.",
        swaps=(("one card", Counted("1 card", "{n} cards")), ("highest card", "highest sum")),
    ),
    Note(
        "remainder",
        "short-last",
        "round",
        "",
        swaps=(("Cards that are left over are never used.", "Cards left over are bid together in one more round."),),
        where=("bid_cards", (2, 3)),
    ),
    Note(
        "open",
        "draft",
        "round",
        "Every prize is in the pile once for each player.",
        swaps=(
            ("A prize is turned up", "A prize for every player lies open"),
            ("takes the prize.", "picks one first."),
            ("The top card of the prize pile is turned up", "As many prizes lie open as there are players"),
            ("wins the prize; every", "picks one of them first, then the next; every"),
        ),
    ),
    Note("open", "draft", "ties", "Players with equal cards get no pick.", True),
    Note("open", "draft", "ties", "Prizes that nobody picks stay on the table.", where=("ties", CARRIED)),
    Note("open", "draft", "ties", "Prizes that nobody picks are out of play.", where=("ties", DISCARDED)),
    Note(
        "open",
        "row",
        "round",
        "",
        swaps=(
            ("A prize is turned up", "Prizes lie open in a row"),
            ("takes the prize.", "picks one."),
            ("The top card of the prize pile is turned up", "Three prizes lie open in a row"),
            ("wins the prize; every", "picks one of them, and the row is filled up again; every"),
        ),
    ),
    Note("open", "row", "ties", "Equal cards don't count: the highest other card picks.", True),
    Note("open", "row", "ties", "If every card is tied, the row stays.", where=("ties", CARRIED)),
    Note(
        "open",
        "row",
        "ties",
        "If every card is tied, nobody gets the oldest prize of the row.",
        where=("ties", DISCARDED),
    ),
    Note(
        "row_size",
        None,
        "round",
        "",
        swaps=(("Three prizes lie", Counted("1 prize lies", "{n} prizes lie")),),
        where=("open", ("row",)),
    ),
    Note(
        "info",
        "win-only",
        "round",
        "Bids stay hidden until the deal ends.",
        swaps=(("all cards are revealed at the same time", "only the winner is shown"),),
    ),
    Note(
        "info",
        "memory",
        "round",
        "You see bids only once, when they are revealed; then they are hidden until the deal ends. Remember them.",
    ),
    Note(
        "aim",
        "least",
        "winning",
        "A prize is worth its rank. Fewest points after the last round wins.",
        True,
        swaps=(("takes the prize.", "takes the prize; fewest points win."),),
    ),
    Note("clinch", True, "winning", "The deal ends as soon as nobody can catch up with the leader."),
    Note("margin", True, "winning", "Scores are shown as a difference: +7 means 7 more. Nothing else changes."),
    *(Note("suits", suit, "round", f"The prizes are the {suit}.") for suit in ("spades", "hearts", "clubs")),
)


TURNED = {"blind": (False,), "open": ("none",)}
"""A single prize is turned before the bids."""
TO_TAKE, TO_AVOID = TURNED | {"aim": ("most",)}, TURNED | {"aim": ("least",)}
BY_RANK = {"bid_cards": (1,), "ties": ("discard", "split")}
"""one card is bid, and no prize waits in a pot"""
BIDS_SEEN = {"info": ("full", "memory")}
PAIR, MORE = (2,), tuple(range(3, 9))

TIPS = (
    Tip(
        "A good start: bid the card of the same rank as the prize. It is also the best answer to a player who bids at"
        " random.",
        TO_TAKE | BY_RANK,
        PAIR,
    ),
    Tip(
        "If your opponent bids the prize's rank every time, bid one more; for the highest prize use your lowest card.",
        TO_TAKE | {"bid_cards": (1,), "cards": tuple(range(4, 26))},
        PAIR,
    ),
    Tip("Count the pot with the prize: bid for what both are worth together.", TO_TAKE | {"ties": CARRIED}),
    Tip(
        "Watch what cards the others have left. If none of them beats a card of yours, keep it for a high prize.",
        TO_TAKE | BIDS_SEEN | {"bid_cards": (1,)},
    ),
    Tip(
        "Win a prize by one rank, or lose it with your lowest card: that costs least.",
        TO_TAKE | {"bid_cards": (1,)},
    ),
    Tip("A sum that wins by 1 is as good as a sum that wins by 10.", TO_TAKE | {"bid_cards": (2, 3)}),
    Tip(
        "Equal cards don't count, so the card that everybody expects is a poor one: the card just below it often wins.",
        TO_TAKE | {"ties": ("unique-carry", "unique-discard")},
        MORE,
    ),
    Tip("If fewest points win, use your high cards on small prizes.", TO_AVOID),
    Tip(
        "A good start: your lowest card for the highest prize, your highest card for the lowest. It is also the best"
        " answer to a player who bids at random.",
        TO_AVOID | BY_RANK,
        PAIR,
    ),
    Tip(
        "Watch your opponent's cards: a card below all of them never takes a prize. Keep it for a high prize.",
        TO_AVOID | BIDS_SEEN | {"bid_cards": (1,)},
        PAIR,
    ),
    Tip("Count the pot with the prize: the more both are worth, the lower you bid.", TO_AVOID | {"ties": CARRIED}),
    Tip(
        "If you bid before the prize is turned up, bid at random: then no plan can beat you on average.",
        {"blind": (True,)} | BY_RANK,
        PAIR,
    ),
    Tip(
        "Keep high cards for rounds with a pot: then you know that there is something to win.",
        {"blind": (True,), "aim": ("most",), "ties": CARRIED},
    ),
    Tip(
        "When there is a pot, bid low: then you know that there is something to avoid.",
        {"blind": (True,), "aim": ("least",), "ties": CARRIED},
    ),
    Tip(
        "The higher bid only picks first: if both prizes are nearly equal, a low card is enough.",
        {"open": ("draft",)},
        PAIR,
    ),
    Tip("Think ahead: the prizes that you leave stay for the next round.", {"open": ("row",)}),
    Tip(
        "You see only who won, so remember your own bids: if your low card won, theirs was even lower.",
        {"info": ("win-only",), "bid_cards": (1,)},
        PAIR,
    ),
    Tip(
        "If you bid high cards only on high prizes, others can read you. Now and then bid a King on a low prize.",
        TO_TAKE | {"bid_cards": (1,), "cards": (13,)},
    ),
    Tip(
        "Your Ace is not worthless: throw it away on a prize that you give up, or let it mislead the others.",
        TO_TAKE | {"bid_cards": (1,)},
    ),
    Tip(
        "If several cards are good, choose one at random, for example by the seconds on a watch: nobody can guess it.",
        TO_TAKE | {"bid_cards": (1,)},
    ),
    Tip("Count: late in the deal, what cards and prizes are left decides.", TO_TAKE | BIDS_SEEN),
)


def build(game: Game, seats: int, options: Options) -> Rules:
    """Build the rules. RULING M1: every rule holds for 2 to 8 seats; RULING M2: as many equal hands, one prize suit."""
    cards: int = options["cards"]
    ties: str = options["ties"] or ("discard" if seats == 2 else "unique-carry")
    draft, row = options["open"] == "draft", options["open"] == "row"
    # RULING O1: a draft exposes one prize a seat, from as many copies of 1..N as there are seats.
    # RULING O2: a row keeps 3 prizes on view, and the round's winner takes one of them.
    expose = seats if draft else (options["row_size"] or min(3, cards)) if row else 0
    prizes = tuple(rank for rank in range(1, cards + 1) for _ in range(seats if draft else 1))
    listed = options["prizes"] or ()
    if options["order"] != "custom":
        if listed:
            raise BadSetup("order-listed")
    elif listed and Counter(listed) != Counter(prizes):
        raise BadSetup("order-wrong", cards=f"1 to {cards}")
    return Auction(
        game,
        seats,
        {**options, "ties": ties},
        hand=tuple(range(1, cards + 1)),
        prizes=prizes,
        ties=ties.removeprefix("unique-"),
        cancel=ties.startswith("unique-") or draft or row,
        blind=options["blind"],
        per_bid=options["bid_cards"],
        remainder=options["remainder"],
        order=options["order"],
        listed=listed,
        expose=expose,
        pickers=seats if draft else 1,
        row=row,
        hides_bids=options["info"] == "win-only",
        shows_bids_once=options["info"] == "memory",
        least_wins=options["aim"] == "least",
        ends_early=options["clinch"],
        shows_margin=options["margin"],
        prize_suit=options["suits"][0].upper(),
    )


GAME = Game(
    key="classic",
    name="Classic GOPS",
    title="One prize a round, the highest card takes it",
    seats=(2, 8),
    sections=("2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "2.8"),
    options=OPTIONS,
    notes=NOTES,
    margin="With two players, scores can also be a difference. The winner of a round gains its value and the other"
    " player loses it; a tie is 0. This never changes who wins.",
    build=build,
    guide=Guide(
        line="A prize is turned up, everybody chooses one card in secret, and the highest card takes the prize.",
        round="Everybody holds the same cards, A (1) to K (13), and the prizes are the same cards. The top card of"
        " the prize pile is turned up, each player chooses one card in secret, and all cards are revealed at the same"
        " time. The highest card wins the prize; every card that was bid is gone.",
        ties="Two players: when the cards are equal, nobody gets the prize. More players: equal cards don't count, and"
        " the highest other card wins. If every card is tied, the prize stays in the pot for the next winner. The"
        " option *ties* changes this.",
        winning="A prize is worth its rank. Most points after the last round wins.",
        example="Prize 9: Ana bids J, Ben bids 10. Ana takes it, 9 points; the J and the 10 are gone. Prize 3:"
        " both bid 4. A tie: nobody gets the 3.",
    ),
    tips=("Don't always bid by the same rule: an opponent who sees it can beat it.",),
    more_tips=TIPS,
)
