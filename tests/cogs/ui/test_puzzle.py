"""A puzzle in words: what is asked, how it is graded, what there was to see."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from bot.pictures.faces import list_faces, name_emoji
from bot.referee.house.puzzles import Graded, PuzzleRecord
from bot.solver.coach.puzzles import Puzzle, read_puzzles
from bot.solver.exact.position import Position
from bot.ui.message import Message
from bot.ui.text.style import remove_pictures, use_pictures
from cogs.learning.puzzle import puzzle_question, puzzle_reasons, puzzle_result
from cogs.learning.puzzle_reason import find_tempting
from tests.cogs.ui.test_review import plain

HERE = Position((1, 4, 5, 7), (2, 3, 5, 6), (3, 4, 8, 9), 9, objective="win", lead=-4)
BEST = Puzzle(41, HERE, "only", 1425, 0.38, (0.0, 0.0, 0.0, 1.0), (0.2, 0.12, 0.02, 0.0), (7, 7, 0, 0))
WRONG = replace(BEST, idea="never", shares=(0.4, 0.0, 0.0, 0.6), costs=(0.0, 0.12, 0.0, 0.0), instead=(0, 7, 0, 0))
MIXED = replace(BEST, idea="bluff", shares=(0.4, 0.0, 0.0, 0.6), costs=(0.0, 0.12, 0.02, 0.0))
RECORD = PuzzleRecord(rating=1312.4, tried=5, solved=3, streak=2, best=7)


def answered(puzzle: Puzzle, card: int, *, counted: bool = True) -> Message:
    return puzzle_result(Graded(puzzle, card, puzzle.grade(card), RECORD, 12, counted))


def told(puzzle: Puzzle, card: int) -> str:
    """The verdict, which follows five lines of the position."""
    return plain(answered(puzzle, card)).splitlines()[6]


def reasons(puzzle: Puzzle) -> list[str]:
    return plain(puzzle_reasons(puzzle, RECORD)).splitlines()[6:]


def test_puzzle_states_the_position_in_four_labelled_lines() -> None:
    message = puzzle_question(BEST)
    assert plain(message).splitlines() == [
        "### Puzzle 42 · which card gives the best win chance?",
        "Prize: ♦9, 9 points",
        "Prizes left: 3 4 8",
        "You: A 4 5 7",
        "Opponent: 2 3 5 6",
        "-# You are 4 points behind · ties: nobody gets the prize",
    ]
    assert [button.label for button in message.buttons] == ["A", "4", "5", "7"]
    assert [button.id for button in message.buttons] == ["g1:pz:41:1", "g1:pz:41:4", "g1:pz:41:5", "g1:pz:41:7"]


def test_puzzle_with_a_pot_states_the_sum() -> None:
    carried = replace(BEST, position=replace(HERE, up=3, ties="carry", pot=11, lead=0))
    lines = plain(puzzle_question(carried)).splitlines()
    assert lines[1] == "Prize: ♦3 + 11 from an earlier tie = 14 points"
    assert lines[5] == "-# Equal scores · ties: the prize stays, and the next winner takes both"
    ahead = replace(BEST, position=replace(HERE, lead=1))
    assert plain(puzzle_question(ahead)).splitlines()[5].startswith("-# You lead by 1 point ·")


def test_puzzle_of_a_wrong_card_asks_for_the_wrong_card() -> None:
    lines = plain(puzzle_question(WRONG)).splitlines()
    assert lines[0] == "### Puzzle 42 · which card is wrong to bid?"
    assert lines[6:] == ["Press the card that you should never bid here."]


def test_the_cards_have_faces_and_are_read_as_before() -> None:
    words = puzzle_question(BEST, "faces")
    assert [button.emoji for button in words.buttons] == [""] * 4, "as long as Discord has none of ours"
    use_pictures({name: f"<:{name_emoji(name)}:{10**17 + number}>" for number, name in enumerate(list_faces())})
    try:
        message = puzzle_question(BEST, "faces")
        kept = puzzle_question(BEST, "letters")
        answer = puzzle_result(Graded(BEST, 4, 0.0, PuzzleRecord(), 0, counted=True), "faces")
    finally:
        use_pictures({})
    assert [button.label for button in message.buttons] == ["A", "4", "5", "7"]
    pictures = [button.emoji.split(":")[1] for button in message.buttons]
    assert pictures == ["ace_of_spades", "four_of_spades", "five_of_spades", "seven_of_spades"]
    for text in (message.texts[0], answer.texts[0]):
        assert [text.count(f"_of_{suit}:") for suit in ("diamonds", "spades", "hearts")] == [4, 4, 4]
    told, in_words = (re.sub("[♠♥♦]", "", text) for text in (remove_pictures(message.texts[0]), words.texts[0]))
    assert told == in_words, "who cannot see them is told the same"
    assert kept.buttons == words.buttons


def test_graded_puzzle_states_the_verdict_the_rating_and_two_buttons() -> None:
    message = answered(BEST, 4)
    assert plain(message).splitlines()[6:] == [
        "✘ With ♠4 your win chance falls from 38% to 26%. Best: ♠7.",
        "-# Your puzzle rating: 1312 (+12) · solved 3 of 5",
    ]
    assert [(button.label, button.id) for button in message.buttons] == [
        ("Why", "g1:pz:41:why4"),
        ("Next", "g1:pz:41:next"),
    ]
    assert told(BEST, 7) == "✔ Right: ♠7. Solved in a row: 2, best 7."
    assert told(BEST, 5) == "≈ ♠5 is close. With it your win chance falls from 38% to 36%. Best: ♠7."
    best = "Best: a random choice of ♠7 (60% of the time), ♠A (40%)."
    assert told(MIXED, 4) == f"✘ With ♠4 your win chance falls from 38% to 26%. {best}"
    assert told(MIXED, 1) == "✔ Right: ♠A. Solved in a row: 2, best 7. ♠7 is right, too."
    assert told(MIXED, 7) == f"{told(BEST, 7)} ♠A is right, too."


def test_second_answer_says_that_nothing_changes() -> None:
    lines = plain(answered(BEST, 7, counted=False)).splitlines()[6:]
    assert lines == ["✔ Right: ♠7.", "-# You answered this puzzle before, so nothing changes."]


def test_answer_to_a_wrong_card_puzzle_names_the_wrong_card() -> None:
    assert told(WRONG, 4) == "✔ Right: ♠4 is the wrong card. Solved in a row: 2, best 7."
    assert told(WRONG, 5) == "✘ No, ♠5 is a good card. The wrong card is ♠4: it lowers your win chance by 12%."


def test_reasons_state_the_plan_and_the_cost_of_each_card() -> None:
    costs = "♠4 loses to ♥5 ♥6. It lowers your win chance by 12%."
    assert reasons(WRONG) == [
        f"♠4 is a mistake: against every bid, ♠7 is at least as good. {costs}",
        "Best plan: a random choice of ♠7 (60% of the time), ♠A (40%). Your win chance: 38% (a draw counts half).",
        "How much each card lowers your win chance: ♠A 0% · ♠4 12% · ♠5 0% · ♠7 0%",
        "-# Textbooks call such a random choice a *mixed strategy*.",
        "-# Puzzle rating: this puzzle 1425, you 1312 · solved 3 of 5",
    ]
    assert reasons(BEST)[1].startswith("Best plan: always ♠7. Your win chance")
    assert [button.id for button in puzzle_reasons(BEST, RECORD).buttons] == ["g1:pz:41:next"]


@pytest.mark.parametrize(
    ("puzzle", "said"),
    [
        (BEST, "♠7 is the only right card."),
        (
            replace(BEST, idea="tie"),
            "♠7 is the only right card. A perfect opponent often bids ♥7: then you tie.",
        ),
        (
            replace(BEST, idea="tie", position=replace(HERE, theirs=HERE.mine, lead=0)),
            "♠7 is the only right card. A perfect opponent always bids ♥7: then you tie.",
        ),
        (
            MIXED,
            "♠A is a bluff. Bid your lowest card for the biggest prize 40% of the time: then your opponent may waste",
        ),
    ],
)
def test_reasons_state_the_idea(puzzle: Puzzle, said: str) -> None:
    assert reasons(puzzle)[0].startswith(said)


CARRIED = {"ties": "carry", "pot": 5}


@pytest.mark.parametrize(
    ("changed", "right", "tempting"),
    [
        ({}, "♠7 wins the 9 points for sure.", "♠A loses to every card."),
        ({**CARRIED, "lead": 0}, "♠7 wins the 14 points for sure.", "♠A loses to every card."),
        (
            {**CARRIED, "lead": 2},
            "♠7 wins the 14 points for sure. With these points you win the match.",
            "♠A loses to every card.",
        ),
        (
            {**CARRIED, "lead": -2},
            "♠7 wins the 14 points for sure.",
            "♠A loses to every card, and then you lose the match.",
        ),
        (
            {"theirs": (2, 3, 5, 7)},
            "No card beats ♠7: you win the 9 points, or you tie.",
            "♠A loses to every card.",
        ),
        (
            {"theirs": (2, 3, 5, 8)},
            "♠7 wins the 9 points against ♥2 ♥3 ♥5, but loses to ♥8.",
            "♠A loses to every card.",
        ),
    ],
)
def test_reasons_begin_with_who_wins_what(changed: dict[str, Any], right: str, tempting: str) -> None:
    told = reasons(replace(BEST, position=replace(HERE, **changed)))[0]
    assert told == f"♠7 is the only right card. {right} {tempting} It lowers your win chance by 20%."


def test_reasons_name_the_cards_that_tie() -> None:
    """Each card of the opponent stands in one group: the card that ties was in none."""
    high = replace(BEST, position=replace(HERE, theirs=(2, 3, 7, 8)))
    assert "♠7 wins the 9 points against ♥2 ♥3, ties with ♥7, and loses to ♥8." in reasons(high)[0]
    low = replace(BEST, position=replace(HERE, theirs=(1, 3, 5, 6)), shares=(1.0, 0, 0, 0), costs=(0, 0.1, 0.2, 0.3))
    assert "♠A loses to ♥3 ♥5 ♥6 and ties with ♥A, but you keep your higher cards for" in reasons(low)[0]


def test_reasons_of_a_low_card_name_what_a_high_card_is_for() -> None:
    low = replace(BEST, position=replace(HERE, up=3), shares=(1.0, 0.0, 0.0, 0.0), costs=(0.0, 0.12, 0.2, 0.3))
    assert reasons(low)[0] == (
        "♠A is the only right card. ♠A loses to every card, but you keep your higher cards for ♦9."
        " ♠7 is too high: you need it later, for ♦9. It lowers your win chance by 30%."
    )


@pytest.mark.parametrize(
    ("puzzle", "pressed", "lines"),
    [
        (BEST, 5, ["♠5 loses to ♥6. It lowers your win chance by 2%.", "♠7 is the only right card."]),
        (MIXED, 7, ["♠7 is a good card: it does not lower your win chance. ♠7 wins", "♠A is a bluff."]),
        (MIXED, 4, ["♠4 loses to ♥5 ♥6. It lowers your win chance by 12%.", "♠A is a bluff."]),
        (WRONG, 5, ["♠5 is a good card: it does not lower your win chance.", "♠4 is a mistake:"]),
        (WRONG, 4, ["♠4 is a mistake:", "Best plan:"]),
        (BEST, 2, ["♠7 is the only right card.", "Best plan:"]),
    ],
)
def test_reasons_begin_with_the_pressed_card(puzzle: Puzzle, pressed: int, lines: list[str]) -> None:
    told = plain(puzzle_reasons(puzzle, RECORD, pressed=pressed)).splitlines()[6:]
    assert [line.startswith(begun) for line, begun in zip(told, lines, strict=False)] == [True, True], told


def test_the_tempting_card_of_every_shipped_puzzle_is_wrong() -> None:
    for one in read_puzzles():
        assert find_tempting(one) not in one.answers or one.asks_for_wrong


def test_every_shipped_puzzle_can_be_drawn() -> None:
    for one in read_puzzles():
        assert puzzle_question(one).is_sendable
        assert puzzle_reasons(one, PuzzleRecord()).is_sendable
        for card in one.hand:
            assert puzzle_reasons(one, PuzzleRecord(), pressed=card).is_sendable
            assert puzzle_result(Graded(one, card, one.grade(card), PuzzleRecord(), 0, counted=True)).is_sendable
