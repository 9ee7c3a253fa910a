"""The buttons of a board: bid, cards, sheet, rules, more, and what *More* offers."""

from __future__ import annotations

from dataclasses import replace

from bot.errors import Refused
from bot.interactions import rollback_guard
from bot.interactions.client import GopsClient
from bot.interactions.component import On, press
from bot.interactions.context import Asked, stale
from bot.interactions.shared.board_button import board_press, check_board, more_press, over
from bot.interactions.shared.consoles import open_console
from bot.messages.offers import draw_mentioned, draw_now, is_answered
from bot.messages.render import board_message
from bot.messages.surfaces import board_among
from bot.referee.model.model import Surface, SurfaceKind, SurfaceState
from bot.referee.model.views import MatchView
from bot.ui.custom_ids import match_ids
from bot.ui.message import Message
from bot.ui.screens.result import result
from bot.ui.text.links import link_to
from bot.ui.text.sentences import say
from cogs.match import confirm
from cogs.match.cards_card import cards_card
from cogs.match.more import more
from cogs.match.table_keys import my_bid, show_anew, show_board, woken


@press(match_ids.board_button("bid"), on=On.ANY)
async def bid_pressed(asked: Asked) -> None:
    """Open a console."""
    id, what = match_ids.read_button(asked.parts)
    view = await asked.referee.views.of(id, asked.user)
    if not view.outside:  # else it may be answered with the board
        asked.answer.will_send()
    await check_board(asked, view, what)
    asked.services.publisher.pressed(id)
    if not view.over:
        if view.seat is None:
            raise Refused("not-in-match", m=id)
        asked.services.publisher.consoles.saw(id, asked.user, asked.at)
    await _bid(asked, view)


@board_press("mine")
async def my_bid_pressed(asked: Asked, view: MatchView) -> None:
    await asked.answer.send(my_bid(view))


@board_press("cards")
async def cards_pressed(asked: Asked, view: MatchView) -> None:
    await asked.answer.send(cards_card(view))


@board_press("more")
async def more_opened(asked: Asked, view: MatchView) -> None:
    if not view.over:
        asked.services.publisher.consoles.saw(view.id, asked.user, asked.at)
    await asked.answer.send(more(view, moderator=asked.where.manages))


@board_press("share", private=False)
async def share_pressed(asked: Asked, view: MatchView) -> None:
    """Private practice that is over, for everybody to see, with its picture."""
    if not (asked.guild and view.private and view.seat is not None):
        raise stale()
    asked.referee.daily.check_shown(view.day)
    public = await asked.referee.views.of(view.id)
    card = await asked.services.publisher.boards.picture(public, shared=True)
    await asked.answer.send(result(public, card=card, shared=True), private=False)


async def _bid(asked: Asked, view: MatchView) -> None:
    """Open a console; one whose board was deleted or forbidden brings it back by the way."""
    board = await board_of(asked, view.id)
    here = board is not None and asked.pressed is not None and board.message == asked.message.message
    if view.outside and board is not None and here and await woken(asked, view, board):
        view = await asked.referee.views.of(view.id, asked.user)
        if view.over:
            return
    elif view.over:
        raise over(view)
    await open_console(asked, view)
    if board is not None and board.state is SurfaceState.CLOSED:  # perhaps a moderator has helped meanwhile
        await asked.services.publisher.marks.put(replace(board, state=SurfaceState.LIVE, shown=0))
    asked.services.publisher.wake(view.id)


@more_press("draw")
async def draw_asked(asked: Asked, view: MatchView) -> None:
    if view.practice:
        raise Refused("draw-house")
    await asked.answer.update(confirm.draw(view, await asked.referee.matches.may_offer(view.id, asked.user)))


@more_press("resign")
async def resign_asked(asked: Asked, view: MatchView) -> None:
    await asked.answer.update(confirm.resign(view, await asked.referee.matches.quitting(view.id, asked.user)))


@more_press("mute")
async def mute_pressed(asked: Asked, view: MatchView) -> None:
    muted = await asked.referee.people.mute(view.id, asked.user)
    await asked.answer.update(Message(say("muted" if muted else "unmuted", m=view.id)))


@more_press("dm")
async def dm_asked(asked: Asked, view: MatchView) -> None:
    """Asked for by hand: closed DMs are tried once more."""
    if view.outside:
        raise Refused("server-only")
    if not (await asked.referee.store.guild(view.guild)).dms:
        raise Refused("dms-off")
    consoles = asked.services.publisher.consoles
    player = await asked.referee.people.prefer(asked.user, dm_closed_until=None)
    old = await consoles.by_dm(view.id, asked.user)
    if old is not None and not old.message and await consoles.arrived(view, asked.user) is False:
        # That one was on its way before they pressed, and found DMs closed that may be open by now.
        player, old = await asked.referee.people.prefer(asked.user, dm_closed_until=None), None
    if old is not None and old.message:
        await consoles.send_anew(old)
    elif old is None:
        owed = Surface(view.id, SurfaceKind.CONSOLE_DM, asked.user, player.dm_channel, 0, 0, asked.at)
        await asked.services.publisher.marks.put(owed)
    consoles.saw(view.id, asked.user, asked.at)
    if await consoles.arrived(view, asked.user) is False:
        await asked.referee.people.prefer(asked.user, dm_told=True)
        await asked.answer.update(Message(say("dms-closed", channel=f"<#{view.channel}>")))
    else:
        await asked.answer.update(Message(say("dm-sent")))
    asked.services.publisher.wake(view.id)


@more_press("move")
async def move_board(asked: Asked, view: MatchView) -> None:
    """The board is posted anew at the bottom; the old one points to it."""
    board = await board_of(asked, view.id)
    if board is None or board.state is SurfaceState.LOST:
        raise Refused("channel-gone", m=view.id)
    if view.at_table and asked.where.channel == board.channel:
        await show_anew(asked, board, view)
        return
    await asked.answer.defer()
    await asked.services.publisher.boards.post_anew(board, view)
    await asked.answer.update(Message(say("board-moved", link=await board_link(asked, view))))


async def board_of(asked: Asked, id: str) -> Surface | None:
    surfaces = await asked.referee.store.surfaces(id)
    return board_among(surfaces)


async def board_link(asked: Asked, view: MatchView) -> str:
    """Where the live board is."""
    board = await board_of(asked, view.id)
    return link_to(view.guild, board.channel, board.message) if board is not None else ""


@press(match_ids.DRAW, on=On.ANY)
async def draw_answered(asked: Asked) -> None:
    """Accept or decline the draw that stands."""
    id, prompt, yes = match_ids.read_draw(asked.parts)
    surfaces = await asked.referee.store.surfaces(id)
    on_board = any(one.message == asked.message.message and one.kind is SurfaceKind.BOARD for one in surfaces)
    if asked.message.v2 and not on_board:
        raise stale()  # an offer stands on its board, or in a message of its own
    await rollback_guard.check_prompt(asked, id, prompt)
    before = await asked.referee.views.of(id)
    try:
        await asked.referee.matches.answer_draw(id, asked.user, yes, prompt)
    except Refused as refusal:
        if refusal.id in ("match-over", "match-stopped"):
            raise over(await asked.referee.views.of(id)) from refusal
        raise
    board = next((one for one in surfaces if on_board and one.kind is SurfaceKind.BOARD), None)
    public = await asked.referee.views.of(id)
    if board is not None and public.at_table:
        with asked.services.publisher.left_to_press(id, board.id):
            await show_board(asked, board, public)
    elif on_board:
        publisher = asked.services.publisher
        publisher.pressed_board(id)
        if await asked.answer.update(board_message(public)):
            publisher.showed_board(public)
    elif asked.where.guild and not asked.message.ephemeral:
        await _answer_mention(asked, before)
    else:
        asked.services.publisher.offer_answered(id, asked.message.message)
        await asked.answer.update(Message(say("done-agree" if yes else "done-decline")))
    asked.services.publisher.wake(id)


async def _answer_mention(asked: Asked, before: MatchView) -> None:
    """A mention in the channel is everybody's: it goes on asking the others, or says what came of it."""
    publisher, pressed = asked.services.publisher, asked.message
    known = publisher.offer_at(before.id, pressed.message)
    if known is None and before.draw is None:
        return  # it was made in this very moment, and is known by the next press
    offer = known or draw_mentioned(before, pressed.channel, pressed.message, asked.at)
    if is_answered(await asked.referee.live(before.id), offer):
        publisher.offer_answered(before.id, pressed.message)
    link = await publisher.boards.link(before)

    async def render() -> Message:
        return draw_now(await asked.referee.views.of(before.id), offer, link)

    await asked.answer.update(render, of=before.id)


async def setup(bot: GopsClient) -> None:
    bot.answer(bid_pressed, my_bid_pressed, cards_pressed, more_opened, share_pressed)
    bot.answer(draw_asked, resign_asked, mute_pressed, dm_asked, move_board, draw_answered)
