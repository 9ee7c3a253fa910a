"""Connections between processes: requests and answers, and what happens when one side is busy, wrong or gone."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import struct
import sys
import time
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest

from bot.process.base.addresses import join_address, split_address
from bot.process.peers import connection as connection_module
from bot.process.peers import frames
from bot.process.peers import peers as peers_module
from bot.process.peers.connection import (
    BEATS,
    MAX_WAITING,
    FrameKind,
    PeerReply,
    PeerRequest,
    PeerStatus,
    relay_response,
)
from bot.process.peers.frames import MAX_BODY, Handshake, Session
from bot.process.peers.peers import Peers
from bot.rest.inline_response import InlineResponse
from tests.conftest import ROOT
from tests.operate.ports import free_port
from tests.process.scene import PATIENCE, Owner, Scene, Wire, connected, end, identity, serving

SHORT = 0.05
"""a timeout that a test waits for, in seconds"""


class Gate:
    """A deed that waits until a test lets it go on."""

    def __init__(self, status: PeerStatus = PeerStatus.HANDLED) -> None:
        self.opened = asyncio.Event()
        self.status = status

    async def __call__(self, _: PeerRequest) -> PeerStatus:
        await self.opened.wait()
        return self.status


class Lines(logging.Handler):
    """The lines of the log, one after the other."""

    def __init__(self) -> None:
        super().__init__()
        self._queue = asyncio.Queue[str]()

    def emit(self, record: logging.LogRecord) -> None:
        self._queue.put_nowait(record.getMessage())

    async def next(self, text: str) -> str:
        """Wait for a line with this text."""
        async with asyncio.timeout(PATIENCE):
            while text not in (line := await self._queue.get()):
                pass
            return line

    def rest(self) -> list[str]:
        return [self._queue.get_nowait() for _ in range(self._queue.qsize())]


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may need more than two seconds to connect; the requests of a test would be lost."""
    for module in (connection_module, peers_module):
        monkeypatch.setattr(module, "HANDSHAKE", PATIENCE)


@pytest.fixture
async def lines() -> AsyncIterator[Lines]:
    handler, log = Lines(), logging.getLogger("bot.process.peers")
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)
    yield handler
    log.removeHandler(handler)
    log.setLevel(level)


@pytest.mark.parametrize("status", [PeerStatus.HANDLED, PeerStatus.MOVED, PeerStatus.BUSY])
async def test_status_of_the_owner_is_returned(status: PeerStatus) -> None:
    async def deed(_: PeerRequest) -> PeerStatus:
        return status

    async with connected(deed) as scene:
        assert await scene.forward(b"press") == PeerReply(status)
        assert scene.owner.bodies == [b"press"]


async def test_request_can_be_answered_before_its_work_ends() -> None:
    gate = Gate(PeerStatus.MOVED)

    async def deed(request: PeerRequest) -> PeerStatus:
        request.answer(PeerStatus.HANDLED)
        return await gate(request)

    async with connected(deed) as scene:
        assert (await scene.forward()).status is PeerStatus.HANDLED
        gate.opened.set()
        scene.owner.deed = gate
        assert (await scene.forward()).status is PeerStatus.MOVED


async def test_failed_request_is_lost_and_only_the_type_of_its_error_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def deed(_: PeerRequest) -> PeerStatus:
        raise RuntimeError("seal K")

    async with connected(deed) as scene:
        assert (await scene.forward()).status is PeerStatus.LOST
    assert "a forwarded request was not handled: RuntimeError" in caplog.messages
    assert "seal K" not in caplog.text


async def test_requests_of_one_connection_begin_in_their_order() -> None:
    gate = Gate()
    async with connected(gate) as scene:
        bodies = [b"%d" % number for number in range(500)]
        asking = [asyncio.create_task(scene.forward(body)) for body in bodies]
        await scene.owner.begun.wait()
        gate.opened.set()
        await asyncio.gather(*asking)
        assert scene.owner.bodies == bodies


async def test_requests_that_wait_for_the_connection_keep_their_order() -> None:
    """One that comes just when the connection is there does not overtake them."""
    async with connected() as scene:
        asking: list[asyncio.Task[PeerReply]] = []

        def ask() -> None:
            asking.append(asyncio.create_task(scene.forward(b"%d" % len(asking))))

        for _ in range(3):
            ask()
        while len(asking) < 50:
            await asyncio.sleep(0)
            ask()
        await asyncio.gather(*asking)
        assert scene.owner.bodies == [b"%d" % number for number in range(50)]


async def test_answers_come_in_any_order() -> None:
    gates = {b"1": Gate(PeerStatus.MOVED), b"2": Gate(PeerStatus.HANDLED)}
    async with connected(lambda request: gates[request.body](request)) as scene:
        one, two = (asyncio.create_task(scene.forward(body)) for body in gates)
        gates[b"2"].opened.set()
        assert (await two).status is PeerStatus.HANDLED
        gates[b"1"].opened.set()
        assert (await one).status is PeerStatus.MOVED


# --- answers that go back by HTTP -------------------------------------------------------------------------


@pytest.fixture
def relayed(monkeypatch: pytest.MonkeyPatch) -> asyncio.Queue[object]:
    """What became of each relayed answer; no test gets that by waiting for the time to be over."""
    monkeypatch.setattr(connection_module, "WRITTEN_WITHIN", 600.0)
    return asyncio.Queue()


@pytest.fixture
def relays(relayed: asyncio.Queue[object]) -> Callable[[PeerRequest], Awaitable[PeerStatus]]:
    async def deed(request: PeerRequest) -> PeerStatus:
        try:
            await request.relay(b"answer")
        except OSError as error:
            relayed.put_nowait(type(error))
        else:
            relayed.put_nowait("written")
        return PeerStatus.HANDLED

    return deed


async def test_owner_learns_whether_its_answer_was_written(relays: Any, relayed: asyncio.Queue[object]) -> None:
    async with connected(relays) as scene:
        for is_written, outcome in ((True, "written"), (False, ConnectionAbortedError)):
            reply = await scene.forward()
            assert (reply.status, reply.body) == (PeerStatus.ANSWER, b"answer")
            assert relayed.empty()
            reply.acknowledge(is_written)
            assert await relayed.get() == outcome


async def test_answer_that_nobody_acknowledges_is_uncertain(
    relays: Any, relayed: asyncio.Queue[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "WRITTEN_WITHIN", SHORT)
    async with connected(relays) as scene:
        reply = await scene.forward()
        assert await relayed.get() is ConnectionAbortedError
        reply.acknowledge(True)  # too late: nothing happens
        assert (await scene.forward()).status is PeerStatus.ANSWER


async def test_answer_to_an_asker_that_ends_is_uncertain(relays: Any, relayed: asyncio.Queue[object]) -> None:
    async with connected(relays) as scene:
        await scene.forward()
        scene.asker.keep([])
        assert await relayed.get() is ConnectionAbortedError


async def test_late_answer_is_ignored_and_the_owner_makes_a_call(relayed: asyncio.Queue[object], relays: Any) -> None:
    gate = Gate()

    async def deed(request: PeerRequest) -> PeerStatus:
        await gate(request)
        return await relays(request)

    async with connected() as scene:
        await scene.forward()  # connects, which may take longer than this test waits
        scene.owner.deed = deed
        assert (await scene.forward(within=SHORT)).status is PeerStatus.LOST
        gate.opened.set()
        assert await asyncio.wait_for(relayed.get(), PATIENCE) is ConnectionAbortedError
        reply = await scene.forward()
        assert reply.status is PeerStatus.ANSWER
        reply.acknowledge(True)
        assert await relayed.get() == "written"


async def test_late_status_is_ignored() -> None:
    gate = Gate(PeerStatus.MOVED)
    async with connected(gate) as scene:
        assert (await scene.forward(within=SHORT)).status is PeerStatus.LOST
        gate.opened.set()
        gate.status = PeerStatus.HANDLED
        assert (await scene.forward()).status is PeerStatus.HANDLED


PAYLOAD = {"type": 7, "data": {"content": "seal K"}}


@pytest.mark.parametrize("is_written", [True, False])
async def test_inline_response_is_relayed(is_written: bool) -> None:
    sent = asyncio.Queue[object]()

    async def deed(request: PeerRequest) -> PeerStatus:
        inline = InlineResponse()

        async def work() -> None:
            try:
                sent.put_nowait(await inline.try_respond(PAYLOAD))
            except OSError as error:
                sent.put_nowait(type(error))

        working = asyncio.create_task(work())
        await relay_response(request, inline, working)
        await working
        return PeerStatus.HANDLED

    async with connected(deed) as scene:
        reply = await scene.forward()
        assert reply.body == b'{"type":7,"data":{"content":"seal K"}}'
        reply.acknowledge(is_written)
        assert await sent.get() == (True if is_written else ConnectionAbortedError)


async def test_response_without_a_payload_is_empty_while_the_work_goes_on() -> None:
    gate, called = Gate(), asyncio.Event()

    async def deed(request: PeerRequest) -> PeerStatus:
        inline = InlineResponse()

        async def work() -> None:
            assert not await inline.try_respond(None)
            await gate(request)
            called.set()

        working = asyncio.create_task(work())
        await relay_response(request, inline, working)
        await working
        return PeerStatus.HANDLED

    async with connected(deed) as scene:
        assert await scene.forward() == PeerReply(PeerStatus.HANDLED)
        assert not called.is_set()
        gate.opened.set()
        await called.wait()


# --- frames without an answer -----------------------------------------------------------------------------


async def test_jobs_limits_and_changes_are_told() -> None:
    async with connected() as scene:
        await scene.forward()
        assert await scene.owner.heard.get() == ("forget", 0), "what it was not told before they were connected"
        scene.asker.wake(scene.address, 63)
        scene.asker.tell_limit(1.5)
        assert await scene.owner.heard.get() == ("wake", 63)
        scene.asker.tell_changed(2**63)
        assert await scene.owner.heard.get() == ("limit", 1.5)
        assert await scene.owner.heard.get() == ("forget", 2**63)
        assert scene.asker.is_complete()
        await scene.owner_peers.close(0)
        assert not scene.asker.is_complete(), "changes may be missed"


async def test_jobs_and_limits_for_a_peer_that_is_gone_are_dropped() -> None:
    async with connected() as scene:
        await scene.owner_peers.close(0)
        scene.asker.wake(scene.address, 63)
        scene.asker.wake("127.0.0.1:1", 63)
        scene.asker.tell_limit(1.5)


async def test_shards_are_told_at_once_and_forgotten_when_their_process_is_gone() -> None:
    async with connected() as scene:
        assert scene.asker.tell_shards([(0, 1)]), "it needs no other process"
        assert not scene.owner_peers.tell_shards([])
        await scene.forward()
        assert await next_shards(scene)
        assert not scene.asker.tell_shards([(0, 2)])
        assert not await next_shards(scene)
        assert scene.owner_peers.tell_shards([(1, 2)])
        assert not scene.asker.tell_shards([(0, 2)]), "the owner forwards nothing to it"
        assert not scene.owner_peers.tell_shards([(1, 3)]), "Discord recommends more shards since it was started"
        assert scene.owner_peers.tell_shards([(1, 2)])
        await scene.asker.close(0)
        assert not await next_shards(scene, [(1, 2)])


async def test_shards_of_a_process_that_hangs_are_lost_before_its_connection_ends() -> None:
    """Presses in its last second still count: a clock runs out three seconds after its end."""
    async with connected() as scene:
        scene.asker.tell_shards([(0, 1)])
        await scene.forward()
        assert await next_shards(scene)
        [connection] = scene.owner_peers._local.accepted
        while connection._missed < BEATS:
            connection._check()
        assert not await next_shards(scene)
        assert connection.is_open
        scene.asker._links[scene.address].connection.ping()
        assert await next_shards(scene)


async def next_shards(scene: Scene, own: Collection[tuple[int, int]] = ()) -> bool:
    """Wait until shards of other processes have changed. Return True if all are connected then."""
    async with asyncio.timeout(PATIENCE):
        while (await scene.owner.heard.get())[0] != "shards":
            pass
    return scene.owner_peers.tell_shards(own)


# --- bounds -----------------------------------------------------------------------------------------------


async def test_10000_requests_leave_nothing_behind() -> None:
    body = os.urandom(3000)
    async with connected() as scene:

        async def ask(count: int) -> None:
            for _ in range(count):
                reply = await scene.asker.forward(scene.address, body, PATIENCE)
                assert reply.status is PeerStatus.HANDLED
                scene.owner.bodies.clear()

        await ask(100)
        tracemalloc.start()
        try:
            before, _ = tracemalloc.get_traced_memory()
            await asyncio.gather(*(ask(100) for _ in range(100)))
            after, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert after - before < 200_000
    assert peak - before < 5_000_000


async def test_requests_beyond_the_bound_are_refused_at_once_by_the_asker() -> None:
    gate = Gate()
    async with connected(gate) as scene:
        asking = [asyncio.create_task(scene.forward()) for _ in range(MAX_WAITING)]
        await scene.owner.begun.wait()
        assert (await scene.forward()).status is PeerStatus.BUSY
        gate.opened.set()
        assert {reply.status for reply in await asyncio.gather(*asking)} == {PeerStatus.HANDLED}
        assert (await scene.forward()).status is PeerStatus.HANDLED


async def test_requests_that_wait_for_the_connection_are_bounded() -> None:
    async with connected() as scene:
        asking = [asyncio.create_task(scene.forward()) for _ in range(MAX_WAITING + 5)]
        statuses = [reply.status for reply in await asyncio.gather(*asking)]
        assert statuses == [PeerStatus.HANDLED] * MAX_WAITING + [PeerStatus.BUSY] * 5


@pytest.mark.parametrize(("name", "bound"), [("MAX_UNDER_WAY", 3), ("MAX_BYTES", 300)])
async def test_requests_beyond_the_bound_are_refused_by_the_owner(
    name: str, bound: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, name, bound)
    gate = Gate()
    async with connected(gate) as scene:
        asking = [asyncio.create_task(scene.forward(bytes(100))) for _ in range(4)]
        assert (await asking[3]).status is PeerStatus.BUSY
        gate.opened.set()
        assert [(await asked).status for asked in asking[:3]] == [PeerStatus.HANDLED] * 3
        assert (await scene.forward(bytes(100))).status is PeerStatus.HANDLED


async def test_request_that_is_too_large_is_not_sent() -> None:
    async with connected() as scene:
        assert (await scene.forward(bytes(MAX_BODY))).status is PeerStatus.HANDLED
        assert (await scene.forward(bytes(MAX_BODY + 1))).status is PeerStatus.BUSY
        assert (await scene.forward()).status is PeerStatus.HANDLED


async def test_peer_that_reads_nothing_costs_bounded_memory_and_nobody_waits_for_it() -> None:
    async with connected() as scene:
        stuck = asyncio.Event()

        async def prove_and_read_no_more(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            handshake = Handshake(identity(3), is_asker=False)
            writer.write(handshake.hello)
            session = None
            while session is None:
                proof, session, _ = handshake.receive(await reader.read(200))
                writer.write(proof)
            await stuck.wait()
            writer.transport.abort()

        async with serving(prove_and_read_no_more) as address:
            scene.asker.keep([scene.address, address])
            asking: list[asyncio.Task[PeerReply]] = []
            while not any(asked.done() for asked in asking):
                asking.append(asyncio.create_task(scene.asker.forward(address, bytes(MAX_BODY), PATIENCE)))
                assert (await scene.forward()).status is PeerStatus.HANDLED
            assert asking[-1].result().status is PeerStatus.BUSY
            assert len(asking) * MAX_BODY < connection_module.MAX_UNSENT + (32 << 20)  # the system takes the rest
            stuck.set()
            assert {reply.status for reply in await asyncio.gather(*asking)} == {PeerStatus.BUSY, PeerStatus.LOST}


# --- peers that are gone ----------------------------------------------------------------------------------


async def test_request_to_nobody_is_not_begun(lines: Lines) -> None:
    async with connected() as scene:
        nobody = join_address("127.0.0.1", free_port())
        assert (await scene.asker.forward(nobody, b"press", PATIENCE)).status is PeerStatus.GONE
        scene.asker.keep([nobody])
        assert (await scene.asker.forward(nobody, b"press", PATIENCE)).status is PeerStatus.GONE
        assert await lines.next("cannot be reached") == f"peer {nobody} cannot be reached (ConnectionRefusedError)"


@asynccontextmanager
async def process() -> AsyncIterator[tuple[asyncio.subprocess.Process, asyncio.StreamReader, str]]:
    """Another process, what it prints, and its address."""
    owner = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.process.stuck_owner", stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    assert owner.stdout is not None
    try:
        yield owner, owner.stdout, (await owner.stdout.readline()).decode().strip()
    finally:
        with suppress(ProcessLookupError):
            owner.kill()
        await owner.wait()


async def test_forwarder_learns_at_once_that_the_owner_was_killed() -> None:
    async with connected() as scene, process() as (owner, printed, address):
        scene.asker.keep([address])
        asking = asyncio.create_task(scene.asker.forward(address, b"stuck", 600.0))
        assert await printed.readline() == b"stuck\n"
        owner.kill()
        assert (await asyncio.wait_for(asking, PATIENCE)).status is PeerStatus.LOST
        await owner.wait()
        assert (await scene.asker.forward(address, b"press", PATIENCE)).status is PeerStatus.GONE


async def test_stopped_owner_is_gone_until_it_goes_on(lines: Lines) -> None:
    async with connected(silence=4 * SHORT) as scene, process() as (owner, printed, address):
        scene.asker.keep([address])
        asking = asyncio.create_task(scene.asker.forward(address, b"stuck", 600.0))
        assert await printed.readline() == b"stuck\n"
        owner.send_signal(signal.SIGSTOP)
        assert (await asyncio.wait_for(asking, PATIENCE)).status is PeerStatus.LOST
        await lines.next(f"peer {address} is silent")
        assert (await scene.asker.forward(address, b"press", PATIENCE)).status is PeerStatus.GONE
        owner.send_signal(signal.SIGCONT)
        await lines.next(f"connected to peer {address}")
        assert (await scene.asker.forward(address, b"press", PATIENCE)).status is PeerStatus.HANDLED


async def test_half_open_peer_is_gone_after_its_silence(lines: Lines) -> None:
    async with connected(Gate(), silence=4 * SHORT, wired=False) as scene, Wire.to(scene.address) as wire:
        scene.asker.keep([wire.address])
        asking = asyncio.create_task(scene.asker.forward(wire.address, b"press", PATIENCE))
        await scene.owner.begun.wait()
        wire.is_dumb = True
        assert (await asyncio.wait_for(asking, PATIENCE)).status is PeerStatus.LOST
        assert (await scene.asker.forward(wire.address, b"press", PATIENCE)).status is PeerStatus.GONE
        assert {await lines.next("is silent"), await lines.next("is silent")} == {
            f"peer {wire.address} is silent",
            "peer 127.0.0.1 (process 1) is silent",
        }


@pytest.mark.parametrize(("silence", "owner_silence"), [(SHORT, SHORT), (SHORT, 600.0), (600.0, SHORT)])
async def test_quiet_peer_stays_connected(silence: float, owner_silence: float, lines: Lines) -> None:
    """Signs of life pass in both directions while there are no requests, however long each side waits for them."""
    async with connected(silence=silence, owner_silence=owner_silence) as scene, Wire.to(scene.address) as wire:
        scene.asker.keep([wire.address])
        await scene.asker.forward(wire.address, b"press", PATIENCE)
        size = len(wire.sent)
        async with asyncio.timeout(PATIENCE):
            while len(wire.sent) < size + 20 * frames.OVERHEAD:
                await wire.passed.wait()
                wire.passed.clear()
        assert (await scene.asker.forward(wire.address, b"press", PATIENCE)).status is PeerStatus.HANDLED
        assert len(wire.writers) == 1
        assert not [line for line in lines.rest() if "silent" in line]


async def test_connection_outlives_a_pause_of_the_process(lines: Lines) -> None:
    async with connected(silence=SHORT) as scene:
        await scene.forward()
        resumed = time.monotonic() + 4 * SHORT
        while time.monotonic() < resumed:
            pass
        assert (await scene.forward()).status is PeerStatus.HANDLED
        assert not [line for line in lines.rest() if "silent" in line]


async def test_connection_is_made_again(lines: Lines) -> None:
    async with connected() as scene:
        assert (await scene.forward()).status is PeerStatus.HANDLED
        await scene.owner_peers.close(0)
        await lines.next(f"peer {scene.address} has ended")
        again, owner = Peers(identity(3), Owner(), PATIENCE), scene.address
        try:
            assert await again.open(owner) == owner
            await lines.next(f"connected to peer {owner}: process 3, schema 61")
            assert (await scene.forward()).status is PeerStatus.HANDLED
        finally:
            await again.close(0)


async def test_nothing_is_sent_by_a_connection_that_was_just_ended() -> None:
    async with connected() as scene:
        await scene.forward()
        (connection,) = scene.owner_peers._local.accepted
        connection.end("is tested")
        connection.send(FrameKind.PING, 0)
        assert (await connection.ask(b"press", PATIENCE)).status is PeerStatus.GONE


async def test_request_waits_for_a_new_connection_after_the_peer_ended_one(lines: Lines) -> None:
    async with connected() as scene, Wire.to(scene.address) as wire:
        scene.asker.keep([wire.address])
        assert (await scene.asker.forward(wire.address, b"one", PATIENCE)).status is PeerStatus.HANDLED
        wire.writers[0].transport.abort()
        await lines.next(f"peer {wire.address} has ended")
        assert (await scene.asker.forward(wire.address, b"two", PATIENCE)).status is PeerStatus.HANDLED


async def test_request_does_not_wait_for_a_connection_to_a_silent_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    again = asyncio.Event()

    async def hang(*_: object) -> None:
        again.set()
        await asyncio.Event().wait()

    async with connected(silence=SHORT) as scene, Wire.to(scene.address) as wire:
        scene.asker.keep([wire.address])
        assert (await scene.asker.forward(wire.address, b"one", PATIENCE)).status is PeerStatus.HANDLED
        monkeypatch.setattr(peers_module, "_connect", hang)
        wire.is_dumb = True
        await asyncio.wait_for(again.wait(), PATIENCE)
        assert (await scene.asker.forward(wire.address, b"two", SHORT)).status is PeerStatus.GONE


async def test_request_waits_for_a_first_connection_and_no_longer_than_it_may() -> None:
    accepted = asyncio.Event()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted.set()
        await reader.read()

    async with serving(say_nothing) as address, connected() as scene:
        scene.asker.keep([address])
        assert (await scene.asker.forward(address, b"press", SHORT)).status is PeerStatus.LOST
        await accepted.wait()


async def test_late_connection_gets_only_requests_that_are_still_waited_for() -> None:
    async with connected() as scene, Wire.to(scene.address) as wire:
        wire.is_through.clear()
        scene.asker.keep([wire.address])
        assert (await scene.asker.forward(wire.address, b"late", SHORT)).status is PeerStatus.LOST
        asking = asyncio.create_task(scene.asker.forward(wire.address, b"press", PATIENCE))
        wire.is_through.set()
        assert (await asking).status is PeerStatus.HANDLED
        assert scene.owner.bodies == [b"press"]


async def test_peer_that_is_not_kept_any_more_is_not_asked() -> None:
    async with connected(Gate()) as scene:
        asking = asyncio.create_task(scene.forward())
        await scene.owner.begun.wait()
        scene.asker.keep([])
        assert (await asking).status is PeerStatus.LOST
        assert (await scene.forward()).status is PeerStatus.GONE


# --- peers that are wrong ---------------------------------------------------------------------------------


async def test_peer_with_another_key_is_refused_with_one_line_on_each_side(lines: Lines) -> None:
    async with connected(owner=identity(2, "hunter3")) as scene:
        assert (await scene.forward()).status is PeerStatus.GONE
        await lines.next("has another key")
        assert (await scene.forward()).status is PeerStatus.GONE
        assert scene.owner.bodies == []


async def test_refused_peer_is_logged_once(lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = asyncio.Queue[None]()

    async def speak_newer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hello = Handshake(identity(2), is_asker=False).hello
        writer.write(hello[:4] + struct.pack(">H", frames.PROTOCOL + 1) + hello[6:])
        await reader.read()
        tries.put_nowait(None)

    monkeypatch.setattr(peers_module, "MAX_WAIT", 0.001)
    async with serving(speak_newer) as address, connected() as scene:
        scene.asker.keep([address])
        for _ in range(3):
            await asyncio.wait_for(tries.get(), PATIENCE)
        assert (await scene.asker.forward(address, b"press", PATIENCE)).status is PeerStatus.GONE
    assert [line for line in lines.rest() if address in line] == [
        f"peer {address} speaks version 2 of the protocol between processes, and this one 1"
    ]


async def raw(scene: Scene, process: int = 9) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, Session, bytes]:
    """Connect to the owner by hand, with the right key; return what it has sent since as well."""
    reader, writer = await asyncio.open_connection(*split_address(scene.address))
    handshake, session, rest = Handshake(identity(process), is_asker=True), None, b""
    writer.write(handshake.hello)
    while session is None:
        proof, session, rest = handshake.receive(await reader.read(1000))
        writer.write(proof)
    return reader, writer, session, rest


async def is_ended(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Wait until the other side ends the connection."""
    async with asyncio.timeout(PATIENCE):
        with suppress(ConnectionError):
            await reader.read()
    await end(writer)
    return True


async def test_replayed_frame_ends_the_connection_and_is_not_handled_twice(lines: Lines) -> None:
    async with connected() as scene, Wire.to(scene.address) as wire:
        scene.asker.keep([wire.address])
        assert (await scene.asker.forward(wire.address, b"one", PATIENCE)).status is PeerStatus.HANDLED
        recorded = bytes(wire.sent)
        assert (await scene.asker.forward(wire.address, b"two", PATIENCE)).status is PeerStatus.HANDLED
        wire.writers[0].write(recorded[recorded.rindex(b"one") - frames.OVERHEAD :])
        assert await lines.next("peer 127.0.0.1 ") == "peer 127.0.0.1 (process 1) sent a frame that is not authentic"
        await lines.next(f"peer {wire.address} has ended")
        await lines.next(f"connected to peer {wire.address}")
        assert (await scene.asker.forward(wire.address, b"three", PATIENCE)).status is PeerStatus.HANDLED
        assert scene.owner.bodies == [b"one", b"two", b"three"]


async def test_recorded_connection_is_refused_as_a_whole(lines: Lines) -> None:
    async with connected() as scene, Wire.to(scene.address) as wire:
        scene.asker.keep([wire.address])
        await scene.asker.forward(wire.address, b"one", PATIENCE)
        reader, writer = await asyncio.open_connection(*split_address(scene.address))
        writer.write(bytes(wire.sent))
        assert await is_ended(reader, writer)
        assert "has another key" in await lines.next("peer 127.0.0.1 ")
        assert scene.owner.bodies == [b"one"]


async def test_oversized_frame_ends_the_connection_before_its_body_comes(lines: Lines) -> None:
    async with connected() as scene:
        reader, writer, session, _ = await raw(scene)
        writer.write(session.write(FrameKind.REQUEST, 1, bytes(MAX_BODY + 1))[: frames.OVERHEAD])
        assert await is_ended(reader, writer)
        assert "sent a frame that is too large" in await lines.next("peer 127.0.0.1 ")
        assert (await scene.forward()).status is PeerStatus.HANDLED


async def test_unknown_frames_are_ignored() -> None:
    async with connected() as scene:
        reader, writer, session, rest = await raw(scene)
        writer.write(session.write(200, 1, b"from later") + session.write(FrameKind.REQUEST, 7, b"press"))
        found: list[tuple[int, int, bytes]] = [*session.read(rest)]
        while (PeerStatus.HANDLED, 7, b"") not in found:
            found += session.read(await reader.read(1000))
        await end(writer)
        assert scene.owner.bodies == [b"press"]


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: gops\r\n\r\n" + bytes(50)])
async def test_stranger_is_sent_away(said: bytes, lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_module, "HANDSHAKE", SHORT)
    async with connected(wired=False) as scene:
        reader, writer = await asyncio.open_connection(*split_address(scene.address))
        writer.write(said)
        assert await is_ended(reader, writer)
        await lines.next("is no process of this bot" if said else "did not prove its key in time")
        assert scene.owner.bodies == []


async def test_connections_beyond_the_bound_are_refused(lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_module, "MAX_CONNECTIONS", 1)
    async with connected() as scene:
        assert (await scene.forward()).status is PeerStatus.HANDLED
        assert await is_ended(*await asyncio.open_connection(*split_address(scene.address)))
        await lines.next("there are too many connections")
        assert (await scene.forward()).status is PeerStatus.HANDLED


# --- closing ----------------------------------------------------------------------------------------------


async def test_closing_owner_finishes_what_is_under_way_and_refuses_more() -> None:
    gate = Gate()
    async with connected(gate) as scene:
        asking = asyncio.create_task(scene.forward())
        await scene.owner.begun.wait()
        closing = asyncio.create_task(scene.owner_peers.close(PATIENCE))
        await asyncio.sleep(0)
        assert (await scene.forward()).status is PeerStatus.MOVED
        assert not closing.done()
        gate.opened.set()
        assert (await asking).status is PeerStatus.HANDLED
        await closing
        assert (await scene.forward()).status is PeerStatus.GONE


async def test_closing_owner_does_not_wait_for_ever() -> None:
    async with connected(Gate()) as scene:
        asking = asyncio.create_task(scene.forward())
        await scene.owner.begun.wait()
        await asyncio.wait_for(scene.owner_peers.close(SHORT), PATIENCE)
        assert (await asking).status is PeerStatus.LOST


async def test_closing_asker_gets_the_answers_that_it_waits_for() -> None:
    gate = Gate()
    async with connected(gate) as scene:
        asking = asyncio.create_task(scene.forward())
        await scene.owner.begun.wait()
        closing = asyncio.create_task(scene.asker.close(PATIENCE))
        await asyncio.sleep(0)
        assert (await scene.forward()).status is PeerStatus.GONE
        gate.opened.set()
        assert (await asking).status is PeerStatus.HANDLED
        await closing


# --- secrets ----------------------------------------------------------------------------------------------


async def test_content_is_in_no_log_and_no_repr(caplog: pytest.LogCaptureFixture) -> None:
    """With the event loop in its debug mode, which logs every call that took long, and its arguments."""
    caplog.set_level(logging.DEBUG)
    loop = asyncio.get_running_loop()
    loop.set_debug(True)
    loop.slow_callback_duration = 0.0
    shown: list[object] = []

    async def deed(request: PeerRequest) -> PeerStatus:
        shown.extend((request, *asyncio.all_tasks()))
        await request.relay(b"seal Q")
        return PeerStatus.HANDLED

    async with connected(deed) as scene, Wire.to(scene.address) as wire:
        scene.asker.keep([scene.address, wire.address])
        for address in (scene.address, wire.address):
            reply = await scene.asker.forward(address, b"seal K", PATIENCE)
            assert reply.body == b"seal Q"
            reply.acknowledge(True)
            shown.extend((reply, scene.asker, scene.owner_peers))
        wire.writers[0].write(b"seal T" * 100)
        assert (await scene.asker.forward(wire.address, b"seal K", PATIENCE)).status is PeerStatus.LOST
        await scene.asker.forward(scene.address, b"seal K", PATIENCE)
    assert "Executing" in caplog.text
    for word in ("seal", "hunter2"):
        assert word not in caplog.text
        assert word not in repr(shown)
