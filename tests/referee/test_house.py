"""House players: they seal first, see only their seat, answer once, and never hold up a match."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.engine.record.record import choice_data
from bot.engine.variants import find_game
from bot.engine.view import observe
from bot.errors import RefereeError
from bot.referee.house import seats as house
from bot.referee.house.thinking import Thinking, Worker
from bot.referee.lobby.setups import Wish
from bot.referee.model.changes import SaveGuild
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.views import MatchView
from bot.referee.referee import Referee
from bot.referee.repository.house_levels import table_levels
from bot.referee.repository.live import Live
from bot.referee.verify.check import verify
from bot.solver.players.levels import LEVELS, SLY, Level, find_level
from bot.solver.players.reader import can_read
from tests.conftest import ROOT
from tests.migrated import migrated
from tests.proof.author import sealed_anew
from tests.referee.stage import ANA, BEN, CEM, HERE, Table
from tests.referee.waiting import wait_idle
from tests.solver import minds
from tests.sqlite_store import SqliteStore


@pytest.fixture(autouse=True)
def levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Besides the registered ones, those that tests need."""
    more = (minds.DEEP, minds.STUCK, minds.DYING, minds.FAILING, minds.CHEATING)
    monkeypatch.setattr("bot.referee.repository.house_levels.LEVELS", [*LEVELS, *more])


def level_of(key: str) -> Level:
    found = find_level(key)
    assert found is not None
    return found


async def practise(table: Table, level: Level = SLY, public: bool = False, **wish: Any) -> str:
    begun = await table.referee.practice.begin(HERE, ANA, level, Wish(**{"cards": 3, **wish}), public)
    return begun.live.stored.id


async def watch(table: Table, **how: Any) -> Thinking:
    thinking = Thinking(table.referee.repository, table.referee.matches, **how)
    table.referee.listeners.append(thinking.wake)
    await thinking.catch_up()
    return thinking


async def play_out(table: Table, id: str) -> MatchView:
    """Ana bids her lowest card, or picks the best prize, until it is over."""
    while not (view := await table.referee.views.view(id, ANA.user)).over:
        assert view.seen.prompt is not None
        await table.seal(id, ANA.user, choice_data(view.seen.prompt.lowest()))
    return view


# --- quick minds ----------------------------------------------------------------------------------------------


async def test_house_seals_when_the_round_opens(table: Table) -> None:
    id = await practise(table)
    view = await table.referee.views.view(id, ANA.user)
    assert [seat.name for seat in view.seats] == ["Ana", "Sly (house)"]
    assert [seat.sealed for seat in view.seats] == [False, True]
    first = view.seats[1].seal
    view, revealed = await table.seal(id, ANA.user, 1)
    assert revealed
    assert [seat.sealed for seat in view.seats] == [False, True]
    assert view.seats[1].seal != first


async def test_practice_is_unrated_private_and_without_a_clock(table: Table) -> None:
    view = await play_out(table, await practise(table, rated=True, clock=60))
    assert view.unrated == "house"
    assert view.deadline is None
    assert view.private
    assert not await table.store.pools(HERE.guild)
    assert await table.store.boards_in(HERE.channel) == 0
    assert (await table.referee.people.profile(HERE.guild, ANA.user, "Ana", ANA.user)).finished_share is None
    [recent] = await table.referee.people.history(HERE.guild, ANA.user, 0)
    assert not recent.rated
    assert [name for _, name in recent.people] == ["Ana", "Sly (house)"]


async def test_house_bids_the_same_whatever_the_person_seals(tmp_path: Path) -> None:
    """Until the reveal no house bid depends on the sealed card of the person."""
    seals: set[tuple[str, ...]] = set()
    for card in (1, 2, 3):
        async with await SqliteStore.open(migrated(tmp_path / f"{card}.sqlite3")) as store:
            table = Table(store)
            id = await practise(table, minds.DEEP)
            await table.seal(id, ANA.user, 3 if card == 1 else 1)
            await table.seal(id, ANA.user, card)
            live = await table.referee.live(id)
        asked = house.make_question(live, 1)
        assert asked.seen.seat == 1
        seals.add((repr(replace(asked, chance=asked.chance)), str(asked.chance.number()), str(minds.highest(asked))))
    assert len(seals) == 1


async def test_house_gets_only_what_its_seat_observes(table: Table) -> None:
    id = await practise(table, game="throps", cards=None)
    live = await table.referee.live(id)
    asked = house.make_question(live, 1)
    assert asked.seen.hands[1] is not None
    assert asked.seen.hands[0] is None  # a private hand
    assert asked.seen.to_come is None
    nonce = live.stored.nonce
    assert nonce.hex() not in repr(asked)
    assert repr(nonce) not in repr(asked)


@pytest.mark.parametrize("level", [minds.FAILING, minds.CHEATING], ids=lambda level: level.key)
async def test_failing_level_is_replaced_by_sly(table: Table, level: Level) -> None:
    view = await play_out(table, await practise(table, level))
    bids = [played.bids[1] for played in view.seen.rounds]
    other = await play_out(table, await practise(table, SLY))
    assert {bid.cards for bid in bids if bid} == {bid.cards for played in other.seen.rounds if (bid := played.bids[1])}


async def test_match_ends_when_only_house_seats_are_left(table: Table) -> None:
    id = await practise(table, game="three-handed", cards=5)
    await table.seal(id, ANA.user, 5)
    view = await table.referee.matches.resign(id, ANA.user)
    assert view.over
    assert view.why == "house"
    assert view.outcome is not None
    assert not view.outcome.termination.counts
    assert all(finding.holds for finding in verify(await table.referee.views.record(id)).findings)


async def test_public_practice_has_a_board_in_the_channel(table: Table) -> None:
    id = await practise(table, public=True)
    view = await table.referee.views.view(id, ANA.user)
    assert not view.private
    assert view.is_practice
    assert await table.store.boards_in(HERE.channel) == 1
    view = await play_out(table, id)
    assert view.unrated == "house"


async def test_practice_has_no_draw_offers_and_no_reminders(table: Table) -> None:
    id = await practise(table)
    with pytest.raises(RefereeError, match="draw-house"):
        await table.referee.matches.offer_draw(id, ANA.user)
    table.clock.forward(6 * 24 * 3600)
    await table.fire()
    assert table.reminded == []
    assert not (await table.referee.views.view(id)).over


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.key)
def test_house_seats_of_one_table_differ_in_level(level: Level) -> None:
    first, *others = table_levels(level, find_game("classic").rules(7), 6)
    assert first is level
    assert len({one.key for one in (first, *others[:2])}) == 3


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.key)
@pytest.mark.parametrize("game", ["welsh", "parlett", "throps", "four-handed", "four-handed hidden bids"])
async def test_no_two_house_seats_of_a_table_play_as_the_same_level(table: Table, level: Level, game: str) -> None:
    """The level of a seat is its name on the board, or the level that the board says it plays as."""
    game, _, words = game.partition(" ")
    begun = await table.referee.practice.begin(HERE, ANA, level, Wish(game=game, words=words))
    view = await table.referee.views.view(begun.live.stored.id)
    plays = {seat: how for seat, how in view.plays if how in ("reader", "sly")}
    names = [one.name.removesuffix(" (house)").lower() for one in view.seats[1:]]
    assert names[0] == level.key
    played = [plays.get(seat, name) for seat, name in enumerate(names, 1)]
    state = begun.live.match.state
    assert state is not None
    if "reader" in names and not can_read(begun.live.rules, observe(state, 1)):
        played[names.index("reader")] = "sly"
    assert len(set(played[:3])) == min(3, len(played)), (names, played)


async def test_practice_of_three_has_two_different_house_levels(table: Table) -> None:
    begun = await table.referee.practice.begin(HERE, ANA, level_of("sage"), Wish(game="three-handed", cards=4))
    assert [seat.name for seat in begun.live.stored.seats[1:]] == ["Sage (house)", "Sly (house)"]


async def test_repeated_practice_keeps_the_setup_and_has_a_new_nonce(table: Table) -> None:
    id = await practise(table, game="parlett", cards=None)
    with pytest.raises(RefereeError, match="still-live"):
        await table.referee.practice.repeat(await table.referee.live(id), ANA, HERE)
    await table.referee.matches.resign(id, ANA.user)
    old = await table.referee.live(id)
    with pytest.raises(RefereeError, match="rematch-not-in"):
        await table.referee.practice.repeat(old, BEN, HERE)
    new = (await table.referee.practice.repeat(old, ANA, HERE)).live.stored
    assert new.id != id
    assert new.nonce != old.stored.nonce
    assert [one.name for one in new.seats] == ["Ana", "Sly (house)", "Matcher (house)"]
    assert new.setup == old.stored.setup


# --- left alone ------------------------------------------------------------------------------------------------


async def test_practice_left_alone_for_a_week_is_stopped(table: Table) -> None:
    id = await practise(table)
    table.clock.forward(3 * 24 * 3600)
    await table.seal(id, ANA.user, 1)
    table.clock.forward(7 * 24 * 3600 - 60)
    await table.fire()
    assert not (await table.referee.views.view(id)).over
    table.clock.forward(120)
    await table.fire()
    view = await table.referee.views.view(id)
    assert view.over
    assert view.outcome is not None
    assert not view.outcome.termination.counts
    assert await table.store.live_count(ANA.user) == 0


async def test_fourth_practice_match_ends_the_oldest(table: Table) -> None:
    ids: list[str] = []
    for _ in range(4):
        table.clock.forward(1)
        ids.append(await practise(table))
    views = [await table.referee.views.view(id) for id in ids]
    assert [view.over for view in views] == [True, False, False, False]
    assert views[0].outcome is not None
    assert not views[0].outcome.termination.counts


async def test_practice_does_not_count_as_a_live_match_with_people(table: Table) -> None:
    await table.store.write((SaveGuild(GuildSettings(HERE.guild, matches=1), None),))
    for _ in range(3):
        await practise(table)
    await table.start(cards=3)
    with pytest.raises(RefereeError, match="too-many-live-you"):
        await table.referee.challenges.open(HERE, ANA, [CEM], Wish())
    await practise(table)


async def test_newest_private_practice_can_be_continued(table: Table) -> None:
    practice = table.referee.practice
    assert await practice.find_private(ANA.user) is None
    first = await practise(table)
    table.clock.forward(1)
    second = await practise(table)
    found = await practice.find_private(ANA.user)
    assert found is not None
    assert found.stored.id == second
    await table.referee.matches.resign(second, ANA.user)
    found = await practice.find_private(ANA.user)
    assert found is not None
    assert found.stored.id == first
    assert await practice.find_private(BEN.user) is None


# --- slow levels -----------------------------------------------------------------------------------------------


async def test_slow_level_thinks_in_a_worker_process(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The seal of the person is answered at once; the reveal follows the bid of the house."""
    monkeypatch.setattr("bot.referee.house.thinking.START", "spawn")  # as outside the tests (`tests/thinkers.py`)
    thinking = await watch(table)
    try:
        id = await practise(table, minds.DEEP)
        view, revealed = await table.seal(id, ANA.user, 1)
        assert not revealed
        assert [seat.name for seat in view.awaited] == ["Deep (house)"]
        await wait_idle(thinking)
        view = await table.referee.views.view(id, ANA.user)
        assert [str(bid.cards[0]) for bid in view.seen.rounds[0].bids if bid] == ["1", "3"]
        assert view.seats[1].sealed  # and at once for the next round
        assert view.lapsed == ()
    finally:
        await thinking.close()


async def test_house_seat_that_thinks_too_long_bids_as_sly(table: Table) -> None:
    thinking = await watch(table, patience=1.0, stuck=0.1)
    try:
        id = await practise(table, minds.STUCK)
        sly = house.choose_bid(await table.referee.live(id), 1, SLY)
        await table.seal(id, ANA.user, 1)
        await wait_idle(thinking)
        view = await table.referee.views.view(id, ANA.user)
        assert view.seen.rounds[0].bids[1] == sly
        assert view.lapsed == (1,)
        # The process that was stuck is gone, and another mind is not kept waiting by it.
        other = await practise(table, minds.DEEP)
        await wait_idle(thinking)
        assert (await table.referee.views.view(other)).seats[1].sealed
        await play_out_slowly(table, thinking, id)
        record = await table.referee.views.record(id)
        assert record["players"][1] == {"seat": 1, "name": "Stuck (house)", "house": "stuck"}
        assert record["fairness"]["lapses"][0] == [0, 0, 0, 1, "sly"]
        assert all(finding.holds for finding in verify(record).findings)
    finally:
        await thinking.close()


async def play_out_slowly(table: Table, thinking: Thinking, id: str) -> None:
    while not (view := await table.referee.views.view(id, ANA.user)).over:
        assert view.seen.prompt is not None
        await table.seal(id, ANA.user, choice_data(view.seen.prompt.lowest()))
        await wait_idle(thinking)


async def test_match_goes_on_when_the_worker_dies(table: Table) -> None:
    thinking = await watch(table)
    try:
        id = await practise(table, minds.DYING)
        await wait_idle(thinking)
        assert (await table.referee.views.view(id)).seats[1].sealed
    finally:
        await thinking.close()


async def test_late_thought_is_finished_in_the_same_process(tmp_path: Path) -> None:
    """The next question waits in line however long that takes, and the process keeps its knowledge."""
    worker, now, later = Worker(), tmp_path, tmp_path / "later"
    try:
        process = await worker.think(minds.in_which_process, str(now), 60.0)
        with pytest.raises(TimeoutError):
            await worker.think(minds.in_which_process, str(later), 0.1)
        patience = 2.0
        waits = asyncio.create_task(worker.think(minds.in_which_process, str(now), patience))
        done, _ = await asyncio.wait([waits], timeout=patience + 0.2)
        assert not done
        later.touch()
        assert await waits == process
    finally:
        worker.stop()


async def test_start_of_a_worker_does_not_count_as_thinking_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy machine takes seconds to start the process; people read that their file took too long."""
    worker, come, wait = Worker(), [], asyncio.wait

    async def until(those: Any, **within: Any) -> Any:
        if within == {"timeout": 60.0}:  # the patience of who asks: it begins now
            pool: Any = worker._pool  # pyright: ignore[reportPrivateUsage]
            come.append(pool is not None and bool(pool._processes))
        return await wait(those, **within)

    monkeypatch.setattr(asyncio, "wait", until)
    try:
        await worker.think(minds.in_which_process, str(tmp_path), 60.0)
        assert come == [True]
    finally:
        worker.stop()


async def test_wait_in_line_for_a_worker_has_a_limit(tmp_path: Path) -> None:
    worker = Worker(line=0.1)
    try:
        held = asyncio.create_task(worker.think(minds.in_which_process, str(tmp_path / "later"), 60.0))
        await asyncio.sleep(0)
        with pytest.raises(TimeoutError):
            await worker.think(minds.in_which_process, str(tmp_path), 0.1)
        assert not held.done()
        (tmp_path / "later").touch()
        assert await held == await worker.think(minds.in_which_process, str(tmp_path), 60.0)
    finally:
        worker.stop()


async def test_stuck_and_abandoned_thoughts_end_their_process(tmp_path: Path) -> None:
    worker = Worker(stuck=0.1)
    try:
        first = await worker.think(minds.in_which_process, str(tmp_path), 60.0)
        with pytest.raises(TimeoutError):
            await worker.think(minds.in_which_process, str(tmp_path / "never"), 0.1)
        second = await worker.think(minds.in_which_process, str(tmp_path), 60.0)
        gone = asyncio.create_task(worker.think(minds.in_which_process, str(tmp_path / "never"), 60.0))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        assert len({first, second, await worker.think(minds.in_which_process, str(tmp_path), 60.0)}) == 3
    finally:
        worker.stop()


async def test_idle_worker_ends_and_starts_again_when_asked(table: Table) -> None:
    worker = Worker(rest=0.0)
    live = await table.referee.live(await practise(table))
    for _ in range(2):  # and comes again
        assert await worker.think(minds.highest, house.make_question(live, 0), 60.0)
        async with asyncio.timeout(60):
            while worker._pool is not None:  # noqa: ASYNC110 - a timer tells nobody
                await asyncio.sleep(0)


class Slow(Thinking):
    """Thinks until the test says so, in this process."""

    def __init__(self, referee: Referee, **more: Any) -> None:
        super().__init__(referee.repository, referee.matches, **more)
        self.begun = asyncio.Event()
        self.go = asyncio.Event()
        self.thoughts = 0

    async def _choose(self, live: Live, seat: int, level: Level) -> Any:
        self.begun.set()
        self.thoughts += 1
        await self.go.wait()
        return minds.highest(house.make_question(live, seat)), ""


async def test_house_bids_after_a_restart_in_the_middle_of_a_thought(table: Table) -> None:
    thinking = Slow(table.referee)
    table.referee.listeners.append(thinking.wake)
    id = await practise(table, minds.DEEP)
    await thinking.begun.wait()
    await table.seal(id, ANA.user, 1)
    await thinking.close()  # as when the process ends: nothing of the thought is left
    after = Table(table.store, table.clock, "another seed")
    again = Slow(after.referee)
    again.go.set()
    await again.catch_up()
    await wait_idle(again)
    view = await after.referee.views.view(id, ANA.user)
    assert len(view.seen.rounds) == 1
    await again.close()


async def test_house_bids_once_in_two_processes(table: Table) -> None:
    other = Table(table.store, table.clock, "another seed")
    one, two = Slow(table.referee), Slow(other.referee)
    table.referee.listeners.append(one.wake)
    id = await practise(table, minds.DEEP)
    await one.begun.wait()
    await two.catch_up()
    await two.begun.wait()
    one.go.set()
    await wait_idle(one)
    two.go.set()
    await wait_idle(two)
    live = await other.referee.reload(id)
    assert len(live.stored.sealed) == 1
    assert live.stored.version == 2
    await table.seal(id, ANA.user, 1)
    await wait_idle(one)
    assert [len(deal.decisions) for deal in (await other.referee.reload(id)).stored.deals] == [2]
    await one.close()
    await two.close()


async def test_thought_that_ends_after_the_match_changes_nothing(table: Table) -> None:
    thinking = Slow(table.referee)
    table.referee.listeners.append(thinking.wake)
    id = await practise(table, minds.DEEP)
    await thinking.begun.wait()
    await table.referee.matches.resign(id, ANA.user)
    thinking.go.set()
    await wait_idle(thinking)
    view = await table.referee.views.view(id)
    assert view.over
    assert thinking.thoughts == 1
    await thinking.close()


async def test_match_does_not_wait_for_the_thought_of_another_match(table: Table) -> None:
    thinking = Slow(table.referee)
    table.referee.listeners.append(thinking.wake)
    await practise(table, minds.DEEP)
    await thinking.begun.wait()
    view = await play_out(table, await practise(table, SLY))
    assert view.over
    await thinking.close()


class Bell:
    """Lets a mind in the worker go on."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go = folder / "go"
        monkeypatch.setenv(minds.BELL, str(folder))


async def test_compiling_does_not_count_as_thinking_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bell = Bell(tmp_path, monkeypatch)
    worker = Worker(line=1.0, prepare=minds.wait_for_bell)
    try:
        thoughts = [asyncio.create_task(worker.think(len, "abc", 1.0)) for _ in range(2)]
        done, _ = await asyncio.wait(thoughts, timeout=2.0)
        assert not done
        bell.go.touch()
        assert await asyncio.gather(*thoughts) == [3, 3]
    finally:
        worker.stop()


async def test_other_matches_go_on_while_sage_thinks(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sage can finish only after the other match is played to its end."""
    bell = Bell(tmp_path, monkeypatch)
    monkeypatch.setattr("bot.referee.repository.house_levels.LEVELS", [*LEVELS, minds.HELD_SAGE])
    thinking = await watch(table, patience=200.0)  # its worker may have kernels to compile, on a busy machine
    try:
        id = await practise(table, minds.HELD_SAGE, cards=4)
        view = await play_out(table, await practise(table, SLY))
        assert view.over
        assert not (await table.referee.views.view(id)).seats[1].sealed
        bell.go.touch()
        await wait_idle(thinking)
        assert (await table.referee.views.view(id)).seats[1].sealed
    finally:
        await thinking.close()


@pytest.mark.parametrize(
    ("level", "game", "plays"),
    [("sage", "classic", "win"), ("sage", "carry", "win"), ("sage", "blind", "even"), ("hawk", "classic", "lean")],
)
async def test_slow_level_plays_a_match_and_shows_its_method(table: Table, level: str, game: str, plays: str) -> None:
    thinking = await watch(table, patience=200.0)  # its worker may have kernels to compile, on a busy machine
    try:
        id = await practise(table, level_of(level), game=game, cards=4)
        assert (await table.referee.views.view(id, ANA.user)).plays == ((1, plays),)
        await wait_idle(thinking)
        await play_out_slowly(table, thinking, id)
        view = await table.referee.views.view(id, ANA.user)
        assert view.lapsed == ()
        record = await table.referee.views.record(id)
        assert "lapses" not in record["fairness"]
        assert record["players"][1]["plays"] == ["win"]
        assert all(finding.holds for finding in verify(record).findings)
    finally:
        await thinking.close()


def test_bot_loads_no_heavy_library() -> None:
    """Only worker processes and the command line solve; the bot stays small and starts at once."""
    heavy = ("numpy", "numba", "llvmlite", "resvg_py")
    code = f"import sys, bot.app; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


# --- every game -------------------------------------------------------------------------------------------------


async def test_record_proves_the_draws_of_the_house(table: Table) -> None:
    for level in (level for level in LEVELS if not level.slow):
        id = await practise(table, level, game="three-handed", cards=5)
        await play_out(table, id)
        record = await table.referee.views.record(id)
        assert record["players"][1]["house"] == level.key
        findings = verify(record).findings
        assert all(finding.holds for finding in findings), [finding.what for finding in findings]
        assert any("of the house" in finding.what for finding in findings)
        told = "random" if level.key != "random" else "sly"
        agreed = record["fairness"]["agreement"]
        agreed["players"] = [f"house:{told}" if one.startswith("house:") else one for one in agreed["players"]]
        assert verify(sealed_anew(record)).code == 1, "everything worked out anew, and it did not play so"


# --- past matches ---------------------------------------------------------------------------------------------


async def test_house_learns_from_past_matches_only_with_permission(table: Table) -> None:
    people, thinking = table.referee.people, await watch(table)
    try:
        for _ in range(2):
            await play_out(table, await practise(table, level_of("matcher")))
        await play_out(table, await practise(table, level_of("matcher"), cards=4))  # other cards say nothing of these
        first = await table.referee.live(await practise(table))
        assert await thinking.memory.load_shown(first, 1) == ()
        assert not await people.lets_learn(ANA.user)
        await people.let_learn(ANA.user, on=True)
        assert await thinking.memory.load_shown(first, 1) == (), "what a match began with it keeps"
        second = await table.referee.live(await practise(table))
        shown = await thinking.memory.load_shown(second, 1)
        assert [one.card for one in shown] == [1, 2, 3] * 2
        assert shown[0].hand == (1, 2, 3)
        await people.let_learn(ANA.user, on=False)
        third = await table.referee.live(await practise(table))
        assert await thinking.memory.load_shown(third, 1) == ()
    finally:
        await thinking.close()


async def test_sage_shows_that_it_plays_by_rollouts_at_a_table_of_three(table: Table) -> None:
    """The worker plays games out: strong, and not solved."""
    thinking = await watch(table)
    try:
        id = await practise(table, level_of("sage"), game="three-handed", cards=None)
        await wait_idle(thinking)
        view = await table.referee.views.view(id, ANA.user)
        assert [how for _, how in view.plays] == ["rolled"]
        assert not view.lapsed
        assert [seat.sealed for seat in view.seats] == [False, True, True]
    finally:
        await thinking.close()
