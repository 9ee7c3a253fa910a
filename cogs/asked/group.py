"""The one slash group. Every module of commands adds its own to it when it is imported."""

from discord import app_commands

gops = app_commands.Group(
    name="gops",
    description="Referee for GOPS and its relatives: sealed bids, fair deals, ratings",
    guild_only=False,
)
