"""The ids of look-ups: sheets, leaderboards, histories, profiles."""

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


def sheet(match: str, deal: int, page: int, form: str, what: str = "") -> str:
    """`form` is s (sentences) or g (grid); `what` tells two buttons with the same target apart, e is for everyone."""
    return SHEET.write(match, deal, page, form, *([what] if what else []))


def read_sheet(parts: Parts) -> tuple[str, int, int, str, bool]:
    """Match, deal, page, form, and whether it is for everyone."""
    match, deal, page, form, *what = parts
    return match, int(deal), int(page), form, what == ["e"]


def seals(match: str, page: int, what: str = "") -> str:
    """A page of the seals; `what` tells two buttons with the same target apart."""
    return SEALS.write(match, page, *([what] if what else []))


def read_seals(parts: Parts) -> tuple[str, int]:
    match, page, *_ = parts
    return match, int(page)


def replay(match: str, moment: int, what: str) -> str:
    """first, back, next, last: that moment; turn, review, all: from that moment."""
    return REPLAY.write(match, moment, what)


def read_replay(parts: Parts) -> tuple[str, int, str]:
    match, moment, what = parts
    return match, int(moment), what


def replay_deal(match: str) -> str:
    """A menu: which deal comes with the press."""
    return REPLAY_DEAL.write(match, "deal")


def read_replay_deal(parts: Parts) -> str:
    match, _ = parts
    return match


def leaderboard(pool: str, page: int, what: str, season: int = 0) -> str:
    """back, next, mine, all; of a season, or of all time."""
    return LEADERBOARD.write(pool, page, *([season] if season else []), what)


def read_leaderboard(parts: Parts) -> tuple[str, int, str, int]:
    """Pool, page, what, and the season, 0 for all time."""
    pool, page, *season, what = parts
    return pool, int(page), what, int(season[0]) if season else 0


class Listing(NamedTuple):
    """Whose finished matches, and which of them: of a game, by their result, against somebody, of a season; empty and 0
    for all."""

    user: int
    game: str = ""
    result: str = ""
    against: int = 0
    season: int = 0


def history(wanted: Listing, page: int, what: str) -> str:
    """back, next, all, export."""
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
    """history, all."""
    return PROFILE.write(user, what)


def read_profile(parts: Parts) -> tuple[int, str]:
    user, what = parts
    return int(user), what


def pool(season: int = 0) -> str:
    """A menu: which pool comes with the press."""
    return POOL.write("pool", *([season] if season else []))


def read_pool(parts: Parts) -> int:
    """The season whose pools they are, 0 for all time."""
    return int(parts[1]) if len(parts) > 1 else 0


def season(pool: str) -> str:
    """A menu: which season comes with the press."""
    return SEASON.write("season", pool)


def read_season(parts: Parts) -> str:
    _, pool = parts
    return pool


def open_match() -> str:
    """A menu: which match comes with the press."""
    return OPEN.write(OPEN.shape)
