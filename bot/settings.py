"""Settings: one frozen object, read once at start from the environment and `.env`, every problem named at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bot.errors import SettingsError

DISCORD = "https://discord.com/api/v10"


def _text(value: str) -> str:
    return value


def _url(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError("must be an address such as http://127.0.0.1:8080/api/v10")
    return value.rstrip("/")


def _log(value: str) -> str:
    if value not in ("console", "json"):
        raise ValueError("must be console or json")
    return value


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise ValueError("must be a number of seconds above 0")
    return seconds


@dataclass(frozen=True)
class Settings:
    """Where everything is and how the bot talks; `.env.example` lists the same fields."""

    token: str = field(default="", repr=False)
    api_url: str = DISCORD
    database: Path = Path("data/gops.sqlite3")
    log: str = "console"
    clock_file: Path | None = None
    silence: float = 60.0


READERS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "token": ("DISCORD_TOKEN", _text),
    "api_url": ("DISCORD_API_URL", _url),
    "database": ("GOPS_DATABASE", Path),
    "log": ("GOPS_LOG", _log),
    "clock_file": ("GOPS_CLOCK_FILE", Path),
    "silence": ("GOPS_SILENCE", _seconds),
}
"""The name of every setting outside, and how its text is read; an empty text means the default."""


def load(environment: Mapping[str, str], dotenv: Path | None = None) -> Settings:
    """Settings from `.env`, overruled by the environment. Raises one error that lists every problem."""
    given: dict[str, str] = {}
    problems: list[str] = []
    if dotenv is not None and dotenv.is_file():
        given = read_dotenv(dotenv.read_text(encoding="utf-8"), problems)
    given |= environment
    values: dict[str, Any] = {}
    for key, (name, read) in READERS.items():
        value = given.get(name, "")
        if not value:
            continue
        try:
            values[key] = read(value)
        except ValueError as error:
            problems.append(f"{name} {error}")
    if problems:
        raise SettingsError(problems)
    return Settings(**values)


def read_dotenv(text: str, problems: list[str]) -> dict[str, str]:
    """NAME=value lines; quotes around a value and lines that begin with # are dropped."""
    values: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip().removeprefix("export ")
        if not line or line.startswith("#"):
            continue
        name, equals, value = line.partition("=")
        if not equals:
            problems.append(f".env line {number} must be NAME=value")
            continue
        value = value.strip()
        if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        values[name.strip()] = value
    return values
