"""Rematches: a challenge to the same people with the same rules."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from discord import app_commands

from bot.errors import RefereeError
from bot.interactions.channel_checks import check_place, person_of, place_of
from bot.interactions.commands import Rows, autocomplete, command, filter_rows
from bot.interactions.component import component
from bot.interactions.context import InteractionContext
from bot.interactions.shared.board_button import public_board_component
from bot.interactions.shared.match_rows import finished_row
from bot.interactions.shared.practice import repeat_practice
from bot.interactions.shared.pressed_lobby import post_lobby, show_offer
from bot.referee.model.model import Lobby, StoredMatch
from bot.referee.model.participant import Person, Place
from bot.referee.model.views import MatchView
from bot.referee.repository.live import Live
from bot.rest.call_result import CallResult
from bot.ui.custom_ids import challenge_ids
from bot.ui.message import Message
from bot.ui.screens.refusals import format_refusal
from bot.ui.text.stamps import link_to


@autocomplete
async def complete_finished(context: InteractionContext, current: str) -> Rows:
    """Offer the person's newest finished matches."""
    found = await context.referee.people.history(context.origin.guild, context.user, 0)
    return filter_rows([(finished_row(match), match.id) for match in found], current)


@command("rematch", "Play again with the same people and rules", match="Match code, like K7Q2 (default: your last)")
@app_commands.autocomplete(match=complete_finished)
async def rematch(context: InteractionContext, match: str | None = None) -> None:
    referee = context.referee
    here = None if context.origin.is_dm else context.origin.guild
    live = await referee.finder.find_finished(context.user, match, "rematch-live", here)
    await send_rematch(context, live.stored.id)


@public_board_component("rematch")
async def repeat_match(context: InteractionContext, view: MatchView) -> None:
    await send_rematch(context, view.id)


async def send_rematch(context: InteractionContext, id: str) -> None:
    """Challenge the same people again, or accept their challenge."""
    referee = context.referee
    live = await referee.live(id)
    stored = live.stored
    if stored.seat_of(context.user) is None:
        raise RefereeError("rematch-not-in", m=id)
    if stored.is_practice:
        await repeat_practice(context, live)
        return
    place = await _place(context, stored)
    here = await _find_present(context, live)
    waiting = await referee.challenges.find_rematch_offer(live, context.user, here, place)
    if waiting is not None:
        await context.services.publisher.check_lobby(waiting)
    result = await referee.challenges.rematch(id, context.user, here, place, context.created_at)
    if isinstance(result, Live):
        context.services.publisher.wake(result.stored.id)
        await _send_started(context, result)
        return
    view = await referee.views.view(id, context.user)
    by_dm, mentioned = await context.services.publisher.split_by_dm(view, context.user)
    post = _post_from_dm if context.origin.is_dm else post_lobby
    posted = await post(context, result, mentioned)
    if posted is not None and by_dm:
        link = link_to(place.guild, place.channel, posted)
        await context.services.publisher.offer_rematch(view, by_dm, link, result)


@component(challenge_ids.OFFER)
async def accept_offer(context: InteractionContext) -> None:
    """Accept the challenge of an offer by DM, or say how that challenge ended."""
    match, id = challenge_ids.read_offer(context.id_parts)
    lobby = await context.referee.lobbies.get(id)
    if await show_offer(context, lobby, match):
        return
    await context.services.publisher.check_lobby(lobby)
    result = await context.referee.challenges.accept(id, context.user, at=context.created_at)
    if isinstance(result, Live):
        await _send_started(context, result)
    else:
        await show_offer(context, result, match)
    context.services.publisher.wake(id)


async def _send_started(context: InteractionContext, live: Live) -> None:
    host, *names = [seat.name for seat in live.stored.seats]
    await context.answer.send(Message(format_refusal("challenge-started", host=host, names=names)))


async def _place(context: InteractionContext, stored: StoredMatch) -> Place:
    """Return where the challenge will be: here, or from a DM where the match was played."""
    if context.origin.is_outside:
        return Place(0, context.origin.channel)
    if not context.origin.guild:
        return Place(stored.guild, stored.channel)
    if context.origin.guild != stored.guild:
        raise RefereeError("elsewhere", m=stored.id)
    await check_place(context)
    return place_of(context)


async def _post_from_dm(context: InteractionContext, lobby: Lobby, mentions: Sequence[int]) -> int:
    """Post a challenge that was sent from a DM where the match was played, and link to it in the DM."""
    result, posted = await context.services.publisher.post_lobby(lobby, f"l{lobby.id}", mentions)
    if result is not CallResult.DONE:
        await context.referee.challenges.withdraw(lobby.id, lobby.host)
        raise RefereeError("rematch-nowhere", channel=lobby.channel)
    link = link_to(lobby.guild, lobby.channel, posted)
    await context.answer.send(Message(format_refusal("rematch-asked", link=link)))
    return posted


async def _find_present(context: InteractionContext, live: Live) -> Sequence[Person]:
    """Return the people of a match who are still in the server."""
    members, guild = context.services.members, live.stored.guild
    if context.origin.is_outside:  # members cannot be looked up there: *Accept* tells
        return [Person(seat.user, seat.name) for seat in live.stored.seats if seat.user > 0]
    found = await asyncio.gather(*(members.find(guild, seat.user) for seat in live.stored.seats if seat.user > 0))
    return [person_of(member) for member in found if member is not None]
