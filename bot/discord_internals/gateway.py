"""The gateway connection: which events the bot takes, and under which names."""

from __future__ import annotations

import re
from typing import Any

from discord.gateway import DiscordWebSocket, ReconnectWebSocket

Reconnect = ReconnectWebSocket
"""raised when the gateway asks for a new connection; `resume` is True if the session can continue"""

CONNECTION_EVENTS = ("connect", "ready", "resumed", "disconnect")
"""events about the gateway connection itself"""

IGNORED_EVENTS = (
    *("MESSAGE_UPDATE", "MESSAGE_DELETE", "MESSAGE_DELETE_BULK"),
    *("GUILD_UPDATE", "GUILD_ROLE_CREATE", "GUILD_ROLE_UPDATE", "GUILD_ROLE_DELETE", "GUILD_MEMBER_UPDATE"),
    *("CHANNEL_CREATE", "CHANNEL_UPDATE", "CHANNEL_PINS_UPDATE", "THREAD_CREATE"),
    *("THREAD_MEMBER_UPDATE", "THREAD_MEMBERS_UPDATE"),
    *("STAGE_INSTANCE_CREATE", "STAGE_INSTANCE_UPDATE", "STAGE_INSTANCE_DELETE"),
)
"""events of the same intents that the bot does not use"""

SERVER_EVENTS = {
    "GUILD_CREATE": "server_told",
    "GUILD_DELETE": "server_lost",
    "CHANNEL_DELETE": "channel_deleted",
    "THREAD_DELETE": "thread_deleted",
    "THREAD_UPDATE": "thread_updated",
    "THREAD_LIST_SYNC": "threads_synced",
}
"""events about servers, which are dispatched raw under these names: discord.py keeps no server, channel or thread"""

_IGNORED = re.compile(rf'{{(?:"op":0,)?"t":"(?:{"|".join(IGNORED_EVENTS)})","s":(\d+),')
"""Start of their frames. Discord sends `t`, `s`, `op` and `d` in this order; a frame in any other order is parsed."""


class Socket(DiscordWebSocket):
    """A gateway connection that counts ignored events without parsing them: each edit in a DM comes back as one."""

    async def received_message(self, msg: Any, /) -> None:
        text: Any = self._decompressor.decompress(msg) if type(msg) is bytes else msg
        if text is None:  # an incomplete frame
            return
        unheard = _IGNORED.match(text)
        if unheard is None:
            await super().received_message(text)
            return
        self.sequence = int(unheard[1])
        if self._keep_alive is not None:
            self._keep_alive.tick()
