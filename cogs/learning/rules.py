"""The rules cards of games, and the cards behind them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from math import factorial

from discord import app_commands

from bot.engine.refusals import RuleError
from bot.engine.variants import DEFAULT
from bot.interactions.commands import command
from bot.interactions.component import component
from bot.interactions.context import InteractionContext, stale_button
from bot.interactions.shared import challenge_options
from bot.interactions.shared.board_button import board_component
from bot.interactions.shared.console_pages import turn_page, update_page
from bot.interactions.shared.practice import begin_practice
from bot.interactions.shared.rules_card import Topic, find_topic, practice_options, render_rules_in_thread
from bot.referee.lobby.setups import Wish
from bot.referee.model.views import MatchView
from bot.solver.players.levels import SLY
from bot.ui.custom_ids import learning_ids
from bot.ui.message import GREEN, Button, Message, Row, Text, join_lines, make_row
from bot.ui.text.sentences import say

ABOUT = ("history", "solved", "relatives", "trivia", "many", "sources")
THEORY = ("counts", "ross", "uses", "reading", "books")
WHICH = ("carry", "discard", "order", "best-of", "blind")
SUIT_CARDS = 13
"""Cards of a suit in Classic."""
GLOSSARY = (
    "match",
    "game",
    "seat",
    "challenge",
    "prize",
    "pot",
    "hand",
    "bid",
    "seal",
    "reveal",
    "round",
    "deal",
    "board",
    "console",
    "sheet",
    "clock",
    "house",
    "mix",
    "chance",
    "cost",
    "perfect",
    "estimated",
    "grades",
    "luckiest",
    "puzzle",
)
"""Words in the order in which a player meets them."""


def tips_card(topic: Topic) -> Message:
    """Return the card with tips for this game."""
    title = say("tips-title", game=topic.name)
    text = join_lines(title, *(say("tip-line", tip=tip) for tip in topic.rules.tips))
    house = Button(say("practise"), learning_ids.rules(topic.key, "practise"), GREEN)
    return Message(body=(Text(text), make_row(_back(topic.key), house)), essence=title)


def about_card(key: str) -> Message:
    """Return the card with history, names, sources and trivia; it is the same for every game."""
    title = say("about-title")
    deals = factorial(SUIT_CARDS)
    counted = {"cards": str(SUIT_CARDS), "deals": f"{deals:,}", "digits": str(len(str(deals**3)))}
    text = join_lines(title, *(say(f"about-{part}", **(counted if part == "many" else {})) for part in ABOUT))
    return Message(body=(Text(text), _lead_on(key, "words", "theory", "which")), essence=title)


def theory_card(key: str) -> Message:
    """Return the card with what research says, and what to read."""
    title = say("theory-title")
    text = join_lines(title, *(say(f"theory-{part}") for part in THEORY))
    return Message(body=(Text(text), _lead_on(key, "about")), essence=title)


def which_card(key: str) -> Message:
    """Return the card that says which rules are good for what."""
    title = say("which-title")
    text = join_lines(title, *(say(f"which-{part}") for part in WHICH))
    return Message(body=(Text(text), _lead_on(key, "about")), essence=title)


def words_card(key: str) -> Message:
    """Return the glossary."""
    title = say("glossary-title")
    text = join_lines(title, *(say(f"word-{word}") for word in GLOSSARY))
    return Message(body=(Text(text), _lead_on(key, "about")), essence=title)


def _lead_on(key: str, *cards: str) -> Row:
    """Return the way back to the rules, and to these cards."""
    labels = {"words": "glossary"}
    others = [Button(say(labels.get(card, card)), learning_ids.rules(key, card)) for card in cards]
    return make_row(_back(key), *others)


def _back(key: str) -> Button:
    return Button(say("back-to-rules"), learning_ids.rules(key, "card"))


@command("rules", "The rules of a game, on one screen", game="Type to search (default: server setting)")
@app_commands.autocomplete(game=challenge_options.complete_game)
async def rules(context: InteractionContext, game: str | None = None) -> None:
    wanted = game
    if wanted is None and context.origin.guild:
        wanted = (await context.referee.deciding.load_settings(context.origin.guild)).game
    await context.answer.send(await render_rules_in_thread(challenge_options.find_game(wanted or DEFAULT.key)))


@board_component("rules")
async def show_board_rules(_: InteractionContext, view: MatchView) -> Message:
    return await render_rules_in_thread(view.setup.game, view.rules, view.series)


@component(learning_ids.TOPIC)
async def choose_topic(context: InteractionContext) -> None:
    """Show the rules of another game, or with one rule more."""
    await update_page(context, await _card(context.value))


@component(learning_ids.RULES)
async def turn_rules(context: InteractionContext) -> None:
    """Turn the card, show it to everyone, or play by these rules against the house.

    A set-up card stays as it is, with its choices, when it is asked which rules are good for what."""
    key, what = learning_ids.read_rules(context.id_parts)
    if what == "practise":
        with _known_topic():
            game, options = practice_options(key)
        await begin_practice(context, SLY, Wish(game=game, options=options))
        return
    if what == "choose":
        context.answer.will_send()
        await context.answer.send(which_card(key))
        return
    if what == "all":
        context.answer.will_send(private=False)
    await turn_page(context, await _card(key, what), public=what == "all")


CARDS: Mapping[str, Callable[[str], Message]] = {
    "tips": lambda key: tips_card(find_topic(key)),
    "about": about_card,
    "words": words_card,
    "theory": theory_card,
    "which": which_card,
}
"""The cards behind a rules card."""


async def _card(key: str, what: str = "card") -> Message:
    """Return the rules card of a key that a menu or a button carries, or a card behind it."""
    with _known_topic():
        return CARDS[what](key) if what in CARDS else await render_rules_in_thread(key, public=what == "all")


@contextmanager
def _known_topic() -> Generator[None]:
    """Refuse a game or a rule that this version does not have any more."""
    try:
        yield
    except RuleError as refusal:
        raise stale_button() from refusal
