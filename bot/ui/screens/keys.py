"""The keyboard of a console: a key for each card, always at the same place. Boards have keys for all hands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from bot.engine.cards import Card, rank
from bot.engine.choices import Kind
from bot.engine.fast_values import value_type
from bot.engine.refusals import RuleError
from bot.engine.state import Cards
from bot.referee.model.views import MatchView
from bot.ui.custom_ids import match_ids
from bot.ui.message import BLUE, GREEN, GREY, Attached, Button, Message, Node, Picture, Row, make_row
from bot.ui.nodes import count_components
from bot.ui.story.lines import make_faces
from bot.ui.text.faces import Faces
from bot.ui.text.sentences import say

WIDTH = 5
"""The most buttons of a row."""


@value_type
class Keys:
    """The keys of a seat, and which are chosen or sealed."""

    cards: Cards
    """All keys in their order."""
    sealed_keys: Cards
    """Keys of the sealed bid."""
    live: Cards = ()
    """Keys that can be bid now."""
    size: int = 0
    """Number of cards of the bid; 0 if no bid is asked."""
    kind: Kind | None = None
    chosen: Cards = ()
    """Keys that are chosen and not sealed."""
    stepwise: bool = False
    """True if keys are chosen first and sealed by a button."""


def make_keys(view: MatchView, faces: Faces, two_step: bool = False, mask: int = 0) -> Keys:
    """Return the keyboard of the view's seat. `mask` holds the chosen keys as custom ids carry them."""
    cards = list_key_cards(view, faces)
    sealed = find_sealed_keys(view, cards)
    prompt = view.seen.prompt
    if prompt is None or view.over or (view.own is not None and view.own.left):
        return Keys(cards, sealed)
    live = tuple(dict.fromkeys(prompt.options))
    stepwise = prompt.kind is Kind.COMMIT and (prompt.size > 1 or two_step)
    chosen = tuple(card for card in match_ids.read_mask(mask, cards) if card in live)[: prompt.size] if stepwise else ()
    return Keys(cards, sealed, live, prompt.size, prompt.kind, chosen, stepwise)


def takes_prizes(view: MatchView) -> bool:
    """Return True if the keys of this seat are prizes, which it picks now or later."""
    return not view.over and view.seat in view.seen.turns


def list_key_cards(view: MatchView, faces: Faces | None = None) -> Cards:
    """Return all keys in their order: the open prizes for a player who picks, else the cards of the deal."""
    faces = faces or make_faces(view)
    return _list_prizes(view, faces) if takes_prizes(view) else faces.sort_keys(view.seen.keys)


def _list_prizes(view: MatchView, faces: Faces) -> Cards:
    return tuple(dict.fromkeys(faces.sort_coming(view.seen.exposed)))


def find_sealed_keys(view: MatchView, keys: Cards) -> Cards:
    """Return the keys of the viewer's sealed choice."""
    if view.mine is None or view.over:
        return ()
    written: Sequence[Any]  # the record writes one or several bid cards, or a picked prize
    match view.mine:
        case {"pick": picked}:
            written = (picked,)
        case [*several]:
            written = several
        case one:
            written = (one,)
    try:
        read = [view.rules.read_card(item) for item in written]
    except RuleError:
        return ()
    # Where keys are ranks and a bid names a physical card, its rank is the key.
    return tuple(card if card in keys else rank(card) for card in read if card is not None)


def key_buttons(view: MatchView, keys: Keys, faces: Faces) -> list[Button]:
    """Return a button for each key: playable, chosen, sealed or disabled."""
    is_picking = takes_prizes(view)
    if is_picking:
        ids = [match_ids.pick(view.id, view.prompt, card) for card in keys.cards]
    elif keys.stepwise:
        mask = match_ids.make_mask(keys.chosen, keys.cards)
        ids = [match_ids.toggle(view.id, view.prompt, mask, card) for card in keys.cards]
    else:
        ids = match_ids.cards(view.id, view.prompt, keys.cards)
    held = view.seen.exposed if is_picking else _list_held(view)
    has_equal = len(set(held)) < len(held)
    made: list[Button] = []
    for card, id in zip(keys.cards, ids, strict=True):
        label, style = _write_label(faces, card, held) if has_equal else faces.label(card), GREY
        if is_picking:
            label, style = say("key-take", card=label), GREEN
        if card in keys.chosen:
            label, style = say("key-chosen", card=label), BLUE
        elif card in keys.sealed_keys:
            label, style = say("key-sealed", card=label), GREEN
        made.append(Button(label, id, style, card in keys.live, "", faces.key_picture(card, view.seat)))
    return made


def _list_held(view: MatchView) -> Cards:
    """Return the hand of the viewer and, because keys may be ranks, the ranks of cards with suits."""
    hand = () if view.seat is None else view.seen.hands[view.seat] or ()
    return (*hand, *[rank(card) for card in hand if isinstance(card, str)])


def _write_label(faces: Faces, card: Card, held: Cards) -> str:
    """Return a card, with its number if it is there several times."""
    count = held.count(card)
    return say("key-count", card=faces.label(card), n=count) if count > 1 else faces.label(card)


def hand_buttons(
    view: MatchView,
    faces: Faces,
    cards: Cards,
    write_id: Callable[[str, int, Card], str],
    live: Collection[Card] = (),
) -> list[Button]:
    """Return keys of a hand, or of all hands, in words alone. Only `live` cards are enabled."""
    seat = None if faces.is_dressed else 0  # no suit of a seat, because the keys may serve all seats
    return [
        Button(
            faces.label(card),
            write_id(view.id, view.prompt, card),
            GREY,
            card in live,
            "",
            faces.key_picture(card, seat),
        )
        for card in faces.sort_keys(cards)
    ]


def prize_buttons(view: MatchView, faces: Faces) -> list[Button]:
    """Return a key of a board for each prize that can be picked now."""
    return [
        Button(
            say("key-take", card=_write_label(faces, card, view.seen.exposed)),
            match_ids.table_pick(view.id, view.prompt, card),
            GREEN,
            emoji=faces.key_picture(card, None),
        )
        for card in _list_prizes(view, faces)
    ]


def stack_rows(hand: Sequence[Row], prizes: Sequence[Row], room: int) -> list[Row]:
    """Return the keys of prizes below those of the hand, which are disabled, so that a second press on a card picks no
    prize. If there is no room for `room` components, return only the keys of prizes."""
    rows = [*hand, *prizes]
    return rows if sum(map(count_components, rows)) <= room else [*prizes]


# --- buttons that several messages of a match have ----------------------------------------------------------------


def look_button(view: MatchView, what: str) -> Button:
    """Return a button of the board that shows something; its label has the same id."""
    return Button(say(what), match_ids.board(view.id, what))


def draw_row(view: MatchView) -> tuple[Row, ...]:
    """Return the answers to an offered draw."""
    if view.draw is None:
        return ()
    yes = Button(say("accept-draw"), match_ids.draw(view.id, view.prompt, yes=True), GREEN)
    no = Button(say("decline-draw"), match_ids.draw(view.id, view.prompt, yes=False))
    return (Row((yes, no)),)


def add_way_back(page: Message, view: MatchView, mask: int) -> Message:
    """Return a page with a button that leads back to the console, or to the result; `mask` holds the chosen keys."""
    if view.over:
        button = Button(say("back-to-result"), match_ids.open_console(view.id))
    else:
        button = Button(say("back-to-cards"), match_ids.back(view.id, view.prompt, mask))
    shown = page.as_v2()
    body: list[Node] = list(shown.body)
    there = {node.name for node in body if isinstance(node, Attached | Picture)}
    body += [Attached(file.name) for file in shown.attachments if file.name not in there]
    last = body[-1]
    if isinstance(last, Row) and len(last.items) < WIDTH and all(isinstance(item, Button) for item in last.items):
        body[-1] = Row((*last.items, button))
    else:
        body.append(make_row(button))
    return replace(shown, body=tuple(body))
