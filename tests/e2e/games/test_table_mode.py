"""Every game on the board itself, at its smallest and its largest table: keys there where everybody's cards are alike,
behind *Bid* where they are not; and nothing that Discord counts."""

from __future__ import annotations

import re

import pytest

from tests.driver import Seen
from tests.e2e.games.player import Player, live_keys, needed, prompt_of, read_label, verb
from tests.e2e.games.player import plain as label_of
from tests.e2e.games.table import NAMES, begin, named, smallest, tables
from tests.e2e.games.test_secrets import normal, shown_to
from tests.e2e.house import House, newcomer, plain

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROUNDS = 2
APART = {"throps", "pico", "pico1", "psych", "bid", "welsh", "attrition", "two-cards", "win-only"}
"""where hands differ or are hidden, so that no keys may stand where all can read them; or several cards are bid"""


class BoardPlayer(Player):
    """Bids by the keys of the board; where it has none, by those behind *Bid*."""

    on_board = 0
    """how many of their answers the board itself took"""

    def awaited(self) -> bool:
        board = self.board()
        text = plain(board.text).replace("**", "") if board is not None else ""
        name = NAMES[self.seat]
        waited = re.findall(r"Waiting (?:only )?for (.*)", text)
        return f"{name} picks now" in text or any(name in people or " players" in people for people in waited)

    def asked(self) -> Seen | None:
        board = self.board()
        if board is None or (not live_keys(board) and self.console() is not None):
            return super().asked()
        if not live_keys(board):
            return board if self.awaited() else None  # a game may begin on the board and go on behind *Bid*
        return board if self.awaited() and prompt_of(live_keys(board)[0]) not in self.answered else None

    def choose(self, asked: Seen, prompt: int) -> list[str]:
        if asked.id != self.board_id:
            return super().choose(asked, prompt)
        played = [card for cards in self.answered.values() for card in cards]
        labels = [label_of(key) for key in live_keys(asked)]
        mine = [one for one in labels if one.startswith("Take ") or read_label(one) not in played]
        return [mine[self.seat % len(mine)]]

    async def bid(self, asked: Seen, labels: list[str]) -> Seen | None:
        shown = await super().bid(asked, labels)
        if asked.id == self.board_id and shown is not None:
            assert shown.id == self.board_id, shown
            self.on_board += 1
        return shown

    async def play(self, rounds: int = 1000) -> None:
        while (asked := await self.turn(rounds)) is not None:
            if asked.id == self.board_id and not live_keys(asked):
                await self.open()
            else:
                await self.answer(asked)


@pytest.mark.parametrize(("key", "seats"), tables(), ids=named(tables()))
async def test_rounds_are_played_with_keys_on_the_board(club: House, key: str, seats: int) -> None:
    table = await begin(club, seats, f"board {key} {seats}", by_dm=False, sits=BoardPlayer, game=key, where="board")
    await club.stage.reset_calls()
    board = await table.play(ROUNDS)
    assert (await club.stage.calls()).counted == 0
    on_board = [one.on_board for one in table.players if isinstance(one, BoardPlayer)]
    assert bool(live_keys(board)) is all(on_board) is (key not in APART), (on_board, board.text)
    for player in table.players:
        assert not player.person.finds("", in_="dm")
        assert len(player.answered) >= ROUNDS


KINDS = (
    "classic",
    "three-handed",
    "open-draft",
    "two-cards",
    "win-only",
    "parlett",
    "throps",
    "psych",
    "sops",
    "welsh",
)
"""one game of each kind: cards all alike, open prizes, several cards a bid, hands that are hidden, differ, or change"""


async def keyboard(host: BoardPlayer) -> Seen:
    """Where the host bids now: on the board, or on a console of their own."""
    while (asked := await host.turn()) is not None:
        if not live_keys(asked):
            await host.open()
        elif asked.id == host.board_id and verb(live_keys(asked)[0]) == "tp":
            await host.answer(asked)  # a pick is nobody's secret
        else:
            break
    assert asked is not None
    return asked


@pytest.mark.parametrize(("key", "seats"), [one for one in smallest() if one[0] in KINDS], ids=lambda one: str(one))
async def test_a_card_sealed_on_the_board_shows_nowhere(club: House, key: str, seats: int) -> None:
    """Whichever card it is, everybody else is sent the same bytes: texts, custom ids and alt texts of every version."""
    table = await begin(club, seats, f"leak {key}", by_dm=False, sits=BoardPlayer, game=key, where="board")
    watcher = Player(await newcomer(club.stage, "Zoe", table.server), 99, "", by_dm=False)
    await table.play(1)
    host, others = table.host, [*table.players[1:], watcher]
    assert isinstance(host, BoardPlayer)
    asked = await keyboard(host)
    played = [card for cards in host.answered.values() for card in cards]
    labels = [one for one in map(label_of, live_keys(asked)) if read_label(one) not in played]
    labels = [one for one in labels if one not in ("A high", "A low")]  # one card, which is spent with either name
    told: list[list[set[str]]] = []
    for choice in (labels[: needed(asked)], labels[-needed(asked) :]):
        marks = [len(one.seen) for one in others]
        now = await keyboard(host) if not told else host.person.now(asked)
        assert now is not None
        assert await host.bid(now, choice) is not None

        def is_sealed(one: Seen) -> bool:
            """A card that is changed changes nothing on the board."""
            return one.id == host.board_id and "✔ has bid" in one.text

        for one in others:
            await one.person.sees(is_sealed)
            await shown_to(one.person, table.result())
        heard = zip(others, marks, strict=True)
        told.append([{normal(seen.raw) for seen in one.seen[mark:] if "✔ has bid" in seen.text} for one, mark in heard])
    assert all(told[0])
    assert all(second <= first for first, second in zip(*told, strict=True)), "a change shows nothing new"
