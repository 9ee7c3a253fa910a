"""The latest story of a match: the newest reveal and, between deals, the end of the deal before."""

from __future__ import annotations

from itertools import accumulate

from bot.engine.cards import Points, format_points
from bot.engine.events import SubRoundStarted
from bot.engine.fast_values import replace_fields
from bot.engine.state import Round
from bot.referee.model.views import MatchView
from bot.ui.story import lines
from bot.ui.story.reveal import RoundTeller, make_round_teller
from bot.ui.text.faces import Faces
from bot.ui.text.names import Names
from bot.ui.text.sentences import say


def latest_story(view: MatchView, teller: RoundTeller) -> str:
    """Return the latest story, or an empty string if nothing was revealed yet.

    It is the newest reveal with the reveals before it that no message showed. Between deals it is the end of the deal.
    """
    seen = view.seen
    story = "" if view.over else teller.tell_so_far(seen.events)
    kind = view.rules.round_word
    if story:
        current = [teller.label_story(story, seen.number, max(0, seen.sub_round - 1), kind)]
        if seen.rounds and teller.was_forced(seen.events):
            current = [*reveal_lines(teller, seen.rounds, kind), *current]
        return "\n".join(current)
    if seen.rounds:
        return "\n".join(reveal_lines(teller, seen.rounds, kind, is_over=view.over))
    return "\n".join([*last_deal_lines(view, teller), deal_end_line(view, teller.names)]) if view.finished else ""


def list_rounds(view: MatchView, teller: RoundTeller, most: int) -> list[str]:
    """Return the lines of this deal's rounds, oldest first: the newest ones that fit into `most` characters."""
    rounds = view.seen.rounds
    listing = [teller.tell_line(played, number, view.rules.round_word) for number, played in enumerate(rounds, 1)]
    lengths = list(accumulate(map(len, reversed(listing))))
    return listing[len(listing) - sum(length <= most for length in lengths) :]


def reveal_lines(teller: RoundTeller, rounds: tuple[Round, ...], kind: str, is_over: bool = False) -> list[str]:
    """Return the line of the newest round, and before it those of the ties that led to forced bids: no message showed
    them.

    `is_over`: the deal is over. Then include the rounds before the forced last ones for the same reason.
    """
    told: list[str] = []
    for number in range(len(rounds), 0, -1):
        played = rounds[number - 1]
        told = [teller.tell_line(played, number, kind), *told]
        events = played.events
        for again in range(len(played.again) - 1, -1, -1):
            if not teller.was_forced(events):
                break
            start = max(place for place, event in enumerate(events) if isinstance(event, SubRoundStarted))
            before = replace_fields(teller, exposed=played.prizes)
            told = [teller.label_story(before.tell_so_far(events[: start + 1]), number, again, kind), *told]
            events = events[:start]
        if not is_over or not teller.was_forced(events):
            break
    return told


def last_deal_lines(view: MatchView, teller: RoundTeller) -> list[str]:
    """Return the last reveal of the deal before. The next deal begins at once, so no other line of a board shows it."""
    deal = view.finished[-1]
    if not deal.rounds:
        return []
    faces = Faces(view.rules, teller.faces.style, deal.rounds, deal.number)
    return reveal_lines(make_round_teller(view, faces, teller.you), deal.rounds, view.rules.round_word, is_over=True)


def deal_end_line(view: MatchView, names: Names) -> str:
    """Return the line of the deal before: "Deal 1: Ana 50, Ben 41. Series: Ana 50, Ben 41 (1 of 2 deals, ...)".

    It also says if all cards are back in hand.
    """
    deal = view.finished[-1]
    scores, series = lines.deal_scores(deal, names), series_score_line(view, names)
    scores = say("deal-ended", n=deal.number, scores=scores, series=series)
    return f"{scores} {say(f'hands-{view.hands}')}" if view.hands else scores


def series_score_line(view: MatchView, names: Names) -> str:
    """Return the score after the deal before. If the number of deals is fixed, count those that have ended."""
    by_wins = lines.is_by_wins(view)
    numbers: list[Points] = [seat.wins for seat in view.seats] if by_wins else lines.finished_points(view)
    scores = ", ".join(say("deal-score", name=names[seat], score=format_points(n)) for seat, n in enumerate(numbers))
    series = lines.describe_series(view)
    if view.series.mode == "deals":
        series = say("series-so-far", n=view.finished[-1].number, series=series)
    return say("with-note", text=scores, tally=series)
