"""The table of games for players, from the registry. `python -m tests.games_table` writes it there."""

from pathlib import Path

from bot.engine.variants import GAMES

PAGE = Path(__file__).parents[1] / "docs" / "players.md"
BEGIN, END = "<!-- games -->\n", "<!-- /games -->"


def games_table() -> str:
    rows = ["| game | key | seats | in one line |", "|---|---|---|---|"]
    rows += [f"| {g.name} | `{g.key}` | {g.seat_range} | {g.guide.line} |" for g in GAMES]
    return "\n".join(rows) + "\n"


def with_table(text: str) -> str:
    """The page with a fresh table between its marks."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{games_table()}{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
