"""The public board of a match: the same for everybody, made from the view without a seat."""

from __future__ import annotations

from bot.referee.model.views import MatchView
from bot.ui.custom_ids import match_ids
from bot.ui.message import BLUE, GREEN, MOST_COMPONENTS, Button, Message, Node, Row, Separator, Text, joined
from bot.ui.screens.result import ResultPicture, result
from bot.ui.screens.table import key_rows, last_row
from bot.ui.story import lines
from bot.ui.story.latest import happened
from bot.ui.story.lines import faces_of
from bot.ui.story.pauses import pauses
from bot.ui.story.point import accent, goal_line, match_point, point_line
from bot.ui.text.faces import Faces
from bot.ui.text.names import Names, names_of
from bot.ui.text.sentences import say
from bot.ui.text.stamps import about
from bot.ui.text.terms import in_force, rated_words, short_name

WORTH_SAYING = 60
"""seconds of downtime from which a board tells of it; every clock is moved by shorter ones too"""


def board(view: MatchView, *, reviewable: bool = False, card: ResultPicture | None = None) -> Message:
    """The board as it stands; of a match that is over, its result with the buttons that can be answered."""
    if view.over:
        return result(view, reviewable=reviewable, card=card)
    names, faces = names_of(view), faces_of(view)
    title = heading(view, names)
    points = match_point(view)
    awaited, told = lines.waiting(view, names), happened(view, lines.teller(view, faces))
    first = Text(joined(title, told or first_round(view), lines.lapsed(view, names)))
    stake = joined(lines.stake(view, faces), goal_line(view), point_line(points, names), awaited)
    seats = joined(
        *(lines.seat_line(view, seat, names) for seat in view.seats), draw_line(view, names), pauses(view, names)
    )
    small = Text(joined(small_print(view, names, faces.words), lines.plays_by(view, names)))
    body: tuple[Node, ...] = (first, Separator(), Text(stake), Text(seats), Separator(), small)
    if view.keyed:
        body = with_keys(view, faces, (first, Text(joined(stake, seats)), small))
    elif view.at_table:
        body = (*body, last_row(view))
    else:
        body = (*body, *draw_row(view), buttons(view))
    return Message(body=body, accent=accent(view, points), essence=joined(title, awaited))


def with_keys(view: MatchView, faces: Faces, texts: tuple[Text, ...]) -> tuple[Node, ...]:
    """The same with a key for every card. 25 of them leave no room for lines between the texts."""
    first, middle, small = texts
    last = last_row(view)
    room = MOST_COMPONENTS - 1 - len(texts) - 1 - len(last.items)
    keys = key_rows(view, faces, room)
    lined = sum(1 + len(one.items) for one in keys) + 2 <= room
    told: tuple[Node, ...] = (first, Separator(), middle, Separator(), small) if lined else texts
    return (*told, *keys, last)


def moved(match: str, link: str) -> Message:
    """What is left of a board that was posted anew further down."""
    return Message(body=(Text(say("moved", m=match, link=link) if link else say("moved-down", m=match)),))


def heading(view: MatchView, names: Names) -> str:
    return say("board-title", m=view.id, names=lines.everybody(names), where=lines.where(view))


def first_round(view: MatchView) -> str:
    if view.keyed:
        return say("first-round-table")
    return say("first-round-practice" if view.practice or view.at_table else "first-round")


def draw_line(view: MatchView, names: Names) -> str:
    """The offer that stands, and who has agreed besides."""
    if view.draw is None:
        return ""
    agreed = sorted(view.draw.agreed - {view.draw.by})
    if agreed:
        return say("draw-agreed", name=names[view.draw.by], names=names.all(agreed))
    return say("draw-offered", name=names[view.draw.by])


def draw_row(view: MatchView) -> tuple[Row, ...]:
    if view.draw is None or view.over:
        return ()
    yes = Button(say("accept-draw"), match_ids.draw(view.id, view.prompt, yes=True), GREEN)
    no = Button(say("decline-draw"), match_ids.draw(view.id, view.prompt, yes=False))
    return (Row((yes, no)),)


def small_print(view: MatchView, names: Names, faces: Faces) -> str:
    """The rules in force, what is still to come, and the seals."""
    game = view.rules.game
    order = faces.suit_order(view.seen.exposed)
    parts = [
        short_name(game),
        *in_force(view.rules, view.series),
        say("equal-ranks", order=order).removesuffix(".") if order else "",
        lines.to_come(view, faces),
        rated_words(view.setup, enough=view.unrated == "farming"),
    ]
    away = say("away", span=about(view.away)) if view.away >= WORTH_SAYING else ""
    return joined(
        say("small", text=" · ".join(part for part in parts if part)),
        lines.digits(view, names),
        away,
        say("wakes", bid=say("pick" if lines.picking(view) else "bid")) if view.outside else "",
    )


def buttons(view: MatchView) -> Row:
    """Bid opens everybody's own console; the rest are look-ups."""
    what = "pick" if lines.picking(view) else "bid"
    looks = [Button(say(id), match_ids.board(view.id, id)) for id in ("cards", "sheet", "more")]
    return Row((Button(say(what), match_ids.bid(view.id, view.prompt), BLUE), *looks))
