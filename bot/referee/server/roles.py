"""Roles by rating: what a server's bands owe is computed each time, and not stored."""

from __future__ import annotations

from collections.abc import Sequence

from bot.referee.model.changes import DropRole, NameMember, NoteRole
from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.people import OwedRoles, RoleOf
from bot.referee.model.rating_changes import schedule_role_check
from bot.referee.repository.match_repository import Commands

AT_ONCE = 20
"""People checked in one go."""


class Roles(Commands):
    """Roles that are owed, and the record of those given.

    Bands follow the ranking of the server's default game: of the current season, else of all time.
    """

    async def list_owed(self, guild: Snowflake, without: Sequence[Snowflake] = ()) -> OwedRoles:
        """Return roles that are owed to a few people, without the roles in `without`."""
        settings, season = await self._store.guild(guild), await self._store.season(guild)
        pool = settings.game
        return await self._store.owed_roles(
            guild, pool, settings.bands, season=season is not None, without=without, limit=AT_ONCE
        )

    async def schedule_check(self, guild: Snowflake) -> None:
        """Schedule a check of all roles, if there are any."""
        if steps := schedule_role_check(await self._store.guild(guild), self._clock.now()):
            await self._repository.write(steps)

    async def note_giving(self, guild: Snowflake, one: RoleOf) -> None:
        """Note that the bot is about to give a role."""
        await self._repository.write((NoteRole(guild, one.user, one.role, given=False),))

    async def note_given(self, guild: Snowflake, one: RoleOf) -> None:
        await self._repository.write((NoteRole(guild, one.user, one.role, given=True),))

    async def note_taken(self, guild: Snowflake, one: RoleOf) -> None:
        """Note that a person has lost the role."""
        await self._repository.write((DropRole(guild, one.user, one.role),))

    async def note_left(self, guild: Snowflake, user: UserId) -> None:
        """Note that a person left the server, and lost all roles."""
        name = await self._store.name_of(guild, user) or ""
        await self._repository.write((NameMember(guild, user, name, here=False),))
