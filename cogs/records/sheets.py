"""The sheet of a match and its buttons, and the list of seals of a live match."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bot.engine.cards import format_points
from bot.interactions.component import component
from bot.interactions.context import InteractionContext
from bot.interactions.shared.board_button import board_component, check_daily_spoiler
from bot.interactions.shared.console_pages import turn_page, update_page
from bot.referee.model.people import SeatPause
from bot.referee.model.views import DealView, MatchView, SealView
from bot.ui.custom_ids import records_ids
from bot.ui.message import Attached, Attachment, Button, Message, Node, Row, Text, join_lines, make_row
from bot.ui.screens.refusals import match_over_error
from bot.ui.story import lines
from bot.ui.story.deals import list_deals
from bot.ui.story.events import past_pauses_line
from bot.ui.text.faces import Faces
from bot.ui.text.names import MANY, Names, make_names
from bot.ui.text.sentences import say
from bot.ui.text.style import find_style, remove_pictures
from cogs.records.sheet_lines import grid_rows, round_lines

ROUNDS, GRID_LINES = 10, 30
"""Rounds on a page of sentences, lines on a page of a grid."""
MOST_TEXT = 2700
"""Characters of sentences on a page."""


def sheet(
    view: MatchView,
    *,
    deal: int | None = None,
    page: int | None = None,
    form: str | None = None,
    public: bool = False,
    record: bytes | None = None,
    noted: Sequence[SeatPause] = (),
) -> Message:
    """Return one page: by default the newest, or the first of a finished match. `public` is the copy for everyone;
    `record` is attached as a file; `noted` are the pauses since the match began."""
    names = make_names(view)
    chosen = form or ("g" if len(names) >= MANY else "s")
    deals = list_deals(view)
    at = next((candidate for candidate in deals if candidate.number == deal), deals[0 if view.over else -1])
    pages = _pages(view, at, names, chosen)
    newest = 0 if view.over else len(pages) - 1
    number = newest if page is None else min(max(page, 0), len(pages) - 1)
    title = say("sheet-title", m=view.id)
    if view.series.mode != "single":
        title = say("sheet-title-deal", m=view.id, n=at.number)
    called: Sequence[str] = [str(seat + 1) for seat in range(len(names))] if chosen == "g" else names.texts
    foot = join_lines(totals(view, at, called, chosen), past_pauses_line(noted, names))
    body: list[Node] = []
    if chosen == "g":
        legend = " · ".join(say("sheet-number", n=seat + 1, name=names[seat]) for seat in range(len(names)))
        body = [Text(join_lines(title, legend)), Text(pages[number]), Text(foot)]
    else:
        body = [Text(title), Text(join_lines(pages[number], foot))]
    attachments: tuple[Attachment, ...] = ()
    if record is not None:
        attachments = (Attachment(f"gops-{view.id}.json", record),)
        body.append(Attached(attachments[0].name))
    if not public:
        body.append(_controls(view, deals, at, number, len(pages), chosen, names))
    return Message(
        body=tuple(body), attachments=attachments, essence=join_lines(title, totals(view, at, called, chosen))
    )


# --- pages ---------------------------------------------------------------------------------------------------


def _pages(view: MatchView, deal: DealView, names: Names, form: str) -> list[str]:
    faces = Faces(view.rules, find_style(view.cards), deal.rounds, deal.number)
    empty = say("sheet-empty-over" if view.over else "sheet-empty")
    if form == "g":
        head, rows = grid_rows(view, deal, faces)
        if not rows:
            return [empty]
        chunks = [rows[start : start + GRID_LINES] for start in range(0, len(rows), GRID_LINES)]
        return ["```\n" + "\n".join([head, *chunk]) + "\n```\n" + say("sheet-legend") for chunk in chunks]
    pages: list[list[str]] = []
    length = count = 0
    for told in round_lines(view, deal, faces, names):
        size = sum(len(remove_pictures(line)) for line in told) + len(
            told
        )  # emojis do not count: long messages drop them
        if not pages or count >= ROUNDS or length + size > MOST_TEXT:
            pages.append([])
            length = count = 0
        pages[-1] += told
        length, count = length + size, count + 1
    return ["\n".join(page) for page in pages] or [empty]


# --- below the rounds ----------------------------------------------------------------------------------------


def totals(view: MatchView, deal: DealView, called: Sequence[str], form: str) -> str:
    """Return the scores of this deal and of the finished deals; `called` are names, or numbers under a grid."""
    scores = _score_list(
        [lines.score_with_tally(score, deal.tallies, seat) for seat, score in enumerate(deal.scores)], called, form
    )
    if view.series.mode == "single":
        return say("sheet-total", scores=scores)
    if not (view.finished or view.over):
        return say("sheet-deal", scores=scores)
    points = _score_list([format_points(points) for points in lines.finished_points(view)], called, form)
    return say("sheet-totals" if view.over else "sheet-finished", scores=scores, totals=points)


def _score_list(scores: Sequence[str], called: Sequence[str], form: str) -> str:
    id, separator = ("sheet-score", " · ") if form == "g" else ("deal-score", ", ")
    return separator.join(say(id, name=name, score=score) for name, score in zip(called, scores, strict=True))


def _controls(
    view: MatchView,
    deals: Sequence[DealView],
    at: DealView,
    page: int,
    pages: int,
    form: str,
    names: Names,
) -> Row:
    """Return the buttons. Pagers go on into the deal before or after, and are disabled at the ends."""
    numbers = [deal.number for deal in deals]
    place = numbers.index(at.number)
    if page > 0:
        back = (at.number, page - 1)
    elif place > 0:
        back = (numbers[place - 1], len(_pages(view, deals[place - 1], names, form)) - 1)
    else:
        back = None
    if page < pages - 1:
        on = (at.number, page + 1)
    else:
        on = (numbers[place + 1], 0) if place < len(numbers) - 1 else None

    def pager(what: str, to: tuple[int, int] | None) -> Button:
        target = to or (at.number, page)
        return Button(say(what), records_ids.sheet(view.id, *target, form, what[0] + "p"), enabled=to is not None)

    other, label = ("s", "as-sentences") if form == "g" else ("g", "as-grid")
    return make_row(
        pager("earlier", back),
        pager("later", on),
        Button(say(label), records_ids.sheet(view.id, at.number, 0, other, "f")),
        Button(say("show-everyone"), records_ids.sheet(view.id, at.number, page, form, "e"), is_public=True),
    )


LINES = 20
"""Seals on a page."""


def seals_card(view: MatchView, seals: Sequence[SealView], page: int = 0) -> Message:
    """Return a page of seals, newest first, with what is public: that there is a seal, and its digits."""
    names = make_names(view)
    newest = list(reversed(seals))
    pages = max(1, -(-len(newest) // LINES))
    page = min(page, pages - 1)
    shown = newest[page * LINES : (page + 1) * LINES]
    title = say("seals-title", m=view.id)
    lines = [_line(view, seal, names) for seal in shown] or [say("seals-none")]
    text = join_lines(title, say("deal-seal", digits=view.opening), *lines, say("seals-foot"))
    row = make_row(
        Button(say("earlier"), records_ids.seals(view.id, min(page + 1, pages - 1), "e"), enabled=page < pages - 1),
        Button(say("later"), records_ids.seals(view.id, max(page - 1, 0), "l"), enabled=page > 0),
    )
    return Message(body=(Text(text), row), essence=title)


def _line(view: MatchView, one: SealView, names: Names) -> str:
    number = f"{one.round + 1}{chr(ord('a') + one.sub - 1)}" if one.sub else f"{one.round + 1}"
    where = str(number)
    if view.series.mode != "single":
        where = say("seals-where-deal", d=one.deal + 1, r=where)
    id = "seals-line-earlier" if one.state == "earlier" else "seals-line"
    return say(id, where=where, name=names[one.seat], digits=one.digest)


@board_component("sheet")
async def show_sheet(context: InteractionContext, view: MatchView) -> Message:
    return await _sheet(context, view)


async def _sheet(
    context: InteractionContext,
    view: MatchView,
    deal: int | None = None,
    page: int | None = None,
    form: str | None = None,
    public: bool = False,
) -> Message:
    """Return a page of the sheet, with the record as a file after the end."""
    record = None
    if view.over:
        record = json.dumps(await context.referee.views.record(view.id), ensure_ascii=False, indent=1).encode()
    noted = await context.referee.pausing.list_pauses(view.id)
    return sheet(view, deal=deal, page=page, form=form, public=public, record=record, noted=noted)


@component(records_ids.SHEET)
async def turn_sheet(context: InteractionContext) -> None:
    """Show another page or form of a sheet."""
    id, deal, page, form, everyone = records_ids.read_sheet(context.id_parts)
    if everyone:
        context.answer.will_send(private=False)
    view = await context.referee.views.view(id, context.user)
    if everyone:
        context.referee.daily.check_shown(view.day)
        view = await context.referee.views.view(view.id)  # without what only this person may see
    else:
        check_daily_spoiler(context, view)
    await turn_page(context, await _sheet(context, view, deal, page, form, everyone), public=everyone)


@component(records_ids.SEALS)
async def show_seals(context: InteractionContext) -> None:
    """Show every seal in full while the match is live; after the end *Verify* checks them."""
    id, page = records_ids.read_seals(context.id_parts)
    context.services.publisher.forget_offer(id, context.message.id)  # what takes the place of *More* stays
    view = await context.referee.views.view(id, context.user)
    if view.over:
        raise match_over_error(view)
    await update_page(context, seals_card(view, await context.referee.views.list_seals(id), page))
