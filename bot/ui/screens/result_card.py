"""The picture of a result: scores and cards of each round. The alt text says the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bot.engine.cards import JOKER, Card, Points, format_points
from bot.engine.choices import Bid
from bot.engine.state import Round
from bot.pictures.plot import Chart, ChartLine, ChartRow, draw_chart, fit_name
from bot.referee.model.views import DealView, MatchView
from bot.ui.screens.result import list_deals
from bot.ui.story.lines import is_by_wins
from bot.ui.story.outcome import describe_outcome
from bot.ui.text.faces import Faces
from bot.ui.text.names import Names, make_names
from bot.ui.text.sentences import say
from bot.ui.text.style import PLAIN
from bot.ui.text.terms import short_name

MAX_ALT = 1000
"""Most characters of the alt text; Discord takes 1,024."""
MAX_TITLE = 52
MAX_ROUNDS = 26
"""Number of rounds up to which the cards stand below the lines."""
MIN_ROUNDS = 2
"""Fewest rounds that get a picture."""
_ISOLATES = {ord("\u2068"): None, ord("\u2069"): None}


class Sketch(NamedTuple):
    """A picture before it is rendered, with its alt text."""

    svg: str
    alt: str


def make_sketch(view: MatchView, *, shared: bool = False) -> Sketch | None:
    """Return the picture of a match that is over and counts. Private practice has none unless it is `shared`."""
    outcome = view.outcome
    if not view.over or (view.private and not shared) or outcome is None or not outcome.termination.counts:
        return None
    deals = [deal for deal in list_deals(view) if deal.rounds]
    if sum(len(deal.rounds) for deal in deals) < MIN_ROUNDS:
        return None
    contents, names = _Contents(view, deals), make_names(view)
    title = strip_markdown(describe_outcome(view, names))
    picture = Chart(
        title=fit_name(title, MAX_TITLE),
        under=f"{fit_name(short_name(view.rules.game), 24)} · #{view.id}",
        lines=tuple(
            ChartLine(contents.called[seat], tuple(map(float, contents.scores(seat))), seat) for seat in contents.seats
        ),
        rounds=tuple(str(number) for deal in deals for number in range(1, len(deal.rounds) + 1)),
        rows=contents.rows() if contents.is_legible else (),
        breaks=contents.breaks,
    )
    return Sketch(draw_chart(picture), contents.alt(title, names))


def strip_markdown(text: str) -> str:
    """Return a text without the formatting of messages."""
    return re.sub(r"\\(.)", r"\1", text.translate(_ISOLATES)).replace("**", "")


class _Contents:
    """The part of these deals that a picture shows."""

    def __init__(self, view: MatchView, deals: Sequence[DealView]) -> None:
        self.view, self.deals = view, deals
        self.seats = range(len(view.seats))
        self.names = make_names(view)
        self.called = [
            fit_name(label) or say("seat-number", n=number) for number, label in enumerate(self.names.labels, 1)
        ]
        self.adds = view.series.mode != "single" and not is_by_wins(view)
        """True if the scores of the deals are added."""
        before = [len(deal.rounds) for deal in deals]
        self.breaks = tuple(sum(before[:number]) for number in range(1, len(deals)))

    def scores(self, seat: int) -> list[Points]:
        """Return the scores of this seat: before the first round and after each round."""
        told: list[Points] = [self._first(seat)]
        earlier: Points = 0
        for deal in self.deals:
            told += [played.scores[seat] + earlier for played in deal.rounds]
            if self.adds:
                earlier += deal.scores[seat]
        return told

    def _first(self, seat: int) -> Points:
        sale = self.view.rules.sale
        from_nothing = sale.additive if sale is not None else not self.view.rules.by_wins
        return 0 if from_nothing else self.deals[0].rounds[0].scores[seat]

    @property
    def is_legible(self) -> bool:
        """Return True if each round has room for its cards."""
        return sum(len(deal.rounds) for deal in self.deals) <= MAX_ROUNDS

    def rows(self) -> tuple[ChartRow, ...]:
        """Return the rows of prizes and of the cards of each seat."""
        played = [(deal, number, one) for deal in self.deals for number, one in enumerate(deal.rounds)]
        rows = list[ChartRow]()
        if any(one.prizes for _, _, one in played):
            prizes = tuple(self._prize(deal, number, one) for deal, number, one in played)
            rows.append(ChartRow(say("card-prize"), prizes))
        for seat in self.seats:
            won = frozenset(place for place, (_, _, one) in enumerate(played) if seat in one.winners)
            cards = tuple(self._bid(deal, one, seat) for deal, _, one in played)
            rows.append(ChartRow(fit_name(self.called[seat], 10), cards, won, seat))
        return tuple(rows)

    def _faces(self, deal: DealView) -> Faces:
        return Faces(self.view.rules, PLAIN, deal.rounds)

    def _prize(self, deal: DealView, number: int, played: Round) -> str:
        faces = self._faces(deal)
        if faces.is_dressed:
            return faces.prizes(played.prizes, number)
        return " ".join(_short_label(faces, card) for card in played.prizes)

    def _bid(self, deal: DealView, played: Round, seat: int) -> str:
        """Return the last card that a seat bid in a round."""
        faces = self._faces(deal)
        for bids in (played.bids, *reversed(played.again)):
            bid = bids[seat]
            if isinstance(bid, Bid):
                return "+".join(_short_label(faces, card) for card in bid.cards)
        return "–"

    def alt(self, title: str, names: Names) -> str:
        """Return the alt text: all scores and all cards. If that is too long, it has the final scores, or no cards."""
        each = [[format_points(points) for points in self.scores(seat)[1:]] for seat in self.seats]
        every = say("result-alt", result=title, scores=_list_rows(zip(names.labels, each, strict=True)))
        ends = [one[-1:] for one in each]
        last = say("result-alt-end", result=title, scores=_list_rows(zip(names.labels, ends, strict=True)))
        told = _list_rows((row.name, row.texts) for row in self.rows() if row.texts)
        cards = say("result-alt-cards", cards=told) if told else ""
        elsewhere = say("result-alt-elsewhere")
        forms = ((every, cards), (last, cards), (every, elsewhere), (last, elsewhere), (title, elsewhere))
        return next((text for form in forms if len(text := " ".join(filter(None, form))) <= MAX_ALT), elsewhere)


def _list_rows(rows: Iterable[tuple[str, Sequence[str]]]) -> str:
    """Return rows as text, for example `Ana: 7 4 9; Ben: 2 3 A`."""
    return "; ".join(say("result-alt-line", name=name, scores=" ".join(texts)) for name, texts in rows)


def _short_label(faces: Faces, card: Card) -> str:
    """Return a card for a narrow column: K, −5, +7, Jk."""
    if card == JOKER:
        return "Jk"
    label = faces.label(card)
    return f"+{label}" if faces.is_signed and isinstance(card, int) and card > 0 else label.replace(" ", "")
