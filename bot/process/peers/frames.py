"""Frames between two processes: a proof of the key on both sides, then authenticated frames of a bounded size.

Bodies contain sealed choices in clear. No error and no repr has anything of them.
"""

from __future__ import annotations

import hmac
import secrets
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b

PROTOCOL = 1
"""version of this protocol; a peer with another version is refused"""

MAX_BODY = 1 << 20
"""most bytes of a body: as many as an interaction by HTTP may have"""

MAGIC = b"GOPS"
NONCE = PROOF = 32
MAC = 16
"""bytes"""

_HELLO = struct.Struct(f">4sH{NONCE}sIQ")
_HEAD = struct.Struct(">IBQ")
_SEQUENCE = struct.Struct(">Q")
OVERHEAD = _HEAD.size + MAC
"""bytes of a frame without its body"""

ASKER, OWNER = b"asker", b"owner"
"""the two sides of a connection. Whatever a side proves or sends names it, so that it cannot be sent back to it."""


class PeerError(Exception):
    """What a peer sent cannot be accepted. The text follows the name of the peer, and has nothing of what was sent."""


@dataclass(frozen=True, slots=True)
class PeerIdentity:
    """What a process says of itself, and the key that all processes of a bot share."""

    key: bytes = field(repr=False)
    schema: int
    """number of migrations that this process knows"""
    process: int

    @classmethod
    def from_token(cls, token: str, schema: int, process: int) -> PeerIdentity:
        return cls(hmac.digest(token.encode(), b"gops peer 1", "sha256"), schema, process)


class Session:
    """A connection on which both sides have proved the key: writes the frames of this side, and reads the peer's."""

    def __init__(self, own_key: bytes, peer_key: bytes, schema: int, process: int) -> None:
        self.schema, self.process = schema, process
        self._own_mac = blake2b(key=own_key, digest_size=MAC)
        self._peer_mac = blake2b(key=peer_key, digest_size=MAC)
        self._written = self._read = 0
        self._buffer = bytearray()

    def write(self, kind: int, number: int, body: bytes = b"") -> bytes:
        """Return a frame, to be sent before the next one is written."""
        head = _HEAD.pack(len(body), kind, number)
        mac = _sign(self._own_mac, self._written, head, body)
        self._written += 1
        return b"".join((head, mac, body))

    def read(self, data: bytes) -> Iterator[tuple[int, int, bytes]]:
        """Yield kind, number and body of each frame that is complete with these bytes. Raises PeerError."""
        buffer = self._buffer
        buffer += data
        at, end = 0, len(buffer)
        try:
            while end - at >= OVERHEAD:
                size, kind, number = _HEAD.unpack_from(buffer, at)
                if size > MAX_BODY:
                    raise PeerError("sent a frame that is too large")
                begin = at + OVERHEAD
                if begin + size > end:
                    break
                body = bytes(buffer[begin : begin + size])
                mac = _sign(self._peer_mac, self._read, buffer[at : at + _HEAD.size], body)
                if not hmac.compare_digest(mac, buffer[begin - MAC : begin]):
                    raise PeerError("sent a frame that is not authentic")
                self._read += 1
                at = begin + size
                yield kind, number, body
        finally:
            del buffer[:at]


def _sign(keyed: blake2b, sequence: int, head: bytes | bytearray, body: bytes) -> bytes:
    mac = keyed.copy()
    mac.update(_SEQUENCE.pack(sequence) + head)
    mac.update(body)
    return mac.digest()


class Handshake:
    """Proves the key to a peer, and lets the peer prove it. Each side sends its hello at once, then its proof over both
    hellos. The keys of the frames come from both hellos too, so that they are good for one connection only."""

    def __init__(self, identity: PeerIdentity, *, is_asker: bool) -> None:
        self._key = identity.key
        self._sides = (ASKER, OWNER) if is_asker else (OWNER, ASKER)
        nonce = secrets.token_bytes(NONCE)
        self.hello = _HELLO.pack(MAGIC, PROTOCOL, nonce, identity.schema, identity.process)
        """the first bytes to send; every version begins with as many"""
        self._theirs = b""
        self._buffer = b""

    def receive(self, data: bytes) -> tuple[bytes, Session | None, bytes]:
        """Take in bytes of the peer. Return what to send next, the session once the peer has proved the key, and what
        came after that. Raises PeerError."""
        self._buffer += data
        proof = b""
        if not self._theirs and len(self._buffer) >= _HELLO.size:
            self._theirs, self._buffer = self._buffer[: _HELLO.size], self._buffer[_HELLO.size :]
            magic, version, *_ = _HELLO.unpack(self._theirs)
            if magic != MAGIC:
                raise PeerError("is no process of this bot")
            if version != PROTOCOL:
                raise PeerError(f"speaks version {version} of the protocol between processes, and this one {PROTOCOL}")
            proof = self._derive(b"proof", self._sides[0])
        if not self._theirs or len(self._buffer) < PROOF:
            return proof, None, b""
        if not hmac.compare_digest(self._buffer[:PROOF], self._derive(b"proof", self._sides[1])):
            raise PeerError("has another key: all processes need the same DISCORD_TOKEN")
        *_, schema, process = _HELLO.unpack(self._theirs)
        own, peer = (self._derive(b"frames", side) for side in self._sides)
        return proof, Session(own, peer, schema, process), self._buffer[PROOF:]

    def _derive(self, purpose: bytes, side: bytes) -> bytes:
        """Return 32 bytes for one purpose and side of this connection."""
        hellos = (self.hello, self._theirs) if self._sides[0] == ASKER else (self._theirs, self.hello)
        return hmac.digest(self._key, b" ".join((purpose, side, *hellos)), "sha256")
