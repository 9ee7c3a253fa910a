"""How a match ended, in one phrase and as placings."""

from __future__ import annotations

from bot.engine.cards import Points, Seat, spoken
from bot.engine.match import Termination
from bot.referee.query.views import MatchView
from cogs.ui.story.lines import by_wins
from cogs.ui.words.names import Names
from cogs.ui.words.sentences import say


def phrase(view: MatchView, names: Names) -> str:
    """Ana beats Ben 50–38; Ben resigned; Ana wins; stopped in round 5."""
    outcome = view.outcome
    if outcome is None:
        return ""
    how = outcome.termination
    if not how.counts:
        return _broken_off(view, how)
    if how is Termination.AGREED:
        return say("agreed")
    winner = outcome.winner
    if len(view.seats) == 2 and winner is not None and how in (Termination.RESIGNED, Termination.TIMED_OUT):
        return say(how.name.lower().replace("_", "-"), loser=names[1 - winner], winner=names[winner])
    suffix = "" if view.series.mode == "single" else "-series"
    data = {"series": str(view.series), "n": len(view.seats)}
    first = [seat for seat, place in enumerate(outcome.placings or ()) if place == 1]
    if len(view.seats) > 2:
        if winner is None:
            return say(f"share-of{suffix}", names=names.all(first), **data)
        return say(f"wins-of{suffix}", winner=names[winner], **data)
    if winner is None:
        return say(f"draw{suffix or '-by'}", names=names.all((0, 1)), score=score(view, 0), **data)
    return say(
        f"beats{suffix or '-by'}", winner=names[winner], loser=names[1 - winner], score=score(view, winner), **data
    )


def _broken_off(view: MatchView, how: Termination) -> str:
    id = "stopped" if how is Termination.ABORTED else "abandoned"
    if view.series.mode == "single":
        return say("stopped" if id == "stopped" else "abandoned-in", n=view.round)
    return say(f"{id}-deal", d=view.deal, n=view.round)


def numbers(view: MatchView) -> list[Points]:
    """What decided it: points, or won deals."""
    return [seat.wins if by_wins(view) else seat.total for seat in view.seats]


def score(view: MatchView, first: Seat) -> str:
    """50–38, of two seats."""
    own = numbers(view)
    return f"{spoken(own[first])}–{spoken(own[1 - first])}"
