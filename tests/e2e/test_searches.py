"""The search for an opponent, as people meet it: they wait where all see it, are paired, and press *Ready*."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing

import pytest

from bot.referee.model.changes import SaveRating
from bot.referee.model.people import Rating
from bot.referee.model.searches import HOUSE_AFTER, LAST, STEP
from data.sql.steps import build_statements
from tests.driver import Person, Seen
from tests.e2e.house import House, banner, has, plain, told
from tests.e2e.test_settings import moderator

pytestmark = [pytest.mark.by_http, pytest.mark.asyncio(loop_scope="module")]

WAITING = "Looking for an opponent"
PAIRED = "you were paired: **Classic GOPS**"


def waiting(*names: str) -> str:
    """The line that shows who waits for a game of the usual rules."""
    return f"Classic GOPS: {' and '.join(names)}"


async def paired(scene: House) -> Seen:
    """Ana and Ben search, and are challenged; the challenge."""
    await scene.ana.slash("/gops find")
    await scene.ana.sees(has(WAITING, waiting("Ana"), ephemeral=False))
    await scene.ben.slash("/gops find")
    return await scene.ben.sees(has(PAIRED))


async def pass_steps(scene: House, steps: range) -> None:
    """Let Ana wait on, one step after the other, until the row of her search says so or is gone."""
    asked = 'SELECT waited FROM searches WHERE "user" = ?'
    with closing(sqlite3.connect(scene.bot.database)) as store:
        for step in steps:
            await scene.stage.forward(STEP.total_seconds() + 0.5)
            async with asyncio.timeout(30):
                while store.execute(asked, (int(scene.ana.id),)).fetchall() not in ([(step,)], []):  # noqa: ASYNC110
                    await asyncio.sleep(0.02)


async def test_two_who_search_are_mentioned_and_play_once_both_are_ready(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    alone = await ana.slash("/gops find")
    assert alone.shown.is_ephemeral
    assert "Looking for an opponent in **Classic GOPS**" in told(alone)
    shown = await ben.sees(has(WAITING, waiting("Ana"), ephemeral=False))
    found = await ben.press("Find a match", in_=shown)
    assert found.shown.is_ephemeral
    pair = await ben.sees(has(PAIRED, "Ana is not ready yet", "Ben is not ready yet"))
    assert "🔒 Fair play `" in pair.text
    assert [button.label for button in pair.buttons] == ["Ready", "Leave", "Rules"]
    await ana.pinged("you were paired")
    await ben.pinged("you were paired")
    await ana.press("Ready", in_=pair)
    await ben.sees(has("Ana is ready ✔", "Ben is not ready yet"), in_=pair)
    await ben.press("Ready", in_=pair)
    await ana.sees(lambda seen: seen.id == pair.id and not seen.has_button("Ready"))
    await ana.sees(has("round 1 of"))
    await scene.stage.forward(6)
    await ana.sees_no(has(WAITING, ephemeral=False))


async def test_a_stranger_cannot_press_ready(scene: House) -> None:
    cem = await scene.person("Cem")
    pair = await paired(scene)
    assert "This challenge is for Ana and Ben" in told(await cem.press("Ready", in_=pair))


async def test_who_does_not_press_leaves_and_the_other_keeps_their_place(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    pair = await paired(scene)
    await ana.press("Ready", in_=pair)
    await scene.stage.forward(80)
    await ana.sees(has("Ben did not press *Ready* in time, and left the search."), in_=pair)
    await ana.sees(has(WAITING, waiting("Ana"), ephemeral=False))
    assert told(await ben.press("Stop looking", in_=await ben.sees(has(WAITING, ephemeral=False)))) == (
        "You are not looking for an opponent."
    )


async def test_who_leaves_a_pair_ends_it(scene: House) -> None:
    pair = await paired(scene)
    await scene.ben.press("Leave", in_=pair)
    await scene.ana.sees(has("Ben left. The other player keeps their place in the search."), in_=pair)
    await scene.ana.sees(has(WAITING, waiting("Ana"), ephemeral=False))


async def test_a_search_is_stopped_by_its_button(scene: House) -> None:
    card = (await scene.ana.slash("/gops find")).shown
    shown = await scene.ben.sees(has(WAITING, waiting("Ana"), ephemeral=False))
    stopped = (await scene.ana.press("Stop looking", in_=card)).shown
    assert (stopped.id, plain(stopped.text)) == (card.id, "You are no longer looking for an opponent.")
    assert not stopped.has_button("Stop looking")
    await scene.stage.forward(6)
    assert scene.ben.now(shown) is None or await scene.ben.sees_no(has(WAITING, ephemeral=False)) is None


async def test_the_house_is_offered_after_a_minute_and_the_search_ends_after_ten(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    await ana.slash("/gops find", game="pico")
    shown = await ben.sees(has("Pico", "Ana", ephemeral=False))
    assert not shown.has_button("Play the house")
    await pass_steps(scene, range(1, HOUSE_AFTER + 1))
    shown = await ana.sees(lambda seen: WAITING in seen.text and seen.has_button("Play the house"))
    console = (await ana.press("Play the house", in_=shown)).shown
    assert console.is_ephemeral
    assert "deal 1 of 2 · round 1" in plain(console.text), "in the game that Ana looks for"
    await pass_steps(scene, range(HOUSE_AFTER + 1, LAST + 1))
    await ben.sees_no(has(WAITING, ephemeral=False))


async def test_nobody_waits_twice(scene: House) -> None:
    stage, ana = scene.stage, scene.ana
    await ana.slash("/gops find")
    other = await stage.server("Elsewhere", ["games"])
    await stage.member(other, ana)
    await ana.sees_channel(other.channels[0])
    again = await ana.slash("/gops find", in_=other.channels[0])
    assert "You are already looking for an opponent in **Classic GOPS**" in told(again)


async def set_league(scene: House, **chosen: object) -> None:
    """A moderator chooses these on the card of the league, by the words that stand in a menu before."""
    mod = await moderator(scene)
    card = (await mod.slash("/gops settings show")).shown
    league = (await mod.press("Seasons", in_=card)).shown
    for words, value in chosen.items():
        assert banner(await mod.choose(value, select=words.replace("_", " "), in_=league))[0].startswith("✔")


async def test_people_wait_in_the_search_channel_of_the_server(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    games, talk = scene.server.channels
    await set_league(scene, Where_they_search=talk)
    card = await ana.slash("/gops find", in_=games)
    assert f"I mention you in <#{talk.id}>" in told(card)
    await ben.sees(has(WAITING, waiting("Ana"), ephemeral=False), in_=talk)
    await ben.slash("/gops find", in_=games)
    pair = await ben.sees(has(PAIRED), in_=talk)
    await ana.press("Ready", in_=pair)
    await ben.press("Ready", in_=pair)
    await ben.sees(has("round 1 of"), in_=talk)
    assert ben.finds(lambda seen: not seen.is_ephemeral, in_=games) == []


async def test_the_search_role_is_mentioned_once_an_hour(scene: House) -> None:
    """Of a server: in whichever channel people begin to wait."""
    stage, ana = scene.stage, scene.ana
    games, talk = scene.server.channels
    role = await stage.role(scene.server, "Players", mentionable=True)
    fan = await scene.person("Fan")
    await stage.member(scene.server, fan, roles=[role])
    await set_league(scene, Nobody=role)
    for place, minutes, pings in ((games, 0, 1), (talk, 1, 1), (games, 57, 1), (talk, 3, 2), (talk, 1, 2)):
        await stage.forward(60 * minutes)
        await ana.slash("/gops find", in_=place)
        shown = await fan.sees(has(WAITING, waiting("Ana"), ephemeral=False), in_=place)
        assert len([one for one in fan.pings if "A player is looking for an opponent" in one.text]) == pings
        assert ("A player is looking for an opponent" in shown.text) is (fan.pings[-1].message_id == shown.id)
        await stop(ana)
        await stage.forward(6)
        await fan.sees_no(has(WAITING, ephemeral=False))


async def test_the_message_is_posted_again_when_it_is_an_hour_old(scene: House) -> None:
    """Below what people have written since; until then the same message shows who waits."""
    stage, ana, ben = scene.stage, scene.ana, scene.ben
    await ana.slash("/gops find")
    old = await ben.sees(has(WAITING, waiting("Ana"), ephemeral=False))
    await ben.say("so quiet here")
    await stage.forward(3500)
    await ben.slash("/gops find", game="quick")
    assert (await ben.sees(has(WAITING, "Quick GOPS: Ben", ephemeral=False))).id == old.id
    await stage.forward(101)
    cem = await scene.person("Cem")
    await cem.slash("/gops find", game="vultures")
    new = await ben.sees(has(WAITING, waiting("Ana"), "Quick GOPS: Ben", "Vultures: Cem", ephemeral=False))
    assert int(new.id) > int(old.id)
    assert [seen.id for seen in ben.finds(has(WAITING, ephemeral=False))] == [new.id]


async def stop(person: Person) -> None:
    await person.press("Stop looking", in_=await person.sees(has("The search ends after 10 minutes", ephemeral=True)))


async def test_a_search_begins_on_the_home_card(scene: House) -> None:
    home = (await scene.ana.slash("/gops help")).shown
    card = await scene.ana.press("Find a match", in_=home)
    assert "Looking for an opponent in **Classic GOPS**" in told(card)
    await scene.ben.sees(has(WAITING, waiting("Ana"), ephemeral=False))


async def test_a_blocked_player_is_no_opponent(scene: House) -> None:
    cem = await scene.person("Cem")
    await scene.ben.slash("/gops block", player=scene.ana)
    await scene.ana.slash("/gops find")
    await scene.ben.slash("/gops find")
    await cem.sees(has(WAITING, waiting("Ana", "Ben"), ephemeral=False))
    await cem.slash("/gops find")
    pair = await cem.sees(has(PAIRED))
    assert "Cem is not ready yet" in plain(pair.text)


async def test_a_ban_ends_the_search(scene: House) -> None:
    mod = await moderator(scene)
    await scene.ana.slash("/gops find")
    await scene.ben.sees(has(WAITING, waiting("Ana"), ephemeral=False))
    await mod.slash("/gops settings ban", player=scene.ana, time=60, reason="spam")
    await scene.stage.forward(6)
    await scene.ben.sees_no(has(WAITING, ephemeral=False))
    assert "banned you from playing here: spam" in told(await scene.ana.slash("/gops find"))


def rate(scene: House, person: Person, points: float) -> None:
    """Give a person this rating after 20 matches."""
    mu = 3.0 + (points - 1000) / 20
    rating = Rating(int(scene.server.id), "classic", int(person.id), "", mu, 1.0, 20, 20, 0, 0, None)
    with closing(sqlite3.connect(scene.bot.database)) as connection, connection:
        for statement in build_statements((SaveRating(rating, None),)):
            connection.execute(statement.sql, statement.params)


async def test_ratings_150_points_apart_meet_after_20_seconds(scene: House) -> None:
    rate(scene, scene.ana, 1000)
    rate(scene, scene.ben, 1150)
    await scene.ana.slash("/gops find")
    await scene.ben.slash("/gops find")
    await scene.ben.sees(has(WAITING, waiting("Ana", "Ben"), ephemeral=False))
    await scene.stage.forward(STEP.total_seconds() + 0.5)
    await scene.ben.sees(has(PAIRED))


async def test_another_game_is_no_pair(scene: House) -> None:
    await scene.ana.slash("/gops find", game="quick")
    await scene.ben.slash("/gops find", game="vultures")
    await scene.ben.sees(has(WAITING, "Quick GOPS: Ana", "Vultures: Ben", ephemeral=False))


async def test_a_kill_loses_no_place_and_posts_no_second_message(scene: House) -> None:
    await scene.ana.slash("/gops find")
    shown = await scene.ben.sees(has(WAITING, waiting("Ana"), ephemeral=False))
    await scene.bot.kill()
    await scene.bot.start()
    await scene.ben.slash("/gops find")
    pair = await scene.ana.sees(has(PAIRED))
    await scene.ana.press("Ready", in_=pair)
    await scene.bot.kill()
    await scene.bot.start()
    await scene.ben.press("Ready", in_=pair)
    await scene.ana.sees(lambda seen: seen.id == pair.id and not seen.has_button("Ready"))
    assert {seen.id for seen in scene.ben.finds(has(WAITING, ephemeral=False))} <= {shown.id}


async def test_an_erasure_ends_the_search(scene: House) -> None:
    await scene.ana.slash("/gops find")
    await scene.ben.sees(has(WAITING, waiting("Ana"), ephemeral=False))
    question = await scene.ana.slash("/gops privacy delete")
    await scene.ana.press("Erase my data", in_=question.shown)
    await scene.stage.forward(6)
    await scene.ben.sees_no(has(WAITING, ephemeral=False))
