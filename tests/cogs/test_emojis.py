"""Card faces become application emojis: what is uploaded, used and deleted, and what happens where that fails."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.pictures.faces import Portrait, find_face, list_faces, load_album, name_emoji
from bot.referee.model.changes import SaveNote
from bot.rest import emojis
from bot.rest.emojis import Emojis, SyncResult
from bot.ui.text.style import use_pictures

PNG = b"\x89PNG\r\n\x1a\n"


class Picture:
    """One emoji as Discord keeps it."""

    def __init__(self, portal: Portal, name: str, id: int) -> None:
        self.portal, self.name, self.id = portal, name, id

    async def delete(self) -> None:
        self.portal.asked.append(f"delete {self.name}")
        if self.portal.there.pop(self.name, None) is None:
            raise discord.NotFound(SimpleNamespace(status=404, reason=""), {"code": 10014})  # type: ignore[arg-type]


class Portal:
    """Discord's side: it has emojis, and `trouble` to give for a call if it likes."""

    application_id = 7

    def __init__(self) -> None:
        self.there: dict[str, Picture] = {}
        self.asked: list[str] = []
        self.trouble: Callable[[int], Exception | None] = lambda _: None

    def have(self, *names: str) -> None:
        for name in names:
            self.there[name] = Picture(self, name, 1000 + len(self.asked) + len(self.there))

    async def fetch_application_emojis(self) -> list[Any]:
        self.asked.append("list")
        return list(self.there.values())

    async def fetch_application_emoji(self, id: int) -> Any:
        return next(one for one in self.there.values() if one.id == id)

    async def create_application_emoji(self, *, name: str, image: bytes) -> Any:
        trouble = self.trouble(len(self.asked))
        self.asked.append(f"create {name}")
        if trouble is not None:
            raise trouble
        assert image.startswith(PNG)
        self.have(name)
        return self.there[name]


class Notes:
    """As much of a referee as is needed."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}
        self.store = self

    async def note(self, key: str) -> str | None:
        return self.kept.get(key)

    async def write(self, change: tuple[SaveNote, ...]) -> None:
        self.kept |= {one.key: one.value for one in change}


@pytest.fixture(autouse=True)
def no_faces_afterwards() -> Iterator[None]:
    """What was uploaded here is shown to no other test."""
    yield
    use_pictures({})


@pytest.fixture
def portal() -> Portal:
    return Portal()


@pytest.fixture
def notes() -> Notes:
    return Notes()


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> tuple[Portrait, ...]:
    """Three faces instead of all of them."""
    faces = tuple(face for face in load_album() if face.name in ("spade_A", "spade_2", "joker"))
    monkeypatch.setattr(emojis, "load_album", lambda: faces)
    monkeypatch.setattr(emojis, "list_faces", lambda: tuple(face.name for face in faces))
    return faces


def made(portal: Portal, notes: Notes) -> Emojis:
    return Emojis(portal, notes)  # type: ignore[arg-type]


def redraw(few: Sequence[Portrait], name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    faces = tuple(replace(face, digest="new") if face.name == name else face for face in few)
    monkeypatch.setattr(emojis, "load_album", lambda: faces)


def refusal(code: int) -> discord.HTTPException:
    return discord.HTTPException(SimpleNamespace(status=400, reason=""), {"code": code})  # type: ignore[arg-type]


def written(portal: Portal) -> dict[str, str]:
    return {find_face(name): f"<:{name}:{one.id}>" for name, one in portal.there.items()}


def test_an_emoji_is_named_in_words() -> None:
    names = [name_emoji(face) for face in list_faces()]
    assert {"four_of_hearts", "safe_ace_of_spades", "card_twenty_one", "card_king", "mouse_three", "joker"} < set(names)
    assert all(re.fullmatch(r"[a-z_]{2,29}", name) for name in names), "32 characters with the number of a drawing"
    for number in ("", "_2", "_13"):
        assert [find_face(name + number) for name in names] == list(list_faces())
    assert [find_face(name) for name in ("party", "spade_A", "four_of_hearts_", "_2", "2")] == [""] * 5


async def test_missing_faces_are_uploaded_and_known_after_a_restart(
    portal: Portal, notes: Notes, few: tuple[Portrait, ...]
) -> None:
    portal.have("party")
    one = made(portal, notes)
    await one.load()
    assert one.faces == {}
    assert await one.sync() == SyncResult(3)
    portal.there.pop("party")
    assert one.faces == written(portal)
    again = made(portal, notes)
    await again.load()
    assert again.faces == one.faces
    portal.asked.clear()
    assert await again.sync() == SyncResult(0)
    assert portal.asked == ["list"]


async def test_redrawn_face_is_a_new_emoji_and_the_old_one_stays(
    portal: Portal, notes: Notes, few: tuple[Portrait, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = made(portal, notes)
    await one.sync()
    portal.asked.clear()
    redraw(few, "spade_A", monkeypatch)
    again = made(portal, notes)
    assert await again.sync() == SyncResult(1)
    assert portal.asked == ["list", "create ace_of_spades_2"]
    assert again.faces["spade_A"] == f"<:ace_of_spades_2:{portal.there['ace_of_spades_2'].id}>"
    assert "ace_of_spades" in portal.there, "old messages show it"
    monkeypatch.setattr(emojis, "load_album", lambda: few)
    assert await made(portal, notes).sync() == SyncResult(0), "an earlier version of the bot finds its drawing"
    portal.there.pop("ace_of_spades_2")
    assert await again.sync() == SyncResult(0)
    assert again.faces == one.faces


async def test_faces_of_a_lost_store_are_found_by_name(portal: Portal, notes: Notes, few: tuple[Portrait, ...]) -> None:
    portal.have("ace_of_spades", "ace_of_spades_2", "two_of_spades", "joker", "party")
    one = made(portal, notes)
    assert await one.sync() == SyncResult(0)
    assert one.faces["spade_A"] == f"<:ace_of_spades_2:{portal.there['ace_of_spades_2'].id}>"
    assert "party" not in notes.kept["emojis 7"]


async def test_interrupted_upload_continues_later(portal: Portal, notes: Notes, few: tuple[Portrait, ...]) -> None:
    portal.trouble = lambda asked: OSError("gone") if asked == 2 else None
    one = made(portal, notes)
    with pytest.raises(OSError, match="gone"):
        await one.sync()
    assert one.faces == {}, "half of a suit would look like a mistake"
    portal.trouble = lambda _: None
    assert await one.sync() == SyncResult(2)
    assert one.faces == written(portal)


async def test_an_upload_without_an_answer_is_adopted_with_its_drawing(
    portal: Portal, notes: Notes, few: tuple[Portrait, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot dies between the upload and the store, and starts again with other pictures."""

    def lose(asked: int) -> Exception | None:
        if asked != 2:
            return None
        portal.have("two_of_spades")
        return OSError("gone")

    portal.trouble = lose
    with pytest.raises(OSError, match="gone"):
        await made(portal, notes).sync()
    portal.trouble = lambda _: None
    redraw(few, "spade_2", monkeypatch)
    one = made(portal, notes)
    assert await one.sync() == SyncResult(2)
    assert one.faces["spade_2"].startswith("<:two_of_spades_2:")
    assert {"two_of_spades", "two_of_spades_2", "joker"} <= portal.there.keys()


async def test_names_taken_by_another_process_meanwhile_are_adopted(
    portal: Portal, notes: Notes, few: tuple[Portrait, ...]
) -> None:
    def take(asked: int) -> Exception | None:
        if asked != 1:
            return None
        portal.have("ace_of_spades")
        return refusal(50035)

    portal.trouble = take
    one = made(portal, notes)
    assert await one.sync() == SyncResult(2)
    assert one.faces == written(portal)


async def test_the_oldest_replaced_drawing_makes_room(
    portal: Portal, notes: Notes, few: tuple[Portrait, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    await made(portal, notes).sync()
    redraw(few, "joker", monkeypatch)
    portal.trouble = lambda asked: refusal(30008) if len(portal.there) >= 3 else None
    one = made(portal, notes)
    assert await one.sync() == SyncResult(1)
    assert portal.asked[-3:] == ["create joker_2", "delete joker", "create joker_2"]
    assert one.faces == written(portal)


async def test_a_rate_limit_is_waited_for(
    portal: Portal, notes: Notes, few: tuple[Portrait, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(emojis.asyncio, "sleep", sleep)
    portal.trouble = lambda asked: discord.RateLimited(900.0) if asked in (1, 3) else None
    assert await made(portal, notes).sync() == SyncResult(3)
    assert waited == [900.0, 900.0]


async def test_whole_suits_are_used_when_there_is_no_room_for_all(
    portal: Portal, notes: Notes, few: tuple[Portrait, ...]
) -> None:
    portal.trouble = lambda asked: refusal(30008) if asked == 3 else None
    one = made(portal, notes)
    assert await one.sync() == SyncResult(2)
    assert one.faces == written(portal)
    assert set(one.faces) == {"spade_A", "spade_2"}


async def test_faces_of_a_suit_are_used_as_soon_as_all_of_them_are_there(portal: Portal, notes: Notes) -> None:
    """Nothing waits for the 151 that there are."""
    used: dict[str, set[str]] = {}
    one = made(portal, notes)

    def look(_: int) -> None:
        used[find_face(portal.asked[-1].removeprefix("create "))] = set(one.faces)

    portal.trouble = look
    await one.sync()
    suit = {face for face in list_faces() if face.startswith("spade_")}
    assert used["spade_J"] == used["spade_Q"] == set()
    assert used["spade_K"] == used["heart_A"] == suit
    assert set(one.faces) == set(list_faces())


async def test_a_refused_face_is_tried_again_alone(
    portal: Portal, notes: Notes, few: tuple[Portrait, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its suit stays words meanwhile; the others are uploaded and used."""
    waited, sleep = list[float](), asyncio.sleep

    async def asleep(seconds: float) -> None:
        if seconds > 1:
            waited.append(seconds)
            assert set(one.faces) == {"joker"}
            portal.asked.clear()
            portal.trouble = lambda _: None
        await sleep(0)

    monkeypatch.setattr(emojis.asyncio, "sleep", asleep)
    portal.trouble = lambda asked: refusal(50035) if asked == 1 else None
    one = made(portal, notes)
    running = asyncio.create_task(one.run())
    try:
        await until(lambda: len(one.faces) == 3)
    finally:
        running.cancel()
    assert waited == [emojis.RETRY_DELAY]
    assert portal.asked == ["list", "create ace_of_spades"]


async def test_faces_are_looked_up_again_after_a_refusal(
    portal: Portal, notes: Notes, few: tuple[Portrait, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[float] = []
    sleep = asyncio.sleep

    async def asleep(seconds: float) -> None:
        if seconds > 1:
            waiting.append(seconds)
        await sleep(seconds)

    monkeypatch.setattr(emojis.asyncio, "sleep", asleep)
    one = made(portal, notes)
    running = asyncio.create_task(one.run())
    try:
        await until(lambda: len(one.faces) == 3)
        del portal.there["ace_of_spades"]
        one.request_check()
        await until(lambda: "ace_of_spades" in portal.there)
        await until(lambda: one.faces == written(portal))
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
