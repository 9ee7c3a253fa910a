"""`gops house`: the chance of each card in a level's bid, for many positions at once."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from bot.engine.choices import Bid
from bot.engine.series import SINGLE
from bot.engine.text.presets import find_offer
from bot.engine.view import observe
from bot.solver.exact.position import PositionError
from bot.solver.exact.scope import find_position
from bot.solver.exact.solve import start_whole_game
from bot.solver.exact.written_position import read_written_position
from bot.solver.players.chance import Chance
from bot.solver.players.levels import LEVELS, Level, Question, find_level
from bot.solver.players.mixes import LevelMix, find_mixes
from tests.solver.response import exploitability
from tests.solver.test_commands import Capture, gops

QUICK = [level for level in LEVELS if not level.slow]
LINE = {"mine": [1, 3], "theirs": [2, 3], "prizes": [1, 3], "up": 1, "lead": 2, "options": {"cards": 3}}


def level(key: str) -> Level:
    found = find_level(key)
    assert found is not None
    return found


def told(key: str, *lines: dict[str, Any]) -> list[LevelMix]:
    return list(find_mixes(level(key), [read_written_position(line) for line in lines], 1))


def lines_of(tmp_path: Path, *lines: object) -> str:
    path = tmp_path / "positions.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    return str(path)


def test_house_prints_one_mix_with_its_basis_for_each_line(capsys: Capture, tmp_path: Path) -> None:
    """One object for each line, in their order: a chance for every card of `mine`, and the basis."""
    other = {**LINE, "mine": [2, 3], "theirs": [1, 3], "lead": -2}
    path = lines_of(tmp_path, LINE, "", other)
    code, out, err = gops(capsys, "house sage --positions", path)
    assert (code, err) == (0, "")
    found = [json.loads(line) for line in out.splitlines()]
    assert [sorted(each) for each in found] == [["basis", "mix"]] * 2
    assert [sorted(each["mix"]) for each in found] == [["1", "3"], ["2", "3"]]
    assert [sum(each["mix"].values()) for each in found] == pytest.approx([1, 1])
    assert {each["basis"] for each in found} == {"win"}


def test_random_public_order_keeps_the_order_of_the_given_prizes() -> None:
    """A public order that was drawn for the match: the line says which prize comes when."""
    options = {"cards": 4, "order": "random-public"}
    line = {"mine": [1, 2, 3, 4], "theirs": [1, 2, 3, 4], "up": 3, "options": options}
    orders = ([3, 4, 2, 1], [3, 1, 2, 4])
    stands = [read_written_position({**line, "prizes": list(order)}) for order in orders]
    assert [one.seen.to_come for one in stands] == [(4, 2, 1), (1, 2, 4)]
    first, second = (found.mix for found in find_mixes(level("sage"), stands, 1))
    assert first != second
    with pytest.raises(PositionError, match="prizes begin with the one that is up"):
        read_written_position({**line, "prizes": [4, 3, 2, 1]})


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ("{", "not JSON"),
        ("[1]", "a position is an object in braces"),
        ({**LINE, "up": None}, "up is missing"),
        ({**LINE, "theirs": [2, 4]}, "theirs has 4, which this game has not"),
        ({**LINE, "game": "clasic"}, "clasic"),
        ({**LINE, "options": {"cards": 99}}, "99"),
        ({**LINE, "ties": "carry", "options": {"cards": 3, "ties": "split"}}, "ties are carry here and split"),
        ({**LINE, "pot": 3}, "a pot goes with ties that carry"),
        ({**LINE, "surprise": 1}, "unknown key 'surprise'"),
        ({**LINE, "options": {"cards": 3, "bid_cards": 2}}, "by these options has no positions"),
        ({**LINE, "game": "pico", "options": {}}, "a line of Pico has mine, theirs, lead and objective"),
        ({"game": "pico", "mine": [4, 14], "theirs": [5, 6]}, "mine has 14, which this game has not"),
        ({"game": "pico", "mine": [4, 5], "theirs": [5, 6]}, "both hands have 5"),
        ({"game": "pico", "mine": [4], "theirs": [5, 6]}, "mine has 1 cards"),
    ],
)
def test_wrong_line_is_named_and_nothing_is_printed(
    capsys: Capture, tmp_path: Path, wrong: object, reason: str
) -> None:
    """As with `gops solve --positions`: one line of error, exit code 2, and no results of earlier lines."""
    path = lines_of(tmp_path, LINE, wrong)
    code, out, err = gops(capsys, "house sly --positions", path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    if reason != "99":
        assert reason in err
    assert f"{path}, line 2: " in err


def test_printed_sage_mixes_cannot_be_exploited() -> None:
    """The printed mixes, played through a whole game against the best answer."""
    start = start_whole_game(3, objective="win")

    def printed(at: Any) -> list[float]:
        line = {name: list(getattr(at, name)) for name in ("mine", "theirs", "prizes")}
        found = told("sage", {**line, "up": at.up, "lead": at.lead, "options": {"cards": 3}})[0]
        assert found.basis == "win"
        return [share for _, share in found.mix]

    assert exploitability(start, printed, 0.0) < 1e-9


def test_pico_and_vultures_positions_follow_their_own_rules() -> None:
    """Each by its own rules, with every card of `mine`."""
    duel = {"game": "pico", "mine": [4, 7, 16], "theirs": [5, 8], "lead": 1}
    mice = {"game": "vultures", "mine": [1, 15], "theirs": [2, 3], "prizes": [-5, 4], "up": -5, "pot": 2, "lead": 0}
    found = told("sage", duel, mice, {**duel, "objective": "points", "lead": 0})
    assert [each.basis for each in found] == ["win", "win", "points"]
    assert [[card for card, _ in each.mix] for each in found] == [[4, 7, 16], [1, 15], [4, 7, 16]]
    assert found[0].mix != found[2].mix
    assert told("random", duel)[0].mix == ((4, 1 / 3), (7, 1 / 3), (16, 1 / 3))


def test_hawk_mix_is_the_mix_of_its_first_bid() -> None:
    """Nothing is known about the other side yet, so Hawk may risk its initial budget."""
    line = {"mine": [1, 2, 3, 5], "theirs": [1, 2, 4, 5], "prizes": [1, 2, 4, 5], "up": 4, "options": {"cards": 5}}
    leant, sure = told("hawk", line)[0], told("sage", line)[0]
    assert (leant.basis, sure.basis) == ("lean", "win")
    assert leant.mix != sure.mix
    assert sum(share for _, share in leant.mix) == pytest.approx(1)
    blind = {**line, "up": None, "options": {"cards": 5, "blind": True}}
    assert told("hawk", blind) == told("sage", blind)


def test_positions_of_one_game_share_a_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    from bot.solver.exact import solve
    from bot.solver.tables import library

    solved: list[int] = []

    def counted(position: Any, workers: Any = None) -> Any:
        solved.append(len(position.mine))
        return solve.solve_position(position, workers)

    monkeypatch.setattr(library, "solve_position", counted)
    dice, lines = random.Random(1), list[dict[str, Any]]()
    for _ in range(300):
        cards = sorted(dice.sample(range(1, 7), 5)), sorted(dice.sample(range(1, 7), 5))
        prizes = sorted(dice.sample(range(1, 7), 5))
        gone = next(prize for prize in range(1, 7) if prize not in prizes)
        lead = gone * ((cards[0] < cards[1]) - (cards[0] > cards[1]))  # who spent the higher card took it
        lines.append({"mine": cards[0], "theirs": cards[1], "prizes": prizes, "up": prizes[0], "lead": lead})
    found = told("sage", *lines)
    assert solved == [6]
    for at in range(0, 300, 60):
        [alone] = told("sage", lines[at])
        assert dict(alone.mix) == pytest.approx(dict(found[at].mix))
        assert alone.basis == found[at].basis


def test_position_outside_the_shared_solve_is_solved_alone() -> None:
    """Thousands of positions of one game may include a lead that no game reaches."""
    lines = [{"mine": [1, 2, 3], "theirs": [2, 3, 4], "prizes": [1, 2, 4], "up": up} for up in (1, 2, 4)]
    many = [{**line, "lead": lead, "options": {"cards": 4}} for line in lines for lead in range(-6, 7)]
    many += [{"mine": hand, "theirs": hand, "prizes": hand, "up": 4} for hand in ([1, 2, 3, 4],)]
    found = told("sage", *many, *many)
    assert found[: len(many)] == found[len(many) :]
    assert {each.basis for each in found} == {"win"}
    for line, each in list(zip(many, found, strict=False))[::6]:
        assert dict(told("sage", line)[0].mix) == pytest.approx(dict(each.mix))


@pytest.mark.parametrize("key", ["classic", "carry", "split", "misere", "fixed-order", "sops"])
def test_written_position_equals_the_view_of_the_seat(key: str) -> None:
    """In a match, without its earlier bids, a level bids by the mix that it prints for the line."""
    game, offer = find_offer(key)
    rules = game.rules(2, {**offer.options, "cards": 6})
    dice = random.Random(key)
    stock = list(range(1, 7))
    if key != "fixed-order":
        dice.shuffle(stock)
    state = rules.start(rules.deal(tuple(stock)))
    for _ in range(2):
        state, _ = rules.resolve(state, {seat: Bid((dice.choice(state.hands[seat]),)) for seat in (0, 1)})
    seen = observe(state, 1)
    assert seen.to_come is not None
    assert seen.worth is not None
    up = seen.exposed[-1]
    line = {
        "mine": list(state.hands[1]),
        "theirs": list(state.hands[0]),
        "prizes": [up, *seen.to_come],
        "up": up,
        "lead": int(seen.scores[1] - seen.scores[0]),
        "pot": int(seen.worth) - rules.value(up) if "carry" in str(rules.options["ties"]) else 0,
        "game": game.key,
        "options": {**offer.options, "cards": 6},
    }
    asked = read_written_position(line)
    assert asked.position in (None, find_position(asked.rules, asked.seen, asked.goal))
    assert (asked.position is None) == (key in ("misere", "fixed-order"))
    for each in (level("matcher"), level("sly")):
        choice = each.mind(Question(rules, SINGLE, seen, (), Chance(b"x")))
        assert isinstance(choice, Bid)
        assert dict(told(each.key, line)[0].mix)[int(choice.cards[0])] == 1
    [found] = told("sage", line)
    assert found.basis == "win"
    for sample in range(20):
        choice = level("sage").mind(Question(rules, SINGLE, seen, (), Chance(str(sample).encode())))
        assert isinstance(choice, Bid)
        assert dict(found.mix)[int(choice.cards[0])] > 0


def test_every_level_states_the_basis_of_its_mix() -> None:
    """By its own name; Random evenly; Sage by what it says in a match, and as another level where it has no mix."""
    assert [told(each.key, LINE)[0].basis for each in QUICK] == ["even", "matcher", "sly", "reader"]
    blind = {**LINE, "up": None, "options": {"cards": 3, "blind": True}}
    assert told("sage", blind)[0] == LevelMix(((1, 0.5), (3, 0.5)), "even")
    assert told("sage", {**LINE, "lead": 0, "objective": "points"})[0].basis == "points"
    hand = list(range(1, 15))
    assert told("sage", {**LINE, "options": {"cards": 3, "ties": "carry", "blind": True}})[0].basis == "sly"
    with pytest.raises(PositionError):
        told("sage", {"mine": hand, "theirs": hand, "prizes": hand, "up": 1})


def test_mix_of_a_random_level_is_sampled() -> None:
    line = {"mine": [1, 2, 3, 11, 12, 13], "theirs": [1, 5, 7, 8, 9, 13], "prizes": [3, 4, 7, 11, 12, 13], "up": 11}
    [found] = told("reader", line)
    shares = [share for _, share in found.mix]
    assert sum(shares) == pytest.approx(1)
    assert sum(share > 0.1 for share in shares) == 2
    assert told("reader", line) == [found]
