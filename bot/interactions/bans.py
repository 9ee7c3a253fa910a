"""People and servers that the operator of the bot has banned."""

from __future__ import annotations

from dataclasses import dataclass

from bot.errors import RefereeError


@dataclass(slots=True)
class Bans:
    """Replaced in place when the settings are read again."""

    users: frozenset[int] = frozenset()
    servers: frozenset[int] = frozenset()

    def check_ban(self, user: int, server: int | None) -> None:
        """Refuse a banned person, and everybody in a banned server."""
        if user in self.users or server in self.servers:
            raise RefereeError("banned")
