"""Ports for the servers of tests."""

from itertools import count

import pytest

from tests.operate import ports


def test_no_port_is_given_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when two runs on one machine begin to look at the same number: nobody listens yet on what the first got."""
    given: list[int] = []
    for _ in range(2):
        monkeypatch.setattr(ports, "_next", count(7))
        given.append(ports.free_port())
    assert len(set(given)) == 2
