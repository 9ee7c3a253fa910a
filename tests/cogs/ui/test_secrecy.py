"""Before the reveal nothing that anybody else sees depends on what was sealed, apart from the seal's code."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from bot.engine.cards import Seat
from bot.pictures.faces import list_faces
from bot.referee.model.views import MatchView
from bot.ui.message import Message
from bot.ui.screens import pings
from bot.ui.screens.board import render_board
from bot.ui.screens.console import render_console
from bot.ui.text.style import use_pictures
from cogs.match import confirm
from cogs.match.boards import cards_card, more
from cogs.match.matches import games_list
from cogs.records.sheets import sheet
from tests.cogs.ui.views import Played, begin, example

CASES: dict[str, tuple[Any, Seat, list[Any]]] = {
    "two seats": (example, 0, [2, 13, 7]),
    "eight seats": (lambda: begin(seats=8).deal((7, 5, 6)), 3, [1, 13]),
    "several cards": (lambda: begin(options={"bid_cards": 2}).deal((7, 5, 6)), 0, [[1, 2], [12, 13]]),
    "win-only": (lambda: begin(options={"info": "win-only"}).deal((7, 5, 6)).play(9, 8), 0, [1, 13]),
    "blind": (lambda: begin(options={"blind": True}).deal((7, 5, 6)), 0, [1, 13]),
    "declared": (lambda: begin("parlett", 3).deal((5, 9, 2)), 1, ["A+", "A-", 9]),
    "private hands": (
        lambda: begin("throps", 3).deal(["7D", "4C"], [["QS", "9S"], ["QD", "9H"], ["2C", "9C"]]),
        0,
        ["QS", "9S"],
    ),
    "ranks": (
        lambda: begin("welsh", 4).deal(hands=[["9S", "KS"], ["8H", "KH"], ["5D", "3D"], ["4C", "5C"]]),
        0,
        ["9S", "KS"],
    ),
}


def everything(view: MatchView) -> dict[str, Message]:
    """Every surface of this viewer."""
    drawn = {
        "board": render_board(view),
        "board with keys": render_board(replace(view, setup=replace(view.setup, place="board"))),
        "cards": cards_card(view),
        "sheet": sheet(view, form="s"),
        "grid": sheet(view, form="g"),
        "more": more(view, moderator=True),
        "games": games_list([view], view.opened),
        "nudge": pings.render_nudge(view, "https://x"),
        "warning": pings.render_warning(view, "https://x"),
        "console ping": pings.render_first_dm(view, "https://x"),
    }
    if view.seat is not None:
        drawn["console"] = render_console(view)
        drawn["practice"] = render_console(view, practice=True)
        drawn["resign"] = confirm.resign_question(view)
    return drawn


def bytes_of(message: Message) -> str:
    view = message.view
    files = [f"{file.name} {file.data!r}" for file in message.attachments]
    return json.dumps([message.content, None if view is None else view.to_components(), files])


def blank_seals(view: MatchView) -> MatchView:
    seats = tuple(replace(seat, seal="0" * 64 if seat.seal else "") for seat in view.seats)
    return replace(view, seats=seats)


@pytest.fixture(params=["symbols", "faces"])
def cards(request: pytest.FixtureRequest) -> Iterator[str]:
    """How everybody likes cards; each face has an emoji of its own."""
    if request.param == "faces":
        use_pictures({name: f"<:{name}:{10**17 + number}>" for number, name in enumerate(list_faces())})
    yield request.param
    use_pictures({})


@pytest.mark.parametrize("case", CASES, ids=str)
def test_others_see_the_same_whatever_was_sealed(case: str, cards: str) -> None:
    build, owner, choices = CASES[case]
    played: Played = build()
    for viewer in (None, *(seat for seat in range(played.match.rules.seats) if seat != owner)):
        worlds: list[Mapping[str, str]] = []
        for choice in choices:
            view = blank_seals(played.view(viewer, {owner: choice}, cards=cards))
            worlds.append({name: bytes_of(message) for name, message in everything(view).items()})
        assert all(world == worlds[0] for world in worlds[1:]), viewer


@pytest.mark.parametrize("case", CASES, ids=str)
def test_board_tells_no_seal(case: str) -> None:
    build, owner, choices = CASES[case]
    played: Played = build()
    views = [played.view(None, {owner: choice}) for choice in choices[:2]]
    assert views[0].seats[owner].seal != views[1].seats[owner].seal
    assert bytes_of(render_board(views[0])) == bytes_of(render_board(views[1]))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_only_the_owner_sees_what_was_sealed(case: str) -> None:
    build, owner, choices = CASES[case]
    played: Played = build()
    drawn = [bytes_of(render_console(blank_seals(played.view(owner, {owner: choice})))) for choice in choices]
    assert len(set(drawn)) == len(choices)


def test_an_emoji_of_a_sealed_card_would_be_found() -> None:
    """The owner's own console does tell it, by a picture as well."""
    use_pictures({name: f"<:{name}:{10**17 + number}>" for number, name in enumerate(list_faces())})
    played = example()
    drawn = [bytes_of(render_console(blank_seals(played.view(0, {0: card}, cards="faces")))) for card in (2, 13)]
    use_pictures({})
    assert "spade_2" in drawn[0]
    assert drawn[0] != drawn[1]


def test_a_changed_bid_shows_only_that_it_changed() -> None:
    before, after = (render_board(example().view(None, {0: card})) for card in (2, 13))
    assert [one.label for one in before.buttons] == [one.label for one in after.buttons]
    assert before.texts[1] == after.texts[1]
