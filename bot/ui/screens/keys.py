"""The keyboard of a console: a key for every card, always in its place."""

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
from bot.ui.story.lines import faces_of
from bot.ui.text.faces import Faces
from bot.ui.text.sentences import say
from bot.ui.text.style import bare


@dataclass(frozen=True, slots=True)
class Keys:
    """What this seat could press, and how far it has got."""

    cards: Cards
    """every key, in its place"""
    live: Cards
    """those that may be bid now"""
    size: int
    """how many cards make the bid; 0 when nothing is asked"""
    kind: Kind | None
    sealed: Cards
    """keys of the bid that is sealed"""
    chosen: Cards
    """keys that are chosen and not sealed yet"""
    stepwise: bool
    """whether keys are chosen first, and sealed by a button of their own"""


def keys_of(view: MatchView, faces: Faces, two_step: bool = False, mask: int = 0) -> Keys:
    """The keyboard of the view's own seat; `mask` are the keys chosen so far, as ids carry them."""
    seen = view.seen
    prompt = None if view.over or (view.own is not None and view.own.left) else seen.prompt
    cards = shelf(view, faces)
    live = () if prompt is None else tuple(dict.fromkeys(prompt.options))
    size = 0 if prompt is None else prompt.size
    kind = None if prompt is None else prompt.kind
    stepwise = kind is Kind.COMMIT and (size > 1 or two_step)
    chosen = tuple(card for card in match_ids.chosen_of(mask, cards) if card in live)[:size] if stepwise else ()
    return Keys(cards, live, size, kind, sealed_keys(view, cards), chosen, stepwise)


def shelf(view: MatchView, faces: Faces | None = None) -> Cards:
    """Every key in its place: the prizes on view for who picks, else the cards of the deal. A mask counts these."""
    seen, faces = view.seen, faces or faces_of(view)
    if takes(view):
        return tuple(dict.fromkeys(faces.coming(seen.exposed)))
    return faces.shelf(seen.keys)


def sealed_keys(view: MatchView, keys: Cards) -> Cards:
    """The keys of the viewer's own sealed choice."""
    if view.mine is None or view.over:
        return ()
    try:
        read = [view.rules.read_card(item) for item in _listed(view.mine)]
    except RuleError:
        return ()
    return tuple(_key(card, keys) for card in read if card is not None)


def _listed(choice: Any) -> Sequence[Any]:
    """The cards of a choice as the record writes it: one or several that are bid, or one that is picked."""
    match choice:
        case {"pick": picked}:
            return (picked,)
        case [*several]:
            return several
        case one:
            return (one,)


def _key(card: Card, keys: Cards) -> Card:
    """Where a bid names a physical card and keys are ranks, the key is the rank."""
    return card if card in keys else rank(card)


def buttons(view: MatchView, keys: Keys, faces: Faces) -> list[Button]:
    """One button a key: playable, chosen, sealed, or dead in its place."""
    seat = None if view.seen.turns else view.seat
    picking, pictured = takes(view), faces.style.pictures
    made: list[Button] = []
    for card, name, id in zip(keys.cards, _labels(view, keys, faces), _ids(view, keys), strict=True):
        style = GREEN if picking else GREY
        if picking:
            name = say("key-take", card=name)
        label = name
        if card in keys.sealed:
            label, style = say("key-sealed", card=name), GREEN
        if card in keys.chosen:
            label, style = say("key-chosen", card=name), BLUE
        made.append(Button(label, id, style, card in keys.live, "", faces.key(card, seat) if pictured else ""))
    return made


def takes(view: MatchView) -> bool:
    """Whether the keys of this seat are prizes, which it takes now or after others."""
    return not view.over and view.seat in view.seen.turns


def hand_keys(view: MatchView, faces: Faces) -> list[Button]:
    """The keys of a hand while prizes are picked: in their places, and dead."""
    match, prompt = view.id, view.prompt
    cards = faces.shelf(view.seen.keys)
    return [
        Button(faces.label(card), match_ids.card(match, prompt, card), enabled=False, emoji=faces.key(card, view.seat))
        for card in cards
    ]


def _ids(view: MatchView, keys: Keys) -> list[str]:
    """The id of each key, in which its card is written."""
    match, prompt = view.id, view.prompt
    if view.seen.turns and view.seat in view.seen.turns:
        return [match_ids.pick(match, prompt, card) for card in keys.cards]
    if keys.stepwise:
        mask = match_ids.mask_of(keys.chosen, keys.cards)
        return [match_ids.toggle(match, prompt, mask, card) for card in keys.cards]
    return match_ids.cards(match, prompt, keys.cards)


def _labels(view: MatchView, keys: Keys, faces: Faces) -> list[str]:
    """What stands on each key, whether or not it is sealed."""
    hand = () if view.seat is None else view.seen.hands[view.seat] or ()
    if not view.seen.turns and len(set(hand)) == len(hand) and set(keys.cards).issuperset(hand):  # each is there once
        return faces.labels(keys.cards)
    count = _counted(view)
    return [_label(view, card, faces, count(card)) for card in keys.cards]


def _counted(view: MatchView) -> Callable[[Card], int]:
    """How often a key's card is there."""
    seen = view.seen
    if seen.turns and view.seat in seen.turns:
        return seen.exposed.count
    hand = () if view.seat is None else seen.hands[view.seat] or ()
    if not any(isinstance(held, str) for held in hand):
        return hand.count
    ranks = [rank(held) for held in hand]
    return lambda card: ranks.count(card) if isinstance(card, int) else hand.count(card)


def _label(view: MatchView, card: Card, faces: Faces, count: int) -> str:
    """The card; with how often it is there, where it can be there more than once."""
    name = bare(faces.prize(card)) if view.seen.turns and faces.signed else faces.label(card)
    return say("key-count", card=name, n=count) if count > 1 else name
