"""A short soak in every run of the tests, one minute in CI; `make soak` is for as long as asked."""

import os
import random
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.soak import __main__ as command
from tests.soak.run import soak

SECONDS, PEOPLE, PACE = (60.0, 100, 20.0) if os.environ.get("CI") else (10.0, 6, 0.0)
"""By hand `make soak` says for how long, and has as many who do not think: here other tests run beside."""

SEED = int(os.environ.get("SOAK") or (1 if os.environ.get("CI") else random.SystemRandom().randrange(10**6)))
"""SOAK=4711 plays that one again"""


@pytest.mark.timeout(900)
async def test_nothing_is_found(tmp_path: Path) -> None:
    print(f"SOAK={SEED}")
    print(await soak(tmp_path, SEED, SECONDS, PEOPLE, pace=PACE))


def test_several_processes_share_a_server_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """`tests/e2e/test_kill_processes.py` plays with them in every run of the tests."""
    asked, server = list[tuple[object, ...]](), Mock()

    async def noted(*how: object) -> str:
        asked.append(how)
        return ""

    monkeypatch.setattr(command, "soak", noted)
    monkeypatch.setattr(command.postgres, "started", lambda: server)
    monkeypatch.setattr(command.forked, "end", lambda: None)
    monkeypatch.setattr("sys.argv", ["soak", "--processes", "3", "--people", "60", "--seed", "7"])
    assert command.main() == 0
    assert [how[1:] for how in asked] == [(7, 120.0, 60, server, 0.0, 3)]
    server.end.assert_called_once_with()
