"""The contract of every store: deadlines, downtime and what was shown where."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.referee.model import changes as c
from bot.referee.model.model import DeadlineKind, LobbyState
from bot.referee.model.partitions import partition_of
from bot.referee.model.surfaces import RevealNote, SurfaceKind, SurfaceState
from bot.referee.repository.surfaces import Surfaces
from data.store import Store
from tests.data import examples as ex
from tests.data.checks import ids, refuses
from tests.data.examples import ANA, BEN, NOW, at

# --- clocks -------------------------------------------------------------------------------------------------


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
    await store.write((c.SetDeadline(warning), c.DropDeadlines("AAAA", keep=(DeadlineKind.BID, DeadlineKind.IDLE))))
    assert await store.due(at(99)) == [bid, later]
    await store.write((c.DropDeadlines("AAAA"), c.DropDeadlines("NONE")))
    assert await store.due(at(99)) == [bid]


async def test_a_deadline_is_put_off_once_by_those_who_say_when_it_was_due(store: Store) -> None:
    for kind in (DeadlineKind.DAILY, DeadlineKind.WARNING):
        first, later = ex.deadline("AAAA", kind, 10), ex.deadline("AAAA", kind, 70)
        await store.write((c.SetDeadline(first), c.ShiftDeadlines(timedelta(seconds=1))))
        [now] = await store.due(at(99))
        await store.write((c.PutOff(later, was=now.due),))
        for was in (now.due, at(9)):
            with pytest.raises(c.Conflict):
                await store.write((c.PutOff(replace(later, due=at(80)), was=was),))
        assert await store.due(at(99)) == [later]
        await store.write((c.DropDeadlines("AAAA"),))
        with pytest.raises(c.Conflict):
            await store.write((c.PutOff(later, was=at(70)),))


async def test_a_deadline_is_dropped_only_as_it_was_seen(store: Store) -> None:
    """Whoever deals with one must not take away the one that has come into its place."""
    now = ex.deadline("AAAA", DeadlineKind.WARNING, 10, prompt=4)
    await store.write((c.SetDeadline(now),))
    for other in ((3, None), (None, at(9)), (4, at(9))):
        await store.write((c.DropDeadlines("AAAA", DeadlineKind.WARNING, *other),))
        assert await store.due(at(99)) == [now], other
    for same in ((4, None), (None, at(10)), (4, at(10))):
        await store.write((c.DropDeadlines("AAAA", DeadlineKind.WARNING, *same),))
        assert await store.due(at(99)) == [], same
        await store.write((c.SetDeadline(now),))


async def test_downtime_of_one_partition_is_credited_to_it_alone(store: Store) -> None:
    for id in ("LIVE", "ELSE"):
        await store.write((c.NewMatch(ex.match(id)), c.SetDeadline(ex.deadline(id, due=20))))
    assert partition_of("LIVE") != partition_of("ELSE")
    await store.write((c.ShiftDeadlines(timedelta(seconds=9), partition=partition_of("LIVE")),))
    moved, stayed = await store.match("LIVE"), await store.match("ELSE")
    assert moved is not None
    assert moved.deadline == at(129)
    assert stayed == ex.match("ELSE")
    assert [(deadline.owner, deadline.due) for deadline in await store.due(at(99))] == [
        ("ELSE", at(20)),
        ("LIVE", at(29)),
    ]


async def test_last_heartbeat_of_each_process_is_kept(store: Store) -> None:
    await store.write((c.Heartbeat(at(1), 7), c.Heartbeat(at(3), 8)))
    await store.write((c.Heartbeat(at(2), 7),))
    assert [await store.heartbeat_of(process) for process in (7, 8, 9)] == [at(2), at(3), None]
    assert await store.heartbeat() == at(3)


async def test_downtime_is_credited(store: Store) -> None:
    for one in (ex.match("LIVE", away=5), ex.match("SLOW", deadline=None), ex.over("OVER", deadline=at(1))):
        await store.write((c.NewMatch(one),))
    await store.write(tuple(c.SetDeadline(ex.deadline("LIVE", kind, int(kind))) for kind in DeadlineKind))
    [board, casual] = await store.write(
        (c.PutSurface(ex.surface("LIVE", shown=1)), c.PutSurface(ex.surface("SLOW", shown=1)))
    )
    await store.write((c.ShiftDeadlines(timedelta(seconds=99.5)),))
    assert await store.match("LIVE") == ex.match("LIVE", away=105, deadline=at(219.5), version=2)
    assert await store.match("SLOW") == ex.match("SLOW", deadline=None)
    assert await store.match("OVER") == ex.over("OVER", deadline=at(1))
    assert [(one.kind, one.due) for one in await store.due(at(999)) if one.due > at(99)] == [
        (DeadlineKind.LOBBY, at(100.5)),
        (DeadlineKind.BID, at(101.5)),
        (DeadlineKind.WARNING, at(102.5)),
        (DeadlineKind.NUDGE, at(103.5)),
        (DeadlineKind.IDLE, at(104.5)),
        (DeadlineKind.FILL, at(113.5)),
        (DeadlineKind.SEARCH, at(115.5)),
        (DeadlineKind.PAIR, at(116.5)),
    ]
    assert [(one.kind, one.due) for one in await store.due(at(99))] == [
        (DeadlineKind.SERVER, at(6)),
        (DeadlineKind.BAN, at(7)),
        (DeadlineKind.SEASON, at(8)),
        (DeadlineKind.CHAMPIONS, at(9)),
        (DeadlineKind.PAUSE, at(10)),
        (DeadlineKind.PAUSED, at(11)),
        (DeadlineKind.ROLES, at(12)),
        (DeadlineKind.OUTDATED, at(13)),
        (DeadlineKind.DAILY, at(15)),
        (DeadlineKind.WAITING, at(18)),
    ]
    await Surfaces(store).mark_behind()
    assert [one.id for one in await store.behind()] == [board]
    assert casual != board


async def test_so_little_downtime_that_nobody_need_be_shown(store: Store) -> None:
    for one in (ex.match("LIVE"), ex.match("LATE", version=2)):
        await store.write((c.NewMatch(one),))
    await store.write(
        (
            c.PutSurface(ex.surface("LIVE", shown=1)),
            c.PutSurface(ex.surface("LATE", shown=1)),
            c.PutSurface(ex.surface("LATE", SurfaceKind.CONSOLE_DM, 2, user=ANA)),
        )
    )
    assert [(one.match, one.shown) for one in await store.surfaces("LATE")] == [("LATE", 1), ("LATE", 2)]
    await store.write((c.ShiftDeadlines(timedelta(seconds=2), unseen=True),))
    assert await store.match("LIVE") == ex.match("LIVE", deadline=at(122), away=2, version=2)
    assert [(one.match, one.shown) for one in await store.behind()] == [("LATE", 2)]
    assert [one.shown for one in await store.surfaces("LATE")] == [2, 3]
    await store.write((c.ShiftDeadlines(timedelta(seconds=2)),))
    await Surfaces(store).mark_behind()
    assert [one.shown for one in await store.behind()] == [0, 0, 0], "more than seals is missing there"


async def test_what_was_noted_lately_counts_as_behind_after_a_short_downtime(store: Store) -> None:
    await store.write((c.NewMatch(ex.match("LIVE")), c.Heartbeat(at(0))))
    console = ex.surface("LIVE", SurfaceKind.CONSOLE_DM, 0, user=ANA)
    [_, late] = await store.write((c.PutSurface(ex.surface("LIVE", shown=1)), c.PutSurface(console)))
    await store.write((c.Heartbeat(at(9)),))
    await store.write((c.SurfaceShown(late, console.message, 1, "K7Q2"),))
    assert await store.behind() == []
    await store.write((c.ShiftDeadlines(timedelta(seconds=2), unseen=True, doubted=at(5)),))
    await Surfaces(store).mark_behind()
    assert [one.id for one in await store.behind()] == [late]


async def test_challenges_live_so_much_longer(store: Store) -> None:
    """Nobody could accept them either. Who looks at one reads its new end, where it is more than a moment."""
    over = ex.lobby("DONE", state=LobbyState.EXPIRED)
    for one in (ex.lobby("OPEN"), ex.lobby("LATE", version=2), over):
        await store.write((c.NewLobby(one),))
    await store.write(
        (
            c.PutSurface(ex.surface("OPEN", SurfaceKind.LOBBY, 1)),
            c.PutSurface(ex.surface("LATE", SurfaceKind.LOBBY, 1)),
            c.PutSurface(ex.surface("DONE", SurfaceKind.LOBBY, 1)),
            c.SetDeadline(ex.deadline("OPEN", DeadlineKind.LOBBY, 5)),
        )
    )
    end = ex.lobby().expires
    await store.write((c.ShiftDeadlines(timedelta(seconds=2), unseen=True),))
    assert await store.lobby("OPEN") == ex.lobby("OPEN", expires=end + timedelta(seconds=2), version=2)
    assert await store.lobby("DONE") == over
    assert [one.due for one in await store.due(at(99))] == [at(7)]
    assert [(one.match, one.shown) for one in await store.behind()] == [("LATE", 2)]
    await store.write((c.ShiftDeadlines(timedelta(seconds=-90), told=False),))
    assert await store.lobby("OPEN") == ex.lobby("OPEN", expires=end - timedelta(seconds=88), version=3)
    await Surfaces(store).mark_behind()
    assert [one.match for one in await store.behind()] == ["OPEN", "LATE"]
    await refuses(store, (c.SaveLobby(ex.lobby("OPEN", version=2), 1),))


async def test_what_was_noted_of_a_match_goes_with_it(store: Store) -> None:
    of_it = ("house K7Q2", "hints K7Q2", "reveals K7Q2", "mute K7Q2 5")
    others = ("hints K7Q3", "puzzles 5")
    await store.write(tuple(c.SaveNote(key, "x") for key in (*of_it, *others)))
    await store.write((c.DropMatch("K7Q2"),))
    assert [await store.note(key) for key in of_it] == [None] * 4
    assert [await store.note(key) for key in others] == ["x"] * 2


async def test_heartbeat_and_notes(store: Store) -> None:
    assert (await store.heartbeat(), await store.note("commands")) == (None, None)
    await store.write((c.Heartbeat(NOW), c.SaveNote("commands", "a")))
    await store.write((c.Heartbeat(at(1)), c.SaveNote("commands", "b"), c.SaveNote("other", "")))
    assert (await store.heartbeat(), await store.note("commands"), await store.note("other")) == (at(1), "b", "")


# --- surfaces -----------------------------------------------------------------------------------------------


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
    lapsed = replace(full, id=id, token="", token_until=None, state=SurfaceState.LAPSED, channel=8, message=9, shown=2)
    assert await store.write((c.PutSurface(lapsed),)) == [id]
    assert await store.surfaces("K7Q2") == [lapsed]
    await store.write((c.PutSurface(replace(lapsed, state=SurfaceState.GONE)),))
    assert await store.surfaces("K7Q2") == []
    await store.write((c.DropSurface(id),))
    await refuses(store, (c.PutSurface(lapsed),))


async def test_the_state_of_a_surface_comes_back_as_one_of_them(store: Store) -> None:
    """All but that of one that is gone, which nobody is given."""
    kept = [state for state in SurfaceState if state is not SurfaceState.GONE]
    await store.write(tuple(c.PutSurface(ex.surface(state=state)) for state in SurfaceState))
    states = [one.state for one in await store.surfaces("K7Q2")]
    assert states == kept
    assert all(isinstance(state, SurfaceState) for state in states)
    assert [state.value for state in SurfaceState] == [
        *("live", "read", "lapsed", "gone", "stuck", "closed", "lost"),  # as stored
    ]


async def test_a_surface_that_goes_to_another_match_is_there_alone(store: Store) -> None:
    first, second = await store.write((c.PutSurface(ex.surface()), c.PutSurface(ex.surface("LIVE", user=ANA))))
    assert (ids(await store.surfaces("K7Q2")), ids(await store.surfaces("LIVE"))) == ([first], [second])
    await store.write((c.PutSurface(ex.surface("LIVE", id=first)),))
    assert (ids(await store.surfaces("K7Q2")), ids(await store.surfaces("LIVE"))) == ([], [first, second])


async def test_a_surface_is_behind_until_it_showed_the_newest_version(store: Store) -> None:
    await store.write((c.NewMatch(ex.match()),))
    first, second, third = await store.write(
        (
            c.PutSurface(ex.surface(shown=1)),
            c.PutSurface(ex.surface(kind=SurfaceKind.CONSOLE_DM, user=ANA, shown=0)),
            c.PutSurface(ex.surface(kind=SurfaceKind.CONSOLE_EPHEMERAL, user=BEN, shown=1, state=SurfaceState.LAPSED)),
        )
    )
    assert ids(await store.behind()) == [second]
    await store.write((c.SaveMatch(ex.match(version=2), 1),))
    assert ids(await store.behind()) == [first, second]
    assert ids(await store.behind(limit=1)) == [first]
    await store.write(
        (
            c.SurfaceShown(first, 555, 2, "K7Q2"),
            c.SurfaceShown(second, 555, 1, "K7Q2"),
            c.SurfaceShown(999, 555, 1, "K7Q2"),
        )
    )
    assert ids(await store.behind()) == [second]
    await store.write((c.SurfaceShown(first, 555, 1, "K7Q2"),))  # a late answer of an older edit
    await store.write((c.SurfaceShown(second, 554, 2, "K7Q2"),))  # of a message whose place this one has taken
    assert [one.shown for one in await store.surfaces("K7Q2")] == [2, 1, 1]
    stuck = replace((await store.behind())[0], state=SurfaceState.STUCK)
    await store.write((c.PutSurface(stuck),))
    assert await store.behind() == []
    await store.write((c.PutSurface(replace(stuck, state=SurfaceState.LIVE)),))
    assert ids(await store.behind()) == [second]
    assert third not in ids(await store.behind())


async def test_a_surface_is_behind_until_it_showed_the_end(store: Store) -> None:
    await store.write((c.NewMatch(ex.match()),))
    [board] = await store.write((c.PutSurface(ex.surface(shown=1)),))
    over = ex.match(version=2, live=False)
    await store.write((c.SaveMatch(over, 1, ex.match()),))
    [late] = await store.write((c.PutSurface(ex.surface(kind=SurfaceKind.CONSOLE_DM, user=ANA, shown=1)),))
    assert ids(await store.behind()) == [board, late]
    await store.write((c.SurfaceShown(board, 555, 2, "K7Q2"), c.SurfaceShown(late, 555, 2, "K7Q2")))
    assert await store.behind() == []
    await store.write((c.PutSurface(ex.surface(id=board, shown=0)),))
    assert ids(await store.behind()) == [board]
    await store.write((c.PutSurface(ex.surface(id=board, shown=2)),))
    assert await store.behind() == []
    await store.write((c.SaveMatch(replace(over, version=3, void=True), 2, over),))
    assert ids(await store.behind()) == [board, late]


async def test_a_lobbys_surface_follows_the_lobby(store: Store) -> None:
    await store.write((c.NewLobby(ex.lobby()),))
    [id] = await store.write((c.PutSurface(ex.surface(kind=SurfaceKind.LOBBY, shown=1)),))
    assert await store.behind() == []
    await store.write((c.SaveLobby(ex.lobby(version=2), 1),))
    assert ids(await store.behind()) == [id]
    board = replace((await store.behind())[0], kind=SurfaceKind.BOARD, shown=2)
    started = ex.lobby(state=LobbyState.STARTED, version=3)
    await store.write((c.SaveLobby(started, 2), c.NewMatch(ex.match(version=2)), c.PutSurface(board)))
    assert await store.behind() == []
    await store.write((c.SaveMatch(ex.match(version=3), 2),))
    assert ids(await store.behind()) == [id]


async def test_no_board_stands_beside_its_challenge(store: Store) -> None:
    """Where the challenge is shown may become known in the very moment in which its match begins."""
    await store.write((c.NewLobby(ex.lobby()), c.PutSurface(ex.surface(kind=SurfaceKind.LOBBY, shown=1))))
    started = c.SaveLobby(ex.lobby(state=LobbyState.STARTED, version=2), 1)
    with pytest.raises(c.Conflict):
        await store.write((started, c.NewMatch(ex.match()), c.PutSurface(ex.surface())))
    assert await store.match("K7Q2") is None
    [shown] = await store.surfaces("K7Q2")
    await store.write((started, c.NewMatch(ex.match()), c.PutSurface(replace(shown, kind=SurfaceKind.BOARD))))
    assert [one.kind for one in await store.surfaces("K7Q2")] == [SurfaceKind.BOARD]


async def test_a_board_never_becomes_a_challenge_again(store: Store) -> None:
    """A press that drew the challenge may be noted after the press that made a board of it."""
    await store.write((c.NewLobby(ex.lobby()),))
    [id] = await store.write((c.PutSurface(ex.surface(kind=SurfaceKind.LOBBY, shown=1)),))
    [lobby] = await store.surfaces("K7Q2")
    started = ex.lobby(state=LobbyState.STARTED, version=2)
    board = replace(lobby, kind=SurfaceKind.BOARD, shown=0)
    await store.write((c.SaveLobby(started, 1), c.NewMatch(ex.match()), c.PutSurface(board)))
    with pytest.raises(c.Conflict):
        await store.write((c.PutSurface(replace(lobby, token="late")),))
    with pytest.raises(c.Conflict):
        await store.write((c.PutSurface(replace(lobby, id=0)),))
    assert await store.surfaces("K7Q2") == [replace(board, id=id)]


async def test_what_was_told_of_a_reveal_is_kept_by_seat(store: Store) -> None:
    surfaces = Surfaces(store)
    assert await surfaces.load_reveals("K7Q2") == {}
    told = {0: RevealNote(3, 2**62, 2**62 + 1), 1: RevealNote(2)}
    await surfaces.save_reveals("K7Q2", told)
    assert await surfaces.load_reveals("K7Q2") == told
    assert await surfaces.load_reveals("K7Q3") == {}


async def test_note_holds_as_many_emoji_as_discord_takes(store: Store) -> None:
    kept = json.dumps({f"seven_of_diamonds_{number}": (f"{number:016x}", 2**62 + number) for number in range(2000)})
    await store.write((c.SaveNote("emojis 7", "{}"),))
    await store.write((c.SaveNote("emojis 7", kept),))
    assert await store.note("emojis 7") == kept
