"""Who a menu of people shows as chosen: none, or as many as may be chosen."""

from __future__ import annotations

from typing import Any

import pytest

from bot.playground.rules.component import check
from bot.playground.rules.form import Form


def faults_of(*chosen: str, **more: Any) -> list[tuple[str | int, ...]]:
    """Return where a menu of people is refused that shows values of these kinds."""
    values = [{"id": str(number), "type": kind} for number, kind in enumerate(chosen, 1)]
    menu = {"type": 5, "custom_id": "s", "default_values": values, **more}
    form = Form()
    check(form, [{"type": 1, "components": [menu]}], v2=False)
    return [tuple(where) for where, _, _ in form.faults]


@pytest.mark.parametrize(
    ("chosen", "more"), [((), {}), (("user",), {}), (("user", "user"), {"max_values": 2}), ((), {"min_values": 0})]
)
def test_as_many_as_may_be_chosen_are_shown(chosen: tuple[str, ...], more: dict[str, Any]) -> None:
    assert faults_of(*chosen, **more) == []


def test_other_numbers_and_kinds_are_refused() -> None:
    here = ("components", 0, "components", 0, "default_values")
    assert faults_of("user", "user") == [here]
    assert faults_of("user", min_values=2, max_values=3) == [here]
    assert faults_of("role") == [(*here, 0, "type")]
    assert faults_of("user", default_values=[{"id": "Ana", "type": "user"}]) == [(*here, 0, "id")]
