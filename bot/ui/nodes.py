"""What a message is made of: plain values, nothing of discord.py but its colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from discord import ButtonStyle

GREY, BLUE, GREEN, RED = ButtonStyle.secondary, ButtonStyle.primary, ButtonStyle.success, ButtonStyle.danger


class Button(NamedTuple):
    """A button; with a `url` it is a link and has no id. A tuple, because no other value is made as often."""

    label: str
    id: str = ""
    style: ButtonStyle = GREY
    enabled: bool = True
    url: str = ""
    emoji: str = ""

    @property
    def without_emoji(self) -> Button:
        """The same without its picture."""
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
    """A select; it fills its row. Of kind channel, role or user it needs no options: Discord fills it in."""

    id: str
    placeholder: str
    options: tuple[MenuOption, ...] = ()
    enabled: bool = True
    kind: str = "text"
    chosen: tuple[int, ...] = ()
    """channels, roles or people chosen so far"""
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
    """An attached picture, with words for those who do not see it."""

    name: str
    alt: str


@dataclass(frozen=True, slots=True)
class Attached:
    """An attached file, shown in its place."""

    name: str


@dataclass(frozen=True, slots=True)
class Field:
    """Something to be typed into a form."""

    id: str
    label: str
    value: str = ""
    """what stands there at first"""
    most: int = 4000
    hint: str = ""
    """what stands there while nothing does"""
    note: str = ""
    """a line below the label"""
    long: bool = False
    required: bool = True


@dataclass(frozen=True, slots=True)
class Modal:
    """A form that opens over everything, until it is sent in or put away."""

    id: str
    title: str
    fields: tuple[Field, ...]
    text: str = ""
    """what stands above the fields"""


Node: TypeAlias = Row | Text | Separator | Section | Picture | Attached


@dataclass(frozen=True, slots=True)
class Attachment:
    name: str
    data: bytes
    spare: bool = False
    """whether the message says it in words as well, and goes without it where files are refused"""


def count_components(node: Node) -> int:
    """Components, as Discord counts them: everything nested included."""
    if isinstance(node, Row):
        return 1 + len(node.items)
    return 3 if isinstance(node, Section) else 1


def make_row(*items: Button | Menu) -> Row:
    return Row(items)


def make_rows(buttons: Sequence[Button], width: int = 5) -> list[Row]:
    """Buttons in rows, left to right."""
    return [Row(tuple(buttons[start : start + width])) for start in range(0, len(buttons), width)]


def join_lines(*lines: str) -> str:
    """Lines of text, without those that have nothing to say."""
    return "\n".join(filter(None, lines))
