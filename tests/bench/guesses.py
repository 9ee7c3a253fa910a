"""What a guess is worth to games solved one by one: how often the support of an earlier game fits, and what they cost.

The games are those of some words of a layer of points, by sets of prizes. Layers solve eight at once (`layers`).
Processor time.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from bot.solver import matrix
from bot.solver.compiled import kernel
from bot.solver.induction import LayerWork, Workers, layer
from bot.solver.matrix import WIDTH, Floats, Spots
from bot.solver.solve import frame, whole_game

CARDS, LAYERS, WORDS = 10, (5, 6, 7), 12
AGAIN = 15
"""The quickest of so many runs counts."""


@dataclass(frozen=True)
class Games:
    """Games in the order of a solve; the support that each was guessed to have, and the one that it has."""

    games: Floats
    sizes: Spots  # [game, rows and columns]
    guesses: Spots
    guessed: Spots  # how many bids a guess has
    fits: Spots

    def where(self, fits: bool) -> Games:
        at = np.flatnonzero(self.fits == fits)
        return Games(self.games[at], self.sizes[at], self.guesses[at], self.guessed[at], self.fits[at])


def run() -> None:
    shape = frame(whole_game(CARDS))
    below = shape.ground
    for cards in range(1, LAYERS[-1] + 1):
        work = shape.work(below, cards)
        if cards in LAYERS:
            print(f"  {cards} of {CARDS} cards: {_told(_sampled(work), work.shift)}", flush=True)
        below = layer(work, Workers()).values


def _told(all_games: Games, shift: float) -> str:
    share = float(all_games.fits.mean())
    fit, miss, cold = (
        _nanoseconds(games, shift, guess)
        for games, guess in (
            (all_games.where(fits=True), True),
            (all_games.where(fits=False), True),
            (all_games.where(fits=False), False),
        )
    )
    mean = share * fit + (1 - share) * miss
    return (
        f"{share:.1%} of {len(all_games.fits)} guesses fit; {fit:.0f} ns a game where one does, {miss:.0f} ns where "
        f"not, {cold:.0f} ns of it without the guess; were all to fit, {mean / fit:.2f} times as fast"
    )


def _sampled(work: LayerWork) -> Games:
    """The games of some words, each with the support that the same prize had with the last set of others."""
    moves, turns = work.moves, work.turns
    games, sizes, guesses, guessed, fits = (
        list[Floats](),
        list[tuple[int, int]](),
        list[Spots](),
        list[int](),
        list[bool](),
    )
    table, basis = np.zeros((WIDTH, WIDTH)), np.zeros((2, WIDTH), np.int64)
    x, y, bounds = np.zeros(WIDTH), np.zeros(WIDTH), np.zeros(2)
    for word in np.linspace(0, len(moves.words) - 1, WORDS).astype(int):
        rows, columns = int(moves.rows[word]), int(moves.columns[word])
        known = dict[float, tuple[Spots, int]]()
        for left in range(len(turns.starts) - 1):
            for turn in range(int(turns.starts[left]), int(turns.starts[left + 1])):
                prize = float(turns.prize[turn])
                game: Floats = np.zeros((WIDTH, WIDTH))
                part = np.s_[:rows, :columns]
                game[part] = moves.facing[word][part] * work.below[moves.child[word][part], left]
                game[part] += prize * moves.sign[word][part]
                used, size = known.get(prize, (np.zeros((2, WIDTH), np.int64), 0))
                if size:
                    games.append(game)
                    sizes.append((rows, columns))
                    guesses.append(used.copy())
                    guessed.append(size)
                now = used.copy()
                found = matrix.solve(game, rows, columns, work.shift, now, size, table, basis, x, y, bounds)
                if size:
                    fits.append(size == found and all(set(now[k, :size]) == set(used[k, :size]) for k in (0, 1)))
                known[prize] = now, found
    return Games(np.array(games), np.array(sizes), np.array(guesses), np.array(guessed), np.array(fits, dtype=np.int64))


def _nanoseconds(games: Games, shift: float, guess: bool) -> float:
    again(games.games, games.sizes, games.guesses, games.guessed, shift, guess)
    best = float("inf")
    for _ in range(AGAIN):
        begin = time.process_time_ns()
        again(games.games, games.sizes, games.guesses, games.guessed, shift, guess)
        best = min(best, (time.process_time_ns() - begin) / len(games.games))
    return best


@kernel
def again(games: Floats, sizes: Spots, guesses: Spots, guessed: Spots, shift: float, guess: bool) -> float:
    """Solve them all once more, with their guesses or without."""
    used = np.empty((2, WIDTH), np.int64)
    table = np.empty((WIDTH, WIDTH))
    basis = np.empty((2, WIDTH), np.int64)
    x = np.empty(WIDTH)
    y = np.empty(WIDTH)
    bounds = np.empty(2)
    total = 0.0
    for at in range(games.shape[0]):
        size = 0
        if guess:
            size = guessed[at]
            for k in range(size):
                used[0, k] = guesses[at, 0, k]
                used[1, k] = guesses[at, 1, k]
        matrix.solve(games[at], sizes[at, 0], sizes[at, 1], shift, used, size, table, basis, x, y, bounds)
        total += bounds[0]
    return total


if __name__ == "__main__":
    run()
