"""Cards behind a rules card: tips, the history of these games, and the glossary."""

from __future__ import annotations

from math import factorial

from bot.interactions.shared.rules_card import Topic
from bot.ui.custom_ids import learning_ids
from bot.ui.message import GREEN, Button, Message, Text, join_lines, make_row
from bot.ui.text.sentences import say

ABOUT = ("history", "solved", "relatives", "trivia", "many", "sources")
CARDS = 13
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
    deals = factorial(CARDS)
    counted = {"cards": str(CARDS), "deals": f"{deals:,}", "digits": str(len(str(deals**3)))}
    text = join_lines(title, *(say(f"about-{part}", **(counted if part == "many" else {})) for part in ABOUT))
    words = Button(say("glossary"), learning_ids.rules(key, "words"))
    return Message(body=(Text(text), make_row(_back(key), words)), essence=title)


def words_card(key: str) -> Message:
    """Return the glossary."""
    title = say("glossary-title")
    text = join_lines(title, *(say(f"word-{word}") for word in GLOSSARY))
    return Message(
        body=(Text(text), make_row(_back(key), Button(say("about"), learning_ids.rules(key, "about")))), essence=title
    )


def _back(key: str) -> Button:
    return Button(say("back-to-rules"), learning_ids.rules(key, "card"))
