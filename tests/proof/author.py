"""Write records under version 2: as an honest referee, and as a cheating referee that recomputes everything.

It plays with the engine and hashes with `version2`; the referee itself is not asked, so it can be held against this.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from bot.engine.choices import Bid, Choice, Kind, Pick, Prompt
from bot.engine.match import Match, Termination, new_match
from bot.engine.record.record import choice_data, options_data
from bot.engine.refusals import RuleError
from bot.engine.series import read_series
from bot.engine.variants import find_game
from bot.referee.proof import version2 as v2
from bot.referee.repository.live import deal_zones, prompt_place

NONCE = bytes(range(32))
MESSAGE = "1309000000000000001"

Chooses = Callable[[Match, Prompt, int], Any]
"""a choice as the record writes it, or what happens instead: "clock", or "leave" """


def nth(number: int) -> Chooses:
    """Some choice, another one for another number and at another prompt."""

    def chooses(match: Match, prompt: Prompt, turn: int) -> Any:
        ways = ways_of(match, prompt)
        spread = int.from_bytes(hashlib.sha256(f"{number} {turn} {prompt.seat}".encode()).digest()[:4])
        return ways[spread % len(ways)]

    return chooses


SOME = nth(1)


def ways_of(match: Match, prompt: Prompt) -> list[Any]:
    """Every choice that a prompt leaves, as the record writes it."""
    state = match.state
    assert state is not None
    asked: list[Choice] = (
        [Pick(option) for option in prompt.options]
        if prompt.kind is Kind.PICK
        else [Bid(cards) for cards in combinations(prompt.options, prompt.size)]
    )
    found: list[Any] = []
    for way in asked[:60]:
        try:
            match.rules.check_choice(state, prompt.seat, way)
        except RuleError:
            continue
        found.append(choice_data(match.rules.physical(state, prompt.seat, way)))
    return found


@dataclass
class Author:
    """One match, and the record of it."""

    game: str = "classic"
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    seats: int = 2
    series: dict[str, Any] | None = None
    players: Sequence[str] = ()
    clock: int = 120
    rated: bool = True
    id: str = "K7Q2"
    nonce: bytes = NONCE
    message: str = MESSAGE

    def __post_init__(self) -> None:
        series = None if self.series is None else read_series(self.series)
        self.match = new_match(find_game(self.game), self.seats, self.options, series)
        self.players = self.players or [str(100 + seat) for seat in range(self.seats)]
        opened = v2.opening(self.id, self.nonce)
        agreed = v2.agreement(
            self.id, self.game, options_data(self.match.rules), self.match.series.data(), self.clock, self.rated,
            self.players, opened, self.message,
        )  # fmt: skip
        self.record: dict[str, Any] = {
            "schema": 1,
            "game": self.game,
            "options": options_data(self.match.rules),
            "seats": self.seats,
            "deals": [],
            "series": self.match.series.data(),
            "fairness": {
                "version": 2,
                "nonce": self.nonce.hex(),
                "opening": opened,
                "agreement": json.loads(agreed),
                "seals": [],
                "record": "",
            },
            "players": [{"seat": seat, "name": f"N{seat}"} for seat in range(self.seats)],
        }
        self.agreed = v2.agreement_hash(agreed)

    # --- playing -----------------------------------------------------------------------------------------

    def play(self, chooses: Chooses = SOME, turns: int = 1000) -> Author:
        """So many joint choices of people; what nobody chooses is forced."""
        while not self.match.over:
            if self.match.needs_deal:
                self._deal()
            elif not self.match.has_choice:
                self._resolve({})
            elif turns == 0:
                break
            else:
                turns -= 1
                turn = sum(len(deal["decisions"]) for deal in self.record["deals"])
                self._turn(chooses, turn)
        return self

    def _deal(self) -> None:
        match, number = self.match, self.match.deal_number
        previous = match.previous_deal()
        deal = match.rules.redeal(previous) if previous is not None else None
        if deal is None:
            opened = self.record["fairness"]["opening"]
            deal = match.rules.deal(v2.shuffle_deal(self.nonce, opened, self.message, number, match.rules.pack()))
        self.record["deals"].append({**json.loads(json.dumps(deal_zones(deal))), "decisions": []})
        self.match, _ = match.begin(deal)

    def _turn(self, chooses: Chooses, turn: int) -> None:
        said = {
            p.seat: chooses(self.match, p, turn) for p in self.match.prompts() if p.seat not in self.match.left_seats
        }
        for seat in [seat for seat, one in said.items() if one == "leave"]:
            del said[seat]
            self.leave(seat)
            if self.match.over:
                return
        self._resolve({seat: one for seat, one in said.items() if one != "clock"})

    def _resolve(self, said: dict[int, Any]) -> None:
        match, state = self.match, self.match.state
        assert state is not None
        place = prompt_place(match)
        taken: dict[int, Choice] = {}
        forced: set[int] = set()
        for prompt in sorted(match.prompts(), key=lambda one: one.seat):
            seat = prompt.seat
            if seat in said:
                taken[seat] = match.rules.read_choice(state, seat, said[seat])
                n = int.from_bytes(hashlib.sha256(f"{place} {seat}".encode()).digest()[:1]) % 3
                salt = v2.salt(self.nonce, self.agreed, place, seat, n)
                digest = v2.seal_digest(salt, self.id, place, seat, said[seat]).hex()
                self.record["fairness"]["seals"].append([*place, seat, n, digest])
                self.record["deals"][place[0]]["decisions"].append([seat, said[seat]])
            else:
                taken[seat] = match.rules.physical(state, seat, prompt.lowest())
                forced.add(seat)
                value = json.loads(json.dumps(choice_data(taken[seat])))
                self.record["deals"][place[0]]["decisions"].append([seat, value, "forced"])
        self.match, _ = match.resolve(taken, frozenset(forced), checked=True)

    def leave(self, seat: int, kind: str = "resigned") -> Author:
        """A seat goes; of more than two the others play on."""
        ending = {"kind": kind, "seat": seat, **self._place()}
        self.match, _ = self.match.leave(seat, Termination[kind.upper().replace("-", "_")], ending["after"])
        if self.match.over:
            self.record["ending"] = ending
        else:
            self.record.setdefault("left", []).append(ending)
        return self

    def stop(self, kind: str) -> Author:
        """It ends for everybody."""
        self.record["ending"] = {"kind": kind, **self._place()}
        self.match, _ = self.match.stop(Termination[kind.upper()])
        return self

    def _place(self) -> dict[str, Any]:
        deal = self.match.deal_number
        deals = self.record["deals"]
        return {"deal": deal, "after": len(deals[deal]["decisions"]) if deal < len(deals) else 0}

    # --- writing -----------------------------------------------------------------------------------------

    def written(self) -> dict[str, Any]:
        """The record with its seal."""
        return resealed(deepcopy(self.record))


def resealed(record: dict[str, Any]) -> dict[str, Any]:
    """Make the record's seal fit again, the last step of a cheating referee."""
    record["fairness"]["record"] = v2.record_seal(record)
    return record


def sealed_anew(record: dict[str, Any]) -> dict[str, Any]:
    """Recompute every salt, digest and seal to fit the record, as a cheating referee with the nonce does."""
    proof = record["fairness"]
    nonce, agreement = bytes.fromhex(proof["nonce"]), proof["agreement"]
    proof["opening"] = agreement["opening"] = v2.opening(agreement["match"], nonce)
    agreed = v2.agreement_hash(v2.canonical(agreement))
    free = [
        (number, decision)
        for number, deal in enumerate(record["deals"])
        for decision in deal["decisions"]
        if len(decision) == 2
    ]
    for seal, (deal, (seat, choice)) in zip(proof["seals"], free, strict=True):
        assert (seal[0], seal[3]) == (deal, seat)
        salt = v2.salt(nonce, agreed, (deal, seal[1], seal[2]), seat, seal[4])
        seal[5] = v2.seal_digest(salt, agreement["match"], (deal, seal[1], seal[2]), seat, choice).hex()
    return resealed(record)
