"""Broken records are refused in one line or refereed."""

import contextlib
import copy
import io
import json
import random
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bot.__main__ import main
from bot.engine.match import Match, Termination
from bot.engine.record.record import Record, RecordError, read_record
from bot.engine.record.replay import Replay, replay
from bot.engine.record.result import result_data
from bot.engine.record.transcript import transcript
from tests.engine.matches import FORCED, Played, any_leaving, any_played, any_start, play_match
from tests.engine.strategies import FEWER, SEEDS, any_policy, one_line

# --- valid records to begin with -------------------------------------------------------------------------------

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.json"))
RECORDS: list[dict[str, Any]] = [
    case["record"] for path in GOLDEN for case in json.loads(path.read_text(encoding="utf-8")) if "record" in case
]


def documents() -> st.SearchStrategy[dict[str, Any]]:
    """A golden record, or one of a match played at random."""
    return st.sampled_from(RECORDS) | any_played().map(document) | any_played(leaves=True).map(document)


def document(played: Played) -> dict[str, Any]:
    return json.loads(json.dumps(played.record.data()))


# --- mutations -------------------------------------------------------------------------------------------------

ODD: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 3, 13, 14, 26, 52, 2**31, 2**64, -(10**30), 10**4000),
    *(0.0, 1.5, -0.0, 1e308, float("inf"), "", " ", "0", "A", "K", "A+", "A-", "Jk", "QS", "10H", "♠Q", "1S"),
    *("a\nb", "a\r\nb", "\u2028", "\x1b[2J", "\x00", "\ud800", "{x}", "{0}", "%s", "x" * 5000, "ß", "ﷺ", "١"),
    *([], [[]], [0], [1, 2], [[1], [2]], [0, 1, "forced"], [0, 1, 2], {}, {"pick": 1}, {"pick": [1]}, {"": None}),
    *("classic", "parlett", "throps", "vultures", "pico", "psych", "sops", "bid", "welsh", "single", "forced"),
    *({"mode": "single"}, {"mode": "best-of", "games": 3}, {"mode": "first-to", "wins": 1}, {"mode": "a\nb"}),
    *({"kind": "resigned", "seat": 0, "deal": 0, "after": 0}, {"kind": "aborted"}, {"kind": "agreed", "after": 1}),
]
KEYS = [
    *("schema", "game", "options", "seats", "deals", "stock", "hands", "out", "partial", "decisions", "series"),
    *("ending", "left", "kind", "seat", "deal", "after", "mode", "games", "level", "cards", "ties", "order"),
    *("open", "info", "clinch", "prizes", "pick", "fairness", "players", "\ud800", "a\nb", "\u2029", ""),
]
VALUES = st.sampled_from(ODD) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def mutated(draw: st.DrawFn) -> Any:
    """A record with a few things deleted, replaced, inserted, doubled, swapped or cut off."""
    data = json.loads(json.dumps(draw(documents())))
    for _ in range(draw(st.integers(1, 4))):
        value = copy.deepcopy(draw(VALUES))  # the next change may be inside it
        data = mutate(data, value, random.Random(draw(SEEDS)))
    return data


def mutate(data: Any, value: Any, dice: random.Random) -> Any:
    """One change somewhere in nested lists and objects."""
    holder, places = data, places_of(data)
    while places and dice.random() < 0.85:  # walk down
        inner = holder[dice.choice(places)]
        if not (further := places_of(inner)):
            break
        holder, places = inner, further
    how = dice.choice(("delete", "replace", "replace", "insert", "double", "swap", "cut"))
    if not places:
        return value
    at = dice.choice(places)
    if how == "delete":
        del holder[at]
    elif how == "replace":
        holder[at] = value
    elif how == "swap":
        other = dice.choice(places)
        holder[at], holder[other] = holder[other], holder[at]
    elif isinstance(holder, dict):
        holder[dice.choice(KEYS)] = value
    elif how == "cut":
        del holder[at:]
    else:
        holder.insert(at, value if how == "insert" else holder[at])
    return data


def places_of(data: Any) -> list[Any]:
    return list(data) if isinstance(data, dict) else list(range(len(data))) if isinstance(data, list) else []


# --- what may happen -------------------------------------------------------------------------------------------


def judge(data: Any) -> None:
    """It is refereed, or refused in one line, and then the good prefix stands by itself."""
    try:
        record = read_record(data)
    except RecordError as error:
        assert one_line(error), str(error)  # noqa: PT017
        return
    played = replay(record)
    result = result_data(played.match)
    assert json.loads(json.dumps(result)) == result
    assert transcript(played.match)
    assert (result["termination"] is None) == (not played.match.over)
    if played.error is None:
        return
    assert one_line(played.error), str(played.error)
    if played.error.place == "ending":  # somewhere among the decisions, it does not say where
        return
    again = replay(prefix(record, played))
    assert again.error is None, (str(played.error), str(again.error))
    assert result_data(again.match) == result


def prefix(record: Record, played: Replay) -> Record:
    """The part before what was wrong, as its message places it, with the endings that had taken effect."""
    error, match = played.error, played.match
    assert error is not None
    place = error.place.removeprefix("deal ").split(", decision ")
    number = int(place[0])
    deals = record.deals[:number]
    if len(place) == 2:
        deal = record.deals[number]
        deals = (*deals, type(deal)(deal.deal, deal.given, deal.decisions[: int(place[1])]))
    endings = [*record.left, *([record.ending] if record.ending else [])]
    done = len(match.left) + (match.over and match.termination is not Termination.COMPLETED and not leaves(match))
    return Record(record.start, deals, None, tuple(endings[:done]))


def leaves(match: Match) -> bool:
    """Whether it ended because of who left."""
    return bool(match.left) and match.termination is match.left[-1].kind


@given(mutated())
def test_broken_record_is_refused_or_refereed(data: Any) -> None:
    judge(data)


@given(VALUES)
def test_any_json_is_refused_or_refereed(data: Any) -> None:
    judge(data)


@FEWER
@given(any_start(), SEEDS, any_policy(), st.sampled_from(FORCED), st.data())
def test_record_with_misplaced_decisions_is_refused_or_refereed(
    start: Any, seed: int, policy: Any, way: str, data: st.DataObject
) -> None:
    """Decisions are moved, doubled, removed or given to another seat."""
    leaving = data.draw(st.none() | any_leaving(start.rules.seats))
    record = document(play_match(start, seed, policy, way, leaving))
    dice = random.Random(data.draw(SEEDS))
    decisions = dice.choice(record["deals"])["decisions"]
    for _ in range(dice.randint(1, 3)):
        if decisions:
            one, two = (dice.randrange(len(decisions)) for _ in range(2))
            how = dice.randrange(5)
            if how == 0:
                decisions[one], decisions[two] = decisions[two], decisions[one]
            elif how == 1:
                decisions.insert(one, decisions[two])
            elif how == 2:
                del decisions[one]
            elif how == 3:
                decisions[one] = [decisions[two][0], *decisions[one][1:]]
            else:
                decisions[one] = [decisions[one][0], decisions[two][1]]
    judge(record)


# --- the command line ------------------------------------------------------------------------------------------


def referee(data: bytes, *flags: str) -> tuple[int, str, str]:
    """`gops referee FILE` in this process, with streams as strict as a terminal's."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n") for _ in range(2))
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(data)
        file.flush()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(["referee", file.name, *flags])
    told: list[str] = []
    for stream in (out, err):
        stream.flush()
        assert isinstance(stream.buffer, io.BytesIO)
        told.append(stream.buffer.getvalue().decode("utf-8"))
    return code, told[0], told[1]


def hold_to_contract(data: bytes, *flags: str) -> None:
    code, out, err = referee(data, *flags)
    assert code in (0, 2), err
    assert "Traceback" not in out + err
    assert len(err.splitlines()) <= 1
    if code == 0:
        assert err == ""
    if "--text" not in flags:
        for line in out.split("\n")[:-1]:
            assert isinstance(json.loads(line), dict)


FLAGS = st.sampled_from([(), ("--prefix",), ("--text",), ("--prefix", "--text")])


@st.composite
def mangled(draw: st.DrawFn) -> bytes:
    """A record as text, or several a line, with bytes flipped, cut out and put in."""
    texts = draw(st.lists(documents() | mutated(), min_size=1, max_size=3))
    data = bytearray(b"\n".join(json.dumps(text).encode() for text in texts))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(data)))
        how = draw(st.integers(0, 3))
        if how == 0 and at < len(data):
            data[at] ^= 1 << draw(st.integers(0, 7))
        elif how == 1:
            data[at:at] = draw(st.binary(max_size=4) | st.sampled_from(TOKENS))
        elif how == 2:
            del data[at : at + draw(st.integers(1, 20))]
        elif how == 3:
            data[at : at + 1] = draw(st.sampled_from(TOKENS))
    return bytes(data)


TOKENS = [
    *(b"[", b"]", b"{", b"}", b",", b":", b'"', b"\\", b"\n", b"\r", b"NaN", b"-Infinity", b"1e999", b"-", b"0"),
    *(b"\xff", b"\xef\xbb\xbf", b"\x00", b"\\ud800", "\u2028".encode(), "é".encode(), b"9" * 5000, b"null", b"true"),
]


@given(mangled(), FLAGS)
@example(b"", ())
@example(b"\xff\xfe", ())
@example(b"[" * 100_000, ())
@example(b'{"game": ' + b"[" * 950 + b"]" * 950 + b"}", ())
@example(b"9" * 10_000, ())
@example(b'{"game": "a\\nb", "seats": 2, "deals": []}', ())
@example(b'{"game": "\\ud800", "seats": 2, "deals": []}\n{}', ())
@example(b'{"game": "classic", "seats": 2, "options": {"\\ud800": 1}, "deals": []}\n{}', ())
def test_referee_command_answers_any_bytes(data: bytes, flags: tuple[str, ...]) -> None:
    hold_to_contract(data, *flags)


@pytest.mark.parametrize("depth", [50, 500, *range(880, 1000, 8)])
@pytest.mark.parametrize("place", ["decision", "card", "mode", "game", "kind", "option"])
def test_deeply_nested_values_cause_no_crash(place: str, depth: int) -> None:
    """A parser may accept nested values that later code cannot print."""
    deep = "[" * depth + "]" * depth
    record = {"game": "classic", "options": {"cards": 2}, "seats": 2, "deals": [{"stock": [1, 2], "decisions": []}]}
    text = json.dumps(
        {
            "decision": {**record, "deals": [{"stock": [1, 2], "decisions": [[0, "DEEP"]]}]},
            "card": {**record, "deals": [{"stock": ["DEEP"], "decisions": []}]},
            "mode": {**record, "series": {"mode": "DEEP"}},
            "game": {**record, "game": "DEEP"},
            "kind": {**record, "ending": {"kind": "DEEP"}},
            "option": {**record, "options": {"ties": "DEEP"}},
        }[place]
    ).replace('"DEEP"', deep)
    hold_to_contract(text.encode())
    code, _, _ = referee(text.encode())
    assert code == 2


@cache
def by_itself(record: str) -> tuple[int, str]:
    """What the command says of a golden record that comes alone."""
    code, out, _ = referee(record.encode())
    return code, out


@given(st.lists(st.sampled_from(RECORDS), min_size=2, max_size=4), st.data())
def test_bad_line_does_not_change_the_answers_to_other_lines(records: list[Any], data: st.DataObject) -> None:
    """Each line has its own answer, in the same order."""
    lines = [json.dumps(record) for record in records]
    bad = data.draw(st.integers(0, len(lines) - 1))
    lines[bad] = data.draw(st.sampled_from(["{", "[]", '{"game": "x"}', "null", '{"a": "\\u2028"}', '"\u2028"']))
    assume("\n" not in lines[bad])
    code, out, err = referee("\n".join(lines).encode())
    answers = [json.loads(line) for line in out.split("\n")[:-1]]
    assert len(answers) == len(lines)
    assert (code, err) == (2, "")
    assert list(answers[bad]) == ["error"]
    for place, record in enumerate(records):
        if place != bad:
            alone, text = by_itself(json.dumps(record))
            assert answers[place] == json.loads(text) if alone == 0 else list(answers[place]) == ["error"]
