"""A person's own preferences: when they may be nudged, and how their console works."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.errors import Refused
from bot.referee.model import Player
from cogs.asked.answer import Answer, answered
from cogs.asked.group import gops
from cogs.asked.press import Press, press, stale
from cogs.people.notify_card import notify as draw_notify
from cogs.services import services_of
from cogs.ui.message import Message
from cogs.ui.words.refusals import sentence
from cogs.ui.words.sentences import say

CHOICES: dict[str, tuple[str, dict[str, Any]]] = {
    "console": ("console", {"server": "server", "dm": "dm", "channel": "channel", "auto": "auto"}),
    "bids": ("bids", {"on": True, "off": False}),
    "warnings": ("warnings", {"on": True, "off": False}),
    "results": ("results", {"on": True, "off": False}),
    "cards": ("cards", {"symbols": "symbols", "letters": "letters", "faces": "faces"}),
}
"""What a select sets, and what its values mean."""

TOGGLES = {"two-step": "two_step", "challenges": "challenges"}


@gops.command(name="notify", description="When I may nudge you, and how the console works")
async def notify(interaction: discord.Interaction[Any]) -> None:
    answer = Answer(interaction)

    async def work() -> None:
        await answer.send(await _card(interaction))

    await answered(answer, work)


async def _card(interaction: discord.Interaction[Any], saved: str = "") -> Any:
    referee = services_of(interaction).referee
    player = await referee.store.player(interaction.user.id)
    blocked: list[tuple[int, str]] = []
    for user in await referee.store.blocks(interaction.user.id):
        name = await referee.name(interaction.guild_id or 0, user, f"Player {user}")
        blocked.append((user, name))
    return draw_notify(player, blocked, saved)


@press("nt", "[a-z-]{4,10}")
async def preferred(pressed: Press) -> None:
    """One preference changes, in place."""
    what = pressed.part(0)
    referee = pressed.referee
    if what == "unblock":
        user = pressed.person
        await referee.block(pressed.user, user, on=False)
        name = await referee.name(pressed.interaction.guild_id or 0, user, f"Player {user}")
        saved = sentence("unblocked", name=name)
    elif what in CHOICES:
        field, values = CHOICES[what]
        value = pressed.one_of(values)
        await referee.prefer(pressed.user, **{field: values[value]})
        saved = say("saved", what=say(f"kept-{what}-{value}"))
    elif what in TOGGLES:
        player: Player = await referee.store.player(pressed.user)
        on = not getattr(player, TOGGLES[what])
        await referee.prefer(pressed.user, **{TOGGLES[what]: on})
        saved = say("saved", what=say(f"kept-{what}-{'on' if on else 'off'}"))
    else:
        raise stale()
    await pressed.answer.update(await _card(pressed.interaction, saved))


@gops.command(name="block", description="Stop somebody from challenging you; they are not told")
@app_commands.describe(player="Whom to block")
async def block(interaction: discord.Interaction[Any], player: discord.User) -> None:
    answer = Answer(interaction)

    async def work() -> None:
        if player.id == interaction.client.application_id:
            raise Refused("block-house")
        if player.bot:
            raise Refused("bot", name=player.display_name)
        referee = services_of(interaction).referee
        await referee.block(interaction.user.id, player.id, on=True, name=player.display_name)
        if interaction.guild_id is not None:  # the list of blocked people names them
            await referee.name_member(interaction.guild_id, player.id, player.display_name)
        await answer.send(Message(sentence("blocked", name=player.display_name)))

    await answered(answer, work)
