"""What tests of the stores ask for again and again."""

from collections.abc import Sequence

import pytest

from bot.referee.model import changes as c
from data.store import Store


async def refuses(store: Store, change: c.Change) -> None:
    """This change conflicts with what is stored."""
    with pytest.raises(c.Conflict):
        await store.write(change)


def ids(found: Sequence[object]) -> list[object]:
    """Of what was found, in its order."""
    return [one.id for one in found]  # pyright: ignore[reportAttributeAccessIssue]
