"""The guided first match: a prize, five cards, and one sentence about what happened and why."""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine.cards import Card, rank, rank_letter
from bot.referee.house.lesson import MATCHER, PRIZES, YOU, Lesson, find_best
from bot.ui.custom_ids import learning_ids
from bot.ui.message import Button, Message, Node, Separator, Text, join_lines, make_row
from bot.ui.text.faces import Faces
from bot.ui.text.sentences import say
from bot.ui.text.style import find_style


def guided_card(lesson: Lesson, home: Message, back: bool = False, cards: str = "") -> Message:
    """Return the card. `home` follows the last round; `back`: the person returns to the match; `cards` is the card
    style."""
    faces = Faces(lesson.state.rules, find_style(cards))
    return _end(lesson, faces, home) if lesson.over else _round(lesson, faces, back)


def _round(lesson: Lesson, faces: Faces, back: bool) -> Message:
    state, (mine, theirs) = lesson.state, lesson.scores
    (prize,) = state.exposed
    title = say("lesson-title", n=state.number, of=len(PRIZES))
    told = join_lines(
        say("lesson-back") if back and lesson.bids else "", explain_bid(lesson, faces) or say("lesson-begin")
    )
    bid = say("lesson-bid" if lesson.bids else "lesson-bid-first")
    small = say("lesson-held", hand=_cards(state.hands[MATCHER]), left=_cards(sorted(state.stock, key=rank)))
    keys = [
        Button(
            rank_letter(card),
            learning_ids.lesson(lesson.bids, str(card)),
            enabled=card in state.hands[YOU],
            emoji=faces.key(card, YOU),
        )
        for card in range(1, len(PRIZES) + 1)
    ]
    body: tuple[Node, ...] = (
        Text(join_lines(title, told)),
        Separator(),
        Text(join_lines(say("lesson-prize", prize=faces.lot(rank(prize)), n=rank(prize)), bid)),
        Text(join_lines(say("lesson-score", x=mine, y=theirs), small)),
        make_row(*keys),
        make_row(Button(say("lesson-skip"), learning_ids.lesson(lesson.bids, "skip"))),
    )
    return Message(body=body, essence=title)


def _end(lesson: Lesson, faces: Faces, home: Message) -> Message:
    """Return the result, what was learnt, and the home card under it."""
    mine, theirs = lesson.scores
    how = "won" if mine > theirs else "lost" if mine < theirs else "drawn"
    x, y = find_best().scores
    told = join_lines(
        explain_bid(lesson, faces),
        _last(lesson),
        say(f"lesson-{how}-all", x=mine, y=theirs),
        say("lesson-best") if lesson.margin == x - y else say("lesson-better", x=x, y=y),
        say("lesson-now"),
    )
    return Message(body=(Text(told), Separator(), *home.body), essence=home.essence)


def _last(lesson: Lesson) -> str:
    """Return the sentence about the last round, in which each hand had one card."""
    last = lesson.state.rounds[-1]
    who = "you" if last.winners == (YOU,) else "house" if last.winners == (MATCHER,) else "nobody"
    return say(f"lesson-last-{who}", prize=_cards(last.prizes))


def explain_bid(lesson: Lesson, faces: Faces) -> str:
    """Return what the last bid led to, and why."""
    played = lesson.explained_round
    if played is None:
        return ""
    (prize,) = map(rank, played.prizes)
    (mine,), (theirs,) = (map(rank, bid.cards) for bid in played.bids if bid is not None)
    enough = min((card for card in lesson.hand if card > theirs), default=0)
    if mine > theirs:
        id = "lesson-won" if mine == enough else "lesson-dear"
    elif mine == theirs:
        id = "lesson-tied" if enough else "lesson-tied-high"
    else:
        id = "lesson-given" if mine == min(lesson.hand) else "lesson-beaten"
    words = {"prize": rank_letter(prize), "x": faces.own_card(YOU, mine), "y": faces.own_card(MATCHER, theirs)}
    words["low"] = rank_letter(min(lesson.hand))
    return say(id, card=rank_letter(enough or mine), **words)


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(rank_letter(rank(card)) for card in cards)
