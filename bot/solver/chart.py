"""The chart of a review: the score and what was to be expected, over the rounds. Words stand beside it, none in it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from bot.solver.advice import Judged, levels
from bot.solver.picture import Colour, encode_png

WIDTH, HEIGHT, EDGE = 720, 320, 24
_PAPER, _GRID, _ZERO = (255, 255, 255), (226, 230, 234), (120, 126, 132)
_SCORE, _HOPE = (150, 90, 20), (11, 79, 108)
Point = tuple[int, int]


class _Canvas:
    """Pixels, line by line."""

    def __init__(self) -> None:
        self.lines = [bytearray(bytes(_PAPER) * WIDTH) for _ in range(HEIGHT)]

    def dot(self, x: int, y: int, size: int, colour: Colour) -> None:
        for line in self.lines[max(0, y - size // 2) : y - size // 2 + size]:
            start = max(0, x - size // 2)
            end = min(WIDTH, x - size // 2 + size)
            line[3 * start : 3 * end] = bytes(colour) * (end - start)

    def line(self, start: Point, end: Point, size: int, colour: Colour, gap: int = 0) -> None:
        """A straight line; with a gap it is dashed, so that colour is not the only difference."""
        steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
        for step in range(steps + 1):
            if gap and step // gap % 2:
                continue
            x = start[0] + (end[0] - start[0]) * step // steps
            y = start[1] + (end[1] - start[1]) * step // steps
            self.dot(x, y, size, colour)


def chart(rounds: Sequence[Judged]) -> bytes:
    """The score as a dashed line, the expectation as a solid one, above the middle where seat 0 is ahead."""
    score, hope = levels(rounds)
    most = max((abs(each) for each in (*score, *hope)), default=0.0) or 1.0
    canvas, places = _Canvas(), max(1, len(rounds))

    def at(place: int, level: float) -> Point:
        x = EDGE + place * (WIDTH - 2 * EDGE) // places
        return x, round(HEIGHT / 2 - level / most * (HEIGHT / 2 - EDGE))

    for place in range(places + 1):
        canvas.line((at(place, 0)[0], EDGE), (at(place, 0)[0], HEIGHT - EDGE), 1, _GRID)
    canvas.line(at(0, 0), at(places, 0), 2, _ZERO)
    for values, size, colour, gap in ((score, 3, _SCORE, 8), (hope, 4, _HOPE, 0)):
        points = [at(place, level) for place, level in enumerate(values)]
        for start, end in pairwise(points):
            canvas.line(start, end, size, colour, gap)
        for x, y in points:
            canvas.dot(x, y, 2 * size + 1, colour)
    return encode_png(WIDTH, HEIGHT, canvas.lines)
