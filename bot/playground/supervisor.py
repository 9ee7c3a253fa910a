"""Keeps the bot running as a process of its own, and starts it again when it ends."""

import asyncio
import contextlib
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

PAUSES = (0.5, 1.0, 2.0, 5.0)
"""seconds before it is started again, longer each time it ends at once"""

LONG_ENOUGH = 10.0
"""seconds after which an end is not taken for a failure to start"""

PATIENCE = 12.0
"""seconds that it has to finish what is under way"""

TAIL = 4000

OFF = "The bot is off."


class Supervisor:
    """One process after another. `changed` is called at every turn."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        self._command = tuple(command)
        self._environment = dict(environment)
        self._log = log
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()
        self._starts = 0
        self._state = "off"
        self._note = OFF
        self.changed: Callable[[], None] = lambda: None

    def describe(self) -> dict[str, Any]:
        """How the process is; `pid` only while there is one."""
        pid = self._process.pid if self._process is not None else None
        return {"state": self._state, "note": self._note, "pid": pid, "starts": self._starts}

    async def start(self) -> None:
        """Start it now, and again whenever it ends."""
        self._wanted.set()
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="supervisor")

    async def kill(self) -> None:
        """As a power cut would; it is started again by itself."""
        self._signal(signal.SIGKILL)

    async def stop(self) -> None:
        """Ask it to finish, and leave it off."""
        self._wanted.clear()
        process = self._process
        if process is None:
            return
        self._signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), PATIENCE)
        except TimeoutError:
            self._signal(signal.SIGKILL)
            await process.wait()

    async def close(self) -> None:
        """The end of it all."""
        await self.stop()
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        quick = 0
        while True:
            await self._wanted.wait()
            began = time.monotonic()
            code = await self._once()
            if not self._wanted.is_set():
                self._tell("off", OFF)
                continue
            quick = quick + 1 if time.monotonic() - began < LONG_ENOUGH else 0
            pause = PAUSES[min(quick, len(PAUSES) - 1)]
            how = f"was killed ({signal.Signals(-code).name})" if code < 0 else f"ended with exit code {code}"
            self._tell("ended", f"The bot {how}; it is started again in {pause:g} s.{self._last_words(code)}")
            await asyncio.sleep(pause)

    async def _once(self) -> int:
        """One life of the process; its exit code."""
        with self._log.open("ab") as log:
            self._process = await self._spawn(log)
        self._starts += 1
        self._tell("running", "The bot is running.")
        try:
            return await self._process.wait()
        finally:
            self._process = None

    async def _spawn(self, log: IO[bytes]) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *self._command,
            env=self._environment,
            stdin=asyncio.subprocess.PIPE,  # never written to: its end tells the process that we are gone
            stdout=log,
            stderr=log,
            start_new_session=True,  # a Ctrl-C is ours to handle: it is told to stop in its turn
        )

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(number)

    def _last_words(self, code: int) -> str:
        """What it logged last, if it gave up by itself."""
        if code <= 0:
            return ""
        lines = self._log.read_bytes()[-TAIL:].decode("utf-8", "replace").strip().splitlines()
        return f" It said: {lines[-1]}" if lines else ""

    def _tell(self, state: str, note: str) -> None:
        self._state, self._note = state, note
        self.changed()
