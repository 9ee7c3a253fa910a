"""What was: replays, records that leave and come in, one's own data; as people meet it."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any

import pytest

from tests.driver import File
from tests.e2e.house import House, behind_more, code_of, has, plain, told
from tests.e2e.test_match import bid, rounds

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.usefixtures("kernels")
async def test_a_record_leaves_and_comes_in_elsewhere(scene: House) -> None:
    """Exported by a press, sent by somebody else, refereed, stepped through and reviewed; and it counts for nothing."""
    ana, ben, cem = scene.ana, scene.ben, await scene.person("Cem")
    board = await scene.match(cards=4)
    await rounds(scene, 1, 2)
    await bid(ana, 3, 4)
    await bid(ben, 3, 1)
    result = await cem.sees(has("[Rematch]"), in_=board)
    code = code_of(result)
    out = (await behind_more(ben, "Export", result)).shown
    urls = {file["filename"]: file["url"] for file in out.files}
    words = (await scene.stage.link.read(urls[f"gops-{code}.txt"])).decode()
    assert words.startswith("Classic GOPS, 2 seats, one deal")
    record = await scene.stage.link.read(urls[f"gops-{code}.json"])
    history = (await ben.slash("/gops history")).shown
    exported = (await ben.press("Export all", in_=history)).shown
    [file] = exported.files
    assert json.loads((await scene.stage.link.read(file["url"])).splitlines()[-1]) == json.loads(record)

    cem.patience = 60  # the worker has a process to start
    await cem.slash("/gops replay", record=File("r.json", record))
    seen = await cem.sees(has("· replay · round 1 of 4", "A record from elsewhere, refereed here"))
    seen = (await cem.press("Next ▶", in_=seen)).shown
    assert "Ana" in plain(seen.text)
    await cem.press("Review from here", in_=seen)
    review = await cem.sees(has("(a record from elsewhere) · review", "Round 2 · prize", "Ana bid ", "Ben bid "))
    assert review.is_ephemeral
    assert "Whole match: on average a bid gave away " in told(await cem.press("Numbers", in_=review))
    bad = File("r.json", record.replace(b'"decisions": [', b'"decisions": [[0, 13],'))
    await cem.slash("/gops replay", record=bad)
    await cem.sees(has("This record breaks the rules. deal 0, decision 0:"))
    await cem.slash("/gops replay", record=File("r.json", b'{"game": NaN}'))
    await cem.sees(has("This file is not a match record (line 1: NaN is not a number of JSON)."))
    assert told(await cem.slash("/gops history")) == "No finished matches yet."


def frames_of(page: bytes) -> list[dict[str, Any]]:
    """Return the moments that a page of a replay holds."""
    found = re.search(rb'id="match">(.*?)<', page)
    assert found is not None
    return json.loads(zlib.decompress(base64.b64decode(found[1])))["frames"]


@pytest.mark.usefixtures("kernels")
@pytest.mark.by_http
async def test_exported_page_has_the_values_of_a_review_that_was_made(scene: House) -> None:
    ana = scene.ana
    board = await scene.match(cards=4)
    await rounds(scene, 1, 2)
    await bid(ana, 3, 4)
    await bid(scene.ben, 3, 1)
    result = await ana.sees(has("[Rematch]"), in_=board)
    name = f"gops-{code_of(result)}-replay.html"

    async def exported() -> list[dict[str, Any]]:
        out = (await behind_more(ana, "Export", result)).shown
        urls = {file["filename"]: file["url"] for file in out.files}
        return frames_of(await scene.stage.link.read(urls[name]))

    frames = await exported()
    assert [one["round"] for one in frames] == [0, 1, 2, 3, 4]
    assert not any(one.get("judged") for one in frames)
    ana.patience = 60  # the worker has a process to start
    await ana.press("Review", in_=result)
    review = await ana.sees(has("review", "Round 1 · prize", "Ana bid ", "Ben bid "))
    assert "Whole match: on average a bid gave away " in told(await ana.press("Numbers", in_=review))
    assert [bool(one.get("judged")) for one in await exported()] == [False, True, True, True, False]


async def test_a_replay_by_its_buttons(scene: House) -> None:
    ana, ben, cem = scene.ana, scene.ben, await scene.person("Cem")
    board = await scene.match(cards=4)
    code = code_of(board)
    assert told(await ana.slash("/gops replay", match=code)).startswith(f"#{code} is still being played.")
    await rounds(scene, 1, 2)
    await bid(ana, 3, 4)
    await bid(ben, 3, 1)
    result = await cem.sees(has("[Rematch]"), in_=board)
    assert [one.label for one in result.buttons] == ["Rematch", "Review", "More"]
    seen = (await behind_more(cem, "Replay", result)).shown
    assert seen.is_ephemeral
    assert f"#{code} · replay · round 1 of 4" in plain(seen.text)
    seen = (await cem.press("Next ▶", in_=seen)).shown
    assert "Bids: Ana after" in plain(seen.text)
    seen = (await cem.press("Last", in_=seen)).shown
    assert "replay · the end" in plain(seen.text)
    seen = (await cem.press("First", in_=seen)).shown  # the end may be the turning point itself
    seen = (await cem.press("Turning point", in_=seen)).shown
    assert "Turning point:" in plain(seen.text)
    everyone = (await cem.press("Show everyone", in_=seen)).shown
    assert not everyone.is_ephemeral
    assert everyone.buttons == []
    assert "round 1 of 4" in told(await ben.slash("/gops replay"))
    refused = told(await ben.slash("/gops replay", match="NONE"))
    assert refused.startswith("No match")


async def test_a_person_takes_their_data_and_leaves(scene: House) -> None:
    """A copy, the question, and every surface that showed them."""
    ana, ben = scene.ana, scene.ben
    board = await scene.match(cards=3, rated=True)
    question = told(await ana.slash("/gops privacy delete"))
    assert "You give up 1 live match with other people. It does not count for the ratings." in question
    await rounds(scene, 1, 2)
    result = await ben.sees(has("[Rematch]"), in_=board)
    code = code_of(result)
    copy = (await ana.slash("/gops privacy export")).shown
    assert copy.is_ephemeral
    assert "Here is everything I store about you." in copy.text
    kept = json.loads(await scene.stage.link.read(copy.files[0]["url"]))
    assert [one["id"] for one in kept["matches"]] == [code]
    assert {one["user"] for one in kept["seats"]} == {int(ana.id)}
    assert str(ben.id) not in json.dumps([kept["members"], kept["ratings"], kept["seats"]])
    assert told(await ana.slash("/gops privacy export")).startswith(
        "You exported your data recently. You can export again"
    )

    before = plain((await ben.slash("/gops leaderboard")).shown.text)
    mine = next(line for line in before.splitlines() if "Ben" in line)
    question = (await ana.slash("/gops privacy delete")).shown
    assert told(await ana.press("Keep it", in_=question)) == "Nothing changed."
    question = (await ana.slash("/gops privacy delete")).shown
    assert told(await ana.press("Erase my data", in_=question)).startswith("Done. Your data is erased")
    shown = await ben.sees(has("a former player"), in_=board)
    assert "Ana" not in plain(shown.text)
    after = plain((await ben.slash("/gops leaderboard")).shown.text)
    assert "Ana" not in after
    assert mine.split("·")[1:] == next(line for line in after.splitlines() if "Ben" in line).split("·")[1:]
    assert "a former player" in told(await ben.slash("/gops history"))
    assert "No rating yet" in told(await ben.slash("/gops profile", player=ana))
    assert "Rematch" not in {button.label for button in shown.buttons}
    assert told(await ben.slash("/gops rematch", match=code)).startswith("A player of that match deleted their data")
    verified = told(await behind_more(ben, "Verify", shown))
    assert "The agreement was erased with a player's data" in verified
    assert "was published as" in verified
    assert "A former player" in told(await behind_more(ben, "Replay", shown))
    assert told(await ana.slash("/gops history")) == "No finished matches yet."
