"""The README's table of games, from the registry. `python -m tests.games_table` writes it there."""

from pathlib import Path

from bot.engine.variants import GAMES

README = Path(__file__).parents[1] / "README.md"
BEGIN, END = "<!-- games -->\n", "<!-- /games -->"


def games_table() -> str:
    rows = ["| game | key | seats | in one line |", "|---|---|---|---|"]
    rows += [f"| {g.name} | `{g.key}` | {g.seat_range} | {g.guide.line} |" for g in GAMES]
    return "\n".join(rows) + "\n"


def with_table(text: str) -> str:
    """The README with a fresh table between its marks."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{games_table()}{END}{after}"


if __name__ == "__main__":
    README.write_text(with_table(README.read_text(encoding="utf-8")), encoding="utf-8")
