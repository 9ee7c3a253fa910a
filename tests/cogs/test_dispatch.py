"""A handler finds what a word of an id asks for in a table or by the router, not in a chain of branches."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.conftest import ROOT

MOST_BRANCHES = 3
"""branches over words that still read better than a table"""


def is_word(node: ast.AST) -> bool:
    """Return True for a word, or a tuple of words."""
    if isinstance(node, ast.Tuple):
        return all(map(is_word, node.elts))
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def branches(node: ast.AST | None) -> int:
    """Return how many branches of an `if` or a `match` compare with words."""
    if isinstance(node, ast.Match):
        return sum(isinstance(case.pattern, ast.MatchValue) and is_word(case.pattern.value) for case in node.cases)
    if not (isinstance(node, ast.If) and isinstance(node.test, ast.Compare) and is_word(node.test.comparators[0])):
        return 0
    return 1 + branches(node.orelse[0] if len(node.orelse) == 1 else None)


def long_chains(text: str) -> list[int]:
    """Return the lines in which chains begin that have too many branches."""
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.If | ast.Match)]
    return [node.lineno for node in nodes if branches(node) > MOST_BRANCHES]


@pytest.mark.parametrize("path", sorted((ROOT / "cogs").rglob("*.py")), ids=lambda path: path.stem)
def test_feature_has_no_long_chain_of_branches_over_words(path: Path) -> None:
    assert long_chains(path.read_text(encoding="utf-8")) == []


def test_long_chains_are_found() -> None:
    words = ("a", "b", "c", "d")
    chain = "\n".join(f"{'el' if word != 'a' else ''}if what == '{word}':\n    pass" for word in words)
    assert long_chains(chain) == [1]
    assert long_chains(chain.replace("what == 'd'", "what in known")) == []
    assert long_chains("match what:\n" + "".join(f"    case '{word}':\n        pass\n" for word in words)) == [1]
