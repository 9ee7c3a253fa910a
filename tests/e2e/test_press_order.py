"""Presses of one match that come at once count in the order in which they came, also while it is read after a start."""

from __future__ import annotations

import asyncio
import fcntl
import json
import signal
import struct
import termios
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.playground.play import act
from tests.driver import Person, Seen
from tests.e2e.hall import Hall, opened_hall
from tests.e2e.house import has, key, plain

pytestmark = pytest.mark.by_http
MATCHES = 8
"""of two people, who may have ten"""

ROUNDS = 10
"""each after another start, because each match is read for the first time once"""

END = b"\r\n\r\n"
"""of a request's head"""

TOO_LATE = "was revealed just before your press"


class Relay:
    """Stands between Discord and the bot's port. It holds requests back until so many are there, and writes them in
    the order in which they were pressed: over several connections Discord promises none."""

    def __init__(self, port: int, tasks: asyncio.TaskGroup) -> None:
        self.hold = 1
        self.wrote = asyncio.Event()
        self._port = port
        self._tasks = tasks
        self._held: dict[int, tuple[bytes, asyncio.StreamWriter]] = {}

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(END)
        [length] = [int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
        body = await reader.readexactly(length)
        self._held[int(json.loads(body)["id"])] = (head[:-2] + b"Connection: close" + END + body, writer)
        if len(self._held) < self.hold:
            return
        requests = [self._held.pop(id) for id in sorted(self._held)]
        connections = [await asyncio.open_connection("127.0.0.1", self._port) for _ in requests]
        for (request, _), (_, to_bot) in zip(requests, connections, strict=True):
            to_bot.write(request)
            await _arrived(to_bot)
        self.wrote.set()
        for (_, back), bot in zip(requests, connections, strict=True):
            self._tasks.create_task(_answer(*bot, back))


async def _arrived(to_bot: asyncio.StreamWriter) -> None:
    """Wait until all that was written is where the bot reads it: on a busy machine the system delivers late."""
    socket = to_bot.get_extra_info("socket").fileno()
    while struct.unpack("i", fcntl.ioctl(socket, termios.TIOCOUTQ, bytes(4)))[0]:  # noqa: ASYNC110 - the system sends no event
        await asyncio.sleep(0)


async def _answer(from_bot: asyncio.StreamReader, to_bot: asyncio.StreamWriter, back: asyncio.StreamWriter) -> None:
    back.write(await from_bot.read())
    for one in (back, to_bot):
        one.close()
        await one.wait_closed()


@asynccontextmanager
async def opened_relay(hall: Hall) -> AsyncGenerator[Relay]:
    """Interactions go to the bot by HTTP, through a relay."""
    port = await hall.bot.use_http()
    async with asyncio.TaskGroup() as tasks:
        relay = Relay(port, tasks)
        server = await asyncio.start_server(relay.take, "127.0.0.1", 0)
        address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/interactions"
        hall.bot.settings["GOPS_ENDPOINT"] = address
        try:
            yield relay
        finally:
            server.close()


async def board_begun(ana: Person, ben: Person) -> Seen:
    """The board of a new match in table mode."""
    await ana.slash("/gops challenge", opponent=ben, where="board", clock=3600)
    challenge = await ben.sees(lambda seen: seen.has_button("Accept"))
    await ben.press("Accept", in_=challenge)
    return await ana.sees(lambda seen: seen.has_button("K"), in_=challenge)


async def press_together(hall: Hall, presses: list[tuple[Person, Seen, int]], relay: Relay | None) -> None:
    """Make these presses while the bot's process stands still, so that it finds all of them when it goes on."""
    core, process = hall.playground.core, hall.bot.process
    assert process is not None
    if relay is not None:
        relay.hold = len(presses)
        relay.wrote.clear()
    process.send_signal(signal.SIGSTOP)
    try:
        made = [
            act.press(
                core,
                core.world.user(int(person.id)),
                core.world.channel(int(board.channel_id)),
                int(board.id),
                board.button(key(card)).custom_id or "",
            )
            for person, board, card in presses
        ]
        # A later answer of the stand-in comes after what it has told the gateway.
        await (relay.wrote.wait() if relay is not None else hall.stage.world())
    finally:
        process.send_signal(signal.SIGCONT)
    for one in made:
        await one.settled.wait()
    if relay is not None:
        relay.hold = 1


async def play(hall: Hall, relay: Relay | None) -> None:
    """In every round Ana bids, Ana changes her bid, and Ben bids."""
    await hall.restart()
    ana, ben = await hall.crowd(("Ana", "Ben"))
    boards = [await board_begun(ana, ben) for _ in range(MATCHES)]
    for round in range(1, ROUNDS + 1):
        await hall.bot.stop()
        await hall.stage.bot_gone()
        assert not ana.finds(TOO_LATE)
        await hall.restart()
        bids = (ana, 13), (ana, round + 1), (ben, round)
        now = [ana.now(board) or board for board in boards]
        await press_together(hall, [(person, board, card) for board in now for person, card in bids], relay)
        assert relay is None or relay.wrote.is_set(), "they came by HTTP"
        for board in boards:
            shown = await ben.sees(has(f"round {round + 1} of 13"), in_=board)
            why = f"{ana.screen}\n{hall.bot.logged()[-5000:]}"
            assert f"Round {round}: ♠{key(round + 1)} beats ♥{key(round)}." in plain(shown.text), why
    await hall.bot.stop()
    assert not ana.finds(TOO_LATE)


async def test_a_change_pressed_before_the_last_bid_counts(tmp_path: Path) -> None:
    """Three presses in one read of the gateway: the change was refused as too late, or her first card was played."""
    async with opened_hall(tmp_path, start=False, by_http=False) as hall:
        await play(hall, None)


async def test_a_change_that_came_by_http_before_the_last_bid_counts(tmp_path: Path) -> None:
    """The order in which requests arrive is kept, on as many connections as there are presses."""
    async with opened_hall(tmp_path, start=False) as hall, opened_relay(hall) as relay:
        await play(hall, relay)
