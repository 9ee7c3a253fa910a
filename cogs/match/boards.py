"""The buttons of a board: bid, cards, sheet, rules, more, and what *More* offers."""

from __future__ import annotations

from dataclasses import replace

from bot.errors import Refused
from bot.referee.model import Surface, SurfaceKind
from bot.referee.referee import Referee
from bot.referee.verify import verify
from bot.referee.views import MatchView
from cogs.asked.press import On, Press, press, stale
from cogs.challenge.rematches import send_rematch
from cogs.learning import learning
from cogs.match import bids, confirm
from cogs.match.cards_card import cards_card
from cogs.match.more import more
from cogs.show import moving
from cogs.show.draw import (
    board_message,
    link_to,
    record_message,
    rules_message,
    sheet_message,
)
from cogs.show.finding import board_among, console_among
from cogs.ui import ids
from cogs.ui.message import Message
from cogs.ui.screens.result import cause
from cogs.ui.words.names import names_of
from cogs.ui.words.outcome import phrase
from cogs.ui.words.sentences import say


@press("bd", f"{ids.MATCH}:[a-z]{{3,7}}", on=On.ANY)
async def board_pressed(pressed: Press) -> None:
    """Every button of a board, and of the result that it becomes."""
    id, what = pressed.part(0), pressed.part(1)
    pressed.answer.will_send(private=what != "rematch")
    view = await pressed.referee.view(id, pressed.user)
    if what == "bid":
        pressed.services.publisher.pressed(id)
    if what in ("bid", "more") and not view.over:
        if view.seat is None and what == "bid":
            raise Refused("not-in-match", m=id)
        pressed.services.publisher.consoles.saw(id, pressed.user, pressed.at)
    if what == "bid":
        await _bid(pressed, view)
    elif what == "cards":
        await pressed.answer.send(cards_card(view))
    elif what == "sheet":
        await pressed.answer.send(await _sheet(pressed, view))
    elif what == "rules":
        await pressed.answer.send(await rules_message(view.setup.game, view.rules))
    elif what == "more":
        await pressed.answer.send(more(view))
    elif what == "verify":
        await pressed.answer.send(await verify_message(pressed.referee, id))
    elif what == "review":
        await learning.send_review(pressed.interaction, pressed.answer, await pressed.referee.live(id))
    elif what == "rematch":
        await send_rematch(pressed.interaction, pressed.answer, id)
    else:
        raise Refused("stale-button", link=await board_link(pressed, view))


async def _bid(pressed: Press, view: MatchView) -> None:
    """Open a console; one whose board was deleted or forbidden brings it back by the way."""
    if view.over:
        raise over(view)
    await bids.open_console(pressed, view)
    board = await board_of(pressed, view.id)
    if board is not None and board.state == "closed":  # perhaps a moderator has helped meanwhile
        await pressed.services.publisher.marks.put(replace(board, state="live", shown=0))
    pressed.services.publisher.wake(view.id)


def over(view: MatchView) -> Refused:
    """For somebody who presses a key too late."""
    if view.outcome is not None and not view.outcome.termination.counts:
        return Refused("match-stopped", m=view.id, reason=cause(view))
    return Refused("match-over", m=view.id, result=phrase(view, names_of(view)))


async def _sheet(
    pressed: Press,
    view: MatchView,
    deal: int | None = None,
    page: int | None = None,
    form: str = "",
    public: bool = False,
) -> Message:
    record = await pressed.referee.record(view.id) if view.over else None
    return sheet_message(view, record, deal, page, form, public)


async def verify_message(referee: Referee, id: str) -> Message:
    """What anybody can check of a finished match, with its record to check it elsewhere."""
    record = await referee.record(id)
    lines = [f"{'✔' if finding.holds else '✘'} {finding.what}" for finding in verify(record)]
    return record_message(id, lines, record)


@press("sh", f"{ids.MATCH}:{ids.NUMBER}:{ids.NUMBER}:[gs](?::[a-z]{{1,2}})?")
async def sheet_turned(pressed: Press) -> None:
    """Another page or form of a sheet."""
    everyone = pressed.parts[4:5] == ("e",)
    if everyone:
        pressed.answer.will_send(private=False)
    view = await pressed.referee.view(pressed.part(0), pressed.user)
    deal, page, form = pressed.number(1), pressed.number(2), pressed.part(3)
    if everyone:
        view = await pressed.referee.view(view.id)  # for everyone, so drawn as everyone may see it
        await pressed.answer.send(await _sheet(pressed, view, deal, page, form, public=True), private=False)
    else:
        await pressed.answer.update(await _sheet(pressed, view, deal, page, form))


@press("mo", f"{ids.MATCH}:[a-z]{{2,6}}", on=On.QUESTION)
async def more_pressed(pressed: Press) -> None:
    """Offer a draw, resign, console by DM, move the board down, mute."""
    id, what = pressed.part(0), pressed.part(1)
    view = await pressed.referee.view(id, pressed.user)
    if view.seat is None:
        raise Refused("not-in-match", m=id)
    if view.over:
        raise over(view)
    if what == "draw" and view.practice:
        raise Refused("draw-house")
    if what == "draw":
        await pressed.answer.update(confirm.draw(view))
    elif what == "resign":
        await pressed.answer.update(confirm.resign(view))
    elif what == "dm":
        await _console_by_dm(pressed, view)
    elif what == "mute":
        muted = await pressed.referee.mute(id, pressed.user)
        await pressed.answer.update(Message(say("muted" if muted else "unmuted", m=id)))
    elif what == "move":
        await move_board(pressed, view)
    else:
        raise Refused("stale-button", link=await board_link(pressed, view))


async def _console_by_dm(pressed: Press, view: MatchView) -> None:
    """Asked for by hand: closed DMs are tried once more."""
    if not (await pressed.referee.store.guild(view.guild)).dms:
        raise Refused("dms-off")
    player = await pressed.referee.prefer(pressed.user, dm_closed_until=None)
    surfaces = await pressed.referee.store.surfaces(view.id)
    old = console_among(surfaces, pressed.user, SurfaceKind.CONSOLE_DM)
    if old is not None and old.message:
        await pressed.services.publisher.consoles.send_anew(old)
    elif old is None:
        owed = Surface(view.id, SurfaceKind.CONSOLE_DM, pressed.user, player.dm_channel, 0, 0, pressed.at)
        await pressed.services.publisher.marks.put(owed)
    consoles = pressed.services.publisher.consoles
    consoles.saw(view.id, pressed.user, pressed.at)
    if await consoles.arrived(view, pressed.user) is False:
        await pressed.referee.prefer(pressed.user, dm_told=True)
        await pressed.answer.update(Message(say("dms-closed", channel=f"<#{view.channel}>")))
    else:
        await pressed.answer.update(Message(say("dm-sent")))
    pressed.services.publisher.wake(view.id)


async def move_board(pressed: Press, view: MatchView) -> None:
    """The board is posted anew at the bottom; the old one points to it."""
    board = await board_of(pressed, view.id)
    if board is None or board.state == "lost":
        raise Refused("channel-gone", m=view.id)
    await pressed.answer.defer()
    await moving.post_anew(pressed.services.publisher, board, view)
    await pressed.answer.update(Message(say("board-moved", link=await board_link(pressed, view))))


async def board_of(pressed: Press, id: str) -> Surface | None:
    surfaces = await pressed.referee.store.surfaces(id)
    return board_among(surfaces)


async def board_link(pressed: Press, view: MatchView) -> str:
    """Where the live board is."""
    board = await board_of(pressed, view.id)
    return link_to(view.guild, board.channel, board.message) if board is not None else ""


@press("dr", f"{ids.MATCH}:{ids.NUMBER}:{ids.YES_NO}", on=On.ANY)
async def draw_answered(pressed: Press) -> None:
    """Accept or decline the draw that stands."""
    id, prompt, yes = pressed.part(0), pressed.number(1), pressed.part(2) == "y"
    surfaces = await pressed.referee.store.surfaces(id)
    on_board = any(one.message == pressed.message.id and one.kind is SurfaceKind.BOARD for one in surfaces)
    if pressed.message.flags.components_v2 and not on_board:
        raise stale()  # an offer stands on its board, or in a message of its own
    try:
        await pressed.referee.answer_draw(id, pressed.user, yes, prompt)
    except Refused as refusal:
        if refusal.id in ("match-over", "match-stopped"):
            raise over(await pressed.referee.view(id)) from refusal
        raise
    if on_board:
        publisher = pressed.services.publisher
        publisher.pressed_board(id)
        public = await pressed.referee.view(id)
        if await pressed.answer.update(board_message(public)):
            publisher.drew_board(public)
    else:
        await pressed.answer.update(Message(say("done-agree" if yes else "done-decline")))
    pressed.services.publisher.wake(id)
