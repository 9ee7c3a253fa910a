"""The board's place is gone or closed: its channel, its server, its thread, or the bot's seat in the server."""

import pytest

from tests.driver import Person, Seen
from tests.e2e.house import House, awaits, code_of, has, key, plain, told

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def bid(person: Person, number: int, card: int) -> Seen:
    return (await person.press(key(card), in_=await person.sees(awaits(number, dm=True)))).shown


def gone(code: str) -> str:
    dms = "Continue in your DMs; if I can't send you DMs, the match stops and does not count."
    return f"⚠ The channel of #{code} was deleted. {dms}"


def stopped(code: str) -> str:
    why = "its channel was deleted, and I can't send a DM to every player."
    return f"#{code} was stopped: {why} It does not count."


async def remove(scene: House, what: str) -> None:
    if what == "channel":
        await scene.stage.delete(scene.server.channel("games"))
    else:
        await scene.stage.leave(scene.server, "GOPS")


@pytest.mark.parametrize("what", ["channel", "bot"])
async def test_play_goes_on_by_dm(scene: House, what: str) -> None:
    board = await scene.match(cards=3)
    code = code_of(board)
    await scene.ana.sees(awaits(1, dm=True))
    await scene.ben.sees(awaits(1, dm=True))
    await remove(scene, what)
    for person in (scene.ana, scene.ben):
        await person.sees(has(gone(code)), in_="dm")
    for number in (1, 2):
        await bid(scene.ana, number, number)
        await bid(scene.ben, number, number + 1)
    for person in (scene.ana, scene.ben):
        await person.sees(has(f"#{code}", "[Rematch]"), in_="dm")


async def test_who_played_in_the_channel_gets_a_console_by_dm(scene: House) -> None:
    """*Private in the channel* cannot be kept to when there is no board."""
    card = (await scene.ana.slash("/gops preferences")).shown
    await scene.ana.choose("Private in the channel", select="Where you bid", in_=card)
    board = await scene.match()
    await scene.ben.sees(awaits(1, dm=True))
    pings = len(scene.ana.pings)
    await remove(scene, "channel")
    await scene.ana.sees(awaits(1, dm=True))
    assert len(scene.ana.pings) == pings + 1
    await scene.ben.sees(has(gone(code_of(board))), in_="dm")


@pytest.mark.parametrize("what", ["channel", "bot"])
async def test_it_is_stopped_where_a_dm_is_closed(scene: House, what: str) -> None:
    """Whoever can be reached is told; nobody's rating moves."""
    await scene.ana.close_dms()
    board = await scene.match()
    code = code_of(board)
    await scene.ana.pinged("has started: press Bid on the board")
    await scene.ben.sees(awaits(1, dm=True))
    pings = len(scene.ben.pings)
    await remove(scene, what)
    await scene.ben.sees(has(f"#{code} against Ana", stopped(code)), in_="dm")
    if what == "channel":  # a bot that was removed may write to nobody anew
        await scene.ben.pinged(stopped(code))
        assert len(scene.ben.pings) == pings + 1
        talk = scene.server.channel("talk")
        assert told(await scene.ben.slash("/gops games", in_=talk)).startswith("You have no running match.")
        assert told(await scene.ana.slash("/gops leaderboard", in_=talk)).startswith("Nobody has a rating here yet.")


async def test_noticed_by_the_next_call(scene: House) -> None:
    """A bot that was not told of it (it was away) finds out when it wants to show the next round."""
    board = await scene.match(cards=3)
    await scene.ana.sees(awaits(1, dm=True))
    await scene.ben.sees(awaits(1, dm=True))
    await scene.bot.kill()
    await remove(scene, "channel")
    await scene.bot.start()
    await bid(scene.ana, 1, 1)
    await bid(scene.ben, 1, 2)
    await scene.ana.sees(has(gone(code_of(board)), "round 2 of 3"), in_="dm")


async def test_a_board_elsewhere_takes_its_place(scene: House) -> None:
    board = await scene.match()
    code = code_of(board)
    await scene.ana.sees(awaits(1, dm=True))
    await remove(scene, "channel")
    await scene.ana.sees(has(gone(code)), in_="dm")
    again = (await scene.ana.slash("/gops show", match=code, in_=scene.server.channel("talk"))).shown
    await bid(scene.ana, 1, 5)
    await bid(scene.ben, 1, 6)
    await scene.ben.sees(has("round 2 of 13"), in_=again)
    console = await scene.ana.sees(awaits(2, dm=True))
    assert "is gone" not in console.text


async def test_consoles_mention_a_closed_thread_until_it_reopens(scene: House) -> None:
    """Nothing can be shown in it; consoles say so, and when it is opened again the board comes back."""
    thread = await scene.stage.thread(scene.server.channel("games"), "a match")
    scene.ana, scene.ben = await scene.person("Ana"), await scene.person("Ben")
    scene.ana.place = scene.ben.place = thread.id
    board = await scene.match()
    await scene.ana.sees(awaits(1, dm=True))
    await scene.stage.close_thread(thread)
    await bid(scene.ana, 1, 5)
    await bid(scene.ben, 1, 6)
    closed = "⚠ This thread is closed. Reopen it, or use /gops show elsewhere."
    await scene.ana.sees(has(closed, "round 2 of 13"), in_="dm")
    assert "round 1 of 13" in plain((scene.ana.now(board) or board).text)
    await scene.stage.close_thread(thread, closed=False)
    await scene.ana.sees(has("round 2 of 13"), in_=board)
