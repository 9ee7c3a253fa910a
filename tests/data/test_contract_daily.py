"""The contract of every store: the daily deal."""

from datetime import timedelta

from bot.referee.model import changes as c
from bot.referee.model.daily import DailyTry, NewDailyDeal, NewDailyTry, SaveDailyBest, ShareDaily
from data.store import Store
from tests.data import examples as ex
from tests.data.checks import refuses
from tests.data.examples import ANA, BEN, DAY, GUILD

NEXT = DAY + timedelta(days=1)


async def test_a_day_has_one_deal(store: Store) -> None:
    assert await store.daily_deal(GUILD, DAY) is None
    await store.write((NewDailyDeal(ex.daily()),))
    await refuses(store, (NewDailyDeal(ex.daily()),))
    await store.write((NewDailyDeal(ex.daily(NEXT)), SaveDailyBest(GUILD, NEXT, -3)))
    assert await store.daily_deal(GUILD, DAY) == ex.daily()
    other = await store.daily_deal(GUILD, NEXT)
    assert other is not None
    assert other.best == -3


async def test_everybody_has_one_try_and_shares_it_once(store: Store) -> None:
    over = ex.over("OVER")
    await store.write((c.NewMatch(over), c.NewMatch(ex.match("LIVE")), c.NameMember(GUILD, ANA, "Ana")))
    await store.write((NewDailyTry(GUILD, DAY, ANA, "OVER"), NewDailyTry(GUILD, DAY, BEN, "LIVE")))
    await refuses(store, (NewDailyTry(GUILD, DAY, ANA, "LIVE"),))
    await store.write((NewDailyTry(GUILD, NEXT, ANA, "LIVE"),))
    await refuses(store, (ShareDaily(GUILD, DAY, ANA, shared=False),))
    await store.write((ShareDaily(GUILD, DAY, ANA),))
    await refuses(store, (ShareDaily(GUILD, DAY, ANA),))
    came = {"totals": over.totals, "ended": over.ended, "termination": over.termination}
    ana = DailyTry(GUILD, DAY, ANA, "OVER", shared=True, name="Ana", **came)  # type: ignore[arg-type]
    assert await store.daily_tries(GUILD, DAY) == [ana, DailyTry(GUILD, DAY, BEN, "LIVE")]
    assert await store.daily_tries_of(GUILD, ANA) == [DailyTry(GUILD, NEXT, ANA, "LIVE", name="Ana"), ana]
    await store.write((ShareDaily(GUILD, DAY, ANA, shared=False),))
