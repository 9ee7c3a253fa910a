"""Shares of the counted calls: all processes of a bot together make as many in a second as Discord allows one bot.

The row of a process holds the calls that it may make, with those under way. A share grows only by what the rows of all
leave, and after that is committed. It shrinks first, and its row a beat later, when Discord counts the calls before it
no more. So the sum never exceeds the limit.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from data.postgres.lease_session import LeaseSession

CALLS = 0x474F5043
"""Key of the advisory lock under which shares grow."""

PAUSE = 2
"""Beats without a growth after a process has gone."""

GROW = """UPDATE processes SET calls = greatest(calls,
    least({want}, {total} - (SELECT coalesce(sum(calls), 0) FROM processes WHERE id <> {id}))) WHERE id = {id}"""


def divide_calls(total: int, wanted: Mapping[int, int]) -> dict[int, int]:
    """Divide all calls among processes: each gets what it wants or an equal part, and then equal parts of the rest."""
    shares: dict[int, int] = {}
    for place, process in enumerate(sorted(wanted, key=lambda each: (wanted[each], each))):
        shares[process] = min(wanted[process], (total - sum(shares.values())) // (len(wanted) - place))
    for place, process in enumerate(sorted(wanted)):
        shares[process] += (total - sum(shares.values())) // (len(wanted) - place)
    return shares


class CallShare:
    """The share of this process."""

    def __init__(self, session: LeaseSession, total: int) -> None:
        self._session = session
        self._total = total
        self.limit = 0
        """Counted calls a second that this process may make."""
        self._known: Collection[int] = ()
        """Processes at the last beat."""
        self._pause = 0
        """Beats until this share may grow."""

    async def renew(self, process: int, wanted: int, used: int) -> None:
        """Do what is due at a beat. `wanted` are the calls made or waiting since the last one, and `used` those that
        Discord may still count."""
        held = max(self.limit, used)
        await self._session.execute(
            f"UPDATE processes SET wanted = {wanted}, calls = least(calls, {held}) WHERE id = {process}"
        )
        rows = await self._session.fetch("SELECT id, wanted FROM processes")
        wants = {id: max(wanted, 1) for id, wanted in rows}
        want = divide_calls(self._total, wants).get(process, 0)
        self._pause -= self._pause > 0
        if not self._known and len(wants) > 1:
            self._pause = PAUSE  # others may have gone before this process came
        self._note_gone(wants)
        if want <= self.limit or self._pause:
            self.limit = min(want, self.limit)
            return
        grow = GROW.format(want=want, total=self._total, id=process)
        await self._session.run(f"SELECT pg_advisory_xact_lock({CALLS}); {grow}")
        rows = await self._session.fetch("SELECT id, calls FROM processes")
        self._note_gone([id for id, _ in rows])
        if not self._pause:
            self.limit = min(next((calls for id, calls in rows if id == process), 0), want)

    def _note_gone(self, processes: Collection[int]) -> None:
        if any(each not in processes for each in self._known):
            self._pause = PAUSE
        self._known = processes
