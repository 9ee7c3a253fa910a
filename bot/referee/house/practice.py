"""Practice: a match against the house, unrated and without a clock."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime
from typing import NamedTuple

from bot.engine.variants import find_game
from bot.errors import RefereeError
from bot.referee.house import seats as house
from bot.referee.lobby.limits import check_not_banned
from bot.referee.lobby.setups import Wish, make_setup, usual_seats
from bot.referee.match import play
from bot.referee.match.matches import Matches
from bot.referee.model.changes import NameMember, NewMatch, Step
from bot.referee.model.daily import NewDailyTry
from bot.referee.model.durations import MOST_PRACTICE
from bot.referee.model.jobs import AskJob, Job, job_about
from bot.referee.model.model import REPLACED, Seated, Setup, StoredMatch, UserId
from bot.referee.model.participant import Person, Place
from bot.referee.proof import promises
from bot.referee.proof.version2 import NONCE_BYTES
from bot.referee.repository.house_levels import level_of, seated, table_levels
from bot.referee.repository.live import Live, new_engine_match
from bot.referee.repository.match_repository import Commands, MatchRepository
from bot.solver.players.levels import Level


class AgreedDeal(NamedTuple):
    """A daily deal, which was fixed in advance."""

    day: date
    nonce: bytes
    agreement: bytes


class NewPractice(NamedTuple):
    """A new practice match, and what it costs."""

    live: Live
    replaced: tuple[str, ...] = ()
    """Older practice matches of the same person that ended to make room."""
    is_new: bool = True
    """False for a rematch that waits for its first bid already."""


def _never_looked(_id: str, _user: UserId) -> None:
    """Where nothing shows matches."""


class Practice(Commands):
    """The house fills every other seat, and has sealed before its opponent sees the first prize."""

    def __init__(self, repository: MatchRepository, matches: Matches) -> None:
        super().__init__(repository)
        self._matches = matches
        repository.jobs.kinds["replace"] = self._replace
        self.last_look: Callable[[str, UserId], datetime | None] = _never_looked
        """When a person last opened one of their matches, as far as whatever shows matches knows."""

    async def begin(
        self,
        place: Place,
        person: Person,
        level: Level,
        wish: Wish,
        public: bool = False,
        seats: int | None = None,
    ) -> NewPractice:
        """Begin a match against this level; public ones have a board in the channel, private ones a console only."""
        guild = await self._store.guild(place.guild)
        seats = usual_seats(wish, guild) if seats is None else seats
        setup = make_setup(replace(wish, clock=0, rated=False, place="own"), seats, guild)
        rules = find_game(setup.game).rules(setup.seats, setup.options)
        return await self._begin(place, person, table_levels(level, rules, setup.seats - 1), setup, public)

    async def repeat(self, live: Live, person: Person, place: Place) -> NewPractice:
        """Begin a practice match with the game, options and levels of an earlier one.

        Return the match that an earlier call began, if nobody has bid in it: a button may be pressed twice.
        """
        before = live.stored
        if before.seat_of(person.user) is None:
            raise RefereeError("rematch-not-in", m=before.id)
        if before.live:
            raise RefereeError("still-live", m=before.id)
        levels = [level for seated in before.seats if (level := level_of(seated)) is not None]
        async with self._repository.lock(f"practice {person.user}"):
            for stored in await self._list_live(person.user):
                again = stored.setup == before.setup and list(map(level_of, stored.seats[1:])) == levels
                if again and stored.channel == before.channel and stored.started > (before.ended or before.started):
                    waiting = await self._repository.live(stored.id)
                    if not play.has_bids(waiting):
                        return NewPractice(waiting, is_new=False)
            return await self._begin(place, person, levels, before.setup, bool(before.channel))

    async def give_way(self, live: Live) -> None:
        """End a practice match in which nobody has bid, because another one took its place."""
        if live.stored.live and not play.has_bids(live):
            with suppress(RefereeError):  # it has ended by itself
                await self._matches.abort(live.stored.id, REPLACED)

    async def open(self, place: Place, person: Person, levels: list[Level], setup: Setup, promised: AgreedDeal) -> Live:
        """Begin a private match with a deal that was fixed in advance."""
        return (await self._begin(place, person, levels, setup, public=False, promised=promised)).live

    async def _begin(
        self,
        place: Place,
        person: Person,
        levels: list[Level],
        setup: Setup,
        public: bool,
        promised: AgreedDeal | None = None,
    ) -> NewPractice:
        guild = await self._store.guild(place.guild)
        await check_not_banned(self._store, place.guild, person.user, self._clock.now())
        if public and await self._store.boards_in(place.channel) >= guild.boards:
            raise RefereeError("channel-full", n=guild.boards)
        replaced = await self._end_idlest(person.user) if promised is None else ()
        now = self._clock.now()
        id = await self._repository.new_id(place.guild)
        nonce = self._repository.entropy.bytes(NONCE_BYTES) if promised is None else promised.nonce
        seats = (Seated(person.user, person.name, seen=now), *map(seated, levels))
        agreement = promises.agreement(id, nonce, setup, seats, [level.key for level in levels], 0)
        agreement = agreement if promised is None else promised.agreement
        channel = place.channel if public else 0
        stored = StoredMatch(id, place.guild, channel, setup, nonce, seats, now, now, agreement=agreement)
        begun = play.begin(Live(stored, new_engine_match(setup), ()), now)
        first = NewMatch(replace(begun.live.stored, deals=()))
        begun = house.seal_bids(begun, now)
        beside: list[Step] = [NameMember(place.guild, person.user, person.name)] if place.guild else []
        if promised is not None:
            beside.append(NewDailyTry(place.guild, promised.day, person.user, id))
        await self._repository.write((first, *begun.steps, *beside))
        live = self._repository.cache(begun.live)
        self._repository.notify(stored.id)
        return NewPractice(live, replaced)

    async def find_private(self, user: UserId) -> Live | None:
        """Return the live private practice of a person that they played or opened last, if there is one."""
        private = [one for one in await self._list_live(user) if not one.channel]
        return await self._repository.live(private[-1].id) if private else None

    async def _end_idlest(self, user: UserId) -> tuple[str, ...]:
        """Make room for one more practice match; return the matches that ended for it."""
        ended = [one.id for one in (await self._list_live(user))[: 1 - MOST_PRACTICE]]
        if ended:
            jobs = [job_about(id, f"replace {id}") for id in ended]
            await self._repository.write(tuple(map(AskJob, jobs)))
            await self._repository.jobs.look([job.partition for job in jobs])
        return tuple(ended)

    async def _replace(self, job: Job) -> None:
        with suppress(RefereeError):  # it has ended by itself
            await self._matches.abort(job.work.split()[1], REPLACED)

    async def _list_live(self, user: UserId) -> list[StoredMatch]:
        """A person's live practice, the one that lay idle longest first. A try of a daily deal is none."""
        live = await self._store.live_of(user)
        practice = [stored for stored in live if stored.is_practice and promises.day_of(stored) is None]
        return sorted(practice, key=lambda one: self._last_touched(one, user))

    def _last_touched(self, match: StoredMatch, user: UserId) -> datetime:
        """When this person last bid in a match, or opened it."""
        seat = match.seat_of(user)
        bid = None if seat is None else match.last_press(seat)
        return max(at for at in (match.opened, bid, self.last_look(match.id, user)) if at is not None)
