"""A message before it is sent: plain values that compare equal, can be counted and read, and build discord's views.

`content` empty: Components V2, everything in one container. `content` given: a plain message, and only rows under it.
Building is done at the last moment and anew each time, because a view object must not be sent twice.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import discord
from discord import ButtonStyle
from discord.ui import LayoutView, View

MOST_COMPONENTS = 40
MOST_CHARACTERS = 4000
MOST_PLAIN = 2000

GREY, BLUE, GREEN, RED = ButtonStyle.secondary, ButtonStyle.primary, ButtonStyle.success, ButtonStyle.danger


@dataclass(frozen=True, slots=True)
class Button:
    """A button; with a `url` it is a link and has no id."""

    label: str
    id: str = ""
    style: ButtonStyle = GREY
    enabled: bool = True
    url: str = ""
    emoji: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """One line of a menu."""

    label: str
    value: str
    description: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Menu:
    """A select; it fills its row."""

    id: str
    placeholder: str
    options: tuple[Option, ...]
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Row:
    """Up to five buttons, or one menu."""

    items: tuple[Button | Menu, ...]


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A separator."""


@dataclass(frozen=True, slots=True)
class Section:
    """Text with a button beside it."""

    text: str
    button: Button


@dataclass(frozen=True, slots=True)
class Picture:
    """An attached picture, with words for those who do not see it."""

    name: str
    alt: str


@dataclass(frozen=True, slots=True)
class Attached:
    """An attached file, shown in its place."""

    name: str


Node: TypeAlias = Row | Text | Line | Section | Picture | Attached


@dataclass(frozen=True, slots=True)
class Attachment:
    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Message:
    """What is sent, or what a message is edited into."""

    content: str = ""
    body: tuple[Node, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    mentions: tuple[int, ...] = ()
    """people whom this pings"""
    essence: str = ""
    """heading and Waiting line: what is left, with the rows, of a message that would be too large"""

    @property
    def v2(self) -> bool:
        """Whether this is a Components V2 message."""
        return not self.content and bool(self.body)

    @property
    def rows(self) -> tuple[Row, ...]:
        return tuple(node for node in self.body if isinstance(node, Row))

    @property
    def buttons(self) -> tuple[Button, ...]:
        """Every button, in reading order."""
        return tuple(item for item in self.items if isinstance(item, Button))

    @property
    def items(self) -> tuple[Button | Menu, ...]:
        """Everything that can be pressed, in reading order."""
        return tuple(_items(self.body))

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.content, *(node.text for node in self.body if isinstance(node, Text | Section)))

    @property
    def components(self) -> int:
        """As Discord counts them: everything nested included."""
        return self.v2 + sum(map(_count, self.body))

    @property
    def characters(self) -> int:
        """Text as Discord counts it, on the safe side: characters beyond the first plane count twice."""
        return sum(len(text.encode("utf-16-le")) // 2 for text in self.texts)

    @property
    def fits(self) -> bool:
        most = MOST_CHARACTERS if self.v2 else MOST_PLAIN
        rows = self.v2 or len(self.rows) <= 5
        return rows and self.components <= MOST_COMPONENTS and self.characters <= most

    def fitted(self) -> Message:
        """The last guard: this message, or its essence and its rows where it would be refused."""
        if self.fits:
            return self
        rows: list[Node] = []
        for row in self.rows:
            if sum(map(_count, (*rows, row))) + 2 <= MOST_COMPONENTS:
                rows.append(row)
        text = self.essence or _first_line(self.texts)
        body = tuple(rows) if self.content else (Text(text), *rows)
        return replace(self, content=text if self.content else "", body=body, attachments=())

    # --- for discord.py ----------------------------------------------------------------------------------

    @property
    def view(self) -> LayoutView | View | None:
        """A new view each time; None where there is nothing but text."""
        return self.fitted()._view()

    def _view(self) -> LayoutView | View | None:
        if not self.body:
            return None
        if self.v2:
            inside = [_node(node) for node in self.body]
            return _Drawn([{"type": CONTAINER, "accent_color": None, "spoiler": False, "components": inside}])
        return _DrawnPlain([_node(row) for row in self.rows])

    @property
    def files(self) -> list[discord.File]:
        """New file objects each time."""
        return self.fitted()._files()

    def _files(self) -> list[discord.File]:
        return [discord.File(io.BytesIO(file.data), filename=file.name) for file in self.attachments]

    @property
    def allowed_mentions(self) -> discord.AllowedMentions:
        """These people and nobody else: left unset, everyone and roles would still be parsed."""
        if not self.mentions:
            return discord.AllowedMentions.none()
        people = [discord.Object(user) for user in self.mentions]
        return discord.AllowedMentions(users=people, everyone=False, roles=False, replied_user=False)

    def to_send(self) -> dict[str, Any]:
        """Arguments for anything that sends a new message."""
        fitted = self.fitted()
        data: dict[str, Any] = {"allowed_mentions": self.allowed_mentions}
        if self.content:
            data["content"] = fitted.content
        view, files = fitted._view(), fitted._files()
        if view is not None:
            data["view"] = view
        if files:
            data["files"] = files
        return data

    def to_edit(self) -> dict[str, Any]:
        """Arguments for anything that edits a message; nothing of the old one stays."""
        fitted = self.fitted()
        return {
            "content": fitted.content or None,
            "view": fitted._view(),
            "attachments": fitted._files(),
            "allowed_mentions": discord.AllowedMentions.none(),  # an edit notifies nobody anyway
        }


def row(*items: Button | Menu) -> Row:
    return Row(items)


def rows_of(buttons: Sequence[Button], width: int = 5) -> list[Row]:
    """Buttons in rows, left to right."""
    return [Row(tuple(buttons[start : start + width])) for start in range(0, len(buttons), width)]


def joined(*lines: str) -> str:
    """Lines of text, without those that have nothing to say."""
    return "\n".join(line for line in lines if line)


def _items(body: Sequence[Node]) -> Iterator[Button | Menu]:
    for node in body:
        if isinstance(node, Row):
            yield from node.items
        elif isinstance(node, Section):
            yield node.button


def _count(node: Node) -> int:
    if isinstance(node, Row):
        return 1 + len(node.items)
    return 3 if isinstance(node, Section) else 1


def _first_line(texts: Sequence[str]) -> str:
    return next((text for text in texts if text), "").split("\n", maxsplit=1)[0][:MOST_PLAIN]


# --- for Discord: components as they are sent -----------------------------------------------------------------
#
# discord.py's items are made to be dispatched to, and cost more than everything else in a message. Every press is
# caught in one place (cogs.press), so its views only have to carry what is sent.

CONTAINER, ROW, BUTTON, MENU, SECTION, TEXT, GALLERY, FILE, LINE = 17, 1, 2, 3, 9, 10, 12, 13, 14


class _Drawn(LayoutView):
    """A view that is ready to be sent; discord.py must not remember it, or it would remember every message."""

    def __init__(self, components: list[dict[str, Any]]) -> None:
        super().__init__(timeout=None)
        self._components = components

    def to_components(self) -> list[dict[str, Any]]:
        return self._components

    def has_components_v2(self) -> bool:
        return True

    def is_dispatchable(self) -> bool:
        return False


class _DrawnPlain(View):
    """Rows under a plain message, ready to be sent."""

    def __init__(self, components: list[dict[str, Any]]) -> None:
        super().__init__(timeout=None)
        self._components = components

    def to_components(self) -> list[dict[str, Any]]:
        return self._components

    def has_components_v2(self) -> bool:
        return False

    def is_dispatchable(self) -> bool:
        return False


def _item(item: Button | Menu) -> dict[str, Any]:
    if isinstance(item, Menu):
        return {
            "type": MENU,
            "custom_id": item.id,
            "placeholder": item.placeholder,
            "min_values": 1,
            "max_values": 1,
            "disabled": not item.enabled,
            "options": [_option(option) for option in item.options],
        }
    style = ButtonStyle.link if item.url else item.style
    data: dict[str, Any] = {"type": BUTTON, "style": style.value, "label": item.label, "disabled": not item.enabled}
    if item.url:
        data["url"] = item.url
    else:
        data["custom_id"] = item.id
    if item.emoji:
        data["emoji"] = discord.PartialEmoji.from_str(item.emoji).to_dict()
    return data


def _option(option: Option) -> dict[str, Any]:
    data: dict[str, Any] = {"label": option.label, "value": option.value, "default": option.chosen}
    if option.description:
        data["description"] = option.description
    return data


def _node(node: Node) -> dict[str, Any]:
    match node:
        case Row(items):
            return {"type": ROW, "components": [_item(item) for item in items]}
        case Text(text):
            return {"type": TEXT, "content": text}
        case Section(text, button):
            return {"type": SECTION, "components": [{"type": TEXT, "content": text}], "accessory": _item(button)}
        case Picture(name, alt):
            return {"type": GALLERY, "items": [{"media": {"url": f"attachment://{name}"}, "description": alt}]}
        case Attached(name):
            return {"type": FILE, "file": {"url": f"attachment://{name}"}, "spoiler": False}
        case Line():
            return {"type": LINE, "divider": True, "spacing": 1}
