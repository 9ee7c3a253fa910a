"""Ana and Ben play with the page alone."""

import asyncio
import re
from itertools import pairwise

import pytest
from playwright.async_api import Route, expect

from tests.page.house import SLOW, House, Window, drawer

pytestmark = pytest.mark.asyncio(loop_scope="session")  # where the browser is


async def accepted(ana: Window, ben: Window, cards: int) -> None:
    await ana.challenge("Ben", cards=cards)
    await ben.sees("challenges you")
    await ben.press("Accept")
    await ana.sees("round 1 of")


async def bid(one: Window, other: Window, number: int, mine: str, theirs: str) -> None:
    """A round: both have the console of this round before them, and each presses a card."""
    for window, card in ((one, mine), (other, theirs)):
        await has_turn(window, number)
        await window.press(card)


async def has_turn(window: Window, number: int) -> None:
    await window.sees(re.compile(rf"against.*round {number} of.*Your turn", re.DOTALL))


async def headings_in_order(window: Window) -> None:
    """No heading skips a level: what axe calls heading-order."""
    found = await window.page.locator("h1, h2, h3, h4, h5, h6").evaluate_all("all => all.map(one => +one.tagName[1])")
    assert len(found) > 3
    skipped = [(before, level) for before, level in pairwise(found) if level > before + 1]
    assert skipped == [], found


async def test_whole_match_can_be_played_on_the_page(house: House) -> None:
    ana, ben = await house.pair()
    await accepted(ana, ben, 13)
    await ana.go("@GOPS")
    await ben.go("@GOPS")
    label = {1: "A", 11: "J", 12: "Q", 13: "K"}
    for number in range(1, 13):
        mine, theirs = label.get(number, str(number)), label.get(number + 1, str(number + 1))
        await bid(ana, ben, number, mine, theirs)
    await headings_in_order(ana)
    await ana.go("#games")
    await ana.sees(re.compile(r"Ben.? wins"))
    await headings_in_order(ana)
    await ana.press("More")
    await ana.press("Replay")
    replay = await ana.sees("Nothing has been revealed yet.")
    await headings_in_order(ana)
    await expect(replay).to_contain_text("Only you can see this")
    await expect(ben.pane.get_by_text("Nothing has been revealed yet.")).to_have_count(0)
    await replay.get_by_role("button", name="Dismiss message").click()
    await expect(ana.pane.get_by_text("Nothing has been revealed yet.")).to_have_count(0)


async def test_challenge_can_be_declined_or_expires(house: House) -> None:
    ana, ben = await house.pair()
    await ana.challenge("Ben")
    await ben.sees("challenges you")
    await ben.press("Decline")
    await ana.sees(re.compile(r"Ben.? declined\."))
    await ben.challenge("Ana")
    await ana.sees("challenges you")
    tools = await drawer(ana.page)
    await expect(tools).to_contain_text(re.compile(r"The next deadline is in \d+ minutes"))
    await tools.get_by_role("button", name="To the next deadline").click()
    await ana.sees(re.compile(r"Ana.? did not answer .?Ben.?'s challenge in time\."))
    await ben.sees(re.compile(r"Ana.? did not answer .?Ben.?'s challenge in time\."))


async def test_match_can_be_played_with_dms_closed(house: House) -> None:
    ana, ben = await house.pair()
    tools = await drawer(ana.page)
    for name in ("Ana", "Ben"):
        await tools.get_by_role("checkbox", name=f"{name} takes direct messages").uncheck()
    await tools.press("Escape")
    await accepted(ana, ben, 3)
    for number, (mine, theirs) in enumerate((("A", "2"), ("2", "3")), 1):
        for window in (ana, ben):
            await window.sees(re.compile(rf"and .?Ben.? · round {number} of 3"))  # the board, later than the console
            consoles = window.pane.locator("li.message.ephemeral")
            before = await consoles.get_attribute("data-message") if number > 1 else None
            await window.press("Bid")
            await expect(window.pane.locator(f'[data-message="{before}"]')).to_have_count(0)
        await bid(ana, ben, number, mine, theirs)
    await ana.sees(re.compile(r"\d–\d"))
    await expect(ana.pane.get_by_role("button", name="@GOPS")).to_have_count(0)


async def test_match_goes_on_after_the_bot_is_killed(house: House) -> None:
    ana, ben = await house.pair()
    await accepted(ana, ben, 3)
    await ana.go("@GOPS")
    await ben.go("@GOPS")
    await ana.press("A")
    await ana.sees("A is sealed")
    tools = await drawer(ana.page)
    await tools.get_by_role("button", name="Kill").click()
    await expect(ana.page.locator("#banner")).to_contain_text("was killed (SIGKILL)")
    await expect(ana.page.locator("#banner")).to_be_hidden(timeout=SLOW)
    await house.connected(ana.page)
    await ben.press("2")
    await bid(ana, ben, 2, "2", "3")
    await ana.sees("Rematch")


async def test_page_says_that_the_bot_is_off_until_it_is_back(house: House) -> None:
    ana, ben = await house.pair()
    await accepted(ana, ben, 3)
    tools = await drawer(ana.page)
    await tools.get_by_role("button", name="Stop").click()
    await house.connected(ana.page, up=False)
    await ana.press("All cards")
    await ana.sees("This interaction failed")
    await ben.composer.click()
    await ben.type("/gops games \n")
    await expect(ben.pane.locator(".pending")).to_contain_text("The application did not respond", timeout=SLOW)
    await tools.get_by_role("button", name="Start").click()
    await house.connected(ana.page)
    await ana.press("All cards")
    await expect(ana.pane.locator(".message.ephemeral")).to_have_count(1)
    await ana.page.reload()
    await house.connected(ana.page)
    await ana.sees("round 1 of 3")
    await expect(ana.pane.get_by_text("This interaction failed")).to_have_count(0)


async def test_wrong_command_is_refused_in_the_composer(house: House) -> None:
    ana, _ = await house.pair()
    await ana.challenge("Ben", cards=77)
    refused = ana.pane.get_by_role("alert").filter(has_text='"cards" must be between 2 and 25.')
    await expect(refused).to_be_visible()
    field = ana.pane.get_by_role("textbox", name=re.compile("^cards")).or_(
        ana.pane.get_by_role("combobox", name=re.compile("^cards"))
    )
    await expect(field).to_have_attribute("aria-invalid", "true")
    await field.fill("5")
    await field.press("Enter")
    await ana.sees("5 cards")
    await ana.composer.click()
    await ana.type("/gops nonsense\n")
    await expect(ana.pane.get_by_role("alert").filter(has_text="no such command")).to_be_visible()


async def test_composer_completes_commands_options_choices_and_people(house: House) -> None:
    """The choices of the bot are completed, too."""
    ana, _ = await house.pair()
    await ana.composer.click()
    await ana.type("/chal")
    offered = ana.pane.get_by_role("option")
    await expect(offered).to_have_count(1)
    await expect(offered).to_contain_text("Challenge someone to a match")
    await ana.page.keyboard.press("Tab")
    await expect(offered.filter(has_text="Ben")).to_be_visible()
    await offered.filter(has_text="Ben").click()
    await expect(offered.filter(has_text="Cards in each hand")).to_be_visible()
    await ana.type("game:clas")
    await expect(offered.first).to_contain_text("Classic")
    await ana.page.keyboard.press("Tab")
    await ana.type("ties:stays")
    await expect(offered.first).to_contain_text("The prize stays in the pot")
    await ana.page.keyboard.press("Enter")
    await ana.page.keyboard.press("Enter")
    await ana.sees(re.compile("Classic.*stays in the pot", re.DOTALL))


async def test_match_can_be_played_by_keyboard(house: House) -> None:
    """A match of three cards needs no mouse; the focus stays on the pressed key."""
    ana, ben = await house.pair()
    keyboard = ana.page.keyboard

    async def reach(window: Window, name: str) -> None:
        """Tab until a button of this window has the focus."""
        for _ in range(80):
            await keyboard.press("Tab")
            there = await window.page.evaluate(
                "([pane, name]) => { const a = document.activeElement;"
                ' return a.closest(`[aria-label="${pane}\'s window"]`) !== null'
                " && new RegExp(name).test(a.getAttribute('aria-label') || a.textContent); }",
                [window.name, name],
            )
            if there:
                return
        raise AssertionError(f"{name} cannot be reached with Tab")

    await reach(ana, "^Message #games")
    await ana.type("/gops chal")
    await expect(ana.pane.get_by_role("option").filter(has_text="/gops challenge")).to_be_visible()
    await ana.type("\nBen")
    await expect(ana.pane.get_by_role("option").filter(has_text="Ben")).to_be_visible()
    await ana.type("\ncards:3\n")
    await ben.sees("challenges you")
    await reach(ben, "^Accept$")
    await keyboard.press("Enter")
    await ana.sees("round 1 of 3")
    for window in (ana, ben):
        await reach(window, "^@GOPS")
        await keyboard.press("Enter")
    for number, (mine, theirs) in enumerate((("A", "2"), ("2", "3")), 1):
        for window, card in ((ana, mine), (ben, theirs)):
            await window.sees(re.compile(rf"against.*round {number} of.*Your turn", re.DOTALL))
            await reach(window, f"^{card}$")
            await keyboard.press("Enter")
            if window is ana:
                await ana.sees(f"{card} is sealed")
                focused = ana.page.locator("*:focus")
                await expect(focused).to_have_text(f"✔ {card}")
    await ana.sees("Rematch")


async def test_enter_before_commands_are_loaded_takes_the_first_match(house: House) -> None:
    ana = Window(await house.open("?as=Ana"), "Ana")
    come = asyncio.Event()

    async def later(route: Route) -> None:
        await come.wait()
        await route.continue_()

    await ana.page.route("**/commands", later)
    await ana.page.reload()
    await ana.composer.click()
    await ana.type("/gops chal\n")
    come.set()
    await expect(ana.pane.get_by_role("combobox", name=re.compile("^opponent"))).to_be_focused()


async def test_page_of_a_person_holds_no_secrets_of_others(house: House) -> None:
    """No ephemeral and no DM of Ana is in Ben's window, document or websocket frames."""
    ana = Window(await house.open("?as=Ana"), "Ana")
    ben = Window(await house.open("?as=Ben"), "Ben")
    await expect(ana.page.get_by_role("region")).to_have_count(1)
    await accepted(ana, ben, 13)
    await ana.press("Bid")
    await ana.press("7")
    await ana.sees("7 is sealed")
    ids = await ana.page.locator("li.message.ephemeral").evaluate_all("all => all.map(one => one.dataset.message)")
    assert ids
    await ana.go("@GOPS")
    await ana.sees(re.compile("against .?Ben"))
    direct = await ana.messages.evaluate_all("all => all.map(one => one.dataset.message)")
    assert direct
    await ben.go("@GOPS")
    await ben.sees(re.compile("against .?Ana"))
    heard = "\n".join(house.frames[ben.page])
    document = await ben.page.content()
    assert "against \u2068Ana" in document
    assert "round 1 of 13" in heard
    for secret in (*ids, *direct, "7 is sealed", "against \u2068Ben", "against \\u2068Ben"):
        assert secret not in heard
        assert secret not in document


async def test_hostile_names_stay_text(house: House) -> None:
    name = "<img src=x onerror=alert(1)>"
    page = await house.open(f"?people=Ana,{name.replace(' ', '%20')}")
    ana = Window(page, "Ana")
    await ana.composer.click()
    await ana.type("<b>**bold**</b> ||<script>1</script>|| [x](javascript:1)\n")
    found = await ana.sees("<b>bold</b>")
    await expect(found.locator("strong")).to_have_text("bold")
    await expect(found).to_contain_text("[x](javascript:1)")
    await ana.composer.click()
    await ana.type(f"/gops challenge {name[:20]}")
    await expect(ana.pane.get_by_role("option").filter(has_text=name)).to_be_visible()
    await ana.type("\n\n")
    await ana.sees("onerror=alert(1)")
    assert await page.locator("img:not(.emoji), script:not([src])").count() == 0


async def test_press_on_a_channel_survives_arriving_messages(house: House) -> None:
    ana, ben = await house.pair()
    await ana.challenge("Ben", cards=3)
    await ben.sees("challenges you")
    await ben.press("Accept")
    await ben.go("@GOPS")
    channel = ben.pane.get_by_role("button", name=re.compile("^#games"))
    await channel.hover()
    await ben.page.mouse.down()
    await ana.composer.focus()  # one mouse for both, and Ben has it
    await ana.type("/gops challenge Ben")
    await ana.page.keyboard.press("Enter")
    await ana.type("cards:2")
    await ana.page.keyboard.press("Enter")
    await expect(channel).to_have_accessible_name(re.compile("unread"))
    await ben.page.mouse.up()
    await expect(channel).to_have_attribute("aria-current", "page")


async def test_narrow_window_shows_one_person_at_a_time(house: House) -> None:
    page = await house.open(width=340, height=700)
    ana, ben = Window(page, "Ana"), Window(page, "Ben")
    await ana.challenge("Ben")
    await expect(ben.pane).to_be_hidden()
    await page.get_by_role("navigation", name="People").get_by_role("button", name="Ben").click()
    await expect(ana.pane).to_be_hidden()
    await ben.sees("challenges you")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
