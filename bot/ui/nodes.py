"""Parts of a message as plain values. Only the button colours come from discord.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from discord import ButtonStyle

GREY, BLUE, GREEN, RED = ButtonStyle.secondary, ButtonStyle.primary, ButtonStyle.success, ButtonStyle.danger


class Button(NamedTuple):
    """A button; with a `url` it is a link and has no id. It is a tuple, because creating one is fast."""

    label: str
    id: str = ""
    style: ButtonStyle = GREY
    enabled: bool = True
    url: str = ""
    emoji: str = ""

    @property
    def without_emoji(self) -> Button:
        """The button without its picture."""
        return Button(self.label, self.id, self.style, self.enabled, self.url)


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


@dataclass(frozen=True, slots=True)
class Row:
    """Up to five buttons, or one menu."""

    items: tuple[Button | Menu, ...]


@dataclass(frozen=True, slots=True)
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
