"""Metrics of the running bot for Prometheus. Labels are routes without ids and tokens, kinds and codes: no metric
tells who plays what."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import aiohttp
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector, generate_latest

from bot.engine.match import Termination
from bot.process.base.version import own_version
from bot.referee.model import Clock
from bot.referee.model.changes import AddDecisions, Change, NewMatch, PutSeal, SaveMatch
from bot.referee.model.counts import Figure
from bot.rest.global_limit import InvalidRequests
from data.cache import CachingStore

PREFIX = re.compile(r"^/api/v\d+")
WORDS = frozenset(
    {
        *("applications", "bot", "callback", "channels", "commands", "gateway", "guilds", "interactions", "members"),
        *("messages", "oauth2", "threads", "users", "webhooks", "@me", "@original"),
    }
)
"""words of routes that labels keep; all other parts are ids and tokens"""

QUICK = (0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 5.0)
WRITES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
EPOCH = datetime(2015, 1, 1, tzinfo=UTC)
"""start of the milliseconds in Discord's ids"""

MILLISECOND = timedelta(milliseconds=1)


def route_label(path: str) -> str:
    """Return a path without ids and tokens: `/channels/*/messages/*`."""
    parts = PREFIX.sub("", path).strip("/").split("/")
    return "/" + "/".join(part if part in WORDS else "*" for part in parts)


class Metrics:
    """The metrics of a process. Callers need not know Prometheus."""

    def __init__(self, clock: Clock, invalid: InvalidRequests, now: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._now = now
        self.registry = its = CollectorRegistry()
        ProcessCollector(registry=its)
        Info("gops_build", "The version that runs here", registry=its).info({"version": own_version()})
        self._acknowledged = Histogram(
            "gops_acknowledgement_seconds",
            "From a press or command, by Discord's clock, until Discord has taken the first answer",
            buckets=QUICK,
            registry=its,
        )
        self._bids = Counter("gops_bids", "Revealed choices that players made", registry=its)
        self._seals = Counter("gops_seals", "Sealed choices, including changes", registry=its)
        self._begun = Counter("gops_matches_begun", "Matches that began", registry=its)
        self._ended = Counter("gops_matches_ended", "Matches that ended, by how", ["how"], registry=its)
        self._calls = Counter(
            "gops_discord_calls", "Calls to Discord that were answered", ["route", "status", "counted"], registry=its
        )
        self._broken = Counter("gops_discord_broken", "Calls to Discord without an answer", ["route"], registry=its)
        Gauge("gops_discord_invalid_requests", "Invalid requests of the last ten minutes", registry=its).set_function(
            lambda: invalid.count
        )
        self._waited = Counter(
            "gops_discord_wait_seconds", "How long counted calls waited for a limit", ["route"], registry=its
        )
        self._gateway = Counter("gops_gateway", "Connections: begun, resumed, lost", ["what"], registry=its)
        self._shards = Gauge("gops_shards", "Wanted connections to the gateway", registry=its)
        self._shards_lost = Gauge("gops_shards_lost", "Missing connections to the gateway", registry=its)
        self._writes = Histogram(
            "gops_store_write_seconds", "From a change to its commit", buckets=WRITES, registry=its
        )
        self._refused = Counter("gops_store_failures", "Changes that the store did not save", ["why"], registry=its)
        self.live = Gauge("gops_live_matches", "Running matches of all processes", registry=its)
        self.partitions = Gauge("gops_partitions", "Partitions of this process, of 64 in all", registry=its)
        self.behind = Gauge(
            "gops_surfaces_behind", "Messages of all processes that show an older version", registry=its
        )
        self.behind_for = Gauge("gops_publisher_lag_seconds", "Age of the oldest of them", registry=its)
        self.overdue = Gauge("gops_deadline_lag_seconds", "How late the earliest deadline is", registry=its)
        self.house_queue = Gauge("gops_minds_queue", "Matches that wait for a slow level of the house", registry=its)
        self._played = Gauge(
            "gops_people_played", "People who played in the newest complete week; 0 for fewer than 5", registry=its
        )
        self._shares = Gauge(
            "gops_people_share",
            "Figures of the newest week for which they are complete, as shares; none about fewer than 5 people",
            ["figure"],
            registry=its,
        )
        self.loop = Gauge("gops_loop_lag_seconds", "The longest recent pause of the event loop", registry=its)

    def text(self) -> bytes:
        return generate_latest(self.registry)

    # --- events of the bot ------------------------------------------------------------------------------

    def stored(self, change: Change, seconds: float) -> None:
        """Count a committed change."""
        self._writes.observe(seconds)
        for step in change:
            if isinstance(step, PutSeal):
                self._seals.inc()
            elif isinstance(step, AddDecisions):
                self._bids.inc(sum(not one.forced for one in step.decisions))
            elif isinstance(step, NewMatch):
                self._begun.inc()
            elif isinstance(step, SaveMatch) and step.match.ended is not None and step.match.termination is not None:
                self._ended.labels(Termination(step.match.termination).name.lower()).inc()

    def not_stored(self, why: Exception) -> None:
        self._refused.labels(type(why).__name__).inc()

    def gateway(self, what: str, lost: int, shards: int) -> None:
        """Count a gateway connection that was begun, resumed or lost, and the shards that have none."""
        self._gateway.labels(what).inc()
        self._shards.set(shards)
        self._shards_lost.set(lost)

    def show_people(self, figures: Mapping[Figure, tuple[int, int]]) -> None:
        """Show the figures of the product, each as a part and what it is a part of."""
        self._shares.clear()
        self._played.set(figures.get(Figure.PLAYED, (0, 0))[1])
        for figure, (part, of) in figures.items():
            if figure is not Figure.PLAYED:
                self._shares.labels(figure).set(part / of)

    def acknowledged(self, id: int) -> None:
        """Record how long the first answer to this interaction took."""
        self._acknowledged.observe(self._since(id))

    # --- calls to Discord --------------------------------------------------------------------------------

    def around(self, config: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Measure every call of a session, from before its rate limits to its answer. `config` is aiohttp's trace
        configuration, which may have the global limit already."""
        config.on_request_start.insert(0, self._asked)
        config.on_request_start.append(self._left)
        config.on_request_end.append(self._answered)
        config.on_request_exception.append(self._failed)
        return config

    async def _asked(self, _: object, way: SimpleNamespace, __: object) -> None:
        way.asked = self._now()

    async def _left(self, _: object, way: SimpleNamespace, call: Any) -> None:
        if hasattr(way, "out"):
            self._waited.labels(f"{call.method} {route_label(call.url.path)}").inc(self._now() - way.asked)

    async def _answered(self, _: object, way: SimpleNamespace, call: Any) -> None:
        route, status = route_label(call.url.path), call.response.status
        counted = "yes" if hasattr(way, "out") else "no"
        self._calls.labels(f"{call.method} {route}", str(status), counted).inc()
        if route == "/interactions/*/*/callback" and status < 300:
            parts = call.url.path.split("/")
            self.acknowledged(int(parts[parts.index("interactions") + 1]))

    async def _failed(self, _: object, __: SimpleNamespace, call: Any) -> None:
        self._broken.labels(f"{call.method} {route_label(call.url.path)}").inc()

    def _since(self, id: int) -> float:
        """Return the seconds since Discord made this id. The clock is corrected to Discord's."""
        return max(0.0, ((self._clock.now() - EPOCH) / MILLISECOND - (id >> 22)) / 1000)


class WatchedStore(CachingStore):
    """A store that measures its writes."""

    metrics: Metrics | None = None

    async def write(self, change: Change) -> Sequence[int]:
        if self.metrics is None:
            return await super().write(change)
        began = time.monotonic()
        try:
            ids = await super().write(change)
        except Exception as error:
            self.metrics.not_stored(error)
            raise
        self.metrics.stored(change, time.monotonic() - began)
        return ids
