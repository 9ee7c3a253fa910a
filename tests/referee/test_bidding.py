"""Sealing, changing and revealing bids: the effect of every press."""

import asyncio
import json
from datetime import timedelta
from pathlib import Path

import pytest

from bot.engine.record.record import read_record
from bot.engine.record.replay import replay
from bot.engine.record.result import result_data
from bot.errors import RefereeError
from bot.referee.clock.presence import credit_downtime
from bot.referee.model.model import StoredMatch
from bot.referee.verify.check import verify
from tests.migrated import migrated
from tests.referee.stage import ANA, BEN, CEM, START, Table
from tests.sqlite_store import SqliteStore

UP, ROTATED = list(range(1, 14)), [*range(2, 14), 1]


async def refused(table: Table, id: str, user: int, card: object, prompt: int | None = None) -> RefereeError:
    before = await table.store.match(id)
    with pytest.raises(RefereeError) as caught:
        await table.seal(id, user, card, prompt)
    assert await table.store.match(id) == before, "a refusal changes nothing"
    return caught.value


async def test_round_is_revealed_when_the_last_seat_seals(table: Table) -> None:
    id = await table.start()
    view, revealed = await table.seal(id, ANA.user, 5)
    assert not revealed
    assert [seat.sealed for seat in view.seats] == [True, False]
    assert view.mine == 5
    view, revealed = await table.seal(id, BEN.user, 6)
    assert revealed
    assert view.last is not None
    assert [bid.cards if bid else None for bid in view.last.bids] == [(5,), (6,)]
    assert view.mine is None
    assert view.round == 2


async def test_a_bid_is_the_last_press_of_its_player_until_the_next(table: Table) -> None:
    """It is not noted a second time with the seat."""
    id = await table.start()
    begun = await table.store.match(id)
    assert begun is not None
    pressed = list[tuple[object, ...]]()
    for user, card in ((ANA.user, 5), (BEN.user, 6)):
        table.clock.forward(60)
        await table.seal(id, user, card)
        match = await table.store.match(id)
        assert match is not None
        pressed.append(tuple(None if at is None else (at - START).seconds for at in map(match.last_press, (0, 1))))
        assert match.seats == begun.seats
    assert pressed == [(60, 0), (60, 120)]


async def test_sealed_bid_can_be_changed_until_the_reveal(table: Table) -> None:
    id = await table.start()
    first, _ = await table.seal(id, ANA.user, 5)
    second, _ = await table.seal(id, ANA.user, 9)
    assert first.seats[0].seal != second.seats[0].seal
    view, _ = await table.seal(id, BEN.user, 6)
    assert view.last is not None
    assert view.last.winners == (0,)


async def test_older_press_that_arrives_late_changes_nothing(table: Table) -> None:
    """The player has already read that the later press is sealed."""
    id = await table.start()
    prompt, at = (await table.referee.views.view(id)).prompt, table.clock.now()
    await table.referee.matches.seal(id, ANA.user, prompt, 5, at, press=11)
    before = await table.store.match(id)
    view, revealed = await table.referee.matches.seal(id, ANA.user, prompt, 7, at, press=10)
    assert (view.mine, revealed) == (5, False)
    assert await table.store.match(id) == before
    view = await table.round(id, 9, 8)
    assert view.last is not None
    assert [bid.cards if bid else None for bid in view.last.bids] == [(9,), (8,)]


async def test_older_press_does_not_replace_a_card_sealed_again(table: Table) -> None:
    """The player presses five, seven and five again, and the press on seven arrives last."""
    id = await table.start()
    prompt = (await table.referee.views.view(id)).prompt
    at, seal = table.clock.now(), table.referee.matches.seal
    await seal(id, ANA.user, prompt, 5, at, press=10)
    with pytest.raises(RefereeError, match="same-card"):
        await seal(id, ANA.user, prompt, 5, at, press=12)
    view, _ = await seal(id, ANA.user, prompt, 7, at, press=11)
    assert view.mine == 5
    view, _ = await seal(id, ANA.user, prompt, 7, at, press=13)
    assert view.mine == 7
    assert (await seal(id, BEN.user, prompt, 7, at, press=11))[1], "another person's press is no older"


@pytest.mark.parametrize("press", [10, 11])
async def test_repeated_press_changes_nothing_also_after_a_start(table: Table, press: int) -> None:
    """Five and then seven are pressed in the same millisecond, the process ends, and both presses come again."""
    id = await table.start()
    prompt, at = (await table.referee.views.view(id)).prompt, table.clock.now()
    for card, pressed in ((5, 10), (7, 11)):
        await table.referee.matches.seal(id, ANA.user, prompt, card, at, press=pressed)
    before = await table.store.match(id)
    matches = Table(table.store, table.clock).referee.matches
    view, revealed = await matches.seal(id, ANA.user, prompt, 5 if press == 10 else 7, at, press=press)
    assert (view.mine, revealed) == (7, False)
    assert await table.store.match(id) == before


async def test_finished_match_is_rated_and_its_record_verifies(table: Table) -> None:
    id = await table.start()
    view = await table.play_out(id, UP, ROTATED)
    assert view.over
    assert view.outcome is not None
    assert view.outcome.winner is not None
    assert sum(seat.total for seat in view.seats) == 91
    assert len(view.changes) == 2
    loser, winner = 1 - view.outcome.winner, view.outcome.winner
    assert view.changes[winner].after > view.changes[winner].before
    assert view.changes[winner].after > view.changes[loser].after
    record = json.loads(json.dumps(await table.referee.views.record(id)))
    assert result_data(replay(read_record(record)).match)["totals"] == [int(seat.total) for seat in view.seats]
    assert all(finding.holds for finding in verify(record).findings)
    board = await table.referee.people.leaderboard(1, ANA.user)
    assert [row.user for row in board.rows] == [view.seats[winner].user, view.seats[loser].user]
    assert board.own is not None


def _swap(decisions: list[list[object]], one: int, other: int) -> None:
    decisions[one][1], decisions[other][1] = decisions[other][1], decisions[one][1]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda r: r["deals"][0]["stock"].reverse(), "deal"),
        (lambda r: r["fairness"].update(nonce="00" * 32), "secret number"),
        (lambda r: _swap(r["deals"][0]["decisions"], 0, 2), "round 1, seat 1"),
        (lambda r: r["fairness"]["seals"][3].__setitem__(5, "00" * 32), "round 2, seat 2"),
        (lambda r: r["fairness"]["seals"].clear(), "round 1, seat 1"),
    ],
)
async def test_altered_record_fails_verification(table: Table, change: object, place: str) -> None:
    id = await table.start()
    await table.play_out(id, UP, ROTATED)
    record = json.loads(json.dumps(await table.referee.views.record(id)))
    assert callable(change)
    change(record)
    try:
        wrong = " ".join(finding.what for finding in verify(record).findings if not finding.holds)
    except Exception as error:  # what the rules refuse is found out as well
        wrong = str(error)
    assert place in wrong.lower()


async def test_illegal_seals_are_refused_each_with_its_reason(table: Table) -> None:
    id = await table.start()
    await table.round(id, 5, 6)
    assert (await refused(table, id, ANA.user, 5)).id == "card-spent"
    spent = await refused(table, id, ANA.user, 5)
    assert (spent.data["card"], spent.data["r"]) == ("5", 1)
    assert (await refused(table, id, ANA.user, 77)).id == "card-not-held"
    assert (await refused(table, id, ANA.user, "frog")).id == "stale-button"
    assert (await refused(table, id, ANA.user, {"pick": 3})).id == "stale-button"
    assert (await refused(table, id, ANA.user, [3, 4])).id == "too-many-cards"
    assert (await refused(table, id, CEM.user, 4)).id == "not-in-match"
    await table.seal(id, ANA.user, 4)
    assert (await refused(table, id, ANA.user, 4)).id == "same-card"
    with pytest.raises(RefereeError, match="unknown-match"):
        await table.seal("ZZZZ", ANA.user, 4, 0)


async def test_press_on_a_key_of_an_earlier_round_is_refused(table: Table) -> None:
    id = await table.start()
    await table.seal(id, ANA.user, 5)
    pressed = table.clock.now()
    table.clock.forward(1)
    await table.seal(id, BEN.user, 6)
    with pytest.raises(RefereeError) as lost:
        await table.referee.matches.seal(id, ANA.user, 0, 7, pressed)
    assert (lost.value.id, lost.value.data) == ("already-revealed", {"r": 1, "card": "5"})
    table.clock.forward(10)
    old = await refused(table, id, ANA.user, 7, prompt=0)
    assert (old.id, old.data) == ("stale-console", {"r": 1, "now": 2})
    assert (await refused(table, id, ANA.user, 7, prompt=99)).id == "stale-console"


async def test_press_on_a_key_of_a_finished_match_is_refused(table: Table) -> None:
    id = await table.start()
    await table.play_out(id, UP, ROTATED)
    over = await refused(table, id, ANA.user, 5)
    assert over.id == "match-over"


async def test_two_bids_in_the_same_instant_both_count(table: Table) -> None:
    for attempt in range(200):
        table.clock.forward(200)  # nobody is challenged more often than that
        id = await table.start(cards=2, rated=False)
        (first, one), (second, other) = await asyncio.gather(
            table.seal(id, ANA.user, 1 + attempt % 2, 0), table.seal(id, BEN.user, 2, 0)
        )
        assert sorted((one, other)) == [False, True], "one of the two reveals, once"
        view = await table.referee.views.view(id)
        assert view.over
        last = view.seen.rounds[0]
        assert [bid.cards if bid else None for bid in last.bids] == [(1 + attempt % 2,), (2,)]
        assert first.id == second.id == id


async def test_two_processes_serving_one_match_lose_no_bid(table: Table) -> None:
    """Every press counts once, whichever process receives it."""
    other = Table(table.store, table.clock, "other")
    id = await table.start()
    for card in range(1, 13):
        prompt = (await table.referee.reload(id)).stored.prompt
        await asyncio.gather(table.seal(id, ANA.user, card, prompt), other.seal(id, BEN.user, 14 - card, prompt))
    view = await table.referee.views.view_live(await table.referee.reload(id))
    assert view.over
    bids = [[bid.cards[0] if bid else None for bid in played.bids] for played in view.seen.rounds]
    assert bids == [[card, 14 - card] for card in range(1, 14)]


async def test_new_process_shows_the_same_match(table: Table) -> None:
    id = await table.start()
    await table.round(id, 5, 6)
    await table.seal(id, ANA.user, 7)
    before = await table.referee.views.view(id, ANA.user)
    again = Table(table.store, table.clock)
    assert await again.referee.views.view(id, ANA.user) == before
    assert (await again.referee.views.view(id, BEN.user)).mine is None


class SlowRead:
    """The first reading of a match is done at once, and heard of later."""

    def __init__(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read, self.heard = asyncio.Event(), asyncio.Event()
        self._match = table.store.match
        monkeypatch.setattr(table.store, "match", self._slow)

    async def _slow(self, id: str) -> StoredMatch | None:
        found = await self._match(id)
        if not self.read.is_set():
            self.read.set()
            await self.heard.wait()
        return found


async def test_match_read_before_a_change_does_not_hide_the_change(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new process reads the match while both players bid."""
    id = await table.start(cards=5)
    again = Table(table.store, table.clock, "again")
    slow = SlowRead(again, monkeypatch)
    looks = asyncio.create_task(again.referee.views.view(id))
    await slow.read.wait()
    await again.round(id, 1, 2)
    slow.heard.set()
    assert (await looks).round == 2
    assert (await again.referee.views.view(id)).round == 2


async def test_match_read_before_clocks_were_moved_is_read_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    id = await table.start(cards=5, clock=60)
    again = Table(table.store, table.clock, "again")
    slow = SlowRead(again, monkeypatch)
    looks = asyncio.create_task(again.referee.views.view(id))
    await slow.read.wait()
    await credit_downtime(again.referee, timedelta(seconds=100))
    slow.heard.set()
    assert (await looks).deadline == START + timedelta(seconds=160)
    assert (await again.referee.views.view(id)).deadline == START + timedelta(seconds=160)


async def test_bid_counts_by_the_time_of_its_press(table: Table) -> None:
    id = await table.start(clock=60)
    table.clock.forward(62)  # past the time shown, within the referee's patience
    view, _ = await table.referee.matches.seal(id, ANA.user, 0, 5, START + timedelta(seconds=59))
    assert view.seats[0].sealed
    with pytest.raises(RefereeError) as late:
        await table.referee.matches.seal(id, BEN.user, 0, 5, START + timedelta(seconds=61))
    assert (late.value.id, late.value.data) == ("clock-ran-out", {"card": "A"})


async def test_sealed_choice_appears_in_no_view_and_no_log(tmp_path: Path) -> None:
    """Except for the digest, all texts for others, for the public and for logs are the same for every card."""

    async def told(card: int) -> list[str]:
        async with await SqliteStore.open(migrated(tmp_path / f"{card}.sqlite3")) as store:
            table = Table(store)  # the same clock, the same entropy: the same match
            id = await table.start()
            mine, _ = await table.seal(id, ANA.user, card)
            live = await table.referee.live(id)
            views = [await table.referee.views.view(id, user) for user in (BEN.user, CEM.user, 0)]
            texts = [*map(repr, views), repr(live), repr(live.stored), repr(live.stored.sealed)]
            digest = live.stored.sealed[0].digest
            assert mine.mine == card
            return [text.replace(digest.hex(), "").replace(repr(digest), "") for text in texts]

    one = await told(1)
    for card in range(2, 14):
        assert await told(card) == one


async def test_every_bid_has_a_salt_of_its_own(table: Table) -> None:
    id = await table.start()
    await table.play_out(id, UP, ROTATED)
    stored = await table.store.match(id)
    assert stored is not None
    salts = [decision.salt for deal in stored.deals for decision in deal.decisions if decision.salt]
    assert len(salts) == len(set(salts)) == 24
    assert all(len(salt) == 16 for salt in salts)
