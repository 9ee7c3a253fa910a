"""Repair of typed options that conflict: leave out as few as possible, and repeat the command in the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import combinations
from typing import Any

from bot.engine.refusals import RuleError
from bot.engine.series import read_series
from bot.engine.text.presets import find_offer
from bot.engine.text.wording import abbreviate_option, read_words
from bot.engine.variants import DEFAULT
from bot.errors import RefereeError
from bot.interactions.context import InteractionContext
from bot.interactions.error_handler import describe_refusal
from bot.interactions.shared.setup_card import (
    Selection,
    describe_rules,
    is_table,
    read_rule,
    render_setup,
    split_rules,
)
from bot.referee.lobby.setups import Wish, make_setup, usual_seats, wish_of
from bot.referee.model.guild_settings import GuildSettings
from bot.rest.members import DiscordUser
from bot.ui.message import Message, Node, join_lines
from bot.ui.text.names import clean_name
from bot.ui.text.offers import CLOCKS, tie_rules
from bot.ui.text.sentences import say

MAX_LEFT_OUT = 3
"""parts that a repair leaves out at most; if that does not help, it leaves out all parts"""


@dataclass(frozen=True, slots=True)
class RepairedSetup:
    """Options that can be played, and what was left out of the typed ones."""

    choice: Selection
    left_out: tuple[str, ...]
    """typed options that were left out, in words"""
    server_rules: tuple[str, ...] = ()
    """server rules that were left out, in words"""
    reasons: tuple[RefereeError, ...] = ()
    """refusals that led to this, each one once"""


def find_fault(choice: Selection, guild: GuildSettings) -> RefereeError | None:
    """Return the refusal of a choice that cannot be played, or None if it can."""
    try:
        make_setup(choice, count_seats(choice, guild), guild)
    except RefereeError as refusal:
        return refusal
    except RuleError as refusal:
        return RefereeError(refusal.id, **refusal.data)
    return None


def repair_setup(choice: Selection, guild: GuildSettings) -> RepairedSetup | None:
    """Leave out as few parts as possible. Return None if no match results, or if the card's ids have no room for it."""
    parts = list(_list_parts(choice, guild))
    sizes = (*range(min(MAX_LEFT_OUT, len(parts)) + 1), len(parts))
    for out in (out for size in sizes for out in combinations(parts, size)):
        tried, reasons = choice, dict[str, RefereeError]()
        for part in out:
            fault = find_fault(tried, guild)
            if fault is not None:
                reasons.setdefault(fault.id, fault)
            tried = part.remove(tried)
        if find_fault(tried, guild) is None:
            tried = replace(tried, words=_shorten_words(tried))
            left, usual = (tuple(part.name for part in out if part.is_server_rule is usual) for usual in (False, True))
            return RepairedSetup(tried, left, usual, tuple(reasons.values())[:MAX_LEFT_OUT]) if tried.fits_ids else None
    return None


def count_seats(choice: Selection, guild: GuildSettings) -> int:
    """Return the number of players. One opponent is invited to a table if two players are too few for the game."""
    if is_table(choice):
        return choice.seats or usual_seats(choice, guild, people=2)
    return len(choice.people) + 1 + choice.house


def make_selection(wish: Wish, people: Sequence[int], seats: int | None, guild: GuildSettings) -> Selection:
    """Return a typed wish as choices of the set-up card."""
    values = {field.name: getattr(wish, field.name) for field in fields(Wish)}
    values["clock"] = wish.clock or (guild.clock if guild.clock in CLOCKS else 120)
    values["rated"] = guild.rated if wish.rated is None else wish.rated
    if not wish.game:
        values["game"] = guild.game
        values["words"] = ", ".join([*_server_rules(wish, guild), *filter(None, [wish.words])])
    return Selection(**values, people=tuple(people), seats=seats or 0)


async def begin_selection(context: InteractionContext, other: int, guild: GuildSettings) -> Selection:
    """Return the choices of a new card: those of the host's last challenge to this person, if it was within an hour."""
    last = await context.referee.challenges.find_last(guild.guild, context.user, other)
    usual = make_selection(Wish(), [other], None, guild)
    if last is None or last.setup.clock not in CLOCKS:
        return usual
    choice = make_selection(wish_of(last.setup, guild), [other], None, guild)
    return choice if choice.fits_ids and find_fault(choice, guild) is None else usual


def _server_rules(wish: Wish, guild: GuildSettings) -> list[str]:
    """Return the server's own rules, except those that the typed options set."""
    game, _ = find_offer(guild.game)
    typed_keys = {key for key, value in (("cards", wish.cards), ("ties", wish.ties)) if value is not None}
    for fragment in split_rules(wish.words):
        typed_keys |= read_rule(game, fragment).keys()
    return [rule for rule in split_rules(guild.options) if not read_rule(game, rule).keys() & typed_keys]


@dataclass(frozen=True, slots=True)
class SetupPart:
    """Part of a setup that a repair may leave out."""

    name: str
    remove: Callable[[Selection], Selection]
    is_server_rule: bool = False
    """True for a rule of the server that the user did not type"""


def _list_parts(choice: Selection, guild: GuildSettings) -> Iterator[SetupPart]:
    """Yield the parts that a repair may leave out, the least important first."""
    game, usual_game = find_offer(choice.game)[0], find_offer(guild.game)[0]
    usual = [read_rule(usual_game, rule) for rule in split_rules(guild.options)]
    for fragment in split_rules(choice.words):
        name = ", ".join(describe_rules(game, fragment))
        without = partial(_remove_words, fragment=fragment)
        yield SetupPart(name, without, read_rule(game, fragment) in usual)
    if choice.cards:
        yield SetupPart(say("kept-cards", n=choice.cards), lambda setup: replace(setup, cards=None))
    if choice.ties:
        name = say("kept-ties", what=tie_rules(DEFAULT).get(choice.ties, choice.ties))
        yield SetupPart(name, lambda setup: replace(setup, ties=None))
    if choice.series is not None and (series := read_series(choice.series)) != game.series:
        yield SetupPart(str(series), lambda setup: replace(setup, series=None))
    if choice.house:
        yield SetupPart(say("kept-house", n=choice.house), lambda setup: replace(setup, house=0, level=""))
    if choice.seats:
        yield SetupPart(say("seats", n=choice.seats), lambda setup: replace(setup, seats=0))


def _remove_words(choice: Selection, fragment: str) -> Selection:
    return replace(choice, words=",".join(rule for rule in choice.words.split(",") if rule.strip() != fragment))


def _shorten_words(choice: Selection) -> str:
    """Return the rules in their short forms."""
    game, _ = find_offer(choice.game)
    declared: dict[str, Any] = {option.key: option for option in game.options}
    chosen = read_words(game, choice.words)
    own = {key for key in ("cards", "ties") if getattr(choice, key)}
    return ", ".join(
        abbreviate_option(declared[key], value) for key, value in chosen.items() if key in declared.keys() - own
    )


SEAT_REFUSALS = ("fixed-seats", "wrong-seats")
REPAIRABLE = ("unknown-game", "no-such-game", "series-unread", "series-unknown", "series-odd", *SEAT_REFUSALS)
"""refusals of typed options, including those that the card solves with another game or a table"""

MAX_TYPED = 1500
"""characters of the typed command that an answer repeats"""


async def answer_with_repair(
    context: InteractionContext,
    refusal: RefereeError,
    wish: Wish,
    others: Sequence[DiscordUser] = (),
    seats: int | None = None,
) -> None:
    """Answer with a set-up card on which the challenge can be sent. Raise a refusal that has another cause again."""
    if context.origin.is_dm:
        raise refusal
    guild = await context.referee.deciding.load_settings(context.origin.guild)
    choice = make_selection(wish, [other.id for other in others], seats, guild)
    # Outside its servers the bot cannot look up users by id.
    repaired = None if context.origin.is_outside else repair_or_raise(refusal, choice, guild)
    if repaired is None:
        await context.answer.send(refusal_with_command(context, refusal))
    else:
        names = [other.name for other in others]
        typed = say("as-typed", x=typed_command(context))
        await context.answer.send(render_setup(repaired.choice, names, describe_repair(refusal, repaired), typed))


def repair_or_raise(refusal: RefereeError, choice: Selection, guild: GuildSettings) -> RepairedSetup | None:
    """Return the repaired choice, or None if there is none. Raise a refusal that has another cause again."""
    fault = find_fault(choice, guild)
    if refusal.id not in REPAIRABLE and (fault is None or fault.id != refusal.id):
        raise refusal
    return repair_setup(choice, guild)


def describe_repair(refusal: RefereeError, repaired: RepairedSetup) -> str:
    """Tell what was wrong and what was left out. A card that opens a table tells the number of seats itself."""
    usual = say("usual-left", list=", ".join(repaired.server_rules)) if repaired.server_rules else ""
    left = say("left-out", list=", ".join(repaired.left_out)) if repaired.left_out else ""
    is_on_card = refusal.id in SEAT_REFUSALS and bool(repaired.choice.people) and is_table(repaired.choice)
    more = [describe_refusal(reason) for reason in repaired.reasons if reason.id != refusal.id]
    return join_lines("" if is_on_card else describe_refusal(refusal), *more, usual, left)


def refusal_with_command(context: InteractionContext, refusal: RefereeError, *body: Node) -> Message:
    """Return the refusal with the whole command, which the user can copy and change."""
    return Message(join_lines(describe_refusal(refusal), say("as-typed", x=typed_command(context))), body)


def typed_command(context: InteractionContext) -> str:
    """Return the command with its options as the user typed it."""
    data: Any = context.data
    resolved: dict[str, Any] = data.get("resolved") or {}
    users: dict[str, Any] = resolved.get("users") or {}
    names = {id: user.get("global_name") or user["username"] for id, user in users.items()}
    words, options = [f"/{data.get('name', '')}"], data.get("options", [])
    while options and "options" in options[0]:
        words.append(options[0]["name"])
        options = options[0]["options"]
    for option in options:
        value = option["value"]
        text = f"@{names[value]}" if value in names else str(value).lower() if isinstance(value, bool) else str(value)
        words.append(f"{option['name']}:{context.choice_names.get(option['name'], text)}")
    return clean_name(" ".join(words).replace("`", "'"), MAX_TYPED)
