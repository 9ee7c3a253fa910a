"""What perfect play says: of a finished match, and of a position that somebody typed in."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.engine.variants import DEFAULT
from bot.errors import Refused
from bot.referee.coach import Review, read_position
from bot.referee.live import Live
from cogs.asked.answer import Answer, answered
from cogs.asked.group import gops
from cogs.asked.press import Press, press
from cogs.learning import odds_card as odds_words
from cogs.learning import review_card as review_words
from cogs.services import services_of
from cogs.ui import ids
from cogs.ui.words.offers import ties_of

TIES = [app_commands.Choice(name=ties_of(DEFAULT)[key], value=key) for key in ("discard", "carry")]


@gops.command(name="odds", description="Best play in a position: the exact mix of bids")
@app_commands.describe(
    mine="Your cards, like: A 3 5 K",
    theirs="The other hand, as many cards",
    prize="The prize turned up now",
    left="Prizes still to come",
    ties="Discarded or carried ties",
)
@app_commands.choices(ties=TIES)
async def odds(
    interaction: discord.Interaction[Any], mine: str, theirs: str, prize: str, left: str = "", ties: str = "discard"
) -> None:
    answer = Answer(interaction)

    async def work() -> None:
        here = read_position(mine, theirs, prize, left, ties)
        services = services_of(interaction)
        found = await services.coach.odds(services.referee.store, interaction.user.id, here)
        up = here.up or 0
        later = tuple(card for card in here.prizes if card != up)
        await answer.send(odds_words.odds(found, here.mine, here.theirs, up, later, carry=here.aim.carry))

    await answered(answer, work)


@gops.command(name="review", description="What perfect play says about a finished match")
@app_commands.describe(match="Match code, like K7Q2")
async def review(interaction: discord.Interaction[Any], match: str | None = None) -> None:
    answer = Answer(interaction)

    async def work() -> None:
        referee = services_of(interaction).referee
        live = await referee.pick_finished(interaction.user.id, match)
        await send_review(interaction, answer, live)

    await answered(answer, work)


async def send_review(interaction: discord.Interaction[Any], answer: Answer, live: Live) -> None:
    """The first page, for this person only."""
    _check(interaction, live)
    found = await _reviewed(interaction, answer, live)
    view = await services_of(interaction).referee.view_of(live, interaction.user.id)
    await answer.send(review_words.review(view, found))


async def _reviewed(interaction: discord.Interaction[Any], answer: Answer, live: Live) -> Review:
    """What the coach says; whoever waits reads how far it is."""
    coach, user = services_of(interaction).coach, interaction.user.id
    answer.so_far = lambda: review_words.so_far(*coach.so_far(user))
    return await coach.review(user, live)


def _check(interaction: discord.Interaction[Any], live: Live) -> None:
    """One's own matches anywhere; others' where they were played."""
    stored, user = live.stored, interaction.user.id
    if stored.seat_of(user) is not None:
        return
    if stored.practice and not stored.channel:
        raise Refused("unknown-match", x=stored.id)
    if stored.guild != interaction.guild_id:
        raise Refused("elsewhere", m=stored.id)


@press("rv", f"{ids.MATCH}:{ids.NUMBER}:(?:back|next|dearest|all)")
async def review_turned(pressed: Press) -> None:
    """Another page, the dearest round, or a copy for everyone."""
    id, page, what = pressed.part(0), pressed.number(1), pressed.part(2)
    if what == "all":
        pressed.answer.will_send(private=False)
    live = await pressed.referee.live(id)
    _check(pressed.interaction, live)
    found = await _reviewed(pressed.interaction, pressed.answer, live)
    if what == "all":
        public = await pressed.referee.view(id)
        await pressed.answer.send(review_words.review(public, found, page, public=True), private=False)
        return
    view = await pressed.referee.view_of(live, pressed.user)
    dearest = review_words.dearest(found) if what == "dearest" else None
    await pressed.answer.update(review_words.review(view, found, page, dearest))
