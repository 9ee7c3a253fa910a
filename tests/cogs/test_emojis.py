"""Card faces become application emojis: what is uploaded and used, and what happens where that fails."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.pictures import faces
from bot.pictures.faces import find_face, list_faces, name_emoji
from bot.rest import emojis
from bot.rest.emojis import Emojis
from bot.ui.text.style import find_style, use_pictures

PNG = b"\x89PNG\r\n\x1a\n"


class Portal:
    """Discord's side: it has emojis, and `trouble` to give for a call if it likes."""

    def __init__(self) -> None:
        self.there: dict[str, Any] = {}
        self.asked: list[str] = []
        self.trouble: Callable[[int], Exception | None] = lambda _: None

    def have(self, *names: str) -> None:
        for name in names:
            self.there[name] = SimpleNamespace(name=name, id=1000 + len(self.asked) + len(self.there))

    async def fetch_application_emojis(self) -> list[Any]:
        self.asked.append("list")
        return list(self.there.values())

    async def create_application_emoji(self, *, name: str, image: bytes) -> Any:
        trouble = self.trouble(len(self.asked))
        self.asked.append(f"create {name}")
        if trouble is not None:
            raise trouble
        assert image.startswith(PNG)
        self.have(name)
        return self.there[name]


@pytest.fixture(autouse=True)
def no_faces_afterwards() -> Iterator[None]:
    """What was uploaded here is shown to no other test."""
    yield
    use_pictures({})


@pytest.fixture
def portal() -> Portal:
    return Portal()


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three faces instead of all of them."""
    monkeypatch.setattr(emojis, "list_faces", lambda: ("spade_A", "spade_2", "joker"))


def made(portal: Portal) -> Emojis:
    return Emojis(portal)  # type: ignore[arg-type]


def refusal(code: int) -> discord.HTTPException:
    return discord.HTTPException(SimpleNamespace(status=400, reason=""), {"code": code})  # type: ignore[arg-type]


def used() -> Mapping[str, str]:
    """The pictures that texts have by now."""
    return find_style("faces").pictures


def written(portal: Portal) -> dict[str, str]:
    return {find_face(name): f"<:{name}:{one.id}>" for name, one in portal.there.items()}


def test_an_emoji_is_named_in_words() -> None:
    names = [name_emoji(face) for face in list_faces()]
    assert {"four_of_hearts", "safe_ace_of_spades", "card_twenty_one", "card_king", "mouse_three", "joker"} < set(names)
    assert all(re.fullmatch(r"[a-z_]{2,29}", name) for name in names), "32 characters with the number of a drawing"
    for number in ("", "_2", "_13"):
        assert [find_face(name + number) for name in names] == list(list_faces())
    assert [find_face(name) for name in ("party", "spade_A", "four_of_hearts_", "_2", "2")] == [""] * 5


async def test_missing_faces_are_uploaded_and_known_after_a_restart(portal: Portal, few: None) -> None:
    portal.have("party")
    one = made(portal)
    await one.load()
    assert used() == {}
    assert await one.sync() == 3
    portal.there.pop("party")
    assert used() == written(portal)
    use_pictures({})
    again = made(portal)
    await again.load()
    assert used() == written(portal)
    portal.asked.clear()
    assert await again.sync() == 0
    assert portal.asked == ["list"]


async def test_redrawn_face_is_a_new_emoji_and_the_old_one_stays(
    portal: Portal, few: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = made(portal)
    await one.sync()
    portal.asked.clear()
    monkeypatch.setattr(faces, "REDRAWN", {"spade_A": 2})
    before = used()
    use_pictures({})
    again = made(portal)
    await again.load()
    assert used() == before, "it serves until the new one is there"
    assert await again.sync() == 1
    assert portal.asked == ["list", "list", "create ace_of_spades_2"]
    assert used()["spade_A"] == f"<:ace_of_spades_2:{portal.there['ace_of_spades_2'].id}>"
    assert "ace_of_spades" in portal.there, "old messages show it"
    monkeypatch.setattr(faces, "REDRAWN", {})
    earlier = made(portal)
    assert await earlier.sync() == 0, "an earlier version of the bot finds its drawing"
    assert used() == before


async def test_process_that_uploads_nothing_uses_what_another_uploaded(portal: Portal, few: None) -> None:
    other: Any = portal
    one = Emojis(other, lambda: False)
    assert await one.sync() == 0
    assert (used(), portal.asked) == ({}, ["list"])
    await made(portal).sync()
    assert await one.sync() == 0
    assert used() == written(portal)


async def test_interrupted_upload_continues_later(portal: Portal, few: None) -> None:
    portal.trouble = lambda asked: OSError("gone") if asked == 2 else None
    one = made(portal)
    with pytest.raises(OSError, match="gone"):
        await one.sync()
    assert used() == {}, "half of a suit would look like a mistake"
    portal.trouble = lambda _: None
    assert await one.sync() == 2
    assert used() == written(portal)


async def test_names_taken_by_another_process_meanwhile_are_adopted(portal: Portal, few: None) -> None:
    def take(asked: int) -> Exception | None:
        if asked != 1:
            return None
        portal.have("ace_of_spades")
        return refusal(50035)

    portal.trouble = take
    one = made(portal)
    assert await one.sync() == 2
    assert used() == written(portal)


async def test_a_rate_limit_is_waited_for(portal: Portal, few: None, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(emojis.asyncio, "sleep", sleep)
    portal.trouble = lambda asked: discord.RateLimited(900.0) if asked in (1, 3) else None
    assert await made(portal).sync() == 3
    assert waited == [900.0, 900.0]


async def test_whole_suits_are_used_when_there_is_no_room_for_all(portal: Portal, few: None) -> None:
    portal.trouble = lambda asked: refusal(30008) if asked == 3 else None
    one = made(portal)
    assert await one.sync() == 2
    assert used() == written(portal)
    assert set(used()) == {"spade_A", "spade_2"}


async def test_faces_of_a_suit_are_used_as_soon_as_all_of_them_are_there(portal: Portal) -> None:
    """Nothing waits for the 151 that there are."""
    then: dict[str, set[str]] = {}
    one = made(portal)

    def look(_: int) -> None:
        then[find_face(portal.asked[-1].removeprefix("create "))] = set(used())

    portal.trouble = look
    await one.sync()
    suit = {face for face in list_faces() if face.startswith("spade_")}
    assert then["spade_J"] == then["spade_Q"] == set()
    assert then["spade_K"] == then["heart_A"] == suit
    assert set(used()) == set(list_faces())


async def test_a_refused_face_is_tried_again_alone(portal: Portal, few: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its suit stays words meanwhile; the others are uploaded and used."""
    waited, sleep = list[float](), asyncio.sleep

    async def asleep(seconds: float) -> None:
        if seconds > 1:
            waited.append(seconds)
            assert set(used()) == {"joker"}
            portal.asked.clear()
            portal.trouble = lambda _: None
        await sleep(0)

    monkeypatch.setattr(emojis.asyncio, "sleep", asleep)
    portal.trouble = lambda asked: refusal(50035) if asked == 1 else None
    one = made(portal)
    running = asyncio.create_task(one.run())
    try:
        await until(lambda: len(used()) == 3)
    finally:
        running.cancel()
    assert waited == [emojis.RETRY_DELAY]
    assert portal.asked == ["list", "create ace_of_spades"]


async def test_faces_are_looked_up_again_after_a_refusal(
    portal: Portal, few: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[float] = []
    sleep = asyncio.sleep

    async def asleep(seconds: float) -> None:
        if seconds > 1:
            waiting.append(seconds)
        await sleep(seconds)

    monkeypatch.setattr(emojis.asyncio, "sleep", asleep)
    one = made(portal)
    running = asyncio.create_task(one.run())
    try:
        await until(lambda: len(used()) == 3)
        del portal.there["ace_of_spades"]
        one.request_check()
        await until(lambda: "ace_of_spades" in portal.there)
        await until(lambda: used() == written(portal))
        assert portal.asked.count("list") == 2
        assert waiting == []
        one.request_check()  # one refusal in 25 means nothing: the next look has to wait
        await until(lambda: bool(waiting))
        assert emojis.CHECK_INTERVAL - 60 < waiting[0] <= emojis.CHECK_INTERVAL
    finally:
        running.cancel()


async def until(so: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not so():  # noqa: ASYNC110 - reading the pictures is done by a thread
            await asyncio.sleep(0.001)
