"""The files of the page, without a browser: small, self-contained, and served with their types."""

import re
from pathlib import Path

import aiohttp
import pytest

from bot.playground.front import FOLDER
from bot.playground.server import Playground

FILES = sorted(FOLDER.iterdir())
SCRIPTS = [one for one in FILES if one.suffix == ".js"]


def test_page_files_are_small() -> None:
    assert sum(one.stat().st_size for one in FILES) < 150_000
    assert [one.name for one in SCRIPTS if len(one.read_text(encoding="utf-8").splitlines()) >= 300] == []


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.name)
def test_page_never_reads_text_as_html_or_code(file: Path) -> None:
    reads = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Function"
    assert not re.search(reads, file.read_text(encoding="utf-8"))


def test_page_loads_nothing_from_other_hosts() -> None:
    for one in FILES:
        text = one.read_text(encoding="utf-8")
        assert not re.search(r"(?:src|href)=\"https?:|import [^;]*\"https?:|url\((?!\"[\w.]+\"\))", text), one.name
        for name in re.findall(r"from \"\./([\w.]+)\"|/page/([\w.]+)|url\(\"([\w.]+)", text):
            assert (FOLDER / "".join(name)).is_file(), f"{one.name} names {name}"


async def test_page_files_are_served_with_their_types() -> None:
    async with Playground() as playground, aiohttp.ClientSession(playground.address) as client:
        for path, kind in (("/", "text/html"), ("/page/main.js", "text/javascript"), ("/page/base.css", "text/css")):
            async with client.get(path) as answer:
                assert (answer.status, answer.content_type, answer.charset) == (200, kind, "utf-8")
                assert answer.headers["Cache-Control"] == "no-store"
                assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
        for path in ("/page/missing.js", "/page/..%2Ffront.py", "/page/%2Fetc%2Fpasswd", "/page/"):
            async with client.get(path) as answer:
                assert answer.status == 404


async def test_page_gets_a_refusal_without_an_http_error() -> None:
    async with Playground() as playground, aiohttp.ClientSession(playground.address) as client:
        for headers, status in (({}, 404), ({"X-Page": "1"}, 200)):
            async with client.post("/play/processes", json={"do": "kill"}, headers=headers) as answer:
                assert (answer.status, await answer.json()) == (status, {"error": "Nobody here runs the bot."})


async def test_requests_of_other_sites_are_refused() -> None:
    async with Playground() as playground, aiohttp.ClientSession(playground.address) as client:
        for site, status in (("same-origin", 200), ("none", 200), ("same-site", 403), ("cross-site", 403)):
            async with client.get("/play/world", headers={"Sec-Fetch-Site": site}) as answer:
                assert answer.status == status
