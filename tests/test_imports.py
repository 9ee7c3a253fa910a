"""The layers of docs/architecture.md, checked by reading every import, type-checking imports included."""

import ast
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from tests.conftest import ROOT

OURS = ("bot", "cogs", "data")

LAYERS = """
bot.engine < bot.errors
bot.engine < bot.pictures, bot.ratings, bot.solver
bot.engine < bot.referee.model < data.sql < data.store < bot.referee, data
bot.solver, bot.ratings, bot.errors < bot.referee < bot.rest
bot.errors < data.sql
bot.errors, bot.process.base < bot.settings
bot.errors, bot.pictures, bot.referee.model < bot.ui < bot.rest < bot.messages < bot.interactions < cogs
cogs < bot.command_tree < bot.app < bot.commands
bot.interactions, data, bot.settings < bot.operate < bot.process < bot.app
bot.playground < bot.commands
"""
"""A layer imports what stands to its left in one of these lines, and what that imports."""

FOLDERS = """
bot.engine: . < auction < variants < record, text
bot.solver: kernels < exact < tables < players < coach
bot.referee: model < proof < repository < season < match < lobby, archive < people < house < server, verify < . < clock
bot.ui: custom_ids, text < . < story < screens
bot.ui.text: catalogue < .
bot.interactions: . < transports, shared
bot.operate: . < doctor
bot.playground: protocol < faults, rules < world < gateway < rest < play < .
bot.process: base < peers < .
data: sql < sqlite, postgres < .
"""
"""The folders inside a layer, in the same way; the dot stands for the modules of the folder itself."""

EVERYWHERE = ("bot.process.base", "bot.discord_internals")
"""import nothing of this project, and any module may import them"""

IMPURE = {"asyncio", "random", "time", "sqlite3", "logging", "datetime", "os", "io", "socket", "secrets"}
"""modules of the standard library that the engine must not use"""

DRIVERS = {"aiosqlite", "sqlite3"}

LIBRARIES: dict[str, set[str]] = {
    "bot.engine": set(),
    "bot.solver": {"numpy", "numba"},
    "bot.ratings": {"openskill"},
    "bot.referee": set(),
    "bot.pictures": set(),
    "bot.pictures.render": {"resvg_py"},
    "bot.errors": set(),
    "bot.settings": set(),
    "bot.ui": {"discord"},
    "bot.messages": {"discord"},
    "bot.rest": {"discord"},
    "bot.rest.rest_client": {"aiohttp", "discord"},
    "bot.interactions": {"discord"},
    "bot.interactions.transports": {"aiohttp", "discord"},
    "bot.interactions.transports.http": {"aiohttp", "discord", "nacl"},
    "cogs": {"discord"},
    "data": set(),
    "data.sqlite": {"sqlite3"},
    "data.sqlite.database": DRIVERS,
    "data.postgres.driver": {"asyncpg"},
    "bot.playground": {"aiohttp", "jsonschema", "nacl", "referencing"},
}
"""the libraries that a folder or module may import; what is not named here may import any"""

Layers = dict[str, set[str]]


@cache
def imported(text: str) -> frozenset[str]:
    """Return the dotted names that a module imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"imports are absolute: {ast.unparse(node)}"
            assert node.module is not None
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


def read_modules() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for top in OURS:
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = read_modules()


@cache
def read_graph() -> dict[str, set[str]]:
    """Return for each module the modules of this project that it imports."""
    graph: dict[str, set[str]] = {}
    for module, path in MODULES.items():
        names = imported(path.read_text(encoding="utf-8"))
        known = {name if name in MODULES else name.rpartition(".")[0] for name in names}
        graph[module] = (known & MODULES.keys()) - {module}
    return graph


def narrowest(module: str, names: Layers | dict[str, int]) -> str | None:
    """Return the longest of the names that a module lies in."""
    fitting = [name for name in names if module == name or module.startswith(f"{name}.")]
    return max(fitting, key=len, default=None)


def read_layers(text: str) -> Layers:
    """Return for each layer all layers that it may import."""
    below: Layers = {}
    for line in filter(None, map(str.strip, text.split("\n"))):
        steps = [[name.strip() for name in step.split(",")] for step in line.split("<")]
        for name in (name for step in steps for name in step):
            below.setdefault(name, set())
        for lower, upper in pairwise(steps):
            for name in upper:
                below[name] |= set(lower)
    while True:
        more = {name: found.union(*(below[one] for one in found)) for name, found in below.items()}
        if more == below:
            return below
        below = more


def wrong_layers(graph: dict[str, set[str]], layers: Layers) -> list[str]:
    """Return the imports that go up or aside."""
    wrong: list[str] = []
    for module, found in graph.items():
        home = narrowest(module, layers)
        for other in sorted(found):
            target = narrowest(other, layers)
            free = home is None or target in (None, home) or narrowest(other, dict.fromkeys(EVERYWHERE, 0)) is not None
            if not free and target not in layers[home or ""]:
                wrong.append(f"{module} imports {other}")
    return wrong


def read_folders(text: str) -> dict[str, dict[str, int]]:
    """Return for each package the rank of its folders."""
    ranks: dict[str, dict[str, int]] = {}
    for line in filter(None, text.split("\n")):
        package, _, order = line.partition(":")
        steps = order.split("<")
        ranks[package] = {name.strip(): rank for rank, step in enumerate(steps) for name in step.split(",")}
    return ranks


def wrong_folders(graph: dict[str, set[str]], package: str, ranks: dict[str, int]) -> list[str]:
    """Return the imports inside a package that go up or aside, and the folders that have no rank."""

    def folder(module: str) -> str:
        parts = module.removeprefix(f"{package}.").split(".")
        is_folder = len(parts) > 1 or MODULES.get(module, Path()).name == "__init__.py"
        return parts[0] if is_folder else "."

    inside = {module for module in graph if module.startswith(f"{package}.")}
    wrong = sorted({folder(module) for module in inside} - ranks.keys())
    for module in inside:
        for other in graph[module] & inside:
            one, two = folder(module), folder(other)
            if one != two and ranks.get(two, 0) >= ranks.get(one, 0):
                wrong.append(f"{module} imports {other}")
    return sorted(wrong)


def wrong_libraries(module: str, path: Path) -> list[str]:
    """Return the libraries that a module must not import."""
    home = max((name for name in LIBRARIES if module == name or module.startswith(f"{name}.")), key=len, default=None)
    if home is None:
        return []
    tops = {name.split(".", maxsplit=1)[0] for name in imported(path.read_text(encoding="utf-8"))} - set(OURS)
    standard = sys.stdlib_module_names - (IMPURE if home == "bot.engine" else DRIVERS)
    return sorted(tops - standard - LIBRARIES[home])


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return the groups of nodes that reach each other."""

    def reached(start: str) -> set[str]:
        found, wanted = set[str](), [start]
        while wanted:
            for one in graph.get(wanted.pop(), set()) - found:
                found.add(one)
                wanted.append(one)
        return found

    back = {node: {other for other in reached(node) if node in reached(other)} for node in graph}
    return sorted({tuple(sorted(found)): sorted(found) for found in back.values() if found}.values())


def test_imports_go_down_the_layers() -> None:
    assert wrong_layers(read_graph(), read_layers(LAYERS)) == []


@pytest.mark.parametrize(("package", "ranks"), read_folders(FOLDERS).items(), ids=read_folders(FOLDERS))
def test_folders_inside_a_layer_keep_their_order(package: str, ranks: dict[str, int]) -> None:
    assert wrong_folders(read_graph(), package, ranks) == []


def test_no_feature_imports_another() -> None:
    features = {module: module.split(".")[1] for module in read_graph() if module.startswith("cogs.")}
    across = [
        (one, other)
        for one in features
        for other in read_graph()[one]
        if features.get(other, features[one]) != features[one]
    ]
    assert across == []


ASK_THE_REFEREE = ("cogs", "bot.interactions", "bot.messages")
"""ask the referee, never the store behind it"""


@pytest.mark.parametrize("top", ASK_THE_REFEREE)
def test_features_use_the_referee_and_not_its_store(top: str) -> None:
    inside = [path for module, path in MODULES.items() if module == top or module.startswith(f"{top}.")]
    assert inside
    assert [use for path in inside for use in store_uses(path.read_text(encoding="utf-8"), path.name)] == []


def store_uses(text: str, name: str) -> list[str]:
    """Return where a module reads an attribute `store`."""
    nodes = ast.walk(ast.parse(text))
    return [f"{name}:{node.lineno}" for node in nodes if isinstance(node, ast.Attribute) and node.attr == "store"]


def test_features_reach_messages_by_the_methods_of_the_publisher_alone() -> None:
    inside = {module: path for module, path in MODULES.items() if module.startswith("cogs.")}
    assert inside
    imports = [(module, other) for module in inside for other in read_graph()[module] if other in MESSAGES]
    assert imports == []
    assert [use for path in inside.values() for use in message_parts(path.read_text("utf-8"), path.name)] == []


MESSAGES = {module for module in MODULES if narrowest(module, {"bot.messages": 0})}


def message_parts(text: str, name: str) -> list[str]:
    """Return where a module uses a publisher otherwise than by a call of its methods, or makes a surface."""
    nodes = list(ast.walk(ast.parse(text)))
    calls = [node.func for node in nodes if isinstance(node, ast.Call)]
    fine = [func.value for func in calls if isinstance(func, ast.Attribute)]
    fine += [
        node.value for node in nodes if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "publisher"
    ]
    used = [node for node in nodes if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)]
    parts = [node for node in used if ast.unparse(node).split(".")[-1] == "publisher" and node not in fine]
    made = [func for func in calls if ast.unparse(func) == "Surface"]
    return sorted(f"{name}:{node.lineno}" for node in (*parts, *made))


def test_no_folder_imports_another_in_a_circle() -> None:
    def folder(module: str) -> str:
        is_folder = MODULES[module].name == "__init__.py"
        return module if is_folder else module.rpartition(".")[0]

    graph: dict[str, set[str]] = {}
    for module in (module for module in read_graph() if module.count(".") > 1):
        graph.setdefault(folder(module), set()).update({folder(one) for one in read_graph()[module]} - {folder(module)})
    assert circles(graph) == []


@pytest.mark.parametrize("name", EVERYWHERE)
def test_modules_that_anything_may_import_import_nothing_of_the_project(name: str) -> None:
    inside = {module for module in read_graph() if module == name or module.startswith(f"{name}.")}
    assert {other for module in inside for other in read_graph()[module]} <= inside


def test_modules_import_only_the_libraries_of_their_layer() -> None:
    assert {module: wrong for module, path in MODULES.items() if (wrong := wrong_libraries(module, path))} == {}


@pytest.mark.parametrize("path", sorted((ROOT / "bot/engine/variants").glob("[!_]*.py")), ids=lambda path: path.stem)
def test_variant_imports_no_other_variant(path: Path) -> None:
    names = imported(path.read_text(encoding="utf-8"))
    assert not [name for name in names if name.startswith("bot.engine.variants")]


@pytest.mark.parametrize(
    "top", ["cogs", "bot.referee", "bot.messages", "bot.interactions", "bot.ui", "bot.rest", "bot.playground", "data"]
)
def test_no_module_imports_another_in_a_circle(top: str) -> None:
    inside = {module for module in read_graph() if module.startswith(f"{top}.")}
    assert circles({module: read_graph()[module] & inside for module in inside}) == []


# --- the tests of this test -------------------------------------------------------------------------------


def test_wrong_layers_are_found() -> None:
    layers = read_layers("a < b < c\nb < d")
    assert layers["c"] == {"a", "b"}
    graph = {"a.one": {"b.two"}, "b.two": {"a.one"}, "c.three": {"a.one", "d.four"}, "d.four": set[str]()}
    assert wrong_layers(graph, layers) == ["a.one imports b.two", "c.three imports d.four"]


def test_wrong_folders_are_found() -> None:
    graph = {"p.x.one": {"p.two"}, "p.two": {"p.x.one"}, "p.y.three": {"p.x.one"}}
    assert wrong_folders(graph, "p", {"x": 0, ".": 1}) == ["p.x.one imports p.two", "p.y.three imports p.x.one", "y"]
    assert wrong_folders(graph, "p", {"x": 0, "y": 1, ".": 1}) == ["p.x.one imports p.two"]


def test_wrong_libraries_are_found(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text("import random\nimport discord\nfrom math import gcd\n")
    assert wrong_libraries("bot.engine.bad", file) == ["discord", "random"]
    file.write_text("import sqlite3\n")
    assert wrong_libraries("cogs.bad", file) == ["sqlite3"]


def test_uses_of_the_store_are_found() -> None:
    text = "async def ask(context):\n    kept = context.referee.store\n    return await kept.guild(1)\n"
    assert store_uses(text, "bad.py") == ["bad.py:2"]
    assert store_uses("def ask(store):\n    return store\n", "good.py") == []


def test_uses_of_parts_of_the_publisher_are_found() -> None:
    text = "services.publisher.boards.move(1)\nboards = services.publisher.boards\nmine = services.publisher\n"
    assert message_parts(text, "bad.py") == ["bad.py:1", "bad.py:2", "bad.py:3"]
    assert message_parts("with publisher.press(Surface(1)):\n    publisher.parts[1].show()\n", "bad.py") == [
        "bad.py:1",
        "bad.py:2",
    ]
    text = "publisher = services.publisher\npublisher.wake(1)\nwith services.publisher.press(board) as writer: ...\n"
    assert message_parts(text, "good.py") == []


def test_import_circles_are_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]
