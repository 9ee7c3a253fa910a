"""A match in table mode, step by step over sockets, of which one call goes wrong: people go on as people would."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from bot.playground.faults.call import Fault, Faults
from data.sql.surfaces import select_behind
from tests.driver import Outcome, Person, Seen
from tests.e2e.hall import Hall
from tests.e2e.house import PATIENCE, code_of, key

BEHIND = f"SELECT owner FROM surfaces WHERE id IN ({select_behind()})"

AGED = 13 * 60
"""seconds after which somebody's line is taken away, and another one said"""


CARDS = 4


class Aim(Faults):
    """What goes wrong with one call of a match: the first, the second, and so on."""

    def __init__(self, number: int, wrong: Callable[[], Fault]) -> None:
        super().__init__()
        self.number = number
        self.wrong = wrong
        self.made = 0
        self.sprung = asyncio.Event()
        self.came = asyncio.Event()

    def take(self, method: str, template: str, path: str, *, files: bool = False) -> Fault | None:
        if template.startswith(("/interactions/", "/webhooks/")):
            self.made += 1
            self.came.set()
            if self.made == self.number:
                self.sprung.set()
                return self.wrong()
        return super().take(method, template, path, files=files)

    async def until(self, made: int) -> None:
        """So many calls were made, or what goes wrong has gone wrong."""
        while self.made < made and not self.sprung.is_set():
            self.came.clear()
            await self.came.wait()


class Walk:
    """One match of Ana and Ben. Each step says how many calls it makes where nothing goes wrong."""

    def __init__(self, hall: Hall, aim: Aim, *, kills: bool) -> None:
        self.hall = hall
        self.aim = aim
        self.kills = kills
        self.killed: asyncio.Task[None] | None = None
        self.ana, self.ben = hall.people[:2]
        self.expected = 0
        self.code = ""

    async def step(self, work: Callable[[], Awaitable[Outcome]], calls: int = 1) -> None:
        """Something that somebody does, and the calls that come of it."""
        async with asyncio.timeout(PATIENCE):  # the bot may be started in it
            await self.well()
            doing = asyncio.ensure_future(work())
            self.expected += calls
            await self.aim.until(self.expected)
            await self.well()
            await doing

    async def well(self) -> None:
        """If the bot was killed it is up again."""
        if self.killed is not None and self.aim.sprung.is_set():
            await self.killed

    async def nurse(self) -> None:
        """Start it again."""
        await self.aim.sprung.wait()
        await self.hall.down()
        await self.hall.restart()

    async def play(self) -> Seen:
        """From the command to the result."""
        if self.kills:
            self.killed = asyncio.create_task(self.nurse())
        try:
            return await self.played()
        finally:
            if self.killed is not None and not self.killed.done():
                self.killed.cancel()

    async def played(self) -> Seen:
        board = await self.begun()
        for round in range(1, CARDS):
            if round == CARDS - 1:
                await self.hall.stage.forward(AGED)
            await self.sealed(self.ana, board, round, 3 if round == CARDS - 1 else 2)
            shown = await self.ben.sees(lambda seen: seen.text.count("✔ has bid") == 1, in_=board)
            assert f"round {round} of {CARDS}" in shown.text
            if self.kills and self.aim.sprung.is_set():  # nobody may have told Ana that it is in: she presses once more
                await press(self.ana, board_key(self.ana, board, round), board)
                assert self.stands(self.ana) == list(range(1, round + 1))
            await self.sealed(self.ben, board, CARDS if round == 1 else round - 1, 1)
            if round < CARDS - 1:
                following = f"round {round + 1} of {CARDS}"
                shown = await self.ana.sees(lambda seen: following in seen.text, in_=board)  # noqa: B023
                assert "✔ has bid" not in shown.text
        over = await self.ana.sees(lambda seen: seen.has_button("Rematch"), in_=board)
        await self.holds(over)
        return over

    async def begun(self) -> Seen:
        """Challenged and accepted; the board."""

        def asked() -> Seen | None:
            return next(iter(self.ben.finds(lambda seen: seen.has_button("Accept"))), None)

        how: dict[str, Any] = {"opponent": self.ben, "where": "board", "cards": CARDS, "clock": 3600}
        while (challenge := asked()) is None:
            await self.step(lambda: self.ana.slash("/gops challenge", ties="discard", may_fail=True, **how))
            if asked() is None:  # one that was never shown is in the way of another for a minute
                await self.hall.stage.forward(61)
        while not (found := self.hall.rows("SELECT id FROM matches WHERE live")):
            await self.step(lambda: self.ben.press("Accept", in_=challenge, may_fail=True))
        [(self.code,)] = found
        return await self.ana.sees(lambda seen: seen.has_button("2"), in_=challenge)

    async def sealed(self, person: Person, board: Seen, card: int, calls: int) -> None:
        """This card is in, and nothing that they do makes it two."""
        custom_id = board_key(person, board, card)
        before = self.stands(person)
        await self.step(lambda: press(person, custom_id, board), calls)
        if self.stands(person) == before:
            assert self.aim.sprung.is_set(), "what the bot has heard of is committed"
            await self.step(lambda: press(person, custom_id, board), calls)
        assert self.stands(person) == [*before, card]

    def stands(self, person: Person) -> list[int]:
        """Their bids so far: those that were played, and one that waits for its reveal."""
        seat = 0 if person is self.ana else 1
        played = "SELECT choice FROM decisions WHERE match_id = ? AND seat = ? AND NOT forced ORDER BY round"
        waits = "SELECT choice FROM seals WHERE match_id = ? AND seat = ?"
        return [int(one) for sql in (played, waits) for (one,) in self.hall.rows(sql, self.code, seat)]

    async def holds(self, over: Seen) -> None:
        """Everything is there once, and nothing that Discord counts was called."""
        rounds = range(1, CARDS)
        assert self.stands(self.ana) == list(rounds)
        assert self.stands(self.ben) == [CARDS, *list(rounds)[:-1]]
        assert self.hall.rows("SELECT count(*) FROM earlier_seals") == [(0,)]
        assert self.hall.rows("SELECT count(*) FROM seals") == [(0,)]
        assert code_of(over) == self.code
        for person in (self.ana, self.ben):
            assert [one.id for one in person.finds(f"#{self.code}", in_=over.channel_id)] == [over.id]
        async with asyncio.timeout(60):
            while self.hall.rows(BEHIND):  # noqa: ASYNC110 - the store tells nobody that it was written to
                await asyncio.sleep(0.02)
        calls = await self.hall.stage.call_log()
        own = [one for one in calls if f"/channels/{over.channel_id}/" in one["path"]]  # the match before has its own
        assert (own, (await self.hall.stage.calls()).of("POST /users/*")) == ([], 0)

    @property
    def lines(self) -> list[Seen]:
        """What Ana reads alone of what she sealed."""
        return [one for one in self.ana.finds("you sealed", in_=self.ana.place) if one.is_ephemeral]


def board_key(person: Person, board: Seen, card: int) -> str:
    now = person.now(board)
    assert now is not None
    return now.button(key(card)).custom_id or ""


async def press(person: Person, custom_id: str, board: Seen) -> Outcome:
    return await person.press(custom_id, in_=board, may_fail=True)
