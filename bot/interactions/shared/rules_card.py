"""Rules card: the rules of a game on one screen, in five short parts, from the guide in the game's file."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bot.engine.counted import Sentence
from bot.engine.guide import Note
from bot.engine.options import CardList, OneOf, Switch, Value
from bot.engine.refusals import RuleError, Unreadable
from bot.engine.rules import Game, Rules
from bot.engine.series import Series
from bot.engine.text.presets import find_offer, list_offers
from bot.engine.text.wording import EXAMPLES, describe_series, sample_order
from bot.interactions.shared.worked_example import play_example
from bot.ui.custom_ids import learning_ids
from bot.ui.message import GREEN, Button, Menu, MenuOption, Message, Text, join_lines, make_row
from bot.ui.screens.refusals import describe_error
from bot.ui.text.names import clean_name
from bot.ui.text.sentences import capitalize, say, uncapitalize
from bot.ui.text.terms import option_words, short_name

MAX_TEXT = 1800
"""characters of a card with a tip"""
MAX_OPTIONS = 25
"""options that a menu takes"""

MAX_LABEL = 100
"""characters of a label and of a description in a menu"""

MAX_KEY = 85
"""characters of a key that the ids of buttons can carry"""

EXAMPLE_TITLE = "Example"


@dataclass(frozen=True)
class Topic:
    """Subject of a rules card: a game, a preset, or a game with changed rules."""

    key: str
    """key in custom ids: classic, blind, classic.clinch=true.blind=true, with the newest choice first"""
    name: str
    title: str
    """changed rules in words; empty if no rule is changed"""
    rules: Rules
    series: Series

    @property
    def game(self) -> Game:
        return self.rules.game


def find_topic(key: str) -> Topic:
    """Return the topic of this key, or raise `RuleError` if there is none."""
    base, dot, changed = key.partition(".")
    game, offer = find_offer(base)
    seats = offer.seats or game.seats[0]
    if not dot:
        title = "" if offer.key == game.key else offer.title
        return Topic(key, offer.name, title, game.rules(seats, offer.options), game.series)
    single = {topic.key: topic for topic in list_rule_topics(game)}
    chosen = [single.get(f"{game.key}.{rule}") for rule in changed.split(".")]
    topics = [topic for topic in chosen if topic is not None]
    if len(topics) < len(chosen):
        raise Unreadable("unknown-game", x=key[:40], y=game.name, all=game.name)
    return topics[0] if len(topics) == 1 else _combine_rules(topics)


def _combine_rules(topics: Sequence[Topic]) -> Topic:
    """Return a game with several changed rules, the newest choice first, or raise `RuleError` if they conflict."""
    first, game = topics[0], topics[0].game
    options = {name: value for topic in reversed(topics) for name, value in _changed_options(topic).items()}
    rules = game.rules(game.seats[0], options)
    key = ".".join([game.key, *(topic.key.partition(".")[2] for topic in topics)])
    return Topic(key, game.name, capitalize(", ".join(_unusual_words(rules))) or first.title, rules, first.series)


def _changed_options(topic: Topic) -> dict[str, Any]:
    """Return the options that differ from those of the plain game."""
    usual = topic.game.rules(topic.game.seats[0]).options
    values: Mapping[str, Value] = topic.rules.options
    changed = {name: value for name, value in values.items() if value != usual.get(name)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in changed.items()}


def make_topic(rules: Rules, series: Series | None = None) -> Topic:
    """Return the topic of a match. Its buttons lead to the game without changed rules."""
    game = rules.game
    return Topic(
        game.key, game.name, ", ".join(_unusual_words(rules)), rules, game.series if series is None else series
    )


def _unusual_words(rules: Rules) -> list[str]:
    """Return in words what differs from the plain game."""
    usual = set(option_words(rules.game.rules(rules.game.seats[0])))
    return [word for word in option_words(rules) if word not in usual]


@lru_cache(maxsize=64)
def list_rule_topics(game: Game) -> tuple[Topic, ...]:
    """Return a topic for each rule of a game that can be changed."""
    topics: list[Topic] = []
    for option in game.options:
        match option:
            case OneOf():
                usual = game.rules(game.seats[0]).options.get(option.key)
                values: list[Any] = [value for value in option.values if value != usual]
            case Switch():
                values = [not option.default]
            case CardList():
                values = [list(sample_order(game))]
            case _:
                values = [EXAMPLES.get(option.key, option.low)]
        for value in values:
            topic = _make_rule_topic(game, option.key, option.title, value)
            if topic is not None:  # a custom order and its list are one rule
                topics = [*(other for other in topics if other.rules.options != topic.rules.options), topic]
    return tuple(topics)


REQUIRED_OPTIONS: dict[str, dict[str, Any]] = {
    "remainder": {"bid_cards": 2},
    "row_size": {"open": "row"},
    "prizes": {"order": "custom"},
}
"""options that need another option to have an effect"""


def _make_rule_topic(game: Game, option: str, title: str, value: Any) -> Topic | None:
    options = {**REQUIRED_OPTIONS.get(option, {}), option: value}
    if option == "order" and value == "custom":
        options["prizes"] = list(sample_order(game))
    try:
        rules = game.rules(game.seats[0], options)
    except RuleError:
        return None  # the fewest seats exclude it, or another option covers it
    value_key = str(value).lower() if not isinstance(value, list) else "listed"
    key = f"{game.key}.{option}={value_key}"
    return Topic(key, game.name, capitalize(", ".join(_unusual_words(rules))) or title, rules, game.series)


# --- the card ------------------------------------------------------------------------------------------------


def render_rules(
    key: str, rules: Rules | None = None, series: Series | None = None, *, public: bool = False, opening: str = ""
) -> Message:
    """Render the rules card of a topic.

    `rules` and `series` are those of a match; `public` renders the copy for the channel, without menus and buttons.
    """
    topic = find_topic(key) if rules is None else make_topic(rules, series)
    title = say("rules-title", game=topic.name)
    if topic.title and topic.name == topic.game.name:
        title = say("rules-title-with", game=topic.name, rule=uncapitalize(topic.title))
    text = join_lines(title, *list_parts(topic, is_match=rules is not None), say("rules-seals"))
    if topic.rules.tips:
        with_tip = join_lines(text, say("tip", tip=topic.rules.tips[0]))
        text = with_tip if len(with_tip) <= MAX_TEXT else text
    if opening:
        text = join_lines(text, say("rules-opening", opening=opening))
    if public:
        return Message(body=(Text(text),), essence=title)
    menus = [make_row(menu) for menu in (*_make_game_menus(topic), *_make_rule_menus(topic))]
    practise = Button(say("practise"), learning_ids.rules(topic.key, "practise"), GREEN)
    more = [Button(say(what), learning_ids.rules(topic.key, what)) for what in ("tips", "about")]
    show_public = Button(say("show-everyone"), learning_ids.rules(topic.key, "all"), is_public=True)
    return Message(body=(Text(text), *menus, make_row(practise, *more, show_public)), essence=title)


def list_parts(topic: Topic, is_match: bool = False) -> tuple[str, ...]:
    """Return the five parts as the card shows them."""
    parts = [*list_part_texts(topic, is_match), (EXAMPLE_TITLE, f"\n{play_example(topic.rules)}")]
    return tuple(say("rules-part", title=title, text=text) for title, text in parts)


def list_part_texts(topic: Topic, is_match: bool = False) -> list[tuple[str, str]]:
    """Return title and text of each part but the example.

    The texts agree with the options in force. `is_match`: the rules are those of a match, so the tie rule is shown.
    """
    guide, notes = topic.game.guide, list_notes(topic, is_match)
    line = guide.line if topic.name == topic.game.name else f"{topic.title}. {guide.line}"
    parts = [("In one line", line)]
    for title, part, text in (
        ("A round", "round", guide.round),
        ("Ties", "ties", guide.ties),
        ("Winning", "winning", guide.winning),
    ):
        part_notes = [note for note in notes if note.part == part]
        last = max((place for place, note in enumerate(part_notes) if note.instead), default=-1)
        whole = [] if last >= 0 else [text]
        whole += [_fill_in(note.text, note, topic.rules) for note in part_notes[max(last, 0) :]]
        if part == "winning":
            whole.append(describe_series(topic.series, topic.rules))
        parts.append((title, " ".join(filter(None, whole))))
    return [(title, _swap_words(text, notes, topic.rules)) for title, text in parts]


def list_notes(topic: Topic, is_match: bool = False) -> list[Note]:
    """Return the notes for changed options and, unless the card shows the plain game, for the tie rule."""
    usual = topic.game.rules(topic.game.seats[0]).options
    values = topic.rules.options
    keys = {key for key, value in values.items() if value != usual.get(key) and value is not None}
    if is_match or keys or topic.title:
        keys.add("ties")  # the plain game explains every tie rule, a match only its own
    return [
        note
        for note in topic.game.notes
        if note.option in keys
        and note.value in (None, values.get(note.option))
        and (note.where is None or values.get(note.where[0]) in note.where[1])
    ]


def _swap_words(text: str, notes: Sequence[Note], rules: Rules) -> str:
    for note in notes:
        for words, instead in note.swaps:
            text = text.replace(words, _fill_in(instead, note, rules))
    return text


def _fill_in(sentence: Sentence, note: Note, rules: Rules) -> str:
    """Fill in a note's sentence: `{n}` is the option's value, `{low}` and `{high}` the ends of a suit of n cards."""
    value: Value = rules.options[note.option]
    if isinstance(value, tuple):
        return sentence.format(n=" ".join(map(rules.face, value)))
    ends = {"low": _card_name(1, rules), "high": _card_name(value, rules) if isinstance(value, int) else ""}
    return sentence.format(n=value, **ends)


def _card_name(number: int, rules: Rules) -> str:
    """Return a card, with its value if the face does not show it: "A (1)"."""
    face = rules.face(number)
    return face if face == str(number) else f"{face} ({number})"


# --- menus ---------------------------------------------------------------------------------------------------


def _make_game_menus(topic: Topic) -> list[Menu]:
    """Return menus of all games and presets, as many as are needed."""
    base = topic.key.partition(".")[0]
    options = [MenuOption(offer.name, offer.key, offer.title[:100], offer.key == base) for offer in list_offers()]
    return _make_menus("game", say("which-game"), options)


def _make_rule_menus(topic: Topic) -> list[Menu]:
    """Return menus of the rules that can be changed. Each row keeps the chosen rules, or tells which ones it drops."""
    before = _chosen_rules(topic)
    rules = list_rule_topics(topic.game)
    options = [_make_rule_row(rule, before, chosen=bool(before) and rule is before[0]) for rule in rules]
    return _make_menus("rule", say("which-rule", game=short_name(topic.game)), options)


def _chosen_rules(topic: Topic) -> list[Topic]:
    """Return the changed rules of a card one by one, the newest choice first."""
    base, _, changed = topic.key.partition(".")
    game, offer = find_offer(base)
    of_preset = (f"{name}={str(value).lower()}" for name, value in offer.options.items())
    single = {rule.key: rule for rule in list_rule_topics(game)}
    keys = (f"{game.key}.{rule}" for rule in (changed.split(".") if changed else of_preset))
    return [single[key] for key in keys if key in single]


def _make_rule_row(rule: Topic, before: Sequence[Topic], chosen: bool) -> MenuOption:
    """Return the row of a rule, with all rules of `before` that are compatible with it."""
    topics, dropped = [rule], list[str]()
    for other in before:
        if other is rule:
            continue
        name = uncapitalize(other.title)
        try:
            combined = _combine_rules([*topics, other])
        except RuleError as refusal:
            dropped.append(say("rule-without", rule=name, why=describe_error(refusal)))
            continue
        options = combined.rules.options
        if any(options[option] != other.rules.options[option] for option in _changed_options(other)):
            dropped.append(say("rule-instead", rule=name))
        elif len(combined.key) <= MAX_KEY:
            topics.append(other)
    key = _combine_rules(topics).key
    return MenuOption(rule.title[:MAX_LABEL], key, clean_name(" ".join(filter(None, dropped)), MAX_LABEL), chosen)


def _make_menus(what: str, placeholder: str, options: list[MenuOption]) -> list[Menu]:
    pages = [options[start : start + MAX_OPTIONS] for start in range(0, len(options), MAX_OPTIONS)]
    return [Menu(learning_ids.topic(what, number), placeholder, tuple(page)) for number, page in enumerate(pages)]


def practice_options(key: str) -> tuple[str, dict[str, Any]]:
    """Return the game or preset and the options for a practice match with the rules of a topic."""
    base, _, changed = key.partition(".")
    if not changed:
        find_offer(base)
        return base, {}
    return base, _changed_options(find_topic(key))


async def render_rules_in_thread(
    key: str, rules: Rules | None = None, series: Series | None = None, *, public: bool = False, opening: str = ""
) -> Message:
    """Render a rules card in a thread, because its example takes long to compute.

    `opening`: all digits of the opening of a challenge that is not accepted yet. See `render_rules` for the rest.
    """
    return await asyncio.to_thread(render_rules, key, rules, series, public=public, opening=opening)
