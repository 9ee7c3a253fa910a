"""The page that verifies a record agrees with the program, without network and with the record alone."""

import json
import re
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from bot.referee.verify.check import verify_text
from bot.referee.verify.findings import Claims
from bot.referee.verify.findings import read_digits as read_digits
from tests.conftest import ROOT
from tests.e2e.house import behind_more, code_of, has, opened
from tests.e2e.test_match import bid
from tests.e2e.test_proof import digits
from tests.page.house import House
from tests.page.offline import opened_offline
from tests.page.test_accessibility import CONTRAST
from tests.proof.author import sealed_anew
from tests.proof.forgeries import FOLDER, INDEX

PAGE = ROOT / "bot" / "referee" / "verify" / "verify.html"
CASES: list[dict[str, Any]] = json.loads(INDEX.read_text(encoding="utf-8"))

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser) -> AsyncGenerator[Page]:
    """Open the verify page from a file, without network."""
    async with opened_offline(browser, PAGE) as page:
        yield page


async def test_page_and_program_agree_on_the_whole_corpus(page: Page) -> None:
    odd: list[str] = []
    for case in CASES:
        text = (FOLDER / f"{case['name']}.json").read_text(encoding="utf-8")
        found = await page.evaluate("([text, noted]) => verifyRecord(text, noted)", [text, case["noted"]])
        if found["code"] != case["page"]:
            odd.append(f"{case['name']}: {found['code']}, not {case['page']}: {found['findings']}")
        assert case["page"] in (case["code"], 0), "where rules decide, the page finds nothing"
    assert odd == []


@pytest.mark.parametrize("case", [one for one in CASES if "seal-too-many" in one["name"]], ids=lambda one: one["name"])
async def test_page_and_program_name_the_place_of_a_seal_alike(page: Page, case: dict[str, Any]) -> None:
    text = (FOLDER / f"{case['name']}.json").read_text(encoding="utf-8")
    found = await page.evaluate("text => verifyRecord(text, {})", text)
    assert case["says"] in {one["what"] for one in found["findings"]}


async def test_verify_page_has_landmarks_and_readable_hints(page: Page) -> None:
    await expect(page.get_by_role("main")).to_have_count(1)
    await expect(page.get_by_role("main").get_by_role("button", name="Check")).to_be_visible()
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme)
        colors = await page.locator("#record").evaluate(
            "one => [getComputedStyle(one, '::placeholder').color, getComputedStyle(one).backgroundColor]"
        )
        assert await page.evaluate(CONTRAST, colors) >= 4.5, (scheme, colors)


async def test_page_and_program_say_the_same_of_an_honest_record(page: Page) -> None:
    """Findings on the same facts are the same sentences."""
    text = (FOLDER / "honest-vector.json").read_text(encoding="utf-8")
    noted = {"record": "8558 3FAD 22d6b8cc", "opening": "cfa7 21de cf48 54f7"}
    found = await page.evaluate("([text, noted]) => verifyRecord(text, noted)", [text, noted])
    by_page = {one["what"] for one in found["findings"]}
    report = verify_text(text, Claims(**{key: read_digits(value) for key, value in noted.items()}))
    same = by_page & {one.what for one in report.findings}
    assert len(same) >= 5, same
    assert "Whether every bid was legal, and the result, are gops referee's word." in by_page


async def test_page_verifies_a_played_match_and_finds_a_forgery_by_its_digits(page: Page, tmp_path: Path) -> None:
    """A referee who knows the nonce makes everything fit other bids; only the noted digits show it."""
    async with opened(tmp_path) as scene:
        board = await scene.match(cards=4)
        for number, (ana, ben) in enumerate(((2, 1), (4, 3), (1, 2)), 1):
            await bid(scene.ana, number, ana)
            await bid(scene.ben, number, ben)
        result = await scene.ana.sees(has("[Rematch]"), in_=board)
        more = (await scene.ana.press("More", in_=result)).shown
        noted = {"record": digits("🔒 Fair play", result), "opening": digits("deal seal", more)}
        assert noted["record"] == digits("Match seal", more)
        verified = (await behind_more(scene.ana, "Verify", result)).shown
        file = tmp_path / f"gops-{code_of(result)}.json"
        link = {one["filename"]: one["url"] for one in verified.files}[file.name]
        file.write_bytes(await scene.stage.link.read(link))
    await page.get_by_label("The record's digits in the result").fill(noted["record"])
    await page.get_by_label("The digits under the challenge").fill(noted["opening"])
    await page.get_by_label("The record, a file").set_input_files(file)
    await expect(page.get_by_label("or its text")).to_have_value(re.compile("fairness"))
    await page.get_by_role("button", name="Check").click()
    answer, findings = page.get_by_role("status"), page.locator("#findings")
    await expect(answer).to_have_text("All that this page can show holds.")
    await expect(findings).to_contain_text("6 of 6 bids match the seals")
    await expect(findings).to_contain_text(f"The match seal is {noted['record']}")
    await expect(findings).not_to_contain_text("Last step for you")

    record = json.loads(file.read_bytes())
    decisions = record["deals"][0]["decisions"]
    assert [one[:2] for one in decisions[:4]] == [[0, 2], [1, 1], [0, 4], [1, 3]]
    decisions[0][1], decisions[2][1] = 4, 2  # Ana's bids of the first two rounds
    await page.get_by_label("or its text").fill(json.dumps(sealed_anew(record)))
    await page.get_by_label("The record's digits in the result").fill("")
    await page.get_by_role("button", name="Check").click()
    await expect(answer).to_have_text("All that this page can show holds.")
    await expect(findings).to_contain_text("Last step for you")
    await page.get_by_label("The record's digits in the result").fill(noted["record"])
    await page.get_by_role("button", name="Check").click()
    await expect(answer).to_have_text("Something does not hold.")


async def test_playground_serves_the_verify_page_without_network_access(house: House, browser: Browser) -> None:
    """`/verify.html` of `gops play` can run its own script and reach no address."""
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


async def test_person_can_verify_a_file_with_noted_digits(page: Page) -> None:
    """The same page then finds an altered record."""
    await page.get_by_label("The record, a file").set_input_files(FOLDER / "noted.json")
    await expect(page.get_by_label("or its text")).to_have_value(re.compile("fairness"))
    await page.get_by_role("button", name="Check").click()
    answer = page.get_by_role("status")
    await expect(answer).to_have_text("All that this page can show holds.")
    await expect(page.locator("#findings")).to_contain_text("bids match the seals")
    await page.get_by_label("The record's digits in the result").fill("0000 0000 0000 0000")
    await page.get_by_role("button", name="Check").click()
    await expect(answer).to_have_text("Something does not hold.")
    await page.get_by_label("The record's digits in the result").fill("12")
    await page.get_by_role("button", name="Check").click()
    await expect(answer).to_have_text("This cannot be read.")
