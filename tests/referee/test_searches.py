"""People who search for an opponent: who is paired with whom, and who keeps their place."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.errors import RefereeError
from bot.referee.model.changes import Block, SaveRating
from bot.referee.model.model import Lobby, LobbyState
from bot.referee.model.participant import Person, Place
from bot.referee.model.people import Rating
from bot.referee.model.searches import LAST, PAIR, Search, search_owner
from bot.referee.repository.live import Live
from tests.referee.stage import ANA, BEN, CEM, HERE, START, Table

GUILD = HERE.guild
STEP = 20


async def begin(table: Table, person: Person, game: str | None = None, place: Place = HERE) -> Search:
    search, _ = await table.referee.searches.begin(place, person, game)
    return search


async def rate(table: Table, person: Person, points: float, played: int = 20) -> None:
    """Give a person this rating in the classic pool."""
    mu = 3.0 + (points - 1000) / 20
    rating = Rating(GUILD, "classic", person.user, person.name, mu, 1.0, played, played, 0, 0, START)
    await table.store.write((SaveRating(rating, None),))


async def pass_time(table: Table, seconds: int) -> None:
    """Let time pass in steps, as the bot looks at its deadlines."""
    for _ in range(seconds // 5):
        table.clock.forward(5)
        await table.fire()


async def pair_of(table: Table, person: Person) -> Lobby:
    search = await table.store.search(person.user)
    assert search is not None
    assert search.lobby
    lobby = await table.store.lobby(search.lobby)
    assert lobby is not None
    return lobby


async def waits(table: Table, person: Person) -> bool:
    search = await table.store.search(person.user)
    return search is not None and not search.lobby


async def test_two_who_search_the_same_game_are_asked_and_play(table: Table) -> None:
    assert (await begin(table, ANA)).lobby == ""
    await begin(table, BEN)
    lobby = await pair_of(table, ANA)
    assert (lobby.kind, [one.user for one in lobby.people]) == (PAIR, [ANA.user, BEN.user])
    assert lobby.expires - lobby.created == timedelta(seconds=60)
    challenges = table.referee.challenges
    assert isinstance(await challenges.accept(lobby.id, BEN.user, 900), Lobby)
    assert isinstance(await challenges.accept(lobby.id, ANA.user, 900), Live)
    assert await table.store.search(ANA.user) is None
    assert await table.store.search(BEN.user) is None


async def test_another_game_is_no_pair(table: Table) -> None:
    await begin(table, ANA, "vultures")
    await begin(table, BEN, "quick")
    await begin(table, CEM)
    assert await waits(table, ANA)
    assert await waits(table, BEN)
    assert await waits(table, CEM)


async def test_a_game_for_more_than_two_is_refused(table: Table) -> None:
    with pytest.raises(RefereeError) as refused:
        await begin(table, ANA, "three-handed")
    assert refused.value.id == "fixed-seats"


async def test_ratings_far_apart_meet_after_a_while(table: Table) -> None:
    await rate(table, ANA, 1000)
    await rate(table, BEN, 1150)
    await begin(table, ANA)
    await pass_time(table, STEP - 5)
    await begin(table, BEN)
    assert await waits(table, BEN), "150 points, and 100 are allowed"
    await pass_time(table, 5)
    assert not await waits(table, BEN), "200 are allowed after 20 seconds"


async def test_the_closest_rating_is_taken_first(table: Table) -> None:
    for person, points in ((ANA, 1000), (BEN, 1090), (CEM, 1030)):
        await rate(table, person, points)
    await table.store.write((Block(ANA.user, BEN.user, True),))
    await begin(table, ANA)
    await begin(table, BEN)
    await table.store.write((Block(ANA.user, BEN.user, False),))
    await begin(table, CEM)
    assert {one.user for one in (await pair_of(table, CEM)).people} == {CEM.user, ANA.user}


async def test_no_window_while_one_is_provisional(table: Table) -> None:
    await rate(table, ANA, 1900)
    await begin(table, ANA)
    await begin(table, BEN)
    assert not await waits(table, ANA)


async def test_who_does_not_press_leaves_and_the_other_waits_on(table: Table) -> None:
    await begin(table, ANA)
    await begin(table, BEN)
    lobby = await pair_of(table, ANA)
    await table.referee.challenges.accept(lobby.id, ANA.user, 900)
    await pass_time(table, 75)
    assert await waits(table, ANA)
    assert await table.store.search(BEN.user) is None
    await begin(table, CEM)
    assert {one.user for one in (await pair_of(table, CEM)).people} == {ANA.user, CEM.user}


async def test_who_leaves_a_pair_leaves_the_search(table: Table) -> None:
    await begin(table, ANA)
    await begin(table, BEN)
    lobby = await pair_of(table, ANA)
    assert await table.referee.searches.stop(BEN.user)
    assert await waits(table, ANA)
    assert await table.store.search(BEN.user) is None
    ended = await table.store.lobby(lobby.id)
    assert ended is not None
    assert ended.state is LobbyState.DECLINED
    assert not await table.referee.searches.stop(BEN.user)


async def test_a_pair_has_no_host_to_name(table: Table) -> None:
    await begin(table, ANA)
    await begin(table, BEN)
    lobby, referee = await pair_of(table, ANA), table.referee
    for person in (ANA, BEN, CEM):
        for press in (
            referee.challenges.withdraw,
            referee.challenges.start_with,
            referee.house_seats.add,
            referee.house_seats.remove,
        ):
            with pytest.raises(RefereeError, match="stale-button"):
                await press(lobby.id, person.user)
    assert await pair_of(table, ANA) == lobby


async def test_a_pair_that_cannot_be_shown_leaves(table: Table) -> None:
    await begin(table, ANA)
    await begin(table, BEN)
    await table.referee.searches.give_up((await pair_of(table, ANA)).id)
    assert await table.store.searches_in(GUILD) == []


async def test_nobody_waits_twice(table: Table) -> None:
    first = await begin(table, ANA)
    again, is_new = await table.referee.searches.begin(Place(5, 6), ANA, "quick")
    assert (again, is_new) == (first, False)
    await begin(table, BEN, place=Place(5, 6))
    assert await waits(table, BEN), "they wait in another server"


async def test_blocks_and_bans_are_honoured(table: Table) -> None:
    await table.store.write((Block(BEN.user, ANA.user, True),))
    await begin(table, ANA)
    await begin(table, BEN)
    assert await waits(table, ANA)
    await table.referee.moderating.ban(HERE, CEM, ANA, timedelta(hours=1), "spam")
    assert await table.store.search(ANA.user) is None, "a ban ends the search"
    with pytest.raises(RefereeError) as refused:
        await begin(table, ANA)
    assert refused.value.id == "banned-here"
    await begin(table, CEM)
    assert not await waits(table, BEN)


async def test_a_ban_and_an_erasure_show_at_once_who_waits(table: Table) -> None:
    woken: list[str] = []
    await begin(table, ANA, "quick")
    await begin(table, BEN)
    table.referee.clock_listeners.append(woken.append)
    await table.referee.moderating.ban(HERE, CEM, ANA, timedelta(hours=1), "spam")
    assert woken == [search_owner(GUILD, ANA.user)]
    await table.referee.privacy.erase(BEN.user)
    assert search_owner(GUILD, BEN.user) in woken


async def test_a_search_ends_after_ten_minutes(table: Table) -> None:
    await begin(table, ANA)
    await pass_time(table, (LAST - 1) * STEP)
    assert await waits(table, ANA)
    await pass_time(table, STEP)
    assert await table.store.search(ANA.user) is None
    assert await table.store.deadlines_of(search_owner(GUILD, ANA.user)) == []


async def test_a_restart_loses_no_place(table: Table) -> None:
    first = await begin(table, ANA)
    await pass_time(table, 3 * STEP)
    after = Table(table.store, table.clock, "another")
    await pass_time(after, STEP)
    assert await table.store.search(ANA.user) == replace(first, waited=4)
    await begin(after, BEN)
    assert {one.user for one in (await pair_of(after, BEN)).people} == {ANA.user, BEN.user}


async def test_an_erasure_ends_the_search_and_the_other_waits_on(table: Table) -> None:
    await begin(table, ANA)
    await begin(table, BEN)
    lobby = await pair_of(table, ANA)
    await table.referee.privacy.erase(BEN.user)
    assert await table.store.search(BEN.user) is None
    assert await waits(table, ANA)
    ended = await table.store.lobby(lobby.id)
    assert ended is not None
    assert "Ben" not in [one.name for one in ended.people]
