"""Every sentence of the catalogue is used, or waits for a command that does not exist yet (ui.md section 7, item 11).

Read off the modules that the running bot imports: an id is written out where it is used, or put together there, as
`f"{id}-free"` or as FORMS say. That nothing else is shown is asked by `tests/e2e/test_every_button.py`.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from cogs.ui import catalogue
from tests.conftest import ROOT

LATER = {
    "settings and moderators (/gops settings)": """
        manage-server admin-done admin-over admin-live void-unrated void-twice winner-not-in told-stopped told-voided
        told-decided what-stopped what-voided what-decided ask-stop ask-stop-all ask-void stop-match leave-it void-it
        done-stop done-void settings-title settings-game settings-clock settings-boards settings-channels
        settings-roles settings-rated settings-dms settings-results settings-cards settings-many settings-everywhere
        settings-everybody allowed not-allowed state-on state-off faces-symbols faces-letters faces-faces settings-foot
        result-stopped unrated-void
    """,
    "a person's data (/gops privacy)": "export-ready export-lately delete-live delete-done ask-erase erase keep-it",
    "replay": "replay",
    "a hint in practice": "hint",
    "checking an uploaded record (/gops verify)": """
        record-unreadable record-big record-schema record-illegal verify-deal verify-seal verify-none
    """,
    "a cooldown, once one is needed": "too-fast",
}
"""Sentences of what comes later; some of them a finished drawing says already, to which nothing leads yet."""

FORMS = {
    "cogs/ui/prizes.py": (
        r"takes(-pot)?(-with|-plain)?(-you)?",
        r"(discarded|joins-pot|split|stays|unsold)(-many)?(-switched)?",
    ),
    "cogs/ui/result.py": (r"(round|trick)s(-deals)?(-one)?",),
}
"""Ids that are put together by adding."""


@cache
def sources() -> dict[str, ast.Module]:
    """Every module that `gops run` imports, but the catalogue itself."""
    found: dict[str, ast.Module] = {}
    wanted = ["bot/app.py"]
    while wanted:
        name = wanted.pop()
        if name in found or name.startswith("cogs/ui/catalogue/") or name == "bot/engine/refusals.py":
            continue
        found[name] = ast.parse((ROOT / name).read_text(encoding="utf-8"))
        wanted += imported(found[name])
    return found


def imported(tree: ast.Module) -> list[str]:
    """The files of ours that a module imports."""
    modules: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            modules |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    paths = [Path(*module.split(".")) for module in modules]
    files = [path for one in paths for path in (one.with_suffix(".py"), one / "__init__.py")]
    return [path.as_posix() for path in files if (ROOT / path).is_file()]


@cache
def written() -> dict[str, set[str]]:
    """Each string that stands in the source, but docstrings and pieces of f-strings, with its files."""
    found: dict[str, set[str]] = {}
    for name, tree in sources().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr | ast.JoinedStr):
                continue
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.Constant) and isinstance(child.value, str):
                    found.setdefault(child.value, set()).add(name)
    return found


@cache
def patterns() -> dict[str, set[str]]:
    """What f-strings such as `f"term-{key}"` can become, with their files."""
    found: dict[str, set[str]] = {}
    for name, tree in sources().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                parts = [str(part.value) if isinstance(part, ast.Constant) else "" for part in node.values]
                if re.fullmatch(r"[a-z-]{3,}", "".join(parts)):
                    found.setdefault("".join(re.escape(part) or "[a-z0-9_-]*" for part in parts), set()).add(name)
    return found


def where(id: str) -> set[str]:
    """The files in which this sentence is used."""
    here = set(written().get(id, ()))
    for pattern, files in patterns().items():
        if re.fullmatch(pattern, id):
            here |= files
    for file, forms in FORMS.items():
        if any(re.fullmatch(form, id) for form in forms):
            here.add(file)
    return here


def later() -> dict[str, str]:
    return {id: why for why, ids in LATER.items() for id in ids.split()}


def test_every_sentence_is_used() -> None:
    assert [id for id in catalogue.OWN if id not in later() and not where(id)] == []


def test_what_comes_later_is_in_the_catalogue() -> None:
    assert later().keys() <= catalogue.OWN.keys()


def test_the_source_is_read() -> None:
    """What is found says something: the bot's own modules, and not the drawings that nothing leads to."""
    assert {"cogs/lost.py", "cogs/ui/console.py", "bot/referee/explain.py"} <= sources().keys()
    assert "cogs/ui/settings_card.py" not in sources()
    assert where("gave-up") == {"cogs/answer.py"}
    assert where("manage-server") == set()
    assert where("told-decided") == set()


def test_nothing_is_shown_past_the_catalogue() -> None:
    """No message, text or button is made of words that stand in the code."""
    found: list[str] = []
    for name, tree in sources().items():
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if name.startswith("cogs/") and node.func.id in ("Message", "Text", "Button", "Option", "Menu", "Section"):
                shown = [*node.args[:1], *(word.value for word in node.keywords if word.arg in ("content", "label"))]
                found += [f"{name}: {word}" for one in shown for word in words(one)]
    assert found == []


def words(node: ast.expr) -> list[str]:
    """Literal words in what is shown; ids that are looked up, and marks, are none."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) and re.search(r"[A-Za-z]{2}", node.value) else []
    if isinstance(node, ast.JoinedStr):
        return [word for part in node.values for word in words(part)]
    if isinstance(node, ast.BinOp):
        return [*words(node.left), *words(node.right)]
    return []


def test_forms_belong_to_their_files() -> None:
    for file, forms in FORMS.items():
        for form in forms:
            assert any(re.fullmatch(form, id) for id in catalogue.OWN), form
        assert file in sources()
