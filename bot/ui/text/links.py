"""Where things are on Discord, to be clicked."""


def link_to(guild: int, channel: int, message: int | None = None) -> str:
    """Where a channel or message is."""
    place = f"https://discord.com/channels/{guild or '@me'}/{channel}"
    return f"{place}/{message}" if message else place
