"""A PNG as numbers: enough of the format for what the renderer writes."""

import struct
import zlib

import numpy as np

CHANNELS = {2: 3, 6: 4}


def pixels(png: bytes) -> "np.ndarray[tuple[int, int, int], np.dtype[np.int16]]":
    """Lines of points of channels."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, width, height, kind = 8, b"", 0, 0, 0
    while at < len(png):
        size, name = struct.unpack(">I4s", png[at : at + 8])
        data = png[at + 8 : at + 8 + size]
        if name == b"IHDR":
            width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", data)
            assert (depth, interlaced) == (8, 0)
            assert kind in CHANNELS
        elif name == b"IDAT":
            packed += data
        at += size + 12
    step = CHANNELS[kind]
    raw, row = zlib.decompress(packed), width * step
    lines: list[bytearray] = []
    above = bytearray(row)
    for number in range(height):
        start = number * (row + 1)
        above = _unfiltered(raw[start], bytearray(raw[start + 1 : start + 1 + row]), above, step)
        lines.append(above)
    return np.frombuffer(b"".join(lines), np.uint8).reshape(height, width, step).astype(np.int16)


def _unfiltered(way: int, line: bytearray, above: bytearray, step: int) -> bytearray:
    for at in range(len(line)):
        left = line[at - step] if at >= step else 0
        corner = above[at - step] if at >= step else 0
        guess = (0, left, above[at], (left + above[at]) // 2, _paeth(left, above[at], corner))[way]
        line[at] = (line[at] + guess) % 256
    return line


def _paeth(left: int, above: int, corner: int) -> int:
    guess = left + above - corner
    return min((left, above, corner), key=lambda one: abs(guess - one))
