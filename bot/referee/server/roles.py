"""Roles by rating: what is owed by a server's bands, worked out each time: nobody keeps a list of it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.referee.model.bands import schedule_role_check
from bot.referee.model.changes import DropRole, NameMember, NoteRole
from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.people import OwedRoles, RoleOf
from bot.referee.repository.match_repository import MatchRepository
from bot.referee.repository.standings import pool_of

AT_ONCE = 20
"""people looked at in one go"""


class Roles:
    """What is owed, and what was done of it. Bands go by the ranking of the game that is usual in the server: of the
    season that goes on, else of all time."""

    def __init__(self, repository: MatchRepository) -> None:
        self._repository = repository

    async def list_owed(self, guild: Snowflake, without: Sequence[Snowflake] = ()) -> OwedRoles:
        """A few people; roles that cannot be given or taken now are left out."""
        store = self._repository.store
        settings, season = await store.guild(guild), await store.season(guild)
        pool = pool_of(settings.game)
        return await store.owed_roles(
            guild, pool, settings.bands, season=season is not None, without=without, limit=AT_ONCE
        )

    async def schedule_check(self, guild: Snowflake) -> None:
        """Look at all of them soon, if there are any."""
        if steps := schedule_role_check(await self._repository.store.guild(guild), self._repository.clock.now()):
            await self._repository.write(steps)

    async def note_giving(self, guild: Snowflake, one: RoleOf) -> None:
        """From now on they may have it."""
        await self._repository.write((NoteRole(guild, one.user, one.role, given=False),))

    async def note_given(self, guild: Snowflake, one: RoleOf) -> None:
        await self._repository.write((NoteRole(guild, one.user, one.role, given=True),))

    async def note_taken(self, guild: Snowflake, one: RoleOf) -> None:
        """They have it no more, or it is gone."""
        await self._repository.write((DropRole(guild, one.user, one.role),))

    async def note_left(self, guild: Snowflake, user: UserId) -> None:
        """They are not in the server any more: with them went their roles."""
        name = await self._repository.store.name_of(guild, user) or ""
        await self._repository.write((NameMember(guild, user, name, here=False),))
