"""Messages as the page draws them."""

import re

import pytest
from playwright.async_api import expect

from tests.page.scene import PIXEL, Scene

pytestmark = pytest.mark.asyncio(loop_scope="session")  # where the browser is

V2 = 1 << 15
MARKDOWN = """# One
## Two
### Three
-# small **bold** *slanted* __under__ ~~gone~~ ||hidden||
`code` 🔒 🟩 \\*plain\\* [link](https://example.com/a) <https://example.com/b> snake_case_name <t:{now}:R> <t:0:d>
1. first
2. **second**
- dot
  - inside
    1. deeper
- again
> quoted <@&{role}>
```py
x = "**no**"
```"""


async def test_markdown_is_drawn(scene: Scene) -> None:
    guild = next(iter(scene.playground.core.world.guilds.values()))
    now = int(scene.playground.core.clock.time())
    await scene.post(content=MARKDOWN.format(now=now + 7200, role=guild.id))
    one = await scene.ana.sees("snake_case_name")
    for level, text in (("h1", "One"), ("h2", "Two"), ("h3", "Three")):
        await expect(one.locator(level)).to_have_text(text)
    await expect(one.locator("small")).to_have_text(re.compile("^small bold slanted under gone"))
    for tag, text in (
        ("strong", "bold"),
        ("em", "slanted"),
        ("u", "under"),
        ("s", "gone"),
        ("blockquote", "quoted @everyone"),
    ):
        await expect(one.locator(tag).first).to_have_text(text)
    await expect(one.locator("p > code")).to_have_text("code")
    for drawn in "🔒🟩":
        assert await one.get_by_role("img", name=drawn).evaluate("one => one.decode().then(() => one.naturalWidth)")
    await expect(one.locator("pre")).to_have_text('x = "**no**"')
    await expect(one).to_contain_text("*plain*")
    await expect(one.locator(".text > ol > li")).to_have_text(["first", "second"])
    await expect(one.locator(".text > ul > li")).to_have_text([re.compile("^dot"), "again"])
    await expect(one.locator("ul > li > ul > li > ol > li")).to_have_text(["deeper"])
    await expect(one.get_by_role("link", name="link")).to_have_attribute("href", "https://example.com/a")
    await expect(one.locator("time[data-ticks]")).to_have_text("in 2 hours")
    await scene.forward(14400)
    await expect(one.locator("time[data-ticks]")).to_have_text("2 hours ago")
    await one.get_by_role("button", name="Spoiler").click()
    await expect(one.get_by_role("button", name="Spoiler")).to_have_count(0)


async def test_components_files_and_embeds_are_drawn(scene: Scene) -> None:
    body = """{"flags": 32768, "components": [{"type": 17, "accent_color": 5793266, "components": [
      {"type": 9, "components": [{"type": 10, "content": "### Title\\nbeside a picture"}],
       "accessory": {"type": 11, "media": {"url": "attachment://a.png"}, "description": "a dark dot"}},
      {"type": 14, "divider": true, "spacing": 2},
      {"type": 12, "items": [{"media": {"url": "attachment://a.png"}, "description": "one"},
                             {"media": {"url": "attachment://a.png"}, "description": "two", "spoiler": true}]},
      {"type": 13, "file": {"url": "attachment://b.txt"}}]}],
      "attachments": [{"id": 0, "filename": "a.png"}, {"id": 1, "filename": "b.txt"}]}"""
    await scene.post_files(body, a_png=PIXEL, b_txt=b"hello")
    one = await scene.ana.sees("beside a picture")
    await expect(one.get_by_role("img", name="a dark dot")).to_be_visible()
    await expect(one.get_by_role("img")).to_have_count(2)
    await one.get_by_role("button", name="Spoiler").click()
    await expect(one.get_by_role("img", name="two")).to_be_visible()
    await expect(one.get_by_role("link", name="b.txt")).to_have_attribute("download", "b.txt")
    await scene.post(
        embeds=[
            {
                "title": "An embed",
                "description": "with **text**",
                "color": 255,
                "fields": [{"name": "left", "value": "1", "inline": True}, {"name": "right", "value": "2"}],
                "footer": {"text": "the end"},
            }
        ]
    )
    embed = (await scene.ana.sees("An embed")).locator(".embed")
    await expect(embed).to_contain_text("the end")
    await expect(embed.locator("dt")).to_have_text(["left", "right"])


async def test_selects_and_modals_can_be_used(scene: Scene) -> None:
    names = ("Red", "Green", "Blue")
    options = [{"label": name, "value": name.lower(), "description": f"about {name}"} for name in names]
    rows = [
        [{"type": 3, "custom_id": "one", "placeholder": "Pick a colour", "options": options}],
        [{"type": 3, "custom_id": "many", "placeholder": "Pick some", "options": options, "max_values": 2}],
        [{"type": 5, "custom_id": "who", "placeholder": "Pick somebody"}],
        [{"type": 2, "style": 1, "label": "Write", "emoji": {"name": "✏️"}, "custom_id": "write"}],
    ]
    await scene.post(content="choose", components=[{"type": 1, "components": one} for one in rows])
    one = await scene.ana.sees("choose")
    keyboard = scene.ana.page.keyboard
    await one.get_by_role("combobox", name="Pick a colour").focus()
    for key in ("Enter", "ArrowDown", "Enter"):
        await keyboard.press(key)
    assert (await scene.answer(type=6))["data"]["values"] == ["green"]
    await one.get_by_role("combobox", name="Pick some", exact=True).click()
    for name in ("Red", "Blue"):
        await one.get_by_role("option", name=name).click()
    await keyboard.press("Tab")
    assert (await scene.answer(type=6))["data"]["values"] == ["red", "blue"]
    await one.get_by_role("combobox", name="Pick somebody").click()
    await one.get_by_role("option", name="Ana").click()
    assert [one["username"] for one in (await scene.answer(type=6))["data"]["resolved"]["users"].values()] == ["Ana"]

    await one.get_by_role("button", name="Write").click()
    fields = [
        {"type": 18, "label": "Your words", "component": {"type": 4, "custom_id": "words", "style": 2}},
        {"type": 18, "label": "A colour", "component": {"type": 3, "custom_id": "colour", "options": options}},
    ]
    await scene.answer(type=9, data={"title": "Tell me", "custom_id": "form", "components": fields})
    dialog = scene.ana.page.get_by_role("dialog", name="Tell me")
    await dialog.get_by_label("Your words").fill("hello")
    await dialog.get_by_role("combobox").click()
    await dialog.get_by_role("option", name="Blue").click()
    await dialog.get_by_role("button", name="Submit").click()
    made = await scene.answer(type=4, data={"content": "thank you", "flags": 64})
    told = [one["component"] for one in made["data"]["components"]]
    assert [told[0]["value"], told[1]["values"]] == ["hello", ["blue"]]
    await expect(dialog).to_have_count(0)
    await expect(await scene.ana.sees("thank you")).to_contain_text("Only you can see this")


async def test_edited_message_keeps_its_place_and_shows_new_components(scene: Scene) -> None:
    first = await scene.post(content="plain", components=[])
    await scene.post(content="after")
    await scene.ana.sees("after")
    body = {"content": None, "flags": V2, "components": [{"type": 10, "content": "## grown"}]}
    await scene.bot.call("PATCH", f"/channels/{scene.channel}/messages/{first}", body)
    await scene.ana.sees("grown")
    await expect(scene.ana.messages.first.locator("h2")).to_have_text("grown")
    await expect(scene.ana.messages).to_have_count(2)
    await scene.bot.call("DELETE", f"/channels/{scene.channel}/messages/{first}")
    await expect(scene.ana.messages).to_have_count(1)
