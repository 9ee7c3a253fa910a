"""The review of a finished match: a page a round, totals, and a chart with the same in words."""

from __future__ import annotations

from itertools import pairwise

from bot.errors import RefereeError
from bot.interactions.commands import command, message_menu
from bot.interactions.component import component
from bot.interactions.context import InteractionContext
from bot.interactions.shared.board_button import board_component
from bot.interactions.shared.console_pages import is_on_console, turn_page, update_page
from bot.pictures.plot import Chart, ChartLine, draw_chart, fit_name
from bot.referee.model.views import MatchView
from bot.referee.repository.live import Live
from bot.solver.coach.advice import Review
from bot.ui.custom_ids import learning_ids, records_ids
from bot.ui.message import Attachment, Button, Message, Node, Picture, Row, Text, join_lines
from bot.ui.text.sentences import say
from cogs.learning.review_text import ReviewText, counts_deals

CHART = "review.png"


def page_of(found: Review, deal: int, round: int) -> int:
    """Return the page with this round, or with the first one after it; both count from 0."""
    later = (at for at, judged in enumerate(found.rounds) if (judged.deal, judged.round) >= (deal, round))
    return next(later, len(found.rounds) - 1)


def so_far(done: int, of: int) -> str:
    """Return the progress of a review that is being computed."""
    return say("review-so-far", n=done, of=of) if of else ""


def review(
    view: MatchView, found: Review, page: int = 0, png: bytes = b"", *, numbers: bool = False, public: bool = False
) -> Message:
    """Return one round, with all its figures if `numbers`. `png` is its chart."""
    page = valid_page(found, page)
    title = say("review-title-imported" if view.imported else "review-title", m=view.id)
    told = ReviewText(view, found)
    judged = found.rounds[page]
    notes = [
        say("review-late") if not page and judged.round else "",
        say("review-rough") if not judged.exact else say("review-near") if judged.near else "",
    ]
    body: list[Node] = [
        Text(title),
        *([Picture(CHART, told.alt(page))] if png else []),
        Text(join_lines(told.round(page), *notes)),
        Text(join_lines(*(told.numbers(page) if numbers else told.whole_match(page)))),
    ]
    if not public:
        body.append(_controls(view, page, found, numbers=numbers))
    files = (Attachment(CHART, png),) if png else ()
    return Message(body=tuple(body), attachments=files, essence=join_lines(title, told.grades()))


def valid_page(found: Review, page: int) -> int:
    return min(max(0, page), len(found.rounds) - 1)


def chart(view: MatchView, found: Review, page: int) -> str:
    """Return the chart of a page as SVG: both leads over the rounds, with this round marked."""
    told, page = ReviewText(view, found), valid_page(found, page)
    score, hope = told.leads()
    called = [fit_name(label) or say("seat-number", n=number) for number, label in enumerate(told.names.labels, 1)]
    picture = Chart(
        title=say("review-chart", n=told.number(found.rounds[page])),
        under=f"#{view.id}",
        lines=(
            ChartLine(say("review-line-score"), tuple(score), 0, dashed=True),
            ChartLine(say("review-line-hope-deal" if counts_deals(view) else "review-line-hope"), tuple(hope), 1),
        ),
        rounds=tuple(str(judged.round + 1) for judged in found.rounds),
        marked=page,
        above=say("review-above", name=called[told.side]),
        below=say("review-below", name=called[1 - told.side]),
        breaks=tuple(at for at, (one, two) in enumerate(pairwise(found.rounds), 1) if one.deal != two.deal),
    )
    return draw_chart(picture)


def _controls(view: MatchView, page: int, found: Review, *, numbers: bool) -> Row:
    """Return the buttons of a page. `numbers`: the page shows its figures already."""
    id, of, lost = view.id, len(found.rounds), found.find_costliest_round(0, 1) is not None
    buttons = [
        Button(say("back"), learning_ids.review(id, max(0, page - 1), "back"), enabled=page > 0),
        Button(say("next"), learning_ids.review(id, page + 1, "next"), enabled=page + 1 < of),
        Button(say("worst-round"), learning_ids.review(id, page, "worst"), enabled=lost),
        Button(say("numbers"), learning_ids.review(id, page, "numbers"), enabled=not numbers),
    ]
    if view.seat is not None:  # only players may show what they gave away
        buttons.append(Button(say("show-everyone"), learning_ids.review(id, page, "all"), is_public=True))
    return Row(tuple(buttons))


@command(
    "review",
    "The good bids and mistakes of a finished match",
    match="Match code, like K7Q2 (default: your last)",
)
async def review_finished(context: InteractionContext, match: str | None = None) -> None:
    await send_review(context, await context.referee.finder.find_open(context.user, match, context.origin.guild))


@message_menu("Review")
async def review_menu(context: InteractionContext, match: str) -> None:
    await send_review(context, await context.referee.finder.find_open(context.user, match, context.origin.guild))


@board_component("review")
async def review_match(context: InteractionContext, view: MatchView) -> Message:
    return await _first_page(context, await context.referee.archive.load(context.user, context.origin.guild, view.id))


@component(records_ids.REPLAY_REVIEW)
async def review_moment(context: InteractionContext) -> None:
    """Review what follows the moment of a replay."""
    id, at, _ = records_ids.read_replay(context.id_parts)
    here = await is_on_console(context, id)
    if not here:
        context.answer.will_send()
    live = await context.referee.archive.load(context.user, context.origin.guild, id)
    moment = (await context.referee.views.tape(live)).moment_at(at)
    page = await _first_page(context, live, (moment.deal, moment.round))
    if here:
        await update_page(context, page)
    else:
        await context.answer.send(page)


async def send_review(context: InteractionContext, live: Live) -> None:
    """Send the first page to this person only."""
    await context.answer.send(await _first_page(context, live))


async def _first_page(context: InteractionContext, live: Live, place: tuple[int, int] = (0, 0)) -> Message:
    """Return the first page, or the page of a deal's round (both from 0)."""
    found = await _review(context, live)
    view = await context.referee.views.view_live(live, context.user)
    return await _page(context, view, found, page_of(found, *place))


async def _page(context: InteractionContext, view: MatchView, found: Review, page: int, what: str = "") -> Message:
    """Return a page with its chart, which a worker process draws."""
    png = await context.services.painter.paint(chart(view, found, page))
    return review(view, found, page, png, numbers=what == "numbers", public=what == "all")


async def _review(context: InteractionContext, live: Live) -> Review:
    """Return the coach's review; the answer shows its progress meanwhile."""
    coach, user = context.services.coach, context.user
    context.answer.so_far = lambda: so_far(*coach.get_progress(user))
    return await coach.review(user, live)


@component(learning_ids.REVIEW)
async def turn_review(context: InteractionContext) -> None:
    """Show another page, the worst round or the figures of a round. Only players may show a page to everyone."""
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
    elif what == "worst" and (worst := found.find_costliest_round(0, 1)) is not None:
        page = worst
    await turn_page(context, await _page(context, view, found, page, what), public=public)
