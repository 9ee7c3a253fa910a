"""Render SVG to PNG. Only worker processes call this: it loads a library of its own and takes a while."""

from __future__ import annotations

from importlib.resources import as_file, files


def render_png(svg: str, width: int | None = None) -> bytes:
    """Render a picture. All text is set in the font of the package, never in a font of the system."""
    import resvg_py

    with as_file(files("bot.pictures") / "fonts" / "DejaVuSansCondensed-Bold.subset.ttf") as font:
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=svg,
                width=width,
                skip_system_fonts=True,
                font_files=[str(font)],
                font_family="DejaVu Sans Condensed",
            )
        )
