"""A fake PostgreSQL server: the rows of processes, partitions and matches, their locks, and transactions that get lost.

It executes the statements of the leases and call shares as the product writes them, and a change as a whole. A change
shares the lock of its partition from its arrival until its commit; what is not committed by then is lost when its
connection ends. Nothing but the epochs keeps an old owner from overwriting a match.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import asyncpg

from bot.referee.model.partitions import PARTITIONS
from data.postgres.call_shares import CALLS, GROW
from data.postgres.lease_session import END
from data.postgres.leases import AWAY_SINCE, ENTER, LEASE, NOW, OFFER, OWNED, PROCESS, PROCESSES
from data.postgres.locks import PARTITION, SHARE
from data.postgres.routines import ROW_COUNT_MISMATCH
from data.sql.statement import Statement
from tests.simulation.loop import WorldLoop

PUT = "put a row of a match"
"""The statement of a change that writes a match as a whole: what an old owner writes would replace newer bids."""
GET = "get the row of a match"

STALLS = 1 / 30_000
"""The part of the changes that take seconds: the disk stalls."""

LOCK_WITHIN = 1.0
"""Seconds for which a change of an owner waits for a lock."""

Row = tuple[int, int | None, int | None, int | None, int | None]
"""Round, the bids of both seats in it, and both bids of the round before."""


@dataclass(eq=False)
class Session:
    """A connection, as the server knows it."""

    name: str
    is_pooled: bool = False
    is_open: bool = True
    heard: float = 0.0
    locks: set[int] = field(default_factory=set[int])
    """Processes of this session."""


@dataclass(eq=False)
class Entry:
    """The row of a process."""

    name: str
    address: str
    beat: float
    wanted: int = 0
    calls: int = 0


@dataclass(eq=False)
class Lock:
    """The lock of a partition: changes share it, and a new owner takes it."""

    held: set[Change] = field(default_factory=set["Change"])
    taker: Callable[[], None] | None = None
    """Called when nobody holds the lock any more. Others wait behind it."""
    behind: list[Change] = field(default_factory=list["Change"])


@dataclass(slots=True, eq=False)
class Change:
    """A transaction under way."""

    session: Session
    statements: Sequence[Statement]
    reply: Callable[[object], None]


Reply = Callable[[object], None]


class Server:
    def __init__(self, loop: WorldLoop, chance: random.Random, note_row: Callable[[str, Row], None]) -> None:
        """`note_row` learns of each row that is committed."""
        self._loop, self._chance, self._note_row = loop, chance, note_row
        self.matches: dict[str, Row] = {}
        self.processes: dict[int, Entry] = {}
        self.owners = [[0, 0] for _ in range(PARTITIONS)]
        """Owner and epoch of each partition."""
        self.committed = self.refused = self.dropped = self.ended = 0
        """Changes that were committed, refused by a fence, and lost; connections that a new owner ended."""
        self._locks = [Lock() for _ in range(PARTITIONS)]
        self._sessions: set[Session] = set()
        self._last = 0

    # --- connections --------------------------------------------------------------------------------------

    def open_session(self, name: str, *, is_pooled: bool) -> Session:
        session = Session(name, is_pooled, heard=self._loop.time())
        self._sessions.add(session)
        return session

    def close_session(self, session: Session) -> None:
        """End a connection: its locks are free, and what it has not committed is lost when its time comes."""
        session.is_open = False
        session.locks.clear()
        self._sessions.discard(session)

    def find_sessions(self, name: str) -> list[Session]:
        return [session for session in self._sessions if session.name == name]

    def receive(self, session: Session, sql: str, params: Sequence[object], reply: Reply) -> None:
        """Execute a statement that has just arrived."""
        if not session.is_pooled:
            self._hear(session)
        if not session.is_open:
            reply(ConnectionResetError("the connection was ended"))
        elif sql == PUT:
            self._begin(session, params[0], reply)  # pyright: ignore[reportArgumentType]
        elif sql == GET:
            row = self.matches.get(str(params[0]))
            reply([(row,)])
        else:
            self._execute(session, sql, params, reply)

    def _hear(self, session: Session) -> None:
        now = self._loop.time()
        if session.is_open and now - session.heard > LEASE.total_seconds():
            self.close_session(session)  # it was silent for too long
        session.heard = now

    # --- changes of matches -------------------------------------------------------------------------------

    def _begin(self, session: Session, statements: Sequence[Statement], reply: Reply) -> None:
        share = statements[0]
        assert share.sql == SHARE
        change, lock = Change(session, statements, reply), self._locks[share.params[0]]
        if lock.taker is None:
            self._share(change, lock)
        else:
            lock.behind.append(change)

    def _share(self, change: Change, lock: Lock) -> None:
        """Check the fences of a change, which then holds the lock until it is committed."""
        for index, statement in enumerate(change.statements):
            if statement.sql == OWNED:
                partition, owner, epoch = statement.params
                if self.owners[partition] != [owner, epoch]:
                    self.refused += 1
                    error = asyncpg.RaiseError(str(index))
                    error.sqlstate = ROW_COUNT_MISMATCH
                    change.reply(error)
                    return
        lock.held.add(change)
        seconds = 0.001 + 0.004 * self._chance.random()
        if self._chance.random() < STALLS:
            seconds += 4 * self._chance.random()
        self._loop.after(seconds, self._commit, change, lock)

    def _commit(self, change: Change, lock: Lock) -> None:
        lock.held.discard(change)
        if change.session.is_open:
            for statement in change.statements:
                if statement.sql == PUT:
                    code, row = statement.params
                    self.matches[code] = row
                    self._note_row(code, row)
            self.committed += 1
            change.reply(())
        else:
            self.dropped += 1
            change.reply(ConnectionResetError("the connection was ended"))
        if lock.taker is not None and not lock.held:
            lock.taker()

    # --- leases -------------------------------------------------------------------------------------------

    def _execute(self, session: Session, sql: str, params: Sequence[object], reply: Reply) -> None:
        whole = WHOLE.fullmatch(sql)
        if whole and (give := GIVE.fullmatch(whole[1])):
            partition, taker, _, owner = map(int, give.groups())
            self._give(partition, taker, owner, reply)
            return
        text = " ".join((whole[1] if whole else sql).split())
        for pattern, execute in STATEMENTS:
            if found := pattern.fullmatch(text):
                reply(execute(self, session, *map(int, found.groups()), *params))
                return
        raise AssertionError(f"the fake server does not know this statement: {text}")

    def _give(self, partition: int, taker: int, owner: int, reply: Reply) -> None:
        """Take the lock of a partition, within a second, and make another process its owner."""
        lock = self._locks[partition]
        if lock.taker is not None:
            reply(asyncpg.LockNotAvailableError("another one waits for it"))
            return

        def take() -> None:
            lock.taker = None
            if self.owners[partition][0] == owner:
                self.owners[partition] = [taker, self.owners[partition][1] + 1]
            self._pass_on(lock)
            reply("UPDATE 1")

        def give_up() -> None:
            if lock.taker is take:
                lock.taker = None
                self._pass_on(lock)
                reply(asyncpg.LockNotAvailableError("lock timeout"))

        lock.taker = take
        if lock.held:
            self._loop.after(LOCK_WITHIN, give_up)
        else:
            take()

    def _pass_on(self, lock: Lock) -> None:
        """Let the changes that waited behind a new owner share the lock."""
        behind, lock.behind = lock.behind, []
        for change in behind:
            self._share(change, lock)

    def _enter(self, session: Session, name: str, _: int) -> object:
        self._last += 1
        self.processes[self._last] = Entry(name, "", self._loop.time())
        session.locks.add(self._last)
        return [(self._last, None)]

    def _offer(self, _: Session, address: str, id: int) -> object:
        if id in self.processes:
            self.processes[id].address = address
        return []

    def _beat(self, _: Session, id: int) -> object:
        if id not in self.processes:
            return "UPDATE 0"
        self.processes[id].beat = self._loop.time()
        return "UPDATE 1"

    def _lock_process(self, session: Session, id: int) -> object:
        is_free = self._find_lock(id) in (None, session)
        if is_free:
            session.locks.add(id)
        return [(is_free,)]

    def _find_lock(self, id: int) -> Session | None:
        return next((session for session in self._sessions if id in session.locks), None)

    def _list_processes(self, _: Session, lease: int) -> object:
        alive = self._loop.time() - lease / 1e6
        return [
            (id, entry.name, entry.address, entry.beat > alive and self._find_lock(id) is not None)
            for id, entry in sorted(self.processes.items())
        ]

    def _delete_process(self, _: Session, id: int) -> object:
        self.processes.pop(id, None)
        return "DELETE 1"

    def _list_partitions(self, _: Session) -> object:
        return [(partition, owner, epoch) for partition, (owner, epoch) in enumerate(self.owners)]

    def _read_epoch(self, _: Session, partition: int, owner: int) -> object:
        found, epoch = self.owners[partition]
        return [(epoch,)] if found == owner else []

    def _end_others(self, _: Session, name: str) -> object:
        for session in self.find_sessions(name):
            self.ended += 1
            self.close_session(session)
        return []

    # --- shares of calls ----------------------------------------------------------------------------------

    def _want(self, _: Session, wanted: int, held: int, id: int) -> object:
        if id in self.processes:
            entry = self.processes[id]
            entry.wanted, entry.calls = wanted, min(entry.calls, held)
        return "UPDATE 1"

    def _list_wanted(self, _: Session) -> object:
        return [(id, entry.wanted) for id, entry in sorted(self.processes.items())]

    def _grow(self, _: Session, want: int, total: int, other: int, id: int) -> object:
        assert other == id
        if id in self.processes:
            others = sum(entry.calls for each, entry in self.processes.items() if each != id)
            self.processes[id].calls = max(self.processes[id].calls, min(want, total - others))
        return "UPDATE 1"

    def _list_calls(self, _: Session) -> object:
        return [(id, entry.calls) for id, entry in sorted(self.processes.items())]


def _shape(sql: str) -> re.Pattern[str]:
    """Return a pattern for a statement of the product: `N` stands for a number."""
    return re.compile(re.escape(" ".join(sql.split())).replace("<N>", r"(\d+)"))


WHOLE = re.compile(r"BEGIN; SET LOCAL lock_timeout = '1s'; (.*); COMMIT", re.DOTALL)
GIVE = re.compile(
    rf"SELECT pg_advisory_xact_lock\({PARTITION}, (\d+)\); UPDATE partitions"
    rf" SET owner = (\d+), epoch = epoch \+ 1, away_since = {re.escape(AWAY_SINCE)}"
    r" WHERE partition = (\d+) AND owner = (\d+)"
)
STATEMENTS: Sequence[tuple[re.Pattern[str], Callable[..., object]]] = [
    (_shape(sql), execute)
    for sql, execute in (
        (ENTER, Server._enter),
        (OFFER, Server._offer),
        (PROCESSES, Server._list_processes),
        (END, Server._end_others),
        ("ROLLBACK", lambda *_: "ROLLBACK"),
        ("SELECT pg_try_advisory_lock_shared($1)", lambda *_: [(True,)]),
        (f"SELECT pg_try_advisory_lock({PROCESS}, <N>)", Server._lock_process),
        ("DELETE FROM processes WHERE id = <N>", Server._delete_process),
        ("SELECT partition, owner, epoch FROM partitions ORDER BY partition", Server._list_partitions),
        ("SELECT epoch FROM partitions WHERE partition = $1 AND owner = $2", Server._read_epoch),
        ("SELECT id, wanted FROM processes", Server._list_wanted),
        ("SELECT id, calls FROM processes", Server._list_calls),
        ("UPDATE processes SET wanted = <N>, calls = least(calls, <N>) WHERE id = <N>", Server._want),
        (f"UPDATE processes SET beat = {NOW} WHERE id = <N>", Server._beat),
        (f"SELECT pg_advisory_xact_lock({CALLS}); {GROW.format(want='<N>', total='<N>', id='<N>')}", Server._grow),
    )
]
