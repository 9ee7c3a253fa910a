"""Looking things up: leaderboard, profile, rules. Private; *Show everyone* posts a copy."""

from __future__ import annotations

import logging

from discord import app_commands

from bot.engine.variants import GAMES
from bot.errors import Refused
from bot.interactions.client import GopsClient
from bot.interactions.commands import Rows, Somebody, command, picker, user_menu
from bot.interactions.component import press
from bot.interactions.context import Asked, stale
from bot.interactions.shared import asking
from bot.interactions.shared.board_button import check_spoils_nothing
from bot.messages.render import board_message
from bot.pictures import rating
from bot.referee.model.views import LeaderboardView, ProfileView
from bot.referee.people.people import PAGE
from bot.referee.repository.standings import pool_of
from bot.rest.member import Who
from bot.ui.custom_ids import records_ids
from bot.ui.message import Message
from bot.ui.text.sentences import say
from cogs.records.exporting import send_history
from cogs.records.head_to_head import Met, chart
from cogs.records.honours import curve_words
from cogs.records.leaderboard_card import leaderboard as leaderboard_card
from cogs.records.profile_card import history as history_card
from cogs.records.profile_card import profile as profile_card
from cogs.records.seasons import complete_season, season_of

log = logging.getLogger(__name__)

PATIENCE = 10.0
"""seconds that a picture may take"""
RESULTS = ("won", "lost", "drawn")


@picker
async def complete_pool(asked: Asked, current: str) -> Rows:
    """Rankings: the classic family is one, every other game has its own."""
    pools: dict[str, str] = {}
    for game in GAMES:
        pools.setdefault(game.pool or game.key, "Classic family" if game.pool else game.name)
    wanted = current.lower()
    return [app_commands.Choice(name=name, value=key) for key, name in pools.items() if wanted in name.lower()][:25]


@command("leaderboard", "The best players of this server")
@app_commands.describe(game="Which ranking; type to search", season="Which season, or all time")
@app_commands.autocomplete(game=complete_pool, season=complete_season)
async def leaderboard(asked: Asked, game: str | None = None, season: str | None = None) -> None:
    pool = pool_of(asking.find_offer_game(game)) if game else ""
    await asked.answer.send(leaderboard_card(await _page(asked, pool, 0, await season_of(asked, season))))


async def _page(asked: Asked, pool: str, page: int | None, season: int | None) -> LeaderboardView:
    """A page as it is known. Who is on it is looked at meanwhile: the next look knows who has left, and new names."""
    view = await asked.referee.people.leaderboard(asked.guild, asked.user, pool, page, season)
    if view.season is None or not view.season.over:
        asked.services.members.look(asked.guild, [row.user for row in view.rows if row.user != asked.user])
    if not view.size and not view.seasons:
        raise Refused("empty-board")
    return view


@press(records_ids.LEADERBOARD)
async def leaderboard_turned(asked: Asked) -> None:
    """Another page of a ranking."""
    pool, page, what, season = records_ids.read_leaderboard(asked.parts)
    wanted = None if what == "mine" else page
    if what == "all":
        asked.answer.will_send(private=False)
    message = leaderboard_card(await _page(asked, pool, wanted, season))
    if what == "all":
        await asked.answer.send(leaderboard_card(await _page(asked, pool, page, season), public=True), False)
    else:
        await asked.answer.update(message)


@command("profile", "Ratings and results of a player")
@app_commands.describe(player="Whose profile")
async def profile(asked: Asked, player: Somebody | None = None) -> None:
    await asked.answer.send(await _card(asked, await _profile(asked, player or asked.who)))


async def _card(asked: Asked, view: ProfileView, public: bool = False) -> Message:
    """With its curve, where there is one and it can be painted in time; words say what it shows."""
    graph = None
    if view.curve is not None:
        try:
            graph = await asked.services.coach.worker.think(rating.drawn, view.curve.points, PATIENCE)
        except Exception:  # without a worker there is a profile all the same
            log.exception("a rating could not be painted")
    return profile_card(view, graph=graph, alt=curve_words(view.curve) if view.curve else "", public=public)


@user_menu("Rating and history")
async def profile_menu(asked: Asked, member: Who) -> None:
    """The same from the menu of a person; their matches stand behind its button."""
    await asked.answer.send(profile_card(await _profile(asked, member)))


async def _profile(asked: Asked, who: Who) -> ProfileView:
    referee = asked.referee
    return await referee.people.profile(asked.past_of(who.id), who.id, who.name, asked.user)


@press(records_ids.PROFILE)
async def profile_pressed(asked: Asked) -> None:
    """A person's history, or their profile for everyone."""
    user, what = records_ids.read_profile(asked.parts)
    asked.answer.will_send(private=what == "history")
    if what == "history":
        await asked.answer.send(await _history(asked, records_ids.Listing(user), 0))
        return
    guild = asked.past_of(user)
    name = await asked.referee.people.name(guild, user, asked.who.name if user == asked.user else "")
    view = await asked.referee.people.profile(guild, user, name, asked.user)
    await asked.answer.send(await _card(asked, view, public=True), private=False)


@command("history", "Finished matches, newest first")
@app_commands.describe(
    player="Whose matches",
    game="Only this game",
    against="Only with this player; tells how the two did",
    result="Only those with this result",
    season="Only those of this season",
)
@app_commands.choices(result=[app_commands.Choice(name=say(f"result-{one}"), value=one) for one in RESULTS])
@app_commands.autocomplete(game=complete_pool, season=complete_season)
async def history(
    asked: Asked,
    player: Somebody | None = None,
    game: str | None = None,
    against: Somebody | None = None,
    result: str = "",
    season: str | None = None,
) -> None:
    key = asking.find_offer_game(game) if game else ""
    user, other = (player or asked.who).id, against.id if against is not None else 0
    if other == user:
        raise Refused("against-oneself")
    wanted = records_ids.Listing(user, key, result, other, await season_of(asked, season) or 0)
    await asked.answer.send(await _history(asked, wanted, 0, name_of=against))


async def _history(
    asked: Asked, wanted: records_ids.Listing, page: int, *, public: bool = False, name_of: Who | None = None
) -> Message:
    people, guild = asked.referee.people, asked.past_of(wanted.user)
    name = await people.name(guild, wanted.user, asked.who.name)
    filtered = (wanted.game, wanted.against, wanted.result, wanted.season)
    matches = await people.history(guild, wanted.user, page, *filtered)
    met: Met | None = None
    if wanted.against:
        other = await people.name(guild, wanted.against, name_of.name if name_of is not None else "")
        view = await people.head_to_head(guild, wanted.user, wanted.against, wanted.game)
        picture = chart(view, name, other) if view is not None else ""
        met = Met(other, view, await asked.services.painter.paint(picture) if picture else b"")
    more, own = len(matches) > PAGE, wanted.user == asked.user
    return history_card(wanted, name, matches[:PAGE], page=page, more=more, met=met, public=public, own=own)


@press(records_ids.HISTORY)
async def history_turned(asked: Asked) -> None:
    """Another page of somebody's matches."""
    wanted, page, what = records_ids.read_history(asked.parts)
    if what == "export":
        if wanted.user != asked.user:
            raise stale()
        asked.answer.will_send()
        await send_history(asked)
        return
    if what == "all":
        asked.answer.will_send(private=False)
    message = await _history(asked, wanted, page, public=what == "all")
    if what == "all":
        await asked.answer.send(message, private=False)
    else:
        await asked.answer.update(message)


@press(records_ids.POOL)
async def pool_chosen(asked: Asked) -> None:
    """Another ranking."""
    await asked.answer.update(leaderboard_card(await _page(asked, asked.value, 0, records_ids.read_pool(asked.parts))))


@press(records_ids.SEASON)
async def season_chosen(asked: Asked) -> None:
    """The same ranking in another season, or of all time; the first of those that it has."""
    if not asked.value.isdecimal() or len(asked.value) > 9:
        raise stale()
    season, pool = int(asked.value), records_ids.read_season(asked.parts)
    view = await _page(asked, pool, 0, season)
    if pool not in view.pools:
        view = await _page(asked, "", 0, season)
    await asked.answer.update(leaderboard_card(view))


@press(records_ids.OPEN)
async def match_chosen(asked: Asked) -> None:
    """A match of somebody's history."""
    asked.answer.will_send()
    view = await asked.referee.views.of(asked.value, asked.user)
    check_spoils_nothing(asked, view)
    await asked.answer.send(board_message(view))


async def setup(bot: GopsClient) -> None:
    bot.offer(leaderboard, profile, history)
    bot.tree.add_command(profile_menu)
    bot.answer(leaderboard_turned, profile_pressed, history_turned, pool_chosen, season_chosen, match_chosen)
