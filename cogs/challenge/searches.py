"""`/gops find`: wait for an opponent, be paired, or play the house meanwhile."""

from __future__ import annotations

from discord import app_commands

from bot.interactions.channel_checks import check_place, check_role, person_of
from bot.interactions.commands import command
from bot.interactions.component import MessageKind, component
from bot.interactions.context import InteractionContext
from bot.interactions.shared.challenge_options import complete_game, find_game
from bot.interactions.shared.practice import begin_practice
from bot.referee.lobby.setups import Wish
from bot.referee.model.participant import Place
from bot.solver.players.levels import SLY
from bot.ui.custom_ids import challenge_ids
from bot.ui.message import Message
from bot.ui.screens.searches import render_search
from bot.ui.text.sentences import say


@command("find", "Wait for an opponent", game="Game (default: this server's)")
@app_commands.autocomplete(game=complete_game)
async def find(context: InteractionContext, game: str | None = None) -> None:
    await begin_search(context, find_game(game) if game else None)


async def begin_search(context: InteractionContext, game: str | None = None) -> None:
    """Let the person wait, and show their search; a person who waits already sees that one."""
    context.answer.will_send()
    context.guild  # noqa: B018 - refuses: the pair is challenged by a post of the bot
    guild = await check_place(context)
    check_role(guild, context.author, asker=True)
    place = Place(context.guild, context.origin.channel)
    search, is_new = await context.referee.searches.begin(place, person_of(context.author), game)
    await context.answer.send(render_search(search, is_new=is_new))


@component(challenge_ids.SEARCH, on=MessageKind.ANY)
async def press_search(context: InteractionContext) -> None:
    """Begin a search from the message that shows who waits, end one, or play the house."""
    what = challenge_ids.read_search(context.id_parts)
    if what == "more":
        await begin_search(context)
    elif what == "house":
        search = await context.referee.searches.find(context.user)
        await begin_practice(context, SLY, Wish(game=search.game if search is not None else None))
    else:
        await _stop(context)


async def _stop(context: InteractionContext) -> None:
    """End the search. The person's own card is replaced by the answer, for its button has nothing left to do."""
    is_own = context.message.ephemeral
    if not is_own:
        context.answer.will_send()
    stopped = await context.referee.searches.stop(context.user)
    told = Message(say("search-stopped" if stopped else "search-none"))
    await (context.answer.update(told) if is_own else context.answer.send(told))
