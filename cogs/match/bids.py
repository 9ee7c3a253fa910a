"""The console: keys that seal, in a DM or behind the board's *Bid* button. Both always work."""

from __future__ import annotations

import logging
import secrets
from typing import Any

from bot.errors import RefereeError
from bot.interactions.component import check_prompt, component
from bot.interactions.context import InteractionContext, stale_button
from bot.interactions.error_handler import describe_refusal
from bot.interactions.shared.pressed_console import pressed_console, update_console
from bot.referee.match import press_errors
from bot.referee.model.changes import Conflict, StoreBusy, StoreReadOnly
from bot.referee.model.views import MatchView
from bot.referee.repository.match_repository import PressTurn
from bot.ui.custom_ids import match_ids
from bot.ui.message import Message
from bot.ui.screens.keys import find_sealed_keys, list_key_cards
from bot.ui.text.sentences import say

log = logging.getLogger(__name__)


@component(match_ids.CARD)
async def seal_card(context: InteractionContext) -> None:
    """Seal the card of a console's key, or change the bid to it."""
    await seal(context, *match_ids.read_card(context.id_parts))


@component(match_ids.PICK)
async def seal_pick(context: InteractionContext) -> None:
    """Pick an open prize."""
    id, prompt, prize = match_ids.read_card(context.id_parts)
    await seal(context, id, prompt, {"pick": prize})


@component(match_ids.SEAL)
async def seal_several(context: InteractionContext) -> None:
    """Seal several cards at once, which the button carries."""
    id, prompt, mask = match_ids.read_seal(context.id_parts)
    async with context.referee.press_turn(id) as turn:
        view = await context.referee.views.view(id, context.user)
        chosen = match_ids.read_mask(mask, list_key_cards(view))
        if not chosen and prompt < view.prompt:
            turn.end()
            await update_console(context, view, await _explain_cleared(context, view))
            return
        await seal(context, id, prompt, list(chosen), turn=turn)


@component(match_ids.TOGGLE)
async def toggle_card(context: InteractionContext) -> None:
    """Add a card to the draft, or take it out. Nothing is stored: the buttons carry the draft."""
    id, prompt, mask, pressed = match_ids.read_toggle(context.id_parts)
    view = await context.referee.views.view(id, context.user)
    if view.seat is None:
        raise RefereeError("not-in-match", m=id)
    if await _handle_rollback(context, id, prompt):
        return
    if view.over or prompt != view.prompt or view.seen.prompt is None:
        await update_console(context, view, await _explain_cleared(context, view))
        return
    keys = list_key_cards(view)
    card = next((key for key in keys if match_ids.write_token(key) == pressed), None)
    chosen = match_ids.read_mask(mask, keys)
    if card is None:
        raise stale_button()
    if card in chosen:
        chosen = tuple(key for key in chosen if key != card)
    elif view.seen.prompt.size == 1:
        chosen = (card,)
    elif len(chosen) >= view.seen.prompt.size:
        await update_console(
            context, view, describe_refusal(RefereeError("too-many-cards", k=view.seen.prompt.size), view), mask
        )
        return
    else:
        chosen = (*chosen, card)
    await update_console(context, view, "", match_ids.make_mask(chosen, keys))


@component(match_ids.CLEAR)
@component(match_ids.BACK)
@component(match_ids.OPEN_CONSOLE)
async def show_console(context: InteractionContext) -> None:
    """Clear the draft, turn a nudge into the console, or lead back from what is read in its place."""
    view = await context.referee.views.view(match_ids.read_match(context.id_parts), context.user)
    if view.seat is None:
        raise RefereeError("not-in-match", m=view.id)
    prompt = match_ids.read_prompt(context.id_parts)
    if prompt is not None and await _handle_rollback(context, view.id, prompt):
        return
    await update_console(context, view, "", match_ids.read_draft(context.id_parts) if prompt == view.prompt else 0)


async def _explain_cleared(context: InteractionContext, view: MatchView) -> str:
    """Return why the draft was cleared."""
    refusal = press_errors.match_over(await context.referee.live(view.id)) if view.over else RefereeError("no-draft")
    return _describe_refusal(refusal, view)


def _describe_refusal(refusal: RefereeError, view: MatchView) -> str:
    """Return the sentence of a refusal; none if the match was stopped, because its console says so itself."""
    return "" if refusal.id == "match-stopped" else describe_refusal(refusal, view)


async def _handle_rollback(context: InteractionContext, id: str, prompt: int) -> bool:
    """Return True if this console shows more than the store knows. The match is stopped then, and the console says
    so."""
    try:
        await check_prompt(context, id, prompt)
    except RefereeError as refusal:
        if refusal.id != "rolled-back":
            raise
        view = await context.referee.views.view(id, context.user)
        await update_console(context, view, describe_refusal(refusal, view))
        return True
    return False


async def seal(
    context: InteractionContext, id: str, prompt: int, value: Any, done: str = "", turn: PressTurn | None = None
) -> None:
    """Commit a bid, then show the pressed console with the result. `done` is said there if this card is the bid.
    `turn`: that of the press, where it has begun."""
    async with turn or context.referee.press_turn(id) as begun, pressed_console(context, id) as console:
        view, refusal = await _commit_bid(context, id, prompt, value)
        begun.end()
        is_bid = view.prompt != prompt or find_sealed_keys(view, list_key_cards(view)) == (value,)
        if view.over or not is_bid:
            done = ""
        try:
            await console.show(view, refusal or done, is_bid=True)
        except Exception:  # the bid is committed: no error may suggest otherwise
            reference = secrets.token_hex(3)
            log.exception("trouble %s: a console could not be shown", reference)
            if refusal:
                raise
            await context.answer.send(Message(say("trouble-after", ref=reference)))


async def _commit_bid(context: InteractionContext, id: str, prompt: int, value: Any) -> tuple[MatchView, str]:
    """Commit a bid; return the match and, where nothing was bid, why."""
    matches = context.referee.matches
    try:
        await check_prompt(context, id, prompt)
        live = await context.referee.live(id)
        if live.stored.outside:  # the pressed message has a key of this prompt, so the prompt was shown
            await matches.enforce_clock(id, context.created_at, shown=prompt == live.stored.prompt)
        view, _ = await matches.seal(id, context.user, prompt, value, context.created_at, context.id)
    except RefereeError as refusal:
        if refusal.id in ("unknown-match", "not-in-match"):
            raise
        view = await context.referee.views.view(id, context.user)
        return view, _describe_refusal(refusal, view)
    except Conflict:
        return await context.referee.views.view(id, context.user), say("busy")
    except (StoreBusy, StoreReadOnly) as failure:
        context.services.report_save_failure(failure)
        reason = say("read-only" if isinstance(failure, StoreReadOnly) else "busy")
        return await context.referee.views.view(id, context.user), reason
    return view, ""
