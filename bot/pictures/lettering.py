"""Text in pictures: the display face, the width of a text, and text that fits its room."""

from __future__ import annotations

from xml.sax.saxutils import escape

FAMILY = "Barlow Semi Condensed, DejaVu Sans Condensed"
"""Barlow has Latin letters and figures of one width; the other font has the scripts that Barlow lacks."""
SMALLEST = 36.0
"""the smallest font size: a phone shows a picture of 1200 pixels at a third of its width"""
CAPITAL = 0.7
"""height of a capital or figure, as a share of the font size"""

_OTHER = 0.72
"""width of a character that is not in the table, as a share of the font size"""
_WIDTHS = {
    0.25: " !'(),-./:;Iijl|`",
    0.36: '"[]frt{}\N{RIGHT SINGLE QUOTATION MARK}',
    0.46: "*+<=>?\\^_sz\N{EN DASH}\N{MINUS SIGN}",
    0.521: "$0123456789ELZFJPQSTabcdeghknopquvxy~",
    0.56: "ABCDGHKNORUVXY",
    0.66: "#&M",
    0.8: "%@Wmw\N{HORIZONTAL ELLIPSIS}",
}
_WIDTH_OF = {letter: width for width, letters in _WIDTHS.items() for letter in letters}


def measure_text(text: str, size: float) -> float:
    """Return about how wide a text is, rather too much than too little."""
    return size * sum(_WIDTH_OF.get(letter, _OTHER) for letter in text)


def fit_text(text: str, room: float, largest: float, smallest: float = SMALLEST) -> tuple[str, float]:
    """Return a text and a font size that fit the room; a text that is too long in the smallest size is cut."""
    size = min(largest, room / max(measure_text(text, 1.0), 0.01))
    if size >= smallest:
        return text, size
    kept = text
    while kept and measure_text(f"{kept}…", smallest) > room:
        kept = kept[:-1].rstrip()
    return f"{kept}…", smallest


def draw_text(text: str, across: float, down: float, size: float, ink: str, anchor: str = "start") -> str:
    """Draw a text on a baseline."""
    place = f'x="{across:.1f}" y="{down:.1f}" font-size="{size:.1f}" fill="{ink}"'
    return f'<text {place} text-anchor="{anchor}">{escape(text)}</text>'


def draw_narrow(text: str, across: float, down: float, size: float, room: float, ink: str) -> str:
    """Draw a short text around a point; narrow its letters if it is wider than the room."""
    width = measure_text(text, size)
    if width <= room:
        return draw_text(text, across, down, size, ink, "middle")
    share = room / width
    place = f"translate({across:.1f} {down:.1f}) scale({share:.3f} 1)"
    return f'<g transform="{place}">{draw_text(text, 0, 0, size, ink, "middle")}</g>'
