"""Every file in the scheduling lists exists: a moved file would be forgotten silently."""

import pytest

from tests.scheduling import FIRST, ROOT, WAITS


@pytest.mark.parametrize("path", sorted({*FIRST, *WAITS}))
def test_file_named_for_scheduling_exists(path: str) -> None:
    assert (ROOT / path).exists()
