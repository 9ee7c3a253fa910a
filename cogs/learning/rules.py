"""The rules of a game, on one screen."""

from __future__ import annotations

from discord import app_commands

from bot.engine.variants import DEFAULT
from bot.errors import RuleError
from bot.interactions.client import GopsClient
from bot.interactions.commands import command
from bot.interactions.component import component
from bot.interactions.context import InteractionContext, stale_button
from bot.interactions.shared import challenge_options
from bot.interactions.shared.board_button import board_component
from bot.interactions.shared.practice import begin_practice
from bot.interactions.shared.rules_card import Topic, find_topic, practice_options, render_rules_in_thread
from bot.referee.lobby.setups import Wish
from bot.referee.model.views import MatchView
from bot.referee.repository.house_levels import SLY
from bot.ui.custom_ids import learning_ids
from bot.ui.message import Message
from cogs.learning.about_card import about_card, tips_card, words_card


@command("rules", "The rules of a game, on one screen")
@app_commands.describe(game=challenge_options.DESCRIPTIONS["game"])
@app_commands.autocomplete(game=challenge_options.complete_game)
async def rules(context: InteractionContext, game: str | None = None) -> None:
    wanted = game
    if wanted is None and context.origin.guild:
        wanted = (await context.referee.deciding.load_settings(context.origin.guild)).game
    await context.answer.send(await render_rules_in_thread(challenge_options.find_game(wanted or DEFAULT.key)))


@board_component("rules")
async def board_rules_pressed(context: InteractionContext, view: MatchView) -> None:
    await context.answer.send(await render_rules_in_thread(view.setup.game, view.rules, view.series))


@component(learning_ids.TOPIC)
async def rules_chosen(context: InteractionContext) -> None:
    """The rules of another game, or one rule more."""
    await context.answer.update(await _rules(context.value))


@component(learning_ids.RULES)
async def rules_pressed(context: InteractionContext) -> None:
    """Play it against the house, or show everyone."""
    key, what = learning_ids.read_rules(context.id_parts)
    if what == "practise":
        try:
            game, options = practice_options(key)
        except RuleError as refusal:
            raise stale_button() from refusal
        await begin_practice(context, SLY, Wish(game=game, options=options))
    elif what == "tips":
        await context.answer.update(tips_card(_topic(key)))
    elif what in ("about", "words"):
        await context.answer.update(about_card(key) if what == "about" else words_card(key))
    elif what == "card":
        await context.answer.update(await _rules(key))
    else:
        context.answer.will_send(private=False)
        await context.answer.send(await _rules(key, public=True), private=False)


def _topic(key: str) -> Topic:
    try:
        return find_topic(key)
    except RuleError as refusal:
        raise stale_button() from refusal


async def _rules(key: str, public: bool = False) -> Message:
    """The card of a key that a menu or a button carries; what it names may be gone since."""
    try:
        return await render_rules_in_thread(key, public=public)
    except RuleError as refusal:
        raise stale_button() from refusal


async def setup(bot: GopsClient) -> None:
    bot.add_commands(rules)
    bot.add_components(rules_pressed, rules_chosen, board_rules_pressed)
