"""What the checks of `gops doctor` get, and what they return."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from importlib.metadata import version
from pathlib import Path
from typing import Any

import aiohttp

from bot.settings import Settings

REST = aiohttp.ClientTimeout(total=20)
USER_AGENT = f"DiscordBot (https://github.com/Rapptz/discord.py, {version('discord.py')})"
"""in the form that Discord demands: an address, and a version"""


class Severity(Enum):
    """Severity of a diagnosis; the value is in the output of `--json`."""

    WELL = "well"
    WARNING = "warning"
    """works now, and may fail later"""
    TROUBLE = "trouble"
    """does not work"""
    UNKNOWN = "unknown"
    """could not be checked"""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One finding, and what to do about it."""

    severity: Severity
    said: str
    do: str = ""


def well(said: str) -> Diagnosis:
    return Diagnosis(Severity.WELL, said)


def warning(said: str, do: str) -> Diagnosis:
    return Diagnosis(Severity.WARNING, said, do)


def trouble(said: str, do: str) -> Diagnosis:
    return Diagnosis(Severity.TROUBLE, said, do)


def unknown(said: str) -> Diagnosis:
    return Diagnosis(Severity.UNKNOWN, said)


class InvalidSettings(Exception):
    """The settings are invalid, so nothing else can be checked."""


class DiscordRefusal(Exception):
    """Discord did not answer with 200; `status` is 0 without an answer."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


ReadCommands = Callable[[bool], Awaitable[list[dict[str, Any]]]]
"""returns the slash commands of this bot, as JSON; True: for an application that users can install, too"""


@dataclass(slots=True)
class DoctorContext:
    """One bot: its settings, and answers of Discord to its token. Each path is requested once."""

    environment: Mapping[str, str]
    dotenv: Path
    commands: ReadCommands
    read: Settings | None = None
    problems: tuple[str, ...] = ()
    _answers: dict[str, Any] = field(default_factory=dict[str, Any])
    dates: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])
    """`Date` headers of Discord's answers, each with the local time"""

    @property
    def settings(self) -> Settings:
        if self.read is None:
            raise InvalidSettings
        return self.read

    @property
    def token(self) -> str:
        if not self.settings.token:
            raise DiscordRefusal(0, "DISCORD_TOKEN is not set")
        return self.settings.token

    async def ask(self, path: str, now: Callable[[], float]) -> Any:
        """Return the JSON that Discord answers to a GET request. Raises `DiscordRefusal`."""
        if path not in self._answers:
            self._answers[path] = await self._fetch(path, now)
        return self._answers[path]

    async def _fetch(self, path: str, now: Callable[[], float]) -> Any:
        headers = {"Authorization": f"Bot {self.token}", "User-Agent": USER_AGENT}
        try:
            async with aiohttp.ClientSession(timeout=REST, headers=headers) as session:
                began = now()
                async with session.get(f"{self.settings.api_url}{path}", allow_redirects=False) as answer:
                    self.dates.append((answer.headers.get("Date", ""), (began + now()) / 2))
                    if answer.status != 200:
                        raise DiscordRefusal(answer.status, f"Discord answers {answer.status} to {path}")
                    return await answer.json()
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            raise DiscordRefusal(0, f"Discord cannot be reached ({type(error).__name__})") from error


@dataclass(frozen=True, slots=True)
class DoctorCheck:
    """One check of `gops doctor`."""

    name: str
    about: str
    look: Callable[[DoctorContext], Awaitable[list[Diagnosis]]]
    fix: Callable[[DoctorContext], list[str]] | None = None
    """repairs what needs no decision; returns what it did"""
    of_file: bool = False
    """True if it needs the file of the database: PostgreSQL has none"""
