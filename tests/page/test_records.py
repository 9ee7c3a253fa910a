"""Records and personal data are downloaded on the page, and records are uploaded, in a real browser."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, FilePayload, Locator, Page, expect

from tests.conftest import ROOT
from tests.page.house import SLOW, House, Window
from tests.page.offline import opened_offline

pytestmark = pytest.mark.asyncio(loop_scope="session")  # where the browser is

LIMIT = 1024 * 1024


def by_hand() -> bytes:
    """The record that the paper about records shows."""
    [shown, *_] = re.findall(r"```json\n(.*?)```", (ROOT / "docs" / "record.md").read_text(encoding="utf-8"), re.DOTALL)
    return shown.encode()


def padded(record: bytes, size: int) -> bytes:
    """The same document, with so many bytes in all."""
    return record + b" " * (size - len(record))


async def downloaded(page: Page, link: Locator) -> tuple[str, bytes]:
    """Press a link and return the name and the bytes of the saved file."""
    async with page.expect_download() as coming:
        await link.click()
    file = await coming.value
    return file.suggested_filename, await asyncio.to_thread((await file.path()).read_bytes)


async def typed(window: Window, command: str) -> None:
    await window.composer.click()
    await window.page.keyboard.insert_text(f"{command} ")
    await window.page.keyboard.press("Enter")


async def sent(window: Window, record: bytes, name: str = "match.json") -> None:
    """`/gops replay` with a file that is chosen in the browser's own dialog."""
    await window.composer.click()
    await window.type("/gops replay record:")
    field = window.pane.get_by_label(re.compile("^record: "))
    await field.set_input_files(FilePayload(name=name, mimeType="application/json", buffer=record))
    await field.press("Enter")
    await expect(field).to_have_count(0, timeout=SLOW)


async def test_records_and_data_can_be_downloaded_and_records_uploaded(
    house: House, tmp_path: Path, browser: Browser
) -> None:
    """Ana downloads a match, a history and her data; Ben, who did not play, uploads records."""
    ana, ben = await house.pair()
    await ana.challenge("Ben", cards=3)
    await ben.sees("challenges you")
    await ben.press("Accept")
    for number, (mine, theirs) in enumerate((("A", "2"), ("2", "3")), 1):
        for window, card in ((ana, mine), (ben, theirs)):
            await window.go("#games")
            await window.sees(f"round {number} of 3")
            if number == 1:
                await window.press("Bid")
            await window.sees(re.compile(rf"against.*round {number} of.*Your turn", re.DOTALL))
            await window.press(card)
    result = await ana.sees("Rematch")
    [code] = set(re.findall(r"#([2-9A-Z]{4,13})\b", await result.inner_text()))

    await result.get_by_role("button", name="More", exact=True).click()  # a console may still have one, too
    await ana.press("Export")
    out = await ana.sees("a record for checking it")
    files = dict([await downloaded(ana.page, link) for link in await out.locator("a[download]").all()])
    assert files.keys() == {f"gops-{code}-replay.html", f"gops-{code}.json", f"gops-{code}.txt"}
    record = files[f"gops-{code}.json"]
    match: dict[str, Any] = json.loads(record)
    assert [one[1] for one in match["deals"][0]["decisions"][:4]] == [1, 2, 2, 3]
    assert files[f"gops-{code}.txt"].decode().startswith("Classic GOPS, 2 seats, one deal")

    page_file = tmp_path / "replay.html"
    page_file.write_bytes(files[f"gops-{code}-replay.html"])
    async with opened_offline(browser, page_file) as page:
        await expect(page).to_have_title(f"#{code} · replay")
        await page.get_by_role("button", name="Next ▶").click()
        await expect(page.get_by_role("status")).to_contain_text("Ana A, Ben 2.")

    await typed(ana, "/gops history")
    await ana.sees("used /gops history")
    await ana.press("Export all")
    history = await ana.sees("one record per line: 1")
    name, lines = await downloaded(ana.page, history.locator("a[download]"))
    assert name == "gops-history.jsonl"
    assert [json.loads(line) for line in lines.splitlines()] == [match]

    await typed(ana, "/gops privacy export")
    mine = await ana.sees("everything I store about you")
    name, data = await downloaded(ana.page, mine.locator("a[download]"))
    assert name == "gops-my-data.json"
    kept = json.loads(data)
    assert [one["id"] for one in kept["matches"]] == [code]

    await sent(ben, padded(record, LIMIT))
    seen = ben.messages.filter(has_text="A record from elsewhere, refereed here").last
    await seen.wait_for(timeout=4 * SLOW)  # a worker process has to start
    await expect(seen).to_contain_text("replay · round 1 of 3", timeout=SLOW)
    await expect(ana.pane.get_by_text("A record from elsewhere")).to_have_count(0, timeout=SLOW)
    await seen.get_by_role("button", name="Next ▶").click()
    await expect(seen).to_contain_text(re.compile("replay · round 2 of 3.*Round 1: ", re.DOTALL), timeout=SLOW)
    await seen.get_by_role("button", name="Dismiss message").click()

    await sent(ben, by_hand())
    seen = await ben.sees("A record from elsewhere, refereed here")
    await seen.get_by_role("button", name="Last").click()
    await expect(seen).to_contain_text("replay · the end", timeout=SLOW)
    await expect(seen).to_contain_text(re.compile(r"4\D+2"), timeout=SLOW)

    refusals = {
        "A record is at most 1 MB.": padded(record, LIMIT + 1),
        "This file is not a match record (line 1: NaN is not a number of JSON).": b'{"game": NaN}',
        "This file is not a match record (line 1: it is nested too deeply).": b"[" * LIMIT,
        "This file is not a match record (line 1: it is not UTF-8 text).": b"\xff" * 100,
        "This record breaks the rules.": record.replace(b'"decisions": [', b'"decisions": [[0, 13],'),
    }
    for sentence, content in refusals.items():
        await sent(ben, content)
        await ben.sees(sentence)
