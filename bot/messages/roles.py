"""Roles by rating, given and taken in the background: a server at a time, a few calls at a time."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.referee.model.clock_changes import read_owner
from bot.referee.model.model import Deadline, Snowflake
from bot.referee.model.people import RoleOf
from bot.referee.referee import Referee
from bot.rest.call_result import CallResult
from bot.rest.delivery import Delivery
from bot.rest.global_limit import SPARE
from bot.rest.server_roles import RoleStatus
from bot.ui.text.sentences import say

log = logging.getLogger(__name__)

AT_ONCE = 10
"""Calls for one server in one go."""
PAUSE = timedelta(seconds=1)
"""Time until the next ones."""
BUSY = timedelta(seconds=5)
"""Time until the next try while matches need the calls, or Discord accepts none."""
STUCK = timedelta(minutes=10)
"""Time until the next try after a missing permission."""


@dataclass
class RoleGiver:
    """Gives and takes the roles that are owed by the store. It remembers nothing: after a crash they are owed still."""

    referee: Referee
    delivery: Delivery

    async def bring(self, deadline: Deadline) -> bool | datetime:
        """Give and take all owed roles of a server. Return True, or the time of the next try if some are left."""
        (guild,), now = read_owner(deadline.owner), self.referee.clock.now
        if not await self.referee.leaving.is_member(guild):
            return True  # looked at anew once the bot is invited back
        cannot: set[Snowflake] = set()
        calls, roles = 0, None
        while any(owed := await self.referee.roles.list_owed(guild, sorted(cannot))):
            roles = roles or await self.delivery.read_roles(guild)
            # Those to give come first: nobody is seen without a role in between.
            for one, give in [*((one, True) for one in owed.give), *((one, False) for one in owed.take)]:
                if one.role in cannot:
                    continue
                status = RoleStatus.UNKNOWN if roles is None else roles.status(one.role)
                if status is RoleStatus.GONE and not give:
                    await self.referee.roles.note_taken(guild, one)
                elif status is not RoleStatus.YES:
                    cannot.add(one.role)
                elif self.delivery.budget.free_share < SPARE:
                    return now() + BUSY
                elif calls == AT_ONCE:
                    return now() + PAUSE
                else:
                    calls += 1
                    result = await self._carry_out(guild, one, give=give)
                    if result is CallResult.LATER:
                        return now() + BUSY
                    if result is not CallResult.DONE:
                        cannot.add(one.role)
        if cannot:
            log.info("roles of server %d that the bot cannot give or take now: %s", guild, sorted(cannot))
        return now() + STUCK if cannot else True

    async def _carry_out(self, guild: Snowflake, one: RoleOf, *, give: bool) -> CallResult:
        """Give or take a role. Return DONE, too, if there is nothing left to take, or nobody to give it to."""
        roles = self.referee.roles
        if give:
            await roles.note_giving(guild, one)
        why = say("role-given" if give else "role-taken")
        result = await self.delivery.set_role(guild, one.user, one.role, on=give, why=why)
        if result is CallResult.MEMBER_GONE:
            await roles.note_left(guild, one.user)
        if give and result is CallResult.DONE:
            await roles.note_given(guild, one)
        elif result is not CallResult.LATER and (give or result is not CallResult.FORBIDDEN):
            await roles.note_taken(guild, one)
        gone = result is CallResult.MEMBER_GONE or (not give and result is CallResult.ROLE_GONE)
        return CallResult.DONE if gone else result
