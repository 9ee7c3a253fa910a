"""All checks of `gops doctor`, in order. Each runs whatever the others found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from bot.errors import SettingsError
from bot.operate.doctor import channel_check, discord_checks, local_checks
from bot.operate.doctor.report import (
    Diagnosis,
    DiscordRefusal,
    DoctorCheck,
    DoctorContext,
    InvalidSettings,
    ReadCommands,
    unknown,
    well,
)
from bot.settings import load

CHECKS = (
    DoctorCheck("settings", "the settings are valid", local_checks.settings),
    DoctorCheck(
        "rights",
        "nobody else can read the token, the database and backups",
        local_checks.rights,
        local_checks.restrict_rights,
    ),
    DoctorCheck("token", "Discord takes the token", discord_checks.token),
    DoctorCheck("intents", "no privileged intent is switched on", discord_checks.intents),
    DoctorCheck("installs", "it can be installed only where it can play", discord_checks.installs),
    DoctorCheck("permissions", "the bot has its permissions in each server", discord_checks.permissions),
    DoctorCheck("channels", "the bot has its permissions in each chosen channel", channel_check.channels),
    DoctorCheck("commands", "Discord has the commands of this bot", discord_checks.commands),
    DoctorCheck("sessions", "Discord lets it connect again", discord_checks.sessions),
    DoctorCheck("endpoint", "commands and buttons arrive", discord_checks.endpoint),
    DoctorCheck("faces", "Discord has the pictures of the cards", discord_checks.faces),
    DoctorCheck("clock", "this machine's clock agrees with Discord's", discord_checks.clock),
    DoctorCheck("database", "one database is set", local_checks.database),
    DoctorCheck("server", "the PostgreSQL server answers, if one is set", local_checks.server),
    DoctorCheck("flush", "the disk saves a bid quickly", local_checks.flush, of_file=True),
    DoctorCheck("space", "the disk has enough space", local_checks.space, of_file=True),
    DoctorCheck("wal", "the write-ahead log is short", local_checks.log, of_file=True),
    DoctorCheck("migrations", "the database has this version", local_checks.migrations, of_file=True),
    DoctorCheck("integrity", "the database is not damaged", local_checks.integrity),
    DoctorCheck("worker", "the process that thinks for the house starts", local_checks.worker),
    DoctorCheck("backups", "there is a backup, and it was checked", local_checks.backups),
)


def read_context(environment: Mapping[str, str], dotenv: Path, commands: ReadCommands) -> DoctorContext:
    """Read the settings. `commands` returns the slash commands of this bot."""
    try:
        return DoctorContext(environment, dotenv, commands, load(environment, dotenv))
    except SettingsError as error:
        return DoctorContext(environment, dotenv, commands, problems=error.problems)


async def run_check(one: DoctorCheck, of: DoctorContext) -> Sequence[Diagnosis]:
    """Run one check. An error in it becomes a diagnosis."""
    try:
        if one.of_file and of.settings.server:
            return [well("the database is PostgreSQL, which has its own tools for that")]
        return await one.look(of)
    except InvalidSettings:
        return [unknown("correct the settings first")]
    except DiscordRefusal as refused:
        return [unknown(str(refused))]
    except Exception as error:  # the other checks still have to run
        return [unknown(f"this check failed: {type(error).__name__}: {error}")]
