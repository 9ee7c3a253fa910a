"""Games with more than one card or more than two people, played in the browser."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, expect

from tests.driver import Person, Refused, Seen, Stage
from tests.page import dealt
from tests.page.house import SLOW, House, Window, opened

pytestmark = pytest.mark.asyncio(loop_scope="session")  # where the browser is

NAMES = ("Ana", "Ben", "Cem", "Dee")
CARD = re.compile(r"^(✔ |• )?(Take )?([♠♥♦♣]?(10|[2-9AJQK]|1\d|2[0-5])|A high|A low)( ×\d+)?$")
OPEN = re.compile(r"Your turn")

G91 = (
    (5, 9, "Jk", 13, 2, 12, 10, 11, 3, 1, 8, 6, 4, 7),
    [
        ("6", "5", "4"),
        ("9", "9", "2"),
        ("A high", "K", "K"),
        ("7", "7", "7"),
        ("3", "8", "8"),
        ("2", "A low", "3"),
        ("Q", "J", "Q"),
        ("4", "6", "5"),
        ("5", "4", "A low"),
        ("8", "2", "6"),
        ("10", "Q", "J"),
        ("7", "3", "10"),
        ("J", "10", "9"),
    ],
)
"""rules.md 3.1: the stack, and what each seat bids; the last cards are bid for everybody"""

TOLD = 4
"""the last round that the test checks on the board"""


async def seated(house: House, seats: int, what: str) -> list[Window]:
    """So many people on one page, in a match; each looks at the bot's DM."""
    page = await house.open(f"?people={','.join(NAMES[:seats])}", width=1600)
    windows = [Window(page, name) for name in NAMES[:seats]]
    command, told, yes = "challenge Ben", "challenge", "Accept"
    if seats > 2:
        command, told, yes = f"open seats:{seats}", "opens a table", "Join"
    await shown(windows[0])
    await windows[0].composer.click()
    await page.keyboard.insert_text(f"/gops {command} {what}")
    await page.keyboard.press("Enter")
    for window in windows[1:]:
        await shown(window)
        await window.sees(told)
        await window.press(yes)
    for window in windows:
        await shown(window)
        await window.go("@GOPS")
    return windows


async def shown(window: Window) -> None:
    """A window for which there is no room is one press away."""
    if not await window.pane.is_visible():
        people = window.page.get_by_role("navigation", name="People")
        await people.get_by_role("button", name=re.compile(f"^{window.name}(,|$)")).click()
        await expect(window.pane).to_be_visible()


def console(window: Window) -> Locator:
    return window.messages.filter(has_text=re.compile("against|Rematch")).last


async def lit(window: Window) -> list[str]:
    """The keys that can be pressed."""
    buttons = console(window).get_by_role("button", name=CARD, disabled=False)
    return [text.strip() for text in await buttons.all_inner_texts()]


async def bid(window: Window, card: str) -> None:
    await shown(window)
    await console(window).get_by_role("button", name=re.compile(rf"^{re.escape(card)}$"), disabled=False).click()


async def asked(windows: list[Window]) -> list[Window]:
    """Wait until a player has to act, and return the windows of such players; none when the match is over."""
    page = windows[0].page
    consoles = page.locator("li.message").filter(has_text=re.compile("against|Rematch"))
    await consoles.filter(has_text=re.compile(rf"{OPEN.pattern}|Rematch")).first.wait_for(state="attached")
    return [window for window in windows if OPEN.search(await console(window).inner_text())]


async def first_round(windows: list[Window], chance: random.Random) -> int:
    """Everybody presses a key that is lit; how often that was."""
    presses = 0
    while presses < len(windows):
        for window in await asked(windows):
            await shown(window)
            before = await console(window).inner_text()
            if not OPEN.search(before):
                continue
            await bid(window, chance.choice(await lit(window)))
            await expect(console(window)).not_to_have_text(before, use_inner_text=True)
            presses += 1
    return presses


@asynccontextmanager
async def afar(house: House, windows: list[Window]) -> AsyncGenerator[list[Person]]:
    """The same people at another client of theirs, without a browser."""
    async with Stage.connect(house.address, patience=SLOW / 1000) as stage:
        stage.until_done = True
        yield [await stage.person(window.name) for window in windows]


def is_console(seen: Seen) -> bool:
    return "against" in seen.text or "[Rematch]" in seen.text


async def bid_afar(person: Person, card: str) -> Seen:
    """Once they are asked; what it was answered with. A console that has moved below a new message is pressed there."""
    gone = ""
    while True:
        before = await person.sees(
            lambda seen, gone=gone: seen.id != gone and is_console(seen) and OPEN.search(seen.text) is not None,
            in_="dm",
        )
        [key] = [one for one in before.buttons if one.label == card and not one.disabled]
        assert key.custom_id is not None
        try:
            return (await person.press(key.custom_id, in_=before)).shown
        except Refused as refusal:
            if "sees no message" not in str(refusal):
                raise
            gone = before.id


async def play_on(people: list[Person], seed: int, most: int = 400) -> int:
    """Everybody presses what is lit until the match is over, or so often; how often all of them did."""

    async def play(person: Person) -> int:
        chance = random.Random(f"{seed} {person.name}")
        for presses in range(most):
            before = await person.sees(
                lambda seen: is_console(seen) and ("[Rematch]" in seen.text or OPEN.search(seen.text) is not None),
                in_="dm",
            )
            if "[Rematch]" in before.text:
                return presses
            lit = [one for one in before.buttons if CARD.search(one.label) and not one.disabled]
            await bid_afar(person, chance.choice(lit).label)
            await person.sees(lambda seen, before=before: is_console(seen) and seen.text != before.text, in_="dm")
        return most

    return sum(await asyncio.gather(*map(play, people)))


async def result(window: Window) -> str:
    await shown(window)
    await window.go("#games")
    return await (await window.sees(re.compile("Rematch"))).inner_text()


async def test_parletts_game_for_three_can_be_played(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test plays the whole deal G9.1, with its high Ace, its pair and its three sevens."""
    stock, rounds = G91
    monkeypatch.setenv(dealt.STOCK, json.dumps(stock))
    async with opened(tmp_path, browser, "tests.page.dealt") as house, AsyncExitStack() as stack:
        windows = await seated(house, 3, "game:parlett series:one")
        people = await stack.enter_async_context(afar(house, windows))
        for number, cards in enumerate(rounds):
            for window, person, card in zip(windows, people, cards, strict=True):
                then = "is sealed" if window is not windows[2] else "ound "
                if number and (window is not windows[0] or number > TOLD):
                    assert then in (await bid_afar(person, card)).text
                    continue
                await shown(window)
                await expect(console(window)).to_contain_text(OPEN)
                await bid(window, card)
                await expect(console(window)).to_contain_text(then)
            told = console(windows[0])
            if number == 2:
                await expect(told).to_contain_text(re.compile(r"You.? take\s+Joker \+\s+♦K"))
            if number == 3:
                await expect(told).to_contain_text(
                    re.compile(r"tie at 7\..*The cards return to the hands after the round\.", re.DOTALL)
                )
                await expect(told.get_by_role("button", name="7", exact=True)).to_be_disabled()
            if number == TOLD:
                await expect(told.get_by_role("button", name="7", exact=True)).to_be_enabled()
        text = await result(windows[0])
        for words in ("1. .?Ana.? 36", "2. .?Cem.? 15", "3. .?Ben.? 0"):
            assert re.search(words, text), text
        assert house.errors == []


async def test_throps_can_be_played_by_three(house: House) -> None:
    """Nobody sees another hand, and every key has its suit."""
    windows = await seated(house, 3, "game:throps series:one")
    for window in windows:  # a console each, and each comes when it comes
        await expect(console(window).get_by_role("button", name=CARD, disabled=False)).to_have_count(13)
    hands = [await lit(window) for window in windows]
    assert len({card for hand in hands for card in hand}) == 39
    presses = await first_round(windows, random.Random(1))
    async with afar(house, windows) as people:
        presses += await play_on(people, 1)
    assert presses == 36  # the last card is bid for everybody
    text = await result(windows[0])
    assert "13 rounds" in text


async def test_open_draft_can_be_played_by_four(house: House) -> None:
    windows = await seated(house, 4, "game:open-draft cards:3")
    await expect(console(windows[0])).to_contain_text("Prizes")
    await first_round(windows, random.Random(2))
    async with afar(house, windows) as people:
        await play_on(people, 2)
    assert "4 players" in await result(windows[0])


async def test_welsh_warfare_can_be_played_by_four(house: House) -> None:
    """After a few tricks, all players but one stop."""
    windows = await seated(house, 4, "game:welsh")
    assert await first_round(windows, random.Random(3)) == 4
    async with afar(house, windows) as people:
        assert await play_on(people, 3, most=3) == 12
    for window in windows[:0:-1]:
        await shown(window)
        await window.go("#games")
        await window.composer.click()
        await window.page.keyboard.insert_text("/gops resign ")
        await window.page.keyboard.press("Enter")
        await window.press("Resign" if window is windows[1] else "Leave match")  # the last one ends the match
        await window.sees("Done")
    text = await result(windows[0])
    assert re.search(r"Ana.? wins", text), text


async def test_best_of_three_ends_after_two_wins(house: House) -> None:
    """Between deals the board shows how the last deal ended."""
    windows = await seated(house, 2, "cards:2 series:best-3")
    for deal in (1, 2):
        await expect(console(windows[0])).to_contain_text(f"deal {deal}")
        prize = re.search(r"Prize\s+[♦♠](\w)", await console(windows[0]).inner_text())
        assert prize is not None
        first, second = ("2", "A") if prize[1] == "2" else ("A", "2")  # who takes the 2 wins the deal
        await bid(windows[0], first)
        await expect(console(windows[0])).to_contain_text("is sealed")
        await bid(windows[1], second)
        if deal == 1:
            ended = re.compile("Deal 1: .*Ana.? 2.*Series: .*Ana.? 1", re.DOTALL)
            await expect(console(windows[0])).to_contain_text(ended)
            await expect(console(windows[0])).to_contain_text(
                "Each player had one card left, so it was played automatically."
            )
    text = await result(windows[0])
    assert re.search(r"Ana.? wins 2–0 \(best of 3\)", text), text
