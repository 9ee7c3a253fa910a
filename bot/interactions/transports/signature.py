"""Whether Discord itself has sent a request. The only module that knows PyNaCl."""

from __future__ import annotations

from nacl.exceptions import CryptoError
from nacl.signing import VerifyKey


class Signature:
    """Made with the application's public key, in hex as Discord tells it. Raises ValueError where that is none."""

    def __init__(self, key: str) -> None:
        try:
            self._key = VerifyKey(bytes.fromhex(key))
        except (ValueError, CryptoError):
            raise ValueError("Discord told no public key of this application") from None

    def is_valid(self, timestamp: str, signature: str, body: bytes) -> bool:
        """Whether it is Discord's, over this time and these very bytes."""
        try:
            self._key.verify(timestamp.encode() + body, bytes.fromhex(signature))
        except (ValueError, CryptoError):  # of the wrong length, no hex, or another's
            return False
        return True
