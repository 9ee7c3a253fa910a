"""Times in sentences: what was true when it was read first is true an hour later, too.

Discord counts a relative time on by itself: "in 15 minutes" becomes "15 minutes ago" in the middle of a sentence. So a
relative time stands only at the end of a line, behind *close*, in a message that is edited when that time comes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.engine.counted import forms
from bot.errors import RefereeError
from bot.referee.model.views import MatchView
from bot.ui.message import Message
from bot.ui.screens import pings
from bot.ui.screens.board import render_board
from bot.ui.screens.console import render_console
from bot.ui.screens.refusals import describe_error
from bot.ui.text.catalogue import SENTENCES
from bot.ui.text.stamps import format_moment
from tests.cogs.ui.views import DEADLINE, START, example
from tests.conftest import ROOT, discord_side_files

LINK = "https://discord.com/channels/1/2/3"

LABEL = re.compile(r"((^| · )(bids|picks) close|^Next deal:) \{t\}$")
"""how a sentence ends before a time that counts down"""

ABSOLUTE = re.compile(r"^\{t\} |` \{t\} · |\b(until|before|from|by|on) \{t\}")
"""how a sentence goes on to, or from, a time that does not change"""

COUNTS_DOWN = re.compile(r"<t:[^>]*:R>")
RECORDED = ROOT / "tests" / "screens" / "recorded"
SHOWN = re.compile(r"· (bids|picks) close <t:[^>]*:R>$")


def texts() -> dict[str, str]:
    """Every sentence with a time, each form of it."""
    found: dict[str, str] = {}
    for id, sentence in SENTENCES.items():
        for number, form in enumerate(forms(sentence)):
            if "{t}" in form:
                found[f"{id} {number}"] = form
    return found


@pytest.mark.parametrize(("id", "text"), texts().items(), ids=list(texts()))
def test_a_time_fits_its_sentence_before_and_after_it(id: str, text: str) -> None:
    assert LABEL.search(text) or ABSOLUTE.search(text), text


def calls(name: str) -> list[tuple[str, str]]:
    """Where the interface calls this function: the function around it, and the call."""
    found: list[tuple[str, str]] = []
    for path in discord_side_files():
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                where = f"{path.relative_to(ROOT)}:{function.name}"
                inside = [one for one in ast.walk(function) if isinstance(one, ast.Call)]
                found += [
                    (where, ast.unparse(one)) for one in inside if re.search(rf"\b{name}$", ast.unparse(one.func))
                ]
    return found


def test_only_what_is_redrawn_counts_down() -> None:
    """Boards and consoles are redrawn; a past deal may say that the next one came some hours ago."""
    assert {where for where, _ in calls("format_relative")} <= {
        "bot/ui/story/lines.py:say_with_deadline",
        "bot/ui/screens/daily.py:next_deal",
    }
    others = [
        call
        for where, call in calls("say_with_deadline")
        if not where.startswith(("bot/ui/story/lines.py", "bot/ui/screens/console"))
    ]
    assert others
    assert all("edited=False" in call for call in others)


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*.txt")), ids=lambda path: path.stem)
def test_recorded_screens_count_down_at_the_end_of_a_line_only(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    wrong = [line for line in lines if COUNTS_DOWN.search(line) and not SHOWN.search(line)]
    assert wrong == []


PINGS: dict[str, Callable[[MatchView], Message]] = {
    "console": lambda view: pings.render_first_dm(view, LINK),
    "nudge": lambda view: pings.render_nudge(view, LINK),
    "warning": lambda view: pings.render_warning(view, LINK),
    "channel": lambda view: pings.render_channel_warning(view, [12]),
    "last in channel": lambda view: pings.render_channel_warning(view, [12], last=True),
}


@pytest.mark.parametrize("ping", PINGS.values(), ids=list(PINGS))
def test_a_reminder_names_the_time_itself(ping: Callable[[MatchView], Message]) -> None:
    """It read "bid before in 15 minutes", and an hour later "bid before 45 minutes ago"."""
    view = example().view(0)
    content = ping(replace(view, opened=DEADLINE - timedelta(hours=1))).content or ""
    assert f"<t:{int(DEADLINE.timestamp())}:t>" in content
    assert "<t:" not in content.replace(f"<t:{int(DEADLINE.timestamp())}:t>", "")


@pytest.mark.parametrize(
    ("left", "style"), [(timedelta(minutes=2), "T"), (timedelta(hours=1), "t"), (timedelta(days=1), "f")]
)
def test_the_nearer_the_more_exact(left: timedelta, style: str) -> None:
    """With seconds where minutes would be too coarse, with its date on another day."""
    assert format_moment(START + left, START) == f"<t:{int((START + left).timestamp())}:{style}>"


def test_a_refusal_says_from_when() -> None:
    """It read "You can ask again in 9 minutes", and later "You can ask again 2 minutes ago"."""
    at = START + timedelta(minutes=30, seconds=20)
    refusal = RefereeError("declined-lately", name="Ben", t=at)
    minute = int((START + timedelta(minutes=31)).timestamp())
    assert describe_error(refusal, asked_at=START).endswith(f"You can ask again from <t:{minute}:t>.")
    assert describe_error(refusal).endswith(f"You can ask again from <t:{minute}>.")


def test_a_console_that_its_token_outlives_not_names_the_time() -> None:
    """A private console of a slow match is out of reach long before its clock runs out."""
    view = example().view(0)
    slow = replace(view, setup=replace(view.setup, clock=3600), opened=DEADLINE - timedelta(hours=1))
    assert f"bids close <t:{int(DEADLINE.timestamp())}:t>" in render_console(slow, ephemeral=True).essence
    assert f"bids close <t:{int(DEADLINE.timestamp())}:R>" in render_console(slow, link=LINK).essence
    assert f"bids close <t:{int(DEADLINE.timestamp())}:R>" in render_console(view, ephemeral=True).essence
    assert COUNTS_DOWN.search(str(render_board(slow)))
