"""The review of a finished match: a page a round, totals, and a chart with the same in words."""

from __future__ import annotations

from itertools import pairwise

from bot.errors import RefereeError
from bot.interactions.commands import command, message_menu
from bot.interactions.component import component
from bot.interactions.context import InteractionContext
from bot.interactions.shared.board_button import board_component
from bot.pictures.plot import Chart, ChartLine, draw_chart, fit_name
from bot.referee.model.model import HOUSE
from bot.referee.model.views import DealView, MatchView
from bot.referee.repository.live import Live
from bot.solver.coach.advice import GRADES, NOTHING, JudgedRound, Mix, Review, list_leads
from bot.ui.custom_ids import learning_ids, records_ids
from bot.ui.message import Attachment, Button, Message, Node, Picture, Row, Text, join_lines
from bot.ui.screens.result import list_deals
from bot.ui.text.catalogue.numbers import percent, percent_of
from bot.ui.text.faces import Faces
from bot.ui.text.names import make_names
from bot.ui.text.sentences import say, uncapitalize
from bot.ui.text.style import PLAIN
from cogs.learning.odds import chance, mix, points

CHART = "review.png"
MOST_LEVELS = 40
"""The most rounds whose values are listed in the chart's text."""
CLEAR = 0.05
"""Fewer points than this are not mentioned."""
MOVED = {True: 0.005, False: CLEAR}
"""A change of the chance to win, or of points, from which it counts as a gain."""
WORTH = 0.01
"""A smaller part of the chance to win is not mentioned."""
LIKELIEST = 3
"""Cards of a mix that are listed unless the whole mix is asked for."""


def page_of(found: Review, deal: int, round: int) -> int:
    """Return the page with this round, or with the first one after it; both count from 0."""
    later = (at for at, judged in enumerate(found.rounds) if (judged.deal, judged.round) >= (deal, round))
    return next(later, len(found.rounds) - 1)


def so_far(done: int, of: int) -> str:
    """Return the progress of a review that is being computed."""
    return say("review-so-far", n=done, of=of) if of else ""


def review(
    view: MatchView, found: Review, page: int = 0, png: bytes = b"", *, whole: bool = False, public: bool = False
) -> Message:
    """Return one round; with all cards of its mixes if `whole`. `png` is its chart."""
    page = valid_page(found, page)
    title = say("review-title-imported" if view.imported else "review-title", m=view.id)
    told = _ReviewText(view, found, whole=whole)
    judged = found.rounds[page]
    notes = [
        say("review-late") if not page and judged.round else "",
        say("review-rough") if not judged.exact else say("review-near") if judged.near else "",
        _grades(judged),
    ]
    body: list[Node] = [
        Text(join_lines(title, told.round(page), *notes)),
        *([Picture(CHART, told.alt(page))] if png else []),
        Text(join_lines(*told.grades(), told.whole(), told.points(page), *told.moments(), *told.levels())),
    ]
    if not public:
        more = not whole and not judged.alike and any(len(shares) > LIKELIEST for shares in judged.mixes)
        body.append(_controls(view, page, found, more=more))
    files = (Attachment(CHART, png),) if png else ()
    return Message(body=tuple(body), attachments=files, essence=join_lines(title, told.whole()))


def valid_page(found: Review, page: int) -> int:
    return min(max(0, page), len(found.rounds) - 1)


def chart(view: MatchView, found: Review, page: int) -> str:
    """Return the chart of a page as SVG: both leads over the rounds, with this round marked."""
    told, page = _ReviewText(view, found), valid_page(found, page)
    score, hope = list_leads(found.rounds)
    called = [fit_name(label) or say("seat-number", n=number) for number, label in enumerate(told.names.labels, 1)]
    picture = Chart(
        title=say("review-chart", n=told.number(found.rounds[page])),
        under=f"#{view.id}",
        lines=(
            ChartLine(say("review-line-score"), tuple(score), 0, dashed=True),
            ChartLine(say("review-line-hope-deal" if _counts_deals(view) else "review-line-hope"), tuple(hope), 1),
        ),
        rounds=tuple(str(judged.round + 1) for judged in found.rounds),
        marked=page,
        above=say("review-above", name=called[0]),
        below=say("review-below", name=called[1]),
        breaks=tuple(at for at, (one, two) in enumerate(pairwise(found.rounds), 1) if one.deal != two.deal),
    )
    return draw_chart(picture)


def _controls(view: MatchView, page: int, found: Review, *, more: bool) -> Row:
    """Return the buttons of a page. `more`: some cards of a mix are not listed."""
    id, of, lost = view.id, len(found.rounds), found.find_costliest_round(0, 1) is not None
    buttons = [
        Button(say("back"), learning_ids.review(id, max(0, page - 1), "back"), enabled=page > 0),
        Button(say("next"), learning_ids.review(id, page + 1, "next"), enabled=page + 1 < of),
        Button(say("dearest"), learning_ids.review(id, page, "dearest"), enabled=lost),
        Button(say("whole-mix"), learning_ids.review(id, page, "mix"), enabled=more),
    ]
    if view.seat is not None:  # only players may show what they gave away
        buttons.append(Button(say("show-everyone"), learning_ids.review(id, page, "all")))
    return Row(tuple(buttons))


class _ReviewText:
    """The sentences of a review, with the names of one match."""

    def __init__(self, view: MatchView, found: Review, *, whole: bool = False) -> None:
        self.view, self.found, self.all_cards = view, found, whole
        self.names = make_names(view)
        both = zip(view.seats, self.names.texts, self.names.short, strict=True)
        self.called = [short if seat.user == HOUSE else name for seat, name, short in both]
        """Short names for lines, without "(house)"."""
        self.deals: dict[int, DealView] = {deal.number - 1: deal for deal in list_deals(view)}

    def number(self, judged: JudgedRound) -> str:
        """Return the number of a round, with its deal if there are several."""
        if len(self.deals) > 1:
            return say("review-deal", d=judged.deal + 1, n=judged.round + 1)
        return str(judged.round + 1)

    def round(self, at: int) -> str:
        judged = self.found.rounds[at]
        deal = self.deals[judged.deal]
        faces = Faces(self.view.rules, PLAIN, deal.rounds)
        number = self.number(judged)
        own, other = (self.mix(shares, faces) for shares in judged.mixes)
        up = deal.rounds[judged.round].prizes
        data = {"n": say("review-mark", n=number) if judged.near or not judged.exact else number}
        if up:
            prize = faces.prizes(up, judged.round)
            data["prize"] = (
                say("review-pot", prize=prize, pot=str(judged.pot).replace("-", "−")) if judged.pot else prize
            )
        bids = [self.bid(judged, seat, faces) for seat in (0, 1)]
        title = say("review-round-two" if up else "review-round-pico", told=self.swing(at), **data)
        if judged.alike:
            return join_lines(title, *bids, say("review-alike"))
        if own == other:
            return join_lines(title, *bids, say("review-mix", mix=own))
        return join_lines(
            title, *(say("review-seat", bid=bid, mix=best) for bid, best in zip(bids, (own, other), strict=True))
        )

    def bid(self, judged: JudgedRound, seat: int, faces: Faces) -> str:
        """Example: "Ana bid Q: costly, gave away 7 % (62 % → 55 %)"; or the cost in points."""
        name = say(f"grade-{judged.grade(seat)}")
        data = {"name": self.called[seat], "card": faces.card(judged.bids[seat]), "grade": name}
        if judged.is_free(seat):
            return say("review-bid-free-win" if judged.is_to_win else "review-bid-free", **data)
        told = say("review-bid", cost=self.cost_words(judged, seat), **data)
        if judged.own_chances is None or judged.given(seat) < WORTH:
            return told
        before, after = map(chance, judged.own_chances[seat])
        return say("review-bid-win", cost=self.cost_words(judged, seat), before=before, after=after, **data)

    def cost_words(self, judged: JudgedRound, seat: int) -> str:
        """Return what a bid gave away: 7 % of the chance to win, or 0.61 points."""
        return share(judged.given(seat)) if judged.is_to_win else cost(judged.given(seat))

    def mix(self, shares: Mix, faces: Faces) -> str:
        """Return the likeliest cards, or all cards if they were asked for."""
        shown = shares if self.all_cards else shares[:LIKELIEST]
        told = mix(shown, faces.card)
        return told if len(shown) == len(shares) else say("review-mix-more", mix=told, n=len(shares) - len(shown))

    def grades(self) -> list[str]:
        """Return for each seat how often each grade was given."""
        told: list[str] = []
        for seat in (0, 1):
            called = [judged.grade(seat) for judged in self.found.rounds]
            names = [name for _, name in GRADES[True]]
            counted = [say("grade-count", grade=say(f"grade-{name}"), n=called.count(name)) for name in names]
            told.append(say("review-graded", name=self.names[seat], grades=", ".join(counted)))
        return told

    def swing(self, at: int) -> str:
        """Return how the chance to win changed, or which seat gained against expectation."""
        judged = self.found.rounds[at]
        if judged.chances is not None:
            before, after = chance(judged.chances[0]), self.after(at, chance(judged.chances[1]))
            key = "review-chance-deal" if _counts_deals(self.view) else "review-chance"
            return say(key, name=self.called[0], before=before, after=after)
        if abs(judged.swing) < CLEAR:
            return say("review-even")
        return say("review-swing", name=self.gainer(judged), points=f"{abs(judged.swing):.1f}")

    def after(self, at: int, after: str) -> str:
        """Return the chance to win after a round, and after the next prize is turned up."""
        judged, *later = self.found.rounds[at : at + 2]
        for one in later:
            then = chance(one.chances[0]) if one.chances is not None else after
            if (one.deal, one.round) == (judged.deal, judged.round + 1) and then != after:
                return say("review-chance-then", share=after, chance=then)
        return after

    def gainer(self, judged: JudgedRound) -> str:
        return self.called[0 if judged.moved > 0 else 1]

    def whole(self) -> str:
        """Return what each seat gave away: chance to win, points, or both.

        Chances are added up only where the sum is a share of one chance to win; else the line tells averages.
        """
        a, b = self.names.texts[:2]
        winning = [judged for judged in self.found.rounds if judged.is_to_win]
        deals = len({judged.deal for judged in winning}) if _counts_deals(self.view) else 1
        lost = [self.found.sum_given(seat, win=True) for seat in (0, 1)]
        given = [self.found.sum_given(seat, win=False) for seat in (0, 1)]
        span = self.span()
        if deals > 1 or max(lost) > 1:
            span = say("review-span-mean", span=span)
            lost = [sum_lost / len(winning) for sum_lost in lost]
            given = [sum_given / max(1, len(self.found.rounds) - len(winning)) for sum_given in given]
        (p, q), (x, y) = map(share, lost), (f"{points:.1f}" for points in given)
        if len(winning) == len(self.found.rounds):
            return say("review-whole-win", span=span, a=a, b=b, x=p, y=q)
        if not winning:
            return say("review-whole", span=span, a=a, b=b, x=x, y=y)
        return say("review-whole-both", span=span, a=a, b=b, x=x, y=y, p=p, q=q)

    def span(self) -> str:
        """Return which rounds the review covers: the first ones of a deal may have too many cards to be solved."""
        first = {judged.deal: judged.round for judged in reversed(self.found.rounds)}
        if not any(first.values()):
            return say("review-span")
        return say("review-span-from", n=first[0] + 1) if len(self.deals) == 1 else say("review-span-solved")

    def points(self, page: int) -> str:
        """Return the points given away, if bids are graded by the chance to win."""
        judged = self.found.rounds[page]
        if not judged.is_to_win:
            return ""
        here, whole = [cost(given) for given in judged.costs], [f"{self.found.given_up(seat):.1f}" for seat in (0, 1)]
        (a, b), (x, y), (p, q) = self.called, here, whole
        return say("review-points", a=a, b=b, x=x, y=y, span=self.span(), p=p, q=q)

    def moments(self) -> list[str]:
        """Return the sentences about the best and the worst moment of the match."""
        best = self.found.rounds[self.found.luckiest]
        told = list[str]()
        if abs(best.moved) >= MOVED[best.is_to_win]:
            told.append(self.best(best))
        dearest = self.found.find_costliest_round(0, 1)
        if dearest is None:
            win = any(judged.is_to_win for judged in self.found.rounds)
            return [*told, self.flawless(say("review-flawless-win" if win else "review-flawless"))]
        worst = self.found.rounds[dearest]
        seat = 0 if worst.given(0) >= worst.given(1) else 1
        card = Faces(self.view.rules).card(worst.bids[seat])
        given = self.cost_words(worst, seat)
        return [*told, say("review-worst", n=self.number(worst), name=self.called[seat], card=card, cost=given)]

    def flawless(self, sentence: str) -> str:
        """Return the sentence with the rounds that it covers, if these are not all rounds."""
        span = self.span()
        if span == say("review-span"):
            return sentence
        return say("review-flawless-late", span=span, told=uncapitalize(sentence))

    def best(self, judged: JudgedRound) -> str:
        data = {"n": self.number(judged), "name": self.gainer(judged)}
        if judged.is_to_win:
            return say("review-best-win", share=share(abs(judged.moved)), **data)
        return say("review-best", points=f"{abs(judged.moved):.1f}", **data)

    def levels(self) -> list[str]:
        """The chart as text."""
        if len(self.found.rounds) > MOST_LEVELS:
            return []
        score, hope = list_leads(self.found.rounds)
        return [
            say("review-score", name=self.names[0], levels=" ".join(points(each, digits=0) for each in score)),
            say(
                "review-hope-deal" if _counts_deals(self.view) else "review-hope",
                levels=" ".join(points(each, CLEAR) for each in hope),
            ),
        ]

    def alt(self, page: int) -> str:
        """Return the chart in words."""
        _, hope = list_leads(self.found.rounds)
        rounds, labels = self.found.rounds, self.names.labels
        picture = say(
            "review-alt",
            n=len(rounds),
            a=labels[0],
            low=points(min(hope), CLEAR),
            high=points(max(hope), CLEAR),
            now=self.number(rounds[page]),
        )
        lost = {seat: at for seat in (0, 1) if (at := self.found.find_costliest_round(seat)) is not None}
        dear = [say("review-alt-dearest", n=self.number(rounds[at]), name=labels[seat]) for seat, at in lost.items()]
        return " ".join([picture, *dear])


def cost(given: float) -> str:
    return f"{given:.2f}" if given >= 0.005 else "0"


def share(given: float) -> str:
    """Example: "7 %". A tiny share is "< 1 %"."""
    return percent(0) if given < NOTHING[True] else percent_of(given, WORTH)


def _grades(judged: JudgedRound) -> str:
    """Return the note that explains this round's grades."""
    if not judged.is_to_win:
        return say("review-grades")
    fine, costly = (percent_of(most) for most, name in GRADES[True] if name in ("fine", "costly"))
    return say("review-grades-win", fine=fine, cost=costly)


def _counts_deals(view: MatchView) -> bool:
    """Return True if chances and leads are those of one deal: won deals count, so each deal is played to be won."""
    return view.series.counts_deals(view.rules.by_wins)


@command("review", "What perfect play says about a finished match", match="Match code, like K7Q2")
async def review_finished(context: InteractionContext, match: str | None = None) -> None:
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
    await context.answer.send(await _page(context, view, found, page_of(found, *place)))


async def _page(context: InteractionContext, view: MatchView, found: Review, page: int, what: str = "") -> Message:
    """Return a page with its chart, which a worker process draws."""
    png = await context.services.painter.paint(chart(view, found, page))
    return review(view, found, page, png, whole=what == "mix", public=what == "all")


async def _review(context: InteractionContext, live: Live) -> Review:
    """Return the coach's review; the answer shows its progress meanwhile."""
    coach, user = context.services.coach, context.user
    context.answer.so_far = lambda: so_far(*coach.get_progress(user))
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
