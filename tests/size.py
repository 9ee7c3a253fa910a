"""Code lines of the product per folder: `python -m tests.size`. Blank lines, comments and docstrings do not count."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT

PRODUCT = ("bot", "cogs", "data")
APART = Path("bot/playground")
"""the stand-in for Discord, which is counted by itself"""

NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def count_code_lines(text: str) -> int:
    """Count the lines that hold code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - set(_docstring_lines(ast.parse(text))))


def _docstring_lines(tree: ast.Module) -> Iterator[int]:
    """Yield the lines of every string that stands alone as a statement."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


def main() -> None:
    lines, files = Counter[Path](), Counter[Path]()
    for root in PRODUCT:
        for path in sorted((ROOT / root).rglob("*.py")):
            folder = path.parent.relative_to(ROOT)
            lines[folder] += count_code_lines(path.read_text(encoding="utf-8"))
            files[folder] += 1
    for folder in sorted(lines):
        print(f"{lines[folder]:7,} lines {files[folder]:4} files  {folder}")
    apart = [folder for folder in lines if folder.is_relative_to(APART)]
    playground_lines, playground_files = (sum(kind[folder] for folder in apart) for kind in (lines, files))
    print(f"{lines.total() - playground_lines:7,} lines {files.total() - playground_files:4} files  product")
    print(f"{playground_lines:7,} lines {playground_files:4} files  playground")


if __name__ == "__main__":
    main()
