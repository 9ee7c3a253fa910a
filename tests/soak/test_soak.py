"""A short soak in every run of the tests, one minute in CI; `make soak` is for as long as asked."""

import os
import random
from pathlib import Path

import pytest

from tests.soak.run import soak

SECONDS, PEOPLE, PACE = (60.0, 100, 20.0) if os.environ.get("CI") else (10.0, 6, 0.0)
"""By hand `make soak` says for how long, and has as many who do not think: here other tests run beside."""

SEED = int(os.environ.get("SOAK") or (1 if os.environ.get("CI") else random.SystemRandom().randrange(10**6)))
"""SOAK=4711 plays that one again"""


@pytest.mark.timeout(900)
async def test_nothing_is_found(tmp_path: Path) -> None:
    print(f"SOAK={SEED}")
    print(await soak(tmp_path, SEED, SECONDS, PEOPLE, pace=PACE))
