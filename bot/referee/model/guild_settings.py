"""Settings of a server: each is declared in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from bot.referee.model.model import Snowflake
from bot.referee.model.seasons import MONTHLY, OFF, QUARTERLY
from bot.referee.model.setting_kinds import (
    LONGEST,
    SHORTEST,
    Band,
    BandsSetting,
    ChannelSetting,
    ChannelsSetting,
    ChoiceSetting,
    ClockSetting,
    GameSetting,
    NumberSetting,
    RolesSetting,
    RulesSetting,
    Setting,
    SwitchSetting,
    setting,
)


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """Settings of one server. Each declaration is all that storage, checks, card and audit log need to know."""

    guild: Snowflake
    game: str = setting("classic", GameSetting("game", about="**Game** when none is named"))
    clock: int = setting(120, ClockSetting("clock", about="**Clock** when none is named", low=SHORTEST, high=LONGEST))
    rated: bool = setting(True, SwitchSetting("rated by default"))
    console: str = setting(
        "dm",
        ChoiceSetting(
            "place to bid",
            about="**Place to bid**, for whoever chose none",
            values={"dm": "by DM", "channel": "behind the board's Bid", "auto": "by DM from 15 minutes a bid on"},
            labels={"channel": "Only behind the board's Bid"},
        ),
    )
    boards: int = setting(
        8,
        NumberSetting(
            "live boards a channel",
            about="**Live boards** a channel may have",
            label="Live boards",
            high=25,
            offered=(1, 2, 4, 8, 12, 16, 25),
        ),
    )
    matches: int = setting(10, NumberSetting("live matches a person", card="", high=50))
    channels: tuple[Snowflake, ...] = setting(
        (),
        ChannelsSetting("channels", about="**Channels**: none chosen means everywhere", values={"none": "everywhere"}),
    )
    roles: tuple[Snowflake, ...] = setting(
        (),
        RolesSetting(
            "roles", about="**Roles** that may play: none chosen means everybody", values={"none": "everybody"}
        ),
    )
    dms: bool = setting(True, SwitchSetting("DM consoles", values={"on": "allowed", "off": "not allowed"}))
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
    options: str = setting("", RulesSetting("rules", card="", values={"none": "as the game has it"}))
    """Rules of the default game, for challenges that name no game."""
    log: Snowflake = setting(
        0,
        ChannelSetting(
            "log",
            about="**Log**: a channel in which it is told what moderators do",
            values={"none": "nowhere"},
            column="log_channel",
        ),
    )
    version: int = 0
    """Incremented by each change."""
    place: str = setting(
        "own", ChoiceSetting("bids", values={"own": "each where they like it", "table": "on the board"})
    )
    """Default for matches that name no place to bid."""
    seasons: str = setting(
        OFF,
        ChoiceSetting(
            "seasons",
            card="league",
            about="**Seasons**: at the end of one its table is kept, and ratings begin anew, half of the way back to"
            " the start. All-time ratings go on beside it.",
            values={OFF: "off", MONTHLY: "monthly", QUARTERLY: "quarterly"},
        ),
    )
    champions: Snowflake = setting(
        0,
        ChannelSetting(
            "channel for champions",
            card="league",
            about="**Champions**: a channel in which they are told when a season ends",
            values={"none": "nowhere"},
        ),
    )
    bands: tuple[Band, ...] = setting((), BandsSetting("roles by rating", card="", values={"none": "none"}))
    """Highest first."""
    threads: bool = setting(False, SwitchSetting("boards in threads"))


SETTINGS: Mapping[str, Setting] = {
    one.name: one.metadata["setting"] for one in fields(GuildSettings) if "setting" in one.metadata
}
"""Declaration of each setting by the name of its field."""
