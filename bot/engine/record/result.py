"""What `gops referee` prints: the result of a record as one JSON object (docs/record.md has the contract)."""

from typing import Any

from bot.engine.cards import Points, simplify
from bot.engine.choices import Bid
from bot.engine.events import Bids
from bot.engine.match import Match
from bot.engine.record.record import choice_data
from bot.engine.series import count_wins
from bot.engine.state import Round, State


def result_data(match: Match) -> dict[str, Any]:
    """Return the result so far; `termination` is null while the match is not over."""
    data: dict[str, Any] = {
        "deals": [_deal(state) for state in match.deals],
        "totals": [points_data(points) for points in match.totals],
    }
    if match.series.mode != "single":
        data["wins"] = count_wins(match.results) or [0] * match.rules.seats
    outcome = match.outcome() if match.over else None
    data["winner"] = outcome.winner if outcome else None
    data["placings"] = list(outcome.placings) if outcome and outcome.placings else None
    data["termination"] = outcome.termination.word if outcome else None
    return data


def points_data(points: Points) -> int | str:
    """Return a whole number, or an exact fraction such as "5/2"."""
    points = simplify(points)
    return points if isinstance(points, int) else str(points)


def _deal(state: State) -> dict[str, Any]:
    return {
        "scores": [points_data(points) for points in state.rules.score(state)],
        "unscored": points_data(state.unscored),
        "rounds": [_round(played) for played in state.rounds],
    }


def _round(played: Round) -> dict[str, Any]:
    data: dict[str, Any] = {
        "prizes": list(played.prizes),
        "bids": _bids(played.bids),
        "outcome": played.outcome,
        "winners": list(played.winners),
        "scores": [points_data(points) for points in played.scores],
    }
    if played.again:
        data["again"] = [_bids(bids) for bids in played.again]
    if played.picks:
        data["picks"] = [list(pick) for pick in played.picks]
    return data


def _bids(bids: Bids) -> list[object]:
    return [choice_data(bid) if isinstance(bid, Bid) else None for bid in bids]
