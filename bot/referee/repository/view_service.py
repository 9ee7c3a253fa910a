"""Views of matches, with data from the store."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import date, datetime
from typing import Any, TypeAlias

from bot.engine.cards import Seat
from bot.errors import RefereeError
from bot.ratings.skill import Skill, find_win_chances
from bot.referee.model.daily import DailyRanking, rank_tries
from bot.referee.model.model import Snowflake, StoredMatch, UserId
from bot.referee.model.views import MatchView, SealView
from bot.referee.proof import promises
from bot.referee.repository.live import Live
from bot.referee.repository.match_repository import Commands, LastUsed, MatchRepository
from bot.referee.repository.replay_tape import Tape
from bot.referee.repository.view_builder import match_view, proof_text, record_data, seal_views
from data.store import Store

Lapse: TypeAlias = list[Any]
"""[deal, round, sub-round, seat, key of the level that bid]"""

LONG = 100
"""Joint choices above which a match is replayed in a thread."""

TAPES = 16
"""Size of the cache of tapes."""


class Views(Commands):
    """Views for one viewer, and public records."""

    def __init__(self, repository: MatchRepository) -> None:
        super().__init__(repository)
        self._tapes = LastUsed[str, tuple[int, Tape]](TAPES)

    async def view(self, id: str, user: UserId = 0) -> MatchView:
        """Return the match as this person may see it; user 0 is the public."""
        return await self.view_live(await self._repository.live(id), user)

    async def view_live(self, live: Live, user: UserId = 0) -> MatchView:
        """Return the view of a loaded match."""
        stored = live.stored
        lapses = await self.list_lapses(stored) if stored.has_house else []
        hints = len(await self.list_hints(stored.id)) if stored.is_practice and not stored.live else 0
        paused = await self._list_paused(stored) if stored.live and stored.paused is not None else ()
        chances = await self.chances(live) if len(stored.changes) == 2 else ()
        cards = await self.card_style(stored, user)
        view = match_view(live, stored.seat_of(user), chances, lapses, cards, hints, paused)
        if view.day is not None and view.over and view.seat is not None:
            view = replace(view, daily=await load_ranking(self._store, stored.guild, view.day, user))
        waits = view.over or view.deadline is None or self._clock.now() < view.deadline
        return view if waits else replace(view, out_of_time=True)

    async def newest(self, view: MatchView, user: UserId = 0) -> MatchView:
        """Return the match as this process knows it by now; a view costs more than looking whether it is the newest."""
        live = self._repository.find_cached(view.id)
        if live is None or live.stored.version == view.version:
            return view
        return await self.view_live(live, user)

    async def _list_paused(self, stored: StoredMatch) -> tuple[tuple[Seat, datetime], ...]:
        """Return the seats that have paused, and until when."""
        users = {seated.user: seat for seat, seated in enumerate(stored.seats) if seated.user}
        taken = await self._store.pauses(tuple(users), self._clock.now())
        return tuple((users[pause.user], pause.until) for pause in taken)

    async def list_hints(self, id: str) -> list[list[int]]:
        """Return deal and number of every round in which the coach was asked before the bid."""
        return json.loads(await self._store.note(hints_key(id)) or "[]")

    async def tape(self, live: Live) -> Tape:
        """Return the moments of a finished match."""
        id = live.stored.id
        if live.stored.live:
            raise RefereeError("still-live", m=id)
        known = self._tapes.find(id)
        if known is None or known[0] != live.stored.version:
            tape = await asyncio.to_thread(Tape, live) if len(live.turns) > LONG else Tape(live)
            known = self._tapes.keep(id, (live.stored.version, tape))
        return known[1]

    async def card_style(self, stored: StoredMatch, user: UserId) -> str:
        """Return the card style of a person; for public messages, that of the server."""
        return (await self._store.player(user) if user else await self._store.guild(stored.guild)).cards

    async def list_views(self, user: UserId) -> list[MatchView]:
        """Return a person's live matches: those that wait for them first, then by deadline."""
        views = [await self.view(stored.id, user) for stored in await self._store.live_of(user)]
        return sorted(views, key=lambda view: (not _is_waiting(view), view.deadline or view.opened, view.id))

    async def record(self, id: str) -> dict[str, Any]:
        """Return the record of a finished match, as it is exported."""
        live = await self._repository.live(id)
        if live.stored.live:
            raise RefereeError("still-live", m=id)
        return record_data(live, await self.list_lapses(live.stored), self._is_withheld(live))

    async def list_seals(self, id: str) -> tuple[SealView, ...]:
        """Return all shown seals of a match, by place."""
        return seal_views(await self._repository.live(id), await self._store.earlier_seals(id))

    async def proof_sheet(self, id: str) -> str:
        """Return the proof of a finished match, digit by digit."""
        live = await self._repository.live(id)
        if live.stored.live:
            raise RefereeError("still-live", m=id)
        return proof_text(live, await self._store.earlier_seals(id), self._is_withheld(live))

    def _is_withheld(self, live: Live) -> bool:
        return promises.is_nonce_withheld(live.stored, self._clock.now())

    async def list_lapses(self, stored: StoredMatch) -> list[Lapse]:
        """Return where another level bid for a house seat: deal, round, sub-round, seat, and the level's key."""
        return json.loads(await self._store.note(lapses_key(stored.id)) or "[]") if stored.has_house else []

    async def chances(self, live: Live) -> tuple[float, ...]:
        """Return the expected results of two rated seats; () for more seats or unrated matches."""
        changes = live.stored.changes
        if len(changes) != 2:
            return ()
        pool = live.stored.setup.game
        skills: list[Skill] = []
        for seated in live.stored.seats:
            if not seated.user:
                return ()
            history = await self._store.rating_history(live.stored.guild, pool, seated.user)
            entry = next((entry for entry in history if entry.match == live.stored.id), None)
            if entry is None:
                return ()
            skills.append(Skill(entry.mu_before, entry.sigma_before))
        return find_win_chances(skills)


async def load_ranking(store: Store, guild: Snowflake, day: date, user: UserId) -> DailyRanking | None:
    """Return the ranking of a day for this person; None if they have not finished their try."""
    tries = await store.daily_tries(guild, day)
    own = next((tried for tried in tries if tried.user == user), None)
    if own is None or own.ended is None:
        return None
    return rank_tries(own, tries, await store.daily_tries_of(guild, user))


def lapses_key(id: str) -> str:
    """Return the key of the note about bids of another level."""
    return f"house {id}"


def hints_key(id: str) -> str:
    """Return the key of the note about hints."""
    return f"hints {id}"


def _is_waiting(view: MatchView) -> bool:
    own = view.own
    return own is not None and own.awaited
