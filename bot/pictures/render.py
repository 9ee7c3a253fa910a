"""Render SVG to PNG. Only worker processes call this: it loads a library of its own and takes a while.

`python -m bot.pictures.render` renders the faces in the package anew.
"""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

from bot.pictures.faces import draw_face, list_faces

FACE_PIXELS = 96
"""Twice the largest size in which a chat shows an emoji."""


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


def render_face(name: str) -> bytes:
    """Render one face in the size of the package."""
    return render_png(draw_face(name), FACE_PIXELS)


def main(folder: Path) -> None:
    """Replace the faces in a folder."""
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.png"):
        path.unlink()
    for name in list_faces():
        (folder / f"{name}.png").write_bytes(render_face(name))


if __name__ == "__main__":
    main(Path(__file__).with_name("shipped"))
