"""A screenshot as a small file: its colours in a table of 256, which a page of few colours does not show."""

from __future__ import annotations

import struct
import zlib
from typing import Any, TypeAlias

import numpy as np

from tests.pictures.pixels import pixels

MOST, FREQUENT = 256, 160

Indexed: TypeAlias = tuple["np.ndarray[tuple[int, int], np.dtype[np.uint8]]", "np.ndarray[Any, np.dtype[np.uint8]]"]
"""lines of numbers, and the table of colours that they stand for"""


def reduce_colours(png: bytes) -> Indexed:
    """Keep the most frequent colours, and those that are least like them; every other one becomes the nearest of
    these."""
    points = pixels(png)[:, :, :3].astype(np.uint8)
    height, width, _ = points.shape
    flat = points.reshape(-1, 3).astype(np.int32)
    packed = flat[:, 0] << 16 | flat[:, 1] << 8 | flat[:, 2]
    colours, where, counts = np.unique(packed, return_inverse=True, return_counts=True)
    told = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1)
    chosen = list(np.argsort(-counts, kind="stable")[:FREQUENT])
    nearest, apart = np.zeros(len(told), np.int64), np.full(len(told), np.iinfo(np.int64).max)
    for place in range(min(MOST, len(told))):
        if place == len(chosen):
            chosen.append((apart * counts).argmax())
        away = ((told - told[chosen[place]]) ** 2).sum(axis=1)
        nearest[away < apart] = place
        apart = np.minimum(apart, away)
    return nearest[where].astype(np.uint8).reshape(height, width), told[chosen].astype(np.uint8)


def shrunk(png: bytes) -> bytes:
    """Return the same picture with a table of colours, if that is smaller."""
    lines, kept = reduce_colours(png)
    height, width = lines.shape
    raw = b"".join(b"\0" + line.tobytes() for line in lines)
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    small = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in (
            (b"IHDR", head),
            (b"PLTE", kept.tobytes()),
            (b"IDAT", zlib.compress(raw, 9)),
            (b"IEND", b""),
        )
    )
    return min(small, png, key=len)
