"""Where tables lie and how they are called. It needs none of the solver's libraries, so the bot may ask too."""

from pathlib import Path

SHIPPED = Path(__file__).parent / "shipped"
"""The tables that come with the project."""

BUILT = Path("data/tables")
"""Where `gops tables build` puts what it has built."""


def table_name(cards: int, ties: str) -> str:
    """How the file of a table is called."""
    return f"{'carry' if ties == 'carry' else 'points'}-{cards}.table"
