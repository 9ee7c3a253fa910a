"""Parts of a message as plain values, and as Discord's JSON.

discord.py's items are built for dispatching and cost more than the rest of a message. `bot.interactions.component`
routes all presses, so the views of `bot.discord_internals` only carry this JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import discord
from discord import ButtonStyle

from bot.discord_internals import payloads
from bot.engine.fast_values import value_type
from bot.ui.text.names import begin_sentences

MAX_COMPONENTS = 40
"""components of a message, nested ones included"""

GREY, BLUE, GREEN, RED = ButtonStyle.secondary, ButtonStyle.primary, ButtonStyle.success, ButtonStyle.danger


class Button(NamedTuple):
    """A button; with a `url` it is a link and has no id. It is a tuple, because creating one is fast."""

    label: str
    id: str = ""
    style: ButtonStyle = GREY
    enabled: bool = True
    url: str = ""
    emoji: str = ""
    is_public: bool = False
    """True if it posts a copy for everybody. In a DM there is nobody else, so it is not offered there."""

    @property
    def without_emoji(self) -> Button:
        """The button without its picture."""
        return self._replace(emoji="")


@dataclass(frozen=True, slots=True)
class MenuOption:
    """One line of a menu."""

    label: str
    value: str
    description: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Menu:
    """A select that fills a row. For the kinds channel, role and user Discord supplies the options."""

    id: str
    placeholder: str
    options: tuple[MenuOption, ...] = ()
    enabled: bool = True
    kind: str = "text"
    chosen: tuple[int, ...] = ()
    """Ids of the channels, roles or users that are selected."""
    least: int = 1
    most: int = 1


@value_type
class Row:
    """Up to five buttons, or one menu."""

    items: tuple[Button | Menu, ...]


@value_type
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Separator:
    """A separator."""


@dataclass(frozen=True, slots=True)
class Section:
    """Text with a button beside it."""

    text: str
    button: Button


@dataclass(frozen=True, slots=True)
class Picture:
    """An attached picture with its alt text."""

    name: str
    alt: str


@dataclass(frozen=True, slots=True)
class Attached:
    """An attached file that is shown in the body."""

    name: str


@dataclass(frozen=True, slots=True)
class Field:
    """A text field of a form."""

    id: str
    label: str
    value: str = ""
    """Initial text."""
    most: int = 4000
    hint: str = ""
    """Placeholder of an empty field."""
    note: str = ""
    """A line below the label."""
    long: bool = False
    required: bool = True


@dataclass(frozen=True, slots=True)
class Modal:
    """A form (modal)."""

    id: str
    title: str
    fields: tuple[Field, ...]
    text: str = ""
    """Text above the fields."""


Node: TypeAlias = Row | Text | Separator | Section | Picture | Attached


@dataclass(frozen=True, slots=True)
class Attachment:
    name: str
    data: bytes
    spare: bool = False
    """True if the text says the same, so that the file can be left out where files are refused."""


def count_components(node: Node) -> int:
    """Return the number of components as Discord counts them, nested ones included."""
    if isinstance(node, Row):
        return 1 + len(node.items)
    return 3 if isinstance(node, Section) else 1


def make_row(*items: Button | Menu) -> Row:
    return Row(items)


def make_rows(buttons: Sequence[Button], width: int = 5) -> list[Row]:
    """Lay out buttons in rows, left to right."""
    return [Row(tuple(buttons[start : start + width])) for start in range(0, len(buttons), width)]


def join_lines(*lines: str) -> str:
    """Join lines of text; leave out empty ones."""
    return "\n".join(filter(None, lines))


# --- as JSON ---------------------------------------------------------------------------------------------------

CONTAINER, ROW, BUTTON, MENU, SECTION, TEXT, GALLERY, FILE, LINE = 17, 1, 2, 3, 9, 10, 12, 13, 14
PEOPLE, ROLES, CHANNELS = 5, 6, 8
INPUT, LABEL = 4, 18
CHANNEL_KINDS = [
    kind.value
    for kind in (
        discord.ChannelType.text,
        discord.ChannelType.voice,
        discord.ChannelType.news,
        discord.ChannelType.news_thread,
        discord.ChannelType.public_thread,
        discord.ChannelType.forum,
    )
]


def make_form(one: Modal) -> dict[str, Any]:
    """Return the JSON of a form."""
    above = [{"type": TEXT, "content": one.text}] if one.text else []
    return {"custom_id": one.id, "title": one.title, "components": [*above, *map(_make_field, one.fields)]}


def _make_field(one: Field) -> dict[str, Any]:
    typed: dict[str, Any] = {
        "type": INPUT,
        "custom_id": one.id,
        "style": 2 if one.long else 1,
        "required": one.required,
        "max_length": one.most,
    }
    if one.value:
        typed["value"] = one.value
    if one.hint:
        typed["placeholder"] = one.hint
    data: dict[str, Any] = {"type": LABEL, "label": one.label, "component": typed}
    if one.note:
        data["description"] = one.note
    return data


def make_payload(node: Node) -> dict[str, Any]:
    """Return the JSON of a node and its children."""
    if isinstance(node, Row):
        shown = [_make_button(one) if isinstance(one, Button) else _make_menu(one) for one in node.items]
        return {"type": ROW, "components": shown}
    if isinstance(node, Text):
        return {"type": TEXT, "content": begin_sentences(node.text)}
    match node:
        case Section(text, button):
            shown = {"type": TEXT, "content": begin_sentences(text)}
            return {"type": SECTION, "components": [shown], "accessory": _make_button(button)}
        case Picture(name, alt):
            shown = {"media": {"url": f"attachment://{name}"}, "description": begin_sentences(alt)}
            return {"type": GALLERY, "items": [shown]}
        case Attached(name):
            return {"type": FILE, "file": {"url": f"attachment://{name}"}, "spoiler": False}
        case Separator():
            return {"type": LINE, "divider": True, "spacing": 1}


def _make_button(item: Button) -> dict[str, Any]:
    label, id, style, is_enabled, url, emoji, _ = item
    data: dict[str, Any] = {"type": BUTTON, "style": style.value, "label": label, "disabled": not is_enabled}
    data |= {"style": ButtonStyle.link.value, "url": url} if url else {"custom_id": id}
    if emoji:
        data["emoji"] = payloads.emoji(emoji)
    return data


def _make_menu(item: Menu) -> dict[str, Any]:
    data: dict[str, Any] = {
        "type": {"channel": CHANNELS, "role": ROLES, "user": PEOPLE}.get(item.kind, MENU),
        "custom_id": item.id,
        "placeholder": item.placeholder,
        "min_values": item.least,
        "max_values": item.most,
        "disabled": not item.enabled,
    }
    if data["type"] == MENU:
        data["options"] = [_make_option(option) for option in item.options]
        return data
    data["default_values"] = [{"id": str(one), "type": item.kind} for one in item.chosen[: item.most]]
    if item.kind == "channel":
        data["channel_types"] = CHANNEL_KINDS
    return data


def _make_option(option: MenuOption) -> dict[str, Any]:
    data: dict[str, Any] = {"label": option.label, "value": option.value, "default": option.chosen}
    if option.description:
        data["description"] = option.description
    return data
