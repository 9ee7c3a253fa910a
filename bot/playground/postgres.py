"""A PostgreSQL server of our own in a temporary folder. It is reached through a socket there, and keeps nothing."""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

SETTINGS = {
    "fsync": "off",  # nothing of it outlives a crash of the machine
    "full_page_writes": "off",
    "shared_buffers": "16MB",
    "max_connections": "200",
    "listen_addresses": "",
    "timezone": "UTC",
}

INSTALLED = Path("/usr/lib/postgresql")
"""Where Debian installs servers, one folder for each version."""

UNPACKED = Path(sys.prefix) / "postgres"
"""Where a wheel with a server may be unpacked."""


class NoServer(Exception):
    """No PostgreSQL server can run here, for the reason given."""


@dataclass(frozen=True)
class Server:
    folder: Path
    programs: Path
    settings: Mapping[str, str] = field(default_factory=lambda: SETTINGS)

    def address(self, database: str = "postgres") -> str:
        return f"postgresql://gops@/{database}?host={self.folder}"

    def control(self, *arguments: str) -> None:
        """Run `pg_ctl` with these arguments."""
        _run(self.programs / "pg_ctl", "-D", self.folder / "data", *arguments, folder=self.folder)

    def start(self) -> None:
        options = " ".join(f"-c {name}='{value}'" for name, value in self.settings.items())
        self.control("-w", "-l", str(self.folder / "log"), "-o", f"-k {self.folder} {options}", "start")

    def stop(self, how: str = "fast") -> None:
        self.control("-w", "-m", how, "stop")

    def end(self) -> None:
        """Stop the server, and remove all that it keeps."""
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)


def find_programs() -> Path | None:
    """Return the folder of a server's programs: on the PATH, as Debian installs them, or out of a wheel."""
    on_path = shutil.which("pg_ctl")
    if on_path is not None and (Path(on_path).resolve().parent / "initdb").exists():
        return Path(on_path).resolve().parent
    installed = sorted(INSTALLED.glob("*/bin/pg_ctl"), key=lambda each: int(each.parts[-3]))
    unpacked = next(UNPACKED.rglob("pg_ctl"), None)
    found = installed[-1] if installed else unpacked
    return None if found is None else found.parent


def start_server(programs: Path, settings: Mapping[str, str] = SETTINGS) -> Server:
    """Start a new server, which the caller ends. Raises `NoServer`."""
    folder = Path(tempfile.mkdtemp(prefix="gops-pg-", dir="/tmp"))  # the path of a socket may have 107 characters
    try:
        programs = _make_readable(programs, folder)
        if os.geteuid() == 0:
            user = _find_user()
            os.chown(folder, user.pw_uid, user.pw_gid)
        arguments = ("--no-sync", "--auth=trust", "--username=gops", "--encoding=UTF8", "--locale=C")
        _run(programs / "initdb", "-D", folder / "data", *arguments, folder=folder)
        server = Server(folder, programs, settings)
        server.start()
    except BaseException:  # also when cancelled: nobody else would remove the folder
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return server


def _run(program: Path, *arguments: str | Path, folder: Path) -> None:
    """Run a program of the server. It refuses root, so another user runs it then."""
    user = _find_user() if os.geteuid() == 0 else None
    groups: list[int] | None = None if user is None else []
    with open(folder / "said", "a+b") as said:  # a pipe would stay open as long as the server runs
        done = subprocess.run(  # noqa: S603 (programs of an installed server)
            [program, *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            user=None if user is None else user.pw_uid,
            group=None if user is None else user.pw_gid,
            extra_groups=groups,
        )
    if done.returncode:
        raise NoServer((folder / "said").read_text(errors="replace")[-1000:])


def _find_user() -> pwd.struct_passwd:
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise NoServer("a server does not run as root, and there is no other user")


def _make_readable(programs: Path, folder: Path) -> Path:
    """Return programs that the other user can read: below root's home they cannot."""
    if os.geteuid() != 0 or all(each.stat().st_mode & 0o005 == 0o005 for each in (programs, *programs.parents)):
        return programs
    copy = folder / "postgres"
    shutil.copytree(programs.parent, copy, symlinks=True)
    for each in (folder, copy):
        each.chmod(0o755)
    return copy / programs.name
