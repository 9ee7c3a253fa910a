"""The ids of look-ups: sheets, leaderboards, histories, profiles."""

from __future__ import annotations

from cogs.ui.ids import KEY, MATCH, NUMBER, USER, IdKind, Parts

SHEET = IdKind("sh", f"{MATCH}:{NUMBER}:{NUMBER}:[gs](?::[a-z]{{1,2}})?")
SEALS = IdKind("sl", f"{MATCH}:{NUMBER}(?::[el])?")
LEADERBOARD = IdKind("lb", f"{KEY}:{NUMBER}:(?:back|next|mine|all)")
HISTORY = IdKind("hi", f"{USER}:(?:-|{KEY}):{NUMBER}:(?:back|next|all)")
PROFILE = IdKind("pr", f"{USER}:(?:history|all)")
POOL = IdKind("se", "pool")
OPEN = IdKind("se", "open")

EVERY_GAME = "-"


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


def leaderboard(pool: str, page: int, what: str) -> str:
    """back, next, mine, all."""
    return LEADERBOARD.write(pool, page, what)


def read_leaderboard(parts: Parts) -> tuple[str, int, str]:
    pool, page, what = parts
    return pool, int(page), what


def history(user: int, game: str, page: int, what: str) -> str:
    return HISTORY.write(user, game or EVERY_GAME, page, what)


def read_history(parts: Parts) -> tuple[int, str, int, str]:
    """The game is empty for all of them."""
    user, game, page, what = parts
    return int(user), "" if game == EVERY_GAME else game, int(page), what


def profile(user: int, what: str) -> str:
    """history, all."""
    return PROFILE.write(user, what)


def read_profile(parts: Parts) -> tuple[int, str]:
    user, what = parts
    return int(user), what


def pool() -> str:
    """A menu: which pool comes with the press."""
    return POOL.write(POOL.shape)


def open_match() -> str:
    """A menu: which match comes with the press."""
    return OPEN.write(OPEN.shape)
