"""Check an exported record with nothing but the record, and digits that people noted from their screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from bot.engine.cards import Seat
from bot.engine.counted import ordinal
from bot.engine.match import Match, Termination
from bot.engine.options import Options
from bot.engine.record.record import Record, read_record
from bot.engine.record.replay import replay
from bot.engine.record.result import points_data
from bot.engine.refusals import RuleError
from bot.engine.state import Deal
from bot.referee.proof import version2 as v2
from bot.referee.proof.promises import ANYBODY
from bot.referee.proof.version2 import Uncanonical, is_same, parse, record_seal, refuse_version_1
from bot.referee.repository.live import deal_zones
from bot.referee.verify.findings import NOTHING, Claims, Report
from bot.referee.verify.house_check import check_house
from bot.referee.verify.proof_reader import Proof, SealPlace, read_proof
from bot.referee.verify.strict_replay import CountedDecision, Fault, StrictReplay

ENDED = {
    Termination.RESIGNED: "{who} resigned",
    Termination.TIMED_OUT: "{who} missed three bids in a row",
    Termination.ABANDONED: "nobody bid any more, and it was abandoned",
    Termination.ABORTED: "it was stopped, and does not count",
    Termination.AGREED: "a draw was agreed",
}


def verify_text(text: str, noted: Claims = NOTHING, names: Sequence[str] = ()) -> Report:
    """Verify a file. Raise `RecordError` for an invalid record, ValueError for invalid JSON."""
    document = parse(text)
    if not isinstance(document, dict):
        raise ValueError("a record is an object in braces")
    return verify(cast("dict[str, Any]", document), noted, names)


def verify(data: Mapping[str, Any], noted: Claims = NOTHING, names: Sequence[str] = ()) -> Report:
    """Check the rules and the proof.

    `names` are the names of the seats; without them, user ids are used. Raise `RecordError` for an invalid record.
    """
    refuse_version_1(data)
    report = Report()
    fairness: object = data.get("fairness")
    if isinstance(fairness, dict) and is_same(cast("Mapping[str, Any]", fairness).get("version"), 2):
        try:
            record_seal(data)
        except (Uncanonical, RecursionError) as error:
            report.refute(f"The record holds {error}, which no seal covers.")
            return report
    record = read_record(data)
    if not isinstance(fairness, dict):
        _check_rules_only(report, data, noted)
        return report
    proof = cast("Mapping[str, Any]", fairness)
    if not is_same(proof.get("version"), 2):
        report.leave_open("I don't know this version of the proof. Only the rules were checked.")
        _check_rules_only(report, data, noted)
        return report
    walk = _check_proof(report, data, record, noted, names)
    if walk is not None:
        _report_endings(report, walk)
    _check_record_seal(report, data, noted)
    return report


def _check_rules_only(report: Report, data: Mapping[str, Any], noted: Claims) -> None:
    """Check the rules of a record whose proof is missing or unreadable."""
    if "fairness" not in data:
        report.leave_open("This record carries no seals, so only the rules could be checked.")
    elif not isinstance(data["fairness"], dict):
        report.refute("The proof inside cannot be read: it is no object.")
    played = replay(read_record(data))
    if played.error is not None:
        report.refute(f"The rules do not hold: {played.error}.")
        return
    report.confirm("The rules hold.")
    _report_totals(report, played.match)
    if noted.record or noted.opening or noted.message:
        report.refute("It has nothing to compare with the digits that you noted.")


def _report_endings(report: Report, walk: StrictReplay) -> None:
    """Report the result of the replay, and what to compare with memory."""
    _report_totals(report, walk.match)
    for ending, where in walk.endings:
        what = ENDED[ending.kind].format(who=walk.name_leaver(ending))
        report.mention(f"{where}: {what}. Compare that with what you remember.")
    if walk.match.over and not walk.endings:
        report.mention("It was played to its end.")


def _report_totals(report: Report, match: Match) -> None:
    totals = "–".join(str(points_data(points)) for points in match.totals)
    report.confirm(f"The record was played again: the match ends {totals}, too.")
    if not match.over:
        report.leave_open("The match is not finished in this record, so more may have been played.")


def _check_proof(
    report: Report, data: Mapping[str, Any], record: Record, noted: Claims, names: Sequence[str]
) -> StrictReplay | None:
    """Check all but the record's seal. Return the replay, if there is one."""
    try:
        proof = read_proof(data["fairness"])
    except ValueError as error:
        report.refute(f"The proof is not written as version 2 is: {error}.")
        return None
    players: Sequence[str] = proof.agreement.get("players", ())
    called = list(names) or [f"seat {seat + 1} ({player})" for seat, player in enumerate(players)]

    def who(seat: Seat) -> str:
        return called[seat] if seat < len(called) else f"seat {seat + 1}"

    if proof.erased:
        report.leave_open(
            "The agreement was erased with a player's data: who played, whether the deal and the bids are those that"
            " were sealed, and whether this is the record of the result can no longer be shown."
        )
    else:
        _report_players(report, proof.agreement, names)
        _check_agreement(report, data, proof)
        _check_opening(report, proof, noted)
        if proof.withheld:
            report.leave_open(
                "Not checked yet: do the cards and the bids fit their seals? The secret number shows that. Others can"
                " still play this daily deal, so its number stays secret until its day is over (UTC). Verify the match"
                " again after that. If you have it as a file, export it again first."
            )
        else:
            _check_deals(report, data, record, proof)
    walk = StrictReplay(record, who)
    wrong = _SealCheck(report, proof, who).check(walk)
    if not wrong and not proof.erased and not proof.withheld:
        check_house(report, proof, walk)
    return walk


def _check_record_seal(report: Report, data: Mapping[str, Any], noted: Claims) -> None:
    """Check the seal of the whole record, and the noted digits of it."""
    claimed: object = data["fairness"].get("record")
    agreement: object = data["fairness"].get("agreement")
    erased = isinstance(agreement, dict) and set(cast("dict[str, object]", agreement)) == {"hash"}
    if erased and not isinstance(claimed, str):
        return  # the proof is not written as it should be, which is said already
    # Without the agreement or the nonce, which a daily deal alone may withhold, the seal cannot be computed.
    is_claim = isinstance(claimed, str) and (erased or "nonce" not in data["fairness"])
    seal = str(claimed) if is_claim else v2.record_seal(data)
    short = v2.group_digits(seal[: v2.DIGITS])
    if erased:
        report.mention(f"The match seal was published as {short}. What it covered cannot be computed any more.")
    elif not is_claim and not report.check(
        seal == claimed, f"The match seal is {short}.", "The match seal does not fit the record."
    ):
        return
    if noted.record:
        report.check(
            seal.startswith(noted.record),
            "That is the match seal that you gave.",
            f"The match seal is {short}, and not the one that you gave: this is not the record of that result.",
        )
    elif report.code == 0:
        report.mention(
            f"Last step for you: press More below the result on Discord. It must show the match seal {short}."
        )


def _report_players(report: Report, agreement: Mapping[str, Any], names: Sequence[str]) -> None:
    players = list(names) or [_describe_player(one) for one in agreement["players"]]
    seats = ", ".join(f"player {seat} is {one}" for seat, one in enumerate(players, 1))
    report.mention(f"Match {agreement['match']}: {seats}. Names and times are not part of the proof.")


def _describe_player(key: str) -> str:
    if key.startswith("house:"):
        return f"the house ({key.removeprefix('house:')})"
    return key if key == ANYBODY else f"user {key}"


def _check_agreement(report: Report, data: Mapping[str, Any], proof: Proof) -> None:
    """Check that the match was played as agreed."""
    agreement = proof.agreement
    missing: dict[str, object] = {"options": dict[str, object](), "series": None}
    played: Mapping[str, object] = {**missing, **data}
    wrong = [key for key in ("game", "options", "series", "seats") if not is_same(agreement[key], played[key])]
    if len(agreement["players"]) != agreement["seats"]:
        wrong.append("number of players")
    if agreement["opening"] != proof.opening:
        wrong.append("opening")
    report.check(
        not wrong,
        "Game, options and players are as agreed before the match.",
        f"It was not played as agreed. What differs: {', '.join(wrong)}.",
    )


def _check_opening(report: Report, proof: Proof, noted: Claims) -> None:
    short = v2.group_digits(proof.opening[: v2.DIGITS])
    if not proof.withheld:
        report.check(
            proof.opening == v2.opening(proof.agreement["match"], proof.nonce),
            f"The secret number, from which the cards are dealt, fits the deal seal {short}.",
            f"The secret number, from which the cards are dealt, does not fit the deal seal {short}.",
        )
    if noted.opening:
        report.check(
            proof.opening.startswith(noted.opening),
            "That is the deal seal that you gave.",
            f"The deal seal is {short}, and not the one that you gave.",
        )
    message = proof.agreement["message"]
    if noted.message:
        report.check(
            message == noted.message,
            f"Message {message} is the one that you gave.",
            f"The message is {message}, and not the one that you gave.",
        )
    if message == v2.NO_MESSAGE:
        report.mention(
            "This match was only against the house, so its deal seal was not posted in public first. This check cannot"
            " show that the owner of the bot did not choose the cards."
        )


def _check_deals(report: Report, data: Mapping[str, Any], record: Record, proof: Proof) -> None:
    """Check that the nonce, or the game, gives every deal, and that its cards are written as dealt."""
    rules = record.start.rules
    previous: Deal | None = None
    for number in range(len(record.deals)):
        redealt = rules.redeal(previous) if previous is not None and number % 2 else None
        message = proof.agreement["message"]
        try:
            pack = v2.shuffle_deal(proof.nonce, proof.opening, message, number, rules.pack())
            wanted = redealt or rules.deal(pack)
        except RuleError:
            report.refute(f"Deal {number + 1}: nothing was agreed by which it could be dealt.")
            return
        found = {key: value for key, value in data["deals"][number].items() if key != "decisions"}
        if not is_same(found, deal_zones(wanted)):
            report.refute(f"Deal {number + 1}: these are not the cards that the secret number gives.")
            return
        previous = wanted
    count = len(record.deals)
    deals = "The deal comes" if count == 1 else f"All {count} deals come"
    report.confirm(f"{deals} from the secret number.")


def _name_place(place: SealPlace, options: Options) -> str:
    """Return a place for people. With open prizes the bids of a round are followed by picks, else by more bids."""
    deal, round, sub, seat = place
    later = f", pick {sub}" if options.get("open") in ("draft", "row") else f", {ordinal(sub + 1)} bid after a tie"
    return f"Deal {deal + 1}, round {round + 1}{later if sub else ''}, seat {seat + 1}"


class _SealCheck:
    """Checks every choice against its seal."""

    def __init__(self, report: Report, proof: Proof, who: Callable[[Seat], str]) -> None:
        self.report = report
        self.proof = proof
        self.who = who
        self.left = dict(proof.seals)
        self.good = self.sealed = 0
        self.clock: list[str] = []

    def check(self, walk: StrictReplay) -> bool:
        """Return True if anything was wrong."""
        before = len(self.report.findings)
        broken = False
        try:
            for step in walk.steps():
                for made in step.made:
                    self._check_decision(made)
        except Fault as fault:
            broken = True
            text = str(fault)
            self.report.refute(f"{text[:1].upper()}{text[1:]} Nothing after it could be checked.")
        if not broken:
            options = walk.match.rules.options
            for place in self.left:
                self.report.refute(f"{_name_place(place, options)}: a seal without a bid.")
        bad = any(not finding.holds for finding in self.report.findings[before:])
        if not self.proof.erased and not self.proof.withheld:
            said = f"{self.good} of {self.sealed} bids match the seals that were made at the time."
            (self.report.refute if bad else self.report.confirm)(said)
        self.report.clocked = len(self.clock)
        for where in self.clock:
            self.report.mention(
                f"{where}: time ran out, so this card has no seal. If Verify showed a seal of that player then, the"
                " referee cheated."
            )
        return bad

    def _check_decision(self, made: CountedDecision) -> None:
        where = f"{made.where}, {self.who(made.seat)}"
        place: SealPlace = (*made.place, made.seat)
        seal = self.left.pop(place, None)
        if made.forced:
            if seal is not None:
                self.report.refute(f"{where}: the referee chose, and yet there is a seal.")
            elif made.open and not self.proof.erased and not self.proof.agreement["clock"]:
                self.report.refute(f"{where}: bid by the clock, and no clock was agreed.")
            elif made.open:
                self.clock.append(where)
            return
        self.sealed += 1
        if seal is None:
            self.report.refute(f"{where}: there is no seal of this bid.")
        elif self.proof.erased or self.proof.withheld:
            return  # its digest names the match, which is known no more; its salt comes from the nonce
        elif self._digest(made, seal[0]) != seal[1]:
            self.report.refute(f"{where}: bid and seal differ. Either the record was altered or the referee cheated.")
        else:
            self.good += 1

    def _digest(self, made: CountedDecision, n: int) -> str:
        proof = self.proof
        salt = v2.salt(proof.nonce, proof.agreed, made.place, made.seat, n)
        return v2.seal_digest(salt, proof.agreement["match"], made.place, made.seat, made.value).hex()
