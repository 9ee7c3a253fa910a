"""Card faces over sockets: uploaded behind a start, drawn, refused, taken away."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from bot.pictures.faces import find_face, list_faces, name_emoji
from tests.driver import Seen
from tests.e2e.house import PATIENCE, House, awaits, newcomer, opened
from tests.forked import forked

pytestmark = pytest.mark.asyncio(loop_scope="module")

REFUSED = "refused with card faces"

PICTURE = "data:image/png;base64,iVBORw0KGgo="

TOLD = """Registered 7 commands with Discord.
Servers and people can install it.
Uploaded 1 card faces.
"""


class Portal:
    """The emojis of the application, as its owner sees them."""

    def __init__(self, house: House) -> None:
        self.api = f"{house.stage.address}/api/v10"
        self.app = ""

    async def call(self, method: str, path: str = "", **body: Any) -> Any:
        headers = {"Authorization": "Bot playground"}
        async with (
            aiohttp.ClientSession(headers=headers) as session,
            session.request(method, self.api + path, json=body or None) as told,
        ):
            assert told.status < 300, await told.text()
            return await told.json() if told.status != 204 else None

    async def emojis(self) -> dict[str, str]:
        """Their names and ids."""
        self.app = self.app or (await self.call("GET", "/users/@me"))["id"]
        return {one["name"]: one["id"] for one in (await self.call("GET", f"/applications/{self.app}/emojis"))["items"]}

    async def add(self, name: str) -> None:
        await self.call("POST", f"/applications/{self.app}/emojis", name=name, image=PICTURE)

    async def delete(self, name: str) -> None:
        await self.call("DELETE", f"/applications/{self.app}/emojis/{(await self.emojis())[name]}")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def drawn(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[House]:
    """One bot with faces for the whole module: uploading them takes some seconds."""
    async with opened(tmp_path_factory.mktemp("drawn"), start=False) as house:
        house.bot.settings["GOPS_FACES"] = "on"
        await house.bot.start()
        await house.bot.logs(f"uploaded {len(list_faces())} card faces", PATIENCE)
        yield house
        assert house.bot.trouble() == []


async def test_they_are_uploaded_once_and_kept_right_by_sync(drawn: House, tmp_path: Path) -> None:
    """Only what is missing is uploaded again, and other emojis are left alone."""
    portal, wanted = Portal(drawn), {name_emoji(face) for face in list_faces()}
    assert set(await portal.emojis()) == wanted
    await drawn.bot.stop()
    await portal.delete("ace_of_spades")
    await portal.add("party")
    with (tmp_path / "told").open("wb") as told:
        sync = forked(("-m", "bot", "sync"), told, drawn.bot.environment())
        assert await asyncio.wait_for(sync.wait(), 60) == 0
    assert (tmp_path / "told").read_text().endswith(TOLD)
    assert set(await portal.emojis()) == wanted | {"party"}
    await drawn.stage.reset_calls()
    await drawn.bot.start()
    await drawn.stage.called("GET /applications/*/emojis")
    assert (await drawn.stage.calls()).of("POST /applications/*/emojis") == 0


@pytest.mark.asyncio(loop_scope="function")
async def test_where_uploads_are_refused_cards_are_words(house: House) -> None:
    """Silently: nobody who plays is told, and the log says it once."""
    house.bot.settings["GOPS_FACES"] = "on"
    await house.bot.stop()
    await house.stage.fault("answer", "POST /applications/*/emojis", status=403, code=20001, times=1000)
    await house.bot.start()
    await house.stage.called("POST /applications/*/emojis")
    board = await house.match(cards=2)
    console = await house.ana.sees(awaits(1, dm=True))
    assert faces(board) == faces(console) == set()
    await house.ana.press("A", in_=console)
    await house.ben.press("2", in_=await house.ben.sees(awaits(1, dm=True)))
    assert "Rematch" in (await house.ana.sees("[Rematch]", in_=board)).text


def faces(message: Seen) -> set[str]:
    """The faces that are drawn somewhere in a message."""
    return {find_face(name) for name in message.pictures}


@pytest_asyncio.fixture(loop_scope="module")
async def scene(drawn: House) -> AsyncGenerator[House]:
    """A server and people of this test's own, with the module's bot."""
    server = await drawn.stage.server("Club", ["games"])
    ana, ben = await newcomer(drawn.stage, "Ana", server), await newcomer(drawn.stage, "Ben", server)
    await drawn.stage.reset_calls()
    yield House(drawn.stage, drawn.bot, ana, ben, server)
    await drawn.stage.clear_faults()


async def test_a_face_that_somebody_deleted_is_uploaded_again(scene: House) -> None:
    """Meanwhile keys are words, because Discord refuses a button whose emoji is gone. The first refusal since the start
    of the bot; for another look at Discord later ones wait."""
    await scene.match(cards=3)
    portal, gone = Portal(scene), "ace_of_spades"
    await portal.emojis()
    await portal.delete(gone)
    console = await scene.ana.sees(awaits(1, dm=True))
    pressed = (await scene.ana.press("2", in_=console)).shown
    assert "2 is sealed" in pressed.text
    # Another message may have been refused before: then the other suits keep their faces, or the face is there again.
    assert not [face for face in faces(pressed) if face.startswith("spade")] or gone in await portal.emojis()
    await scene.stage.called("POST /applications/*/emojis")
    assert gone in await portal.emojis()


async def test_faces_stand_beside_every_card(scene: House) -> None:
    """On keys, prizes, reveals, hands and the sheet; and everything reads as it does without them."""
    board = await scene.match(cards=3)
    console = await scene.ana.sees(awaits(1, dm=True))
    assert {"spade_A", "spade_2", "spade_3"} <= faces(console), "the keys show the cards of this seat"
    assert any(face.startswith("diamond_") for face in faces(board)), "the prize"
    assert [button.label for button in console.buttons[:3]] == ["A", "2", "3"]
    await scene.ana.press("2", in_=console)
    await scene.ben.press("3", in_=await scene.ben.sees(awaits(1, dm=True)))
    told = await scene.ana.sees("3 beats 2", in_=board)
    assert {"spade_2", "heart_3"} <= faces(told)
    assert {"heart_A", "heart_2"} <= faces((await scene.ana.press("All cards", in_=board)).shown)
    assert {"spade_2", "heart_3"} <= faces((await scene.ana.press("Sheet", in_=board)).shown)


async def test_whoever_likes_symbols_or_other_colours_has_them(scene: House) -> None:
    for person, choice in ((scene.ana, "symbols"), (scene.ben, "safe")):
        card = (await person.slash("/gops preferences")).shown
        await person.choose(choice, select="Cards", in_=card)
    board = await scene.match(cards=3)
    assert faces(await scene.ana.sees(awaits(1, dm=True))) == set()
    ben = faces(await scene.ben.sees(awaits(1, dm=True)))
    assert {"safe_heart_A", "safe_heart_2", "safe_heart_3"} <= ben
    assert any(face.startswith("diamond_") for face in faces(board)), "the board is the server's"


@pytest.mark.parametrize("route", ["POST /interactions/*", "PATCH *"])
async def test_what_is_refused_with_faces_arrives_in_words(scene: House, route: str) -> None:
    """Once, as an answer and as an edit of what others see: discord-api-docs#7128."""
    await scene.match(cards=3)
    first, second = await scene.ana.sees(awaits(1, dm=True)), await scene.ben.sees(awaits(1, dm=True))
    await scene.ana.press("2", in_=first)
    before = scene.bot.logged().count(REFUSED)
    await scene.stage.fault("answer", route, status=400, code=50035)
    pressed = (await scene.ben.press("3", in_=second)).shown
    if route.startswith("POST"):
        assert "round 2 of 3" in pressed.text
        assert faces(pressed) == set()
    assert "3 beats your 2" in re.sub("[♠♥]", "", (await scene.ana.sees(awaits(2, dm=True))).text)
    await scene.stage.called(route, 2)
    assert scene.bot.logged().count(REFUSED) == before + 1
    again = (await scene.ben.press("2", in_=await scene.ben.sees(awaits(2, dm=True)))).shown
    assert "heart_A" in faces(again), "the next one is drawn with faces again"
