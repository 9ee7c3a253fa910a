"""The catalogue: every sentence that a player can be told exists, formats, and keeps no gap."""

from __future__ import annotations

import ast
import re
import string
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.engine.match import Termination
from bot.engine.refusals import SENTENCES as ENGINE
from bot.errors import BadSetup, Illegal, NotAwaited, RecordError, Refused, Unreadable
from cogs.ui import catalogue
from cogs.ui.refusals import refusal, sentence, told
from cogs.ui.sentences import knows, say
from tests.cogs.ui.reading import plain
from tests.cogs.ui.views import begin, example
from tests.conftest import ROOT

BIDDING = """
    stale-console stale-button not-in-match already-revealed clock-ran-out card-spent card-not-held card-switched
    card-aside same-card not-awaited not-your-pick prize-gone too-few-cards too-many-cards ace-undeclared no-draft
    match-over match-stopped seat-left missed-bid last-chance forfeited abandoned
"""
LOBBIES = """
    self bot house not-taking you-blocked left-member twice not-invited own-challenge already-answered challenge-gone
    asked-already declined-lately too-many-live-you too-many-live-them channel-full wrong-seats fixed-seats table-full
    joined not-seated table-not-yours host-only too-few-seats table-gone role-needed role-needed-them unknown-game
    unknown-option bad-value
"""
EXCLUSIONS = """
    rebid-seats open-split open-rebid open-swap open-blind swap-seats swap-win-only swap-rebid compare-seats
    compare-cards order-blind clinch win-only-open win-only-pico win-only-welsh win-only-rebid win-only-split
    negative-open negative-clinch cards-range bid-cards-range row-size row-winners order-needed order-wrong
    option-elsewhere
"""
SYSTEM = """
    channel-not-allowed missing-permissions board-stuck board-gone channel-gone thread-closed apps-off server-only
    dms-closed dms-off manage-server restarting busy read-only trouble trouble-after too-fast discord-slow working
    gave-up expired-question
"""
RECORDS = """
    no-match-here no-finished rematch-live block-house
    no-match which-match unknown-match elsewhere draw-open draw-soon draw-gone draw-own draw-house rematch-not-in
    rematch-missing show-lately still-live empty-board empty-history no-solution odds-live odds-cards odds-parse
    record-unreadable record-big record-schema record-illegal verify-deal verify-seal verify-none export-ready
    export-lately delete-live delete-done block-self block-again admin-done admin-over admin-live void-unrated
    void-twice winner-not-in told-stopped told-voided told-decided
"""
REFUSALS = [id for part in (BIDDING, LOBBIES, EXCLUSIONS, SYSTEM, RECORDS) for id in part.split()]

FILL = {
    "r": 4, "now": 5, "link": "https://x", "m": "K7Q2", "card": "K", "hand": "A 2 3", "name": "Ben", "names": "Ben",
    "ordinal": "next", "prize": "Q", "prizes": "3 8", "k": 2, "n": 3, "result": "Ana beats Ben", "reason": "spam.",
    "t": "<t:1:R>", "how": "it was declined", "Game": "Classic", "game": "Classic", "range": "2 to 8", "host": "Ana",
    "roles": "Players", "x": "y", "y": "classic", "list": "cards", "option": "cards", "channels": "#games",
    "channel": "#games", "permissions": "Send Messages", "ref": "a1b2", "line": 1, "why": "no", "d": 1, "i": 2,
    "what": "is stopped", "cards": "1 to 13", "lobby": None,
}  # fmt: skip


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("id", REFUSALS)
def test_every_refusal_has_a_whole_sentence(id: str) -> None:
    assert knows(id)
    text = say(id, **FILL)
    assert not re.search(r"[{}]|None", text)
    assert text[-1] in ".!?/" or text.endswith(("{link}", "https://x", "/gops games", "/gops rules", "K", "cards"))
    assert fields(catalogue.SENTENCES[id]) <= FILL.keys()


def test_every_sentence_can_be_filled() -> None:
    for id, text in catalogue.OWN.items():
        assert text.strip() == text or id == "setup-title", id
        assert "  " not in text.replace("{mentions}  ", ""), id
        assert text, id
        filled = text.format(**dict.fromkeys(fields(text), "x"))
        assert not re.search(r"[{}]", filled), id


def test_no_id_is_given_twice() -> None:
    folder = ROOT / "cogs/ui/catalogue"
    keys: list[str] = []
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Dict):
                keys += [key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
    assert sorted({key for key in keys if keys.count(key) > 1}) == []


def test_every_id_that_is_said_is_there() -> None:
    """Read off the source: each `say("id", ...)` with exactly the data that its sentence takes."""
    for path in sorted(Path(ROOT / "cogs").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "say"):
                continue
            if not node.args or not isinstance(node.args[0], ast.Constant):
                continue
            id = str(node.args[0].value)
            assert knows(id), f"{path.name}: {id}"
            given = {word.arg for word in node.keywords}
            if None not in given:
                need = fields(catalogue.SENTENCES[id])
                assert need <= given | ({"Game"} if "game" in given else set()), f"{path.name}: {id} needs {need}"


def test_the_engine_speaks_with_its_own_words_where_it_has_them() -> None:
    assert say("rebid-seats") == ENGINE["rebid-seats"]
    assert say("compare-seats", game="Psych") == "Psych's way of comparing works for 2 players only."
    with pytest.raises(KeyError):
        say("no such id")


# --- refusals of the referee and the engine ------------------------------------------------------------------

AT = datetime(2026, 11, 21, tzinfo=UTC)
SAID = {
    "known": (Refused("self"), "You cannot challenge yourself. To play alone, use /gops practice."),
    "a name": (Refused("not-taking", name="*x*"), r"\*x\* is not taking challenges. Try somebody else, or /gops open."),
    "names": (
        Refused("not-invited", names=("Ana", "Ben", "@here")),
        r"This challenge is for Ana, Ben and \@here. Start your own with /gops challenge.",
    ),
    "a time": (
        Refused("declined-lately", name="Ben", until=AT),
        f"Ben declined a moment ago. You can ask again <t:{int(AT.timestamp())}:R>.",
    ),
    "ids": (Refused("channel-not-allowed", channels=(5, 6)), "Here GOPS is played in <#5> and <#6>."),
    "roles": (Refused("role-needed", roles=[7]), "In this server only <@&7> may play. Ask a moderator."),
    "ten by default": (
        Refused("too-many-live-you"),
        "You are in 10 live matches, which is the most. Finish one first: /gops games",
    ),
    "typed text": (Refused("unknown-match", x="<@1>`"), r"I know no match #\<\@1\>\`. Codes look like K7Q2."),
    "options of a game": (
        Refused("unknown-option", game="SOPS", x="blind"),
        'SOPS has no rule "blind". It has: cards, ties',
    ),
    "a game without options": (
        Refused("unknown-option", game="Psych", x="blind"),
        'Psych is played as it is: it does not take "blind".',
    ),
    "lower case": (Refused("bad-value", option="clock", range="1 to 7 days"), "Clock must be 1 to 7 days."),
    "old button": (Refused("stale-button", link=""), "That button is out of date; nothing changed."),
    "old key": (
        Refused("stale-console", r="?", now=5),
        "That card was for an earlier round. Nothing was bid; this is round 5.",
    ),
    "spent somewhere": (Refused("card-spent", card="K", r="?"), "You spent K already. Pick a card that is still lit."),
    "nobody awaited": (Refused("not-awaited", names=()), "Nothing is asked of you now."),
    "over, won": (Refused("match-over", m="K7Q2", winner="Ben"), "#K7Q2 is over: Ben won. Press Rematch to go again."),
    "over, drawn": (Refused("match-over", m="K7Q2", winner=None), "#K7Q2 is over: a draw. Press Rematch to go again."),
    "too many": (Refused("too-many", k=2), "A bid is 2 cards. Take one out first."),
    "which": (Refused("which-match", n=3), "You are in 3 matches. Add the code, like match:K7Q2."),
    "unheard of": (Refused("something new", seat=1), "That cannot be done now. Nothing changed."),
    "incomplete": (Refused("already-revealed"), "That cannot be done now. Nothing changed."),
    "a setup": (BadSetup("fixed-seats", game="Pico", n=2), "Pico is for exactly 2 players."),
    "an exclusion": (BadSetup("clinch-series"), ENGINE["clinch-series"]),
}


@pytest.mark.parametrize("case", SAID, ids=str)
def test_what_is_told(case: str) -> None:
    error, text = SAID[case]
    assert plain(told(error)) == text
    assert plain(refusal(error).content) == text


def test_what_the_engine_refuses_in_a_match() -> None:
    view = example().view(0)
    spent = Illegal("card-spent", card="9", seat=0, hand="A 2")
    assert plain(told(spent, view)) == "You spent 9 in round 4. Pick a card that is still lit."
    held = Illegal("card-not-held", card="14", seat=0, hand="A 2")
    assert plain(told(held, view)) == "You do not hold 14. Your cards are A 2."
    idle = NotAwaited("not-awaited", seat=0)
    assert plain(told(idle, view)) == "Nothing is asked of you now. We wait for Ben."
    switched = Illegal("card-switched", card="9", seat=0, hand="A 2")
    assert plain(told(switched, view)).startswith("9 went to Ben when")
    over = NotAwaited("match-over")
    assert plain(told(over, example().finish().view(0))).startswith("#K7Q2 is over: Ana beats Ben 34–30.")
    stopped = example().stop(Termination.ABORTED).view(0, reason="spam")
    assert plain(told(over, stopped)) == "#K7Q2 was stopped: spam. It does not count."


def test_what_the_engine_refuses_while_prizes_are_picked() -> None:
    view = begin(seats=3, options={"open": "draft"}).deal((12, 10, 3, 1, 2, 5)).play(6, 9, 4).view(0)
    assert plain(told(NotAwaited("not-your-pick", seat=0, next=1), view)) == "Ben picks now. You pick second."
    gone = Illegal("prize-gone", card="K", cards="3 10 Q")
    assert plain(told(gone, view)) == "K is taken already. Pick one of 3 10 Q."


def test_records_and_finished_sentences() -> None:
    error = RecordError("deal 0", Unreadable("deal-shape", what="it *must* be a list"))
    assert plain(told(error)).startswith("That file is not a match record (line 1: deal 0\\: it \\*must\\*")
    assert plain(sentence("blocked", name="@everyone")).startswith(r"\@everyone can no longer challenge you.")
