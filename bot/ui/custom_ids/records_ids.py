"""Custom ids of sheets, seals, replays, leaderboards, histories and profiles."""

from __future__ import annotations

from typing import NamedTuple

from bot.ui.custom_ids.shapes import KEY, MATCH, NUMBER, USER, AnyId, IdKind, Parts, read_first_part, read_last_part

SHEET = AnyId("sh", MATCH, NUMBER, NUMBER, "[gs](?::[a-z]{1,2})?")
SEALS = AnyId("sl", MATCH, f"{NUMBER}(?::[el])?")
LEADERBOARD = AnyId("lb", KEY, f"{NUMBER}(?::{NUMBER})?", "(?:back|next|mine|all)")
_FILTER = f":(?:-|won|lost|drawn):(?:0|{USER})(?::{NUMBER})?"
HISTORY = AnyId("hi", USER, f"(?:-|{KEY})", f"{NUMBER}(?:{_FILTER})?", "(?:back|next|all|export)")
POOL = AnyId("se", f"pool(?::{NUMBER})?")
SEASON = IdKind[str, str]("se", "season", KEY)
read_season = read_last_part
OPEN = IdKind[str]("se", "open")

PROFILE = IdKind[int, str]("pr", USER, "(?:history|all)")
"""a button of a profile"""
profile, read_profile = PROFILE.write, PROFILE.read

REPLAY = IdKind[str, int, str]("rp", MATCH, NUMBER, "(?:first|back|next|last|turn|all)")
"""a button of a replay: match, moment, and what the button does

With first, back, next and last, the moment is the one to show. With turn, review and all, it is the one shown now."""
REPLAY_REVIEW = IdKind[str, int, str]("rp", MATCH, NUMBER, "review")
REPLAY_DEAL = IdKind[str, str]("rp", MATCH, "deal")
read_replay_deal = read_first_part
replay, read_replay = REPLAY.write, REPLAY.read

EVERY = "-"
"""the value of a filter that excludes nothing"""


def sheet(match: str, deal: int, page: int, form: str, what: str = "") -> str:
    """Return the id of a page of a sheet.

    `form` is s (sentences) or g (grid). `what` is e for a public copy. Any other value only tells two buttons with the
    same target apart.
    """
    return SHEET.write(match, deal, page, form, what or None)


def read_sheet(parts: Parts) -> tuple[str, int, int, str, bool]:
    """Return match, deal, page, form, and whether the sheet is public."""
    match, deal, page, form, *what = parts
    return match, int(deal), int(page), form, what == ["e"]


def seals(match: str, page: int, what: str = "") -> str:
    """Return the id of a page of the seals; `what` tells two buttons with the same target apart."""
    return SEALS.write(match, page, what or None)


def read_seals(parts: Parts) -> tuple[str, int]:
    match, page, *_ = parts
    return match, int(page)


def replay_deal(match: str) -> str:
    """Return the id of a menu of deals. The press brings the deal."""
    return REPLAY_DEAL.write(match, "deal")


def leaderboard(pool: str, page: int, what: str, season: int = 0) -> str:
    """Return the id of a button of a leaderboard: back, next, mine, all; `season` is 0 for all time."""
    return LEADERBOARD.write(pool, page, season or None, what)


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
        filtered = (wanted.result or EVERY, wanted.against, wanted.season or None)
    return HISTORY.write(wanted.user, wanted.game or EVERY, page, *filtered, what)


def read_history(parts: Parts) -> tuple[Listing, int, str]:
    user, game, page, *filtered, what = parts
    result, against, season = (*filtered, *(EVERY, "0", "0")[len(filtered) :])
    wanted = Listing(int(user), game.removeprefix(EVERY), result.removeprefix(EVERY), int(against), int(season))
    return wanted, int(page), what


def pool(season: int = 0) -> str:
    """Return the id of a menu of rating pools. The press brings the pool."""
    return POOL.write("pool", season or None)


def read_pool(parts: Parts) -> int:
    """Return the season of a menu of pools, 0 for all time."""
    return int(parts[1]) if len(parts) > 1 else 0


def season(pool: str) -> str:
    """Return the id of a menu of seasons. The press brings the season."""
    return SEASON.write("season", pool)


def open_match() -> str:
    """Return the id of a menu of matches. The press brings the match."""
    return OPEN.write(OPEN.shape)
