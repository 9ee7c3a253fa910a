"""Custom ids of sheets, seals, replays, leaderboards, histories and profiles."""

from __future__ import annotations

from typing import NamedTuple

from bot.ui.custom_ids.shapes import KEY, MATCH, NUMBER, USER, IdKind, Parts

SHEET = IdKind("sh", f"{MATCH}:{NUMBER}:{NUMBER}:[gs](?::[a-z]{{1,2}})?")
SEALS = IdKind("sl", f"{MATCH}:{NUMBER}(?::[el])?")
LEADERBOARD = IdKind("lb", f"{KEY}:{NUMBER}(?::{NUMBER})?:(?:back|next|mine|all)")
_FILTER = f":(?:-|won|lost|drawn):(?:0|{USER})(?::{NUMBER})?"
HISTORY = IdKind("hi", f"{USER}:(?:-|{KEY}):{NUMBER}(?:{_FILTER})?:(?:back|next|all|export)")
PROFILE = IdKind("pr", f"{USER}:(?:history|all)")
REPLAY = IdKind("rp", f"{MATCH}:{NUMBER}:(?:first|back|next|last|turn|all)")
REPLAY_REVIEW = IdKind("rp", f"{MATCH}:{NUMBER}:review")
REPLAY_DEAL = IdKind("rp", f"{MATCH}:deal")
POOL = IdKind("se", f"pool(?::{NUMBER})?")
SEASON = IdKind("se", f"season:{KEY}")
OPEN = IdKind("se", "open")

EVERY = "-"
"""the value of a filter that excludes nothing"""


def sheet(match: str, deal: int, page: int, form: str, what: str = "") -> str:
    """Return the id of a page of a sheet.

    `form` is s (sentences) or g (grid). `what` is e for a public copy. Any other value only tells two buttons with the
    same target apart.
    """
    return SHEET.write(match, deal, page, form, *([what] if what else []))


def read_sheet(parts: Parts) -> tuple[str, int, int, str, bool]:
    """Return match, deal, page, form, and whether the sheet is public."""
    match, deal, page, form, *what = parts
    return match, int(deal), int(page), form, what == ["e"]


def seals(match: str, page: int, what: str = "") -> str:
    """Return the id of a page of the seals; `what` tells two buttons with the same target apart."""
    return SEALS.write(match, page, *([what] if what else []))


def read_seals(parts: Parts) -> tuple[str, int]:
    match, page, *_ = parts
    return match, int(page)


def replay(match: str, moment: int, what: str) -> str:
    """Return the id of a button of a replay.

    With first, back, next and last, `moment` is the moment to show. With turn, review and all, it is the one shown now.
    """
    return REPLAY.write(match, moment, what)


def read_replay(parts: Parts) -> tuple[str, int, str]:
    match, moment, what = parts
    return match, int(moment), what


def replay_deal(match: str) -> str:
    """Return the id of a menu of deals. The press brings the deal."""
    return REPLAY_DEAL.write(match, "deal")


def read_replay_deal(parts: Parts) -> str:
    match, _ = parts
    return match


def leaderboard(pool: str, page: int, what: str, season: int = 0) -> str:
    """Return the id of a button of a leaderboard: back, next, mine, all; `season` is 0 for all time."""
    return LEADERBOARD.write(pool, page, *([season] if season else []), what)


def read_leaderboard(parts: Parts) -> tuple[str, int, str, int]:
    """Return pool, page, button, and the season (0 for all time)."""
    pool, page, *season, what = parts
    return pool, int(page), what, int(season[0]) if season else 0


class Listing(NamedTuple):
    """Filter of a user's finished matches: by game, result, opponent and season. Empty and 0 mean all."""

    user: int
    game: str = ""
    result: str = ""
    against: int = 0
    season: int = 0


def history(wanted: Listing, page: int, what: str) -> str:
    """Return the id of a button of a history: back, next, all, export."""
    filtered: tuple[object, ...] = ()
    if wanted.result or wanted.against or wanted.season:
        filtered = (wanted.result or EVERY, wanted.against, *([wanted.season] if wanted.season else []))
    return HISTORY.write(wanted.user, wanted.game or EVERY, page, *filtered, what)


def read_history(parts: Parts) -> tuple[Listing, int, str]:
    user, game, page, *filtered, what = parts
    result, against, season = (*filtered, "0")[:3] if filtered else (EVERY, "0", "0")
    wanted = Listing(
        *(int(user), "" if game == EVERY else game, "" if result == EVERY else result),
        *(int(against), int(season)),
    )
    return wanted, int(page), what


def profile(user: int, what: str) -> str:
    """Return the id of a button of a profile: history, all."""
    return PROFILE.write(user, what)


def read_profile(parts: Parts) -> tuple[int, str]:
    user, what = parts
    return int(user), what


def pool(season: int = 0) -> str:
    """Return the id of a menu of rating pools. The press brings the pool."""
    return POOL.write("pool", *([season] if season else []))


def read_pool(parts: Parts) -> int:
    """Return the season of a menu of pools, 0 for all time."""
    return int(parts[1]) if len(parts) > 1 else 0


def season(pool: str) -> str:
    """Return the id of a menu of seasons. The press brings the season."""
    return SEASON.write("season", pool)


def read_season(parts: Parts) -> str:
    _, pool = parts
    return pool


def open_match() -> str:
    """Return the id of a menu of matches. The press brings the match."""
    return OPEN.write(OPEN.shape)
