"""Open tables, as people meet them: seats fill, become free, and a match begins."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest

from bot.playground.faults.call import When
from tests.cogs.test_options import EXCLUDED, ODD
from tests.driver import Person, Seen
from tests.e2e.hall import opened_hall
from tests.e2e.house import House, has, lines, plain, told

pytestmark = pytest.mark.asyncio(loop_scope="module")

ANNOUNCES = True


async def opened(scene: House, **options: Any) -> Seen:
    await scene.ana.slash("/gops open", **options)
    return await scene.ben.sees("opens a table")


async def more(scene: House, *names: str) -> list[Person]:
    return [await scene.person(name) for name in names]


def enabled(message: Seen | None, label: str) -> bool:
    assert message is not None
    return not message.button(label).disabled


async def test_seats_fill_and_a_full_table_starts(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    (cem,) = await more(scene, "Cem")
    table = await opened(scene, game="vultures", seats=3)
    assert "**\u2068Ana\u2069** opens a table: **Vultures**, 2 to 3 players. Open until <t:" in table.text
    assert "🔒 Fair play `" in table.text
    assert [button.label for button in table.buttons] == [
        "Join",
        "Leave",
        "Start now",
        "Rules",
        "Close",
        "Add the house",
    ]
    assert not enabled(table, "Start now")
    assert "Players 2 of 3: Ana (host), Ben" in told(await ben.press("Join", in_=table))
    await cem.sees(has("Players 2 of 3: Ana (host), Ben"))
    assert enabled(cem.now(table), "Start now")
    assert told(await ben.press("Join", in_=table)) == "You have already joined this table."
    assert told(await cem.press("Leave", in_=table)) == "You have not joined this table."
    assert told(await cem.press("Start now", in_=table)) == "Only Ana can do that."
    assert told(await cem.press("Close", in_=table)) == "Only Ana can do that."
    assert told(await cem.press("Rules", in_=table)).startswith("┃ ### Vultures")
    assert [person.pings for person in (ana, ben, cem)] == [[], [], []]
    board = (await cem.press("Join", in_=table)).shown
    assert board.id == table.id
    assert "3 players · round 1" in plain(board.text)
    for person in (ana, ben, cem):
        await person.sees(has("round 1 of 15", "Your turn"), in_="dm")
    sealed = await cem.press("2", in_=await cem.sees(has("Your turn"), in_="dm"))
    assert "2 is sealed" in told(sealed)
    await ana.sees(has("Waiting for", "✔ has bid"), in_=board)


async def test_the_host_starts_with_enough(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    table = await opened(scene, seats=8, ties="The prize is split")
    assert "13 cards · ties: the prize is split" in plain(table.text)
    await ben.press("Join", in_=table)
    board = (await ana.press("Start now", in_=table)).shown
    assert "Ana and Ben" in plain(board.text)
    assert "Ties: the prize is split" in board.text
    (cem,) = await more(scene, "Cem")
    assert told(await cem.press("Bid", in_=cem.now(table))).startswith("You don't play in #")


async def test_a_host_who_leaves_hands_it_on(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    table = await opened(scene, seats=3)
    await ben.press("Join", in_=table)
    assert "**\u2068Ben\u2069** opens a table" in (await ana.press("Leave", in_=table)).shown.text
    await ben.sees(has("Players 1 of 3: Ben (host)"))
    assert told(await ana.press("Close", in_=table)) == "Only Ben can do that."
    assert told(await ben.press("Leave", in_=table)) == "The table closed."
    gone = await ana.sees("The table closed.")
    assert gone.id == table.id
    assert gone.buttons == []


async def test_open_table_closes_and_expires(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    table = await opened(scene)
    assert "2 players" in plain(table.text)
    assert told(await ana.press("Close", in_=table)) == "The table closed."
    table = await opened(scene, seats=4)
    await ben.press("Join", in_=table)
    await scene.stage.forward(601)
    gone = await ben.sees("The table closed: it did not start in time.")
    assert (gone.id, gone.buttons) == (table.id, [])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"game": "parlett", "seats": 4}, "Gops for three is for exactly 3 players."),
        ({"game": "welsh", "seats": 2}, "Welsh Warfare is for exactly 4 players."),
        ({"game": "three-handed", "seats": 5}, "Three-handed is for exactly 3 players."),
        (
            {"game": "pico", "ties": "The prize stays in the pot"},
            'Pico does not have the rule "ties". It works in: Classic GOPS, SOPS.',
        ),
        ({"game": "chess"}, 'There is no game "chess". All games: /gops rules'),
        ({"options": "blind bids, open prizes"}, "Open prizes cannot be blind: they lie face up before you bid."),
    ],
)
async def test_refused_before_anything_is_posted(scene: House, options: dict[str, Any], sentence: str) -> None:
    outcome = await scene.ana.slash("/gops open", **options)
    assert sentence in lines(outcome)
    assert "-# You typed: `/gops open " in told(outcome)
    assert outcome.shown.has_button("Open a table")
    assert outcome.shown.is_ephemeral
    assert scene.ben.screen.messages() == []


async def test_what_excludes_each_other_is_told_by_the_command(scene: House) -> None:
    """The whole table of what cannot go together, as far as registered games lead there; nothing is ever posted."""
    for game, seats, asked, sentence in EXCLUDED:
        if game in {one.key for one in ODD}:
            continue
        typed = {"options" if name == "words" else name: value for name, value in asked.items()}
        if "series" in typed:
            typed["series"] = "Best of 3"
        outcome = await scene.ana.slash("/gops open", game=game, seats=seats, **typed)
        assert sentence in lines(outcome)
        assert outcome.shown.has_button("Open a table")
        assert outcome.shown.is_ephemeral
    assert scene.ben.screen.messages() == []


@pytest.mark.parametrize(
    ("game", "seats"),
    [("parlett", "3 players"), ("throps", "3 players"), ("welsh", "4 players"), ("four-handed", "2 to 4 players")],
)
async def test_a_table_has_the_seats_that_its_game_needs(scene: House, game: str, seats: int) -> None:
    table = await opened(scene, game=game)
    assert f", {seats}. Open until" in plain(table.text)


async def test_blocks_are_told_in_calm_words(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    (cem,) = await more(scene, "Cem")
    await ana.slash("/gops block", player=ben)
    await cem.slash("/gops block", player=ana)
    table = await opened(scene, seats=3)
    not_yours = "You can't join this table. Open your own with /gops open."
    assert told(await ben.press("Join", in_=table)) == not_yours
    assert told(await cem.press("Join", in_=table)) == "You blocked Ana. Unblock them in /gops preferences first."


async def test_two_people_and_the_last_seat(scene: House) -> None:
    """Both press in the same instant: one plays, the other hears that it is full."""
    people = await more(scene, "Cem", "Dee", "Eli")
    table = await opened(scene, seats=2)
    outcomes = await asyncio.gather(*(one.press("Join", in_=table) for one in people))
    late = [told(outcome) for outcome in outcomes if outcome.shown.is_ephemeral]
    assert late == ["This table is full. Open another with /gops open."] * 2
    board = await scene.ana.sees(has("round 1 of 13"), in_=table.channel_id)
    assert board.id == table.id


async def test_join_pressed_twice_takes_one_seat(scene: House) -> None:
    table = await opened(scene, seats=3)
    outcomes = await asyncio.gather(*(scene.ben.press("Join", in_=table) for _ in range(2)))
    assert sorted(told(one) for one in outcomes)[1] == "You have already joined this table."
    await scene.ana.sees(has("Players 2 of 3: Ana (host), Ben"))


async def test_nothing_pings_and_the_name_is_no_mention(scene: House) -> None:
    host = await scene.person("Cem", display="@everyone <@1>")
    await host.slash("/gops open", seats=2)
    table = await scene.ben.sees("opens a table")
    await scene.ben.press("Join", in_=table)
    assert scene.ana.pings == []
    assert [ping for ping in scene.ben.pings if "table" in ping.text] == []


async def test_a_dm_is_refused_by_what_also_works_in_a_group_chat(scene: House) -> None:
    await scene.match()
    await scene.ana.sees(has("Your turn"), in_="dm")
    for command in ("challenge", "open", "show", "profile", "history"):
        options: dict[str, Any] = {"opponent": scene.ben} if command == "challenge" else {}
        refused = told(await scene.ana.slash(f"/gops {command}", in_="dm", **options))
        assert refused == "This does not work in a DM with me. Use it in a server or a group chat."
    for command in ("leaderboard", "daily"):
        refused = told(await scene.ana.slash(f"/gops {command}", in_="dm"))
        assert refused == "This works only in a server that has added me."


@pytest.mark.parametrize(
    ("first", "second", "told_of"),
    [
        ("Close", "Join", "This table has closed. Open one with /gops open."),
        ("Close", "Leave", "This table has closed. Open one with /gops open."),
        ("Start now", "Join", "This table is full. Open another with /gops open."),
        ("Start now", "Close", "This table has closed. Open one with /gops open."),
    ],
)
async def test_too_late_by_a_moment(scene: House, first: str, second: str, told_of: str) -> None:
    """Both press what they still see; who comes second is told what has become of it."""
    (cem,) = await more(scene, "Cem")
    table = await opened(scene, seats=4)
    await scene.ben.press("Join", in_=table)
    await cem.sees(has("Players 2 of 4"))
    by = {"Join": cem, "Leave": scene.ben, "Close": scene.ana}
    await scene.stage.reset_calls()
    await scene.stage.fault("slow", "* /interactions/*", seconds=30)
    early = asyncio.create_task(scene.ana.press(first, in_=table))
    await scene.stage.begun("* /interactions/*")
    late = told(await by[second].press(second, in_=table))
    await scene.stage.clear_faults()
    await early
    assert late == told_of


async def test_channels_and_roles_of_a_server(scene: House) -> None:
    """Where a server plays in one channel only, and only people of a role."""
    ana, ben, stage = scene.ana, scene.ben, scene.stage
    games, talk = scene.server.channel("games").id, scene.server.channel("talk")
    role = await stage.role(scene.server, "Players")
    await stage.member(scene.server, ana, roles=[role])
    scene.decide(channels=(int(games),), roles=(int(role),))
    assert told(await ana.slash("/gops open", in_=talk)) == f"Here GOPS is played in <#{games}>."
    needed = f"In this server only <@&{role}> can play. Ask a moderator."
    assert told(await ben.slash("/gops open")) == needed
    table = await opened(scene)
    assert told(await ben.press("Join", in_=table)) == needed
    assert told(await ben.press("Leave", in_=table)) == "You have not joined this table."


# --- kills -----------------------------------------------------------------------------------------------------

CALLBACK = "POST /interactions/*/callback"


@pytest.mark.parametrize("when", [When.BEFORE, When.AFTER])
async def test_a_kill_between_each_commit_and_its_message(tmp_path: Path, when: When) -> None:
    """The command, a seat and the last seat are each cut off once; everybody presses again what they still see."""
    async with opened_hall(tmp_path) as hall:
        await hall.crowd(("Ana", "Ben", "Cem"))
        ana, ben, cem = hall.people

        async def cut_off(doing: Awaitable[Any]) -> None:
            hall.trap.set(CALLBACK, when)
            act = asyncio.ensure_future(doing)
            await hall.trap.sprung.wait()
            await hall.down()
            await act
            await hall.restart()

        await cut_off(ana.slash("/gops open", seats=3, may_fail=True))
        if when is When.BEFORE:  # nobody saw it: it stands in nobody's way
            await ana.slash("/gops open", seats=3)
        table = await ben.sees("opens a table")
        await cut_off(ben.press("Join", in_=table, may_fail=True))
        if when is When.BEFORE or not seated(ben.now(table), "Ben"):
            again = told(await ben.press("Join", in_=table))
            assert again == "You have already joined this table." or "Players 2 of 3: Ana (host), Ben" in again
        await cem.sees(has("Players 2 of 3: Ana (host), Ben"))
        await cut_off(cem.press("Join", in_=table, may_fail=True))
        board = await ana.sees(has("3 players · round 1 of 13"))
        assert board.id == table.id
        for person in hall.people:
            await person.sees(has("round 1 of 13", "Your turn"), in_="dm")
        assert hall.rows("SELECT count(*) FROM matches") == [(1,)]
        assert hall.bot.trouble() == []


def seated(table: Seen | None, name: str) -> bool:
    return table is not None and name in plain(table.text)
