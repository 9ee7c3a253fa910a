"""Addresses that may get the token: encrypted ones, and this machine."""

from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit


def split(address: str, schemes: tuple[str, str]) -> SplitResult:
    """Split an address with one of these schemes, the encrypted one first. Raises ValueError with what it must be.

    An address that two parsers could read differently is refused."""
    plain = address.isascii() and address.isprintable() and not set(address) & set(" \\\"'<>^`{|}")
    try:
        parts = urlsplit(address if plain else "")
        named = parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:  # an invalid port or IPv6 address
        named = False
        parts = urlsplit("")
    if not named or parts.query or parts.fragment:
        raise ValueError(f"must be an address such as {schemes[0]}://discord.com/api/v10")
    if "@" in parts.netloc:
        raise ValueError("must be an address without a name or password in it")
    return parts


def is_here(host: str | None) -> bool:
    """Return True if the host is this machine."""
    if host == "localhost":
        return True
    try:
        return ip_address(host or "").is_loopback
    except ValueError:
        return False


def trusted(address: str, schemes: tuple[str, str]) -> SplitResult:
    """Split an address that may get the token. Raises ValueError with what it must be."""
    parts = split(address, schemes)
    if parts.scheme != schemes[0] and not is_here(parts.hostname):
        raise ValueError(f"must begin with {schemes[0]}:// unless it is on this machine: the token goes there")
    return parts


def split_address(address: str) -> tuple[str, int]:
    """Split `host:port`; the brackets of an IPv6 address are dropped, and the host may be empty. Raises ValueError."""
    host, _, port = address.rpartition(":")
    plain = host.isascii() and host.isprintable() and not set(host) & set(" /@")
    if not (plain and port.isascii() and port.isdecimal() and len(port) <= 5 and int(port) < 65536):
        raise ValueError("must be a host and a port")
    return host.removeprefix("[").removesuffix("]"), int(port)


def join_address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
