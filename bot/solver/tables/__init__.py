"""Paths and names of table files. This module needs neither numpy nor numba, so the bot may import it."""

from pathlib import Path

SHIPPED = Path(__file__).parent / "shipped"
"""The folder of the tables that come with the project."""

BUILT = Path("data/tables")
"""The folder to which `gops tables build` writes tables."""


def table_name(cards: int, ties: str) -> str:
    """Return the file name of a table."""
    return f"{'carry' if ties == 'carry' else 'points'}-{cards}.table"
