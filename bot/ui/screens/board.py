"""The public board of a match. It is rendered from the view without a seat and is the same for all readers."""

from __future__ import annotations

from bot.engine.cards import Card
from bot.referee.model.views import MatchView
from bot.ui.custom_ids import match_ids
from bot.ui.message import BLUE, GREY, Button, Message, Node, Row, Separator, Text, join_lines, make_rows
from bot.ui.nodes import MAX_COMPONENTS, count_components
from bot.ui.screens.keys import draw_row, hand_buttons, look_button, prize_buttons, stack_rows
from bot.ui.screens.result import ResultPicture, render_result
from bot.ui.story import lines
from bot.ui.story.colours import choose_live_colour, decided_line, find_match_point, match_point_line
from bot.ui.story.events import pause_lines
from bot.ui.story.latest import latest_story
from bot.ui.story.lines import make_faces
from bot.ui.story.reveal import make_round_teller
from bot.ui.text.faces import Faces
from bot.ui.text.names import Names
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_about
from bot.ui.text.terms import describe_rules_in_force, game_title, rated_words, series_words, tie_words


def board_key_rows(view: MatchView, faces: Faces, room: int) -> list[Row]:
    """Return the keys of all cards. While prizes are picked, the keys of the prizes follow, and the keys of the hands
    stay in place, disabled."""
    is_picking = lines.is_picking(view)
    live = () if is_picking else _playable_cards(view)
    cards = make_rows(hand_buttons(view, faces, view.seen.shared, match_ids.table_card, live))
    return stack_rows(cards, make_rows(prize_buttons(view, faces)), room) if is_picking else cards


def _playable_cards(view: MatchView) -> frozenset[Card]:
    """Return each card that an awaited player may still hold."""
    hands = [view.seen.hands[seat.seat] or () for seat in view.seats if seat.asked and not seat.left]
    return frozenset(card for card in view.seen.shared if any(view.rules.card(card) in hand for hand in hands))


def control_rows(view: MatchView) -> list[Row]:
    """Return the control buttons: *Bid* opens a private console, the others show details.

    On a board that is bid on there is room for one row, so an offered draw replaces buttons that *More* also has.
    """
    what = "pick" if lines.is_picking(view) else "bid"
    bid = Button(say(what), match_ids.bid(view.id, view.prompt), GREY if view.keyed else BLUE)
    cards, sheet, more = look_button(view, "cards"), look_button(view, "sheet"), look_button(view, "more")
    offers = draw_row(view)
    if not view.at_table:
        return [*offers, Row((bid, cards, sheet, more))]
    mine = Button(say("my-bid"), match_ids.board(view.id, "mine"))
    return [Row((*offers[0].items, bid, mine, more) if offers else (bid, mine, cards, sheet, more))]


MIN_DOWNTIME = 60
"""Seconds of downtime from which a board mentions it. Shorter ones also move the clocks."""


def render_board(view: MatchView, card: ResultPicture | None = None) -> Message:
    """Return the board, or the result of a match that is over."""
    if view.over:
        return render_result(view, reviewable=view.reviewable, card=card)
    teller = make_round_teller(view, make_faces(view))
    names, faces = teller.names, teller.faces
    title = say("board-title", names=lines.players_for_title(view, names), where=lines.describe_position(view))
    points = find_match_point(view)
    awaited = lines.waiting_line(view, names)
    told = latest_story(view, teller)
    slow = lines.substitute_line(view, names) if view.lapsed else ""
    first = Text(join_lines(title, told or first_round_hint(view), slow))
    match_point = match_point_line(points, names) or decided_line(view, names)
    stake = join_lines(lines.stake_line(view, faces), lines.goal_line(view), match_point, awaited)
    seats = join_lines(
        lines.seat_lines(view, names),
        draw_line(view, names),
        pause_lines(view, names) if view.paused else "",
    )
    small_print = board_small_print(view, faces.without_pictures)
    small = Text(join_lines(small_print, lines.house_style_line(view, names) if view.plays else ""))
    if view.keyed:
        body = add_keys(view, faces, (first, Text(join_lines(stake, seats)), small))
    else:
        body = (first, Separator(), Text(stake), Text(seats), Separator(), small, *control_rows(view))
    return Message(body=body, accent=choose_live_colour(view, points), essence=join_lines(title, awaited))


def add_keys(view: MatchView, faces: Faces, texts: tuple[Text, ...]) -> tuple[Node, ...]:
    """Return the board with a key for each card. With 25 keys there is no room for separators."""
    first, middle, small = texts
    (last,) = control_rows(view)
    room = MAX_COMPONENTS - 1 - len(texts) - count_components(last)
    keys = board_key_rows(view, faces, room)
    is_lined = sum(map(count_components, keys)) + 2 <= room
    told: tuple[Node, ...] = (first, Separator(), middle, Separator(), small) if is_lined else texts
    return (*told, *keys, last)


def render_moved_board(match: str, link: str) -> Message:
    """Return the pointer that replaces a board that moved down the channel."""
    return Message(body=(Text(say("moved", m=match, link=link) if link else say("moved-down", m=match)),))


def first_round_hint(view: MatchView) -> str:
    if view.keyed:
        return say("first-round-table")
    return say("first-round-practice" if view.is_practice or view.at_table else "first-round")


def draw_line(view: MatchView, names: Names) -> str:
    """Return the line of an offered draw: who offered it, who agreed, and who must still answer."""
    if view.draw is None:
        return ""
    by, agreed = view.draw.by, sorted(view.draw.agreed - {view.draw.by})
    if len(view.seats) == 2:
        return say("draw-offered-two", name=names[by])
    data = {"name": names[by], "names": names.join_names([seat.seat for seat in view.undecided])}
    return say("draw-agreed", agreed=names.join_names(agreed), **data) if agreed else say("draw-offered", **data)


def board_small_print(view: MatchView, faces: Faces) -> str:
    """Return the small print: rules in the first round, prizes to come, and the game and the code."""
    begins, ties = not view.seen.rounds, tie_words(view.rules)
    name = game_title(view.rules, is_short=True)
    rules = [rule for rule in describe_rules_in_force(view.rules, view.series) if rule not in name.casefold()]
    in_title = "" if begins or view.series.mode != "deals" else series_words(view.series, view.rules)
    small = lines.small_print(
        *(rule for rule in rules if rule != in_title and (rule != ties or lines.tells_ties(view))),
        lines.equal_ranks_line(view, faces),
        lines.to_come_line(view, faces),
        rated_words(view.setup, is_limit_reached=view.unrated == "farming") if begins else "",
        name,
        lines.code_text(view),
    )
    away = say("away", span=format_about(view.away)) if view.away >= MIN_DOWNTIME else ""
    return join_lines(
        small,
        away,
        say("wakes", bid=say("pick" if lines.is_picking(view) else "bid")) if view.outside else "",
    )
