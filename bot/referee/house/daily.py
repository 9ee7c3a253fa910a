"""The daily deal: the same cards against the same house for all people of a server, once a day."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any

from bot.engine.cards import Card
from bot.engine.choices import Choice
from bot.engine.rules import Rules
from bot.engine.state import State
from bot.engine.variants import DEFAULT
from bot.engine.view import observe
from bot.errors import RefereeError
from bot.referee.house.practice import AgreedDeal, Practice
from bot.referee.lobby.setups import Wish, make_setup
from bot.referee.model.changes import Conflict, PutOff
from bot.referee.model.clock_changes import read_owner
from bot.referee.model.daily import (
    DailyDeal,
    DailyRanking,
    DailyTry,
    NewDailyDeal,
    SaveDailyBest,
    ShareDaily,
    day_end,
    rank_scores,
)
from bot.referee.model.daily_posts import MONDAY, WEEK, DailyPost, rank_week
from bot.referee.model.model import Deadline, Setup, Snowflake, UserId
from bot.referee.model.participant import Person, Place
from bot.referee.proof import promises
from bot.referee.proof import version2 as v2
from bot.referee.proof.version2 import NONCE_BYTES
from bot.referee.repository.live import Live
from bot.referee.repository.match_repository import Commands, MatchRepository
from bot.referee.repository.view_service import load_ranking
from bot.solver.players.chance import Chance
from bot.solver.players.levels import SLY, Level, Question, find_level

LEVEL = "reader"
"""of the house: quick, so that no worker is needed; it answers to how one plays, by chance that is the day's alone"""

WISH = Wish(game=DEFAULT.key, cards=7, clock=0, rated=False, place="own")


class Daily(Commands):
    """One nonce a server and day, drawn when the first of its people asks for it."""

    def __init__(self, repository: MatchRepository, practice: Practice) -> None:
        super().__init__(repository)
        self._practice = practice

    def today(self) -> date:
        return self._clock.now().date()

    async def begin(self, place: Place, person: Person) -> tuple[Live, bool]:
        """Return a person's try of today, and True if it begins now; else the try that they have already."""
        if not place.guild:
            raise RefereeError("server-only")
        while True:
            day = self.today()
            tried = await self.find_try(place.guild, day, person.user)
            if tried is not None:
                return await self._repository.live(tried.match), False
            deal = await self._load_deal(place.guild, day)
            setup = await self._make_setup(place.guild)
            level = find_level(deal.level) or SLY
            agreement = promises.daily_agreement(day, place.guild, deal.nonce, setup, deal.level)
            promised = AgreedDeal(day, deal.nonce, agreement)
            try:
                return await self._practice.open(place, person, [level], setup, promised), True
            except Conflict:  # they asked twice at once
                if await self.find_try(place.guild, day, person.user) is None:
                    raise

    async def find_try(self, guild: Snowflake, day: date, user: UserId) -> DailyTry | None:
        """Return a person's try of a day."""
        return next((attempt for attempt in await self._store.daily_tries(guild, day) if attempt.user == user), None)

    async def rank(self, guild: Snowflake, day: date, user: UserId) -> DailyRanking:
        """Return the ranking of a day. Refuse a person who has not finished their try: margins reveal the deal."""
        ranking = await load_ranking(self._store, guild, day, user)
        if ranking is None:
            raise RefereeError("daily-first")
        return ranking

    def is_open(self, day: date | None) -> bool:
        """Whether the deal of this day may still be played."""
        return day is not None and self.today() <= day

    def check_shown(self, day: date | None) -> None:
        """Refuse to show a deal in public while others may still play it."""
        if day is not None and self.is_open(day):
            raise RefereeError("daily-spoils", at=day_end(day))

    async def share(self, guild: Snowflake, day: date, user: UserId, shared: bool = True) -> None:
        """Note that a person shows their result in public, once; with `shared=False`, that it could not be shown."""
        try:
            await self._repository.write((ShareDaily(guild, day, user, shared),))
        except Conflict:
            raise RefereeError("daily-shared") from None

    async def load_post(self, guild: Snowflake, day: date) -> DailyPost:
        """Return what the post of a day tells of the days before."""
        before = [day - timedelta(days=n) for n in range(1, 8 if day.weekday() == MONDAY else 2)]
        tries = [await self._store.daily_tries(guild, one) for one in before]
        return DailyPost(day, tuple(rank_scores(tries[0])), rank_week(tries) if len(tries) > 1 else ())

    async def claim_post(self, deadline: Deadline, following: datetime) -> bool:
        """Put off the deadline of a post before it is made, so that it is made once. Return False for one that has
        moved, or if nobody has played in the server lately."""
        (guild,) = read_owner(deadline.owner)
        if not await self._store.is_played(guild, self._clock.now() - WEEK):
            return False
        try:
            await self._repository.write((PutOff(replace(deadline, due=following), was=deadline.due),))
        except Conflict:
            return False
        return True

    async def game(self, guild: Snowflake, day: date) -> DailyGame | None:
        """Return the input for the best margin; None if it is known already."""
        deal = await self._store.daily_deal(guild, day)
        if deal is None or deal.best is not None:
            return None
        setup = await self._make_setup(guild)
        agreement = promises.daily_agreement(day, guild, deal.nonce, setup, deal.level)
        rules = DEFAULT.rules(setup.seats, setup.options)
        opened = v2.opening(promises.daily_name(day, guild), deal.nonce)
        pack = v2.shuffle_deal(deal.nonce, opened, v2.NO_MESSAGE, 0, rules.pack())
        return DailyGame(dict(setup.options), pack, deal.level, deal.nonce, v2.agreement_hash(agreement))

    async def keep_best(self, guild: Snowflake, day: date, best: int) -> None:
        await self._repository.write((SaveDailyBest(guild, day, best),))

    async def _load_deal(self, guild: Snowflake, day: date) -> DailyDeal:
        """Return the deal of a day; draw its nonce if there is none."""
        known = await self._store.daily_deal(guild, day)
        if known is None:
            drawn = DailyDeal(guild, day, self._repository.entropy.bytes(NONCE_BYTES), LEVEL)
            with suppress(Conflict):  # another process has drawn one
                await self._repository.write((NewDailyDeal(drawn),))
            known = await self._store.daily_deal(guild, day)
        assert known is not None
        return known

    async def _make_setup(self, guild: Snowflake) -> Setup:
        return make_setup(WISH, 2, await self._store.guild(guild))


YOU, HOUSE = 0, 1


@dataclass(frozen=True, slots=True)
class DailyGame:
    """A day's cards, and all that the house plays by."""

    options: Mapping[str, Any]
    pack: tuple[Card, ...] = field(repr=False)
    level: str
    nonce: bytes = field(repr=False)
    agreed: str


def best_margin(game: DailyGame) -> int:
    """Return the largest margin that a player with full knowledge could win by.

    The house answers to earlier bids, so every line of play differs. Lines are cut that cannot improve the margin.
    """
    rules = DEFAULT.rules(2, dict(game.options))
    search = _Search(game, rules, find_level(game.level) or SLY)
    search.search(rules.start(rules.deal(game.pack)))
    return search.most


class _Search:
    """Every way to play it, the most promising first."""

    def __init__(self, game: DailyGame, rules: Rules, level: Level) -> None:
        self._game, self._rules, self._level = game, rules, level
        self.most = -sum(rules.value(card) for card in game.pack)

    def search(self, state: State) -> None:
        margin = self._margin(state)
        if state.over:
            self.most = max(self.most, margin)
            return
        if margin + sum(map(self._rules.value, (*state.stock, *state.exposed))) <= self.most:
            return
        prompts = {prompt.seat: prompt for prompt in self._rules.prompts(state)}
        if all(prompt.is_forced for prompt in prompts.values()):
            self.search(self._rules.resolve(state, {seat: prompt.lowest() for seat, prompt in prompts.items()})[0])
            return
        answer = self._choose_answer(state)
        ways = [
            self._rules.resolve(state, {YOU: self._rules.bid(card), HOUSE: answer})[0] for card in prompts[YOU].options
        ]
        for after in sorted(ways, key=self._margin, reverse=True):  # of equals the lowest card first
            self.search(after)

    def _choose_answer(self, state: State) -> Choice:
        place = (0, len(state.rounds), len(state.again))
        chance = Chance(v2.house_key(self._game.nonce, self._game.agreed, place, HOUSE))
        return self._level.mind(Question(self._rules, DEFAULT.series, observe(state, HOUSE), (), chance))

    def _margin(self, state: State) -> int:
        mine, theirs = self._rules.score(state)
        return int(mine - theirs)
