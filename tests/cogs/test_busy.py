"""While most counted calls are taken, a new match is bid on the board, which needs none. Who chose a place keeps it."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.referee.lobby.setups import Wish
from cogs.asked.asked import Where
from cogs.places import wish_here


@pytest.mark.parametrize(
    ("free", "wanted", "got"),
    [(0.5, None, None), (0.19, None, "table"), (0.19, "own", "own"), (0.5, "table", "table"), (0.2, None, None)],
)
def test_the_place_of_a_new_match(free: float, wanted: str | None, got: str | None) -> None:
    budget = SimpleNamespace(reach=SimpleNamespace(budget=SimpleNamespace(free=free)))
    asked: Any = SimpleNamespace(where=Where(1, 2), services=SimpleNamespace(publisher=budget))
    assert wish_here(cast("Any", asked), Wish(place=wanted)).place == got


def test_where_the_bot_is_no_member_it_is_the_board_and_nothing_counts() -> None:
    wish = wish_here(cast("Any", SimpleNamespace(where=Where(0, 2, outside=True))), Wish(place="own", rated=True))
    assert (wish.place, wish.rated) == ("table", False)
