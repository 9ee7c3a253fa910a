"""Which roles of a server the bot may give and take, by what Discord says of the roles and of the bot's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

import discord


class RoleStatus(Enum):
    """Whether the bot can give a role. The settings of a server explain each status but the first and the last."""

    YES = "yes"
    NO_RIGHT = "no-right"
    ABOVE = "above"
    NEVER = "never"
    GONE = "gone"
    UNKNOWN = "unknown"


class ServerRoles:
    """The roles of a server, and the bot's own among them."""

    def __init__(self, guild: int, roles: Sequence[Any], own: Mapping[str, Any]) -> None:
        """`roles` and `own` are Discord's lists of roles and its member object of the bot."""
        server: Any = discord.Object(guild)
        state: Any = None  # only calls of a role would need it
        self._roles = {int(role["id"]): discord.Role(guild=server, state=state, data=role) for role in roles}
        self._own = [self._roles[id] for id in (guild, *map(int, own["roles"])) if id in self._roles]

    def status(self, role: int) -> RoleStatus:
        """Return whether the bot may give and take this role."""
        found = self._roles.get(role)
        if found is None:
            return RoleStatus.GONE
        if not any(one.permissions.manage_roles or one.permissions.administrator for one in self._own):
            return RoleStatus.NO_RIGHT
        if found.managed or found.is_default():
            return RoleStatus.NEVER
        return RoleStatus.YES if max(self._own) > found else RoleStatus.ABOVE
