"""The doctor finds what is wrong, says what to do, changes nothing, and shows no secret."""

import asyncio
import json
import os
import re
import stat
import time
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp.test_utils
import pytest
from aiohttp import web

from bot.commands.sync import payload
from bot.operate import backups
from bot.operate.doctor import discord_checks, local_checks, run_all
from bot.operate.doctor.report import Diagnosis, DoctorCheck, DoctorContext, Severity, unknown, well
from bot.pictures.faces import list_faces, name_emoji
from bot.playground.faults.call import Fault, Kind
from bot.playground.protocol import schema
from bot.playground.server import Playground
from bot.playground.world.model import Emoji
from data.sql.schema import load_migrations
from tests.data.sqlite.test_migrate import at_version
from tests.e2e.house import House, opened
from tests.operate.commands import beside, gops
from tests.operate.ports import free_port
from tests.operate.test_backup import aged, changed, played

BY_NAME = {one.name: one for one in run_all.CHECKS}


async def looked(house: House, *arguments: str) -> dict[str, list[dict[str, str]]]:
    """Return the findings by check name."""
    said = await beside(house, "doctor", "--json", "--env", os.devnull, *arguments)
    found: dict[str, list[dict[str, str]]] = {}
    for one in json.loads(said.out)["found"]:
        found.setdefault(one["name"], []).append(one)
    bad = {one["severity"] for all in found.values() for one in all} & {"trouble", "unknown"}
    assert said.code == int(bool(bad)), said
    return found


def severities(found: dict[str, list[dict[str, str]]]) -> dict[str, str]:
    return {name: all[0]["severity"] for name, all in found.items()}


def stamps(folder: Path) -> dict[Path, int]:
    """When each database was written last."""
    return {file: file.stat().st_mtime_ns for file in folder.rglob("*.sqlite3")}


def context(tmp_path: Path, **environment: str) -> DoctorContext:
    settings = {"DISCORD_TOKEN": "playground", "GOPS_DATABASE": str(tmp_path / "gops.sqlite3"), **environment}
    return run_all.read_context(settings, tmp_path / ".env", payload)


def look(name: str, of: DoctorContext) -> list[Diagnosis]:
    return list(asyncio.run(run_all.run_check(BY_NAME[name], of)))


async def test_doctor_finds_a_running_bot_well(tmp_path: Path) -> None:
    """Every check runs, over the network and on disk; the one warning is due to the playground."""
    async with opened(tmp_path) as house:
        await house.match()
        assert (await beside(house, "backup")).code == 0
        before = stamps(tmp_path)
        await house.stage.reset_calls()
        found = await looked(house)
        calls = await house.stage.call_log()
        assert {one["method"] for one in calls if "/users/@me" in one["path"]} == {"GET"}
        assert stamps(tmp_path) == before
        expected = dict.fromkeys(BY_NAME, "well")
        expected["settings"] = "warning"  # the clock can be moved here
        assert severities(found) | {"flush": "well", "space": "well"} == expected
        assert house.bot.trouble() == []


class Apart:
    """A Discord of this test's own, with a bot that nobody started."""

    def __init__(self, playground: Playground, folder: Path) -> None:
        self.playground = playground
        self.folder = folder
        world = playground.core.world
        self.app = next(iter(world.apps.values()))
        self.guild = next(iter(world.guilds.values()))

    async def look(self, name: str, **environment: str) -> list[Diagnosis]:
        settings = {"DISCORD_API_URL": f"{self.playground.address}/api/v10", **environment}
        return list(await run_all.run_check(BY_NAME[name], context(self.folder, **settings)))


@pytest.fixture
async def apart(tmp_path: Path) -> AsyncIterator[Apart]:
    playground = Playground(schema=schema.find())
    playground.add_bot("GOPS")
    async with playground:
        yield Apart(playground, tmp_path)


async def test_doctor_warns_of_unneeded_privileged_intents(apart: Apart) -> None:
    assert [one.severity for one in await apart.look("intents")] == [Severity.WELL]
    apart.app.privileged = 1 << 1 | 1 << 15
    [found] = await apart.look("intents")
    assert found.severity is Severity.WARNING
    assert found.said.endswith("Server Members, Message Content")


async def test_doctor_warns_of_missing_install_types_and_sync_sets_them(apart: Apart) -> None:
    assert [one.severity for one in await apart.look("installs")] == [Severity.WELL]
    address = f"{apart.playground.address}/api/v10"
    settings = {"DISCORD_API_URL": address, "DISCORD_TOKEN": "playground", "GOPS_FACES": "off"}
    apart.app.install_types = set()
    [found] = await apart.look("installs")
    assert (found.severity, found.said) == (Severity.WARNING, "it is not set yet how the bot can be installed")
    done = await gops(settings, "sync", folder=apart.folder)
    assert "Servers and people can install it." in done.out
    assert apart.app.install_types == {0, 1}


async def test_install_type_that_was_switched_off_stays_off(apart: Apart) -> None:
    address = f"{apart.playground.address}/api/v10"
    settings = {"DISCORD_API_URL": address, "DISCORD_TOKEN": "playground", "GOPS_FACES": "off"}
    apart.app.install_types = {0}
    [found] = await apart.look("installs")
    assert found.severity is Severity.WARNING
    assert found.do.startswith("switch on User Install at https://discord.com/")
    done = await gops(settings, "sync", folder=apart.folder)
    assert (done.code, apart.app.install_types) == (0, {0})
    assert "User Install is off at https://discord.com/developers/applications (Installation)" in done.out
    registered = apart.playground.core.registry.all(apart.app)
    assert {str(one["integration_types"]) for one in registered} == {"[0]"}
    apart.app.install_types = {1}
    done = await gops(settings, "sync", folder=apart.folder)
    assert (done.code, done.out) == (78, "")
    assert "switch on Guild Install" in done.err


@pytest.mark.parametrize(("status", "code"), [(400, 50035), (400, 0), (403, 50013)])
async def test_refused_install_types_leave_servers_alone(apart: Apart, status: int, code: int) -> None:
    """Discord documents no code for this, so none is expected."""
    address = f"{apart.playground.address}/api/v10"
    settings = {"DISCORD_API_URL": address, "DISCORD_TOKEN": "playground", "GOPS_FACES": "off"}
    apart.app.install_types = set()
    apart.playground.pipeline.faults.add(Fault(Kind.ANSWER, "PATCH /applications/@me", status=status, code=code))
    done = await gops(settings, "sync", folder=apart.folder)
    assert done.code == 0
    assert "User Install is off at https://discord.com/developers/applications (Installation)" in done.out
    registered = apart.playground.core.registry.all(apart.app)
    assert {str(one["integration_types"]) for one in registered} == {"[0]"}


async def test_doctor_checks_that_interactions_reach_the_bot(apart: Apart) -> None:
    """An HTTP endpoint must reach the bot, and the bot must refuse unsigned requests."""

    async def look(there: str | None, **settings: str) -> tuple[Severity, str]:
        apart.app.endpoint = there
        [found] = await apart.look("endpoint", **settings)
        return found.severity, found.said

    dead, alive = f"http://127.0.0.1:{free_port()}/", f"{apart.playground.address}/"
    assert await look(None) == (Severity.WELL, "by the gateway")
    assert (await look(dead))[0] is Severity.TROUBLE, "nobody listens"
    there = {"GOPS_LISTEN": "8080", "GOPS_ENDPOINT": dead}
    assert await look(alive, **there) == (
        Severity.TROUBLE,
        f"Discord sends interactions to {alive}, and not to GOPS_ENDPOINT",
    )
    assert (await look(None, GOPS_LISTEN="8080"))[0] is Severity.WARNING
    assert "cannot be reached from here" in (await look(dead, **there))[1]
    assert (await look(alive, GOPS_LISTEN="8080"))[0] is Severity.TROUBLE, "somebody else answers"
    app = web.Application()
    app.router.add_post("/", refuse)
    async with aiohttp.test_utils.TestServer(app) as server:
        address = str(server.make_url("/"))
        assert await look(address, GOPS_LISTEN="8080") == (
            Severity.WELL,
            f"by HTTP at {address}, which refuses unsigned requests",
        )


async def refuse(_: web.Request) -> web.Response:
    return web.Response(status=401)


async def test_doctor_names_missing_permissions_server_by_server(apart: Apart) -> None:
    """The doctor also warns of a server where the bot is an administrator."""
    world = apart.playground.core.world
    [found] = await apart.look("permissions")
    assert found == well("the bot has its permissions in each of its servers: 1")
    for role in apart.guild.roles.values():
        role.permissions &= ~(1 << 14 | 1 << 15 | 1 << 38)  # Embed Links is not needed
    for number in range(260):
        world.invite(world.add_guild(f"Club {number}", world.add_user(f"owner {number}")), apart.app)
    mighty = world.add_guild("Mighty", world.add_user("mighty"))
    world.invite(mighty, apart.app)
    mighty.roles[mighty.id].permissions |= 1 << 3
    lacks, admin = await apart.look("permissions")
    assert lacks.severity is Severity.TROUBLE
    assert lacks.said == f"Playground ({apart.guild.id}): the bot lacks Attach Files, Send Messages in Threads"
    assert admin.severity is Severity.WARNING
    assert admin.said == f"the bot is an administrator of Mighty ({mighty.id})"


async def test_doctor_says_that_the_token_is_refused_without_showing_it(apart: Apart) -> None:
    [found] = await apart.look("token", DISCORD_TOKEN="wrongtoken")
    assert (found.severity, found.said) == (Severity.TROUBLE, "Discord refuses the token")
    [other] = await apart.look("permissions", DISCORD_TOKEN="wrongtoken")
    assert other.severity is Severity.UNKNOWN
    said = await gops(
        {
            "DISCORD_TOKEN": "wrongtoken",
            "DISCORD_API_URL": f"{apart.playground.address}/api/v10",
            "GOPS_DATABASE": str(apart.folder / "gops.sqlite3"),
        },
        *("doctor", "--env", os.devnull, "--run", "settings", "--run", "token", "--run", "intents"),
    )
    assert said.code == 1
    assert "TROUBLE  token: Discord refuses the token\n         → copy a new one from https://" in said.out
    assert "wrongtoken" not in said.out + said.err


async def test_doctor_sends_the_user_agent_that_discord_demands(tmp_path: Path) -> None:
    """Discord may block clients without an address and a version."""
    agents: list[str] = []

    async def me(request: web.Request) -> web.Response:
        agents.append(request.headers["User-Agent"])
        return web.json_response({"username": "gops", "id": "1"})

    app = web.Application()
    app.router.add_get("/users/@me", me)
    async with aiohttp.test_utils.TestServer(app) as server:
        of = context(tmp_path, DISCORD_API_URL=str(server.make_url("/")).rstrip("/"))
        assert (await run_all.run_check(BY_NAME["token"], of))[0].severity is Severity.WELL
    assert re.fullmatch(r"DiscordBot \(https://\S+, [\w.]+\)", agents[0])


async def test_doctor_warns_when_few_session_starts_are_left(apart: Apart) -> None:
    assert await apart.look("sessions") == [well("1000 of 1000 session starts are left; Discord recommends 1 shard")]
    apart.playground.core.settings.shards = 3
    for left, severity in ((5, Severity.WARNING), (0, Severity.TROUBLE)):
        apart.playground.core.settings.session_starts = left
        [found] = await apart.look("sessions")
        assert found.severity is severity
        assert found.said == f"{left} of {left} session starts are left; Discord recommends 3 shards"
        assert found.do.startswith("find out why the bot connects so often; ")


async def test_doctor_finds_commands_offered_in_other_places(apart: Apart) -> None:
    """The doctor compares the commands at Discord with those the bot registers, by name."""
    settings = {"DISCORD_API_URL": f"{apart.playground.address}/api/v10", "DISCORD_TOKEN": "playground"}
    assert (await gops(settings | {"GOPS_FACES": "off"}, "sync", folder=apart.folder)).code == 0
    [fresh] = await apart.look("commands")
    assert fresh.said == "the bot has not registered its commands yet"
    registered = {one["name"]: one for one in apart.playground.core.registry.all(apart.app)}
    registered["gops"]["integration_types"] = [0]
    registered["Verify"]["contexts"] = [0]
    verify, group = sorted(await apart.look("commands"), key=lambda one: one.said)
    assert {verify.severity, group.severity} == {Severity.TROUBLE}
    assert verify.said == "Verify is offered in other places than this bot offers it (contexts)"
    assert group.said == "gops is offered to other installations than this bot offers it (integration types)"
    assert verify.do == group.do == "run `gops sync`"


async def test_doctor_says_that_discord_cannot_be_reached(apart: Apart) -> None:
    [found] = await apart.look("token", DISCORD_API_URL="http://127.0.0.1:9/api/v10")
    assert found.severity is Severity.TROUBLE
    assert "Discord cannot be reached" in found.said


async def test_doctor_names_commands_missing_at_discord(apart: Apart) -> None:
    [found] = await apart.look("commands")
    assert found.severity is Severity.TROUBLE
    assert (
        found.said == "Discord does not know Block, Challenge to GOPS, Rating and history, Replay, Review, Verify, gops"
    )
    assert "gops sync" in found.do


async def test_doctor_counts_card_faces_missing_at_discord(apart: Apart) -> None:
    wanted = list_faces()
    [found] = await apart.look("faces")
    assert found.severity is Severity.WARNING
    assert found.said.startswith(f"{len(wanted)} of {len(wanted)} card faces are not uploaded yet")
    for id, face in enumerate(wanted):
        apart.app.emojis[id] = Emoji({"id": str(id), "name": name_emoji(face)}, b"", "image/png")
    assert await apart.look("faces") == [well(f"all {len(wanted)} card faces are there")]
    apart.app.emojis[0].raw["name"] = "older_0000"
    [found] = await apart.look("faces")
    assert found.said.startswith(f"1 of {len(wanted)} card faces")
    assert await apart.look("faces", GOPS_FACES="off") == [well("switched off (GOPS_FACES): cards are text")]


@pytest.mark.parametrize(("off", "severity"), [(0, "WELL"), (20, "WARNING"), (-20, "WARNING"), (3600, "TROUBLE")])
async def test_doctor_says_how_wrong_the_clock_is(
    apart: Apart, monkeypatch: pytest.MonkeyPatch, off: float, severity: str
) -> None:
    right = time.time

    class Wrong:
        @staticmethod
        def time() -> float:
            return right() + off

    monkeypatch.setattr(discord_checks, "time", Wrong)
    [found] = await apart.look("clock")
    assert found.severity is Severity[severity]
    if off:
        assert ("ahead of" if off > 0 else "behind") in found.said


# --- this machine -------------------------------------------------------------------------------------------


def test_doctor_names_each_wrong_setting_and_leaves_other_checks_unknown(tmp_path: Path) -> None:
    of = context(tmp_path, GOPS_LOG="loud", GOPS_SILENCE="-1")
    assert [one.said.split()[0] for one in look("settings", of)] == ["GOPS_LOG", "GOPS_SILENCE"]
    for name in BY_NAME.keys() - {"settings", "worker"}:
        assert [one.severity for one in look(name, of)] == [Severity.UNKNOWN], name
    assert "DISCORD_TOKEN is not set" in look("settings", context(tmp_path, DISCORD_TOKEN=""))[0].said


def test_doctor_names_open_file_rights_and_repairs_them_only_on_request(tmp_path: Path) -> None:
    of = context(tmp_path)
    played(of.settings.database)
    backup, _ = backups.make_backup(of.settings.database, of.settings.backup_folder)
    of.dotenv.write_text("DISCORD_TOKEN=x")
    files = [of.dotenv, of.settings.database, backup.path]
    for file in files:
        file.chmod(0o644)
    assert [one.said.split(" can be read")[0] for one in look("rights", of)] == [str(file) for file in files]
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o644}
    assert len(local_checks.restrict_rights(of)) == 3
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert [one.severity for one in look("rights", of)] == [Severity.WELL]


@pytest.mark.usefixtures("second_migration")
def test_doctor_warns_of_a_database_of_an_older_version(tmp_path: Path) -> None:
    of = context(tmp_path)
    assert look("migrations", of) == [well("there is no database yet; the bot makes one")]
    at_version(of.settings.database, 1)
    assert look("migrations", of)[0].severity is Severity.WARNING


def test_doctor_refuses_a_database_of_a_newer_version(tmp_path: Path) -> None:
    of = context(tmp_path)
    at_version(of.settings.database, 1)
    changed(of.settings.database, f"PRAGMA user_version = {len(load_migrations()) + 1}")
    [found] = look("migrations", of)
    assert found.severity is Severity.TROUBLE
    assert "gops restore" in found.said


def test_doctor_finds_a_damaged_database(tmp_path: Path) -> None:
    of = context(tmp_path)
    played(of.settings.database)
    assert look("integrity", of) == [well("whole")]
    data = bytearray(of.settings.database.read_bytes())
    data[4096 * 3 : 4096 * 4] = os.urandom(4096)
    of.settings.database.write_bytes(data)
    [found] = look("integrity", of)
    assert found.severity is Severity.TROUBLE
    assert "gops restore" in found.do


@pytest.mark.parametrize(("free", "severity"), [(10**12, "WELL"), (5 * 10**8, "WARNING"), (10**7, "TROUBLE")])
def test_doctor_grades_the_free_disk_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, severity: str
) -> None:
    class Usage:
        def __init__(self, _: object) -> None:
            self.free = free

    monkeypatch.setattr(local_checks.shutil, "disk_usage", Usage)
    assert [one.severity for one in look("space", context(tmp_path))] == [Severity[severity]] * 2


@pytest.mark.parametrize(("seconds", "severity"), [(0.0001, "WELL"), (0.05, "WARNING"), (0.3, "TROUBLE")])
def test_doctor_measures_the_time_of_a_flush(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, severity: str
) -> None:
    """Only a flush moves the clock of this test."""
    now = [0.0]

    class Slow:
        @staticmethod
        def perf_counter() -> float:
            return now[0]

    def fsync(_: int) -> None:
        now[0] += seconds

    monkeypatch.setattr(local_checks, "time", Slow)
    monkeypatch.setattr(local_checks.os, "fsync", fsync)
    [found] = look("flush", context(tmp_path))
    assert found.severity is Severity[severity]
    assert f"{seconds * 1000:.1f} ms" in found.said
    assert os.listdir(tmp_path) == []


def test_doctor_says_that_the_write_ahead_log_has_grown(tmp_path: Path) -> None:
    of = context(tmp_path)
    with (tmp_path / "gops.sqlite3-wal").open("wb") as file:
        file.truncate(100 * local_checks.MEGA)
    assert look("wal", of)[0].said == "it has grown to 100 MB"


def test_doctor_warns_of_old_and_unchecked_backups(tmp_path: Path) -> None:
    of = context(tmp_path)
    assert look("backups", of)[0].severity is Severity.WARNING
    played(of.settings.database)
    backups.make_backup(of.settings.database, of.settings.backup_folder)
    assert [one.severity for one in look("backups", of)] == [Severity.WELL]
    old = aged(of.settings.backup_folder, 40)
    assert [one.said for one in look("backups", of)] == [
        "the newest is 40 days old",
        "the newest was last checked 40 days ago",
    ]
    old.path.with_name(f"{old.path.name}.checked").unlink()
    assert look("backups", of)[1].said == "the newest was last checked never"


def test_doctor_warns_of_a_backup_dated_in_the_future(tmp_path: Path) -> None:
    of = context(tmp_path)
    played(of.settings.database)
    backups.make_backup(of.settings.database, of.settings.backup_folder)
    ahead = aged(of.settings.backup_folder, -40)
    [told] = look("backups", of)
    assert told.severity is Severity.WARNING
    assert told.said.startswith(f"the newest is of {ahead.made:%Y-%m-%d}, a date in the future")


def test_doctor_says_why_a_worker_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_checks, "_load_libraries", lacking)
    [found] = look("worker", context(tmp_path))
    assert found.severity is Severity.TROUBLE
    assert "No module named" in found.said


def lacking(_: object) -> bool:
    """As on a machine without what the house needs."""
    raise ModuleNotFoundError("No module named 'numba'")


def test_failing_check_is_reported_as_unknown(tmp_path: Path) -> None:
    async def fails(_: DoctorContext) -> list[Diagnosis]:
        raise RuntimeError("of all things")

    [found] = asyncio.run(run_all.run_check(DoctorCheck("x", "y", fails), context(tmp_path)))
    assert found == unknown("this check failed: RuntimeError: of all things")


async def test_doctor_lists_its_checks_and_refuses_an_unknown_name(tmp_path: Path) -> None:
    listed = await gops({}, "doctor", "--list", folder=tmp_path)
    assert [line.split()[0] for line in listed.out.splitlines()] == list(BY_NAME)
    strange = await gops({}, "doctor", "--run", "horoscope", folder=tmp_path)
    assert (strange.code, strange.err.count("\n")) == (2, 1)
