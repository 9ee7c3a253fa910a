"""Everything that is shown besides a match that is played to its end: every message, word for word."""

from __future__ import annotations

import pytest

from tests.driver import Seen
from tests.e2e.house import ADD, code_of
from tests.screens.acting import begun, bid, choose, offer, people, press, slash
from tests.screens.recorder import Studio, recording

pytestmark = pytest.mark.asyncio(loop_scope="module")


# --- before a match -----------------------------------------------------------------------------------------


async def test_commands(stage: Studio) -> None:
    """What Discord is told of the commands."""
    async with recording(stage, "commands") as scene:
        ana = await scene.person("Ana")
        scene.note("every command", scene.without_ids(await ana.commands()))
        for option, typed in (
            ("game", ""),
            ("game", "pic"),
            ("options", ""),
            ("options", "blind bids, "),
            ("options", "row"),
        ):
            offered = await ana.complete("/gops challenge", option, typed, opponent=ana)
            scene.note(f"{option}: {typed!r} is completed", offered)


async def test_challenges(stage: Studio) -> None:
    async with recording(stage, "challenges") as scene:
        ana, ben, cem, dee = await people(scene, 4)
        challenge = (await slash(scene, ana, "challenge", opponent=ben)).shown
        await press(scene, ben, "Rules", challenge)
        await press(scene, cem, "Accept", challenge)
        await press(scene, ana, "Accept", challenge)
        await press(scene, cem, "Withdraw", challenge)
        await slash(scene, ana, "challenge", opponent=ben)
        await press(scene, ben, "Decline", challenge)
        await slash(scene, ana, "challenge", opponent=ben)
        challenge = (await slash(scene, cem, "challenge", opponent=dee, game="pico", rated=False, clock=30)).shown
        await press(scene, cem, "Withdraw", challenge)
        await slash(scene, dee, "challenge", opponent=cem, series="best-3", ties="carry")
        await scene.later(601, "nobody answers")
        card = (await slash(scene, cem, "challenge", opponent=ana, game="three-handed", cards=7)).shown
        await choose(scene, cem, ["Classic GOPS"], "Game", card)
        await choose(scene, cem, [ben, dee], ADD, card)
        await press(scene, cem, "Send the challenge", card)
        challenge = await cem.sees("challenges you")
        await press(scene, ana, "Accept", challenge)
        await press(scene, ben, "Decline", challenge)
        await press(scene, dee, "Accept", challenge)
        await press(scene, cem, "Start", challenge)
        # In two steps: a reminder that is overtaken by its deadline may tell of either.
        await scene.later(95, "half a minute is left")
        await scene.later(30, "nobody has bid")


async def test_refused_challenges(stage: Studio) -> None:
    async with recording(stage, "refused-challenges") as scene:
        ana, ben, cem = await people(scene, 3)
        await slash(scene, ana, "challenge", opponent=ana)
        await slash(scene, ana, "challenge", opponent=ben, game="parlett")
        await slash(scene, ana, "challenge", opponent=ben, game="chess")
        await slash(scene, ana, "challenge", opponent=ben, options="nonsense")
        await slash(scene, ana, "challenge", opponent=ben, game="welsh")
        await slash(scene, ana, "challenge", opponent=ben, game="pico", cards=5)
        await slash(scene, ana, "challenge", opponent=ben, options="row size 4, blind bids")
        await slash(scene, ben, "block", player=ana)
        await slash(scene, ana, "challenge", opponent=ben)
        await slash(scene, cem, "resign")
        await slash(scene, cem, "draw")
        await slash(scene, cem, "show")
        await slash(scene, cem, "show", match="NONE")
        await slash(scene, cem, "rematch")
        await slash(scene, cem, "games")
        await slash(scene, cem, "history")
        await slash(scene, cem, "leaderboard")
        await slash(scene, cem, "profile")
        await slash(scene, cem, "analyse", mine="A 2", theirs="A 2 3", prize="2")
        await slash(scene, cem, "review", match="NONE")


async def test_open_tables(stage: Studio) -> None:
    async with recording(stage, "open-tables") as scene:
        ana, ben, cem, dee = await people(scene, 4)
        table = (await slash(scene, ana, "open", seats=3)).shown
        await press(scene, ben, "Rules", table)
        await press(scene, ben, "Join", table)
        await press(scene, ben, "Join", table)
        await press(scene, dee, "Leave", table)
        await press(scene, ben, "Close", table)
        await press(scene, ana, "Leave", table)
        await press(scene, cem, "Join", table)
        await press(scene, dee, "Join", table)
        table = (await slash(scene, dee, "open", game="vultures", seats=5)).shown
        await press(scene, ana, "Join", table)
        await press(scene, dee, "Start", table)
        table = (await slash(scene, ben, "open", seats=2)).shown
        await press(scene, ben, "Close", table)


async def test_a_table_where_nobody_comes(stage: Studio) -> None:
    async with recording(stage, "nobody-comes") as scene:
        ana = await scene.person("Ana")
        await slash(scene, ana, "open", game="throps")
        await scene.later(3601, "nobody comes")


async def test_set_up_card(stage: Studio) -> None:
    async with recording(stage, "set-up-card") as scene:
        ana, ben = await people(scene, 2)

        async def chosen(card: Seen, what: str, value: str) -> None:
            now = ana.now(card)
            assert now is not None
            select = next(one for one in now.selects if one.custom_id.endswith(f":{what}"))
            await scene.step(f"{what}: {value}", ana.choose(value, select=select.custom_id, in_=now))
            await scene.caught_up()

        card = (await scene.step("the menu", ana.menu("Challenge to GOPS", ben))).shown
        await chosen(card, "clock", "86400")
        await chosen(card, "ties", "carry")
        await chosen(card, "series", "best-3")
        await chosen(card, "game", "pico")
        await press(scene, ana, "Send the challenge", card)
        card = (await scene.step("the menu again", ana.menu("Challenge to GOPS", ben))).shown
        await chosen(card, "game", "parlett")
        await press(scene, ana, "Open a table", card)
        card = (await scene.step("and again", ana.menu("Challenge to GOPS", ben))).shown
        await press(scene, ana, "Which rules?", card)
        await press(scene, ana, "Cancel", card)
        await scene.step("on oneself", ana.menu("Challenge to GOPS", ana))


# --- in a match ---------------------------------------------------------------------------------------------


async def test_a_match_with_everything_else(stage: Studio) -> None:
    """A bid is changed, draws are offered, somebody mutes, the board is moved, and one resigns after all."""
    async with recording(stage, "in-a-match") as scene:
        ana, ben, cem = await people(scene, 3)
        board = await begun(scene, ana, ben, rated=True)
        await bid(scene, ana, "5")
        await bid(scene, ana, "6")
        await bid(scene, ana, "6")
        for person in (ana, ben, cem):
            await press(scene, person, "Bid", board)
            await press(scene, person, "All cards", board)
        for label in ("Resign", "Send my cards to my DMs", "Mute this match", "Mute this match", "Repost board"):
            more = (await press(scene, ana, "More", board)).shown
            asked = (await press(scene, ana, label, more)).shown
            if label == "Resign":
                await press(scene, ana, "Keep playing", asked)
        await scene.caught_up()
        board = ana.finds(lambda one: one.has_button("Bid") and not one.is_ephemeral, in_="#games")[-1]
        await press(scene, cem, "More", board)
        more = (await press(scene, ana, "More", board)).shown
        asked = (await press(scene, ana, "Offer draw", more)).shown
        await press(scene, ana, "Offer draw", asked)
        await press(scene, ben, "Decline draw", await offer(scene, ben))
        await bid(scene, ben, "7")
        asked = (await slash(scene, ben, "draw")).shown
        await press(scene, ben, "Not now", asked)
        asked = (await slash(scene, ben, "draw")).shown
        await press(scene, ben, "Offer draw", asked)
        await press(scene, ana, "Accept draw", await offer(scene, ana))
        again = await begun(scene, ana, ben, game="quick")
        await slash(scene, cem, "show", match=code_of(again))
        await slash(scene, ana, "games")
        asked = (await slash(scene, ana, "resign")).shown
        await press(scene, ana, "Keep playing", asked)
        asked = (await slash(scene, ana, "resign")).shown
        await press(scene, ana, "Stop", asked)
        await scene.caught_up()
        result = ana.now(again)
        assert result is not None
        await press(scene, ben, "Rematch", result)
        await press(scene, cem, "Rematch", result)
        await press(scene, cem, "Sheet", result)
        await slash(scene, ben, "rematch")


async def test_clocks(stage: Studio) -> None:
    """Reminders, warnings, bids that a clock makes, and a forfeit."""
    async with recording(stage, "clocks") as scene:
        ana, ben = await people(scene, 2)
        await begun(scene, ana, ben, clock=120)
        for round in range(1, 4):
            await bid(scene, ana, str(round + 1))
            for _ in range(3):
                await scene.later(45, f"45 seconds later in round {round}")


async def test_two_step(stage: Studio) -> None:
    """Consoles of somebody who confirms every bid."""
    async with recording(stage, "two-step") as scene:
        ana, ben = await people(scene, 2)
        card = (await slash(scene, ana, "preferences")).shown
        await press(scene, ana, next(one.label for one in card.buttons if "tep" in one.label), card)
        await begun(scene, ana, ben, cards=3)
        await bid(scene, ana, "2")
        await bid(scene, ana, "3")
        await bid(scene, ana, "Clear")
        await bid(scene, ana, "3")
        await bid(scene, ana, "Seal 3")
        await bid(scene, ben, "2")


# --- looked up ----------------------------------------------------------------------------------------------


async def test_look_ups(stage: Studio) -> None:
    async with recording(stage, "look-ups") as scene:
        ana, ben, cem = await people(scene, 3)
        board = await begun(scene, ana, ben, cards=3)
        for cards in ("A2", "2A"):
            await bid(scene, ana, cards[0])
            await bid(scene, ben, cards[1])
        await begun(scene, ben, cem, cards=3)
        await slash(scene, ana, "games")
        await slash(scene, ben, "games")
        for command in ("leaderboard", "profile", "history"):
            shown = (await slash(scene, ana, command)).shown
            for button in shown.buttons:
                if button.custom_id and not button.disabled:
                    await press(scene, ana, button.custom_id, shown)
        await slash(scene, ana, "profile", player=ben)
        await slash(scene, cem, "show", match=code_of(board))
        shown = (await slash(scene, cem, "history", player=ana)).shown
        await scene.caught_up()
        for select in shown.selects:
            value = select.options[-1][1]
            await scene.step(f"chooses {value}", cem.choose(value, select=select.custom_id, in_=shown))
        more = (await press(scene, cem, "More", board)).shown
        await press(scene, cem, "Verify", more)
        await press(scene, cem, "Rules", more)
        await press(scene, cem, "Sheet", more)


async def test_rules_of_every_game(stage: Studio) -> None:
    async with recording(stage, "rules") as scene:
        ana = await scene.person("Ana")
        card = (await slash(scene, ana, "rules")).shown
        for value in [value for _, value, _ in card.selects[0].options][1:]:
            await scene.caught_up()
            now = ana.now(card)
            assert now is not None
            await scene.step(f"chooses {value}", ana.choose(value, select=now.selects[0].custom_id, in_=now))
        await scene.caught_up()
        await press(scene, ana, "Show everyone", card)


async def test_preferences(stage: Studio) -> None:
    async with recording(stage, "preferences") as scene:
        ana, ben = await people(scene, 2)
        await slash(scene, ana, "block", player=ben)
        card = (await slash(scene, ana, "preferences")).shown
        for select in card.selects:
            for _, value, chosen in select.options:
                if chosen:
                    continue
                await scene.step(
                    f"{scene.plain(value)} in {select.custom_id}",
                    ana.choose(value, select=select.custom_id, in_=card),
                )
                await scene.caught_up()
                if ana.finds("[End vacation]", in_=card):  # whoever has paused chooses no further pause
                    await scene.later(1, "a second later")
                    await press(scene, ana, "End vacation", card)
        await scene.caught_up()
        now = ana.now(card)
        assert now is not None
        for button in now.buttons:
            assert button.custom_id
            await press(scene, ana, button.custom_id, card)


# --- the house ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["sly", "random", "matcher", "reader"])
async def test_practice(stage: Studio, level: str) -> None:
    async with recording(stage, f"practice-{level}") as scene:
        ana, ben = await people(scene, 2)
        shown = (await slash(scene, ana, "practice", level=level, cards=4, public=level == "reader")).shown
        keys = shown
        if level == "reader":
            await press(scene, ben, "Bid", shown)
            keys = (await press(scene, ana, "Bid", shown)).shown
        for card in ("2", "4", "A"):
            await press(scene, ana, card, keys)

        async def result() -> Seen:
            there = ana.now(shown)
            assert there is not None
            return (await press(scene, ana, "◀ Result", there)).shown if there.has_button("◀ Result") else there

        for label in ("Replay", "Sheet", "Verify"):
            more = (await press(scene, ana, "More", await result())).shown
            await press(scene, ana, label, more)
        await press(scene, ana, "Rematch", await result())


async def test_puzzles(stage: Studio) -> None:
    """Questions, grades and reasons: right and wrong answers to both kinds of question."""
    async with recording(stage, "puzzles") as scene:
        ana = await scene.person("Ana")
        asked = (await slash(scene, ana, "puzzle")).shown
        for card in (0, 0, 1, -1):
            now = ana.now(asked)
            assert now is not None
            await press(scene, ana, now.buttons[card].label, now)
            await press(scene, ana, "Why", asked)
            await press(scene, ana, "Next", asked)


@pytest.mark.usefixtures("kernels")
async def test_analysis_and_reviews(stage: Studio) -> None:
    """What perfect play says. It is worked out by another process, so no wait is cut short."""
    async with recording(stage, "analysis-and-reviews") as scene:
        ana, ben = await people(scene, 2)
        board = (await slash(scene, ana, "practice", cards=4)).shown
        doing = ana.slash("/gops analyse", mine="A 2 4", theirs="A 3 4", prize="2", left="A 3")
        await scene.step("Ana types /gops analyse", doing, skip=0)
        await press(scene, ana, "4", board)
        await press(scene, ana, "A", board)
        await press(scene, ana, "2", board)
        await scene.step("Ana presses Review", ana.press("Review", in_=board), skip=0)
        await scene.caught_up()
        review = ana.finds(lambda one: "· review" in one.text and not one.has_button("Rematch"))[-1]
        for button in review.buttons:
            if button.custom_id and not button.disabled:
                await scene.step(f"Ana presses {button.label}", ana.press(button.label, in_=review), skip=0)
        await scene.caught_up()
        assert ben.finds("· review") != [], "it was shown to everyone"
