"""What the doctor is given, and what it says."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

import aiohttp

from bot.settings import Settings

REST = aiohttp.ClientTimeout(total=20)


class Severity(Enum):
    """How bad it is; the value is what `--json` says."""

    WELL = "well"
    WARNING = "warning"
    """it works, and may not for ever"""
    TROUBLE = "trouble"
    """it does not work as it should"""
    UNKNOWN = "unknown"
    """it could not be looked at"""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One thing that was looked at, and what to do about it."""

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
    """The settings do not hold, so there is nothing to look at."""


class DiscordRefusal(Exception):
    """Discord did not answer as it should: with this status, 0 for none."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


ReadCommands = Callable[[], Awaitable[list[dict[str, Any]]]]
"""returns the slash commands of this bot, as JSON"""


@dataclass(slots=True)
class DoctorContext:
    """One bot: its settings, and Discord as its token sees it. Each thing is asked for once."""

    environment: Mapping[str, str]
    dotenv: Path
    commands: ReadCommands
    read: Settings | None = None
    problems: tuple[str, ...] = ()
    _answers: dict[str, Any] = field(default_factory=dict[str, Any])
    dates: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])
    """what Discord's answers said of the time, and when that was here"""

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
        """What Discord answers to a call that changes nothing."""
        if path not in self._answers:
            self._answers[path] = await self._fetch(path, now)
        return self._answers[path]

    async def _fetch(self, path: str, now: Callable[[], float]) -> Any:
        headers = {"Authorization": f"Bot {self.token}", "User-Agent": "DiscordBot (gops doctor, 1)"}
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
    """One kind of thing to look at."""

    name: str
    about: str
    look: Callable[[DoctorContext], Awaitable[list[Diagnosis]]]
    fix: Callable[[DoctorContext], list[str]] | None = None
    """mends what can be mended without a question; what it did"""
    of_file: bool = False
    """whether it looks at the database's file, which a server has not"""
