"""What takes an hour to build comes along in a few megabytes: the upper layers of a table, packed."""

import hashlib
from dataclasses import replace
from pathlib import Path

from bot.solver.tables.table import Head, TableLayer, ValueTable, encode_packed, write

STEP = {"discard": 0.004, "carry": 0.02}
"""What the values of the lowest layer are rounded to multiples of: so wide that all tables fit in 4 MB."""
FINER = 10
"""A layer has so many times the step of the next one above, which has few values and is played by first."""


def ship(table: ValueTable, lowest: int, step: float, path: Path) -> Path:
    """The layers of a table from `lowest` cards up; the lowest by this step, those above by ever finer ones."""
    sections, parts = list[TableLayer](), list[bytes]()
    for section in table.head.layers:
        if section.cards < lowest:
            continue
        data, lost = encode_packed(table.decoded(section.cards), table.shape, section.cards, step)
        parts.append(data)
        sections.append(
            replace(
                section,
                error=section.error + lost,
                sha256=hashlib.sha256(data).hexdigest(),
                step=step,
                packed=len(data),
            )
        )
        step /= FINER
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, Head(table.head.cards, table.head.ties, tuple(sections)), parts)
    return path
