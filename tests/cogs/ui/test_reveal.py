"""One sentence per outcome: the table of reveal sentences, for everybody and told to a seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from bot.engine.cards import Seat
from bot.ui.screens.console import render_console
from bot.ui.story.latest import latest_story
from bot.ui.story.lines import make_faces
from bot.ui.story.reveal import make_round_teller
from tests.cogs.ui.reading import plain, read
from tests.cogs.ui.views import Played, begin


def told(played: Played, you: Seat | None = None, **changed: Any) -> str:
    view = played.view(you, **changed)
    return plain(latest_story(view, make_round_teller(view, make_faces(view), you)))


def auction(
    *rounds: Sequence[Any], game: str = "classic", seats: int = 2, stock: Sequence[Any] = (7, 12, 5, 3), **options: Any
) -> Played:
    return begin(game, seats, options).deal(stock).play_all(*rounds)


def trick(game: str, hands: Sequence[Sequence[Any]], *rounds: Sequence[Any], **options: Any) -> Played:
    return begin(game, len(hands), options).deal(hands=hands).play_all(*rounds)


def throps(*rounds: Sequence[Any]) -> Played:
    hands = [["QS", "9S", "3S", "7S"], ["QD", "9H", "4S", "7D"], ["2C", "9C", "5S", "7C"]]
    return begin("throps", 3).deal(["7H", "4C", "2D", "3D"], hands).play_all(*rounds)


def parlett(*rounds: Sequence[Any], stock: Sequence[Any] = (5, 9, 2, 3)) -> Played:
    return begin("parlett", 3).deal(stock).play_all(*rounds)


CASES: dict[str, tuple[Callable[[], Played], str]] = {
    "award of two": (lambda: auction((9, 6)), "Round 1: ♠9 beats ♥6. **Ana takes ♦7** (+7)"),
    "award of three": (
        lambda: auction((9, 6, 8), seats=3, ties="discard"),
        "Round 1: ♠9 is highest. **Ana takes ♦7** (+7). Other bids: Ben ♥6, Cem ♣8",
    ),
    "award of four": (
        lambda: auction((8, 6, 6, 9), seats=4, ties="discard"),
        "Round 1: 9 is highest. **Dee takes the 7** (+7). Other bids: Ana 8, Ben 6, Cem 6",
    ),
    "unique": (
        lambda: auction((8, 8, 5), seats=3),
        "Round 1: Ana and Ben tie at 8. **Cem takes ♦7** with 5 (+7)",
    ),
    "unique, two pairs": (
        lambda: auction((8, 8, 5, 5, 2), seats=5),
        "Round 1: Ana and Ben tie at 8. Cem and Dee tie at 5. **Eli takes the 7** with 2 (+7)",
    ),
    "all cancel": (
        lambda: auction((8, 8, 8), seats=3),
        "Round 1: All three tie at 8. ♦7 stays in the pot.",
    ),
    "all cancel, two pairs": (
        lambda: auction((8, 8, 5, 5), seats=4),
        "Round 1: Ana and Ben tie at 8. Cem and Dee tie at 5. The 7 stays in the pot.",
    ),
    "discarded": (lambda: auction((9, 9)), "Round 1: ♠9 ties ♥9. Nobody gets ♦7."),
    "carried": (lambda: auction((9, 9), ties="carry"), "Round 1: ♠9 ties ♥9. ♦7 stays in the pot."),
    "split": (lambda: auction((9, 9), ties="split"), "Round 1: ♠9 ties ♥9. ♦7 is split, 3 1/2 each."),
    "tie of three": (
        lambda: auction((9, 4, 9), seats=3, ties="discard"),
        "Round 1: Ana and Cem tie at 9. Nobody gets ♦7. Other bid: Ben ♥4",
    ),
    "with a pot": (
        lambda: auction((9, 9), (4, 4), (8, 3), ties="carry", stock=(3, 5, 7, 1)),
        "Round 3: ♠8 beats ♥3. **Ana takes ♦7 and the pot** of ♦3 and ♦5 (+15)",
    ),
    "several cards": (
        lambda: auction(([7, 5], [10, 1]), bid_cards=2),
        "Round 1: 7 + 5 = 12 beats 10 + 1 = 11. **Ana takes ♦7** (+7)",
    ),
    "open prizes": (
        lambda: auction((6, 9), ({"pick": 3},), open="draft", stock=(3, 1, 2, 5, 8, 8)),
        "Round 1: 9, then 6. **Ben took 3**, **Ana took A**.",
    ),
    "open prizes, one pick": (
        lambda: auction((6, 9), open="draft", stock=(3, 1, 2, 5, 8, 8)),
        "Round 1: 9, then 6.",
    ),
    "open prizes, all cancel": (
        lambda: auction((6, 6), open="draft", ties="unique-carry", stock=(3, 1, 2, 5)),
        "Round 1: No card counts. The A and 3 stay on view.",
    ),
    "a row": (
        lambda: auction((9, 6, 2), ({"pick": 8},), seats=3, open="row", stock=(3, 1, 8, 5, 2, 4)),
        "Round 1: Ana is highest with 9. **Ana took 8**. Other bids: Ben 6, Cem 2",
    ),
    "vulture": (
        lambda: begin("vultures", 3).deal((-5, 3, 4)).play(6, 2, 9),
        "Round 1: Vulture −5: 2 is lowest. **Ben takes it** (−5). Other bids: Ana 6, Cem 9",
    ),
    "vulture of two": (
        lambda: begin("vultures", 2).deal((-5, 3, 4)).play(6, 2),
        "Round 1: Vulture −5: 2 is lowest. **Ben takes it** (−5)",
    ),
    "mouse with a pot": (
        lambda: begin("vultures", 3).deal((-2, 7, 4)).play(6, 6, 6).play(1, 2, 3),
        (
            "Round 2: Mouse +7 and the pot Vulture −2: 3 is highest. **Cem takes all of it** (+5)."
            " Other bids: Ana 1, Ben 2"
        ),
    ),
    "vulture carried": (
        lambda: begin("vultures", 3).deal((-5, 3, 4)).play(6, 6, 6),
        "Round 1: All three tie at 6. Vulture −5 stays in the pot.",
    ),
    "the circle": (
        lambda: begin("psych").deal((10, 4, 5)).play(11, 3),
        "Round 1: ♥3 beats ♠J (A 2 3 beat J Q K). **Ben takes ♦10** (+10)",
    ),
    "bid again": (
        lambda: begin("psych").deal((10, 10, 5)).play(9, 3).play(4, 4),
        "Round 2: ♠4 ties ♥4. Both cards are gone. **Bid again for ♣10.**",
    ),
    "after a tie": (
        lambda: begin("bid").deal((10, 4, 5)).play(4, 4).play(1, 13),
        "Round 1, 2nd bid: ♠A beats ♥K. **Ana takes ♦10** (+10)",
    ),
    "both players swap their cards": (
        lambda: begin("sops").deal((7, 4, 5)).play(9, 9),
        "Round 1: ♠9 ties ♥9. ♦7 stays in the pot, and **both players swap their cards.**",
    ),
    "high Ace": (
        lambda: parlett(("A+", 13, 4)),
        "Round 1: A high beats ♥K. **Ana takes ♦5**. Other bids: Ben ♥K, Cem ♣4",
    ),
    "two equal": (
        lambda: parlett((3, 9, 9), stock=("Jk", 13, 2, 3)),
        "Round 1: Ben and Cem tie at 9. **Ana takes Joker + ♦K** with 3",
    ),
    "three equal": (
        lambda: parlett((9, 9, 9)),
        "Round 1: All three tie at 9. **Bid again for ♦5.** The cards return to the hands after the round.",
    ),
    "equal ranks": (
        lambda: throps(("QS", "QD", "2C")),
        (
            "Round 1: Two Queens: ♦Q is highest for a ♥ prize. **Ben takes ♥7** (score 37: hearts 7 + 30 for 3 missing"
            " suits). Other bids: Ana ♠Q, Cem ♣2"
        ),
    ),
    "a pile of Throps": (
        lambda: throps(("QS", "QD", "2C"), ("3S", "9H", "9C")),
        (
            "Round 2: Two 9s: ♣9 is highest for a ♣ prize. **Cem takes ♣4** (score 34: clubs 4 + 30 for 3 missing"
            " suits). Other bids: Ana ♠3, Ben ♥9"
        ),
    ),
    "a pile of Throps with a second suit": (
        lambda: throps(("QS", "QD", "2C"), ("3S", "9H", "5S")),
        (
            "Round 2: ♥9 is highest. **Ben takes ♣4** (score 23: hearts 7 − 4 for other suits + 20 for 2 missing"
            " suits). Other bids: Ana ♠3, Cem ♠5"
        ),
    ),
    "more than double": (
        lambda: trick("pico", [[10, 6, 8, 5, 12], [4, 9, 7, 13, 16]], (10, 4)),
        "Round 1: 4 beats 10 (10 is more than double). **Ben scores the 4** (+1). The 10 goes back to Ana's hand.",
    ),
    "kept": (
        lambda: trick("pico", [[10, 6, 8, 5, 12], [4, 9, 7, 13, 16]], (10, 9)),
        "Round 1: 10 beats 9. **Ana scores the 10** (+3). The 9 goes back to Ben's hand.",
    ),
    "Ace beats Kings": (
        lambda: trick("welsh", [["9S", "KS", "2S"], ["8H", "KH", "2H"], ["AD", "3D"], ["4C", "5C"]], (13, 13, 1, 4)),
        (
            "Trick 1: Ace beats Kings. **Cem captures 3 cards** (now holds 5: 5 points)."
            " Other bids: Ana ♠K, Ben ♥K, Dee ♣4"
        ),
    ),
    "aside": (
        lambda: trick("welsh", [["9S", "KS", "2S"], ["8H", "KH", "2H"], ["5D", "3D"], ["4C", "5C"]], (13, 13, 3, 4)),
        (
            "Trick 1: Ana ♠K, Ben ♥K, Cem ♦3, Dee ♣4. Ana and Ben tie at K. Their cards are set aside, and"
            " they bid again; other cards stay on the table."
        ),
    ),
    "aside in the second bid": (
        lambda: trick("welsh", [["KS", "QS"], ["KH", "8H", "2H"], ["QD"], ["4C", "5C"]], (13, 13, 12, 4)).play(12, 8),
        (
            "Trick 1, 2nd bid: Ana and Cem tie at Q: those cards are set aside. Ana and Cem have no card left to bid"
            " again. ♥8 is highest. **Ben captures 1 card** (now holds 4: 4 points). Other bid: Dee ♣4"
        ),
    ),
    "no card in the second bid": (
        lambda: trick("welsh", [["KS", "QS", "2S"], ["KH"], ["5D", "3D"], ["4C", "5C"]], (13, 13, 5, 4)),
        (
            "Trick 1: Ana ♠K, Ben ♥K, Cem ♦5, Dee ♣4. Ana and Ben tie at K: those cards are set aside."
            " Ben has no card left to bid again. Ana bids again."
        ),
    ),
    "no card in the second bid, then": (
        lambda: trick("welsh", [["KS", "QS", "2S"], ["KH"], ["5D", "3D"], ["4C", "5C"]], (13, 13, 5, 4)).play(12),
        (
            "Trick 1, 2nd bid: Ben had no card left for the 2nd bid. ♠Q is highest."
            " **Ana captures 2 cards** (now holds 5: 5 points). Other bids: Cem ♦5, Dee ♣4"
        ),
    ),
    "win-only": (
        lambda: auction((9, 6), info="win-only"),
        "Round 1: **Ana takes ♦7** (+7). Bids stay hidden until the deal ends.",
    ),
    "win-only tie": (
        lambda: auction((9, 9), info="win-only"),
        "Round 1: A tie. Nobody gets ♦7. Bids stay hidden until the deal ends.",
    ),
}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_reveal_for_everybody(case: str) -> None:
    build, sentence = CASES[case]
    assert told(build()) == sentence


YOURS: dict[str, tuple[Callable[[], Played], Seat, str]] = {
    "you take it": (lambda: auction((9, 6)), 0, "Round 1: your ♠9 beats ♥6. **You take ♦7** (+7)"),
    "another takes it": (lambda: auction((9, 6)), 1, "Round 1: ♠9 beats your ♥6. **Ana takes ♦7** (+7)"),
    "your tie": (lambda: auction((9, 9)), 1, "Round 1: your ♥9 ties Ana's ♠9. Nobody gets ♦7."),
    "you cancel": (
        lambda: auction((8, 8, 5), seats=3),
        1,
        "Round 1: You and Ana tie at 8. **Cem takes ♦7** with 5 (+7)",
    ),
    "you among others": (
        lambda: auction((8, 6, 6, 9), seats=4, ties="discard"),
        1,
        "Round 1: 9 is highest. **Dee takes the 7** (+7). Other bids: You 6, Ana 8, Cem 6",
    ),
    "you pick": (
        lambda: auction((6, 9), ({"pick": 3},), open="draft", stock=(3, 1, 2, 5, 8, 8)),
        1,
        "Round 1: your 9 picks first, then 6. **You took 3**, **Ana took A**.",
    ),
    "you capture": (
        lambda: trick("welsh", [["9S", "KS", "2S"], ["8H", "KH", "2H"], ["AD", "3D"], ["4C", "5C"]], (13, 13, 1, 4)),
        2,
        (
            "Trick 1: Ace beats Kings. **You capture 3 cards** (you now hold 5: 5 points)."
            " Other bids: Ana ♠K, Ben ♥K, Dee ♣4"
        ),
    ),
    "you keep": (
        lambda: trick("pico", [[10, 6, 8, 5, 12], [4, 9, 7, 13, 16]], (10, 4)),
        1,
        "Round 1: your 4 beats 10 (10 is more than double). **You score the 4** (+1). The 10 goes back to Ana's hand.",
    ),
    "your card comes back": (
        lambda: trick("pico", [[10, 6, 8, 5, 12], [4, 9, 7, 13, 16]], (10, 4)),
        0,
        (
            "Round 1: 4 beats your 10 (your 10 is more than double). **Ben scores the 4** (+1). The 10 goes back to"
            " your hand."
        ),
    ),
}


def test_letters_name_the_owner_of_a_card_and_not_its_suit() -> None:
    """A screen reader reads 3S as a size, and the suits of Classic mean nothing."""
    assert told(auction((3, 3)), 0, cards="letters") == "Round 1: your 3 ties Ben's 3. Nobody gets 7D."
    assert told(auction((9, 6)), 1, cards="letters") == "Round 1: Ana's 9 beats your 6. **Ana takes 7D** (+7)"
    assert told(auction((9, 6)), cards="letters") == "Round 1: Ana's 9 beats Ben's 6. **Ana takes 7D** (+7)"
    kept = trick("pico", [[10, 6, 8, 5, 12], [4, 9, 7, 13, 16]], (10, 9))
    assert told(kept, cards="letters").startswith("Round 1: Ana's 10 beats Ben's 9.")


@pytest.mark.parametrize("case", YOURS, ids=str)
def test_reveal_for_a_player(case: str) -> None:
    build, you, sentence = YOURS[case]
    assert told(build(), you) == sentence


def test_a_missed_bid_is_told_before_the_reveal() -> None:
    played = begin().deal((7, 12, 5, 3)).play(9, 1, forced=[1])
    view = "Round 1: {} ♠9 beats {}♥A. **Ana takes ♦7** (+7)"
    assert told(played, misses={1: 1}) == view.format("Time ran out for Ben: lowest card played (♥A).", "")
    assert told(played, 1, misses={1: 1}) == view.format("Time ran out: your lowest card was played (♥A).", "your ")


def test_a_missed_pick_is_told() -> None:
    played = begin(options={"open": "draft"}).deal((3, 1, 2, 5, 8, 8)).play(6, 9).play({"pick": 3}, forced=[1])
    assert told(played, misses={1: 1}).startswith("Round 1: Time ran out for Ben: 3 was picked. 9, then 6.")


def test_last_cards_and_the_round_before_them() -> None:
    played = begin(options={"cards": 2}).deal((1, 2)).play(2, 1)
    assert told(played) == (
        "Round 1: ♠2 beats ♥A. **Ana takes ♦A** (+1)\n"
        "Round 2: Each player had one card left, so it was played automatically. ♥2 beats ♠A. **Ben takes ♦2** (+2)"
    )


def test_last_cards_and_the_tie_before_them() -> None:
    hands = ((3, 2, 1), (3, 2, 1))
    played = begin("psych").deal((10, 10, 5, 4), hands=hands).play(3, 1).play(2, 2)
    assert told(played) == (
        "Round 2: ♠2 ties ♥2. Both cards are gone. **Bid again for ♣10.**\n"
        "Round 2, 2nd bid: Each player had one card left, so it was played automatically. ♥3 beats ♠A."
        " **Ben takes ♣10** (+10)"
    )


def test_win_only_opens_when_the_deal_ends() -> None:
    played = begin(options={"cards": 2, "info": "win-only"}).deal((1, 2)).play(2, 1)
    assert "♠2 beats ♥A." in told(played)


def test_empty_hands_are_not_switched() -> None:
    """The last cards tie, and nothing is left to change places."""
    played = begin("sops", options={"cards": 3}).deal((1, 2, 3)).play_all((1, 1), (2, 2))
    assert played.match.over
    told = read(render_console(played.view(0))).splitlines()
    assert "Round 2: your ♠2 ties Ben's ♥2. ♦2 stays in the pot, and **both players swap their cards.**" in told
    assert any(line.endswith("Your ♠3 ties Ben's ♥3. Nobody gets ♦A, ♦2 and ♦3.") for line in told)
