"""The house beside people: who sits where, what counts persons only, and what a slow level does to a clock."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from typing import Any

import pytest

from bot.engine.record.record import choice_data
from bot.errors import RefereeError
from bot.referee.house import seats as house
from bot.referee.house.thinking import Thinking
from bot.referee.lobby.setups import Wish
from bot.referee.model.changes import SaveGuild
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.model import Lobby
from bot.referee.model.views import MatchView
from bot.referee.referee import Referee
from bot.referee.repository.live import Live
from bot.referee.verify.check import verify
from bot.referee.verify.findings import FindingKind
from bot.solver.players.levels import LEVELS, SLY
from tests.referee.stage import ANA, BEN, CEM, HERE, Table
from tests.referee.test_crashes import Dead, Mortal
from tests.referee.waiting import wait_idle
from tests.solver import minds


@pytest.fixture(autouse=True)
def levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Besides the registered ones, those that tests need."""
    monkeypatch.setattr("bot.referee.repository.house_levels.LEVELS", [*LEVELS, minds.DEEP, minds.STUCK])
    monkeypatch.setattr("bot.solver.players.levels.LEVELS", [*LEVELS, minds.DEEP, minds.STUCK])


async def challenge(table: Table, house: int = 1, **wish: Any) -> Lobby:
    asked = Wish(**{"cards": 4, "clock": 60, "house": house, **wish})
    return await table.referee.challenges.open(HERE, BEN, [ANA], asked)


async def begin(table: Table, house: int = 1, **wish: Any) -> str:
    """Ben challenges Ana to a match with the house, and she accepts."""
    lobby = await challenge(table, house, **wish)
    await table.referee.challenges.accept(lobby.id, ANA.user, 900)
    return lobby.id


async def open_table(table: Table, seats: int | None, house: int = 0, **wish: Any) -> Lobby:
    return await table.referee.tables.open(HERE, BEN, seats, Wish(**{"cards": 4, "house": house, **wish}))


async def view_of(table: Table, id: str, user: int = 0) -> MatchView:
    return await table.referee.views.view(id, user)


async def play_lowest(table: Table, id: str, *users: int) -> None:
    """These people bid their lowest cards until the match is over."""
    while True:
        for user in users:
            view = await view_of(table, id, user)
            if view.over:
                return
            if view.own is not None and view.own.awaited and view.seen.prompt is not None:
                await table.seal(id, user, choice_data(view.seen.prompt.lowest()))


def names(view: MatchView) -> list[str]:
    return [seat.name for seat in view.seats]


# --- lobbies --------------------------------------------------------------------------------------------------


async def test_people_sit_by_id_before_the_house_and_all_are_in_the_agreement(table: Table) -> None:
    id = await begin(table, 2)
    live = await table.referee.live(id)
    assert names(await view_of(table, id)) == ["Ana", "Ben", "Sly (house)", "Reader (house)"]
    agreed = json.loads(live.stored.agreement)
    assert agreed["players"] == ["10", "11", "house:sly", "house:reader"]
    assert (agreed["seats"], agreed["rated"]) == (4, False)
    assert [seat.sealed for seat in (await view_of(table, id)).seats] == [False, False, True, True]


async def test_house_seats_come_and_go_until_somebody_accepts(table: Table) -> None:
    """The match is rated again once the last house seat has gone."""
    lobby, seats = await challenge(table, 0, rated=True), table.referee.house_seats
    lobby = await seats.add(lobby.id, BEN.user)
    lobby = await seats.add(lobby.id, BEN.user)
    assert (lobby.house, lobby.setup.seats, lobby.agreed.rated) == (("sly", "reader"), 4, False)
    lobby = await seats.remove(lobby.id, BEN.user)
    assert (lobby.house, lobby.setup.seats, lobby.agreed.rated) == (("sly",), 3, False)
    lobby = await seats.remove(lobby.id, BEN.user)
    assert (lobby.house, lobby.setup.seats, lobby.agreed.rated) == ((), 2, True)
    with pytest.raises(RefereeError, match="house-stays"):
        await seats.remove(lobby.id, BEN.user)
    with pytest.raises(RefereeError, match="host-only"):
        await seats.add(lobby.id, ANA.user)
    assert isinstance(await table.referee.challenges.accept(lobby.id, ANA.user, 900), Live)


async def test_house_seat_changes_the_usual_rules_and_keeps_chosen_ones(table: Table) -> None:
    lobby, seats = await challenge(table, 0), table.referee.house_seats
    more = await seats.add(lobby.id, BEN.user)
    assert (lobby.setup.options["ties"], more.setup.options["ties"]) == ("discard", "unique-carry")
    fewer = await seats.remove(lobby.id, BEN.user)
    assert fewer.setup == lobby.setup
    await table.referee.challenges.withdraw(lobby.id, BEN.user)
    chosen = await challenge(table, 0, ties="carry")
    assert (await seats.add(chosen.id, BEN.user)).setup.options == chosen.setup.options


async def test_challenge_that_somebody_accepted_keeps_its_house_seats(table: Table) -> None:
    lobby = await table.referee.challenges.open(HERE, BEN, [ANA, CEM], Wish(house=1))
    await table.referee.challenges.accept(lobby.id, ANA.user, 900)
    with pytest.raises(RefereeError, match="house-no-seat"):
        await table.referee.house_seats.add(lobby.id, BEN.user)
    with pytest.raises(RefereeError, match="house-stays"):
        await table.referee.house_seats.remove(lobby.id, BEN.user)
    await table.referee.challenges.decline(lobby.id, CEM.user)
    live = await table.referee.challenges.start_with(lobby.id, BEN.user)
    assert [one.user for one in live.stored.seats] == [ANA.user, BEN.user, 0]


async def test_game_that_needs_its_house_seat_keeps_it(table: Table) -> None:
    lobby = await challenge(table, 1, game="throps", cards=None)
    with pytest.raises(RefereeError, match="house-stays"):
        await table.referee.house_seats.remove(lobby.id, BEN.user)


async def test_people_take_a_free_seat_before_a_house_seat(table: Table) -> None:
    lobby, tables = await open_table(table, 4, 2), table.referee.tables
    assert (lobby.setup.seats, lobby.house) == (4, ("sly", "reader"))
    full = await table.referee.house_seats.add(lobby.id, BEN.user)
    assert len(full.house) == 3
    live = await tables.join(lobby.id, ANA, 900)
    assert isinstance(live, Live)
    assert [one.name for one in live.stored.seats] == ["Ana", "Ben", "Sly (house)", "Reader (house)"]


async def test_table_with_a_free_seat_waits_for_people(table: Table) -> None:
    lobby = await open_table(table, 4, 1)
    joined = await table.referee.tables.join(lobby.id, ANA, 900)
    assert isinstance(joined, Lobby)
    assert joined.house == ("sly",)
    live = await table.referee.tables.start(lobby.id, BEN.user)
    assert [one.user for one in live.stored.seats] == [ANA.user, BEN.user, 0]


async def test_table_that_becomes_rated_again_starts_by_its_host(table: Table) -> None:
    """Who joined had read that it is not rated."""
    lobby = await open_table(table, 2, 1, rated=True)
    assert (lobby.house, lobby.agreed.rated) == (("sly",), False)
    full = await table.referee.tables.join(lobby.id, ANA, 900)
    assert isinstance(full, Lobby)
    assert (full.house, full.agreed.rated) == ((), True)
    with pytest.raises(RefereeError, match="table-full"):
        await table.referee.tables.join(lobby.id, CEM, 900)
    live = await table.referee.tables.start(lobby.id, BEN.user)
    assert live.stored.setup.rated
    assert not live.stored.has_house


async def test_host_fills_a_table_that_waited_a_minute(table: Table) -> None:
    lobby, seats = await open_table(table, 4), table.referee.house_seats
    await table.referee.tables.join(lobby.id, ANA, 900)
    with pytest.raises(RefereeError, match="house-no-seat"):
        await seats.fill(lobby.id, BEN.user)
    before = (await table.referee.lobbies.get(lobby.id)).version
    table.clock.forward(60)
    await table.fire()
    assert (await table.referee.lobbies.get(lobby.id)).version == before + 1, "its message shows the button"
    live = await seats.fill(lobby.id, BEN.user)
    assert [one.name for one in live.stored.seats] == ["Ana", "Ben", "Sly (house)", "Reader (house)"]


# --- what counts persons only -----------------------------------------------------------------------------------


async def test_house_agrees_to_a_draw_when_every_person_does(table: Table) -> None:
    id = await begin(table)
    await table.seal(id, ANA.user, 1)
    await table.seal(id, BEN.user, 1)
    assert not (await table.referee.matches.offer_draw(id, ANA.user)).over
    view = await table.referee.matches.answer_draw(id, BEN.user, yes=True)
    assert view.over
    assert view.outcome is not None
    assert view.outcome.winner is None


async def test_last_person_cannot_offer_a_draw_and_stops_the_match_by_leaving(table: Table) -> None:
    id = await begin(table)
    await table.seal(id, ANA.user, 1)
    await table.seal(id, BEN.user, 1)
    view = await table.referee.matches.resign(id, BEN.user)
    assert not view.over, "his seat plays on"
    with pytest.raises(RefereeError, match="draw-house"):
        await table.referee.matches.offer_draw(id, ANA.user)
    await table.seal(id, ANA.user, 2)
    view = await table.referee.matches.resign(id, ANA.user)
    assert view.over
    assert view.outcome is not None
    assert not view.outcome.termination.counts


async def test_match_of_people_who_all_miss_is_abandoned(table: Table) -> None:
    id = await begin(table, cards=8)
    for _ in range(3):
        table.clock.forward(64)
        await table.fire()
    view = await view_of(table, id)
    assert view.over
    assert view.outcome is not None
    assert view.outcome.termination.word == "abandoned"


async def test_person_who_misses_three_bids_leaves_and_the_rest_plays_on(table: Table) -> None:
    id = await begin(table, cards=8)
    for card in (1, 2, 3):
        await table.seal(id, ANA.user, card)
        table.clock.forward(64)
        await table.fire()
    view = await view_of(table, id)
    assert not view.over
    assert [seat.left for seat in view.seats] == ["", "timed-out", ""]
    await play_lowest(table, id, ANA.user)
    assert (await view_of(table, id)).over


async def test_it_counts_as_a_live_match_and_for_reliability_but_not_for_honours_or_ratings(table: Table) -> None:
    await table.store.write((SaveGuild(GuildSettings(HERE.guild, matches=1), None),))
    id = await begin(table, rated=True)
    with pytest.raises(RefereeError, match="too-many-live"):
        await table.referee.challenges.open(HERE, ANA, [CEM], Wish())
    await play_lowest(table, id, ANA.user, BEN.user)
    view = await view_of(table, id)
    assert view.unrated == "house"
    assert not await table.store.pools(HERE.guild)
    assert [one.id for one in await table.referee.people.history(HERE.guild, ANA.user, 0)] == [id]
    profile = await table.referee.people.profile(HERE.guild, ANA.user, "Ana", BEN.user)
    assert profile.finished_share == 1
    assert profile.against is None
    assert profile.honours.medals == ()
    assert await table.referee.people.head_to_head(HERE.guild, ANA.user, BEN.user) is None
    record = await table.referee.views.record(id)
    assert [one.get("house") for one in record["players"]] == [None, None, "sly"]
    assert not any(finding.kind is FindingKind.WRONG for finding in verify(record).findings)


async def test_rematch_asks_the_people_and_seats_the_same_house(table: Table) -> None:
    id = await begin(table, 2)
    await play_lowest(table, id, ANA.user, BEN.user)
    lobby = await table.referee.challenges.rematch(id, ANA.user, [ANA, BEN], HERE)
    assert isinstance(lobby, Lobby)
    assert lobby.house == ("sly", "reader")
    live = await table.referee.live(id)
    assert await table.referee.challenges.find_rematch_offer(live, BEN.user, [ANA, BEN], HERE) == lobby


async def test_no_hints_beside_people(table: Table) -> None:
    id = await begin(table)
    assert not (await view_of(table, id, ANA.user)).coached
    with pytest.raises(RefereeError, match="hint-practice"):
        await table.referee.hints.before_bid(id, ANA.user, 0)


# --- slow levels ------------------------------------------------------------------------------------------------


async def watch(table: Table) -> Thinking:
    thinking = Thinking(table.referee.repository, table.referee.matches, stuck=0.1)
    table.referee.listeners.append(thinking.wake)
    await thinking.catch_up()
    return thinking


async def test_slow_level_gets_a_quarter_of_the_clock(table: Table) -> None:
    thinking = await watch(table)
    try:
        id = await begin(table, level="stuck", clock=15)
        sly = house.choose_bid(await table.referee.live(id), 2, SLY)
        started = asyncio.get_running_loop().time()
        await wait_idle(thinking)
        assert 3 < asyncio.get_running_loop().time() - started < 15
        await table.seal(id, ANA.user, 1)
        view, revealed = await table.seal(id, BEN.user, 1)
        assert revealed
        assert view.seen.rounds[0].bids[2] == sly
        assert view.lapsed == (2,)
    finally:
        await thinking.close()


async def test_house_that_still_thinks_when_the_clock_ends_costs_nobody_a_bid(table: Table) -> None:
    """Sly bids for it, and the lapse is in the proof."""
    id = await begin(table, level="deep", cards=3)
    sly = house.choose_bid(await table.referee.live(id), 2, SLY)
    await table.seal(id, ANA.user, 1)
    await table.seal(id, BEN.user, 1)
    assert [seat.name for seat in (await view_of(table, id)).awaited] == ["Deep (house)"]
    table.clock.forward(64)
    await table.fire()
    view = await view_of(table, id)
    assert view.seen.rounds[0].bids[2] == sly
    assert [seat.misses for seat in view.seats] == [0, 0, 0]
    assert await table.referee.views.list_lapses((await table.referee.live(id)).stored) == [[0, 0, 0, 2, "sly"]]


# --- kills ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("committed", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(("game", "house"), [("classic", 1), ("throps", 1), ("welsh", 2)])
async def test_match_with_the_house_goes_on_after_a_crash_at_every_change(
    table: Table, game: str, house: int, committed: bool
) -> None:
    """Each of the first presses dies once before or after its commit; a new process repeats it, as a person presses
    once more."""
    store = Mortal(table.store)
    store.committed = committed
    done = ("challenge-gone", "same-card", "already-revealed", "match-over", "stale-console")

    async def once(act: Callable[[Referee], Awaitable[object]]) -> None:
        for left in (1, 0):
            store.left = left
            living, told = Table(store, table.clock, f"{table.referee.repository.entropy.bytes(4)!r}").referee, ""
            try:
                await act(living)
            except Dead:
                told = "dead"
            except RefereeError as refusal:  # it was committed: to do it again is refused, or says that it is done
                told = refusal.id
            assert told in (("dead",) if left else done if committed else ("",))

    few = {"cards": 4} if game == "classic" else {"cards": None}
    lobby = await challenge(table, house, game=game, **few)
    await once(lambda referee: referee.challenges.accept(lobby.id, ANA.user, 900))
    for _ in range(6):
        table.referee.clear_cache()
        seat = next(seat for seat in (await view_of(table, lobby.id)).awaited if seat.user)
        view = await view_of(table, lobby.id, seat.user)
        assert view.seen.prompt is not None
        value, at = choice_data(view.seen.prompt.lowest()), table.clock.now()
        await once(partial(seal_by, lobby.id, seat.user, view.prompt, value, at))
    table.referee.clear_cache()
    await play_lowest(table, lobby.id, ANA.user, BEN.user)
    record = await table.referee.views.record(lobby.id)
    assert not any(finding.kind is FindingKind.WRONG for finding in verify(record).findings)


async def seal_by(id: str, user: int, prompt: int, value: Any, at: datetime, referee: Referee) -> object:
    return await referee.matches.seal(id, user, prompt, value, at)
