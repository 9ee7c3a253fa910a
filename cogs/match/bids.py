"""The console: keys that seal, in a DM or behind the board's *Bid* button. Both always work."""

from __future__ import annotations

import logging
import secrets
from dataclasses import replace
from typing import Any

from bot.errors import Refused
from bot.referee.changes import Conflict, StoreBusy, StoreReadOnly
from bot.referee.model import Surface, SurfaceKind
from bot.referee.views import MatchView
from cogs.asked.answer import sentence
from cogs.asked.press import Press, press, stale
from cogs.show.finding import console_among
from cogs.ui import ids
from cogs.ui.message import Message
from cogs.ui.screens.keys import shelf
from cogs.ui.words.sentences import say
from cogs.wire.reach import token_until

log = logging.getLogger(__name__)


@press("co", f"{ids.MATCH}:{ids.NUMBER}:{ids.CARD}")
async def key_pressed(pressed: Press) -> None:
    """A key of a console: seal this card, or change the bid to it."""
    value = ids.read_token(pressed.part(2))
    await seal(pressed, value)


@press("pk", f"{ids.MATCH}:{ids.NUMBER}:{ids.CARD}")
async def pick_pressed(pressed: Press) -> None:
    """An open prize is picked."""
    await seal(pressed, {"pick": ids.read_token(pressed.part(2))})


@press("cs", f"{ids.MATCH}:{ids.NUMBER}:{ids.MASK}")
async def several_sealed(pressed: Press) -> None:
    """Several cards are sealed at once; which ones, the button carries."""
    id, prompt, mask = pressed.part(0), pressed.number(1), int(pressed.part(2), 16)
    view = await pressed.referee.view(id, pressed.user)
    chosen = ids.chosen_of(mask, shelf(view))
    if not chosen and prompt != view.prompt:
        await _redraw(pressed, view, sentence(Refused("no-draft"), view))
        return
    await seal(pressed, list(chosen))


@press("cm", f"{ids.MATCH}:{ids.NUMBER}:{ids.MASK}:{ids.CARD}")
async def key_toggled(pressed: Press) -> None:
    """A card joins, or leaves, what is about to be sealed. Nothing is stored: the buttons carry it."""
    id, prompt, mask = pressed.part(0), pressed.number(1), int(pressed.part(2), 16)
    view = await pressed.referee.view(id, pressed.user)
    if view.seat is None:
        raise Refused("not-in-match", m=id)
    if prompt != view.prompt or view.seen.prompt is None:
        await _redraw(pressed, view, sentence(Refused("no-draft"), view))
        return
    keys = shelf(view)
    card = next((key for key in keys if ids.token(key) == pressed.part(3)), None)
    chosen = ids.chosen_of(mask, keys)
    if card is None:
        raise stale()
    if card in chosen:
        chosen = tuple(one for one in chosen if one != card)
    elif len(chosen) >= view.seen.prompt.size:
        await _redraw(pressed, view, sentence(Refused("too-many-cards", k=view.seen.prompt.size), view), mask)
        return
    else:
        chosen = (*chosen, card)
    await _redraw(pressed, view, "", ids.mask_of(chosen, keys))


@press("cc", f"{ids.MATCH}:{ids.NUMBER}")
@press("oc", ids.MATCH)
async def console_shown(pressed: Press) -> None:
    """Choose anew; or a nudge becomes the console itself."""
    view = await pressed.referee.view(pressed.part(0), pressed.user)
    if view.seat is None:
        raise Refused("not-in-match", m=view.id)
    await _redraw(pressed, view, "")


async def seal(pressed: Press, value: Any) -> None:
    """Commit, then answer: the console that was pressed shows what the press came to."""
    id, prompt = pressed.part(0), pressed.number(1)
    surface = await own_surface(pressed, id)
    with pressed.services.publisher.left_to_press(id, surface.id):
        try:
            view, _ = await pressed.referee.seal(id, pressed.user, prompt, value, pressed.at)
            banner = say("discord-slow") if pressed.services.publisher.news.slowed(id) else ""
        except Refused as refusal:
            if refusal.id in ("unknown-match", "not-in-match"):
                raise
            view = await pressed.referee.view(id, pressed.user)
            banner = sentence(refusal, view)
        except (Conflict, StoreBusy):
            view = await pressed.referee.view(id, pressed.user)
            banner = say("busy")
        except StoreReadOnly as trouble:
            pressed.services.owner.cannot_save(trouble)
            view = await pressed.referee.view(id, pressed.user)
            banner = say("read-only")
        await _show(pressed, view, banner, surface)


async def _show(pressed: Press, view: MatchView, banner: str, surface: Surface) -> None:
    """What the press came to is committed: if only the display fails, the person must not think otherwise."""
    try:
        await _redraw(pressed, view, banner, surface=surface)
    except Exception:  # the bid is committed, so nothing here may tell them otherwise
        reference = secrets.token_hex(3)
        log.exception("trouble %s while a console was drawn", reference)
        if banner:
            raise
        await pressed.answer.send(Message(say("trouble-after", ref=reference)))


async def _redraw(pressed: Press, view: MatchView, banner: str, mask: int = 0, surface: Surface | None = None) -> None:
    """The pressed console as it is now, with a sentence if something was not done."""
    surface = surface or await own_surface(pressed, view.id)
    publisher, interaction = pressed.services.publisher, pressed.interaction
    newest = view

    async def draw() -> Message:
        nonlocal newest
        newest = await publisher.consoles.newest(view, pressed.user)
        return await publisher.consoles.drawn(newest, surface, banner, mask if newest.prompt == view.prompt else 0)

    with publisher.left_to_press(view.id, surface.id):
        arrived = await pressed.answer.update(draw, of=view.id)
        shown = replace(
            surface,
            shown=newest.version if arrived else 0,  # else the publisher draws it once more
            token=interaction.token,
            token_until=token_until(interaction.created_at),
            token_app=interaction.application_id,
            state="live",
        )
        await publisher.marks.keep(shown)


async def own_surface(pressed: Press, id: str) -> Surface:
    """The console that was pressed, as the store knows it; an unknown one is known from now on."""
    message = pressed.message
    kind = SurfaceKind.CONSOLE_EPHEMERAL if message.flags.ephemeral else SurfaceKind.CONSOLE_DM
    mine = [one for one in await pressed.services.publisher.marks.surfaces(id) if one.user == pressed.user]
    known = next((one for one in mine if one.message == message.id), None)
    if known is not None:
        return known
    same = next((one for one in mine if one.kind is kind), None)
    return Surface(
        match=id,
        kind=kind,
        user=pressed.user,
        channel=message.channel.id,
        message=message.id,
        shown=0,
        posted=message.created_at,
        id=same.id if same is not None else 0,
    )


async def open_console(pressed: Press, view: MatchView) -> None:
    """The board's *Bid*: a console of one's own, for this person only."""
    interaction = pressed.interaction
    mine = await pressed.services.publisher.marks.surfaces(view.id)
    old = console_among(mine, pressed.user, SurfaceKind.CONSOLE_EPHEMERAL)
    surface = Surface(
        match=view.id,
        kind=SurfaceKind.CONSOLE_EPHEMERAL,
        user=pressed.user,
        channel=interaction.channel_id or 0,
        message=0,
        shown=view.version,
        posted=interaction.created_at,
        token=interaction.token,
        token_until=token_until(interaction.created_at),
        token_app=interaction.application_id,
        id=old.id if old is not None else 0,
    )
    banner = await _dms_closed(pressed, view)
    posted = await pressed.answer.send(await pressed.services.publisher.consoles.drawn(view, surface, banner))
    await pressed.services.publisher.marks.keep(replace(surface, message=posted or 0))


async def _dms_closed(pressed: Press, view: MatchView) -> str:
    """Said once to somebody whom no DM reaches: how everything goes on without one."""
    player = await pressed.referee.store.player(pressed.user)
    closed = player.dm_closed_until is not None and player.dm_closed_until > pressed.referee.clock.now()
    missed = view.own is not None and view.own.misses  # which they must hear of first
    if not closed or player.dm_told or missed:
        return ""
    await pressed.referee.prefer(pressed.user, dm_told=True)
    return say("dms-closed", channel=f"<#{view.channel}>")
