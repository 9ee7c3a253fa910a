"""The card and the form of roles by rating."""

from __future__ import annotations

from collections.abc import Callable

from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.setting_kinds import HIGHEST, LOWEST
from bot.referee.repository.standings import pool_of
from bot.rest.delivery import RoleStatus
from bot.ui.custom_ids import server_ids
from bot.ui.message import Button, Field, Menu, Message, Modal, Node, Text, join_lines, make_row
from bot.ui.text.offers import pool_name
from bot.ui.text.sentences import say

SAID = {
    RoleStatus.NO_RIGHT: "bands-no-right",
    RoleStatus.ABOVE: "bands-above",
    RoleStatus.NEVER: "bands-never",
    RoleStatus.GONE: "bands-gone",
}
"""What keeps the bot from giving a role."""


def bands_card(settings: GuildSettings, banner: str, may: Callable[[int], RoleStatus]) -> Message:
    """Return the third card of the settings; `may` returns whether the bot can give a role."""
    title = say("bands-title")
    pool = pool_name(pool_of(settings.game))
    about = say("bands-about-season" if settings.seasons != "off" else "bands-about", pool=pool)
    lines = [say("bands-line", role=f"<@&{band.role}>", least=band.least) for band in settings.bands]
    body: list[Node] = [
        Text(f"{title}\n{banner}" if banner else title),
        Text(about),
        Text(join_lines(*(lines or [say("bands-none")]), *missing_rights(settings, may))),
        make_row(Menu(server_ids.settings("band", settings.version), say("bands-which"), kind="role")),
        make_row(*_buttons(settings, may)),
        Text(say("settings-foot")),
    ]
    return Message(body=tuple(body), essence=title)


def _buttons(settings: GuildSettings, may: Callable[[int], RoleStatus]) -> list[Button]:
    back = Button(say("back-to-settings"), server_ids.settings("card", settings.version))
    if all(may(band.role) is not RoleStatus.GONE for band in settings.bands):
        return [back]
    return [back, Button(say("bands-clean"), server_ids.settings("clean", settings.version))]


def missing_rights(settings: GuildSettings, may: Callable[[int], RoleStatus]) -> list[str]:
    """Return each obstacle once."""
    found: dict[str, None] = {}
    for band in settings.bands:
        if (told := SAID.get(may(band.role))) is not None:
            found[say(told, role=f"<@&{band.role}>")] = None
    return list(found)


def band_form(settings: GuildSettings, role: int) -> Modal:
    """Return the form that asks from which rating on a role is given."""
    known = next((str(band.least) for band in settings.bands if band.role == role), "")
    note = say("form-band-note", low=LOWEST, high=HIGHEST)
    field = Field(server_ids.BAND_FIELD, say("form-band-least"), known, most=6, note=note, required=False)
    return Modal(server_ids.band(settings.version, role), say("form-band"), (field,))
