"""Make puzzles: play random games down to a few cards, and let the solver certify the positions.

`python -m tests.puzzle_maker` writes a new file; the result is deterministic. With `--check` it solves each
puzzle of the shipped file again and compares.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from bot.solver.coach.coach import drop_dominated, find_better_card, find_win_chance
from bot.solver.coach.puzzles import CLOSE, FILE, NOTHING, Puzzle, read_puzzles
from bot.solver.exact.position import Position
from bot.solver.exact.solve import ValueSource, answer_position, find_decided_value, solve_position, start_whole_game
from bot.solver.kernels.matrix_game import Solution

IDEAS = ("only", "never", "bluff", "tie")
"""A single right card; a single wrong card, an obvious one; the lowest card for the highest prize; a tie."""

PLAN = {
    ("only", 4): 100, ("only", 5): 100, ("only", 6): 50,
    ("never", 4): 100, ("never", 5): 100, ("never", 6): 50,
    ("tie", 4): 150, ("tie", 5): 100,
    ("bluff", 6): 250,
}  # fmt: skip
"""how many puzzles there are of each idea and size of the hand; two cards are right in every bluff"""
GAMES = (6, 7, 8)
"""sizes of the games that are played down to a few cards"""
LEAST_CARDS = min(cards for _, cards in PLAN)
CERTAIN = 1e-9
"""the widest gap of the games of a solve"""
MOST_RIGHT = 1 / 3
"""the largest share of a hand that is right, where a right card is asked for"""
CLEAR = 0.01
"""the least loss of a wrong card in the chance to win"""
TIES = ("discard", "discard", "carry")
DEAR = 0.08
"""the least loss of the obvious card in the chance to win"""
HALF = 0.5
OBVIOUS = 3
"""the number of rules of thumb, from the first on, that count as obvious"""
OFTEN = 0.15
"""the least share of a bluff in every optimal mix"""


def draw_position(chance: random.Random, left: int) -> tuple[int, Position]:
    """Draw the size of a game and a position in it with so many cards left; the bids are near the prize's value."""
    cards = chance.choice([size for size in GAMES if size > left])
    position = start_whole_game(cards, chance.choice(TIES), "win")
    for _ in range(cards - left):
        position = position.turned(chance.choice(position.prizes))
        bids = [_bid_about(position, hand, chance) for hand in (position.mine, position.theirs)]
        position = position.after(*bids)
    return cards, position.turned(chance.choice(position.prizes))


def _bid_about(position: Position, hand: Sequence[int], chance: random.Random) -> int:
    assert position.up is not None
    wanted = position.up + chance.gauss(0, 2.0)
    return min(hand, key=lambda card: abs(card - wanted))


def list_thumb_bids(position: Position) -> tuple[int, ...]:
    """List the bids of six rules of thumb in this position."""
    mine, theirs, stake = sorted(position.mine), sorted(position.theirs), _find_stake(position)
    last = len(mine) - 1
    rank = min(last, sum(prize < stake for prize in position.prizes))
    over = [card for card in mine if card > theirs[rank]]
    return (
        mine[rank],  # the prize's rank
        min(mine, key=lambda card: (abs(card - stake), card)),  # the card closest to the stake
        over[0] if over else mine[0],  # just above their card of that rank
        mine[min(rank + 1, last)],  # one rank higher
        mine[last] if rank == last else mine[0],  # the highest card for the highest prize, else the lowest
        mine[max(0, rank - 1)],  # one rank lower
    )


def _find_stake(position: Position) -> int:
    assert position.up is not None
    return position.up + position.pot


def _is_for_the_most(position: Position) -> bool:
    return _find_stake(position) >= max(position.prizes)


def rate_puzzle(position: Position, costs: Sequence[float]) -> int:
    """Return the difficulty, from the number of rules of thumb that fail and the number of cards."""
    wrong = [costs[position.mine.index(card)] > NOTHING for card in list_thumb_bids(position)]
    return 850 + 125 * sum(wrong) + 50 * len(position.mine)


def find_idea(position: Position, game: Solution, costs: Sequence[float], instead: Sequence[int]) -> str:
    """Return the idea of the puzzle, or an empty string if it has none or leaves a doubt."""
    mine, theirs = sorted(position.mine), sorted(position.theirs)
    right = [card for card, cost in zip(mine, costs, strict=True) if cost <= NOTHING]
    at = max((mine.index(card) for card in list_thumb_bids(position)[:OBVIOUS]), key=lambda place: costs[place])
    dear = costs[at] >= DEAR
    if any(NOTHING < cost < CLEAR for cost in costs):
        return ""
    if len(right) == len(mine) - 1:
        return "never" if dear and instead[at] else ""
    if len(right) > MOST_RIGHT * len(mine):
        return ""
    if len(right) == 1 and dear:
        meets = right[0] in theirs and game.exchange_sides().least_shares()[theirs.index(right[0])] >= HALF
        return "tie" if meets and right[0] != mine[-1] else "only"
    bluffed = game.least_shares()[0] >= OFTEN and game.mix[0] <= 1 - OFTEN
    return "bluff" if _is_for_the_most(position) and bluffed and max(costs) > CLOSE else ""


def make_puzzle(position: Position, source: ValueSource, number: int = 0) -> Puzzle | None:
    """Return the position as a puzzle; None if it has no idea or is nearly decided."""
    if len(position.mine) < LEAST_CARDS or find_decided_value(position) is not None:
        return None
    game = answer_position(source, position)
    assert game is not None
    if game.gap > CERTAIN or not 0.1 <= find_win_chance(game.value) <= 0.9:
        return None
    costs = tuple(cost / 2 for cost in game.costs())
    mine = sorted(position.mine)
    shown = drop_dominated(game)
    better = tuple(find_better_card(shown, at, mine) or 0 for at in range(len(mine)))
    idea = find_idea(position, game, costs, better)
    if not idea:
        return None
    shares = tuple(share if share >= NOTHING else 0.0 for share in shown.mix)
    return Puzzle(
        number, position, idea, rate_puzzle(position, costs), find_win_chance(game.value), shares, costs, better
    )


def make_puzzles(plan: Mapping[tuple[str, int], int], seed: int = 18) -> Iterator[Puzzle]:
    """Yield so many puzzles of each idea and size, no two of which differ in the lead alone, as the seed decides."""
    games = {
        (cards, ties): solve_position(start_whole_game(cards, ties, "win")) for cards in GAMES for ties in set(TIES)
    }
    assert max(game.gap for game in games.values()) <= CERTAIN
    chance, seen, missing = random.Random(seed), set[Position](), Counter(plan)
    while kinds := sorted(kind for kind, count in missing.items() if count):
        idea, size = chance.choice(kinds)
        cards, position = draw_position(chance, size)
        level = replace(position, lead=0)
        if level in seen or (idea == "bluff" and not _is_for_the_most(position)):
            continue
        puzzle = make_puzzle(position, games[cards, position.ties], len(seen))
        if puzzle is not None and missing[puzzle.idea, size]:
            missing[puzzle.idea, size] -= 1
            seen.add(level)
            yield puzzle


def find_fault(puzzle: Puzzle) -> str:
    """Solve a puzzle of the file again; return the difference, or an empty string if there is none."""
    solved = solve_position(puzzle.position)
    again = make_puzzle(puzzle.position, solved, puzzle.number)
    if again is None or solved.gap > CERTAIN:
        return f"puzzle {puzzle.number} is none"
    made, shipped = write_line(again), write_line(puzzle)
    return "" if made == shipped else f"puzzle {puzzle.number}: {shipped} is {made}"


def write_line(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of the file."""
    at = puzzle.position
    cards: list[object] = [at.mine, at.theirs, at.prizes, at.up, at.ties, at.pot, at.lead]
    costs = [round(cost, 4) for cost in puzzle.costs]
    shares = [round(share, 4) for share in puzzle.shares]
    line = [*cards, puzzle.idea, puzzle.rating, round(puzzle.chance, 4), shares, costs, puzzle.instead]
    return json.dumps(line, separators=(",", ":"))


def main() -> int:
    """Make the file, or check it."""
    parser = argparse.ArgumentParser(prog="python -m tests.puzzle_maker")
    parser.add_argument("--check", action="store_true", help="solve every puzzle of the file once more")
    if parser.parse_args().check:
        faults = [fault for puzzle in read_puzzles() if (fault := find_fault(puzzle))]
        sys.stdout.write(("\n".join(faults) or f"{len(read_puzzles())} puzzles are what they say") + "\n")
        return 1 if faults else 0
    puzzles = list(make_puzzles(PLAN))
    random.Random(18).shuffle(puzzles)  # the rare ideas come last
    FILE.write_text("".join(write_line(puzzle) + "\n" for puzzle in puzzles), encoding="utf-8")
    ideas = Counter(puzzle.idea for puzzle in puzzles)
    sys.stdout.write(", ".join(f"{idea} {ideas[idea]}" for idea in IDEAS) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
