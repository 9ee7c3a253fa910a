"""Typed options that do not go together: what to change, and everything that was typed is still there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.errors import RefereeError
from bot.interactions.context import InteractionContext
from bot.interactions.error_handler import describe_refusal
from bot.interactions.shared.setup_card import Selection, is_table, render_setup
from bot.interactions.shared.setup_repair import RepairedSetup, find_fault, make_selection, repair_setup
from bot.referee.lobby.setups import Wish
from bot.referee.model.people import GuildSettings
from bot.rest.member import DiscordUser
from bot.ui.message import Message, Node, joined
from bot.ui.text.names import clean
from bot.ui.text.sentences import say

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
    return joined("" if said else describe_refusal(refusal), *more, usual, left)


def refusal_with_command(context: InteractionContext, refusal: RefereeError, *body: Node) -> Message:
    """What was wrong, and the whole command to be copied and changed."""
    return Message(joined(describe_refusal(refusal), say("as-typed", x=typed_command(context))), body)


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
    return clean(" ".join(words).replace("`", "'"), MAX_TYPED)


def _resolved_users(data: Any) -> dict[str, Any]:
    resolved: dict[str, Any] = data.get("resolved") or {}
    return resolved.get("users") or {}
