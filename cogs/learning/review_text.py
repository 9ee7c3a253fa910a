"""The sentences of a review: each bid with one verdict, totals, and the figures behind *Numbers*."""

from __future__ import annotations

from functools import partial

from bot.engine.counted import ordinal
from bot.referee.model.model import HOUSE
from bot.referee.model.views import DealView, MatchView
from bot.solver.coach.advice import GRADES, NOTHING, JudgedRound, Review, list_leads
from bot.ui.message import join_lines
from bot.ui.story.deals import list_deals
from bot.ui.text.catalogue.numbers import percent, percent_of
from bot.ui.text.faces import Faces
from bot.ui.text.names import make_names
from bot.ui.text.sentences import say, uncapitalize
from bot.ui.text.style import PLAIN
from cogs.learning.analysis import chance, in_words, plan_words, points, shorten_mix

MOST_LEVELS = 40
"""The most rounds whose values are listed in the chart's text."""
CLEAR = 0.05
"""Fewer points than this are not mentioned."""
MOVED = {True: 0.005, False: CLEAR}
"""A change of the chance to win, or of points, from which it counts as a gain."""
WORTH = 0.01
"""A smaller part of the chance to win is not mentioned."""
VERDICTS = {"best": "good", "fine": "good", "costly": "mistake", "blunder": "blunder"}
"""The word for each grade."""


class ReviewText:
    """The sentences of a review, with the names of one match. Chances and leads are those of the reader's seat."""

    def __init__(self, view: MatchView, found: Review) -> None:
        self.view, self.found = view, found
        self.side = view.seat or 0
        self.names = make_names(view)
        both = zip(view.seats, self.names.texts, self.names.short, strict=True)
        self.called = [short if seat.user == HOUSE else name for seat, name, short in both]
        """Short names for lines, without "(house)"."""
        self.deals: dict[int, DealView] = {deal.number - 1: deal for deal in list_deals(view)}

    def number(self, judged: JudgedRound) -> str:
        """Return the number of a round, with its deal if there are several, and which bid it is after a tie."""
        number = str(judged.round + 1)
        if len(self.deals) > 1:
            number = say("review-deal", d=judged.deal + 1, n=number)
        same = [id(one) for one in self.found.rounds if (one.deal, one.round) == (judged.deal, judged.round)]
        nth = same.index(id(judged)) + 1
        return say("review-again", n=number, ordinal=ordinal(nth)) if nth > 1 else number

    def place(self, judged: JudgedRound) -> dict[str, str]:
        """Return the number of a round and what it is called."""
        return {"n": self.number(judged), "round": self.view.rules.round_word}

    def round(self, at: int) -> str:
        """Return the round's title, and for each seat its bid with one verdict."""
        judged = self.found.rounds[at]
        deal, faces = self.deals[judged.deal], self.faces(judged)
        number = self.number(judged)
        up = deal.rounds[judged.round].prizes
        data = {"n": say("review-mark", n=number) if judged.near or not judged.exact else number}
        if up:
            prize = faces.prizes(up, judged.round)
            data["prize"] = (
                say("review-pot", prize=prize, pot=str(judged.pot).replace("-", "−")) if judged.pot else prize
            )
        bids = [self.bid(judged, seat, faces) for seat in (0, 1)]
        alike = say("review-alike") if judged.alike else ""
        return join_lines(say("review-round" if up else "review-round-pico", **data), *bids, alike)

    def faces(self, judged: JudgedRound) -> Faces:
        deal = self.deals[judged.deal]
        return Faces(self.view.rules, PLAIN, deal.rounds, deal.number)

    def bid(self, judged: JudgedRound, seat: int, faces: Faces) -> str:
        """Example: "Ana bid ♠Q: mistake, it gives away 7% win chance. Better: ♠9." A good bid has no such figure."""
        card = faces.bid_card(seat, judged.bids[seat])
        data = {"name": self.called[seat], "card": card, "grade": verdict(judged, seat)}
        if judged.verdict(seat) == "unlucky":
            return self.unlucky(judged, seat, faces, data)
        if VERDICTS[judged.grade(seat)] == "good":
            return say("review-bid", **data)
        better = self.better(judged, seat, faces)
        return say("review-bid-cost", cost=self.cost_words(judged, seat), better=better, **data)

    def unlucky(self, judged: JudgedRound, seat: int, faces: Faces, data: dict[str, str]) -> str:
        """Return the sentence of a good bid that lost much to the other seat's card."""
        data = {**data, "theirs": faces.bid_card(1 - seat, judged.bids[1 - seat])}
        if judged.chances is None:
            return say("review-unlucky-points", points=f"{abs(judged.moved):.1f}", **data)
        before, after = (chance(1 - first if seat else first) for first in judged.chances)
        return say("review-unlucky", before=before, after=after, **data)

    def better(self, judged: JudgedRound, seat: int, faces: Faces) -> str:
        """Return the best card, or the likeliest cards of the best plan."""
        shares, card = judged.mixes[seat], partial(faces.bid_card, seat)
        if len(shares) == 1:
            return say("review-better", mix=card(shares[0][0]))
        return say("review-better-mix", mix=shorten_mix(shares, card))

    def cost_words(self, judged: JudgedRound, seat: int) -> str:
        """Return what a bid gave away: 7% win chance, or 0.61 points."""
        given = judged.given(seat)
        return say("cost-chance", share=share(given)) if judged.is_to_win else say("cost-points", points=cost(given))

    def plans(self, judged: JudgedRound) -> list[str]:
        """Return all cards of the best plans."""
        if judged.alike:
            return []
        faces = self.faces(judged)
        own, other = (plan_words(shares, lambda card: in_words(faces.card(card))) for shares in judged.mixes)
        if own == other:
            return [say("review-plan-both", mix=own)]
        return [
            say("review-plan", name=self.called[seat], mix=plan_words(shares, partial(faces.bid_card, seat)))
            for seat, shares in enumerate(judged.mixes)
        ]

    def numbers(self, at: int) -> list[str]:
        """Return all figures of a round and of the match."""
        judged = self.found.rounds[at]
        words = say("review-words") if not judged.alike and max(map(len, judged.mixes)) > 1 else ""
        return [*self.plans(judged), self.swing(at), self.whole(), *self.levels(), _grades(judged), words]

    def whole_match(self, at: int) -> list[str]:
        """Return the lines below a round: the grades and moments of the match."""
        return [self.grades(), *self.moments(at)]

    def grades(self) -> str:
        """Return how many bids of each seat were good, mistakes and blunders; empty if all were good."""
        called = [[VERDICTS[judged.grade(seat)] for judged in self.found.rounds] for seat in (0, 1)]
        if {"good"} == {*called[0], *called[1]}:
            return ""
        x, y = (
            ", ".join(
                say(f"grade-count-{name}", n=n) for name in ("good", "mistake", "blunder") if (n := given.count(name))
            )
            for given in called
        )
        a, b = self.called
        return say("review-graded", span=self.span(), a=a, x=x, b=b, y=y)

    def swing(self, at: int) -> str:
        """Return how the chance to win changed, or which seat gained against expectation."""
        judged = self.found.rounds[at]
        if judged.chances is not None:
            before, after = map(self.own_chance, judged.chances)
            key = "review-chance-deal" if counts_deals(self.view) else "review-chance"
            told, ended = say(key, name=self.called[self.side], before=before, after=after), self.ended(at, before)
            return say("review-chance-before", told=told, share=ended) if ended else told
        if abs(judged.swing) < CLEAR:
            return say("review-even")
        return say("review-swing", name=self.gainer(judged), points=f"{abs(judged.swing):.1f}")

    def own_chance(self, first: float) -> str:
        """Return the reader's chance to win, from that of the first seat."""
        return chance(1 - first if self.side else first)

    def ended(self, at: int, before: str) -> str:
        """Return the chance after the round before, if it changed when this prize was turned up; else nothing."""
        last, judged = self.found.rounds[max(at - 1, 0)], self.found.rounds[at]
        if last.chances is None or (last.deal, last.round + 1) != (judged.deal, judged.round):
            return ""
        ended = self.own_chance(last.chances[1])
        return "" if ended == before else ended

    def leads(self) -> tuple[list[float], list[float]]:
        """Return the reader's leads before each round, and the expected ones at the end."""
        score, hope = list_leads(self.found.rounds)
        return ([0.0 - lead for lead in score], [0.0 - lead for lead in hope]) if self.side else (score, hope)

    def gainer(self, judged: JudgedRound) -> str:
        return self.called[0 if judged.moved > 0 else 1]

    def whole(self) -> str:
        """Return what each seat gave away on average a round: chance to win, points, or both."""
        a, b = self.called
        winning = sum(judged.is_to_win for judged in self.found.rounds)
        rest = len(self.found.rounds) - winning
        p, q = (share(_mean(self.found.sum_given(seat, win=True), winning, win=True)) for seat in (0, 1))
        x, y = (cost(_mean(self.found.sum_given(seat, win=False), rest, win=False)) for seat in (0, 1))
        span = self.span()
        if not rest:
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

    def moments(self, page: int) -> list[str]:
        """Return the sentences about the worst and the luckiest round of the match, which are never the same."""
        costliest = self.found.find_costliest_round(0, 1)
        told = [self.flawless("review-flawless") if costliest is None else self.worst(costliest, page)]
        luckiest = self.found.find_luckiest_round(but=costliest, seat=self.view.seat)
        if luckiest is not None and abs((best := self.found.rounds[luckiest]).moved) >= MOVED[best.is_to_win]:
            told.append(self.best(best))
        return told

    def worst(self, at: int, page: int) -> str:
        """Return the sentence about the worst round; its own page has the bid already."""
        judged = self.found.rounds[at]
        seat, faces = _worse_seat(judged), self.faces(judged)
        if VERDICTS[judged.grade(seat)] == "good":
            return self.flawless("review-clean")
        if at == page:
            return say("review-worst-here", name=self.called[seat], round=self.view.rules.round_word)
        data = {
            "name": self.called[seat],
            "card": faces.bid_card(seat, judged.bids[seat]),
            "grade": verdict(judged, seat),
            "better": self.better(judged, seat, faces),
            **self.place(judged),
        }
        return say("review-worst", cost=self.cost_words(judged, seat), **data)

    def flawless(self, id: str) -> str:
        """Return that nobody gave anything up or made a mistake, and in which rounds if these are not all."""
        span, sentence = self.span(), say(id)
        if span == say("review-span"):
            return sentence
        return say("review-flawless-late", span=span, told=uncapitalize(sentence))

    def best(self, judged: JudgedRound) -> str:
        data = {"name": self.gainer(judged), **self.place(judged)}
        if judged.is_to_win:
            return say("review-luck-win", share=share(abs(judged.moved)), **data)
        return say("review-luck", points=f"{abs(judged.moved):.1f}", **data)

    def levels(self) -> list[str]:
        """The chart as text."""
        if len(self.found.rounds) > MOST_LEVELS:
            return []
        score, hope = self.leads()
        return [
            say("review-score", name=self.names[self.side], levels=" ".join(points(each, digits=0) for each in score)),
            say(
                "review-hope-deal" if counts_deals(self.view) else "review-hope",
                name=self.names[self.side],
                levels=" ".join(points(each, CLEAR) for each in hope),
            ),
        ]

    def alt(self, page: int) -> str:
        """Return the chart in words."""
        _, hope = self.leads()
        rounds, labels = self.found.rounds, self.names.labels
        picture = say(
            "review-alt",
            n=len(rounds),
            a=labels[self.side],
            low=points(min(hope), CLEAR),
            high=points(max(hope), CLEAR),
            now=self.number(rounds[page]),
        )
        lost = {seat: at for seat in (0, 1) if (at := self.found.find_costliest_round(seat)) is not None}
        dear = [say("review-alt-worst", n=self.number(rounds[at]), name=labels[seat]) for seat, at in lost.items()]
        return " ".join([picture, *dear])


def verdict(judged: JudgedRound, seat: int) -> str:
    """Return the word for a bid: good, unlucky, mistake or blunder."""
    return say(f"grade-{judged.verdict(seat)}")


def _worse_seat(judged: JudgedRound) -> int:
    return 0 if judged.given(0) >= judged.given(1) else 1


def cost(given: float) -> str:
    return f"{given:.2f}" if given >= 0.005 else "0"


def share(given: float) -> str:
    """Example: "7%". A tiny share is "<1%"."""
    return percent(0) if given < NOTHING[True] else percent_of(given, WORTH)


def _mean(given: float, rounds: int, *, win: bool) -> float:
    """Return the average of a sum; never nothing where something was given away."""
    return max(given / rounds, NOTHING[win]) if given else 0.0


def _grades(judged: JudgedRound) -> str:
    """Return the note that explains this round's grades."""
    if not judged.is_to_win:
        return say("review-grades")
    fine, costly = (percent_of(most) for most, name in GRADES[True] if name in ("fine", "costly"))
    return say("review-grades-win", fine=fine, cost=costly)


def counts_deals(view: MatchView) -> bool:
    """Return True if chances and leads are those of one deal: won deals count, so each deal is played to be won."""
    return view.series.counts_deals(view.rules.by_wins)
