"""The Discord side asks facts of `Rules` and knows no game: no rules class, no variant, no key of a game."""

from __future__ import annotations

import ast

from bot.engine.auction import auction
from bot.engine.rules import Rules
from bot.engine.variants import GAMES
from tests.conftest import DISCORD_SIDE, ROOT

FILES = sorted(path for room in (*DISCORD_SIDE, "bot/referee") for path in (ROOT / room).rglob("*.py"))


def kinds(kind: type[Rules] = Rules) -> set[str]:
    """Every class of rules that there is but `Rules` itself."""
    found = {"Auction"}
    for one in kind.__subclasses__():
        found |= {one.__name__} | kinds(one)
    return found


KINDS = kinds()
HOMES = {kind.__module__ for kind in (auction.Auction, *(type(game.rules(game.seats[0])) for game in GAMES))}
KEYS = {game.key for game in GAMES}


def faults(tree: ast.AST) -> list[str]:
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            names = {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
            found += [f"imports {name}" for name in sorted(names & HOMES)]
            found += [f"imports {alias.name}" for alias in node.names if alias.name in KINDS]
            found += [f"imports {node.module}" for _ in [0] if node.module.startswith("bot.engine.variants.")]
        elif isinstance(node, ast.Import):
            found += [f"imports {alias.name}" for alias in node.names if alias.name in HOMES]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("isinstance", "issubclass"):
            asked = {getattr(part, "id", getattr(part, "attr", "")) for part in ast.walk(node.args[1])}
            found += [f"asks for {name}" for name in sorted(asked & (KINDS | {"Rules"}))]
        elif isinstance(node, ast.MatchClass):
            found += [f"asks for {name}" for name in {ast.unparse(node.cls).rpartition(".")[2]} & (KINDS | {"Rules"})]
        elif isinstance(node, ast.Compare):
            found += compared(node)
    return found


def compared(node: ast.Compare) -> list[str]:
    """A game's key that something called a game or a key is compared with."""
    sides = [node.left, *node.comparators]
    if not any(ast.unparse(side).rpartition(".")[2] in ("key", "game") for side in sides):
        return []
    written = [part.value for side in sides for part in ast.walk(side) if isinstance(part, ast.Constant)]
    return [f"compares with {value}" for value in written if value in KEYS]


def test_discord_side_names_no_game() -> None:
    found = {path: faults(ast.parse(path.read_text(encoding="utf-8"))) for path in FILES}
    assert {path: named for path, named in found.items() if named} == {}


def test_names_of_games_are_found() -> None:
    assert {"Auction", "Pico", "Throps", "Parlett"} <= KINDS
    assert {"bot.engine.auction.auction", "bot.engine.variants.pico"} <= HOMES
    for text in (
        "from bot.engine.auction.auction import Auction",
        "from bot.engine.variants.classic import TIES",
        "from bot.engine.variants import pico",
        "import bot.engine.auction.auction",
        "isinstance(rules, auction.Auction)",
        "isinstance(x, int | Pico)",
        "if rules.game.key == 'welsh': pass",
        "if game.key in ('pico', 'bid'): pass",
        "match rules:\n    case Throps(): pass",
    ):
        assert faults(ast.parse(text)), text
    assert faults(ast.parse("from bot.engine.variants import DEFAULT, GAMES, find\nverb == 'bid'")) == []
