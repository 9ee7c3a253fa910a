"""PgBouncer before a test's server, in transaction mode: each transaction has another session. Debian's package has it;
`.ci/run` installs that where none is found."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.postgres import Server, other_user

PORT = 6432
NONE = "no pgbouncer is installed (Debian's package pgbouncer)"

SETTINGS = """[databases]
* = host={server} user=gops

[pgbouncer]
listen_addr =
listen_port = {port}
unix_socket_dir = {folder}
auth_type = any
pool_mode = transaction
default_pool_size = {size}
server_round_robin = {turns}
"""
"""As few as it takes: nothing is ignored, and nothing set back between two transactions. Whose turn it is changes with
each of them."""


def program() -> str:
    """Where it is, or the test is skipped, which CI takes for a failure."""
    found = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None:
        pytest.skip(NONE)
    return found


class PgBouncer:
    """One that runs."""

    def __init__(self, folder: Path, pid: int) -> None:
        self._folder = folder
        self.pid = pid

    def address(self, database: str) -> str:
        return f"postgresql://gops@/{database}?host={self._folder}&port={PORT}"

    def taken(self) -> int:
        """Connections that it has."""
        ends = Path("/proc/net/unix").read_text(encoding="utf-8").splitlines()
        return sum(str(self._folder) in one for one in ends) - 1  # it listens at one


@contextmanager
def before(server: Server, size: int = 3, *, turns: bool = True) -> Generator[PgBouncer]:
    """One of its own, until left."""
    command = program()
    folder = Path(tempfile.mkdtemp(prefix="gops-pgb-", dir="/tmp"))  # a socket's path may have 107 characters
    settings = folder / "pgbouncer.ini"
    settings.write_text(SETTINGS.format(server=server.folder, folder=folder, port=PORT, size=size, turns=int(turns)))
    user = {}
    if os.geteuid() == 0:  # whom it refuses
        one = other_user()
        os.chown(folder, one.pw_uid, one.pw_gid)
        user = {"user": one.pw_uid, "group": one.pw_gid, "extra_groups": []}
    process = subprocess.Popen([command, settings], cwd=folder, stderr=subprocess.PIPE, text=True, **user)
    try:
        assert process.stderr is not None
        said = ""
        for line in process.stderr:
            said += line
            if "process up" in line:
                break
        else:
            raise AssertionError(f"PgBouncer did not start: {said}")
        yield PgBouncer(folder, process.pid)
    finally:
        process.kill()
        process.communicate()
        shutil.rmtree(folder, ignore_errors=True)
