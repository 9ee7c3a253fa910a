"""A slow answer: what somebody reads while they wait, and that they hear in the end (ui.md section 6)."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.errors import RefereeError
from bot.interactions import error_handler as catching
from bot.interactions import services as serving
from bot.interactions.answer import Answer
from bot.referee.model.changes import CommitUnknown
from bot.rest.inline_response import EXTRAS_KEY
from bot.ui.message import Message
from bot.ui.text.sentences import say
from tests.cogs.seen import Interaction, answered

COMMAND, PRESS = discord.InteractionType.application_command, discord.InteractionType.component
WORKING = "Still working; this can take 60 seconds."
GAVE_UP = "That took too long. Try again, or a smaller position."
BOARD = "the message that was pressed"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The guard's times, so short that a test need not wait for them; the sentences keep their numbers."""
    monkeypatch.setattr(catching, "DEFER_AFTER", 0.0)
    monkeypatch.setattr(catching, "WORKING", 0.001)


def asked(kind: discord.InteractionType, private: bool = True) -> tuple[Interaction, Answer]:
    interaction = Interaction(kind)
    answer = Answer(cast("discord.Interaction[Any]", interaction))
    answer.private = private
    return interaction, answer


async def until(interaction: Interaction, text: str) -> None:
    async with asyncio.timeout(60):
        while text not in [line.text for line in interaction.screen.lines]:  # noqa: ASYNC110 - a screen tells nobody
            await asyncio.sleep(0)


async def test_slow_command_shows_that_it_works(quick: None) -> None:
    interaction, answer = asked(COMMAND)

    async def work() -> None:
        await until(interaction, WORKING)
        assert interaction.screen.texts == [(WORKING, True)]
        await answer.send(Message("Done."))

    await answered(answer, work)
    assert interaction.screen.texts == [("Done.", True)]


async def test_a_press_that_takes_long_leaves_the_message_alone(quick: None) -> None:
    interaction, answer = asked(PRESS)

    async def work() -> None:
        await until(interaction, WORKING)
        assert interaction.screen.texts == [(BOARD, False), (WORKING, True)]
        await answer.update(Message("The board, drawn anew."))

    await answered(answer, work)
    assert interaction.screen.texts == [("The board, drawn anew.", False)]


async def test_press_that_begins_long_work_soon_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first review of a match: a press that is put off shows nothing, and WORKING is far away."""
    monkeypatch.setattr(catching, "DEFER_AFTER", 0.0)
    monkeypatch.setattr(catching, "SOON", 0.001)
    interaction, answer = asked(PRESS)
    answer.so_far = lambda: "1 of 2."

    async def work() -> None:
        async with asyncio.timeout(catching.WORKING / 2):
            await until(interaction, f"{WORKING}\n1 of 2.")
        await answer.update(Message("The review."))

    await answered(answer, work)
    assert interaction.screen.texts == [("The review.", False)]


async def test_slow_command_shows_its_progress(quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catching, "STILL", 0.001)
    interaction, answer = asked(COMMAND)
    done = 0
    answer.so_far = lambda: f"{done} of 2."

    async def work() -> None:
        nonlocal done
        for done in (1, 2):
            await until(interaction, f"{WORKING}\n{done} of 2.")
        assert len(interaction.screen.texts) == 1
        await answer.send(Message("Done."))

    await answered(answer, work)
    assert interaction.screen.texts == [("Done.", True)]


@pytest.mark.parametrize("kind", [COMMAND, PRESS])
async def test_work_after_the_answer_is_not_announced(
    quick: None, monkeypatch: pytest.MonkeyPatch, kind: discord.InteractionType
) -> None:
    monkeypatch.setattr(catching, "GIVE_UP", 0.05)
    interaction, answer = asked(kind)

    async def work() -> None:
        await answer.send(Message("Done."))
        await asyncio.Event().wait()

    await answered(answer, work)
    assert interaction.screen.texts[-1] == ("Done.", True)
    assert len(interaction.screen.texts) == (1 if kind is COMMAND else 2)


async def test_trouble_after_a_public_answer_leaves_that_alone() -> None:
    interaction, answer = asked(COMMAND, private=False)

    async def work() -> None:
        await answer.send(Message("Ana challenges you"), private=False)
        raise RefereeError("busy")

    await answered(answer, work)
    busy = "My database is busy. If you see no change, press again."
    assert interaction.screen.texts == [("Ana challenges you", False), (busy, True)]


@pytest.mark.parametrize(
    ("private", "known", "is_call"), [(True, False, False), (True, True, True), (False, False, True)]
)
async def test_answer_of_which_more_is_to_be_known_goes_by_a_call(private: bool, known: bool, is_call: bool) -> None:
    """The HTTP response tells neither the id of a message nor whether others see it."""
    interaction, _ = asked(COMMAND)
    declined = list[object]()

    async def try_respond(payload: object) -> bool:
        declined.append(payload)
        return False

    interaction.extras[EXTRAS_KEY] = SimpleNamespace(try_respond=try_respond)
    await Answer(cast("discord.Interaction[Any]", interaction)).send(Message("Done."), private, known=known)
    assert declined == [None] * is_call


@pytest.mark.parametrize("trouble", [RefereeError("busy"), CommitUnknown("the connection was lost")])
async def test_trouble_that_may_have_changed_something_claims_nothing_else(trouble: Exception) -> None:
    """A process was killed, or its connection was lost, after the change: "Nothing changed" was not true."""
    interaction, answer = asked(COMMAND)

    async def work() -> None:
        raise trouble

    await answered(answer, work)
    assert interaction.screen.texts == [("My database is busy. If you see no change, press again.", True)]


@pytest.mark.parametrize("kind", [COMMAND, PRESS])
async def test_endless_work_is_cancelled(
    quick: None, monkeypatch: pytest.MonkeyPatch, kind: discord.InteractionType
) -> None:
    monkeypatch.setattr(catching, "GIVE_UP", 0.05)
    interaction, answer = asked(kind)
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    await answered(answer, work)
    assert ended.is_set()
    assert interaction.screen.texts[-1] == (GAVE_UP, True)
    assert WORKING.replace("60", "0") not in [text for text, _ in interaction.screen.texts]


async def test_a_connection_that_times_out_is_not_called_slow() -> None:
    interaction, answer = asked(COMMAND)

    async def work() -> None:
        raise TimeoutError

    await answered(answer, work)
    ((text, private),) = interaction.screen.texts
    assert text.startswith("Something went wrong here. Nothing was lost; press again. If that does not help, tell")
    assert private


async def test_a_late_refusal_of_something_public_is_private(quick: None) -> None:
    interaction, answer = asked(COMMAND, private=False)

    async def work() -> None:
        await until(interaction, "")
        raise RefereeError("self")

    await answered(answer, work)
    assert interaction.screen.texts == [("You cannot challenge yourself. To play alone, use /gops practice.", True)]


async def test_a_late_challenge_is_for_everybody(quick: None) -> None:
    interaction, answer = asked(COMMAND, private=False)

    async def work() -> None:
        await until(interaction, "")
        await answer.send(Message("Ana challenges you"), private=False)

    await answered(answer, work)
    assert interaction.screen.texts == [("Ana challenges you", False)]


class Faulty(Interaction):
    """The edits that are numbered here come to nothing that anybody hears of."""

    def __init__(self, kind: discord.InteractionType, lost: dict[int, Exception]) -> None:
        super().__init__(kind)
        self.lost, self.edits, self.flags = lost, 0, discord.MessageFlags()

    async def edit_original_response(self, **message: Any) -> Any:
        self.edits += 1
        if self.edits in self.lost:
            raise self.lost[self.edits]
        return await super().edit_original_response(**message)

    async def original_response(self) -> Any:
        assert self.original is not None
        return SimpleNamespace(id=1, content=self.original.text, flags=self.flags)


async def test_the_answer_follows_the_news_that_it_takes_long_even_if_a_call_is_lost(quick: None) -> None:
    interaction = Faulty(COMMAND, {2: ConnectionResetError()})
    answer = Answer(cast("discord.Interaction[Any]", interaction))

    async def work() -> None:
        await until(interaction, WORKING)
        await answer.send(Message("Done."))

    await answered(answer, work)
    assert interaction.screen.texts == [("Done.", True)]


@pytest.mark.parametrize("refused", [0, 40094])
async def test_what_was_for_everybody_and_nobody_sees_is_taken_back_and_the_board_left_alone(refused: int) -> None:
    """A slow press was acknowledged, so that its message is a further one, where outside apps are switched off."""
    interaction, answer = asked(PRESS)
    interaction.followup.hides, interaction.followup.refused = True, refused
    interaction.message = cast("Any", SimpleNamespace(id=1, flags=SimpleNamespace(ephemeral=False)))
    await answer.defer()
    await answer.send(Message("A board for everybody."), private=False)
    assert answer.hidden
    await answer.take_back(Message("Apps are off."))
    assert interaction.screen.texts == [(BOARD, False), *([] if refused else [("Apps are off.", True)])]


async def test_a_refused_message_for_everybody_is_told_to_who_asked() -> None:
    """A command that took long was announced for one person alone."""
    interaction, answer = asked(COMMAND)
    interaction.followup.refused = 40094
    await answer.defer()
    await answer.send(Message("A board for everybody."), private=False)
    await answer.take_back(Message("Apps are off."))
    assert interaction.screen.texts == [("Apps are off.", True)]


async def test_a_refused_first_answer_for_everybody_is_told_to_who_asked() -> None:
    interaction, answer = asked(COMMAND)
    interaction.response.refuses_public = 40094
    await answer.send(Message("A board for everybody."), private=False)
    assert answer.hidden
    await answer.take_back(Message("Apps are off."))
    assert interaction.screen.texts == [("Apps are off.", True)]


class Repeated(Faulty):
    """It was answered by a process that has gone: no further first answer is taken."""

    def __init__(self, text: str) -> None:
        super().__init__(COMMAND, {})
        self.original = self.add(text, private=True)
        self.flags.ephemeral = True
        self.response.send_message = self.refuse

    async def refuse(self, **_: Any) -> Any:
        response = SimpleNamespace(status=400, reason="Bad Request")
        raise discord.HTTPException(response, {"code": 40060, "message": "answered already"})  # type: ignore[arg-type]


@pytest.mark.parametrize("text", [say("busy"), say("restarting"), "Challenged: Ben."])
@pytest.mark.parametrize("private", [True, False])
async def test_event_that_comes_again_replaces_only_the_sentence_that_nothing_was_done(
    text: str, private: bool
) -> None:
    """Its challenge was taken for posted by the sentence that the first run was refused with, and nobody saw it."""
    interaction = Repeated(text)
    answer = Answer(cast("discord.Interaction[Any]", interaction))
    posted = await answer.send(Message("Done."), private=private)
    replaced = text != "Challenged: Ben."
    assert interaction.screen.texts == [("Done.", private) if replaced else (text, True)]
    assert (posted == 1) is (private or not replaced), "the message that the answer is in"


async def test_at_the_end_nobody_waits_in_vain() -> None:
    """A press that comes while the bot stops is told so before the connections close, if Discord takes it in time."""
    told = asyncio.Event()
    interaction, answer = asked(COMMAND)
    services = interaction.client.services
    services.stopping = True
    sends = interaction.response.send_message

    async def slow(**how: Any) -> Any:
        await told.wait()
        return await sends(**how)

    interaction.response.send_message = slow

    async def never() -> None:
        raise AssertionError("nothing new is taken in")

    pressed = asyncio.create_task(answered(answer, never))
    await asyncio.sleep(0)
    ended = asyncio.create_task(services.stop())
    await asyncio.sleep(0)
    assert not ended.done()
    told.set()
    await asyncio.gather(pressed, ended)
    assert interaction.screen.texts == [("I am restarting, and nothing was saved. Press again in half a minute.", True)]


async def test_shutdown_waits_for_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Discord takes longer, it has told people so by itself."""
    monkeypatch.setattr(serving, "STOP_TIMEOUT", 0.01)
    _, answer = asked(COMMAND)
    services = answer.services

    async def long() -> None:
        await asyncio.Event().wait()

    pressed = asyncio.create_task(answered(answer, long))
    await asyncio.sleep(0)
    await services.stop()
    assert pressed.cancelled()
    assert not services.running
