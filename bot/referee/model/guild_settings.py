"""Settings of a server: each is declared in one place, by one of the kinds of values.

A kind says which values a field of `GuildSettings` takes, and how the card shows and changes it. The words of a
declaration are what players read. The catalogue makes sentences of them, so nothing else speaks them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, TypeVar

from bot.referee.model.model import Snowflake
from bot.referee.model.seasons import MONTHLY, OFF, QUARTERLY

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
    """Its name, which begins a line: "Result lines: on → off"."""
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


class IdSetting(Setting):
    """Id of a channel or role, 0 for none."""

    def accepts(self, value: object) -> bool:
        return type(value) is int and 0 <= value <= MOST_ID


class ChannelSetting(IdSetting):
    """Id of a channel."""


class RoleSetting(IdSetting):
    """Id of a role."""


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


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """Settings of one server. Each declaration is all that storage, checks, card and audit log need to know."""

    guild: Snowflake
    game: str = setting("classic", GameSetting("default game", about="**Default game**"))
    clock: int = setting(
        120, ClockSetting("default time", about="**Default time** for each bid", low=SHORTEST, high=LONGEST)
    )
    rated: bool = setting(True, SwitchSetting("rated by default"))
    place: str = setting(
        "dm",
        ChoiceSetting(
            "where players bid",
            about="**Where players bid**, if they choose nothing else",
            values={"dm": "in DMs", "channel": "in the channel, by private buttons", "board": "on the board"},
        ),
    )
    """The first two are defaults of players, who can choose for themselves; a match is on the board for all."""
    boards: int = setting(
        8,
        NumberSetting(
            "boards a channel",
            about="**Boards** in one channel, at most",
            label="Boards",
            high=25,
            offered=(1, 2, 4, 8, 12, 16, 25),
        ),
    )
    matches: int = setting(10, NumberSetting("running matches a player", card="", high=50))
    channels: tuple[Snowflake, ...] = setting(
        (),
        ChannelsSetting(
            "channels", about="**Channels** for GOPS: none chosen means all", values={"none": "everywhere"}
        ),
    )
    roles: tuple[Snowflake, ...] = setting(
        (),
        RolesSetting(
            "roles", about="**Roles** that can play: none chosen means everybody", values={"none": "everybody"}
        ),
    )
    result_lines: bool = setting(True, SwitchSetting("result lines"))
    cards: str = setting(
        "faces",
        ChoiceSetting(
            "card faces",
            values={
                "symbols": "text",
                "letters": "letters",
                "faces": "pictures",
                "safe": "pictures for the colour-blind",
            },
        ),
    )
    options: str = setting("", RulesSetting("rules", card="", values={"none": "default"}))
    """Rules of the default game, for challenges that name no game."""
    log: Snowflake = setting(
        0,
        ChannelSetting(
            "mod log",
            about="**Mod log channel**",
            values={"none": "nowhere"},
            column="log_channel",
        ),
    )
    version: int = 0
    """Incremented by each change."""
    seasons: str = setting(
        OFF,
        ChoiceSetting(
            "seasons",
            card="league",
            about="**Seasons**: at the end of a season the ranking is saved and every season rating moves halfway back"
            " to the start. All-time ratings continue.",
            values={OFF: "off", MONTHLY: "monthly", QUARTERLY: "quarterly"},
        ),
    )
    champions: Snowflake = setting(
        0,
        ChannelSetting(
            "champions channel",
            card="league",
            about="**Champions**: a channel that names them when a season ends",
            values={"none": "nowhere"},
        ),
    )
    bands: tuple[Band, ...] = setting((), BandsSetting("roles by rating", card="", values={"none": "none"}))
    """Highest first."""
    threads: bool = setting(False, SwitchSetting("boards in threads"))
    daily: Snowflake = setting(
        0,
        ChannelSetting(
            "daily channel",
            about="**Daily deal**: a channel in which I post it each day",
            values={"none": "no channel"},
            column="daily_channel",
        ),
    )
    waiting: Snowflake = setting(
        0,
        ChannelSetting(
            "search channel",
            card="league",
            about="**Search channel**: where people see who waits for an opponent, and are paired",
            values={"none": "where they search"},
            column="waiting_channel",
        ),
    )
    search_role: Snowflake = setting(
        0,
        RoleSetting(
            "search role",
            card="league",
            about="**Search role**: a role that I ping when a player waits, at most once an hour",
            values={"none": "nobody"},
        ),
    )


SETTINGS: Mapping[str, Setting] = {
    one.name: one.metadata["setting"] for one in fields(GuildSettings) if "setting" in one.metadata
}
"""Declaration of each setting by the name of its field."""


def with_band(bands: Sequence[Band], role: Snowflake, least: int | None) -> tuple[Band, ...]:
    """Return the bands with this role from `least` on; without it if `least` is None."""
    others = [band for band in bands if band.role != role]
    return tuple(sorted((*others, *([] if least is None else [Band(least, role)])), reverse=True))
