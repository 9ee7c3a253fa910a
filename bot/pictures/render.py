"""SVG into PNG. Only worker processes import this: the renderer is a library of its own, and drawing takes a while.

`python -m bot.pictures.render` draws the faces anew that come with the package.
"""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

import resvg_py

from bot.pictures import faces

FACE_PIXELS = 96
"""twice the largest size in which a chat shows an emoji"""


def render_png(svg: str, width: int | None = None) -> bytes:
    """A picture; what is written in it is written in the font that comes along, never in one of the system."""
    with as_file(files("bot.pictures") / "fonts" / "DejaVuSansCondensed-Bold.subset.ttf") as font:
        drawn = resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            skip_system_fonts=True,
            font_files=[str(font)],
            font_family="DejaVu Sans Condensed",
        )
    return bytes(drawn)


def render_face(name: str) -> bytes:
    """One face, as it is uploaded."""
    return render_png(faces.draw_face(name), FACE_PIXELS)


def main(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    for name in faces.list_faces():
        (folder / f"{name}.png").write_bytes(render_face(name))


if __name__ == "__main__":
    main(Path(__file__).with_name("shipped"))
