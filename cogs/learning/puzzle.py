"""`/gops puzzle`: a position, one answer, and its grade by perfect play."""

from __future__ import annotations

from bot.engine.cards import face
from bot.engine.variants import classic
from bot.interactions.commands import command
from bot.interactions.component import MessageKind, component
from bot.interactions.context import InteractionContext
from bot.referee.house.puzzles import Graded, PuzzleRecord
from bot.solver.coach.puzzles import NOTHING, Puzzle
from bot.ui.custom_ids import learning_ids
from bot.ui.message import BLUE, Button, Message, join_lines, make_rows
from bot.ui.text.catalogue.numbers import percent, percent_of
from bot.ui.text.faces import Faces
from bot.ui.text.names import join_words
from bot.ui.text.sentences import say
from bot.ui.text.style import find_style
from cogs.learning.analysis import chance, mix
from cogs.learning.puzzle_reason import OPPONENT, YOU, describe_reason, name_mine

RULES = classic.GAME.rules(2)
"""Rules of every puzzle."""


def puzzle_question(puzzle: Puzzle, cards: str = "") -> Message:
    """Return the position with a button for every card; `cards` is the person's card style."""
    faces = Faces(RULES, find_style(cards))
    keys = [
        Button(face(card), learning_ids.puzzle(puzzle.number, str(card)), emoji=faces.key_picture(card, YOU))
        for card in puzzle.hand
    ]
    meaning = say("puzzle-meaning") if puzzle.asks_for_wrong else ""
    return Message(join_lines(_describe_position(puzzle, cards), meaning), body=tuple(make_rows(keys)))


def puzzle_result(found: Graded, cards: str = "") -> Message:
    """Return the position with the grade of the answer, and the buttons for the reasons and the next puzzle."""
    text = join_lines(_describe_position(found.puzzle, cards), *_verdict(found, _words(cards)), _record_change(found))
    why = Button(say("puzzle-why"), learning_ids.puzzle(found.puzzle.number, f"{learning_ids.WHY}{found.card}"))
    return Message(text, body=tuple(make_rows([why, _next_button(found.puzzle)])))


def puzzle_reasons(puzzle: Puzzle, record: PuzzleRecord, cards: str = "", pressed: int = 0) -> Message:
    """Return the position with what the pressed card does, the idea, the best plan, the cost of each card, and the
    ratings."""
    faces = _words(cards)
    plan = say("puzzle-plan-mix" if len(puzzle.mix) > 1 else "puzzle-plan", mix=_mix(puzzle, faces))
    worth = say("puzzle-worth", chance=chance(puzzle.chance))
    costs = say("puzzle-costs", list=" · ".join(_cost(puzzle, faces, card) for card in puzzle.hand))
    ratings = say("puzzle-ratings", size=puzzle.rating, now=record.shown, k=record.solved, total=record.tried)
    words = say("hint-words") if len(puzzle.mix) > 1 else ""
    reasons = describe_reason(puzzle, faces, pressed if pressed in puzzle.hand else 0)
    text = join_lines(_describe_position(puzzle, cards), *reasons, f"{plan} {worth}", costs, words, ratings)
    return Message(text, body=tuple(make_rows([_next_button(puzzle)])))


def _words(cards: str) -> Faces:
    """Return the cards of sentences in this person's card style: with suits, without pictures."""
    return Faces(RULES, find_style(cards)).without_pictures


def _next_button(puzzle: Puzzle) -> Button:
    return Button(say("puzzle-next"), learning_ids.puzzle(puzzle.number, learning_ids.NEXT), BLUE)


def _describe_position(puzzle: Puzzle, cards: str) -> str:
    """Return the question, the position in four lines with labels, and the score and the tie rule in small print."""
    here, faces = puzzle.position, Faces(RULES, find_style(cards))
    assert here.up is not None
    stake = {"prize": faces.prize(here.up), "pot": here.pot, "n": here.up + here.pot}
    left = " ".join(faces.prize_by_rank(prize) for prize in here.prizes if prize != here.up)
    return join_lines(
        say("puzzle-which-wrong" if puzzle.asks_for_wrong else "puzzle-which-wins", n=puzzle.number + 1),
        say("puzzle-prize-pot" if here.pot else "puzzle-prize", **stake),
        say("puzzle-left", list=left),
        say("puzzle-you", list=faces.hand(YOU, here.mine)),
        say("puzzle-opponent", list=faces.hand(OPPONENT, here.theirs)),
        say("puzzle-carry" if here.aim.carry else "puzzle-discard", score=_score(here.lead)),
    )


def _score(lead: int) -> str:
    if not lead:
        return say("puzzle-level")
    return say("puzzle-ahead" if lead > 0 else "puzzle-behind", n=abs(lead))


def _verdict(found: Graded, faces: Faces) -> list[str]:
    """Return the grade of the answer, and the best card or plan."""
    puzzle, mine = found.puzzle, name_mine(faces)
    card = mine(found.card)
    if found.card in puzzle.answers:
        told = "puzzle-right" if found.counted else "puzzle-right-again"
        card = say("puzzle-is-wrong", card=card) if puzzle.asks_for_wrong else card
        right = say(told, card=card, n=found.record.streak, most=found.record.best)
        others = [mine(one) for one in puzzle.answers if one != found.card and not puzzle.asks_for_wrong]
        return [f"{right} {say('puzzle-right-too', n=len(others), list=join_words(others))}" if others else right]
    if puzzle.asks_for_wrong:
        wrong = puzzle.answers[0]
        return [say("puzzle-fine", card=card, other=mine(wrong), share=percent_of(puzzle.cost(wrong)))]
    after = chance(max(0.0, puzzle.chance - puzzle.cost(found.card)))
    told = "puzzle-close" if found.grade else "puzzle-wrong"
    best = say("puzzle-best" if len(puzzle.mix) == 1 else "puzzle-best-mix", mix=_mix(puzzle, faces))
    return [f"{say(told, card=card, before=chance(puzzle.chance), after=after)} {best}"]


def _mix(puzzle: Puzzle, faces: Faces) -> str:
    (card, _), *others = puzzle.mix
    mine = name_mine(faces)
    return mix(puzzle.mix, mine) if others else mine(card)


def _record_change(found: Graded) -> str:
    """Return the small print about the rating."""
    if not found.counted:
        return say("puzzle-again")
    record = found.record
    gained = f"+{found.gained}" if found.gained > 0 else f"−{-found.gained}" if found.gained else "±0"
    return say("puzzle-moved", size=record.shown, change=gained, k=record.solved, total=record.tried)


def _cost(puzzle: Puzzle, faces: Faces, card: int) -> str:
    cost = puzzle.cost(card)
    return say("puzzle-cost", card=name_mine(faces)(card), share=percent_of(cost) if cost > NOTHING else percent(0))


@command("puzzle", "Find the right card in a position")
async def puzzle(context: InteractionContext) -> None:
    await context.answer.send(await _open_puzzle(context))


@component(learning_ids.PUZZLE, on=MessageKind.QUESTION)
async def answer_puzzle(context: InteractionContext) -> None:
    """Grade an answer in place, or show its reasons or the next puzzle."""
    number, what = learning_ids.read_puzzle(context.id_parts)
    puzzles, cards = context.referee.puzzles, await _cards(context)
    if what == learning_ids.NEXT:
        await context.answer.update(await _open_puzzle(context))
    elif what.startswith(learning_ids.WHY):
        pressed = int(what.removeprefix(learning_ids.WHY) or 0)
        await context.answer.update(puzzle_reasons(*await puzzles.answered(context.user, number), cards, pressed))
    else:
        await context.answer.update(puzzle_result(await puzzles.bid(context.user, number, int(what)), cards))


async def _open_puzzle(context: InteractionContext) -> Message:
    """Return the person's current puzzle."""
    puzzle, _ = await context.referee.puzzles.open(context.user)
    return puzzle_question(puzzle, await _cards(context))


async def _cards(context: InteractionContext) -> str:
    """Return the person's card style."""
    return (await context.referee.people.load_player(context.user)).cards
