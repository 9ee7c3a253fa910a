"""No two classes share a name, and the words of the architecture page are where the page says."""

from __future__ import annotations

import ast
import re
from collections import defaultdict

from tests.conftest import ROOT, discord_side_files

ALLOWED: dict[str, str] = {
    "Leave": "a seat that left, in the engine; in `bot.messages` a step: what stands there counts as up to date",
    "Step": "what a change writes; in `bot.messages` what a plan does next",
}
"""names that two classes may share, each with the reason"""


def named(source: str) -> list[str]:
    """The top-level classes of a file, and the types it gives names to; type variables are nobody's word."""
    found: list[str] = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            found.append(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            is_variable = isinstance(node.value, ast.Call) and ast.unparse(node.value.func) in ("TypeVar", "ParamSpec")
            names = [one.id for one in targets if isinstance(one, ast.Name)]
            found += [name for name in names if re.fullmatch(r"[A-Z][a-z]\w*", name) and not is_variable]
    return found


def homes() -> dict[str, list[str]]:
    """Where each name stands. The playground is a world of its own, which knows nothing of the bot."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for room in ("bot", "cogs", "data"):
        for path in sorted((ROOT / room).rglob("*.py")):
            if ROOT / "bot" / "playground" not in path.parents:
                for name in named(path.read_text(encoding="utf-8")):
                    found[name].append(path.relative_to(ROOT).with_suffix("").as_posix())
    return found


def words() -> dict[str, str]:
    """Read the table of the architecture page: names and the modules that define them."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = page.partition("## One word for one thing\n")[2].partition("\n## ")[0]
    return dict(re.findall(r"^\| `(\w+)` \| `([\w/]+)` \|", section, re.MULTILINE))


def test_no_class_name_is_used_twice() -> None:
    twice = {name: where for name, where in homes().items() if len(where) > 1 and name not in ALLOWED}
    assert twice == {}
    assert not [name for name in ALLOWED if len(homes().get(name, ())) < 2], "allowed, and there is no need"


def test_words_of_the_architecture_page_are_defined_where_it_says() -> None:
    table, found = words(), homes()
    assert len(table) > 20
    assert {name: found.get(name) for name in table} == {name: [where] for name, where in table.items()}


def test_class_and_alias_names_are_found() -> None:
    source = 'class A1: ...\nPair = tuple[int, int]\nMOST = 3\nFound = TypeVar("Found")\nRows: X = list[int]\n'
    assert named(source) == ["A1", "Pair", "Rows"]


def test_word_draw_means_only_a_match_without_a_winner() -> None:
    """Messages are shown and edited; pictures are painted."""
    known = {
        "DRAW",
        "DRAWN",
        "draw",
        "offer_draw",
        "draw_now",
        "answer_draw",
        "ask_draw",
        "draw_question",
        "draw_line",
        "draw_offer",
        "draw_row",
        "read_draw",
        "complete_draw",
    }
    found: set[str] = set()
    for path in discord_side_files():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    found.add(name)
                case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                    found.add(name)
                case _:
                    pass
    assert {name for name in found if re.search("draw|drew", name.lower())} == known
