"""A finished match against perfect play: round by round, in all, and as a chart with words beside it."""

from __future__ import annotations

from bot.referee.house.coach import Judged, Review, levels
from bot.referee.ports.model import HOUSE
from bot.referee.query.views import DealView, MatchView
from cogs.learning import ids
from cogs.learning.odds_card import chance, mix, points
from cogs.ui.message import Attachment, Button, Message, Node, Picture, Row, Text, joined
from cogs.ui.screens.result import all_deals
from cogs.ui.words.faces import Faces
from cogs.ui.words.names import names_of
from cogs.ui.words.sentences import say
from cogs.ui.words.style import PLAIN

PAGE = 5
"""rounds on a page"""
CHART = "review.png"
MOST_LEVELS = 40
"""so many rounds are told as a row of numbers"""
CLEAR = 0.05
"""points that are worth a word"""


def pages(found: Review) -> int:
    return max(1, -(-len(found.rounds) // PAGE))


def so_far(done: int, of: int) -> str:
    """How far it is, while somebody waits."""
    return say("review-so-far", n=done, of=of) if of else ""


def review(
    view: MatchView, found: Review, page: int = 0, dearest: int | None = None, *, public: bool = False
) -> Message:
    """One page of rounds; `dearest` marks the round that was asked for, and brings its page."""
    page = min(max(0, page if dearest is None else dearest // PAGE), pages(found) - 1)
    title = say("review-title", m=view.id)
    told = _Told(view, found)
    first = page * PAGE
    lines = [told.round(at) for at in range(first, min(first + PAGE, len(found.rounds)))]
    if not first and found.rounds[0].round:
        lines.insert(0, say("review-late"))
    rough = any(not judged.exact for judged in found.rounds[first : first + PAGE])
    chances = any(judged.chances for judged in found.rounds[first : first + PAGE])
    notes = [say("review-rough") if rough else "", say("review-chances", name=told.called[0]) if chances else ""]
    body: list[Node] = [
        Text(joined(title, *lines, *notes)),
        Picture(CHART, told.alt()),
        Text(joined(told.whole(), *told.moments(), *told.levels())),
    ]
    if not public:
        body.append(_controls(view.id, page, pages(found)))
    return Message(body=tuple(body), attachments=(Attachment(CHART, found.chart),), essence=joined(title, told.whole()))


def _controls(match: str, page: int, of: int) -> Row:
    return Row(
        (
            Button(say("back"), ids.review(match, max(0, page - 1), "back"), enabled=page > 0),
            Button(say("next"), ids.review(match, page + 1, "next"), enabled=page + 1 < of),
            Button(say("dearest"), ids.review(match, page, "dearest")),
            Button(say("show-everyone"), ids.review(match, page, "all")),
        )
    )


def dearest(found: Review) -> int:
    """The place of the round in which one bid gave away most."""
    return max(range(len(found.rounds)), key=lambda at: max(found.rounds[at].costs))


class _Told:
    """A review in the words of one match."""

    def __init__(self, view: MatchView, found: Review) -> None:
        self.view, self.found = view, found
        self.names = names_of(view)
        both = zip(view.seats, self.names.texts, self.names.short, strict=True)
        self.called = [short if seat.user == HOUSE else name for seat, name, short in both]
        """the names as they stand in every line: the house without saying each time that it is the house"""
        self.deals: dict[int, DealView] = {deal.number - 1: deal for deal in all_deals(view)}

    def number(self, judged: Judged) -> str:
        """Which round: of its deal, where there are several."""
        if len(self.deals) > 1:
            return say("review-deal", d=judged.deal + 1, n=judged.round + 1)
        return str(judged.round + 1)

    def round(self, at: int) -> str:
        judged = self.found.rounds[at]
        deal = self.deals[judged.deal]
        faces = Faces(self.view.rules, PLAIN, deal.rounds)
        number = self.number(judged)
        own, other = (mix(shares, faces.card) for shares in judged.mixes)
        up = deal.rounds[judged.round].prizes
        data = {"n": number if judged.exact else say("review-mark", n=number)}
        if up:
            prize = faces.prizes(up, judged.round)
            data["prize"] = say("review-pot", prize=prize, pot=_signed(judged.pot)) if judged.pot else prize
        bids = [
            {"name": self.called[seat], "card": faces.card(judged.bids[seat]), "cost": cost(judged.costs[seat])}
            for seat in (0, 1)
        ]
        if own == other:
            told = " ".join([*(say("review-bid", **bid) for bid in bids), self.swing(judged)])
            return say("review-round", mix=own, told=told, **data)
        lines = [say("review-seat", mix=best, **bid) for best, bid in zip((own, other), bids, strict=True)]
        title = "review-round-two" if up else "review-round-pico"
        return joined(say(title, told=self.swing(judged), **data), *lines)

    def swing(self, judged: Judged) -> str:
        """Who came out better than was to be expected, and what became of the chance to win."""
        told = say("review-even")
        if abs(judged.swing) >= CLEAR:
            gainer = self.called[0 if judged.swing > 0 else 1]
            told = say("review-swing", name=gainer, points=f"{abs(judged.swing):.1f}")
        if judged.chances is None:
            return told
        before, after = map(chance, judged.chances)
        return say("review-chance", told=told, before=before, after=after)

    def whole(self) -> str:
        given = [f"{self.found.given_up(seat):.1f}" for seat in (0, 1)]
        return say("review-whole", a=self.names[0], b=self.names[1], x=given[0], y=given[1])

    def moments(self) -> list[str]:
        """The best and the worst moment of the match."""
        best = self.found.rounds[self.found.luckiest]
        told = list[str]()
        if abs(best.swing) >= CLEAR:
            gainer = self.called[0 if best.swing > 0 else 1]
            told.append(say("review-best", n=self.number(best), name=gainer, points=f"{abs(best.swing):.1f}"))
        worst = self.found.rounds[dearest(self.found)]
        seat = 0 if worst.costs[0] >= worst.costs[1] else 1
        if worst.costs[seat] < 0.005:
            return [*told, say("review-flawless")]
        card = Faces(self.view.rules).card(worst.bids[seat])
        return [
            *told,
            say("review-worst", n=self.number(worst), name=self.called[seat], card=card, cost=cost(worst.costs[seat])),
        ]

    def levels(self) -> list[str]:
        """The chart as text."""
        if len(self.found.rounds) > MOST_LEVELS:
            return []
        score, hope = levels(self.found.rounds)
        return [
            say("review-score", name=self.names[0], levels=" ".join(points(each, digits=0) for each in score)),
            say("review-hope", levels=" ".join(points(each, CLEAR) for each in hope)),
        ]

    def alt(self) -> str:
        """What the chart shows, for those who do not see it."""
        _, hope = levels(self.found.rounds)
        dear = [self.number(self.found.rounds[self.found.dearest(seat)]) for seat in (0, 1)]
        labels = self.names.labels
        return say(
            "review-alt",
            n=len(self.found.rounds),
            a=labels[0],
            b=labels[1],
            low=points(min(hope), CLEAR),
            high=points(max(hope), CLEAR),
            x=dear[0],
            y=dear[1],
        )


def _signed(pot: int) -> str:
    return f"−{-pot}" if pot < 0 else str(pot)


def cost(given: float) -> str:
    return f"{given:.2f}" if given >= 0.005 else "0"
