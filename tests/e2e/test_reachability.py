"""Where people are reached, and what they press: closed doors, lost messages, old buttons, strangers."""

import asyncio
import re

import pytest

from bot.referee.model.surfaces import SurfaceKind
from tests.driver import Person, Seen
from tests.e2e.house import House, awaits, behind_more, code_of, has, key, plain, told
from tests.sqlite_store import SqliteStore

pytestmark = pytest.mark.asyncio(loop_scope="module")

ANNOUNCES = True


async def bid(person: Person, number: int, card: int, dm: bool = True) -> Seen:
    return (await person.press(key(card), in_=await person.sees(awaits(number, dm=dm)))).shown


async def test_two_pings_each_at_most(scene: House) -> None:
    """ui.md 7.9: the challenge, and one console each; nothing else notifies in a live match."""
    board = await scene.match(cards=5)
    for number in range(1, 5):
        await bid(scene.ana, number, number)
        await bid(scene.ben, number, number + 1)
    await scene.ana.sees(has("[Rematch]"), in_=board)
    await scene.ana.sees(has("[Rematch]"), in_="dm")
    await scene.ben.sees(has("[Rematch]"), in_="dm")
    assert [("challenges you" in ping.text, ping.push) for ping in scene.ben.pings] == [(True, True), (False, True)]
    assert [plain(ping.text).split(":")[0] for ping in scene.ana.pings] == [f"#{code_of(board)} against Ben in #games"]


async def test_a_match_without_embed_links_to_its_end(scene: House) -> None:
    """Boards, results and rules are components, for which Discord asks no Embed Links."""
    await scene.stage.deny(scene.server.channels[0], "GOPS", "EMBED_LINKS")
    board = await scene.match(cards=2)
    await bid(scene.ana, 1, 1)
    await bid(scene.ben, 1, 2)
    await scene.ana.sees(has("[Rematch]"), in_=board)
    assert scene.bot.trouble() == []


async def test_player_with_closed_dms_gets_one_mention(scene: House) -> None:
    """Who pressed *Accept* is there; who waits is called by one mention, and nothing waits on the DM."""
    ana, ben = scene.ana, scene.ben
    await ana.close_dms()
    await ben.close_dms()
    board = await scene.match(cards=3)
    code = code_of(board)
    called = await ana.pinged(f"#{code} has started: press Bid on the board, ")
    assert called.channel_id == board.channel_id
    for person in (ana, ben):
        await person.press("Bid", in_=board)
    for number in (1, 2):
        await bid(ana, number, number, dm=False)
        await bid(ben, number, number + 1, dm=False)
    await ana.sees(has("[Rematch]"), in_=board)
    assert (len(ana.pings), len(ben.pings)) == (1, 1)
    await ana.open_dms()
    again = await scene.match(cards=3)
    await ana.sees(awaits(1, dm=True))  # a new match tries once more, by itself
    await ben.open_dms()
    more = (await ben.press("More", in_=again)).shown
    await ben.press("Send my cards to my DMs", in_=more)
    await ben.sees(awaits(1, dm=True))


async def test_consoles_of_several_matches_arrive_while_a_dm_opens_slowly(scene: House) -> None:
    others = [await scene.person(f"P{number}") for number in range(3)]
    boards = [(await scene.ana.slash("/gops challenge", opponent=other)).shown for other in others]
    await scene.stage.fault("slow", "POST /users/@me/channels", times=4, seconds=0.5)
    await asyncio.gather(*(one.press("Accept", in_=board) for one, board in zip(others, boards, strict=True)))
    for number, other in enumerate(others):
        await scene.ana.sees(has(f"against P{number} · round 1"), in_="dm")
        await other.sees(awaits(1, dm=True))


async def test_a_console_by_dm_asked_for_again_and_again(scene: House) -> None:
    """Each time it comes as a new message at the bottom, and the one before it goes."""
    ana = scene.ana
    board = await scene.match(cards=5)
    there = await ana.sees(awaits(1, dm=True))
    await scene.ben.sees(awaits(1, dm=True))  # or the call that opens his DM counts in the next test
    for card in (4, 3):
        before = there
        more = (await ana.press("More", in_=board)).shown
        await ana.press("Send my cards to my DMs", in_=more)
        there = await ana.sees(lambda now, old=before.id: now.id != old and now.has_button("2"), in_="dm")
        await ana.sees_no(lambda now, old=before.id: now.id == old)
        assert f"**{key(card)} is sealed.**" in told(await ana.press(key(card), in_=there))
    assert len(ana.finds(f"#{code_of(board)}", in_="dm")) == 1


async def test_consoles_in_the_channel_only(scene: House) -> None:
    for person in (scene.ana, scene.ben):
        card = (await person.slash("/gops preferences")).shown
        await person.choose("Private in the channel", select="Where you bid", in_=card)
    board = await scene.match(cards=3)
    for person in (scene.ana, scene.ben):
        await person.press("Bid", in_=board)
    for number in (1, 2):
        await bid(scene.ana, number, number, dm=False)
        await bid(scene.ben, number, number + 1, dm=False)
    await scene.ana.sees(has("[Rematch]"), in_=board)
    assert (await scene.stage.calls()).of("POST /users/@me/channels") == 0


async def test_who_accepts_and_prefers_the_channel_finds_their_cards_beside_the_board(scene: House) -> None:
    """By the token of *Accept*, so no counted call is made for it; that token keeps it true and never shows a hand on
    the board, which it would edit otherwise."""
    ana, ben = scene.ana, scene.ben
    scene.decide(place="channel")
    for pressed in (True, False):
        challenge = await scene.challenge(cards=4, ties="discard")
        await scene.stage.reset_calls()
        board = (await ben.press("Accept", in_=challenge)).shown
        console = await ben.sees(has(code_of(board), "Your turn"))
        assert console.is_ephemeral
        assert not ana.finds(has(code_of(board), "Your turn"))  # she has pressed nothing
        assert (await scene.stage.calls()).counted == 0
        if pressed:
            assert "4 is sealed" in told(await ben.press("4", in_=console))
            await ana.press("Bid", in_=board)
            await bid(ana, 1, 2, dm=False)
            await ben.sees("round 2 of 4", in_=console)
        resigning = (await ana.slash("/gops resign")).shown
        await ana.press("Resign" if pressed else "Stop", in_=resigning)
        await ben.sees(lambda seen: not seen.has_button("4"), in_=console)
        shown = await ana.sees(lambda seen: seen.has_button("Rematch"), in_=board)
        assert not shown.has_button("4")


@pytest.mark.parametrize(
    ("permission", "name"),
    [("SEND_MESSAGES", "Send Messages"), ("READ_MESSAGE_HISTORY", "Read Message History")],
)
async def test_challenge_names_missing_permissions(scene: House, permission: str, name: str) -> None:
    channel = scene.server.channel("games")
    await scene.stage.deny(channel, "GOPS", permission)
    outcome = await scene.ana.slash("/gops challenge", opponent=scene.ben)
    lacking = f"I can't post a board in <#{channel.id}>: I need {name}. A moderator can give me that."
    assert told(outcome) == lacking


async def test_a_deleted_board_is_posted_anew(scene: House) -> None:
    board = await scene.match()
    await scene.ana.sees(awaits(1, dm=True))
    await scene.stage.delete(board)
    await bid(scene.ana, 1, 1)
    await bid(scene.ben, 1, 2)
    again = await scene.ana.sees(has("Ana and Ben · round 2", f"#{code_of(board)}"))
    assert again.id != board.id
    assert len(scene.ben.finds("round 2 of 13", in_=again.channel_id)) == 1


async def test_a_board_that_was_forbidden_comes_back(scene: House) -> None:
    """The match goes on by DM; once a moderator has helped, the channel is there again, and its board is brought up."""
    board, channel = await scene.match(), scene.server.channel("games")
    await scene.ana.sees(awaits(1, dm=True))
    await scene.stage.fault("answer", "PATCH /webhooks/*", status=404, code=10015, times=99)
    await scene.stage.deny(channel, "GOPS", "VIEW_CHANNEL")
    await bid(scene.ana, 1, 1)
    await bid(scene.ben, 1, 2)
    for person in (scene.ana, scene.ben):
        await person.sees(has("I can't update the board", "round 2 of 13", ephemeral=False))
    stale = scene.ana.now(board)
    assert stale is not None
    assert "round 1 of 13" in stale.text
    await scene.stage.clear_faults()
    await scene.stage.allow(channel, "GOPS", "VIEW_CHANNEL")
    await scene.ana.sees(has("round 2 of 13"), in_=board)


async def test_match_goes_on_by_dm_when_its_channel_is_deleted(scene: House) -> None:
    """Play goes on by DM."""
    board = await scene.match(cards=3)
    await scene.ana.sees(awaits(1, dm=True))
    await scene.ben.sees(awaits(1, dm=True))
    await scene.stage.delete(scene.server.channel("games"))
    for number in (1, 2):
        await bid(scene.ana, number, number)
        await bid(scene.ben, number, number + 1)
    await scene.ana.sees(has(f"#{code_of(board)}", "[Rematch]"), in_="dm")
    await scene.ben.sees(has(f"#{code_of(board)}", "[Rematch]"), in_="dm")


async def test_a_player_who_left_the_server(scene: House) -> None:
    board = await scene.match()
    await bid(scene.ana, 1, 5)
    await scene.stage.leave(scene.server, scene.ben)
    for number in range(1, 4):
        await scene.stage.forward(125)
        if number < 3:
            await scene.ana.sees(has(f"round {number + 1} of 13"), in_=board)
            await bid(scene.ana, number + 1, number + 5)
    result = await scene.ana.sees(has("Ana wins because Ben missed three bids in a row"), in_=board)
    gone = "Ben has left this server, so there is no rematch."
    assert told(await scene.ana.press("Rematch", in_=result)) == gone
    await scene.ana.slash("/gops leaderboard")  # asks who is still here; the next look knows
    async with asyncio.timeout(60):
        while "Ben" in told(await scene.ana.slash("/gops leaderboard")):
            pass


async def test_others_may_look_but_not_bid(scene: House) -> None:
    board = await scene.match()
    code, cem = code_of(board), await scene.person("Cem")
    watch = f"You don't play in #{code}. Start your own match with /gops challenge."
    assert told(await cem.press("Bid", in_=board)) == watch
    assert f"### #{code} · all cards" in told(await cem.press("All cards", in_=board))
    assert f"### #{code} · score sheet" in told(await cem.press("Sheet", in_=board))
    assert "### Classic GOPS" in told(await behind_more(cem, "Rules", board))
    more = (await cem.press("More", in_=board)).shown
    assert [button.label for button in more.buttons] == ["Rules", "Verify"]
    assert told(await cem.slash("/gops resign", match=code)) == watch
    assert told(await cem.slash("/gops resign", match="QQQQ")) == "No match #QQQQ found. Your matches: /gops games"
    assert told(await cem.slash("/gops games")) == "You have no running match. Start one: /gops challenge"


async def test_double_press_of_a_key_seals_one_card(scene: House) -> None:
    board = await scene.match()
    ana, ben = scene.ana, scene.ben
    console = await ana.sees(awaits(1, dm=True))
    theirs = await ben.sees(awaits(1, dm=True))
    await asyncio.gather(*(ana.press("4", in_=console) for _ in range(3)))
    await asyncio.gather(*(ben.press("5", in_=theirs) for _ in range(3)))
    now = await ana.sees(has("round 2 of 13"), in_=board)
    assert "♥5 beats ♠4" in plain(now.text)
    assert len(ana.finds("against", in_="dm")) == 1
    after = ben.now(theirs)
    assert after is not None
    assert "is sealed" not in after.text


async def test_console_that_missed_the_end_heals_when_pressed(scene: House) -> None:
    """A console of its own that nobody told of the end: its keys bid nothing, and it heals."""
    board = await scene.match()
    ana, ben = scene.ana, scene.ben
    lost = (await ana.press("Bid", in_=board)).shown
    await bid(ana, 1, 1)
    await bid(ben, 1, 2)
    await ana.sees(has("round 2 of 13", ephemeral=True))
    await scene.stage.fault("answer", "PATCH /webhooks/*", status=404, code=10015, times=99)
    asked = (await ben.slash("/gops resign", match=code_of(board))).shown
    await ben.press("Resign", in_=asked)
    await ana.sees(has("Ana wins"), in_=board)
    healed = told(await ana.press("5", in_=lost))
    over = f"#{code_of(board)} is over: Ana wins because Ben resigned. Press Rematch on its result to play again."
    assert f"⚠ {over}" in healed
    assert "## You win because Ben resigned" in healed


async def test_commands_and_questions_after_the_end(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    board = await scene.match(cards=3)
    code = code_of(board)
    games = (await ana.slash("/gops games")).shown
    question = (await ana.slash("/gops resign")).shown
    await ana.press("Offer draw", in_=(await ana.slash("/gops draw")).shown)
    offer = await ben.sees(has(f"#{code}: Ana offers a draw"), in_="dm")
    for number in (1, 2):
        await bid(ana, number, number)
        await bid(ben, number, number + 1)
    await ana.sees(has("[Rematch]"), in_=board)
    over = told(await ana.press("Bid", in_=games))
    how = r"(Ben beats Ana \d–\d|Ana and Ben draw 3–3)"
    assert re.fullmatch(rf"#{code} is over: {how}\. Press Rematch on its result to play again\.", over)
    gone = await ben.sees(has("This offer ended with its round."), in_=offer)
    assert not gone.has_button("Accept draw")
    for command in ("resign", "draw", "show"):
        assert told(await ana.slash(f"/gops {command}", match=code)) == over
    assert plain((await ana.sees(f"#{code} is over", in_=question)).text) == over


async def test_commands_after_it_was_stopped(scene: House) -> None:
    board = await scene.match()
    await scene.ana.press("Stop", in_=(await scene.ana.slash("/gops resign")).shown)
    stopped = f"#{code_of(board)} was stopped: it ended before anything was revealed. It does not count."
    assert told(await scene.ben.slash("/gops draw", match=code_of(board))) == stopped


async def test_a_lapsed_console_heals_when_pressed(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    for person in (ana, ben):
        card = (await person.slash("/gops preferences")).shown
        await person.choose("Off", select="Reminders", in_=card)
    board = await scene.match(clock=3600)
    lapsed = (await ana.press("Bid", in_=board)).shown
    await scene.stage.forward(901)
    await bid(ana, 1, 5)
    await bid(ben, 1, 6)
    await ana.sees(has("round 2 of 13"), in_=board)
    stale = ana.now(lapsed)
    assert stale is not None
    assert "round 1 of 13" in stale.text
    healed = told(await ana.press("9", in_=lapsed))
    assert "⚠ That card was for round 1. Nothing was bid; this is round 2." in healed
    assert "Your turn" in healed
    assert "✔ Your **9 is sealed.**" in told(await ana.press("9", in_=lapsed))


async def test_console_opened_twice_works_in_both_messages(scene: House) -> None:
    """The first one stays where no token reaches it any more, and its keys work."""
    board = await scene.match(clock=3600)
    first = (await scene.ana.press("Bid", in_=board)).shown
    await scene.stage.forward(20 * 60)
    second = (await scene.ana.press("Bid", in_=board)).shown
    assert first.id != second.id
    await scene.replaced_console(second)
    seven = first.button("7").custom_id or ""  # its label is another once this console is shown again, too
    await scene.ana.press("5", in_=first)
    assert "**7 is sealed.**" in told(await scene.ana.press("7", in_=second))
    await scene.ana.press(seven, in_=first)
    await scene.ana.sees(has("⚠ Your 7 is already sealed (hidden until all bid)."), in_=first)


async def test_a_warning_outlasts_an_edit_that_was_on_its_way(scene: House) -> None:
    """The round is revealed, and while the console is being edited its owner presses a card of the old round."""
    ana, ben, stage = scene.ana, scene.ben, scene.stage
    board = await scene.match()
    await ana.press("Bid", in_=board)
    stale = await bid(ana, 1, 5, dm=False)
    await ana.sees(has("✔ has bid"), in_=board)
    theirs = await ben.sees(awaits(1, dm=True))
    await stage.reset_calls()
    await stage.fault("slow", "PATCH /webhooks/*", seconds=1.2, times=4)
    await ben.press("6", in_=theirs)
    await stage.begun("PATCH /webhooks/*")  # the console; the board, by the token of the acceptance, comes after it
    answer = told(await ana.press("7", in_=stale))
    assert "⚠ That card was for round 1. Nothing was bid; this is round 2." in answer
    await stage.called("PATCH /webhooks/*", 2)
    await ana.sees(has("round 2 of 13"), in_=board)
    await ana.sees(has("⚠ That card was for round 1."), in_=stale)  # the edit had overwritten it, if it landed last


async def test_a_console_pressed_before_it_is_known_is_known_once(scene: House) -> None:
    """Whoever opens it sees it before the bot hears that it is there; a press comes in between."""
    ana, ben = scene.ana, scene.ben
    board = await scene.match()
    theirs = await ben.sees(awaits(1, dm=True))
    await ana.sees(awaits(1, dm=True))
    await scene.stage.fault("slow", "POST /interactions/*", when="after", seconds=0.3)
    console = (await ana.press("Bid", in_=board)).shown
    await ana.press("5", in_=console)
    await ben.press("6", in_=theirs)
    await ana.sees(has("round 2 of 13"), in_=console)
    await ana.sees(has("round 2 of 13"), in_=board)
    async with await SqliteStore.open(scene.bot.database) as store:
        kinds = [one.kind for one in await store.surfaces(code_of(board)) if one.user == int(ana.id)]
    assert sorted(kinds) == [SurfaceKind.CONSOLE_DM, SurfaceKind.CONSOLE_EPHEMERAL]


async def test_an_old_board_stays_where_it_is(scene: House) -> None:
    """Discord edits old messages at a pace of its own; it is the pace that is kept, and no new message is needed."""
    board = await scene.match(clock=28_800)
    await bid(scene.ana, 1, 5)
    await scene.stage.forward(2 * 3600)
    await scene.ben.press("Bid", in_=board)  # his console in the DM is posted again just now, with a reminder
    await bid(scene.ben, 1, 6, dm=False)
    await scene.ana.sees(has("round 2 of 13"), in_=board)
    assert [one.id for one in scene.ana.finds(f"#{code_of(board)}", in_=board.channel_id)] == [board.id]


async def test_ten_matches_of_one_person(scene: House) -> None:
    """Every message names its match and its opponent, and each console bids in its own match."""
    talk = scene.server.channel("talk")
    others = [await scene.person(f"P{number}") for number in range(10)]
    for number, other in enumerate(others):
        place = None if number < 8 else talk
        challenge = (await scene.ana.slash("/gops challenge", opponent=other, in_=place)).shown
        await other.sees("challenges you")
        await other.press("Accept", in_=challenge)
    for number, other in enumerate(others):
        console = await scene.ana.sees(has(f"against P{number} ·", "Your turn"), in_="dm")
        sealed = told(await scene.ana.press(key(number + 1), in_=console))
        assert f"✔ Your **{key(number + 1)} is sealed.** Waiting for P{number}" in sealed
        board = await other.sees(has(f"Ana and P{number}"))
        assert code_of(board) == code_of(console)
    assert len(scene.ana.pings) == 10
    pushed = plain("\n".join(ping.text for ping in scene.ana.pings))
    assert all(f"against P{number} in" in pushed for number in range(10))
