"""Practice against the house: private, board and console in one message; or public, with an ordinary board."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
from discord import app_commands

from bot.engine.presets import find_offer
from bot.errors import Refused
from bot.referee.changes import PutSurface
from bot.referee.house import LEVELS, SLY, Level, find_level
from bot.referee.live import Live
from bot.referee.lobbies import Place
from bot.referee.model import Surface, SurfaceKind
from bot.referee.setups import Wish
from cogs.asked.answer import Answer, answered
from cogs.asked.group import gops
from cogs.challenge import asking
from cogs.challenge.mending import choice_of
from cogs.challenge.typed import as_typed, mended_for
from cogs.places import check_place, check_role, person_of
from cogs.services import services_of
from cogs.show.draw import board_message
from cogs.ui import ids
from cogs.ui.message import GREEN, Button, Node, row
from cogs.ui.words.sentences import say
from cogs.wire.reach import token_until

LEVEL_CHOICES = [app_commands.Choice(name=f"{level.name}: {level.title}", value=level.key) for level in LEVELS]


@gops.command(name="practice", description="Play against the house, unrated, no clock")
@app_commands.describe(
    level="How the house plays",
    game=asking.DESCRIPTIONS["game"],
    cards=asking.DESCRIPTIONS["cards"],
    ties=asking.DESCRIPTIONS["ties"],
    public="Let the channel watch",
)
@app_commands.choices(level=LEVEL_CHOICES, ties=asking.TIE_CHOICES)
@app_commands.autocomplete(game=asking.complete_game)
async def practice(
    interaction: discord.Interaction[Any],
    level: str | None = None,
    game: str | None = None,
    cards: app_commands.Range[int, 2, 25] | None = None,
    ties: str | None = None,
    public: bool = False,
) -> None:
    answer = Answer(interaction, private=_private(interaction, public))

    async def work() -> None:
        typed = asking.Typed(game, cards, ties)
        try:
            await begin(interaction, answer, find_level(level or "") or SLY, typed.wish(), public)
        except Refused as refusal:
            await _put_right(interaction, answer, refusal, typed, plainly=not public and level in (None, SLY.key))

    await answered(answer, work)


async def _put_right(
    interaction: discord.Interaction[Any], answer: Answer, refusal: Refused, typed: asking.Typed, *, plainly: bool
) -> None:
    """What was typed does not go together: say what to change, and offer the game as it is where that is all."""
    guild = await services_of(interaction).referee.store.guild(interaction.guild_id or 0)
    found = mended_for(refusal, choice_of(typed.nearest(), (), None, guild), guild)
    button: list[Node] = []
    if found is not None and plainly and not (found.choice.cards or found.choice.ties):
        offer = find_offer(found.choice.game)[1]
        button = [row(Button(say("practise-as-is", game=offer.name), ids.rules(offer.key, "practise"), GREEN))]
    await answer.send(as_typed(interaction, refusal, *button))


async def begin(
    interaction: discord.Interaction[Any], answer: Answer, level: Level, wish: Wish, public: bool = False
) -> None:
    """A match against this level, committed before it is shown."""
    answer.will_send(private=_private(interaction, public))
    await _check(interaction, public)
    person = person_of(interaction.user)
    live = await services_of(interaction).referee.practise(_place(interaction), person, level, wish, public)
    await _show(interaction, answer, live)


async def again(interaction: discord.Interaction[Any], answer: Answer, old: Live) -> None:
    """The same levels, game and options once more."""
    answer.will_send(private=_private(interaction, bool(old.stored.channel)))
    await _check(interaction, bool(old.stored.channel))
    person = person_of(interaction.user)
    live = await services_of(interaction).referee.practise_again(old, person, _place(interaction))
    await _show(interaction, answer, live)


def _private(interaction: discord.Interaction[Any], public: bool) -> bool:
    """Whether the message is for this person's eyes only; a DM is anyway, and stays."""
    return not public and interaction.guild_id is not None


def _place(interaction: discord.Interaction[Any]) -> Place:
    """A server's channel, or a DM with the bot."""
    return Place(interaction.guild_id or 0, interaction.channel_id or 0)


async def _check(interaction: discord.Interaction[Any], public: bool) -> None:
    """A board needs a place where it may be; a private message only somebody who may play."""
    if public:
        await check_place(interaction)
    if interaction.guild_id is not None:
        guild = await services_of(interaction).referee.store.guild(interaction.guild_id)
        check_role(guild, interaction.user, asker=True)


async def _show(interaction: discord.Interaction[Any], answer: Answer, live: Live) -> None:
    """The reply itself is the board, or the console that stands for both."""
    services = services_of(interaction)
    referee, id = services.referee, live.stored.id
    public, here = bool(live.stored.channel), interaction.guild_id is not None
    kind = SurfaceKind.BOARD if public else SurfaceKind.CONSOLE_EPHEMERAL if here else SurfaceKind.CONSOLE_DM
    surface = Surface(
        match=id,
        kind=kind,
        user=0 if public else interaction.user.id,
        channel=interaction.channel_id or 0,
        message=0,
        shown=live.stored.version,
        posted=interaction.created_at,
        token=interaction.token,
        token_until=token_until(interaction.created_at),
        token_app=interaction.application_id,
    )
    if public:
        message = board_message(await referee.view_of(live))
    else:
        message = await services.publisher.consoles.drawn(await referee.view_of(live, interaction.user.id), surface)
    posted = await answer.send(message, private=_private(interaction, public))
    if posted is None:
        await referee.abort(id, "unseen")  # nobody sees it, and it must not count as a live match
        return
    await referee.write((PutSurface(replace(surface, message=posted)),))
    services.publisher.wake(id)
