"""Custom ids of server settings, of moderators' actions, and of a user's preferences."""

from __future__ import annotations

from bot.ui.custom_ids.shapes import MATCH, NUMBER, USER, YES_NO, IdKind, Parts

SETTINGS = IdKind("st", f"[a-z_-]{{3,20}}:{NUMBER}")
RULES = IdKind("sf", NUMBER)
AUDIT = IdKind("au", f"{NUMBER}:(?:back|next|look|file)")

BAND = IdKind("sb", f"{NUMBER}:{USER}")
BAND_FIELD = "least"

RULES_FIELD, MATCHES_FIELD = "rules", "matches"


def settings(what: str, version: int) -> str:
    """Return the id of a control of a setting or card; `version` is that of the settings shown."""
    return SETTINGS.write(what, version)


def read_settings(parts: Parts) -> tuple[str, int]:
    what, version = parts
    return what, int(version)


def rules(version: int) -> str:
    """Return the id of the form with rules and numbers."""
    return RULES.write(version)


def read_rules(parts: Parts) -> int:
    (version,) = parts
    return int(version)


def band(version: int, role: int) -> str:
    """Return the id of the form for the lowest rating that gets a role."""
    return BAND.write(version, role)


def read_band(parts: Parts) -> tuple[int, int]:
    version, role = parts
    return int(version), int(role)


def audit(page: int, what: str) -> str:
    """Return the id of a button of the audit log: back, next, look (opened from the settings), file."""
    return AUDIT.write(page, what)


def read_audit(parts: Parts) -> tuple[int, str]:
    page, what = parts
    return int(page), what


# --- moderators -------------------------------------------------------------------------------------------------

MODERATE = IdKind("md", f"(?:stop|void):{MATCH}|decide:{MATCH}:(?:0|{USER})")
REASON_FIELD = "reason"


def stop(match: str) -> str:
    return MODERATE.write("stop", match)


def void(match: str) -> str:
    return MODERATE.write("void", match)


def decide(match: str, winner: int) -> str:
    """Return the id that decides a match; `winner` is a user, or 0 for a draw."""
    return MODERATE.write("decide", match, winner)


def read_moderate(parts: Parts) -> tuple[str, str, int]:
    """Return the action, the match, and the user who is to win it (0 for a draw)."""
    what, match, *winner = parts
    return what, match, int(winner[0]) if winner else 0


NOTIFY = IdKind("nt", "[a-z-]{4,10}")
ERASE = IdKind("cf", f"erase:{YES_NO}")


def notify(what: str) -> str:
    """Return the id of a preference.

    `what` is console, bids, warnings, results, cards, unblock, two-step, challenges or habits.
    """
    return NOTIFY.write(what)


def read_notify(parts: Parts) -> str:
    (what,) = parts
    return what


def erase(*, yes: bool) -> str:
    """Return the id of an answer to the question whether to erase the user's data."""
    return ERASE.write("erase", "y" if yes else "n")


def read_erase(parts: Parts) -> bool:
    return parts[-1] == "y"
