"""A store without SQL: the second truth that the one on disk is compared with.

It keeps the promises of `bot.referee.model.Store`; `tests/data/test_contract_*.py` hold it to them, and
`tests/data/test_same.py` asks both whatever can be asked. Two other tests stand on it, which need some store and no
disk: `tests/referee/test_leaving.py`, hundreds of times over, and `tests/cogs/ui/test_replay.py`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from copy import copy
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, date, datetime
from typing import Any, TypeVar

from bot.ratings.skill import Skill
from bot.referee.model import changes as c
from bot.referee.model.clock_changes import Unmarked
from bot.referee.model.daily import DailyDeal, DailyTry
from bot.referee.model.end_reasons import DECIDED
from bot.referee.model.model import (
    BY_CALENDAR,
    FORMER,
    PERSONAL_NOTES,
    Deadline,
    DeadlineKind,
    EarlierSeal,
    Lobby,
    LobbyState,
    Reply,
    Seal,
    Setup,
    StoredDeal,
    StoredDecision,
    StoredMatch,
    Surface,
    SurfaceKind,
    SurfaceState,
    pause_owner,
)
from bot.referee.model.people import (
    Above,
    Audit,
    Band,
    Bar,
    Before,
    Contender,
    Finished,
    GuildSettings,
    Height,
    Import,
    OwedRoles,
    Pause,
    Player,
    Rating,
    RatingEntry,
    RoleOf,
)
from bot.referee.model.seasons import Between, FrozenPage, FrozenTable, Season
from data.sql import personal_data
from data.sql.codec import dump, parse
from data.sql.steps import statements
from data.sqlite.migrate import load, migrate
from data.sqlite.transaction import ask, carry_out

T = TypeVar("T")
K = TypeVar("K")

LIVE, GONE = SurfaceState.LIVE, SurfaceState.GONE


@dataclass
class Shelf:
    """Everything kept, as plain dicts; a change works on a copy that takes its place if all went well."""

    lobbies: dict[str, Lobby] = field(default_factory=dict[str, Lobby])
    matches: dict[str, StoredMatch] = field(default_factory=dict[str, StoredMatch])
    sealed_for: dict[tuple[str, int], int] = field(default_factory=dict[tuple[str, int], int])
    earlier: dict[tuple[str, int, int, int, int, int], tuple[str, EarlierSeal]] = field(
        default_factory=dict[tuple[str, int, int, int, int, int], tuple[str, EarlierSeal]]
    )
    deadlines: dict[tuple[str, int], Deadline] = field(default_factory=dict[tuple[str, int], Deadline])
    surfaces: dict[int, Surface] = field(default_factory=dict[int, Surface])
    players: dict[int, Player] = field(default_factory=dict[int, Player])
    pauses: dict[tuple[int, datetime], Pause] = field(default_factory=dict[tuple[int, datetime], Pause])
    guilds: dict[int, GuildSettings] = field(default_factory=dict[int, GuildSettings])
    audits: tuple[Audit, ...] = ()
    roles: dict[tuple[int, int, int], bool] = field(default_factory=dict[tuple[int, int, int], bool])
    bars: dict[tuple[int, int], Bar] = field(default_factory=dict[tuple[int, int], Bar])
    members: dict[tuple[int, int], tuple[str, bool]] = field(default_factory=dict[tuple[int, int], tuple[str, bool]])
    blocks: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    ratings: dict[tuple[int, str, int], Rating] = field(default_factory=dict[tuple[int, str, int], Rating])
    season_ratings: dict[tuple[int, str, int], Rating] = field(default_factory=dict[tuple[int, str, int], Rating])
    seasons: dict[tuple[int, int], Season] = field(default_factory=dict[tuple[int, int], Season])
    frozen: dict[tuple[int, int, str], FrozenTable] = field(default_factory=dict[tuple[int, int, str], FrozenTable])
    voided: dict[tuple[int, int, str], int] = field(default_factory=dict[tuple[int, int, str], int])
    imports: dict[str, Import] = field(default_factory=dict[str, Import])
    history: dict[tuple[str, int], RatingEntry] = field(default_factory=dict[tuple[str, int], RatingEntry])
    notes: dict[str, str] = field(default_factory=dict[str, str])
    dailies: dict[tuple[int, date], DailyDeal] = field(default_factory=dict[tuple[int, date], DailyDeal])
    tries: dict[tuple[int, date, int], DailyTry] = field(default_factory=dict[tuple[int, date, int], DailyTry])
    heartbeat: datetime | None = None
    noted: dict[int, datetime | None] = field(default_factory=dict[int, "datetime | None"])
    """by surface, the sign of life before its last note"""
    wanted: dict[int, int] = field(default_factory=dict[int, int])
    """by surface, the version that it is behind of"""
    times: int = 0
    """how often time was given back"""
    unmarked: datetime | None = None
    """what was noted since then shows old times, and is not marked yet"""
    last_surface: int = 0

    def version(self, one: Surface) -> int:
        """Of what a surface shows."""
        owners: Mapping[str, Lobby | StoredMatch]
        owners = self.lobbies if one.kind is SurfaceKind.LOBBY else self.matches
        return owners[one.match].version if one.match in owners else 0

    def as_shown(self, one: Surface) -> Surface:
        """What was up to date when time was given back still is, unless it is marked."""
        shown = one.shown if one.shown < self.wanted[one.id] else max(one.shown, self.version(one))
        return replace(one, shown=shown)

    def want(self, owner: str, version: int, lobby: bool, before: int = 0) -> None:
        for id, one in self.surfaces.items():
            if one.match == owner and one.state is not GONE and (one.kind is SurfaceKind.LOBBY) == lobby:
                if one.shown >= self.wanted[id]:
                    self.surfaces[id] = replace(one, shown=max(one.shown, before))
                self.wanted[id] = version

    def is_unmarked(self, one: Surface) -> bool:
        noted = self.noted.get(one.id)
        late = self.unmarked is not None and (noted or datetime.min.replace(tzinfo=UTC)) >= self.unmarked
        return late and one.state is not GONE and self.moves(one) and self.wanted[one.id] < self.version(one)

    def moves(self, one: Surface) -> bool:
        """Whether what it shows goes by the time away."""
        lobby, match = self.lobbies.get(one.match), self.matches.get(one.match)
        if one.kind is SurfaceKind.LOBBY:
            return lobby is not None and lobby.state is LobbyState.OPEN
        return match is not None and match.live and match.deadline is not None

    def copied(self) -> Shelf:
        return Shelf(**{one.name: copy(getattr(self, one.name)) for one in fields(self)})


class MemoryStore:
    """Implements `bot.referee.model.Store`."""

    def __init__(self) -> None:
        self.shelf = Shelf()
        self.written: list[c.Change] = []

    async def close(self) -> None:
        """For those who close every store."""

    async def write(self, change: c.Change) -> Sequence[int]:
        shelf = self.shelf.copied()
        answers = [answer for step in change if (answer := STEPS[type(step)](shelf, step)) is not None]
        for step in change:
            if isinstance(step, c.PutSeal):
                match = shelf.matches[step.match]
                fits = all(shelf.sealed_for[match.id, seal.seat] == match.prompt for seal in match.sealed)
                _expect(fits, f"match {match.id} asks for something else by now")
        self.shelf = shelf
        self.written.append(change)
        return answers

    # --- lobbies and matches ------------------------------------------------------------------------------

    async def lobby(self, id: str) -> Lobby | None:
        return self.shelf.lobbies.get(id)

    async def match(self, id: str) -> StoredMatch | None:
        return self.shelf.matches.get(id)

    async def earlier_seals(self, id: str) -> Sequence[EarlierSeal]:
        found = [one for match, one in self.shelf.earlier.values() if match == id]
        return sorted(found, key=lambda one: (one.deal, one.round, one.sub, one.seat, one.n))

    async def known_id(self, id: str) -> bool:
        return id in self.shelf.lobbies or id in self.shelf.matches or id in self.shelf.imports

    async def open_lobbies(self, guild: int, user: int) -> Sequence[Lobby]:
        found = [
            one
            for one in self.shelf.lobbies.values()
            if one.guild == guild
            and one.state is LobbyState.OPEN
            and (one.host == user or any(person.user == user for person in one.people))
        ]
        return sorted(found, key=lambda one: (one.created, one.id))

    async def hosted_since(self, host: int, since: datetime) -> Sequence[Lobby]:
        found = [
            one
            for one in self.shelf.lobbies.values()
            if one.host == host and one.expires > since and (one.created > since or one.state is LobbyState.OPEN)
        ]
        return sorted(found, key=lambda one: (one.created, one.id))

    async def declined_since(self, guild: int, host: int, since: datetime) -> Sequence[Lobby]:
        found = [
            one
            for one in self.shelf.lobbies.values()
            if (one.guild, one.host) == (guild, host)
            and one.state is not LobbyState.OPEN
            and one.expires > since
            and any(person.answer is Reply.DECLINED for person in one.people)
        ]
        return sorted(found, key=lambda one: (one.expires, one.id))

    def _of(self, user: int) -> list[StoredMatch]:
        found = [one for one in self.shelf.matches.values() if any(seat.user == user for seat in one.seats)]
        return sorted(found, key=lambda one: (one.started, one.id))

    async def live_of(self, user: int) -> Sequence[StoredMatch]:
        return [one for one in self._of(user) if one.live]

    async def live_count(self, user: int) -> int:
        return sum(not one.practice for one in await self.live_of(user))

    async def boards_in(self, channel: int) -> int:
        return sum(one.live and one.channel == channel for one in self.shelf.matches.values())

    async def live_in(self, guild: int, channel: int = 0) -> Sequence[str]:
        matches = self.shelf.matches.values()
        return sorted(one.id for one in matches if one.live and one.guild == guild and channel in (0, one.channel))

    async def finished_of(
        self,
        guild: int,
        user: int,
        limit: int,
        offset: int = 0,
        against: int = 0,
        game: str = "",
        result: str = "",
        span: Between = (),
    ) -> Sequence[Finished]:
        def came_to(one: StoredMatch) -> str:
            seat = one.seat_of(user)
            if one.placings is None or seat is None:
                return ""
            if one.placings[seat] != 1:
                return "lost"
            return "drawn" if one.winner is None else "won"

        found = [
            _finished(one)
            for one in self._of(user)
            if one.guild == guild
            and not one.live
            and one.ended is not None
            and one.termination is not None
            and game in ("", one.setup.game)
            and result in ("", came_to(one))
            and (not span or span[0] <= one.ended < span[1])
            and (not against or any(seat.user == against for seat in one.seats))
        ]
        found.sort(key=lambda one: (one.ended, one.id), reverse=True)
        return found[offset : offset + limit]

    async def finished_ids(self, user: int) -> Sequence[str]:
        over = [one for one in self.shelf.matches.values() if not one.live and one.seat_of(user) is not None]
        found = sorted((one.ended, one.id) for one in over if one.ended is not None)
        return [id for _, id in found]

    async def last_match(
        self, user: int, channel: int = 0, live: bool | None = None, guild: int | None = None
    ) -> str | None:
        found = [one for one in self._of(user) if channel in (0, one.channel) and live in (None, one.live)]
        found = [one for one in found if guild in (None, one.guild) or one.practice]
        return found[-1].id if found else None

    async def rated_pairs_since(self, guild: int, users: Sequence[int], since: datetime, games: Sequence[str]) -> int:
        return sum(
            one.guild == guild
            and not one.live
            and one.ended is not None
            and one.ended >= since
            and _counted(one)
            and one.setup.game in games
            and {seat.user for seat in one.seats} == set(users)
            for one in self.shelf.matches.values()
        )

    # --- clocks and surfaces ------------------------------------------------------------------------------

    async def due(self, now: datetime, limit: int = 100) -> Sequence[Deadline]:
        found = [one for one in self.shelf.deadlines.values() if one.due <= now]
        return sorted(found, key=lambda one: (one.due, one.owner, one.kind))[:limit]

    async def next_due(self) -> datetime | None:
        return min((one.due for one in self.shelf.deadlines.values()), default=None)

    async def heartbeat(self) -> datetime | None:
        return self.shelf.heartbeat

    async def behind(self, limit: int = 200) -> Sequence[Surface]:
        shelf = self.shelf
        found = [one for one in shelf.surfaces.values() if one.state is LIVE and one.shown < shelf.wanted[one.id]]
        return sorted(found, key=lambda one: one.id)[:limit]

    async def unmarked(self) -> Unmarked | None:
        shelf = self.shelf
        if shelf.unmarked is None:
            return None
        old = [(one.match, one.kind is SurfaceKind.LOBBY) for one in shelf.surfaces.values() if shelf.is_unmarked(one)]
        return Unmarked(tuple(sorted(owner for owner, _ in set(old))), shelf.times)

    async def unfinished(self) -> tuple[Sequence[str], Sequence[str]]:
        live = sorted(one.id for one in self.shelf.matches.values() if one.live)
        return live, sorted(one.id for one in self.shelf.lobbies.values() if one.state is LobbyState.OPEN)

    async def surfaces(self, match: str) -> Sequence[Surface]:
        shelf = self.shelf
        found = [one for one in shelf.surfaces.values() if one.match == match and one.state is not GONE]
        return [shelf.as_shown(one) for one in sorted(found, key=lambda one: one.id)]

    # --- people and ratings -------------------------------------------------------------------------------

    async def player(self, user: int) -> Player:
        return self.shelf.players.get(user, Player(user))

    async def pauses(self, users: Sequence[int], since: datetime) -> Sequence[Pause]:
        return [one for key, one in sorted(self.shelf.pauses.items()) if key[0] in users and one.until > since]

    def let_go(self, id: str) -> None: ...

    async def guild(self, guild: int) -> GuildSettings:
        return self.shelf.guilds.get(guild, GuildSettings(guild))

    async def audits(self, guild: int, limit: int, offset: int = 0) -> Sequence[Audit]:
        found = [one for one in reversed(self.shelf.audits) if one.guild == guild]
        return sorted(found, key=lambda one: one.at, reverse=True)[offset : offset + limit]

    async def changed_since(self, guild: int, version: int) -> Sequence[str]:
        return sorted({one.what for one in self.shelf.audits if one.guild == guild and one.version > version})

    async def servers(self) -> Sequence[int]:
        shelf = self.shelf
        found = {*shelf.guilds, *(guild for guild, _ in shelf.members)}
        found |= {one.guild for one in (*shelf.matches.values(), *shelf.lobbies.values())}
        return sorted(one for one in found if one > 0)

    async def ids_in(self, guild: int, limit: int) -> Sequence[str]:
        both = (*self.shelf.matches.values(), *self.shelf.lobbies.values())
        return sorted({one.id for one in both if one.guild == guild})[:limit]

    async def deadlines_of(self, owner: str) -> Sequence[Deadline]:
        found = [one for one in self.shelf.deadlines.values() if one.owner == owner]
        return sorted(found, key=lambda one: one.kind)

    async def bar(self, guild: int, user: int) -> Bar | None:
        return self.shelf.bars.get((guild, user))

    async def barred(self, user: int) -> Sequence[Bar]:
        return [self.shelf.bars[key] for key in sorted(self.shelf.bars) if key[1] == user]

    async def next_bar_end(self) -> datetime | None:
        return min((one.until for one in self.shelf.bars.values()), default=None)

    async def bars(self, guild: int) -> Sequence[Bar]:
        return [self.shelf.bars[key] for key in sorted(self.shelf.bars) if key[0] == guild]

    async def name_of(self, guild: int, user: int) -> str | None:
        return self.shelf.members.get((guild, user), (None, False))[0]

    async def blocked(self, by: int, user: int) -> bool:
        return (by, user) in self.shelf.blocks

    async def blocks(self, by: int) -> Sequence[tuple[int, str]]:
        return sorted((user, name) for (who, user), name in self.shelf.blocks.items() if who == by)

    async def rating(self, guild: int, pool: str, user: int) -> Rating | None:
        return next((one for one in await self.ratings(guild, pool) if one.user == user), None)

    async def ratings(self, guild: int, pool: str) -> Sequence[Rating]:
        return self._table(self.shelf.ratings, guild, pool)

    def _table(self, ratings: Mapping[tuple[int, str, int], Rating], guild: int, pool: str) -> Sequence[Rating]:
        found: list[Rating] = []
        for key in sorted(ratings):
            if key[:2] == (guild, pool):
                name, here = self.shelf.members[guild, key[2]]
                found.append(replace(ratings[key], name=name, here=here))
        return found

    async def season_rating(self, guild: int, pool: str, user: int) -> Rating | None:
        return next((one for one in await self.season_ratings(guild, pool) if one.user == user), None)

    async def season_ratings(self, guild: int, pool: str) -> Sequence[Rating]:
        return self._table(self.shelf.season_ratings, guild, pool)

    async def ranking(self, guild: int, pool: str, *, season: bool = False) -> Sequence[Contender]:
        table = self._table(self.shelf.season_ratings if season else self.shelf.ratings, guild, pool)
        return [
            Contender(one.user, one.mu, one.sigma, one.played, one.last)
            for one in table
            if one.here and one.user > 0 and one.played
        ]

    async def above(self, guild: int, pool: str, height: Height) -> Above:
        """All of them: a store that is asked by tests alone need not be quick."""
        everybody = await self.ranking(guild, pool)
        return Above(len(everybody), 0, everybody)

    async def ratings_of(
        self, guild: int, pool: str, users: Sequence[int], *, season: bool = False
    ) -> Sequence[Rating]:
        table = self._table(self.shelf.season_ratings if season else self.shelf.ratings, guild, pool)
        return [one for one in table if one.user in users]

    async def owed_roles(
        self,
        guild: int,
        pool: str,
        bands: Sequence[Band],
        *,
        season: bool,
        without: Sequence[int],
        limit: int,
    ) -> OwedRoles:
        shown = {one.user: Skill(one.mu, one.sigma).points for one in await self.ranking(guild, pool, season=season)}
        wanted = {user: _role(bands, points) for user, points in shown.items()}
        given = {key[1:]: done for key, done in self.shelf.roles.items() if key[0] == guild}
        give = [RoleOf(user, role) for user, role in sorted(wanted.items()) if role and not given.get((user, role))]
        take = [RoleOf(user, role) for user, role in sorted(given) if wanted.get(user) != role]
        return OwedRoles(*([one for one in each if one.role not in without][:limit] for each in (give, take)))

    async def season_pools(self, guild: int) -> Sequence[str]:
        return sorted({key[1] for key in self.shelf.season_ratings if key[0] == guild})

    async def season(self, guild: int) -> Season | None:
        return next((one for one in self.shelf.seasons.values() if one.guild == guild and not one.over), None)

    async def seasons(self, guild: int) -> Sequence[Season]:
        return [self.shelf.seasons[key] for key in sorted(self.shelf.seasons, reverse=True) if key[0] == guild]

    async def frozen_pools(self, guild: int, number: int) -> Sequence[str]:
        return sorted(pool for one, which, pool in self.shelf.frozen if (one, which) == (guild, number))

    async def frozen(
        self, guild: int, number: int, pool: str, user: int, limit: int, offset: int = 0
    ) -> FrozenPage | None:
        table = self.shelf.frozen.get((guild, number, pool))
        if table is None:
            return None
        at = next((line for line, one in enumerate(table.lines) if one.user == user), None)
        own = None if at is None else table.lines[at]
        voided = self.shelf.voided.get((guild, number, pool), 0)
        return FrozenPage(len(table.lines), voided, table.lines[offset : offset + limit], own, at or 0)

    async def rated_since(self, guild: int, pool: str, since: datetime) -> Sequence[Before]:
        lately = [one for one in await self.rating_history(guild, pool, 0) if one.at >= since]
        found: dict[int, Before] = {}
        for one in reversed(lately):
            count = sum(other.user == one.user for other in lately)
            first = (one.user, one.mu_before, one.sigma_before, one.season_mu, one.season_sigma)
            found[one.user] = Before(*first, count)
        return [found[user] for user in sorted(found)]

    async def pools(self, guild: int, user: int = 0) -> Sequence[str]:
        return sorted({key[1] for key in self.shelf.ratings if key[0] == guild and user in (0, key[2])})

    async def every_pool(self) -> Sequence[tuple[int, str]]:
        return sorted({(one.guild, one.pool) for one in self.shelf.history.values()})

    async def rating_history(self, guild: int, pool: str, user: int) -> Sequence[RatingEntry]:
        voided = {one.id for one in self.shelf.matches.values() if one.void}
        found = [
            one
            for one in self.shelf.history.values()
            if (one.guild, one.pool) == (guild, pool) and user in (0, one.user) and one.match not in voided
        ]
        return sorted(found, key=lambda one: (one.at, one.match, one.seat, one.user))

    async def note(self, key: str) -> str | None:
        return self.shelf.notes.get(key)

    async def daily_deal(self, guild: int, day: date) -> DailyDeal | None:
        return self.shelf.dailies.get((guild, day))

    async def daily_tries(self, guild: int, day: date) -> Sequence[DailyTry]:
        found = [self._tried(one) for one in self.shelf.tries.values() if (one.guild, one.day) == (guild, day)]
        return sorted(found, key=lambda one: one.user)

    async def daily_tries_of(self, guild: int, user: int) -> Sequence[DailyTry]:
        found = [self._tried(one) for one in self.shelf.tries.values() if (one.guild, one.user) == (guild, user)]
        return sorted(found, key=lambda one: one.day, reverse=True)

    def _tried(self, one: DailyTry) -> DailyTry:
        match = self.shelf.matches[one.match]
        name, here = self.shelf.members.get((one.guild, one.user), ("", True))
        came = {"totals": match.totals, "ended": match.ended, "termination": match.termination}
        deal = self.shelf.dailies.get((one.guild, one.day))
        return replace(one, name=name, here=here, best=None if deal is None else deal.best, **came)

    async def own(self, user: int) -> Mapping[str, Any]:
        """Rows and columns are SQL's: what was written is written once more, into tables, and read there."""
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
            migrate(connection, load())
            for change in self.written:
                carry_out(connection, statements(change))
            return ask(connection, personal_data.own(user))

    async def invited(self, user: int) -> Sequence[Lobby]:
        found = [
            one
            for one in self.shelf.lobbies.values()
            if one.state is LobbyState.OPEN and any(person.user == user for person in one.people)
        ]
        return sorted(found, key=lambda one: (one.created, one.id))

    async def former_number(self) -> int:
        return min([0, *(seat.user for one in self.shelf.matches.values() for seat in one.seats)]) - 1

    async def imported(self, user: int, id: str) -> Import | None:
        found = self.shelf.imports.get(id)
        return found if found is not None and found.user == user else None


def _counted(one: StoredMatch) -> bool:
    return one.setup.rated and not one.unrated and not one.void


def _finished(one: StoredMatch) -> Finished:
    assert one.termination is not None
    assert one.ended is not None
    return Finished(
        id=one.id,
        guild=one.guild,
        game=one.setup.game,
        seats=one.seats,
        placings=one.placings,
        totals=one.totals,
        termination=one.termination,
        changes=one.changes,
        rated=_counted(one),
        decided=(one.ending or {}).get("why") == DECIDED,
        ended=one.ended,
    )


# --- steps --------------------------------------------------------------------------------------------------


def _expect(ok: bool, failure: str) -> None:
    if not ok:
        raise c.Conflict(failure)


def _found(shelf: Mapping[K, T], key: K) -> T:
    _expect(key in shelf, f"{key} is unknown")
    return shelf[key]


def _json(value: Any) -> Any:
    """As it comes back from a text column, and nobody else's to change."""
    return parse(dump(value))


def _setup(setup: Setup) -> Setup:
    return replace(setup, options=_json(dict(setup.options)), series=_json(dict(setup.series)))


def _deal(deal: StoredDeal) -> StoredDeal:
    return replace(deal, zones=_json(dict(deal.zones)), decisions=_decisions(deal.decisions))


def _decisions(decisions: Iterable[StoredDecision]) -> tuple[StoredDecision, ...]:
    return tuple(replace(one, choice=_json(one.choice)) for one in decisions)


def _seals(seals: Iterable[Seal]) -> tuple[Seal, ...]:
    return tuple(sorted((replace(one, choice=_json(one.choice)) for one in seals), key=lambda one: one.seat))


def _endings(match: StoredMatch) -> StoredMatch:
    ending = None if match.ending is None else _json(dict(match.ending))
    return replace(match, ending=ending, left=tuple(_json(dict(one)) for one in match.left))


def new_lobby(shelf: Shelf, step: c.NewLobby) -> None:
    one = step.lobby
    _expect(one.id not in shelf.lobbies and one.id not in shelf.matches, f"{one.id} is taken")
    shelf.lobbies[one.id] = replace(one, setup=_setup(one.setup))


def save_lobby(shelf: Shelf, step: c.SaveLobby) -> None:
    one = step.lobby
    if one.version <= step.expect:
        raise ValueError(f"lobby {one.id} keeps its version {one.version}")
    old = _found(shelf.lobbies, one.id)
    _expect(old.version == step.expect, f"lobby {one.id} is not at version {step.expect}")
    kept = {name: getattr(old, name) for name in ("kind", "guild", "nonce", "created")}
    shelf.lobbies[one.id] = replace(one, setup=_setup(one.setup), **kept)
    shelf.want(one.id, one.version, lobby=True, before=step.expect)


def new_match(shelf: Shelf, step: c.NewMatch) -> None:
    one = step.match
    _expect(one.id not in shelf.matches, f"{one.id} is taken")
    deals = tuple(_deal(deal) for deal in one.deals)
    shelf.matches[one.id] = replace(_endings(one), setup=_setup(one.setup), deals=deals, sealed=_seals(one.sealed))
    for seal in one.sealed:
        shelf.sealed_for[one.id, seal.seat] = one.prompt
    shelf.want(one.id, one.version, lobby=False)


def save_match(shelf: Shelf, step: c.SaveMatch) -> None:
    one = step.match
    if one.version <= step.expect:
        raise ValueError(f"match {one.id} keeps its version {one.version}")
    old = _found(shelf.matches, one.id)
    _expect(
        old.version == step.expect and len(old.seats) == len(one.seats),
        f"match {one.id} is not at version {step.expect} with {len(one.seats)} seats",
    )
    same = ("guild", "setup", "nonce", "started", "deals", "sealed", "agreement")
    kept = {name: getattr(old, name) for name in same}
    shelf.matches[one.id] = replace(_endings(one), **kept)
    shelf.want(one.id, one.version, lobby=False, before=step.expect)


def new_deal(shelf: Shelf, step: c.NewDeal) -> None:
    match = _found(shelf.matches, step.match)
    deal = _deal(step.deal)
    same = [one for one in match.deals if one.number == deal.number]
    if same:
        fits = same[0].zones == deal.zones and not (same[0].decisions and deal.decisions)
        _expect(fits, f"match {match.id} has another deal {deal.number}")
        deal = replace(deal, decisions=deal.decisions or same[0].decisions)
    others = [one for one in match.deals if one.number != deal.number]
    deals = tuple(sorted([*others, deal], key=lambda one: one.number))
    shelf.matches[match.id] = replace(match, deals=deals)


def add_decisions(shelf: Shelf, step: c.AddDecisions) -> None:
    match = _found(shelf.matches, step.match)
    deal = next((one for one in match.deals if one.number == step.deal), None)
    _expect(
        deal is not None and len(deal.decisions) == step.first,
        f"deal {step.deal} of match {step.match} does not have {step.first} decisions",
    )
    deals = tuple(
        replace(one, decisions=one.decisions + _decisions(step.decisions)) if one is deal else one
        for one in match.deals
    )
    shelf.matches[match.id] = replace(match, deals=deals)


def put_seal(shelf: Shelf, step: c.PutSeal) -> None:
    match = _found(shelf.matches, step.match)
    others = [one for one in match.sealed if one.seat != step.seal.seat]
    shelf.matches[match.id] = replace(match, sealed=_seals([*others, step.seal]))
    shelf.sealed_for[match.id, step.seal.seat] = step.prompt


def drop_seals(shelf: Shelf, step: c.DropSeals) -> None:
    if step.match in shelf.matches:
        match = shelf.matches[step.match]
        rest = tuple(one for one in match.sealed if step.seat not in (None, one.seat))
        shelf.matches[match.id] = replace(match, sealed=rest)


def keep_seal(shelf: Shelf, step: c.KeepSeal) -> None:
    one = step.seal
    _found(shelf.matches, step.match)
    shelf.earlier[step.match, one.deal, one.round, one.sub, one.seat, one.n] = (step.match, one)


def set_deadline(shelf: Shelf, step: c.SetDeadline) -> None:
    shelf.deadlines[step.deadline.owner, step.deadline.kind] = step.deadline


def drop_deadlines(shelf: Shelf, step: c.DropDeadlines) -> None:
    for key, one in list(shelf.deadlines.items()):
        fits = step.kind in (None, one.kind) and step.prompt in (None, one.prompt) and step.due in (None, one.due)
        if one.owner == step.owner and fits:
            del shelf.deadlines[key]


def move_deadlines(shelf: Shelf, step: c.MoveDeadlines) -> None:
    for key, one in shelf.deadlines.items():
        if one.owner == step.owner and one.kind is not DeadlineKind.PAUSED:
            shelf.deadlines[key] = replace(one, due=one.due + step.by)


def put_off(shelf: Shelf, step: c.PutOff) -> None:
    key = step.deadline.owner, step.deadline.kind
    if key in shelf.deadlines and shelf.deadlines[key].prompt == step.deadline.prompt:
        shelf.deadlines[key] = step.deadline


def shift_deadlines(shelf: Shelf, step: c.ShiftDeadlines) -> None:
    by, away = step.by, max(round(step.by.total_seconds()), 0) if step.told else 0
    for key, one in shelf.deadlines.items():
        if one.kind not in BY_CALENDAR:
            shelf.deadlines[key] = replace(one, due=one.due + by)
    for id, lobby in shelf.lobbies.items():
        if lobby.state is LobbyState.OPEN:
            shelf.lobbies[id] = replace(lobby, expires=lobby.expires + by, version=lobby.version + 1)
    for id, match in shelf.matches.items():
        if match.live and match.deadline is not None:
            shelf.matches[id] = replace(
                match, deadline=match.deadline + by, away=match.away + away, version=match.version + 1
            )
    shelf.times += 1
    since = step.doubted if step.unseen else datetime.min.replace(tzinfo=UTC)
    shelf.unmarked = min((one for one in (shelf.unmarked, since) if one is not None), default=None)


def mark_behind(shelf: Shelf, step: c.MarkBehind) -> None:
    for id, one in shelf.surfaces.items():
        if one.match == step.owner and shelf.is_unmarked(one):
            shelf.wanted[id] = shelf.version(one)


def end_marking(shelf: Shelf, step: c.EndMarking) -> None:
    if step.times == shelf.times:
        shelf.unmarked = None


def put_surface(shelf: Shelf, step: c.PutSurface) -> int:
    one = step.surface
    if one.id:
        known = shelf.surfaces.get(one.id)
        _expect(known is not None, f"surface {one.id} is gone")
        lobby = SurfaceKind.LOBBY
        challenge = known is not None and known.kind is lobby
        _expect(one.kind is not lobby or challenge, f"surface {one.id} is a board by now")
    else:
        lobby = shelf.lobbies.get(one.match) if one.kind is SurfaceKind.LOBBY else None
        _expect(lobby is None or lobby.state is not LobbyState.STARTED, f"{one.match} has started")
        beside = [it for it in shelf.surfaces.values() if it.match == one.match and it.state is not GONE]
        shown = [it.message for it in beside if it.kind is SurfaceKind.LOBBY]
        _expect(one.kind is not SurfaceKind.BOARD or not shown, f"{one.match} is shown as a challenge")
        _expect(one.kind is not SurfaceKind.LOBBY or one.message not in shown, f"{one.match} is shown as a challenge")
        shelf.last_surface += 1
        one = replace(one, id=shelf.last_surface)
    shelf.surfaces[one.id] = one
    shelf.noted[one.id] = shelf.heartbeat
    shelf.wanted[one.id] = shelf.version(one)
    return one.id


def surface_shown(shelf: Shelf, step: c.SurfaceShown) -> None:
    one = shelf.surfaces.get(step.id)
    if one is None or one.message != step.message:
        return
    if one.shown < step.shown:
        shelf.surfaces[step.id] = replace(one, shown=step.shown)
        shelf.noted[one.id] = shelf.heartbeat


def drop_surface(shelf: Shelf, step: c.DropSurface) -> None:
    shelf.surfaces.pop(step.id, None)


def save_player(shelf: Shelf, step: c.SavePlayer) -> None:
    shelf.players[step.player.user] = step.player


def new_pause(shelf: Shelf, step: c.NewPause) -> None:
    one = step.pause
    goes_on = any(known.user == one.user and known.until > one.began for known in shelf.pauses.values())
    _expect(not goes_on and (one.user, one.began) not in shelf.pauses, f"a pause of {one.user} goes on")
    shelf.pauses[one.user, one.began] = one


def end_pause(shelf: Shelf, step: c.EndPause) -> None:
    one = step.pause
    known = shelf.pauses.get((one.user, one.began))
    _expect(known is not None and known.until == step.expect, f"the pause of {one.user} does not end then")
    shelf.pauses[one.user, one.began] = one


def save_guild(shelf: Shelf, step: c.SaveGuild) -> None:
    known = shelf.guilds.get(step.settings.guild)
    if step.expect is not None and known is not None:
        _expect(known.version == step.expect, f"the settings of {known.guild} are not at version {step.expect}")
    shelf.guilds[step.settings.guild] = step.settings


def add_audit(shelf: Shelf, step: c.AddAudit) -> None:
    shelf.audits += (step.audit,)


def drop_match(shelf: Shelf, step: c.DropMatch) -> None:
    shelf.matches.pop(step.id, None)
    shelf.lobbies.pop(step.id, None)
    shelf.sealed_for = {key: one for key, one in shelf.sealed_for.items() if key[0] != step.id}
    shelf.earlier = {key: one for key, one in shelf.earlier.items() if key[0] != step.id}
    shelf.history = {key: one for key, one in shelf.history.items() if key[0] != step.id}
    shelf.tries = {key: one for key, one in shelf.tries.items() if one.match != step.id}
    shelf.deadlines = {key: one for key, one in shelf.deadlines.items() if key[0] != step.id}
    shelf.surfaces = {id: one for id, one in shelf.surfaces.items() if one.match != step.id}
    about, muted = {f"{word} {step.id}" for word in ("house", "hints", "told")}, f"mute {step.id} "
    shelf.notes = {key: one for key, one in shelf.notes.items() if key not in about and not key.startswith(muted)}


def drop_server(shelf: Shelf, step: c.DropServer) -> None:
    guild = step.guild
    shelf.members = {key: one for key, one in shelf.members.items() if key[0] != guild}
    shelf.ratings = {key: one for key, one in shelf.ratings.items() if key[0] != guild}
    shelf.season_ratings = {key: one for key, one in shelf.season_ratings.items() if key[0] != guild}
    shelf.seasons = {key: one for key, one in shelf.seasons.items() if key[0] != guild}
    shelf.frozen = {key: one for key, one in shelf.frozen.items() if key[0] != guild}
    shelf.voided = {key: one for key, one in shelf.voided.items() if key[0] != guild}
    shelf.bars = {key: one for key, one in shelf.bars.items() if key[0] != guild}
    shelf.roles = {key: one for key, one in shelf.roles.items() if key[0] != guild}
    shelf.history = {key: one for key, one in shelf.history.items() if one.guild != guild}
    shelf.audits = tuple(one for one in shelf.audits if one.guild != guild)
    shelf.tries = {key: one for key, one in shelf.tries.items() if key[0] != guild}
    shelf.dailies = {key: one for key, one in shelf.dailies.items() if key[0] != guild}
    shelf.guilds.pop(guild, None)


def _role(bands: Sequence[Band], points: float) -> int:
    return next((one.role for one in sorted(bands, reverse=True) if points >= one.least - 0.5), 0)


def note_role(shelf: Shelf, step: c.NoteRole) -> None:
    shelf.roles[step.guild, step.user, step.role] = step.given


def drop_role(shelf: Shelf, step: c.DropRole) -> None:
    shelf.roles.pop((step.guild, step.user, step.role), None)


def put_bar(shelf: Shelf, step: c.PutBar) -> None:
    shelf.bars[step.bar.guild, step.bar.user] = step.bar


def drop_bars(shelf: Shelf, step: c.DropBars) -> None:
    shelf.bars = {key: one for key, one in shelf.bars.items() if one.until > step.ended}


def drop_bar(shelf: Shelf, step: c.DropBar) -> None:
    shelf.bars.pop((step.guild, step.user), None)


def name_member(shelf: Shelf, step: c.NameMember) -> None:
    shelf.members[step.guild, step.user] = (step.name, step.here)


def block(shelf: Shelf, step: c.Block) -> None:
    if step.on:
        shelf.blocks.setdefault((step.by, step.user), step.name)
    else:
        shelf.blocks.pop((step.by, step.user), None)


def save_rating(shelf: Shelf, step: c.SaveRating) -> None:
    one = step.rating
    key = (one.guild, one.pool, one.user)
    table = shelf.season_ratings if step.season else shelf.ratings
    if step.expect is not None:
        played = table[key].played if key in table else 0
        _expect(played == step.expect, f"the rating of {one.user} is not at {step.expect} matches")
        moved = step.mu is not None and key in table and table[key].mu != step.mu
        _expect(not (moved and step.expect), f"the rating of {one.user} has moved")
    table[key] = one
    shelf.members.setdefault((one.guild, one.user), (one.name, one.here))


def drop_rating(shelf: Shelf, step: c.DropRating) -> None:
    table = shelf.season_ratings if step.season else shelf.ratings
    known = table.get((step.guild, step.pool, step.user))
    there = known is not None and (known.played, known.mu) == (step.expect, step.mu)
    _expect(there, f"the rating of {step.user} is not at {step.expect} matches")
    del table[step.guild, step.pool, step.user]


def new_season(shelf: Shelf, step: c.NewSeason) -> None:
    one = step.season
    goes_on = any(known.guild == one.guild and not known.over for known in shelf.seasons.values())
    if (one.guild, one.number) in shelf.seasons or (goes_on and not one.over):
        raise c.Conflict("there is one already")
    shelf.seasons[one.guild, one.number] = one


def save_season(shelf: Shelf, step: c.SaveSeason) -> None:
    one = step.season
    known = shelf.seasons.get((one.guild, one.number))
    there = known is not None and not known.over and known.version == step.expect
    _expect(there, f"season {one.number} is not at version {step.expect}")
    assert known is not None
    shelf.seasons[one.guild, one.number] = replace(one, began=known.began)


def season_moves(shelf: Shelf, step: c.SeasonMoves) -> None:
    known = shelf.seasons.get((step.guild, step.number))
    _expect(known is not None and not known.over, f"season {step.number} does not go on")
    assert known is not None
    shelf.seasons[step.guild, step.number] = replace(known, version=known.version + 1)


def freeze_season(shelf: Shelf, step: c.FreezeSeason) -> None:
    for table in step.tables:
        key = (step.guild, step.number, table.pool)
        _expect(key not in shelf.frozen, "frozen already")
        shelf.frozen[key] = table
    shelf.season_ratings = {key: one for key, one in shelf.season_ratings.items() if key[0] != step.guild}


def mark_season(shelf: Shelf, step: c.MarkSeason) -> None:
    key = (step.guild, step.number, step.pool)
    if key in shelf.frozen:
        shelf.voided[key] = shelf.voided.get(key, 0) + 1


def add_rating_entry(shelf: Shelf, step: c.AddRatingEntry) -> None:
    shelf.history[step.entry.match, step.entry.user] = step.entry


def heartbeat(shelf: Shelf, step: c.Heartbeat) -> None:
    shelf.heartbeat = step.at


def save_note(shelf: Shelf, step: c.SaveNote) -> None:
    shelf.notes[step.key] = step.value


def new_daily_deal(shelf: Shelf, step: c.NewDailyDeal) -> None:
    key = step.deal.guild, step.deal.day
    _expect(key not in shelf.dailies, "there is one")
    shelf.dailies[key] = step.deal


def save_daily_best(shelf: Shelf, step: c.SaveDailyBest) -> None:
    if one := shelf.dailies.get((step.guild, step.day)):
        shelf.dailies[step.guild, step.day] = replace(one, best=step.best)


def new_daily_try(shelf: Shelf, step: c.NewDailyTry) -> None:
    key = step.guild, step.day, step.user
    _expect(key not in shelf.tries and step.match in shelf.matches, "there is one, or no such match")
    shelf.tries[key] = DailyTry(step.guild, step.day, step.user, step.match)


def share_daily(shelf: Shelf, step: c.ShareDaily) -> None:
    one = shelf.tries.get((step.guild, step.day, step.user))
    _expect(one is not None and one.shared is not step.shared, "it is so already")
    assert one is not None
    shelf.tries[step.guild, step.day, step.user] = replace(one, shared=step.shared)


def keep_import(shelf: Shelf, step: c.KeepImport) -> None:
    one = step.record
    _expect(one.id not in shelf.imports, f"{one.id} is taken")
    shelf.imports[one.id] = one
    own = [kept for kept in shelf.imports.values() if kept.user == one.user]
    own.sort(key=lambda kept: (kept.at, kept.id))
    for old in own[: -step.most]:
        del shelf.imports[old.id]


def erase(shelf: Shelf, step: c.Erase) -> None:
    user, number = step.user, step.number
    theirs = {one.id: one for one in shelf.matches.values() if one.seat_of(user) is not None}
    taken = any(seat.user == number for one in shelf.matches.values() for seat in one.seats)
    lobbies = [one for one in shelf.lobbies.values() if any(person.user == user for person in one.people)]
    busy = any(one.state is LobbyState.OPEN for one in lobbies)
    live, over = {id for id, one in theirs.items() if one.live}, {id for id, one in theirs.items() if not one.live}
    fits = live == {*step.going} and over == {one.match for one in step.matches}
    _expect(not busy and not taken and fits, "not as it was")
    kept = [c.Erased(id, theirs[id].agreement, theirs[id].record) for id in step.going]
    for one in (*step.matches, *kept):
        match = theirs[one.match]
        seats = tuple(
            replace(seat, user=number, name=FORMER, seen=None) if seat.user == user else seat for seat in match.seats
        )
        version = match.version + 1
        shelf.matches[match.id] = replace(
            match, seats=seats, agreement=one.agreement, record=one.record, version=version
        )
        lately = match.ended is not None and match.ended >= step.shown_since
        for id, surface in shelf.surfaces.items():
            lobby, board = (surface.kind is kind for kind in (SurfaceKind.LOBBY, SurfaceKind.BOARD))
            anew = (match.live and not lobby) or (lately and board)
            if surface.match == match.id and anew and surface.state is not GONE:
                shelf.wanted[id] = version
    for lobby in lobbies:
        people = tuple(
            replace(person, user=number, name=FORMER) if person.user == user else person for person in lobby.people
        )
        shelf.lobbies[lobby.id] = replace(lobby, host=number if lobby.host == user else lobby.host, people=people)
    for key in [key for key in shelf.ratings if key[2] == user]:
        one = shelf.ratings.pop(key)
        shelf.ratings[key[0], key[1], number] = replace(one, user=number)
        shelf.members[key[0], number] = (FORMER, False)
    for id in step.going:
        if (theirs[id].guild, user) in shelf.members:
            shelf.members[theirs[id].guild, number] = (FORMER, False)
    for key in [key for key in shelf.season_ratings if key[2] == user]:
        one = shelf.season_ratings.pop(key)
        shelf.season_ratings[key[0], key[1], number] = replace(one, user=number)
    for key, table in shelf.frozen.items():
        lines = tuple(replace(one, user=number, name=FORMER) if one.user == user else one for one in table.lines)
        shelf.frozen[key] = replace(table, lines=lines)
    for key in [key for key in shelf.history if key[1] == user]:
        shelf.history[key[0], number] = replace(shelf.history.pop(key), user=number)
    for key in [key for key in shelf.members if key[1] == user]:
        del shelf.members[key]
    shelf.players.pop(user, None)
    shelf.bars = {
        key: replace(one, reason="" if one.user == user else one.reason, by=number if one.by == user else one.by)
        for key, one in shelf.bars.items()
        if one.user != user or one.until > step.at
    }
    for key in [key for key in shelf.pauses if key[0] == user]:
        shelf.pauses[number, key[1]] = replace(shelf.pauses.pop(key), user=number)
    shelf.deadlines = {key: one for key, one in shelf.deadlines.items() if one.owner != pause_owner(user)}
    shelf.roles = {key: one for key, one in shelf.roles.items() if key[1] != user}
    for key in [key for key in shelf.blocks if user in key]:
        del shelf.blocks[key]
    for id in [id for id, one in shelf.imports.items() if one.user == user]:
        del shelf.imports[id]
    for id in [id for id, one in shelf.surfaces.items() if one.user == user]:
        del shelf.surfaces[id]
    for key in [key for key in shelf.notes if _is_of(key, user, theirs)]:
        del shelf.notes[key]


def erase_agreement(shelf: Shelf, step: c.EraseAgreement) -> None:
    one = step.erased
    shelf.matches[one.match] = replace(shelf.matches[one.match], agreement=one.agreement, record=one.record)


def _is_of(note: str, user: int, matches: Iterable[str]) -> bool:
    return note in (*(f"{word} {user}" for word in PERSONAL_NOTES), *(f"mute {id} {user}" for id in matches))


STEPS: Mapping[type, Callable[[Shelf, Any], int | None]] = {
    c.NewLobby: new_lobby,
    c.SaveLobby: save_lobby,
    c.NewMatch: new_match,
    c.SaveMatch: save_match,
    c.NewDeal: new_deal,
    c.AddDecisions: add_decisions,
    c.PutSeal: put_seal,
    c.DropSeals: drop_seals,
    c.KeepSeal: keep_seal,
    c.SetDeadline: set_deadline,
    c.DropDeadlines: drop_deadlines,
    c.MoveDeadlines: move_deadlines,
    c.PutOff: put_off,
    c.ShiftDeadlines: shift_deadlines,
    c.MarkBehind: mark_behind,
    c.EndMarking: end_marking,
    c.PutSurface: put_surface,
    c.SurfaceShown: surface_shown,
    c.DropSurface: drop_surface,
    c.SavePlayer: save_player,
    c.NewPause: new_pause,
    c.EndPause: end_pause,
    c.SaveGuild: save_guild,
    c.AddAudit: add_audit,
    c.DropMatch: drop_match,
    c.DropServer: drop_server,
    c.PutBar: put_bar,
    c.DropBar: drop_bar,
    c.DropBars: drop_bars,
    c.NoteRole: note_role,
    c.DropRole: drop_role,
    c.NameMember: name_member,
    c.Block: block,
    c.SaveRating: save_rating,
    c.DropRating: drop_rating,
    c.AddRatingEntry: add_rating_entry,
    c.NewSeason: new_season,
    c.SaveSeason: save_season,
    c.SeasonMoves: season_moves,
    c.FreezeSeason: freeze_season,
    c.MarkSeason: mark_season,
    c.Heartbeat: heartbeat,
    c.SaveNote: save_note,
    c.NewDailyDeal: new_daily_deal,
    c.SaveDailyBest: save_daily_best,
    c.NewDailyTry: new_daily_try,
    c.ShareDaily: share_daily,
    c.KeepImport: keep_import,
    c.Erase: erase,
    c.EraseAgreement: erase_agreement,
}
