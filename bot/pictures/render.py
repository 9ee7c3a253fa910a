"""Render SVG to PNG. Only worker processes call this: it loads a library of its own and takes a while."""

from __future__ import annotations

from contextlib import ExitStack
from importlib.resources import as_file, files

FONTS = ("BarlowSemiCondensed-Bold.subset.ttf", "DejaVuSansCondensed-Bold.subset.ttf")


def render_png(svg: str, width: int | None = None) -> bytes:
    """Render a picture. All text is set in the fonts of the package, never in a font of the system."""
    import resvg_py

    folder = files("bot.pictures") / "fonts"
    with ExitStack() as stack:
        fonts = [str(stack.enter_context(as_file(folder / name))) for name in FONTS]
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=svg,
                width=width,
                skip_system_fonts=True,
                font_files=fonts,
                font_family="DejaVu Sans Condensed",
            )
        )
