"""The picture of a result: scores and cards of each round. The alt text says the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bot.engine.cards import JOKER, Card, Points, format_points, rank, rank_letter, suit
from bot.engine.choices import Bid
from bot.engine.events import PickMade, PrizesAwarded, PrizesShared
from bot.engine.match import Termination
from bot.engine.state import Round
from bot.pictures.plot import fit_name
from bot.pictures.result import draw_scoreboard
from bot.pictures.scoreboard import SHARED, PictureCard, PictureRound, PictureSeat, Scoreboard, shorten_halves
from bot.referee.model.model import DECIDED
from bot.referee.model.views import DealView, MatchView
from bot.ui.story.deals import Gain, find_biggest_gain, list_deals
from bot.ui.story.lines import describe_series, is_by_wins
from bot.ui.story.outcome import deciding_scores, describe_outcome
from bot.ui.text.catalogue.numbers import score_pair
from bot.ui.text.faces import Faces
from bot.ui.text.names import Names, make_names
from bot.ui.text.sentences import say
from bot.ui.text.style import PLAIN
from bot.ui.text.terms import short_name

MAX_ALT = 1000
"""Most characters of the alt text; Discord takes 1,024."""
MAX_TITLE = 52
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
    return Sketch(draw_scoreboard(contents.board(), fit_name(title, MAX_TITLE)), contents.alt(title, names))


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
            fit_name(label, 32) or say("seat-number", n=number) for number, label in enumerate(self.names.labels, 1)
        ]
        self.adds = view.series.mode != "single" and not is_by_wins(view)
        """True if the scores of the deals are added."""
        prizes = (card for deal in deals for one in deal.rounds for card in one.prizes)
        self.largest = max((abs(view.rules.value(card)) for card in prizes), default=1) or 1
        """the worth of the largest prize"""
        before = [len(deal.rounds) for deal in deals]
        self.breaks = tuple(sum(before[:number]) for number in range(1, len(deals)))
        self.turn = self._find_turn()

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

    def board(self) -> Scoreboard:
        """Return all that the picture shows."""
        view, scores = self.view, deciding_scores(self.view)
        places = view.outcome.placings if view.outcome is not None and view.outcome.placings else (1,) * len(scores)
        order = sorted(self.seats, key=lambda seat: (places[seat], seat))
        played = [(deal, number, one) for deal in self.deals for number, one in enumerate(deal.rounds)]
        takers = [one for deal in self.deals for one in find_takers(deal)]
        return Scoreboard(
            seats=tuple(
                PictureSeat(seat, self.called[seat], format_points(scores[seat]), places[seat] == 1) for seat in order
            ),
            rounds=tuple(self._round(*one, takers=taken) for one, taken in zip(played, takers, strict=True)),
            scores=tuple(tuple(map(float, self.scores(seat))) for seat in self.seats),
            foot=self._foot(),
            caption=self._caption(),
            turn=self._place_turn(),
            breaks=self.breaks,
            deals=self._deals(order),
            least_wins=view.rules.least_wins,
            restarts=not self.adds,
        )

    def _foot(self) -> str:
        view = self.view
        game = short_name(view.rules.game)
        return game if view.ended is None else f"{game} · {view.ended.day} {view.ended:%b %Y}"

    def _caption(self) -> str:
        view, outcome = self.view, self.view.outcome
        if len(view.seats) > 2 or outcome is None:
            return ""
        if self._is_ended_early():
            return fit_name(strip_markdown(describe_outcome(view, self.names)), MAX_TITLE)
        return "" if view.series.mode == "single" else describe_series(view)

    def _is_ended_early(self) -> bool:
        """Return True if a player, a clock or a moderator ended the match."""
        outcome = self.view.outcome
        return self.view.why == DECIDED or outcome is None or outcome.termination is not Termination.COMPLETED

    def _find_turn(self) -> Gain | None:
        """Return the prizes that helped the winner most, unless something other than the cards decided."""
        outcome = self.view.outcome
        if outcome is None or outcome.winner is None or self._is_ended_early():
            return None
        return find_biggest_gain(self.view)

    def _place_turn(self) -> int | None:
        turn = self.turn
        if turn is None:
            return None
        return sum(len(deal.rounds) for deal in self.deals if deal.number < turn.deal.number) + turn.number - 1

    def _deals(self, order: Sequence[int]) -> tuple[str, ...]:
        if len(self.deals) < 2 or len(order) > 2:
            return ()
        return tuple(
            shorten_halves(score_pair(*(format_points(deal.scores[seat]) for seat in order))) for deal in self.deals
        )

    def _round(self, deal: DealView, number: int, played: Round, takers: Sequence[int | None]) -> PictureRound:
        faces = self._faces(deal)
        return PictureRound(
            tuple(self._prize_card(faces, card, number) for card in played.prizes),
            tuple(takers),
            tuple(self._bid_cards(faces, played, seat) for seat in self.seats),
            frozenset(played.winners),
        )

    def _prize_card(self, faces: Faces, card: Card, number: int) -> PictureCard:
        if card == JOKER:
            return PictureCard(_short_label(faces, card), kind="joker")
        size = float(abs(self.view.rules.value(card)) / self.largest)
        if faces.is_signed and isinstance(card, int):
            return PictureCard(_prize_label(faces, card), kind="mouse" if card > 0 else "vulture", size=size)
        return PictureCard(_rank(faces, card), suit(card) or faces.prize_suit(card, number), size=size)

    def _bid_cards(self, faces: Faces, played: Round, seat: int) -> tuple[PictureCard, ...]:
        bid, of = _last_bid(played, seat), faces.seat_suit(seat)
        return tuple(PictureCard(_rank(faces, card), suit(card) or of) for card in bid.cards) if bid else ()

    def rows(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return the rows of prizes and of the cards of each seat, as text."""
        played = [(deal, number, one) for deal in self.deals for number, one in enumerate(deal.rounds)]
        rows = list[tuple[str, tuple[str, ...]]]()
        if any(one.prizes for _, _, one in played):
            prizes = tuple(self._prize(deal, number, one) for deal, number, one in played)
            rows.append((say("card-prize"), prizes))
        for seat in self.seats:
            rows.append((self.names.labels[seat], tuple(self._bid(deal, one, seat) for deal, _, one in played)))
        return tuple(rows)

    def _faces(self, deal: DealView) -> Faces:
        return Faces(self.view.rules, PLAIN, deal.rounds, deal.number)

    def _prize(self, deal: DealView, number: int, played: Round) -> str:
        faces = self._faces(deal)
        if faces.is_dressed:
            return faces.prizes(played.prizes, number)
        return " ".join(_prize_label(faces, card) for card in played.prizes)

    def _bid(self, deal: DealView, played: Round, seat: int) -> str:
        bid, faces = _last_bid(played, seat), self._faces(deal)
        return "+".join(_short_label(faces, card) for card in bid.cards) if bid else "–"

    def alt(self, title: str, names: Names) -> str:
        """Return the alt text: all scores and all cards. If that is too long, it has the final scores, or no cards."""
        each = [[format_points(points) for points in self.scores(seat)[1:]] for seat in self.seats]
        every = say("result-alt", result=title, scores=_list_rows(zip(names.labels, each, strict=True)))
        ends = [one[-1:] for one in each]
        last = say("result-alt-end", result=title, scores=_list_rows(zip(names.labels, ends, strict=True)))
        told = _list_rows(self.rows())
        cards = say("result-alt-cards", cards=told) if told else ""
        elsewhere = say("result-alt-elsewhere")
        turn = self._describe_turn()
        forms = (
            (every, turn, cards),
            (last, turn, cards),
            (every, turn, elsewhere),
            (last, turn, elsewhere),
            (title, turn, elsewhere),
        )
        return next((text for form in forms if len(text := " ".join(filter(None, form))) <= MAX_ALT), elsewhere)

    def _describe_turn(self) -> str:
        if self.turn is None:
            return ""
        id = "result-alt-turn-deal" if len(self.deals) > 1 else "result-alt-turn"
        return say(id, n=self.turn.number, d=self.turn.deal.number)


def _list_rows(rows: Iterable[tuple[str, Sequence[str]]]) -> str:
    """Return rows as text, for example `Ana: 7 4 9; Ben: 2 3 A`."""
    return "; ".join(say("result-alt-line", name=name, scores=" ".join(texts)) for name, texts in rows)


def _short_label(faces: Faces, card: Card) -> str:
    """Return a card for a narrow column: K, −5, Jk."""
    if card == JOKER:
        return "Jk"
    return faces.label(card).replace(" ", "")


def _prize_label(faces: Faces, card: Card) -> str:
    """Return a prize for a narrow column: mice and vultures have their sign."""
    label = _short_label(faces, card)
    return f"+{label}" if faces.is_signed and isinstance(card, int) and card > 0 else label


def _last_bid(played: Round, seat: int) -> Bid | None:
    """Return the last cards that a seat bid in a round."""
    bids = (bids[seat] for bids in (played.bids, *reversed(played.again)))
    return next((bid for bid in bids if isinstance(bid, Bid)), None)


def find_takers(deal: DealView) -> list[list[int | None]]:
    """Return for each prize of each round the seat that got it, then or later: None for nobody, SHARED for several."""
    takers: list[list[int | None]] = [[None] * len(one.prizes) for one in deal.rounds]
    open_places: dict[Card, list[tuple[int, int]]] = {}
    for number, one in enumerate(deal.rounds):
        for place, card in enumerate(one.prizes):
            open_places.setdefault(card, []).append((number, place))
        for event in one.events:
            if isinstance(event, PrizesAwarded):
                got, seat = event.prizes, event.seat
            elif isinstance(event, PickMade):
                got, seat = (event.prize,), event.seat
            elif isinstance(event, PrizesShared):
                got, seat = event.prizes, SHARED
            else:
                continue
            for card in got:
                if open_places.get(card):
                    number_of, place = open_places[card].pop(0)
                    takers[number_of][place] = seat
    return takers


def _rank(faces: Faces, card: Card) -> str:
    """Return the rank alone, for a card with its suit below."""
    if isinstance(card, str) and suit(card):
        return rank_letter(rank(card))
    return _short_label(faces, card).replace("high", "↑").replace("low", "↓")
