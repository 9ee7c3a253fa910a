"""Metrics count what happened, and no label identifies a player."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.operate.health import LATE, STILL, Health
from bot.operate.metrics import Metrics, WatchedStore, route_label
from bot.operate.monitoring import Monitoring
from bot.operate.status_server import serve_status
from bot.process.base.clock import SystemClock
from bot.referee.clock.presence import Presence
from bot.referee.model import changes as c
from bot.referee.model.changes import StoreReadOnly
from bot.referee.model.model import Deadline, DeadlineKind
from bot.rest.global_limit import GlobalLimit, InvalidRequests
from bot.settings import Settings
from tests.e2e.house import House, awaits, has, opened
from tests.operate.commands import gops
from tests.operate.ports import free_port
from tests.referee.stage import Table

TOKEN = "aW50ZXJhY3Rpb246MTQ6secret"


def read(text: str) -> dict[str, float]:
    """Every figure, by its name and labels."""
    return {
        sample.name + "".join(f" {value}" for _, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def got(port: int, path: str, **headers: str) -> tuple[int, str]:
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.get(f"http://127.0.0.1:{port}{path}") as answer,
    ):
        return answer.status, await answer.text()


async def figures_of(house: House) -> dict[str, float]:
    status, text = await got(int(house.bot.settings["GOPS_METRICS"]), "/metrics")
    assert status == 200
    return read(text)


@pytest.mark.parametrize(
    ("path", "label"),
    [
        ("/api/v10/channels/1574003858386976771/messages/1574003858386976772", "/channels/*/messages/*"),
        (f"/api/v10/interactions/1574003858386976771/{TOKEN}/callback", "/interactions/*/*/callback"),
        (f"/api/v10/webhooks/1574003858386976771/{TOKEN}/messages/@original", "/webhooks/*/*/messages/@original"),
        ("/api/v10/users/@me/channels", "/users/@me/channels"),
        (f"/api/v10/{TOKEN}", "/*"),
    ],
)
def test_metric_labels_hold_neither_ids_nor_tokens(path: str, label: str) -> None:
    assert route_label(path) == label


async def test_metrics_count_a_match_and_a_lost_connection(tmp_path: Path) -> None:
    """A small match is played over sockets; then the connection is lost once."""
    async with opened(tmp_path, start=False) as house:
        house.bot.settings["GOPS_METRICS"] = str(free_port())
        await house.bot.start()
        port = int(house.bot.settings["GOPS_METRICS"])
        assert await got(port, "/healthz") == (200, "alive\n")
        assert await got(port, "/readyz") == (200, "ready\n")
        assert (await got(port, "/metrics", Host="evil.example"))[0] == 421
        board = await house.match(cards=2)
        await house.ana.press("A", in_=await house.ana.sees(awaits(1, dm=True)))
        await house.ben.press("2", in_=await house.ben.sees(awaits(1, dm=True)))
        await house.ben.sees(has("wins"), in_=board)
        await house.stage.gateway("close", code=4000)
        await house.stage.settled("resumed")
        found = await figures_of(house)
        assert found["gops_matches_begun_total"] == found["gops_matches_ended_total completed"] == 1
        assert found["gops_seals_total"] == 1, "the bid that completes a round is revealed with it"
        assert found["gops_bids_total"] == 2, "the last cards were forced"
        counted = [
            value for key, value in found.items() if "callback" in key and key.startswith("gops_discord_calls_t")
        ]
        assert sum(counted) == found["gops_acknowledgement_seconds_count"] >= 4
        assert found["gops_acknowledgement_seconds_sum"] < 10
        assert found["gops_discord_calls_total yes POST /users/@me/channels 200"] == 2
        assert "gops_discord_wait_seconds_total POST /users/@me/channels" in found
        assert [found[f"gops_gateway_total {what}"] for what in ("begun", "lost", "resumed")] == [1, 1, 1]
        assert found["gops_store_write_seconds_count"] > 5
        assert found["gops_live_matches"] in (0, 1)
        assert found["process_resident_memory_bytes"] > 1e6
        text = (await got(port, "/metrics"))[1]
        assert not re.search(r"\{[^}]*\d{15,}", text), "no id is in it"
        assert house.ana.id not in text
        assert house.bot.trouble() == []


async def test_taken_metrics_port_ends_the_bot_with_a_sentence(tmp_path: Path) -> None:
    async with opened(tmp_path, start=False) as house:
        taken = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
        port = taken.sockets[0].getsockname()[1]
        said = await gops({**house.bot.environment(), "GOPS_METRICS": str(port)}, "run", "--env", "/dev/null")
        taken.close()
        assert said.code == 78
        assert f"GOPS_METRICS: port {port} cannot be opened" in said.err


# --- health -------------------------------------------------------------------------------------------------


class Minds:
    waiting = 3


class Scene:
    """A bot without Discord."""

    def __init__(self, store: WatchedStore, table: Table) -> None:
        self.store, self.table = store, table
        self.now = 0.0
        self.invalid = InvalidRequests()
        self.metrics = Metrics(table.clock, self.invalid)
        store.metrics = self.metrics
        self.presence = Presence(table.referee, timedelta(), lambda: self.now)
        self.health = Health(table.referee, self.presence, store.database, Minds(), self.metrics, lambda: self.now)

    def read(self) -> dict[str, float]:
        return read(self.metrics.text().decode())

    async def looked(self) -> dict[str, float]:
        """Collect the store metrics once and return the values."""
        await self.health.measure(self.metrics)
        return self.read()


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    store = await WatchedStore.open(tmp_path / "gops.sqlite3")
    yield Scene(store, Table(store))
    await store.close()


async def test_readiness_means_that_people_can_play(scene: Scene) -> None:
    assert await scene.health.troubles() == ["not connected to Discord"]
    await scene.presence.reconnect()
    assert await scene.health.troubles() == []
    scene.presence.stall()
    assert await scene.health.troubles() == ["the store saves nothing"]
    scene.store.database.lost.set()
    assert await scene.health.troubles() == ["the database is lost"]


async def test_metrics_show_the_invalid_requests_that_slow_the_bot_down(scene: Scene) -> None:
    GlobalLimit(lambda: 40, invalid=scene.invalid).record_answer(403, {"Via": "google"})
    assert scene.read()["gops_discord_invalid_requests"] == 1


async def test_late_deadline_makes_the_bot_unready(scene: Scene) -> None:
    await scene.presence.reconnect()
    due = scene.table.clock.now()
    await scene.store.write((c.SetDeadline(Deadline("K7Q2", DeadlineKind.BID, due, 1)),))
    scene.table.clock.forward(LATE.total_seconds())
    assert await scene.health.troubles() == []
    scene.table.clock.forward(1)
    assert await scene.health.troubles() == ["a deadline is 31 s late"]
    assert (await scene.looked())["gops_deadline_lag_seconds"] == 31


async def test_hanging_event_loop_is_not_alive(scene: Scene) -> None:
    ticking = asyncio.create_task(scene.health.tick())
    await asyncio.sleep(0)
    assert scene.health.alive()
    scene.now += STILL + 1
    assert not scene.health.alive()
    async with serve_status(0, scene.health, scene.metrics) as port:
        status, text = await got(port, "/healthz")
        assert status == 503
        assert text.startswith("the event loop stood still for ")
        assert (await got(port, "/readyz"))[0] == 503
        assert (await got(port, "/"))[0] == 404
    ticking.cancel()
    await asyncio.gather(ticking, return_exceptions=True)


async def test_metrics_show_live_matches_and_queues_of_the_store(scene: Scene) -> None:
    id = await scene.table.start(cards=3, ties="discard")
    found = await scene.looked()
    assert (found["gops_live_matches"], found["gops_minds_queue"], found["gops_partitions"]) == (1, 3, 64)
    behind = found["gops_surfaces_behind"]
    assert behind >= 1, "its board was not drawn"
    scene.now += 5
    found = await scene.looked()
    assert found["gops_publisher_lag_seconds"] == 5
    await scene.table.play_out(id, (1, 2, 3), (2, 3, 1))
    assert (await scene.looked())["gops_live_matches"] == 0


async def test_refused_writes_are_counted(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(_: Any, __: Any) -> None:
        raise StoreReadOnly("full")

    monkeypatch.setattr(type(scene.store.database), "write", full)
    with pytest.raises(StoreReadOnly):
        await scene.store.write((c.SaveNote("a", "b"),))
    assert scene.read()["gops_store_failures_total StoreReadOnly"] == 1


async def test_log_names_the_metrics_once_though_a_process_stands_by_first(caplog: pytest.LogCaptureFixture) -> None:
    port = free_port()
    monitoring = Monitoring(Settings(metrics=port), SystemClock(None))
    caplog.set_level("INFO", "bot.operate.monitoring")
    for _ in range(2):
        async with monitoring.standing_by():
            assert await got(port, "/healthz") == (200, "alive\n")
    assert caplog.messages == [f"metrics are at http://127.0.0.1:{port}/metrics"]
