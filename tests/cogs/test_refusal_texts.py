"""Whatever is refused, there is a sentence for it that can be filled with what the refusal says."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.engine.refusals import RuleError
from bot.errors import RefereeError
from bot.ui.screens.refusals import describe_error
from bot.ui.text.sentences import say
from tests.conftest import DISCORD_SIDE, ROOT

RAISED = {"bot/engine": ("BadSetup",), **dict.fromkeys(("bot/referee", *DISCORD_SIDE), ("RefereeError",))}
"""what reaches people as it is; the engine's refusals of a choice are told by `bot.referee.match.press_errors`"""
FILLED: dict[str, Any] = {"t": datetime(2026, 1, 1, tzinfo=UTC), "name": "Ben", "names": ("Ben",), "how": "declined"}
FILLED |= dict.fromkeys(("winner", "host"), "Ben")
FILLED["round"] = "trick"


def refusals() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Every refusal that is written out: where, its id, and what it says besides."""
    for folder, kinds in RAISED.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if not any(f"{kind}(" in text for kind in kinds):
                continue
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call) and _name(node.func) in kinds and node.args:
                    id, data = node.args[0], tuple(one.arg for one in node.keywords if one.arg is not None)
                    if isinstance(id, ast.Constant) and len(data) == len(node.keywords):
                        yield _place(path, node), str(id.value), data


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else ""


def _place(path: Path, node: ast.Call) -> str:
    return f"{path.relative_to(ROOT)}:{node.lineno}"


FOUND = list(refusals())


def test_refusals_are_found_in_the_source() -> None:
    assert {"stale-button", "unknown-match", "declined-lately", "block-house"} <= {id for _, id, _ in FOUND}


def test_every_refusal_is_told_in_a_sentence_of_its_own() -> None:
    for where, id, data in FOUND:
        filled = {key: FILLED.get(key, 3) for key in data}
        text = describe_error((RuleError if where.startswith("bot/engine") else RefereeError)(id, **filled))
        assert text != say("refused"), where
        assert "{" not in text, where
