"""The buttons of a board: bid, cards, sheet, rules, more, and what *More* offers."""

from __future__ import annotations

from dataclasses import replace

from bot.errors import Refused
from bot.interactions import rollback_guard
from bot.interactions.client import GopsClient
from bot.interactions.component import On, press
from bot.interactions.context import Asked, stale
from bot.interactions.shared.rules_message import rules_message
from bot.messages.offers import draw_mentioned, draw_now, is_answered
from bot.messages.render import board_message
from bot.messages.surfaces import board_among
from bot.referee.model.model import Surface, SurfaceKind, SurfaceState
from bot.referee.model.views import MatchView
from bot.referee.server.moderating import check_live
from bot.ui.custom_ids import match_ids, records_ids
from bot.ui.message import Message
from bot.ui.screens.result import cause, result
from bot.ui.story.outcome import phrase_within
from bot.ui.text.links import link_to
from bot.ui.text.names import names_of
from bot.ui.text.sentences import say
from cogs.challenge.rematches import send_rematch
from cogs.learning import learning
from cogs.match import bids, confirm
from cogs.match.cards_card import cards_card
from cogs.match.more import more
from cogs.match.table_keys import my_bid, show_anew, show_board, woken
from cogs.records import replays
from cogs.records.exporting import exported
from cogs.records.seals_card import seals_card
from cogs.records.sheet_message import sheet_message
from cogs.records.verifying import verified
from cogs.server.moderating_form import stop_form


@press(match_ids.BOARD, on=On.ANY)
async def board_pressed(asked: Asked) -> None:
    """Every button of a board, and of the result that it becomes."""
    id, what = match_ids.read_button(asked.parts)
    view = await asked.referee.views.of(id, asked.user)
    if not (what == "bid" and view.outside):  # else it may be answered with the board
        asked.answer.will_send(private=what not in ("rematch", "share"))
    if what in match_ids.AFTERWARDS and not view.over:
        await rollback_guard.check_over(asked, id)
    if (shown := match_ids.read_shown(asked.parts)) is not None:
        await rollback_guard.check_prompt(asked, id, shown)
    beside = view.private and view.seat is not None and what not in ("bid", "rematch", "share")
    if beside:  # the console follows the answer, by the token that a call makes known
        await asked.answer.by_a_call()
    if what == "bid":
        asked.services.publisher.pressed(id)
    if what in ("bid", "more") and not view.over:
        if view.seat is None and what == "bid":
            raise Refused("not-in-match", m=id)
        asked.services.publisher.consoles.saw(id, asked.user, asked.at)
    if what == "bid":
        await _bid(asked, view)
    elif what == "mine":
        await asked.answer.send(my_bid(view))
    elif what == "cards":
        await asked.answer.send(cards_card(view))
    elif what == "sheet":
        await asked.answer.send(await _sheet(asked, view))
    elif what == "rules":
        await asked.answer.send(await rules_message(view.setup.game, view.rules, view.series))
    elif what == "more":
        await asked.answer.send(more(view, moderator=asked.where.manages))
    elif what == "verify":
        await asked.answer.send(await verified(asked.referee, id))
    elif what == "review":
        await learning.send_review(asked, await asked.referee.archive.of(asked.user, asked.where.guild, id))
    elif what == "export":
        live = await asked.referee.archive.of(asked.user, asked.where.guild, id)
        await asked.answer.send(await exported(asked.referee, live))
    elif what == "replay":
        await replays.send_replay(asked, await asked.referee.archive.of(asked.user, asked.where.guild, id))
    elif what == "rematch":
        await send_rematch(asked, id)
    elif what == "share":
        await _share(asked, view)
    else:
        raise Refused("stale-button", link=await board_link(asked, view))
    if beside:
        await bids.keep_console_last(asked, id)


async def _share(asked: Asked, view: MatchView) -> None:
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
    await bids.open_console(asked, view)
    if board is not None and board.state is SurfaceState.CLOSED:  # perhaps a moderator has helped meanwhile
        await asked.services.publisher.marks.put(replace(board, state=SurfaceState.LIVE, shown=0))
    asked.services.publisher.wake(view.id)


def over(view: MatchView) -> Refused:
    """For somebody who presses a key too late."""
    if view.outcome is not None and not view.outcome.termination.counts:
        return Refused("match-stopped", m=view.id, reason=cause(view))
    return Refused("match-over", m=view.id, result=phrase_within(view, names_of(view)))


async def _sheet(
    asked: Asked,
    view: MatchView,
    deal: int | None = None,
    page: int | None = None,
    form: str = "",
    public: bool = False,
) -> Message:
    record = await asked.referee.views.record(view.id) if view.over else None
    noted = await asked.referee.pausing.noted(view.id)
    return sheet_message(view, record, deal, page, form, public, noted)


@press(records_ids.SHEET)
async def sheet_turned(asked: Asked) -> None:
    """Another page or form of a sheet."""
    id, deal, page, form, everyone = records_ids.read_sheet(asked.parts)
    if everyone:
        asked.answer.will_send(private=False)
    view = await asked.referee.views.of(id, asked.user)
    if everyone:
        asked.referee.daily.check_shown(view.day)
        view = await asked.referee.views.of(view.id)  # for everyone, so as everyone may see it
        await asked.answer.send(await _sheet(asked, view, deal, page, form, public=True), private=False)
    else:
        await asked.answer.update(await _sheet(asked, view, deal, page, form))


@press(records_ids.SEALS)
async def seals_shown(asked: Asked) -> None:
    """Every seal in full while it is played; *Verify* has them afterwards."""
    id, page = records_ids.read_seals(asked.parts)
    view = await asked.referee.views.of(id, asked.user)
    if view.over:
        raise over(view)
    await asked.answer.update(seals_card(view, await asked.referee.views.seals(id), page))


@press(match_ids.MORE, on=On.QUESTION)
async def more_pressed(asked: Asked) -> None:
    """Offer a draw, resign, console by DM, move the board down, mute."""
    id, what = match_ids.read_button(asked.parts)
    view = await asked.referee.views.of(id, asked.user)
    if what == "stop":
        await asked.answer.ask(stop_form(await _to_stop(asked, id)))
        return
    if view.seat is None:
        raise Refused("not-in-match", m=id)
    if view.over:
        raise over(view)
    if what == "draw" and view.practice:
        raise Refused("draw-house")
    if what == "draw":
        again = await asked.referee.matches.may_offer(id, asked.user)
        await asked.answer.update(confirm.draw(view, again))
    elif what == "resign":
        await asked.answer.update(confirm.resign(view, await asked.referee.matches.quitting(id, asked.user)))
    elif what == "dm":
        await _console_by_dm(asked, view)
    elif what == "mute":
        muted = await asked.referee.people.mute(id, asked.user)
        await asked.answer.update(Message(say("muted" if muted else "unmuted", m=id)))
    elif what == "move":
        await move_board(asked, view)
    else:
        raise Refused("stale-button", link=await board_link(asked, view))


async def _to_stop(asked: Asked, id: str) -> MatchView:
    """The match as everybody sees it, for a moderator who wants to stop it."""
    live = await asked.referee.moderating.look(asked.check_manager(), id, asked.user)
    check_live(live)
    return await asked.referee.views.of_live(live)


async def _console_by_dm(asked: Asked, view: MatchView) -> None:
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
    bot.answer(board_pressed, sheet_turned, seals_shown, more_pressed, draw_answered)
