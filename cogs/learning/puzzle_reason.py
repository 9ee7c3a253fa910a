"""Why a card is right or wrong in a puzzle: what it wins or loses, the pressed card first."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bot.solver.coach.puzzles import NOTHING, Puzzle
from bot.ui.text.catalogue.numbers import percent_of
from bot.ui.text.faces import Faces
from bot.ui.text.sentences import say

YOU, OPPONENT = 0, 1


def name_mine(faces: Faces) -> Callable[[int], str]:
    """Return the function that names a card of the reader, with its suit."""
    return partial(faces.bid_card, YOU)


def describe_reason(puzzle: Puzzle, faces: Faces, pressed: int = 0) -> list[str]:
    """Return lines: what the pressed card does, then the puzzle's idea with its answer.

    If no other card than the answer was pressed, the card that tempts is described after the idea.
    """
    answer, told = puzzle.answers[0], _Reason(puzzle, faces)
    if puzzle.asks_for_wrong:
        first = "" if pressed in (0, answer) else told.good(pressed)
        return [first, f"{told.idea(answer)} {told.wrong(answer)}"]
    idea = f"{told.idea(answer)} {told.right(answer)}"
    if pressed in (0, answer):
        return [f"{idea} {told.wrong(find_tempting(puzzle))}"]
    if puzzle.cost(pressed) > NOTHING:
        return [told.wrong(pressed), idea]
    return [f"{told.good(pressed)} {told.right(pressed)}", idea]


def find_tempting(puzzle: Puzzle) -> int:
    """Return the worst of the obvious wrong cards; in a puzzle that asks for the wrong card it is the answer."""
    if puzzle.asks_for_wrong:
        return puzzle.answers[0]
    up = puzzle.position.up or 0
    nearest = min(puzzle.hand, key=lambda card: abs(card - up))
    obvious = [card for card in (puzzle.hand[-1], nearest, puzzle.hand[0]) if puzzle.cost(card) > NOTHING]
    return max(obvious or puzzle.hand, key=puzzle.cost)


class _Reason:
    """Sentences about the cards of one puzzle."""

    def __init__(self, puzzle: Puzzle, faces: Faces) -> None:
        self.puzzle = puzzle
        self._faces = faces
        self._mine, self._theirs = name_mine(faces), partial(faces.bid_card, OPPONENT)
        here = puzzle.position
        self._stake = say("puzzle-stake", n=(here.up or 0) + here.pot)

    def idea(self, answer: int) -> str:
        """Return the sentence about the puzzle's idea."""
        puzzle, here = self.puzzle, self.puzzle.position
        if puzzle.asks_for_wrong:
            better = puzzle.instead[puzzle.hand.index(answer)]
            return say("puzzle-never", card=self._mine(answer), other=self._mine(better))
        is_equal = here.mine == here.theirs and not here.lead  # what is right for one is right for both
        id = "puzzle-tie-equal" if puzzle.idea == "tie" and is_equal else f"puzzle-{puzzle.idea}"
        share = percent_of(puzzle.shares[puzzle.hand.index(answer)])
        return say(id, card=self._mine(answer), theirs=self._theirs(answer), share=share)

    def good(self, card: int) -> str:
        return say("puzzle-good", card=self._mine(card))

    def right(self, card: int) -> str:
        """Return what a right card wins, and against which cards it ties or loses."""
        hand, name, stake = self.puzzle.position.theirs, self._mine(card), self._stake
        below, above = self._split(card)
        if card >= max(hand):
            told = say("puzzle-sure" if card > max(hand) else "puzzle-top", card=name, stake=stake)
            return f"{told} {say('puzzle-decides')}" if _decides(self.puzzle, 1) else told
        tie, theirs = "-tie" if card in hand else "", self._theirs(card)
        if not below:
            return say(f"puzzle-low{tie}", stake=stake, card=name, cards=above, theirs=theirs, later=self._later())
        return say(f"puzzle-some{tie}", stake=stake, card=name, below=below, theirs=theirs, above=above)

    def wrong(self, card: int) -> str:
        """Return what a wrong card loses, and what that costs."""
        puzzle = self.puzzle
        right = [other for other in puzzle.hand if puzzle.cost(other) <= NOTHING]
        data = {"card": self._mine(card), "share": percent_of(puzzle.cost(card)), "stake": self._stake}
        above = self._split(card)[1]
        if card > max(right) or not above:
            return say("puzzle-too-high", later=self._later(), **data)
        lost = "puzzle-too-low-match" if _decides(puzzle, -1) else "puzzle-too-low"
        return say(lost, above=above, **data)

    def _split(self, card: int) -> tuple[str, str]:
        """Return the opponent's cards that this card beats, and those that beat it."""
        theirs = self.puzzle.position.theirs
        below = " ".join(self._theirs(one) for one in theirs if one < card)
        above = " ".join(self._theirs(one) for one in theirs if one > card)
        return below, say("puzzle-every") if min(theirs) > card else above

    def _later(self) -> str:
        """Return the biggest prize that is still to come."""
        here = self.puzzle.position
        return self._faces.prize(max(prize for prize in here.prizes if prize != here.up))


def _decides(puzzle: Puzzle, sign: int) -> bool:
    """Return True if these points decide the match: for the reader with `sign` 1, for the opponent with -1."""
    here = puzzle.position
    rest = sum(prize for prize in here.prizes if prize != here.up)
    return sign * here.lead + (here.up or 0) + here.pot > rest
