"""Players in virtual time: they press until their bid is confirmed, and notice when a confirmed bid is lost."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.ui.custom_ids.match_ids import CARD
from tests.simulation.loop import WorldLoop
from tests.simulation.server import Row

LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
KEY = CARD.write("", 0, "").removesuffix(":0:")
"""The beginning of the custom id of a card."""

ROUNDS = 13
"""Rounds of a match. Another one begins after it."""

ANSWER_WITHIN = 3.0
"""Seconds after which Discord shows that an interaction failed."""

CALLBACK = 0.05
"""Seconds that an answer needs to Discord."""

SWEEP = 0.1
"""Seconds between looks for presses without an answer."""


@dataclass(slots=True, eq=False)
class Match:
    """A match of two, as its players know it."""

    code: str
    number: int
    round: int = 0
    confirmed: list[int | None] = field(default_factory=lambda: [None, None])
    """The card of each seat in this round that the bot has confirmed."""


@dataclass(slots=True, eq=False)
class Press:
    """A bid that a player wants to make, until it is confirmed."""

    match: Match
    seat: int
    round: int
    card: int
    began: float
    """When it was pressed first."""
    made: float = 0.0


@dataclass
class Count:
    """What players saw."""

    bids: int = 0
    again: int = 0
    """Presses for which the bot asked to press again."""
    failed: int = 0
    """Presses without an answer in time."""
    late: int = 0
    """Bids that took more than a second."""
    longest: float = 0.0
    matches: int = 0
    lost: list[str] = field(default_factory=list[str])
    """Confirmed bids that are gone."""


class Players:
    def __init__(self, loop: WorldLoop, chance: random.Random, matches: int) -> None:
        """`matches` are played at the same time."""
        self.count = Count()
        self.deliver: Callable[[dict[str, Any]], None] = lambda _: None
        """Brings an interaction to a process."""
        self.forget_row: Callable[[str], object] = lambda _: None
        """Removes a match that is over from the store."""
        self.rate = 0.0
        """Bids that players begin in a second."""
        self.presses: dict[int, Press] = {}
        """Presses without an answer, by the id of their interaction."""
        self._loop, self._chance = loop, chance
        self._matches: dict[str, Match] = {}
        self._free: list[tuple[Match, int]] = []
        """Seats that may bid."""
        self._sent: deque[tuple[float, int]] = deque()
        self._last = 0
        for _ in range(matches):
            self._begin_match()

    @property
    def waiting(self) -> int:
        """How many bids are not confirmed yet."""
        return sum(card is None for match in self._matches.values() for card in match.confirmed) - len(self._free)

    def start(self) -> None:
        self._loop.after(0.0, self._arrive)
        self._loop.after(0.0, self._sweep)

    def _begin_match(self) -> None:
        match = Match("".join(self._chance.choices(LETTERS, k=6)), self.count.matches)
        if match.code in self._matches:
            self._begin_match()
            return
        self.count.matches += 1
        self._matches[match.code] = match
        self._free += ((match, 0), (match, 1))

    # --- presses ------------------------------------------------------------------------------------------

    def _arrive(self) -> None:
        """Let a player bid, and then the next one."""
        chance, free, now = self._chance, self._free, self._loop.time()
        if self.rate and free:
            place = int(chance.random() * len(free))
            match, seat = free[place]
            free[place] = free[-1]
            free.pop()
            self._press(Press(match, seat, match.round, 1 + int(13 * chance.random()), now))
        self._loop.after(chance.expovariate(self.rate) if self.rate else SWEEP, self._arrive)

    def _press(self, press: Press) -> None:
        now = self._loop.time()
        self._last += 1
        id = (int(now * 1000) << 22) + (self._last & 0x3FFFFF)
        press.made = now
        self.presses[id] = press
        self._sent.append((now + ANSWER_WITHIN, id))
        match = press.match
        custom_id = f"{KEY}{match.code}:{press.round}:{press.card}"
        user = {"id": str(2 * match.number + press.seat)}
        self.deliver({"id": str(id), "type": 3, "data": {"custom_id": custom_id}, "user": user})

    def _sweep(self) -> None:
        """Notice presses that Discord has given up."""
        now, sent = self._loop.time(), self._sent
        while sent and sent[0][0] <= now:
            if (press := self.presses.pop(sent.popleft()[1], None)) is not None:
                self.count.failed += 1
                self._press_again(press)
        self._loop.after(SWEEP, self._sweep)

    def _press_again(self, press: Press) -> None:
        self._loop.after(1.0 + 2.0 * self._chance.random(), self._press, press)

    def refuse(self, id: int) -> None:
        """Hear from the bot: press again."""
        if (press := self._answered(id)) is not None:
            self.count.again += 1
            self._press_again(press)

    def confirm(self, id: int, row: Row) -> None:
        """Hear that the bid counts; `row` is how the match stands then."""
        press = self._answered(id)
        if press is None:
            return
        count, match, wait = self.count, press.match, self._loop.time() + CALLBACK - press.began
        count.bids += 1
        count.late += wait > 1.0
        count.longest = max(count.longest, wait)
        match.confirmed[press.seat] = press.card
        self.check(match.code, row)
        if None not in match.confirmed:
            self._next_round(match)

    def _answered(self, id: int) -> Press | None:
        press = self.presses.get(id)
        if press is None or self._loop.time() + CALLBACK > press.made + ANSWER_WITHIN:
            return None
        del self.presses[id]
        return press

    def _next_round(self, match: Match) -> None:
        match.round += 1
        match.confirmed = [None, None]
        if match.round == ROUNDS:
            del self._matches[match.code]
            self.forget_row(match.code)
            self._begin_match()
        else:
            self._free += ((match, 0), (match, 1))

    # --- whether a bid is lost ----------------------------------------------------------------------------

    def check(self, code: str, row: Row | None) -> None:
        """Compare a row with what players know: each confirmed card is in it, or was shown since."""
        match = self._matches.get(code)
        if match is None:
            return
        if row is None:
            cards: tuple[int | None, ...] = (None, None)
        elif row[0] == match.round:
            cards = row[1:3]
        elif row[0] == match.round + 1:
            cards = row[3:5]
        else:
            self._note_lost(f"match {code} is in round {row[0]}, and its players in round {match.round}")
            return
        first, second = match.confirmed
        if first not in (None, cards[0]) or second not in (None, cards[1]):
            self._note_change(match, cards)

    def _note_change(self, match: Match, cards: tuple[int | None, ...]) -> None:
        """Note each confirmed card that is not there any more."""
        for seat, card in enumerate(match.confirmed):
            if card is not None and card != cards[seat]:
                self._note_lost(
                    f"match {match.code}, round {match.round}, seat {seat}:"
                    f" {card} was confirmed, {cards[seat]} is there"
                )

    def _note_lost(self, sentence: str) -> None:
        self.count.lost.append(f"{self._loop.time():.3f}: {sentence}")

    def check_all(self, find_row: Callable[[str], Row | None]) -> None:
        for match in self._matches.values():
            if match.round or match.confirmed != [None, None]:
                self.check(match.code, find_row(match.code))
