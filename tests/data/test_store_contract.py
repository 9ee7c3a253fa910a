"""The contract of `bot.referee.ports.Store`, for every store that there is."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.referee import changes as c
from bot.referee.model import (
    Answer,
    DeadlineKind,
    GuildSettings,
    Invite,
    LobbyState,
    Player,
    Seated,
    StoredDeal,
    SurfaceKind,
)
from bot.referee.ports import Store
from data.writes import STEPS
from tests.data import examples as ex
from tests.data.examples import ANA, BEN, CEM, CHANNEL, GUILD, NOW, at
from tests.memory_store import STEPS as MEMORY_STEPS

LOBBY = SurfaceKind.LOBBY


async def refuses(store: Store, change: c.Change) -> None:
    with pytest.raises(c.Conflict):
        await store.write(change)


def ids(found: Sequence[object]) -> list[object]:
    return [one.id for one in found]  # pyright: ignore[reportAttributeAccessIssue]


def test_every_step_is_known() -> None:
    assert set(STEPS) == set(MEMORY_STEPS) == set(c.Step.__args__)


# --- lobbies ----------------------------------------------------------------------------------------------


async def test_a_lobby_comes_back_as_it_was(store: Store) -> None:
    assert await store.lobby("K7Q2") is None
    assert await store.write((c.NewLobby(ex.lobby()),)) == []
    assert await store.lobby("K7Q2") == ex.lobby()
    people = (Invite(ANA, "Ana", Answer.HOST), Invite(CEM, "Cem", Answer.ACCEPTED), Invite(BEN, "B", Answer.DECLINED))
    started = ex.lobby(message=77, state=LobbyState.STARTED, people=people, expires=at(1), version=2)
    await store.write((c.SaveLobby(started, 1),))
    assert await store.lobby("K7Q2") == started


async def test_a_lobby_keeps_its_origin(store: Store) -> None:
    await store.write((c.NewLobby(ex.lobby()),))
    await store.write((c.SaveLobby(ex.lobby(nonce=b"other", host=CEM, guild=5, created=at(9), version=2), 1),))
    assert await store.lobby("K7Q2") == ex.lobby(version=2)


async def test_a_lobby_is_saved_only_over_the_version_before(store: Store) -> None:
    await refuses(store, (c.SaveLobby(ex.lobby(version=2), 1),))
    await store.write((c.NewLobby(ex.lobby()),))
    await refuses(store, (c.SaveLobby(ex.lobby(version=3), 2),))
    assert await store.lobby("K7Q2") == ex.lobby()
    with pytest.raises(ValueError, match="keeps its version"):
        await store.write((c.SaveLobby(ex.lobby(), 1),))


async def test_an_id_is_used_once(store: Store) -> None:
    assert not await store.known_id("K7Q2")
    await store.write((c.NewLobby(ex.lobby()),))
    await refuses(store, (c.NewLobby(ex.lobby()),))
    await store.write((c.NewMatch(ex.match()),))  # a lobby becomes the match of its id
    await refuses(store, (c.NewMatch(ex.match()),))
    await store.write((c.NewMatch(ex.match("PRAC")),))
    await refuses(store, (c.NewLobby(ex.lobby("PRAC")),))
    assert await store.known_id("K7Q2")
    assert await store.known_id("PRAC")


async def test_open_lobbies(store: Store) -> None:
    third = Invite(CEM, "Cem", Answer.ASKED)
    for step in (
        c.NewLobby(ex.lobby("LATE", created=at(5))),
        c.NewLobby(ex.lobby("SOON", created=at(1))),
        c.NewLobby(ex.lobby("DONE", state=LobbyState.EXPIRED)),
        c.NewLobby(ex.lobby("AWAY", guild=5)),
        c.NewLobby(ex.lobby("CEMS", host=CEM, people=(third,))),
    ):
        await store.write((step,))
    assert ids(await store.open_lobbies(GUILD, BEN)) == ["SOON", "LATE"]
    assert ids(await store.open_lobbies(GUILD, CEM)) == ["CEMS"]
    assert await store.open_lobbies(GUILD, 999) == []


async def test_declined_since(store: Store) -> None:
    people = (Invite(ANA, "Ana", Answer.HOST), Invite(BEN, "Ben", Answer.DECLINED))
    for id, ended in (("AAAA", 10), ("BBBB", 30), ("CCCC", 20)):
        await store.write((c.NewLobby(ex.lobby(id, people=people, state=LobbyState.DECLINED, expires=at(ended))),))
    await store.write((c.NewLobby(ex.lobby("OPEN", people=people, expires=at(99))),))
    await store.write((c.NewLobby(ex.lobby("WITH", state=LobbyState.WITHDRAWN, expires=at(99))),))
    assert await store.declined_since(GUILD, ANA, BEN, at(0)) == at(30)
    assert await store.declined_since(GUILD, ANA, BEN, at(30)) is None
    assert await store.declined_since(GUILD, BEN, ANA, at(0)) is None
    assert await store.declined_since(5, ANA, BEN, at(0)) is None


# --- matches ----------------------------------------------------------------------------------------------


async def test_a_match_comes_back_as_it_was(store: Store) -> None:
    assert await store.match("K7Q2") is None
    for one in (ex.match(), ex.rich_match()):
        id = f"M{one.version}"
        await store.write((c.NewMatch(replace(one, id=id)),))
        assert await store.match(id) == replace(one, id=id)


async def test_a_match_is_saved_without_deals_and_seals(store: Store) -> None:
    await store.write(
        (c.NewMatch(ex.match()), c.NewDeal("K7Q2", StoredDeal(0, ex.ZONES)), c.PutSeal("K7Q2", 1, ex.seal()))
    )
    rich = ex.rich_match()
    await store.write((c.SaveMatch(replace(rich, nonce=b"other", started=at(9), guild=5, live=False, prompt=1), 1),))
    kept = {"deals": (StoredDeal(0, ex.ZONES),), "sealed": (ex.seal(),), "setup": ex.match().setup}
    assert await store.match("K7Q2") == replace(rich, live=False, prompt=1, **kept)


async def test_a_match_is_saved_only_over_the_version_before(store: Store) -> None:
    await refuses(store, (c.SaveMatch(ex.match(version=2), 1),))
    await store.write((c.NewMatch(ex.match()),))
    await store.write((c.SaveMatch(ex.match(version=2), 1),))
    await refuses(store, (c.SaveMatch(ex.match(version=2, away=5), 1),))
    assert await store.match("K7Q2") == ex.match(version=2)
    with pytest.raises(ValueError, match="keeps its version"):
        await store.write((c.SaveMatch(ex.match(version=2), 2),))


async def test_a_match_has_the_seats_it_began_with(store: Store) -> None:
    await store.write((c.NewMatch(ex.match()),))
    for users in ((ANA, BEN, CEM), (ANA,)):
        await refuses(store, (c.SaveMatch(ex.match(users=users, version=2), 1),))
    await store.write((c.SaveMatch(ex.match(users=(ANA, 0), version=2), 1),))
    assert await store.live_count(BEN) == 0


async def test_deals_and_decisions(store: Store) -> None:
    first, second = StoredDeal(0, ex.ZONES), StoredDeal(1, {"hands": [[1], [1]]})
    await store.write((c.NewMatch(ex.match()), c.NewDeal("K7Q2", first)))
    await store.write((c.AddDecisions("K7Q2", 0, 0, ex.decisions(2)),))
    await store.write((c.AddDecisions("K7Q2", 0, 2, ex.decisions(4, 2)), c.NewDeal("K7Q2", second)))
    await store.write((c.AddDecisions("K7Q2", 1, 0, ex.decisions(1)),))
    found = await store.match("K7Q2")
    assert found is not None
    assert found.deals == (replace(first, decisions=ex.decisions(6)), replace(second, decisions=ex.decisions(1)))


async def test_nothing_is_decided_twice_or_out_of_order(store: Store) -> None:
    await store.write((c.NewMatch(ex.match()), c.NewDeal("K7Q2", StoredDeal(0, ex.ZONES))))
    await store.write((c.AddDecisions("K7Q2", 0, 0, ex.decisions(2)),))
    before = await store.match("K7Q2")
    for deal, first in ((0, 0), (0, 1), (0, 3), (1, 0)):
        await refuses(store, (c.AddDecisions("K7Q2", deal, first, ex.decisions(2)),))
    await refuses(store, (c.AddDecisions("NONE", 0, 0, ex.decisions(1)),))
    await refuses(store, (c.NewDeal("NONE", StoredDeal(0, ex.ZONES)),))
    assert await store.match("K7Q2") == before


async def test_the_same_deal_twice_is_one_deal(store: Store) -> None:
    deal = StoredDeal(0, ex.ZONES, ex.decisions(2))
    await store.write((c.NewMatch(ex.match(deals=(deal,))), c.NewDeal("K7Q2", StoredDeal(0, ex.ZONES))))
    await refuses(store, (c.NewDeal("K7Q2", StoredDeal(0, {"hands": []})),))
    assert await store.match("K7Q2") == ex.match(deals=(deal,))


async def test_seals_are_replaced_and_dropped(store: Store) -> None:
    await store.write((c.NewMatch(ex.match()), c.PutSeal("K7Q2", 1, ex.seal(1)), c.PutSeal("K7Q2", 1, ex.seal(0))))
    await store.write((c.PutSeal("K7Q2", 1, ex.seal(1, choice=[9, 10])),))
    found = await store.match("K7Q2")
    assert found is not None
    assert found.sealed == (ex.seal(0), ex.seal(1, choice=[9, 10]))
    await store.write((c.DropSeals("K7Q2"), c.DropSeals("NONE")))
    assert await store.match("K7Q2") == ex.match()


async def test_a_seal_is_for_the_present_prompt(store: Store) -> None:
    await refuses(store, (c.PutSeal("K7Q2", 1, ex.seal()),))
    await store.write((c.NewMatch(ex.match(prompt=5)),))
    await refuses(store, (c.PutSeal("K7Q2", 4, ex.seal()),))
    await store.write((c.PutSeal("K7Q2", 5, ex.seal(0)),))
    turn = c.SaveMatch(ex.match(prompt=6, version=2), 1)
    await refuses(store, (turn, c.PutSeal("K7Q2", 6, ex.seal(1))))  # the old one is still there
    await store.write((c.PutSeal("K7Q2", 6, ex.seal(1)), turn, c.DropSeals("K7Q2"), c.PutSeal("K7Q2", 6, ex.seal(0))))
    assert await store.match("K7Q2") == ex.match(prompt=6, version=2, sealed=(ex.seal(0),))


# --- lists of matches -------------------------------------------------------------------------------------


async def test_live_matches_of_a_person_and_a_channel(store: Store) -> None:
    for one in (
        ex.match("LATE", started=at(9)),
        ex.rich_match(),
        ex.match("SOON", (BEN, ANA), started=at(1), guild=5, channel=6),
        ex.match("BENS", (BEN, CEM)),
        ex.over("OVER"),
    ):
        await store.write((c.NewMatch(one),))
    live = await store.live_of(ANA)
    assert [one.id for one in live] == ["K7Q2", "SOON", "LATE"]
    assert live[0] == ex.rich_match()
    assert [await store.live_count(user) for user in (ANA, BEN, CEM, 999)] == [3, 3, 1, 0]
    assert [await store.boards_in(channel) for channel in (CHANNEL, 6, 7)] == [3, 1, 0]
    await store.write((c.SaveMatch(ex.over("SOON", (BEN, ANA), version=2, guild=5, channel=6), 1),))
    assert (await store.live_count(ANA), await store.boards_in(6)) == (2, 0)


async def test_finished_matches_page_by_page(store: Store) -> None:
    for number in range(5):
        await store.write((c.NewMatch(ex.over(f"M{number}", ended=number)),))
    rest = ex.match("WITH", (CEM, ANA), setup=replace(ex.SETUP, game="bid"))
    await store.write((c.NewMatch(rest),))
    await store.write((c.NewMatch(ex.match("LIVE")), c.NewMatch(ex.over("AWAY", guild=5))))
    done = replace(rest, live=False, ended=at(9), termination=2, totals=("5/2", "1"), version=2, unrated="house")
    await store.write((c.SaveMatch(done, 1),))
    assert ids(await store.finished_of(GUILD, ANA, 3)) == ["WITH", "M4", "M3"]
    assert ids(await store.finished_of(GUILD, ANA, 3, 3)) == ["M2", "M1", "M0"]
    assert ids(await store.finished_of(GUILD, ANA, 3, 6)) == []
    assert ids(await store.finished_of(GUILD, ANA, 9, against=CEM)) == ["WITH"]
    assert ids(await store.finished_of(GUILD, ANA, 9, game="bid")) == ["WITH"]
    assert ids(await store.finished_of(GUILD, ANA, 9, against=BEN, game="bid")) == []
    first = (await store.finished_of(GUILD, CEM, 1))[0]
    assert (first.game, first.totals, first.termination, first.rated) == ("bid", ("5/2", "1"), 2, False)
    assert (first.seats, first.ended, first.placings) == (rest.seats, at(9), None)
    rated = (await store.finished_of(GUILD, BEN, 1))[0]
    assert (rated.rated, rated.placings) == (True, (1, 2))


async def test_last_match(store: Store) -> None:
    for one in (
        ex.match("OLD1", started=at(1)),
        ex.over("OVER", started=at(2)),
        ex.match("ELSE", started=at(3), channel=6),
        ex.match("BENS", (BEN, CEM), started=at(4)),
    ):
        await store.write((c.NewMatch(one),))
    assert await store.last_match(ANA) == "ELSE"
    assert await store.last_match(ANA, CHANNEL) == "OVER"
    assert await store.last_match(ANA, CHANNEL, live=True) == "OLD1"
    assert await store.last_match(ANA, live=False) == "OVER"
    assert await store.last_match(ANA, 6, live=False) is None
    assert await store.last_match(999) is None


async def test_rated_matches_of_the_same_people(store: Store) -> None:
    casual = replace(ex.SETUP, rated=False)
    for one in (
        ex.over("AAAA", ended=10),
        ex.over("BBBB", (BEN, ANA), ended=20),
        ex.over("SIXT", ended=21, unrated="farming"),
        ex.over("VOID", ended=22, void=True),
        ex.over("CASU", ended=23, setup=casual),
        ex.over("TRIO", (ANA, BEN, CEM), ended=24),
        ex.over("AWAY", ended=25, guild=5),
        ex.match("LIVE"),
    ):
        await store.write((c.NewMatch(one),))
    counts = [await store.rated_pairs_since(GUILD, (ANA, BEN), at(since)) for since in (10, 10.000001, 20, 21)]
    assert counts == [2, 1, 1, 0]
    assert await store.rated_pairs_since(GUILD, (CEM, ANA, BEN), at(0)) == 1
    assert await store.rated_pairs_since(GUILD, (ANA,), at(0)) == 0


# --- clocks -----------------------------------------------------------------------------------------------


async def test_deadlines_are_due_earliest_first(store: Store) -> None:
    assert await store.next_due() is None
    bid, warning = ex.deadline("BBBB", due=20, prompt=4), ex.deadline("AAAA", DeadlineKind.WARNING, 10)
    soon = ex.deadline("AAAA", DeadlineKind.BID, 5)
    await store.write((c.SetDeadline(bid), c.SetDeadline(warning), c.SetDeadline(soon)))
    assert await store.next_due() == at(5)
    assert await store.due(at(4.999999)) == []
    assert await store.due(at(10)) == [soon, warning]
    assert await store.due(at(99), limit=1) == [soon]
    later = ex.deadline("AAAA", DeadlineKind.BID, 30, 2)
    await store.write((c.SetDeadline(later), c.DropDeadlines("AAAA", DeadlineKind.WARNING)))
    assert await store.due(at(99)) == [bid, later]
    await store.write((c.DropDeadlines("AAAA"), c.DropDeadlines("NONE")))
    assert await store.due(at(99)) == [bid]


async def test_downtime_is_credited(store: Store) -> None:
    for one in (ex.match("LIVE", away=5), ex.match("SLOW", deadline=None), ex.over("OVER", deadline=at(1))):
        await store.write((c.NewMatch(one),))
    await store.write(tuple(c.SetDeadline(ex.deadline("LIVE", kind, int(kind))) for kind in DeadlineKind))
    [board, casual] = await store.write(
        (c.PutSurface(ex.surface("LIVE", shown=1)), c.PutSurface(ex.surface("SLOW", shown=1)))
    )
    await store.write((c.ShiftDeadlines(100),))
    assert await store.match("LIVE") == ex.match("LIVE", away=105, deadline=at(220), version=2)
    assert await store.match("SLOW") == ex.match("SLOW", deadline=None)
    assert await store.match("OVER") == ex.over("OVER", deadline=at(1))
    assert [(one.kind, one.due) for one in await store.due(at(999))] == [
        (DeadlineKind.LOBBY, at(1)),
        (DeadlineKind.BID, at(102)),
        (DeadlineKind.WARNING, at(103)),
        (DeadlineKind.NUDGE, at(104)),
    ]
    assert [one.id for one in await store.behind()] == [board]
    assert casual != board


async def test_heartbeat_and_notes(store: Store) -> None:
    assert (await store.heartbeat(), await store.note("commands")) == (None, None)
    await store.write((c.Heartbeat(NOW), c.SaveNote("commands", "a")))
    await store.write((c.Heartbeat(at(1)), c.SaveNote("commands", "b"), c.SaveNote("other", "")))
    assert (await store.heartbeat(), await store.note("commands"), await store.note("other")) == (at(1), "b", "")


# --- surfaces ---------------------------------------------------------------------------------------------


async def test_surfaces_get_ids_that_are_never_used_again(store: Store) -> None:
    first, second = await store.write(
        (c.PutSurface(ex.surface()), c.SaveNote("a", "b"), c.PutSurface(ex.surface(user=ANA)))
    )
    assert 0 < first < second
    await store.write((c.DropSurface(second), c.DropSurface(999)))
    [third] = await store.write((c.PutSurface(ex.surface(user=BEN)),))
    assert third > second
    assert [(one.id, one.user) for one in await store.surfaces("K7Q2")] == [(first, 0), (third, BEN)]


async def test_a_surface_comes_back_as_it_was(store: Store) -> None:
    full = ex.surface(
        kind=SurfaceKind.CONSOLE_EPHEMERAL, user=ANA, message=0, shown=3, token="secret", token_until=at(9), token_app=4
    )
    [id] = await store.write((c.PutSurface(full),))
    assert await store.surfaces("K7Q2") == [replace(full, id=id)]
    lapsed = replace(full, id=id, token="", token_until=None, state="lapsed", channel=8, message=9, shown=2)
    assert await store.write((c.PutSurface(lapsed),)) == [id]
    assert await store.surfaces("K7Q2") == [lapsed]
    await store.write((c.PutSurface(replace(lapsed, state="gone")),))
    assert await store.surfaces("K7Q2") == []
    await store.write((c.DropSurface(id),))
    await refuses(store, (c.PutSurface(lapsed),))


async def test_a_surface_is_behind_until_it_showed_the_newest_version(store: Store) -> None:
    await store.write((c.NewMatch(ex.match()),))
    first, second, third = await store.write(
        (
            c.PutSurface(ex.surface(shown=1)),
            c.PutSurface(ex.surface(kind=SurfaceKind.CONSOLE_DM, user=ANA, shown=0)),
            c.PutSurface(ex.surface(kind=SurfaceKind.CONSOLE_EPHEMERAL, user=BEN, shown=1, state="lapsed")),
        )
    )
    assert ids(await store.behind()) == [second]
    await store.write((c.SaveMatch(ex.match(version=2), 1),))
    assert ids(await store.behind()) == [first, second]
    assert ids(await store.behind(limit=1)) == [first]
    await store.write((c.SurfaceShown(first, 2), c.SurfaceShown(second, 1), c.SurfaceShown(999, 1)))
    assert ids(await store.behind()) == [second]
    await store.write((c.SurfaceShown(first, 1),))  # a late answer of an older edit
    assert [one.shown for one in await store.surfaces("K7Q2")] == [2, 1, 1]
    stuck = replace((await store.behind())[0], state="stuck")
    await store.write((c.PutSurface(stuck),))
    assert await store.behind() == []
    await store.write((c.PutSurface(replace(stuck, state="live")),))
    assert ids(await store.behind()) == [second]
    assert third not in ids(await store.behind())


async def test_a_lobbys_surface_follows_the_lobby(store: Store) -> None:
    await store.write((c.NewLobby(ex.lobby()),))
    [id] = await store.write((c.PutSurface(ex.surface(kind=LOBBY, shown=1)),))
    assert await store.behind() == []
    started = ex.lobby(state=LobbyState.STARTED, version=2)
    [board] = await store.write((c.SaveLobby(started, 1), c.NewMatch(ex.match()), c.PutSurface(ex.surface(shown=1))))
    assert ids(await store.behind()) == [id]
    await store.write((c.SurfaceShown(id, 2), c.SaveMatch(ex.match(version=2), 1)))
    assert ids(await store.behind()) == [board]


async def test_a_board_never_becomes_a_challenge_again(store: Store) -> None:
    """A press that drew the challenge may be noted after the press that made a board of it."""
    await store.write((c.NewLobby(ex.lobby()),))
    [id] = await store.write((c.PutSurface(ex.surface(kind=LOBBY, shown=1)),))
    [lobby] = await store.surfaces("K7Q2")
    started = ex.lobby(state=LobbyState.STARTED, version=2)
    board = replace(lobby, kind=SurfaceKind.BOARD, shown=0)
    await store.write((c.SaveLobby(started, 1), c.NewMatch(ex.match()), c.PutSurface(board)))
    with pytest.raises(c.Conflict):
        await store.write((c.PutSurface(replace(lobby, token="late")),))
    assert await store.surfaces("K7Q2") == [replace(board, id=id)]


# --- people -----------------------------------------------------------------------------------------------


async def test_people_and_servers_have_defaults(store: Store) -> None:
    assert await store.player(ANA) == Player(ANA)
    assert await store.guild(GUILD) == GuildSettings(GUILD)
    assert await store.name_of(GUILD, ANA) is None
    player = Player(ANA, "dm", False, False, False, "faces", True, False, 5, at(3), True)
    guild = GuildSettings(GUILD, "bid", 15, False, "auto", 1, 2, (3, CHANNEL), (4,), False, False, "letters")
    await store.write((c.SavePlayer(player), c.SaveGuild(guild), c.NameMember(GUILD, ANA, "Ana")))
    assert (await store.player(ANA), await store.guild(GUILD)) == (player, guild)
    await store.write((c.SavePlayer(Player(ANA)), c.SaveGuild(GuildSettings(GUILD)), c.NameMember(GUILD, ANA, "Änne")))
    assert (await store.player(ANA), await store.guild(GUILD)) == (Player(ANA), GuildSettings(GUILD))
    assert await store.name_of(GUILD, ANA) == "Änne"
    assert await store.name_of(5, ANA) is None


async def test_blocks(store: Store) -> None:
    await store.write((c.Block(ANA, CEM, True), c.Block(ANA, BEN, True), c.Block(ANA, BEN, True)))
    assert await store.blocks(ANA) == [BEN, CEM]
    assert (await store.blocked(ANA, BEN), await store.blocked(BEN, ANA)) == (True, False)
    await store.write((c.Block(ANA, BEN, False), c.Block(BEN, ANA, False)))
    assert await store.blocks(ANA) == [CEM]


async def test_a_rating_is_saved_only_over_what_was_played(store: Store) -> None:
    assert await store.rating(GUILD, "classic", ANA) is None
    await refuses(store, (c.SaveRating(ex.rating(), 2),))
    await store.write((c.SaveRating(ex.rating(played=1), 0),))
    await refuses(store, (c.SaveRating(ex.rating(played=1), 0),))
    await store.write((c.SaveRating(ex.rating(played=2), 1),))
    assert await store.rating(GUILD, "classic", ANA) == ex.rating(played=2)
    fresh = ex.rating(played=0, won=0, drawn=0, lost=0, last=None, mu=25.0)
    await store.write((c.SaveRating(fresh, None),))
    assert await store.rating(GUILD, "classic", ANA) == fresh
    await store.write((c.SaveRating(ex.rating(played=1), 0),))
    assert await store.rating(GUILD, "classic", ANA) == ex.rating(played=1)


async def test_a_member_is_named_by_who_saw_them_last(store: Store) -> None:
    await store.write((c.NameMember(GUILD, BEN, "Benno", here=False), c.SaveRating(ex.rating(BEN), None)))
    await store.write((c.SaveRating(ex.rating(ANA), None),))
    assert await store.ratings(GUILD, "classic") == [ex.rating(), ex.rating(BEN, name="Benno", here=False)]
    await store.write((c.NameMember(GUILD, ANA, "Änne", here=False), c.NameMember(GUILD, BEN, "Ben")))
    found = {one.user: (one.name, one.here) for one in await store.ratings(GUILD, "classic")}
    assert found == {ANA: ("Änne", False), BEN: ("Ben", True)}
    assert await store.ratings(5, "classic") == await store.ratings(GUILD, "bid") == []


async def test_pools(store: Store) -> None:
    await store.write(tuple(c.SaveRating(ex.rating(ANA, pool=pool), 0) for pool in ("welsh", "bid")))
    await store.write((c.SaveRating(ex.rating(BEN, pool="classic"), 0), c.SaveRating(ex.rating(guild=5), 0)))
    assert await store.pools(GUILD) == ["bid", "classic", "welsh"]
    assert await store.pools(GUILD, ANA) == ["bid", "welsh"]
    assert await store.pools(GUILD, 999) == []


async def test_rating_history_is_in_order_and_without_voided_matches(store: Store) -> None:
    entries = [ex.entry("OLD1", when=1), ex.entry("MID2", when=2), ex.entry("NEW3", when=3)]
    await store.write((c.NewMatch(ex.over("MID2")), *(c.AddRatingEntry(one) for one in reversed(entries))))
    others = (ex.entry("MID2", BEN, 2, seat=1), ex.entry("ELSE", guild=5), ex.entry("POOL", pool="bid"))
    await store.write(tuple(c.AddRatingEntry(one) for one in others))
    assert await store.rating_history(GUILD, "classic", ANA) == entries
    assert await store.rating_history(GUILD, "classic", 0) == [*entries[:2], others[0], entries[2]]
    anew = ex.entry("NEW3", when=3, mu=24.0, mu_before=24.5)
    await store.write((c.SaveMatch(ex.over("MID2", void=True, version=2), 1), c.AddRatingEntry(anew)))
    assert await store.rating_history(GUILD, "classic", ANA) == [entries[0], anew]


# --- all or nothing ---------------------------------------------------------------------------------------


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
