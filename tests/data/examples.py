"""Values to store: plausible, and with every field different from its default somewhere."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from bot.referee.model.daily import DailyDeal
from bot.referee.model.model import (
    Deadline,
    DeadlineKind,
    DrawOffer,
    EarlierSeal,
    Invite,
    Lobby,
    LobbyState,
    RatingChange,
    Reply,
    Seal,
    Seated,
    Setup,
    StoredDeal,
    StoredDecision,
    StoredMatch,
)
from bot.referee.model.people import Audit, Ban, Pause, Rating, RatingEntry
from bot.referee.model.searches import Search
from bot.referee.model.seasons import FrozenTable, LeaderboardRow, Season
from bot.referee.model.surfaces import Surface, SurfaceKind

NOW = datetime(2026, 11, 21, 12, 0, 0, 123456, tzinfo=UTC)
GUILD, CHANNEL = 1_111_111_111_111_111_111, 9_223_372_036_854_775_807
ANA, BEN, CEM = 101, 102, 9_000_000_000_000_000_001
SETUP = Setup("classic", {"cards": 3, "ties": "carry"}, 2, {"mode": "best-of", "games": 3}, 120, True)
ZONES = {"stock": [2, 3, 1], "hands": [[1, 2, 3], ["A", "10H", "Jk"]], "out": []}


DAY = date(2026, 11, 21)


def daily(day: date = DAY) -> DailyDeal:
    return DailyDeal(GUILD, day, b"\0nonce\xff", "reader", 16)


def at(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def lobby(id: str = "K7Q2", **changed: Any) -> Lobby:
    people = (Invite(ANA, "Ana", Reply.HOST), Invite(BEN, "Ben *_`", Reply.ASKED))
    one = Lobby(
        id, "challenge", GUILD, CHANNEL, None, ANA, SETUP, b"\0nonce\xff", LobbyState.OPEN, people, NOW, at(600)
    )
    return replace(one, **{"setup": replace(SETUP, place="board"), **changed})


def match(id: str = "K7Q2", users: tuple[int, ...] = (ANA, BEN), **changed: Any) -> StoredMatch:
    one = StoredMatch(
        id=id,
        guild=GUILD,
        channel=CHANNEL,
        setup=replace(SETUP, seats=len(users)),
        nonce=b"\0nonce\xff",
        version=1,
        seats=tuple(Seated(user, f"player {user}") for user in users),
        deals=(),
        sealed=(),
        prompt=1,
        opened=NOW,
        deadline=at(120),
        started=NOW,
    )
    return replace(one, **changed)


def over(id: str, users: tuple[int, ...] = (ANA, BEN), ended: float = 0, **changed: Any) -> StoredMatch:
    """A match that was played to its end."""
    end: dict[str, Any] = {"live": False, "ended": at(ended), "termination": 1, "placings": (1, 2), "deadline": None}
    return match(id, users, **{**end, **changed})


def rich_match() -> StoredMatch:
    """Nothing has its default."""
    return match(
        setup=replace(SETUP, place="board"),
        version=7,
        seats=(Seated(ANA, "Ana", 2, 5, at(-3)), Seated(0, "Sage (house)")),
        deals=(StoredDeal(0, ZONES, decisions(4)), StoredDeal(1, {**ZONES, "partial": True})),
        sealed=(seal(0), seal(1, choice={"pick": "QS"}, forced=True)),
        prompt=9,
        left=({"kind": "resigned", "seat": 1, "deal": 0, "after": 2},),
        ending={"kind": "aborted", "why": "channel", "deal": 0, "after": 4},
        draw=DrawOffer(1, frozenset({0, 1})),
        away=33,
        ended=at(50),
        termination=3,
        winner=1,
        placings=(2, 1),
        totals=("5/2", "7/2"),
        changes=(RatingChange(0, 1000.25, 990.125, 8, 3), RatingChange(1, 0.1, 0.2, 1)),
        unrated="farming",
        void=True,
        reason="spam",
        agreement=b'{"v":2}',
        paused=at(100),
    )


def decisions(count: int, first: int = 0) -> tuple[StoredDecision, ...]:
    choices: list[Any] = [1, [2, 3], "A+", {"pick": 4}, "Jk", -5]
    return tuple(
        StoredDecision(n % 2, choices[n % 6], n % 3 == 2, n // 2, n % 2, bytes([n]) * 16, at(n), n % 3, bytes([n]) * 32)
        for n in range(first, first + count)
    )


def seal(seat: int = 0, choice: Any = 3, **changed: Any) -> Seal:
    return replace(
        Seal(seat, choice, bytes([seat]) * 16, bytes([7]) * 32, at(seat), n=seat, press=2**62 + seat), **changed
    )


def earlier(number: int = 0, seat: int = 0) -> EarlierSeal:
    return EarlierSeal(0, 1, 2, seat, number, bytes([number]) * 32)


def deadline(owner: str = "K7Q2", kind: DeadlineKind = DeadlineKind.BID, due: float = 60, prompt: int = 1) -> Deadline:
    return Deadline(owner, kind, at(due), prompt)


def surface(owner: str = "K7Q2", kind: SurfaceKind = SurfaceKind.BOARD, shown: int = 0, **changed: Any) -> Surface:
    return replace(Surface(owner, kind, 0, CHANNEL, 555, shown, NOW), **changed)


def rating(user: int = ANA, **changed: Any) -> Rating:
    one = Rating(GUILD, "classic", user, f"player {user}", 25.123456789, 8.1 / 3, 3, 1, 1, 1, at(5))
    return replace(one, **changed)


def entry(match: str = "K7Q2", user: int = ANA, when: float = 0, **changed: Any) -> RatingEntry:
    one = RatingEntry(match, GUILD, "classic", user, 0, 1, 25.0, 25 / 3, 26.1, 8.2, at(when))
    return replace(one, **changed)


def audit(what: str = "clock", version: int = 1, when: float = 0, **changed: Any) -> Audit:
    return replace(Audit(GUILD, at(when), ANA, what, "120", "300", version), **changed)


def ban(user: int = BEN, until: float = 60, **changed: Any) -> Ban:
    return replace(Ban(GUILD, user, at(until), "spam", ANA), **changed)


def pause(user: int = ANA, began: float = 0, until: float = 60) -> Pause:
    return Pause(user, at(began), at(until))


def season(number: int = 1, **changed: Any) -> Season:
    return replace(Season(GUILD, number, "monthly", at(-60), at(60)), **changed)


def search(user: int = ANA, **changed: Any) -> Search:
    one = Search(user, f"player {user}", GUILD, CHANNEL, "carry", "classic", 1012.5, True, NOW)
    return replace(one, **changed)


def frozen(*users: int, pool: str = "classic") -> FrozenTable:
    lines = enumerate(users or (ANA, BEN), 1)
    return FrozenTable(
        pool, tuple(LeaderboardRow(n, user, f"player {user}", 1400 - n, 9, 5, n > 1) for n, user in lines)
    )
