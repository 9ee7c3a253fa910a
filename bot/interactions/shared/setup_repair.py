"""What was typed and does not go together: what to change, the least that puts it right, and nothing of it lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

from bot.engine.refusals import RuleError
from bot.engine.rules import Game
from bot.engine.series import read_series
from bot.engine.text.presets import find_offer
from bot.engine.text.wording import abbreviate_option, read_words
from bot.engine.variants import DEFAULT
from bot.errors import RefereeError
from bot.interactions.context import InteractionContext
from bot.interactions.error_handler import describe_refusal
from bot.interactions.shared.setup_card import Selection, describe_rules, is_table, render_setup, split_rules
from bot.referee.lobby.setups import Wish, make_setup, usual_seats
from bot.referee.model.guild_settings import GuildSettings
from bot.rest.members import DiscordUser
from bot.ui.message import Message, Node, join_lines
from bot.ui.text.names import clean_name
from bot.ui.text.offers import CLOCKS, read_series_key, series_key, tie_rules
from bot.ui.text.sentences import say

MAX_LEFT_OUT = 3
"""so many things are left out at once, one after the other is tried before; beyond that nothing of them stays"""


@dataclass(frozen=True, slots=True)
class RepairedSetup:
    """What can be played of what was typed."""

    choice: Selection
    left_out: tuple[str, ...]
    """what had to be left out, in words"""
    server_rules: tuple[str, ...] = ()
    """rules of the server that had to give way, in words"""
    reasons: tuple[RefereeError, ...] = ()
    """why each of these had to go"""


def find_fault(choice: Selection, guild: GuildSettings) -> RefereeError | None:
    """Why a choice cannot be played; None if it can."""
    wish = make_wish(choice)
    try:
        make_setup(wish, count_seats(choice, wish, guild), guild)
    except RefereeError as refusal:
        return refusal
    except RuleError as refusal:
        return RefereeError(refusal.id, **refusal.data)
    return None


def repair_setup(choice: Selection, guild: GuildSettings) -> RepairedSetup | None:
    """The same with the least left out; None if that is no match either, or more than a card's buttons can carry."""
    parts = list(_list_parts(choice, guild))
    sizes = (*range(min(MAX_LEFT_OUT, len(parts)) + 1), len(parts))
    for out in (out for size in sizes for out in combinations(parts, size)):
        tried, reasons = choice, dict[str, RefereeError]()
        for part in out:
            wrong = find_fault(tried, guild)
            if wrong is not None:
                reasons.setdefault(wrong.id, wrong)
            tried = part.remove(tried)
        if find_fault(tried, guild) is None:
            tried = replace(tried, words=_shorten_words(tried))
            left, usual = (tuple(one.name for one in out if one.is_server_rule is usual) for usual in (False, True))
            return RepairedSetup(tried, left, usual, tuple(reasons.values())[:MAX_LEFT_OUT]) if tried.fits_ids else None
    return None


def count_seats(choice: Selection, wish: Wish, guild: GuildSettings) -> int:
    """How many would play. One person who is too few for a game is asked to a table."""
    if choice.people:
        game, offer = find_offer(choice.game)
        asked = len(choice.people) + 1
        few = asked == 2 and not (offer.seats in (None, 2) and game.seats[0] <= 2)
        return usual_seats(wish, guild) if few else asked
    return choice.seats or usual_seats(wish, guild)


def make_wish(choice: Selection) -> Wish:
    chosen = read_series_key(choice.series) if choice.series else None
    series = chosen.data() if chosen is not None else None
    return Wish(
        game=choice.game,
        cards=choice.cards or None,
        ties=choice.ties or None,
        clock=choice.clock,
        series=series,
        rated=choice.rated,
        words=choice.words,
        place=choice.place or None,
    )


def make_selection(wish: Wish, people: Sequence[int], seats: int | None, guild: GuildSettings) -> Selection:
    """What was typed, as a card holds it."""
    series = series_key(read_series(wish.series)) if wish.series is not None else ""
    return Selection(
        people=tuple(people),
        game=wish.game or guild.game,
        ties=wish.ties or "",
        clock=wish.clock or (guild.clock if guild.clock in CLOCKS else 120),
        series=series,
        seats=seats or 0,
        cards=wish.cards or 0,
        rated=wish.rated,
        place=wish.place or "",
        words=wish.words if wish.game else ", ".join([*_server_rules(wish, guild), *filter(None, [wish.words])]),
    )


def _server_rules(wish: Wish, guild: GuildSettings) -> list[str]:
    """The server's own rules, without those for which something else was typed."""
    game, _ = find_offer(guild.game)
    asked = {key for key, value in (("cards", wish.cards), ("ties", wish.ties)) if value is not None}
    for fragment in split_rules(wish.words):
        asked |= _rule_values(game, fragment).keys()
    return [one for one in split_rules(guild.options) if not _rule_values(game, one).keys() & asked]


def _rule_values(game: Game, fragment: str) -> Mapping[str, Any]:
    """What one rule sets; nothing where it cannot be read."""
    try:
        return read_words(game, fragment)
    except RuleError:
        return {}


@dataclass(frozen=True, slots=True)
class SetupPart:
    """Something that may be left out."""

    name: str
    remove: Callable[[Selection], Selection]
    is_server_rule: bool = False
    """whether it is a rule of the server that nobody typed"""


def _list_parts(choice: Selection, guild: GuildSettings) -> Iterator[SetupPart]:
    """Everything that may be left out, in words, what matters least first."""
    game, usual_game = find_offer(choice.game)[0], find_offer(guild.game)[0]
    usual = [_rule_values(usual_game, one) for one in split_rules(guild.options)]
    for fragment in split_rules(choice.words):
        name = ", ".join(describe_rules(game, fragment))
        without = partial(_remove_words, fragment=fragment)
        yield SetupPart(name, without, _rule_values(game, fragment) in usual)
    if choice.cards:
        yield SetupPart(say("kept-cards", n=choice.cards), lambda one: replace(one, cards=0))
    if choice.ties:
        name = say("kept-ties", what=tie_rules(DEFAULT).get(choice.ties, choice.ties))
        yield SetupPart(name, lambda one: replace(one, ties=""))
    if choice.series and choice.series != series_key(find_offer(choice.game)[0].series):
        yield SetupPart(
            say("kept-series", what=str(read_series_key(choice.series))), lambda one: replace(one, series="")
        )
    if choice.seats:
        yield SetupPart(say("kept-seats", n=choice.seats), lambda one: replace(one, seats=0))


def _remove_words(choice: Selection, fragment: str) -> Selection:
    return replace(choice, words=",".join(one for one in choice.words.split(",") if one.strip() != fragment))


def _shorten_words(choice: Selection) -> str:
    """The rules as short as they can be typed."""
    game, _ = find_offer(choice.game)
    declared: dict[str, Any] = {one.key: one for one in game.options}
    chosen = read_words(game, choice.words)
    own = {key for key in ("cards", "ties") if getattr(choice, key)}
    return ", ".join(
        abbreviate_option(declared[key], value) for key, value in chosen.items() if key in declared.keys() - own
    )


SEAT_REFUSALS = ("fixed-seats", "wrong-seats")
REPAIRABLE = ("unknown-game", "no-such-game", "series-unread", "series-unknown", "series-odd", *SEAT_REFUSALS)
"""refusals that are about what was typed, also where the card has an answer: another game, or a table"""

MAX_TYPED = 1500
"""characters of what was typed that an answer repeats"""


async def answer_with_repair(
    context: InteractionContext,
    refusal: RefereeError,
    wish: Wish,
    others: Sequence[DiscordUser] = (),
    seats: int | None = None,
) -> None:
    """Answer with the card on which it can be sent after all. A refusal that is not about what was typed stays one."""
    if not context.origin.guild and not context.origin.is_outside:
        raise refusal
    if context.origin.is_outside:  # nobody can be asked for again by their number there
        await context.answer.send(refusal_with_command(context, refusal))
        return
    guild = await context.referee.deciding.load_settings(context.origin.guild)
    choice = make_selection(wish, [other.id for other in others], seats, guild)
    found = repair_or_raise(refusal, choice, guild)
    if found is None:
        await context.answer.send(refusal_with_command(context, refusal))
    else:
        names = [other.name for other in others]
        typed = say("as-typed", x=typed_command(context))
        await context.answer.send(render_setup(found.choice, names, describe_repair(refusal, found), typed))


def repair_or_raise(refusal: RefereeError, choice: Selection, guild: GuildSettings) -> RepairedSetup | None:
    """What can be played of it, if one press can bring that; the refusal itself if it is about something else."""
    wrong = find_fault(choice, guild)
    if refusal.id not in REPAIRABLE and (wrong is None or wrong.id != refusal.id):
        raise refusal
    return repair_setup(choice, guild)


def describe_repair(refusal: RefereeError, found: RepairedSetup) -> str:
    """What was wrong, and what has become of it. A card that opens a table says by itself how many it takes."""
    usual = say("usual-left", list=", ".join(found.server_rules)) if found.server_rules else ""
    left = say("left-out", list=", ".join(found.left_out)) if found.left_out else ""
    said = refusal.id in SEAT_REFUSALS and bool(found.choice.people) and is_table(found.choice)
    more = [describe_refusal(one) for one in found.reasons if one.id != refusal.id]
    return join_lines("" if said else describe_refusal(refusal), *more, usual, left)


def refusal_with_command(context: InteractionContext, refusal: RefereeError, *body: Node) -> Message:
    """What was wrong, and the whole command to be copied and changed."""
    return Message(join_lines(describe_refusal(refusal), say("as-typed", x=typed_command(context))), body)


def typed_command(context: InteractionContext) -> str:
    """The command as it was typed."""
    data: Any = context.data
    names = {id: one.get("global_name") or one["username"] for id, one in _resolved_users(data).items()}
    words, options = [f"/{data.get('name', '')}"], data.get("options", [])
    while options and "options" in options[0]:
        words.append(options[0]["name"])
        options = options[0]["options"]
    for one in options:
        value = one["value"]
        told = f"@{names[value]}" if value in names else str(value).lower() if isinstance(value, bool) else str(value)
        words.append(f"{one['name']}:{context.choice_names.get(one['name'], told)}")
    return clean_name(" ".join(words).replace("`", "'"), MAX_TYPED)


def _resolved_users(data: Any) -> dict[str, Any]:
    resolved: dict[str, Any] = data.get("resolved") or {}
    return resolved.get("users") or {}
