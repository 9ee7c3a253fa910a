"""Crash points without a crash: the process dies before or after a commit, and another process goes on."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.engine.record.record import read_record
from bot.engine.record.replay import replay
from bot.engine.record.result import result_data
from bot.errors import RefereeError
from bot.ratings import pool as ratings
from bot.ratings.pool import replay_results as replay_pool
from bot.referee.model.changes import AddRatingEntry, Change, Conflict, StoreBusy
from bot.referee.model.participant import Person
from bot.referee.referee import Referee
from tests.referee.stage import ANA, BEN, CEM, HERE, Table
from tests.sqlite_store import SqliteStore


class Dead(Exception):
    """The process is no more."""


class Mortal:
    """A store whose process dies at one write: before its commit, or after the commit and before the answer."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self.left = 0
        self.committed = False

    async def write(self, change: Change) -> list[int]:
        self.left -= 1
        if self.left == 0 and not self.committed:
            raise Dead
        answer = await self.store.write(change)
        if self.left == 0:
            raise Dead
        return list(answer)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


@pytest.mark.parametrize("committed", [False, True])
async def test_match_goes_on_after_a_crash_at_every_write(table: Table, committed: bool) -> None:
    """Each step dies once; a new process repeats it, as a person presses once more."""
    store = Mortal(table.store)
    store.committed = committed

    def living() -> Referee:
        return Table(store, table.clock, f"{store}{table.referee.repository.entropy.bytes(4)!r}").referee

    async def once(act: Any, done: tuple[str, ...]) -> None:
        store.left = 1
        with pytest.raises(Dead):
            await act(living())
        told = ""
        try:
            await act(living())
        except RefereeError as refusal:  # it was committed: to do it again is refused, or says that it is done
            told = refusal.id
        assert told in (done if committed else ("",))

    lobby = await table.referee.challenges.open(HERE, ANA, [BEN], make())
    await once(lambda referee: referee.challenges.accept(lobby.id, BEN.user, 900), ("challenge-gone",))
    for prompt in range(4):
        for user in (ANA.user, BEN.user):
            card = 1 + prompt if user == ANA.user else 5 - prompt

            async def press(referee: Referee, user: int = user, card: int = card, prompt: int = prompt) -> Any:
                return await referee.matches.seal(lobby.id, user, prompt, card, table.clock.now())

            await once(press, ("same-card", "already-revealed", "match-over"))
    stored = await table.store.match(lobby.id)
    assert stored is not None
    assert not stored.live
    [deal] = stored.deals
    bids = [(one.seat, one.choice) for one in deal.decisions]
    assert bids == [pair for prompt in range(4) for pair in ((0, 1 + prompt), (1, 5 - prompt))] + [(0, 5), (1, 1)]
    for person in (ANA, BEN):
        assert len(await table.store.rating_history(HERE.guild, "classic", person.user)) == 1
    record = await living().views.record(lobby.id)
    assert tuple(str(one) for one in result_data(replay(read_record(record)).match)["totals"]) == stored.totals


def make() -> Any:
    from bot.referee.lobby.setups import Wish

    return Wish(cards=5)


class Contested:
    """A store that finds the ratings changed by another process, a given number of times."""

    def __init__(self, store: SqliteStore, times: int) -> None:
        self.store = store
        self.times = times
        self.tried = 0

    async def write(self, change: Change) -> list[int]:
        if any(isinstance(step, AddRatingEntry) for step in change):
            self.tried += 1
            if self.tried <= self.times:
                raise Conflict("ratings")
        return list(await self.store.write(change))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


async def test_ratings_that_changed_meanwhile_are_computed_again(table: Table) -> None:
    contested = Contested(table.store, 3)
    other = Table(contested, table.clock, "contested")
    id = await other.start(cards=2)
    view = await other.round(id, 1, 2)
    assert view.over
    assert contested.tried == 4
    for person in (ANA, BEN):
        assert len(await table.store.rating_history(HERE.guild, "classic", person.user)) == 1


async def test_bid_refused_by_a_busy_store_leaves_the_match_unchanged(table: Table) -> None:
    class Busy(Contested):
        async def write(self, change: Change) -> list[int]:
            raise StoreBusy("held")

    id = await table.start()
    busy = Table(Busy(table.store, 0), table.clock, "busy")
    with pytest.raises(StoreBusy):
        await busy.seal(id, ANA.user, 5)
    assert (await busy.referee.views.view(id, ANA.user)).mine is None
    await table.seal(id, ANA.user, 5)


async def test_two_referees_ending_matches_at_once_lose_no_rating(table: Table) -> None:
    """The last presses of each pair come from two processes; every match is rated on top of another."""
    other = Table(table.store, table.clock, "other")
    crowd = [Person(100 + number, f"P{number}") for number in range(4)]
    pairs = [(one, two) for one in crowd for two in crowd if one.user < two.user]
    ids = [await (table if number % 2 else other).start(pair, cards=2) for number, pair in enumerate(pairs)]

    async def play(number: int, id: str) -> None:
        one, two = pairs[number]
        await asyncio.gather(table.seal(id, one.user, 1, 0), other.seal(id, two.user, 2, 0))

    await asyncio.gather(*(play(number, id) for number, id in enumerate(ids)))
    results = [match for id in ids if (match := await table.store.match(id)) is not None]
    assert not [match.id for match in results if match.live or match.unrated]
    for person in crowd:
        rating = await table.store.rating(HERE.guild, "classic", person.user)
        assert rating is not None
        history = await table.store.rating_history(HERE.guild, "classic", person.user)
        assert rating.played == len(history) == 3
        assert rating.mu in {entry.mu for entry in history}


async def test_stored_ratings_equal_ratings_computed_from_the_matches(table: Table) -> None:
    results: list[ratings.RatedMatch] = []
    for number, (one, two) in enumerate([(ANA, BEN), (BEN, CEM), (CEM, ANA), (ANA, BEN)]):
        table.clock.forward(60)
        id = await table.start((one, two), cards=2)
        await table.seal(id, one.user, 1 + number % 2)
        await table.seal(id, two.user, 2)
        stored = await table.store.match(id)
        assert stored is not None
        assert stored.ended is not None
        assert stored.placings is not None
        users = [seated.user for seated in stored.seats]
        results.append(ratings.RatedMatch(id, stored.ended, tuple(zip(users, stored.placings, strict=True))))
    standings = replay_pool(results).standings
    for person in (ANA, BEN, CEM):
        rating = await table.store.rating(HERE.guild, "classic", person.user)
        assert rating is not None
        kept = (rating.mu, rating.sigma, rating.played, rating.won, rating.drawn, rating.lost)
        one = standings[person.user]
        assert kept == (one.skill.mu, one.skill.sigma, one.played, one.won, one.drawn, one.lost)


async def test_sixth_match_of_a_pair_within_a_day_is_unrated(table: Table) -> None:
    async def unrated() -> tuple[str, int]:
        id = await table.start(cards=2)
        view = await table.round(id, 1, 2)
        return view.unrated, view.nth

    six = [("", 1), ("", 2), ("", 3), ("", 4), ("", 5), ("farming", 0)]
    assert [await unrated() for _ in range(6)] == six
    table.clock.forward(24 * 3600 + 1)
    assert await unrated() == ("", 1)


async def test_challenge_that_was_never_shown_blocks_no_new_one(table: Table) -> None:
    await table.referee.challenges.open(HERE, ANA, [BEN], make())
    with pytest.raises(RefereeError, match="asked-already"):
        await table.referee.challenges.open(HERE, ANA, [BEN], make())
    table.clock.forward(6)
    await table.referee.challenges.open(HERE, ANA, [BEN], make())
