"""A small bot that uses what a game bot uses: `sample_bot.py ADDRESS TOKEN [HEARTBEAT_TIMEOUT]`."""

import asyncio
import contextlib
import io
import logging
import re
import sys

import aiohttp
import discord
import yarl
from discord import app_commands, gateway, http, ui

COLOURS = ["red", "green", "blue", "black"]


class Count(ui.DynamicItem[ui.Button], template=r"t1:count:(?P<n>\d+)"):
    """A button that counts its presses in its own custom id."""

    def __init__(self, n: int) -> None:
        super().__init__(ui.Button(label=f"Count {n}", custom_id=f"t1:count:{n}"))
        self.n = n

    @classmethod
    async def from_custom_id(cls, interaction, item, match: re.Match[str], /):
        return cls(int(match["n"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(content=f"counted {self.n + 1}", view=buttons(self.n + 1))


class Act(ui.DynamicItem[ui.Button], template=r"t1:act:(?P<what>\w+)"):
    """Buttons that each answer in their own way."""

    def __init__(self, what: str) -> None:
        super().__init__(ui.Button(label=what, custom_id=f"t1:act:{what}"))
        self.what = what

    @classmethod
    async def from_custom_id(cls, interaction, item, match: re.Match[str], /):
        return cls(match["what"])

    async def callback(self, interaction: discord.Interaction) -> None:
        answer = interaction.response
        match self.what:
            case "secret":
                await answer.send_message("just for you", view=buttons(0), ephemeral=True)
            case "later":
                await answer.defer()
                await interaction.edit_original_response(content="edited later")
            case "board":
                await answer.edit_message(content=None, view=board("turned into a board"))
            case "form":
                await answer.send_modal(Form())
            case "follow":
                await answer.send_message("first")
                message = await interaction.followup.send("second", wait=True)
                await message.edit(content="second, edited")
                await interaction.followup.send("hush", ephemeral=True)
            case "vanish":
                await answer.defer()
                await interaction.delete_original_response()
            case "sleep":
                pass


def buttons(n: int, *more: str) -> ui.View:
    view = ui.View(timeout=None)
    view.add_item(Count(n))
    for what in more:
        view.add_item(Act(what))
    return view


def board(text: str, *, picture: str | None = None) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    container = ui.Container(ui.TextDisplay(f"### {text}"), ui.Separator(), accent_colour=0x336699)
    if picture is not None:
        gallery = ui.MediaGallery(discord.MediaGalleryItem(picture, description="a chart"))
        container.add_item(gallery)
    row: ui.ActionRow[ui.LayoutView] = ui.ActionRow()
    row.add_item(Count(0)).add_item(Act("secret"))
    container.add_item(row)
    view.add_item(container)
    return view


class Form(ui.Modal, title="A form"):
    name = ui.TextInput(label="Name", custom_id="name", max_length=10)
    colour = ui.Label(
        text="Colour",
        component=ui.Select(custom_id="colour", options=[discord.SelectOption(label=one) for one in COLOURS]),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        colour = self.colour.component.values[0]  # type: ignore[union-attr]
        await interaction.response.send_message(f"form: {self.name.value} likes {colour}", ephemeral=True)


class Choices(ui.View):
    """One select of each kind."""

    @ui.select(placeholder="Colour", options=[discord.SelectOption(label=one) for one in COLOURS])
    async def colour(self, interaction: discord.Interaction, select: ui.Select) -> None:
        await interaction.response.edit_message(content=f"colour {select.values[0]}")

    @ui.select(cls=ui.UserSelect, placeholder="Who")
    async def who(self, interaction: discord.Interaction, select: ui.UserSelect) -> None:
        await interaction.response.edit_message(content=f"who {select.values[0].display_name}")

    @ui.select(cls=ui.ChannelSelect, placeholder="Where")
    async def where(self, interaction: discord.Interaction, select: ui.ChannelSelect) -> None:
        await interaction.response.edit_message(content=f"where {select.values[0].name}")

    @ui.select(cls=ui.RoleSelect, placeholder="Role")
    async def role(self, interaction: discord.Interaction, select: ui.RoleSelect) -> None:
        await interaction.response.edit_message(content=f"role {select.values[0].name}")


group = app_commands.Group(name="try", description="Try things")


@group.command(description="Say something back")
@app_commands.describe(text="What to say", times="How often")
async def say(interaction: discord.Interaction, text: str, times: app_commands.Range[int, 1, 5] = 1) -> None:
    await interaction.response.send_message(" ".join([text] * times), view=buttons(0))


@group.command(description="Greet somebody")
async def greet(interaction: discord.Interaction, who: discord.Member, quietly: bool = False) -> None:
    mentions = discord.AllowedMentions(users=[who], everyone=False, roles=False)
    await interaction.response.send_message(
        f"{who.mention}, {interaction.user.display_name} greets you",
        allowed_mentions=mentions,
        silent=quietly,
    )


@group.command(description="Show a set of buttons")
async def acts(interaction: discord.Interaction) -> None:
    names = ("secret", "later", "board", "form", "follow", "vanish", "sleep")
    view = ui.View(timeout=None)
    for name in names:
        view.add_item(Act(name))
    await interaction.response.send_message("choose an act", view=view)


@group.command(description="Show a set of selects")
async def choices(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("choose", view=Choices(timeout=None))


@group.command(description="Defer, then answer")
async def slow(interaction: discord.Interaction, hidden: bool = True, followup: bool = False) -> None:
    await interaction.response.defer(ephemeral=hidden, thinking=True)
    if followup:
        await interaction.followup.send("by followup at last")
    else:
        await interaction.edit_original_response(view=board("a board at last"))


@group.command(description="Pick a colour")
async def colour(interaction: discord.Interaction, name: str) -> None:
    await interaction.response.send_message(f"picked {name}", ephemeral=True)


@colour.autocomplete("name")
async def _complete(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=one, value=one) for one in COLOURS if one.startswith(current)]


@group.command(description="Read a file and send one back")
async def file(interaction: discord.Interaction, given: discord.Attachment) -> None:
    content = await given.read()
    await interaction.response.send_message(
        "a copy", file=discord.File(io.BytesIO(content.upper()), f"copy-{given.filename}")
    )
    picture = discord.File(io.BytesIO(b"\x89PNG\r\n\x1a\n" + b"\0" * 8 + b"\0\0\0\5\0\0\0\6"), "chart.png")
    await interaction.followup.send(view=board("with a chart", picture="attachment://chart.png"), file=picture)


@group.command(description="Write a direct message, which becomes a board")
async def dm(interaction: discord.Interaction) -> None:
    await interaction.response.defer(ephemeral=True)
    try:
        message = await interaction.user.send("a plain line in your DM", view=buttons(7))
    except discord.Forbidden as no:
        await interaction.edit_original_response(content=f"refused: {no.code}")
        return
    await message.edit(content=None, view=board("a board in your DM"))
    await interaction.edit_original_response(content="sent")


@group.command(description="Post in this channel with the bot's own token, so many times")
async def post(interaction: discord.Interaction, times: app_commands.Range[int, 1, 20] = 1) -> None:
    await interaction.response.defer(ephemeral=True)
    channel = interaction.client.get_partial_messageable(interaction.channel_id or 0)
    try:
        for number in range(times):
            await channel.send(f"post {number}", nonce=f"{interaction.id}-{number}"[-25:])
    except discord.HTTPException as no:
        await interaction.edit_original_response(content=f"refused: {no.status} {no.code}")
    except aiohttp.ClientError as broken:
        await interaction.edit_original_response(content=f"broken: {type(broken).__name__}")
    else:
        await interaction.edit_original_response(content="posted")


@app_commands.context_menu(name="Wave")
async def wave(interaction: discord.Interaction, member: discord.Member) -> None:
    await interaction.response.send_message(f"waved at {member.display_name}", ephemeral=True)


@app_commands.context_menu(name="Quote")
async def quote(interaction: discord.Interaction, message: discord.Message) -> None:
    await interaction.response.send_message(f"> {message.content}", ephemeral=True)


class SampleBot(discord.Client):
    def __init__(self, heartbeat_timeout: float) -> None:
        intents = discord.Intents(guilds=True, dm_messages=True)
        super().__init__(
            intents=intents,
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
            heartbeat_timeout=heartbeat_timeout,
        )
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(group)
        self.tree.add_command(wave)
        self.tree.add_command(quote)

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Count, Act)
        await self.tree.sync()


async def main(address: str, token: str, heartbeat_timeout: str = "60") -> None:
    http.Route.BASE = f"{address}/api/v10"
    gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(address.replace("http", "ws", 1)) / "gateway"
    discord.utils.setup_logging(level=logging.WARNING)
    async with SampleBot(float(heartbeat_timeout)) as bot:
        await bot.start(token)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main(*sys.argv[1:]))
