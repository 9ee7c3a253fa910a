"""A message before it is sent: a plain value that can be compared, measured and turned into discord.py's views.

`content` empty: Components V2, everything in one container. `content` given: a plain message, and only rows under it.
A view is built just before each call, because a view object must not be sent twice.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import discord
from discord.ui import LayoutView, View

from bot.discord_internals.payloads import ReadyLayout, ReadyView
from bot.engine.fast_values import value_type
from bot.ui.nodes import (
    BLUE,
    CONTAINER,
    GREEN,
    GREY,
    MAX_COMPONENTS,
    RED,
    Attached,
    Attachment,
    Button,
    Field,
    Menu,
    MenuOption,
    Modal,
    Node,
    Picture,
    Row,
    Section,
    Separator,
    Text,
    count_components,
    join_lines,
    make_payload,
    make_row,
    make_rows,
)
from bot.ui.text.names import begin_sentences
from bot.ui.text.style import remove_pictures

__all__ = [
    "BLUE",
    "GREEN",
    "GREY",
    "RED",
    "Attached",
    "Attachment",
    "Button",
    "Field",
    "Menu",
    "MenuOption",
    "Message",
    "Modal",
    "Node",
    "Picture",
    "Row",
    "Section",
    "Separator",
    "Text",
    "join_lines",
    "make_row",
    "make_rows",
]

MAX_CHARACTERS = 4000
MAX_PLAIN = 2000
COMPONENTS_V2 = 1 << 15

WORDED = Text, Section
"""nodes with a text"""


@value_type
class Message:
    """Content of a new message, or of an edit."""

    content: str = ""
    body: tuple[Node, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    mentions: tuple[int, ...] = ()
    """Users that the message pings."""
    roles: tuple[int, ...] = ()
    """Roles that it pings."""
    accent: int | None = None
    """Colour of the edge. The text says the same."""
    essence: str = ""
    """Short text that replaces the body of a message that is too large; the rows stay."""

    @property
    def is_v2(self) -> bool:
        """Return True for a Components V2 message."""
        return not self.content and bool(self.body)

    def as_v2(self) -> Message:
        """Return this message as Components V2, with its plain content as the first text."""
        return replace(self, content="", body=(Text(self.content), *self.body)) if self.content else self

    @property
    def rows(self) -> tuple[Row, ...]:
        return tuple(node for node in self.body if isinstance(node, Row))

    @property
    def buttons(self) -> tuple[Button, ...]:
        """All buttons, in reading order."""
        return tuple(item for item in self.pressables if isinstance(item, Button))

    @property
    def pressables(self) -> tuple[Button | Menu, ...]:
        """All buttons and menus, in reading order."""
        return tuple(_list_pressables(self.body))

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.content, *[node.text for node in self.body if isinstance(node, WORDED)])

    @property
    def components(self) -> int:
        """Number of components as Discord counts them, nested ones included."""
        return self.is_v2 + sum(map(count_components, self.body))

    @property
    def characters(self) -> int:
        """Upper bound of the text length as Discord counts it: characters outside the first plane count twice."""
        return sum(len(text.encode("utf-16-le")) // 2 for text in self.texts)

    @property
    def is_sendable(self) -> bool:
        most = MAX_CHARACTERS if self.is_v2 else MAX_PLAIN
        rows = self.is_v2 or len(self.rows) <= 5
        short = 2 * sum(map(len, self.texts)) <= most  # even if all characters count twice
        return rows and self.components <= MAX_COMPONENTS and (short or self.characters <= most)

    @property
    def has_emojis(self) -> bool:
        """Return True if the message has pictures of cards."""
        return any(remove_pictures(text) != text for text in self.texts) or any(button.emoji for button in self.buttons)

    def without_emojis(self) -> Message:
        """Return the message without pictures of cards. Its text says the same."""
        body = tuple(_remove_emojis(node) for node in self.body)
        return replace(self, content=remove_pictures(self.content), body=body, essence=remove_pictures(self.essence))

    def without_public_buttons(self) -> Message:
        """Return the message without the buttons that would post a copy of it."""
        if not any(button.is_public for button in self.buttons):
            return self
        kept = [_remove_public(node) if isinstance(node, Row) else node for node in self.body]
        return replace(self, body=tuple(node for node in kept if not isinstance(node, Row) or node.items))

    @property
    def has_spare_files(self) -> bool:
        """Return True if some files can be left out."""
        return bool(self.attachments) and any(file.spare for file in self.attachments)

    def without_spare_files(self) -> Message:
        """Return the message without the files that repeat its text."""
        gone = {file.name for file in self.attachments if file.spare}
        body = tuple(node for node in self.body if not (isinstance(node, Picture) and node.name in gone))
        return replace(self, body=body, attachments=tuple(file for file in self.attachments if not file.spare))

    def fit(self) -> Message:
        """Return a message that Discord accepts: a large one without pictures, or with essence and rows only."""
        if self.is_sendable:
            return self
        if self.has_emojis:
            return self.without_emojis().fit()
        rows: list[Node] = []
        for one in self.rows:
            if sum(map(count_components, (*rows, one))) + 2 <= MAX_COMPONENTS:
                rows.append(one)
        text = self.essence or _first_line(self.texts)
        body = tuple(rows) if self.content else (Text(text), *rows)
        return replace(self, content=text if self.content else "", body=body, attachments=())

    # --- for discord.py ----------------------------------------------------------------------------------

    @property
    def view(self) -> LayoutView | View | None:
        """A new view, or None for a message that is only text."""
        return self.fit()._view()

    def _view(self) -> LayoutView | View | None:
        if not self.body:
            return None
        return ReadyLayout(self._components()) if self.is_v2 else ReadyView(self._components())

    def _components(self) -> list[dict[str, Any]]:
        if self.is_v2:
            inside = [make_payload(node) for node in self.body]
            return [{"type": CONTAINER, "accent_color": self.accent, "spoiler": False, "components": inside}]
        return [make_payload(one) for one in self.rows]

    @property
    def files(self) -> list[discord.File]:
        """New file objects."""
        return self.fit()._files()

    def _files(self) -> list[discord.File]:
        return [discord.File(io.BytesIO(file.data), filename=file.name) for file in self.attachments]

    @property
    def allowed_mentions(self) -> discord.AllowedMentions:
        """Allow these users and roles only. If unset, Discord also parses everyone and roles."""
        if not self.mentions and not self.roles:
            return discord.AllowedMentions.none()
        people, roles = ([discord.Object(id) for id in ids] for ids in (self.mentions, self.roles))
        return discord.AllowedMentions(users=people or False, everyone=False, roles=roles or False, replied_user=False)

    @property
    def mentions_payload(self) -> dict[str, Any]:
        """The allowed mentions in the body of a call."""
        named = {"users": list(self.mentions), "roles": list(self.roles)}
        return {"parse": [], **{kind: ids for kind, ids in named.items() if ids}}

    def to_send(self) -> dict[str, Any]:
        """Return the arguments for sending a new message."""
        fitted = self.fit()
        data: dict[str, Any] = {"allowed_mentions": self.allowed_mentions}
        if self.content:
            data["content"] = begin_sentences(fitted.content)
        view, files = fitted._view(), fitted._files()
        if view is not None:
            data["view"] = view
        if files:
            data["files"] = files
        return data

    @property
    def edit_files(self) -> tuple[Attachment, ...]:
        """The files of an edit call."""
        return self.fit().attachments if self.attachments else ()

    @property
    def edit_payload(self) -> dict[str, Any]:
        """The body of an edit call that replaces the whole message."""
        fitted = self.fit()
        data: dict[str, Any] = {
            "content": begin_sentences(fitted.content) or None,
            "components": fitted._components(),
            "attachments": [{"id": number, "filename": file.name} for number, file in enumerate(fitted.attachments)],
            "allowed_mentions": {"parse": []},
        }
        if fitted.is_v2:
            data["flags"] = COMPONENTS_V2
        return data


def _remove_public(row: Row) -> Row:
    return Row(tuple(item for item in row.items if not (isinstance(item, Button) and item.is_public)))


def _remove_emojis(node: Node) -> Node:
    match node:
        case Text(text):
            return Text(remove_pictures(text))
        case Section(text, button):
            return Section(remove_pictures(text), button.without_emoji)
        case Row(items):
            return Row(tuple(one.without_emoji if isinstance(one, Button) else one for one in items))
        case _:
            return node


def _list_pressables(body: Sequence[Node]) -> Iterator[Button | Menu]:
    for node in body:
        if isinstance(node, Row):
            yield from node.items
        elif isinstance(node, Section):
            yield node.button


def _first_line(texts: Sequence[str]) -> str:
    return next((text for text in texts if text), "").split("\n", maxsplit=1)[0][:MAX_PLAIN]
