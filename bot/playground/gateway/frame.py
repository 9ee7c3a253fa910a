"""Frames of the gateway: opcodes, close codes, and the stream that compresses them."""

import json
import zlib
from enum import IntEnum

from bot.playground.protocol.wire import Json


class Op(IntEnum):
    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    VOICE_STATE = 4
    RESUME = 6
    RECONNECT = 7
    REQUEST_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Close(IntEnum):
    UNKNOWN_OP = 4001
    DECODE_ERROR = 4002
    NOT_AUTHENTICATED = 4003
    AUTHENTICATION_FAILED = 4004
    ALREADY_AUTHENTICATED = 4005
    INVALID_SEQ = 4007
    RATE_LIMITED = 4008
    SESSION_TIMED_OUT = 4009
    INVALID_SHARD = 4010
    SHARDING_REQUIRED = 4011
    INVALID_INTENTS = 4013
    DISALLOWED_INTENTS = 4014


def plain(op: Op, data: object = None) -> str:
    """A frame that is no event and has no number."""
    return json.dumps({"op": int(op), "d": data, "s": None, "t": None}, separators=(",", ":"))


def dispatch(name: str, sequence: int, data: str) -> str:
    """An event with its number, around data that is JSON already (written once for all sessions)."""
    return f'{{"op":0,"t":"{name}","s":{sequence},"d":{data}}}'


def dump(data: Json) -> str:
    return json.dumps(data, separators=(",", ":"))


class Deflate:
    """One zlib stream per connection, flushed at the end of every frame."""

    def __init__(self) -> None:
        self._stream = zlib.compressobj(level=1)

    def pack(self, text: str) -> bytes:
        return self._stream.compress(text.encode()) + self._stream.flush(zlib.Z_SYNC_FLUSH)
