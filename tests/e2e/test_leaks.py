"""Nothing leaks: whichever card Ana has sealed, everybody else, the log and the referee's views tell the same."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.playground.protocol import schema
from bot.playground.server import Playground
from bot.process.base.clock import SystemClock, SystemEntropy
from bot.referee.referee import Referee
from tests.driver import Person, Stage
from tests.driver.screen import Screen
from tests.e2e.house import Bot, House, awaits, code_of, key, opened
from tests.e2e.stuck import Scene
from tests.e2e.talkative import MORE
from tests.e2e.test_daily import PLAN
from tests.sqlite_store import SqliteStore

TROUBLE = {
    "in drawing": """
from bot.messages.consoles import Consoles
drawn = Consoles.render
async def broken(self, mine, *rest, **more):
    if mine.own is not None and mine.own.seal and mine.round == 2:
        raise RuntimeError("broken on purpose")
    return await drawn(self, mine, *rest, **more)
Consoles.render = broken
""",
    "in the store": """
import sqlite3
from data.sqlite import transaction
execute = transaction.execute
def broken(connection, change):
    for statement in change:
        if "INTO seals" in statement.sql and len(connection.execute("SELECT 1 FROM decisions").fetchall()) > 1:
            raise RuntimeError("broken on purpose")
    return execute(connection, change)
transaction.execute = broken
""",
}

LEAKS = {
    "the name of a seat grows by the card": """
from dataclasses import replace
from bot.referee.repository import view_builder
seats = view_builder._seat_views
def leaky(live, state, outcome):
    cards = {seal.seat: seal.choice for seal in live.stored.sealed}
    return tuple(
        replace(one, name=one.name + "i" * int(cards.get(one.seat, 0))) for one in seats(live, state, outcome)
    )
view_builder._seat_views = leaky
""",
    "the log tells": """
from bot.referee.match import play
seal = play.seal
def leaky(live, seat, choice, at, press=0):
    logging.getLogger("bot.referee").debug("sealed %s", choice)
    return seal(live, seat, choice, at, press)
play.seal = leaky
""",
}

PICTURED = """
from dataclasses import replace
from bot.messages import boards
from bot.referee.match import play
from bot.ui.message import Attached, Attachment
sealed, seal, drawn = {}, play.seal, boards.render_board
def note(live, seat, choice, at, press=0):
    sealed[live.stored.id] = choice
    return seal(live, seat, choice, at, press)
def leaky(view, picture=None):
    message = drawn(view, picture)
    told = Attachment("told.txt", str(sealed.get(view.id)).encode())
    return replace(message, body=(*message.body, Attached("told.txt")), attachments=(told,))
play.seal, boards.render_board = note, leaky
"""
"""the same by a file on the board"""

LEAKS["a file on the board tells"] = PICTURED

IDLE = """
from bot.referee.house.thinking import Worker
async def think(self, *rest, **more):
    raise TimeoutError
Worker.think = think
"""
"""a bot whose workers never answer"""

CARDS = 5
POSSIBLE = (1, 3, 4, 5)
"""what Ana can seal in round 2: she spent her 2 in round 1"""

SAME: tuple[tuple[str, str], ...] = (
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+00:00|Z)?", "TIME"),
    (r"<t:\d+(:[a-zA-Z])?>", "TIME"),
    (r"datetime\.datetime\([^()]*(\([^()]*\))?[^()]*\)", "TIME"),
    (r"`[0-9a-f]{4,64}(…)?`", "`DIGEST`"),
    (r"'[0-9a-f]{32,64}'", "'DIGEST'"),
    (r"\b\d{16,20}\b", "ID"),
    (r"trouble [0-9a-f]{6}", "trouble REF"),
    (r"`?\b[0-9a-f]{6}\b`?", "REF"),
    (r"`[0-9a-f]{4}( [0-9a-f]{4})+`", "DIGITS"),
    (r"0x[0-9a-f]{8,}", "ADDRESS"),
    (r"127\.0\.0\.1:\d+", "HERE"),
    (r"[A-Za-z0-9_-]{60,}", "TOKEN"),
    (r"\d+(\.\d+)? (seconds?|s|ms)\b", "SPAN"),
)
"""ids, times, nonces and digests: what may differ from one match to the next"""


def normal(text: str, match: str) -> str:
    for pattern, instead in SAME:
        text = re.sub(pattern, instead, text)
    return text.replace(match, "MATCH")


class Overheard:
    """Every frame that each client was ever sent."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.frames: dict[str, list[Any]] = {}
        hear, frames = Screen.hear, self.frames

        def listen(screen: Any, frame: Any) -> None:
            frames.setdefault(screen._name, []).append(frame)
            hear(screen, frame)

        monkeypatch.setattr(Screen, "hear", listen)

    def start(self, *people: Person) -> None:
        """Forget what was told so far, but for what is before them now: it may be drawn once more."""
        for person in people:
            now = [{"type": "message_edited", "message": one.raw} for one in person.screen.messages()]
            self.frames[person.name][:] = now

    def by(self, person: Person, match: str) -> set[str]:
        """What one person was told. How often, and in which order frames come, is a matter of timing."""
        return {normal(json.dumps(_plain(frame), ensure_ascii=False), match) for frame in self.frames[person.name]}


def _plain(frame: Any) -> Any:
    if frame["type"] in ("message_created", "message_edited"):
        return {**frame["message"], "edited_timestamp": None}
    return frame


def loud(bot: Bot, more: str) -> None:
    """It logs everything, and this is done to it."""
    bot.command = ("-m", "tests.e2e.talkative", "run")
    bot.settings[MORE] = more


async def situation(
    folder: Path, card: int, monkeypatch: pytest.MonkeyPatch, more: str = "", broken: bool = False
) -> dict[str, set[str]]:
    """Ana seals this card in round 2; everything that can be told to others, by who is told."""
    folder.mkdir()  # noqa: ASYNC240
    heard = Overheard(monkeypatch)
    clock_file = folder / "clock"
    clock_file.write_text("0", encoding="utf-8")
    playground = Playground(schema=schema.find(), clock_file=clock_file)
    playground.add_bot("GOPS")
    async with Stage.begin(playground, patience=30) as stage:
        stage.until_done = True
        await stage.limits(enabled=False)
        bot = Bot(stage, folder / "gops.sqlite3", clock_file, folder / "bot.log")
        await bot.unhurry()  # an answer that is announced is told otherwise than one that is not
        loud(bot, more)
        bot.settings["GOPS_PICTURES"] = "on"
        Scene(playground, stage, bot)
        try:
            await bot.start()
            ana, ben, cem = [await stage.person(name) for name in ("Ana", "Ben", "Cem")]
            house = House(stage, bot, ana, ben)
            board = await house.match(cards=CARDS, options="fixed-order")
            match = re.search(r"#(\w{4,})", board.text)
            assert match is not None
            await ana.press("2", in_=await ana.sees(awaits(1, dm=True)))
            await ben.press("3", in_=await ben.sees(awaits(1, dm=True)))
            await ben.sees(awaits(2, dm=True))
            await ben.sees(lambda seen: "round 2 of" in seen.text and seen.has_button("Bid"))
            await cem.sees(lambda seen: "round 2 of" in seen.text and seen.has_button("Bid"))
            heard.start(ben, cem)
            await ana.press(key(card), in_=await ana.sees(awaits(2, dm=True)))
            if not (broken and "INTO seals" in more):
                sealed = lambda seen: seen.has_button("Bid") and "✔ has bid" in seen.text  # noqa: E731
                board = await ben.sees(sealed)
                await cem.sees(sealed)
            offered = await looked_around(ben, cem, ana, board, match[1])
            told = {"Ben": heard.by(ben, match[1]), "Cem": heard.by(cem, match[1])}
            told["autocomplete"] = {normal(one, match[1]) for one in offered}
        finally:
            await bot.stop()
        told["files"] = {
            f"{file.filename}: {hashlib.sha256(file.content).hexdigest()}"
            for file in playground.core.shelf.files.values()
        }
        told["log"] = {normal(line, match[1]) for line in bot.logged().splitlines()}
        told["views"] = await viewed(bot.database, match[1], [int(one.id) for one in (ben, cem)])
        assert ("broken on purpose" in bot.logged()) == broken
    return told


async def looked_around(ben: Person, cem: Person, ana: Person, board: Any, match: str) -> list[str]:
    """Everything that Ben, who plays, and Cem, who does not, can look at; the answers arrive as frames."""
    for person in (ben, cem):
        for button in ("All cards", "Sheet", "More", "Bid"):
            await person.press(button, in_=board)
        await person.slash("/gops games")
        await person.slash("/gops profile", player=ana)
        await person.slash("/gops history")
        await person.slash("/gops leaderboard")
        await person.slash("/gops show", match=match)
    return [
        *await ben.complete("/gops show", "match", ""),
        *await cem.complete("/gops show", "match", ""),
        *await ben.complete("/gops resign", "match", ""),
    ]


async def viewed(database: Path, match: str, users: Iterable[int]) -> set[str]:
    """What the referee lets others and the public see, with nothing of the bot in between."""
    async with await SqliteStore.open(database) as store:
        referee = Referee(store, SystemClock(), SystemEntropy())
        return {normal(repr(await referee.views.view(match, user)), match) for user in (*users, 0)}


def compared(one: dict[str, set[str]], other: dict[str, set[str]]) -> list[str]:
    """What differs, in words."""
    return [f"{who}: {line}" for who in one for line in sorted(one[who] ^ other[who])]


def seals(database: Path) -> list[tuple[bytes, bytes]]:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("SELECT salt, digest FROM seals").fetchall()


async def test_every_sealed_choice_looks_the_same_to_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = await situation(tmp_path / "1", POSSIBLE[0], monkeypatch)
    assert any("✔ has bid" in frame for frame in first["Ben"])
    for card in POSSIBLE[1:]:
        told = await situation(tmp_path / str(card), card, monkeypatch)
        assert compared(first, told) == []
    kept = [seal for card in POSSIBLE for seal in seals(tmp_path / str(card) / "gops.sqlite3")]
    assert len({salt for salt, _ in kept}) == len({digest for _, digest in kept}) == len(POSSIBLE)


@pytest.mark.parametrize("where", TROUBLE)
async def test_an_error_report_tells_no_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    one = await situation(tmp_path / "1", 1, monkeypatch, TROUBLE[where], broken=True)
    other = await situation(tmp_path / "5", 5, monkeypatch, TROUBLE[where], broken=True)
    assert any("trouble REF" in line for line in one["log"])
    assert compared(one, other) == []


@pytest.mark.parametrize("how", LEAKS)
async def test_a_leak_would_be_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    one = await situation(tmp_path / "1", 1, monkeypatch, LEAKS[how])
    other = await situation(tmp_path / "3", 3, monkeypatch, LEAKS[how])
    assert compared(one, other)


async def test_the_daily_deal_and_its_shared_row_tell_nothing_of_its_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a day without the house's worker, too: others are told nothing while it is played, and a row of marks
    afterwards; the log never tells the deal."""
    heard = Overheard(monkeypatch)
    async with opened(tmp_path, start=False) as house:
        loud(house.bot, IDLE)
        await house.bot.start()
        ana, ben = house.ana, house.ben
        heard.start(ben)
        console = (await ana.slash("/gops daily")).shown
        code = code_of(console)
        for card in PLAN:
            console = (await ana.press(card, in_=console)).shown
        ranking = (await ana.press("Ranking", in_=console)).shown
        assert "Best possible: still being calculated" in ranking.text
        assert heard.frames[ben.name] == [], "nothing of it is for anybody else"
        for look in ("replay", "review", "verify", "show"):
            told = (await ben.slash(f"/gops {look}", match=code)).shown.text
            assert not re.search(r"[♠♥♦]|Prize|Round", told), f"{look}: {told}"
        await ana.press("Share", in_=ranking)
        shared = await ben.sees("GOPS daily")
        with closing(sqlite3.connect(house.bot.database)) as connection:
            [(nonce,)] = connection.execute("SELECT nonce FROM matches WHERE id = ?", (code,)).fetchall()
        frame = json.dumps(shared.raw, ensure_ascii=False)
        text = normal(re.sub(r"daily \d+", "DAY", shared.text), code)
        assert re.fullmatch(
            r"\S*Ana\S* · GOPS DAY · [^·]+\n[🟩🟥🟨]{7}\n-# 🟩 won \d · 🟥 lost \d · 🟨 tied \d"
            r" · play: /gops daily\n\[Play it too\]",
            text,
        ), text
        assert nonce.hex() not in frame
        assert code not in normal(frame, "-"), "not even whose match it was"
    log = house.bot.logged()
    assert "daily" in log.lower()
    assert nonce.hex() not in log
    assert repr(nonce) not in log
