"""A person's own preferences: when they may be nudged, and how their console works."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from bot.errors import Refused
from bot.referee.ports.people import Player
from cogs.asked.asked import Asked, stale
from cogs.asked.commands import Somebody, command, user_menu
from cogs.asked.presses import press
from cogs.client import GopsClient
from cogs.people import ids
from cogs.people.notify_card import notify as notify_card
from cogs.ui.message import Message
from cogs.ui.words.refusals import sentence
from cogs.ui.words.sentences import say
from cogs.who import Who

CHOICES: dict[str, tuple[str, dict[str, Any]]] = {
    "console": ("console", {"server": "server", "dm": "dm", "channel": "channel", "auto": "auto"}),
    "bids": ("bids", {"on": True, "off": False}),
    "warnings": ("warnings", {"on": True, "off": False}),
    "results": ("results", {"on": True, "off": False}),
    "cards": ("cards", {"symbols": "symbols", "letters": "letters", "faces": "faces", "safe": "safe"}),
}
"""What a select sets, and what its values mean."""

TOGGLES = {"two-step": "two_step", "challenges": "challenges"}


@command("notify", "When I may nudge you, and how the console works")
async def notify(asked: Asked) -> None:
    await asked.answer.send(await _card(asked))


async def _card(asked: Asked, saved: str = "") -> Any:
    referee = asked.referee
    player = await referee.store.player(asked.user)
    blocked: list[tuple[int, str]] = []
    for user in await referee.store.blocks(asked.user):
        name = await referee.people.name(asked.where.guild, user, f"Player {user}")
        blocked.append((user, name))
    return notify_card(player, blocked, saved, learnt_from=await referee.people.lets_learn(asked.user))


@press(ids.NOTIFY)
async def preferred(asked: Asked) -> None:
    """One preference changes, in place."""
    what = ids.read_notify(asked.parts)
    referee = asked.referee
    if what == "unblock":
        user = asked.person
        await referee.people.block(asked.user, user, on=False)
        name = await referee.people.name(asked.where.guild, user, f"Player {user}")
        saved = sentence("unblocked", name=name)
    elif what in CHOICES:
        field, values = CHOICES[what]
        value = asked.one_of(values)
        await referee.people.prefer(asked.user, **{field: values[value]})
        saved = say("saved", what=say(f"kept-{what}-{value}"))
    elif what == "habits":
        on = not await referee.people.lets_learn(asked.user)
        await referee.people.let_learn(asked.user, on)
        saved = say("saved", what=say(f"kept-habits-{'on' if on else 'off'}"))
    elif what in TOGGLES:
        player: Player = await referee.store.player(asked.user)
        on = not getattr(player, TOGGLES[what])
        await referee.people.prefer(asked.user, **{TOGGLES[what]: on})
        saved = say("saved", what=say(f"kept-{what}-{'on' if on else 'off'}"))
    else:
        raise stale()
    await asked.answer.update(await _card(asked, saved))


@command("block", "Stop somebody from challenging you; they are not told")
@app_commands.describe(player="Whom to block")
async def block(asked: Asked, player: Somebody) -> None:
    await _block(asked, player)


@user_menu("Block")
async def block_menu(asked: Asked, member: Who) -> None:
    """The same from the menu of a person."""
    await _block(asked, member)


async def _block(asked: Asked, player: Who) -> None:
    if player.id == asked.token.app:
        raise Refused("block-house")
    if player.bot:
        raise Refused("bot", name=player.name)
    referee = asked.referee
    await referee.people.block(asked.user, player.id, on=True, name=player.name)
    if asked.where.guild:  # the list of blocked people names them
        await referee.people.name_member(asked.where.guild, player.id, player.name)
    await asked.answer.send(Message(sentence("blocked", name=player.name)))


async def setup(bot: GopsClient) -> None:
    bot.offer(notify, block)
    bot.tree.add_command(block_menu)
    bot.answer(preferred)
