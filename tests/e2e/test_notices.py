"""What is told once, and what can be silenced: closed DMs, a muted match, a result far below its board."""

import pytest

from tests.driver.seen import Seen
from tests.e2e.house import House, awaits, code_of, has, plain, told

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_closed_dms_are_told_once(scene: House) -> None:
    await scene.ana.close_dms()
    board = await scene.match(cards=3)
    await scene.ana.pinged(code_of(board))  # the mention in the channel: their console could not be sent
    first = (await scene.ana.press("Bid", in_=board)).shown
    assert "I can't send you DMs, so press Bid on the board in" in plain(first.text)
    again = (await scene.ana.press("Bid", in_=board)).shown
    assert "I can't send you DMs" not in plain(again.text)


async def test_a_match_can_be_muted(scene: House) -> None:
    board = await scene.match(cards=3)
    code = code_of(board)
    more = (await scene.ana.press("More", in_=board)).shown
    assert told(await scene.ana.press("Mute this match", in_=more)) == f"Done. You get no more reminders for #{code}."
    more = (await scene.ana.press("More", in_=board)).shown
    assert told(await scene.ana.press("Mute this match", in_=more)) == f"Done. You get reminders for #{code} again."


async def test_a_late_result_is_told_in_the_channel(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    board = await scene.match(cards=2, clock=3600)
    await scene.stage.forward(16 * 60)
    for person in (ana, ben):
        console = (await person.press("Bid", in_=board)).shown
        await person.press("2" if person is ana else "A", in_=console)
    await ana.sees(has("[Rematch]"), in_=board)

    def tells(seen: Seen) -> bool:
        return not seen.is_v2 and code_of(board) in seen.text and "over" in plain(seen.text)

    line = await ana.sees(tells)
    assert line.content
    await scene.stage.forward(3600)
    question = (await ben.slash("/gops privacy delete")).shown
    await ben.press("Erase my data", in_=question)
    await ana.sees(has("a former player"), in_=board)
    await ana.slash("/gops games")
    assert len(ana.finds(tells)) == 1, "a board that is drawn later tells nothing again"
    assert scene.bot.trouble() == []


async def test_erasing_tells_no_result_that_was_seen_on_its_board(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    board = await scene.match(cards=2)
    for person, card in ((ana, "2"), (ben, "A")):
        await person.press(card, in_=await person.sees(awaits(1, dm=True)))
    await ana.sees(has("[Rematch]"), in_=board)
    await scene.stage.forward(3600)
    question = (await ben.slash("/gops privacy delete")).shown
    await ben.press("Erase my data", in_=question)
    await ana.sees(has("a former player"), in_=board)
    over = told(await ana.slash("/gops resign", match=code_of(board)))
    assert over.startswith(f"#{code_of(board)} is over: ")
    assert "Rematch" not in over
    assert (
        ana.finds(
            lambda seen: (
                not seen.is_v2
                and seen.is_ephemeral is False
                and code_of(board) in seen.text
                and "is over" in plain(seen.text)
            )
        )
        == []
    )
