"""Which match a command is about: the one that was named, or the one that a person can only mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.errors import RefereeError
from bot.referee.model.model import Snowflake, StoredMatch, UserId
from bot.referee.repository.live import Live
from bot.referee.repository.match_repository import MatchRepository


class Finder:
    """Finds one match; where there is none, or more than one, the refusal says so."""

    def __init__(self, repository: MatchRepository) -> None:
        self._repository = repository

    async def find_live(
        self,
        user: UserId,
        code: str | None,
        fits: Callable[[StoredMatch], bool] = lambda _: True,
        unfit: str = "no-match",
    ) -> Live:
        """The live match a command is about: the one named, or the only one with which the command can do something.

        It can do nothing with a match that this person has left.
        `unfit` is the refusal where this person is in live matches, and the command can do nothing with any.
        """
        if code:
            return await self.find_by_code(code)
        found = await self._repository.store.live_of(user)
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
        return await self._repository.store.live_of(user)

    async def live_ids(self, guild: Snowflake, channel: Snowflake = 0) -> Sequence[str]:
        """Return the ids of live matches of a server, or of one of its channels."""
        return await self._repository.store.live_in(guild, channel)

    async def unfinished(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return the ids of all live matches, and of all open challenges and tables."""
        return await self._repository.store.unfinished()

    async def find_here(self, user: UserId, code: str | None, guild: Snowflake, channel: Snowflake) -> Live:
        """The match named, or the newest live one of this person in a channel that has a board."""
        if code:
            return await self.find_by_code(code)
        found = await self._repository.store.last_match(user, channel, live=True)
        if found is None:
            live = await self._repository.store.live_of(user)
            boards = [one.id for one in live if one.guild == guild and one.channel]
            if boards:
                raise RefereeError("no-match-here", m=boards[-1])
            if any(one.channel for one in live):
                raise RefereeError("no-board")
            raise RefereeError("no-board-practice" if live else "no-match")
        return await self._repository.live(found)

    async def find_finished(
        self, user: UserId, code: str | None, not_yet: str = "still-live", guild: Snowflake | None = None
    ) -> Live:
        """The match named, or the newest finished one of this person; `not_yet` refuses one that is still played.

        With a `guild` a match that was played there, or practice, is preferred; 0 is where the bot is a guest.
        """
        if code:
            return await self.find_by_code(code)
        found = None if guild is None else await self._repository.store.last_match(user, live=False, guild=guild)
        found = found or await self._repository.store.last_match(user, live=False)
        if found is None:
            playing = await self._repository.store.last_match(user, live=True)
            raise RefereeError("no-finished") if playing is None else RefereeError(not_yet, m=playing)
        return await self._repository.live(found)

    @staticmethod
    def check_open(live: Live, user: UserId, guild: Snowflake) -> None:
        """One's own matches may be looked into anywhere; others' where they were played, if they were public."""
        stored = live.stored
        if stored.seat_of(user) is not None:
            return
        if stored.practice and not stored.channel:
            raise RefereeError("unknown-match", x=stored.id)
        if stored.guild != guild:
            raise RefereeError("elsewhere", m=stored.id)

    async def find_by_code(self, code: str) -> Live:
        """A match by its code; case, # and blanks do not matter."""
        return await self._repository.live(code.strip().lstrip("#").upper())
