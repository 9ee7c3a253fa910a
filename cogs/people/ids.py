"""The ids of a person's preferences."""

from __future__ import annotations

from cogs.ui.ids import IdKind, Parts

NOTIFY = IdKind("nt", "[a-z-]{4,10}")


def notify(what: str) -> str:
    """console, bids, warnings, results, cards, unblock, two-step, challenges, habits."""
    return NOTIFY.write(what)


def read_notify(parts: Parts) -> str:
    (what,) = parts
    return what
