"""Same people, same rules, once more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import discord

from bot.errors import Refused
from bot.referee.live import Live
from bot.referee.lobbies import Person, Place
from bot.referee.model import Lobby, StoredMatch, Surface, SurfaceKind
from bot.referee.views import MatchView
from cogs.asked.answer import Answer
from cogs.asked.press import Press, press
from cogs.challenge.challenges import post_lobby
from cogs.challenge.rematch_offers import answered
from cogs.places import check_place, place_of
from cogs.practice import practice
from cogs.services import services_of
from cogs.show.draw import link_to, lobby_message
from cogs.ui import ids
from cogs.ui.message import Message
from cogs.ui.words.refusals import sentence
from cogs.wire.reach import Fate


async def send_rematch(interaction: discord.Interaction[Any], answer: Answer, id: str) -> None:
    """A fresh challenge to the same people, or the acceptance of theirs."""
    referee = services_of(interaction).referee
    live = await referee.live(id)
    stored = live.stored
    if stored.seat_of(interaction.user.id) is None:
        raise Refused("rematch-not-in", m=id)
    if stored.practice:
        await practice.again(interaction, answer, live)
        return
    place = await _place(interaction, stored)
    here = await _still_here(interaction, live)
    result = await referee.rematch(id, interaction.user.id, here, place)
    if isinstance(result, Live):
        services_of(interaction).publisher.wake(result.stored.id)
        names = [one.name for one in result.stored.seats]
        await answer.send(Message(sentence("challenge-started", host=names[0], names=names[1:])))
        return
    view = await referee.view(id, interaction.user.id)
    by_dm, mentioned = await _others(interaction, view)
    message = replace(lobby_message(result), mentions=tuple(mentioned))
    if interaction.guild_id is None:
        posted = await _post_from_afar(interaction, answer, result, message)
    else:
        posted = await post_lobby(interaction, answer, result, message)
    if posted is not None and by_dm:
        link = link_to(place.guild, place.channel, posted)
        await services_of(interaction).publisher.consoles.offer_rematch(view, by_dm, link, result)
        services_of(interaction).publisher.wake(result.id)  # somebody may have been quick to answer where it stands


@press("ro", f"{ids.MATCH}:{ids.MATCH}")
async def offer_pressed(pressed: Press) -> None:
    """The button of an offer by DM. It accepts that challenge; when that is over it says how, and sends nothing."""
    match, id = pressed.part(0), pressed.part(1)
    lobby = await pressed.referee.lobby(id)
    offers = pressed.services.publisher.consoles.offers
    if how := answered(lobby, pressed.user):
        await pressed.answer.update(lambda: offers.drawn(lobby, match, pressed.user, how), of=id)
        return
    result = await pressed.referee.accept(id, pressed.user)
    if isinstance(result, Live):
        names = [one.name for one in result.stored.seats]
        await pressed.answer.send(Message(sentence("challenge-started", host=names[0], names=names[1:])))
    else:
        how = answered(result, pressed.user)
        await pressed.answer.update(lambda: offers.drawn(result, match, pressed.user, how), of=id)
    pressed.services.publisher.wake(id)


async def _place(interaction: discord.Interaction[Any], stored: StoredMatch) -> Place:
    """Where the challenge will stand: here, or from a DM where the match was played."""
    if interaction.guild_id is None:
        return Place(stored.guild, stored.channel)
    if interaction.guild_id != stored.guild:
        raise Refused("elsewhere", m=stored.id)
    await check_place(interaction)
    return place_of(interaction)


async def _others(interaction: discord.Interaction[Any], view: MatchView) -> tuple[list[int], list[int]]:
    """Who is told by DM, because their console is there, and who by a mention; nobody who muted the match."""
    services = services_of(interaction)
    by_dm: list[int] = []
    mentioned: list[int] = []
    for seat in view.seats:
        if not seat.user or seat.user == interaction.user.id or await services.referee.muted(view.id, seat.user):
            continue
        player = await services.referee.store.player(seat.user)
        wants_dm = await services.publisher.consoles.wants_dm(view, player)
        (by_dm if wants_dm else mentioned).append(seat.user)
    return by_dm, mentioned


async def _post_from_afar(
    interaction: discord.Interaction[Any], answer: Answer, lobby: Lobby, message: Message
) -> int | None:
    """Asked in a DM: the challenge is posted where the match was, and the DM says where that is."""
    services = services_of(interaction)
    fate, posted = await services.publisher.reach.post(lobby.channel, message, f"l{lobby.id}")
    if fate is not Fate.DONE:
        await services.referee.withdraw(lobby.id, lobby.host)
        raise Refused("rematch-nowhere", channel=lobby.channel)
    surface = Surface(lobby.id, SurfaceKind.LOBBY, 0, lobby.channel, posted, 0, lobby.created)
    await services.referee.lobby_posted(lobby, surface)
    link = link_to(lobby.guild, lobby.channel, posted)
    await answer.send(Message(sentence("rematch-asked", link=link)))
    return posted


async def _still_here(interaction: discord.Interaction[Any], live: Live) -> Sequence[Person]:
    """The people of a match who are still in the server."""
    guild = interaction.client.get_guild(live.stored.guild)
    people: list[Person] = []
    for one in live.stored.seats:
        if one.user and guild is not None:
            try:
                member = await guild.fetch_member(one.user)
            except discord.NotFound:
                continue
            people.append(Person(one.user, member.display_name))
    return people
