"""The guided match, read as somebody would who has never heard of the game."""

from __future__ import annotations

import itertools
import re

import pytest

from bot.errors import RefereeError
from bot.referee.house.lesson import MATCHER, PRIZES, find_best, play_lesson
from bot.ui.message import Message
from bot.ui.text.faces import Faces
from cogs.welcome.home import Visitor, explain_bid, guided_card, home_card
from tests.cogs.ui.reading import keys, read, without_suits

HOME = home_card(Visitor(), here=True, version="1")


def text(message: Message) -> str:
    return "\n".join(message.texts)


@pytest.mark.parametrize(
    ("bids", "said"),
    [
        ([4], "Your 4 beats Matcher's 3, and you win the 3. Well played: you used the lowest card that wins."),
        ([5], "Your 5 beats Matcher's 3. You win the 3, but your 4 was enough, and your 5 is gone."),
        ([3], "You both bid the 3, so nobody gets the prize, and both cards are gone."),
        ([1], "Matcher's 3 beats your Ace and takes the prize. That is good play: you spent only your lowest card"),
        (
            [2],
            (
                "Matcher's 3 beats your 2 and takes the 3. Your 2 is gone. If you can't win, bid your lowest card: the"
                " Ace."
            ),
        ),
        ([4, 5], "You both bid the 5, so nobody gets the prize"),
    ],
)
def test_each_round_says_what_happened_and_why(bids: list[int], said: str) -> None:
    shown = text(guided_card(play_lesson(bids), HOME))
    assert said in shown
    assert f"round {len(bids) + 1} of 5" in shown


def test_below_a_challenge_of_another_game_it_says_that_it_teaches_classic() -> None:
    line = "This teaches the basics with Classic GOPS. Pico has its own rules: press *Rules* under the challenge."
    for bids in ([], [4]):
        assert line in text(guided_card(play_lesson(bids), HOME, back=True, other="Pico"))
        assert "Classic" not in text(guided_card(play_lesson(bids), HOME, back=True))


def test_whatever_is_bid_it_is_explained_by_what_happened() -> None:
    """Every way through: Matcher bids the prize's rank, and what is called enough was held and would have won."""
    for bids in itertools.permutations(range(1, 6), 4):
        for length in range(1, 5):
            now = play_lesson(bids[:length])
            played = now.explained_round
            assert played is not None
            bid = played.bids[MATCHER]
            assert bid is not None
            assert bid.cards == played.prizes
            said = explain_bid(now, Faces(now.state.rules))
            better = re.search(r"your ([2-5]) was enough", said)
            if better:
                card = int(better[1])
                assert PRIZES[length - 1] < card < bids[length - 1]  # type: ignore[operator]
                assert card not in bids[: length - 1]
            card = guided_card(now, HOME)
            assert card.is_sendable
            assert card.buttons[-1].label == ("Rules" if now.over else "Skip the rest")


def test_it_ends_with_the_result_and_what_was_possible() -> None:
    """A longer message is scrolled past its result: under the result are buttons alone."""
    end = guided_card(play_lesson([4, 1, 2, 5]), HOME)
    assert end.texts[-1] == "### You win 10–5.\nThat is the best possible score."
    assert read(end).splitlines()[-2:] == [line for line in keys(HOME) if line.startswith("[")][:2]
    assert find_best().scores == (10, 5)
    lost = text(guided_card(play_lesson([1, 2, 3, 4]), HOME))
    assert "Matcher wins" in lost
    assert "Best possible: 10–5." in lost


@pytest.mark.parametrize("bids", [[4, 4], [6], [1, 2, 3, 4, 5], [0]])
def test_what_nobody_could_bid_is_out_of_date(bids: list[int]) -> None:
    with pytest.raises(RefereeError):
        play_lesson(bids)


def test_its_cards_have_faces_and_are_read_as_without(pictures: dict[str, str]) -> None:
    """Keys, prize and the two bids; the words stay the same."""
    assert pictures
    now = play_lesson([4])
    shown, plain = guided_card(now, HOME, cards="faces"), guided_card(now, HOME)
    assert [button.emoji != "" for button in shown.buttons] == [True] * 5 + [False]
    assert text(shown).count("<:") == 3
    assert without_suits(shown.without_emojis()) == without_suits(plain)
