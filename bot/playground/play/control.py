"""Routes that run the show: calls and their counts, faults, limits, the clock, the gateway."""

import asyncio
from collections.abc import Callable
from dataclasses import fields
from datetime import timedelta
from functools import partial

from aiohttp import web

from bot.playground.faults.call import Fault, Kind, When
from bot.playground.gateway.endpoint import Gateway
from bot.playground.play.error import PlayError
from bot.playground.play.feed import Feeds
from bot.playground.play.process import ProcessRoutes
from bot.playground.play.web import Route, answer, needed, read, real, whole
from bot.playground.protocol.wire import Json, as_object, items
from bot.playground.rest.limit import DEFAULTS
from bot.playground.rest.pipeline import Pipeline
from bot.playground.world.core import Core
from bot.playground.world.settings import Window

FARTHEST = 3650 * 86_400.0
"""seconds by which the clock may be moved"""


class ControlRoutes:
    def __init__(
        self, core: Core, pipeline: Pipeline, gateway: Gateway, feeds: Feeds, processes: ProcessRoutes
    ) -> None:
        self._core = core
        self._pipeline = pipeline
        self._gateway = gateway
        self._feeds = feeds
        self._processes = processes

    def routes(self) -> list[Route]:
        return [
            ("GET", "/play/events", self.events),
            ("GET", "/play/calls", self.calls),
            ("GET", "/play/calls/log", self.call_log),
            ("GET", "/play/calls/wait", self.wait_for_calls),
            ("DELETE", "/play/calls", self.reset_calls),
            ("GET", "/play/faults", self.faults),
            ("POST", "/play/faults", self.add_fault),
            ("DELETE", "/play/faults", self.clear_faults),
            ("GET", "/play/limits", self.limits),
            ("PUT", "/play/limits", self.set_limits),
            ("GET", "/play/settings", self.settings),
            ("PATCH", "/play/settings", self.change_settings),
            ("GET", "/play/clock", self.clock),
            ("PUT", "/play/clock", self.set_clock),
            ("GET", "/play/gateway", self.gateway),
            ("POST", "/play/gateway", self.disturb_gateway),
            ("GET", "/play/answers", self.answer_faults),
        ]

    async def events(self, request: web.Request) -> web.StreamResponse:
        """Bots that connect, resume or go, and commands that change: a websocket, snapshot first."""
        apps = self._core.world.apps.values()
        commands = {str(app.id): [one["name"] for one in self._core.registry.all(app)] for app in apps}
        snapshot: Json = {
            "sessions": self._gateway.describe(),
            "commands": commands,
            "processes": self._processes.describe(),
            "home": self._core.world.home,
            **self._clock(),
        }
        return await self._feeds.serve_stage(request, snapshot)

    async def calls(self, request: web.Request) -> web.StreamResponse:
        return answer(self._pipeline.ledger.summary())

    async def call_log(self, request: web.Request) -> web.StreamResponse:
        """The newest calls, oldest of them first."""
        limit = whole(request.query.get("limit", "1000"), "limit", 1)
        newest = list(self._pipeline.ledger.log)[-limit:]
        return answer([entry.to_json() for entry in newest])

    async def wait_for_calls(self, request: web.Request) -> web.StreamResponse:
        """Answer once `times` calls of routes like `route` were answered, or have come in if `begun` is given; give up
        after `patience` seconds."""
        route, times = request.query.get("route", "*"), whole(request.query.get("times", "1"), "times")
        ledger = self._pipeline.ledger
        count = partial(ledger.begun if "begun" in request.query else ledger.count, route)
        try:
            async with asyncio.timeout(real(request.query.get("patience", "5"), "patience", 0, 3600)):
                await ledger.reach(count, times)
        except TimeoutError:
            raise PlayError(f"There were {count()} calls of {route}.") from None
        return answer(ledger.summary())

    async def reset_calls(self, request: web.Request) -> web.StreamResponse:
        self._pipeline.ledger.reset()
        return answer({})

    async def faults(self, request: web.Request) -> web.StreamResponse:
        """Those that still wait for their call."""
        return answer([one.to_json() for one in self._pipeline.faults.waiting])

    async def add_fault(self, request: web.Request) -> web.StreamResponse:
        body = await read(request)
        known = {one.name for one in fields(Fault)} - {"number"}
        if unknown := set(body) - known:
            raise PlayError(f"A fault has no {', '.join(sorted(unknown))}.")
        try:
            body["kind"] = Kind(str(needed(body, "kind")))
            body["when"] = When(str(body.get("when", When.BEFORE)))
        except ValueError as wrong:
            raise PlayError(f"{wrong}.") from None
        for name, most in (("times", 1_000_000), ("code", 1_000_000), ("status", 599)):
            if name in body:
                body[name] = whole(body[name], name, 100 if name == "status" else 0, most)
        if "seconds" in body:
            body["seconds"] = real(body["seconds"], "seconds", 0, 3600)
        for name in ("route", "message", "scope"):
            if name in body:
                body[name] = str(body[name])
        if "files" in body:
            body["files"] = bool(body["files"])
        return answer(self._pipeline.faults.add(Fault(**body)).to_json())

    async def clear_faults(self, request: web.Request) -> web.StreamResponse:
        self._pipeline.faults.clear()
        return answer({})

    async def limits(self, request: web.Request) -> web.StreamResponse:
        return answer(self._limits())

    async def set_limits(self, request: web.Request) -> web.StreamResponse:
        """Switch limits on or off, or give new numbers: `[count, seconds]`, or null for none."""
        limits, body = self._pipeline.limits, await read(request)
        if body.get("default"):
            limits.buckets = dict(DEFAULTS)
            limits.globally, limits.per_channel_followups, limits.enabled = Window(50, 1.0), Window(30, 60.0), True
        limits.enabled = bool(body.get("enabled", limits.enabled))
        if "global" in body:
            limits.globally = _window(body["global"])
        if "followups" in body:
            limits.per_channel_followups = _window(body["followups"])
        for name, given in (as_object(body.get("buckets")) or {}).items():
            if name not in DEFAULTS:
                raise PlayError(f"There is no bucket {name}, but {', '.join(DEFAULTS)}.")
            window = _window(given)
            if window is None:
                limits.buckets.pop(name, None)
            else:
                limits.buckets[name] = window
        limits.forget()
        return answer(self._limits())

    async def settings(self, request: web.Request) -> web.StreamResponse:
        return answer(self._settings())

    async def change_settings(self, request: web.Request) -> web.StreamResponse:
        """New numbers for what `settings` lists; windows as `[count, seconds]` or null."""
        settings, body = self._core.settings, await read(request)
        for name, given in body.items():
            if name not in self._settings():
                raise PlayError(f"There is no setting {name}.")
            setattr(settings, name, _setting(name, getattr(settings, name), given))
        return answer(self._settings())

    async def clock(self, request: web.Request) -> web.StreamResponse:
        return answer(self._clock())

    async def set_clock(self, request: web.Request) -> web.StreamResponse:
        """Move the clock (and its file): `offset` from real time, or `forward` from where it is."""
        clock, body = self._core.clock, await read(request)
        offset = real(body.get("offset", clock.offset), "offset", -FARTHEST, FARTHEST)
        offset += real(body.get("forward", 0.0), "forward", -FARTHEST, FARTHEST)
        offset = real(offset, "offset", -FARTHEST, FARTHEST)
        clock.set_offset(timedelta(seconds=offset))
        self._feeds.clock(self._clock())
        return answer(self._clock())

    async def gateway(self, request: web.Request) -> web.StreamResponse:
        return answer(self._gateway.describe())

    async def disturb_gateway(self, request: web.Request) -> web.StreamResponse:
        """Do something to every open connection, close those of one `shard`, or refuse the next ones."""
        body = await read(request)
        shard = whole(body["shard"], "shard", 0, 1000) if "shard" in body else None
        gateway = self._gateway
        deeds: dict[str, Callable[[], int]] = {
            "close": lambda: gateway.close_all(whole(body.get("code", 4000), "code", 1000, 4999), shard),
            "reconnect": gateway.ask_reconnect,
            "invalidate": lambda: gateway.invalidate(resumable=bool(body.get("resumable", False))),
            "silence": gateway.fall_silent,
            "repeat": lambda: gateway.repeat(str(needed(body, "event")), whole(body.get("times", 1), "times", 1)),
            "refuse": lambda: gateway.refuse(whole(body.get("times", 1), "times")),
        }
        deed = deeds.get(str(needed(body, "do")))
        if deed is None:
            raise PlayError(f"The gateway can {', '.join(deeds)}.")
        return answer({"connections": deed()})

    async def answer_faults(self, request: web.Request) -> web.StreamResponse:
        """What Discord's description has against the stand-in's own answers, where they are checked."""
        return answer(self._pipeline.answer_faults)

    def _clock(self) -> Json:
        clock = self._core.clock
        return {"now": clock.now().isoformat(), "offset": clock.offset}

    def _limits(self) -> Json:
        limits = self._pipeline.limits
        return {
            "enabled": limits.enabled,
            "global": _pair(limits.globally),
            "followups": _pair(limits.per_channel_followups),
            "buckets": {name: _pair(window) for name, window in limits.buckets.items()},
        }

    def _settings(self) -> Json:
        settings = self._core.settings
        told: Json = {}
        for one in fields(settings):
            value = getattr(settings, one.name)
            told[one.name] = _pair(value) if isinstance(value, Window) else value
        return told


def _setting(name: str, now: object, given: object) -> object:
    """A new value of the kind that is there; a window may be none."""
    if now is None or isinstance(now, Window):
        return _window(given)
    if isinstance(now, float):
        return real(given, name, 0, 1e7)
    return whole(given, name, 0, 10**9)


def _window(given: object) -> Window | None:
    pair = items(given)
    if given is None:
        return None
    if len(pair) != 2:
        raise PlayError("A window is [count, seconds].")
    return Window(whole(pair[0], "A window's count"), real(pair[1], "A window's seconds"))


def _pair(window: Window | None) -> list[float] | None:
    return None if window is None else [window.count, window.seconds]
