"""Settings of a server: two moderators at once lose no change, and every change is in the audit log."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.errors import RefereeError
from bot.referee.lobby.setups import Wish, make_setup
from bot.referee.model.guild_settings import SETTINGS, GuildSettings
from bot.referee.model.participant import Person
from bot.referee.model.people import Audit
from bot.referee.referee import Referee
from bot.referee.server.deciding import usual_rules
from tests.referee.stage import ANA, BEN, HERE, Table

GUILD = HERE.guild


async def change(table: Table, seen: int = 0, by: Person = ANA, **fields: Any) -> list[tuple[str, str, str]]:
    """Change settings and return the audited field, the value before and the value after."""
    audits = await table.referee.deciding.change(GUILD, by, seen, **fields)
    return [(one.what, one.before, one.after) for one in audits]


async def test_change_of_a_setting_is_saved_and_audited(table: Table) -> None:
    assert await change(table, clock=300) == [("clock", "120", "300")]
    assert await change(table, 1, BEN, channels=(5, 3)) == [("channels", "[]", "[5, 3]")]
    assert await table.store.guild(GUILD) == GuildSettings(GUILD, clock=300, channels=(5, 3), version=2)
    now = table.clock.now()
    second, first = await table.store.audits(GUILD, 9)
    assert first == Audit(GUILD, now, ANA.user, "clock", "120", "300", 1)
    assert second == Audit(GUILD, now, BEN.user, "channels", "[]", "[5, 3]", 2)
    assert await table.store.name_of(GUILD, BEN.user) == "Ben", "who did it can be named"


async def test_setting_the_same_value_is_no_change(table: Table) -> None:
    assert await change(table, clock=120, rated=True) == []
    assert (await table.store.guild(GUILD)).version == 0


async def test_two_moderators_with_the_same_card_lose_no_change(table: Table) -> None:
    """Different settings are both saved; for the same setting the second moderator gets a refusal."""
    await change(table, 0, ANA, clock=300)
    await change(table, 0, BEN, boards=4)
    assert await table.store.guild(GUILD) == GuildSettings(GUILD, clock=300, boards=4, version=2)
    with pytest.raises(RefereeError) as refusal:
        await change(table, 0, BEN, clock=60)
    assert (refusal.value.id, refusal.value.data) == ("settings-moved", {"what": "clock"})
    assert (await table.store.guild(GUILD)).clock == 300
    await change(table, 2, BEN, clock=60)
    assert (await table.store.guild(GUILD)).clock == 60


async def test_two_processes_changing_settings_at_once_lose_no_change(table: Table) -> None:
    """The second process reads the settings again before it writes."""
    other = Referee(table.store, table.clock, table.referee.repository.entropy)
    await asyncio.gather(
        *(
            referee.deciding.change(GUILD, ANA, 0, **{what: value})
            for referee, what, value in (
                (table.referee, "clock", 300),
                (other, "boards", 4),
                (table.referee, "rated", False),
                (other, "place", "board"),
            )
        )
    )
    wanted = GuildSettings(GUILD, clock=300, boards=4, rated=False, place="board", version=4)
    assert await table.store.guild(GUILD) == wanted
    assert {one.version for one in await table.store.audits(GUILD, 9)} == {1, 2, 3, 4}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("clock", value) for value in (0, 14, 7 * 24 * 3600 + 1, -1, "120", 120.5, True)),
        *(("boards", value) for value in (0, 26, True, "8")),
        *(("matches", value) for value in (0, 51, 10**30)),
        *(("place", value) for value in ("server", "auto", "own", "", "x" * 4000)),
        *(("cards", value) for value in ("emoji", None)),
        *((what, value) for what in ("rated", "result_lines") for value in (2, "yes")),
        ("channels", tuple(range(26))),
        ("log", -1),
        ("log", 2**63),
        ("game", "poker"),
        ("version", 9),
    ],
)
async def test_impossible_value_of_a_setting_is_refused(table: Table, field: str, value: Any) -> None:
    with pytest.raises(RefereeError, match=r"bad-value|no-such-game"):
        await change(table, **{field: value})
    assert await table.store.guild(GUILD) == GuildSettings(GUILD)
    assert await table.store.audits(GUILD, 9) == []


def test_every_setting_has_a_check_of_its_values() -> None:
    assert set(GuildSettings.__dataclass_fields__) - SETTINGS.keys() == {"guild", "version"}
    for what, setting in SETTINGS.items():
        assert setting.accepts(getattr(GuildSettings(GUILD), what)), what
        assert not setting.accepts(None), what


# --- the usual rules --------------------------------------------------------------------------------------


async def test_usual_rules_apply_when_a_challenge_names_no_game(table: Table) -> None:
    await change(table, options=usual_rules("classic", "Ties SPLIT,   10 cards,"))
    guild = await table.store.guild(GUILD)
    assert guild.options == "ties split, cards 10"
    usual = make_setup(Wish(), 2, guild).options
    assert (usual["cards"], usual["ties"]) == (10, "split")
    assert make_setup(Wish(cards=5), 2, guild).options["cards"] == 5
    assert make_setup(Wish(words="cards 6"), 2, guild).options["cards"] == 6
    assert make_setup(Wish(game="classic"), 2, guild).options.get("cards", 13) == 13
    lobby = await table.referee.challenges.open(HERE, ANA, (BEN,), Wish())
    assert lobby.setup.options["ties"] == "split"


async def test_usual_rules_are_dropped_when_the_new_game_lacks_them(table: Table) -> None:
    await change(table, options=usual_rules("classic", "10 cards"))
    assert await change(table, 1, game="sops") == [("game", '"classic"', '"sops"')]
    assert await change(table, 2, game="welsh") == [("game", '"sops"', '"welsh"'), ("options", '"cards 10"', '""')]


@pytest.mark.parametrize(
    "words",
    [
        "nonsense",
        "cards 26",
        "cards -1",
        "x" * 4000,
        "blind, random-public",
        "'; DROP TABLE guilds; --",
        "\u202e\0",
        "{x}",
    ],
)
def test_unplayable_usual_rules_are_refused(words: str) -> None:
    with pytest.raises(RefereeError):
        usual_rules("classic", words)


def test_usual_rules_too_long_for_a_button_are_refused() -> None:
    listed = "order " + " ".join(map(str, range(25, 0, -1)))
    with pytest.raises(RefereeError, match="rules-long"):
        usual_rules("classic", f"{listed}, cards 25")
