"""Matches in the terminal, as the player reads them."""

import random
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import pytest

from bot.commands.play_terminal import PlayerQuit, TerminalMatch
from bot.engine.match import new_match
from bot.engine.text.presets import find_offer, list_offers
from bot.interactions.shared.rules_card import list_part_texts, make_topic
from tests.conftest import ROOT

MOST = 5000
"""questions of one match"""


class Screen:
    """Everything that a player sees, questions and answers included."""

    def __init__(self, key: str, seats: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        game, offer = find_offer(key)
        asked = offer.options if options is None else options
        self.match = new_match(game, seats or offer.seats or game.seats[0], asked)
        self.lines: list[str] = []
        self.question = ""

    def say(self, text: str) -> None:
        self.lines += text.split("\n")

    def sit(self, answers: Iterator[str], seed: int = 1) -> None:
        def ask(question: str) -> str:
            self.question = question
            answer = next(answers, "quit")
            self.lines.append(f"{question}{answer}")
            return answer

        try:
            TerminalMatch(self.match, ask, self.say, random.Random(seed)).play()
        except PlayerQuit:
            self.lines.append("left")

    def cards(self) -> list[str]:
        """Return the cards that can be typed now."""
        starts = ("Your cards: ", "Pick one of: ")
        return next(line for line in reversed(self.lines) if line.startswith(starts)).partition(": ")[2].split()

    def at_random(self, seed: int = 1) -> Iterator[str]:
        dice = random.Random(seed)
        for _ in range(MOST):
            named = re.search(r"Your (\d+) cards", self.question)
            yield " ".join(dice.sample(self.cards(), int(named[1]) if named else 1))

    def __str__(self) -> str:
        return "\n".join(self.lines)


def screen(key: str, *answers: str, seats: int | None = None, options: Mapping[str, Any] | None = None) -> str:
    """The screen after these answers."""
    shown = Screen(key, seats, options)
    shown.sit(iter(answers))
    return str(shown)


def whole(key: str, seats: int | None = None, options: Mapping[str, Any] | None = None) -> str:
    """The screen of a whole match, played at random."""
    shown = Screen(key, seats, options)
    shown.sit(shown.at_random())
    return str(shown)


@pytest.mark.parametrize("key", [offer.key for offer in list_offers()])
def test_every_game_can_be_played_to_its_end(key: str) -> None:
    last = whole(key).splitlines()[-1]
    assert re.match(r"You win\.|(House|Sly|Reader|Matcher|Random) wins\.|A draw\.", last)


@pytest.mark.parametrize("key", [offer.key for offer in list_offers()])
def test_terminal_shows_the_rules_of_the_match(key: str) -> None:
    """The rules and the text above the first round equal those of the bot's rules card."""
    shown = Screen(key)
    shown.sit(iter("?"))
    texts = list_part_texts(make_topic(shown.match.rules, shown.match.series), is_match=True)
    assert texts[0][1] in shown.lines[:3]
    for title, text in texts:
        assert f"{title}: {text}" in shown.lines
    assert "Example:" in shown.lines


@pytest.mark.parametrize("name", [offer.key for offer in list_offers()])
def test_playground_page_names_every_game_of_the_terminal(name: str) -> None:
    assert f"`{name}`" in (ROOT / "docs" / "playground.md").read_text(encoding="utf-8")


def test_rank_without_a_suit_is_refused_with_the_cards_of_that_rank() -> None:
    """Where suits matter, a rank alone names no card."""
    shown = Screen("throps")
    shown.sit(iter("?"))
    rank = shown.cards()[0][1:]
    held = [card for card in shown.cards() if card[1:] == rank]
    answer = screen("throps", rank).splitlines()[-3]
    assert answer.startswith(f"{rank} needs its suit. ")
    assert all(card in answer for card in held), (answer, held)
    assert "There is no card" not in answer
    assert 'There is no card "14" in this game.' in screen("throps", "14")


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("blind", "You play against Sly (bids just above its middle card) and Matcher (bids its middle card)."),
        ("classic", "You play against Sly (one above the prize) and Reader (learns your habits in this match)."),
    ],
)
def test_house_levels_are_described_by_what_they_can_see(key: str, told: str) -> None:
    """No level can bid by a prize that lies face down."""
    assert told in screen(key, seats=3)


@pytest.mark.parametrize(
    ("key", "heading", "rule"),
    [
        ("misere", "fewest points win", "Fewest points after the last round wins."),
        (
            "blind",
            "blind bids",
            "Each player chooses one card in secret, then the top card of the prize pile is turned up",
        ),
        ("two-cards", "2 cards a bid", "each player chooses 2 cards in secret"),
        ("attrition", "winning cards go out of play", "The winning card is out of play for this deal"),
        ("known-order", "prize order", "The order of the shuffled prizes is shown"),
    ],
)
def test_heading_and_rules_name_the_options(key: str, heading: str, rule: str) -> None:
    shown = screen(key, "?")
    assert heading in shown.splitlines()[0]
    assert rule in shown


def test_known_order_of_prizes_is_shown() -> None:
    shown = screen("known-order", "K")
    first, second = re.findall(r"Prize (\w+).*\nPrizes left, in this order: (.*)", shown)
    assert [second[0], *second[1].split()] == first[1].split()


def test_vultures_are_named_as_in_the_bot() -> None:
    shown = whole("vultures")
    assert re.search(r"^Vulture −\d$", shown, re.MULTILINE)
    assert not re.search(r"^Prize −", shown, re.MULTILINE)


def test_prizes_to_come_are_sorted_by_rank() -> None:
    """Parlett's court cards have no value of their own, and once stood before the Ace."""
    assert "Prize K\nPrizes left: A 2 3 4 5 6 7 8 9 10 J Q Joker\n" in screen("parlett")


def test_hidden_bids_stay_hidden_until_the_deal_ends() -> None:
    shown = whole("win-only")
    played, _, opened = shown.partition("All bids of this deal:")
    last = played.rindex("--- Round 13")
    assert not re.search(r"House [0-9AJQK]+\.", played[:last])
    assert len(re.findall(r"For \w+: You \w+, House \w+\n", opened)) == 13


# --- slips -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "answers", "sentence"),
    [
        ("classic", ["A 2"], "One card at a time, and you named 2."),
        ("classic", ["A x"], 'There is no card "x" in this game. Type one of your cards, for example A.'),
        ("two-cards", ["A"], "A bid is 2 cards now; you named 1."),
        ("two-cards", ["K K"], "You have K only once."),
        ("two-cards", ["foo"], 'There is no card "foo" in this game. Type 2 of your cards, for example A 2.'),
        ("pico", ["3"], "You don't have 3. Your cards: 9 10 11 12 16."),
        ("vultures", ["foo"], "Type one of your cards, for example 1."),
        ("pico", ["foo"], "Type one of your cards, for example 9."),
        ("throps", ["7"], "7 needs its suit. Type one of your cards, for example 3C."),
        ("throps", ["AS"], "You don't have ♠A. Your cards: ♣3"),
        ("parlett", ["A"], "Say how your Ace counts: A- is low, A+ is high."),
        ("parlett", ["A-", "A+"], "You have already played"),
    ],
)
def test_wrong_card_is_answered_with_cards_of_the_game(key: str, answers: list[str], sentence: str) -> None:
    shown = screen(key, *answers)
    assert sentence in shown
    assert "[" not in shown


def test_wrong_pick_is_answered_with_the_prizes_on_view() -> None:
    """The answer to several cards once was the Python list ['A', 2]."""
    shown = screen("open-row", "K", "9 A", "", "5", "9")
    assert shown.count("One card at a time, and you named 2.") == 1
    assert "Type one of the prizes on view, for example " in shown
    assert "5 is not on view. Pick one of " in shown
    assert "[" not in shown
    assert "You pick 9." in shown


@pytest.mark.parametrize(("key", "words", "cards"), [("classic", "one", "A"), ("two-cards", "2", "A 2")])
def test_empty_line_is_answered_in_one_sentence(key: str, words: str, cards: str) -> None:
    shown = Screen(key)
    shown.sit(iter([""]))
    assert shown.lines[-3] == f"Type {words} of your cards, for example {cards}."


def test_q_plays_the_queen_and_does_not_quit() -> None:
    assert "You Q, House " in screen("classic", "q")


def test_how_to_leave_stands_at_the_start_and_below_the_rules() -> None:
    """A word of its own, because Q is a card."""
    shown = screen("classic", "?", "quit")
    begun, _, rules = shown.partition("--- Round 1 ---")
    assert '"quit" to leave.' in begun.splitlines()[-2]
    assert '"quit" to leave.' in rules.splitlines()[-3]  # before the answer and "left"


@pytest.mark.parametrize("typed", ["♣3", "3♣", "3c", "C3", "♣️3"])
def test_card_can_be_typed_as_it_is_shown(typed: str) -> None:
    assert "You ♣3, Sly " in screen("throps", typed)


def test_every_shown_card_of_a_hand_can_be_typed() -> None:
    hand = Screen("parlett")
    hand.sit(iter([]))
    for card in hand.cards():
        assert f"Your bid> {card}\nYou {card[0]}" in screen("parlett", card)


def test_letters_name_no_card_in_a_game_of_numbers() -> None:
    shown = screen("vultures", "K", "quit")
    assert 'There is no card "K" in this game.' in shown
    assert "You 13" not in shown


def test_welsh_shows_the_suits_of_your_cards() -> None:
    assert "Your cards: ♠A ♠2 ♠3 " in screen("welsh", "quit")


def test_welsh_accepts_a_card_with_its_suit() -> None:
    assert "You ♠7, Sly " in screen("welsh", "♠7")


# --- what is shown ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["classic", "open-draft", "open-row", "blind", "vultures", "sops", "known-order"])
def test_every_round_has_one_heading(key: str) -> None:
    """This includes rounds with a pick, and the last round, which needs no answer."""
    assert re.findall(r"--- Round (\d+) ---", whole(key)) == [str(number) for number in rounds(key)]


def rounds(key: str) -> range:
    game, offer = find_offer(key)
    rules = game.rules(offer.seats or game.seats[0], offer.options)
    return range(1, len(rules.sale.hand if rules.sale is not None else ()) + 1)


def test_last_round_is_shown_like_the_others() -> None:
    last = whole("classic").partition("--- Round 13 ---\n")[2].splitlines()
    assert last[0].startswith("Prize ")
    assert last[1].startswith("Score: You ")
    assert last[2] == "Nobody has a choice left: the last cards are played."
    assert re.fullmatch(r"You \w+, House \w+\.", last[3])


def test_last_round_shows_no_prizes_to_come() -> None:
    """In Bid half of the prizes are left over."""
    before, _, last = whole("bid").partition("--- Round 13 ---")
    assert before.count(" out of: ") == 12
    assert "out of: " not in last


def test_prizes_on_view_show_no_common_worth() -> None:
    shown = screen("open-draft")
    assert "On view: Q K" in shown
    assert "worth" not in shown


def test_court_card_prize_shows_its_worth() -> None:
    shown = whole("classic")
    assert "Prize K, worth 13" in shown
    assert "Prize 9\n" in shown


def test_goal_of_a_game_is_shown_once() -> None:
    shown = whole("misere")
    assert shown.count("Goal: the fewest points win") == 1
    assert "wins. Fewest points win. You " in shown


@pytest.mark.parametrize("key", ["pico", "parlett", "welsh"])
def test_result_of_every_deal_is_shown(key: str) -> None:
    shown = whole(key)
    deals = re.findall(r"=== Deal (\d+)", shown)
    assert re.findall(r"Deal (\d+) is over: You \d+", shown) == deals
    assert re.search(r"\. (All deals|Deals won): You \d+", shown.splitlines()[-1])


def test_scores_of_parlett_give_their_reason() -> None:
    reason = r"the highest total|the lowest total|(no cards, )?total \d+ is (in the middle|tied)"
    assert re.search(rf"Score: You \d+ \(({reason})\)", whole("parlett"))


def test_won_cards_are_shown_where_the_score_does_not_give_them() -> None:
    assert "Won so far: " in whole("throps")
    assert "Won so far: " not in whole("classic")


def test_own_cards_inside_a_sentence_begin_in_lower_case() -> None:
    shown = Screen("welsh")
    shown.sit(shown.at_random(5), 5)
    assert re.search(r"Set aside: your \S+, Sly", str(shown))
    assert not re.search("[,:] Your", str(shown))


# --- the house -------------------------------------------------------------------------------------------


ORDER = ["A", *map(str, range(2, 11)), "J", "Q", "K"]


def two_above(shown: Screen) -> Iterator[str]:
    """Bid two above the prize, or the next card above that, or the highest."""
    for _ in range(MOST):
        prize = next(line for line in reversed(shown.lines) if line.startswith("Prize ")).replace(",", "").split()[1]
        wanted, hand = (ORDER.index(prize) + 2) % len(ORDER), shown.cards()
        yield next((card for card in hand if ORDER.index(card) >= wanted), hand[-1])


def test_house_seats_play_differently() -> None:
    """When all seats played alike, bidding two above the prize won 59 of 60 tables of three."""
    won = 0
    for seed in range(60):
        shown = Screen("three-handed")
        shown.sit(two_above(shown), seed)
        won += shown.lines[-1].startswith("You win.")
    assert won <= 24


def test_house_seats_have_names_and_no_numbers() -> None:
    """A score once read "House 1 0, House 2 0"."""
    shown = screen("classic", seats=8).splitlines()
    names = ["Sly", "Reader", "Matcher", "Sly II", "Reader II", "Matcher II", "Sly III"]
    assert f"Score: You 0, {', '.join(f'{name} 0' for name in names)}" in shown
    assert any(line.startswith("You play against Sly (one above the prize), Reader (") for line in shown)


def test_same_seed_gives_the_same_match() -> None:
    def play() -> str:
        shown = Screen("throps")
        shown.sit(islice(shown.at_random(), 20), 7)
        return str(shown)

    assert play() == play()
