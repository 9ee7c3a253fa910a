"""The ids of the home card."""

from __future__ import annotations

from cogs.ui.ids import IdKind, Parts

HOME = IdKind("hm", "(?:house|rules|who)")


def home(what: str) -> str:
    """house, rules; who: a menu of people."""
    return HOME.write(what)


def read_home(parts: Parts) -> str:
    (what,) = parts
    return what
