"""Channels of every kind, over sockets: chosen by a moderator, played in, and refused where nothing can be written."""

from __future__ import annotations

import pytest

from bot.playground.world.model import ChannelType
from tests.driver import Person, Seen
from tests.driver.stage import Channel
from tests.e2e.house import House, banner, has, told
from tests.e2e.test_settings import moderator

KINDS = (ChannelType.TEXT, ChannelType.VOICE, ChannelType.ANNOUNCEMENT, ChannelType.CATEGORY, ChannelType.FORUM)

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def open_card(house: House) -> tuple[Person, Seen]:
    mod = await moderator(house)
    return mod, (await mod.slash("/gops settings show")).shown


async def play_in(house: House, place: Channel) -> None:
    """A challenge there becomes a board there."""
    await house.ana.sees_channel(place)
    challenge = (await house.ana.slash("/gops challenge", opponent=house.ben, cards=3, in_=place)).shown
    await house.ben.press("Accept", in_=challenge)
    await house.ana.sees(has("round 1 of 3"), in_=place)


async def test_posts_of_a_forum_that_was_chosen_can_be_played_in(scene: House) -> None:
    stage, games = scene.stage, scene.server.channel("games")
    forum = await stage.channel(scene.server, "table-talk", ChannelType.FORUM)
    post = await stage.thread(forum, "tonight")
    mod, card = await open_card(scene)
    assert banner(await mod.choose(forum, select="Everywhere", in_=card)) == [f"✔ Channels: everywhere → <#{forum.id}>"]
    await play_in(scene, post)
    elsewhere = told(await scene.ana.slash("/gops challenge", opponent=scene.ben, in_=games))
    assert elsewhere == f"Here GOPS is played in <#{forum.id}>."


async def test_threads_of_a_channel_that_was_chosen_can_be_played_in(scene: House) -> None:
    games, talk = scene.server.channels
    mod, card = await open_card(scene)
    await mod.choose(games, select="Everywhere", in_=card)
    await play_in(scene, await scene.stage.thread(games, "tonight"))
    other = await scene.stage.thread(talk, "other")
    await scene.ana.sees_channel(other)
    elsewhere = told(await scene.ana.slash("/gops challenge", opponent=scene.ben, in_=other))
    assert elsewhere == f"Here GOPS is played in <#{games.id}>."


@pytest.mark.parametrize("kind", [ChannelType.VOICE, ChannelType.ANNOUNCEMENT])
async def test_voice_and_announcement_channels_can_be_chosen_for_play(scene: House, kind: ChannelType) -> None:
    place = await scene.stage.channel(scene.server, "other", kind)
    mod, card = await open_card(scene)
    assert banner(await mod.choose(place, select="Everywhere", in_=card)) == [f"✔ Channels: everywhere → <#{place.id}>"]
    await play_in(scene, place)


async def test_a_forum_is_refused_where_messages_are_to_be_written(scene: House) -> None:
    """For the log and for champions; a post of it is taken."""
    forum = await scene.stage.channel(scene.server, "table-talk", ChannelType.FORUM)
    mod, card = await open_card(scene)
    refused = f"⚠ <#{forum.id}> is a forum: I can't write there. Choose another channel."
    assert banner(await mod.choose(forum, select="Nowhere", in_=card)) == [refused]
    league = (await mod.press("Seasons", in_=card)).shown
    assert banner(await mod.choose(forum, select="Nowhere", in_=league)) == [refused]
    post = await scene.stage.thread(forum, "tonight")
    assert banner(await mod.choose(post, select="Nowhere", in_=league)) == [
        f"✔ Champions channel: nowhere → <#{post.id}>"
    ]
    audit = told(await mod.press("Audit log", in_=(await mod.slash("/gops settings show")).shown))
    assert "log <#" not in audit


async def test_a_channel_in_which_the_bot_cannot_write_is_refused_when_chosen(scene: House) -> None:
    """The sentence names what is missing there; nothing is saved. Channels that were chosen earlier stay."""
    stage, (games, talk) = scene.stage, scene.server.channels
    forum = await stage.channel(scene.server, "table-talk", ChannelType.FORUM)
    mod, card = await open_card(scene)
    await mod.choose(games, select="Everywhere", in_=card)
    await stage.deny(games, "GOPS", "READ_MESSAGE_HISTORY")
    await stage.deny(talk, "GOPS", "READ_MESSAGE_HISTORY", "SEND_MESSAGES")
    await stage.deny(forum, "GOPS", "SEND_MESSAGES_IN_THREADS", "SEND_MESSAGES")
    for place, missing in ((talk, "Send Messages, Read Message History"), (forum, "Send Messages in Threads")):
        assert banner(await mod.choose(games, place, select="Everywhere", in_=card))[0] == (
            f"⚠ I can't post a board in <#{place.id}>: I need {missing}. A moderator can give me that."
        )
    assert banner(await mod.choose(talk, select="Nowhere", in_=card))[0] == (
        f"⚠ I can't write in <#{talk.id}>: I need Send Messages. A moderator can give me that."
    )
    await stage.allow(talk, "GOPS", "READ_MESSAGE_HISTORY", "SEND_MESSAGES")
    saved = banner(await mod.choose(games, talk, select="Everywhere", in_=card))[0]
    assert saved.endswith(f"→ <#{games.id}> and <#{talk.id}>")


async def test_a_hidden_parent_changes_nothing(scene: House) -> None:
    """Categories, channels and forums that the bot may not view have no name for it, whether it knew them or not.
    Threads are allowed by the id of a parent that is hidden, and what is missing there is named."""
    stage, bot = scene.stage, "GOPS"
    hidden = await stage.channel(scene.server, "rooms", ChannelType.CATEGORY)
    room = await stage.channel(scene.server, "room", category=hidden)
    secrets = [await stage.channel(scene.server, f"secret {kind.name}", kind) for kind in ChannelType if kind in KINDS]
    post = await stage.thread(secrets[-1], "tonight")
    scene.decide(channels=(int(room.id), int(secrets[-1].id)))
    for place in (hidden, *secrets):
        await stage.deny(place, bot, "VIEW_CHANNEL")
    for _ in ("told by updates", "told at the start"):
        await play_in(scene, room)
        inside = await stage.thread(room, "inside")
        await play_in(scene, inside)
        await scene.ana.sees_channel(post)
        refused = told(await scene.ana.slash("/gops challenge", opponent=scene.ben, in_=post))
        assert refused.startswith(f"I can't post a board in <#{post.id}>: I need View Channel, ")
        await scene.bot.kill()
        await scene.bot.start()
    await stage.allow(secrets[-1], bot, "VIEW_CHANNEL")
    await play_in(scene, post)
