"""The stand-in for Discord, against a real discord.py client in another process."""
