"""The board that everybody bids on: keys for what anybody may hold, always in their places, within Discord's limits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.refusals import RuleError
from bot.engine.text.presets import Preset, find_offer, list_offers
from bot.engine.variants import find_game
from bot.referee.model.model import DrawOffer
from bot.referee.model.views import MatchView
from bot.ui.message import Message
from bot.ui.screens.board import render_board
from tests.cogs.ui.views import Played, begin

BEHIND_BID = {"two-cards", "win-only", "throps", "pico", "pico1", "psych", "bid", "welsh", "attrition"}
"""games and presets whose hands differ or are hidden, or that bid several cards"""


def at_table(view: MatchView) -> MatchView:
    return replace(view, setup=replace(view.setup, place="board"))


def played(offer: Preset, seats: int) -> Played | None:
    """The first round of a game with so many seats; None where it is not for so many."""
    game, preset = find_offer(offer.key)
    if offer.seats not in (None, seats) or not game.seats[0] <= seats <= game.seats[1]:
        return None
    try:
        rules = find_game(game.key).rules(seats, preset.options)
        pack = rules.deal(rules.pack())
    except RuleError:
        return None
    return begin(game.key, seats, dict(preset.options)).deal(pack.stock, pack.hands)


def keys(message: Message) -> list[str]:
    return [button.id for button in message.buttons if button.id.startswith(("g1:tk:", "g1:tp:"))]


MATCHES = {f"{offer.key}-{seats}": played(offer, seats) for offer in list_offers() for seats in range(2, 9)}


@pytest.mark.parametrize("name", [name for name, match in MATCHES.items() if match is not None])
def test_every_game_has_keys_or_bids_behind_bid(name: str) -> None:
    match = MATCHES[name]
    assert match is not None
    message = render_board(at_table(match.view()))
    assert message.is_sendable
    assert bool(keys(message)) is (name.rpartition("-")[0] not in BEHIND_BID)
    assert {"Bid", "My bid", "More"} <= {button.label for button in message.buttons}


def test_25_cards_fill_a_message_and_an_offered_draw_takes_places_of_the_last_row() -> None:
    view = at_table(begin(options={"cards": 25}, seats=8).deal((7, 5, 6)).view())
    message = render_board(view)
    assert (message.components, len(keys(message))) == (40, 25)
    offered = render_board(replace(view, draw=DrawOffer(0, frozenset({0}))))
    assert (offered.components, len(keys(offered))) == (40, 25)
    assert [one.label for one in offered.buttons[-5:]] == ["Accept draw", "Decline draw", "Bid", "My bid", "More"]


def test_a_key_never_moves_and_is_dead_when_nobody_holds_its_card() -> None:
    match = begin(options={"cards": 5}).deal((5, 4, 3, 2, 1))
    first = render_board(at_table(match.view()))
    second = render_board(at_table(match.play(5, 4).play(4, 5).view()))
    labels = [[one.label for one in message.buttons[:5]] for message in (first, second)]
    assert labels[0] == labels[1] == ["A", "2", "3", "4", "5"]
    assert [one.enabled for one in second.buttons[:5]] == [True, True, True, False, False]
    once = render_board(at_table(match.play(5, 4).view()))
    assert all(one.enabled for one in once.buttons[:5])  # each of these somebody still holds


def test_a_pick_has_keys_below_those_of_the_hands_which_are_dead() -> None:
    match = begin(options={"open": "draft", "cards": 6}).deal((5, 4, 3, 2, 1, 6)).play(5, 4)
    view = at_table(match.view())
    message = render_board(view)
    cards = [one for one in message.buttons if one.id.startswith("g1:tk:")]
    prizes = [one for one in message.buttons if one.id.startswith("g1:tp:")]
    assert len(cards) == 6
    assert not any(one.enabled for one in cards)
    assert prizes
    assert all(one.enabled for one in prizes)


def test_after_a_switch_everybody_bids_behind_bid() -> None:
    match = begin("sops", 2, {"cards": 5}).deal((5, 4, 3, 2, 1))
    assert keys(render_board(at_table(match.view())))
    assert not keys(render_board(at_table(match.play(5, 5).view())))
