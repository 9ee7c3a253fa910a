"""Limits of invitations: each one is a message that pings people."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.errors import RefereeError
from bot.referee.model.model import Lobby, LobbyState, Reply, Snowflake, UserId
from bot.referee.model.participant import Person
from bot.referee.model.people import Ban
from data.store import Store

INVITATIONS = 5
"""Challenges of one person that wait for an answer."""

TABLES = 2
"""Open tables of one person in a channel."""

ASKED = 3
"""Invitations to the same person within `SPAN`, unless they accepted one."""

MOST = 20
"""Challenges and tables of one person within `SPAN`."""

SPAN = timedelta(hours=1)

UNSEEN = timedelta(seconds=5)
"""Time after which a challenge without a message was never posted: the process ended before it was sent."""


def is_lost(lobby: Lobby, now: datetime) -> bool:
    """Return True if the challenge was never posted, so that it must not block others."""
    return lobby.message is None and now - lobby.created > UNSEEN


def check_limits(
    hosted: Sequence[Lobby], now: datetime, kind: str, channel: Snowflake, others: Sequence[Person]
) -> None:
    """Refuse one more invitation. `hosted` are the host's lobbies, open or created within `SPAN`, oldest first."""
    standing = [
        lobby for lobby in hosted if lobby.state is LobbyState.OPEN and lobby.expires > now and not is_lost(lobby, now)
    ]
    if kind == "challenge" and sum(lobby.kind == kind for lobby in standing) >= INVITATIONS:
        raise RefereeError("too-many-open", n=INVITATIONS)
    if kind == "table" and sum(lobby.kind == kind and lobby.channel == channel for lobby in standing) >= TABLES:
        raise RefereeError("too-many-tables")
    lately = [lobby for lobby in hosted if lobby.created > now - SPAN]
    for person in others:
        asked = _list_unanswered(lately, person)
        if len(asked) >= ASKED:
            raise RefereeError("asked-lately", name=person.name, t=asked[-ASKED].created + SPAN)
    if len(lately) >= MOST:
        raise RefereeError("too-fast", t=lately[-MOST].created + SPAN)


def _list_unanswered(lately: Sequence[Lobby], person: Person) -> list[Lobby]:
    """Return the invitations of a person since the last one that they accepted."""
    asked: list[Lobby] = []
    for lobby in lately:
        answer = next((invite.answer for invite in lobby.people if invite.user == person.user), None)
        if answer is Reply.ACCEPTED:
            asked.clear()
        elif answer is not None and lobby.kind == "challenge":
            asked.append(lobby)
    return asked


async def find_ban(store: Store, guild: Snowflake, user: UserId, now: datetime) -> Ban | None:
    """Return the ban of a person in a server that is in force; None outside of servers."""
    ban = await store.ban(guild, user) if guild else None
    return ban if ban is not None and ban.until > now else None


async def check_not_banned(store: Store, guild: Snowflake, user: UserId, now: datetime) -> None:
    """Refuse a person who is banned from this server."""
    ban = await find_ban(store, guild, user, now)
    if ban is not None and not ban.reason:
        raise RefereeError("banned-bare", t=ban.until)
    if ban is not None:
        raise RefereeError("banned-here", t=ban.until, reason=ban.reason)
