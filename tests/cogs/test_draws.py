"""A draw that the players agree on: whether it counts, and when it may be offered again."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.referee.lobby.who import Person
from bot.referee.query.views import MatchView
from cogs.show.render import board_message
from data.store import SqliteStore
from tests.cogs.ui.reading import plain, read
from tests.migrated import migrated
from tests.referee.stage import ANA, BEN, CEM, HERE, Table
from tests.referee.test_moderating import MOD

UNPLAYED = "Unrated: nobody had played a card"


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    async with await SqliteStore.open(migrated(tmp_path / "gops.sqlite3")) as store:
        yield Table(store)


async def agree(table: Table, id: str) -> MatchView:
    """Ana offers, and everyone else agrees."""
    view = await table.referee.matches.offer_draw(id, ANA.user)
    for seat in view.seats[1:]:
        view = await table.referee.matches.answer_draw(id, seat.user, True)
    return view


def lines(view: MatchView) -> list[str]:
    return plain(read(board_message(view))).splitlines()


@pytest.mark.parametrize("people", [(ANA, BEN), (ANA, BEN, CEM)])
@pytest.mark.parametrize("before", ["nothing", "a sealed bid", "a bid by the clock"])
async def test_a_draw_before_anyone_has_played_a_card_is_unrated(
    table: Table, people: tuple[Person, ...], before: str
) -> None:
    id = await table.start(people, cards=6, clock=60)
    if before == "a sealed bid":
        await table.seal(id, ANA.user, 2)
    elif before == "a bid by the clock":
        table.clock.forward(70)
        await table.fire()
    view = await agree(table, id)
    told = lines(view)
    assert told[0] == "## Drawn by agreement"
    assert UNPLAYED in told
    assert "rating" not in " ".join(told)
    assert (view.changes, list(await table.store.ratings(HERE.guild, "classic"))) == ((), [])


async def test_a_draw_after_a_round_is_rated(table: Table) -> None:
    id = await table.start(cards=3)
    await table.round(id, 1, 2)
    view = await agree(table, id)
    assert "rating" in " ".join(lines(view))
    assert "Unrated" not in " ".join(lines(view))
    assert [one.drawn for one in await table.store.ratings(HERE.guild, "classic")] == [1, 1]


async def test_a_draw_that_a_moderator_decides_is_rated(table: Table) -> None:
    id = await table.start(cards=3)
    view = await table.referee.moderating.decide(HERE.guild, id, MOD, 0, "even")
    assert "Unrated" not in " ".join(lines(view))
    assert len(view.changes) == 2


async def test_a_match_that_was_agreed_to_be_unrated_says_that(table: Table) -> None:
    view = await agree(table, await table.start(cards=3, rated=False))
    assert "Unrated, as agreed" in lines(view)
