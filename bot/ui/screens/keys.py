"""The keyboard of a console: a key for each card, always at the same place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.engine.cards import Card, rank
from bot.engine.choices import Kind
from bot.engine.refusals import RuleError
from bot.engine.state import Cards
from bot.referee.model.views import MatchView
from bot.ui.custom_ids import match_ids
from bot.ui.message import BLUE, GREEN, GREY, Button
from bot.ui.story.lines import make_faces
from bot.ui.text.faces import Faces
from bot.ui.text.sentences import say
from bot.ui.text.style import remove_pictures


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a seat, and which are chosen or sealed."""

    cards: Cards
    """All keys in their order."""
    live: Cards
    """Keys that can be bid now."""
    size: int
    """Number of cards of the bid; 0 if no bid is asked."""
    kind: Kind | None
    sealed_keys: Cards
    """Keys of the sealed bid."""
    chosen: Cards
    """Keys that are chosen and not sealed."""
    stepwise: bool
    """True if keys are chosen first and sealed by a button."""


def make_keys(view: MatchView, faces: Faces, two_step: bool = False, mask: int = 0) -> Keys:
    """Return the keyboard of the view's seat. `mask` holds the chosen keys as custom ids carry them."""
    seen = view.seen
    prompt = None if view.over or (view.own is not None and view.own.left) else seen.prompt
    cards = list_key_cards(view, faces)
    live = () if prompt is None else tuple(dict.fromkeys(prompt.options))
    size = 0 if prompt is None else prompt.size
    kind = None if prompt is None else prompt.kind
    stepwise = kind is Kind.COMMIT and (size > 1 or two_step)
    chosen = tuple(card for card in match_ids.read_mask(mask, cards) if card in live)[:size] if stepwise else ()
    return Keys(cards, live, size, kind, find_sealed_keys(view, cards), chosen, stepwise)


def list_key_cards(view: MatchView, faces: Faces | None = None) -> Cards:
    """Return all keys in their order: the open prizes for a player who picks, else the cards of the deal."""
    seen, faces = view.seen, faces or make_faces(view)
    if takes_prizes(view):
        return tuple(dict.fromkeys(faces.sort_coming(seen.exposed)))
    return faces.sort_keys(seen.keys)


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
    seat = None if view.seen.turns else view.seat
    picking, pictured = takes_prizes(view), faces.style.pictures
    if view.seat in view.seen.turns:
        ids = [match_ids.pick(view.id, view.prompt, card) for card in keys.cards]
    elif keys.stepwise:
        mask = match_ids.make_mask(keys.chosen, keys.cards)
        ids = [match_ids.toggle(view.id, view.prompt, mask, card) for card in keys.cards]
    else:
        ids = match_ids.cards(view.id, view.prompt, keys.cards)
    made: list[Button] = []
    for card, name, id in zip(keys.cards, _write_labels(view, keys, faces), ids, strict=True):
        style = GREEN if picking else GREY
        if picking:
            name = say("key-take", card=name)
        label = name
        if card in keys.sealed_keys:
            label, style = say("key-sealed", card=name), GREEN
        if card in keys.chosen:
            label, style = say("key-chosen", card=name), BLUE
        made.append(Button(label, id, style, card in keys.live, "", faces.key_picture(card, seat) if pictured else ""))
    return made


def takes_prizes(view: MatchView) -> bool:
    """Return True if the keys of this seat are prizes, which it picks now or later."""
    return not view.over and view.seat in view.seen.turns


def hand_buttons(view: MatchView, faces: Faces) -> list[Button]:
    """Return the keys of a hand while prizes are picked; they are disabled."""
    match, prompt = view.id, view.prompt
    cards = faces.sort_keys(view.seen.keys)
    return [
        Button(
            faces.label(card),
            match_ids.card(match, prompt, card),
            enabled=False,
            emoji=faces.key_picture(card, view.seat),
        )
        for card in cards
    ]


def _write_labels(view: MatchView, keys: Keys, faces: Faces) -> list[str]:
    """What stands on each key, whether or not it is sealed."""
    hand = () if view.seat is None else view.seen.hands[view.seat] or ()
    if not view.seen.turns and len(set(hand)) == len(hand) and set(keys.cards).issuperset(hand):  # each is there once
        return [faces.label(card) for card in keys.cards]
    count = _card_counter(view)
    return [_write_label(view, card, faces, count(card)) for card in keys.cards]


def _card_counter(view: MatchView) -> Callable[[Card], int]:
    """How often a key's card is there."""
    seen = view.seen
    if seen.turns and view.seat in seen.turns:
        return seen.exposed.count
    hand = () if view.seat is None else seen.hands[view.seat] or ()
    if not any(isinstance(held, str) for held in hand):
        return hand.count
    ranks = [rank(held) for held in hand]
    return lambda card: ranks.count(card) if isinstance(card, int) else hand.count(card)


def _write_label(view: MatchView, card: Card, faces: Faces, count: int) -> str:
    """The card; with how often it is there, where it can be there more than once."""
    name = remove_pictures(faces.prize(card)) if view.seen.turns and faces.is_signed else faces.label(card)
    return say("key-count", card=name, n=count) if count > 1 else name
