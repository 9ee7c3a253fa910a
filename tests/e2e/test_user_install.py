"""Where the bot was never invited: a group chat, and a server that knows nothing of it. Only presses reach boards."""

from __future__ import annotations

import pytest

from tests.driver import Outcome, Person, Seen
from tests.e2e.house import House, awaits, code_of, has, key, newcomer, plain, told
from tests.e2e.test_match import rounds

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.by_http]


async def lay(person: Person, board: Seen, card: int) -> Outcome:
    return await person.press(key(card), in_=board)


async def group_of_three(scene: House) -> tuple[Person, Person, Person]:
    """Ana has installed the bot; Ben and Cem have not."""
    cem = await newcomer(scene.stage, "Cem", scene.server)
    group = await scene.stage.group("Night", scene.ana, scene.ben, cem)
    await scene.stage.install(scene.ana)
    for person in (scene.ana, scene.ben, cem):
        person.go(group)
    await scene.stage.reset_calls()
    return scene.ana, scene.ben, cem


async def begun(ana: Person, ben: Person, **options: object) -> Seen:
    asked = await ana.slash("/gops challenge", opponent=ben, **{"cards": 4, "ties": "discard", **options})
    board = await ben.press("Accept", in_=asked.shown)
    return board.shown


async def test_a_match_in_a_group_of_three_to_its_end(scene: House) -> None:
    ana, ben, cem = await group_of_three(scene)
    board = await begun(ana, ben)
    assert "unrated" in board.text
    for card in (1, 2, 3):
        assert (await lay(ana, board, card)).answer == 7
        assert "You don't play in" in told(await lay(cem, board, 4))
        await lay(ben, board, 4 if card == 1 else card - 1)
    over = await cem.sees(lambda seen: seen.has_button("Rematch"), in_=board)
    assert "Not rated" in over.text
    past = await ana.slash("/gops history")
    assert "beat Ben" in told(past) or "lost to Ben" in told(past)
    assert "works only in a server that has added me" in told(await ana.slash("/gops history", player=cem))
    assert not (await ana.slash("/gops profile")).failed
    assert (await scene.stage.calls()).counted == 0
    again = await ben.press("Rematch", in_=over)
    assert "challenges you" in plain(again.shown.text)
    assert "has begun" in told(await ana.press("Rematch", in_=over))  # who asks for the same accepts it
    assert await ben.sees("round 1 of 4", in_=again.shown)
    assert (await scene.stage.calls()).invalid == 0
    assert (await scene.stage.calls()).counted == 0


async def test_the_menu_of_a_person_challenges_them_without_a_card_that_could_look_up_nobody(scene: House) -> None:
    ana, ben, _ = await group_of_three(scene)
    asked = (await ana.menu("Challenge to GOPS", ben)).shown
    assert "challenges you to **Classic GOPS**" in plain(asked.text)
    assert "round 1 of 13" in plain((await ben.press("Accept", in_=asked)).shown.text)


async def test_a_rematch_without_a_code_is_of_the_last_match_that_can_be_asked_for_there(scene: House) -> None:
    board = await scene.match(cards=3)
    await rounds(scene, 1, 2)
    await scene.ben.sees(has("[Rematch]"), in_=board)
    ana, ben, _ = await group_of_three(scene)
    outside = await begun(ana, ben, cards=2, clock=120)
    await lay(ana, outside, 1)
    await lay(ben, outside, 2)
    await ben.sees(lambda seen: seen.has_button("Rematch"), in_=outside)
    asked = await ana.slash("/gops rematch", in_=scene.server.channel("games"))
    assert "challenges you" in plain(asked.shown.text)
    assert f"#{code_of(outside)}" not in plain(asked.shown.text)
    offer = await ben.sees(has("asks for a rematch"), in_="dm")
    await ana.press("Withdraw", in_=asked.shown)
    await ben.sees("it was withdrawn", in_=offer)  # by a counted call, which the next test must not find among its own


async def test_a_server_without_the_bot_to_the_end_and_by_who_has_no_app(scene: House) -> None:
    server = await scene.stage.elsewhere("Far")
    ana, ben = await newcomer(scene.stage, "Ana", server), await newcomer(scene.stage, "Ben", server)
    await scene.stage.install(ana)
    await scene.stage.reset_calls()
    board = await begun(ana, ben)
    for card in (1, 2, 3):
        await lay(ana, board, card)
        await lay(ben, board, card)
    assert await ben.sees(lambda seen: seen.has_button("Rematch"), in_=board)
    assert (await scene.stage.calls()).counted == 0


async def test_a_press_after_an_hour_wakes_the_board_and_rules_the_clock(scene: House) -> None:
    ana, ben, _ = await group_of_three(scene)
    board = await begun(ana, ben, clock=120)
    assert "After 15 quiet minutes press *Bid* to refresh this board." in board.text
    await lay(ana, board, 3)
    await scene.stage.forward(3600)
    assert "Time ran out: press *Bid* on its board." in told(await ana.slash("/gops games"))
    woken = await lay(ben, board, 4)
    assert woken.answer == 7
    text = plain(woken.shown.text)
    assert "round 2 of 4" in text
    assert "Time ran out for Ben" in text
    assert "missed 1 of 3" in text
    await lay(ben, board, 2)
    await scene.stage.forward(3600)
    text = plain((await lay(ben, board, 4)).shown.text)  # the clock of round 2 began when it was shown
    assert "round 3 of 4" in text
    assert "Time ran out for Ana" in text
    assert (await scene.stage.calls()).counted == 0


async def test_bid_of_the_games_list_rules_the_clock_first(scene: House) -> None:
    """Its clock ran out in round 1: the console that opens is that of round 2, and can be played."""
    ana, ben, _ = await group_of_three(scene)
    asked = await ana.slash("/gops challenge", opponent=ben, game="psych", clock=120)
    board = (await ben.press("Accept", in_=asked.shown)).shown
    await ana.press("Bid", in_=board)
    console = await ana.sees(lambda seen: seen.is_ephemeral and seen.has_button("K"))
    await ana.press("K", in_=console)
    await scene.stage.forward(3600)
    games = (await ben.slash("/gops games", in_=await ben.dm_with(scene.stage.bot()))).shown
    late = (await ben.press("Bid", in_=games)).shown
    assert code_of(late) == code_of(board)
    assert "You against Ana · round 2" in plain(late.text)
    assert "Round 1: your ♥A " in plain(late.text), "the lowest card was played"


async def test_an_accept_whose_answer_is_lost_is_answered_with_the_board_at_the_next_press(scene: House) -> None:
    ana, ben, cem = await group_of_three(scene)
    asked = await ana.slash("/gops challenge", opponent=ben, cards=4, ties="discard")
    await scene.stage.fault("answer", "* /interactions/*", status=404, code=10062)
    await ben.press("Accept", in_=asked.shown, may_fail=True)
    await scene.stage.clear_faults()
    stuck = ben.now(asked.shown)
    assert stuck is not None
    assert stuck.has_button("Accept")
    board = (await ben.press("Accept", in_=stuck)).shown
    assert board.id == stuck.id
    assert "round 1 of 4" in plain(board.text)
    await lay(ana, board, 1)
    await lay(ben, board, 2)
    await cem.sees(lambda seen: "round 2 of 4" in plain(seen.text), in_=board)
    assert (await scene.stage.calls()).counted == 0


async def test_who_was_blocked_is_named_where_nothing_was_played(scene: House) -> None:
    ana, _, cem = await group_of_three(scene)
    await ana.slash("/gops block", player=cem)
    card = (await ana.slash("/gops preferences")).shown
    [listed] = [select for select in card.selects if select.placeholder == "Unblock a player"]
    assert [label for label, _, _ in listed.options] == ["Cem"]
    unblocked = (await ana.choose("Cem", select="Unblock a player", in_=card)).shown
    assert "Cem can challenge you again." in plain(unblocked.text)


async def test_where_apps_from_outside_are_off_the_challenge_is_taken_back(scene: House) -> None:
    server = await scene.stage.elsewhere("Closed")
    ana, ben = await newcomer(scene.stage, "Ana", server), await newcomer(scene.stage, "Ben", server)
    await scene.stage.install(ana)
    await scene.stage.deny(server.channel("games"), server.id, "USE_EXTERNAL_APPS")
    await ana.slash("/gops challenge", opponent=ben)
    told = await ana.sees("hides outside apps")
    assert told.is_ephemeral
    assert not ben.finds("challenges you")
    assert not [one for one in ana.screen.messages() if one.buttons]  # what she alone could press would do nothing


async def test_a_board_that_only_one_would_see_takes_nobodys_place(scene: House) -> None:
    """Apps from outside are switched off in the middle of a match: *show* brings no second board."""
    server = await scene.stage.elsewhere("Closing")
    ana, ben = await newcomer(scene.stage, "Ana", server), await newcomer(scene.stage, "Ben", server)
    await scene.stage.install(ana)
    board = await begun(ana, ben)
    await scene.stage.deny(server.channel("games"), server.id, "USE_EXTERNAL_APPS")
    shown = await ana.slash("/gops show")
    assert "hides outside apps" in (await ana.sees("hides outside apps", in_=shown.shown)).text
    assert not [one for one in ana.screen.messages() if one.is_ephemeral and one.buttons]
    await scene.stage.allow(server.channel("games"), server.id, "USE_EXTERNAL_APPS")
    assert (await lay(ben, board, 3)).answer == 7
    assert "✔ has bid" in (await ana.sees("✔ has bid", in_=board)).text


async def test_what_belongs_to_a_server_says_so(scene: House) -> None:
    ana, _, _ = await group_of_three(scene)
    for command in ("/gops settings show", "/gops leaderboard"):
        assert "works only in a server that has added me" in told(await ana.slash(command))


@pytest.mark.parametrize("where", ["group", "server"])
async def test_texts_promise_nothing_that_does_not_work_there(scene: House, where: str) -> None:
    """In a group chat, and in a server that has not added the bot, where "use it in a server" would be wrong."""
    code, no_board = "", "You have no running match."
    if where == "group":
        no_board = "You have no running match here. Your matches: /gops games"
        code = code_of(await scene.match(cards=3))
        for person in (scene.ana, scene.ben):
            await person.sees(awaits(1, dm=True))
        ana, _, _ = await group_of_three(scene)
    else:
        server = await scene.stage.elsewhere("Farther")
        ana = await newcomer(scene.stage, "Ana", server)
        await scene.stage.install(ana)
    home = (await ana.slash("/gops help")).shown
    assert [one.label for one in home.buttons] == ["How it works", "Play the house", "Rules"]
    assert "To challenge a player here, use /gops challenge." in plain(home.text)
    assert "leaderboard" not in home.text
    for command in ("leaderboard", "daily"):
        refused = told(await ana.slash(f"/gops {command}"))
        assert refused == "This works only in a server that has added me."
    assert told(await ana.slash("/gops show")) == no_board
    if code:  # its clock is not for the tests that follow
        await ana.press("Stop", in_=(await ana.slash("/gops resign", match=code)).shown)
        for person in (scene.ana, scene.ben):  # nor are the calls that show its end
            await person.sees_no(awaits(1, dm=True))
            await person.sees_no(has(code, "round 1 of 3"))


async def test_a_deleted_board_is_shown_again_as_a_new_message(scene: House) -> None:
    ana, ben, _ = await group_of_three(scene)
    board = await begun(ana, ben)
    await lay(ana, board, 3)
    await scene.stage.delete(board)
    shown = await ana.slash("/gops show")
    assert "✔ has bid" in shown.shown.text
    await lay(ben, shown.shown, 2)
    assert "round 2 of 4" in plain((await ana.sees("round 2 of 4", in_=shown.shown)).text)
    assert (await scene.stage.calls()).counted == 0


async def test_games_behind_bid_are_played_there_too_and_no_hand_comes_onto_the_board(scene: House) -> None:
    ana, ben, cem = await group_of_three(scene)
    asked = await ana.slash("/gops challenge", opponent=ben, game="psych", clock=3600)
    board = (await ben.press("Accept", in_=asked.shown)).shown
    assert not board.has_button("K")
    await scene.stage.forward(900)  # no token of the board lives any more
    for person in (ana, ben):
        await person.press("Bid", in_=board)
        console = await person.sees(lambda seen: seen.is_ephemeral and seen.has_button("K"))
        await person.press("K" if person is ana else "2", in_=console)
    await scene.stage.forward(901)
    woken = await ana.press("Bid", in_=board)
    assert woken.answer == 7
    shown = await cem.sees("Round 1", in_=board)
    assert not shown.has_button("K")
    assert (await scene.stage.calls()).counted == 0


async def test_a_deleted_board_is_shown_again_by_more(scene: House) -> None:
    """Ben, who has no app and so no command, pressed *More* before somebody deleted it."""
    ana, ben, _ = await group_of_three(scene)
    board = await begun(ana, ben)
    await lay(ana, board, 3)
    more = (await ben.press("More", in_=board)).shown
    await scene.stage.delete(board)
    again = (await ben.press("Repost board", in_=more)).shown
    assert not again.is_ephemeral
    assert "✔ has bid" in again.text
    await lay(ben, again, 2)
    assert await ana.sees(lambda seen: "round 2 of 4" in plain(seen.text), in_=again)
    assert (await scene.stage.calls()).counted == 0


async def test_everything_behind_more_is_there_without_the_app(scene: House) -> None:
    """Ben walks it all: what he looks up, a board further down, a draw that is declined, *Resign*, and the rematch."""
    ana, ben, _ = await group_of_three(scene)
    board = await begun(ana, ben)
    for card in (1, 2):
        await lay(ana, board, card)
        await lay(ben, board, card)

    async def behind(label: str) -> Outcome:
        return await ben.press(label, in_=(await ben.press("More", in_=board)).shown)

    more = (await ben.press("More", in_=board)).shown
    assert more.is_ephemeral
    labels = ["Rules", "Offer draw", "Resign", "Repost board", "Mute this match", "All cards", "Sheet", "Verify"]
    assert [one.label for one in more.buttons] == labels  # and no *Send my cards to my DMs*: nobody asked for one
    for label, says in (("Rules", "Classic"), ("All cards", "Ben"), ("Sheet", "Ana")):
        shown = (await behind(label)).shown
        assert shown.is_ephemeral
        assert says in shown.text
    assert "You get no more reminders" in told(await behind("Mute this match"))

    old, board = board, (await behind("Repost board")).shown
    assert not board.is_ephemeral
    assert not (await ana.sees(lambda seen: not seen.buttons, in_=old)).has_button("Bid")
    asked = await behind("Offer draw")
    await ben.press("Offer draw", in_=asked.shown)
    offered = await ana.sees(lambda seen: seen.has_button("Accept draw"), in_=board)
    await ana.press("Decline", in_=offered)
    await ben.sees(lambda seen: not seen.has_button("Accept draw"), in_=board)

    await ben.press("Resign", in_=(await behind("Resign")).shown)
    over = await ana.sees(lambda seen: seen.has_button("Rematch"), in_=board)
    assert "Ben resigned" in plain(over.text)
    again = (await ben.press("Rematch", in_=over)).shown
    assert not again.is_ephemeral
    began = (await ana.press("Accept", in_=again)).shown
    assert "round 1 of 4" in plain(began.text)
    calls = await scene.stage.calls()
    assert (calls.counted, calls.invalid) == (0, 0)


async def test_a_challenge_for_which_discord_takes_no_message_is_withdrawn(scene: House) -> None:
    """It says why, and is not in the way of the next one."""
    ana, ben, _ = await group_of_three(scene)
    await scene.stage.fault("answer", "POST /interactions/*/callback", status=400, code=40094)
    refused = await ana.slash("/gops challenge", opponent=ben)
    assert refused.shown.is_ephemeral
    assert "hides outside apps" in refused.shown.text
    assert not ben.finds("challenges you")
    assert await begun(ana, ben)
