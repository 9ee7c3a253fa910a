"""Check that the house played by its level and the nonce, by computing each of its choices again."""

from __future__ import annotations

from collections.abc import Mapping, Set
from datetime import UTC, datetime

from bot.engine.cards import Seat
from bot.engine.choices import Choice
from bot.engine.match import Match
from bot.engine.record.record import Record, choice_data
from bot.referee.house import seats as house
from bot.referee.model.model import HOUSE, Seated, Setup, StoredDeal, StoredDecision, StoredMatch
from bot.referee.repository.live import Live, deal_zones, replay_match
from bot.solver.players.levels import Level, find_level

_NEVER = datetime.min.replace(tzinfo=UTC)


def check_choices(
    stored: StoredMatch, levels: Mapping[Seat, Level], stood_in: Mapping[tuple[int, int, int, Seat], str]
) -> tuple[int, list[str]]:
    """Return how many choices of the house were checked, and the places of wrong ones.

    Slow levels are skipped, as they use more than their draws, except where another level stood in.
    """
    count, wrong = 0, list[str]()

    def look(match: Match, taken: Mapping[Seat, tuple[Choice, bool]]) -> None:
        nonlocal count
        live = Live(stored, match, ())
        for seat, (choice, forced) in taken.items():
            instead = stood_in.get((*live.place, seat))
            level = levels.get(seat) if instead is None else find_level(instead)
            state = match.state
            if level is None or level.slow or forced or state is None:
                continue
            count += 1
            given = match.rules.physical(state, seat, house.choose_bid(live, seat, level))
            if choice_data(given) != choice_data(match.rules.physical(state, seat, choice)):
                deal, round, _ = live.place
                wrong.append(f"Deal {deal + 1}, round {round + 1}, seat {seat + 1}")

    replay_match(stored, look)
    return count, wrong


def stored_match(record: Record, id: str, nonce: bytes, house_seats: Set[Seat], agreement: bytes) -> StoredMatch:
    """Return the record as a stored match, as far as a replay needs it."""
    data = record.data()
    setup = Setup(data["game"], data["options"], data["seats"], data["series"], 0, False)
    deals = tuple(
        StoredDeal(
            number,
            deal_zones(deal.deal),
            tuple(
                StoredDecision(decision.seat, decision.value, decision.forced, 0, 0, b"", _NEVER)
                for decision in deal.decisions
            ),
        )
        for number, deal in enumerate(record.deals)
    )
    return StoredMatch(
        id=id,
        guild=0,
        channel=0,
        setup=setup,
        nonce=nonce,
        agreement=agreement,
        version=1,
        seats=tuple(Seated(HOUSE if seat in house_seats else seat + 1, "") for seat in range(setup.seats)),
        deals=deals,
        sealed=(),
        prompt=0,
        opened=_NEVER,
        deadline=None,
        started=_NEVER,
        live=False,
        left=tuple(leave.data() for leave in record.left),
        ending=None,
    )
