"""Who presses one message faster than it is answered is told once; whatever else is pressed goes its way."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from bot.interactions.component import MAX_RUNNING, ComponentRouter, PressThrottle, Verdict, component
from bot.interactions.context import InteractionContext
from bot.interactions.services import Bans
from bot.ui.custom_ids.shapes import IdKind
from bot.ui.message import Message
from bot.ui.text.sentences import say
from tests.cogs.test_interaction_context import pressed


class Answered:
    """What a press came to."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.given = True
        self.note = None

    async def send(self, message: Message) -> None:
        self.said.append(message.content)

    async def defer(self) -> None:
        self.said.append("")

    async def settled(self) -> None: ...


async def test_too_many_presses_get_one_warning_and_delay_nobody_else() -> None:
    begun: list[int] = []
    go_on = asyncio.Event()

    @component(IdKind("aa", "x"))
    async def slow(context: InteractionContext) -> None:
        begun.append(context.user)
        await go_on.wait()

    presses, answers = ComponentRouter(), list[Answered]()
    presses.add(cast("Any", slow))

    async def press_it(user: int, message: int) -> None:
        context: Any = pressed(user=user, message=message)
        context.services, context.answer = _Services(), Answered()
        answers.append(context.answer)
        await presses.dispatch(context, "g1:aa:x")

    async with asyncio.TaskGroup() as group:
        for _ in range(MAX_RUNNING + 3):
            group.create_task(press_it(1, 4))
        group.create_task(press_it(1, 5))
        group.create_task(press_it(2, 4))
        for _ in range(10):
            await asyncio.sleep(0)
        assert begun == [1] * MAX_RUNNING + [1, 2], "another message and another person are not held up"
        assert [one.said for one in answers[MAX_RUNNING : MAX_RUNNING + 3]] == [[say("too-quick")], [""], [""]]
        go_on.set()
    await press_it(1, 4)
    assert len(begun) == MAX_RUNNING + 3, "and it is over when the answers have come"
    assert "changed nothing" in say("too-quick")


class _Services:
    """As much of what stands behind as a press passes by."""

    stopping = False
    bans = Bans()
    presence = None

    def __init__(self) -> None:
        self.running: set[Any] = set()
        self.undone: dict[Any, Any] = {}


def test_finished_presses_are_forgotten() -> None:
    mashing = PressThrottle()
    with mashing.press(1, 2):
        others = [mashing.press(1, 2) for _ in range(MAX_RUNNING)]
        assert [one.__enter__() for one in others][-1] is Verdict.WARN
        for one in others:
            one.__exit__(None, None, None)
        with mashing.press(1, 2) as heed:
            assert heed is Verdict.HANDLE
    assert len(mashing) == 0
