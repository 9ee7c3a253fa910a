"""A table: people, the match that they play, and what is left of it when it is over."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from typing import Any

from bot.engine.record.record import read_record
from bot.engine.record.replay import replay
from bot.engine.record.result import result_data
from bot.engine.text.presets import find_offer, list_offers
from bot.engine.variants import GAMES
from tests import forked
from tests.driver import Outcome, Person, Seen, Server, Stage
from tests.e2e.games.player import Player, is_card
from tests.e2e.house import House, answer, behind_more, code_of, newcomer, plain, send_card

NAMES = ("Ana", "Ben", "Cem", "Dee", "Eli", "Fay", "Gus", "Hal")
PLACE = re.compile(r"^┃ (\d+)\w\w \*\*([^*]+)\*\* (−?\d+(?: \d/\d)?|\d/\d)", re.MULTILINE)


class Table:
    """A match among people of its own, in a server of its own."""

    def __init__(self, stage: Stage, server: Server, players: Sequence[Player], code: str) -> None:
        self.stage = stage
        self.server = server
        self.players = players
        self.code = code

    @property
    def host(self) -> Player:
        return self.players[0]

    async def play(self, rounds: int = 1000, without: Sequence[int] = ()) -> Seen:
        """Everybody answers what they are asked, all at once, for so many rounds or until it is over; the board."""
        async with asyncio.TaskGroup() as group:
            for player in self.players:
                if player.seat not in without:
                    group.create_task(player.play(rounds))
        return self.result()

    async def over(self) -> Seen:
        """The result, as soon as the host sees it."""
        await self.host.person.screen.wait(lambda: self.host.is_over() or None, f"the end of #{self.code}", 20)
        return self.result()

    async def resign(self, seat: int) -> Seen:
        """A seat leaves by the command, and says yes to the question."""
        person = self.players[seat].person
        asked = await answer(person, await person.slash("/gops resign", match=self.code))
        label = next((one for one in ("Leave match", "Stop", "Resign") if asked.has_button(one)), "")
        assert label, asked.text
        return (await person.press(label, in_=asked)).shown

    def result(self) -> Seen:
        board = self.host.board()
        assert board is not None
        return board

    async def record(self) -> dict[str, Any]:
        """The file that hangs under the sheet."""
        sheet = (await behind_more(self.host.person, "Sheet", self.result())).shown
        return json.loads(await self.stage.link.read(sheet.files[0]["url"]))


async def invite(people: Sequence[Person], game: str = "classic", **options: Any) -> Outcome:
    """Challenge one person by the command, or several on the set-up card."""
    if len(people) == 2:
        return await people[0].slash("/gops challenge", opponent=people[1], game=game, **options)
    return await send_card(people[0], people[1:], game, **options)


async def begin(
    club: House, seats: int, seed: str, by_dm: bool | None = None, *, sits: type[Player] = Player, **options: Any
) -> Table:
    """Challenge the right number of people; they accept, and the board stands."""
    server = await club.stage.server("Club", ["games"])
    people = [await newcomer(club.stage, name, server) for name in NAMES[:seats]]
    players = [sits(one, seat, seed, seat % 2 == 0 if by_dm is None else by_dm) for seat, one in enumerate(people)]
    await invite(people, **options)
    challenge = await people[0].sees("challenges you")
    for person in people[1:]:
        await person.press("Accept", in_=await person.sees("challenge"))
    board = await people[0].sees(
        lambda seen: seen.id == challenge.id and " · round 1" in seen.text.replace("trick", "round")
    )
    for player in players:
        player.code, player.board_id = code_of(board), board.id
        await player.board_says("Waiting for ")
    return Table(club.stage, server, players, code_of(board))


# --- what must come out ---------------------------------------------------------------------------------------


async def refereed(record: dict[str, Any]) -> dict[str, Any]:
    """What `gops referee` says of a record."""
    done = await asyncio.to_thread(forked.done, ("-m", "bot", "referee", "-"), json.dumps(record).encode())
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


async def agrees(table: Table, record: dict[str, Any], result: Seen) -> dict[str, Any]:
    """*More* of the result, engine and `gops referee` give the same result; what the referee says."""
    judged = await refereed(record)
    assert judged == json.loads(json.dumps(result_data(replay(read_record(record)).match)))
    shown = (await table.host.person.press("More", in_=result)).shown if result.has_button("More") else result
    assert shown_places(shown) == places(table, record, judged)
    return judged


def places(table: Table, record: dict[str, Any], judged: dict[str, Any]) -> dict[str, tuple[int, str]]:
    """Name: place and number of each person, of a match that counts."""
    if judged["placings"] is None:
        return {}
    series = replay(read_record(record)).match
    wins = record["series"]["mode"] in ("best-of", "first-to") or (
        record["series"]["mode"] == "deals" and series.rules.by_wins
    )
    numbers = judged["wins"] if wins else judged["totals"]
    rows = zip(table.players, judged["placings"], numbers, strict=False)  # the house sits behind the people
    return {NAMES[player.seat]: (place, str(number)) for player, place, number in rows}


def shown_places(result: Seen) -> dict[str, tuple[int, str]]:
    """Name: place and number, as *More* has them."""
    found = PLACE.findall(plain(result.text))
    return {name: (int(place), exact(number)) for place, name, number in found if name in NAMES}


def exact(number: str) -> str:
    """2 1/2 as the record writes it: 5/2."""
    whole, _, part = number.replace("−", "-").rpartition(" ")
    if "/" not in part:
        return part
    up, down = map(int, part.split("/"))
    return f"{(int(whole) if whole else 0) * down + up}/{down}"


def pressed_is_recorded(table: Table, record: dict[str, Any]) -> None:
    """Each person's presses, in their order, are their decisions in the record, and nothing else is."""
    for player in table.players:
        decisions = [
            one[1] for deal in record["deals"] for one in deal["decisions"] if one[0] == player.seat and len(one) == 2
        ]
        pressed = [player.answered[prompt] for prompt in sorted(player.answered)]
        assert len(decisions) == len(pressed), (decisions, pressed)
        for choice, labels in zip(decisions, pressed, strict=True):
            chosen = choice["pick"] if isinstance(choice, dict) else choice
            cards = chosen if isinstance(chosen, list) else [chosen]
            left = list(labels)
            for card in cards:
                left.remove(next(label for label in left if is_card(label, card)))
            assert not left, (choice, labels)


ODD = re.compile(r"\{\w*\}|\bNone\b|\(\)| ,|\.\.|<component|Traceback")


def reads_well(table: Table) -> None:
    """Nothing that anybody was shown is half a sentence."""
    for player in table.players:
        for one in player.seen:
            text = "\n".join(line for line in one.text.splitlines() if "`" not in line)
            assert not ODD.search(text), one.text


async def holds(table: Table) -> None:
    """A match that was played to its end is recorded as it was pressed, and judged as it was shown."""
    record = await table.record()
    judged = await agrees(table, record, table.result())
    assert judged["termination"] == "completed"
    pressed_is_recorded(table, record)
    reads_well(table)


# --- which games ----------------------------------------------------------------------------------------------


def tables() -> list[tuple[str, int]]:
    """Every game and preset with its fewest seats, and each game also with its most; new ones join by themselves."""
    told: list[tuple[str, int]] = []
    for offer in list_offers():
        game, _ = find_offer(offer.key)
        fewest, most = game.seats
        whole_game = offer.key == game.key
        sizes = {offer.seats} if offer.seats else {fewest, most} if whole_game else {fewest, max(fewest, min(most, 3))}
        told += [(offer.key, seats) for seats in sorted(sizes)]
    return told


def smallest() -> list[tuple[str, int]]:
    """Every game and preset once, with its fewest seats."""
    told: dict[str, int] = {}
    for key, seats in tables():
        told.setdefault(key, seats)
    return list(told.items())


def recorded() -> list[tuple[str, int]]:
    """Those that `tests/screens` plays step by step, and holds to the same: not played a second time."""
    return [*smallest(), ("classic", 3), ("vultures", 4)]


def games() -> list[tuple[str, int]]:
    """Every game with its fewest seats, and with three where it takes them."""
    told: list[tuple[str, int]] = []
    for game in GAMES:
        fewest, most = game.seats
        told += [(game.key, seats) for seats in sorted({fewest, min(most, max(fewest, 3))})]
    return told


def named(tables: Sequence[tuple[str, int]]) -> list[str]:
    return [f"{key}-{seats}" for key, seats in tables]
