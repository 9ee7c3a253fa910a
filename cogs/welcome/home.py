"""`/gops help`: the home card, which also answers direct messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bot.engine.cards import Card, rank, rank_letter
from bot.engine.refusals import RuleError
from bot.engine.variants import DEFAULT, find_game
from bot.interactions.client import GopsClient
from bot.interactions.commands import command
from bot.interactions.component import MessageKind, component
from bot.interactions.context import InteractionContext, stale_button
from bot.interactions.services import Services
from bot.interactions.shared.practice import begin_practice
from bot.interactions.shared.private_question import send_question
from bot.interactions.shared.rules_card import render_rules_in_thread
from bot.pictures.card_backs import draw_fan
from bot.referee.house.lesson import MATCHER, PRIZES, YOU, Lesson, find_best
from bot.referee.lobby.setups import Wish
from bot.referee.model.model import UserId
from bot.referee.model.views import MatchView
from bot.solver.players.levels import SLY
from bot.ui.custom_ids import challenge_ids, learning_ids, match_ids
from bot.ui.message import (
    BLUE,
    Attachment,
    Button,
    Menu,
    Message,
    Node,
    Picture,
    Row,
    Separator,
    Text,
    join_lines,
    make_row,
)
from bot.ui.text.catalogue.numbers import GAP
from bot.ui.text.faces import Faces
from bot.ui.text.names import make_names
from bot.ui.text.sentences import say
from bot.ui.text.style import find_style

FAN = "cards.png"


def guided_card(lesson: Lesson, home: Message, back: bool = False, cards: str = "", other: str = "") -> Message:
    """Return the card. Under the last round are the buttons of `home`; `back`: the person returns to the match; `cards`
    is the card style; `other` is the game of the challenge that led here, if it is not the one that is taught."""
    faces = Faces(lesson.state.rules, find_style(cards))
    note = say("lesson-other", game=other) if other else ""
    return _end(lesson, faces, home) if lesson.over else _round(lesson, faces, back, note)


def _round(lesson: Lesson, faces: Faces, back: bool, note: str) -> Message:
    state, (mine, theirs) = lesson.state, lesson.scores
    (prize,) = state.exposed
    title = say("lesson-title", n=state.number, of=len(PRIZES))
    told = join_lines(
        note,
        say("lesson-back") if back and lesson.bids else "",
        explain_bid(lesson, faces) or say("lesson-begin"),
    )
    bid = say("lesson-bid" if lesson.bids else "lesson-bid-first")
    small = say("lesson-held", hand=_cards(state.hands[MATCHER]), left=_cards(sorted(state.stock, key=rank)))
    keys = [
        Button(
            rank_letter(card),
            learning_ids.lesson(lesson.bids, str(card)),
            enabled=card in state.hands[YOU],
            emoji=faces.key_picture(card, YOU),
        )
        for card in range(1, len(PRIZES) + 1)
    ]
    body: tuple[Node, ...] = (
        Text(join_lines(title, told)),
        Separator(),
        Text(join_lines(say("lesson-prize", prize=faces.prize_by_rank(rank(prize)), n=rank(prize)), bid)),
        Text(join_lines(say("lesson-score", x=mine, y=theirs), small)),
        make_row(*keys),
        make_row(Button(say("lesson-skip"), learning_ids.lesson(lesson.bids, "skip"))),
    )
    return Message(body=body, essence=title)


def _end(lesson: Lesson, faces: Faces, home: Message) -> Message:
    """Return the last round, what was learnt, and the result at the end. The buttons of the home card are under it."""
    mine, theirs = lesson.scores
    how = "won" if mine > theirs else "lost" if mine < theirs else "drawn"
    x, y = find_best().scores
    told = join_lines(explain_bid(lesson, faces), _last(lesson), say("lesson-now"))
    best = say("lesson-best") if lesson.margin == x - y else say("lesson-better", x=x, y=y)
    result = join_lines(say(f"lesson-{how}-all", x=mine, y=theirs), best)
    rows = [node for node in home.body if isinstance(node, Row) and all(isinstance(one, Button) for one in node.items)]
    return Message(body=(Text(told), Separator(), Text(result), *rows), essence=result)


def _last(lesson: Lesson) -> str:
    """Return the sentence about the last round, in which each hand had one card."""
    last = lesson.state.rounds[-1]
    who = "you" if last.winners == (YOU,) else "house" if last.winners == (MATCHER,) else "nobody"
    return say(f"lesson-last-{who}", prize=_name(rank(last.prizes[0])))


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
    words = {"prize": _name(prize), "x": _held(faces, YOU, mine), "y": _held(faces, MATCHER, theirs)}
    words["low"] = _name(min(lesson.hand))
    return say(id, card=_name(enough or mine), **words)


def _name(card: int) -> str:
    """Return the name of a card in a sentence, where "A" would be read as a word."""
    return say("ace") if card == 1 else rank_letter(card)


def _held(faces: Faces, seat: int, card: int) -> str:
    """Return the name of a player's card after its picture."""
    picture = faces.key_picture(card, seat)
    return f"{picture}{GAP}{_name(card)}" if picture else _name(card)


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(rank_letter(rank(card)) for card in cards)


@dataclass(frozen=True, slots=True)
class Visitor:
    """What the home card knows of its reader."""

    is_new: bool = False
    """True for a person who has finished neither a match nor *How it works*"""
    waiting: MatchView | None = None
    """their practice match that waits"""


def home_card(
    visitor: Visitor,
    *,
    here: bool,
    version: str,
    support: str = "",
    outside: bool = False,
    png: bytes = b"",
) -> Message:
    """Return the home card. `here`: there is a server with people to challenge; `support`: where to report problems.

    `outside`: in a group chat, or a server that has not added the bot; boards work there, rankings do not. `png`: the
    fan of cards.
    """
    title = say("home-title")
    foot = say("home-support", version=version, link=support) if support else say("home-foot", version=version)
    body: list[Node] = [
        Text(title),
        *([Picture(FAN, say("home-picture"))] if png else []),
        Text(say("home-text")),
        _play_row(visitor, here=here),
        _look_row(here=here),
    ]
    if here:
        body.append(make_row(Menu(learning_ids.home("who"), say("home-challenge"), kind="user")))
    body.append(
        Text(join_lines(say("home-more" if here else "home-more-outside" if outside else "home-more-dm"), foot))
    )
    files = (Attachment(FAN, png, spare=True),) if png else ()
    return Message(body=tuple(body), attachments=files, essence=title)


def _play_row(visitor: Visitor, *, here: bool) -> Row:
    """Return the ways to a match. The first one has the colour: what this reader most likely wants."""
    house = Button(say("home-house"), learning_ids.home("house"))
    guide = Button(say("home-guide"), learning_ids.home("guide"))
    waiting = [_continue_button(visitor.waiting)] if visitor.waiting is not None else []
    first, *others = [*waiting, guide, house] if visitor.is_new else [*waiting, house, guide]
    find = (Button(say("search-more"), challenge_ids.search("more")),) if here else ()
    return make_row(Button(first.label, first.id, BLUE), *others, *find)


def _look_row(*, here: bool) -> Row:
    daily = (Button(say("home-daily"), learning_ids.home("daily")),) if here else ()
    return make_row(*daily, Button(say("rules"), learning_ids.home("rules")))


def _continue_button(view: MatchView) -> Button:
    return Button(say("continue"), match_ids.board(view.id, "bid"), BLUE)


def continue_card(view: MatchView) -> Message:
    """Ask whether to go on with the practice match that waits, or to begin another one."""
    names = make_names(view).join_names(seat.seat for seat in view.seats if not seat.user)
    question = say("home-waiting", m=view.id, names=names, n=len(view.seen.rounds))
    return Message(question, (make_row(_continue_button(view), Button(say("new-match"), learning_ids.home("new"))),))


AGAIN = timedelta(minutes=1)
"""The shortest time between two answers to one person."""


@command("help", "How to begin, and to report a problem")
async def help_(context: InteractionContext) -> None:
    await context.answer.send(await _card(context))


async def _play_house(context: InteractionContext) -> None:
    """Begin a practice match, or ask whether to go on with the one that waits."""
    waiting = await context.referee.practice.find_private(context.user)
    if waiting is None:
        await _play_another(context)
    else:
        context.answer.will_send()
        view = await context.referee.views.view_live(waiting, context.user)
        await send_question(context, view, continue_card(view))


async def _play_another(context: InteractionContext) -> None:
    await begin_practice(context, SLY, Wish())


async def _begin_lesson(context: InteractionContext) -> None:
    lesson = await context.referee.lessons.load(context.user)
    await context.answer.update(await _lesson_card(context, lesson, back=True))


@component(learning_ids.HOME_LESSON, on=MessageKind.SHARED)
async def begin_lesson_here(context: InteractionContext) -> None:
    """Begin the guided match, privately. Below a challenge of another game it says that it teaches Classic."""
    other = _name_game(learning_ids.read_guide(context.id_parts))
    context.answer.will_send()
    lesson = await context.referee.lessons.load(context.user)
    await context.answer.send(await _lesson_card(context, lesson, back=True, other=other))


def _name_game(key: str) -> str:
    """Return the name of the game of a button, or an empty string for none. Refuse an unknown game."""
    try:
        return find_game(key).name if key else ""
    except RuleError as refusal:
        raise stale_button() from refusal


async def _show_rules(context: InteractionContext) -> None:
    context.answer.will_send()
    await context.answer.send(await render_rules_in_thread(DEFAULT.key))


STARTS = {"house": _play_house, "new": _play_another, "guide": _begin_lesson, "rules": _show_rules}


@component(learning_ids.HOME)
async def start_from_home(context: InteractionContext) -> None:
    """Start what a button of the home card offers; the card stays."""
    await STARTS[learning_ids.read_home(context.id_parts)](context)


@component(learning_ids.LESSON)
async def bid_in_lesson(context: InteractionContext) -> None:
    """Bid in the guided match, whose bids the ids carry, or skip the match."""
    bids, what = learning_ids.read_lesson(context.id_parts)
    if what == "skip":
        await context.referee.lessons.skip(context.user)
        await context.answer.update(await _card(context))
        return
    lesson = await context.referee.lessons.bid(context.user, [*bids, int(what)], context.origin.guild)
    await context.answer.update(await _lesson_card(context, lesson))


async def _lesson_card(context: InteractionContext, lesson: Lesson, *, back: bool = False, other: str = "") -> Message:
    """Return the guided match in the person's card style."""
    player = await context.referee.people.load_player(context.user)
    home = await _card(context, pictured=False) if lesson.over else Message()
    return guided_card(lesson, home, back, player.cards, other)


async def _card(context: InteractionContext, *, pictured: bool = True) -> Message:
    """Return the home card for the user and the place of this command or press."""
    here, outside = bool(context.origin.guild), context.origin.is_outside
    return await _render_home(context.services, context.user, here=here, outside=outside, pictured=pictured)


async def _render_home(
    services: Services, user: UserId, *, here: bool, outside: bool = False, pictured: bool = True
) -> Message:
    referee, waiting = services.referee, await services.referee.practice.find_private(user)
    view = None if waiting is None else await referee.views.view_live(waiting, user)
    return home_card(
        Visitor(await referee.lessons.is_new(user), view),
        here=here,
        version=services.version,
        support=services.support,
        outside=outside,
        png=await services.painter.paint(draw_fan()) if pictured and services.painter.on else b"",
    )


class Greeter:
    """Listener that answers direct messages with the home card; their content is not read."""

    def __init__(self, bot: GopsClient) -> None:
        self._bot = bot
        self._last: dict[int, datetime] = {}
        """When each person was answered; forgotten after `AGAIN`."""

    async def on_written(self, message: Mapping[str, Any]) -> None:
        """Reply to a direct message, unless the person had a reply within the last minute."""
        services, user = self._bot.services, int(message["author"]["id"])
        now = services.referee.clock.now()
        self._last = {user: at for user, at in self._last.items() if now - at < AGAIN}
        if message.get("guild_id") is not None or services.stopping or user in self._last:
            return
        self._last[user] = now
        new = await _render_home(services, user, here=False)
        await services.delivery.post(int(message["channel_id"]), new, f"h{message['id']}")
