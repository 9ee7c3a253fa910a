"""A rematch that is offered by DM: its message does not outlive its answer."""

import pytest

from bot.playground.driver import Seen
from tests.e2e.house import House, awaits, has, key, plain, told

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def offered(scene: House) -> tuple[Seen, Seen]:
    """A match of three cards was played, and Ana asks for another: the challenge, and what Ben reads by DM."""
    ana, ben = scene.ana, scene.ben
    board = await scene.match(cards=3)
    for number in (1, 2):
        await ana.press(key(number), in_=await ana.sees(awaits(number, dm=True)))
        await ben.press(key(number + 1), in_=await ben.sees(awaits(number, dm=True)))
    posted = (await ana.press("Rematch", in_=await ana.sees(has("rounds in"), in_=board))).shown
    return posted, await ben.sees(has("Ana asks for a rematch"), in_="dm")


@pytest.mark.parametrize(
    ("who", "answer", "says"),
    [
        ("ben", "Decline", "This challenge has ended: it was declined."),
        ("ana", "Withdraw", "This challenge has ended: it was withdrawn."),
        ("ben", "Accept", "Ana and Ben play."),
    ],
)
async def test_answered_in_the_channel(scene: House, who: str, answer: str, says: str) -> None:
    posted, offer = await offered(scene)
    await getattr(scene, who).press(answer, in_=posted)
    await scene.ben.sees(has("Ana asks for a rematch", says), in_=offer)
    now = scene.ben.now(offer)
    assert now is not None
    assert not now.has_button("Rematch")


async def test_nobody_answered_in_time(scene: House) -> None:
    _, offer = await offered(scene)
    await scene.stage.forward(24 * 3600)
    await scene.ben.sees(has("This challenge has ended: nobody answered in time."), in_=offer)


async def test_a_stale_offer_sends_nothing(scene: House) -> None:
    """The bot was started anew meanwhile, and does not know of that message until it is pressed."""
    posted, offer = await offered(scene)
    await scene.bot.stop()
    await scene.bot.start()
    await scene.ben.press("Decline", in_=posted)
    await scene.stage.reset_calls()
    answer = plain(told(await scene.ben.press("Rematch", in_=offer)))
    assert "This challenge has ended: it was declined." in answer
    assert "[Rematch]" not in answer
    assert (await scene.stage.calls()).of("POST /channels/*/messages") == 0
    assert "challenges you" not in "".join(one.text for one in scene.ana.finds("challenges you", in_="dm"))
