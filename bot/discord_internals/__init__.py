"""Undocumented internals of discord.py that the bot uses. Any release may change them.

No other package may use internals. `tests/cogs/test_discord_internals.py` reads the sources for that, and covers each
name here, so that it fails with a release that changes one.
"""
