"""The ids of a person's preferences."""

from __future__ import annotations

from bot.ui.custom_ids.shapes import YES_NO, IdKind, Parts

NOTIFY = IdKind("nt", "[a-z-]{4,10}")
ERASE = IdKind("cf", f"erase:{YES_NO}")


def notify(what: str) -> str:
    """console, bids, warnings, results, cards, unblock, two-step, challenges, habits."""
    return NOTIFY.write(what)


def read_notify(parts: Parts) -> str:
    (what,) = parts
    return what


def erase(*, yes: bool) -> str:
    """An answer to whether one's own data shall be erased."""
    return ERASE.write("erase", "y" if yes else "n")


def read_erase(parts: Parts) -> bool:
    return parts[-1] == "y"
