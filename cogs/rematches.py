"""Same people, same rules, once more."""

from __future__ import annotations

from typing import Any

import discord

from bot.errors import Refused
from bot.referee.live import Live
from bot.referee.lobbies import Person
from bot.referee.model import Lobby
from cogs import practice
from cogs.answer import Answer
from cogs.challenges import post_lobby
from cogs.places import check_place, place_of
from cogs.services import services_of
from cogs.ui.message import Message
from cogs.ui.refusals import sentence


async def send_rematch(interaction: discord.Interaction[Any], answer: Answer, id: str) -> None:
    """A fresh challenge to the same people, or the acceptance of theirs."""
    referee = services_of(interaction).referee
    live = await referee.live(id)
    if live.stored.seat_of(interaction.user.id) is None:
        raise Refused("rematch-not-in", m=id)
    if live.stored.practice:
        await practice.again(interaction, answer, live)
        return
    await check_place(interaction)
    here = await _still_here(interaction, live)
    result = await referee.rematch(id, interaction.user.id, here, place_of(interaction))
    if isinstance(result, Lobby):
        await post_lobby(interaction, answer, result)
        return
    services_of(interaction).publisher.wake(result.stored.id)
    names = [one.name for one in result.stored.seats]
    await answer.send(Message(sentence("challenge-started", host=names[0], names=names[1:])))


async def _still_here(interaction: discord.Interaction[Any], live: Live) -> list[Person]:
    """The people of a match who are still in the server."""
    people: list[Person] = []
    guild = interaction.guild
    for one in live.stored.seats:
        if one.user == interaction.user.id:
            people.append(Person(one.user, interaction.user.display_name))
        elif one.user and guild is not None:
            try:
                member = await guild.fetch_member(one.user)
            except discord.NotFound:
                continue
            people.append(Person(one.user, member.display_name))
    return people
