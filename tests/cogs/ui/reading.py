"""A message read aloud: top to bottom, every text and every key, the way a screen reader meets them."""

import re

from bot.ui.message import Attached, Button, Menu, Message, Picture, Row, Section, Separator, Text

_UNSEEN = {ord("\u2068"): None, ord("\u2069"): None, ord("\N{NO-BREAK SPACE}"): " ", ord("\u2060"): None}


def read(message: Message) -> str:
    """The whole message; a dead key stands in round brackets."""
    lines = [message.content] if message.content else []
    for node in message.body:
        match node:
            case Text(text):
                lines.append(text)
            case Separator():
                lines.append("─────────")
            case Section(text, button):
                lines += [text, key(button)]
            case Picture(_, alt):
                lines.append(f"<picture: {alt}>")
            case Attached(name):
                lines.append(f"<file: {name}>")
            case Row(items):
                lines.append(" ".join(key(item) if isinstance(item, Button) else menu(item) for item in items))
    return plain("\n".join(lines))


def plain(text: str) -> str:
    """Text without the invisible marks around names and in scores, every gap as any other."""
    return text.translate(_UNSEEN)


def without_suits(message: Message) -> str:
    """All of a message but the suits of cards."""
    return re.sub("[♠♥♣♦]", "", repr(message))


def key(button: Button) -> str:
    return f"[{button.label}]" if button.enabled else f"({button.label})"


def menu(of: Menu) -> str:
    chosen = [option.label for option in of.options if option.chosen]
    return "{" + of.placeholder + (": " + ", ".join(chosen) if chosen else "") + "}"


def said(message: Message) -> str:
    """The texts alone."""
    return plain("\n".join(text for text in message.texts if text))


def keys(message: Message) -> list[str]:
    """The rows alone."""
    return [read(Message(body=(row,))) for row in message.rows]


def stray_markup(text: str) -> list[str]:
    """Lines with markup of small print or a heading behind their start, where Discord shows it as it is written."""
    return [line for line in text.split("\n") if re.search(r"(?<=.)(?<![#\w`-])(-#|#{1,3}) ", line)]
