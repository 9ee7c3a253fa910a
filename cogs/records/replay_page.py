"""A finished match as `replay.html`: one page that steps through it without network.

The page and its script are the same for every match. The moments of the match go into it as compressed data, which the
script shows as text only.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from bot.engine.cards import Card, Points, Seat, format_points
from bot.engine.choices import Bid
from bot.engine.events import Bids
from bot.engine.record.transcript import Teller
from bot.engine.state import Round
from bot.referee.model.views import MatchView
from bot.referee.repository.replay_tape import Tape, TapeMoment
from bot.solver.coach.advice import JudgedRound, Review
from bot.ui.story import lines
from bot.ui.story.outcome import describe_outcome
from bot.ui.text.catalogue.numbers import percent_of
from bot.ui.text.faces import Faces
from bot.ui.text.names import begin_sentences, make_names
from bot.ui.text.sentences import capitalize, say
from bot.ui.text.stamps import format_about, format_date
from bot.ui.text.style import PLAIN
from bot.ui.text.terms import game_title

PAGE = Path(__file__).with_name("replay.html")
_INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)
_MARKDOWN = re.compile(r"\\(.)|\*\*")


def render_page(tape: Tape, view: MatchView, review: Review | None = None) -> bytes:
    """Return the page of a match. `view` is the public view of its end."""
    text = json.dumps(_Scribe(tape, view, review).data(), ensure_ascii=False, separators=(",", ":"))
    packed = b64encode(zlib.compress(text.encode(), 9)).decode()  # letters that are no markup, whatever players wrote
    return load_template().replace("{match}", packed).encode()


@cache
def load_template() -> str:
    """Return the page without a match. Its policy names the digests of its own script and style and allows no other."""
    text = PAGE.read_text(encoding="utf-8")
    for tag, content in _INLINE.findall(text):
        digest = b64encode(sha256(content.encode()).digest()).decode()
        text = text.replace(f"{{{tag}}}", f"'sha256-{digest}'")
    return text


@dataclass
class _Album:
    """Numbers for the faces of cards, in the order in which they appear."""

    faces: dict[str, int] = field(default_factory=dict[str, int])

    def number(self, face: str) -> int:
        return self.faces.setdefault(face, len(self.faces))


class _Scribe:
    """Writer of the data of one match."""

    def __init__(self, tape: Tape, view: MatchView, review: Review | None) -> None:
        self.view, self.names, self.album = view, make_names(view), _Album()
        self.moments = [tape.moment_at(at) for at in range(len(tape))]
        self.teller = Teller(view.rules, self.names.labels)
        self.judged: dict[tuple[int, int], list[JudgedRound]] = {}
        for one in review.rounds if review is not None else ():
            self.judged.setdefault((one.deal, one.round), []).append(one)

    def data(self) -> dict[str, Any]:
        view = self.view
        frames: list[dict[str, Any]] = []
        before: TapeMoment | None = None
        for moment in self.moments:
            frames.append(self._frame(moment, before))
            before = moment
        return {
            "match": view.id,
            "game": game_title(view.rules),
            "series": "" if view.series.mode == "single" else lines.describe_series(view),
            "day": format_date(view.ended.date()) if view.ended is not None else "",
            "names": self.names.labels,
            "round": capitalize(view.rules.round_word),
            "prizes": view.rules.sale is not None,
            "wins": lines.is_by_wins(view),
            "outcome": read_markdown(begin_sentences(describe_outcome(view, self.names)) or say("replay-unfinished")),
            "places": list((view.outcome.placings if view.outcome is not None else None) or ()),
            "frames": frames,
            "faces": list(self.album.faces),
        }

    # --- one moment --------------------------------------------------------------------------------------

    def _frame(self, moment: TapeMoment, before: TapeMoment | None) -> dict[str, Any]:
        """Return a moment: the round that it revealed, and the cards and scores after it."""
        view, seen = moment.view, moment.view.seen
        faces = Faces(view.rules, PLAIN, seen.rounds, view.deal)
        if before is not None and before.deal != moment.deal:
            before = None
        revealed = seen.rounds[-1] if seen.rounds and (before is None or before.round < moment.round) else None
        frame: dict[str, Any] = {
            "deal": moment.deal,
            "round": moment.round,
            "of": view.rounds_total or 0,
            "story": self._story(moment, revealed),
            "up": [] if seen.over else self._prizes(faces, (*seen.pot, *seen.exposed)),
            "coming": self._coming(moment, faces),
            "seats": [self._seat(moment, seat, faces) for seat in range(len(self.names))],
            "leads": lines.find_leader(view),
            "over": seen.over,
            "turning": moment.turning and moment.at > 0,
            "hidden": moment.hidden,
        }
        if revealed is not None:
            frame |= self._reveal(moment, before, revealed, faces)
        return frame

    def _story(self, moment: TapeMoment, revealed: Round | None) -> str:
        seen = moment.view.seen
        told = [self.teller.story(revealed.events)] if revealed is not None else []
        if moment.last and not seen.over:
            told.append(self.teller.story(seen.events))
        return begin_sentences(" ".join(filter(None, told)))

    def _reveal(self, moment: TapeMoment, before: TapeMoment | None, played: Round, faces: Faces) -> dict[str, Any]:
        """Return prizes, bids and gains of the round that this moment revealed."""
        then = before.view.seen if before is not None else None
        pot, on_view, scores = (then.pot, then.exposed, then.scores) if then is not None else ((), (), played.scores)
        prizes = max(on_view, played.prizes, key=len)  # a prize may be turned after the bids, or stay on view
        gained = [new - old for new, old in zip(played.scores, scores, strict=True)]
        sealed = {one.seat: format_about(one.took) for one in moment.sealings}
        return {
            "prizes": self._prizes(faces, prizes, moment.round - 1),
            "pot": self._prizes(faces, pot, moment.round - 1),
            "outcome": played.outcome,
            "winners": list(played.winners),
            "picks": [[seat, self.album.number(faces.prize_face(card))] for seat, card in played.picks],
            "bids": [self._bids(faces, seat, (*played.again, played.bids)) for seat in range(len(self.names))],
            "gains": [_signed(points) if points else "" for points in gained],
            "took": [sealed.get(seat, "") for seat in range(len(self.names))],
            "judged": [self._judge(one, faces) for one in self.judged.get((moment.deal, moment.round - 1), ())],
        }

    def _coming(self, moment: TapeMoment, faces: Faces) -> dict[str, Any]:
        """Return the prizes that were known to come, or their number."""
        seen = moment.view.seen
        if seen.over or not lines.has_prizes(moment.view):
            return {"left": 0, "cards": [], "ordered": False}
        known = seen.to_come or ()
        cards = known if seen.in_order else faces.sort_coming(known)
        return {"left": seen.stock_left, "cards": self._prizes(faces, cards), "ordered": seen.in_order}

    def _seat(self, moment: TapeMoment, seat: Seat, faces: Faces) -> dict[str, Any]:
        view = moment.view
        one = view.seats[seat]
        if view.rules.shows_margin:
            score = lines.format_lead([other.score for other in view.seats], seat)
            total = lines.format_lead([other.total for other in view.seats], seat)
        else:
            score, total = format_points(one.score), format_points(one.total)
        return {
            "score": score,
            "points": float(one.score),
            "note": view.seen.tallies[seat] if view.seen.tallies else "",
            "sum": "" if view.series.mode == "single" else str(one.wins) if lines.is_by_wins(view) else total,
            "hand": [self.album.number(faces.seat_face(card, seat)) for card in moment.hands[seat]],
            "known": view.seen.hands[seat] is not None,
            "won": self._prizes(faces, view.seen.won[seat]) if view.seen.won else [],
            "left": one.left,
        }

    def _prizes(self, faces: Faces, cards: Iterable[Card], before: int | None = None) -> list[int]:
        return [self.album.number(faces.prize_face(card, before)) for card in cards]

    def _bids(self, faces: Faces, seat: Seat, rounds: Sequence[Bids]) -> list[list[int]]:
        """Return the bids of a seat, one for each sub-round in which it bid."""
        made = [bids[seat] for bids in rounds if bids]
        return [
            [self.album.number(faces.seat_face(card, seat)) for card in bid.cards]
            for bid in made
            if isinstance(bid, Bid)
        ]

    # --- the review --------------------------------------------------------------------------------------

    def _judge(self, judged: JudgedRound, faces: Faces) -> dict[str, Any]:
        """Return the values of perfect play for a round."""
        return {
            "chances": [round(chance, 4) for chance in judged.chances or ()],
            "swing": round(judged.moved, 4),
            "exact": judged.exact and not judged.near,
            "alike": judged.alike,
            "seats": [self._judge_seat(judged, seat, faces) for seat in (0, 1)],
        }

    def _judge_seat(self, judged: JudgedRound, seat: Seat, faces: Faces) -> dict[str, Any]:
        given = judged.given(seat)
        lost = "" if judged.is_free(seat) else percent_of(given, 0.01) if judged.is_to_win else f"{given:.2f}"
        mix = [[self.album.number(faces.seat_face(card, seat)), round(share, 4)] for card, share in judged.mixes[seat]]
        return {
            "grade": judged.grade(seat),
            "called": say(f"grade-{judged.verdict(seat)}"),
            "lost": lost,
            "bid": self.album.number(faces.seat_face(judged.bids[seat], seat)),
            "mix": mix,
        }


def read_markdown(text: str) -> str:
    """Return a sentence without the Markdown of this project: bold, and escaped characters of names."""
    return _MARKDOWN.sub(lambda found: found[1] or "", text)


def _signed(points: Points) -> str:
    return f"+{format_points(points)}" if points > 0 else format_points(points)
