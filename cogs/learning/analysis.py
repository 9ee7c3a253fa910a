"""Perfect play of a typed position, and the review of a finished match."""

from __future__ import annotations

from discord import app_commands

from bot.engine.variants import DEFAULT, find_game
from bot.errors import RefereeError
from bot.interactions.commands import command, make_choices, message_menu
from bot.interactions.component import component
from bot.interactions.context import InteractionContext
from bot.interactions.shared.board_button import board_component
from bot.referee.house.coach import read_position
from bot.referee.model.views import MatchView
from bot.referee.repository.live import Live
from bot.solver.coach.advice import Review
from bot.solver.coach.typed_position import GAMES, TypedPosition
from bot.ui.custom_ids import learning_ids, records_ids
from bot.ui.message import Message
from bot.ui.text.offers import tie_rules
from cogs.learning import odds_card as odds_words
from cogs.learning import review_card as review_words

TIES = make_choices({key: tie_rules(DEFAULT)[key] for key in ("discard", "split", "carry")})
SOLVED = make_choices(dict(GAMES))
PAYOFFS = make_choices({"points": "Points", "win": "Chance to win"})


# Long: discord.py reads the options of a command from its parameters.
@command(
    "odds",
    "Best play in a position: the exact mix of bids",
    mine="Your cards, like: A 3 5 K",
    theirs="The other hand, as many cards",
    prize="The prize turned up now",
    left="Prizes still to come; in Bid and Psych all that may come",
    ties="Discarded, split or carried ties",
    game="Classic, where you do not say",
    pot="What earlier ties put on top of this prize",
    lead="By how many points you lead; below zero you are behind",
    order="Both know that the prizes left come as you list them",
    payoffs="Also what each pair of bids is worth",
)
@app_commands.choices(ties=TIES, game=SOLVED, payoffs=PAYOFFS)
async def odds(
    context: InteractionContext,
    mine: str,
    theirs: str,
    prize: str = "",
    left: str = "",
    ties: str = "",
    game: str = DEFAULT.key,
    pot: int = 0,
    lead: int = 0,
    order: bool = False,
    payoffs: str = "",
) -> None:
    wanted = read_position(TypedPosition(mine, theirs, prize, left, ties, game, pot, lead, order, payoffs))
    services = context.services
    found = await services.coach.odds(services.referee.finder, context.user, wanted, find_game(game).name)
    png = await services.painter.paint(odds_words.picture(found, wanted)) if found.payoffs else b""
    await context.answer.send(odds_words.odds(found, wanted, png))


@command("review", "What perfect play says about a finished match", match="Match code, like K7Q2")
async def review(context: InteractionContext, match: str | None = None) -> None:
    await send_review(context, await context.referee.finder.find_open(context.user, match, context.origin.guild))


@message_menu("Review")
async def review_menu(context: InteractionContext, match: str) -> None:
    await send_review(context, await context.referee.finder.find_open(context.user, match, context.origin.guild))


@board_component("review")
async def review_match(context: InteractionContext, view: MatchView) -> None:
    await send_review(context, await context.referee.archive.load(context.user, context.origin.guild, view.id))


@component(records_ids.REPLAY_REVIEW)
async def review_moment(context: InteractionContext) -> None:
    """Review what follows the moment of a replay."""
    id, at, _ = records_ids.read_replay(context.id_parts)
    context.answer.will_send()
    live = await context.referee.archive.load(context.user, context.origin.guild, id)
    moment = (await context.referee.views.tape(live)).moment_at(at)
    await send_review(context, live, (moment.deal, moment.round))


async def send_review(context: InteractionContext, live: Live, place: tuple[int, int] = (0, 0)) -> None:
    """Send the first page, or the page of a deal's round (both from 0), to this person only."""
    found = await _review(context, live)
    view = await context.referee.views.view_live(live, context.user)
    await context.answer.send(await _page(context, view, found, review_words.page_of(found, *place)))


async def _page(context: InteractionContext, view: MatchView, found: Review, page: int, what: str = "") -> Message:
    """Return a page with its chart, which a worker process draws."""
    png = await context.services.painter.paint(review_words.chart(view, found, page))
    return review_words.review(view, found, page, png, whole=what == "mix", public=what == "all")


async def _review(context: InteractionContext, live: Live) -> Review:
    """Return the coach's review; the answer shows its progress meanwhile."""
    coach, user = context.services.coach, context.user
    context.answer.so_far = lambda: review_words.so_far(*coach.get_progress(user))
    return await coach.review(user, live)


@component(learning_ids.REVIEW)
async def turn_review(context: InteractionContext) -> None:
    """Show another page, the dearest round or a whole mix. Only players may show a page to everyone."""
    id, page, what = learning_ids.read_review(context.id_parts)
    public = what == "all"
    if public:
        context.answer.will_send(private=False)
    live = await context.referee.archive.load(context.user, context.origin.guild, id)
    if public and not live.stored.imported and live.stored.seat_of(context.user) is None:
        raise RefereeError("review-not-in", m=id)
    found = await _review(context, live)
    view = await context.referee.views.view_live(live, 0 if public else context.user)
    if public:
        context.referee.daily.check_shown(view.day)
    elif what == "dearest" and (dearest := found.find_costliest_round(0, 1)) is not None:
        page = dearest
    await context.show(await _page(context, view, found, page, what), public=public)
