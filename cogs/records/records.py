"""Looking things up: leaderboard, profile, rules. Private; *Show everyone* posts a copy."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.engine.variants import DEFAULT, GAMES
from bot.errors import Refusal, Refused
from bot.referee.finishing import pool_of
from bot.referee.house import SLY
from bot.referee.people import PAGE
from bot.referee.setups import Wish
from bot.referee.views import LeaderboardView, ProfileView
from cogs.asked.answer import Answer, answered
from cogs.asked.group import gops
from cogs.asked.press import Press, press, stale
from cogs.challenge import asking
from cogs.learning.rules_card import wish_of
from cogs.places import server_of
from cogs.practice import practice
from cogs.records.leaderboard_card import leaderboard as draw_leaderboard
from cogs.records.profile_card import history as draw_history
from cogs.records.profile_card import profile as draw_profile
from cogs.services import services_of
from cogs.show.draw import board_message, rules_message
from cogs.ui import ids
from cogs.ui.message import Message


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
        await answer.send(draw_leaderboard(await _page(interaction, pool, 0)))

    await answered(answer, work)


async def _page(interaction: discord.Interaction[Any], pool: str, page: int | None) -> LeaderboardView:
    """A page as it is known. Who is on it is looked at meanwhile: the next look knows who has left, and new names."""
    services, guild = services_of(interaction), server_of(interaction)
    view = await services.referee.leaderboard(guild, interaction.user.id, pool, page)
    if interaction.guild is not None:
        services.members.look(
            interaction.guild, services, [row.user for row in view.rows if row.user != interaction.user.id]
        )
    if not view.size:
        raise Refused("empty-board")
    return view


@press("lb", f"{ids.KEY}:{ids.NUMBER}:(?:back|next|mine|all)")
async def leaderboard_turned(pressed: Press) -> None:
    """Another page of a ranking."""
    pool, page, what = pressed.part(0), pressed.number(1), pressed.part(2)
    wanted = None if what == "mine" else page
    if what == "all":
        pressed.answer.will_send(private=False)
    message = draw_leaderboard(await _page(pressed.interaction, pool, wanted))
    if what == "all":
        await pressed.answer.send(draw_leaderboard(await _page(pressed.interaction, pool, page), public=True), False)
    else:
        await pressed.answer.update(message)


@gops.command(name="profile", description="Ratings and results of a player")
@app_commands.describe(player="Whose profile")
async def profile(interaction: discord.Interaction[Any], player: discord.User | None = None) -> None:
    answer = Answer(interaction)

    async def work() -> None:
        await answer.send(draw_profile(await _profile(interaction, player or interaction.user)))

    await answered(answer, work)


async def _profile(interaction: discord.Interaction[Any], who: discord.abc.User) -> ProfileView:
    referee = services_of(interaction).referee
    return await referee.profile(server_of(interaction), who.id, who.display_name, interaction.user.id)


@press("pr", f"{ids.USER}:(?:history|all)")
async def profile_pressed(pressed: Press) -> None:
    """A person's history, or their profile for everyone."""
    user, what = pressed.number(0), pressed.part(1)
    pressed.answer.will_send(private=what == "history")
    if what == "history":
        await pressed.answer.send(await _history(pressed.interaction, user, "", 0))
        return
    name = await pressed.referee.name(server_of(pressed.interaction), user, "")
    view = await pressed.referee.profile(server_of(pressed.interaction), user, name, pressed.user)
    await pressed.answer.send(draw_profile(view, public=True), private=False)


@gops.command(name="history", description="Finished matches, newest first")
@app_commands.describe(player="Whose matches", game="Only this game")
@app_commands.autocomplete(game=complete_pool)
async def history(
    interaction: discord.Interaction[Any], player: discord.User | None = None, game: str | None = None
) -> None:
    answer = Answer(interaction)

    async def work() -> None:
        key = asking.find_offer_game(game) if game else ""
        await answer.send(await _history(interaction, (player or interaction.user).id, key, 0))

    await answered(answer, work)


async def _history(
    interaction: discord.Interaction[Any], user: int, game: str, page: int, public: bool = False
) -> Message:
    referee, guild = services_of(interaction).referee, server_of(interaction)
    name = await referee.name(guild, user, interaction.user.display_name)
    matches = await referee.history(guild, user, page, game)
    return draw_history(user, name, matches[:PAGE], page=page, more=len(matches) > PAGE, game=game, public=public)


@press("hi", f"{ids.USER}:(?:-|{ids.KEY}):{ids.NUMBER}:(?:back|next|all)")
async def history_turned(pressed: Press) -> None:
    """Another page of somebody's matches."""
    user, game, page, what = pressed.number(0), pressed.part(1), pressed.number(2), pressed.part(3)
    key = "" if game == "-" else game
    if what == "all":
        pressed.answer.will_send(private=False)
    message = await _history(pressed.interaction, user, key, page, public=what == "all")
    if what == "all":
        await pressed.answer.send(message, private=False)
    else:
        await pressed.answer.update(message)


@gops.command(name="rules", description="The rules of a game, on one screen")
@app_commands.describe(game=asking.DESCRIPTIONS["game"])
@app_commands.autocomplete(game=asking.complete_game)
async def rules(interaction: discord.Interaction[Any], game: str | None = None) -> None:
    answer = Answer(interaction)

    async def work() -> None:
        wanted = game
        if wanted is None and interaction.guild_id is not None:
            wanted = (await services_of(interaction).referee.store.guild(interaction.guild_id)).game
        await answer.send(await rules_message(asking.find_game(wanted or DEFAULT.key)))

    await answered(answer, work)


@press("se", f"(?:pool|game|rule|open)(?::{ids.NUMBER})?")
async def chosen(pressed: Press) -> None:
    """A menu of a look-up: another pool, another game."""
    what, value = pressed.part(0), pressed.value
    if what == "pool":
        await pressed.answer.update(draw_leaderboard(await _page(pressed.interaction, value, 0)))
    elif what in ("game", "rule"):
        await pressed.answer.update(await _rules(value))
    elif what == "open":
        pressed.answer.will_send()
        await pressed.answer.send(board_message(await pressed.referee.view(value, pressed.user)))
    else:
        raise stale()


@press("ru", rf"{ids.KEY}(?:\.[a-z_]+=[a-z0-9_+-]+)?:(?:practise|all)")
async def rules_pressed(pressed: Press) -> None:
    """Play it against the house, or show everyone."""
    key, what = pressed.part(0), pressed.part(1)
    if what == "practise":
        try:
            game, options = wish_of(key)
        except Refusal as refusal:
            raise stale() from refusal
        await practice.begin(pressed.interaction, pressed.answer, SLY, Wish(game=game, options=options))
    else:
        pressed.answer.will_send(private=False)
        await pressed.answer.send(await _rules(key, public=True), private=False)


async def _rules(key: str, public: bool = False) -> Message:
    """The card of a key that a menu or a button carries; what it names may be gone since."""
    try:
        return await rules_message(key, public=public)
    except Refusal as refusal:
        raise stale() from refusal
