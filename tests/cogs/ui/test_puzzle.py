"""A puzzle in words: what is asked, how it is graded, what there was to see."""

from __future__ import annotations

import pytest

from bot.pictures.faces import list_faces
from bot.referee.house.puzzles import Graded, PuzzleRecord
from bot.solver.coach.puzzles import Puzzle, read_puzzles
from bot.solver.exact.position import Position
from bot.ui.text.style import remove_pictures, use_pictures
from cogs.learning.puzzle import puzzle_question, puzzle_result
from tests.cogs.ui.test_review import plain

HERE = Position((1, 4, 7), (2, 5, 6), (3, 8, 9), 9, objective="win", lead=-4)


def puzzle(idea: str = "never") -> Puzzle:
    return Puzzle(41, HERE, idea, 1425, 0.38, (0.4, 0.0, 0.6), (0.0, 0.12, 0.0), (0, 7, 0))


def told(card: int, grade: float, *, idea: str = "never", counted: bool = True) -> list[str]:
    record = PuzzleRecord(rating=1312.4, tried=5, solved=3, streak=2, best=7)
    return plain(puzzle_result(Graded(puzzle(idea), card, grade, record, 12, counted))).splitlines()


def test_puzzle_states_the_position() -> None:
    message = puzzle_question(puzzle(), PuzzleRecord(tried=4, solved=3, streak=2))
    assert plain(message).splitlines() == [
        "### Puzzle 42 · rating 1425",
        "Your A 4 7 against 2 5 6, 9 turned up, 3 8 to come. Behind by 4.",
        "Which card do you bid to win the match?",
        "-# Your puzzle rating 1300 · solved 3 of 4 · streak 2",
    ]
    assert [button.label for button in message.buttons] == ["A", "4", "7"]
    assert [button.id for button in message.buttons] == ["g1:pz:41:1", "g1:pz:41:4", "g1:pz:41:7"]


def test_the_cards_have_faces_and_are_read_as_before() -> None:
    words = puzzle_question(puzzle(), PuzzleRecord(), "faces")
    assert [button.emoji for button in words.buttons] == ["", "", ""], "as long as Discord has none of ours"
    use_pictures({name: f"<:{name}:{10**17 + number}>" for number, name in enumerate(list_faces())})
    try:
        message = puzzle_question(puzzle(), PuzzleRecord(), "faces")
        kept = puzzle_question(puzzle(), PuzzleRecord(), "letters")
        answered = puzzle_result(Graded(puzzle(), 4, 0.0, PuzzleRecord(), 0, counted=True), "faces")
    finally:
        use_pictures({})
    assert [button.label for button in message.buttons] == ["A", "4", "7"]
    assert [button.emoji.split(":")[1] for button in message.buttons] == ["spade_A", "spade_4", "spade_7"]
    assert "card_9" in message.texts[0]
    assert "card_9" in answered.texts[0]
    assert remove_pictures(message.texts[0]) == words.texts[0], "who cannot see them is told the same"
    assert kept.buttons == words.buttons


def test_graded_puzzle_states_the_cost_of_each_card() -> None:
    assert told(4, 0.0)[2:] == [
        "✘ 4 gives up 12 % of the chance to win.",
        "4 is never right here: 7 does at least as well, whatever is bid.",
        "Best mix: 7 (60 %), A (40 %). With it you win 38 % of the time, a draw as half.",
        "What each card gives up: A (0 %), 4 (12 %), 7 (0 %).",
        "-# Your puzzle rating 1312 (+12) · solved 3 of 5 · streak 2, best 7",
    ]
    assert told(7, 1.0)[2] == "✔ 7 is right: it gives up nothing."
    assert told(4, 0.5)[2].startswith("≈ 4 is close")
    assert told(4, 0.0, counted=False)[-1] == "-# You have answered this one before: nothing changes."


@pytest.mark.parametrize(
    ("idea", "said"),
    [
        ("only", "Only the 7 is right here."),
        ("tie", "Only the 7 is right here: it seeks a tie."),
        ("bluff", "The A belongs to the best mix: a bluff"),
    ],
)
def test_graded_puzzle_states_its_idea(idea: str, said: str) -> None:
    assert told(4, 0.0, idea=idea)[3].startswith(said)


def test_every_shipped_puzzle_can_be_drawn() -> None:
    for one in read_puzzles():
        assert puzzle_question(one, PuzzleRecord()).is_sendable
        assert puzzle_result(
            Graded(one, one.hand[0], one.grade(one.hand[0]), PuzzleRecord(), 0, counted=True)
        ).is_sendable
