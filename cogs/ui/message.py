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
from discord.ui import ActionRow, Container, LayoutView, View
from discord.ui import File as FileItem
from discord.ui import MediaGallery as GalleryItem
from discord.ui import Section as SectionItem
from discord.ui import Separator as SeparatorItem
from discord.ui import TextDisplay as TextItem

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
        message = self.fitted()
        if not message.body:
            return None
        if message.v2:
            layout = LayoutView(timeout=None)
            layout.add_item(Container(*map(_node, message.body)))
            return layout
        view = View(timeout=None)
        for number, row in enumerate(message.rows):
            for item in row.items:
                built = _item(item)
                built.row = number
                view.add_item(built)
        return view

    @property
    def files(self) -> list[discord.File]:
        """New file objects each time."""
        return [discord.File(io.BytesIO(file.data), filename=file.name) for file in self.fitted().attachments]

    @property
    def allowed_mentions(self) -> discord.AllowedMentions:
        """These people and nobody else: left unset, everyone and roles would still be parsed."""
        if not self.mentions:
            return discord.AllowedMentions.none()
        people = [discord.Object(user) for user in self.mentions]
        return discord.AllowedMentions(users=people, everyone=False, roles=False, replied_user=False)

    def to_send(self) -> dict[str, Any]:
        """Arguments for anything that sends a new message."""
        data: dict[str, Any] = {"allowed_mentions": self.allowed_mentions}
        if self.content:
            data["content"] = self.fitted().content
        view, files = self.view, self.files
        if view is not None:
            data["view"] = view
        if files:
            data["files"] = files
        return data

    def to_edit(self) -> dict[str, Any]:
        """Arguments for anything that edits a message; nothing of the old one stays."""
        return {
            "content": self.fitted().content or None,
            "view": self.view,
            "attachments": self.files,
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


# --- discord's own objects: none of them is ever dispatched to, DynamicItems catch every press ---------------


class _Button(discord.ui.Button[Any]):
    def is_dispatchable(self) -> bool:
        return False  # else the library would remember every message for ever


class _Menu(discord.ui.Select[Any]):
    def is_dispatchable(self) -> bool:
        return False


def _item(item: Button | Menu) -> _Button | _Menu:
    if isinstance(item, Button):
        if item.url:
            return _Button(label=item.label, url=item.url, disabled=not item.enabled)
        return _Button(
            label=item.label,
            custom_id=item.id,
            style=item.style,
            disabled=not item.enabled,
            emoji=item.emoji or None,
        )
    options = [
        discord.SelectOption(
            label=option.label, value=option.value, description=option.description or None, default=option.chosen
        )
        for option in item.options
    ]
    return _Menu(custom_id=item.id, placeholder=item.placeholder, options=options, disabled=not item.enabled)


def _node(node: Node) -> discord.ui.Item[Any]:
    match node:
        case Row(items):
            return ActionRow(*map(_item, items))
        case Text(text):
            return TextItem(text)
        case Section(text, button):
            return SectionItem(TextItem(text), accessory=_item(button))
        case Picture(name, alt):
            return GalleryItem(discord.MediaGalleryItem(f"attachment://{name}", description=alt))
        case Attached(name):
            return FileItem(f"attachment://{name}")
        case Line():
            return SeparatorItem()
