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

    def __init__(self, guild: int, roles: Sequence[Mapping[str, Any]], own: Mapping[str, Any]) -> None:
        """`roles` and `own` are Discord's lists of roles and its member object of the bot."""
        self._guild = guild
        self._roles = {int(role["id"]): role for role in roles}
        held = [self._roles[id] for id in (guild, *map(int, own["roles"])) if id in self._roles]
        self._permissions = discord.Permissions(0)
        for role in held:
            self._permissions |= discord.Permissions(int(role["permissions"]))
        self._top = max(map(_rank, held), default=(0, 0))

    def status(self, role: int) -> RoleStatus:
        """Return whether the bot may give and take this role."""
        found = self._roles.get(role)
        if found is None:
            return RoleStatus.GONE
        if not (self._permissions.manage_roles or self._permissions.administrator):
            return RoleStatus.NO_RIGHT
        if found["managed"] or role == self._guild:
            return RoleStatus.NEVER
        return RoleStatus.YES if self._top > _rank(found) else RoleStatus.ABOVE


def _rank(role: Mapping[str, Any]) -> tuple[int, int]:
    """Of two roles at the same position the older one is higher."""
    return int(role["position"]), -int(role["id"])
