"""The catalogue: every sentence that a player can be told exists, formats, and keeps no gap."""

from __future__ import annotations

import ast
import itertools
import re
import string
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from bot.engine.counted import Counted, Sentence, forms
from bot.engine.match import Termination
from bot.engine.refusals import SENTENCES as ENGINE
from bot.engine.refusals import BadSetup, Unreadable
from bot.errors import RefereeError
from bot.referee.model.model import BROKEN_SEAL, DECIDED, STOPPED
from bot.referee.model.views import MatchView
from bot.ui.screens.console import render_console
from bot.ui.screens.pings import render_result_line, render_result_note, render_stop_note
from bot.ui.screens.refusals import describe_error, format_refusal, match_over_error
from bot.ui.text import catalogue
from bot.ui.text.sentences import has_sentence, say
from tests.cogs.ui.reading import plain, said
from tests.cogs.ui.views import begin, example
from tests.conftest import ROOT, discord_side_files

BIDDING = """
    stale-console stale-button not-in-match already-revealed clock-revealed clock-ran-out card-spent card-not-held
    card-switched card-aside same-card not-awaited not-your-pick prize-gone too-few-cards too-many-cards
    ace-undeclared no-draft
    table-card-spent match-over match-over-final match-stopped seat-left missed-bid last-chance abandoned
"""
LOBBIES = """
    self bot house not-taking you-blocked left-member twice not-invited own-challenge already-answered challenge-gone
    repeated
    not-shown-yet asked-already declined-lately too-many-live-you too-many-live-them channel-full wrong-seats
    fixed-seats table-full joined not-seated table-not-yours host-only too-few-seats table-gone role-needed
    role-needed-them unknown-game no-such-game
    unknown-option bad-value
"""
EXCLUSIONS = """
    rebid-seats open-split open-rebid open-swap open-blind swap-seats swap-win-only swap-rebid compare-seats
    compare-cards order-blind clinch win-only-open win-only-pico win-only-welsh win-only-rebid win-only-split
    negative-open negative-clinch cards-range bid-cards-range row-size row-winners order-listed order-needed order-wrong
    option-elsewhere option-of-others
"""
SYSTEM = """
    channel-not-allowed missing-permissions board-stuck board-gone channel-gone thread-closed
    apps-off not-in-dm server-only dms-closed manage-server restarting busy read-only trouble trouble-after
    too-fast discord-slow working took-long expired-question
"""
RECORDS = """
    no-match-here no-finished rematch-live block-house review-unplayed
    no-match which-match unknown-match elsewhere draw-open draw-soon-round draw-soon-deal draw-soon-never
    draw-gone draw-own draw-house rematch-not-in
    rematch-missing show-lately still-live empty-board empty-history no-solution no-review-game no-review-rules
    no-review-rounds analysis-live analysis-cards analysis-parse analysis-repeat analysis-up-left analysis-one-prize
    record-unreadable record-big record-gone record-refused export-ready
    export-lately delete-done block-self block-again admin-done admin-over admin-live unrate-needless
    no-board no-board-daily no-board-practice unrate-twice private-others winner-not-in
    told-stopped told-unrated told-decided
"""
REFUSALS = [id for part in (BIDDING, LOBBIES, EXCLUSIONS, SYSTEM, RECORDS) for id in part.split()]

FILL = {
    "r": 4, "now": 5, "link": "https://x", "m": "K7Q2", "card": "K", "hand": "A 2 3", "name": "Ben", "names": "Ben",
    "ordinal": "next", "prize": "Q", "prizes": "3 8", "k": 2, "n": 3, "result": "Ana beats Ben", "reason": "spam.",
    "t": "<t:1:R>", "how": "it was declined", "game": "Classic", "range": "2 to 8", "host": "Ana",
    "roles": "Players", "x": "y", "y": "classic", "list": "cards", "option": "cards", "channels": "#games",
    "channel": "#games", "permissions": "Send Messages", "ref": "a1b2", "line": 1, "why": "no", "d": 1, "i": 2,
    "what": "is stopped", "cards": "1 to 13", "all": "/gops rules",
    "span": "three bids in a row", "round": "trick", "Round": "Trick",
}  # fmt: skip


def fields(sentence: Sentence) -> set[str]:
    gaps = {name for text in forms(sentence) for _, name, _, _ in string.Formatter().parse(text) if name}
    return gaps | ({sentence.by} if isinstance(sentence, Counted) else set())


@pytest.mark.parametrize("id", REFUSALS)
def test_every_refusal_has_a_whole_sentence(id: str) -> None:
    assert has_sentence(id)
    text = say(id, **FILL)
    assert not re.search(r"[{}]|None", text)
    assert text[-1] in ".!?/" or text.endswith(("{link}", "https://x", "/gops games", "/gops rules", "K", "cards"))
    assert fields(catalogue.SENTENCES[id]) <= FILL.keys()


def test_every_sentence_can_be_filled() -> None:
    for id, text in ((id, form) for id, one in catalogue.OWN.items() for form in forms(one)):
        assert text.strip() == text or id == "setup-title", id
        assert "  " not in text.replace("{mentions}  ", ""), id
        assert text, id
        filled = text.format(**dict.fromkeys(fields(text), "x"))
        assert not re.search(r"[{}]", filled), id


def test_no_id_is_given_twice() -> None:
    folder = ROOT / "bot/ui/text/catalogue"
    keys: list[str] = []
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Dict):
                keys += [key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
    assert sorted({key for key in keys if keys.count(key) > 1}) == []


def test_every_id_that_is_said_is_there() -> None:
    """Read off the source: each `say("id", ...)` with exactly the data that its sentence takes."""
    for path in discord_side_files():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "say"):
                continue
            if not node.args or not isinstance(node.args[0], ast.Constant):
                continue
            id = str(node.args[0].value)
            assert has_sentence(id), f"{path.name}: {id}"
            given = {word.arg for word in node.keywords}
            if None not in given:
                need = fields(catalogue.SENTENCES[id])
                assert need <= given, f"{path.name}: {id} needs {need}"


def test_the_engine_speaks_with_its_own_words_where_it_has_them() -> None:
    assert say("rebid-seats") == ENGINE["rebid-seats"]
    assert say("compare-seats", game="Psych") == "Psych is for 2 players only."
    with pytest.raises(KeyError):
        say("no such id")


# --- refusals of the referee and the engine ------------------------------------------------------------------

AT = datetime(2026, 11, 21, tzinfo=UTC)
SAID = {
    "known": (RefereeError("self"), "You cannot challenge yourself. To play alone, use /gops practice."),
    "a name": (
        RefereeError("not-taking", name="*x*"),
        r"\*x\* takes no challenges. Ask another player, or use /gops open.",
    ),
    "names": (
        RefereeError("not-invited", names=("Ana", "Ben", "@here")),
        r"This challenge is for Ana, Ben and \@here. Start your own with /gops challenge.",
    ),
    "a time": (
        RefereeError("declined-lately", name="Ben", t=AT),
        f"Ben declined a moment ago. You can ask again from <t:{int(AT.timestamp())}>.",
    ),
    "ids": (RefereeError("channel-not-allowed", channels=(5, 6)), "Here GOPS is played in <#5> and <#6>."),
    "roles": (RefereeError("role-needed", roles=[7]), "In this server only <@&7> can play. Ask a moderator."),
    "ten": (
        RefereeError("too-many-live-you", n=10),
        "You have 10 running matches, the most allowed. Finish one first: /gops games",
    ),
    "typed text": (RefereeError("unknown-match", x="<@1>`"), r"No match #\<\@1\>\` found. Your matches: /gops games"),
    "one": (
        RefereeError("too-many-live-you", n=1),
        "You have 1 running match, the most allowed. Finish it first: /gops games",
    ),
    "options of a game": (
        RefereeError("unknown-option", game="SOPS", x="blind", list="cards, ties"),
        'SOPS has no rule "blind". It has: cards, ties',
    ),
    "an unknown game": (
        Unreadable("unknown-game", x="clasic", y="Classic GOPS", all="Classic GOPS; Pico"),
        'There is no game "clasic". Did you mean Classic GOPS? All games: /gops rules',
    ),
    "a game like no other": (
        Unreadable("no-such-game", x="hearts", all="Classic GOPS; Pico"),
        'There is no game "hearts". All games: /gops rules',
    ),
    "practice of others": (
        RefereeError("private-others", m="PZ39"),
        "#PZ39 is private practice. Only its player can see it or end it.",
    ),
    "lower case": (RefereeError("bad-value", option="clock", range="1 to 7 days"), "Clock must be 1 to 7 days."),
    "old button": (RefereeError("stale-button", link=""), "That button is out of date; nothing changed."),
    "old key": (
        RefereeError("stale-console", now=5),
        "That card was for an earlier round. Nothing was bid; this is round 5.",
    ),
    "spent somewhere": (
        RefereeError("card-spent", card="K", r=None),
        "You have already played K. Pick another card.",
    ),
    "nobody awaited": (RefereeError("not-awaited", names=()), "Nothing to do right now."),
    "over, won": (
        RefereeError("match-over", m="K7Q2", winner="Ben"),
        "#K7Q2 is over: Ben won. Press Rematch on its result to play again.",
    ),
    "over, drawn": (
        RefereeError("match-over", m="K7Q2", winner=None),
        "#K7Q2 is over: a draw. Press Rematch on its result to play again.",
    ),
    "over, of a former player": (
        RefereeError("match-over", m="K7Q2", winner=None, can_repeat=False),
        "#K7Q2 is over: a draw.",
    ),
    "too many": (RefereeError("too-many-cards", k=2), "A bid is 2 cards. Remove one first."),
    "too many for one": (RefereeError("too-many-cards", k=1), "A bid is 1 card. Remove the other first."),
    "which": (RefereeError("which-match", m="K7Q2"), "Which match? Add its code, for example match:K7Q2."),
    "unheard of": (RefereeError("something new", seat=1), "That does not work now. Nothing changed."),
    "incomplete": (RefereeError("already-revealed"), "That does not work now. Nothing changed."),
    "a setup": (BadSetup("fixed-seats", game="Pico", n=2), "Pico is for exactly 2 players."),
    "an exclusion": (BadSetup("clinch-series"), ENGINE["clinch-series"]),
}


@pytest.mark.parametrize("case", SAID, ids=str)
def test_what_is_told(case: str) -> None:
    error, text = SAID[case]
    assert plain(describe_error(error)) == text


def test_what_is_told_of_a_match_that_is_over() -> None:
    over = RefereeError("match-over", m="K7Q2", winner="Ana")
    assert plain(describe_error(over, example().finish().view(0))).startswith("#K7Q2 is over: Ana beats Ben 34–30.")
    stopped = example().stop(Termination.ABORTED).view(0, reason="a_b")
    assert (
        plain(describe_error(RefereeError("match-stopped", m="K7Q2"), stopped))
        == r"#K7Q2 was stopped: a\_b. It does not count."
    )


@pytest.mark.parametrize(
    ("seat", "day", "has_key"), [(0, None, True), (None, None, False), (0, "2026-11-26", False)], ids=str
)
def test_only_who_has_the_key_is_told_of_it(seat: int | None, day: str | None, has_key: bool) -> None:
    """A bystander cannot ask for a rematch, and a daily deal has none."""
    view = replace(example().finish().view(seat), day=day and date.fromisoformat(day))
    for error in (match_over_error(view), RefereeError("match-over", m="K7Q2", winner="Ana")):
        assert ("Press Rematch on its result" in describe_error(error, view)) is has_key


STOPS = ("channel", "house", "rolled-back", BROKEN_SEAL, STOPPED)


def ends() -> Iterator[MatchView]:
    """Every way in which a match ends, and every reason for which it is stopped."""
    for clock, termination in itertools.product((0, 60), Termination):
        played = begin(clock=clock).deal((7, 5, 6))
        if termination is Termination.COMPLETED:
            yield example().finish().view(0)
        elif termination in (Termination.RESIGNED, Termination.TIMED_OUT):
            yield played.leave(1, termination).view(0)
        else:
            yield played.stop(termination).view(0)
    for why in (*STOPS, DECIDED):
        yield begin().deal((7, 5, 6)).stop(Termination.ABORTED).view(0, why=why)
    yield begin().deal((7, 5, 6)).stop(Termination.AGREED).view(0, why=DECIDED)
    yield begin().deal((7, 5, 6)).leave(1, Termination.TIMED_OUT).view(0, why=DECIDED)


@pytest.mark.parametrize("view", [*ends()], ids=lambda view: f"{view.outcome.termination.name} {view.why}")
def test_an_ending_goes_on_in_small_letters_behind_a_colon(view: MatchView) -> None:
    """A name keeps its own."""
    told_of = [render_result_note(view, ""), render_result_line(view, ""), render_stop_note(view)]
    texts = [message.content for message in told_of] + [
        describe_error(match_over_error(view)),
        said(render_console(view)),
    ]
    for text in texts:
        for part in re.findall(r"#K7Q2 (?:is over|was stopped): (.)", text):
            assert part.islower() or part == "\u2068", text


def test_finished_sentences() -> None:
    assert plain(format_refusal("blocked", name="@everyone")).startswith(r"\@everyone can no longer challenge you.")
