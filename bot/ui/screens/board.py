"""The public board of a match. It is rendered from the view without a seat and is the same for all readers."""

from __future__ import annotations

from bot.engine.cards import Card
from bot.referee.model.views import MatchView
from bot.ui.custom_ids import match_ids
from bot.ui.message import (
    BLUE,
    GREEN,
    GREY,
    MAX_COMPONENTS,
    Button,
    Message,
    Node,
    Row,
    Separator,
    Text,
    join_lines,
    make_rows,
)
from bot.ui.screens.result import ResultPicture, render_result
from bot.ui.story import lines
from bot.ui.story.colours import choose_live_colour, find_match_point, match_point_line
from bot.ui.story.events import pause_lines
from bot.ui.story.latest import latest_story
from bot.ui.story.lines import make_faces
from bot.ui.story.reveal import make_round_teller
from bot.ui.text.faces import Faces
from bot.ui.text.names import Names, make_names
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_about
from bot.ui.text.style import remove_pictures
from bot.ui.text.terms import describe_rules_in_force, rated_words, short_name


def board_key_rows(view: MatchView, faces: Faces, room: int) -> list[Row]:
    """Return the keys of all cards. While prizes are picked, the keys of the prizes follow, and the keys of the hands
    stay in place, disabled."""
    cards = make_rows(_card_buttons(view, faces))
    if not lines.is_picking(view):
        return cards
    prizes = make_rows(_prize_buttons(view, faces))
    return [*cards, *prizes] if sum(1 + len(one.items) for one in (*cards, *prizes)) <= room else prizes


def _card_buttons(view: MatchView, faces: Faces) -> list[Button]:
    live, seat = _playable_cards(view), None if faces.is_dressed else 0
    return [
        Button(
            faces.label(card),
            match_ids.table_card(view.id, view.prompt, card),
            enabled=card in live,
            emoji=faces.key_picture(card, seat),
        )
        for card in faces.sort_keys(view.seen.shared)
    ]


def _playable_cards(view: MatchView) -> frozenset[Card]:
    """Return a button for each card that an awaited player may still hold."""
    if lines.is_picking(view):
        return frozenset()
    hands = [view.seen.hands[seat.seat] or () for seat in view.seats if seat.asked and not seat.left]
    return frozenset(card for card in view.seen.shared if any(view.rules.card(card) in hand for hand in hands))


def _prize_buttons(view: MatchView, faces: Faces) -> list[Button]:
    """Return a button for each prize that can be picked now."""
    made: list[Button] = []
    for card in dict.fromkeys(faces.sort_coming(view.seen.exposed)):
        count = view.seen.exposed.count(card)
        name = remove_pictures(faces.prize(card)) if faces.is_signed else faces.label(card)
        name = say("key-count", card=name, n=count) if count > 1 else name
        label = say("key-take", card=name)
        made.append(
            Button(label, match_ids.table_pick(view.id, view.prompt, card), GREEN, emoji=faces.key_picture(card, None))
        )
    return made


def last_row(view: MatchView) -> Row:
    """Return the control row: *Bid* opens a private console. An offered draw replaces buttons that *More* also has."""
    what = "pick" if lines.is_picking(view) else "bid"
    bid = Button(say(what), match_ids.bid(view.id, view.prompt), GREY if view.keyed else BLUE)
    mine, more = (Button(say(id), match_ids.board(view.id, key)) for id, key in (("my-bid", "mine"), ("more", "more")))
    if view.draw is not None:
        yes = Button(say("accept-draw"), match_ids.draw(view.id, view.prompt, yes=True), GREEN)
        no = Button(say("decline-draw"), match_ids.draw(view.id, view.prompt, yes=False))
        return Row((yes, no, bid, mine, more))
    looks = [Button(say(id), match_ids.board(view.id, id)) for id in ("cards", "sheet")]
    return Row((bid, mine, *looks, more))


MIN_DOWNTIME = 60
"""Seconds of downtime from which a board mentions it. Shorter ones also move the clocks."""


def render_board(view: MatchView, *, reviewable: bool = False, card: ResultPicture | None = None) -> Message:
    """Return the board, or the result of a match that is over."""
    if view.over:
        return render_result(view, reviewable=reviewable, card=card)
    names, faces = make_names(view), make_faces(view)
    title = say("board-title", m=view.id, names=lines.name_players(view, names), where=lines.describe_position(view))
    points = find_match_point(view)
    awaited = lines.waiting_line(view, names)
    told = latest_story(view, make_round_teller(view, faces)) if lines.has_revealed(view) else ""
    slow = lines.substitute_line(view, names) if view.lapsed else ""
    first = Text(join_lines(title, told or first_round_hint(view), slow))
    match_point = match_point_line(points, names) if points else ""
    stake = join_lines(lines.stake_line(view, faces), lines.goal_line(view), match_point, awaited)
    seats = join_lines(
        *(lines.seat_line(view, seat, names) for seat in view.seats),
        draw_line(view, names) if view.draw else "",
        pause_lines(view, names) if view.paused else "",
    )
    styles = lines.house_style_line(view, names) if view.plays else ""
    small = Text(join_lines(board_small_print(view, names, faces.without_pictures), styles))
    body: tuple[Node, ...] = (first, Separator(), Text(stake), Text(seats), Separator(), small)
    if view.keyed:
        body = add_keys(view, faces, (first, Text(join_lines(stake, seats)), small))
    elif view.at_table:
        body = (*body, last_row(view))
    else:
        body = (*body, *(draw_row(view) if view.draw else ()), board_buttons(view))
    return Message(body=body, accent=choose_live_colour(view, points), essence=join_lines(title, awaited))


def add_keys(view: MatchView, faces: Faces, texts: tuple[Text, ...]) -> tuple[Node, ...]:
    """Return the board with a key for each card. With 25 keys there is no room for separators."""
    first, middle, small = texts
    last = last_row(view)
    room = MAX_COMPONENTS - 1 - len(texts) - 1 - len(last.items)
    keys = board_key_rows(view, faces, room)
    lined = sum(1 + len(one.items) for one in keys) + 2 <= room
    told: tuple[Node, ...] = (first, Separator(), middle, Separator(), small) if lined else texts
    return (*told, *keys, last)


def render_moved_board(match: str, link: str) -> Message:
    """Return the pointer that replaces a board that moved down the channel."""
    return Message(body=(Text(say("moved", m=match, link=link) if link else say("moved-down", m=match)),))


def first_round_hint(view: MatchView) -> str:
    if view.keyed:
        return say("first-round-table")
    return say("first-round-practice" if view.practice or view.at_table else "first-round")


def draw_line(view: MatchView, names: Names) -> str:
    """Return the line of an offered draw: who offered it and who agreed."""
    if view.draw is None:
        return ""
    agreed = sorted(view.draw.agreed - {view.draw.by})
    if agreed:
        return say("draw-agreed", name=names[view.draw.by], names=names.join_names(agreed))
    return say("draw-offered", name=names[view.draw.by])


def draw_row(view: MatchView) -> tuple[Row, ...]:
    if view.draw is None or view.over:
        return ()
    yes = Button(say("accept-draw"), match_ids.draw(view.id, view.prompt, yes=True), GREEN)
    no = Button(say("decline-draw"), match_ids.draw(view.id, view.prompt, yes=False))
    return (Row((yes, no)),)


def board_small_print(view: MatchView, names: Names, faces: Faces) -> str:
    """Return the small print: rules in force, prizes to come, seals."""
    game = view.rules.game
    order = faces.suit_order(view.seen.exposed)
    parts = [
        short_name(game),
        *describe_rules_in_force(view.rules, view.series),
        say("equal-ranks", order=order).removesuffix(".") if order else "",
        lines.to_come_line(view, faces),
        rated_words(view.setup, is_limit_reached=view.unrated == "farming"),
    ]
    away = say("away", span=format_about(view.away)) if view.away >= MIN_DOWNTIME else ""
    return join_lines(
        say("small", text=" · ".join(part for part in parts if part)),
        lines.digits_line(view, names),
        away,
        say("wakes", bid=say("pick" if lines.is_picking(view) else "bid")) if view.outside else "",
    )


def board_buttons(view: MatchView) -> Row:
    """Return the buttons: *Bid* opens a private console, the others show details."""
    what = "pick" if lines.is_picking(view) else "bid"
    looks = [Button(say(id), match_ids.board(view.id, id)) for id in ("cards", "sheet", "more")]
    return Row((Button(say(what), match_ids.bid(view.id, view.prompt), BLUE), *looks))
