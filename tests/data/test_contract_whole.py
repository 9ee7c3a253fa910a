"""The contract of every store: a change lands whole or not at all."""

import asyncio

from bot.referee.model import changes as c
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.model import Seated, StoredDeal
from bot.referee.model.people import Player
from data.sql.steps import STEPS
from data.store import Store
from tests.data import examples as ex
from tests.data.checks import refuses
from tests.data.examples import ANA, BEN, GUILD, NOW


def test_every_step_is_known() -> None:
    assert set(STEPS) == set(c.Step.__args__)


async def test_a_failing_last_step_undoes_the_first(store: Store) -> None:
    await store.write((c.NewMatch(ex.match()), c.NewDeal("K7Q2", StoredDeal(0, ex.ZONES))))
    everything = (
        c.NewLobby(ex.lobby("FRES")),
        c.NewMatch(ex.match("FRES")),
        c.SaveMatch(ex.match(version=2, away=9), 1),
        c.AddDecisions("K7Q2", 0, 0, ex.decisions(2)),
        c.PutSeal("K7Q2", 1, ex.seal()),
        c.SetDeadline(ex.deadline()),
        c.PutSurface(ex.surface()),
        c.SavePlayer(Player(ANA, "dm")),
        c.SaveGuild(GuildSettings(GUILD, "bid")),
        c.AddAudit(ex.audit()),
        c.PutBan(ex.ban()),
        c.NameMember(GUILD, ANA, "Ana"),
        c.Block(ANA, BEN, True),
        c.SaveRating(ex.rating(), None),
        c.AddRatingEntry(ex.entry()),
        c.Heartbeat(NOW),
        c.SaveNote("a", "b"),
    )
    await refuses(store, (*everything, c.SaveLobby(ex.lobby("NONE", version=2), 1)))
    assert await store.match("K7Q2") == ex.match(deals=(StoredDeal(0, ex.ZONES),))
    assert not await store.known_id("FRES")
    assert (await store.next_due(), await store.heartbeat(), await store.note("a")) == (None, None, None)
    assert (await store.surfaces("K7Q2"), await store.blocks(ANA), await store.pools(GUILD)) == ([], [], [])
    assert (await store.player(ANA), await store.guild(GUILD)) == (Player(ANA), GuildSettings(GUILD))
    assert await store.rating_history(GUILD, "classic", ANA) == []
    assert await store.name_of(GUILD, ANA) is None
    assert (await store.audits(GUILD, 9), await store.bans(GUILD)) == ([], [])
    await store.write(everything)  # and the same again goes through
    assert await store.known_id("FRES")


async def test_what_was_read_is_nobody_elses_to_change(store: Store) -> None:
    zones = {"hands": [[1, 2], [1, 2]]}
    await store.write((c.NewMatch(ex.match()), c.NewDeal("K7Q2", StoredDeal(0, zones))))
    zones["hands"][0].append(3)
    found = await store.match("K7Q2")
    assert found is not None
    assert found.deals[0].zones == {"hands": [[1, 2], [1, 2]]}


async def test_an_empty_change_changes_nothing(store: Store) -> None:
    assert await store.write(()) == []


async def test_many_writes_at_once_land_or_conflict(sqlite: Store) -> None:
    await sqlite.write(tuple(c.NewMatch(ex.match(f"M{number}")) for number in range(20)))

    async def save(number: int) -> bool:
        """Ten writers race for each match; each also leaves a note, which must go with the loser."""
        seats = (Seated(ANA, f"writer {number}"), Seated(BEN, "Ben"))
        one = ex.match(f"M{number % 20}", seats=seats, version=2)
        try:
            await sqlite.write((c.SaveNote(f"n{number}", "x"), c.SaveMatch(one, 1)))
        except c.Conflict:
            return False
        return True

    landed = await asyncio.gather(*(save(number) for number in range(200)))
    assert sum(landed) == 20
    for number, ok in enumerate(landed):
        assert (await sqlite.note(f"n{number}") is not None) is ok
        found = await sqlite.match(f"M{number % 20}")
        assert found is not None
        assert (found.seats[0].name == f"writer {number}") is ok
