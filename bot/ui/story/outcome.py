"""The outcome of a match in one phrase, and the scores that decided it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import Points, Seat, format_points
from bot.engine.match import Termination
from bot.referee.model.model import DECIDED
from bot.referee.model.views import MatchView
from bot.ui.story.lines import describe_series, is_by_wins
from bot.ui.text.catalogue.numbers import score_pair
from bot.ui.text.names import Names, join_words
from bot.ui.text.sentences import say, uncapitalize


def describe_outcome(view: MatchView, names: Names, you: Seat | None = None) -> str:
    """Return the outcome in one phrase, for example "Ana beats Ben 50–38" or "stopped in round 5".

    `you` is the seat of the reader: "You beat Ben 50–38". A match that is live has no outcome: return an empty string.
    """
    outcome = view.outcome
    if outcome is None:
        return ""
    how = outcome.termination
    if not how.counts:
        return _describe_stop(view, how)
    if view.why == DECIDED:
        if outcome.winner is None:
            return say("decided-draw")
        return say("decided-you" if outcome.winner == you else "decided", winner=names[outcome.winner])
    if how is Termination.AGREED:
        return say("agreed")
    winner = outcome.winner
    if len(view.seats) == 2 and winner is not None and how in (Termination.RESIGNED, Termination.TIMED_OUT):
        reader = _reader_suffix(winner, you)
        id = f"resigned{reader}" if how is Termination.RESIGNED else f"timed-out{reader}"
        return say(id, loser=names[1 - winner], winner=names[winner])
    suffix = "" if view.series.mode == "single" else "-series"
    data = {"series": describe_series(view), "n": len(view.seats), "how": _describe_tie_break(view, winner)}
    first = [seat for seat, place in enumerate(outcome.placings or ()) if place == 1]
    if len(view.seats) > 2:
        if winner is None:
            return say(f"share-of{suffix}", names=_join_seats(first, names, you), **data)
        own = "-you" if winner == you else ""
        return say(f"wins-of{suffix}{own}", winner=names[winner], **data)
    if winner is None:
        return say(
            f"draw{suffix or '-by'}", names=_join_seats((0, 1), names, you), score=format_score(view, you or 0), **data
        )
    id = f"beats{suffix or '-by'}{_reader_suffix(winner, you)}"
    return say(id, winner=names[winner], loser=names[1 - winner], score=format_score(view, winner), **data)


def describe_result(view: MatchView, names: Names, you: Seat | None = None) -> str:
    """Return the outcome for a card that names both players below: "Ana wins 50–38", "You lose 38–50"."""
    outcome = view.outcome
    is_played_out = outcome is not None and outcome.termination is Termination.COMPLETED and view.why != DECIDED
    if outcome is None or not is_played_out or len(view.seats) != 2:
        return describe_outcome(view, names, you)
    winner = outcome.winner
    first = you if you is not None else winner or 0
    reader = "" if winner is None or you is None else _reader_suffix(winner, you)
    score = format_score(view, first) + _describe_tie_break(view, first if winner is not None else None)
    data = {"winner": "" if winner is None else names[winner], "score": score}
    told = say("card-draw" if winner is None else f"card-wins{reader}", **data)
    return told if view.series.mode == "single" else say("with-note", text=told, tally=describe_series(view))


def describe_outcome_within(view: MatchView, names: Names, you: Seat | None = None) -> str:
    """Return the outcome as a part of a sentence: it does not begin with a capital, except for a name."""
    return uncapitalize(describe_outcome(view, names, you))


def _describe_tie_break(view: MatchView, first: Seat | None) -> str:
    """Return what decided if the scores of the best seats are equal, for example " by the higher sum of ranks".

    `first` is the winner. Of two seats it may also be the loser who reads: the points in the text are in this order.
    """
    scores = deciding_scores(view)
    equal = [seat for seat in view.seats if not seat.left and first is not None and scores[seat.seat] == scores[first]]
    if first is None or len(equal) < 2:
        return ""
    if view.series.mode == "single":
        return f" {say('by-tie-break', what=view.rules.tie_break)}" if view.rules.tie_break else ""
    if view.series.level != "points":
        return ""
    if len(view.seats) > 2:
        return f" {say('by-points')}"
    points = [format_points(view.seats[seat].total) for seat in (first, 1 - first)]
    return say("by-points-score", score=score_pair(*points))


def _reader_suffix(winner: Seat, you: Seat | None) -> str:
    """Return the end of the sentence id for the reader: all people, the winner, or the loser of two seats."""
    return "" if you is None else "-you" if winner == you else "-lost"


def _join_seats(seats: Sequence[Seat], names: Names, you: Seat | None) -> str:
    ordered = sorted(seats, key=lambda seat: (seat != you, seat))
    return join_words([say("you") if seat == you else names[seat] for seat in ordered])


def _describe_stop(view: MatchView, how: Termination) -> str:
    id = "stopped" if how is Termination.ABORTED else "abandoned"
    seen, single = view.seen, view.series.mode == "single"
    data = {"d": view.deal, "round": view.rules.round_word}
    if seen.over:
        return say(f"{id}-after-deal", d=view.deal)
    if id == "abandoned" and view.setup.clock and seen.rounds and not (seen.sub_round or seen.turns):
        return say("abandoned-after" if single else "abandoned-deal-after", n=len(seen.rounds), **data)
    if single:
        return say("stopped" if id == "stopped" else "abandoned-in", n=view.round, **data)
    return say(f"{id}-deal", n=view.round, **data)


def deciding_scores(view: MatchView) -> list[Points]:
    """Return for each seat the number that decided the match: its won deals or its points."""
    return [seat.wins if is_by_wins(view) else seat.total for seat in view.seats]


def format_score(view: MatchView, first: Seat) -> str:
    """Return the scores of two seats with `first` in front, for example "50–38"."""
    own = deciding_scores(view)
    return score_pair(format_points(own[first]), format_points(own[1 - first]))
