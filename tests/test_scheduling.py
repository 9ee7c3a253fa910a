"""Who is named to go first or to wait is there: a file that moved away would be forgotten silently."""

import pytest

from tests.scheduling import FIRST, ROOT, WAITS


@pytest.mark.parametrize("path", sorted({*FIRST, *WAITS}))
def test_it_is_there(path: str) -> None:
    assert (ROOT / path).exists()
