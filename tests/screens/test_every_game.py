"""One match of every game and preset, from the challenge to its review: each message word for word, and its record."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import Seen
from tests.e2e.games.player import Player
from tests.e2e.games.table import NAMES, Table, holds, invite, named, recorded
from tests.e2e.house import code_of
from tests.screens.recorder import Recording, Studio, recording

pytestmark = pytest.mark.asyncio(loop_scope="module")

SHORTER = {"welsh": {"options": "20 tricks a deal"}, "attrition": {"options": "20 tricks a deal"}}
STEP_BY_STEP = 2
"""rounds in which each single press is looked at; after that, each round"""

WRITTEN_OUT = (7, 13, 25)
"""later rounds that are written out; of the others there are digests"""


@pytest.mark.parametrize(("key", "seats"), recorded(), ids=named(recorded()))
async def test_a_whole_match(stage: Studio, key: str, seats: int) -> None:
    async with recording(stage, f"{key}-{seats}") as scene:
        people = [await scene.person(name) for name in NAMES[:seats]]
        players = [Player(one, seat, f"{key} {seats}", seat % 2 == 0) for seat, one in enumerate(people)]
        board = await accepted(scene, players, game=key, **SHORTER.get(key, {}))
        await every_button(scene, players, board, "Bid", "Pick")
        await to_the_end(scene, players)
        await every_button(scene, players, board, "Rematch", "Review")
        await holds(Table(stage.stage, scene.server, players, players[0].code))


async def accepted(scene: Recording, players: list[Player], **options: Any) -> Seen:
    """The challenge, and each seat says yes; the board."""
    host, *others = [one.person for one in players]
    await scene.step("Ana challenges", invite([host, *others], **options))
    challenge = await host.sees("challenges you")
    for person in others:
        shown = await person.sees(lambda seen: seen.id == challenge.id)
        await scene.step(f"{scene.called(person)} accepts", person.press("Accept", in_=shown))
    board = await host.sees(lambda seen: seen.id == challenge.id and "Accept" not in seen.text)
    for player in players:
        player.code, player.board_id = code_of(board), board.id
        if not player.by_dm:
            await scene.step(f"{scene.called(player.person)} opens a console", player.open())
    return board


async def every_button(scene: Recording, players: list[Player], board: Seen, *but: str) -> None:
    """Everything under a board, pressed by its host: what it opens is private."""
    host = players[0].person
    now = host.now(board)
    assert now is not None
    for button in now.buttons:
        if button.custom_id and not button.disabled and button.label not in but:
            await scene.step(f"Ana presses {button.label}", host.press(button.custom_id, in_=board))


async def to_the_end(scene: Recording, players: list[Player]) -> None:
    """Everybody answers what they are asked, in the order of their seats."""
    turn = 0
    while not players[0].is_over():
        turn += 1
        asked = [(player, console) for player in players if (console := player.asked()) is not None]
        assert asked, "nobody is asked anything"
        await scene.studio.stage.forward(7)
        for player, console in asked:
            if turn <= STEP_BY_STEP and player is not asked[-1][0]:
                await scene.step(f"turn {turn}: {scene.called(player.person)} answers", player.answer(console))
            else:
                await player.answer(console)
        out = turn <= STEP_BY_STEP or turn in WRITTEN_OUT
        await scene.step(f"turn {turn} is over", brief=not out)
    await scene.written_out("the result")
