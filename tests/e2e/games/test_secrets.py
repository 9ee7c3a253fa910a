"""Whatever a seat has sealed, everybody else is shown the same: texts, custom ids and alt texts, in every game."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from bot.engine.variants import find_game
from tests.driver import Person, Seen
from tests.e2e.games.player import Player, live_keys, needed, plain, read_label
from tests.e2e.games.table import Table, begin, smallest
from tests.e2e.house import House, answer, newcomer

pytestmark = pytest.mark.asyncio(loop_scope="module")

SAME = ((r"`[0-9a-f]{4,64}( [0-9a-f]{4})*…?`", "`DIGEST`"), (r"<t:\d+(:\w)?>", "TIME"), (r"\b\d{16,20}\b", "ID"))
LOOKS = ("All cards", "Sheet", "More")


def normal(raw: Any) -> str:
    """A message without what differs by its nature: digests, ids and times."""
    kept = {key: raw[key] for key in ("content", "components", "embeds", "attachments", "flags")}
    text = json.dumps(kept, ensure_ascii=False, sort_keys=True)
    for pattern, instead in SAME:
        text = re.sub(pattern, instead, text)
    return text


async def shown_to(person: Person, board: Seen) -> list[str]:
    """Everything that is before this person, and everything that they can look at."""
    looked = [normal((await answer(person, await person.press(what, in_=board))).raw) for what in LOOKS]
    kept = [normal(one.raw) for one in person.screen.messages()]
    return sorted({*kept, *looked})


def find_turn(seen: Seen) -> str:
    """Return the round or trick of a board or a console."""
    found = re.search(r"\b(?:round|trick) \d+", seen.text.partition("\n")[0])
    assert found is not None, seen.text
    return found[0]


async def seal(player: Player, labels: list[str]) -> None:
    console = player.console()
    assert console is not None
    assert await player.bid(console, labels) is not None


@pytest.mark.parametrize(("key", "seats"), smallest(), ids=[key for key, _ in smallest()])
async def test_a_sealed_choice_shows_nowhere(club: House, key: str, seats: int) -> None:
    table = await begin(club, seats, f"secret {key}", game=key, by_dm=True)
    watcher = await newcomer(club.stage, "Zoe", club_of(table))
    await table.play(1)
    host, others = table.host, [player.person for player in table.players[1:]]
    while (asked := await host.turn()) is not None and asked.text.find("Your turn to pick") >= 0:
        await host.answer(asked)
    assert asked is not None
    labels = [plain(one) for one in live_keys(asked)]
    size = needed(asked)
    told: list[list[list[str]]] = []
    turn = find_turn(asked)

    def is_sealed(one: Seen) -> bool:
        """A choice that is changed changes nothing on the board."""
        return one.id == host.board_id and "✔ has bid" in one.text and find_turn(one) == turn

    for choice in (labels[:size], labels[-size:]):
        await seal(host, choice)
        for person in (*others, watcher):
            await person.sees(is_sealed)
        told.append([await shown_to(person, table.result()) for person in (*others, watcher)])
    first, second = told
    for one, other in zip(first, second, strict=True):
        assert one == other


async def test_throps_shows_no_card_of_another_hand_before_its_bid(club: House) -> None:
    """In Throps nobody is ever shown a card of another hand before it is bid, nor a prize before it is turned."""
    key, seats = "throps", 3
    assert not find_game(key).rules(seats).facts.public_hands
    table = await begin(club, seats, "private hands", game=key, series="one")
    await table.play()
    deal = (await table.record())["deals"][0]
    bids = [one[1] for one in deal["decisions"]]
    for player in table.players:
        for one in player.seen:
            title = one.text.partition("\n")[0]
            found = re.search(r"round (\d+) of 13", title)
            if found is None or f"#{table.code}" not in title:
                continue
            number = int(found[1])
            known = {*deal["hands"][player.seat], *deal["stock"][:number], *bids[: seats * (number - 1)]}
            assert cards_in(one) <= known, one.text


def cards_in(message: Seen) -> set[str]:
    """Every card that a message names, in its text or in its custom ids."""
    told = {str(read_label(card)) for card in re.findall(r"[♠♥♦♣](?:10|[2-9AJQK])(?!\w)", message.text)}
    ids = [one.custom_id or "" for one in message.buttons]
    return told | {id.split(":")[4] for id in ids if id.startswith("g1:co:")}


def club_of(table: Table) -> Any:
    return table.server
