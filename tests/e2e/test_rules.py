"""The rules card over sockets: every topic by its menus, and practice from it."""

from __future__ import annotations

import pytest

from bot.engine.text.presets import list_offers
from tests.e2e.house import House, behind_more, plain, told


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.by_http
async def test_every_game_and_preset_by_the_menu(scene: House) -> None:
    card = (await scene.ana.slash("/gops rules")).shown
    assert plain(card.text).startswith("┃ ### Classic GOPS\n")
    assert card.is_ephemeral
    for offer in list_offers():
        select = next(one for one in card.selects if one.placeholder == "Another game")
        card = (await scene.ana.choose(offer.name, select=select.custom_id, in_=card)).shown
        assert plain(card.text).startswith(f"┃ ### {offer.name}\n")


@pytest.mark.asyncio(loop_scope="module")
async def test_a_rule_is_changed_shown_and_practised(scene: House) -> None:
    ana = scene.ana
    card = (await ana.slash("/gops rules", game="classic")).shown
    select = next(one for one in card.selects if one.placeholder == "Rules of Classic to change")
    card = (await ana.choose("Early win", select=select.custom_id, in_=card)).shown
    assert plain(card.text).startswith("┃ ### Classic GOPS: early win\n")
    await ana.press("Show everyone", in_=card)
    shown = await scene.ben.sees("### Classic GOPS: early win")
    assert not shown.buttons
    console = (await ana.press("Practice match", in_=card)).shown
    assert console.is_ephemeral
    assert "against Sly (house) · round 1 of 13" in plain(console.text)
    rules = (await ana.press("Rules", in_=console)).shown
    assert plain(rules.text).startswith("┃ ### Classic GOPS: early win\n")


@pytest.mark.asyncio(loop_scope="module")
async def test_from_a_preset_for_three(scene: House) -> None:
    card = (await scene.ana.slash("/gops rules", game="three-handed")).shown
    console = (await scene.ana.press("Practice match", in_=card)).shown
    assert plain(console.text).count("(house)") >= 2


@pytest.mark.asyncio(loop_scope="module")
async def test_the_rules_in_force_behind_a_challenge_and_a_board(scene: House) -> None:
    challenge = await scene.challenge(game="blind", cards=5)
    expected = "┃ ### Classic GOPS: 5 cards, blind bids\n"
    assert told(await scene.ben.press("Rules", in_=challenge)).startswith(expected)
    board = (await scene.ben.press("Accept", in_=challenge)).shown
    assert told(await behind_more(scene.ben, "Rules", board)).startswith(expected)
