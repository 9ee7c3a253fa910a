"""The keys of a board that everybody bids on: one for every card that anybody may hold, always in its place.

Nothing here depends on what anybody has sealed: the board is drawn from the view without a seat.
"""

from __future__ import annotations

from bot.engine.cards import Card
from bot.referee.model.views import MatchView
from bot.ui.custom_ids import match_ids
from bot.ui.message import BLUE, GREEN, GREY, Button, Row, make_rows
from bot.ui.story import lines
from bot.ui.text.faces import Faces
from bot.ui.text.sentences import say
from bot.ui.text.style import remove_pictures


def board_key_rows(view: MatchView, faces: Faces, room: int) -> list[Row]:
    """As many components as there is room for. While prizes are picked they stand below the keys of the hands, which
    are dead then and keep their places."""
    cards = make_rows(_card_buttons(view, faces))
    if not lines.is_picking(view):
        return cards
    prizes = make_rows(_prize_buttons(view, faces))
    return [*cards, *prizes] if sum(1 + len(one.items) for one in (*cards, *prizes)) <= room else prizes


def _card_buttons(view: MatchView, faces: Faces) -> list[Button]:
    live, seat = _playable_cards(view), None if faces.dressed else 0
    return [
        Button(
            faces.label(card),
            match_ids.table_card(view.id, view.prompt, card),
            enabled=card in live,
            emoji=faces.key(card, seat),
        )
        for card in faces.sort_keys(view.seen.shared)
    ]


def _playable_cards(view: MatchView) -> frozenset[Card]:
    """What somebody who is asked may still hold."""
    if lines.is_picking(view):
        return frozenset()
    hands = [view.seen.hands[seat.seat] or () for seat in view.seats if seat.asked and not seat.left]
    return frozenset(card for card in view.seen.shared if any(view.rules.card(card) in hand for hand in hands))


def _prize_buttons(view: MatchView, faces: Faces) -> list[Button]:
    """What may be taken by whoever picks now."""
    made: list[Button] = []
    for card in dict.fromkeys(faces.sort_coming(view.seen.exposed)):
        count = view.seen.exposed.count(card)
        name = remove_pictures(faces.prize(card)) if faces.signed else faces.label(card)
        name = say("key-count", card=name, n=count) if count > 1 else name
        label = say("key-take", card=name)
        made.append(Button(label, match_ids.table_pick(view.id, view.prompt, card), GREEN, emoji=faces.key(card, None)))
    return made


def last_row(view: MatchView) -> Row:
    """*Bid* for whoever wants keys of their own; an offered draw takes the places of what *More* has, too."""
    what = "pick" if lines.is_picking(view) else "bid"
    bid = Button(say(what), match_ids.bid(view.id, view.prompt), GREY if view.keyed else BLUE)
    mine, more = (Button(say(id), match_ids.board(view.id, key)) for id, key in (("my-bid", "mine"), ("more", "more")))
    if view.draw is not None:
        yes = Button(say("accept-draw"), match_ids.draw(view.id, view.prompt, yes=True), GREEN)
        no = Button(say("decline-draw"), match_ids.draw(view.id, view.prompt, yes=False))
        return Row((yes, no, bid, mine, more))
    looks = [Button(say(id), match_ids.board(view.id, id)) for id in ("cards", "sheet")]
    return Row((bid, mine, *looks, more))
