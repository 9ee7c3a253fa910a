"""Puzzles are looked for in games that were played down to a few cards, and certified by the solver.

`python -m bot.solver.coach.puzzle_maker` makes a new file, always the same; with `--check` every puzzle of the file
that comes along is solved once more and compared. Only worker processes and this command import it.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from bot.solver.coach.coach import find_better_card, find_win_chance
from bot.solver.coach.puzzles import CLOSE, FILE, IDEAS, NOTHING, Puzzle, read_puzzles
from bot.solver.exact.position import Position
from bot.solver.exact.solve import ValueSource, answer_position, find_decided_value, solve_position, start_whole_game
from bot.solver.kernels.matrix_game import Solution

COUNT = 1000
GAMES = (6, 7, 8)
"""cards of the games that are played down to a few"""
CARDS = (4, 4, 5, 5, 6, 6)
LEAST_CARDS = min(CARDS)
CERTAIN = 1e-9
"""no game on the way may be known less closely than that"""
EACH = 0.4
"""no idea has more than this share of the puzzles"""
TIES = ("discard", "discard", "carry")
DEAR = 0.08
"""the obvious card must give up so much of the chance to win, else there is nothing to see"""
HALF = 0.5
OBVIOUS = 3
"""so many of the rules of thumb are what most people would bid"""
OFTEN = 0.15
"""a bluff that some best mix bids less often than this is none"""


def draw_position(chance: random.Random) -> tuple[int, Position]:
    """Somewhere in a game of so many cards whose players bid about what a prize is worth."""
    cards = chance.choice(GAMES)
    left = chance.choice([size for size in CARDS if size < cards])
    here = start_whole_game(cards, chance.choice(TIES), "win")
    for _ in range(cards - left):
        here = here.turned(chance.choice(here.prizes))
        bids = [_bid_about(here, hand, chance) for hand in (here.mine, here.theirs)]
        here = here.after(*bids)
    return cards, here.turned(chance.choice(here.prizes))


def _bid_about(here: Position, hand: Sequence[int], chance: random.Random) -> int:
    assert here.up is not None
    wanted = here.up + chance.gauss(0, 2.0)
    return min(hand, key=lambda card: abs(card - wanted))


def list_thumb_bids(here: Position) -> tuple[int, ...]:
    """What six rules of thumb bid here."""
    mine, theirs, stake = sorted(here.mine), sorted(here.theirs), _find_stake(here)
    last = len(mine) - 1
    rank = min(last, sum(prize < stake for prize in here.prizes))
    over = [card for card in mine if card > theirs[rank]]
    return (
        mine[rank],  # as high among my cards as the prize among the prizes
        min(mine, key=lambda card: (abs(card - stake), card)),  # what the prize is worth
        over[0] if over else mine[0],  # just above what they would match it with
        mine[min(rank + 1, last)],  # a little more
        mine[last] if rank == last else mine[0],  # everything for the dearest, nothing else
        mine[max(0, rank - 1)],  # a little less
    )


def _find_stake(here: Position) -> int:
    assert here.up is not None
    return here.up + here.pot


def rate_puzzle(here: Position, costs: Sequence[float]) -> int:
    """How hard it is: rules of thumb that go wrong, and cards to choose from."""
    wrong = [costs[here.mine.index(card)] > NOTHING for card in list_thumb_bids(here)]
    return 850 + 125 * sum(wrong) + 50 * len(here.mine)


def find_idea(here: Position, game: Solution, costs: Sequence[float], instead: Sequence[int]) -> str:
    """The one thing to see, or nothing."""
    mine, theirs = sorted(here.mine), sorted(here.theirs)
    right = [card for card, cost in zip(mine, costs, strict=True) if cost <= NOTHING]
    at = max((mine.index(card) for card in list_thumb_bids(here)[:OBVIOUS]), key=lambda place: costs[place])
    dear = costs[at] >= DEAR
    if len(right) == 1 and dear:
        meets = right[0] in theirs and game.exchange_sides().least_shares()[theirs.index(right[0])] >= HALF
        return "tie" if meets and right[0] != mine[-1] else "only"
    if instead[at] and dear:
        return "never"
    bluffed = game.least_shares()[0] >= OFTEN and game.mix[0] <= 1 - OFTEN
    dearest = _find_stake(here) >= max(here.prizes)
    if dearest and bluffed and max(costs) > CLOSE and 2 * len(right) <= len(mine) + 1:
        return "bluff"
    return ""


def make_puzzle(here: Position, source: ValueSource, number: int = 0) -> Puzzle | None:
    """The position as a puzzle, if there is something to see in it."""
    if len(here.mine) < LEAST_CARDS or find_decided_value(here) is not None:
        return None
    game = answer_position(source, here)
    assert game is not None
    if game.gap > CERTAIN or not 0.1 <= find_win_chance(game.value) <= 0.9:
        return None
    costs = tuple(cost / 2 for cost in game.costs())
    mine = sorted(here.mine)
    better = tuple(find_better_card(game, at, mine) or 0 for at in range(len(mine)))
    idea = find_idea(here, game, costs, better)
    if not idea:
        return None
    shares = tuple(share if share >= NOTHING else 0.0 for share in game.mix)
    return Puzzle(number, here, idea, rate_puzzle(here, costs), find_win_chance(game.value), shares, costs, better)


def make_puzzles(count: int, seed: int = 18) -> Iterator[Puzzle]:
    """As many different ones, of every idea some, the same for a seed."""
    games = {
        (cards, ties): solve_position(start_whole_game(cards, ties, "win")) for cards in GAMES for ties in set(TIES)
    }
    assert max(game.gap for game in games.values()) <= CERTAIN
    chance, seen, ideas = random.Random(seed), set[Position](), Counter[str]()
    while len(seen) < count:
        cards, here = draw_position(chance)
        found = None if here in seen else make_puzzle(here, games[cards, here.ties], len(seen))
        if found is None or ideas[found.idea] >= EACH * count:
            continue
        seen.add(here)
        ideas[found.idea] += 1
        yield found


def find_fault(one: Puzzle) -> str:
    """What the file says of a puzzle and a solve of its own does not; empty where they agree."""
    solved = solve_position(one.here)
    again = make_puzzle(one.here, solved, one.number)
    if again is None or solved.gap > CERTAIN:
        return f"puzzle {one.number} is none"
    return "" if again.line() == one.line() else f"puzzle {one.number}: {one.line()} is {again.line()}"


def main() -> int:
    """Make the file, or check it."""
    parser = argparse.ArgumentParser(prog="python -m bot.solver.coach.puzzle_maker")
    parser.add_argument("--check", action="store_true", help="solve every puzzle of the file once more")
    if parser.parse_args().check:
        faults = [fault for puzzle in read_puzzles() if (fault := find_fault(puzzle))]
        sys.stdout.write(("\n".join(faults) or f"{len(read_puzzles())} puzzles are what they say") + "\n")
        return 1 if faults else 0
    made = list(make_puzzles(COUNT))
    FILE.write_text("".join(puzzle.line() + "\n" for puzzle in made), encoding="utf-8")
    ideas = Counter(puzzle.idea for puzzle in made)
    sys.stdout.write(", ".join(f"{idea} {ideas[idea]}" for idea in IDEAS) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
