"""The contract of every store: people who search for an opponent."""

from dataclasses import replace

from bot.referee.model import changes as c
from bot.referee.model.searches import DropSearch, FreeSearch, NewSearch, SaveSearch, SaveSearchPost, SearchPost
from data.store import Store
from tests.data import examples as ex
from tests.data.checks import refuses
from tests.data.examples import ANA, BEN, CEM, CHANNEL, GUILD, at


async def test_a_person_searches_once_over_all_servers(store: Store) -> None:
    assert await store.search(ANA) is None
    await store.write((NewSearch(ex.search()),))
    await refuses(store, (NewSearch(ex.search(guild=5)),))
    assert await store.search(ANA) == ex.search()
    assert await store.searches_in(5) == []


async def test_searches_of_a_server_come_oldest_first(store: Store) -> None:
    ana, ben = ex.search(began=at(2)), ex.search(BEN, began=at(1), provisional=False, waited=3, lobby="K7Q2")
    await store.write((NewSearch(ana), NewSearch(ben), NewSearch(ex.search(CEM, guild=5))))
    assert await store.searches_in(GUILD) == [ben, ana]


async def test_only_the_faster_change_pairs_a_person(store: Store) -> None:
    ana = ex.search()
    await store.write((NewSearch(ana),))
    paired = replace(ana, channel=7, waited=1, lobby="K7Q2")
    await store.write((SaveSearch(paired, ana),))
    assert await store.search(ANA) == paired
    await refuses(store, (SaveSearch(replace(ana, lobby="K7Q3"), ana),))
    await refuses(store, (SaveSearch(paired, replace(paired, guild=5)),))


async def test_a_pair_that_ended_frees_and_drops_its_own_people_only(store: Store) -> None:
    ana, ben = ex.search(lobby="K7Q2"), ex.search(BEN, lobby="K7Q3")
    await store.write((NewSearch(ana), NewSearch(ben)))
    await store.write((FreeSearch(BEN, "K7Q2"), DropSearch(BEN, "K7Q2"), FreeSearch(ANA, "K7Q2")))
    assert await store.searches_in(GUILD) == [replace(ana, lobby=""), ben]
    await store.write((DropSearch(BEN, "K7Q3"), DropSearch(ANA)))
    assert await store.searches_in(GUILD) == []


async def test_a_call_for_a_message_is_noted_once(store: Store) -> None:
    post = SearchPost(CHANNEL, GUILD, 0, at(0), at(0))
    await store.write((SaveSearchPost(post, None),))
    await refuses(store, (SaveSearchPost(post, None),))
    shown = replace(post, message=77, edited=at(5), pinged=at(0))
    await store.write((SaveSearchPost(shown, at(0)),))
    await refuses(store, (SaveSearchPost(post, at(0)),))
    assert await store.search_posts(GUILD) == [shown]


async def test_the_data_of_a_server_that_was_left_goes(store: Store) -> None:
    post = SearchPost(CHANNEL, GUILD, 77, at(0), at(0))
    other = ex.search(BEN, guild=5)
    await store.write((NewSearch(ex.search()), NewSearch(other), SaveSearchPost(post, None)))
    await store.write((c.DropServer(GUILD),))
    assert (await store.search(ANA), await store.search(BEN), await store.search_posts(GUILD)) == (None, other, [])
