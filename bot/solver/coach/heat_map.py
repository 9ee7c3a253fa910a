"""Draw heat maps of mixes and payoffs as SVG and as PNG, without a plotting library."""

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Protocol

from bot.engine.cards import face

CELL_WIDTH, CELL_HEIGHT, LEFT, TOP, BOTTOM = 46, 24, 74, 52, 12
_DEEP = (11, 79, 108)
INK, PAPER = (34, 34, 34), (255, 255, 255)


Colour = tuple[int, int, int]


class Scale(Protocol):
    """The labels and colours of a heat map's numbers."""

    def label(self, number: float, /) -> str: ...

    def shade(self, number: float, /) -> Colour: ...

    def ink(self, number: float, /) -> Colour: ...


class Chances:
    """Shares of a mix: white for never, deep blue for always."""

    def label(self, number: float, /) -> str:
        return f"{number:.3f}"[1:] if 0.0005 <= number < 0.9995 else "0" if number < 0.0005 else "1"

    def shade(self, number: float, /) -> Colour:
        return blend_colour(_DEEP, number)

    def ink(self, number: float, /) -> Colour:
        if number < 0.0005:
            return (170, 178, 184)
        return PAPER if number > 0.35 else INK


@dataclass(frozen=True)
class HeatMap:
    """Rows of numbers, for example a row for each prize and a column for each bid; None for an empty cell."""

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[float | None]]
    scale: Scale = field(default_factory=Chances)

    @property
    def size(self) -> tuple[int, int]:
        width = LEFT + CELL_WIDTH * len(self.columns) + 12
        return max(width, 9 * len(self.title) + 24), TOP + CELL_HEIGHT * len(self.rows) + BOTTOM


def blend_colour(deep: Colour, strength: float) -> Colour:
    """Mix a colour with white; 0 is white, 1 the colour."""
    share = min(1.0, max(0.0, strength)) ** 0.6
    red, green, blue = (round(paper + (ink - paper) * share) for paper, ink in zip(PAPER, deep, strict=True))
    return red, green, blue


def draw_svg(chart: HeatMap) -> str:
    """Return the picture as SVG."""
    width, height = chart.size
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"',
        ' font-family="sans-serif" font-size="12" role="img">',
        f"<title>{escape(chart.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="12" y="20" font-size="14">{escape(chart.title)}</text>',
        '<g text-anchor="middle">',
    ]
    for at, name in enumerate(chart.columns):
        lines.append(f'<text x="{_x(at) + CELL_WIDTH // 2}" y="{TOP - 8}">{escape(name)}</text>')
    for row, name in enumerate(chart.rows):
        y = TOP + row * CELL_HEIGHT
        lines.append(f'<text x="{LEFT - 8}" y="{y + 16}" text-anchor="end">{escape(name)}</text>')
        for column, chance in enumerate(chart.cells[row]):
            if chance is None:
                continue
            fill = f"#{bytes(chart.scale.shade(chance)).hex()}"
            lines.append(
                f'<rect x="{_x(column)}" y="{y}" width="{CELL_WIDTH - 1}" height="{CELL_HEIGHT - 1}" fill="{fill}"/>'
            )
            ink = f"#{bytes(chart.scale.ink(chance)).hex()}"
            text = escape(chart.scale.label(chance))
            lines.append(f'<text x="{_x(column) + CELL_WIDTH // 2}" y="{y + 16}" fill="{ink}">{text}</text>')
    return "\n".join([*lines, "</g>", "</svg>", ""])


def draw_png(chart: HeatMap) -> bytes:
    """Return the picture as PNG, at twice the size, with a built-in bitmap font."""
    width, height = (2 * side for side in chart.size)
    pixels = [bytearray(bytes(PAPER) * width) for _ in range(height)]

    def fill(x: int, y: int, w: int, h: int, colour: tuple[int, int, int]) -> None:
        for line in pixels[y : y + h]:
            line[3 * x : 3 * (x + w)] = bytes(colour) * max(0, min(w, width - x))

    def write(x: int, y: int, text: str, colour: tuple[int, int, int], scale: int = 2) -> None:
        for at, letter in enumerate(text.upper()):
            for down, bits in enumerate(_LETTERS.get(letter, _LETTERS["?"])):
                for across in range(5):
                    if bits >> (4 - across) & 1:
                        fill(x + (6 * at + across) * scale, y + down * scale, scale, scale, colour)

    write(24, 18, chart.title, INK)
    for at, name in enumerate(chart.columns):
        write(2 * _x(at) + CELL_WIDTH - 6 * len(name), 2 * TOP - 28, name, INK)
    for row, name in enumerate(chart.rows):
        y = 2 * (TOP + row * CELL_HEIGHT)
        write(2 * LEFT - 16 - 12 * len(name), y + 16, name, INK)
        for column, chance in enumerate(chart.cells[row]):
            if chance is not None:
                fill(2 * _x(column), y, 2 * CELL_WIDTH - 2, 2 * CELL_HEIGHT - 2, chart.scale.shade(chance))
                text = chart.scale.label(chance)
                write(2 * _x(column) + CELL_WIDTH - 6 * len(text), y + 16, text, chart.scale.ink(chance))
    return encode_png(width, height, pixels)


def encode_png(width: int, height: int, lines: Sequence[bytes | bytearray]) -> bytes:
    """Encode lines of RGB bytes as PNG."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + bytes(line) for line in lines), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def _x(column: int) -> int:
    return LEFT + column * CELL_WIDTH


def _read_letters() -> dict[str, tuple[int, ...]]:
    """Read letters of 5 by 7 dots; each line of a letter is a digit in base 32."""
    packed = (
        "0:ehjlphe 1:4c4444e 2:eh1248v 3:v2421he 4:26aiv22 5:vgu11he 6:68guhhe 7:v124888 8:ehhehhe 9:ehhf12c"
        " A:ehhvhhh B:uhhuhhu C:ehggghe D:sihhhis E:vgguggv F:vggeggg G:ehgnhhf H:hhhvhhh I:e44444e J:72222ic"
        " K:hikokih L:ggggggv M:hrllhhh N:hhpljhh O:ehhhhhe P:uhhuggg Q:ehhhlid R:uhhukih S:fgge11u T:v444444"
        " U:hhhhhhe V:hhhhha4 W:hhhllla X:hha4ahh Y:hhha444 Z:v1248gv .:00000cc ,:0000c48 -:000v000 +:044v440"
        " ?:eh12404 %:opi4b13 (:2488842 ):8422248 /:0124880"
    )
    letters = {entry[0]: tuple(int(digit, 32) for digit in entry[2:]) for entry in packed.split()}
    letters[" "] = (0,) * 7
    letters[":"] = (0, 12, 12, 0, 12, 12, 0)
    return letters


_LETTERS = _read_letters()


DEEPEST = 0.45
"""The deepest colour on which dark letters can still be read."""
_MINE, _THEIRS = (38, 112, 168), (214, 120, 20)


@dataclass(frozen=True)
class PayoffScale:
    """Payoffs: blue is good for the side that asks, orange for the other side."""

    even: float
    """the payoff that is good for neither side"""
    widest: float
    """the greatest distance from it"""
    is_chance: bool
    """whether payoffs are chances to win, written in per cent"""

    def label(self, number: float, /) -> str:
        return f"{100 * number:.0f}" if self.is_chance else f"{number:+.1f}" if abs(number) >= 0.05 else "0"

    def shade(self, number: float, /) -> Colour:
        far = (number - self.even) / (self.widest or 1.0)
        return blend_colour(_MINE if far > 0 else _THEIRS, DEEPEST * abs(far))

    def ink(self, number: float, /) -> Colour:
        return INK


def draw_payoffs(mine: Sequence[int], theirs: Sequence[int], matrix: Sequence[Sequence[float]], what: str) -> bytes:
    """Draw a row for each card of mine and a column for each of theirs; `what` is "points" or "win"."""
    even = 0.5 if what == "win" else 0.0
    widest = max(abs(number - even) for row in matrix for number in row)
    court = max((*mine, *theirs)) <= 13
    rows, columns = ([face(card, court) for card in cards] for cards in (mine, theirs))
    return draw_png(
        HeatMap("yours down, theirs across", rows, columns, matrix, PayoffScale(even, widest, what == "win"))
    )
