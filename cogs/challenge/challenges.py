"""Challenges and open tables: the commands, the user menu, and the buttons under them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from discord import app_commands

from bot.errors import RefereeError
from bot.interactions.channel_checks import adapt_wish, check_opponents, check_place, check_role, person_of, place_of
from bot.interactions.commands import UserOption, command, user_menu
from bot.interactions.component import MessageKind, component
from bot.interactions.context import InteractionContext, stale_button
from bot.interactions.error_handler import describe_refusal
from bot.interactions.shared.challenge_options import ChallengeOptions
from bot.interactions.shared.pressed_lobby import post_lobby, reserve_lobby, show_result
from bot.interactions.shared.rules_card import render_rules_in_thread
from bot.interactions.shared.setup_card import Selection, is_table, menu_values, read_selection, render_setup
from bot.interactions.shared.setup_repair import (
    answer_with_repair,
    begin_selection,
    describe_repair,
    find_fault,
    repair_setup,
)
from bot.referee.lobby.setups import Wish
from bot.referee.model.model import Lobby
from bot.referee.model.participant import Person
from bot.referee.repository.live import Live
from bot.referee.repository.view_builder import lobby_view
from bot.rest.members import DiscordUser
from bot.ui.custom_ids import challenge_ids, learning_ids
from bot.ui.message import Message
from bot.ui.text.sentences import say
from bot.ui.text.stamps import link_to


@command("challenge", "Challenge someone to a match", opponent="Who to challenge")
async def challenge(context: InteractionContext, opponent: UserOption, typed: ChallengeOptions) -> None:
    try:
        await send_challenge(context, [opponent], typed.read_wish())
    except RefereeError as refusal:
        await answer_with_repair(context, refusal, typed.read_nearest_wish(), [opponent])


async def send_challenge(context: InteractionContext, others: Sequence[DiscordUser], wish: Wish) -> None:
    """Commit the challenge, and let the command's own reply be the message that shows it."""
    guild = await check_place(context)
    people = check_opponents(context, guild, others)
    host, here = Person(context.user, context.author.name), adapt_wish(context, wish)
    lobby = await context.referee.challenges.open(place_of(context), host, people, here)
    await _post(context, lobby, wish, here)


async def _post(context: InteractionContext, lobby: Lobby, wish: Wish, here: Wish) -> None:
    """Post the challenge or table. Tell the host why the match is not where the host wanted it, if the bot is busy."""
    is_card = context.pressed_message is not None
    posted = await (_post_from_card(context, lobby) if is_card else post_lobby(context, lobby))
    if posted is not None and here.place != wish.place and not context.origin.is_outside:
        await context.answer.send(Message(say("busy-board")))


async def send_table(context: InteractionContext, seats: int | None, wish: Wish) -> None:
    """Commit an open table, and let the command's own reply be the message that shows it."""
    guild = await check_place(context)
    check_role(guild, context.author, asker=True)
    referee = context.referee
    here = adapt_wish(context, wish)
    table = await referee.tables.open(place_of(context), person_of(context.author), seats, here)
    await _post(context, table, wish, here)


async def _post_from_card(context: InteractionContext, lobby: Lobby) -> int | None:
    """Post what a set-up card sends. A link takes the place of the card, so that it cannot be sent again."""
    await context.answer.update(Message(say("one-moment")))
    posted = None
    try:
        posted = await post_lobby(context, lobby)
    finally:
        is_seen = posted is not None and not context.answer.hidden
        link = link_to(lobby.guild, lobby.channel, posted)
        await context.answer.update(Message(say("setup-sent", link=link) if is_seen else say("setup-unsent")))
    return posted


@user_menu("Challenge to GOPS")
async def challenge_menu(context: InteractionContext, member: DiscordUser) -> None:
    """Show a private card on which to choose the game."""
    await offer_challenge(context, member)


@component(learning_ids.HOME_WHO)
async def challenge_from_home(context: InteractionContext) -> None:
    """Show the set-up card for the person who was chosen on the home card."""
    context.answer.will_send()
    (member,) = await find_members(context, [context.chosen_user])
    await offer_challenge(context, member)


async def offer_challenge(context: InteractionContext, member: DiscordUser) -> None:
    """Show a private card on which to choose what this person is challenged to. Elsewhere than in a server of the bot
    send the challenge."""
    guild = await check_place(context)
    check_opponents(context, guild, [member])
    if member.id == context.user:
        raise RefereeError("self")
    if context.origin.is_outside:  # the card looks up users by id, which is possible in servers of the bot only
        await send_challenge(context, [member], Wish())
        return
    await context.answer.send(render_setup(await begin_selection(context, member.id, guild), [member.name]))


@component(challenge_ids.SETUP)
async def change_setup(context: InteractionContext) -> None:
    """Change a choice of the set-up card, which its ids and its menu of players carry, or send the challenge."""
    choice, what = read_selection(context.id_parts, [*context.message.list_chosen()])
    if choice is None or (what == "add" and not choice.people):
        raise stale_button()
    if what == "drop":
        await context.answer.update(Message(say("nothing-changed")))
        return
    if what == "add":
        await _add_players(context, choice)
        return
    if what != "send":
        value = context.value_among(menu_values(choice, what))
        await _show_card(context, choice.with_value(what, value))
        return
    members = await find_members(context, choice.people)
    found = repair_setup(choice, await context.referee.deciding.load_settings(context.guild))
    choice = found.choice if found is not None else choice
    if is_table(choice):
        await send_table(context, choice.seats or None, choice)
    else:
        await send_challenge(context, members, choice)


async def _add_players(context: InteractionContext, choice: Selection) -> None:
    """Take the players of the menu for those who were added before."""
    choice = replace(choice, people=(choice.people[0], *context.chosen_users))
    people = check_opponents(context, await check_place(context), await find_members(context, choice.people))
    await context.referee.challenges.check_willing(person_of(context.author), people)
    await _show_card(context, choice)


async def _show_card(context: InteractionContext, choice: Selection) -> None:
    """Show the card with a new choice, without the choices that do not go with it."""
    members = await find_members(context, choice.people)
    guild = await context.referee.deciding.load_settings(context.guild)
    wrong, banner, carried = find_fault(choice, guild), "", choice
    if wrong is not None:
        found = repair_setup(choice, guild)
        choice = found.choice if found is not None else choice
        banner = describe_repair(wrong, found) if found is not None else describe_refusal(wrong)
    if not choice.fits_ids:  # a longer name beside typed rules
        choice, banner = replace(choice, words=""), say("left-out", list=choice.words)
    carried = carried if carried.fits_ids else choice
    await context.answer.update(render_setup(choice, [member.name for member in members], banner, carried=carried))


async def find_members(context: InteractionContext, users: Sequence[int]) -> list[DiscordUser]:
    """Return members of this server by id; refuse one who has left."""

    async def member(user: int) -> DiscordUser:
        found = await context.services.members.find(context.guild, user)
        if found is None:
            raise RefereeError("left-member", name=f"<@{user}>")
        return found

    return list(await asyncio.gather(*map(member, users)))


# --- buttons under a challenge ----------------------------------------------------------------------------


LobbyAnswer = Callable[[InteractionContext, str], Awaitable[Lobby | Live]]
"""change a challenge or table by a press on one of its buttons"""

ANSWERS: Mapping[str, LobbyAnswer] = {
    "a": lambda context, id: context.referee.challenges.accept(
        id, context.user, context.message.id, context.created_at
    ),
    "d": lambda context, id: context.referee.challenges.decline(id, context.user, context.created_at),
    "w": lambda context, id: context.referee.challenges.withdraw(id, context.user, context.created_at),
    "s": lambda context, id: context.referee.challenges.start_with(
        id, context.user, context.message.id, context.created_at
    ),
    "h": lambda context, id: context.referee.house_seats.add(id, context.user, context.created_at),
    "u": lambda context, id: context.referee.house_seats.remove(id, context.user, context.created_at),
}
"""by the word in the id: accept, decline, withdraw, start with fewer, add and remove the house"""


@component(challenge_ids.CHALLENGE, on=MessageKind.SHARED)
async def answer_challenge(context: InteractionContext) -> None:
    """Change a challenge, and show it or the board that it has become."""
    id, what = challenge_ids.read_button(context.id_parts)
    async with reserve_lobby(context, id, joins=what == "a"):
        try:
            result = await ANSWERS[what](context, id)
        except RefereeError as refusal:
            if refusal.id != "too-many-live-them":
                raise
            # The match could not start: everybody who was challenged reads why, in place of the challenge.
            await show_result(context, id, await context.referee.lobbies.get(id), describe_refusal(refusal))
            return
        await show_result(context, id, result)


@component(challenge_ids.CHALLENGE_RULES, on=MessageKind.SHARED)
async def show_challenge_rules(context: InteractionContext) -> None:
    """Show the rules that a challenge asks for."""
    context.answer.will_send()
    id, _ = challenge_ids.read_button(context.id_parts)
    await send_rules(context, await context.referee.lobbies.get(id))


async def send_rules(context: InteractionContext, lobby: Lobby) -> None:
    view = lobby_view(lobby)
    await context.answer.send(
        await render_rules_in_thread(view.setup.game, view.rules, view.series, opening=view.opening)
    )


@command("open", "Open a table that anyone here can join", seats="Players, with you (default: the fewest)")
async def open_table(
    context: InteractionContext, seats: app_commands.Range[int, 2, 8] | None = None, *, typed: ChallengeOptions
) -> None:
    try:
        await send_table(context, seats, typed.read_wish())
    except RefereeError as refusal:
        await answer_with_repair(context, refusal, typed.read_nearest_wish(), seats=seats)


async def join(context: InteractionContext, id: str) -> Lobby | Live:
    guild = await context.referee.deciding.load_settings(context.origin.guild)
    check_role(guild, context.author, asker=True)
    person = person_of(context.author)
    return await context.referee.tables.join(id, person, context.message.id, context.created_at)


TABLE_ANSWERS: Mapping[str, LobbyAnswer] = {
    "j": join,
    "l": lambda context, id: context.referee.tables.leave(id, context.user, context.created_at),
    "s": lambda context, id: context.referee.tables.start(id, context.user, context.message.id, context.created_at),
    "x": lambda context, id: context.referee.tables.close(id, context.user, context.created_at),
    "h": ANSWERS["h"],
    "u": ANSWERS["u"],
    "f": lambda context, id: context.referee.house_seats.fill(id, context.user, context.message.id, context.created_at),
}
"""by the word in the id: join, leave, start now, close, add and remove the house, fill with it"""


@component(challenge_ids.TABLE, on=MessageKind.SHARED)
async def answer_table(context: InteractionContext) -> None:
    """Change a table, and show it or the board that it has become."""
    id, what = challenge_ids.read_button(context.id_parts)
    async with reserve_lobby(context, id, joins=what == "j"):
        await show_result(context, id, await TABLE_ANSWERS[what](context, id))


@component(challenge_ids.TABLE_RULES, on=MessageKind.SHARED)
async def show_table_rules(context: InteractionContext) -> None:
    """Show the rules of a table."""
    id, _ = challenge_ids.read_button(context.id_parts)
    await send_rules(context, await context.referee.tables.get(id))
