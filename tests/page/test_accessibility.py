"""Use by keyboard, by screen reader, with high contrast or without motion."""

import itertools
import re

import pytest
from playwright.async_api import expect

from tests.page.house import House, Window
from tests.page.scene import Scene

pytestmark = pytest.mark.asyncio(loop_scope="session")  # where the browser is

# What is added to a live region, as it comes.
TOLD = """
(node) => {
  const told = [];
  const hear = (all) => all.forEach((one) => one.addedNodes.forEach((each) => told.push(each.textContent)));
  new MutationObserver(hear).observe(node, { childList: true });
  return told;
}
"""
NAMELESS = """
[...document.querySelectorAll("button, a[href], input, [role=combobox], section, dialog, img:not([aria-hidden=true])")]
  .filter((one) => {
    const named = [one.getAttribute("aria-label"), one.textContent, one.alt, one.labels?.[0]?.textContent];
    return !named.join("").trim();
  })
  .map((one) => one.outerHTML)
"""
# Who speaks to the page says what stands on a button.
MISNAMED = """
(() => {
  const words = (text) => text.toLowerCase().replace(/[^\\p{L}\\p{N}]+/gu, " ").trim();
  return [...document.querySelectorAll(":is(button, a, [role=option])[aria-label]")]
    .filter((one) => !words(one.getAttribute("aria-label")).includes(words(one.textContent)))
    .map((one) => one.outerHTML);
})()
"""
# The level of each heading that a screen reader comes by.
READ_OUT = """
[...document.querySelectorAll("h1,h2,h3,h4,h5,h6")]
  .filter((one) => one.getClientRects().length)
  .map((one) => +one.tagName[1])
"""
GO = {"type": 2, "style": 1, "label": "Go", "custom_id": "go"}


async def test_screen_reader_announces_new_messages_and_own_edits(scene: Scene) -> None:
    live = scene.ana.pane.locator("[aria-live=polite]")
    told = await live.evaluate_handle(TOLD)
    await expect(scene.ana.pane.get_by_role("log")).to_have_attribute("aria-live", "off")
    first = await scene.post(content="### One\nof two", components=[{"type": 1, "components": [GO]}])
    path = f"/channels/{scene.channel}/messages/{first}"
    await scene.ana.sees("of two")
    assert await told.json_value() == ["Bot: One. of two"]
    await scene.bot.call("PATCH", path, {"content": "a tick"})
    await scene.ana.sees("a tick")
    await scene.ana.messages.get_by_role("button", name="Go").focus()
    await scene.bot.call("PATCH", path, {"content": "**what** came of it"})
    await scene.ana.sees("what came of it")
    assert (await told.json_value())[1:] == ["Bot: what came of it (edited)"]
    await expect(live).to_be_empty()  # so that nobody meets it again while reading


async def test_arrow_keys_move_between_messages(scene: Scene) -> None:
    for text in ("one", "two", "three"):
        await scene.post(content=text)
    await scene.ana.sees("three")
    keyboard = scene.ana.page.keyboard
    await scene.ana.pane.get_by_role("log").focus()
    focused = scene.ana.page.locator("*:focus")
    for key, text in (("ArrowUp", "three"), ("ArrowUp", "two"), ("ArrowUp", "one"), ("ArrowDown", "two")):
        await keyboard.press(key)
        await expect(focused).to_contain_text(text)
        outline = await focused.evaluate("one => getComputedStyle(one).outlineStyle")
        assert outline != "none"
    await keyboard.press("Tab")
    await expect(focused).to_have_text("Bot")  # the author, and then the other controls of the message
    await keyboard.press("Tab")
    await expect(focused).to_have_accessible_name("Apps for this message")
    # What is typed lands in the composer, wherever one is.
    await keyboard.press("h")
    await keyboard.type("ello")
    await expect(scene.ana.composer).to_have_value("hello")


async def test_every_control_has_an_accessible_name(house: House) -> None:
    """The windows and the drawer are checked."""
    ana, ben = await house.pair()
    await ana.challenge("Ben", cards=3)
    await ben.sees("challenges you")
    await ben.press("Accept")
    await ana.sees("round 1 of 3")
    await ana.press("Bid")
    await ana.press("2")
    await ana.sees("2 is sealed")
    await ana.composer.click()
    await ana.type("/gops preferences \n")
    await ana.sees("Your preferences")
    await ana.page.get_by_role("button", name="Control").click()
    assert await ana.page.evaluate(NAMELESS) == []
    await expect(ben.pane.locator(".badge")).to_be_visible()
    assert await ana.page.evaluate(MISNAMED) == [], "axe: label-content-name-mismatch"
    ids = await ana.page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert len(ids) == len(set(ids))
    own = ".bar h1, .pane :is(h1, h2, h3, h4, h5, h6):not([class^=md])"  # without those of messages
    headings = await ana.page.evaluate(f"[...document.querySelectorAll('{own}')].map((one) => one.tagName)")
    assert headings == ["H1", *(["H2"] * 4), *(["H2"] * 4)]  # of each window: what is open, two servers, the DMs
    for width in (1280, 400):
        await ana.page.set_viewport_size({"width": width, "height": 900})
        every = await ana.page.evaluate(READ_OUT)
        assert len(every) > 5
        assert all(after <= before + 1 for before, after in itertools.pairwise(every)), f"axe: heading-order, {width}"


async def test_every_channel_is_visible_on_a_phone(house: House) -> None:
    """The bot's DM comes last, and it has the cards."""
    page = await house.open(width=400)
    ana, ben = Window(page, "Ana"), Window(page, "Ben")
    await ana.challenge("Ben", cards=3)
    await page.get_by_role("button", name=re.compile("^Ben")).first.click()
    await ben.sees("challenges you")
    await ben.press("Accept")
    entries = ben.pane.get_by_role("navigation").get_by_role("button")
    await expect(entries.last).to_have_accessible_name(re.compile("^@GOPS"))
    for entry in await entries.all():
        await expect(entry).to_be_in_viewport(ratio=1)


async def test_selection_is_visible_without_colours_and_nothing_moves(house: House) -> None:
    page = await house.open()
    await page.emulate_media(forced_colors="active", reduced_motion="reduce")
    ana = Window(page, "Ana")
    here = ana.pane.get_by_role("button", name="#games")
    assert await here.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
    await ana.composer.click()
    await ana.type("/gops ")
    first = ana.pane.get_by_role("option").first
    await expect(first).to_have_css("outline-style", "solid")  # the list is redrawn while the person types
    await page.keyboard.press("Escape")
    moving = await page.evaluate(
        "[...document.querySelectorAll('*')].filter((one) => getComputedStyle(one).animationName !== 'none'"
        " || getComputedStyle(one).transitionDuration !== '0s').length"
    )
    assert moving == 0


async def test_text_has_enough_contrast_in_light_and_dark(house: House) -> None:
    """Every pair of colours of the page has a contrast of at least 4.5 to 1."""
    page = await house.open()
    pairs = [
        (text, ground)
        for text in ("--text", "--dim", "--bright", "--link", "--down")
        for ground in ("--panel", "--soft", "--private", "--pinged")
    ]
    pairs += [
        ("--dim", "--side"),
        ("--dim", "--ground"),
        ("--mention-text", "--mention"),
        ("--secondary-text", "--secondary"),
    ]
    pairs += [("#fff", one) for one in ("--primary", "--success", "--danger")]
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme)
        weak = [pair for pair in pairs if await page.evaluate(CONTRAST, list(pair)) < 4.5]
        assert weak == [], scheme
    ana = Window(page, "Ana")
    await ana.composer.click()
    await ana.type("/gops ")
    await expect(ana.pane.get_by_role("option", selected=True).locator("small")).to_be_visible()
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme)
        pair = await page.evaluate(CHOSEN)
        assert await page.evaluate(CONTRAST, pair) >= 4.5, f"what a chosen command does, {scheme}"


CHOSEN = """
() => {
  const chosen = document.querySelector(".suggest [aria-selected='true']");
  return [getComputedStyle(chosen.querySelector("small")).color, getComputedStyle(chosen).backgroundColor];
}
"""
"""Reads both colours at once, because each key replaces the list."""

CONTRAST = """
(pair) => {
  const style = getComputedStyle(document.documentElement);
  const light = (name) => {
    const node = document.body.appendChild(document.createElement("i"));
    node.style.color = name.startsWith("--") ? style.getPropertyValue(name) : name;
    const parts = getComputedStyle(node).color.match(/[\\d.]+/g).slice(0, 3).map((one) => one / 255);
    node.remove();
    const [r, g, b] = parts.map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [one, other] = pair.map(light).sort((a, b) => b - a);
  return (one + 0.05) / (other + 0.05);
}
"""
