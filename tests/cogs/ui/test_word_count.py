"""A console of Classic says little: 45 words at the most from the second round to the twelfth."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from bot.ui.message import Message
from bot.ui.screens.console import render_console
from bot.ui.story.colours import find_decided
from tests.cogs.ui.reading import said
from tests.cogs.ui.views import Played, begin

MOST = 45

CARD = re.compile(r"[♠♥♦♣]?(?:A|[2-9]|10|J|Q|K)")
MARKS = "*`.,:()"


def words(message: Message) -> list[str]:
    """Everything between blanks, without marks that Discord shows as form and without cards."""
    parts = [part.strip(MARKS) for part in said(message).split()]
    return [part for part in parts if re.search(r"\w|✔", part) and not CARD.fullmatch(part)]


def rounds(seed: int) -> Iterator[Played]:
    """A match of two as it stands at the beginning of each round; bids are near the prize, so that some tie."""
    rng = random.Random(seed)
    stock = rng.sample(range(1, 14), 13)
    played, hands = begin().deal(stock), [list(range(1, 14)), list(range(1, 14))]
    for prize in stock[:12]:
        yield played
        bids = [min(hand, key=lambda card: abs(card - prize) + 4 * rng.random()) for hand in hands]
        for hand, bid in zip(hands, bids, strict=True):
            hand.remove(bid)
        played = played.play(*bids)
    assert played.match.over
    yield played


@pytest.mark.parametrize("seed", range(50))
def test_no_console_has_more_than_45_words(seed: int) -> None:
    for number, played in enumerate(list(rounds(seed))[:12], 1):
        if number == 1:
            continue
        for seat in (0, 1):
            hands = played.view().seen.hands
            lowest = {one: min(hand) for one, hand in enumerate(hands) if hand}
            for sealed in ({}, {seat: lowest[seat]}, {1 - seat: lowest[1 - seat]}):
                for link in ("", "https://discord.com/channels/1/2/3"):
                    console = render_console(played.view(seat, sealed), link=link, ephemeral=not link)
                    assert len(words(console)) <= MOST, said(console)


@pytest.mark.parametrize("seed", range(50))
def test_who_cannot_be_caught_wins(seed: int) -> None:
    played = list(rounds(seed))
    outcome = played[-1].view().outcome
    assert outcome is not None
    told = {find_decided(one.view()) for one in played[:-1]} - {None}
    assert told <= {outcome.winner}


def test_seat_that_cannot_be_caught_is_named() -> None:
    stock = (13, 12, 11, 10, 9, 1, 2, 3, 4, 5, 6, 7, 8)
    played = begin().deal(stock).play_all((13, 1), (12, 2), (11, 3))
    assert find_decided(played.view()) is None
    assert "can catch" not in said(render_console(played.view(0)))
    played = played.play(10, 4)  # 46 of 91 points
    assert find_decided(played.view()) == 0
    assert "Nobody can catch you now." in said(render_console(played.view(0)))
    assert "Nobody can catch Ana now." in said(render_console(played.view(1)))
