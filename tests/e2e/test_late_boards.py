"""The board is late, or was deleted: what consoles, which are never late, say of it."""

import asyncio

import pytest

from tests.driver import Person, Seen
from tests.e2e.house import House, awaits, code_of, has, key, plain, told

pytestmark = pytest.mark.asyncio(loop_scope="module")

ANNOUNCES = True

CALLBACK = "* /interactions/*/callback"
BEHIND = "-# The board is not up to date yet. This message is."
SLOW = "⚠ Discord is slowing me down. Your bid is saved; the board follows soon."


async def bid(person: Person, number: int, card: int) -> Seen:
    return (await person.press(key(card), in_=await person.sees(awaits(number, dm=True)))).shown


async def test_discord_keeps_the_board_waiting(scene: House) -> None:
    ana, ben, stage = scene.ana, scene.ben, scene.stage
    board = await scene.match()
    await bid(ana, 1, 5)
    await ben.sees(has("✔ has bid"), in_=board)
    await stage.reset_calls()
    await stage.fault("slow", "PATCH *", seconds=600, times=9)
    await bid(ben, 1, 6)
    await stage.begun("PATCH /webhooks/*", times=2)  # the other console, and the board
    early = told(await ben.press("7", in_=await ben.sees(awaits(2, dm=True))))
    assert "**7 is sealed.**" in early
    assert BEHIND not in early
    assert SLOW not in early
    await stage.forward(11)
    late = told(await ben.press("8", in_=await ben.sees(has("**7 is sealed.**"), in_="dm")))
    assert "**8 is sealed.**" in late
    assert BEHIND in late
    assert SLOW in late
    assert BEHIND in told(await ana.press("Bid", in_=board))
    await stage.clear_faults()
    await ana.sees(has("round 2 of 13"), in_=board, patience=12)
    opened = told(await ana.press("Bid", in_=board))
    assert "round 2 of 13" in opened
    assert BEHIND not in opened


async def test_board_that_was_shown_by_accept_is_not_called_late(scene: House) -> None:
    await scene.match()
    await scene.ana.sees(awaits(1, dm=True))
    await scene.stage.forward(12)
    assert BEHIND not in (await bid(scene.ana, 1, 5)).text
    assert BEHIND not in (await bid(scene.ben, 1, 6)).text


async def test_a_deleted_board_is_told_once(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    board = await scene.match()
    await ana.sees(awaits(1, dm=True))
    await scene.stage.delete(board)
    await bid(ana, 1, 1)
    await bid(ben, 1, 2)
    again = await ana.sees(has("Ana and Ben · round 2", f"#{code_of(board)}"))
    link = f"https://discord.com/channels/{scene.server.id}/{again.channel_id}/{again.id}"
    posted = f"⚠ I had to post the board again: {link}"
    for person in (ana, ben):
        await person.sees(has(posted), in_="dm")
        assert posted not in told(await person.press("Bid", in_=again))


async def test_server_where_players_bid_in_the_channel(scene: House) -> None:
    """Consoles are private messages in the channel, and no DM is opened."""
    scene.decide(place="channel")
    board = await scene.match()
    await scene.ana.press("5", in_=(await scene.ana.press("Bid", in_=board)).shown)
    await scene.ben.press("6", in_=(await scene.ben.press("Bid", in_=board)).shown)
    await scene.ana.sees(has("round 2 of 13"), in_=board)
    assert (await scene.stage.calls()).of("POST /users/@me/channels") == 0


async def test_closed_dms_asked_for_by_hand(scene: House) -> None:
    await scene.ana.close_dms()
    board = await scene.match()
    await scene.ana.pinged("has started: press Bid on the board")
    more = (await scene.ana.press("More", in_=board)).shown
    closed = f"I can't send you DMs, so press Bid on the board in <#{board.channel_id}>."
    answer = plain(told(await scene.ana.press("Send my cards to my DMs", in_=more)))
    heals = "To get DMs, allow them from this server, then press More and Send my cards to my DMs."
    assert answer == f"{closed} {heals}"
    assert "I can't send you DMs" not in told(await scene.ana.press("Bid", in_=board))
    await scene.ana.open_dms()
    more = (await scene.ana.press("More", in_=board)).shown
    assert told(await scene.ana.press("Send my cards to my DMs", in_=more)) == "Done. Your cards are in your DMs."
    await scene.ana.sees(awaits(1, dm=True))


async def test_asked_for_by_hand_while_it_is_on_its_way(scene: House) -> None:
    """Who asks for their console in that moment waits for the one that comes, and no second one is sent."""
    await scene.match()
    known = await scene.ana.sees(awaits(1, dm=True))
    await scene.ben.sees(awaits(1, dm=True))
    await scene.stage.reset_calls()
    await scene.stage.fault("slow", f"POST /channels/{known.channel_id}/messages", seconds=600)
    board = await scene.match()
    more = (await scene.ana.press("More", in_=board)).shown
    answers = (await scene.stage.calls()).of(CALLBACK)
    asked = asyncio.create_task(scene.ana.press("Send my cards to my DMs", in_=more))
    await scene.stage.begun(CALLBACK, times=answers + 1)  # it takes long, and is announced
    await scene.stage.clear_faults()
    await asked
    await scene.ana.sees("Done. Your cards are in your DMs.", in_=more)
    for person in (scene.ana, scene.ben):
        await person.sees(has(f"#{code_of(board)}"), in_="dm")
    calls = await scene.stage.calls()
    assert calls.of("POST /channels/*/messages") == 2
    assert calls.of("DELETE /channels/*") == 0
