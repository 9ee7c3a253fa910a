"""Keys on the board itself: a press seals, and the board shows who has sealed but not what.

The press is answered with the board, which has the press's token from then on; that costs no counted call. A person who
needs a private keyboard finds it behind *Bid*.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from bot.errors import RefereeError
from bot.interactions.component import MessageKind, check_prompt, component
from bot.interactions.context import InteractionContext
from bot.interactions.error_handler import describe_refusal
from bot.interactions.shared.pressed_board import find_pressed_board, show_board, show_way
from bot.interactions.shared.pressed_console import open_console
from bot.referee.model.surfaces import Surface
from bot.referee.model.views import MatchView
from bot.referee.repository.match_repository import PressTurn
from bot.ui.custom_ids import match_ids
from bot.ui.message import Message
from bot.ui.screens.keys import find_sealed_keys, list_key_cards
from bot.ui.story.lines import make_faces
from bot.ui.text.faces import Faces
from bot.ui.text.sentences import capitalize, say

RENEWED = timedelta(minutes=10)
"""A board whose token ends sooner gets the token of a press that needs no other answer."""

WRONG = ("not-in-match", "unknown-match")
"""Refusals after which the board is not shown again."""


@component(match_ids.TABLE_CARD, on=MessageKind.SHARED)
async def seal_card_on_board(context: InteractionContext) -> None:
    """Seal this card, or change the bid to it."""
    await seal(context, *match_ids.read_card(context.id_parts))


@component(match_ids.TABLE_PICK, on=MessageKind.SHARED)
async def seal_pick_on_board(context: InteractionContext) -> None:
    """Pick an open prize."""
    id, prompt, prize = match_ids.read_card(context.id_parts)
    await seal(context, id, prompt, {"pick": prize})


async def seal(context: InteractionContext, id: str, prompt: int, value: Any) -> None:
    """Commit a bid, then answer with the board."""
    async with context.referee.press_turn(id) as turn:
        await _seal(context, id, prompt, value, turn)


async def _seal(context: InteractionContext, id: str, prompt: int, value: Any, turn: PressTurn) -> None:
    await check_prompt(context, id, prompt)
    board, before = await find_pressed_board(context, id)
    if context.message.id < board.message:
        turn.end()
        await show_way(context, board)
        return
    player = await context.referee.people.load_player(context.user)
    if player.two_step and not isinstance(value, dict) and await _open_two_step(context, id, prompt, value, turn):
        return
    publisher = context.services.publisher
    with publisher.press(board):
        live, why = await context.referee.live(id), ""
        if live.stored.outside:  # the pressed message has a key of this prompt, so the prompt was shown
            await context.referee.matches.enforce_clock(id, context.created_at, shown=prompt == live.stored.prompt)
        try:
            view, revealed = await context.referee.matches.seal(
                id, context.user, prompt, value, context.created_at, context.id
            )
        except RefereeError as refusal:
            view, revealed = await context.referee.views.view(id, context.user), False
            if refusal.id in WRONG or view.seat is None or not (view.over or prompt != view.prompt):
                raise  # a private answer; the board is unchanged
            why = describe_refusal(refusal, view)
        turn.end()
        publisher.record_look(id, context.user, context.created_at)
        await show_board(context, board, view, why or ("" if revealed or view.over else sealed_words(view)), before)


async def wake_board(context: InteractionContext, view: MatchView, board: Surface) -> bool:
    """Rule a clock that has run out and update a board that only a press can reach. Return True if that was the
    answer."""
    late = board.token_until is None or board.token_until - context.created_at < RENEWED
    ruled = await enforce_clock(context, view, board)
    if not (ruled or late or board.shown < view.version):
        return False
    with context.services.publisher.press(board):
        await show_board(context, board, await context.referee.views.view(view.id))
    return True


async def enforce_clock(context: InteractionContext, view: MatchView, board: Surface | None) -> bool:
    """Apply an expired clock before a player bids where nothing but a press does; return True if the match changed."""
    shown = board is not None and board.shown + sum(seat.sealed for seat in view.seats) >= view.version
    return view.seat is not None and await context.referee.matches.enforce_clock(
        view.id, context.created_at, shown=shown
    )


async def _open_two_step(context: InteractionContext, id: str, prompt: int, value: Any, turn: PressTurn) -> bool:
    """Open the person's own keyboard with this card chosen and not sealed, if the person wants two steps."""
    view = await context.referee.views.view(id, context.user)
    if view.seat is None or view.over or view.prompt != prompt or view.seen.prompt is None:
        return False
    card, keys = view.rules.read_card(value), list_key_cards(view)
    if card is None or card not in view.seen.prompt.options:
        return False
    turn.end()
    await open_console(context, view, match_ids.make_mask((card,), keys))
    return True


# --- for one person alone ---------------------------------------------------------------------------------------


def sealed_words(view: MatchView) -> str:
    """Example: "Round 5, ♦Q: you sealed K". It stays true when the bid is changed or revealed."""
    faces = make_faces(view)
    card = _sealed_card(view, faces)
    if not card:
        return ""
    if not view.seen.exposed:
        return say("aside-sealed-blind", Round=capitalize(view.rules.round_word), r=view.round, card=card)
    return say("aside-sealed", r=view.round, prize=faces.prizes(view.seen.exposed), card=card)


def _sealed_card(view: MatchView, faces: Faces) -> str:
    keys = find_sealed_keys(view, list_key_cards(view, faces))
    return faces.bid_sum(keys) if len(keys) > 1 else faces.label(keys[0]) if keys else ""


def my_bid(view: MatchView) -> Message:
    """Return what this person has sealed, as a private message. Nobody edits it, so it says only what stays true."""
    if view.own is None:
        raise RefereeError("not-in-match", m=view.id)
    if sealed := sealed_words(view):
        return Message(sealed)
    if not view.own.awaited:
        return Message(say("mine-nothing"))
    return Message(say("mine-open", Round=capitalize(view.rules.round_word), r=view.round))
