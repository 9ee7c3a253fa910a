"""A group chat and a server without the bot, on the page: one match by its board alone."""

import pytest
from playwright.async_api import expect

from tests.page.house import House

pytestmark = pytest.mark.asyncio(loop_scope="session")  # where the browser is


@pytest.mark.parametrize("place", ["Card night", "#lounge"])
async def test_match_can_be_played_where_the_bot_was_never_invited(house: House, place: str) -> None:
    """Ana has installed the app, Ben has not; both press the same keys."""
    ana, ben = await house.pair()
    for window in (ana, ben):
        await window.go(place)
    await ana.challenge("Ben", cards=3)
    await ben.sees("challenges you")
    await ben.press("Accept")
    await ben.sees("After 15 quiet minutes")
    await ana.press("2")
    await ben.sees("✔ has bid")
    alone = await ana.sees("you sealed 2")
    await expect(alone).to_contain_text("Only you can see this")
    await ben.press("3")
    await ben.sees("round 2 of 3")
    await expect(ben.messages.filter(has_text="you sealed")).to_have_count(0)
    await ben.press("My bid")
    await ben.sees("you had no sealed card when you pressed this")
