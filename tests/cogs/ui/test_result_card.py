"""The picture of a result: what it shows, what its alt text says, when there is none, and how it is left out."""

from __future__ import annotations

import re
import struct
from dataclasses import replace
from random import Random
from typing import Any
from xml.etree import ElementTree

import discord
import pytest

from bot.engine.cards import face
from bot.engine.choices import Kind, Pick
from bot.engine.match import Termination
from bot.engine.series import Series
from bot.messages.render import Painter
from bot.pictures import plot
from bot.pictures.palette import TURN
from bot.pictures.render import render_png
from bot.pictures.scoreboard import SHARED, draw_crown
from bot.referee.model.model import HOUSE
from bot.rest.delivery import send_with_fallback
from bot.ui.message import Message, Picture
from bot.ui.screens.board import render_board
from bot.ui.screens.result import CARD, ResultPicture, render_result
from bot.ui.screens.result_card import MAX_ALT, find_takers, make_sketch
from bot.ui.story.deals import list_deals
from cogs.match.boards import more
from tests.cogs.ui.reading import keys, said
from tests.cogs.ui.views import Played, begin

CROWN = draw_crown(0, 0, 100).partition(' d="')[2]
PNG = b"\x89PNG of nothing"


def small(**more: Any) -> Played:
    """Ana bids 3, 1, 2 for 1, 3, 2, and Ben 2, 3, 1."""
    return begin(options={"cards": 3}, **more).deal((1, 3, 2)).play(3, 2).play(1, 3)


def texts(svg: str) -> list[str]:
    return re.findall(r">([^<]+)</text>", svg)


def test_it_shows_the_score_between_the_names_and_the_cards_of_each_round() -> None:
    found = make_sketch(small().view())
    assert found is not None
    told = texts(found.svg)
    assert sorted(told[:4]) == ["3", "3", "Ana", "Ben"]
    assert told[4:6] == ["Classic · 21 Nov 2026", "GOPS"]
    assert told[6:] == ["A", "3", "2", "3", "A", "3", "2", "2", "A"]
    assert found.alt == (
        "Ana and Ben draw 3–3. Scores after each round. Ana: 1 1 3; Ben: 0 3 3."
        " Cards of each round. Prize: ♦A ♦3 ♦2; Ana: 3 A 2; Ben: 2 3 A."
    )


def won() -> Played:
    """Ben wins 8–7 by the 5 and the 3; Ana takes the other prizes."""
    return begin(options={"cards": 5}).deal((4, 5, 3, 2, 1)).play_all((5, 4), (1, 5), (2, 3), (3, 2))


def test_the_winner_is_first_and_crowned_and_the_turning_point_is_marked() -> None:
    found = make_sketch(won().view())
    assert found is not None
    told = texts(found.svg)
    assert told.index("Ben") < told.index("Ana")
    assert found.svg.count(CROWN) == 1
    assert found.svg.count(f'stroke="{TURN}"') == 1
    assert "Best round for the winner: 2." in found.alt


def test_nobody_is_crowned_and_nothing_is_marked_in_a_draw() -> None:
    found = make_sketch(small().view())
    assert found is not None
    assert CROWN not in found.svg
    assert TURN not in found.svg
    assert "Best round" not in found.alt


@pytest.mark.parametrize(
    ("how", "told"),
    [
        (Termination.RESIGNED, "Ben wins because Ana resigned"),
        (Termination.TIMED_OUT, "Ben wins because Ana missed three bids in a row"),
        (Termination.AGREED, "Drawn by agreement"),
    ],
)
def test_a_match_that_ended_early_says_why_and_marks_no_turning_point(how: Termination, told: str) -> None:
    played = begin().deal(tuple(range(13, 0, -1))).play(12, 13).play(13, 11)
    over = played.stop(how) if how is Termination.AGREED else played.leave(0, how)
    found = make_sketch(over.view())
    assert found is not None
    assert told in texts(found.svg)
    assert TURN not in found.svg


def test_a_prize_has_the_colour_of_the_seat_that_took_it_also_if_it_waited_in_the_pot() -> None:
    played = begin(options={"cards": 3, "ties": "carry"}).deal((1, 3, 2)).play(1, 1).play(3, 2)
    [deal] = list_deals(played.view())
    assert find_takers(deal) == [[0], [0], [1]]


def test_shared_and_lost_prizes_have_no_colour_of_a_seat() -> None:
    split = begin(options={"cards": 3, "ties": "split"}).deal((1, 3, 2)).play(1, 1).play(3, 2)
    assert find_takers(list_deals(split.view())[0])[0] == [SHARED]
    lost = begin(options={"cards": 3}).deal((1, 3, 2)).play(1, 1).play(3, 2)
    assert find_takers(list_deals(lost.view())[0])[0] == [None]


def alone(played: Played) -> tuple[Any, ...]:
    """The seats of practice."""
    one, other = played.view().seats
    return one, replace(other, user=HOUSE)


def test_there_is_none_before_the_end_of_private_practice_or_of_what_does_not_count() -> None:
    assert make_sketch(begin(options={"cards": 3}).deal((1, 3, 2)).play(3, 2).view()) is None
    over = small()
    assert over.match.over
    private = over.view(channel=0, guild=0, seats=alone(over))
    assert make_sketch(private) is None
    assert make_sketch(private, shared=True) is not None, "whoever played it may show it"
    played = begin(options={"cards": 5}).deal((1, 3, 2, 4, 5)).play(3, 2).play(1, 3)
    assert make_sketch(played.stop(Termination.ABORTED).view()) is None
    assert make_sketch(played.leave(0).view()) is not None
    assert make_sketch(begin(options={"cards": 5}).deal((1, 3, 2, 4, 5)).play(3, 2).leave(0).view()) is None, (
        "no story yet"
    )


def test_what_was_sealed_and_never_revealed_is_in_no_picture() -> None:
    played = begin().deal(tuple(range(13, 0, -1))).play(1, 2).play(2, 3)
    over = played.leave(1)
    for sealed in (None, {0: 11}, {0: 5, 1: 12}):
        view = over.view(sealed=sealed)
        assert make_sketch(view) == make_sketch(over.view())
    shown = make_sketch(over.view())
    assert shown is not None
    assert {"J", "5"}.isdisjoint(texts(shown.svg))


@pytest.mark.parametrize("mode", ["deals", "best-of"])
def test_deals_are_added_up_only_where_points_are(mode: str) -> None:
    number = {"deals": {"deals": 2}, "best-of": {"games": 3}}[mode]
    played = begin(options={"cards": 3}, series={"mode": mode, **number}).deal((1, 3, 2)).play(2, 1).play(3, 2)
    played = played.deal((1, 3, 2)).play(2, 1).play(3, 2)
    assert played.match.over
    found = make_sketch(played.view())
    assert found is not None
    assert ("Ana: 1 4 4 5 8 8;" if mode == "deals" else "Ana: 1 4 4 1 4 4;") in found.alt
    assert found.svg.count('stroke-dasharray="2 8"') == 1, "the second deal begins there"


def at_random(played: Played) -> Played:
    """A deal in which everybody bids any card."""
    dice, match = Random(7), played.match
    pack = list(match.rules.pack())
    dice.shuffle(pack)
    match = match.begin(match.rules.deal(tuple(pack)))[0]
    while match.state is not None and not match.over:
        choices: dict[int, Any] = {}
        for prompt in match.prompts():
            cards = tuple(dice.sample(prompt.options, prompt.size))
            choices[prompt.seat] = Pick(cards[0]) if prompt.kind is Kind.PICK else match.rules.bid(*cards)
        state = match.state
        assert state is not None
        match = match.resolve({seat: match.rules.physical(state, seat, one) for seat, one in choices.items()})[0]
    return replace(played, match=match)


EVERY_KIND = [
    ("classic", 2, {}),
    ("classic", 2, {"cards": 25}),
    ("classic", 8, {}),
    ("classic", 8, {"cards": 25, "bid_cards": 3}),
    ("classic", 2, {"cards": 12, "bid_cards": 3}),
    ("classic", 3, {}),
    ("classic", 2, {"aim": "least"}),
    ("vultures", 5, {}),
    ("vultures", 2, {}),
    ("parlett", 3, {}),
    ("welsh", 4, {}),
    ("psych", 2, {}),
    ("bid", 2, {}),
    ("sops", 2, {}),
    ("pico", 2, {}),
    ("throps", 3, {}),
    ("classic", 2, {"open": "draft"}),
    ("classic", 2, {"info": "win-only"}),
]


@pytest.mark.parametrize(("game", "seats", "options"), EVERY_KIND)
def test_every_kind_of_game_is_drawn_in_one_size_with_text_that_a_phone_shows(
    game: str, seats: int, options: dict[str, Any]
) -> None:
    played = begin(game, seats, options, {"mode": "single"}, names=("*" * 32,) * 8)
    found = make_sketch(at_random(played).view())
    assert found is not None
    assert len(found.alt) <= MAX_ALT
    ElementTree.fromstring(found.svg)
    assert min(map(float, re.findall(r'font-size="([\d.]+)"', found.svg))) >= 36
    drawn = render_png(found.svg)
    assert struct.unpack(">II", drawn[16:24]) == (1200, 630)
    assert len(drawn) < 250_000


@pytest.mark.parametrize("mode", [{"mode": "deals", "deals": 20}, {"mode": "best-of", "games": 5}])
def test_a_series_with_too_many_cards_shows_who_was_ahead(mode: dict[str, Any]) -> None:
    played = begin("classic", 2, {}, mode)
    while not played.match.over:
        played = at_random(played)
    found = make_sketch(played.view())
    assert found is not None
    assert len(found.alt) <= MAX_ALT
    assert not {"K", "Q", "J"} & {*texts(found.svg)}
    assert len(render_png(found.svg)) < 250_000


def test_vultures_show_signs_on_prizes_and_none_on_bids() -> None:
    found = make_sketch(at_random(begin("vultures", 2)).view())
    assert found is not None
    prizes, bids = re.search(r"Prize: ([^;]+); Ana: ([^;]+);", found.alt).groups()  # type: ignore[union-attr]
    assert {"−5", "−1", "+1", "+10"} <= {*prizes.split()}
    assert {"1", "15"} <= {*bids.split()}


def test_names_that_the_font_cannot_write() -> None:
    found = make_sketch(small(names=("<b>&", "熊猫")).view())
    assert found is not None
    assert "Player 2" in texts(found.svg)
    assert "&lt;b&gt;&amp;" in texts(found.svg)
    assert "熊猫" in found.alt, "a screen reader can read it"


def test_the_result_carries_it_and_says_the_same_without() -> None:
    view = small().view()
    message = render_board(view, card=ResultPicture(PNG, "what it shows"))
    assert [node.alt for node in message.body if isinstance(node, Picture)] == ["what it shows"]
    assert [(one.name, one.data) for one in message.attachments] == [(CARD, PNG)]
    assert message.without_spare_files() == render_board(view)
    assert said(message) == said(render_board(view))
    assert render_board(begin().deal((1, 2, 3)).view(), card=ResultPicture(PNG, "")).attachments == ()


@pytest.mark.parametrize(("status", "again"), [(403, True), (413, True), (400, True), (404, False), (500, False)])
async def test_where_files_are_refused_it_is_sent_without(status: int, *, again: bool) -> None:
    message = render_board(small().view(), card=ResultPicture(PNG, "what it shows"))
    sent: list[Message] = []

    async def send(one: Message) -> None:
        sent.append(one)
        if one.attachments:
            raise discord.HTTPException(Response(status), "no")  # type: ignore[arg-type]

    if again:
        await send_with_fallback(message, send, lambda: None)
        assert sent == [message, message.without_spare_files()]
    else:
        with pytest.raises(discord.HTTPException):
            await send_with_fallback(message, send, lambda: None)
        assert sent == [message]


class Response:
    """As much of an answer as an error looks at."""

    reason = "refused"

    def __init__(self, status: int) -> None:
        self.status = status


class Hand:
    """Stands in for the worker."""

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.asked = 0

    async def think(self, work: Any, question: Any, patience: float) -> Any:
        self.asked += 1
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


async def test_the_painter_draws_once_and_goes_without_where_it_fails() -> None:
    painter = Painter()
    painter.worker = hand = Hand(TimeoutError(), OSError(), PNG)  # type: ignore[assignment]
    assert [await painter.paint("<svg/>") for _ in range(4)] == [b"", b"", PNG, PNG]
    assert hand.asked == 3


def test_ticks_are_round_and_reach_both_ends() -> None:
    for low, high in ((0, 1), (0, 91), (-14, 3), (0, 7), (0, 325), (-0.4, 0.3)):
        marks = plot.list_ticks(low, high)
        assert marks[0] <= low
        assert marks[-1] >= high
        assert len(marks) <= plot.MOST_TICKS + 2
        assert all(mark == int(mark) for mark in marks)


def test_a_long_series_shows_lines_alone_and_tells_every_card() -> None:
    played = begin(series=Series("deals", 3).data())
    for _ in range(3):
        played = played.deal(tuple(range(13, 0, -1))).finish()
    found = make_sketch(played.view())
    assert found is not None
    assert "K" not in texts(found.svg), "39 columns of cards are too narrow to be read"
    assert len(found.alt) <= MAX_ALT
    rounds = [one for deal in played.match.finished for one in deal.rounds]
    bids = [bid.cards[0] for one in rounds if (bid := one.bids[0]) is not None]
    assert len(bids) == 39
    assert f"Ana: {' '.join(map(face, bids))};" in found.alt


def test_where_all_of_it_is_too_long_the_cards_stay() -> None:
    """Eight seats: every score after every round, or every card; the sheet is named only where neither fits."""
    wide = make_sketch(at_random(begin("classic", 8, {"cards": 22}, {"mode": "single"})).view())
    assert wide is not None
    assert "Scores at the end. Ana: " in wide.alt
    assert "Cards of each round. Prize: " in wide.alt
    assert "The sheet has every card." not in wide.alt
    played = begin("classic", 8, {"cards": 25}, {"mode": "deals", "deals": 2})
    widest = make_sketch(at_random(at_random(played)).view())
    assert widest is not None
    assert "The sheet has every card." in widest.alt


def test_shared_practice_is_a_copy_with_its_picture() -> None:
    over = small()
    view = over.view(seat=0, channel=0, guild=1, seats=alone(over))
    assert "[Show everyone]" in keys(more(view))[1]
    assert "Show everyone" not in keys(more(over.view(0)))[1], "a match with a board is seen by everybody anyway"
    public = over.view(channel=0, guild=1, seats=alone(over))
    assert "Show everyone" not in keys(more(public))[1], "for whoever played it"
    assert "Show everyone" not in keys(more(view, spoils=True))[1], "a daily deal that others may still play"
    copy = render_result(public, card=ResultPicture(PNG, "what it shows"), shared=True)
    assert copy.buttons == ()
    assert [node.alt for node in copy.body if isinstance(node, Picture)] == ["what it shows"]
    assert "Ana and" in said(copy)
    assert public.id not in said(copy), "its code opens nothing for the people who read it"
