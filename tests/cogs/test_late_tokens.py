"""After an answer in the HTTP response Discord may not know the token yet (10015): that means *not yet*, not *gone*."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.interactions.answer import Answer
from bot.messages import writer
from bot.messages.asides import Asides
from bot.messages.writer import Writers
from bot.referee.model.surfaces import Surface, SurfaceKind
from bot.rest import late_tokens
from bot.rest.call_result import Attempt, CallResult
from bot.rest.delivery import Delivery
from bot.rest.global_limit import CallBudget
from bot.rest.late_tokens import AT_ONCE, LATEST, PAUSES, LateTokens
from bot.ui.message import Message
from tests.cogs.wire import FURTHER, TOKEN, Wire

MESSAGE = 500


def refusal(status: int = 404, code: int = 10015) -> discord.NotFound:
    return discord.NotFound(cast("Any", SimpleNamespace(status=status, reason="told so")), {"code": code})


class Time:
    """Goes on only while somebody sleeps."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(late_tokens, "asyncio", SimpleNamespace(sleep=self.sleep))
        monkeypatch.setattr(late_tokens, "time", SimpleNamespace(monotonic=lambda: self.now))

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    return Time(monkeypatch)


def known_after(time: Time, seconds: float, calls: list[float]) -> Callable[[], Any]:
    """A call by a token that Discord knows after so many seconds."""
    start = time.now

    async def call() -> str:
        calls.append(time.now - start)
        if time.now - start < seconds:
            raise refusal()
        return "there"

    return call


@pytest.mark.parametrize("seconds", [0.0, 0.2, 3.0, 10.0, 14.9])
async def test_call_is_repeated_until_the_token_is_known(time: Time, seconds: float) -> None:
    late, calls = LateTokens(), list[float]()
    late.record("token")
    assert await late.retry("token", known_after(time, seconds, calls)) == "there"
    due = [0.0, *(AT_ONCE + sum(PAUSES[:number]) for number in range(len(PAUSES) + 1)), LATEST]
    assert calls == pytest.approx(due[: len(calls)])


async def test_token_is_given_up_after_15_seconds(time: Time) -> None:
    late, calls = LateTokens(), list[float]()
    late.record("token")
    with pytest.raises(discord.NotFound):
        await late.retry("token", known_after(time, 1000, calls))
    assert calls[-1] == LATEST
    assert len(calls) == len(PAUSES) + 3


async def test_other_refusals_and_other_tokens_are_not_repeated(time: Time) -> None:
    late = LateTokens()
    late.record("token")
    assert late.delay("token", refusal(code=10062)) == AT_ONCE
    assert late.delay("token", refusal(code=10008)) is None
    assert late.delay("other", refusal()) is None


async def test_old_tokens_are_forgotten(time: Time) -> None:
    late = LateTokens()
    for number in range(100):
        late.record(str(number))
        time.now += 1
    assert len(late._answered) <= LATEST + 1  # pyright: ignore[reportPrivateUsage]


class Scene:
    """One ephemeral console, opened by an answer in the HTTP response."""

    def __init__(self) -> None:
        self.wire = Wire()
        self.client: Any = self.wire.client(SimpleNamespace(emojis=SimpleNamespace(request_check=lambda: None)))
        self.delivery = Delivery(self.client.rest_client, CallBudget(lambda: 1e9))
        self.writers = Writers(asyncio.create_task, lambda _: None)
        self.client.services.publisher = SimpleNamespace(writers=self.writers)
        self.now = datetime.now(UTC)

    def surface(self, token: str, message: int = MESSAGE) -> Surface:
        self.wire.tokens[token] = MESSAGE
        until = self.now + timedelta(minutes=10)
        return Surface("m", SurfaceKind.CONSOLE_EPHEMERAL, 10, 9, message, 0, self.now, token, until, 7, id=1)

    async def draw(self, surface: Surface, text: str = "newest") -> Attempt:
        async def render() -> Message:
            return Message(text)

        return await self.delivery.edit(surface, render, self.now)


@pytest.fixture
def scene() -> Scene:
    return Scene()


async def test_console_is_not_lapsed_while_its_token_is_not_known(scene: Scene) -> None:
    """It is tried again in just so many seconds."""
    surface = scene.surface("late")
    scene.client.rest_client.late_tokens.record("late")
    scene.wire.refuse(TOKEN, 404, code=10015)
    refused = await scene.draw(surface)
    assert refused.result is CallResult.LATER
    assert 0 < refused.retry_after <= PAUSES[0]
    assert (await scene.draw(surface)).result is CallResult.DONE


async def test_token_of_a_newer_press_replaces_the_wait(scene: Scene) -> None:
    scene.client.rest_client.late_tokens.record("late")
    scene.wire.refuse(TOKEN, 404, code=10015)
    assert (await scene.draw(scene.surface("late"))).result is CallResult.LATER
    assert (await scene.draw(scene.surface("newer"), "by the newer press")).result is CallResult.DONE
    assert scene.wire.shown[MESSAGE]["content"] == "by the newer press"


async def test_token_that_was_known_and_dies_is_dead(scene: Scene) -> None:
    scene.wire.refuse(TOKEN, 404, code=10015)
    assert (await scene.draw(scene.surface("gateway"))).result is CallResult.TOKEN_DEAD


async def test_press_that_waits_for_its_token_keeps_no_call_waiting(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another press shows the message meanwhile; then the first one renders anew."""
    wire, late = scene.wire, scene.client.rest_client.late_tokens
    monkeypatch.setattr(writer, "PAUSES", (0.0,) * 6)
    monkeypatch.setattr(late_tokens, "PAUSES", (0.05,) * 6)
    press = wire.press(MESSAGE, 10, scene.client)
    press.response = SimpleNamespace(is_done=lambda: True)
    late.record(press.token)
    wire.refuse(TOKEN, 404, code=10015)
    shown = ["first"]

    async def render() -> Message:
        return Message(shown[-1])

    waiting = asyncio.create_task(Answer(press).update(render, of="m"))
    await wire.until(lambda: wire.count(TOKEN) == 1)
    await asyncio.sleep(0)
    shown.append("second")
    assert await Answer(wire.press(MESSAGE, 10, scene.client)).update(render, of="m")
    assert not scene.writers[MESSAGE].is_stale
    assert await waiting
    assert wire.shown[MESSAGE]["content"] == "second"


async def test_aside_comes_when_the_token_is_known_unless_newer_words_came(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire, late = scene.wire, scene.client.rest_client.late_tokens
    monkeypatch.setattr(late_tokens, "PAUSES", (0.05,) * 6)
    asides = Asides(scene.delivery, scene.writers, cast("Any", SimpleNamespace(now=lambda: scene.now)))

    def tell(match: str, token: str, text: str) -> None:
        asides.tell(replace(scene.surface(token, 0), match=match, kind=SurfaceKind.CONSOLE_BESIDE), text)

    def landed() -> list[str]:
        return [call.body["content"] for call in wire.calls if call.landed]

    late.record("late")
    wire.refuse(FURTHER, 404, code=10015)
    tell("m", "late", "A is sealed")
    await wire.until(lambda: wire.count(FURTHER) == 1)
    tell("m", "newer", "2 is sealed")
    await wire.until(landed)
    assert landed() == ["2 is sealed"]
    wire.refuse(FURTHER, 404, code=10015)
    late.record("other")
    tell("n", "other", "3 is sealed")
    await wire.until(lambda: len(landed()) > 1)
    assert landed() == ["2 is sealed", "3 is sealed"]
