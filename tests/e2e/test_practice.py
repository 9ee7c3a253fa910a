"""Practice against the house, over sockets: as a person plays it, in every game, through kills."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.engine.text.presets import list_offers
from bot.solver.players.levels import LEVELS
from tests.driver import Person, Seen
from tests.e2e.house import PATIENCE, House, behind_more, code_of, has, opened, plain, told
from tests.e2e.slow_bot import MAY_BID, THINKS
from tests.solver.test_scope import SOLVED

KEY = re.compile(r"g1:(co|pk|cm):")
TURNS = 600

MAY_WARN = ("swapped", "Nothing was bid; this is round")
"""what a key may be answered by: a press that Discord had to be told of first is shown a moment later"""


def lit(console: Seen) -> list[str]:
    """The cards that can be pressed."""
    return [one.custom_id for one in console.buttons if one.custom_id and KEY.match(one.custom_id) and not one.disabled]


async def play_out(person: Person, console: Seen, dice: random.Random) -> Seen:
    """Press what is lit until there is a result; the message is the same one all the time."""
    for _ in range(TURNS):
        if console.has_button("Rematch"):
            return console
        seal = next((one for one in console.buttons if one.label and one.label.startswith("Seal ")), None)
        fresh = [id for id in lit(console) if not id.startswith("g1:cm") or "• " not in label(console, id)]
        button = seal.custom_id if seal is not None and not seal.disabled else dice.choice(fresh)
        assert button is not None
        after = (await person.press(button, in_=console)).shown
        assert after.id == console.id
        assert "⚠" not in after.text or any(one in after.text for one in MAY_WARN), after.text
        console = after
    raise AssertionError(f"No end: {console}")


def label(console: Seen, id: str) -> str:
    return next((one.label or "" for one in console.buttons if one.custom_id == id), "")


# --- every game ------------------------------------------------------------------------------------------------


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("game", [offer.key for offer in list_offers()])
async def test_every_game_to_its_end(scene: House, game: str) -> None:
    dice = random.Random(game)
    level = dice.choice([level for level in LEVELS if not level.slow])
    console = (await scene.ana.slash("/gops practice", game=game, level=level.key)).shown
    assert console.is_ephemeral
    assert f"{level.name} (house)" in plain(console.text)
    assert scene.ben.finds(f"#{code_of(console)}") == []
    result = await play_out(scene.ana, console, dice)
    assert "Not rated: the house plays too." in result.text
    reviewed = game in SOLVED - {"blind"} | {"bid", "psych"}  # of those two the end is solved
    assert [one.label for one in result.buttons] == ["Rematch", *(["Review"] if reviewed else []), "More"]
    verified = told(await behind_more(scene.ana, "Verify", result))
    assert "✘" not in verified
    assert "bids of the house are right for its level." in verified


# --- as a person sees it --------------------------------------------------------------------------------------


@pytest.mark.asyncio(loop_scope="module")
async def test_the_message_from_the_first_prize_to_the_next_match(scene: House) -> None:
    ana = scene.ana
    console = (await ana.slash("/gops practice", cards=3)).shown
    code = code_of(console)
    lines = plain(console.text).splitlines()
    assert lines[0].endswith("You against Sly (house) · round 1 of 3")
    assert any(line.endswith(f"-# #{code}") for line in lines)
    assert any(line.endswith("Your turn. No time limit.") for line in lines)
    assert any("Sly (house) 0, ✔ has bid" in line for line in lines)
    assert told(await ana.slash("/gops draw")) == "The house never agrees to a draw. You can resign."
    more = (await ana.press("More", in_=console)).shown
    assert [one.label for one in more.buttons] == ["Rules", "Resign", "🎲 Random card", "Verify", "◀ Cards"]
    assert told(await ana.slash("/gops show", match=code)).endswith("/gops games opens it again.")
    assert told(await scene.ben.slash("/gops show", match=code)).startswith("No match #")
    await ana.dismiss(console)
    games = (await ana.slash("/gops games")).shown
    assert f"#{code}** Classic, practice with Sly (house)" in plain(games.text)
    console = (await ana.press("Bid", in_=games)).shown
    result = await play_out(ana, console, random.Random(1))
    again = (await ana.press("Rematch", in_=result)).shown
    assert again.is_ephemeral
    assert code_of(again) != code
    assert "against Sly (house) · round 1 of 3" in plain(again.text)
    assert "· unrated" in told(await ana.slash("/gops history"))
    assert told(await ana.slash("/gops leaderboard")).startswith("Nobody has a rating here yet.")


@pytest.mark.asyncio(loop_scope="module")
async def test_ace_is_not_declared_after_the_reveal(scene: House) -> None:
    refused = told(await scene.ana.slash("/gops practice", game="parlett", options="ace said at the reveal"))
    assert "an Ace is high or low with the sealed bid" in refused
    assert "the slowest player could look first" in refused


@pytest.mark.asyncio(loop_scope="module")
async def test_a_coach_beside_the_keys(scene: House, kernels: None) -> None:
    """A hint before the bid, and what it was afterwards, in the place of the console; the result counts hints."""
    ana = scene.ana
    ana.patience = 60.0  # the coach stands back where a machine has other work
    console = (await ana.slash("/gops practice", cards=4, level="matcher")).shown
    await ana.press("Hint", in_=console)
    hint = await ana.sees(has("Hint for round 1", "Best ", "Your win chance: 50%"), in_=console)
    console = (await ana.press("◀ Cards", in_=hint)).shown
    console = (await ana.press(lit(console)[0], in_=console)).shown
    assert "round 2 of 4" in plain(console.text)
    await ana.press("Explain last round", in_=console)
    verdict = await ana.sees(has("you bid ♠A, ", "win chance with each of your cards against"), in_=console)
    result = await play_out(ana, (await ana.press("◀ Cards", in_=verdict)).shown, random.Random(4))
    assert "Ana asked for 1 hint." in told(await ana.press("More", in_=result))


@pytest.mark.asyncio(loop_scope="module")
async def test_pages_stand_in_the_place_of_the_console_and_its_result(scene: House) -> None:
    ana = scene.ana
    console = (await ana.slash("/gops practice", cards=3)).shown
    for label in ("Rules", "More"):
        console = await there_and_back(ana, label, console, "against Sly (house)")
        console = (await ana.press(lit(console)[0], in_=console)).shown
    result = await play_out(ana, console, random.Random(1))
    for label in ("More", "Review"):
        result = await there_and_back(ana, label, result, "Not rated: the house plays too.")
    await play_out(ana, (await ana.press("Rematch", in_=result)).shown, random.Random(2))
    assert (await scene.stage.calls()).counted == 0


@pytest.mark.asyncio(loop_scope="module")
async def test_files_go_with_the_page_that_has_them(scene: House) -> None:
    ana = scene.ana
    result = await play_out(ana, (await ana.slash("/gops practice", cards=3)).shown, random.Random(1))
    page = await behind_more(ana, "Verify", result)
    assert page.shown.id == result.id
    assert len(page.shown.files) == 2
    result = (await ana.press("◀ Result", in_=page.shown)).shown
    assert result.files == []


@pytest.mark.asyncio(loop_scope="module")
async def test_refused_hint_stands_on_the_console(scene: House) -> None:
    """In Vultures there is no hint as long as many cards are left."""
    console = (await scene.ana.slash("/gops practice", game="vultures")).shown
    assert "*Hint* and *Explain last round* work when fewer cards are left." in console.text
    console = (await scene.ana.press(lit(console)[0], in_=console)).shown
    refused = (await scene.ana.press("Explain last round", in_=console)).shown
    assert refused.id == console.id
    assert "⚠" in refused.text
    assert "Too many cards were left in that round to explain it." in refused.text
    assert lit(refused) == lit(console)


@pytest.mark.parametrize("by", ["HTTP", "DM"])
async def test_pages_by_other_ways(tmp_path: Path, by: str) -> None:
    """Where the answer goes back on the request, and in a DM."""
    async with opened(tmp_path, start=False) as house:
        if by == "HTTP":
            await house.bot.use_http()
        await house.bot.start()
        ana = house.ana
        here: dict[str, Any] = {"in_": await ana.dm_with(house.stage.bot())} if by == "DM" else {}
        console = (await ana.slash("/gops practice", cards=3, **here)).shown
        for label in ("Rules", "More"):
            console = await there_and_back(ana, label, console, "against Sly (house)")
        result = await play_out(ana, console, random.Random(1))
        await there_and_back(ana, "More", result, "Not rated: the house plays too.")
        assert house.bot.trouble() == []


async def there_and_back(person: Person, label: str, console: Seen, words: str) -> Seen:
    """Press this; the console as it is after the way back from the page in its place."""
    page = (await person.press(label, in_=console)).shown
    assert page.id == console.id
    assert words not in plain(page.text)
    back = (await person.press("◀ Cards" if page.has_button("◀ Cards") else "◀ Result", in_=page)).shown
    assert back.id == console.id
    assert words in plain(back.text)
    return back


@pytest.mark.asyncio(loop_scope="module")
async def test_private_practice_posts_and_pings_nothing(scene: House) -> None:
    """Nothing is posted, nothing pings, and no call is counted against the bot's limit."""
    console = (await scene.ana.slash("/gops practice", cards=5)).shown
    await play_out(scene.ana, console, random.Random(2))
    assert (await scene.stage.calls()).counted == 0
    assert scene.ana.pings == []
    assert scene.ben.finds(has("house")) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_public_practice_is_shown_in_the_channel(scene: House) -> None:
    board = (await scene.ana.slash("/gops practice", cards=4, level="matcher", public=True)).shown
    assert not board.is_ephemeral
    seen = await scene.ben.sees(has("Ana and Matcher (house) · round 1 of 4", "Press Bid to see your cards"))
    assert "in your DM" not in seen.text
    assert told(await scene.ben.press("Bid", in_=seen)).startswith("You don't play in")
    console = (await scene.ana.press("Bid", in_=board)).shown
    for _ in range(3):
        console = (await scene.ana.press(lit(console)[0], in_=console)).shown
    result = await scene.ben.sees(has("Not rated: the house plays too.", ephemeral=False))
    again = (await scene.ana.press("Rematch", in_=result)).shown
    assert not again.is_ephemeral
    assert told(await scene.ben.press("Rematch", in_=result)).startswith("Only the players of")


@pytest.mark.asyncio(loop_scope="module")
async def test_in_a_dm_with_the_bot(scene: House) -> None:
    dm = await scene.ana.dm_with("GOPS")
    console = (await scene.ana.slash("/gops practice", game="pico", in_=dm)).shown
    assert not console.is_ephemeral
    result = await play_out(scene.ana, console, random.Random(3))
    assert "Not rated: the house plays too." in result.text
    assert (await scene.ana.press("Rematch", in_=result)).shown.channel_id == dm
    refused = told(await scene.ana.slash("/gops practice", public=True, in_=dm))
    assert refused == "This works only in a server that has added me."


@pytest.mark.asyncio(loop_scope="module")
async def test_what_does_not_go_together_is_refused(scene: House) -> None:
    ana = scene.ana
    assert "does not have the rule" in told(await ana.slash("/gops practice", game="psych", cards=5))
    assert told(await ana.slash("/gops practice", game="chess")).startswith('There is no game "chess".')
    assert (await scene.ben.slash("/gops practice", cards=2)).shown.has_button("A")


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("public", [False, True])
async def test_a_fourth_practice_says_which_one_it_ends(scene: House, public: bool) -> None:
    ana = scene.ana
    begun = [(await ana.slash("/gops practice", cards=2, public=public)).shown for _ in range(3)]
    assert not any("ended" in one.text for one in begun)
    code = code_of(begun[0])
    answer = await ana.slash("/gops practice", cards=2, public=public)
    sentence = f"#{code} ended: you can have three practice matches at a time."
    await ana.sees(has(sentence, ephemeral=True))
    assert answer.shown.is_ephemeral is not public
    over = await ana.sees(has(f"#{code} was stopped: a newer practice match took its place."), in_=begun[0])
    assert not over.buttons
    listed = plain((await ana.slash("/gops games")).shown.text)
    assert listed.count("Your turn") == 3
    assert f"#{code}" not in listed


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("stopped", [False, True])
async def test_the_history_of_others_offers_no_dead_buttons(scene: House, stopped: bool) -> None:
    """Nobody else may replay, review or export private practice; of a public one they may, but not have a rematch."""
    ana, ben = scene.ana, scene.ben
    for public in (False, True):
        console = (await ana.slash("/gops practice", cards=4, level="matcher", public=public)).shown
        if public:
            console = (await ana.press("Bid", in_=console)).shown
        if stopped:
            await ana.press("Stop", in_=(await ana.slash("/gops resign", match=code_of(console))).shown)
        else:
            await play_out(ana, console, random.Random(1))
        mine = (await ana.choose(code_of(console), in_=(await ana.slash("/gops history")).shown)).shown
        assert mine.has_button("Play the house" if stopped else "Rematch")
        listed = (await ben.slash("/gops history", player=ana)).shown
        theirs = (await ben.choose(code_of(console), in_=listed)).shown
        assert (f"#{code_of(console)}" in theirs.text) is (public or stopped)  # of private practice it opens nothing
        looks = [] if stopped else ["Review", "More"]
        assert [one.label for one in theirs.buttons] == (looks if public else [])


@pytest.mark.asyncio(loop_scope="module")
async def test_the_practice_that_lay_idle_longest_ends(scene: House) -> None:
    """Of three private ones the first was bid in and the second opened; a public one ends the third."""
    ana = scene.ana
    bid, opened_again, idle = [(await ana.slash("/gops practice", cards=3)).shown for _ in range(3)]
    await ana.press(lit(bid)[0], in_=bid)
    games = (await ana.slash("/gops games")).shown
    [again] = [id for one in games.buttons if (id := one.custom_id) and code_of(opened_again) in id]
    await ana.press(again, in_=games)
    await ana.slash("/gops practice", cards=3, public=True)
    await ana.sees(has(f"#{code_of(idle)} ended: you can have three practice matches at a time.", ephemeral=True))
    await ana.sees(has("a newer practice match took its place."), in_=idle)
    listed = plain((await ana.slash("/gops games")).shown.text)
    assert [code_of(one) in listed for one in (bid, opened_again, idle)] == [True, True, False]


@pytest.mark.asyncio(loop_scope="module")
async def test_commands_that_practice_has_nothing_for(scene: House) -> None:
    """A draw and a board are refused for what they are, however many are live, and pickers do not offer them."""
    ana = scene.ana
    codes = [code_of((await ana.slash("/gops practice", cards=3)).shown) for _ in range(2)]
    assert told(await ana.slash("/gops draw")) == "The house never agrees to a draw. You can resign."
    nowhere = "Your practice has no board to show. Open it with /gops games."
    assert told(await ana.slash("/gops show")) == nowhere
    for command in ("draw", "show", "rematch"):
        assert await ana.complete(f"/gops {command}", "match", "") == []
    assert len(await ana.complete("/gops resign", "match", "")) == 2
    board = code_of(await scene.match())
    assert (await ana.slash("/gops draw")).shown.content.startswith("Offer ")
    for command in ("draw", "show"):
        [offered] = await ana.complete(f"/gops {command}", "match", "")
        assert offered.startswith(f"#{board} · Ben")
    await ana.press("Stop", in_=(await ana.slash("/gops resign", match=codes[0])).shown)
    ended = f"#{codes[0]} was stopped: it ended before anything was revealed. It does not count."
    assert told(await ana.slash("/gops show", match=codes[0])) == ended
    assert await ana.complete("/gops rematch", "match", "") == [f"#{codes[0]} · Classic · Sly (house)"]


@pytest.mark.asyncio(loop_scope="module")
async def test_resigned_practice_offers_a_rematch(scene: House) -> None:
    console = (await scene.ana.slash("/gops practice", cards=5)).shown
    await scene.ana.press(lit(console)[0], in_=console)
    question = (await scene.ana.slash("/gops resign", match=code_of(console))).shown
    assert plain(question.text).startswith(f"Resign #{code_of(console)}? Sly (house) wins. You can't undo")
    await scene.ana.press("Resign", in_=question)
    ended = await scene.ana.sees(
        has("Sly (house) wins because you resigned", "Not rated: the house plays too."), in_=console
    )
    assert ended.has_button("Rematch")


# --- slow minds and kills --------------------------------------------------------------------------------------


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.usefixtures("kernels")
async def test_sage_plays_exactly_and_in_time(scene: House) -> None:
    """It thinks in a process of its own, says what it plays by, and never runs out of time with a few cards."""
    console = (await scene.ana.slash("/gops practice", cards=3, level="sage")).shown
    assert "Sage plays perfectly." in plain(console.text)
    for number in (2, 3):
        await scene.ana.press(lit(console)[0], in_=console)
        words = f"round {number} of 3" if number < 3 else "Not rated: the house plays too."
        console = await scene.ana.sees(has(words), in_=console)
    assert "ran out of time" not in console.text
    assert "✘" not in told(await behind_more(scene.ana, "Verify", console))


@pytest.fixture
async def slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """A bot with a house player who waits for a file. Its worker is a new interpreter of low priority, which a busy
    machine keeps waiting for half a minute and more."""
    monkeypatch.setenv(MAY_BID, str(tmp_path / "may-bid"))
    async with opened(tmp_path, start=False) as house:
        house.bot.command = ("-m", "tests.e2e.slow_bot", "run")
        house.bot.forked = False  # the levels of the command are listed when it is imported
        await house.bot.start()
        yield house
        assert house.bot.trouble() == []


async def test_the_house_is_still_thinking(slow: House, tmp_path: Path) -> None:
    ana = slow.ana
    console = (await ana.slash("/gops practice", cards=3, level="patient")).shown
    assert "You 0 · Patient (house) 0" in plain(console.text)
    answer = plain((await ana.press("A", in_=console)).shown.text)
    assert "✔ Your A is sealed. Patient is thinking …" in answer.replace("**", "")
    changed = (await ana.press("2", in_=console)).shown  # a change is still allowed
    assert "✔ Your 2 is sealed. Patient is thinking …" in plain(changed.text).replace("**", "")
    # Another match is not held up by the thought.
    other = (await ana.slash("/gops practice", cards=3, level="random")).shown
    assert "round 2 of 3" in (await ana.press("3", in_=other)).shown.text
    (tmp_path / "may-bid").touch()
    after = await ana.sees(has("round 2 of 3", "Your turn"), in_=console, patience=PATIENCE)
    assert "♥3 beats your ♠2" in plain(after.text)


@pytest.mark.parametrize("sealed", [True, False])
async def test_a_kill_in_the_middle_of_a_thought(slow: House, tmp_path: Path, sealed: bool) -> None:
    ana = slow.ana
    console = (await ana.slash("/gops practice", cards=3, level="patient")).shown
    if sealed:
        await ana.press("A", in_=console)
    async with asyncio.timeout(PATIENCE):
        while not (tmp_path / "may-bid").with_suffix(THINKS).exists():  # noqa: ASYNC110 - a file tells nobody
            await asyncio.sleep(0.01)
    await slow.bot.kill()
    (tmp_path / "may-bid").touch()
    await slow.bot.start()
    if not sealed:
        await ana.press("A", in_=console)
    after = await ana.sees(has("round 2 of 3", "Your turn"), in_=console, patience=PATIENCE)
    assert "♥3 beats your ♠A" in plain(after.text)
    await ana.press("2", in_=console)
    result = await ana.sees(has("Not rated: the house plays too."), in_=console)
    sheet = told(await behind_more(ana, "Sheet", result))
    assert sheet.count("Patient") >= 3


async def test_kill_and_restart_between_rounds(house: House) -> None:
    console = (await house.ana.slash("/gops practice", cards=5, game="three-handed")).shown
    dice = random.Random(5)
    for number in range(2, 5):
        await house.ana.press(dice.choice(lit(console)), in_=console)
        await house.bot.kill()
        await house.bot.start()
        console = await house.ana.sees(has(f"round {number} of 5", "Your turn"), in_=console)
        assert plain(console.text).count("✔ has bid") == 2


@pytest.mark.asyncio(loop_scope="module")
async def test_leaving_a_table_of_house_players(scene: House) -> None:
    """Nobody is left to play on for: the match ends there."""
    console = (await scene.ana.slash("/gops practice", game="welsh")).shown
    await scene.ana.press(lit(console)[0], in_=console)
    question = (await scene.ana.slash("/gops resign", match=code_of(console))).shown
    assert plain(question.text).startswith(f"Leave #{code_of(console)}? It ends here, and it does not count.")
    assert told(await scene.ana.press("Leave match", in_=question)) == f"Done. You resigned #{code_of(console)}."
    ended = await scene.ana.sees(has("only the house was left at the table."), in_=console)
    assert [one.label for one in ended.buttons] == ["Play the house"]
    again = (await scene.ana.press("Play the house", in_=ended)).shown
    assert "trick 1" in plain(again.text)
