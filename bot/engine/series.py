"""Several deals as one match: when it is over, who won, and the place of each seat (rules.md 2.7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from bot.engine.cards import Points, Seat
from bot.engine.counted import Counted
from bot.engine.refusals import BadSetup, Unreadable

MODES = {
    "single": "One deal",
    "best-of": "Best of an odd number of games",
    "deals": "A number of deals, points added up",
    "target": "To a number of points",
    "first-to": "First to win a number of deals",
}
_NUMBER = {"best-of": "games", "deals": "deals", "target": "points", "first-to": "wins"}
_MOST = {"best-of": 25, "deals": 25, "target": 10_000, "first-to": 13}
_CAP = 20
"""a target series never takes more deals (RULING F4)"""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a finished deal for its series."""

    scores: tuple[Points, ...]
    standing: tuple[Any, ...]
    """comparable, higher is better"""

    @property
    def winner(self) -> Seat | None:
        """The single seat at the top; None for a shared first place (RULING F1)."""
        best = max(self.standing)
        return self.standing.index(best) if self.standing.count(best) == 1 else None


@dataclass(frozen=True, slots=True)
class Series:
    """How many deals make a match: a mode, and its number if the mode has one."""

    mode: str = "single"
    number: int = 1
    level: str = "extra-game"
    """best-of only: the rule if the match is level after its games (RULING F2)"""

    def data(self) -> dict[str, object]:
        """Return the series as JSON."""
        data: dict[str, object] = {"mode": self.mode}
        if self.mode in _NUMBER:
            data[_NUMBER[self.mode]] = self.number
        if self.mode == "best-of" and self.level != "extra-game":
            data["level"] = self.level
        return data

    @property
    def counts_points(self) -> bool:
        """True if the points of a deal count, not only its winner."""
        return self.mode in ("deals", "target", "best-of")

    def __str__(self) -> str:
        n = self.number
        return {
            "single": "one deal",
            "best-of": f"best of {n}" + (", level by points" if self.level == "points" else ""),
            "deals": Counted("1 deal", "{n} deals, points added up").format(n=n),
            "target": Counted("to 1 point", "to {n} points").format(n=n),
            "first-to": Counted("one deal, a draw is replayed", "first to win {n} deals").format(n=n),
        }[self.mode]

    def counts_deals(self, by_wins: bool) -> bool:
        """Return True if won deals decide the match, not points; `by_wins` is True if the game itself counts deals."""
        return self.mode in ("best-of", "first-to") or (self.mode == "deals" and by_wins)

    def is_over(self, results: Sequence[Result], by_wins: bool, least: bool) -> bool:
        """Return True if these finished deals decide the match."""
        if not results:
            return False
        played = len(results)
        wins = count_wins(results)
        if self.mode == "single":
            return True
        if self.mode == "deals":
            return played >= self.number
        if self.mode == "first-to":
            # RULING F5 caps first-to 2 at 7 deals; 4 W - 1 is that cap for every W.
            return max(wins) >= self.number or played >= 4 * self.number - 1
        if self.mode == "target":
            return self._is_target_over(results, least)
        return self._is_best_of_over(played, wins)

    def _is_best_of_over(self, played: int, wins: list[int]) -> bool:
        lead = max(wins)
        leaders = wins.count(lead)
        if lead >= (self.number + 1) // 2:
            return True
        left = self.number - played
        if left > 0:  # the match ends early if no other seat can still equal the leader
            return leaders == 1 and all(won + left < lead for won in wins if won != lead)
        # RULING F2: level after K games, one extra game.
        return leaders == 1 or self.level == "points" or left < 0

    def _is_target_over(self, results: Sequence[Result], least: bool) -> bool:
        """Return True if the target decides the match; level at the top, play up to three more deals (RULING F4)."""
        reached: int | None = None
        for played in range(1, len(results) + 1):
            sums = sum_points(results[:played])
            if reached is None and max(sums) >= self.number:
                reached = played
            best = min(sums) if least else max(sums)
            if reached is not None and (sums.count(best) == 1 or played >= reached + 3):
                return True
        return len(results) >= _CAP

    def ranking(self, results: Sequence[Result], by_wins: bool, least: bool) -> tuple[Any, ...]:
        """Return one comparable value per seat, higher is better."""
        seats = range(len(results[0].scores)) if results else range(0)
        wins = count_wins(results)
        sums = [-points if least else points for points in sum_points(results)]
        if self.mode == "single":
            return results[0].standing
        if self.mode == "first-to" or (self.mode == "deals" and by_wins):
            return tuple(wins)
        if self.mode == "best-of":
            # RULING F2: the extra game counts only for a seat that was level at the top before it.
            before = count_wins(results[: self.number])
            extra = results[self.number].winner if len(results) > self.number else None
            decided = extra is not None and before[extra] == max(before)
            return tuple((before[seat], decided and seat == extra, sums[seat]) for seat in seats)
        return tuple(sums)  # RULING F3: equal totals share the win


SINGLE = Series()


def count_wins(results: Sequence[Result]) -> list[int]:
    """Return the number of won deals per seat."""
    wins = [0] * (len(results[0].scores) if results else 0)
    for result in results:
        if result.winner is not None:
            wins[result.winner] += 1
    return wins


def sum_points(results: Sequence[Result]) -> list[Points]:
    """Return the points per seat, summed over the deals."""
    if not results:
        return []
    return [sum(scores) for scores in zip(*(result.scores for result in results), strict=True)]


def read_series(data: object) -> Series:
    """Read a series from JSON."""
    if not isinstance(data, dict):
        raise Unreadable("bad-value", option="series", range='an object such as {"mode": "single"}')
    given = cast("Mapping[object, object]", data)
    mode = given.get("mode")
    if not isinstance(mode, str) or mode not in MODES:
        raise BadSetup("series-unknown", x=str(mode)[:40], list=", ".join(MODES))
    allowed = {"mode", *([_NUMBER[mode]] if mode in _NUMBER else [])}
    if mode == "best-of":
        allowed.add("level")
    for key in given:
        if key not in allowed:
            raise BadSetup("unknown-option", game=f"a {mode} series", x=str(key)[:40], list=", ".join(sorted(allowed)))
    if mode not in _NUMBER:
        return SINGLE
    key, most = _NUMBER[mode], _MOST[mode]
    number = given.get(key)
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= most:
        raise BadSetup("bad-value", option=f"{key} of a {mode} series", range=f"a whole number from 1 to {most}")
    if mode == "best-of" and number % 2 == 0:
        raise BadSetup("series-odd")
    level = given.get("level", "extra-game")
    if level not in ("extra-game", "points"):
        raise BadSetup("bad-value", option="level", range="one of extra-game, points")
    return Series(mode, number, str(level))
