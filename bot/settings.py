"""Settings: one frozen object, read at start from the environment and `.env`. All problems are reported at once."""

import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bot.errors import SettingsError
from bot.process.base import addresses
from bot.process.base.clock import read_offset

EXIT_SETUP = 78
"""EX_CONFIG of sysexits: a restart does not help until the settings are corrected"""

DISCORD = "https://discord.com/api/v10"

LONGEST_SILENCE = 86_400
"""longest `GOPS_SILENCE`, in seconds"""

SHORTEST_CLOCK, LONGEST_CLOCK = 15, 604_800
"""limits of `GOPS_CLOCK`, in seconds"""

PLACES = ("dm", "channel", "board")
"""where players can bid"""

EVERY_INTERFACE = ("0.0.0.0", "::")  # noqa: S104 - refused
"""addresses at which one can listen, and to which nobody can connect"""

LONGEST_ADDRESS = 200
"""most characters of an address that players see"""


def _token(value: str) -> str:
    if not value.isascii() or not value.isprintable() or " " in value:
        raise ValueError("must be one word, as Discord's developer portal gives it")
    return value


def _api_url(value: str) -> str:
    addresses.trusted(value, ("https", "http"))
    return value.rstrip("/")


def _gateway_url(value: str) -> str:
    try:
        addresses.trusted(value, ("wss", "ws"))
    except ValueError as error:
        raise ValueError(str(error).replace("discord.com/api/v10", "gateway.discord.gg")) from None
    return value


def _log(value: str) -> str:
    if value not in ("console", "json"):
        raise ValueError("must be console or json")
    return value


def _file(value: str) -> Path:
    """Parse the path of a file that exists or can be made."""
    path = Path(value)
    try:
        if not path.name or not stat.S_ISREG(path.stat().st_mode):
            raise ValueError("must be a file")
    except FileNotFoundError:
        pass
    except OSError as error:
        raise ValueError(f"must be a file that can be opened ({error.strerror})") from None
    except ValueError:  # a NUL in the path
        raise ValueError("must be a file, not a folder or a device") from None
    return path


DATABASE = "GOPS_DATABASE"

SERVERS = ("postgresql://", "postgres://")

ELSEWHERE = "everything is in PostgreSQL: copy it with pg_dump, put it back with pg_restore"

NO_FILE = Path("data/gops.sqlite3")


def _database(value: str) -> Path:
    return NO_FILE if value.startswith(SERVERS) else _file(value)


def _server(value: str) -> str:
    if not value.startswith(SERVERS):
        return ""
    try:
        parts = urlsplit(value)
        named = len(parts.path) > 1 and parts.port != 0
    except ValueError:
        named = False
    if not named or not value.isascii() or not value.isprintable() or " " in value:
        raise ValueError("must be a file, or an address such as postgresql://gops:password@host/gops")
    return value


def _ids(value: str) -> frozenset[int]:
    words = value.replace(",", " ").split()
    if not all(word.isascii() and word.isdecimal() and 0 < int(word) < 2**63 for word in words):
        raise ValueError("must be ids of Discord such as 80351110224678912, with commas between them")
    return frozenset(map(int, words))


def _clock_file(value: str) -> Path:
    path = _file(value)
    try:
        read_offset(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise ValueError(f"must be a file that can be read ({error.strerror})") from None
    except ValueError:
        raise ValueError("must be a file with a number of seconds, ten years at most") from None
    return path


def _folder(value: str) -> Path:
    """Parse the path of a folder that exists or can be made."""
    path = Path(value)
    try:
        if not path.is_dir() and os.path.lexists(path):
            raise ValueError("must be a folder")
    except OSError as error:
        raise ValueError(f"must be a folder that can be opened ({error.strerror})") from None
    except ValueError:
        raise ValueError("must be a folder, not a file") from None
    return path


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= LONGEST_SILENCE:
        raise ValueError(f"must be a number of seconds above 0, {LONGEST_SILENCE} at most")
    return seconds


def _switch(value: str) -> bool:
    if value not in ("on", "off"):
        raise ValueError("must be on or off")
    return value == "on"


def _console(value: str) -> str:
    if value not in PLACES:
        raise ValueError("must be dm, channel or board")
    return value


def _number(least: int, most: int, problem: str) -> Callable[[str], int]:
    """Make a parser of whole numbers. `problem` says what the value must be."""

    def parse(value: str) -> int:
        is_short = value.isascii() and value.isdecimal() and len(value) <= len(str(most))
        if not is_short or not least <= int(value) <= most:
            raise ValueError(problem)
        return int(value)

    return parse


def _support(value: str) -> str:
    address = urlsplit(value)
    plain = value.isascii() and value.isprintable() and not {*value} & {*" <>"} and len(value) <= LONGEST_ADDRESS
    if address.scheme != "https" or not address.hostname or not plain:
        raise ValueError("must be an address that begins with https://")
    return value


def _listen(value: str) -> tuple[str, int]:
    try:
        host, port = addresses.split_address(value)
    except ValueError:
        raise ValueError(
            "must be a port of this machine such as 8080, or an address and a port such as 0.0.0.0:8080"
        ) from None
    return host or "127.0.0.1", port


def _peer(value: str) -> str:
    try:
        host, _ = addresses.split_address(value)
    except ValueError:
        host = ""
    if host in ("", *EVERY_INTERFACE):
        raise ValueError("must be an address at which the other processes reach this one, such as 10.0.0.5:7300")
    return value


def _endpoint(value: str) -> str:
    try:
        addresses.trusted(value, ("https", "http"))
    except ValueError:
        raise ValueError("must be an address such as https://gops.example/interactions") from None
    return value


@dataclass(frozen=True)
class Settings:
    """All settings of the bot; `.env.example` and `docs/operating.md` explain them."""

    token: str = field(default="", repr=False)
    banned_users: frozenset[int] = frozenset()
    """users who may not use this bot anywhere"""
    banned_servers: frozenset[int] = frozenset()
    """servers that the bot leaves"""
    api_url: str = DISCORD
    gateway_url: str = ""
    """empty: the API names it"""
    database: Path = NO_FILE
    server: str = field(default="", repr=False)
    """address of a PostgreSQL database, with its password; empty for a file"""
    backups: Path | None = None
    """folder for `gops backup`; None: the folder `backups` beside the database"""
    log: str = "console"
    clock_file: Path | None = None
    silence: float = 60.0
    faces: bool = True
    pictures: bool = True
    """True if results have a chart as a picture"""
    clock: int = 120
    """default seconds for each bid, unless a server sets its own"""
    console: str = "dm"
    """where players bid, unless they or their server choose: dm, channel or board"""
    support: str = ""
    """address for problems, shown by `/gops help`; empty: ask the owner of the server"""
    calls: int = 40
    """most rate-limited calls a second; Discord allows 50, and the rest is for other uses of the token"""
    shards: int = 0
    """gateway connections; 0: as many as Discord recommends"""
    metrics: int = 0
    """local port of /healthz, /readyz and /metrics; 0: none"""
    listen: tuple[str, int] | None = None
    """host and port for interactions by HTTP; None: they come by the gateway"""
    endpoint: str = ""
    """public address of `listen` to register with Discord; empty: the operator registers it"""
    gateway: bool = True
    """False if the bot opens no gateway connection: interactions come by HTTP, and nothing else comes"""
    peer: str = ""
    """host and port at which the other processes of this bot reach this one; empty: there are none"""

    @property
    def where(self) -> Path | str:
        """The database: the address of a server, or the path of a file."""
        return self.server or self.database

    @property
    def backup_folder(self) -> Path:
        return self.backups or self.database.parent / "backups"


TOKEN_FILE = "DISCORD_TOKEN_FILE"  # noqa: S105 - the name of a setting
"""setting with the path of a file that has the token, in place of `DISCORD_TOKEN`"""

READERS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "token": ("DISCORD_TOKEN", _token),
    "banned_users": ("GOPS_BANNED_USERS", _ids),
    "banned_servers": ("GOPS_BANNED_SERVERS", _ids),
    "api_url": ("DISCORD_API_URL", _api_url),
    "gateway_url": ("DISCORD_GATEWAY_URL", _gateway_url),
    "database": (DATABASE, _database),
    "server": (DATABASE, _server),
    "backups": ("GOPS_BACKUPS", _folder),
    "log": ("GOPS_LOG", _log),
    "clock_file": ("GOPS_CLOCK_FILE", _clock_file),
    "silence": ("GOPS_SILENCE", _seconds),
    "faces": ("GOPS_FACES", _switch),
    "pictures": ("GOPS_PICTURES", _switch),
    "clock": (
        "GOPS_CLOCK",
        _number(SHORTEST_CLOCK, LONGEST_CLOCK, f"must be seconds, {SHORTEST_CLOCK} to {LONGEST_CLOCK}"),
    ),
    "console": ("GOPS_DEFAULT_CONSOLE", _console),
    "support": ("GOPS_SUPPORT", _support),
    "calls": ("GOPS_CALLS", _number(1, 9999, "must be a number of calls a second, 1 to 9999")),
    "shards": (
        "GOPS_SHARDS",
        _number(1, 9999, "must be a number of shards, 1 to 9999; empty for as many as Discord recommends"),
    ),
    "metrics": ("GOPS_METRICS", _number(1, 65535, "must be a port, 1 to 65535; empty for none")),
    "listen": ("GOPS_LISTEN", _listen),
    "endpoint": ("GOPS_ENDPOINT", _endpoint),
    "gateway": ("GOPS_GATEWAY", _switch),
    "peer": ("GOPS_PEER", _peer),
}
"""The environment variable and parser of each field of `Settings`. An empty value means the default."""


def load(environment: Mapping[str, str], dotenv: Path | None = None) -> Settings:
    """Read settings from `.env` and the environment, which wins. Raises one `SettingsError` with every problem."""
    given: dict[str, str] = {}
    problems: list[str] = []
    if dotenv is not None and dotenv.is_file():
        given = read_dotenv(_text_of(dotenv, problems), problems)
    given |= environment
    _take_token(given, problems)
    values: dict[str, Any] = {}
    for key, (name, read) in READERS.items():
        value = given.get(name, "")
        if not value:
            continue
        try:
            values[key] = read(value)
        except ValueError as error:
            problems.append(f"{name} {error}")
    api_url: str = values.get("api_url", DISCORD)
    if values.get("clock_file") and not addresses.is_here(urlsplit(api_url).hostname):
        problems.append("GOPS_CLOCK_FILE is for a Discord on this machine: leave it empty for any other")
    if given.get("GOPS_ENDPOINT") and not given.get("GOPS_LISTEN"):
        problems.append("GOPS_ENDPOINT leads nowhere without GOPS_LISTEN")
    if not values.get("gateway", True) and not given.get("GOPS_LISTEN"):
        problems.append("GOPS_GATEWAY=off needs GOPS_LISTEN: interactions have to come by HTTP")
    if values.get("peer") and not values.get("server"):
        problems.append("GOPS_PEER needs a PostgreSQL database in GOPS_DATABASE: two processes cannot share a file")
    if problems:
        raise SettingsError(problems, values.get("log", ""))
    return Settings(**values)


def _take_token(given: dict[str, str], problems: list[str]) -> None:
    """Read the token from the file in `DISCORD_TOKEN_FILE`, as container platforms pass secrets."""
    if not given.get(TOKEN_FILE):
        return
    if given.get("DISCORD_TOKEN"):
        problems.append(f"DISCORD_TOKEN and {TOKEN_FILE} are both set: leave one empty")
        return
    try:
        given["DISCORD_TOKEN"] = _token(Path(given[TOKEN_FILE]).read_text(encoding="utf-8").strip())
    except OSError as error:
        problems.append(f"{TOKEN_FILE} must be a file that can be read ({error.strerror})")
    except ValueError:
        problems.append(f"{TOKEN_FILE} must hold one word, as Discord's developer portal gives it")


@dataclass(frozen=True)
class DatabaseSource:
    """The place of the setting that decides which database is used."""

    where: str
    """the place in words: "in .env", "in the environment" """
    overrules: bool = False
    """True if the environment and the file name different databases"""


def database_source(environment: Mapping[str, str], dotenv: Path) -> DatabaseSource:
    """Return the place of `GOPS_DATABASE`. Without one, it is the file in which to set it."""
    written = read_dotenv(_text_of(dotenv, []), []).get(DATABASE, "") if dotenv.is_file() else ""
    if DATABASE in environment:
        return DatabaseSource("in the environment", written not in ("", environment[DATABASE]))
    return DatabaseSource(f"in {dotenv}")


def _text_of(dotenv: Path, problems: list[str]) -> str:
    """Return the text of the file, with or without a byte order mark."""
    try:
        return dotenv.read_text(encoding="utf-8-sig")
    except OSError as error:
        problems.append(f"{dotenv} cannot be read ({error.strerror})")
    except ValueError:
        problems.append(f"{dotenv} must be text in UTF-8")
    return ""


def is_open_to_others(dotenv: Path) -> bool:
    """Return True if other users of this machine can read or change the file with the token."""
    try:
        return os.name != "nt" and dotenv.is_file() and bool(dotenv.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))
    except OSError:
        return False


def read_dotenv(text: str, problems: list[str]) -> dict[str, str]:
    """Parse NAME=value lines. Quotes around values and lines that begin with # are dropped."""
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
