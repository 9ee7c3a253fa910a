"""Boards in threads, over sockets: to the end, where the thread is deleted, where none may be opened, with keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.playground.faults.call import When
from tests.driver import Server
from tests.driver.stage import Channel
from tests.e2e.hall import opened_hall
from tests.e2e.house import House, awaits, has, plain, told
from tests.e2e.test_moderators import bid
from tests.e2e.test_settings import moderator

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.by_http]

THREAD = "POST /channels/*/messages/*/threads"


async def switched_on(house: House) -> str:
    """What the card says to that."""
    mod = await moderator(house)
    card = (await mod.slash("/gops settings show")).shown
    return told(await mod.press("Boards in threads: off", in_=card))


async def thread_of(house: House) -> Channel:
    """The one thread of this server."""
    server = next(one for one in (await house.stage.world())["servers"] if one["id"] == house.server.id)
    [thread] = server["threads"]
    return Channel(thread["id"], thread["name"])


async def test_a_match_in_a_thread_to_its_end(scene: House) -> None:
    assert "✔ Boards in threads: off → on" in await switched_on(scene)
    challenge = await scene.challenge(cards=3, clock=24 * 3600)
    await scene.ben.press("Accept", in_=challenge)
    await scene.ana.sees(has("The board of", "moved to"), in_=challenge)
    thread = await thread_of(scene)
    assert (thread.id, plain(thread.name)) == (challenge.id, "Ana – Ben")
    await scene.ana.sees(has("round 1 of 3"), in_=thread)
    await bid(scene.ana, 1, 1)
    await bid(scene.ben, 1, 3)
    await scene.ana.sees(has("round 2 of 3"), in_=thread)
    await scene.stage.forward(16 * 60)
    await scene.ben.press("Resign", in_=(await scene.ben.slash("/gops resign")).shown)
    result = await scene.ana.sees(has("Ben resigned"), in_=thread)
    assert result.has_button("Rematch")
    link = f"/{thread.id}/{result.id}"
    await scene.ana.sees(lambda seen: link in seen.text and seen.id != challenge.id, in_="games")


async def test_a_rematch_that_is_asked_for_by_both_has_a_thread_of_its_own(scene: House) -> None:
    """Nobody presses the second challenge: the command accepts it."""
    await switched_on(scene)
    challenge = await scene.challenge(cards=3)
    await scene.ben.press("Accept", in_=challenge)
    await scene.ana.sees(has("moved to"), in_=challenge)
    await bid(scene.ana, 1, 1)
    await bid(scene.ben, 1, 3)
    await scene.ben.press("Resign", in_=(await scene.ben.slash("/gops resign")).shown)
    await scene.ana.sees(has("Ben resigned"), in_=await thread_of(scene))
    asked = (await scene.ana.slash("/gops rematch")).shown
    assert "has begun" in told(await scene.ben.slash("/gops rematch"))
    await scene.ana.sees(has("moved to"), in_=asked)
    await scene.ana.sees(has("round 1 of 3"), in_=Channel(asked.id, ""))


async def test_a_thread_that_is_closed_and_opened_again(scene: House) -> None:
    """After a day of silence Discord archives it. Consoles say so, and play goes on by them."""
    await switched_on(scene)
    challenge = await scene.challenge(cards=4)
    await scene.ben.press("Accept", in_=challenge)
    await scene.ana.sees(has("moved to"), in_=challenge)
    thread = await thread_of(scene)
    board = await scene.ana.sees(has("round 1 of 4"), in_=thread)
    link = scene.stage.link
    await link.call("PATCH", f"/channels/{thread.id}", {"archived": True})
    await bid(scene.ana, 1, 1)
    await bid(scene.ben, 1, 3)
    await scene.ana.sees(has("This thread is closed.", "round 2 of 4"), in_="dm")
    assert "round 1 of 4" in plain((scene.ana.now(board) or board).text)
    await link.call("PATCH", f"/channels/{thread.id}", {"archived": False})
    await scene.ana.sees(has("round 2 of 4"), in_=board)
    await link.call("PATCH", f"/channels/{thread.id}", {"archived": True})
    await bid(scene.ana, 2, 2)
    await scene.ben.press("Resign", in_=(await scene.ben.slash("/gops resign")).shown)
    await scene.ana.sees(has("Ben resigned"), in_="dm")
    assert (await scene.stage.calls()).of(THREAD) == 1


@pytest.mark.parametrize("archived", [False, True])
async def test_a_board_leaves_its_thread_when_that_is_locked(scene: House, archived: bool) -> None:
    """Nothing can be pressed or edited there, and no player can reopen it: the board goes back to the channel, and
    consoles say so."""
    await switched_on(scene)
    challenge = await scene.challenge(cards=4)
    await scene.ben.press("Accept", in_=challenge)
    await scene.ana.sees(has("moved to"), in_=challenge)
    thread = await thread_of(scene)
    await scene.ana.sees(has("round 1 of 4"), in_=thread)
    for person in (scene.ana, scene.ben):
        await person.sees(awaits(1, dm=True))
    await scene.stage.link.call("PATCH", f"/channels/{thread.id}", {"locked": True, "archived": archived})
    board = await scene.ana.sees(has("round 1 of 4", "Ana", "Ben"), in_="games")
    for person in (scene.ana, scene.ben):
        await person.sees(has("I had to post the board again", board.id), in_="dm")
    await bid(scene.ana, 1, 1)
    await bid(scene.ben, 1, 3)
    await scene.ana.sees(has("round 2 of 4"), in_=board)


@pytest.mark.parametrize("meanwhile", ["locked", "archived", "deleted", "open"])
async def test_boards_follow_when_the_bot_gains_access_to_their_channel(scene: House, meanwhile: str) -> None:
    """Discord tells nothing of a channel that the bot may not view, and all threads of it afterwards."""
    await switched_on(scene)
    challenge = await scene.challenge(cards=4)
    await scene.ben.press("Accept", in_=challenge)
    await scene.ana.sees(has("moved to"), in_=challenge)
    thread = await thread_of(scene)
    board = await scene.ana.sees(has("round 1 of 4"), in_=thread)
    games, _ = scene.server.channels
    await scene.stage.deny(games, "GOPS", "VIEW_CHANNEL")
    await bid(scene.ana, 1, 1)
    await bid(scene.ben, 1, 3)
    for person in (scene.ana, scene.ben):
        await person.sees(has("round 2 of 4", "I can't update the board"), in_="dm")
    link = scene.stage.link
    if meanwhile == "deleted":
        await scene.stage.delete(thread)
    elif meanwhile != "open":
        await link.call("PATCH", f"/channels/{thread.id}", {meanwhile: True})
    await scene.stage.allow(games, "GOPS", "VIEW_CHANNEL")
    if meanwhile == "archived":
        await scene.ana.sees(has("This thread is closed."), in_="dm")
        await link.call("PATCH", f"/channels/{thread.id}", {"archived": False})
    place = board if meanwhile in ("open", "archived") else "games"
    await scene.ana.sees(has("round 2 of 4", "Waiting for"), in_=place)


async def test_consoles_say_that_the_thread_of_a_challenge_is_locked(scene: House) -> None:
    """The match was begun in it, so there is no other place for its board; it comes back when that is unlocked."""
    thread = await scene.stage.thread(scene.server.channel("games"), "a match")
    for person in (scene.ana, scene.ben):
        await person.sees_channel(thread)
        person.place = thread.id
    board = await scene.match(cards=4)
    link = scene.stage.link
    await link.call("PATCH", f"/channels/{thread.id}", {"locked": True})
    await bid(scene.ana, 1, 1)
    await bid(scene.ben, 1, 3)
    await scene.ana.sees(has("This thread is closed.", "round 2 of 4"), in_="dm")
    await link.call("PATCH", f"/channels/{thread.id}", {"locked": False})
    await scene.ana.sees(has("round 2 of 4"), in_=board)


async def test_a_kill_between_accept_and_the_thread(tmp_path: Path) -> None:
    """Before Discord hears of it, and after: the board stands in one thread, and nowhere else."""
    async with opened_hall(tmp_path) as hall:
        ana, ben = await hall.crowd(("Ana", "Ben"))
        [server] = (await hall.stage.world())["servers"]
        playing = House(hall.stage, hall.bot, ana, ben, Server(server["id"], server["name"], ()))
        playing.decide(threads=True)
        for when in When:
            challenge = await playing.challenge(cards=3)
            hall.trap.set("POST /channels/*/messages/*/threads", when)
            await ben.press("Accept", in_=challenge, may_fail=True)
            await hall.trap.sprung.wait()
            await hall.down()
            await hall.restart()
            await ana.sees(has("moved to"), in_=challenge)
            thread = Channel(challenge.id, "")
            await ana.sees(has("round 1 of 3"), in_=thread)
            await bid(ana, 1, 1)
            await bid(ben, 1, 3)
            await ana.sees(has("round 2 of 3"), in_=thread)
            assert len(ana.finds(lambda seen: seen.has_button("Bid"), in_=thread)) == 1
            assert not ana.finds(lambda seen: seen.has_button("Bid"), in_=challenge.channel_id)
            await ben.press("Resign", in_=(await ben.slash("/gops resign")).shown)
            await ana.sees(has("Ben resigned"), in_=thread)


async def test_a_thread_that_is_deleted_gives_the_board_back(scene: House) -> None:
    await switched_on(scene)
    challenge = await scene.challenge(cards=3)
    await scene.ben.press("Accept", in_=challenge)
    await scene.ana.sees(has("moved to"), in_=challenge)
    thread = await thread_of(scene)
    await scene.ana.sees(has("round 1 of 3"), in_=thread)
    await scene.stage.delete(thread)
    await scene.ana.sees(has("round 1 of 3", "Ana", "Ben"), in_="games")
    await bid(scene.ana, 1, 1)
    await bid(scene.ben, 1, 3)
    await scene.ana.sees(has("round 2 of 3"), in_="games")


async def test_where_no_thread_may_be_opened(scene: House) -> None:
    """The board stays in the channel; where the whole server forbids it the card says so."""
    server = scene.server
    games, _ = server.channels
    await scene.stage.deny(games, "GOPS", "CREATE_PUBLIC_THREADS")
    await switched_on(scene)
    challenge = await scene.challenge(cards=3)
    await scene.ben.press("Accept", in_=challenge)
    await scene.stage.called(THREAD, times=1)
    await scene.ana.sees(has("round 1 of 3"), in_=challenge)
    await bid(scene.ana, 1, 1)
    await bid(scene.ben, 1, 3)
    await scene.ana.sees(has("round 2 of 3"), in_=challenge)


async def test_match_that_begins_in_a_thread_stays_there(scene: House) -> None:
    """A thread can hold no other."""
    await switched_on(scene)
    thread = await scene.stage.thread(scene.server.channel("games"), "a match")
    for person in (scene.ana, scene.ben):
        await person.sees_channel(thread)
        person.place = thread.id
    board = await scene.match(cards=3)
    await scene.stage.called(THREAD, times=1)
    await scene.ana.sees(has("round 1 of 3"), in_=board)
    await bid(scene.ana, 1, 1)
    await bid(scene.ben, 1, 3)
    await scene.ana.sees(has("round 2 of 3"), in_=board)
    assert scene.bot.trouble() == []


async def test_a_board_with_keys_stays(scene: House) -> None:
    await switched_on(scene)
    challenge = await scene.challenge(cards=3, where="board")
    await scene.ben.press("Accept", in_=challenge)
    board = await scene.ana.sees(has("round 1"), in_=challenge)
    assert board.has_button("A")
    assert (await scene.stage.calls()).of(THREAD) == 0


async def test_what_is_missing_is_said(scene: House) -> None:
    world = await scene.stage.world()
    server = next(one for one in world["servers"] if one["id"] == scene.server.id)
    for role in server["roles"]:
        if role["name"] in ("GOPS", "@everyone"):
            allowed = [
                "VIEW_CHANNEL",
                "SEND_MESSAGES",
                "READ_MESSAGE_HISTORY",
                "USE_APPLICATION_COMMANDS",
            ]
            await scene.stage.change_role(scene.server, role["id"], permissions=allowed)
    said = await switched_on(scene)
    assert (
        "⚠ I need Create Public Threads and Send Messages in Threads here; until then boards stay in the channel."
        in said
    )
