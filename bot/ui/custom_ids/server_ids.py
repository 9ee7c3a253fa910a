"""Custom ids of server settings, of moderators' actions, and of a user's preferences."""

from __future__ import annotations

from bot.ui.custom_ids.shapes import MATCH, NUMBER, USER, YES_NO, AnyId, IdKind, Parts, read_last_part

SETTINGS = IdKind[str, int]("st", "[a-z_-]{3,20}", NUMBER)
"""a control of a setting or card; the number is the version of the settings shown"""
settings, read_settings = SETTINGS.write, SETTINGS.read

RULES = IdKind[int]("sf", NUMBER)
"""the form with rules and numbers, for a version of the settings"""
RULES_FIELD, MATCHES_FIELD = "rules", "matches"
rules = RULES.write

BAND = IdKind[int, int]("sb", NUMBER, USER)
"""the form for the lowest rating that gets a role: the version of the settings, and the role"""
BAND_FIELD = "least"
band, read_band = BAND.write, BAND.read

AUDIT = IdKind[int, str]("au", NUMBER, "(?:back|next|look|file)")
"""a button of the audit log: its page, and what the button does; `look` opens the log from the settings"""
audit, read_audit = AUDIT.write, AUDIT.read

PREFERENCE = IdKind[str]("pf", "[a-z-]{4,10}")
"""a preference: console, bids, warnings, results, cards, unblock, two-step, challenges or habits"""
preference, read_preference = PREFERENCE.write, read_last_part

MODERATE = AnyId("md", f"(?:stop|unrate):{MATCH}|decide:{MATCH}:(?:0|{USER})")
REASON_FIELD = "reason"

ERASE = IdKind[str, bool]("cf", "erase", YES_NO)
"""an answer to the question whether to erase the user's data"""


def read_rules(parts: Parts) -> int:
    return int(parts[0])


def stop(match: str) -> str:
    return MODERATE.write("stop", match)


def unrate(match: str) -> str:
    return MODERATE.write("unrate", match)


def decide(match: str, winner: int) -> str:
    """Return the id that decides a match; `winner` is a user, or 0 for a draw."""
    return MODERATE.write("decide", match, winner)


def read_moderate(parts: Parts) -> tuple[str, str, int]:
    """Return the action, the match, and the user who is to win it (0 for a draw)."""
    what, match, *winner = parts
    return what, match, int(winner[0]) if winner else 0


def erase(*, yes: bool) -> str:
    return ERASE.write("erase", yes)


def read_erase(parts: Parts) -> bool:
    return parts[-1] == "y"
