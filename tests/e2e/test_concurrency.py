"""Many at once: two clicks in the same instant, and a hundred matches of twenty people."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest

from bot.referee.repository.live import replay_match
from bot.referee.repository.view_builder import record_data
from tests.driver import Person, Seen, Server
from tests.driver.stage import Channel
from tests.e2e.hall import Hall, card_of, is_over, opened_hall, round_of
from tests.e2e.house import House, awaits
from tests.sqlite_store import SqliteStore

PEOPLE, NEIGHBOURS, CARDS = 20, 5, 4
ROUNDS = CARDS - 1
"""in which somebody has a choice"""


async def test_two_clicks_in_the_same_instant(house: House) -> None:
    """Two hundred rounds: one reveal each, with what both pressed."""
    ana, ben = house.ana, house.ben
    rng = random.Random(7)
    for _ in range(9):
        board = await house.match(cards=25, rated=False)
        hands = [rng.sample(range(1, 26), 25) for _ in range(2)]
        for number, (one, other) in enumerate(zip(*hands, strict=True), 1):
            if number == 25:
                break  # the last cards are bid for everybody
            before, after = await asyncio.gather(ana.sees(awaits(number, True)), ben.sees(awaits(number, True)))
            outcomes = await asyncio.gather(ana.press(str(one), in_=before), ben.press(str(other), in_=after))
            texts = [outcome.shown.text for outcome in outcomes]
            revealed = [text for text in texts if "is sealed" not in text]
            assert revealed, f"round {number}: who came last saw the reveal"
            assert not [text for text in texts if "⚠" in text]
        result = await ana.sees(lambda seen, id=board.id: seen.id == id and is_over(seen))
        await bids_are(house.bot.database, result, hands)


async def bids_are(database: Path, result: Seen, hands: list[list[int]]) -> None:
    """The file holds just these bids, round by round."""
    custom_id = result.button("Rematch").custom_id
    assert custom_id is not None
    async with await SqliteStore.open(database) as store:
        stored = await store.match(custom_id.split(":")[2])
    assert stored is not None
    [deal] = stored.deals
    kept: list[list[Any]] = [[], []]
    for one in deal.decisions:
        kept[one.seat].append(one.choice)
    assert kept == hands


@pytest.mark.timeout(900)
async def test_a_hundred_matches_of_twenty_people(tmp_path: Path) -> None:
    """Everybody plays ten matches at once in crowded channels, and Discord's limits hold."""
    async with opened_hall(tmp_path, limits=True, patience=60) as hall:
        world = (await hall.stage.world())["servers"][0]
        server = Server(world["id"], world["name"], ())
        channels = [await hall.stage.channel(server, f"table-{number}") for number in range(13)]
        await hall.crowd([f"P{number:02}" for number in range(PEOPLE)])
        pairs = [
            (hall.people[one], hall.people[(one + step) % PEOPLE])
            for one in range(PEOPLE)
            for step in range(1, NEIGHBOURS + 1)
        ]
        rng = random.Random(11)
        rng.shuffle(pairs)
        pressed: dict[tuple[str, str], list[int]] = {}
        hands = {person.id: asyncio.Lock() for person in hall.people}
        all_begun = asyncio.Barrier(len(pairs))
        games = [
            game(hall, pair, channels[number // 8], pressed, hands, all_begun) for number, pair in enumerate(pairs)
        ]
        ids = await asyncio.gather(*games)
        assert len(set(ids)) == len(pairs) == 100
        calls = await hall.stage.calls()
        log = list(hall.playground.pipeline.ledger.log)
        await hall.bot.stop()
        await right(hall, dict(zip(ids, pairs, strict=True)), pressed)
        assert "Traceback" not in hall.bot.logged()
        # A console that arrives by DM takes two calls and may be caught up with once; a board two a round, and its end.
        assert calls.counted <= len(pairs) * (2 * 3 + 2 * ROUNDS + 1) + 2 * PEOPLE + 10, calls
        late = [(entry.method, entry.path) for entry in log if entry.status == 429]
        assert not late, "Discord never has to say that there are too many"


async def game(
    hall: Hall,
    pair: tuple[Person, Person],
    channel: Channel,
    pressed: dict[tuple[str, str], list[int]],
    hands: dict[str, asyncio.Lock],
    all_begun: asyncio.Barrier,
) -> str:
    """A match of these two in this channel, from the challenge to its end; its id."""
    host, guest = pair
    async with hands[host.id]:
        outcome = await host.slash("/gops challenge", in_=channel, opponent=guest, cards=CARDS)
    # Where this machine is so busy that the bot first says that it is thinking, the challenge comes beside that.
    challenge = await host.sees(lambda seen: seen.interaction == outcome.id and not seen.is_ephemeral, in_=channel)
    async with hands[guest.id]:
        await guest.press("Accept", in_=challenge)

    def begun() -> str | None:
        boards = hall.watch(guest).boards
        return next((id for id, board in boards.items() if board.id == challenge.id), None)

    id = await hall.watch(guest).until(begun, "the board", 60)
    await all_begun.wait()
    await asyncio.gather(*(bids(hall, person, id, pressed, hands) for person in pair))
    return id


async def bids(
    hall: Hall,
    person: Person,
    id: str,
    pressed: dict[tuple[str, str], list[int]],
    hands: dict[str, asyncio.Lock],
) -> None:
    """One key a round, by the board's own console; a person has one hand for ten matches."""
    watch = hall.watch(person)
    board = await watch.until(lambda: watch.boards.get(id), f"the board of #{id}", 60)
    async with hands[person.id]:
        await person.press("Bid", in_=board)
    done = 0

    def console() -> Seen | bool | None:
        if watch.over(id):
            return True
        found = watch.newest(id)
        return found if found is not None and not is_over(found) and round_of(found) > done else None

    while isinstance(found := await watch.until(console, f"round {done + 1} of #{id}", 40), Seen):
        done = round_of(found)
        keys = [
            one.custom_id for one in found.buttons if not one.disabled and (one.custom_id or "").startswith("g1:co:")
        ]
        chosen = keys[(int(person.id) + done) % len(keys)] or ""
        pressed.setdefault((id, person.id), []).append(card_of(chosen.rsplit(":", 1)[1]))
        async with hands[person.id]:
            await person.press(chosen, in_=found)


async def right(hall: Hall, pairs: dict[str, tuple[Person, Person]], pressed: dict[tuple[str, str], list[int]]) -> None:
    """Each match holds what its people pressed, and its result is the engine's; nobody saw anybody else's."""
    async with await SqliteStore.open(hall.bot.database) as store:
        stored = [match for id in pairs if (match := await store.match(id)) is not None]
    records = [json.loads(json.dumps(record_data(replay_match(match)))) for match in stored]
    for match, judged in zip(stored, await hall.judged(records), strict=True):
        assert not match.live
        assert [str(one) for one in judged["totals"]] == list(match.totals)
        assert judged["winner"] == match.winner
        for seat, one in enumerate(match.seats):
            kept = [bid.choice for bid in match.deals[0].decisions if bid.seat == seat]
            assert kept[:-1] == pressed[match.id, str(one.user)]
    for person in hall.people:
        watch = hall.watch(person)
        assert all(len(matches) == 1 for matches in watch.about.values()), "a message is about one match for ever"
        assert set(watch.consoles) == {id for id, pair in pairs.items() if person in pair}
