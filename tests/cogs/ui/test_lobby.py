"""Challenges and tables in every state."""

from dataclasses import replace

import pytest

from bot.engine.series import Series
from bot.engine.variants import find_game
from bot.referee.model.model import Setup
from bot.ui.screens.challenge import render_lobby as draw_lobby
from tests.cogs.ui.reading import keys, read
from tests.cogs.ui.views import CLOCK, OPENING, lobby

SEAL = f"Answer by {CLOCK} · 🔒 Fair play `9c1f 2e7a 05b3 d846`"
OLD_SEAL = f"-# Nonce seal `{OPENING}` · Answer by {CLOCK}"


def test_challenge_of_the_example() -> None:
    message = draw_lobby(lobby())
    terms = "13 cards · ties: nobody gets the prize · 2 minutes a bid · rated"
    assert read(message) == "\n".join(
        (
            "<@102>  **Ana** challenges you to **Classic GOPS**.",
            terms,
            SEAL,
            "[Accept] [Decline] [Rules] [Withdraw]",
        )
    )
    assert message.mentions == (102,)
    assert not message.is_v2
    assert [button.id for button in message.buttons] == [f"g1:ch:K7Q2:{what}" for what in "adrw"]
    assert message.buttons[0].style.name == "success"


def test_guided_match_stands_beside_accept_for_a_newcomer() -> None:
    message = draw_lobby(lobby(newcomer=True))
    assert keys(message) == ["[Accept] [How it works] [Decline] [Rules] [Withdraw]"]
    assert message.buttons[1].id == "g1:hm:lesson"
    assert draw_lobby(lobby(game="pico", newcomer=True)).buttons[1].id == "g1:hm:lesson:pico"


@pytest.mark.parametrize("seats", [2, 4])
def test_challenge_has_no_marks_that_a_notification_shows_as_they_are(seats: int) -> None:
    message = draw_lobby(lobby(seats=seats, finished=0.8))
    assert message.mentions
    assert "-#" not in message.content


def test_many_seats_have_a_line_each() -> None:
    view = lobby(seats=4)
    people = (view.people[0], (102, "Ben", "accepted"), view.people[2], (104, "Dee", "declined"))
    told = read(draw_lobby(replace(view, people=people, can_start=True))).splitlines()
    assert told[2:6] == ["Ben ✔ accepted", "Cem … asked", "Dee ✘ declined", "Ana starts the match."]
    assert told[-1] == "[Accept] [Decline] [Rules] [Start with 2]"
    assert read(draw_lobby(lobby(seats=4))).splitlines()[5] == "Starts when all have accepted."


@pytest.mark.parametrize(
    ("state", "line"),
    [
        ("declined", "Ben declined."),
        ("expired", "Ben did not answer Ana's challenge in time."),
        ("withdrawn", "Ana withdrew the challenge."),
        ("failed", "The challenge could not start."),
        ("started", "The match of Ana and Ben has begun."),
    ],
)
def test_a_dead_challenge_keeps_one_line(state: str, line: str) -> None:
    people = ((101, "Ana", "host"), (102, "Ben", "declined" if state == "declined" else "asked"))
    message = draw_lobby(lobby(state=state, people=people))
    assert read(message) == line
    assert message.view is None


@pytest.mark.parametrize("kind", ["challenge", "table"])
@pytest.mark.parametrize(("game", "options"), [("throps", {}), ("psych", {}), ("classic", {"bid_cards": 2})])
def test_all_on_the_board_says_where_no_keys_can_stand(kind: str, game: str, options: dict[str, int]) -> None:
    seats = find_game(game).seats[0]
    view = lobby(kind, game, seats, rules=find_game(game).rules(seats, options))
    told = read(draw_lobby(replace(view, setup=replace(view.setup, place="board"))))
    assert "bids on the board" not in told
    assert "With these rules the board has no card buttons: press *Bid* to see your cards." in told
    assert "no keys" not in read(draw_lobby(view))


@pytest.mark.parametrize("kind", ["challenge", "table"])
def test_all_on_the_board_has_keys_in_classic(kind: str) -> None:
    view = lobby(kind)
    told = read(draw_lobby(replace(view, setup=replace(view.setup, place="board"))))
    assert "bids on the board" in told
    assert "no keys" not in told


@pytest.mark.parametrize("kind", ["challenge", "table"])
def test_one_of_a_store_that_was_put_back_can_be_drawn_over_a_board(kind: str) -> None:
    """Where its message has become one since, Discord takes no plain content for it any more."""
    message = draw_lobby(lobby(kind, state="put_back"))
    assert message.is_v2
    assert "that you saw, so the match is stopped and does not count." in read(message)
    assert not message.buttons


@pytest.mark.parametrize(
    ("state", "answers", "line"),
    [
        ("declined", "declined asked", "Ben declined, so there are too few players for Gops for three."),
        ("expired", "accepted asked", "Cem did not answer Ana's challenge in time."),
        ("expired", "accepted declined", "Ana did not start in time."),
    ],
)
def test_a_dead_challenge_frees_the_others_with_a_word(state: str, answers: str, line: str) -> None:
    ben, cem = answers.split()
    people = ((101, "Ana", "host"), (102, "Ben", ben), (103, "Cem", cem))
    assert read(draw_lobby(lobby(game="parlett", seats=3, state=state, people=people))) == line


def test_failed_challenge_states_the_reason() -> None:
    why = "Ben has 10 running matches, the most allowed. Try again later."
    assert read(draw_lobby(lobby(state="failed"), why)) == why


def test_open_table_lists_its_seats() -> None:
    view = lobby("table", "vultures", 5)
    message = draw_lobby(replace(view, people=view.people[:2], can_start=True))
    assert read(message) == "\n".join(
        (
            f"**Ana** opens a table: **Vultures**, 2 to 5 players. Open until {CLOCK}",
            "2 minutes a bid · rated",
            "Players 2 of 5: Ana (host), Ben",
            "🔒 Fair play `9c1f 2e7a 05b3 d846` · more in *Rules*",
            "[Join] [Leave] [Start now] [Rules] [Close]",
        )
    )
    assert not message.mentions
    assert [button.id for button in message.buttons] == [f"g1:tb:K7Q2:{what}" for what in "jlsrx"]
    assert "(Start now)" in keys(draw_lobby(replace(view, people=view.people[:1])))[0]


@pytest.mark.parametrize(
    ("state", "line"),
    [
        ("started", "The table started."),
        ("expired", "The table closed: it did not start in time."),
        ("withdrawn", "The table closed."),
    ],
)
def test_closed_table_keeps_one_line(state: str, line: str) -> None:
    message = draw_lobby(lobby("table", state=state))
    assert message.view is None
    assert read(message) == line


def test_a_table_names_the_seats_that_its_rules_need() -> None:
    """A listed order of an open draft names the prizes of every seat, so it needs them all."""
    options = {"cards": 3, "open": "draft", "order": "custom", "prizes": sorted([1, 2, 3] * 4)}
    setup = Setup("classic", options, 4, {"mode": "single"}, 120, rated=True)
    view = lobby("table", seats=4, setup=setup, rules=find_game("classic").rules(4, options))
    assert ", 4 players. Open until" in read(draw_lobby(view))


@pytest.mark.parametrize(
    ("game", "options", "series", "clock", "rated", "words"),
    [
        (
            "classic",
            {"ties": "carry", "cards": 7},
            Series(),
            60,
            True,
            "7 cards · ties: the prize stays in the pot · 1 minute a bid · rated",
        ),
        (
            "classic",
            {"blind": True, "info": "win-only", "bid_cards": 2},
            Series("best-of", 3),
            0,
            False,
            (
                "13 cards · ties: nobody gets the prize · blind bids · 2 cards a bid · win-only · best of 3 · no clock"
                " · unrated"
            ),
        ),
        ("sops", {}, Series(), 86400, True, "13 cards · ties: the prize stays in the pot · 1 day a bid · rated"),
        ("pico", {"pack": "pico1"}, Series("deals", 2), 30, True, "First edition · 2 deals · 30 seconds a bid · rated"),
    ],
)
def test_challenge_states_its_terms(
    game: str, options: dict[str, object], series: Series, clock: int, rated: bool, words: str
) -> None:
    setup = Setup(game, options, 2, series.data(), clock, rated)
    view = lobby(setup=setup, rules=find_game(game).rules(2, options), series=series)
    assert read(draw_lobby(view)).splitlines()[1] == words


def test_the_longest_challenge() -> None:
    people = tuple((10**18 + n, "*" * 32, "asked") for n in range(8))
    message = draw_lobby(lobby(seats=8, people=people, host=10**18))
    assert message.characters <= 1400
    assert message.is_sendable
