"""Boards that cannot be shown where they are: posted again, left with a note on consoles, or played on without."""

from __future__ import annotations

import pytest

from bot.messages import boards, writer
from bot.messages import display as displays
from bot.referee.lobby.setups import Wish
from bot.referee.model.participant import Person
from bot.referee.model.surfaces import Surface, SurfaceKind, SurfaceState, board_among
from bot.rest.call_result import FINAL
from tests.cogs.test_memory_leaks import Stage, place
from tests.cogs.wire import COUNTED, SEND, TOKEN
from tests.referee.stage import HERE

__all__ = ["place"]

ANA, BEN = Person(1, "Ana"), Person(2, "Ben")
DELETED, GONE, FORBIDDEN, CLOSED, OLD, DMS_CLOSED = 10008, 10003, 50001, 50083, 30046, 50007


@pytest.fixture(autouse=True)
def _without_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "REST", 0.01)
    monkeypatch.setattr(boards, "RETRY", 0.01)


async def begun(place: Stage) -> tuple[str, int]:
    """A match with two consoles by DM; and the message of its board."""
    id = await place.challenge(ANA, BEN, cards=4)
    await place.referee.challenges.accept(id, BEN.user)
    await place.publisher.idle()
    return id, place.wire.sent[0][2]


async def lose(place: Stage, id: str, code: int, times: int = 1) -> None:
    """Have Discord refuse the next edits of a board that is tried again."""
    board = await find_board(place, id)
    place.wire.refuse(COUNTED, 400, times, code=code, message=board.message)
    await place.publisher.check_boards(HERE.guild, HERE.channel)
    await place.publisher.idle()


async def find_board(place: Stage, id: str) -> Surface:
    board = board_among(await place.publisher.notes.surfaces(id))
    assert board is not None
    return board


async def find_consoles(place: Stage, id: str) -> dict[int, int]:
    """The messages of consoles by DM, by player."""
    surfaces = await place.publisher.notes.surfaces(id)
    return {one.user: one.message for one in surfaces if one.kind is SurfaceKind.CONSOLE_DM}


async def without_console(place: Stage, person: Person) -> tuple[str, int]:
    """A match in which this player has no console by DM; and the message of its board."""
    id, message = await begun(place)
    for one in await place.publisher.notes.surfaces(id):
        if one.user == person.user:
            await place.referee.surfaces.drop(one.id)
    return id, message


def refuse_dms(place: Stage, person: Person, status: int, code: int = 0, times: int = 1) -> None:
    """Have Discord refuse the next DMs to this player."""
    place.wire.refuse(SEND, status, times, code=code, message=person.user + 10**6)


@pytest.mark.parametrize(("code", "times", "left"), [(DELETED, 1, False), (OLD, FINAL, True)])
async def test_a_board_that_cannot_be_edited_is_posted_again(place: Stage, code: int, times: int, left: bool) -> None:
    """What was the board says where it went; consoles say it where that was deleted."""
    id, message = await begun(place)
    await lose(place, id, code, times)
    board = await find_board(place, id)
    assert board.message != message
    assert board.state is SurfaceState.LIVE
    assert (str(board.message) in place.wire.text(message)) is left
    for console in (await find_consoles(place, id)).values():
        assert ("I had to post the board again" in place.wire.text(console)) is not left


@pytest.mark.parametrize(
    ("code", "state", "said"),
    [
        (FORBIDDEN, SurfaceState.STUCK, "I can't update the board"),
        (CLOSED, SurfaceState.CLOSED, "This thread is closed"),
    ],
)
async def test_consoles_tell_of_a_board_out_of_reach(
    place: Stage, code: int, state: SurfaceState, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(displays, "STUCK", 1000.0)
    id, message = await begun(place)
    consoles = await find_consoles(place, id)
    board = await find_board(place, id)
    place.wire.refuse(COUNTED, 403, code=code, message=message)
    await place.publisher.retry_board(board)
    await place.wire.until(lambda: all(said in place.wire.text(one) for one in consoles.values()))
    left = await find_board(place, id)
    assert (left.message, left.state) == (message, state)


async def test_a_board_that_cannot_be_posted_again_is_left(place: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(displays, "STUCK", 1000.0)
    id, message = await begun(place)
    consoles = await find_consoles(place, id)
    board = await find_board(place, id)
    place.wire.refuse(COUNTED, 404, code=DELETED, message=message)
    place.wire.refuse(SEND, 500, message=board.channel)
    place.wire.refuse(SEND, 403, code=FORBIDDEN, message=board.channel)
    place.wire.refuse(COUNTED, 404, code=DELETED, message=message)
    await place.publisher.retry_board(board)
    await place.wire.until(lambda: all("I can't update" in place.wire.text(one) for one in consoles.values()))
    assert (await find_board(place, id)).state is SurfaceState.STUCK


async def test_a_match_without_a_channel_goes_on_by_dm(place: Stage) -> None:
    id, message = await begun(place)
    sent = len(place.wire.sent)
    await lose(place, id, GONE)
    assert (await find_board(place, id)).state is SurfaceState.LOST
    assert len(place.wire.sent) == sent
    for console in (await find_consoles(place, id)).values():
        assert "The channel of" in place.wire.text(console)
    assert message in place.wire.shown


async def test_who_has_no_console_by_dm_gets_one_and_the_board_waits_for_it(place: Stage) -> None:
    id, _ = await without_console(place, BEN)
    refuse_dms(place, BEN, 500, times=2)
    place.wire.refuse(COUNTED, 404, 2, code=GONE, message=(await find_board(place, id)).message)
    await lose(place, id, GONE)
    assert (await find_board(place, id)).state is SurfaceState.LOST
    consoles = await find_consoles(place, id)
    assert {*consoles} == {ANA.user, BEN.user}
    assert all("The channel of" in place.wire.text(one) for one in consoles.values())
    assert (await place.referee.live(id)).stored.live


async def test_match_is_stopped_where_a_player_cannot_be_reached(place: Stage) -> None:
    """Once everybody else has been; the players read it by DM."""
    id, _ = await without_console(place, BEN)
    for one in await place.publisher.notes.surfaces(id):
        if one.user == ANA.user:
            await place.referee.surfaces.drop(one.id)
    refuse_dms(place, BEN, 403, DMS_CLOSED, times=9)
    sent = len(place.wire.sent)
    await lose(place, id, GONE)
    assert (await find_board(place, id)).state is SurfaceState.LOST
    stopped = (await place.referee.live(id)).stored
    assert not stopped.live
    assert stopped.ending is not None
    assert stopped.ending["why"] == "channel"
    told = [text for channel, text, _ in place.wire.sent[sent:] if channel == ANA.user + 10**6]
    assert len(told) == 2
    assert "was stopped: its channel was deleted" in told[1]


async def test_player_who_left_need_not_be_reached(place: Stage) -> None:
    people = [Person(number, f"Player {number}") for number in (1, 2, 3)]
    table = await place.referee.tables.open(HERE, people[0], 3, Wish(game="classic", cards=4))
    await place.posted(table)
    for person in people[1:]:
        await place.referee.tables.join(table.id, person)
    await place.publisher.idle()
    for person in people:
        await place.table.seal(table.id, person.user, person.user)
    await place.referee.matches.resign(table.id, 3)
    await place.publisher.idle()
    for one in await place.publisher.notes.surfaces(table.id):
        if one.user == 3:
            await place.referee.surfaces.drop(one.id)
    sent = len(place.wire.sent)
    await lose(place, table.id, GONE)
    assert (await find_board(place, table.id)).state is SurfaceState.LOST
    assert len(place.wire.sent) == sent


async def test_result_without_a_channel_is_not_told_as_a_stop(place: Stage) -> None:
    id, message = await without_console(place, BEN)
    sent = len(place.wire.sent)
    place.wire.refuse(TOKEN, 404, code=GONE, message=message)
    place.wire.refuse(COUNTED, 404, code=GONE, message=message)
    await place.referee.matches.resign(id, ANA.user)
    await place.publisher.idle()
    assert (await find_board(place, id)).state is SurfaceState.LOST
    assert [one for one in place.wire.sent[sent:] if "stopped" in one[1]] == []
