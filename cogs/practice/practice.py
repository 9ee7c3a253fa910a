"""Practice against the house: private with board and console in one message, or public with an ordinary board."""

from __future__ import annotations

from dataclasses import dataclass

from discord import app_commands

from bot.engine.text.presets import find_offer
from bot.errors import RefereeError
from bot.interactions.commands import command, command_option
from bot.interactions.component import MessageKind, component
from bot.interactions.context import InteractionContext
from bot.interactions.shared.challenge_options import (
    MAX_TYPED,
    ChallengeOptions,
    GameOptions,
    complete_level,
    complete_options,
    read_level,
)
from bot.interactions.shared.practice import begin_practice
from bot.interactions.shared.setup_repair import make_selection, refusal_with_command, repair_or_raise
from bot.referee.lobby.setups import Wish
from bot.referee.model.durations import FEW_CARDS
from bot.referee.repository.house_levels import level_of
from bot.solver.players.levels import SLY
from bot.ui.custom_ids import learning_ids, match_ids
from bot.ui.message import GREEN, Button, Node, make_row
from bot.ui.text.sentences import say


@dataclass(frozen=True, slots=True)
class PracticeOptions(GameOptions):
    """Options of practice besides the level."""

    seats: app_commands.Range[int, 2, 8] | None = command_option("Seats in all (default: the fewest)")
    options: app_commands.Range[str, 1, MAX_TYPED] | None = command_option(
        "More rules; type to search (default: none)", complete=complete_options
    )


@command(
    "practice",
    "Play against the house, unrated, no clock",
    level=f"How well the house plays (default: {SLY.name})",
    public="Let the channel watch (default: no)",
)
@app_commands.autocomplete(level=complete_level)
async def practice(
    context: InteractionContext, level: str | None = None, *, typed: PracticeOptions, public: bool = False
) -> None:
    options = ChallengeOptions(typed.game, typed.cards, typed.ties, options=typed.options)
    try:
        await begin_practice(context, read_level(level) or SLY, options.read_wish(), public, typed.seats)
    except RefereeError as refusal:
        plainly = not public and typed.seats is None and read_level(level) in (None, SLY)
        await _put_right(context, refusal, options, typed.seats, plainly=plainly)


@component(match_ids.more_button("short"), on=MessageKind.OWN)
async def begin_shorter(context: InteractionContext) -> None:
    """Begin the same practice with fewer cards. It takes the place of the pressed match if nobody has bid there."""
    id, _ = match_ids.read_button(context.id_parts)
    stored = (await context.referee.live(id)).stored
    if stored.seat_of(context.user) is None:
        raise RefereeError("not-in-match", m=id)
    levels = [level for seat in stored.seats if (level := level_of(seat)) is not None]
    wish = Wish(game=stored.setup.game, cards=FEW_CARDS)
    await begin_practice(context, levels[0], wish, seats=stored.setup.seats)
    await context.referee.practice.give_way(await context.referee.live(id))  # a bid may have come meanwhile
    context.services.publisher.wake(id)


async def _put_right(
    context: InteractionContext, refusal: RefereeError, typed: ChallengeOptions, seats: int | None, *, plainly: bool
) -> None:
    """Refuse options that do not go together: say what to change, and offer the game without them if that is all."""
    guild = await context.referee.deciding.load_settings(context.origin.guild)
    found = repair_or_raise(refusal, make_selection(typed.read_nearest_wish(), (), seats, guild), guild)
    button: list[Node] = []
    if found is not None and plainly and not (found.choice.cards or found.choice.ties or found.choice.words):
        offer = find_offer(found.choice.game)[1]
        button = [
            make_row(Button(say("practise-as-is", game=offer.name), learning_ids.rules(offer.key, "practise"), GREEN))
        ]
    await context.answer.send(refusal_with_command(context, refusal, *button))
