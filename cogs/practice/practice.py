"""Practice against the house: private, board and console in one message; or public, with an ordinary board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from discord import app_commands

from bot.engine.text.presets import find_offer
from bot.errors import Refused
from bot.interactions.channel_checks import check_place, check_role, person_of
from bot.interactions.client import GopsClient
from bot.interactions.commands import command
from bot.interactions.context import Asked
from bot.interactions.shared import asking
from bot.interactions.shared.mending import choice_of
from bot.interactions.shared.typed import as_typed, mended_for
from bot.messages.render import board_message
from bot.referee.lobby.setups import Wish
from bot.referee.model.model import Surface, SurfaceKind
from bot.referee.model.participant import Place
from bot.referee.repository.house_levels import LEVELS, SLY, Level, find_level
from bot.referee.repository.live import Live
from bot.rest.delivery import token_until
from bot.ui.custom_ids import learning_ids
from bot.ui.message import GREEN, Button, Message, Node, row
from bot.ui.text.names import listed
from bot.ui.text.sentences import say

LEVEL_CHOICES = [app_commands.Choice(name=f"{level.name}: {level.title}", value=level.key) for level in LEVELS]


@command("practice", "Play against the house, unrated, no clock")
@app_commands.describe(
    level="How the house plays",
    game=asking.DESCRIPTIONS["game"],
    cards=asking.DESCRIPTIONS["cards"],
    ties=asking.DESCRIPTIONS["ties"],
    public="Let the channel watch",
)
@app_commands.choices(level=LEVEL_CHOICES, ties=asking.TIE_CHOICES)
@app_commands.autocomplete(game=asking.complete_game)
async def practice(
    asked: Asked,
    level: str | None = None,
    game: str | None = None,
    cards: app_commands.Range[int, 2, 25] | None = None,
    ties: str | None = None,
    public: bool = False,
) -> None:
    typed = asking.Typed(game, cards, ties)
    try:
        await begin(asked, find_level(level or "") or SLY, typed.wish(), public)
    except Refused as refusal:
        await _put_right(asked, refusal, typed, plainly=not public and level in (None, SLY.key))


async def _put_right(asked: Asked, refusal: Refused, typed: asking.Typed, *, plainly: bool) -> None:
    """What was typed does not go together: say what to change, and offer the game as it is where that is all."""
    guild = await asked.referee.store.guild(asked.where.guild)
    found = mended_for(refusal, choice_of(typed.nearest(), (), None, guild), guild)
    button: list[Node] = []
    if found is not None and plainly and not (found.choice.cards or found.choice.ties):
        offer = find_offer(found.choice.game)[1]
        button = [row(Button(say("practise-as-is", game=offer.name), learning_ids.rules(offer.key, "practise"), GREEN))]
    await asked.answer.send(as_typed(asked, refusal, *button))


async def begin(asked: Asked, level: Level, wish: Wish, public: bool = False) -> None:
    """A match against this level, committed before it is shown."""
    asked.answer.will_send(private=_private(asked, public))
    await _check(asked, public)
    person = person_of(asked.who)
    begun = await asked.referee.practice.begin(_place(asked), person, level, wish, public)
    await show(asked, begun.live, begun.replaced)


async def again(asked: Asked, old: Live) -> None:
    """The same levels, game and options once more."""
    asked.answer.will_send(private=_private(asked, bool(old.stored.channel)))
    await _check(asked, bool(old.stored.channel))
    person = person_of(asked.who)
    begun = await asked.referee.practice.again(old, person, _place(asked))
    await show(asked, begun.live, begun.replaced)


def _private(asked: Asked, public: bool) -> bool:
    """Whether the message is for this person's eyes only; a DM is anyway, and stays."""
    return not public and bool(asked.where.guild or asked.where.outside)


def _place(asked: Asked) -> Place:
    """A server's channel, or a DM with the bot."""
    return Place(asked.where.guild, asked.where.channel)


async def _check(asked: Asked, public: bool) -> None:
    """A board needs a place where it may be; a private message only somebody who may play."""
    if public:
        asked.guild  # noqa: B018 - a board that costs no press can be kept only where the bot is a member
        await check_place(asked)
    if asked.where.guild:
        guild = await asked.referee.store.guild(asked.where.guild)
        check_role(guild, asked.who, asker=True)


async def show(asked: Asked, live: Live, replaced: Sequence[str] = ()) -> None:
    """The reply itself is the board, or the console that stands for both. It names the matches that ended for it."""
    publisher, id = asked.services.publisher, live.stored.id
    banner = say("practice-replaced", list=listed([f"#{one}" for one in replaced])) if replaced else ""
    public, surface = bool(live.stored.channel), _surface(asked, live)
    view = await asked.referee.views.of_live(live, surface.user)
    if public:
        message = board_message(view)
    else:
        message = await publisher.consoles.render(view, surface, banner)
        surface = replace(surface, id=await publisher.marks.put(surface))  # a press that comes at once finds it
    with publisher.left_to_press(id, surface.id):
        posted = await asked.answer.send(message, private=_private(asked, public), known=True)
        if posted is None:
            await asked.referee.matches.abort(id, "unseen")  # nobody sees it, and it must not count as a live match
        elif public:
            await publisher.marks.put(replace(surface, message=posted))
        else:
            publisher.warns(replace(surface, message=posted), view.version, banner)
            await publisher.marks.keep(replace(surface, message=posted))
    publisher.wake(id)
    if public and banner:
        await asked.answer.send(Message(banner))


def _surface(asked: Asked, live: Live) -> Surface:
    """The message that answers this command, before it is posted."""
    public, here = bool(live.stored.channel), bool(asked.where.guild or asked.where.outside)
    return Surface(
        match=live.stored.id,
        kind=SurfaceKind.BOARD if public else SurfaceKind.CONSOLE_EPHEMERAL if here else SurfaceKind.CONSOLE_DM,
        user=0 if public else asked.user,
        channel=asked.where.channel,
        message=0,
        shown=live.stored.version,
        posted=asked.at,
        token=asked.token.text,
        token_until=token_until(asked.at),
        token_app=asked.token.app,
    )


async def setup(bot: GopsClient) -> None:
    bot.offer(practice)
