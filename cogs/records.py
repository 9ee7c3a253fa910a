"""Looking things up: leaderboard, profile, rules. Private; *Show everyone* posts a copy."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.engine.variants import GAMES
from bot.errors import Refused
from bot.referee.finishing import pool_of
from bot.referee.views import LeaderboardView
from cogs import asking
from cogs.answer import Answer, answered
from cogs.draw import leaderboard_message, profile_message, rules_message
from cogs.group import gops
from cogs.places import server_of
from cogs.press import Press, press
from cogs.services import services_of

CHECKED_FOR = 3600.0
"""seconds for which a membership that was checked is believed"""

_checked: dict[tuple[int, int], float] = {}


async def complete_pool(interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
    """Rankings: the classic family is one, every other game has its own."""
    pools: dict[str, str] = {}
    for game in GAMES:
        pools.setdefault(game.pool or game.key, "Classic family" if game.pool else game.name)
    wanted = current.lower()
    return [app_commands.Choice(name=name, value=key) for key, name in pools.items() if wanted in name.lower()][:25]


@gops.command(name="leaderboard", description="The best players of this server")
@app_commands.describe(game="Which ranking; type to search")
@app_commands.autocomplete(game=complete_pool)
async def leaderboard(interaction: discord.Interaction[Any], game: str | None = None) -> None:
    answer = Answer(interaction)

    async def work() -> None:
        pool = pool_of(asking.find_offer_game(game)) if game else ""
        await answer.send(leaderboard_message(await _page(interaction, pool, 0)))

    await answered(answer, work)


async def _page(interaction: discord.Interaction[Any], pool: str, page: int | None) -> LeaderboardView:
    """A page of people who are still here: who has left is noticed, and the page made anew."""
    referee = services_of(interaction).referee
    guild = server_of(interaction)
    view = await referee.leaderboard(guild, interaction.user.id, pool, page)
    while view.size and await _note_leavers(interaction, [row.user for row in view.rows]):
        view = await referee.leaderboard(guild, interaction.user.id, pool, page)
    if not view.size:
        raise Refused("empty-board")
    return view


async def _note_leavers(interaction: discord.Interaction[Any], users: list[int]) -> bool:
    """Whether any of these people has left the server; each is asked about once an hour."""
    guild = interaction.guild
    if guild is None:
        return False
    loop = interaction.client.loop.time()
    left = False
    for user in users:
        key = (guild.id, user)
        if user == interaction.user.id or _checked.get(key, -CHECKED_FOR) + CHECKED_FOR > loop:
            continue
        try:
            member = await guild.fetch_member(user)
        except discord.NotFound:
            left = True
            await services_of(interaction).referee.name_member(guild.id, user, "", here=False)
        except discord.HTTPException:
            continue
        else:
            _checked[key] = loop
            await services_of(interaction).referee.name_member(guild.id, user, member.display_name)
    return left


@press("lb")
async def leaderboard_turned(pressed: Press) -> None:
    """Another page of a ranking."""
    pool, page, what = pressed.part(0), pressed.number(1), pressed.part(2)
    wanted = None if what == "mine" else page
    message = leaderboard_message(await _page(pressed.interaction, pool, wanted))
    if what == "all":
        await pressed.answer.send(leaderboard_message(await _page(pressed.interaction, pool, page), public=True), False)
    else:
        await pressed.answer.update(message)


@gops.command(name="profile", description="Ratings and results of a player")
@app_commands.describe(player="Whose profile")
async def profile(interaction: discord.Interaction[Any], player: discord.User | None = None) -> None:
    answer = Answer(interaction)

    async def work() -> None:
        who = player or interaction.user
        view = await services_of(interaction).referee.profile(
            server_of(interaction), who.id, who.display_name, interaction.user.id
        )
        await answer.send(profile_message(view))

    await answered(answer, work)


@gops.command(name="rules", description="The rules of a game, on one screen")
@app_commands.describe(game=asking.DESCRIPTIONS["game"])
@app_commands.autocomplete(game=asking.complete_game)
async def rules(interaction: discord.Interaction[Any], game: str | None = None) -> None:
    answer = Answer(interaction)

    async def work() -> None:
        wanted = game
        if wanted is None and interaction.guild_id is not None:
            wanted = (await services_of(interaction).referee.store.guild(interaction.guild_id)).game
        await answer.send(rules_message(asking.find_offer_game(wanted or "classic")))

    await answered(answer, work)


@press("se")
async def chosen(pressed: Press) -> None:
    """A menu of a look-up: another pool, another game."""
    what, value = pressed.part(0), (pressed.values or [""])[0]
    if what == "pool":
        await pressed.answer.update(leaderboard_message(await _page(pressed.interaction, value, 0)))
    elif what == "game":
        await pressed.answer.update(rules_message(asking.find_offer_game(value)))
    else:
        raise Refused("stale-button", link="")


@press("ru")
async def rules_pressed(pressed: Press) -> None:
    """Show everyone."""
    await pressed.answer.send(rules_message(asking.find_offer_game(pressed.part(0)), public=True), private=False)
