"""What Discord tells of things, as much of it as a bot needs, and messages that can be pressed."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from discord.utils import time_snowflake

Json = dict[str, Any]

GUILD = 1_300_000_000_000_000_001
CHANNEL = 1_300_000_000_000_000_002
V2 = 1 << 15
_BOARDS = int(os.environ.setdefault("BENCH_BOARDS", str(time_snowflake(datetime.now(UTC)))))
"""of this hour, as those of live matches are: Discord lets older messages be edited a few times a second at most.
The same in every process of a run"""
_CONSOLES = _BOARDS + 1_000_000
_PEOPLE = 1_330_000_000_000_000_000
_DMS = 1_340_000_000_000_000_000
EVERYTHING = str((1 << 50) - 1)


def board_id(match: int) -> int:
    return _BOARDS + match


def console_id(match: int, seat: int) -> int:
    return _CONSOLES + 2 * match + seat


def person_id(match: int, seat: int) -> int:
    return _PEOPLE + 2 * match + seat


def dm_id(match: int, seat: int) -> int:
    """The channel of a person's DMs."""
    return _DMS + 2 * match + seat


def written(data: object) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()


def user(id: int, name: str, bot: bool = False) -> Json:
    return {
        "id": str(id),
        "username": name,
        "global_name": name,
        "discriminator": "0000" if bot else "0",
        "avatar": None,
        "banner": None,
        "accent_color": None,
        "bot": bot,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
    }


def welcome(own: Json) -> Json:
    return {
        "v": 10,
        "user": {**own, "mfa_enabled": True, "locale": "en-US", "verified": True, "email": None},
        "guilds": [{"id": str(GUILD), "unavailable": True}],
        "session_id": "load",
        "session_type": "normal",
        "resume_gateway_url": "",
        "shard": [0, 1],
        "application": {"id": own["id"], "flags": 0},
        "private_channels": [],
        "relationships": [],
        "presences": [],
    }


def guild(own: Json) -> Json:
    everyone: Json = {"id": str(GUILD), "name": "@everyone", "permissions": EVERYTHING, "position": 0, "color": 0}
    everyone |= {"hoist": False, "managed": False, "mentionable": False, "flags": 0}
    channel: Json = {"id": str(CHANNEL), "type": 0, "guild_id": str(GUILD), "name": "games", "position": 0}
    channel |= {"permission_overwrites": [], "parent_id": None, "nsfw": False, "topic": None, "flags": 0}
    member: Json = {"user": own, "nick": None, "roles": [], "joined_at": "2026-01-01T00:00:00+00:00"}
    member |= {"avatar": None, "flags": 0, "pending": False, "mute": False, "deaf": False}
    return {
        "id": str(GUILD),
        "name": "Server",
        "icon": None,
        "owner_id": "1",
        "region": "",
        "features": [],
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "verification_level": 0,
        "roles": [everyone],
        "default_message_notifications": 1,
        "mfa_level": 0,
        "explicit_content_filter": 0,
        "premium_tier": 0,
        "preferred_locale": "en-US",
        "nsfw_level": 0,
        "emojis": [],
        "stickers": [],
        "joined_at": "2026-01-01T00:00:00+00:00",
        "large": False,
        "member_count": 2001,
        "members": [member],
        "channels": [channel],
        "threads": [],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
        "unavailable": False,
    }


def application(own: Json) -> Json:
    return {
        "id": own["id"],
        "name": own["username"],
        "icon": None,
        "description": "",
        "bot": own,
        "flags": 0,
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "tags": [],
        "team": None,
        "owner": user(1, "owner"),
        "integration_types_config": {"0": {}, "1": {}},
        "redirect_uris": [],
    }


@dataclass(slots=True, eq=False)
class Paper:
    """A message that somebody can press."""

    id: int
    channel: int
    person: int
    """whose DM it is; 0 in the server"""
    components: list[Json]
    body: bytes = b""
    """what the bot made of it last, as it came"""
    whole: bytes = b"{}"
    """the message as it is told, written before a heat"""

    def read(self, app: Json) -> None:
        """Take in what came, and write the message anew."""
        if self.body:
            said = json.loads(self.body)
            self.components = said.get("data", said).get("components", self.components)
            self.body = b""
        self.whole = written(
            {
                "id": str(self.id),
                "channel_id": str(self.channel),
                "type": 0,
                "author": app,
                "content": "",
                "embeds": [],
                "attachments": [],
                "tts": False,
                "pinned": False,
                "mention_everyone": False,
                "mentions": [],
                "mention_roles": [],
                "flags": V2,
                "components": self.components,
                "timestamp": datetime.now(UTC).isoformat(),
                "edited_timestamp": datetime.now(UTC).isoformat(),
            }
        )

    def key(self, prefix: str) -> str | None:
        """The first button that is alive and begins so."""
        waiting = list(self.components)
        while waiting:
            one = waiting.pop(0)
            waiting[:0] = one.get("components", [])
            if one["type"] == 2 and not one.get("disabled") and str(one.get("custom_id", "")).startswith(prefix):
                return str(one["custom_id"])
        return None
