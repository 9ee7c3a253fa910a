"""Practice against the house: private with board and console in one message, or public with an ordinary board."""

from __future__ import annotations

from discord import app_commands

from bot.engine.text.presets import find_offer
from bot.errors import RefereeError
from bot.interactions.commands import command, make_choices
from bot.interactions.context import InteractionContext
from bot.interactions.shared.challenge_options import ChallengeOptions, GameOptions
from bot.interactions.shared.practice import begin_practice
from bot.interactions.shared.setup_repair import make_selection, refusal_with_command, repair_or_raise
from bot.solver.players.levels import LEVELS, SLY, find_level
from bot.ui.custom_ids import learning_ids
from bot.ui.message import GREEN, Button, Node, make_row
from bot.ui.text.sentences import say


@command(
    "practice", "Play against the house, unrated, no clock", level="How the house plays", public="Let the channel watch"
)
@app_commands.choices(level=make_choices({level.key: f"{level.name}: {level.title}" for level in LEVELS}))
async def practice(
    context: InteractionContext, level: str | None = None, *, options: GameOptions, public: bool = False
) -> None:
    typed = ChallengeOptions(options.game, options.cards, options.ties)
    try:
        await begin_practice(context, find_level(level or "") or SLY, typed.read_wish(), public)
    except RefereeError as refusal:
        await _put_right(context, refusal, typed, plainly=not public and level in (None, SLY.key))


async def _put_right(
    context: InteractionContext, refusal: RefereeError, typed: ChallengeOptions, *, plainly: bool
) -> None:
    """Refuse options that do not go together: say what to change, and offer the game without them if that is all."""
    guild = await context.referee.deciding.load_settings(context.origin.guild)
    found = repair_or_raise(refusal, make_selection(typed.read_nearest_wish(), (), None, guild), guild)
    button: list[Node] = []
    if found is not None and plainly and not (found.choice.cards or found.choice.ties):
        offer = find_offer(found.choice.game)[1]
        button = [
            make_row(Button(say("practise-as-is", game=offer.name), learning_ids.rules(offer.key, "practise"), GREEN))
        ]
    await context.answer.send(refusal_with_command(context, refusal, *button))
