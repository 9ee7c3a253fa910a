"""A challenge that does not go together: what its card says of what was left out, and what it keeps."""

from __future__ import annotations

import pytest

from bot.interactions.shared.setup_card import Selection, render_setup
from bot.interactions.shared.setup_repair import describe_repair, find_fault, make_selection, repair_setup
from bot.referee.lobby.setups import Wish
from bot.referee.model.guild_settings import GuildSettings
from tests.cogs.ui.reading import plain, read

GUILD = GuildSettings(1, options="ties split, cards 3")


def card_lines(wish: Wish) -> list[str]:
    """The card that answers what was typed, above its menus."""
    choice = make_selection(wish, [5], None, GUILD)
    wrong = find_fault(choice, GUILD)
    assert wrong is not None
    found = repair_setup(choice, GUILD)
    assert found is not None
    return [
        plain(line) for line in read(render_setup(found.choice, ["Ben"], describe_repair(wrong, found))).splitlines()
    ]


def test_a_rule_of_the_server_gives_way_and_every_rule_left_out_has_its_reason() -> None:
    lines = card_lines(Wish(cards=4, words="open prizes, win-only"))
    assert lines[1:5] == [
        "⚠ With open prizes ties cannot be split: prizes are picked whole.",
        "Win-only cannot go with open prizes: it would show the bids.",
        "These rules of this server don't fit and are left out: ties: the prize is split.",
        "Not used, because it does not fit: open prizes. The rest is as you typed it.",
    ]
    assert lines[5] == "-# Also: win-only."


def test_option_typed_twice_is_stated_once() -> None:
    choice = make_selection(Wish(cards=4, ties="carry"), [5], None, GUILD)
    assert choice.words == ""
    choice = make_selection(Wish(words="cards 5"), [5], None, GUILD)
    assert choice.words == "ties split, cards 5"


def test_rules_are_named_as_a_board_names_them() -> None:
    text = read(render_setup(Selection(people=(5,), words="info win-only, order random-public"), ["Ben"]))
    assert "-# Also: win-only, prize order shown." in text


@pytest.mark.parametrize(
    ("wish", "named"),
    [
        (Wish(game="classic", cards=5, words="prizes in the order A 2 3"), "prizes in the order A 2 3"),
        (Wish(game="classic", words="25 prizes on view"), "25 prizes on view"),
        (Wish(game="classic", words="row size 25, row"), "25 prizes on view"),
    ],
)
def test_only_rules_that_were_typed_are_named_as_left_out(wish: Wish, named: str) -> None:
    assert f"Not used, because it does not fit: {named}. The rest is as you typed it." in card_lines(wish)
