"""Every sentence of the catalogue is said by some code, or waits for the command that will say it; each has one home.

Read off the modules that the running bot imports: an id is written out where it is used, or put together there, as
`f"{id}-free"` or as FORMS say. Strings of the engine are its own, and what is compared or looked up names no sentence.
That nothing else is shown is asked by `tests/e2e/test_every_button.py`.
"""

from __future__ import annotations

import ast
import itertools
import re
from functools import cache
from pathlib import Path

from bot.engine import refusals
from bot.ui.text import catalogue
from bot.ui.text.catalogue.coach import COACH
from bot.ui.text.catalogue.daily import DAILY
from bot.ui.text.catalogue.lobby import LOBBY
from bot.ui.text.catalogue.match import MATCH
from bot.ui.text.catalogue.outcome import OUTCOME
from bot.ui.text.catalogue.past import PAST
from bot.ui.text.catalogue.people import PEOPLE
from bot.ui.text.catalogue.records import RECORDS
from bot.ui.text.catalogue.result import RESULT
from bot.ui.text.catalogue.seasons import SEASONS
from bot.ui.text.catalogue.servers import SERVERS
from bot.ui.text.catalogue.welcome import WELCOME
from tests.conftest import DISCORD_SIDE, ROOT

LATER = {}
"""Sentences of what comes later; some of them a finished drawing says already, to which nothing leads yet."""

ANYTHING = "[a-z0-9_-]*"
"""what stands for a part of an f-string that is worked out"""

FORMS = {
    "bot/ui/story/prizes.py": (
        r"takes(-pot)?(-with)?(-plain)?(-you)?",
        r"(discarded|joins-pot|split)(-switched)?",
    ),
    "bot/ui/story/reveal.py": (r"(round|trick)(-again)?",),
    "bot/ui/screens/result.py": (r"(round|trick)s(-deals)?",),
}
"""Ids that are put together by adding."""


@cache
def parsed(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a file, read once for all that is asked of it."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def sources() -> dict[str, tuple[ast.AST, ...]]:
    """Every module that `gops run` imports, but the catalogue itself."""
    found: dict[str, tuple[ast.AST, ...]] = {}
    wanted = ["bot/app.py"]
    while wanted:
        name = wanted.pop()
        if name in found or name.startswith("bot/ui/text/catalogue/") or name == "bot/engine/refusals.py":
            continue
        found[name] = parsed(ROOT / name)
        wanted += imported(found[name])
    return found


def imported(nodes: tuple[ast.AST, ...]) -> list[str]:
    """The files of ours that a module imports."""
    modules: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            modules |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    paths = [Path(*module.split(".")) for module in modules]
    files = [path for one in paths for path in (one.with_suffix(".py"), one / "__init__.py")]
    return [path.as_posix() for path in files if (ROOT / path).is_file()]


@cache
def written() -> dict[str, set[str]]:
    """Each string that may name a sentence, with its files."""
    found: dict[str, set[str]] = {}
    for name, nodes in sources().items():
        if name.startswith(("bot/engine/", "bot/solver/", "bot/ratings/")):
            continue
        for node in nodes:
            for child in spoken(node):
                if isinstance(child, ast.Constant) and isinstance(child.value, str):
                    found.setdefault(child.value, set()).add(name)
    return found


def spoken(node: ast.AST) -> list[ast.expr | ast.AST]:
    """The parts of an expression that may name a sentence: no docstring, no piece of an f-string, nothing that is
    compared, no place in a mapping, no key of one but of those that `say` is given."""
    if isinstance(node, ast.Expr | ast.JoinedStr | ast.Compare | ast.Subscript | ast.Constant):
        return []
    if isinstance(node, ast.Dict):
        return list(node.values)
    return list(ast.iter_child_nodes(node))


@cache
def patterns() -> dict[str, set[str]]:
    """What f-strings such as `f"term-{key}"` can become, with their files."""
    found: dict[str, set[str]] = {}
    for name, nodes in sources().items():
        for node in nodes:
            if isinstance(node, ast.JoinedStr):
                parts = [str(part.value) if isinstance(part, ast.Constant) else "" for part in node.values]
                if re.fullmatch(r"[a-z-]{3,}", "".join(parts)):
                    found.setdefault("".join(re.escape(part) or ANYTHING for part in parts), set()).add(name)
    return found


def where(id: str) -> set[str]:
    """The files in which this sentence is used."""
    here = set(written().get(id, ()))
    for pattern, files in patterns().items():
        end = pattern.removeprefix(ANYTHING)
        if re.fullmatch(pattern, id) and (
            end == pattern or stem(id.removesuffix(plain := end.replace("\\", "")), plain)
        ):
            here |= files
    for file, forms in FORMS.items():
        if any(re.fullmatch(form, id) for form in forms):
            here.add(file)
    return here


@cache
def of_a_seat() -> frozenset[str]:
    """Ids that are given to `say_about`, which says them of a seat, or with `-you` to its own."""
    calls = [node for nodes in sources().values() for node in nodes if isinstance(node, ast.Call)]
    given = [call.args[1] for call in calls if getattr(call.func, "attr", "") == "say_about" and len(call.args) > 1]
    written = [node.value for one in given for node in ast.walk(one) if isinstance(node, ast.Constant)]
    return frozenset(value for value in written if isinstance(value, str))


def stem(id: str, end: str) -> bool:
    """Whether this end can be put behind this id: it is written out, or a form of it is."""
    if end == "-you":
        return (
            id in of_a_seat()
            or f"{id}{end}" in written()
            or any(re.fullmatch(form, f"{id}{end}") for here in FORMS.values() for form in here)
        )
    forms = [form.removesuffix("(-you)?") for here in FORMS.values() for form in here]
    return (
        id in written()
        or any(re.fullmatch(form, id) for form in forms)
        or any(re.fullmatch(pattern, id) for pattern in patterns() if not pattern.startswith(ANYTHING))
    )


def later() -> dict[str, str]:
    return {id: why for why, ids in LATER.items() for id in ids.split()}


def test_every_sentence_of_the_catalogue_is_used() -> None:
    assert [id for id in catalogue.OWN if id not in later() and not where(id)] == []


def test_each_sentence_has_one_home() -> None:
    """No id is both the engine's and the interface's, or stands in two parts of the catalogue."""
    assert sorted(catalogue.OWN.keys() & refusals.SENTENCES.keys()) == []
    parts = (
        *(COACH, LOBBY, MATCH, OUTCOME, PAST, PEOPLE),
        *(RECORDS, RESULT, SERVERS, SEASONS, WELCOME, DAILY),
    )
    assert len(catalogue.OWN) == sum(map(len, parts))
    for one, other in itertools.combinations(parts, 2):
        assert one.keys() & other.keys() == set()


def test_every_sentence_of_the_engine_is_said() -> None:
    """Each id stands in the engine's own source or a check of its data, outside of the list of sentences."""
    said: set[str] = set()
    for path in sorted((ROOT / "bot").rglob("*.py")):
        if path.name != "refusals.py" and "playground" not in path.parts:
            said |= {
                node.value for node in parsed(path) if isinstance(node, ast.Constant) and isinstance(node.value, str)
            }
    assert sorted(refusals.SENTENCES.keys() - said) == []


def test_unused_sentences_are_found() -> None:
    """The check can fail."""
    assert where("equal-you") == set()  # `-you` is put behind many ids, and `equal` is said, but never of one seat
    assert where("never said") == set()
    assert where("nonsense-free") == set()
    assert where("captures-you") != set()
    assert where("ping-console-free") != set()


def test_sentences_for_later_are_in_the_catalogue() -> None:
    assert later().keys() <= catalogue.OWN.keys()


def test_ids_are_found_in_the_modules_that_say_them() -> None:
    """What is found says something: the bot's own modules, and not the drawings that nothing leads to."""
    assert {
        "bot/messages/boards.py",
        "bot/ui/screens/console.py",
        "bot/referee/match/press_errors.py",
    } <= sources().keys()
    assert "bot/commands/solver/solve.py" not in sources()
    assert where("took-long") == {"bot/interactions/error_handler.py"}
    assert where("manage-server") == {"bot/interactions/context.py"}
    assert where("told-decided") == {"cogs/server/moderating.py"}


def test_nothing_is_shown_past_the_catalogue() -> None:
    """No message, text or button is made of words that stand in the code."""
    found: list[str] = []
    for name, nodes in sources().items():
        for node in nodes:
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if name.startswith(tuple(f"{one}/" for one in DISCORD_SIDE)) and node.func.id in (
                "Message",
                "Text",
                "Button",
                "Option",
                "Menu",
                "Section",
            ):
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
