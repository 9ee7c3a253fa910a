"""What people read is plain English: no banned word in a text, a screen, the page or a paper for players."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

BLANK = r"[0-9}][ \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}]%(?!\()"
BANNED = re.compile(
    r"\b(anew|whoever|whatever|whose|of which|beforehand|dearest|somebody|that which|it is so that"
    r"|(?:is|are|was|were) told|(?:could not|cannot) be told|I (?:know|find) no|worked out|chance to win"
    r"|goes home|lies? aside|goes on by|(?<!-)lately|(?:went|goes) to nobody"
    r"|(?:each|every) seat (?:seals|holds|bids)|for (?:its|their) owner alone)\b"
    rf"|{BLANK}",
    re.IGNORECASE,
)
"""Words that sound translated, and a blank before %. docs/glossary.md says which words to use."""

PAPERS = ("README.md", "PRIVACY.md", "TERMS.md", "docs/players.md", "docs/servers.md", "docs/playground.md")
SCREENS = "tests/screens/recorded/*.txt"


SCRIPTS = re.compile(r"(?<=<script>).*?(?=</script>)", re.DOTALL)
SCRIPT_STRINGS = re.compile(r'//.*|"(?:[^"\\\n]|\\.)*"|`[^`]*`')


def python_texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield the strings of Python source that can be shown, with their lines: all but docstrings; values are {}."""
    tree = ast.parse(source)
    unseen = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            unseen |= {id(part) for part in node.values}
            pieces = (str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield node.lineno, "".join(pieces)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in unseen:
            yield node.lineno, node.value


def script_texts(source: str, above: int = 0) -> Iterator[tuple[int, str]]:
    """Yield the strings of JavaScript, with their lines."""
    for found in SCRIPT_STRINGS.finditer(source):
        if not found[0].startswith("//"):
            yield above + source.count("\n", 0, found.start()) + 1, found[0]


def page_texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a page or paper outside its scripts, and the strings within them."""
    for script in SCRIPTS.finditer(source):
        yield from script_texts(script[0], source.count("\n", 0, script.start()))
    yield from enumerate(SCRIPTS.sub(lambda found: "\n" * found[0].count("\n"), source).splitlines(), 1)


READERS = {".py": python_texts, ".js": script_texts}


def findings(path: Path) -> list[str]:
    """Return each banned word of a file, with its line and the words around it."""
    pieces = READERS.get(path.suffix, page_texts)(path.read_text(encoding="utf-8"))
    return [
        f"{path.name}:{line}: {text[max(0, found.start() - 30) : found.end() + 30]}"
        for line, text in pieces
        for found in BANNED.finditer(text)
    ]


def read_files() -> list[Path]:
    """Return the files with texts for people: the program, the pages, the recorded screens and the papers."""
    rooms = [path for room in ("bot", "cogs", "data") for path in sorted((ROOT / room).rglob("*"))]
    program = [path for path in rooms if path.suffix in (".py", ".html", ".js")]
    return [*program, *sorted(ROOT.glob(SCREENS)), *(ROOT / name for name in PAPERS)]


def test_no_text_that_people_read_has_a_banned_word() -> None:
    files = read_files()
    assert {".py", ".html", ".js", ".txt", ".md"} == {path.suffix for path in files}
    assert [found for path in files for found in findings(path)] == []


def test_no_paper_has_a_blank_before_a_percent_sign() -> None:
    papers = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
    assert len(papers) > 10
    assert [path.name for path in papers if re.search(BLANK, path.read_text(encoding="utf-8"))] == []


def test_only_welsh_warfare_has_tricks() -> None:
    """Every other game has rounds. The rules of Welsh Warfare stand among those of all games."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in ROOT.glob(SCREENS)}
    named = {name for name, text in texts.items() if re.search(r"\btricks?\b", text, re.IGNORECASE)}
    assert named == {"welsh-4.txt", "attrition-4.txt", "rules.txt"}


@pytest.mark.parametrize(
    "sample",
    [
        "Ratings are worked out anew.",
        "Whoever has more points wins.",
        "It does as well whatever is bid.",
        "A channel whose boards are full.",
        "Two cards, one of which ties.",
        "Everybody is told, with your reason.",
        "What was agreed beforehand.",
        "Dearest is Q.",
        "Challenge somebody",
        "That which was sealed.",
        "It is so that nobody wins.",
        "The champions could not be told.",
        "I know no match of this name.",
        "The best is still being worked out.",
        "Your chance to win is 60%.",
        "The 7 goes home.",
        "Its card lies aside.",
        "The bot goes on by itself.",
        "You asked lately.",
        "3 points went to nobody.",
        "Then each seat seals a card.",
        "The file is for its owner alone.",
        "It wins 60 % of the time.",
        "It wins 60\N{NO-BREAK SPACE}% of the time.",
        "It wins {share} % of the time.",
    ],
)
def test_a_bad_sentence_is_found_in_code_and_in_papers(sample: str, tmp_path: Path) -> None:
    paper, code, page = tmp_path / "paper.md", tmp_path / "code.py", tmp_path / "page.html"
    paper.write_text(f"# Title\n\n{sample}\n", encoding="utf-8")
    code.write_text(f'"""{sample}"""\n\nSHOWN = {{"id": {sample!r}}}\nlog(f"{{SHOWN}} {sample}")\n', encoding="utf-8")
    page.write_text(f'<p>{sample}</p>\n<script>\n// {sample}\nshow("{sample}");\n</script>\n', encoding="utf-8")
    assert places(paper) == {"paper.md:3"}
    assert places(code) == {"code.py:3", "code.py:4"}
    assert places(page) == {"page.html:1", "page.html:4"}


def places(path: Path) -> set[str]:
    return {found.split(": ")[0] for found in findings(path)}


def test_plain_sentences_docstrings_and_remainders_pass(tmp_path: Path) -> None:
    code, script = tmp_path / "code.py", tmp_path / "code.js"
    code.write_text('def run() -> str:\n    """Count anew."""\n    return "Players who win get 60% of %d."\n', "utf-8")
    script.write_text('const rest = count % 7; // whoever asks\nshow("60% of them");\n', "utf-8")
    assert findings(code) == findings(script) == []
