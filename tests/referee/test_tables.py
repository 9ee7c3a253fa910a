"""Open tables: seats fill and become free, a full table starts, and a kill or a race loses no seat."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.errors import RefereeError
from bot.referee.clock.deadlines import Sleeper
from bot.referee.lobby.setups import Wish
from bot.referee.model.changes import Block, Change, Conflict, SaveGuild, SurfaceShown
from bot.referee.model.model import DeadlineKind, Lobby, LobbyState
from bot.referee.model.participant import Person, Place
from bot.referee.model.surfaces import Surface, SurfaceKind
from bot.referee.proof.version2 import opening
from bot.referee.referee import Referee
from bot.referee.repository.live import Live
from tests.referee.stage import ANA, BEN, CEM, HERE, SeededEntropy, Table

DEE = Person(13, "Dee")


@pytest.fixture
def room(table: Table) -> Table:
    """The referee and its people, by another name: a table is here what people sit down at."""
    return table


async def opened(room: Table, seats: int | None = 3, **wish: Any) -> Lobby:
    return await room.referee.tables.open(HERE, ANA, seats, Wish(**wish))


async def refused(doing: Awaitable[Any]) -> tuple[str, dict[str, Any]]:
    with pytest.raises(RefereeError) as told:
        await doing
    return told.value.id, told.value.data


def names(table: Lobby | Live) -> list[str]:
    return [one.name for one in (table.people if isinstance(table, Lobby) else table.stored.seats)]


async def test_full_table_starts_by_itself(room: Table) -> None:
    referee = room.referee
    table = await opened(room)
    assert (table.kind, table.setup.seats, names(table)) == ("table", 3, ["Ana"])
    joined = await referee.tables.join(table.id, BEN, 900)
    assert isinstance(joined, Lobby)
    assert names(joined) == ["Ana", "Ben"]
    live = await referee.tables.join(table.id, CEM, 900)
    assert isinstance(live, Live)
    assert names(live) == ["Ana", "Ben", "Cem"]
    view = await referee.views.view(table.id)
    assert view.opening == opening(table.id, table.nonce)  # what everybody saw before they joined
    assert not view.over
    assert [one.kind for one in await room.store.due(view.deadline, 100)] == [DeadlineKind.WARNING]
    lobby = await referee.lobbies.get(table.id)
    assert lobby.state is LobbyState.STARTED


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        (None, 2), ("vultures", 2), ("parlett", 3), ("throps", 3), ("welsh", 4), ("pico", 2), ("three-handed", 3),
        ("four-handed", 4),
    ],
)  # fmt: skip
async def test_table_has_the_fewest_seats_of_its_game_by_default(room: Table, game: str | None, seats: int) -> None:
    assert (await opened(room, None, game=game)).setup.seats == seats


@pytest.mark.parametrize(
    ("game", "seats", "id"),
    [
        ("parlett", 2, "fixed-seats"),
        ("welsh", 5, "fixed-seats"),
        ("pico", 3, "fixed-seats"),
        ("three-handed", 4, "fixed-seats"),
        ("four-handed", 2, "fixed-seats"),
        ("classic", 9, "wrong-seats"),
    ],
)
async def test_number_of_seats_that_the_game_lacks_is_refused(room: Table, game: str, seats: int, id: str) -> None:
    assert (await refused(opened(room, seats, game=game)))[0] == id
    assert await room.store.open_lobbies(HERE.guild, ANA.user) == []


async def test_joining_is_refused_to_seated_people_and_at_full_or_missing_tables(room: Table) -> None:
    referee = room.referee
    table = await opened(room)
    await referee.tables.join(table.id, BEN, 900)
    assert await refused(referee.tables.join(table.id, BEN, 900)) == ("joined", {})
    assert await refused(referee.tables.join(table.id, ANA, 900)) == ("joined", {})
    assert await refused(referee.tables.leave(table.id, CEM.user)) == ("not-seated", {})
    await referee.write((Block(CEM.user, ANA.user, on=True),))
    assert await refused(referee.tables.join(table.id, CEM, 900)) == ("you-blocked", {"name": "Ana"})
    await referee.write((Block(CEM.user, ANA.user, on=False), Block(ANA.user, CEM.user, on=True)))
    assert await refused(referee.tables.join(table.id, CEM, 900)) == ("table-not-yours", {})
    await referee.tables.join(table.id, DEE, 900)
    assert await refused(referee.tables.join(table.id, Person(14, "Eli"), 900)) == ("table-full", {})
    assert await refused(referee.tables.join(table.id, BEN, 900)) == ("joined", {})
    assert (await refused(referee.tables.join("NONE", BEN, 900)))[0] == "table-gone"


async def test_challenge_cannot_be_joined_or_closed_as_a_table(room: Table) -> None:
    challenge = await room.referee.challenges.open(HERE, ANA, [BEN], Wish())
    for doing in (room.referee.tables.join(challenge.id, CEM, 900), room.referee.tables.close(challenge.id, ANA.user)):
        assert (await refused(doing))[0] == "table-gone"


async def test_host_can_start_a_table_with_enough_seats(room: Table) -> None:
    referee = room.referee
    table = await opened(room, 5, game="classic")
    few = {"game": "Classic GOPS", "n": 2, "m": 1}
    assert await refused(referee.tables.start(table.id, ANA.user)) == ("too-few-seats", few)
    await referee.tables.join(table.id, BEN, 900)
    assert await refused(referee.tables.start(table.id, BEN.user)) == ("host-only", {"host": "Ana"})
    live = await referee.tables.start(table.id, ANA.user)
    assert names(live) == ["Ana", "Ben"]
    assert live.rules.seats == 2
    assert live.rules.options["ties"] == "unique-carry"  # as it was agreed for five
    assert (await refused(referee.tables.start(table.id, ANA.user)))[0] == "table-gone"
    assert (await refused(referee.tables.close(table.id, ANA.user)))[0] == "table-gone"
    assert (await refused(referee.tables.leave(table.id, BEN.user)))[0] == "table-gone"


async def test_table_needs_every_seat_that_its_options_name(room: Table) -> None:
    """A listed order of an open draft names the prizes of all seats."""
    words = "3 cards, open prizes, order A A A 2 2 2 3 3 3"
    table = await opened(room, 3, words=words)
    await room.referee.tables.join(table.id, BEN, 900)
    few = {"game": "Classic GOPS", "n": 3, "m": 1}
    assert await refused(room.referee.tables.start(table.id, ANA.user)) == ("too-few-seats", few)
    assert isinstance(await room.referee.tables.join(table.id, CEM, 900), Live)


async def test_table_gets_the_next_host_when_its_host_leaves(room: Table) -> None:
    referee = room.referee
    table = await opened(room)
    await referee.tables.join(table.id, BEN, 900)
    left = await referee.tables.leave(table.id, ANA.user)
    assert (left.host, names(left), left.state) == (BEN.user, ["Ben"], LobbyState.OPEN)
    assert await referee.lobbies.get(table.id) == left
    assert await refused(referee.tables.close(table.id, ANA.user)) == ("host-only", {"host": "Ben"})
    back = await referee.tables.join(table.id, ANA, 900)
    assert names(back) == ["Ben", "Ana"]
    await referee.tables.leave(table.id, ANA.user)
    empty = await referee.tables.leave(table.id, BEN.user)
    assert empty.state is LobbyState.WITHDRAWN
    assert (await refused(referee.tables.join(table.id, CEM, 900)))[0] == "table-gone"
    assert await room.store.next_due() is None


async def test_late_note_of_a_shown_table_does_not_pass_for_the_board(room: Table) -> None:
    """The versions of the match continue the versions of the table message."""
    table = await opened(room)
    await room.referee.lobbies.note_message(table, _surface(table))
    joined = await room.referee.tables.join(table.id, BEN, 900)
    live = await room.referee.tables.join(table.id, CEM, 900)
    assert isinstance(joined, Lobby)
    assert isinstance(live, Live)
    board = next(one for one in await room.store.surfaces(table.id) if one.kind is SurfaceKind.BOARD)
    await room.referee.write((SurfaceShown(board.id, board.message, joined.version, board.match),))
    assert board.id in [one.id for one in await room.store.behind()]
    assert live.stored.version > joined.version


async def test_only_the_host_can_close_a_table(room: Table) -> None:
    table = await opened(room)
    await room.referee.tables.join(table.id, BEN, 900)
    assert await refused(room.referee.tables.close(table.id, BEN.user)) == ("host-only", {"host": "Ana"})
    assert (await room.referee.tables.close(table.id, ANA.user)).state is LobbyState.WITHDRAWN
    assert (await refused(room.referee.tables.join(table.id, CEM, 900)))[0] == "table-gone"


@pytest.mark.parametrize(("clock", "life"), [(30, 600), (3600, 3600), (259200, 86400)])
async def test_table_expires_at_the_end_of_its_life(room: Table, clock: int, life: int) -> None:
    table = await opened(room, clock=clock)
    await room.referee.tables.join(table.id, BEN, 900)
    room.clock.forward(life - 1)
    await room.fire()
    assert (await room.referee.lobbies.get(table.id)).state is LobbyState.OPEN
    room.clock.forward(1)
    assert (await refused(room.referee.tables.join(table.id, CEM, 900)))[0] == "table-gone"
    await room.fire()
    assert (await room.referee.lobbies.get(table.id)).state is LobbyState.OPEN, "a press in time may be on its way"
    room.clock.forward(1)
    await room.fire()
    assert (await room.referee.lobbies.get(table.id)).state is LobbyState.EXPIRED


async def test_table_respects_the_limits_on_matches_and_boards(room: Table) -> None:
    referee = room.referee
    guild = await room.store.guild(HERE.guild)
    await referee.write((SaveGuild(replace(guild, matches=1, boards=2)),))
    await room.start((BEN, CEM))
    table = await opened(room)
    assert await refused(referee.tables.join(table.id, BEN, 900)) == ("too-many-live-you", {"n": 1})
    by_ben = referee.tables.open(HERE, BEN, 2, Wish())
    assert await refused(by_ben) == ("too-many-live-you", {"n": 1})
    await room.start((DEE, Person(14, "Eli")))
    assert await refused(opened(room)) == ("channel-full", {"n": 2})
    assert isinstance(await referee.tables.open(Place(1, 3), ANA, 2, Wish()), Lobby)


async def test_person_with_too_many_matches_loses_their_seat(room: Table) -> None:
    referee = room.referee
    guild = await room.store.guild(HERE.guild)
    await referee.write((SaveGuild(replace(guild, matches=1)),))
    table = await opened(room)
    await referee.tables.join(table.id, BEN, 900)
    await room.start((ANA, DEE))
    told = await refused(referee.tables.join(table.id, CEM, 900))
    assert told == ("too-many-live-them", {"name": "Ana", "n": 1})
    kept = await referee.lobbies.get(table.id)
    assert (names(kept), kept.host, kept.state) == (["Ben"], BEN.user, LobbyState.OPEN)
    await referee.tables.join(table.id, CEM, 900)
    assert names(await referee.tables.join(table.id, Person(14, "Eli"), 900)) == ["Ben", "Cem", "Eli"]


# --- races and crashes -----------------------------------------------------------------------------------------


async def test_last_seat_goes_to_one_of_two_people(table: Table) -> None:
    """Two processes use one database file; the second person reads that the table is full."""
    other = Referee(table.store, table.clock, SeededEntropy("other"))
    for round in range(5):
        lobby = await table.referee.tables.open(HERE, Person(100 + round, "Ana"), 2, Wish())
        answers = await asyncio.gather(
            table.referee.tables.join(lobby.id, BEN, 900), other.tables.join(lobby.id, CEM, 900), return_exceptions=True
        )
        begun = [one for one in answers if isinstance(one, Live)]
        late = [one for one in answers if isinstance(one, RefereeError)]
        assert (len(begun), [one.id for one in late]) == (1, ["table-full"])
        await table.referee.matches.resign(lobby.id, begun[0].stored.seats[1].user)


async def test_repeated_join_takes_one_seat(table: Table) -> None:
    lobby = await table.referee.tables.open(HERE, ANA, 3, Wish())
    answers = await asyncio.gather(
        *(table.referee.tables.join(lobby.id, BEN, 900) for _ in range(3)), return_exceptions=True
    )
    assert sorted(getattr(one, "id", "") for one in answers if isinstance(one, RefereeError)) == ["joined", "joined"]
    assert names(await table.referee.lobbies.get(lobby.id)) == ["Ana", "Ben"]


async def test_start_and_join_in_the_same_instant_agree_on_the_seats(table: Table) -> None:
    """Whichever is first, the match has everybody who got a seat."""
    other = Referee(table.store, table.clock, SeededEntropy("other"))
    lobby = await table.referee.tables.open(HERE, ANA, 4, Wish())
    await table.referee.tables.join(lobby.id, BEN, 900)
    started, joined = await asyncio.gather(
        table.referee.tables.start(lobby.id, ANA.user), other.tables.join(lobby.id, CEM, 900), return_exceptions=True
    )
    assert isinstance(started, Live)
    assert ("Cem" in names(started)) is not isinstance(joined, RefereeError)


class Dead(Exception):
    """The process has died."""


class Mortal:
    """A store whose process dies at one write: before its commit, or after the commit and before the answer."""

    def __init__(self, store: Any, committed: bool) -> None:
        self.store = store
        self.committed = committed
        self.left = 0

    async def write(self, change: Change) -> Any:
        self.left -= 1
        if self.left == 0 and not self.committed:
            raise Dead
        answer = await self.store.write(change)
        if self.left == 0:
            raise Dead
        return answer

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


@pytest.mark.parametrize("committed", [False, True])
@pytest.mark.parametrize("number", [1, 2])
async def test_full_table_starts_after_a_kill_at_any_write(table: Table, committed: bool, number: int) -> None:
    lobby = await table.referee.tables.open(HERE, ANA, 2, Wish())
    store: Any = Mortal(table.store, committed)
    store.left = number
    with pytest.raises(Dead):
        await Referee(store, table.clock, SeededEntropy("dies")).tables.join(lobby.id, BEN, 900)
    again = Referee(table.store, table.clock, SeededEntropy("again"))
    if number == 2 and committed:  # the match had begun: a second press is refused as a seat already taken
        assert await refused(again.tables.join(lobby.id, BEN, 900)) == ("joined", {})
    else:
        assert isinstance(await again.tables.join(lobby.id, BEN, 900), Live)
    view = await again.views.view(lobby.id, BEN.user)
    assert [seat.name for seat in view.seats] == ["Ana", "Ben"]
    shown = {(one.kind.name, one.user) for one in await table.store.surfaces(lobby.id)}
    assert shown == {("BOARD", 0), ("CONSOLE_DM", ANA.user), ("CONSOLE_DM", BEN.user)}


async def test_new_process_closes_tables_that_expired_meanwhile(table: Table) -> None:
    lobby = await table.referee.tables.open(HERE, ANA, 2, Wish())
    table.clock.forward(3600)
    again = Referee(table.store, table.clock, SeededEntropy("again"))
    sleeper = Sleeper(again, table.sleeper.remind, table.sleeper.presence)
    while await sleeper.fire_due() == 0:
        pass
    assert (await again.lobbies.get(lobby.id)).state is LobbyState.EXPIRED


# --- challenges of several -------------------------------------------------------------------------------------


async def test_person_who_declined_gets_no_seat(room: Table) -> None:
    """The last *Accept* after a *Decline* starts nothing: the challenger decides."""
    referee = room.referee
    lobby = await referee.challenges.open(HERE, ANA, [BEN, CEM, DEE], Wish())
    await referee.challenges.accept(lobby.id, BEN.user, 900)
    await referee.challenges.decline(lobby.id, CEM.user)
    waiting = await referee.challenges.accept(lobby.id, DEE.user, 900)
    assert isinstance(waiting, Lobby)
    assert waiting.state is LobbyState.OPEN
    live = await referee.challenges.start_with(lobby.id, ANA.user)
    assert names(live) == ["Ana", "Ben", "Dee"]


async def test_challenge_for_exactly_three_ends_with_the_first_decline(room: Table) -> None:
    lobby = await room.referee.challenges.open(HERE, ANA, [BEN, CEM], Wish(game="parlett"))
    await room.referee.challenges.accept(lobby.id, BEN.user, 900)
    ended = await room.referee.challenges.decline(lobby.id, CEM.user)
    assert ended.state is LobbyState.DECLINED
    assert await room.store.next_due() is None


async def test_challenge_ends_when_everybody_declined(room: Table) -> None:
    lobby = await room.referee.challenges.open(HERE, ANA, [BEN, CEM], Wish())
    assert (await room.referee.challenges.decline(lobby.id, BEN.user)).state is LobbyState.OPEN
    assert (await room.referee.challenges.decline(lobby.id, CEM.user)).state is LobbyState.DECLINED


async def test_people_at_one_table_can_challenge_each_other(room: Table) -> None:
    """A table of two is no challenge."""
    table = await opened(room)
    await room.referee.tables.join(table.id, BEN, 900)
    await room.referee.lobbies.note_message(await room.referee.lobbies.get(table.id), _surface(table))
    assert isinstance(await room.referee.challenges.open(HERE, ANA, [BEN], Wish()), Lobby)


async def test_message_noted_as_the_match_begins_becomes_its_board(
    room: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby = await room.referee.challenges.open(HERE, ANA, [BEN], Wish())
    read = room.store.surfaces

    async def surfaces(id: str) -> Sequence[Surface]:
        found = await read(id)
        if not found:  # a press on it is noted in between
            await room.referee.surfaces.put(_surface(lobby))
        return found

    monkeypatch.setattr(room.store, "surfaces", surfaces)
    await room.referee.challenges.accept(lobby.id, BEN.user, 900)
    shown = [one.kind for one in await room.store.surfaces(lobby.id) if not one.user]
    assert shown == [SurfaceKind.BOARD]


async def test_press_before_the_message_is_known_leaves_one_surface(room: Table) -> None:
    """A second surface would stay behind for ever once the message is a board."""
    table = await opened(room)
    joined = await room.referee.tables.join(table.id, BEN, 900)
    await room.referee.surfaces.put(_surface(table))  # by that press
    await room.referee.lobbies.note_message(table, _surface(table))
    assert len(await room.store.surfaces(table.id)) == 1
    with pytest.raises(Conflict):
        await room.referee.surfaces.put(_surface(table))
    assert isinstance(joined, Lobby)
    live = await room.referee.tables.join(table.id, CEM, 900)
    assert isinstance(live, Live)
    assert [one.kind for one in await room.store.surfaces(table.id) if not one.user] == [SurfaceKind.BOARD]


async def test_challenge_with_two_messages_begins_at_the_accepted_one(room: Table) -> None:
    """A repeated call without an answer may have left another message, and a person pressed there first."""
    lobby = await room.referee.challenges.open(HERE, ANA, [BEN], Wish())
    for message in (901, 900):
        await room.referee.surfaces.put(replace(_surface(lobby), message=message))
    await room.referee.challenges.accept(lobby.id, BEN.user, 900)
    shown = [(one.kind, one.message) for one in await room.store.surfaces(lobby.id) if not one.user]
    assert shown == [(SurfaceKind.BOARD, 900)]


def _surface(table: Lobby) -> Surface:
    return Surface(table.id, SurfaceKind.LOBBY, 0, table.channel, 900, 0, table.created)


@pytest.mark.parametrize(
    ("wish", "others", "id", "data"),
    [
        ({"game": "three-handed"}, [BEN], "fixed-seats", {"game": "Three-handed", "n": 3}),
        ({"game": "four-handed"}, [BEN, CEM], "fixed-seats", {"game": "Four-handed", "n": 4}),
        ({"game": "welsh"}, [BEN], "fixed-seats", {"game": "Welsh Warfare", "n": 4}),
        ({"game": "parlett"}, [BEN], "fixed-seats", {"game": "Gops for three", "n": 3}),
    ],
)
async def test_impossible_seats_are_refused_before_anything_is_posted(
    room: Table, wish: dict[str, Any], others: list[Person], id: str, data: dict[str, Any]
) -> None:
    assert await refused(room.referee.challenges.open(HERE, ANA, others, Wish(**wish))) == (id, data)
    assert await room.store.open_lobbies(HERE.guild, ANA.user) == []
