"""A player on the page sees failing card faces: the card is text instead, and no message is lost."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, expect

from bot.pictures.faces import list_faces
from tests.e2e import house as e2e
from tests.e2e.test_faces import Portal
from tests.page.house import House, Window

pytestmark = pytest.mark.asyncio(loop_scope="session")  # where the browser is

UPLOADS = "POST /applications/*/emojis"
REFUSED = {"status": 400, "code": 50035}
FACE = "img.emoji.custom"
FAILED = "This interaction failed"


@pytest_asyncio.fixture(loop_scope="session")
async def refused(tmp_path: Path) -> AsyncGenerator[e2e.House]:
    """A bot that may not upload its faces; Ben sits behind sockets."""
    async with e2e.opened(tmp_path, start=False) as house:
        house.bot.settings["GOPS_FACES"] = "on"
        await house.stage.fault("answer", UPLOADS, status=403, code=20001, times=1000)
        await house.bot.start()
        await house.stage.called(UPLOADS)
        yield house
        assert house.bot.trouble() == []


async def console(ana: Window, number: int, *cards: str, faces: bool) -> Locator:
    """Ana's console of this round: these keys are lit, each with its label, and with a face or in words alone."""
    words = re.compile(rf"against.*round {number} of 5.*Your turn", re.DOTALL)
    found = await ana.sees(words)
    for card in cards:
        key = found.get_by_role("button", name=re.compile(rf"^(:\w+: )?{card}$"))
        await expect(key).to_be_enabled()
        await expect(key.locator(FACE)).to_have_count(1 if faces else 0)
    await expect(found.locator("h2")).to_contain_text(re.compile("[A2-5]"))
    await expect(found.locator(f"h2 {FACE}")).to_have_count(1 if faces else 0)
    return found


async def sealed(ana: Window, card: str) -> Locator:
    """Press a card and return the answer: the bid is sealed, in text alone, and without a notice of failure."""
    await ana.press(card)
    found = await ana.sees(f"{card} is sealed")
    await expect(found.get_by_role("button", name=f"✔ {card}")).to_be_visible()
    await expect(found.locator(FACE)).to_have_count(0)
    await expect(ana.pane.get_by_text(FAILED)).to_have_count(0)
    return found


async def test_failing_card_faces_are_replaced_by_text(refused: e2e.House, browser: Browser) -> None:
    """In one match uploads fail, then faces: one deleted, one refused in an answer, and one in an edit."""
    house, ben, stage = refused, refused.ben, refused.stage
    async with House(stage.address, browser) as pages:
        ana = Window(await pages.open("?as=Ana"), "Ana")
        await ana.challenge("Ben", cards=5)
        await ben.press("Accept", in_=await ben.sees("challenges you"))
        await ana.sees("round 1 of 5")
        await ana.go("@GOPS")

        async def answers(number: int, card: str) -> None:
            await ben.press(card, in_=await ben.sees(e2e.awaits(number, dm=True)))

        await console(ana, 1, "A", "2", "3", "4", "5", faces=False)
        await sealed(ana, "A")

        await house.bot.stop()  # and it may upload them from now on
        await stage.clear_faults()
        await house.bot.start()
        await house.bot.logs(f"uploaded {len(list_faces())} card faces")
        await answers(1, "2")
        await console(ana, 2, "2", "3", "4", "5", faces=True)

        portal = Portal(house)
        await portal.emojis()
        await portal.delete("five_of_spades")
        await sealed(ana, "2")
        await house.bot.logs("uploaded 1 card faces")
        await answers(2, "3")
        await console(ana, 3, "3", "4", "5", faces=True)

        await stage.fault("answer", "POST /interactions/*", **REFUSED)
        await sealed(ana, "3")
        await answers(3, "4")
        await console(ana, 4, "4", "5", faces=True)

        await ana.press("4")
        await ana.sees("4 is sealed")
        await stage.fault("answer", "PATCH *", **REFUSED)
        await answers(4, "5")
        await ana.sees("Rematch")
        await ana.go("#games")
        await ana.sees(re.compile("Ben.? wins"))
        await expect(ana.pane.get_by_text(FAILED)).to_have_count(0)
        assert pages.errors == []
