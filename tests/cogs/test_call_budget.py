"""While most counted calls are taken, a new match is bid on the board, which needs none. Who chose a place keeps it."""

from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.interactions.channel_checks import adapt_wish
from bot.interactions.context import InteractionToken, Origin
from bot.referee.lobby.setups import Wish
from bot.rest.members import DiscordUser
from bot.ui.message import Message
from bot.ui.text.sentences import say
from cogs.challenge.challenges import send_challenge
from tests.memory_store import MemoryStore
from tests.referee.stage import ANA, BEN, Table


@pytest.mark.parametrize(
    ("free", "wanted", "got"),
    [(0.5, None, None), (0.19, None, "board"), (0.19, "own", "own"), (0.5, "board", "board"), (0.2, None, None)],
)
def test_the_place_of_a_new_match(free: float, wanted: str | None, got: str | None) -> None:
    delivery = SimpleNamespace(budget=SimpleNamespace(free_share=free))
    asked: Any = SimpleNamespace(origin=Origin(1, 2), services=SimpleNamespace(delivery=delivery))
    assert adapt_wish(cast("Any", asked), Wish(place=wanted)).place == got


@pytest.mark.parametrize(("free", "wanted", "says"), [(0.1, None, True), (0.1, "own", False), (0.9, None, False)])
async def test_host_on_a_busy_bot_is_told_why_the_match_is_on_the_board(
    free: float, wanted: str | None, says: bool
) -> None:
    """To whoever asked, alone, once the challenge is there."""
    said: list[tuple[str, bool]] = []

    async def send(message: Message, private: bool = True) -> int:
        said.append((message.content, private))
        return 900

    table = Table(MemoryStore())
    delivery = SimpleNamespace(budget=SimpleNamespace(free_share=free))
    asked: Any = SimpleNamespace(
        referee=table.referee,
        services=SimpleNamespace(delivery=delivery),
        origin=Origin(1, 2, bot_permissions=discord.Permissions.all()),
        guild=1,
        board_guild=1,
        user=ANA.user,
        author=DiscordUser(ANA.user, ANA.name, is_member=True),
        created_at=table.clock.now(),
        token=InteractionToken(7, "t"),
        answer=SimpleNamespace(send=send, hidden=False, further=0, is_astray=False),
        pressed_message=None,
    )
    await send_challenge(asked, [DiscordUser(BEN.user, BEN.name, is_member=True)], Wish(place=wanted))
    assert said[0][1] is False
    assert ("bids on the board" in said[0][0]) is says
    assert said[1:] == ([(say("busy-board"), True)] if says else [])


def test_match_outside_is_on_the_board_and_unrated() -> None:
    wish = adapt_wish(cast("Any", SimpleNamespace(origin=Origin(0, 2, is_outside=True))), Wish(place="own", rated=True))
    assert (wish.place, wish.rated) == ("board", False)
