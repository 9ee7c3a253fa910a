"""A message as a person sees it: its text, its buttons and selects, and how it reads on paper."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar
from weakref import WeakValueDictionary

from bot.playground.protocol import component as kinds
from bot.playground.protocol.wire import Json, objects
from bot.playground.world.model import Flag

_STYLES = {1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link", 6: "premium"}
_USER = re.compile(r"<@!?(\d+)>")
_CUSTOM = re.compile("<a?:(\\w{2,32}):\\d{1,20}>\N{NO-BREAK SPACE}?")
"""A picture in a text, with what ties it to the next word: it is seen, and not read."""


@dataclass(frozen=True, slots=True)
class Button:
    label: str
    custom_id: str | None
    style: str
    disabled: bool
    url: str | None = None

    def __str__(self) -> str:
        if self.url is not None:
            return f"[{self.label} ↗]"
        return f"({self.label})" if self.disabled else f"[{self.label}]"


@dataclass(frozen=True, slots=True)
class Select:
    placeholder: str
    custom_id: str
    disabled: bool
    kind: int
    options: tuple[tuple[str, str, bool], ...]
    """Label, value and whether it is chosen already; empty for selects of users, roles and channels."""

    def __str__(self) -> str:
        offered = " | ".join(f"{'•' if chosen else ''}{label}" for label, _, chosen in self.options)
        inside = ": ".join(part for part in (self.placeholder, offered) if part)
        return f"({inside} ▾)" if self.disabled else f"{{{inside} ▾}}"

    def value_of(self, choice: str) -> str:
        """The value behind a label (or a value itself)."""
        for label, value, _ in self.options:
            if choice in (label, value):
                return value
        return choice


class Seen:
    """One version of a message. It does not change; `Person.now` gives the newest one."""

    _known: ClassVar[WeakValueDictionary[tuple[int, int], "Seen"]] = WeakValueDictionary()
    """by what it was read from, which lives as long as it does"""

    def __init__(self, raw: Json, names: Mapping[str, str] | None = None) -> None:
        self.raw = raw
        self._names: Mapping[str, str] = {} if names is None else names
        self._text: str | None = None

    @classmethod
    def shared(cls, raw: Json, names: Mapping[str, str]) -> "Seen":
        """The same one for everybody who was sent the same, so that it is read once."""
        place = id(raw), id(names)
        found = cls._known.get(place)
        if found is None:
            found = cls._known[place] = cls(raw, names)
        return found

    @property
    def id(self) -> str:
        return self.raw["id"]

    @property
    def channel_id(self) -> str:
        return self.raw["channel_id"]

    @property
    def interaction(self) -> str | None:
        """The action that it came of."""
        told = self.raw.get("interaction_metadata")
        return told["id"] if told else None

    @property
    def author(self) -> str:
        return self.raw["author"]["global_name"] or self.raw["author"]["username"]

    @property
    def flags(self) -> Flag:
        return Flag(self.raw["flags"])

    @property
    def is_ephemeral(self) -> bool:
        return bool(self.flags & Flag.EPHEMERAL)

    @property
    def is_v2(self) -> bool:
        return bool(self.flags & Flag.COMPONENTS_V2)

    @property
    def is_loading(self) -> bool:
        return bool(self.flags & Flag.LOADING)

    @property
    def is_edited(self) -> bool:
        return self.raw["edited_timestamp"] is not None

    @property
    def content(self) -> str:
        return self.raw["content"]

    @property
    def embeds(self) -> list[Json]:
        return self.raw["embeds"]

    @property
    def files(self) -> list[Json]:
        return self.raw["attachments"]

    @cached_property
    def number(self) -> int:
        """Its id, which grows from message to message."""
        return int(self.id)

    @cached_property
    def buttons(self) -> list[Button]:
        return [_button(one) for one in self._components() if one["type"] == kinds.BUTTON]

    @cached_property
    def selects(self) -> list[Select]:
        return [_select(one) for one in self._components() if one["type"] in kinds.SELECTS]

    @property
    def pictures(self) -> list[str]:
        """The custom emojis in its texts, and then those on its buttons, by name."""
        texts = [self.content, *(one["content"] for one in self._components() if one["type"] == kinds.TEXT)]
        emojis = [one["emoji"] for one in self._components() if one["type"] == kinds.BUTTON and one.get("emoji")]
        return [name for text in texts for name in _CUSTOM.findall(text)] + [one["name"] for one in emojis]

    def button(self, name: str) -> Button:
        """The button with this label or custom id; else the only one whose label or id begins so."""
        exact = [one for one in self.buttons if name in (one.label, one.custom_id)]
        near = [one for one in self.buttons if one.label.startswith(name) or (one.custom_id or "").startswith(name)]
        found = exact or near
        if len(found) != 1:
            raise AssertionError(f"{len(found)} buttons are called {name!r} in\n{self.text}")
        return found[0]

    def has_button(self, name: str, *, enabled: bool = True) -> bool:
        return any(name in (one.label, one.custom_id) and not (enabled and one.disabled) for one in self.buttons)

    def select(self, name: str | None = None) -> Select:
        """The select with this placeholder or custom id, or the only one there is."""
        found = [one for one in self.selects if name in (None, one.placeholder, one.custom_id)]
        if len(found) != 1:
            raise AssertionError(f"{len(found)} selects are called {name!r} in\n{self.text}")
        return found[0]

    @property
    def text(self) -> str:
        """The whole message as text: what is written, embeds, files, buttons in their rows."""
        if self._text is not None:
            return self._text
        text = "\n".join(self._lines())
        if _USER.search(text) is None:  # somebody whose name is not known may get one yet
            self._text = text
        return text

    def __str__(self) -> str:
        marks = [
            mark
            for mark, holds in (
                ("only you", self.is_ephemeral),
                ("edited", self.is_edited),
                ("silent", bool(self.flags & Flag.SILENT)),
                ("thinking", self.is_loading),
            )
            if holds
        ]
        head = " · ".join([self.author, *marks])
        return "\n".join([head, *(f"    {line}" for line in self.text.splitlines())])

    def __repr__(self) -> str:
        return f"<Seen {self.id} {self.text[:60]!r}>"

    def _components(self) -> list[Json]:
        return kinds.each(self.raw["components"])

    def _lines(self) -> Iterator[str]:
        if self.content:
            yield self._named(self.content)
        for embed in self.embeds:
            yield from (f"│ {line}" for line in self._embed_lines(embed))
        for component in self.raw["components"]:
            yield from self._component_lines(component)
        for file in self.files:
            alt = f": {file['description']}" if file.get("description") else ""
            yield f"📎 {file['filename']}{alt}"

    def _embed_lines(self, embed: Json) -> Iterator[str]:
        for key in ("title", "description"):
            if embed.get(key):
                yield from self._named(embed[key]).splitlines()
        for field in objects(embed.get("fields")):
            yield f"{field['name']}: {field['value']}"
        footer: Any = embed.get("footer") or {}
        if footer.get("text"):
            yield footer["text"]

    def _component_lines(self, one: Json) -> Iterator[str]:
        match one["type"]:
            case kinds.ROW:
                yield " ".join(_control(child) for child in one["components"])
            case kinds.TEXT:
                yield self._named(one["content"])
            case kinds.SECTION:
                for child in one["components"]:
                    yield from self._component_lines(child)
                accessory = one["accessory"]
                yield from [_control(accessory)] if accessory["type"] == kinds.BUTTON else ["🖼 thumbnail"]
            case kinds.SEPARATOR:
                yield "───"
            case kinds.GALLERY:
                for item in one["items"]:
                    yield f"🖼 {item['description'] or 'no description'}"
            case kinds.FILE:
                yield f"📎 {one['name']}"
            case kinds.CONTAINER:
                for child in one["components"]:
                    yield from (f"┃ {line}" for block in self._component_lines(child) for line in block.splitlines())
            case _:
                yield f"<component {one['type']}>"

    def _named(self, text: str) -> str:
        text = _CUSTOM.sub("", text) if "<:" in text else text
        if "<@" not in text:
            return text
        mentioned = {one["id"]: one["global_name"] or one["username"] for one in self.raw["mentions"]}

        def name(match: re.Match[str]) -> str:
            found = self._names.get(match[1]) or mentioned.get(match[1])
            return f"@{found}" if found else match[0]

        return _USER.sub(name, text)


def _control(one: Json) -> str:
    if one["type"] == kinds.BUTTON:
        return str(_button(one))
    return str(_select(one))


def _button(one: Json) -> Button:
    emoji: Any = one.get("emoji") or {}
    said = None if emoji.get("id") and one.get("label") else emoji.get("name")
    label = " ".join(part for part in (said, one.get("label")) if part)
    disabled = bool(one.get("disabled"))
    return Button(label, one.get("custom_id"), _STYLES[one["style"]], disabled, one.get("url"))


def _select(one: Json) -> Select:
    options = tuple(
        (option["label"], option["value"], bool(option.get("default"))) for option in objects(one.get("options"))
    )
    return Select(one.get("placeholder", ""), one["custom_id"], bool(one.get("disabled")), one["type"], options)
