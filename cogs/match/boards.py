"""The buttons of a board (bid, cards, more) and of *More*, and what *All cards* and *More* show to one person."""

from __future__ import annotations

from bot.engine.cards import Seat, format_points
from bot.engine.choices import Kind
from bot.errors import RefereeError
from bot.interactions.component import MessageKind, check_prompt, component
from bot.interactions.context import InteractionContext, stale_button
from bot.interactions.shared.board_button import board_component, check_board, more_component, public_board_component
from bot.interactions.shared.console_pages import end_page, is_on_console
from bot.interactions.shared.pressed_board import repost_board, show_board
from bot.interactions.shared.pressed_console import open_console
from bot.interactions.shared.private_question import keep_private_answer, pressed_message, update_question
from bot.referee.model.model import UserId
from bot.referee.model.surfaces import SurfaceKind, SurfaceState
from bot.referee.model.views import MatchView
from bot.ui.custom_ids import match_ids, records_ids
from bot.ui.message import RED, Button, Message, Node, Separator, Text, join_lines, make_row, make_rows
from bot.ui.screens.refusals import match_over_error
from bot.ui.screens.result import render_result
from bot.ui.screens.result_details import render_details
from bot.ui.story import lines
from bot.ui.story.lines import make_faces
from bot.ui.text.faces import Faces
from bot.ui.text.names import Names, make_names
from bot.ui.text.sentences import say
from cogs.match import confirm
from cogs.match.table_keys import enforce_clock, my_bid, wake_board


@component(match_ids.board_button("bid"), on=MessageKind.ANY)
async def open_bid(context: InteractionContext) -> None:
    """Open a console."""
    id, what = match_ids.read_button(context.id_parts)
    view = await context.referee.views.view(id, context.user)
    if not view.outside:  # outside the answer may be the board
        context.answer.will_send()
    await check_board(context, view, what)
    context.services.publisher.pressed(id)
    if not view.over:
        if view.seat is None:
            raise RefereeError("not-in-match", m=id)
        context.services.publisher.record_look(id, context.user, context.created_at)
    await _bid(context, view)


@board_component("mine")
async def show_my_bid(_: InteractionContext, view: MatchView) -> Message:
    return my_bid(view)


@board_component("cards")
async def show_cards(_: InteractionContext, view: MatchView) -> Message:
    return cards_card(view)


@board_component("more")
async def show_more(context: InteractionContext, view: MatchView) -> Message:
    if not view.over:
        context.services.publisher.record_look(view.id, context.user, context.created_at)
    origin, spoils = context.origin, context.referee.daily.is_open(view.day)
    on_console = await is_on_console(context, view.id)
    return more(view, moderator=origin.can_manage, in_dm=origin.is_dm, spoils=spoils, on_console=on_console)


@public_board_component("share")
async def share_result(context: InteractionContext, view: MatchView) -> None:
    """Show finished private practice to everybody, with its picture."""
    if not (context.guild and view.private and view.seat is not None):
        raise stale_button()
    context.referee.daily.check_shown(view.day)
    public = await context.referee.views.view(view.id)
    card = await context.services.publisher.paint_result(public, shared=True)
    await context.answer.send(render_result(public, card=card, shared=True), private=False)


async def _bid(context: InteractionContext, view: MatchView) -> None:
    """Open a console. If the board was deleted or forbidden, have it posted again."""
    board = await context.referee.surfaces.find_board(view.id)
    here = board is not None and context.pressed_message is not None and board.message == context.message.id
    if view.outside and board is not None and here and await wake_board(context, view, board):
        view = await context.referee.views.view(view.id, context.user)
        if view.over:
            return
    elif view.outside and not here and await enforce_clock(context, view, board):
        view = await context.referee.views.view(view.id, context.user)
    if view.over:
        raise match_over_error(view)
    await open_console(context, view)
    if board is not None and board.state is SurfaceState.CLOSED:  # a moderator may have restored the permission
        await context.services.publisher.retry_board(board)


async def draw_question(context: InteractionContext, view: MatchView) -> Message:
    if view.is_practice:
        raise RefereeError("draw-house")
    return confirm.draw_question(view, await context.referee.matches.check_draw_offer(view.id, context.user))


async def resign_question(context: InteractionContext, view: MatchView) -> Message:
    return confirm.resign_question(view, await context.referee.matches.preview_quit(view.id, context.user))


@more_component("draw")
async def ask_draw(context: InteractionContext, view: MatchView) -> None:
    await update_question(context, view, await draw_question(context, view))


@more_component("resign")
async def ask_resign(context: InteractionContext, view: MatchView) -> None:
    await update_question(context, view, await resign_question(context, view))


@more_component("mute")
async def toggle_mute(context: InteractionContext, view: MatchView) -> None:
    muted = await context.referee.people.toggle_mute(view.id, context.user)
    await _finish(context, view, say("muted" if muted else "unmuted", m=view.id))


async def _finish(context: InteractionContext, view: MatchView, done: str) -> None:
    """Say what was done in the place of the pressed button, or on the console that is there."""
    if not await end_page(context, view.id, done):
        await context.answer.update(Message(done))


@more_component("dm")
async def send_console_by_dm(context: InteractionContext, view: MatchView) -> None:
    """Send the console by DM."""
    if view.outside:
        raise RefereeError("server-only")
    arrived = await context.services.publisher.send_console_by_dm(view, context.user)
    await _finish(context, view, say("dm-sent") if arrived else say("dms-closed", channel=f"<#{view.channel}>"))


@more_component("move")
async def move_board(context: InteractionContext, view: MatchView) -> None:
    """Post the board again at the bottom; the old board links to it."""
    board = await context.referee.surfaces.find_board(view.id)
    if board is None or board.state is SurfaceState.LOST:
        raise RefereeError("channel-gone", m=view.id)
    if view.at_table and context.origin.channel == board.channel:
        await repost_board(context, board, view)
        return
    await context.answer.defer()
    link = await context.services.publisher.move_board(board, view)
    await _finish(context, view, say("board-moved", link=link))


@component(match_ids.DRAW, on=MessageKind.ANY)
async def answer_draw(context: InteractionContext) -> None:
    """Accept or decline the draw that stands."""
    id, prompt, yes = match_ids.read_draw(context.id_parts)
    surfaces = await context.referee.surfaces.load(id)
    board = next((one for one in surfaces if one.message == context.message.id and one.kind is SurfaceKind.BOARD), None)
    on_console = await is_on_console(context, id)
    if context.message.v2 and not (board or on_console):
        raise stale_button()  # an offer is on its board, in the place of a console, or in a message of its own
    await check_prompt(context, id, prompt)
    before = await context.referee.views.view(id)
    with context.services.publisher.press(board or pressed_message(context, id)):
        try:
            await context.referee.matches.answer_draw(id, context.user, yes, prompt)
        except RefereeError as refusal:
            if refusal.id in ("match-over", "match-stopped"):
                raise match_over_error(await context.referee.views.view(id, context.user)) from refusal
            raise
        public = await context.referee.views.view(id)
        done = say("done-agree" if yes else "done-decline")
        if board is not None:
            await show_board(context, board, public)
        elif on_console:
            await end_page(context, id, done)
        elif context.origin.guild and not context.message.ephemeral:
            await _answer_mention(context, before)
        else:
            context.services.publisher.forget_offer(id, context.message.id)
            await context.answer.update(Message(done))
            keep_private_answer(context, public, done)
    if not yes and before.draw is not None:
        await _tell_declined(context, public, before.seats[before.draw.by].user)


async def _tell_declined(context: InteractionContext, view: MatchView, offered: UserId) -> None:
    """Show on the consoles of the player who offered the draw that this person declined it."""
    name = next(make_names(view)[seat.seat] for seat in view.seats if seat.user == context.user)
    declined = view.version, say("draw-declined", name=name)
    await context.services.publisher.edit_consoles(view.id, declined, offered)


async def _answer_mention(context: InteractionContext, before: MatchView) -> None:
    """Answer a mention in the channel."""
    pressed = context.message
    if (render := await context.services.publisher.answer_mention(before, pressed.channel, pressed.id)) is not None:
        await context.answer.update(render, of=before.id)


def more(
    view: MatchView,
    *,
    moderator: bool = False,
    in_dm: bool = False,
    spoils: bool = False,
    on_console: bool = False,
) -> Message:
    """Return the buttons that the viewer may use: a seat has all, a spectator those that show something, a moderator
    *Stop match* too. After the end there are checks, rules, and *Show everyone* for private practice.

    `in_dm`: the pressed console came by DM already. `spoils`: others may still play this deal. `on_console`: they stand
    in the place of a console, which names a random card.
    """
    if view.over:
        shown = ("sheet", "replay", "verify", "export", "rules")
        looks = [Button(say(what), match_ids.board(view.id, what)) for what in shown]
        if view.private and view.guild and view.seat is not None and not spoils:
            looks.append(Button(say("show-everyone"), match_ids.board(view.id, "share"), is_public=True))
        return render_details(view, looks)
    seated = view.seat is not None
    playing = seated and view.own is not None and not view.own.left
    buttons = [
        Button(say("rules"), match_ids.board(view.id, "rules")),
        Button(say("offer-draw"), match_ids.more(view.id, "draw"), enabled=playing),
        Button(say("resign"), match_ids.more(view.id, "resign"), RED, enabled=playing),
        Button(say("console-by-dm"), match_ids.more(view.id, "dm"), enabled=seated),
        Button(say("move-board"), match_ids.more(view.id, "move"), enabled=seated),
        Button(say("mute"), match_ids.more(view.id, "mute"), enabled=seated),
    ]
    if in_dm or view.outside:  # without a common server the bot may not send a DM
        buttons = [button for button in buttons if button.id != match_ids.more(view.id, "dm")]
    if view.at_table:  # an offered draw takes the places of these buttons on the board
        buttons += [Button(say(what), match_ids.board(view.id, what)) for what in ("cards", "sheet")]
    if view.is_practice:  # the house agrees to nothing and is never late
        buttons = [*buttons[:1], buttons[2], *([] if view.private else [buttons[4]])]
    if view.seat is None:
        buttons = [button for button in buttons if button.enabled]
    if on_console and view.seen.prompt is not None and view.seen.prompt.kind is Kind.COMMIT:
        buttons.append(Button(say("random-card"), match_ids.random(view.id, view.prompt), enabled=playing))
    buttons.append(Button(say("verify"), records_ids.seals(view.id, 0)))
    rows: list[Node] = [*make_rows(buttons, 4)]
    if moderator and not view.private:
        rows.append(make_row(Button(say("stop-match"), match_ids.more(view.id, "stop"), RED)))
    return Message(content=say("more-title", m=view.id), body=tuple(rows))


def cards_card(view: MatchView) -> Message:
    """Return the card for the viewer: it has the viewer's own hand even if hands are private."""
    names, faces = make_names(view), make_faces(view)
    title = say("cards-title", m=view.id)
    people = "\n".join(_cards_line(view, seat.seat, names, faces) for seat in view.seats)
    rest = join_lines(lines.to_come_line(view, faces, "cards-to-come"), *_elsewhere(view, faces))
    body = (Text(title), Text(people), Separator(), Text(rest)) if rest else (Text(title), Text(people))
    return Message(body=body, essence=title)


def _cards_line(view: MatchView, seat: Seat, names: Names, faces: Faces) -> str:
    """Example: "Ana holds 2 5 K; spent 3 7; won ♦9"."""
    seen = view.seen
    hand = seen.hands[seat]
    if hand is None:
        parts = [say("cards-hand-count", name=names[seat], n=seen.held[seat])]
    elif hand:
        parts = [say("cards-hand", name=names[seat], cards=faces.hand(seat, hand))]
    else:
        parts = [say("cards-hand-none", name=names[seat])]
    spent, aside, won = seen.spent[seat], seen.aside[seat], seen.won[seat]
    if spent:
        parts.append(say("cards-spent", cards=faces.hand(seat, sorted(spent, key=view.rules.strength))))
    if seen.tallies and seen.tallies[seat]:
        parts.append(say("cards-tally", score=format_points(seen.scores[seat]), tally=seen.tallies[seat]))
    if aside:
        parts.append(say("cards-aside", cards=faces.cards(aside)))
    if won:
        parts.append(say("cards-won", cards=faces.cards(faces.sort_coming(won))))
    return " · ".join(parts)


def _elsewhere(view: MatchView, faces: Faces) -> list[str]:
    seen = view.seen
    pot = [say("cards-pot", cards=faces.cards(seen.pot))] if seen.pot else []
    out = [say("cards-out", cards=faces.cards(faces.sort_coming(seen.out)))] if seen.out else []
    return [*pot, *out]
