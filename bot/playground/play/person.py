"""Routes of a person: `/play/people/{person}/…`."""

import asyncio
from contextlib import suppress

from aiohttp import web

from bot.playground.play import act, view
from bot.playground.play.error import PlayError
from bot.playground.play.feed import Feeds, describe_interaction
from bot.playground.play.web import Route, answer, needed, read, whole
from bot.playground.protocol.wire import Json, as_id, as_object, items
from bot.playground.world.callback import DEFER, DEFER_UPDATE
from bot.playground.world.core import Core
from bot.playground.world.model import Channel, Interaction, User

PATIENCE = 30.0
"""seconds in which somebody waits for what was announced"""


class PersonRoutes:
    """Every action answers with its interaction: at once, with `"wait": true` once it is settled, and with
    `"wait": "done"` once what a deferral announced has come, too."""

    def __init__(self, core: Core, feeds: Feeds) -> None:
        self._core = core
        self._feeds = feeds

    def routes(self) -> list[Route]:
        base = "/play/people/{person}"
        return [
            ("GET", f"{base}/events", self.events),
            ("GET", f"{base}/channels", self.channels),
            ("GET", base + "/channels/{channel}/messages", self.messages),
            ("GET", base + "/channels/{channel}/commands", self.commands),
            ("POST", f"{base}/say", self.say),
            ("POST", f"{base}/slash", self.slash),
            ("POST", f"{base}/autocomplete", self.autocomplete),
            ("POST", f"{base}/menu", self.menu),
            ("POST", f"{base}/press", self.press),
            ("POST", f"{base}/choose", self.choose),
            ("POST", f"{base}/submit", self.submit),
            ("POST", f"{base}/dismiss", self.dismiss),
            ("POST", f"{base}/dms", self.dms),
            ("POST", f"{base}/dm", self.dm),
        ]

    async def events(self, request: web.Request) -> web.StreamResponse:
        """The live feed; `?channel=…` (again and again) narrows it to these channels and the DMs."""
        only = frozenset(found for one in request.query.getall("channel", []) if (found := as_id(one)))
        return await self._feeds.serve_person(request, self._person(request), only)

    async def channels(self, request: web.Request) -> web.StreamResponse:
        person = self._person(request)
        seen = view.channels(self._core, person)
        return answer([view.describe_channel(self._core, one, person) for one in seen])

    async def messages(self, request: web.Request) -> web.StreamResponse:
        person = self._person(request)
        home = view.channel(self._core, person, as_id(request.match_info["channel"]) or 0)
        limit = whole(request.query.get("limit", "200"), "limit")
        return answer(view.messages(self._core, person, home, limit))

    async def commands(self, request: web.Request) -> web.StreamResponse:
        person = self._person(request)
        home = view.channel(self._core, person, as_id(request.match_info["channel"]) or 0)
        offered = view.commands(self._core, person, home)
        return answer([{**command, "app": app.name} for app, command in offered])

    async def say(self, request: web.Request) -> web.StreamResponse:
        person, body, home = await self._given(request)
        message = act.say(self._core, person, home, str(needed(body, "content")))
        return answer(view.describe(self._core, message))

    async def slash(self, request: web.Request) -> web.StreamResponse:
        person, body, home = await self._given(request)
        options = as_object(body.get("options")) or {}
        made = act.slash(self._core, person, home, str(needed(body, "command")), options)
        return await self._made(made, body)

    async def autocomplete(self, request: web.Request) -> web.StreamResponse:
        """Ask for completions of the option `focused`; waits for them unless told otherwise."""
        person, body, home = await self._given(request)
        options = as_object(body.get("options")) or {}
        focused = str(needed(body, "focused"))
        made = act.slash(self._core, person, home, str(needed(body, "command")), options, focused)
        return await self._made(made, {"wait": True, **body})

    async def menu(self, request: web.Request) -> web.StreamResponse:
        person, body, home = await self._given(request)
        on_message = body.get("message") is not None
        target = as_id(body.get("message") if on_message else needed(body, "user")) or 0
        command = str(needed(body, "command"))
        made = act.menu(self._core, person, home, command, target, on_message=on_message)
        return await self._made(made, body)

    async def press(self, request: web.Request) -> web.StreamResponse:
        person, body, home = await self._given(request)
        message = as_id(needed(body, "message")) or 0
        made = act.press(self._core, person, home, message, str(needed(body, "custom_id")))
        return await self._made(made, body)

    async def choose(self, request: web.Request) -> web.StreamResponse:
        person, body, home = await self._given(request)
        message = as_id(needed(body, "message")) or 0
        values = [str(one) for one in items(body.get("values"))]
        made = act.choose(self._core, person, home, message, str(needed(body, "custom_id")), values)
        return await self._made(made, body)

    async def submit(self, request: web.Request) -> web.StreamResponse:
        person, body = self._person(request), await read(request)
        opener = as_id(needed(body, "interaction")) or 0
        made = act.submit(self._core, person, opener, as_object(body.get("values")) or {})
        return await self._made(made, body)

    async def dismiss(self, request: web.Request) -> web.StreamResponse:
        """Put an ephemeral away; without a message, all of them, as reloading the client does."""
        person, body = self._person(request), await read(request)
        wanted = as_id(body.get("message"))
        own = [
            one
            for home in view.channels(self._core, person)
            for one in home.ephemerals.values()
            if view.is_shown(person.id, one) and wanted in (None, one.id)
        ]
        if wanted is not None and not own:
            raise PlayError(f"{person.name} sees no such ephemeral.", 404)
        for one in own:
            one.dismissed = True
            self._feeds.dismissed(one)
        return answer({"dismissed": len(own)})

    async def dms(self, request: web.Request) -> web.StreamResponse:
        """Open or close DMs: all of them, or those by way of one server."""
        person, body = self._person(request), await read(request)
        is_open, server = bool(needed(body, "open")), as_id(body.get("server"))
        if server is None:
            person.dms_open = is_open
        else:
            world = self._core.world
            world.member(world.guild(server), person.id).dms_open = is_open
        return answer({"open": is_open})

    async def dm(self, request: web.Request) -> web.StreamResponse:
        """The DM channel with somebody (a bot, mostly), opened if need be."""
        person, body = self._person(request), await read(request)
        other = view.find_user(self._core, str(needed(body, "with")))
        home = self._core.world.open_dm(person.id, other.id)
        return answer(view.describe_channel(self._core, home, person))

    async def _given(self, request: web.Request) -> tuple[User, Json, Channel]:
        person, body = self._person(request), await read(request)
        return person, body, view.channel(self._core, person, as_id(needed(body, "channel")) or 0)

    async def _made(self, made: Interaction, body: Json) -> web.StreamResponse:
        """As it is when it is settled: a moment later somebody else may have shown the message anew."""
        told: list[Json] = []
        if body.get("wait") and not made.settled.is_set():
            made.heed = lambda: told.append(describe_interaction(self._core, made))
            await made.settled.wait()
            if body["wait"] == "done" and made.answer in (DEFER, DEFER_UPDATE):
                with suppress(TimeoutError):
                    async with asyncio.timeout(PATIENCE):
                        await made.followed.wait()
                made.heed = None
                return answer(told[-1])
        return answer(told[0] if told else describe_interaction(self._core, made))

    def _person(self, request: web.Request) -> User:
        person = view.find_user(self._core, request.match_info["person"])
        if person.is_bot:
            raise PlayError(f"{person.name} is a bot.")
        return person
