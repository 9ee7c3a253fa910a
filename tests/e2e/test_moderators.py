"""What moderators do, over sockets: the form is the question, the players read the reason, the server keeps a log."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.driver import Person, Seen
from tests.e2e.house import House, awaits, code_of, has, key, plain, told
from tests.e2e.test_settings import moderator

pytestmark = pytest.mark.asyncio(loop_scope="module")

NO = "You need the Manage Server permission for this."


async def bid(person: Person, number: int, card: int) -> Seen:
    return (await person.press(key(card), in_=await person.sees(awaits(number, dm=True)))).shown


async def played(house: House) -> Seen:
    """A rated match, played to its end; its result."""
    board = await house.match(cards=3)
    for number, one, other in ((1, 1, 3), (2, 2, 1)):
        await bid(house.ana, number, one)
        await bid(house.ben, number, other)
    return await house.ana.sees(has("[Rematch]"), in_=board)


async def test_a_match_is_stopped_from_its_board(scene: House) -> None:
    mod = await moderator(scene)
    board = await scene.match(cards=3)
    code = code_of(board)
    assert not (await scene.ana.press("More", in_=board)).shown.has_button("Stop match (moderators)")
    more = (await mod.press("More", in_=board)).shown
    await scene.bot.stop()  # afterwards it does not know of those buttons until one is pressed
    await scene.bot.start()
    form = await mod.press("Stop match (moderators)", in_=more)
    assert form.modal is not None
    assert f"Stop #{code} of Ana and Ben? It will not count." in plain(form.modal["components"][0]["content"])
    done = await mod.submit(form, Reason="both were *gone*")
    assert told(done) == f"Done: #{code} is stopped. The players know."
    for person in (scene.ana, scene.ben):
        await person.sees(has("A moderator stopped it: both were \\*gone\\*."), in_=board)
        await person.sees(has(f"A moderator stopped #{code}: both were \\*gone\\*. It does not count."))
    await scene.ana.sees(has("stopped"), in_="dm")
    late = (await mod.press("Stop match (moderators)", in_=more)).shown
    assert late.id == more.id
    assert plain(late.text) == f"#{code} is over already, and it does not count."
    assert late.buttons == []


async def test_a_result_is_taken_out_of_the_ratings(scene: House) -> None:
    mod = await moderator(scene)
    board = await played(scene)
    code = code_of(board)
    assert "1." in told(await scene.ana.slash("/gops leaderboard"))
    form = await mod.slash("/gops settings unrate", match=code, reason="a test")
    done = await mod.submit(form)
    assert told(done) == f"Done: #{code} is out of the ratings. The players know."
    shown = await scene.ana.sees(has("Not rated: a moderator took it out of the ratings."), in_=board)
    assert "Reason: a test." in plain(shown.text)
    assert told(await scene.ana.slash("/gops leaderboard")).startswith("Nobody has a rating here yet.")
    assert told(await mod.slash("/gops settings unrate", match=code)) == f"#{code} is already unrated."


async def test_a_stuck_match_is_decided(scene: House) -> None:
    mod = await moderator(scene)
    cem = await scene.person("Cem")
    board = await scene.match(cards=3)
    code = code_of(board)
    assert told(await mod.slash("/gops settings decide", match=code, winner=cem)) == f"Cem does not play in #{code}."
    assert await mod.complete("/gops settings decide", "match", "") == [
        row for row in await mod.complete("/gops settings decide", "match", "") if code in row
    ]
    assert await cem.complete("/gops settings decide", "match", "") == []
    form = await mod.slash("/gops settings decide", match=code, winner=scene.ben)
    assert "is decided" in told(await mod.submit(form, Reason="Ana has left for good"))
    shown = await scene.ana.sees(has("A moderator decided: Ben wins"), in_=board)
    assert "Reason: Ana has left for good." in plain(shown.text)
    await scene.ana.sees(has(f"A moderator decided #{code}: Ben wins. Ana has left for good"))


async def test_a_decided_match_is_unrated(scene: House) -> None:
    """The question names the decision, not a score that the decision overruled."""
    mod = await moderator(scene)
    board = await scene.match(cards=3)
    code = code_of(board)
    await bid(scene.ana, 1, 3)
    await bid(scene.ben, 1, 1)
    await mod.submit(await mod.slash("/gops settings decide", match=code, winner=scene.ben, reason="left"))
    assert (
        told(await mod.slash("/gops settings stop", match=code))
        == f"#{code} is over; /gops settings unrate takes it out of the ratings."
    )
    form = await mod.slash("/gops settings unrate", match=code, reason="a test")
    assert form.modal is not None
    question = plain(form.modal["components"][0]["content"])
    assert question.startswith(f"Take #{code} (a moderator decided: Ben wins) out of the ratings?")
    assert told(await mod.submit(form)) == f"Done: #{code} is out of the ratings. The players know."
    shown = plain((await scene.ana.sees(has("Not rated: a moderator took it out of the ratings."), in_=board)).text)
    assert "Reason: a test." in shown
    assert not re.search(r"\*\*\d+\*\*", shown), "no rating is in bold"
    assert told(await mod.slash("/gops settings decide", match=code, reason="again")) == (
        f"#{code} is over already, and it does not count."
    )


async def test_a_daily_deal_of_ones_own_is_no_moderators_business(scene: House) -> None:
    mod = await moderator(scene)
    code = code_of((await mod.slash("/gops daily")).shown)
    for what in ("stop", "decide", "unrate"):
        answer = told(await mod.slash(f"/gops settings {what}", match=code))
        assert answer == f"#{code} is private to you. /gops resign gives it up.", what
    await mod.press("Give up", in_=(await mod.slash("/gops resign")).shown)
    for what in ("stop", "decide", "unrate"):
        answer = told(await mod.slash(f"/gops settings {what}", match=code))
        assert answer == f"#{code} is over and was private to you, so it never counted.", what


async def test_a_ban_needs_no_reason(scene: House) -> None:
    mod = await moderator(scene)
    challenge = await scene.challenge(cards=3)
    bare = told(await mod.slash("/gops settings ban", player=scene.ben, time=60))
    assert bare == "Ben can't play GOPS here for 1 hour. Their live matches continue."
    refused = told(await scene.ben.press("Accept", in_=challenge))
    assert refused.startswith("A moderator banned you from playing here. You can play again from ")
    done = told(await mod.slash("/gops settings ban", player=scene.ben, time=60, reason="rude"))
    assert done == "Ben can't play GOPS here for 1 hour. Reason: rude. Their live matches continue."


async def test_banned_player_cannot_play_until_lifted(scene: House) -> None:
    mod = await moderator(scene)
    cem, (_, talk) = await scene.person("Cem"), scene.server.channels
    card = (await mod.slash("/gops settings show")).shown
    await mod.choose(talk, select="Nowhere", in_=card)
    challenge = await scene.challenge(cards=3)
    assert "can't play GOPS here for" in told(
        await mod.slash("/gops settings ban", player=scene.ben, time=60, reason="rude")
    )
    assert told(await scene.ben.press("Accept", in_=challenge)).startswith(
        "A moderator banned you from playing here: rude."
    )
    assert told(await cem.slash("/gops challenge", opponent=scene.ben)) == "Ben can't play GOPS here now."
    await scene.ana.sees(has("Mod banned Ben from playing here", "rude"), in_=talk)
    assert "Mod: banned Ben, rude" in told(await mod.press("Audit log", in_=card))
    assert "can play GOPS here again" in told(await mod.slash("/gops settings ban", player=scene.ben, time=0))
    await scene.ben.press("Accept", in_=challenge)
    await scene.ben.sees(has("round 1"), in_=challenge)


async def test_ban_remains_after_erasing_without_its_reason(scene: House) -> None:
    """The question says so beforehand; afterwards the ban still holds, without its reason."""
    mod = await moderator(scene)
    banned = await mod.slash("/gops settings ban", player=scene.ben, time=60, reason="rude")
    assert "can't play GOPS here for" in told(banned)
    question = (await scene.ben.slash("/gops privacy delete")).shown
    assert "A moderator has banned you from GOPS here until <t:" in question.text
    assert told(await scene.ben.press("Erase my data", in_=question)).startswith("Done. Your data is erased")
    again = told(await scene.ben.slash("/gops challenge", opponent=scene.ana))
    assert again.startswith("A moderator banned you from playing here. You can play again from <t:")
    copy = (await scene.ben.slash("/gops privacy export")).shown
    kept = json.loads(await scene.stage.link.read(copy.files[0]["url"]))
    assert [(one["user"], one["reason"]) for one in kept["bans"]] == [(int(scene.ben.id), "")]
    question = (await scene.ana.slash("/gops privacy delete")).shown
    assert "The ban stays" not in question.text, "only a banned person reads it"


async def test_only_moderators_may_moderate(scene: House) -> None:
    """No member, no player of the match; nor a moderator who is none any more when the form is sent in."""
    mod = await moderator(scene)
    board = await scene.match(cards=3)
    code = code_of(board)
    asked: tuple[tuple[str, dict[str, Any]], ...] = (
        ("stop", {"match": code}),
        ("unrate", {"match": code}),
        ("decide", {"match": code}),
        ("ban", {"player": scene.ben, "time": 60}),
    )
    for command, more in asked:
        assert told(await scene.ana.slash(f"/gops settings {command}", **more)) == NO
    form = await mod.slash("/gops settings stop", match=code)
    await scene.stage.member(scene.server, mod, roles=[])
    assert told(await mod.submit(form, Reason="late")) == NO
    now = scene.ana.now(board)
    assert now is not None
    assert "round 1" in now.text


# --- menus ------------------------------------------------------------------------------------------------


async def test_user_menus_show_rating_and_block(scene: House) -> None:
    await scene.match(cards=3)
    assert "### " in told(await scene.ana.menu("Rating and history", scene.ben))
    assert told(await scene.ana.menu("Block", scene.ben)).startswith("Ben can no longer challenge you.")
    assert told(await scene.ana.menu("Block", scene.ben)) == "Ben is blocked already."
    assert told(await scene.ana.menu("Block", scene.ana)) == "You cannot block yourself."


async def test_message_menus_verify_and_replay_the_match_shown(scene: House) -> None:
    """On a board, on a result, on somebody's own words; in a DM, too."""
    board = await scene.match(cards=3)
    code = code_of(board)
    assert told(await scene.ben.menu("Verify", board)) == f"#{code} is still being played. This opens when it ends."
    for number, one, other in ((1, 1, 3), (2, 2, 1)):
        await bid(scene.ana, number, one)
        await bid(scene.ben, number, other)
    result = await scene.ana.sees(has("[Rematch]"), in_=board)
    assert f"### #{code} · verified" in told(await scene.ben.menu("Verify", result))
    assert f"### #{code} · replay" in told(await scene.ben.menu("Replay", result))
    console = await scene.ana.sees(has(code, "[Rematch]"), in_="dm")
    assert f"### #{code} · verified" in told(await scene.ana.menu("Verify", console))
    words = await scene.ben.say(f"look at #{code}", in_=board)
    assert told(await scene.ana.menu("Verify", words)) == "This is not my message. Use this on a board or a result."
    card = (await scene.ana.slash("/gops preferences")).shown
    assert told(await scene.ana.menu("Review", card)).startswith("There is no match in this message.")
