"""The page that verifies a record: it and the program come to the same, with no network and nothing but the record."""

import json
import re
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Request, expect

from bot.referee.verify.check import verify_text
from bot.referee.verify.noted import Noted
from bot.referee.verify.noted import digits as read_digits
from tests.conftest import ROOT
from tests.page.house import House
from tests.proof.forgeries import FOLDER, INDEX

PAGE = ROOT / "bot" / "referee" / "verify" / "verify.html"
CASES: list[dict[str, Any]] = json.loads(INDEX.read_text(encoding="utf-8"))

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser) -> AsyncGenerator[Page]:
    """As somebody opens it who saved it: from a file, with no network."""
    context = await browser.new_context(offline=True)
    page = await context.new_page()
    asked: list[str] = []
    wrong: list[str] = []

    def request(one: Request) -> None:
        asked.append(one.url)

    page.on("request", request)
    page.on("console", lambda one: wrong.append(one.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    await page.goto(PAGE.as_uri())
    yield page
    assert [one for one in asked if not one.startswith("data:")] == [PAGE.as_uri()]
    assert wrong == []
    await context.close()


async def test_it_and_the_program_agree_on_the_whole_corpus(page: Page) -> None:
    odd: list[str] = []
    for case in CASES:
        text = (FOLDER / f"{case['name']}.json").read_text(encoding="utf-8")
        found = await page.evaluate("([text, noted]) => verifyRecord(text, noted)", [text, case["noted"]])
        if found["code"] != case["page"]:
            odd.append(f"{case['name']}: {found['code']}, not {case['page']}: {found['findings']}")
        assert case["page"] in (case["code"], 0), "where rules decide, the page finds nothing"
    assert odd == []


async def test_both_say_the_same_of_an_honest_record(page: Page) -> None:
    """The sentences on what both look at are the same ones."""
    text = (FOLDER / "honest-vector.json").read_text(encoding="utf-8")
    noted = {"record": "8558 3FAD 22d6b8cc", "opening": "cfa7 21de cf48 54f7"}
    found = await page.evaluate("([text, noted]) => verifyRecord(text, noted)", [text, noted])
    by_page = {one["what"] for one in found["findings"]}
    report = verify_text(text, Noted(**{key: read_digits(value) for key, value in noted.items()}))
    same = by_page & {one.what for one in report.findings}
    assert len(same) >= 5, same
    assert "Whether every bid was legal, and the result, are gops referee's word." in by_page


async def test_the_playground_serves_it(house: House, browser: Browser) -> None:
    """`gops play` has it at `/verify.html`, where it may run what it brings along and reach nothing."""
    context = await browser.new_context()
    page = await context.new_page()
    answered = await page.goto(f"{house.address}/verify.html")
    assert answered is not None
    assert "default-src 'none'" in answered.headers["content-security-policy"]
    text = (FOLDER / "honest-duel.json").read_text(encoding="utf-8")
    assert (await page.evaluate("text => verifyRecord(text)", text))["code"] == 0
    refused = await page.evaluate("fetch('/').then(() => 'reached', () => 'refused')")
    assert refused == "refused"
    await context.close()


async def test_somebody_uses_it(page: Page) -> None:
    """A file, the digits that were noted, one press; and then a record that was altered."""
    await page.get_by_label("The record, a file").set_input_files(FOLDER / "noted.json")
    await expect(page.get_by_label("or its text")).to_have_value(re.compile("fairness"))
    await page.get_by_role("button", name="Check").click()
    answer = page.get_by_role("status")
    await expect(answer).to_have_text("All that this page can show holds.")
    await expect(page.locator("#findings")).to_contain_text("bids match their seals")
    await page.get_by_label("The record's digits in the result").fill("0000 0000 0000 0000")
    await page.get_by_role("button", name="Check").click()
    await expect(answer).to_have_text("Something does not hold.")
    await page.get_by_label("The record's digits in the result").fill("12")
    await page.get_by_role("button", name="Check").click()
    await expect(answer).to_have_text("This cannot be read.")
