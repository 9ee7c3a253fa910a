"""Nobody reads the name of an erased person in what is sent or shown after the erasure."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot.referee.lobby.setups import Wish
from bot.referee.model.changes import PartitionMoved
from bot.referee.model.model import Deadline, DeadlineKind
from bot.referee.model.participant import Person
from bot.referee.model.partitions import partition_of
from bot.referee.model.views import MatchView
from tests.cogs.test_memory_leaks import Stage, place
from tests.cogs.wire import COUNTED
from tests.referee.stage import HERE

__all__ = ["place"]

BEN, CEM = Person(1, "Ben"), Person(2, "Cem")


async def missed_round(place: Stage) -> tuple[str, int]:
    """A slow match in which both players missed the first bid; its code, and the message of its board."""
    referee, clock = place.referee, place.table.clock
    lobby = await referee.challenges.open(HERE, BEN, [CEM], Wish(game="classic", cards=4, clock=86400))
    await place.posted(lobby)
    await referee.challenges.accept(lobby.id, CEM.user)
    await place.publisher.idle()
    clock.forward(timedelta(hours=25).total_seconds())
    await referee.matches.expire(Deadline(lobby.id, DeadlineKind.BID, clock.now(), 0))
    await place.publisher.idle()
    clock.forward(timedelta(hours=1).total_seconds())
    return lobby.id, place.wire.sent[0][2]


@pytest.mark.parametrize("late", [False, True], ids=["board at once", "board late"])
async def test_the_end_of_a_match_by_erasure_is_told_without_the_name(place: Stage, late: bool) -> None:
    wire = place.wire
    _, board = await missed_round(place)
    sent, called = len(wire.sent), len(wire.calls)
    held = wire.hold(COUNTED, board) if late else None
    await place.referee.privacy.erase(CEM.user)
    if held is not None:
        held.set()
    await place.publisher.idle()
    told = [text for _, text, _ in wire.sent[sent:]]
    assert any("is over" in text and "a former player" in text for text in told), told
    assert not [text for text in told if "Cem" in text]
    assert not [call for call in wire.calls[called:] if "Cem" in str(call.body)]
    assert not [text for text in wire.shown.values() if "Cem" in str(text)]


async def test_a_match_that_ends_by_erasure_before_a_reveal_says_why(place: Stage) -> None:
    lobby = await place.referee.challenges.open(HERE, BEN, [CEM], Wish(game="classic", cards=4))
    await place.posted(lobby)
    await place.referee.challenges.accept(lobby.id, CEM.user)
    await place.publisher.idle()
    await place.referee.privacy.erase(CEM.user)
    await place.publisher.idle()
    assert "A player deleted their data." in place.wire.text(place.wire.sent[0][2])
    by_dm = [str(shown) for shown in place.wire.shown.values() if "was stopped" in str(shown)]
    assert by_dm
    assert all("a player deleted their data" in text for text in by_dm)


async def test_a_line_that_waits_for_its_turn_is_posted_without_the_name(
    place: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    id, board = await missed_round(place)
    wire, waits, turn = place.wire, asyncio.Event(), asyncio.Event()
    sent = len(wire.sent)

    async def wait(*_: float) -> None:
        waits.set()
        await turn.wait()

    monkeypatch.setattr(place.publisher.delivery.budget, "wait", wait)
    await place.referee.matches.resign(id, CEM.user)
    await waits.wait()
    await place.referee.privacy.erase(CEM.user)
    turn.set()
    await place.publisher.idle()
    told = [text for _, text, _ in wire.sent[sent:]]
    assert any("a former player" in text for text in told), told
    assert not [text for text in told if "Cem" in text]
    assert "a former player" in wire.text(board)


async def test_a_console_of_an_erased_person_is_not_tried_again(place: Stage) -> None:
    wire = place.wire
    id, _ = await missed_round(place)
    surfaces = await place.publisher.notes.surfaces(id)
    console = next(one for one in surfaces if one.user == CEM.user)
    held = wire.hold(COUNTED, console.message)
    wire.refuse(COUNTED, 503, message=console.message)
    await place.referee.matches.resign(id, BEN.user)
    await wire.until(lambda: any(call.message == console.message and not call.landed for call in wire.calls))
    await place.referee.privacy.erase(CEM.user)
    held.set()
    await place.publisher.idle()
    assert len(place.publisher.writers) == 0


def hold_ends(place: Stage, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], asyncio.Event, asyncio.Event]:
    """Have what tells an end wait. Return the matches, an event for its begin, and one that lets it go on."""
    boards, told, began, turn = place.publisher.boards, list[str](), asyncio.Event(), asyncio.Event()
    post = boards.post

    async def wait(view: MatchView, *what: Any, **how: Any) -> Any:
        told.append(view.id)
        began.set()
        await turn.wait()
        return await post(view, *what, **how)

    monkeypatch.setattr(boards, "post", wait)
    return told, began, turn


async def test_an_end_is_not_told_again_and_again_where_its_partition_has_moved(
    place: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def moved(_: str) -> None:
        raise PartitionMoved("another process owns it")

    id, _ = await missed_round(place)
    told, began, turn = hold_ends(place, monkeypatch)
    monkeypatch.setattr(place.referee.surfaces, "note_result_told", moved)
    await place.referee.matches.resign(id, BEN.user)
    await began.wait()
    await place.publisher.leave(partition_of(id))
    turn.set()
    async with asyncio.timeout(20):
        await place.publisher.idle()
    assert told == [id]


async def test_an_end_is_told_once_though_its_board_is_drawn_again_meanwhile(
    place: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line waited for its turn for so long that Discord did not know its nonce any more."""
    id, board = await missed_round(place)
    told, began, turn = hold_ends(place, monkeypatch)
    await place.referee.matches.resign(id, BEN.user)
    await began.wait()
    place.publisher.show_erased(await place.referee.privacy.erase(CEM.user))
    await place.wire.until(lambda: "a former player" in place.wire.text(board))
    turn.set()
    await place.publisher.idle()
    assert told == [id]
