"""Kinds of server settings: which values a field of `GuildSettings` takes, and how the card shows and changes it.

The words of a declaration are what players read. The catalogue makes sentences of them, so nothing else speaks them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from bot.referee.model.model import Snowflake

T = TypeVar("T")

SHORTEST, LONGEST = 15, 7 * 24 * 3600
"""Limits of a clock in seconds."""
MOST_CHOSEN = 25
"""Channels or roles that one setting can list."""
MOST_BANDS = 10
LOWEST, HIGHEST = 1, 9999
"""Limits of the rating from which a role is given."""
MOST_ID = 2**63 - 1


class Band(NamedTuple):
    """A role for ratings of at least some number."""

    least: int
    role: Snowflake


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Declaration of one setting. Each subclass is one kind of value with its control."""

    words: str = field(kw_only=False)
    """Its name in a sentence: "result lines" in "Saved: result lines off."."""
    card: str = "settings"
    """Card with its control: "settings" or "league"; empty if a form or a card of its own changes it."""
    about: str = ""
    """Text above its menu. A setting without one is a button."""
    label: str = ""
    """Name of its menu or button, by default its words with a capital."""
    values: Mapping[str, str] = field(default_factory=dict[str, str])
    """Words for single values, by key."""
    column: str = ""
    """Column of the table `guilds`, by default the name of the field."""

    @property
    def range(self) -> str:
        """Name the accepted values in a refusal."""
        return "one of those offered"

    def accepts(self, value: object) -> bool:
        """Return True if the setting can have this value."""
        return isinstance(value, str)


class GameSetting(Setting):
    """Key of a game, chosen from a menu."""


class RulesSetting(Setting):
    """Options of the game in words, typed in a form."""


@dataclass(frozen=True, kw_only=True)
class SwitchSetting(Setting):
    """On or off, toggled by a button."""

    values: Mapping[str, str] = field(default_factory=lambda: {"on": "on", "off": "off"})

    def accepts(self, value: object) -> bool:
        return isinstance(value, bool)


@dataclass(frozen=True, kw_only=True)
class ChoiceSetting(Setting):
    """One of `values`: chosen from a menu, or in turn by a button."""

    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    """Labels of the menu that are not the words with a capital."""

    def accepts(self, value: object) -> bool:
        return value in self.values


@dataclass(frozen=True, kw_only=True)
class NumberSetting(Setting):
    """A whole number, chosen from a menu or typed in a form."""

    low: int = 1
    high: int
    offered: tuple[int, ...] = ()

    @property
    def range(self) -> str:
        return f"{self.low} to {self.high}"

    def accepts(self, value: object) -> bool:
        return type(value) is int and self.low <= value <= self.high


class ClockSetting(NumberSetting):
    """A clock."""

    @property
    def range(self) -> str:
        return "15 seconds to 7 days"


class ChannelSetting(Setting):
    """Id of a channel, 0 for none."""

    def accepts(self, value: object) -> bool:
        return type(value) is int and 0 <= value <= MOST_ID


class SeveralSetting(Setting):
    """Ids of several channels or roles."""

    def accepts(self, value: object) -> bool:
        return isinstance(value, tuple) and len(value) <= MOST_CHOSEN  # pyright: ignore[reportUnknownArgumentType]


class ChannelsSetting(SeveralSetting):
    """Ids of channels; empty means all of them."""


class RolesSetting(SeveralSetting):
    """Ids of roles; empty means everybody."""


class BandsSetting(Setting):
    """Roles by rating, changed on a card of their own."""

    def accepts(self, value: object) -> bool:
        """Return True for bands in which no role and no rating occurs twice."""
        bands = [one for one in value if isinstance(one, Band)] if isinstance(value, tuple) else []  # pyright: ignore[reportUnknownVariableType]
        if value != tuple(bands) or len(bands) > MOST_BANDS:
            return False
        sound = all(LOWEST <= band.least <= HIGHEST and 1 <= band.role <= MOST_ID for band in bands)
        return sound and len(bands) == len({band.least for band in bands}) == len({band.role for band in bands})


def setting(default: T, kind: Setting) -> T:
    """Declare a field of `GuildSettings` with its default."""
    metadata: Mapping[str, Any] = {"setting": kind}
    return field(default=default, metadata=metadata)
