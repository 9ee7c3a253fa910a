"""With what Discord signs the requests that it sends to an application. Needs PyNaCl; without it there are none."""

from functools import cached_property
from typing import Any


class Signer:
    """The key of one application."""

    @cached_property
    def _key(self) -> Any:
        try:
            from nacl.signing import SigningKey
        except ModuleNotFoundError:
            return None
        return SigningKey.generate()

    @property
    def there(self) -> bool:
        return self._key is not None

    @property
    def public(self) -> str:
        """In hex, as the application is told it."""
        return self._key.verify_key.encode().hex() if self.there else "0" * 64

    def sign(self, timestamp: str, body: bytes) -> str:
        return self._key.sign(timestamp.encode() + body).signature.hex()
