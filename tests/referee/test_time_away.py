"""Time in which nobody could play is credited, and deadlines are judged by Discord's time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.errors import RefereeError
from bot.process.base.clock import CLOSE, SystemClock
from bot.referee.clock.deadlines import Sleeper
from bot.referee.clock.presence import Presence, credit_partitions, read_downtime, send_heartbeats
from bot.referee.lobby.setups import Wish
from bot.referee.model.changes import CommitUnknown, Heartbeat, NoteHandled, ShiftDeadlines, StoreBusy, StoreReadOnly
from bot.referee.model.model import Deadline, DeadlineKind
from bot.referee.model.partitions import PARTITIONS, partition_of
from bot.referee.referee import Referee
from bot.referee.repository.match_repository import INTERACTION, HandledInteraction
from data.sql.codec import to_micros
from data.sql.statement import Statement
from tests.migrated import migrated
from tests.referee.stage import ANA, BEN, HERE, START, SeededEntropy
from tests.referee.waiting import wait_idle
from tests.sqlite_store import SqliteStore

CLOCK = 30


class Machine:
    """A machine whose wall clock can be set, whose process can be frozen and which can be suspended, and Discord."""

    def __init__(self, store: Any, wrong: float = 0.0) -> None:
        self.true = START.timestamp()
        self.passed = 1000.0
        self.wall = self.true + wrong
        self.store = store
        self.reminded: list[DeadlineKind] = []
        self.start()

    def start(self) -> None:
        """The process begins: the wall clock is read once."""
        self.clock = SystemClock(None, lambda: self.wall, lambda: self.passed)
        self.referee = Referee(self.store, self.clock, SeededEntropy())
        self.sleeper = Sleeper(self.referee, self._remind, Presence(self.referee, timedelta(), lambda: self.passed))

    async def connect(self) -> None:
        away = await read_downtime(self.referee)
        self.presence = Presence(self.referee, away, lambda: self.passed, self.clock)
        self.sleeper.presence = self.presence
        await self.presence.reconnect()

    async def _remind(self, deadline: Deadline) -> bool:
        self.reminded.append(deadline.kind)
        return True

    def pass_time(self, seconds: float) -> None:
        self.true += seconds
        self.wall += seconds
        self.passed += seconds

    async def run(self, seconds: int) -> None:
        """So long everything goes as it should."""
        for number in range(seconds):
            self.pass_time(1.0)
            if number % 3 == 2:
                await self.presence.pulse()
            while self.presence.here.is_set() and await self.sleeper.fire_due() == 0:
                await wait_idle(self.sleeper)

    async def press(self, id: str, user: int, card: int, late: float = 0.0) -> Any:
        """By Discord's clock, a moment ago; dealt with as the bot deals with presses."""
        at = START.fromtimestamp(self.true - late, START.tzinfo)
        await self.presence.sync_clock(at)
        prompt = (await self.referee.views.view(id)).prompt
        return await self.referee.matches.seal(id, user, prompt, card, at)

    async def match(self, clock: int = CLOCK) -> str:
        at = START.fromtimestamp(self.true, START.tzinfo)
        for _ in range(2):  # the command, and the press that accepts
            await self.presence.sync_clock(at)
        lobby = await self.referee.challenges.open(HERE, ANA, (BEN,), Wish(clock=clock))
        await self.referee.challenges.accept(lobby.id, BEN.user, 900)
        return lobby.id

    async def take(self, id: str, ago: float = 0.0) -> None:
        """This process has become the owner of a match's partition. The one before had its last heartbeat then."""
        since = self.referee.clock.now() - timedelta(seconds=ago)
        sql = "UPDATE partitions SET away_since = ? WHERE partition = ?"
        await self.store.database.write([Statement(sql, (to_micros(since), partition_of(id)))])

    async def left(self, id: str) -> float:
        """Seconds that a bid has, by the true time."""
        deadline = (await self.referee.views.view(id)).deadline
        assert deadline is not None
        return deadline.timestamp() - self.true


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    async with await SqliteStore.open(migrated(tmp_path / "gops.sqlite3")) as opened:
        yield opened


async def running(store: Any, wrong: float = 0.0) -> Machine:
    machine = Machine(store, wrong)
    await machine.connect()
    return machine


async def test_process_stopped_three_times_costs_nobody_a_bid(store: SqliteStore) -> None:
    """Three SIGSTOPs of 40 s on a clock of 30 s once lost a rated match for a player who could not press."""
    machine = await running(store)
    id = await machine.match()
    for number in range(3):
        await machine.run(5)
        left = await machine.left(id)
        machine.pass_time(40)
        while await machine.sleeper.fire_due() == 0:  # before anything else has noticed
            pass
        assert left - 1 <= await machine.left(id) <= left + 1, number
    assert (await machine.referee.views.view(id)).round == 1
    view, _ = await machine.press(id, ANA.user, 7)
    assert view.mine == 7


@pytest.mark.parametrize("times", [1, 3])
async def test_time_of_every_freeze_is_credited(store: SqliteStore, times: int) -> None:
    machine = await running(store)
    id = await machine.match()
    for _ in range(times):
        await machine.run(4)
        machine.pass_time(600)
        await machine.presence.detect_stall()
    assert CLOCK - 5 * times - 1 <= await machine.left(id) <= CLOCK
    view = await machine.referee.views.view(id)
    assert view.away >= 600 * times
    assert view.round == 1


async def shown_match(machine: Machine) -> str:
    """Start a match and mark its messages as up to date."""
    id = await machine.match()
    version = (await machine.referee.views.view(id)).version
    for one in await machine.referee.store.surfaces(id):
        await machine.referee.surfaces.put(replace(one, shown=version))
    return id


@pytest.mark.parametrize("away", [2, 5, 20])
async def test_quick_restart_redraws_only_messages_drawn_just_before(store: SqliteStore, away: int) -> None:
    """Where clocks moved by more than people overlook, here a tenth of 30 s, every board shows another time."""
    machine = await running(store)
    early = await shown_match(machine)
    await machine.run(12)
    late = await shown_match(machine)
    await machine.run(3)
    assert await store.behind() == []
    machine.pass_time(away)
    machine.start()
    await machine.connect()
    await machine.referee.surfaces.mark_behind()  # as before everything that is behind is drawn
    assert {one.match for one in await store.behind()} == ({late} if away < CLOCK / 10 else {early, late})


async def test_press_right_after_a_freeze_is_in_time(store: SqliteStore) -> None:
    """The press may be handled before the presence notices the freeze."""
    machine = await running(store)
    id = await machine.match()
    await machine.run(20)
    machine.pass_time(60)
    view, _ = await machine.press(id, ANA.user, 7)
    assert view.mine == 7


@pytest.mark.parametrize("begins", [False, True])
async def test_press_while_another_shard_is_away_is_in_time(store: SqliteStore, begins: bool) -> None:
    """While one shard is lost or not connected yet, no clock runs, and the other shards bring presses."""
    machine = await running(store)
    id = await machine.match()
    await machine.run(CLOCK - 3)
    if begins:
        away = await read_downtime(machine.referee)
        machine.presence = Presence(machine.referee, away, lambda: machine.passed, machine.clock)
        machine.sleeper.presence = machine.presence
    else:
        machine.presence.disconnect()
    for person in (ANA, BEN):
        machine.pass_time(60)
        assert not machine.presence.here.is_set()
        await machine.press(id, person.user, 7)
    assert not machine.presence.here.is_set(), "clocks stand until all are connected"
    machine.pass_time(60)
    await machine.presence.reconnect()
    assert await machine.left(id) == pytest.approx(CLOCK, abs=1)
    await machine.run(CLOCK - 2)
    view, _ = await machine.press(id, ANA.user, 6)
    assert view.mine == 6


async def test_boards_are_redrawn_after_a_long_loss_divided_by_presses(store: SqliteStore) -> None:
    """Each part alone was too short to redraw the boards."""
    machine = await running(store)
    id = await machine.match()
    machine.presence.disconnect()
    for card in (7, 6, 5):
        machine.pass_time(8)
        await machine.press(id, ANA.user, card)
    machine.pass_time(8)
    shifts: list[ShiftDeadlines] = []
    write = store.write

    async def watched(change: Any) -> Any:
        shifts.extend(step for step in change if isinstance(step, ShiftDeadlines))
        return await write(change)

    store.write = watched  # type: ignore[method-assign]
    await machine.presence.reconnect()
    assert [(round(one.by.total_seconds()), one.unseen) for one in shifts] == [(8, False)]


async def test_freeze_does_not_bring_the_clock_warning_forward(store: SqliteStore) -> None:
    """The warning once came at once and was not sent again when it was due."""
    machine = await running(store)
    await machine.match(clock=120)
    await machine.run(5)
    machine.pass_time(600)
    await machine.run(80)
    assert machine.reminded == []
    await machine.run(6)
    assert machine.reminded == [DeadlineKind.WARNING]


async def test_clock_runs_out_without_a_disturbance(store: SqliteStore) -> None:
    machine = await running(store)
    id = await machine.match()
    await machine.run(CLOCK + 5)
    assert (await machine.referee.views.view(id)).round == 2


async def test_no_clock_runs_while_the_store_is_locked(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A press in time was once refused because of the lock, and the lowest card was played."""
    machine = await running(store)
    id = await machine.match()
    await machine.run(CLOCK - 2)
    left = await machine.left(id)
    for trouble in (StoreBusy("locked"), StoreReadOnly("full")):

        async def refuse(_: object, trouble: Exception = trouble) -> list[int]:
            raise trouble

        with monkeypatch.context() as patch:
            patch.setattr(machine.store.database, "write", refuse)
            with pytest.raises(type(trouble)):
                await machine.press(id, ANA.user, 7)
            machine.presence.stall()  # as the error handler does
            await machine.run(120)
            assert not machine.presence.here.is_set()
        await machine.run(3)
        assert machine.presence.here.is_set()
        assert (await machine.referee.views.view(id)).round == 1
        assert left - 5 <= await machine.left(id) <= left + 5
    view, _ = await machine.press(id, ANA.user, 7)
    assert view.mine == 7


async def test_no_clock_runs_out_while_a_freeze_is_not_credited_yet(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process stood still, and the store refuses to write the credit."""
    machine = await running(store)
    id = await machine.match()
    await machine.run(5)
    machine.pass_time(60)
    take, refused = machine.store.database.write, list[object]()

    async def refuse_once(change: object) -> object:
        if not refused:
            refused.append(change)
            raise StoreBusy("locked")
        return await take(change)

    monkeypatch.setattr(machine.store.database, "write", refuse_once)
    await machine.sleeper.fire_due()
    assert refused
    assert machine.presence.stalled
    await machine.run(3)
    assert (await machine.referee.views.view(id)).round == 1
    assert await machine.left(id) > CLOCK - 10


@pytest.mark.parametrize("when", ["start", "return", "stop"])
async def test_freeze_while_time_is_credited_is_credited_too(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """The machine sleeps during the write; that sleep was once counted against the players."""
    machine = await running(store)
    id = await machine.match()
    await machine.run(3)
    take, slept = machine.store.database.write, list[object]()

    async def sleep_once(change: object) -> object:
        done = await take(change)
        if not slept:
            slept.append(change)
            machine.pass_time(600)
        return done

    if when == "start":
        machine.start()
    machine.pass_time(10)
    with monkeypatch.context() as patch:
        patch.setattr(machine.store.database, "write", sleep_once)
        if when == "start":
            await machine.connect()
        elif when == "return":
            machine.presence.disconnect()
            await machine.presence.reconnect()
        else:
            await machine.presence.detect_stall()
    assert slept
    await machine.run(3)
    assert (await machine.referee.views.view(id)).round == 1
    assert CLOCK - 10 <= await machine.left(id) <= CLOCK


async def test_heartbeat_finds_a_stall_without_any_press(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = await running(store)
    id = await machine.match()
    await machine.run(9)

    async def refuse(_: object) -> list[int]:
        raise StoreBusy("locked")

    with monkeypatch.context() as patch:
        patch.setattr(machine.store.database, "write", refuse)
        await machine.run(300)
        assert machine.presence.stalled
    await machine.run(3)
    assert (await machine.referee.views.view(id)).round == 1
    assert await machine.left(id) > CLOCK - 20


@pytest.mark.parametrize("wrong", [-40.0, 40.0, -3600.0, 86_400.0, -86_400.0])
async def test_machine_with_a_wrong_clock_judges_by_discords_time(store: SqliteStore, wrong: float) -> None:
    """A bot 40 s behind once refused every bid with a false sentence."""
    machine = await running(store, wrong)
    told: list[timedelta] = []
    machine.presence.on_skew = told.append
    id = await machine.match()
    assert abs(await machine.left(id) - CLOCK) < 1
    assert told
    assert abs(told[-1] + timedelta(seconds=wrong)) < CLOSE
    await machine.run(CLOCK - 1)
    view, _ = await machine.press(id, ANA.user, 7, late=0.5)
    assert view.mine == 7
    await machine.run(2)
    with pytest.raises(RefereeError, match="clock-ran-out"):
        await machine.press(id, BEN.user, 5)
    await machine.run(3)
    assert (await machine.referee.views.view(id)).round == 2


@pytest.mark.parametrize("jump", [86_400.0, -86_400.0, 60.0, -60.0])
async def test_wall_clock_jump_while_the_bot_runs_costs_nobody_a_bid(store: SqliteStore, jump: float) -> None:
    machine = await running(store)
    id = await machine.match()
    await machine.run(10)
    machine.wall += jump
    await machine.run(1)
    assert abs(await machine.left(id) - (CLOCK - 11)) < 1
    view, _ = await machine.press(id, ANA.user, 7)
    assert view.mine == 7
    assert view.round == 1


@pytest.mark.parametrize("jump", [86_400.0, -86_400.0])
async def test_wall_clock_jump_while_the_bot_is_down_costs_nobody_a_bid(store: SqliteStore, jump: float) -> None:
    machine = await running(store)
    id = await machine.match()
    await machine.run(12)
    machine.pass_time(5)
    machine.wall += jump
    machine.start()
    await machine.connect()
    for _ in range(2):
        await machine.presence.sync_clock(START.fromtimestamp(machine.true, START.tzinfo))
    assert CLOCK - 13 <= await machine.left(id) <= CLOCK
    view, _ = await machine.press(id, ANA.user, 7)
    assert view.mine == 7


async def test_time_is_given_back_at_a_press_that_discord_repeats(store: SqliteStore) -> None:
    """It is no work of that press, which was handled before a kill."""
    machine = await running(store)
    id = await machine.match()
    await store.write((NoteHandled(77),))
    machine.presence.disconnect()
    machine.pass_time(400)
    INTERACTION.set(HandledInteraction(77))
    await machine.presence.sync_clock(START.fromtimestamp(machine.true, START.tzinfo))
    assert not machine.presence.stalled
    assert await machine.left(id) > CLOCK - 13
    with pytest.raises(RefereeError, match="repeated"):
        await machine.referee.matches.resign(id, ANA.user)


@pytest.mark.parametrize("wrong", [-40.0, 40.0, -3600.0])
async def test_clock_set_during_an_outage_keeps_the_time_to_credit(store: SqliteStore, wrong: float) -> None:
    """The machine sleeps while offline; a press repeated before the session is back corrects the clock."""
    machine = await running(store)
    id = await machine.match()
    await machine.run(12)
    machine.wall += wrong
    machine.start()
    await machine.connect()
    machine.presence.disconnect()
    machine.pass_time(400)
    for _ in range(2):
        await machine.presence.sync_clock(START.fromtimestamp(machine.true, START.tzinfo))
    assert abs(machine.clock.now().timestamp() - machine.true) < 1
    await machine.presence.reconnect()
    assert CLOCK - 13 <= await machine.left(id) <= CLOCK - 11
    view, _ = await machine.press(id, ANA.user, 7)
    assert view.mine == 7


async def test_press_does_not_wait_for_redrawn_boards(store: SqliteStore) -> None:
    """Redrawing every board after a shift may take long; the press that found the shift goes on."""
    machine = await running(store)
    id = await machine.match()
    await machine.run(12)
    told = asyncio.Event()

    async def slow() -> None:
        told.set()
        await asyncio.Event().wait()

    machine.presence.on_shift = slow
    machine.pass_time(20)
    async with asyncio.timeout(10):
        view, _ = await machine.press(id, ANA.user, 7)
        assert view.mine == 7
        beat = asyncio.create_task(machine.presence.pulse())
        await told.wait()
    beat.cancel()


@pytest.mark.parametrize("trouble", [StoreBusy("locked"), StoreReadOnly("full"), CommitUnknown("cut")])
async def test_shift_that_cannot_be_announced_is_announced_by_a_later_heartbeat(
    store: SqliteStore, trouble: Exception
) -> None:
    """The store refuses to mark messages; a start once ended with a traceback."""
    machine = await running(store)
    troubles, told = [trouble], list[bool]()

    async def mark() -> None:
        if troubles:
            raise troubles.pop()
        told.append(True)

    machine.presence.on_shift = mark
    await machine.presence.tell_moved()
    assert told == []
    await machine.run(3)
    assert told == [True]
    await machine.run(3)
    assert told == [True]


async def test_late_press_does_not_set_the_clock_back(store: SqliteStore) -> None:
    """A resumed session brings old presses; the quickest presses set the clock."""
    machine = await running(store)
    id = await machine.match()
    now = machine.clock.now()
    for late in (0.2, 30.0, 300.0, 0.3):
        with suppress(RefereeError):
            await machine.press(id, ANA.user, 7, late)
    assert abs(machine.clock.now() - now) < CLOSE


async def test_impossible_press_time_does_not_set_the_clock(store: SqliteStore) -> None:
    machine = await running(store)
    before = machine.clock.now()
    await machine.presence.sync_clock(START.replace(year=2084))
    assert machine.clock.now() == before


async def test_presses_are_in_time_while_the_clock_is_being_set(store: SqliteStore) -> None:
    """Presses of the same instant as the press that sets the clock are not late."""
    machine = await running(store, -40.0)
    lobby = await machine.referee.challenges.open(HERE, ANA, (BEN,), Wish(clock=CLOCK))
    await machine.referee.challenges.accept(lobby.id, BEN.user, 900)
    machine.pass_time(1)
    pressed = await asyncio.gather(machine.press(lobby.id, ANA.user, 7), machine.press(lobby.id, BEN.user, 5))
    assert any(revealed for _, revealed in pressed)


@pytest.mark.parametrize("wrong", [-600.0, 600.0])
async def test_round_that_begins_while_the_clock_is_set_has_its_whole_time(
    store: SqliteStore, wrong: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bids arrive a moment before the press that sets the clock; the new deadline is right by the new time."""
    machine = await running(store, wrong)
    lobby = await machine.referee.challenges.open(HERE, ANA, (BEN,), Wish(clock=CLOCK))
    await machine.referee.challenges.accept(lobby.id, BEN.user, 900)
    id = lobby.id
    prompt = (await machine.referee.views.view(id)).prompt
    at = START.fromtimestamp(machine.true, START.tzinfo)
    reached, go = asyncio.Event(), asyncio.Event()
    write = store.write

    async def slow(change: Any) -> Any:
        if isinstance(change[0], ShiftDeadlines):
            reached.set()
            await go.wait()
        return await write(change)

    monkeypatch.setattr(store, "write", slow)
    setting = asyncio.gather(machine.presence.sync_clock(at), machine.presence.sync_clock(at))
    await reached.wait()
    bids = [asyncio.create_task(machine.referee.matches.seal(id, one.user, prompt, 5, at)) for one in (ANA, BEN)]
    for _ in range(20):  # as far as they come meanwhile
        await asyncio.sleep(0)
    go.set()
    await setting
    assert [revealed for _, revealed in await asyncio.gather(*bids)] == [False, True]
    assert abs(await machine.left(id) - CLOCK) < 1


async def test_press_during_a_heartbeat_does_not_overtake_waiting_presses(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bid once came before the change that was pressed first."""
    machine = await running(store)
    at = START.fromtimestamp(machine.true, START.tzinfo)
    reached, go, heard, pressing = asyncio.Event(), asyncio.Event(), list[int](), list[asyncio.Task[None]]()
    write = store.write

    async def press(number: int) -> None:
        await machine.presence.sync_clock(at)
        heard.append(number)

    async def slow(change: Any) -> Any:
        reached.set()
        await go.wait()
        answer = await write(change)
        pressing.append(asyncio.create_task(press(3)))
        return answer

    monkeypatch.setattr(store, "write", slow)
    beat = asyncio.create_task(machine.presence.pulse())
    await reached.wait()
    for number in (1, 2):
        pressing.append(asyncio.create_task(press(number)))
        await asyncio.sleep(0)
    go.set()
    await beat
    await asyncio.gather(*pressing)
    assert heard == [1, 2, 3]


async def test_no_deadline_fires_by_the_time_before_the_clock_was_set_back(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Due deadlines were queried by the old time and returned with the new deadlines."""
    machine = await running(store, 3600.0)
    lobby = await machine.referee.challenges.open(HERE, ANA, (BEN,), Wish(clock=CLOCK))
    await machine.referee.challenges.accept(lobby.id, BEN.user, 900)
    await machine.run(3)
    ask = machine.store.due

    async def set_back_first(*asked: Any) -> Any:
        for _ in range(2):
            await machine.presence.sync_clock(START.fromtimestamp(machine.true, START.tzinfo))
        return await ask(*asked)

    with monkeypatch.context() as patch:
        patch.setattr(machine.store, "due", set_back_first)
        await machine.sleeper.fire_due()
    assert machine.clock.skew < timedelta()
    await machine.run(3)
    assert (await machine.referee.views.view(lobby.id)).round == 1
    assert abs(await machine.left(lobby.id) - (CLOCK - 6)) < 1


@pytest.mark.parametrize("wrong", [0.0, 5.0])
async def test_late_press_keeps_its_age_in_a_new_process(store: SqliteStore, wrong: float) -> None:
    """A new process met presses that had waited, took its own clock for wrong, and held late answers for shown."""
    machine = await running(store, wrong)
    late = START.fromtimestamp(machine.true - 5, START.tzinfo)
    for _ in range(2):
        await machine.presence.sync_clock(late)
    assert machine.presence.press_age(late) >= 5
    now = START.fromtimestamp(machine.true, START.tzinfo)
    await machine.presence.sync_clock(now)
    assert machine.presence.press_age(now) == pytest.approx(wrong)


@asynccontextmanager
async def beating(machine: Machine) -> AsyncIterator[None]:
    task = asyncio.create_task(send_heartbeats(machine.presence))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_heartbeat_goes_on_while_clocks_stand(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The heartbeat once waited for the presence, which waits for the heartbeat."""
    monkeypatch.setattr("bot.referee.clock.presence.BEAT", timedelta())
    machine = await running(store)
    machine.presence.stall()
    async with beating(machine), asyncio.timeout(60):
        await machine.presence.here.wait()


# --- challenges --------------------------------------------------------------------------------------------------

LIFE = 600


async def asked(machine: Machine) -> str:
    return (await machine.referee.challenges.open(HERE, ANA, (BEN,), Wish(clock=CLOCK))).id


async def life(machine: Machine, id: str) -> float:
    """Seconds that a challenge has, by the true time."""
    return (await machine.referee.lobbies.get(id)).expires.timestamp() - machine.true


async def state(machine: Machine, id: str) -> str:
    return (await machine.referee.lobbies.get(id)).state.name


async def test_challenge_outlives_a_freeze(store: SqliteStore) -> None:
    """Nobody could accept the challenge during the freeze."""
    machine = await running(store)
    id = await asked(machine)
    await machine.run(5)
    machine.pass_time(3600)
    while await machine.sleeper.fire_due() == 0:  # before anything else has noticed
        pass
    assert await state(machine, id) == "OPEN"
    assert LIFE - 7 <= await life(machine, id) <= LIFE
    await machine.run(LIFE + 8)
    assert await state(machine, id) == "EXPIRED"


async def test_challenge_outlives_a_restart(store: SqliteStore) -> None:
    machine = await running(store)
    id = await asked(machine)
    await machine.run(12)
    machine.pass_time(LIFE)
    machine.start()
    await machine.connect()
    while await machine.sleeper.fire_due() == 0:
        pass
    assert LIFE - 15 <= await life(machine, id) <= LIFE
    assert await machine.referee.challenges.accept(id, BEN.user, 900)


@pytest.mark.parametrize("wrong", [-40.0, 40.0, 3600.0, -86_400.0])
async def test_challenge_made_by_a_wrong_clock_lives_its_usual_time(store: SqliteStore, wrong: float) -> None:
    """The challenge was made before the first presses corrected the clock."""
    machine = await running(store, wrong)
    id = await asked(machine)
    for _ in range(2):
        await machine.presence.sync_clock(START.fromtimestamp(machine.true, START.tzinfo))
    assert abs(await life(machine, id) - LIFE) < 1
    await machine.run(LIFE - 2)
    assert await state(machine, id) == "OPEN"
    await machine.run(8)
    assert await state(machine, id) == "EXPIRED"


@pytest.mark.parametrize("jump", [86_400.0, -86_400.0])
async def test_wall_clock_jump_between_two_starts_ends_no_challenge(store: SqliteStore, jump: float) -> None:
    machine = await running(store)
    id = await asked(machine)
    await machine.run(12)
    machine.wall += jump
    machine.start()
    await machine.connect()
    while await machine.sleeper.fire_due() == 0:
        pass
    for _ in range(2):
        await machine.presence.sync_clock(START.fromtimestamp(machine.true, START.tzinfo))
    assert await state(machine, id) == "OPEN"
    assert LIFE - 15 <= await life(machine, id) <= LIFE


@pytest.mark.parametrize("kind", ["challenge", "table"])
async def test_answer_pressed_in_time_counts_although_it_arrives_late(store: SqliteStore, kind: str) -> None:
    """By Discord's clock the press is a moment before the end, and the bot handles it a moment after."""
    machine = await running(store)
    referee = machine.referee
    if kind == "table":
        id = (await referee.tables.open(HERE, ANA, 2, Wish(clock=CLOCK))).id
    else:
        id = await asked(machine)
    await machine.run(LIFE)
    machine.pass_time(0.5)
    assert await machine.sleeper.fire_due() > 0
    for ago in (0.25, 0.75):
        at = START.fromtimestamp(machine.true - ago, START.tzinfo)
        if kind == "table":
            answer = referee.tables.join(id, BEN, 900, at)
        else:
            answer = referee.challenges.accept(id, BEN.user, 900, at)
        if ago < 0.5:
            with pytest.raises(RefereeError, match=r"challenge-gone|table-gone"):
                await answer
        else:
            await answer
    assert await state(machine, id) == "STARTED"


async def test_partition_of_a_dead_process_is_credited_since_that_was_alive(store: SqliteStore) -> None:
    machine = await running(store)
    id = await machine.match()
    left = await machine.left(id)
    await machine.take(id)
    machine.pass_time(12)
    mine = partition_of(id)
    await credit_partitions(machine.referee, {(mine + 1) % PARTITIONS: 7})
    assert await machine.left(id) == pytest.approx(left - 12), "another partition has no owner"
    await credit_partitions(machine.referee, {mine: 7})
    assert await machine.left(id) == pytest.approx(left)


@pytest.mark.parametrize("trouble", ["disconnect", "stall"])
async def test_partition_that_is_taken_while_nobody_can_play_here_is_credited_once(
    store: SqliteStore, trouble: str
) -> None:
    """Its new owner gives back the time since its own last heartbeat to all of its partitions, this one included."""
    machine = await running(store)
    id = await machine.match(clock=300)
    await machine.run(5)
    getattr(machine.presence, trouble)()
    machine.pass_time(60)
    await machine.take(id)
    left = await machine.left(id)
    machine.pass_time(10)
    await credit_partitions(machine.referee, {partition_of(id): 7}, is_away=machine.presence.is_away)
    machine.pass_time(20)
    await (machine.presence.reconnect() if trouble == "disconnect" else machine.presence.pulse())
    assert await machine.left(id) == pytest.approx(left, abs=1)


async def test_partition_that_is_handed_over_while_nobody_can_play_is_credited_from_the_beginning(
    store: SqliteStore,
) -> None:
    """A process that was started meanwhile gave back only the time since its own start."""
    machine = await running(store)
    id = await machine.match(clock=300)
    left = await machine.left(id)
    await machine.run(6)
    machine.presence.disconnect()
    machine.pass_time(1)
    await machine.take(id, ago=7)
    await credit_partitions(machine.referee, {partition_of(id): 7}, living=[7], is_away=machine.presence.is_away)
    machine.pass_time(20)
    await machine.presence.reconnect()
    assert await machine.left(id) == pytest.approx(left)


@pytest.mark.parametrize("is_done", [True, False])
async def test_time_is_given_back_once_though_nobody_knows_if_that_was_written(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch, is_done: bool
) -> None:
    machine = await running(store)
    id = await machine.match()
    left = await machine.left(id)
    await machine.take(id)
    machine.pass_time(12)
    changes: list[Any] = []

    async def lose_answer(change: Any) -> None:
        changes.append(change)
        raise CommitUnknown("cut")

    with monkeypatch.context() as patch:
        patch.setattr(store, "write", lose_answer)
        with pytest.raises(CommitUnknown):
            await credit_partitions(machine.referee, {partition_of(id): 7})
    if is_done:
        await store.write(changes[0])
    await credit_partitions(machine.referee, {partition_of(id): 7})
    if not is_done:  # it was under way
        await store.write(changes[0])
    assert await machine.left(id) == pytest.approx(left)


@pytest.mark.parametrize("ahead", [0, 3600, -3600])
async def test_lost_connection_is_credited_although_another_process_is_alive(store: SqliteStore, ahead: int) -> None:
    """The time since any heartbeat was given back: next to nothing, or that by which the other machine's clock is
    wrong."""
    machine = await running(store)
    id = await machine.match()
    await machine.run(6)
    left = await machine.left(id)
    machine.presence.disconnect()
    machine.pass_time(60)
    other = machine.referee.clock.now() + timedelta(seconds=ahead)
    await machine.referee.write((Heartbeat(other, process=7),))
    await machine.presence.reconnect()
    assert await machine.left(id) == pytest.approx(left, abs=1)


@pytest.mark.parametrize("ahead", [0, 3600, -3600])
async def test_partition_that_is_handed_over_keeps_its_time_by_the_clock_of_the_next_process(
    store: SqliteStore, ahead: int
) -> None:
    """A process with a clock that was ahead took all bids of the partitions that it got."""
    machine = await running(store)
    id = await machine.match()
    left = await machine.left(id)
    machine.pass_time(2)
    await machine.take(id, ago=ahead + 2)
    await credit_partitions(machine.referee, {partition_of(id): 7}, living=[7])
    assert await machine.left(id) == pytest.approx(left - 2 + ahead, abs=3)


@pytest.mark.parametrize(("living", "told"), [([], ["1 partitions had no owner for up to 12.0 s"]), ([7], [])])
async def test_log_tells_the_time_without_an_owner(
    store: SqliteStore, caplog: pytest.LogCaptureFixture, living: list[int], told: list[str]
) -> None:
    """A partition that a living process hands over always had one, and its time may be negative."""
    machine = await running(store)
    id = await machine.match()
    await machine.take(id, ago=-0.5 if living else 12)
    caplog.clear()
    caplog.set_level("INFO", "bot.referee.clock.presence")
    await credit_partitions(machine.referee, {partition_of(id): 7}, living, is_away=True)
    assert caplog.messages == told


@pytest.mark.parametrize("owns", [True, False])
async def test_log_tells_the_time_away_only_if_a_clock_got_it(
    store: SqliteStore, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, owns: bool
) -> None:
    """A process that joins others owns no partition yet."""
    machine = await running(store)
    machine.presence.disconnect()
    machine.pass_time(5)
    monkeypatch.setattr(store, "owns_partition", lambda _: owns)
    caplog.set_level("INFO", "bot.referee.clock.presence")
    await machine.presence.reconnect()
    assert caplog.messages == ["away for 5.0 seconds; every clock of this process got that time back"] * owns
