"""What was asked tells nobody of the card that was pressed; and ids that Discord never gave are nobody's trouble."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.interactions.component import ComponentRouter, component
from bot.interactions.context import ComponentMessage, InteractionContext, InteractionToken, Origin, snowflake_time
from bot.rest.members import DiscordUser
from bot.ui.custom_ids.shapes import IdKind


def test_neither_card_nor_token_is_in_its_repr() -> None:
    none, services = cast("Any", None), cast("Any", SimpleNamespace(referee=None))
    context = InteractionContext(
        services, none, DiscordUser(1, "Ana"), Origin(1, 2), 3, datetime.now(UTC), InteractionToken(7, "s3cret")
    )
    context.id_parts, context.values, context.data = ("K7Q2", "4", "Jk"), ("Jk",), {"custom_id": "g1:co:K7Q2:4:Jk"}
    assert "Jk" not in repr(context)
    assert "s3cret" not in f"{context} {context.token}"


HUGE = [2**63, 2**64 - 1, 2**64, 2**70, 2**200, -1]


@component(IdKind("aa", "x"))
async def handler(context: InteractionContext) -> None: ...


def pressed(user: int = 1, guild: int = 2, channel: int = 3, message: int = 4) -> InteractionContext:
    none, services = cast("Any", None), cast("Any", SimpleNamespace(referee=None))
    now = datetime.now(UTC)
    context = InteractionContext(
        services, none, DiscordUser(user, "Ana"), Origin(guild, channel), 5, now, InteractionToken(7, "t")
    )
    context.pressed_message = ComponentMessage(message, channel, ephemeral=True, v2=False, posted_at=now)
    return context


@pytest.mark.parametrize("id", HUGE)
def test_a_press_with_an_id_beyond_what_the_store_keeps_is_out_of_date(id: int) -> None:
    """SQLite keeps 63 bits: beyond, its error made "Something went wrong here" of a forged press."""
    presses = ComponentRouter()
    presses.add(cast("Any", handler))
    assert presses.find_handler(pressed(), "g1:aa:x") is not None
    for name in ("user", "guild", "channel", "message"):
        assert presses.find_handler(pressed(**{name: id}), "g1:aa:x") is None, name


@pytest.mark.parametrize("id", [*HUGE, 0, 1])
def test_snowflake_states_its_time(id: int) -> None:
    assert snowflake_time(id).tzinfo is not None


def test_the_time_of_a_press_is_the_one_in_its_id() -> None:
    assert snowflake_time(175928847299117063) == discord.utils.snowflake_time(175928847299117063)
