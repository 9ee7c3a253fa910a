"""The worst case of every surface, measured against what was budgeted and against Discord's own description."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from bot.engine.choices import Bid, Prompt
from bot.engine.state import Cards
from bot.interactions.shared.rules_card import render_rules
from bot.interactions.shared.setup_card import Selection, render_setup
from bot.playground.protocol.schema import read
from bot.referee.model.model import DrawOffer
from bot.referee.model.people import Player
from bot.referee.model.seasons import LeaderboardRow
from bot.referee.model.views import LeaderboardView, SealView
from bot.referee.repository.replay_tape import Sealing, TapeMoment
from bot.solver.coach.advice import JudgedRound, Review
from bot.ui.message import Message
from bot.ui.screens.board import render_board
from bot.ui.screens.console import render_console
from bot.ui.screens.result import render_result
from cogs.learning.review import review
from cogs.match.matches import games_list
from cogs.people.preferences import render_card
from cogs.records.records import leaderboard_card
from cogs.records.replays import render_replay
from cogs.records.sheets import seals_card, sheet
from tests.cogs.ui.views import Played, begin, lobby
from tests.conftest import DESCRIPTION

STARS = ("*" * 32,) * 8
ID = "7ZZZZZZZZZZZZ"
SEAL = SealView(11, 24, 0, 7, 15, "f" * 64, "earlier")
USERS = tuple(10**18 + seat for seat in range(8))


def eight() -> Played:
    """Deal 12 of 20 of 8 seats with 25 cards, 3 a bid, every prize of the deal in the pot."""
    played = begin(
        "classic", 8, {"cards": 25, "bid_cards": 3}, {"mode": "deals", "deals": 20}, names=STARS, users=USERS
    )
    for _ in range(11):
        played = played.deal(range(25, 0, -1))
        while played.match.state is not None:
            played = played.play(*(list(lowest(prompt)) for prompt in played.match.prompts()))
    played = played.deal(range(25, 0, -1))
    for cards in ([1, 2, 3], [4, 5, 6], [7, 8, 9]):
        played = played.play(*[cards] * 8)
    return played


def lowest(prompt: Prompt) -> Cards:
    bid = prompt.lowest()
    assert isinstance(bid, Bid)
    return bid.cards


def eight_view(seat: int | None = None) -> Any:
    sealed = {other: [10, 11, 12] for other in range(7) if other != seat}
    draw = DrawOffer(0, frozenset({0, 1, 2}))
    return eight().view(seat, sealed, dict.fromkeys(range(8), 2), id=ID, draw=draw, away=86400)


def console_of(game: str, seats: int = 2, **options: Any) -> Message:
    stock = {"classic": (2, 1), "parlett": (2, 3)}.get(game, ())
    hands = [[10, 6, 8, 5, 12], [4, 9, 7, 13, 16]] if game == "pico" else None
    return render_console(begin(game, seats, options).deal(stock, hands).view(0), link="https://x" * 9, ephemeral=True)


def carried() -> Message:
    """Eight seats bid alike for open prizes, again and again: everything stays on view."""
    options = {"cards": 25, "open": "draft"}
    played = begin("classic", 8, options, names=STARS, users=USERS).deal([card % 25 + 1 for card in range(200)])
    for card in range(1, 25):
        played = played.play(*[card] * 8)
    return render_board(played.view(None, id=ID))


def long_hands() -> Message:
    """Three seats hold 51 cards between them, the fourth one."""
    suits = [f"{rank}{suit}" for suit in "SHDC" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K")]
    hands = [suits[:20], suits[20:36], suits[36:51], suits[51:]]
    return render_console(
        begin("welsh", 4, names=STARS[:4], users=USERS[:4]).deal(hands=hands).view(3, id=ID), ephemeral=True
    )


def picks() -> Message:
    options = {"open": "row", "cards": 25, "row_size": 25}
    return render_console(begin("classic", 2, options).deal(range(1, 26)).play(4, 5).view(1))


def over(seats: int) -> Any:
    options = {"cards": 25, "order": "ascending"}
    played = begin("classic", seats, options, names=STARS, users=USERS).deal(range(1, 26))
    while not played.match.over:
        prompts = played.match.prompts()
        choices = [p.options[(p.seat + 1) % len(p.options)] for p in prompts]
        played = played.play(*choices)
    return played.view(None, id=ID)


def live_sheet(form: str) -> Message:
    options = {"cards": 25, "order": "ascending"}
    played = begin("classic", 8, options, names=STARS, users=USERS).deal(range(1, 26))
    for card in range(1, 24):
        played = played.play(*[card] * 8)
    return sheet(played.view(None, dict.fromkeys(range(8), 24), id=ID), form="g" if form == "g" else "s")


def places() -> Message:
    rows = tuple(LeaderboardRow(990 + n, n, "*" * 32, 1500, 999, 999, True) for n in range(10))
    return leaderboard_card(LeaderboardView("classic", ("classic",), 0, 9, rows, 999, rows[0]))


def matches() -> Message:
    view = begin("classic", 4, names=STARS, users=USERS).deal((7, 5)).view(0, {0: 4})
    return games_list([replace(view, id=f"{ID[:-2]}{n:02}") for n in range(10)], view.opened)


WORST: dict[str, tuple[Callable[[], Message], int, int]] = {
    "board": (lambda: render_board(replace(eight_view(), draw=None)), 13, 2753),
    "board with a draw offer": (lambda: render_board(eight_view()), 16, 3100),
    "console, 13 cards": (lambda: console_of("classic"), 23, 700),
    "console, two Aces": (lambda: console_of("parlett", 3), 25, 800),
    "console, Pico": (lambda: console_of("pico"), 15, 500),
    "console, 25 cards, 3 a bid, 8 seats": (
        lambda: render_console(eight_view(0), ephemeral=True, behind=True),
        38,
        2538,
    ),
    "board, every open prize carried": (carried, 13, 2753),
    "console, 52 cards": (long_hands, 24, 1500),
    "pick of 25 values": (picks, 37, 1000),
    "practice, 25 cards": (lambda: render_console(over_start(), practice=True), 37, 1000),
    "result": (lambda: render_result(over(8), reviewable=True), 9, 1473),
    "sheet, grid": (lambda: live_sheet("g"), 10, 2400),
    "sheet, sentences of eight": (lambda: live_sheet("s"), 9, 4000),
    "sheet, four seats over": (lambda: sheet(over(4), form="s", page=0), 8, 3693),
    "sheet, eight seats over": (lambda: sheet(over(8), form="s", page=0), 8, 4000),
    "replay of eight": (lambda: eight_moment(), 18, 2600),
    "seals of eight": (lambda: seals_card(eight_view(), [SEAL] * 400), 5, 3100),
    "live matches": (matches, 37, 3600),
    "leaderboard": (places, 12, 1300),
    "rules": (lambda: render_rules("classic.remainder=short-last"), 11, 1800),
    "review": (lambda: long_review(), 11, 3400),
    "preferences": (lambda: render_card(Player(1), [(n, "*" * 32) for n in range(30)]), 28, 1100),
    "set-up card": (lambda: render_setup(Selection(people=(10**18,)), ["*" * 32]), 27, 300),
    "set-up card of eight": (lambda: render_setup(Selection(people=(10**18,) * 7), ["*" * 32] * 7), 27, 650),
}


def eight_moment() -> Message:
    """A moment of the match of eight, in a series, with every hand."""
    played = eight()
    state = played.match.state
    assert state is not None
    seals = tuple(Sealing(seat, timedelta(hours=23), 15) for seat in range(8))
    view, deals = played.view(None, id=ID), tuple(range(0, 500, 25))
    moment = TapeMoment(280, 500, 11, 3, view, state.hands, seals, hidden=True, last=False, turning=True, deals=deals)
    return render_replay(moment, reviewable=True)


def long_review() -> Message:
    """Thirteen cards in every mix, names of stars, a series of twenty deals."""
    played = begin("classic", 2, {"cards": 13}, {"mode": "deals", "deals": 20}, names=STARS, users=USERS)
    for _ in range(20):
        played = played.deal(range(13, 0, -1)).finish()
    mix = tuple((card, 1 / 13) for card in range(13, 0, -1))
    other = mix[::-1]
    rounds = tuple(
        JudgedRound(
            deal,
            at,
            -1110.5,
            -90.5,
            90.5,
            (13, 13),
            (mix, other),
            (10.25, 10.25),
            exact=False,
            pot=78,
            chances=(0.999, 0.001),
        )
        for deal in range(20)
        for at in range(12)
    )
    return review(played.view(0, id=ID), Review(rounds), 47, b"png", numbers=True)


def over_start() -> Any:
    return begin("classic", 2, {"cards": 25}).deal(range(1, 26)).view(0)


@pytest.mark.parametrize("case", WORST, ids=str)
def test_largest_message_fits_discord(case: str) -> None:
    build, components, characters = WORST[case]
    message = build()
    assert message.components <= components, message.components
    assert message.characters <= characters, message.characters
    assert message.is_sendable
    assert all(len(item.id) <= 100 for item in message.pressables)
    assert message.view is not None


def test_longest_custom_id_fits_discord() -> None:
    view = eight_view(0)
    message = render_console(view, mask=(1 << 25) - 1)
    assert max(len(item.id) for item in message.pressables) <= 54


# --- Discord's own description -------------------------------------------------------------------------------


def bodies() -> dict[str, dict[str, Any]]:
    from bot.ui.screens.challenge import render_lobby as draw_lobby

    made = {name: build() for name, (build, _, _) in WORST.items()} | {"challenge": draw_lobby(lobby(seats=8))}
    told: dict[str, dict[str, Any]] = {}
    for name, message in made.items():
        view = message.view
        assert view is not None
        body: dict[str, Any] = {"components": view.to_components()}
        if message.is_v2:
            body["flags"] = 1 << 15
        else:
            body["content"] = message.content
        told[name] = json.loads(json.dumps(body))
    return told


def test_discord_would_take_them() -> None:
    document = read(DESCRIPTION)
    document["components"]["schemas"]["SnowflakeType"] = {}  # sent as numbers by the library, as strings elsewhere
    schema = {"$ref": "#/components/schemas/MessageCreateRequest", "components": document["components"]}
    validator = Draft202012Validator(schema)
    for name, body in bodies().items():
        errors = [f"{list(error.absolute_path)}: {error.message[:200]}" for error in validator.iter_errors(body)]
        assert not errors, f"{name}: {errors[:3]}"
