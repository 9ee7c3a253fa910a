"""A record is enough: what was played can be played again from it, event for event (rules.md 1.6, 2.7, 7)."""

import json
from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from bot.engine.events import BidsRevealed, Event, MatchEnded, PickMade
from bot.engine.match import Match, Termination
from bot.engine.record.record import Record, read_record
from bot.engine.record.replay import Replay, replay
from bot.engine.record.result import result_data
from bot.engine.record.transcript import transcript
from tests.engine.matches import FORCED, Played, any_played, any_start, play_match
from tests.engine.strategies import FEWER, SEEDS, Policy, any_policy, most_deals


def through_json(record: Record) -> Record:
    """Written out, read back, and the same when it is written again."""
    data = record.data()
    text = json.dumps(data, ensure_ascii=False)
    read = read_record(json.loads(text))
    assert read.data() == data
    return read


def replayed(played: Played) -> Replay:
    assume(not played.ambiguous)
    again = replay(through_json(played.record))
    assert again.error is None, again.error
    return again


def by_players(events: tuple[Event, ...] | list[Event]) -> list[Event]:
    """Events without the mark of what the referee forced."""
    told: list[Event] = []
    for event in events:
        if isinstance(event, BidsRevealed):
            told.append(replace(event, forced=()))
        elif isinstance(event, PickMade):
            told.append(replace(event, forced=False))
        else:
            told.append(event)
    return told


@given(any_played("omitted") | any_played("marked"))
def test_replay_equals_the_played_match(played: Played) -> None:
    again = replayed(played)
    assert again.match == played.match
    assert again.events == tuple(played.events)


@given(any_played("plain"))
def test_forced_choices_may_be_written_as_free_choices(played: Played) -> None:
    again = replayed(played)
    assert result_data(again.match) == result_data(played.match)
    assert by_players(again.events) == by_players(played.events)


@FEWER
@given(any_start(), SEEDS, any_policy())
def test_order_and_marks_of_decisions_do_not_change_the_match(start: Match, seed: int, policy: Policy) -> None:
    """Decisions of a round in any order, with or without forced ones and their marks."""
    results = []
    for way in FORCED:
        played = play_match(start, seed, policy, way)
        results.append(json.dumps(result_data(replayed(played).match)))
        results.append(json.dumps(result_data(played.match)))
    assert len(set(results)) == 1


@given(any_played(leaves=True))
def test_replay_includes_seats_that_left(played: Played) -> None:
    again = replayed(played)
    assert result_data(again.match) == result_data(played.match)
    assert by_players(again.events) == by_players(played.events)


@given(any_played())
def test_match_ends_within_its_series(played: Played) -> None:
    match = played.match
    assert match.termination is Termination.COMPLETED
    assert 1 <= len(match.finished) <= most_deals(match.series)
    outcome = match.outcome()
    assert outcome.placings is not None
    assert min(outcome.placings) == 1
    assert (outcome.winner is None) == (outcome.placings.count(1) > 1)
    assert match.totals == tuple(map(sum, zip(*(s.rules.score(s) for s in match.deals), strict=True)))
    assert [event for event in played.events if isinstance(event, MatchEnded)] == [MatchEnded(outcome.winner)]
    assert transcript(match).strip()
    assert result_data(match) == json.loads(json.dumps(result_data(match)))


@given(any_played(), st.data())
def test_truncated_record_is_an_unfinished_match(played: Played, data: st.DataObject) -> None:
    record = played.record
    number = data.draw(st.integers(0, len(record.deals) - 1))
    decisions = record.deals[number].decisions
    at = data.draw(st.integers(0, len(decisions)))
    assume(not played.ambiguous)
    cut = Record(record.start, (*record.deals[:number], replace(record.deals[number], decisions=decisions[:at])))
    again = replay(through_json(cut))
    assert again.error is None, again.error
    assert again.events == tuple(played.events[: len(again.events)]) or not again.match.left
    ours, full = result_data(again.match), result_data(played.match)
    for mine, theirs in zip(ours["deals"], full["deals"], strict=False):
        assert mine["rounds"] == theirs["rounds"][: len(mine["rounds"])]
