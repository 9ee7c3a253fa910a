"""`/gops puzzle`: a position, one bid, and its grade by perfect play."""

from __future__ import annotations

from bot.engine.cards import face
from bot.engine.variants import classic
from bot.interactions.commands import command
from bot.interactions.component import MessageKind, component
from bot.interactions.context import InteractionContext
from bot.referee.house.puzzles import Graded, PuzzleRecord
from bot.solver.coach.puzzles import Puzzle
from bot.ui.custom_ids import learning_ids
from bot.ui.message import BLUE, Button, Message, join_lines, make_rows
from bot.ui.text.catalogue.numbers import percent, percent_of
from bot.ui.text.faces import Faces
from bot.ui.text.sentences import say
from bot.ui.text.style import find_style
from cogs.learning.odds import chance, mix, score, where

WHOLE = 1.0
YOU = 0
RULES = classic.GAME.rules(2)
"""Rules of every puzzle."""


def puzzle_question(puzzle: Puzzle, record: PuzzleRecord, cards: str = "") -> Message:
    """Return the position with a button for every card; `cards` is the person's card style."""
    faces = Faces(RULES, find_style(cards))
    keys = [
        Button(face(card), learning_ids.puzzle(puzzle.number, card), emoji=faces.key_picture(card, YOU))
        for card in puzzle.hand
    ]
    standing = say("puzzle-standing", size=record.shown, k=record.solved, total=record.tried, n=record.streak)
    text = join_lines(_title(puzzle), _position(puzzle, faces), say("puzzle-ask"), standing)
    return Message(text, body=tuple(make_rows(keys)))


def puzzle_result(found: Graded, cards: str = "") -> Message:
    """Return the grade of the bid, the idea of the puzzle, and the button for the next one."""
    puzzle, card = found.puzzle, face(found.card)
    cost = puzzle.cost(found.card)
    id = "puzzle-right" if found.grade == WHOLE else "puzzle-close" if found.grade else "puzzle-wrong"
    best = say("puzzle-best", mix=mix(puzzle.mix, face), chance=chance(puzzle.chance))
    costs = say("puzzle-costs", list=", ".join(_cost(puzzle, other) for other in puzzle.hand))
    count = _record_change(found) if found.counted else say("puzzle-again")
    verdict = say(id, card=card, share=percent_of(cost))
    where = _position(puzzle, Faces(RULES, find_style(cards)))
    text = join_lines(_title(puzzle), where, verdict, _idea(puzzle), best, costs, count)
    return Message(text, body=tuple(make_rows([Button(say("puzzle-next"), learning_ids.puzzle(puzzle.number), BLUE)])))


def _title(puzzle: Puzzle) -> str:
    return say("puzzle-title", n=puzzle.number + 1, size=puzzle.rating)


def _position(puzzle: Puzzle, faces: Faces) -> str:
    here = puzzle.position
    return say("puzzle-where", where=where(here, faces.card), score=score(here.lead))


def _record_change(found: Graded) -> str:
    record = found.record
    gained = f"+{found.gained}" if found.gained > 0 else f"−{-found.gained}" if found.gained else "±0"
    data = {"size": record.shown, "change": gained, "n": record.streak, "most": record.best}
    return say("puzzle-moved", k=record.solved, total=record.tried, **data)


def _cost(puzzle: Puzzle, card: int) -> str:
    cost = puzzle.cost(card)
    return say("puzzle-cost", card=face(card), share=percent_of(cost) if puzzle.grade(card) < WHOLE else percent(0))


def _idea(puzzle: Puzzle) -> str:
    """Return the sentence about the puzzle's idea."""
    best = face(puzzle.mix[0][0])
    if puzzle.idea == "never":
        at = max(range(len(puzzle.hand)), key=lambda place: puzzle.costs[place] if puzzle.instead[place] else -1.0)
        return say("hint-never", card=face(puzzle.hand[at]), other=face(puzzle.instead[at]))
    if puzzle.idea == "bluff":
        return say("puzzle-bluff", card=face(puzzle.hand[0]))
    return say("puzzle-tie" if puzzle.idea == "tie" else "hint-only", card=best)


@command("puzzle", "Find the best bid in a position of a few cards")
async def puzzle(context: InteractionContext) -> None:
    await context.answer.send(await _open_puzzle(context))


@component(learning_ids.PUZZLE, on=MessageKind.QUESTION)
async def answer_puzzle(context: InteractionContext) -> None:
    """Grade a bid in place, or show the next puzzle."""
    number, card = learning_ids.read_puzzle(context.id_parts)
    if card is None:
        await context.answer.update(await _open_puzzle(context))
    else:
        found = await context.referee.puzzles.bid(context.user, number, card)
        await context.answer.update(puzzle_result(found, await _cards(context)))


async def _open_puzzle(context: InteractionContext) -> Message:
    """Return the person's current puzzle."""
    puzzle, record = await context.referee.puzzles.open(context.user)
    return puzzle_question(puzzle, record, await _cards(context))


async def _cards(context: InteractionContext) -> str:
    """Return the person's card style."""
    return (await context.referee.people.load_player(context.user)).cards
