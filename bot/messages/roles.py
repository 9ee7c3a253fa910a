"""Roles by rating, given and taken behind everything else: a server at a time, a few calls at a time."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

from bot.referee.model.bands import read_roles_owner
from bot.referee.model.model import Deadline, Snowflake
from bot.referee.model.people import OwedRoles, RoleOf
from bot.referee.referee import Referee
from bot.rest.call_result import CallResult
from bot.rest.delivery import Delivery, RoleStatus
from bot.ui.text.sentences import say

log = logging.getLogger(__name__)

SPARE = 0.5
"""so much of the budget of counted calls has to be free: matches come first"""
AT_ONCE = 10
"""calls for one server in one go"""
PAUSE = timedelta(seconds=1)
"""after which the next ones follow"""
BUSY = timedelta(seconds=5)
"""after which it is tried again while matches need the calls, or Discord takes none"""
STUCK = timedelta(minutes=10)
"""after which it is looked again whether what was missing is there now"""


class RoleChange(NamedTuple):
    """One call."""

    one: RoleOf
    give: bool


class RoleGiver:
    """Carries out what the referee finds owed. Nothing is remembered here: after a crash it is owed still."""

    def __init__(self, referee: Referee, delivery: Delivery) -> None:
        self.roles = referee.roles
        self.clock = referee.clock
        self.delivery = delivery

    async def bring(self, deadline: Deadline) -> bool | timedelta:
        """All of a server as it should be; after how long to look again, where that is not done."""
        guild = read_roles_owner(deadline.owner)
        if not self.delivery.is_member(guild):
            return True  # looked at anew once the bot is invited back
        cannot: set[Snowflake] = set()
        calls = 0
        while changes := list(_changes(await self.roles.list_owed(guild, sorted(cannot)))):
            for change in changes:
                if change.one.role in cannot:
                    continue
                may = self.delivery.role_status(guild, change.one.role)
                if may is RoleStatus.GONE and not change.give:
                    await self.roles.note_taken(guild, change.one)
                    continue
                if may is not RoleStatus.YES:
                    cannot.add(change.one.role)
                    continue
                if self.delivery.budget.free_share < SPARE:
                    return BUSY
                if calls == AT_ONCE:
                    return PAUSE
                calls += 1
                fate = await self._carry_out(guild, change)
                if fate is CallResult.LATER:
                    return BUSY
                if fate is not CallResult.DONE:
                    cannot.add(change.one.role)
        if cannot:
            log.info("roles of server %d that cannot be given or taken now: %s", guild, sorted(cannot))
        return STUCK if cannot else True

    async def _carry_out(self, guild: Snowflake, change: RoleChange) -> CallResult:
        one = change.one
        if change.give:
            await self.roles.note_giving(guild, one)
        why = say("role-given" if change.give else "role-taken")
        fate = await self.delivery.set_role(guild, one.user, one.role, on=change.give, why=why)
        if fate is CallResult.MEMBER_GONE:
            await self.roles.note_left(guild, one.user)
        if change.give and fate is CallResult.DONE:
            await self.roles.note_given(guild, one)
        elif fate is not CallResult.LATER and (change.give or fate is not CallResult.FORBIDDEN):
            await self.roles.note_taken(guild, one)
        gone = fate is CallResult.MEMBER_GONE or (not change.give and fate is CallResult.ROLE_GONE)
        return CallResult.DONE if gone else fate


def _changes(owed: OwedRoles) -> Iterator[RoleChange]:
    """A role that is left goes after the new one came: nobody is seen without."""
    yield from (RoleChange(one, give=True) for one in owed.give)
    yield from (RoleChange(one, give=False) for one in owed.take)
