"""Cards: the text is the truth, suits only where they matter or dress a small match."""

from fractions import Fraction
from typing import Any

import pytest

from bot.engine.cards import format_points
from bot.engine.choices import Bid
from bot.engine.rules import Rules
from bot.engine.state import Round
from bot.engine.variants import GAMES, find_game
from bot.ui.text.faces import Faces
from bot.ui.text.style import GAP, LETTERS, PLAIN, Style, find_style, remove_pictures, use_pictures


def rules(game: str = "classic", seats: int = 2, **options: Any) -> Rules:
    return find_game(game).rules(seats, options)


@pytest.mark.parametrize(
    ("of", "style", "card", "text"),
    [
        (rules(), PLAIN, 12, "Q"),
        (rules(), PLAIN, 1, "A"),
        (rules(cards=15), PLAIN, 12, "12"),
        (rules(cards=25), PLAIN, 1, "1"),
        (rules("vultures", 3), PLAIN, 15, "15"),
        (rules("vultures", 3), PLAIN, 12, "12"),
        (rules("pico"), PLAIN, 13, "13"),
        (rules("throps", 3), PLAIN, "QS", "♠Q"),
        (rules("throps", 3), LETTERS, "QS", "QS"),
        (rules("parlett", 3), PLAIN, "A+", "A high"),
        (rules("parlett", 3), PLAIN, "A-", "A low"),
        (rules("parlett", 3), PLAIN, "Jk", "Joker"),
    ],
)
def test_a_card_by_itself(of: Rules, style: Style, card: Any, text: str) -> None:
    assert Faces(of, style).card(card) == text


def test_seats_are_dressed_in_order() -> None:
    faces = Faces(rules(seats=3))
    assert [faces.bid(seat, Bid((9,))) for seat in range(3)] == ["♠9", "♥9", "♣9"]
    assert faces.prize(12) == "♦Q"
    assert Faces(rules(), LETTERS).prize(12) == "QD"


@pytest.mark.parametrize(
    ("deal", "bids", "prize"),
    [
        (1, ["♠9", "♥9", "♣9"], "♦Q"),
        (2, ["♥9", "♣9", "♦9"], "♠Q"),
        (3, ["♣9", "♦9", "♠9"], "♥Q"),
        (4, ["♦9", "♠9", "♥9"], "♣Q"),
        (5, ["♠9", "♥9", "♣9"], "♦Q"),
    ],
)
def test_each_deal_of_a_series_has_the_next_suits(deal: int, bids: list[str], prize: str) -> None:
    faces = Faces(rules(seats=3), deal=deal)
    assert [faces.bid(seat, Bid((9,))) for seat in range(3)] == bids
    assert faces.prize(12) == prize
    assert "".join({"S": "♠", "H": "♥", "C": "♣", "D": "♦"}[faces.seat_suit(seat)] + "9" for seat in range(3)) == (
        "".join(bids)
    )


def test_pictures_of_a_later_deal_have_its_suits(pictures: dict[str, str]) -> None:
    faces = Faces(rules(), find_style("faces"), deal=2)
    assert faces.bid(0, Bid((12,))) == pictures["heart_Q"] + GAP + "Q"
    assert faces.own_card(1, 12) == pictures["club_Q"] + GAP + "Q"
    assert faces.key_picture(12, 0) == pictures["heart_Q"]
    assert faces.prize_by_rank(12) == faces.prize(12) == pictures["spade_Q"] + GAP + "Q"
    assert (faces.prize_face(12), faces.seat_face(12, 1)) == ("spade_Q", "club_Q")
    assert faces.without_pictures.prize(12) == "♠Q"


@pytest.mark.parametrize(("of", "prize"), [(rules(suits="hearts"), "♥Q"), (rules("parlett", 3), "♦Q")])
def test_suits_that_were_agreed_or_belong_to_the_game_stay_in_a_series(of: Rules, prize: str) -> None:
    first, second = Faces(of), Faces(of, deal=2)
    assert first.prize(12) == second.prize(12) == prize
    assert [first.seat_suit(seat) for seat in (0, 1)] == [second.seat_suit(seat) for seat in (0, 1)]


def test_four_seats_are_not_dressed() -> None:
    faces = Faces(rules(seats=4))
    assert (faces.bid(0, Bid((9,))), faces.prize(12), faces.taken_prize((7,))) == ("9", "Q", "the 7")


def test_prizes_below_zero_say_what_they_are() -> None:
    faces = Faces(rules("vultures", 3))
    assert (faces.prize(-5), faces.prize(7)) == ("Vulture −5", "Mouse +7")


def test_the_second_prize_of_a_rank_has_another_suit() -> None:
    played = Round((10,), (None, None), "award", (0,), (10, 0))
    assert Faces(rules("psych"), rounds=[played]).prize(10) == "♣10"
    assert Faces(rules("psych"), rounds=[played]).prize(10, 0) == "♦10"
    assert Faces(rules(), rounds=[played]).prize(10) == "♦10"
    assert Faces(rules("psych"), rounds=[played], deal=2).prize(10, 0) == "♠10"
    assert Faces(rules("psych"), rounds=[played], deal=2).prize(10) == "♦10"


def test_several_cards_are_numbers_that_add_up() -> None:
    faces = Faces(rules(bid_cards=3, cards=25))
    assert faces.bid(0, Bid((1, 12, 25))) == "25 + 12 + 1 = 38"


def test_many_of_one_kind_are_counted() -> None:
    faces = Faces(rules(seats=4, open="draft"))
    assert faces.cards((1, 1, 1, 1, 2, 3, 3)) == "A×4 2 3×2"
    assert Faces(rules("psych")).cards((2, 2, 3)) == "2 2 3"


def test_a_hand_lies_by_suit_where_suits_matter() -> None:
    faces = Faces(rules("throps", 3))
    assert faces.sort_keys(("2H", "2S", "5D", "KC", "AS")) == ("2S", "AS", "2H", "KC", "5D")


def test_order_of_suits_is_stated() -> None:
    assert Faces(rules("throps", 3)).suit_order(("7D",)) == "♦ beats ♥ beats ♣ beats ♠"
    assert Faces(rules("throps", 3), LETTERS).suit_order(("7D",)) == "D beats H beats C beats S"
    assert Faces(rules()).suit_order((7,)) == ""


@pytest.mark.parametrize(("points", "text"), [(Fraction(91, 2), "45 1/2"), (-14, "−14"), (325, "325")])
def test_points_are_written_as_fractions(points: int | Fraction, text: str) -> None:
    assert format_points(points) == text


@pytest.mark.parametrize(
    ("of", "card", "face"),
    [
        (rules(seats=4), 12, "card_Q"),
        (rules(cards=15), 12, "card_12"),
        (rules(cards=25), 25, "card_25"),
        (rules("throps", 3), "10H", "heart_10"),
        (rules("parlett", 3), "A+", "card_A"),
        (rules("parlett", 3), "Jk", "joker"),
        (rules("vultures", 3), 15, "card_15"),
    ],
)
def test_a_picture_stands_before_a_card(pictures: dict[str, str], of: Rules, card: Any, face: str) -> None:
    faces = Faces(of, find_style("faces"))
    assert faces.card(card) == pictures[face] + GAP + Faces(of).card(card).lstrip("♥")
    assert faces.key_picture(card, 0) == pictures[face]
    assert faces.label(card) == remove_pictures(faces.card(card)) == Faces(of).card(card)


def test_pictures_of_bids_and_prizes(pictures: dict[str, str]) -> None:
    faces, safe = Faces(rules(), find_style("faces")), Faces(rules(), find_style("safe"))
    assert faces.bid(1, Bid((12,))) == pictures["heart_Q"] + GAP + "Q"
    assert safe.bid(1, Bid((12,))) == pictures["safe_heart_Q"] + GAP + "Q"
    assert (faces.key_picture(12, 1), safe.key_picture(12, 1)) == (pictures["heart_Q"], pictures["safe_heart_Q"])
    assert faces.prize(7) == pictures["diamond_7"] + GAP + "7"
    vultures = Faces(rules("vultures", 3), find_style("safe"))
    assert vultures.prize(-5) == pictures["vulture_5"] + GAP + "Vulture −5"
    assert vultures.prize(10) == pictures["mouse_10"] + GAP + "Mouse +10"
    assert vultures.key_picture(-5, None) == pictures["vulture_5"]


@pytest.mark.usefixtures("pictures")
def test_every_card_of_every_game_has_a_picture() -> None:
    for game in GAMES:
        for seats in game.seats:
            faces = Faces(game.rules(seats), find_style("faces"))
            for card in faces.rules.pack():
                assert remove_pictures(faces.prize(card)) != faces.prize(card), (game.key, card)


def test_without_pictures_it_is_words_for_everybody() -> None:
    assert (find_style("faces"), find_style("safe"), find_style("symbols")) == (PLAIN, PLAIN, PLAIN)


def test_same_pictures_leave_the_styles_as_they_are(pictures: dict[str, str]) -> None:
    """While faces are uploaded one by one, what was drawn stays in the caches until a suit is whole."""
    style = find_style("faces")
    use_pictures({**pictures})
    assert find_style("faces") is style
    use_pictures({})
    assert find_style("faces") is PLAIN
