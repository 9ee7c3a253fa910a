"""Honours of a profile, computed from the records at each request; none of it is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from bot.engine.cards import rank
from bot.engine.match import Termination
from bot.engine.variants import DEFAULT, GAMES, find_game
from bot.ratings.skill import Skill
from bot.referee.model.daily import DailyTry, longest_streak, score_of, streak
from bot.referee.model.model import StoredMatch, UserId
from bot.referee.model.people import Finished, RatingEntry
from bot.referee.model.views import Curve, Habit, Honours, Win
from bot.referee.repository.house_levels import find_play, level_of
from bot.referee.repository.live import replay_match

LEAST_BIDS = 20
"""Bids needed for a favourite."""
LOOKED_AT = 20
"""Newest matches in which bids are counted."""
GRAPHED = 10
"""Rated matches needed for a curve."""


@dataclass(frozen=True, slots=True)
class _Past:
    """Data on which medals are awarded."""

    user: UserId
    among_people: tuple[Finished, ...]
    practice: tuple[Finished, ...]
    tries: tuple[DailyTry, ...]
    most_wins: int
    most_days: int

    @property
    def won(self) -> list[Finished]:
        return [match for match in self.among_people if is_win(match, self.user)]


MEDALS: dict[str, Callable[[_Past], bool]] = {
    "first-win": lambda past: bool(past.won),
    "ten-wins": lambda past: past.most_wins >= 10,
    "all-round": lambda past: len({one.game for one in past.won}) >= min(5, len(GAMES)),
    "hundred": lambda past: len(past.among_people) >= 100,
    "sage": lambda past: any(_is_win_over(one, past.user, "sage") for one in past.practice),
    "perfect-day": lambda past: any(
        attempt.best is not None and (score := score_of(attempt)) is not None and score.margin == attempt.best
        for attempt in past.tries
    ),
    "seven-days": lambda past: past.most_days >= 7,
}
"""Conditions of each medal."""


def compute_honours(
    user: UserId, finished: Sequence[Finished], tries: Sequence[DailyTry], newest: Sequence[StoredMatch], today: date
) -> Honours:
    """Return the honours of a person. `finished` is sorted newest first; bids are counted in `newest`."""
    counted = [match for match in finished if Termination(match.termination).counts and match.placings is not None]
    among = tuple(match for match in counted if not match.has_house)
    practice = tuple(match for match in counted if match.is_practice)
    played = [attempt.day for attempt in tries if score_of(attempt) is not None]
    now, most = _win_streaks(among, user)
    past = _Past(user, among, practice, tuple(tries), most, longest_streak(played))
    return Honours(
        now,
        most,
        streak(played, today),
        past.most_days,
        _best_win(past.won, user),
        _find_habit(newest, user),
        tuple(key for key, earned in MEDALS.items() if earned(past)),
    )


def rating_curve(pool: str, entries: Sequence[RatingEntry]) -> Curve | None:
    """Return the rating curve; None for too few rated matches."""
    if len(entries) < GRAPHED:
        return None
    points = [(entry.at, Skill(entry.mu, entry.sigma).shown) for entry in entries]
    return Curve(pool, tuple(points))


def is_win(one: Finished, user: UserId) -> bool:
    """Return True if this person won alone; a draw is no win."""
    places = one.placings
    return places is not None and places[one.seat_of(user)] == 1 and places.count(1) == 1


def _win_streaks(matches: Sequence[Finished], user: UserId) -> tuple[int, int]:
    """Return the current and the longest row of wins."""
    now = most = row = 0
    for place, match in enumerate(reversed(matches), 1):
        row = row + 1 if is_win(match, user) else 0
        most = max(most, row)
        if place == len(matches):
            now = row
    return now, most


def _best_win(matches: Sequence[Finished], user: UserId) -> Win | None:
    """Return the newest of the best wins."""
    best: Win | None = None
    for match in matches:
        others = [change.before for change in match.changes if change.seat != match.seat_of(user)]
        if others and (best is None or max(others) > best.rating):
            names = tuple(seated.name for seated in match.seats if seated.user != user)
            best = Win(match.id, names, max(others))
    return best


def _find_habit(matches: Sequence[StoredMatch], user: UserId) -> Habit | None:
    """Return the favourite bid, from bids of one card for one numbered prize in games of the Classic kind."""
    counts: Counter[int] = Counter()
    for stored in matches[:LOOKED_AT]:
        seat = stored.seat_of(user)
        if seat is None or stored.setup.game != DEFAULT.key:
            continue
        match = replay_match(stored).match
        for state in match.deals:
            for played in state.rounds:
                bid = played.bids[seat]
                if bid is not None and len(bid.cards) == 1 and len(played.prizes) == 1:
                    counts[rank(bid.cards[0]) - rank(played.prizes[0])] += 1
    total = counts.total()
    if total < LEAST_BIDS:
        return None
    above, count = max(counts.items(), key=lambda one: (one[1], -abs(one[0]), one[0]))
    return Habit(above, count, total)


def _is_win_over(one: Finished, user: UserId, level: str) -> bool:
    """Return True for a win over this level of the house; a level that plays as another one counts as that one."""
    levels = [found for seated in one.seats if (found := level_of(seated)) is not None and found.key == level]
    if not levels or not is_win(one, user):
        return False
    return find_play(levels[0], find_game(one.game).rules(len(one.seats), one.options)) == level
