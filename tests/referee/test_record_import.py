"""Imported records are refereed and replayed; a hostile record is refused in one sentence."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.engine.record.record import RecordError, read_record
from bot.engine.record.replay import replay
from bot.engine.record.result import result_data
from bot.errors import RefereeError
from bot.referee.archive.record_import import MOST_BYTES, MOST_DECISIONS, import_record, match_of_import
from bot.referee.model.people import Import
from bot.referee.referee import Referee
from bot.referee.repository.live import Live, replay_match
from bot.referee.repository.replay_tape import Tape
from bot.referee.verify.check import verify_text
from bot.referee.verify.upload_check import Desk, check
from bot.ui.screens.refusals import describe_error
from cogs.records.replays import render_replay as replay_card
from tests import golden_cases
from tests.cogs.ui.reading import read
from tests.proof.forgeries import duel
from tests.proof.test_mutated_records import parent, paths
from tests.referee.stage import ANA, BEN, Table

AT = datetime(2026, 11, 21, tzinfo=UTC)
SMALL: dict[str, Any] = {
    "game": "classic",
    "options": {"cards": 3, "ties": "carry"},
    "seats": 2,
    "deals": [{"stock": [2, 3, 1], "decisions": [[0, 1], [1, 2], [0, 3], [1, 3]]}],
}


def brought(record: dict[str, Any]) -> Live:
    return replay_match(match_of_import(Import("MP2K", ANA.user, AT, import_record(json.dumps(record).encode()))))


def records() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every golden case that can be played."""
    for name in golden_cases.names():
        for case in golden_cases.load(name):
            record = case.get("record")
            if record is None:
                continue
            try:
                if replay(read_record(record)).error is None:
                    yield f"{name} {case['case']}", record
            except RecordError:
                continue


def test_every_golden_case_can_be_imported_with_the_same_result() -> None:
    """The stored import replays as the record does, and each of its moments can be shown."""
    cases = 0
    for case, record in records():
        played = replay(read_record(record))
        if not played.joints:
            continue
        live = brought(record)
        assert result_data(live.match) == result_data(played.match), case
        tape = Tape(live)
        for at in (*range(min(len(tape), 30)), tape.turning_point):
            message = replay_card(tape.moment_at(at))
            assert message.is_sendable, case
            assert all(text.strip() for text in message.texts[1:]), case
            assert "from elsewhere" in read(message)
        cases += 1
    assert cases > 100


def test_seat_leaves_an_imported_match_at_the_recorded_moment() -> None:
    """The record may leave out forced bids after that moment."""
    record = {
        "game": "classic",
        "options": {"cards": 3},
        "seats": 3,
        "deals": [{"stock": [2, 3, 1], "decisions": [[0, 1], [1, 2], [2, 3], [1, 1], [2, 2]]}],
        "left": [{"kind": "resigned", "seat": 0, "deal": 0, "after": 3}],
    }
    live, played = brought(record), replay(read_record(record))
    assert result_data(live.match) == result_data(played.match)
    assert [(one.seat, one.after) for one in live.match.left] == [(0, 3)]
    begun = {**SMALL, "deals": [{"stock": [2, 3, 1], "decisions": [[0, 1], [1, 2]]}]}
    stopped = {**begun, "ending": {"kind": "agreed", "deal": 0, "after": 2}}
    assert result_data(brought(stopped).match)["termination"] == "agreed"
    resigned = {**begun, "ending": {"kind": "resigned", "seat": 1, "deal": 0, "after": 2}}
    assert result_data(brought(resigned).match)["winner"] == 0


def test_import_takes_only_names_from_the_claims_of_a_record() -> None:
    players = [{"seat": 0, "name": "Ana"}, {"seat": 9, "name": "x"}, 7, {"seat": 1, "name": "\ud800" + "B" * 500}]
    claims = {"fairness": {"record": "0" * 64}, "rated": True, "players": players, "id": "K7Q2"}
    live = brought({**SMALL, **claims})
    assert live.stored.imported
    assert not live.stored.setup.rated
    assert [one.name[:5] for one in live.stored.seats] == ["Ana", "?BBBB"]
    assert len(live.stored.seats[1].name) == 100
    assert live.stored.seat_of(ANA.user) is None


def many(decisions: int) -> bytes:
    return json.dumps({**SMALL, "deals": [{"stock": [2, 3, 1], "decisions": [[0, 1]] * decisions}]}).encode()


HOSTILE: dict[str, tuple[bytes, str]] = {
    "too large": (b" " * (MOST_BYTES + 1), "A record is at most 1 MB."),
    "a megabyte of text": (b'"' + b"a" * (MOST_BYTES - 2) + b'"', "a record is an object in braces"),
    "a megabyte of lists": (b"[" * MOST_BYTES, "nested too deeply"),
    "nested objects": (b'{"deals":' * 100_000, "nested too deeply"),
    "nested choices": (json.dumps(SMALL).replace("[0, 1]", "[0, " + "[" * 900 + "]" * 900 + "]").encode(), ""),
    "NaN": (b'{"game": NaN}', "NaN is not a number of JSON"),
    "infinity": (b'{"seats": -Infinity}', "is not a number of JSON"),
    "a long number": (b'{"seats": ' + b"9" * 100_000 + b"}", ""),
    "many decisions": (many(10_000), "too long for me"),
    "many that are wrong": (many(MOST_DECISIONS), "breaks the rules"),
    "no text": (b"\xff\xfe\x00", "it is not UTF-8 text"),
    "nothing": (b"", "This file is not a match record"),
    "a list": (b"[]", "a record is an object in braces"),
    "no cards": (b'{"game": "classic", "seats": 2, "deals": []}', "Nothing was revealed"),
    "deals that are none": (
        b'{"game": "classic", "seats": 2, "deals": [7, {"decisions": 8}]}',
        "I can't read this record",
    ),
    "an unknown game": (b'{"game": "chess", "seats": 2, "deals": []}', "I can't read this record"),
    "many seats": (b'{"game": "classic", "seats": 1000000000, "deals": []}', "I can't read this record"),
    "many deals": (
        json.dumps({**SMALL, "series": {"mode": "deals", "deals": 10**9}, "deals": [{}] * 50_000}).encode(),
        "I can't read this record",
    ),
    "a number that is none": (json.dumps(SMALL).replace("[0, 1]", "[0, 1e400]").encode(), ""),
    "true for a card": (json.dumps(SMALL).replace("[0, 1]", "[0, true]").encode(), ""),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files_are_refused_in_one_sentence(case: str) -> None:
    data, part = HOSTILE[case]
    began = time.process_time()
    with pytest.raises(RefereeError) as refused:
        import_record(data)
    assert time.process_time() - began < 5
    sentence = describe_error(refused.value)
    assert part in sentence
    assert len(sentence) < 400
    assert "\n" not in sentence


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files_are_refused_or_fail_verification(case: str) -> None:
    """`/gops verify record:` plays through as much as it can and finds none of the files right."""
    began = time.process_time()
    try:
        report = check(HOSTILE[case][0])
    except RefereeError as refused:
        sentence = describe_error(refused)
        assert len(sentence) < 400
        assert "\n" not in sentence
    else:
        assert report.code != 0
    assert time.process_time() - began < 5


def test_scribbled_records_are_refused_or_can_be_replayed() -> None:
    chance = random.Random(17)
    text = json.dumps({**SMALL, "series": {"mode": "single"}, "ending": {"kind": "agreed", "deal": 0, "after": 4}})
    for _ in range(300):
        at = chance.randrange(len(text))
        scribbled = text[:at] + chance.choice('0123456789"[]{},-:tfn ') + text[at + chance.randint(0, 2) :]
        try:
            kept = import_record(scribbled.encode())
        except RefereeError:
            continue
        Tape(replay_match(match_of_import(Import("MP2K", 1, AT, kept))))


async def test_import_runs_in_its_own_process_once_a_person() -> None:
    desk = Desk(patience=120)  # it stands back, so a busy machine keeps it waiting
    try:
        kept = await desk.bring(ANA.user, json.dumps(SMALL).encode())
        assert kept == import_record(json.dumps(SMALL).encode())
        with pytest.raises(RefereeError) as refused:
            await desk.bring(ANA.user, b"[" * 100_000)
        assert refused.value.id == "record-unreadable"
        assert (await desk.verify(BEN.user, json.dumps(SMALL).encode())).code == 3
        with pytest.raises(RefereeError, match="record-unreadable"):
            await desk.verify(BEN.user, b"{")
        desk._busy.add(ANA.user)  # pyright: ignore[reportPrivateUsage]
        with pytest.raises(RefereeError, match="record-busy"):
            await desk.bring(ANA.user, b"{}")
    finally:
        desk.close()


async def test_imported_record_is_private_to_its_sender_and_survives_a_restart(table: Table) -> None:
    kept = import_record(json.dumps(SMALL).encode())
    live = await table.referee.archive.add_import(ANA.user, kept)
    id = live.stored.id
    assert await table.referee.archive.load(ANA.user, 1, id) is live
    again = Referee(table.store, table.clock, table.referee.repository.entropy)
    assert (await again.archive.load(ANA.user, 99, id)).match == live.match
    with pytest.raises(RefereeError, match="unknown-match"):
        await table.referee.archive.load(BEN.user, 1, id)
    assert await table.store.pools(1) == []


async def test_exported_history_has_one_record_a_line(table: Table) -> None:
    with pytest.raises(RefereeError, match="empty-history"):
        await table.referee.archive.export_history(ANA.user)
    ids = [await table.start(cards=3, rated=False) for _ in range(2)]
    for id in ids:
        await table.play_out(id, [1, 2, 3], [2, 3, 1])
        table.clock.forward(1)
    lines = await table.referee.archive.export_history(ANA.user)
    assert [json.loads(line)["fairness"]["agreement"]["match"] for line in lines] == ids
    assert [json.loads(line) for line in lines] == [await table.referee.views.record(id) for id in ids]
    for line in lines:
        assert brought(json.loads(line)).match.outcome() is not None


@pytest.mark.parametrize("value", [10**4000, -(10**4000), "x" * 4000], ids=["large", "small", "long"])
def test_refusal_quotes_only_the_beginning_of_a_value(value: Any) -> None:
    """This holds for every place of a record, with and without a proof."""
    whole = duel().play(turns=2).leave(1).written()
    bare = {key: one for key, one in whole.items() if key != "fairness"}
    for record in (whole, bare):
        for path in paths(record):
            changed = deepcopy(record)
            parent(changed, path)[path[-1]] = value
            text = json.dumps(changed)
            said: list[str] = []
            try:
                import_record(text.encode())
                said += [finding.line for finding in verify_text(text).findings]
            except RefereeError as refusal:
                said += map(str, refusal.data.values())
            except (RecordError, ValueError) as error:
                said.append(str(error))
            assert max(map(len, said), default=0) < 400, path
