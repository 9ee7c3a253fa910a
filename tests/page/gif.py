"""An animated GIF of screenshots: enough of the format, without a library."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from tests.page.shrink import reduce_colours

CLEAR, END, LARGEST = 256, 257, 4096


def make_gif(frames: Sequence[tuple[bytes, float]]) -> bytes:
    """Return an endless animation of these pictures, which are equally large, with the seconds of each."""
    parts, size = list[bytes](), b""
    for png, seconds in frames:
        lines, colours = reduce_colours(png)
        height, width = lines.shape
        size = struct.pack("<HH", width, height)
        table = colours.tobytes().ljust(3 * 256, b"\0")
        parts.append(b"\x21\xf9\x04\x04" + struct.pack("<H", round(100 * seconds)) + b"\0\0")
        parts.append(b"\x2c" + bytes(4) + size + b"\x87" + table + b"\x08" + _in_blocks(_compress(lines.tobytes())))
    endless = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
    return b"GIF89a" + size + b"\x70\0\0" + endless + b"".join(parts) + b"\x3b"


def _in_blocks(data: bytes) -> bytes:
    blocks = [data[at : at + 255] for at in range(0, len(data), 255)]
    return b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"


def _compress(numbers: bytes) -> bytes:
    """Compress numbers of 8 bits by LZW."""
    out, held, bits, width = bytearray(), 0, 0, 9

    def write(code: int) -> None:
        nonlocal held, bits
        held |= code << bits
        bits += width
        while bits >= 8:
            out.append(held & 255)
            held >>= 8
            bits -= 8

    known: dict[int, int] = {}
    write(CLEAR)
    code, fresh = numbers[0], END + 1
    for number in numbers[1:]:
        longer = known.get(code << 8 | number)
        if longer is not None:
            code = longer
            continue
        write(code)
        if fresh < LARGEST:
            known[code << 8 | number] = fresh
            width += fresh == 1 << width
            fresh += 1
        else:
            write(CLEAR)
            known, width, fresh = {}, 9, END + 1
        code = number
    write(code)
    write(END)
    return bytes(out) + bytes([held & 255])
