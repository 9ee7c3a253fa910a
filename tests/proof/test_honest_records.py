"""Honest records of every game verify, and their findings match the document."""

from typing import Any

import pytest

from bot.engine.variants import GAMES
from bot.referee.verify.check import verify
from bot.referee.verify.findings import FindingKind
from tests.proof.author import Author, nth

WAYS: list[tuple[str, int, dict[str, Any]]] = [
    *((game.key, game.seats[0], {}) for game in GAMES),
    ("classic", 3, {"cards": 5, "open": "draft"}),
    ("classic", 4, {"cards": 6, "open": "row", "ties": "carry"}),
    ("sops", 2, {"cards": 6}),
    ("classic", 3, {"cards": 7, "bid_cards": 2, "remainder": "short-last", "blind": True}),
    ("classic", 8, {"cards": 4, "ties": "unique-carry"}),
    ("classic", 2, {"order": "ascending"}),
    ("welsh", 4, {}),
]


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize(("game", "seats", "options"), WAYS)
def test_honest_record_verifies(game: str, seats: int, options: dict[str, Any], number: int) -> None:
    record = Author(game, options, seats).play(nth(number)).written()
    report = verify(record)
    assert report.code == 0, [one.line for one in report.findings]
    assert report.findings[-1].what.startswith("Last step for you: press More")
    assert not any(one.kind is FindingKind.OPEN for one in report.findings)


@pytest.mark.parametrize("number", range(12))
def test_record_with_leaving_and_late_bids_verifies(number: int) -> None:
    """At a table of three or more, a seat leaves, bids late, or everybody stops."""

    def chooses(match: Any, prompt: Any, turn: int) -> Any:
        if (turn + prompt.seat) % 5 == 3:
            return "clock"
        return "leave" if turn > 6 and prompt.seat == number % 3 and number % 2 else nth(number)(match, prompt, turn)

    author = Author("classic", {"cards": 6}, 3).play(chooses, turns=4)
    if author.match.over or number % 4:
        author.play(chooses)
    else:
        author.stop(["agreed", "aborted", "abandoned"][number // 4])
    report = verify(author.written())
    assert report.code == 0, [one.line for one in report.findings]
    clocked = [one.what for one in report.findings if "so this card has no seal" in one.what]
    assert len(clocked) == report.clocked
    assert bool(clocked) == any("forced" in one for deal in author.record["deals"] for one in deal["decisions"][:6])
