"""A stranger's challenge shows how reliably the challenger plays matches to the end."""

from __future__ import annotations

from bot.messages.render import lobby_message
from bot.referee.lobby.setups import Wish
from bot.referee.model.participant import Person
from bot.referee.repository.reliability import ENOUGH
from tests.cogs.ui.reading import said
from tests.referee.stage import ANA, BEN, CEM, HERE, Table


async def card(table: Table, *asked: Person) -> str:
    """Return the text of a challenge by Ana, and withdraw the challenge."""
    lobby = await table.referee.challenges.open(HERE, ANA, list(asked), Wish())
    await table.referee.challenges.withdraw(lobby.id, ANA.user)
    stored = await table.store.lobby(lobby.id)
    assert stored is not None
    assert stored.finished == lobby.finished
    table.clock.forward(3600)
    return said(await lobby_message(table.referee, lobby))


async def test_only_strangers_read_the_share_of_finished_matches(table: Table) -> None:
    for _ in range(ENOUGH - 1):
        await table.play_out(await table.start(cards=2, rated=False), [1, 2], [2, 1])
        table.clock.forward(3600)
    assert "finished" not in await card(table, CEM)  # too little is known
    left = await table.start(cards=3, rated=False)
    await table.round(left, 1, 2)
    await table.referee.matches.resign(left, ANA.user)
    table.clock.forward(3600)
    assert "Ana finished 80% of their last matches." in await card(table, CEM)
    assert "Ana finished 80% of their last matches." in await card(table, BEN, CEM)
    assert "finished" not in await card(table, BEN)
    profile = await table.referee.people.profile(HERE.guild, ANA.user, "Ana", CEM.user)
    assert profile.finished_share == 0.8


async def test_finished_share_of_a_player_without_stops_is_100_percent(table: Table) -> None:
    for _ in range(ENOUGH):
        await table.play_out(await table.start(cards=2, rated=False), [1, 2], [2, 1])
        table.clock.forward(3600)
    assert "Ana finished 100% of their last matches." in await card(table, CEM)
