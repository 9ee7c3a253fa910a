"""Which match a command is about: the named one, or the only possible one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.errors import RefereeError
from bot.referee.model.model import Snowflake, StoredMatch, UserId
from bot.referee.proof import promises
from bot.referee.repository.live import Live
from bot.referee.repository.match_repository import Commands


class Finder(Commands):
    """Finds one match. A refusal says if there is none, or more than one."""

    async def find_live(
        self,
        user: UserId,
        code: str | None,
        fits: Callable[[StoredMatch], bool] = lambda _: True,
        unfit: str = "no-match",
    ) -> Live:
        """Return the named match, or the only live match to which the command applies.

        Matches that this person left do not count. `unfit` is the refusal if the command applies to none.
        """
        if code:
            return await self.find_by_code(code)
        found = await self._store.live_of(user)
        every = [one for one in found if not one.has_left(user)]
        if found and not every:
            raise RefereeError("seat-left", m=found[-1].id)
        live = [one for one in every if fits(one)]
        if not live:
            raise RefereeError(unfit if every else "no-match")
        if len(live) > 1:
            raise RefereeError("which-match", m=live[-1].id)
        return await self._repository.live(live[0].id)

    async def live_of(self, user: UserId) -> Sequence[StoredMatch]:
        """Return a person's live matches everywhere, oldest first."""
        return await self._store.live_of(user)

    async def live_ids(self, guild: Snowflake, channel: Snowflake = 0) -> Sequence[str]:
        """Return the ids of live matches of a server, or of one of its channels."""
        return await self._store.live_in(guild, channel)

    async def unfinished(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return the ids of all live matches, and of all open challenges and tables."""
        return await self._store.unfinished()

    async def find_here(self, user: UserId, code: str | None, guild: Snowflake, channel: Snowflake) -> Live:
        """Return the named match, or the person's newest live match with a board in this channel."""
        if code:
            return await self.find_by_code(code)
        found = await self._store.last_match(user, channel, live=True)
        if found is None:
            live = await self._store.live_of(user)
            boards = [stored.id for stored in live if stored.guild == guild and stored.channel]
            if boards:
                raise RefereeError("no-match-here", m=boards[-1])
            if any(stored.channel for stored in live):
                raise RefereeError("no-board")
            if not live:
                raise RefereeError("no-match")
            is_daily = all(promises.day_of(stored) is not None for stored in live)
            raise RefereeError("no-board-daily" if is_daily else "no-board-practice")
        return await self._repository.live(found)

    async def find_finished(
        self, user: UserId, code: str | None, not_yet: str = "still-live", guild: Snowflake | None = None
    ) -> Live:
        """Return the named match, or the person's newest finished one; `not_yet` refuses a live one.

        With `guild`, prefer a match played there, or practice; 0 is a place without the bot.
        """
        if code:
            return await self.find_by_code(code)
        found = None if guild is None else await self._store.last_match(user, live=False, guild=guild)
        found = found or await self._store.last_match(user, live=False)
        if found is None:
            playing = await self._store.last_match(user, live=True)
            raise RefereeError("no-finished") if playing is None else RefereeError(not_yet, m=playing)
        return await self._repository.live(found)

    async def find_open(self, user: UserId, code: str | None, guild: Snowflake) -> Live:
        """Return the match of `find_finished`, if `check_open` does not refuse it."""
        live = await self.find_finished(user, code)
        self.check_open(live, user, guild)
        return live

    @staticmethod
    def check_open(live: Live, user: UserId, guild: Snowflake) -> None:
        """Refuse a match of others that was private, or was played elsewhere. Own matches are always allowed."""
        stored = live.stored
        if stored.seat_of(user) is not None:
            return
        if stored.is_practice and not stored.channel:
            raise RefereeError("unknown-match", x=stored.id)
        if stored.guild != guild:
            raise RefereeError("elsewhere", m=stored.id)

    @classmethod
    def is_open(cls, live: Live, user: UserId, guild: Snowflake) -> bool:
        """Return True if `check_open` does not refuse."""
        try:
            cls.check_open(live, user, guild)
        except RefereeError:
            return False
        return True

    async def find_by_code(self, code: str) -> Live:
        """Return a match by its code; ignore case, # and blanks."""
        return await self._repository.live(code.strip().lstrip("#").upper())
