"""A person at their client."""

import base64
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from bot.playground.protocol.wire import Json, as_object, objects
from tests.driver.link import Link
from tests.driver.screen import NotSeen, Ping, Screen
from tests.driver.seen import Seen

Wanted = str | re.Pattern[str] | Callable[[Seen], bool]

__all__ = ["File", "InteractionFailed", "NotSeen", "Outcome", "Person", "Ping"]


class InteractionFailed(AssertionError):
    """The bot did not answer in time: "This interaction failed"."""


@dataclass(frozen=True, slots=True)
class File:
    """A file to attach to a slash command."""

    filename: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an action: the bot's answer, as far as it had come when it acknowledged, or `until_done`."""

    id: str
    state: str
    answer: int | None
    message: Seen | None
    modal: Json | None
    choices: list[Json] | None

    @property
    def failed(self) -> bool:
        return self.state == "failed"

    @property
    def shown(self) -> Seen:
        """The message it brought or changed."""
        if self.message is None:
            raise AssertionError(f"No message came of it, only an answer of type {self.answer}.")
        return self.message


class Person:
    """Made by `Stage.person`. Places are given as a message, a channel, `#name`, or `dm` for the bot's DM."""

    def __init__(self, link: Link, raw: Json, names: Mapping[str, str], patience: float) -> None:
        self._link = link
        self._names = names
        self.id: str = raw["id"]
        self.name: str = raw["username"]
        self.patience = patience
        self.until_done = False
        """Whether they wait for what a slow answer announces, before they do the next thing."""
        self.screen = Screen(self.name, names)
        self._acts: dict[object, str] = {}
        self.place: str | None = None
        """The id of the channel they are in; every action happens there unless told otherwise."""

    def __repr__(self) -> str:
        return f"<Person {self.name}>"

    @property
    def mention(self) -> str:
        return f"<@{self.id}>"

    async def arrive(self, channels: list[str] | None = None) -> None:
        """Open the feed; with channels named, only these and DMs are followed."""
        query = f"?{urlencode([('channel', one) for one in channels])}" if channels else ""
        await self._link.listen(f"/people/{self.id}/events{query}", self.screen.hear)
        places = [one["id"] for one in self.screen.channels.values() if one["type"] == 0]
        self.place = places[0] if places else None

    def go(self, place: object) -> None:
        """Be in another channel from now on."""
        self.place = self._find(place)

    def waits(self) -> list[str]:
        """What they wait for at this moment: something to see, or an answer to what they did."""
        return [*self.screen.waits.values(), *self._acts.values()]

    # -- acting

    async def slash(self, command: str, *, in_: object = None, may_fail: bool = False, **options: Any) -> Outcome:
        """Type a slash command. People, channels and files may be given as options."""
        body = {"command": command, "options": {name: _value(one) for name, one in options.items()}}
        return await self._act("slash", {"channel": self._find(in_), **body}, may_fail)

    async def complete(self, command: str, option: str, typed: str, *, in_: object = None, **options: Any) -> list[str]:
        """The names that autocomplete offers for what was typed so far."""
        given = {option: typed, **{name: _value(one) for name, one in options.items()}}
        body: Json = {"channel": self._find(in_), "command": command, "options": given, "focused": option}
        outcome = await self._act("autocomplete", body, may_fail=False)
        return [one["name"] for one in outcome.choices or []]

    async def press(self, button: str, *, in_: object = None, may_fail: bool = False) -> Outcome:
        """Press a button by label or custom id; without a message, in the newest one that has it."""
        message = self._with(lambda one: one.has_button(button), f"a button {button!r}", in_)
        body = {"channel": message.channel_id, "message": message.id}
        return await self._act("press", {**body, "custom_id": message.button(button).custom_id}, may_fail)

    async def choose(
        self, *choices: object, select: str | None = None, in_: object = None, may_fail: bool = False
    ) -> Outcome:
        """Choose in a select, by label or value, or by person or channel."""
        message = self._with(lambda one: bool(one.selects), "a select", in_)
        found = message.select(select)
        values = [found.value_of(str(_value(one))) for one in choices]
        body = {"channel": message.channel_id, "message": message.id, "custom_id": found.custom_id}
        return await self._act("choose", {**body, "values": values}, may_fail)

    async def submit(self, opened: Outcome, *, may_fail: bool = False, **values: Any) -> Outcome:
        """Fill in the modal that came of an action: fields by custom id or by label."""
        if opened.modal is None:
            raise AssertionError("No modal came of it.")
        named = _fields(opened.modal)
        given = {named.get(name, name): _value(one) for name, one in values.items()}
        return await self._act("submit", {"interaction": opened.id, "values": given}, may_fail)

    async def menu(self, command: str, on: "Person | Seen", *, in_: object = None, may_fail: bool = False) -> Outcome:
        """Use a context menu on a person or a message."""
        if isinstance(on, Seen):
            body: Json = {"channel": on.channel_id, "message": on.id}
        else:
            body = {"channel": self._find(in_), "user": on.id}
        return await self._act("menu", {**body, "command": command}, may_fail)

    async def say(self, content: str, *, in_: object = None) -> Seen:
        """Write an ordinary message."""
        body = {"channel": self._find(in_), "content": content}
        return Seen(await self._call("POST", "/say", body), self._names)

    async def dismiss(self, message: Seen) -> None:
        """Put an ephemeral away."""
        await self._call("POST", "/dismiss", {"message": message.id})
        await self._until(lambda: self.now(message) is None or None, "it to go")

    async def reload(self) -> None:
        """Reload the client: every ephemeral is gone."""
        await self._call("POST", "/dismiss", {})
        await self._until(lambda: not any(one.is_ephemeral for one in self.screen.messages()) or None, "them to go")

    async def close_dms(self, server: str | None = None) -> None:
        """Take no DMs, or none by way of one server."""
        await self._call("POST", "/dms", {"open": False, "server": server})

    async def open_dms(self, server: str | None = None) -> None:
        await self._call("POST", "/dms", {"open": True, "server": server})

    async def dm_with(self, other: str) -> str:
        """The id of the DM channel with somebody, such as the bot."""
        channel = await self._call("POST", "/dm", {"with": other})
        self.screen.channels.setdefault(channel["id"], channel)
        return channel["id"]

    async def commands(self, *, in_: object = None) -> list[Json]:
        """The commands on offer here."""
        return await self._call("GET", f"/channels/{self._find(in_)}/commands")

    # -- seeing

    async def sees(self, wanted: Wanted, *, in_: object = None, patience: float | None = None) -> Seen:
        """Wait for a message with this text, pattern or quality; the newest one, if several have it."""

        def look() -> Seen | None:
            return next((one for one in reversed(self._shown(in_)) if _fits(one, wanted)), None)

        return await self._until(look, repr(wanted), patience)

    async def sees_no(self, wanted: Wanted, *, in_: object = None, patience: float | None = None) -> None:
        """Wait until nothing like it is there any more."""
        await self._until(lambda: not self.finds(wanted, in_=in_) or None, f"the end of {wanted!r}", patience)

    def finds(self, wanted: Wanted, *, in_: object = None) -> list[Seen]:
        """What is there now, without waiting; with a message given, only that one in its newest version."""
        return [one for one in self._shown(in_) if _fits(one, wanted)]

    def now(self, message: Seen) -> Seen | None:
        """The newest version of a message; None if it is gone."""
        return self.screen.message(message.channel_id, message.id)

    async def pinged(self, wanted: str | re.Pattern[str] = "", *, patience: float | None = None) -> Ping:
        """Wait for a notification whose push has this text."""

        def look() -> Ping | None:
            pattern = re.compile(re.escape(wanted)) if isinstance(wanted, str) else wanted
            return next((one for one in reversed(self.screen.pings) if pattern.search(one.text)), None)

        return await self._until(look, f"a ping with {wanted!r}", patience)

    @property
    def pings(self) -> list[Ping]:
        """Every notification so far."""
        return self.screen.pings

    async def sees_channel(self, place: object) -> None:
        """Wait until a new channel is there."""
        await self._until(lambda: self._look_up(place), f"the channel {place}")

    # -- parts

    def _shown(self, place: object) -> list[Seen]:
        """What is there, oldest first: everywhere, in one place, or one message."""
        if isinstance(place, Seen):
            newest = self.now(place)
            return [newest] if newest is not None else []
        if place is None:
            return self.screen.messages()
        return self.screen.messages(self._look_up(place) or "nowhere")

    async def _until(self, look: Callable[[], Any], what: str, patience: float | None = None) -> Any:
        return await self.screen.wait(look, what, patience or self.patience)

    async def _act(self, what: str, body: Json, may_fail: bool) -> Outcome:
        act = object()
        self._acts[act] = f"an answer to {what} {body}"
        try:
            told = await self._call("POST", f"/{what}", {**body, "wait": "done" if self.until_done else True})
        finally:
            del self._acts[act]
        message = as_object(told["message"])
        outcome = Outcome(
            told["interaction"],
            told["state"],
            told["answer"],
            None if message is None else Seen(message, self._names),
            told["modal"],
            told["choices"],
        )
        if outcome.failed and not may_fail:
            said = {key: one for key, one in body.items() if key not in ("wait", "channel", "message")}
            told = f"The interaction failed: {self.name}, {what} {said}.\n{self.screen}\n{self.screen.explain()}"
            raise InteractionFailed(told)
        return outcome

    async def _call(self, method: str, path: str, body: Json | None = None) -> Any:
        return await self._link.call(method, f"/people/{self.id}{path}", body)

    def _with(self, has: Callable[[Seen], bool], what: str, in_: object) -> Seen:
        if isinstance(in_, Seen):
            return self.now(in_) or in_
        shown = self.screen.messages(None if in_ is None else self._find(in_))
        for one in reversed(shown):
            if has(one):
                return one
        raise NotSeen(f"{self.name} finds no message with {what}.\n{self.screen}")

    def _find(self, place: object) -> str:
        """The id of a channel."""
        found = self._look_up(place)
        if found is None:
            raise NotSeen(f"{self.name} sees no channel {place}.\n{self.screen}")
        return found

    def _look_up(self, place: object) -> str | None:
        if isinstance(place, Seen):
            return place.channel_id
        text = self.place if place is None else str(getattr(place, "id", place))
        known = self.screen.channels.values()
        if text == "dm":
            return next((one["id"] for one in known if one["type"] == 1), None)
        name = (text or "").removeprefix("#")
        return next((one["id"] for one in known if text == one["id"] or name == one.get("name")), None)


def _fits(one: Seen, wanted: Wanted) -> bool:
    if isinstance(wanted, str):
        return wanted in one.text
    if isinstance(wanted, re.Pattern):
        return wanted.search(one.text) is not None
    return wanted(one)


def _value(one: Any) -> Any:
    """An option's value as `/play` takes it."""
    if isinstance(one, File):
        return {"filename": one.filename, "base64": base64.b64encode(one.content).decode()}
    if isinstance(one, list | tuple):
        return [_value(each) for each in one]  # pyright: ignore[reportUnknownVariableType]
    return getattr(one, "id", one)


def _fields(modal: Json) -> dict[str, str]:
    """Custom ids of a modal's fields by their labels."""
    named: dict[str, str] = {}
    for component in objects(modal["components"]):
        inner = as_object(component.get("component"))
        if inner is not None:
            named[component["label"]] = inner["custom_id"]
        for field in objects(component.get("components")):
            named[field["label"]] = field["custom_id"]
    return named
