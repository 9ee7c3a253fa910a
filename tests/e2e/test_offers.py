"""A rematch that is offered by DM: its message does not outlive its answer."""

import pytest

from tests.driver import Seen
from tests.e2e.house import House, awaits, code_of, has, key, plain, told
from tests.e2e.test_settings import moderator

pytestmark = pytest.mark.asyncio(loop_scope="module")

HOUR = 3600


async def offered(scene: House) -> tuple[Seen, Seen]:
    """A match of three cards was played, and Ana asks for another: the challenge, and what Ben reads by DM."""
    ana, ben = scene.ana, scene.ben
    board = await scene.match(cards=3)
    for number in (1, 2):
        await ana.press(key(number), in_=await ana.sees(awaits(number, dm=True)))
        await ben.press(key(number + 1), in_=await ben.sees(awaits(number, dm=True)))
    posted = (await ana.press("Rematch", in_=await ana.sees(has("[Rematch]"), in_=board))).shown
    return posted, await ben.sees(has("Ana asks for a rematch"), in_="dm")


@pytest.mark.parametrize(
    ("who", "answer", "says"),
    [
        ("ben", "Decline", "This challenge has ended: it was declined."),
        ("ana", "Withdraw", "This challenge has ended: it was withdrawn."),
        ("ben", "Accept", "The match of Ana and Ben has begun."),
    ],
)
async def test_rematch_offer_by_dm_closes_when_answered_in_the_channel(
    scene: House, who: str, answer: str, says: str
) -> None:
    posted, offer = await offered(scene)
    await getattr(scene, who).press(answer, in_=posted)
    await scene.ben.sees(has("Ana asks for a rematch", says), in_=offer)
    now = scene.ben.now(offer)
    assert now is not None
    assert not now.has_button("Rematch")


async def test_rematch_offer_by_dm_closes_when_it_expires(scene: House) -> None:
    _, offer = await offered(scene)
    await scene.stage.forward(24 * 3600)
    await scene.ben.sees(has("This challenge has ended: it was not answered in time."), in_=offer)


@pytest.mark.parametrize(
    ("end", "says"),
    [
        ("early", "Your turn"),
        ("in time", "Your turn"),
        ("resigned", "was stopped"),
    ],
)
@pytest.mark.parametrize("restarted", [False, True])
async def test_dm_about_a_pause_becomes_the_console(scene: House, end: str, says: str, restarted: bool) -> None:
    ana, ben = scene.ana, scene.ben
    board = await scene.match(clock=HOUR)
    code = code_of(board)
    before = await ben.sees(has(f"#{code}", "Your turn"), in_="dm")
    card = (await ana.slash("/gops preferences")).shown
    await ana.choose("2 days", select="For how long", in_=card)
    note = has(f"#{code}", "is on vacation until")  # whether or not it has become the console by now
    dm = await ben.sees(lambda seen: seen.id != before.id and note(seen), in_="dm")
    if restarted:
        await scene.bot.stop()
        await scene.bot.start()
    if end == "early":
        await ana.press("End vacation", in_=card)
    elif end == "in time":
        await scene.stage.forward(2 * 24 * HOUR + 60)
    else:
        await ana.press("Stop", in_=(await ana.slash("/gops resign", match=code)).shown)
    await ben.sees(lambda seen: says in plain(seen.text) and "is on vacation" not in plain(seen.text), in_=dm)


async def test_a_stale_offer_sends_nothing(scene: House) -> None:
    """The bot was started anew meanwhile, and does not know of that message until it is pressed."""
    posted, offer = await offered(scene)
    await scene.bot.stop()
    await scene.bot.start()
    await scene.ben.press("Decline", in_=posted)
    await scene.stage.reset_calls()
    answer = plain(told(await scene.ben.press("Rematch", in_=offer)))
    assert "This challenge has ended: it was declined." in answer
    assert "[Rematch]" not in answer
    assert (await scene.stage.calls()).of("POST /channels/*/messages") == 0
    assert "challenges you" not in "".join(one.text for one in scene.ana.finds("challenges you", in_="dm"))


async def test_a_draw_offered_by_a_mention_does_not_outlive_its_answers(scene: House) -> None:
    """Where consoles stand in the channel so does the offer: who agrees there leaves it to the others, and once
    nothing is left to answer its buttons are gone."""
    scene.decide(place="channel")
    cem = await scene.person("Cem")
    posted = await scene.challenge_all(cem)
    for person in (scene.ben, cem):
        await person.press("Accept", in_=posted)
    board = await scene.ana.sees(lambda seen: seen.has_button("Bid"), in_=posted)
    question = (await scene.ana.slash("/gops draw")).shown
    await scene.ana.press("Offer draw", in_=question)
    offer = await scene.ben.sees(lambda seen: "offers a draw" in seen.text and seen.id != board.id)
    await scene.ben.press("Accept draw", in_=offer)
    left = await cem.sees(has("Ana offers a draw", "Ben agreed."), in_=offer)
    assert left.has_button("Accept draw"), "Cem was not heard yet"
    await cem.press("Decline draw", in_=await cem.sees(has("offers a draw"), in_=board))
    gone = await scene.ben.sees(has("The draw was declined."), in_=offer)
    assert not gone.has_button("Accept draw")


async def test_a_draw_that_was_agreed_on_the_board_leaves_the_mention_without_buttons(scene: House) -> None:
    scene.decide(place="channel")
    board = await scene.match(cards=3)
    await scene.ana.press("Offer draw", in_=(await scene.ana.slash("/gops draw")).shown)
    offer = await scene.ben.sees(lambda seen: "offers a draw" in seen.text and seen.id != board.id)
    await scene.ben.press("Accept draw", in_=await scene.ben.sees(has("offers a draw"), in_=board))
    gone = await scene.ben.sees(has("Everybody agreed: the match is drawn."), in_=offer)
    assert not gone.has_button("Accept draw")


@pytest.mark.parametrize(
    ("end", "says"), [("board", "Everybody agreed: the match is drawn."), ("resign", "ended with")]
)
async def test_a_draw_offered_by_dm_has_no_buttons_when_the_match_is_over(scene: House, end: str, says: str) -> None:
    """Agreed to on the board, or overtaken by a resignation: what stands in the DM says so, and answers nothing."""
    ana, ben = scene.ana, scene.ben
    board = await scene.match(cards=3)
    await ana.press("Offer draw", in_=(await ana.slash("/gops draw")).shown)
    offer = await ben.sees(has("Ana offers a draw. The offer ends when"), in_="dm")
    if end == "board":
        await ben.press("Accept draw", in_=await ben.sees(has("offers a draw"), in_=board))
    else:
        await ana.press("Stop", in_=(await ana.slash("/gops resign")).shown)
    gone = await ben.sees(has("Ana offers a draw", says), in_=offer)
    assert gone.buttons == []


async def test_a_draw_asked_for_while_one_is_offered_is_an_answer_to_it(scene: House) -> None:
    """The command asked about a second offer, and said that it stands, when the match was over."""
    ana, ben = scene.ana, scene.ben
    await scene.match(cards=4)
    await ben.press("Offer draw", in_=(await ben.slash("/gops draw")).shown)
    asked = (await ana.slash("/gops draw")).shown
    assert plain(asked.text).startswith("Ben offers a draw")
    assert not asked.has_button("Offer draw")
    assert told(await ana.press("Accept draw", in_=asked)) == "Done. You agreed to the draw."
    await ana.sees(has("Drawn by agreement"))


async def test_a_declined_draw_reaches_a_player_without_a_console(scene: House) -> None:
    """Keys stand on the board, and the player who offered has no console: their private answer says it."""
    ana, ben = scene.ana, scene.ben
    board = await scene.match(where="board", cards=4)
    offer = (await ana.press("Offer draw", in_=(await ana.slash("/gops draw")).shown)).shown
    await ben.press("Decline draw", in_=await ben.sees(has("offers a draw"), in_=board))
    await ana.sees(has("You offered a draw.", "The draw was declined."), in_=offer)


@pytest.mark.parametrize("where", ["dm", "board"])
async def test_a_player_who_agreed_reads_that_another_one_declined(scene: House, where: str) -> None:
    ana, ben, cem = scene.ana, scene.ben, await scene.person("Cem")
    board = await scene.challenge_all(cem, cards=4)
    for person in (ben, cem):
        await person.press("Accept", in_=board)
    await ben.press("Offer draw", in_=(await ben.slash("/gops draw")).shown)
    offer = await cem.sees(has("Ben offers a draw. The offer ends when"), in_="dm")
    await cem.press("Accept draw", in_=offer if where == "dm" else await cem.sees(has("offers a draw"), in_=board))
    await cem.sees(has("You agreed to the draw."), in_=offer)
    await ana.press("Decline draw", in_=await ana.sees(has("offers a draw", "Cem agreed"), in_=board))
    assert (await cem.sees(has("The draw was declined."), in_=offer)).buttons == []


async def test_an_offered_draw_says_that_it_ended_with_its_match(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    await scene.match(cards=4)
    offer = (await ana.press("Offer draw", in_=(await ana.slash("/gops draw")).shown)).shown
    await ben.press("Stop", in_=(await ben.slash("/gops resign")).shown)
    await ana.sees(has("You offered a draw.", "This offer ended with its round."), in_=offer)


async def _asked(scene: House, how: str, code: str) -> Seen:
    """A private question of Ana about her match."""
    ana = scene.ana
    if how == "in the list":
        return (await ana.choose(code, in_=(await ana.slash("/gops games")).shown)).shown
    if how == "More":
        board = await ana.sees(has(f"#{code}", "[More]", ephemeral=False))
        return (await ana.press("Offer draw", in_=(await ana.press("More", in_=board)).shown)).shown
    return (await ana.slash(f"/gops {how}", match=code)).shown


@pytest.mark.parametrize("how", ["resign", "draw", "in the list", "More"])
async def test_private_question_ends_with_its_match(scene: House, how: str) -> None:
    ana, ben = scene.ana, scene.ben
    code = code_of(await scene.match())
    question = await _asked(scene, how, code)
    assert question.buttons
    await ben.press("Stop", in_=(await ben.slash("/gops resign", match=code)).shown)
    over = await ana.sees(has(f"#{code} was stopped: "), in_=question)
    assert over.buttons == []


async def test_answer_to_a_question_stays_after_the_end_that_it_brings_about(scene: House) -> None:
    ana, board = scene.ana, await scene.match()
    code = code_of(board)
    question = await _asked(scene, "resign", code)
    assert told(await ana.press("Stop", in_=question)) == f"Done. #{code} is stopped and does not count."
    await ana.sees(has("Rematch"), in_=board)
    now = ana.now(question)
    assert now is not None
    assert plain(now.text) == f"Done. #{code} is stopped and does not count."


@pytest.mark.parametrize("end", ["agreed", "stopped"])
async def test_offer_shown_by_a_command_ends_with_its_match(scene: House, end: str) -> None:
    ana, ben = scene.ana, scene.ben
    code = code_of(await scene.match())
    await ana.press("Offer draw", in_=(await ana.slash("/gops draw", match=code)).shown)
    offer = await ben.sees(has("Ana offers a draw"), in_="dm")
    shown = (await ben.slash("/gops draw", match=code)).shown
    assert shown.has_button("Accept draw")
    if end == "agreed":
        await ben.press("Accept draw", in_=offer)
    else:
        await ana.press("Stop", in_=(await ana.slash("/gops resign", match=code)).shown)
    says = "Everybody agreed: the match is drawn." if end == "agreed" else "This offer ended with its round."
    assert (await ben.sees(has(says), in_=shown)).buttons == []


async def test_question_that_nothing_closed_is_closed_by_a_press(scene: House) -> None:
    """The bot was started anew meanwhile, and does not know of that message until it is pressed."""
    ana, ben = scene.ana, scene.ben
    code = code_of(await scene.match())
    question = await _asked(scene, "resign", code)
    await scene.bot.stop()
    await scene.bot.start()
    await ben.press("Stop", in_=(await ben.slash("/gops resign", match=code)).shown)
    answer = (await ana.press("Stop", in_=question)).shown
    assert answer.id == question.id
    assert f"#{code} was stopped: " in plain(answer.text)
    assert answer.buttons == []


@pytest.mark.parametrize("who", ["player", "moderator"])
async def test_menu_behind_more_ends_with_its_match(scene: House, who: str) -> None:
    ana, ben = scene.ana, scene.ben
    code = code_of(await scene.match())
    board = await ana.sees(has(f"#{code}", "[More]", ephemeral=False))
    person = ana if who == "player" else await moderator(scene)
    menu = (await person.press("More", in_=board)).shown
    assert menu.has_button("Stop match (moderators)") is (who == "moderator")
    await ben.press("Stop", in_=(await ben.slash("/gops resign", match=code)).shown)
    assert (await person.sees(has(f"#{code} was stopped: "), in_=menu)).buttons == []


async def test_what_was_done_behind_more_stays_after_the_end(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    code = code_of(await scene.match())
    board = await ana.sees(has(f"#{code}", "[More]", ephemeral=False))
    menu = (await ana.press("More", in_=board)).shown
    muted = told(await ana.press("Mute this match", in_=menu))
    await ben.press("Stop", in_=(await ben.slash("/gops resign", match=code)).shown)
    await ana.sees(has(f"#{code}", "Rematch"), in_=board)
    now = ana.now(menu)
    assert now is not None
    assert plain(now.text) == muted


async def test_question_whether_to_go_on_ends_with_its_practice(scene: House) -> None:
    ana = scene.ana
    console = (await ana.slash("/gops practice", cards=3)).shown
    code = code_of(console)
    home = (await ana.slash("/gops help")).shown
    question = (await ana.press("Play the house", in_=home)).shown
    assert question.has_button("Continue")
    await ana.press("Stop", in_=(await ana.slash("/gops resign", match=code)).shown)
    over = await ana.sees(has(f"#{code} was stopped: "), in_=question)
    assert over.buttons == []
