"""The picture of a result over sockets: in the edit that is due anyway, left out where files are refused."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from tests.driver import Seen
from tests.e2e.house import House, awaits, behind_more, key, newcomer, opened, plain

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def drawn(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[House]:
    async with opened(tmp_path_factory.mktemp("drawn"), start=False) as house:
        house.bot.settings["GOPS_PICTURES"] = "on"
        await house.bot.start()
        yield house


@pytest_asyncio.fixture(loop_scope="module")
async def scene(drawn: House) -> AsyncGenerator[House]:
    """A server and people of this test's own, with the module's bot."""
    server = await drawn.stage.server("Club", ["games"])
    ana, ben = await newcomer(drawn.stage, "Ana", server), await newcomer(drawn.stage, "Ben", server)
    await drawn.stage.reset_calls()
    yield House(drawn.stage, drawn.bot, ana, ben, server)
    await drawn.stage.clear_faults()


async def played(scene: House) -> Seen:
    """A match of three cards, as far as the press that ends it; nothing of it has a file so far."""
    board = await scene.match(cards=3)
    for number in (1, 2):
        assert not scene.ana.now(board).files  # type: ignore[union-attr]
        await scene.ana.press(key(number), in_=await scene.ana.sees(awaits(number, dm=True)))
        console = await scene.ben.sees(awaits(number, dm=True))
        assert not console.files
        await scene.ben.press(key(number + 1), in_=console)
    return board


def over(seen: Seen) -> bool:
    return seen.has_button("Rematch")


async def test_a_result_has_the_only_picture_of_its_match(scene: House) -> None:
    board = await played(scene)
    result = await scene.ana.sees(lambda seen: over(seen) and bool(seen.files), in_=board)
    [file] = result.files
    assert file["filename"] == "result.png"
    assert 5_000 < file["size"] < 250_000
    told = plain(result.text)
    assert "Scores after each round. Ana: " in told
    assert "Cards of each round. Prize: " in told
    console = await scene.ben.sees(lambda seen: seen.has_button("Rematch"), in_="dm")
    assert not console.files, "there is one upload a match"


@pytest.mark.parametrize("refused", [{"status": 403, "code": 50013}, {"status": 413, "code": 40005}])
async def test_where_files_are_refused_the_result_is_text(scene: House, refused: dict[str, Any]) -> None:
    board = await scene.match(cards=2)
    await scene.ana.press("2", in_=await scene.ana.sees(awaits(1, dm=True)))
    await scene.ana.sees(lambda seen: "✔ has bid" in seen.text, in_=board)
    before = scene.bot.logged().count("refused with its picture")
    await scene.stage.fault("answer", "PATCH /webhooks/*", files=True, **refused)
    await scene.ben.press("A", in_=await scene.ben.sees(awaits(1, dm=True)))
    result = await scene.ana.sees(over, in_=board)
    assert not result.files
    assert "[Rematch] [Review] [More]" in plain(result.text)
    assert scene.bot.logged().count("refused with its picture") == before + 1


async def test_private_practice_has_none_unless_it_is_shared(scene: House) -> None:
    console = (await scene.ana.slash("/gops practice", cards=3, level="random")).shown
    for card in ("A", "2"):
        console = (await scene.ana.press(card, in_=console)).shown
    result = await scene.ana.sees(over, in_=console)
    assert not result.files
    await behind_more(scene.ana, "Show everyone", result)
    shared = await scene.ben.sees(lambda seen: bool(seen.files))
    assert "Scores after each round. Ana: " in plain(shared.text)
    assert not shared.buttons, "a copy"


@pytest.mark.by_http
async def test_home_card_has_a_fan_of_cards_wherever_it_is_shown(scene: House) -> None:
    """In an answer, in an edit by a press, and in a message that nobody pressed for; a lesson takes its place."""
    ana = scene.ana
    home = (await ana.slash("/gops help")).shown
    assert [file["filename"] for file in home.files] == ["cards.png"]
    assert 5_000 < home.files[0]["size"] < 250_000
    lesson = (await ana.press("How it works", in_=home)).shown
    assert not lesson.files
    back = (await ana.press("Skip the rest", in_=lesson)).shown
    assert back.id == home.id
    assert [file["filename"] for file in back.files] == ["cards.png"]
    dm = await ana.dm_with(scene.stage.bot())
    await ana.say("hello?", in_=dm)
    answer = await ana.sees("One prize, one hidden card each.", in_=dm)
    assert [file["filename"] for file in answer.files] == ["cards.png"]
