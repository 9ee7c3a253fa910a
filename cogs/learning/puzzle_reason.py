"""Why a card is right in a puzzle: what it wins, and what the card that tempts loses."""

from __future__ import annotations

from bot.engine.cards import face
from bot.solver.coach.puzzles import NOTHING, Puzzle
from bot.ui.text.catalogue.numbers import percent_of
from bot.ui.text.sentences import say


def describe_reason(puzzle: Puzzle) -> str:
    """Return a sentence on the right card and one on the tempting one. The idea of a wrong card names a better one."""
    right = "" if puzzle.asks_for_wrong else _describe_right(puzzle, puzzle.answers[0])
    return " ".join(filter(None, (right, _describe_tempting(puzzle))))


def _describe_right(puzzle: Puzzle, card: int) -> str:
    theirs, stake = puzzle.position.theirs, _stake(puzzle)
    below, above = _split(puzzle, card)
    if card >= max(theirs):
        told = say("puzzle-sure" if card > max(theirs) else "puzzle-top", card=face(card), stake=stake)
        return f"{told} {say('puzzle-decides')}" if _decides(puzzle, 1) else told
    if not below:
        return say("puzzle-low", stake=stake, card=face(card), cards=above, later=_later(puzzle))
    return say("puzzle-some", stake=stake, card=face(card), below=below, above=above)


def _describe_tempting(puzzle: Puzzle) -> str:
    """Return what the tempting card loses, and what that costs."""
    card = find_tempting(puzzle)
    right = [other for other in puzzle.hand if puzzle.cost(other) <= NOTHING]
    data = {"card": face(card), "share": percent_of(puzzle.cost(card)), "stake": _stake(puzzle)}
    above = _split(puzzle, card)[1]
    if card > max(right) or not above:
        return say("puzzle-too-high", later=_later(puzzle), **data)
    lost = "puzzle-too-low-match" if _decides(puzzle, -1) else "puzzle-too-low"
    return say(lost, above=above, **data)


def find_tempting(puzzle: Puzzle) -> int:
    """Return the worst of the obvious wrong cards; in a puzzle that asks for the wrong card it is the answer."""
    if puzzle.asks_for_wrong:
        return puzzle.answers[0]
    up = puzzle.position.up or 0
    nearest = min(puzzle.hand, key=lambda card: abs(card - up))
    obvious = [card for card in (puzzle.hand[-1], nearest, puzzle.hand[0]) if puzzle.cost(card) > NOTHING]
    return max(obvious or puzzle.hand, key=puzzle.cost)


def _split(puzzle: Puzzle, card: int) -> tuple[str, str]:
    """Return the opponent's cards that this card beats, and those that beat it."""
    theirs = puzzle.position.theirs
    below, above = ([face(one) for one in theirs if one < card], [face(one) for one in theirs if one > card])
    return " ".join(below), say("puzzle-every") if len(above) == len(theirs) else " ".join(above)


def _stake(puzzle: Puzzle) -> str:
    here = puzzle.position
    return say("puzzle-stake", n=(here.up or 0) + here.pot)


def _later(puzzle: Puzzle) -> str:
    """Return the biggest prize that is still to come."""
    here = puzzle.position
    return face(max(prize for prize in here.prizes if prize != here.up))


def _decides(puzzle: Puzzle, sign: int) -> bool:
    """Return True if these points decide the match: for the reader with `sign` 1, for the opponent with -1."""
    here = puzzle.position
    rest = sum(prize for prize in here.prizes if prize != here.up)
    return sign * here.lead + (here.up or 0) + here.pot > rest
