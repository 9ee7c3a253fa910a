"""Every button of a match, pressed by everybody at every time (ui.md section 7, item 7).

Whatever comes of a press is made of the catalogue's sentences, and every press is answered.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
import string
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager, closing
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from bot.engine.counted import forms
from bot.ui.text.catalogue import SENTENCES
from tests.driver import Outcome, Person, Seen
from tests.e2e.house import House, awaits, code_of, has, key, opened, plain, told

pytestmark = pytest.mark.asyncio(loop_scope="module")

BUSY = "My database is busy. If you see no change, press again."
VAGUE = 6
"""a sentence with fewer letters of its own than this says nothing about where a text comes from"""

ANNOUNCED = 5
"""the answer that says: a message follows"""

# --- what is from the catalogue ---------------------------------------------------------------------------


@cache
def templates() -> list[re.Pattern[str]]:
    """Each sentence, with anything in its gaps."""
    found: list[re.Pattern[str]] = []
    for text in (form for sentence in SENTENCES.values() for form in forms(sentence)):
        pieces = list(string.Formatter().parse(text))
        if sum(len(re.findall(r"[A-Za-z]", literal)) for literal, *_ in pieces) >= VAGUE:
            gaps = (re.escape(literal) + (".+?" if name is not None else "") for literal, name, *_ in pieces)
            found.append(re.compile("".join(gaps), re.DOTALL))
    return found


def strange(seen: Seen) -> list[str]:
    """What of a private answer, or of the banner of a console, no sentence of the catalogue accounts for."""
    lines = plain(seen.text).split("\n")
    if seen.is_v2:
        said = [line.removeprefix("┃ ").removeprefix("⚠ ") for line in lines if "⚠" in line]
    else:
        said = [line for line in lines if not line.startswith(("[", "{", "(", "📎"))]
    of_two_lines = [one for one in templates() if "\n" in one.pattern]
    pairs = [two for two in pairwise(said) if any(one.fullmatch("\n".join(two)) for one in of_two_lines)]
    known = {line for two in pairs for line in two}
    return [line for line in said if line not in known and not any(one.fullmatch(line) for one in templates())]


def checked(outcome: Outcome) -> Seen | None:
    """Answered, and in the catalogue's words; the answer, where it has come already."""
    assert not outcome.failed
    return outcome.message and in_our_words(outcome.message)


def in_our_words(message: Seen) -> Seen:
    assert strange(message) == []
    assert "Something went wrong here" not in message.text
    return message


def live(message: Seen, *, but: Iterable[str] = ()) -> list[str]:
    """Buttons that can be pressed, by custom id."""
    return [b.custom_id for b in message.buttons if b.custom_id and not b.disabled and b.label not in but]


async def press_all(person: Person, message: Seen, *, but: Iterable[str] = ()) -> dict[str, Seen | None]:
    """Everything on a message as it was when it was first seen, one after another; what each press came to. A page in
    the place of a console is left by its way back."""
    answers: dict[str, Seen | None] = {}
    for button in live(message, but=but):
        now = await returned(person, person.now(message), message)
        if now is not None and now.has_button(button) and not now.button(button).disabled:
            label, outcome = now.button(button).label, await person.press(button, in_=now)
            if outcome.answer == ANNOUNCED:  # what takes its time is there later
                announced = outcome.shown.id
                came = await person.sees(lambda seen, id=announced: seen.id == id and seen.text != "", patience=60)
                answers[label] = in_our_words(came)
            else:
                answers[label] = checked(outcome)
    return answers


async def returned(person: Person, now: Seen | None, before: Seen) -> Seen | None:
    """The message behind the page that has taken its place, if one has."""
    for label in ("◀ Cards", "◀ Result"):
        if now is not None and now.has_button(label) and not before.has_button(label):
            return checked(await person.press(label, in_=now))
    return now


CONSOLE = ("Sheet", "Rules", "More")
"""the buttons of a console after which a page stands in its place"""


async def test_what_is_strange_is_found() -> None:
    """The check can fail."""
    words = [one for one in ("You have no running match.", BUSY) if any(t.fullmatch(one) for t in templates())]
    assert len(words) == 2
    assert not any(one.fullmatch("Internal error 500") for one in templates())
    assert not any(one.fullmatch("Card 5 was rejected by the engine") for one in templates())


# --- by everybody -----------------------------------------------------------------------------------------


async def bid(person: Person, number: int, card: int) -> Seen:
    return (await person.press(key(card), in_=await person.sees(awaits(number, dm=True)))).shown


async def test_challenge_buttons_answer_everybody(scene: House) -> None:
    cem = await scene.person("Cem")
    challenge = await scene.challenge()
    for person, but in ((cem, ()), (scene.ana, ("Withdraw", "Add the house")), (scene.ben, ("Accept", "Decline"))):
        answers = await press_all(person, challenge, but=but)
        assert {"Rules"} < answers.keys()
        assert all(answer is not None and answer.is_ephemeral for answer in answers.values())
    still = scene.ben.now(challenge)
    assert still is not None
    assert still.has_button("Accept")


async def test_board_buttons_answer_everybody(scene: House) -> None:
    cem = await scene.person("Cem")
    board = await scene.match()
    before = plain(board.text)
    for person in (scene.ana, scene.ben, cem):
        answers = await press_all(person, board)
        assert list(answers) == ["Bid", "All cards", "Sheet", "More"]
        for label, answer in answers.items():
            assert answer is not None, label
            assert answer.is_ephemeral, label
            if label in ("Sheet", "All cards"):
                await press_all(person, answer, but=["Show everyone"])
    assert plain((scene.ana.now(board) or board).text) == before


async def test_more_buttons_answer_everybody(scene: House) -> None:
    cem = await scene.person("Cem")
    board = await scene.match()
    for person, count in ((scene.ana, 7), (scene.ben, 7), (cem, 2)):
        labels = [b.label for b in (await person.press("More", in_=board)).shown.buttons]
        assert len(labels) == count
        for label in labels:
            if label == "Repost board":
                continue
            fresh = (await person.press("More", in_=board)).shown
            question = checked(await person.press(label, in_=fresh))
            if question is not None:
                await press_all(person, question, but=["Resign", "Stop", "Offer draw"])


@pytest.mark.parametrize("dm", [True, False])
async def test_every_key_of_a_console(scene: House, dm: bool) -> None:
    """By DM and behind *Bid*: each key seals, and what is spent is dead."""
    board = await scene.match()
    for person, card in ((scene.ana, 5), (scene.ben, 6)):
        if not dm:
            await person.press("Bid", in_=board)
        await person.press(key(card), in_=await person.sees(awaits(1, dm)))
    answers = await press_all(scene.ana, await scene.ana.sees(awaits(2, dm)))
    cards = [key(card) for card in range(1, 14) if card != 5]
    assert list(answers) == [*cards, *CONSOLE]
    for card in cards:
        answer = answers[card]
        assert answer is not None
        assert f"✔ Your **{card} is sealed.**" in answer.text


async def test_double_press_is_answered_twice_and_seals_one_card(scene: House) -> None:
    """A double press is answered twice; it never seals a second card, and opens at most what it asked for."""
    challenge = await scene.challenge()
    for outcome in await asyncio.gather(*(scene.ben.press("Accept", in_=challenge, may_fail=True) for _ in range(2))):
        checked(outcome)
    board = await scene.ana.sees(has("round 1 of 13"), in_=challenge)
    for person in (scene.ana, scene.ben, await scene.person("Cem")):
        for button in live(board):
            for outcome in await asyncio.gather(person.press(button, in_=board), person.press(button, in_=board)):
                checked(outcome)
    console = await scene.ana.sees(awaits(1, dm=True))
    pressed = await asyncio.gather(*(scene.ana.press("4", in_=console) for _ in range(2)))
    assert "**4 is sealed.**" in (scene.ana.now(console) or console).text
    assert any("4 is already sealed" in (checked(one) or console).text for one in pressed)
    asked = (await scene.ana.slash("/gops resign")).shown
    for outcome in await asyncio.gather(*(scene.ana.press("Stop", in_=asked) for _ in range(2))):
        checked(outcome)


# --- at every time ----------------------------------------------------------------------------------------


async def test_buttons_of_outdated_messages_answer_after_the_end(scene: House) -> None:
    """The result by everybody; and the board and consoles that nobody told of the end."""
    ana, ben, cem = scene.ana, scene.ben, await scene.person("Cem")
    board = await scene.match(cards=3)
    await bid(ana, 1, 1)
    await bid(ben, 1, 2)
    await ana.sees(awaits(2, dm=True))
    labels = ("Offer draw", "Resign", "Send my cards to my DMs", "Mute this match", "Repost board")
    more = {label: (await ana.press("More", in_=board)).shown for label in labels}
    stale = (await ana.press("Bid", in_=board)).shown
    await scene.stage.fault("answer", "PATCH *", status=403, code=50001, times=99)
    await ben.press("Resign", in_=(await ben.slash("/gops resign")).shown)
    await scene.bot.logs("could not edit")
    over = f"#{code_of(board)} is over: Ana wins because Ben resigned. Press Rematch on its result to play again."
    left = ana.now(board)
    assert left is not None
    assert left.has_button("Bid")  # nobody could tell it
    healed = await ana.press("2", in_=stale)
    checked(healed)
    assert over in told(healed)
    for person in (ana, ben, cem):
        answers = await press_all(person, left)
        assert answers["Bid"] is not None
        assert plain(answers["Bid"].text) == (over.split(" Press Rematch")[0] if person is cem else over)
    for label, card in more.items():
        answer = (await ana.press(label, in_=card)).shown
        assert answer.id == card.id
        assert plain(answer.text) == over
        assert answer.buttons == []
    await scene.stage.clear_faults()


@pytest.mark.usefixtures("kernels")
async def test_result_buttons_answer_everybody(scene: House) -> None:
    ana, ben, cem = scene.ana, scene.ben, await scene.person("Cem")
    board = await scene.match(cards=2)
    await bid(ana, 1, 1)
    await bid(ben, 1, 2)
    result = await ana.sees(has("[Rematch]"), in_=board)
    for person in (cem, ana, ben):
        answers = await press_all(person, result)
        assert list(answers) == ["Rematch", "Review", "More"]
        person.patience = 60  # the coach has a process to start, and stands back
        assert answers["More"] is not None
        behind = await press_all(person, answers["More"])
        assert list(behind) == ["Sheet", "Replay", "Verify", "Export", "Rules"]
        assert behind["Replay"] is not None
        await press_all(person, behind["Replay"])
        assert behind["Sheet"] is not None
        await press_all(person, behind["Sheet"])
        review = await person.sees(has("· review", ephemeral=True))
        showing = ["Show everyone"] if person is not cem else []  # that is for those who played
        assert list(await press_all(person, review)) == ["Worst round", "Numbers", *showing]


async def test_buttons_in_a_dm_answer(scene: House) -> None:
    """The console and what it opens; afterwards its result. Commands of a server say that they are."""
    board = await scene.match(cards=3)
    ana, ben = scene.ana, scene.ben
    console = await ana.sees(awaits(1, dm=True))
    answers = await press_all(ana, console, but=["A", "2", "3"])
    assert list(answers) == list(CONSOLE)
    more = answers["More"]
    assert more is not None
    for label in (one.label for one in more.buttons if one.label not in ("Repost board", "🎲 Random card", "◀ Cards")):
        page = checked(await ana.press("More", in_=await returned(ana, ana.now(console), console)))
        assert page is not None
        assert checked(await ana.press(label, in_=page)) is not None
    await returned(ana, ana.now(console), console)
    for number in (1, 2):
        await bid(ana, number, number)
        await bid(ben, number, number + 1)
    over = await ana.sees(has("[Rematch]"), in_="dm")  # Ben wins, or draws if the 3 comes last
    ended = await press_all(ana, over)
    assert ended["Rematch"] is not None
    assert told(await ana.slash("/gops leaderboard", in_="dm")) == "This works only in a server that has added me."
    checked(await ana.slash("/gops games", in_="dm"))
    checked(await ana.slash("/gops show", match=code_of(board), in_="dm"))


async def test_look_ups_by_their_owner(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    await scene.match(cards=2)
    await bid(ana, 1, 1)
    await bid(ben, 1, 2)
    await scene.match(cards=3)
    for command in ("games", "leaderboard", "profile", "history", "rules", "preferences"):
        shown = checked(await ana.slash(f"/gops {command}"))
        assert shown is not None
        assert shown.is_ephemeral
        await press_all(ana, shown)


@asynccontextmanager
async def locked(house: House) -> AsyncGenerator[None]:
    """Another process holds the records for longer than a press waits."""
    with closing(sqlite3.connect(house.bot.database, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


async def test_buttons_say_that_nothing_can_be_changed_while_the_database_is_locked(tmp_path: Path) -> None:
    """Nothing changes, and whoever wanted to change something is told so, where they pressed."""
    async with opened(tmp_path) as house:
        await press_while_locked(house)


async def press_while_locked(scene: House) -> None:
    challenge = await scene.challenge()
    ana, ben = scene.ana, scene.ben
    async with locked(scene):
        await ben.press("Accept", in_=challenge)
        await ben.sees(has(BUSY, ephemeral=True))
    await ben.press("Accept", in_=challenge)
    board = await ana.sees(has("round 1 of 13"), in_=challenge)
    await ben.sees_no(has(BUSY, ephemeral=True))
    console = await ana.sees(awaits(1, dm=True))
    theirs = await ben.sees(awaits(1, dm=True))
    async with locked(scene):
        await asyncio.gather(ana.press("5", in_=console), ben.press("6", in_=theirs), ana.press("Bid", in_=board))
        for person in (ana, ben):
            healed = await person.sees(has(f"⚠ {BUSY}", "Your turn"), in_="dm")
            assert strange(healed) == []
        await ana.sees(has(BUSY, ephemeral=True))
        for label in ("All cards", "Sheet", "More"):  # nothing is written by these
            checked(await ana.press(label, in_=board))
    assert "**5 is sealed.**" in told(await ana.press("5", in_=console))


async def test_a_table_with_the_records_locked(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        await house.ana.slash("/gops open", seats=3)
        table = await house.ben.sees("opens a table")
        async with locked(house):
            for _ in range(2):
                await house.ben.press("Join", in_=table)
                await house.ben.sees(has(BUSY, ephemeral=True))
        assert "Players 2 of 3: Ana (host), Ben" in told(await house.ben.press("Join", in_=table))
        await house.ben.sees_no(has(BUSY, ephemeral=True))


async def test_every_button_of_a_table(scene: House) -> None:
    """By the host, a guest and a bystander; then from the old message, when there is no table any more."""
    await scene.ana.slash("/gops open", seats=4)
    table = await scene.ben.sees("opens a table")
    cem = await scene.person("Cem")
    await scene.ben.press("Join", in_=table)
    for person in (cem, scene.ben, scene.ana):  # the host is last: *Close* ends it
        answers = await press_all(person, table)
        assert answers
    closed = scene.ana.now(table)
    assert closed is not None
    assert closed.buttons == []


async def test_buttons_work_after_a_restart(tmp_path: Path) -> None:
    """Everything that was shown before still works, from the first press on."""
    async with opened(tmp_path) as house:
        ana, ben = house.ana, house.ben
        board = await house.match()
        console = await ana.sees(awaits(1, dm=True))
        shown = (await ben.press("Bid", in_=board)).shown
        more = (await ana.press("More", in_=board)).shown
        question = (await ana.slash("/gops draw")).shown
        challenge = (await ben.slash("/gops challenge", opponent=ana, game="sops")).shown
        await house.bot.kill()
        await house.bot.start()
        await press_all(ana, console, but=["K"])
        await press_all(ben, shown, but=["A", "2", "3", "4", "5", "6", "7", "8", "9", "10"])
        for person in (ana, ben):
            await press_all(person, ana.now(board) or board)
        checked(await ana.press("Mute this match", in_=more))
        assert told(await ana.press("Offer draw", in_=question)).startswith("Done. You offered a draw.")
        await ana.press("Accept", in_=challenge)
        await ana.sees(has("SOPS", "round 1 of"), in_=challenge)
        assert house.bot.trouble() == []
