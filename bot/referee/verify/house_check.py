"""Check that the house played by its level and the nonce, by computing each of its choices again."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from bot.engine.cards import Seat
from bot.engine.record.record import choice_data
from bot.referee.house import seats as house
from bot.referee.model.model import Setup, StoredMatch
from bot.referee.proof.version2 import canonical
from bot.referee.repository.live import Live
from bot.referee.verify.findings import Report
from bot.referee.verify.proof_reader import Proof
from bot.referee.verify.strict_replay import StrictReplay
from bot.solver.players.levels import Level, find_level

_NEVER = datetime.min.replace(tzinfo=UTC)


def check_house(report: Report, proof: Proof, walk: StrictReplay) -> None:
    """Check the choices of the house against its levels and the nonce."""
    who = walk.who
    levels = {seat: level for seat, key in proof.house.items() if (level := find_level(key)) is not None}
    for seat in proof.house.keys() - levels.keys():
        report.leave_open(f"{who(seat)[:1].upper()}{who(seat)[1:]} is a level of the house that I do not know.")
    for deal, round, sub, seat in proof.lapses:
        level = levels.get(seat)
        quick = level is not None and not level.slow
        if seat not in proof.house or quick or (deal, round, sub, seat) not in proof.seals:
            report.refute(f"Deal {deal + 1}, round {round + 1}, seat {seat + 1}: nobody bid there in a level's place.")
    if not levels:
        return
    count, wrong = _check_choices(proof, walk, levels)
    for where in wrong:
        report.refute(f"{where}: not what this level of the house gives.")
    if count:
        said = f"{count - len(wrong)} of {count} bids of the house are right for its level."
        (report.refute if wrong else report.confirm)(said)
    slow = [who(seat) for seat, level in levels.items() if level.slow]
    if slow:
        report.mention(f"How {' and '.join(slow)} plays takes more than its chance to work out, so it was not checked.")


def _check_choices(proof: Proof, walk: StrictReplay, levels: Mapping[Seat, Level]) -> tuple[int, list[str]]:
    """Return how many choices of the house were checked, and the places of wrong ones.

    Slow levels are skipped, as they use more than their draws, except where another level stood in.
    """
    count, wrong, said = 0, list[str](), proof.agreement
    setup = Setup(said["game"], said["options"], said["seats"], said["series"], said["clock"], said["rated"])
    stored = StoredMatch(said["match"], 0, 0, setup, proof.nonce, (), _NEVER, _NEVER, agreement=canonical(said))
    for step in walk.past:
        live = Live(stored, step.before, ())
        for made in step.made:
            instead = proof.lapses.get((*made.place, made.seat))
            level = levels.get(made.seat) if instead is None else find_level(instead)
            state = step.before.state
            if level is None or level.slow or made.forced or state is None:
                continue
            count += 1
            given = step.before.rules.physical(state, made.seat, house.choose_bid(live, made.seat, level))
            if choice_data(given) != made.value:
                deal, round, _ = made.place
                wrong.append(f"Deal {deal + 1}, round {round + 1}, seat {made.seat + 1}")
    return count, wrong
