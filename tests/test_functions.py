"""Functions take few parameters and are short, or give the reason beside them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

MOST_PARAMETERS = 10
MOST_LINES = 60
REASON = "# Long: "
"""begins the comment above a function that says why it has more lines or parameters"""
FOLDERS = ("bot", "cogs", "data")


def find_large_functions(text: str) -> Iterator[str]:
    """Yield what is wrong with the functions of a module."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        arguments = node.args
        parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        if lines[first - 2].strip().startswith(REASON):
            continue
        if (count := len([each for each in parameters if each is not None])) > MOST_PARAMETERS:
            yield f"{node.name} has {count} parameters and no reason beside it"
        if (length := (node.end_lineno or node.lineno) - node.lineno + 1) > MOST_LINES:
            yield f"{node.name} has {length} lines and no reason beside it"


@pytest.mark.parametrize("folder", FOLDERS)
def test_functions_have_few_parameters_and_few_lines(folder: str) -> None:
    paths: list[Path] = sorted((ROOT / folder).rglob("*.py"))
    assert paths
    found = {str(path): [*find_large_functions(path.read_text(encoding="utf-8"))] for path in paths}
    assert {path: faults for path, faults in found.items() if faults} == {}


def test_large_functions_are_found() -> None:
    body = "    pass\n" * MOST_LINES
    many = "def f(a, b, c, d, e, f, g, h, *i, j, **k):\n    pass\n"
    assert [*find_large_functions(many)] == ["f has 11 parameters and no reason beside it"]
    assert not [*find_large_functions(f"{REASON}the columns of a row.\n{many}")]
    assert [*find_large_functions(f"@x\ndef f():\n{body}")] == ["f has 61 lines and no reason beside it"]
    assert not [*find_large_functions(f"{REASON}one table.\n@x\ndef f():\n{body}")]
    assert not [*find_large_functions(f"def f():\n{body[:-9]}")]
