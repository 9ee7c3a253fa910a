"""What a worker is asked to draw; the renderer is loaded there and nowhere else."""

from __future__ import annotations


def paint(svg: str) -> bytes:
    """A picture as PNG. In the worker."""
    from bot.pictures.render import render_png

    return render_png(svg)
