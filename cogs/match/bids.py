"""The console: keys that seal, in a DM or behind the board's *Bid* button. Both always work."""

from __future__ import annotations

import logging
import secrets
from typing import Any

from bot.errors import Refused
from bot.interactions import rollback_guard
from bot.interactions.client import GopsClient
from bot.interactions.component import press
from bot.interactions.context import Asked, stale
from bot.interactions.error_handler import sentence
from bot.interactions.shared.consoles import by_this_press, edit_console, own_surface, show_again
from bot.referee.match import explain
from bot.referee.model.changes import Conflict, StoreBusy, StoreReadOnly
from bot.referee.model.model import Surface
from bot.referee.model.views import MatchView
from bot.referee.repository.press_order import PressTurn
from bot.ui.custom_ids import match_ids
from bot.ui.message import Message
from bot.ui.screens.keys import shelf
from bot.ui.text.sentences import say

log = logging.getLogger(__name__)


@press(match_ids.CARD)
async def key_pressed(asked: Asked) -> None:
    """A key of a console: seal this card, or change the bid to it."""
    await seal(asked, *match_ids.read_card(asked.parts))


@press(match_ids.PICK)
async def pick_pressed(asked: Asked) -> None:
    """An open prize is picked."""
    id, prompt, prize = match_ids.read_card(asked.parts)
    await seal(asked, id, prompt, {"pick": prize})


@press(match_ids.SEAL)
async def several_sealed(asked: Asked) -> None:
    """Several cards are sealed at once; which ones, the button carries."""
    id, prompt, mask = match_ids.read_seal(asked.parts)
    async with asked.referee.keeper.turn(id) as turn:
        if await _older(asked, id, prompt, turn):
            return
        view = await asked.referee.views.of(id, asked.user)
        chosen = match_ids.chosen_of(mask, shelf(view))
        if not chosen and prompt != view.prompt:
            turn.end()
            await show_again(asked, view, await _cleared(asked, view))
            return
        await _seal(asked, id, prompt, list(chosen), turn)


@press(match_ids.TOGGLE)
async def key_toggled(asked: Asked) -> None:
    """A card joins, or leaves, what is about to be sealed. Nothing is stored: the buttons carry it."""
    id, prompt, mask, pressed = match_ids.read_toggle(asked.parts)
    view = await asked.referee.views.of(id, asked.user)
    if view.seat is None:
        raise Refused("not-in-match", m=id)
    if await _older(asked, id, prompt):
        return
    if view.over or prompt != view.prompt or view.seen.prompt is None:
        await show_again(asked, view, await _cleared(asked, view))
        return
    keys = shelf(view)
    card = next((key for key in keys if match_ids.token(key) == pressed), None)
    chosen = match_ids.chosen_of(mask, keys)
    if card is None:
        raise stale()
    if card in chosen:
        chosen = tuple(one for one in chosen if one != card)
    elif view.seen.prompt.size == 1:
        chosen = (card,)
    elif len(chosen) >= view.seen.prompt.size:
        await show_again(asked, view, sentence(Refused("too-many-cards", k=view.seen.prompt.size), view), mask)
        return
    else:
        chosen = (*chosen, card)
    await show_again(asked, view, "", match_ids.mask_of(chosen, keys))


@press(match_ids.CLEAR)
@press(match_ids.OPEN_CONSOLE)
async def console_shown(asked: Asked) -> None:
    """Choose anew; or a nudge becomes the console itself."""
    view = await asked.referee.views.of(match_ids.read_match(asked.parts), asked.user)
    if view.seat is None:
        raise Refused("not-in-match", m=view.id)
    prompt = match_ids.read_prompt(asked.parts)
    if prompt is not None and await _older(asked, view.id, prompt):
        return
    await show_again(asked, view)


async def _cleared(asked: Asked, view: MatchView) -> str:
    """Why the cards that were chosen are chosen no more."""
    refusal = explain.over(await asked.referee.live(view.id)) if view.over else Refused("no-draft")
    return sentence(refusal, view)


async def _older(asked: Asked, id: str, prompt: int, turn: PressTurn | None = None) -> bool:
    """Whether this console is newer than all the store knows; the match is stopped then, and the console says so."""
    try:
        await rollback_guard.check_prompt(asked, id, prompt)
    except Refused as refusal:
        if refusal.id != "rolled-back":
            raise
        view = await asked.referee.views.of(id, asked.user)
        if turn is not None:
            turn.end()
        await show_again(asked, view, sentence(refusal, view))
        return True
    return False


async def seal(asked: Asked, id: str, prompt: int, value: Any) -> None:
    """Commit, then answer: the console that was pressed shows what the press came to."""
    async with asked.referee.keeper.turn(id) as turn:
        await _seal(asked, id, prompt, value, turn)


async def _seal(asked: Asked, id: str, prompt: int, value: Any, turn: PressTurn) -> None:
    if await _older(asked, id, prompt, turn):
        return
    surface = await own_surface(asked, id)
    taken = by_this_press(asked, surface)
    with asked.services.publisher.left_to_press(id, surface.id):
        try:
            live = await asked.referee.live(id)
            if live.stored.outside:  # a key of the present prompt stands in what was pressed: it was shown
                await asked.referee.matches.overdue(id, asked.at, shown=prompt == live.stored.prompt)
            view, _ = await asked.referee.matches.seal(id, asked.user, prompt, value, asked.at)
            banner = say("discord-slow") if asked.services.publisher.slowed(id) else ""
        except Refused as refusal:
            if refusal.id in ("unknown-match", "not-in-match"):
                raise
            view = await asked.referee.views.of(id, asked.user)
            banner = sentence(refusal, view)
        except Conflict:
            view = await asked.referee.views.of(id, asked.user)
            banner = say("busy")
        except StoreBusy as trouble:
            asked.services.cannot_save(trouble)
            view = await asked.referee.views.of(id, asked.user)
            banner = say("busy")
        except StoreReadOnly as trouble:
            asked.services.cannot_save(trouble)
            view = await asked.referee.views.of(id, asked.user)
            banner = say("read-only")
        turn.end()
        await _show(asked, view, banner, surface, taken)


async def _show(asked: Asked, view: MatchView, banner: str, surface: Surface, taken: Surface) -> None:
    """What the press came to is committed: if only the display fails, the person must not think otherwise."""
    try:
        await edit_console(asked, view, banner, surface, taken)
    except Exception:  # the bid is committed, so nothing here may tell them otherwise
        reference = secrets.token_hex(3)
        log.exception("trouble %s while a console was shown", reference)
        if banner:
            raise
        await asked.answer.send(Message(say("trouble-after", ref=reference)))


async def setup(bot: GopsClient) -> None:
    bot.answer(key_pressed, pick_pressed, several_sealed, key_toggled, console_shown)
