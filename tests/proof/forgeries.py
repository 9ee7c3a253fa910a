"""The corpus: honest records, and what a cheating referee makes of them. `python -m tests.proof.forgeries` writes it.

Each case is a file in `corpus/`, and a line in `corpus/cases.json`: what is noted beside it, which code the program and
the page come to, and the sentence with the place. The page's code is another one only where rules decide.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bot.referee.proof import version2 as v2
from tests.proof.author import Author, nth, resealed, sealed_anew

FOLDER = Path(__file__).with_name("corpus")
INDEX = FOLDER / "cases.json"

Record = dict[str, Any]


@dataclass
class Case:
    """One record, and what comes of it."""

    name: str
    why: str
    text: str
    code: int
    says: str = ""
    """a part of a sentence of the program; for a forgery the one that names the place"""
    page: int = -1
    """the page's code, where rules decide"""
    noted: dict[str, str] = field(default_factory=dict[str, str])

    def line(self) -> dict[str, Any]:
        found = {key: value for key, value in asdict(self).items() if key != "text"}
        return {**found, "page": self.code if self.page < 0 else self.page}


def duel(**more: Any) -> Author:
    """Six cards each, discarded ties; the same match each time."""
    return Author("classic", {"cards": 6, "ties": "discard"}, **more)


def daily() -> Author:
    """Somebody's try at a day's deal, played to its end."""
    who = {"players": ["anybody", "house:sage"], "clock": 0, "rated": False, "message": "0"}
    return Author("classic", {"cards": 7, "ties": "discard"}, id="D20261122-1", **who).play()


def without_nonce(record: Record) -> Record:
    """As it is exported on its day: the seal is that of the whole record."""
    del record["fairness"]["nonce"]
    return record


def dump(record: Record) -> str:
    return json.dumps(record, indent=1) + "\n"


# --- honest ------------------------------------------------------------------------------------------------------


def honest() -> Iterator[Case]:
    def case(name: str, why: str, author: Author, says: str = "", page: int = -1, code: int = 0) -> Case:
        return Case(f"honest-{name}", why, dump(author.written()), code, says, page)

    vector = (Path(__file__).parent / "vector.json").read_text(encoding="utf-8")
    yield Case("honest-vector", "the vector of docs/fairness.md", vector, 0, "4 of 4 bids match the seals")
    yield case("duel", "a match played to its end", duel().play())
    yield case("draft", "open prizes: picks are sub-rounds", Author("classic", {"cards": 5, "open": "draft"}, 3).play())
    yield case("bids-again", "ties are bid again", Author("psych").play(nth(4)))
    yield case("aces", "a declared Ace, three deals, the Joker", Author("parlett", seats=3).play())
    yield case("throps", "hands are dealt, several deals", Author("throps", seats=3).play())
    yield case("pico", "every second deal is the one before, exchanged", Author("pico").play())
    yield case("welsh", "nothing is left to chance", Author("welsh", seats=4).play())
    yield case("vultures", "prizes below zero", Author("vultures", seats=4).play())
    pairs = {"cards": 7, "bid_cards": 2, "remainder": "short-last"}
    yield case("pairs", "several cards a bid", Author("classic", pairs).play())
    yield case("listed", "an order that was agreed", Author("classic", {"cards": 5, "order": "descending"}).play())
    yield case("best-of", "a series", Author("classic", {"cards": 4}, series={"mode": "best-of", "games": 3}).play())
    yield case(
        "resigned", "one of two resigned", duel().play(turns=2).leave(1), "Round 3: seat 2 (101) resigned. Compare that"
    )
    yield case("agreed", "a draw by agreement", duel().play(turns=3).stop("agreed"), "Round 4: a draw was agreed.")
    yield case("stopped", "stopped by a moderator", duel().play(turns=1).stop("aborted"), "it was stopped")
    left = Author("classic", {"cards": 5}, 3).play(turns=1).leave(2).play()
    yield case("left", "one of three left; their lowest cards were played", left, "Round 2: seat 3 (102) resigned.")
    rest = Author("classic", {"cards": 5}, 3).play(turns=1).leave(2).stop("agreed")
    yield case("left-agreed", "one of three left, and the others agreed on a draw", rest, "Round 2: a draw was agreed.")
    late = duel().play(lambda match, prompt, turn: "clock" if turn == 4 else nth(1)(match, prompt, turn), turns=4)
    yield case("clock", "a clock ran out", late.play(), "Round 3, seat 1 (100): time ran out")
    house = duel(players=["100", "house:sage"], clock=0, rated=False, message="0")
    yield case("practice", "against the house, which is slow to work out", house.play(), "was not posted in public")
    yield case("daily", "a day's deal, once its day is over", daily(), "1 is anybody, player 2 is the house (sage).")
    today = without_nonce(daily().written())
    yield Case("honest-daily-today", "the same on its day", dump(today), 3, "number stays secret until its day is over")
    yield case("unfinished", "half a match", duel().play(turns=3), "is not finished in this record", page=0, code=3)


# --- what a forger does ------------------------------------------------------------------------------------------


def forged() -> Iterator[Case]:
    true = duel().play().written()
    seal, opening = true["fairness"]["record"], true["fairness"]["opening"]
    noted = {"record": v2.group_digits(seal[:16]), "opening": v2.group_digits(opening[:16])}

    def case(
        name: str,
        why: str,
        forge: Callable[[Record], Any],
        says: str,
        code: int = 1,
        page: int = -1,
        base: Record = true,
        noted: dict[str, str] | None = None,
    ) -> Case:
        record = deepcopy(base)
        record = forge(record) or record
        return Case(name, why, dump(record), code, says, page, noted or {})

    def both(name: str, why: str, forge: Callable[[Record], Any]) -> Iterator[Case]:
        """Yield a forgery recomputed with the nonce: the file alone verifies, and the noted digits refute it."""
        yield case(f"{name}-anew", f"{why}; everything worked out anew", lambda r: sealed_anew(forge(r) or r), "", 0)
        yield case(
            f"{name}-anew-noted",
            f"{why}; everything worked out anew, but somebody noted the result",
            lambda r: sealed_anew(forge(r) or r),
            "not the one that you gave: this is not the record of that result",
            noted=noted | {"opening": ""},
        )

    # daily deals
    day = daily().written()
    missing = "nonce is missing"
    yield case("no-nonce", "any other record without its nonce", without_nonce, missing)
    wrong_day = _agreed(deepcopy(day), match="D20261322-1")
    yield case("no-such-day", "a day that there is not", without_nonce, missing, base=wrong_day)
    yield case(
        "daily-for-one", "a day that was agreed with one person",
        lambda r: sealed_anew(_agreed(r, players=["100", "house:sage"])), "names a player who is neither", base=day,
    )  # fmt: skip
    yield case(
        "daily-message", "a day that depends on a message",
        lambda r: sealed_anew(_agreed(r, message="5")), "the agreement of a day names a message", base=day,
    )  # fmt: skip
    yield case(
        "anybody-elsewhere", "nobody named as a player of a match",
        lambda r: sealed_anew(_agreed(r, players=["anybody", "101"])), "names a player who is neither",
    )  # fmt: skip
    yield case(
        "daily-noted", "another day's digits", without_nonce, "not the one that you gave", base=day,
        noted={"record": v2.group_digits(seal[:16])},
    )  # fmt: skip
    decisions: list[list[Any]] = true["deals"][0]["decisions"]
    yield case("noted", "what was noted is this record's", lambda _: None, "That is the match seal", 0, noted=noted)

    # the deal
    def swapped(record: Record) -> None:
        stock = record["deals"][0]["stock"]
        stock[0], stock[1] = stock[1], stock[0]

    yield case(
        "swapped-deal", "two prizes change places", lambda r: (swapped(r), resealed(r))[1],
        "Deal 1: these are not the cards that the secret number gives.",
    )  # fmt: skip

    def other_nonce(record: Record) -> Record:
        return duel(nonce=bytes(31) + b"\1").play().written()

    yield case(
        "other-nonce", "another nonce under the opening that was shown",
        lambda r: resealed({**r, "fairness": {**r["fairness"], "nonce": "00" * 32}}),
        "does not fit the deal seal",
    )  # fmt: skip
    yield case("other-nonce-anew", "another nonce, and everything of it", other_nonce, "", 0)
    yield case(
        "other-nonce-anew-noted", "another nonce, and everything of it, but somebody noted the opening", other_nonce,
        "and not the one that you gave", noted={"opening": noted["opening"]},
    )  # fmt: skip
    yield case(
        "other-message", "another message, as if another deal had been shown",
        lambda r: resealed(_agreed(r, message="1309000000000000002")),
        "Deal 1: these are not the cards that the secret number gives.",
    )  # fmt: skip
    yield case(
        "message-noted", "another message than somebody noted", lambda _: None, "not the one that you gave",
        noted={"message": "https://discord.com/channels/1/2/1309000000000000002"},
    )  # fmt: skip
    yield case(
        "partial", "a deal that says it is a part of one", lambda r: _at(r, ["deals", 0, "partial"], True),
        "Deal 1: these are not the cards",
    )  # fmt: skip

    # bids
    def changed(record: Record) -> None:
        """Seat 1 did not bid that in round 2, but what it bid in round 5."""
        mine = [one for one in record["deals"][0]["decisions"] if one[0] == 0]
        mine[1][1], mine[4][1] = mine[4][1], mine[1][1]

    yield case(
        "changed-bid", "a revealed bid is another one", lambda r: (changed(r), resealed(r))[1],
        "Round 2, seat 1 (100): bid and seal differ. Either the record was altered or the referee cheated.",
    )  # fmt: skip
    yield from both("changed-bid", "a revealed bid is another one", changed)

    def late(record: Record) -> None:
        """Seat 2 bids after it has seen what seat 1 revealed in round 1: with the number of a further change."""
        mine = [one for one in record["deals"][0]["decisions"] if one[0] == 1]
        mine[0][1], mine[3][1] = mine[3][1], mine[0][1]
        record["fairness"]["seals"][1][4] += 1

    yield case(
        "late-bid", "a bid is changed once all are revealed", lambda r: (late(r), resealed(r))[1],
        "Round 1, seat 2 (101): bid and seal differ.",
    )  # fmt: skip
    yield from both("late-bid", "a bid is changed once all are revealed", late)

    def swapped_rounds(record: Record) -> None:
        """Rounds 1 and 2 of seat 1 change places, each with its genuine seal."""
        deal, seals = record["deals"][0]["decisions"], record["fairness"]["seals"]
        deal[0], deal[2] = deal[2], deal[0]
        seals[0], seals[2] = seals[2], seals[0]

    yield case(
        "swapped-rounds", "two rounds of one seat change places, each with its genuine seal",
        lambda r: (swapped_rounds(r), resealed(r))[1], "seal 2 does not stand in the order of places",
    )  # fmt: skip

    def swapped_bids(record: Record) -> None:
        deal, seals = record["deals"][0]["decisions"], record["fairness"]["seals"]
        deal[0], deal[2] = deal[2], deal[0]
        seals[0][4:], seals[2][4:] = seals[2][4:], seals[0][4:]

    yield case(
        "swapped-rounds-renamed", "the same, and the seals claim the places that they stand at",
        lambda r: (swapped_bids(r), resealed(r))[1], "Round 1, seat 1 (100): bid and seal differ.",
    )  # fmt: skip

    # seals
    yield case(
        "dropped-seal", "one seal is gone", lambda r: (r["fairness"]["seals"].pop(4), resealed(r))[1],
        "Round 3, seat 1 (100): there is no seal of this bid.",
    )  # fmt: skip
    yield case(
        "dropped-seals", "all seals are gone", lambda r: resealed(_at(r, ["fairness", "seals"], [])),
        "Round 1, seat 1 (100): there is no seal of this bid.",
    )  # fmt: skip
    yield case(
        "seal-too-many", "a seal of a round that was not played",
        lambda r: (r["fairness"]["seals"].append([0, 9, 0, 0, 0, "ab" * 32]), resealed(r))[1],
        "Deal 1, round 10, seat 1: a seal without a bid.",
    )  # fmt: skip
    yield case(
        "seal-too-many-again", "a seal of a second bid that was not made",
        lambda r: (r["fairness"]["seals"].append([0, 12, 1, 0, 0, "ab" * 32]), resealed(r))[1],
        "Deal 1, round 13, 2nd bid after a tie, seat 1: a seal without a bid.",
        base=Author("psych").play(nth(4)).written(),
    )  # fmt: skip
    yield case(
        "seal-too-many-pick", "a seal of a pick that was not made",
        lambda r: (r["fairness"]["seals"].append([0, 9, 1, 0, 0, "ab" * 32]), resealed(r))[1],
        "Deal 1, round 10, pick 1, seat 1: a seal without a bid.",
        base=Author("classic", {"cards": 5, "open": "draft"}, 3).play().written(),
    )  # fmt: skip
    yield case(
        "seal-twice", "a seal stands there twice",
        lambda r: (r["fairness"]["seals"].insert(1, list(r["fairness"]["seals"][0])), resealed(r))[1],
        "seal 2 does not stand in the order of places, or is there twice",
    )  # fmt: skip
    yield case(
        "seal-seventeenth", "too many changes", lambda r: resealed(_at(r, ["fairness", "seals", 3, 4], 16)),
        "seal 4 would be the seat's 17th of that prompt",
    )  # fmt: skip
    other = duel(id="ABCD").play().written()
    yield case(
        "replayed-seals", "the seals of another match of the same people",
        lambda r: resealed(_at(r, ["fairness", "seals"], other["fairness"]["seals"])),
        "Round 1, seat 1 (100): bid and seal differ.",
    )  # fmt: skip
    yield case(
        "forced-with-seal", "a lowest card that is said to be the clock's keeps its seal",
        lambda r: (next(one for one in r["deals"][0]["decisions"] if one == [0, 1]).append("forced"), resealed(r))[1],
        "Round 5, seat 1 (100): the referee chose, and yet there is a seal.",
    )  # fmt: skip

    # what was agreed
    carried = Author("classic", {"cards": 6, "ties": "carry"}).play().written()

    def ties(record: Record) -> None:
        record["options"]["ties"] = "carry"

    yield case(
        "other-ties", "ties are carried after all", lambda r: (ties(r), resealed(r))[1], "What differs: options."
    )
    yield case(
        "other-ties-agreed", "ties are carried after all, and the agreement says so",
        lambda r: (ties(r), resealed(_agreed(r, options=r["options"])))[1],
        "Round 1, seat 1 (100): bid and seal differ.",
    )  # fmt: skip
    yield from both(
        "other-ties", "ties are carried after all", lambda r: (ties(r), _agreed(r, options=r["options"]))[1]
    )
    yield case(
        "other-seats", "the seats are exchanged", lambda r: resealed(_agreed(r, players=["101", "100"])),
        "Round 1, seat 1 (101): bid and seal differ.",
    )  # fmt: skip
    yield from both("other-seats", "the seats are exchanged", lambda r: _agreed(r, players=["101", "100"]))
    yield case(
        "other-series", "it was one of three after all",
        lambda r: resealed({**r, "series": {"mode": "best-of", "games": 3}}), "What differs: series.",
    )  # fmt: skip
    yield case(
        "other-clock", "another clock", lambda r: resealed(_agreed(r, clock=15)), "Round 1, seat 1 (100): bid and seal",
    )  # fmt: skip
    yield case(
        "unrated", "unrated after all", lambda r: resealed(_agreed(r, rated=False)), "Round 1, seat 1 (100): bid and",
    )  # fmt: skip
    yield case(
        "other-rules",
        "a record of another match's rules",
        lambda _: resealed(_with(carried, true)),
        "What differs: options.",
    )

    # how it ended
    def truncated(record: Record) -> None:
        record["deals"][0]["decisions"] = decisions[:6]
        record["fairness"]["seals"] = record["fairness"]["seals"][:6]

    yield case(
        "truncated", "the last rounds are gone", lambda r: (truncated(r), resealed(r))[1],
        "is not finished in this record", 3, page=0,
    )  # fmt: skip
    yield case(
        "truncated-noted", "the last rounds are gone, but somebody noted the result",
        lambda r: (truncated(r), resealed(r))[1], "not the one that you gave", noted=noted,
    )  # fmt: skip

    def resigned(record: Record) -> None:
        truncated(record)
        record["ending"] = {"kind": "resigned", "seat": 1, "deal": 0, "after": 6}

    yield case(
        "invented-resignation", "nobody resigned; only memory and the result know",
        lambda r: (resigned(r), resealed(r))[1], "Round 4: seat 2 (101) resigned. Compare that with what you remember.",
        0,
    )  # fmt: skip
    yield case(
        "invented-resignation-noted", "nobody resigned, and somebody noted the result",
        lambda r: (resigned(r), resealed(r))[1], "not the one that you gave", noted=noted,
    )  # fmt: skip
    yield case(
        "resigned-after-the-end", "a resignation when it was over",
        lambda r: resealed({**r, "ending": {"kind": "resigned", "seat": 1, "deal": 0, "after": 12}}),
        "The ending: the match was over by its rules.", page=0,
    )  # fmt: skip
    yield case(
        "resigned-elsewhere", "a resignation before the last rounds, which were played",
        lambda r: resealed({**r, "ending": {"kind": "resigned", "seat": 1, "deal": 0, "after": 4}}),
        "The ending: ", page=0,
    )  # fmt: skip

    def lowest(record: Record) -> None:
        """Replace seat 1's bid in round 1 by its lowest card, forced, and exchange the two cards."""
        mine = [one for one in record["deals"][0]["decisions"] if one[0] == 0]
        bid = mine[0][1]
        later = next(one for one in mine if one[1] == 1)
        mine[0][1], later[1] = later[1], bid
        mine[0].append("forced")
        del record["fairness"]["seals"][0]

    yield case(
        "forced-lowest", "a sealed bid becomes a lowest card of the clock", lambda r: (lowest(r), sealed_anew(r))[1],
        "Round 1, seat 1 (100): time ran out, so this card has no seal. If Verify showed a seal of that player"
        " then, the referee cheated.", 0,
    )  # fmt: skip
    yield case(
        "forced-lowest-noted", "a sealed bid becomes a lowest card of the clock, and somebody noted the result",
        lambda r: (lowest(r), sealed_anew(r))[1], "not the one that you gave", noted=noted | {"opening": ""},
    )  # fmt: skip
    yield case(
        "forced-without-clock", "a lowest card of a clock that was never agreed",
        lambda r: (lowest(r), sealed_anew(_agreed(r, clock=0)))[1],
        "Round 1, seat 1 (100): bid by the clock, and no clock was agreed.", page=0,
    )  # fmt: skip

    def forced(record: Record) -> None:
        record["deals"][0]["decisions"][0].append("forced")
        del record["fairness"]["seals"][0]

    yield case(
        "forced-high", "the clock is said to have bid another card than the lowest",
        lambda r: (forced(r), resealed(r))[1], "Round 1, seat 1 (100): this is not what the referee bids for a seat.",
        page=0,
    )  # fmt: skip
    yield case(
        "unforced-last", "last cards that the referee played, not marked as such",
        lambda r: (r["deals"][0]["decisions"][-1].pop(), resealed(r))[1],
        "Round 6, seat 2 (101): the referee chose here, and the record does not say so.",
    )  # fmt: skip

    # legality, which the page leaves to the rules
    def twice(record: Record) -> None:
        mine = [one for one in record["deals"][0]["decisions"] if one[0] == 0]
        mine[1][1] = mine[0][1]

    yield case(
        "card-twice", "a card is bid twice", lambda r: (twice(r), sealed_anew(r))[1],
        "Round 2, seat 1 (100): the rules do not allow", page=0,
    )  # fmt: skip
    yield case(
        "half-a-round", "somebody's bid of the last round is missing",
        lambda r: (truncated(r), r["deals"][0]["decisions"].pop(), r["fairness"]["seals"].pop(), resealed(r))[3],
        "Round 3, seat 2 (101): the bid is missing", page=0,
    )  # fmt: skip
    yield case(
        "order-of-seats", "two bids of a round change places",
        lambda r: (r["deals"][0]["decisions"].insert(0, r["deals"][0]["decisions"].pop(1)), resealed(r))[1],
        "Round 1: the bid of seat 1 (100) should stand here",
    )  # fmt: skip

    # the house
    house = duel(players=["100", "house:sly"], clock=0, rated=False, message="0").play().written()
    yield case(
        "house-otherwise", "Sly did not play as Sly plays", lambda _: None, "not what this level of the house gives.",
        base=house, page=0,
    )  # fmt: skip
    yield case(
        "lapse-of-nobody", "somebody is said to have bid in a person's place",
        lambda r: resealed(_at(r, ["fairness", "lapses"], [[0, 0, 0, 0, "sly"]])),
        "Deal 1, round 1, seat 1: nobody bid there in a level's place.", page=0,
    )  # fmt: skip
    yield case(
        "no-message", "a match of two people that names no message", lambda r: resealed(_agreed(r, message="0")),
        "the agreement names no message",
    )  # fmt: skip


# --- how it is written -------------------------------------------------------------------------------------------


def written() -> Iterator[Case]:
    true = duel().play().written()
    text = dump(true)

    def case(name: str, why: str, found: Record | str, says: str, code: int = 1, page: int = -1) -> Case:
        return Case(name, why, found if isinstance(found, str) else dump(found), code, says, page)

    def proof(**changed: Any) -> Record:
        record = deepcopy(true)
        record["fairness"].update(changed)
        return resealed(record)

    def without(key: str) -> Record:
        record = deepcopy(true)
        del record["fairness"][key]
        return record

    yield case("record-seal", "another seal of the record", _at(deepcopy(true), ["fairness", "record"], "ab" * 32),
               "The match seal does not fit the record.")  # fmt: skip
    yield case("key-unknown", "a key that nothing knows", proof(note="x"), "note is nothing that belongs there")
    yield case("key-missing", "a key is missing", without("opening"), "opening is missing")
    yield case("agreement-key", "a key of the agreement that nothing knows", resealed(_agreed(deepcopy(true), prize=1)),
               "prize of the agreement is nothing that belongs there")  # fmt: skip
    yield case("true-for-one", "true where 1 should stand", _at(deepcopy(true), ["deals", 0, "decisions", 0, 1], True),
               "Round 1, seat 1 (100): ")  # fmt: skip
    yield case("digits-upper", "upper-case digits", proof(nonce=true["fairness"]["nonce"].upper()), "nonce is not 64")
    for name, was, now, says in (
        ("number-float", '"clock": 120', '"clock": 120.0', "a number that is not a plain whole one"),
        ("number-power", '"clock": 120', '"clock": 12e1', "a number that is not a plain whole one"),
        ("number-negative-zero", '"deal": 0', '"deal": -0', "a number that is not a plain whole one"),
        ("number-nan", '"clock": 120', '"clock": NaN', "a number that is not a plain whole one"),
        ("number-large", '"clock": 120', '"clock": 9007199254740993', "more than 53 bits"),
        ("key-twice", '"rated": true', '"rated": true, "rated": true', "a key that stands twice"),
        ("key-twice-above", '"seats": 2,', '"seats": 2, "seats": 2,', "a key that stands twice"),
        ("character", '"match": "K7Q2"', '"match": "K7Q2\\u00e9"', "not printable ASCII"),
    ):
        base = dump(duel().play(turns=2).leave(1).written()) if "deal" in was else text
        assert was in base, name
        says = "a number" if name == "number-large" else says
        yield case(name, f"written as {now}", base.replace(was, now, 1), says)
    yield case(
        "not-covered", "names and times are not covered", text.replace('"N0"', '"\\u2660 \\ud83c", "x": 1.50'), "", 0
    )
    yield case("escaped", "a letter by its number is that letter", text.replace('"K7Q2"', '"\\u004b7Q2"'), "", 0)
    yield case("version-unknown", "a version to come", proof(version=3), "I don't know this version of the proof", 3)
    yield case(
        "version-true", "a version that is no number", proof(version=True), "I don't know this version of the proof", 3
    )
    plain = {key: value for key, value in true.items() if key != "fairness"}
    yield case("no-proof", "nothing to check", plain, "carries no seals", 3)
    yield case("proof-a-list", "a proof that is none", {**plain, "fairness": []}, "it is no object")
    yield case("not-json", "no JSON", text[:-30], "", 2)
    yield case("a-list", "JSON, and no record", "[1, 2]\n", "", 2)
    yield case("no-deals", "no record", '{"game": "classic", "seats": 2}\n', "", 2)
    erased = deepcopy(true)
    erased["fairness"]["agreement"] = {"hash": v2.agreement_hash(v2.canonical(true["fairness"]["agreement"]))}
    yield case("erased", "somebody had their data erased", erased, "The agreement was erased", 3)
    dropped = deepcopy(erased)
    dropped["fairness"]["seals"].pop()
    yield case("erased-dropped-seal", "erased, and a seal is gone", dropped, "there is no seal of this bid")


def earlier() -> Iterator[Case]:
    """Version 1, which no released bot wrote."""
    text = (FOLDER / "version1.json").read_text(encoding="utf-8")
    yield Case("version1", "a record of version 1 of the proof", text, 2, "")


def _at(record: Record, path: list[Any], value: Any) -> Record:
    inner: Any = record
    for part in path[:-1]:
        inner = inner[part]
    inner[path[-1]] = value
    return record


def _agreed(record: Record, **changed: Any) -> Record:
    record["fairness"]["agreement"].update(deepcopy(changed))
    return record


def _with(record: Record, other: Record) -> Record:
    """Return the record with the agreement of another record."""
    found = deepcopy(record)
    found["fairness"]["agreement"] = other["fairness"]["agreement"]
    return found


def cases() -> list[Case]:
    """Generate every case of the corpus; this takes a while."""
    return [*honest(), *forged(), *written(), *earlier()]


def kept() -> list[Case]:
    """Read the stored cases."""
    lines = json.loads(INDEX.read_text(encoding="utf-8"))
    return [Case(text=(FOLDER / f"{line['name']}.json").read_text(encoding="utf-8"), **line) for line in lines]


def main() -> None:
    found = cases()  # one of them is kept as it is, and read from the folder
    for old in FOLDER.glob("*.json"):
        old.unlink()
    for one in found:
        (FOLDER / f"{one.name}.json").write_text(one.text, encoding="utf-8")
    INDEX.write_text(json.dumps([one.line() for one in found], indent=1) + "\n", encoding="utf-8")
    print(f"{len(found)} cases")


if __name__ == "__main__":
    main()
