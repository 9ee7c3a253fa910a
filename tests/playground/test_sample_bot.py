"""An unmodified discord.py client plays through everything a game bot uses, over real sockets."""

import re

import pytest

from tests.driver import File, InteractionFailed, Person, Refused, Server, Stage

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.usefixtures("sample")]


async def people(stage: Stage, club: Server) -> tuple[Person, Person]:
    return await stage.person("Ana", server=club), await stage.person("Ben", server=club, nick="Benny")


async def test_command_answers_and_its_buttons_work_for_everybody(stage: Stage, club: Server) -> None:
    ana, ben = await people(stage, club)
    outcome = await ana.slash("/try say", text="hello", times=2)
    assert outcome.shown.text == "hello hello\n[Count 0]"
    await ben.press("Count 0", in_=await ben.sees("hello hello"))
    assert (await ana.sees("counted 1")).is_edited


async def test_member_options_arrive_and_mentions_ping(stage: Stage, club: Server) -> None:
    ana, ben = await people(stage, club)
    shown = (await ana.slash("/try greet", who=ben)).shown
    assert shown.text == "@Benny, Ana greets you"
    ping = await ben.pinged("greets you")
    assert ping.push
    assert ping.text == "@Ben, Ana greets you"
    await ana.slash("/try greet", who=ben, quietly=True)
    await ben.sees(lambda one: "silent" in str(one).splitlines()[0])
    assert [one.push for one in ben.pings] == [True, False]
    assert ana.pings == []


async def test_autocomplete_offers_matching_choices(stage: Stage, club: Server) -> None:
    ana, _ = await people(stage, club)
    assert await ana.complete("/try colour", "name", "bl") == ["blue", "black"]


@pytest.mark.parametrize(
    ("act", "seen"),
    [
        ("secret", "just for you"),
        ("later", "edited later"),
        ("board", "### turned into a board"),
        ("follow", "hush"),
    ],
)
async def test_act_of_the_sample_bot_shows_its_result(stage: Stage, club: Server, act: str, seen: str) -> None:
    ana, _ = await people(stage, club)
    await ana.slash("/try acts")
    await ana.press(act)
    await ana.sees(seen)


async def test_plain_message_becomes_a_board_by_a_callback(stage: Stage, club: Server) -> None:
    ana, ben = await people(stage, club)
    await ana.slash("/try acts")
    plain = await ben.sees("choose an act")
    await ben.press("board", in_=plain)
    shown = await ana.sees("turned into a board", in_=plain)
    assert shown.is_v2
    assert shown.content == ""
    assert shown.text.splitlines() == ["┃ ### turned into a board", "┃ ───", "┃ [Count 0] [secret]"]


async def test_ephemerals_are_edited_by_their_buttons_and_seen_by_one_person(stage: Stage, club: Server) -> None:
    ana, ben = await people(stage, club)
    await ana.slash("/try acts")
    await ana.press("secret")
    secret = await ana.sees("just for you")
    assert secret.is_ephemeral
    await ana.press("Count 0", in_=secret)
    await ana.sees("counted 1", in_=secret)
    assert ben.now(secret) is None
    with pytest.raises(Refused, match="sees no message"):
        await ben.press("Count 0", in_=secret)
    await ana.dismiss(secret)
    assert ana.now(secret) is None


async def test_followups_are_separate_messages(stage: Stage, club: Server) -> None:
    ana, ben = await people(stage, club)
    await ana.slash("/try acts")
    await ana.press("follow")
    await ana.sees("hush")
    assert await ben.sees("second, edited")
    assert ben.finds("hush") == []


async def test_modal_can_be_filled_in_once(stage: Stage, club: Server) -> None:
    ana, _ = await people(stage, club)
    await ana.slash("/try acts")
    opened = await ana.press("form")
    with pytest.raises(Refused, match="name takes 1 to 10 characters"):
        await ana.submit(opened, name="far too long a name", Colour=["red"])
    outcome = await ana.submit(opened, name="Ann", Colour=["red"])
    assert outcome.shown.text == "form: Ann likes red"
    with pytest.raises(Refused, match="no such modal"):
        await ana.submit(opened, name="Ann", Colour=["red"])


async def test_every_kind_of_select_can_be_used(stage: Stage, club: Server) -> None:
    ana, ben = await people(stage, club)
    role = await stage.role(club, "Judge")
    await ana.slash("/try choices")
    for select, choice, said in (
        ("Colour", "blue", "colour blue"),
        ("Who", ben, "who Benny"),
        ("Where", club.channel("talk"), "where talk"),
        ("Role", role, "role Judge"),
    ):
        await ana.choose(choice, select=select)
        await ana.sees(said)


@pytest.mark.parametrize("hidden", [True, False])
async def test_deferred_answer_comes_later(stage: Stage, club: Server, hidden: bool) -> None:
    ana, ben = await people(stage, club)
    outcome = await ana.slash("/try slow", hidden=hidden)
    assert outcome.answer == 5
    assert outcome.shown.is_loading
    shown = await ana.sees("a board at last")
    assert shown.is_ephemeral is hidden
    assert not shown.is_loading
    assert bool(ben.finds("a board at last")) is not hidden or await ben.sees("a board at last")


async def test_person_who_waits_until_done_sees_the_final_message(stage: Stage, club: Server) -> None:
    ana, ben = await people(stage, club)
    ana.until_done = True
    shown = (await ana.slash("/try slow", hidden=False)).shown
    assert "a board at last" in shown.text
    assert "by followup at last" in (await ana.slash("/try slow", followup=True)).shown.text
    edited = (await ana.press("later", in_=(await ana.slash("/try acts")).shown)).shown
    assert "edited later" in edited.text
    assert await ben.sees("a board at last")


async def test_first_followup_fills_the_deferral_of_discord_py(stage: Stage, club: Server) -> None:
    ana, _ = await people(stage, club)
    waiting = (await ana.slash("/try slow", followup=True)).shown
    await ana.sees("by followup at last", in_=waiting)


async def test_files_can_be_sent_and_received(stage: Stage, club: Server) -> None:
    ana, ben = await people(stage, club)
    await ana.slash("/try file", given=File("a.txt", b"abc"))
    chart = await ben.sees("with a chart")
    assert "🖼 a chart" in chart.text
    assert (chart.files[0]["width"], chart.files[0]["height"]) == (5, 6)
    copy = await ben.sees("a copy")
    assert await stage.link.read(copy.files[0]["url"]) == b"ABC"


async def test_dm_starts_plain_and_pings(stage: Stage, club: Server) -> None:
    dan, ben = await stage.person("Dan", server=club), await stage.person("Ben", server=club)
    await dan.slash("/try dm")
    board = await dan.sees("a board in your DM", in_="dm")
    assert board.is_v2
    assert [(one.text, one.push) for one in dan.pings] == [("a plain line in your DM", True)]
    await dan.press("secret", in_=board)
    await dan.sees("just for you", in_="dm")
    assert ben.finds("a board in your DM") == []


async def test_closed_dms_are_refused_with_50007(stage: Stage, club: Server) -> None:
    eve = await stage.person("Eve", server=club)
    await eve.close_dms()
    await eve.slash("/try dm")
    await eve.sees("refused: 50007")
    await eve.open_dms()
    await eve.slash("/try dm")
    await eve.sees("sent")


async def test_context_menus_work_on_people_and_messages(stage: Stage, club: Server) -> None:
    ana, ben = await people(stage, club)
    assert (await ana.menu("Wave", ben)).shown.text == "waved at Benny"
    said = await ben.say("to be quoted")
    assert (await ana.menu("Quote", said)).shown.text == "> to be quoted"


async def test_button_without_an_answer_fails_after_its_time(stage: Stage, club: Server) -> None:
    ana, _ = await people(stage, club)
    await ana.slash("/try acts")
    await stage.settings(ack_seconds=0.2)
    try:
        with pytest.raises(InteractionFailed, match=re.escape("The interaction failed: Ana, press")):
            await ana.press("sleep")
    finally:
        await stage.settings(ack_seconds=3.0)


async def test_deleted_answer_disappears(stage: Stage, club: Server) -> None:
    ana, _ = await people(stage, club)
    await ana.slash("/try acts")
    shown = await ana.sees("choose an act")
    await ana.press("vanish")
    await ana.sees_no("choose an act")
    assert ana.now(shown) is None


async def test_commands_keep_their_ids_and_are_offered(stage: Stage, club: Server) -> None:
    ana, _ = await people(stage, club)
    offered = {one["name"]: one["id"] for one in await ana.commands()}
    assert set(offered) == {"try", "Wave", "Quote"}
    with pytest.raises(Refused, match="offered no command chess"):
        await ana.slash("/chess")
    with pytest.raises(Refused, match="has no sub-command dance"):
        await ana.slash("/try dance")
    with pytest.raises(Refused, match='"text" is required'):
        await ana.slash("/try say")
    with pytest.raises(Refused, match="must be between 1 and 5"):
        await ana.slash("/try say", text="x", times=9)
