"""Who may import whom, read off the syntax tree."""

import ast
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ROOT

STDLIB_BANNED = {"asyncio", "random", "time", "sqlite3", "logging", "datetime", "os", "io", "socket", "secrets"}
"""What would make the engine impure, although the standard library has it."""

NUMERIC = {"numpy", "numba", "openskill"}
DRIVERS = {"aiosqlite", "sqlite3"}

# room: (rooms of this project that it may import, libraries that it may import)
TABLE: dict[str, tuple[set[str], set[str]]] = {
    "bot.engine": ({"bot.engine"}, set()),
    "bot.solver": ({"bot.solver", "bot.engine"}, NUMERIC),
    "bot.ratings": ({"bot.ratings", "bot.engine"}, NUMERIC),
    "bot.referee": ({"bot.referee", "bot.engine", "bot.ratings", "bot.solver", "bot.errors"}, set()),
    "data": ({"data", "bot.referee", "bot.engine", "bot.errors"}, set()),
    "data.sql": ({"data.sql", "bot.referee", "bot.engine", "bot.errors"}, set()),
    "data.sqlite": ({"data.sqlite", "data.sql", "bot.referee", "bot.errors"}, {"sqlite3"}),
    "data.sqlite.worker": (set(), DRIVERS),
    "data.postgres": ({"data.postgres", "data.sql", "data.store", "bot.referee", "bot.errors"}, set()),
    "data.postgres.driver": (set(), {"asyncpg"}),
    "cogs": ({"cogs", "bot.referee", "bot.engine", "bot.errors", "bot.pictures"}, {"discord"}),
    "cogs.wire.direct": ({"cogs"}, {"aiohttp", "discord"}),
    "cogs.doors.http": ({"cogs"}, {"aiohttp", "discord"}),
    "cogs.doors.passing": ({"cogs", "bot.referee"}, {"aiohttp"}),
    "cogs.doors.signed": (set(), {"nacl"}),
    "bot.playground": ({"bot.playground"}, {"aiohttp", "jsonschema", "nacl", "referencing"}),
    "bot.pictures": ({"bot.pictures"}, set()),
    "bot.pictures.render": ({"bot.pictures"}, {"resvg_py"}),
    "bot.errors": ({"bot.engine"}, set()),
    "bot.settings": ({"bot.errors", "bot.addresses", "bot.clock"}, set()),
    "bot.addresses": (set(), set()),
}
OURS = {"bot", "cogs", "data"}
STDLIB = sys.stdlib_module_names


def imports(path: Path) -> frozenset[str]:
    """Every module that a file imports, those for type checking included."""
    return imported(path.read_text(encoding="utf-8"))


@cache
def imported(text: str) -> frozenset[str]:
    """A file is read by several tests."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"imports are absolute: {ast.unparse(node)}"
            assert node.module is not None
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


def room(module: str) -> str | None:
    """The room of the table that a module lies in."""
    fitting = [name for name in TABLE if module == name or module.startswith(f"{name}.")]
    return max(fitting, key=len, default=None)


def files() -> list[tuple[str, Path]]:
    found: list[tuple[str, Path]] = []
    for top in sorted(OURS):
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found.append((".".join(parts[:-1] if parts[-1] == "__init__" else parts), path))
    return found


def wrong_imports(module: str, path: Path) -> list[str]:
    """The imports of a file that the table forbids."""
    home = room(module)
    if home is None:
        return []  # the composition root, the commands: they may import everything
    rooms, libraries = TABLE[home]
    wrong: list[str] = []
    for name in imports(path):
        top = name.split(".", maxsplit=1)[0]
        if top in OURS:
            ok = name in OURS or any(name == r or name.startswith(f"{r}.") for r in rooms)
        elif home == "bot.engine":
            ok = top in STDLIB - STDLIB_BANNED
        else:
            ok = top in STDLIB - DRIVERS or top in libraries
        if not ok:
            wrong.append(name)
    return wrong


@pytest.mark.parametrize(("module", "path"), files(), ids=[module for module, _ in files()])
def test_the_import_table_holds(module: str, path: Path) -> None:
    assert wrong_imports(module, path) == []


@pytest.mark.parametrize("path", sorted((ROOT / "bot/engine/variants").glob("[!_]*.py")), ids=lambda path: path.stem)
def test_a_variant_knows_no_other_variant(path: Path) -> None:
    assert not [name for name in imports(path) if name.startswith("bot.engine.variants")]


def test_the_table_can_be_broken(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text("import random\nfrom bot.referee import x\nimport discord\nfrom math import gcd\n")
    assert sorted(wrong_imports("bot.engine.bad", file)) == ["bot.referee.x", "discord", "random"]
    file.write_text("import data.store\nimport sqlite3\n")
    assert sorted(wrong_imports("cogs.bad", file)) == ["data.store", "sqlite3"]


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Modules that import each other, directly or round about."""

    def reached(start: str) -> set[str]:
        found, wanted = set[str](), [start]
        while wanted:
            for one in graph.get(wanted.pop(), set()) - found:
                found.add(one)
                wanted.append(one)
        return found

    back = {module: {other for other in reached(module) if module in reached(other)} for module in graph}
    return sorted({tuple(sorted(found)): sorted(found) for found in back.values() if found}.values())


def graph_of(room: str) -> dict[str, set[str]]:
    """What each module of a room imports of it, those for type checking included."""
    inside = {module: path for module, path in files() if module == room or module.startswith(f"{room}.")}
    return {
        module: {one for name in imports(path) for one in (name, name.rpartition(".")[0]) if one in inside} - {module}
        for module, path in inside.items()
    }


def test_nothing_of_the_discord_side_imports_in_a_circle() -> None:
    assert circles(graph_of("cogs")) == []
    assert {"cogs.ui.story.prizes", "cogs.ui.story.tricks"} <= graph_of("cogs.ui")["cogs.ui.story.reveal"]


def test_nothing_of_the_referee_imports_in_a_circle() -> None:
    assert circles(graph_of("bot.referee")) == []
    assert "bot.referee.referee" in graph_of("bot.referee")["bot.referee.clock.deadlines"]


def folders_of(graph: dict[str, set[str]], top: str) -> dict[str, set[str]]:
    """What each folder below `top`, and each module that lies there by itself, imports of the others.

    A module that knows nothing but the ports leads nowhere: whoever imports such a leaf comes into no circle by it.
    """

    def folder(module: str) -> str:
        return module.removeprefix(f"{top}.").split(".")[0]

    known = {module: {folder(one) for one in found} - {"ports"} for module, found in graph.items()}
    below = sorted(module for module in graph if module != top)
    found: dict[str, set[str]] = {folder(module): set() for module in below}
    for module in below:
        found[folder(module)] |= {folder(one) for one in graph[module] if known[one]} - {folder(module)}
    return found


def test_no_folder_of_the_referee_imports_another_in_a_circle() -> None:
    folders = folders_of(graph_of("bot.referee"), "bot.referee")
    assert circles(folders) == []
    assert folders["match"] >= {"keeper", "query"}


SOLVER = ("kernels", "exact", "tables", "players", "coach")
"""folders of the solver: each imports only those before it"""


def test_folders_of_the_solver_are_layers() -> None:
    found = folders_of(graph_of("bot.solver"), "bot.solver")
    for number, folder in enumerate(SOLVER):
        assert found[folder] <= set(SOLVER[:number]), folder
    assert found.keys() == set(SOLVER)


def test_circles_of_folders_are_found() -> None:
    graph = {
        "r": set[str](),
        "r.a.one": {"r.b.two"},
        "r.b.two": {"r.a.leaf"},
        "r.a.leaf": {"r.ports.x"},
        "r.ports.x": set(),
    }
    assert circles(folders_of(graph, "r")) == []
    assert circles(folders_of({**graph, "r.b.two": {"r.a.one"}}, "r")) == [["a", "b"]]


def test_circles_are_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]
