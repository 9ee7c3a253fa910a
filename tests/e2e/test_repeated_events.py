"""After a kill Discord sends events again that were handled: they change nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from typing import Any

import pytest

from bot.referee.model.clock_changes import NEXT_DM
from tests.driver import Channel, Seen, Server
from tests.e2e.house import House, awaits, has, key, plain

CALLBACK = "POST /interactions/*/callback"
EDIT, POST = "PATCH /channels/*/messages/*", "POST /channels/*/messages"
PRESS = "INTERACTION_CREATE"


async def repeated(house: House, times: int, event: str = PRESS) -> None:
    """Send the newest interactions once more, and wait until the bot has answered each."""
    before = (await house.stage.calls()).of(CALLBACK)
    await house.stage.gateway("repeat", event=event, times=times)
    await house.stage.called(CALLBACK, before + times)


async def change_bid(house: House) -> tuple[Seen, Seen]:
    """Ana bids K and changes it to Q. Return the board and her console."""
    board = await house.match(cards=13)
    console = await house.ana.sees(awaits(1, dm=True))
    for card in (13, 12):
        await house.ana.press(key(card), in_=console)
        await house.ana.sees(has(f"{key(card)} is sealed"), in_=console)
    return board, console


async def changed_bid_counts(house: House, board: Seen, console: Seen) -> None:
    """Both presses come again, and Q is still the bid."""
    await repeated(house, 2)
    assert has("Q is sealed")(house.ana.now(console) or pytest.fail("the console is gone"))
    await house.ben.press("2", in_=await house.ben.sees(awaits(1, dm=True)))
    shown = await house.ben.sees(has("Round 1:", "round 2 of"), in_=board)
    assert "Q beats ♥2" in plain(shown.text)


async def test_a_bid_that_was_changed_stays_when_both_presses_come_again(house: House) -> None:
    """K is bid, changed to Q, the process is killed, and both events come again."""
    shown = await change_bid(house)
    await house.bot.kill()
    await house.bot.start()
    await changed_bid_counts(house, *shown)


async def plays_with_tables(house: House) -> None:
    """Ben leaves the seat that he took, and Cem takes it: with Ben's first press again the table would be full."""
    cem = await house.person("Cem")
    await house.ana.slash("/gops open", seats=3)
    table = await house.ben.sees("opens a table")
    await house.ben.press("Join", in_=table)
    await house.ben.press("Leave", in_=table)
    await cem.press("Join", in_=table)
    await cem.sees(has("Ana (host), Cem"), in_=table)


async def plays_with_challenges(house: House) -> None:
    challenge = await house.challenge()
    await house.ana.press("Withdraw", in_=challenge)


async def plays_alone(house: House) -> None:
    await house.ana.slash("/gops practice", cards=3)
    await house.ana.press("Stop", in_=(await house.ana.slash("/gops resign")).shown)


async def plays_to_the_end(house: House) -> None:
    """A draw is offered, withdrawn and offered again, Ben resigns, and a rematch is asked for and withdrawn."""
    ana, ben = house.ana, house.ben
    board = await house.match(cards=3)
    await ana.press("Offer draw", in_=(await ana.slash("/gops draw")).shown)
    await ben.press("Decline draw", in_=await ben.sees(has("offers a draw"), in_=board))
    await ana.press("A", in_=await ana.sees(awaits(1, dm=True)))
    await ben.press("2", in_=await ben.sees(awaits(1, dm=True)))
    await ana.sees(has("round 2 of"), in_=board)
    await ben.press("Resign", in_=(await ben.slash("/gops resign")).shown)
    posted = (await ana.press("Rematch", in_=await ana.sees(has("Ben resigned"), in_=board))).shown
    await ana.press("Withdraw", in_=posted)


async def first_server(house: House) -> Server:
    told = (await house.stage.world())["servers"][0]
    return Server(told["id"], told["name"], tuple(Channel(one["id"], one["name"]) for one in told["channels"]))


async def changes_minds(house: House) -> None:
    """Each choice is taken back by the next one."""
    mod = await house.person("Mod")
    server = await first_server(house)
    role = await house.stage.role(server, "Mods", "MANAGE_GUILD")
    await house.stage.member(server, mod, roles=[role])
    card = (await mod.slash("/gops settings show")).shown
    for clock in ("5 minutes", "1 minute"):
        await mod.choose(clock, select="Default time", in_=card)
    for minutes in (60, 0):
        await mod.slash("/gops settings ban", player=house.ben, time=minutes, reason="rude")
    for hours in ("22:00-06:00", "23:00-06:00"):
        await house.ana.slash("/gops preferences", quiet=hours, zone="utc")
    await house.ana.slash("/gops block", player=house.ben)
    await house.ana.slash("/gops daily")


SHOWN = ("surfaces", "deadlines", "heartbeats", "time_away", "sqlite_sequence", "members", "handled")


DUE_NOTES = ("sessions", NEXT_DM)
"""Notes of times. The next DM may be opened earlier once repeated events, which are late, have set the clock back."""


def kept(house: House) -> dict[str, list[Any]]:
    """Everything in the store but what says how things are shown and when they are due."""
    with closing(sqlite3.connect(house.bot.database)) as store:
        names = [name for (name,) in store.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        rows = {name: store.execute(f"SELECT * FROM {name}").fetchall() for name in names if name not in SHOWN}
    rows["notes"] = [row for row in rows["notes"] if row[0] not in DUE_NOTES]
    return {name: sorted(found, key=repr) for name, found in rows.items()}


PLAYS = (plays_with_tables, plays_with_challenges, plays_alone, plays_to_the_end, changes_minds)


@pytest.mark.parametrize("plays", PLAYS)
async def test_nothing_is_done_twice(house: House, plays: Callable[[House], Awaitable[None]]) -> None:
    await plays(house)
    pressed = (await house.stage.calls()).of(CALLBACK)
    before, seen = kept(house), (len(house.ben.screen.messages()), len(house.ben.pings))
    await house.bot.kill()
    await house.bot.start()
    await repeated(house, pressed)
    after = kept(house)
    for name, rows in before.items():
        assert after[name] == rows, name
    assert (len(house.ben.screen.messages()), len(house.ben.pings)) == seen


@pytest.mark.parametrize(("event", "removed"), [("CHANNEL_DELETE", "channel"), ("GUILD_DELETE", "bot")])
async def test_a_place_is_lost_once(house: House, event: str, removed: str) -> None:
    """Nobody hears twice that it is gone, and play goes on by DM."""
    await house.match(cards=3)
    people = (house.ana, house.ben)
    server = await first_server(house)
    for person in people:
        await person.sees(awaits(1, dm=True))
    await (house.stage.delete(server.channels[0]) if removed == "channel" else house.stage.leave(server, "GOPS"))
    for person in people:
        await person.sees(has("was deleted. Continue in your DMs"), in_="dm")
    await house.bot.kill()
    await house.bot.start()
    before, pings = kept(house), [len(person.pings) for person in people]
    tried = (await house.stage.calls()).of(EDIT)
    await house.stage.gateway("repeat", event=event)
    await house.stage.called(EDIT, tried + 1)  # the board is looked at once more
    assert kept(house) == before
    for person in people:
        await person.press("A", in_=await person.sees(awaits(1, dm=True)))
    for person in people:
        await person.sees(has("round 2 of 3", "was deleted. Continue in your DMs"), in_="dm")
    assert [len(person.pings) for person in people] == pings


async def test_a_direct_message_is_answered_once(house: House) -> None:
    await house.ana.dm_with("GOPS")
    await house.ana.say("hello", in_="dm")
    await house.ana.sees("One prize, one hidden card each.", in_="dm")
    seen = len(house.ana.screen.messages())
    await house.bot.kill()
    await house.bot.start()
    await house.stage.gateway("repeat", event="MESSAGE_CREATE", times=9)
    await house.stage.called(POST, 2)
    assert len(house.ana.screen.messages()) == seen
