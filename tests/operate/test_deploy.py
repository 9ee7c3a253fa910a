"""Units, image, compose files and dashboard, checked as far as possible without running them."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.__main__ import COMMANDS
from bot.operate.metrics import Metrics
from bot.rest.global_limit import InvalidRequests
from bot.settings import DATABASE, READERS, load
from tests.conftest import ROOT

DEPLOY = ROOT / "deploy"
UNITS = sorted(DEPLOY.glob("gops*.service")) + sorted(DEPLOY.glob("gops*.timer"))
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
ALERTS: dict[str, Any] = yaml.safe_load((DEPLOY / "alerts.yaml").read_text(encoding="utf-8"))
BOARD: dict[str, Any] = json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))
NOBODY = 65534
REFERENCE = ROOT / "tests" / "reference"


def unit(path: Path) -> list[tuple[str, str]]:
    """Every setting of a unit; what is said twice stands there twice."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [
        (name, value) for name, equals, value in (line.partition("=") for line in lines) if equals and name[0] != "#"
    ]


# --- systemd ------------------------------------------------------------------------------------------------


def settings_of(lines: list[str]) -> set[tuple[str, str]]:
    """Sections and the settings in them, of a unit or of the list of all that there are."""
    found: set[tuple[str, str]] = set()
    section = ""
    for line in lines:
        if line.startswith("["):
            section = line
        elif line and not line.startswith("#"):
            found.add((section, line.partition("=")[0]))
    return found


SETTINGS = settings_of((REFERENCE / "systemd-settings.txt").read_text(encoding="utf-8").splitlines())


def unknown(folder: Path) -> list[str]:
    """Settings of these units that systemd has not."""
    units = (path.read_text(encoding="utf-8").splitlines() for path in sorted(folder.iterdir()))
    return [f"{section} {name}" for lines in units for section, name in sorted(settings_of(lines) - SETTINGS)]


def refused(folder: Path) -> list[str]:
    """Return the complaints of systemd about the units."""
    paths = map(str, sorted(folder.iterdir()))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *paths], capture_output=True, text=True, check=False
    )
    ours = [line for line in done.stderr.splitlines() if "gops" in line]
    return ours if ours or not done.returncode else [done.stderr]


WAYS = [unknown, *([refused] if shutil.which("systemd-analyze") else [])]
"""`.ci/run` gets systemd where it is not there"""


def written(folder: Path, change: Callable[[str], str] = str) -> Path:
    """All units together, with a program that is there in the place of ours."""
    for path in UNITS:
        text = path.read_text(encoding="utf-8").replace("/opt/gops/.venv/bin/gops", "/bin/true")
        (folder / path.name).write_text(change(text), encoding="utf-8")
    return folder


@pytest.mark.parametrize("wrong", WAYS)
def test_systemd_accepts_the_units(tmp_path: Path, wrong: Callable[[Path], list[str]]) -> None:
    assert wrong(written(tmp_path)) == []


@pytest.mark.parametrize("wrong", WAYS)
def test_wrong_unit_is_found(tmp_path: Path, wrong: Callable[[Path], list[str]]) -> None:
    found = wrong(written(tmp_path, lambda text: text.replace("RestartSec=15", "RestartSek=15")))
    assert len(found) == 1
    assert "RestartSek" in found[0]


@pytest.mark.parametrize("path", [one for one in UNITS if one.suffix == ".service"], ids=lambda one: one.name)
def test_units_start_known_commands_with_known_settings(path: Path) -> None:
    told = unit(path)
    [command] = [shlex.split(value) for name, value in told if name == "ExecStart"]
    assert command[1] in {one.NAME for one in COMMANDS}
    known = {name for name, _ in READERS.values()} | {"XDG_CACHE_HOME"}
    given = [one.partition("=")[0] for name, value in told if name == "Environment" for one in shlex.split(value)]
    assert set(given) <= known - {DATABASE}, "it would overrule the settings file, and nobody would notice"
    assert ("UMask", "0077") in told
    assert ("ProtectSystem", "strict") in told
    assert "DISCORD_TOKEN" not in path.read_text(encoding="utf-8")


def test_bot_service_notifies_systemd_and_has_a_watchdog() -> None:
    told = unit(DEPLOY / "gops.service")
    from bot.app import PATIENCE
    from bot.settings import EXIT_SETUP

    assert ("Type", "notify") in told
    assert ("RestartPreventExitStatus", str(EXIT_SETUP)) in told
    assert int(dict(told)["TimeoutStopSec"]) > 2 * PATIENCE
    assert int(dict(told)["WatchdogSec"]) >= 30


def test_documented_settings_file_names_the_database_of_the_units(tmp_path: Path) -> None:
    """The documented command is applied to `.env.example`."""
    papers = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    [line] = re.findall(r"^    (sed .+) \.env \| install .*/dev/stdin /etc/gops/env$", papers, re.MULTILINE)
    written = tmp_path / "env"
    with written.open("w") as file:
        subprocess.run([*shlex.split(line), ROOT / ".env.example"], stdout=file, check=True)
    state = dict(unit(DEPLOY / "gops.service"))["WorkingDirectory"]
    assert load({}, written).database == Path(state) / "gops.sqlite3"


# --- Docker -------------------------------------------------------------------------------------------------


def dockerfile() -> str:
    return (ROOT / "Dockerfile").read_text(encoding="utf-8")


def test_image_is_built_in_a_stage_of_its_own_and_runs_without_rights() -> None:
    stages = re.split(r"^FROM ", dockerfile(), flags=re.MULTILINE)[1:]
    assert len(stages) == 2
    assert "pip" not in stages[1]
    assert re.search(r"^COPY --from=build /opt/gops /opt/gops$", stages[1], re.MULTILINE)
    assert re.search(r"^USER 10001:10001$", stages[1], re.MULTILINE)
    assert re.search(r"^ARG BASE=python:3\.\d+-slim-\w+$", dockerfile(), re.MULTILINE)
    given = re.findall(r"^(?:ENV)? *([A-Z_]+)=", stages[1], re.MULTILINE)
    known = {name for name, _ in READERS.values()}
    assert {name for name in given if name.startswith("GOPS_")} <= known
    check = re.search(r"HEALTHCHECK .*\\\n +CMD (\[.*\])", stages[1])
    assert check is not None
    command: list[str] = json.loads(check[1])
    compile(command[2], "check", "exec")
    assert re.search(r"GOPS_METRICS=(\d+)", stages[1])[1] in command[2]  # pyright: ignore[reportOptionalSubscript]


def test_files_of_the_image_run_for_a_user_without_write_access() -> None:
    """The steps of the Dockerfile run in a plain environment, under another user where possible."""
    with tempfile.TemporaryDirectory(prefix="gops-image-") as folder:
        source, home = Path(folder) / "src", Path(folder) / "opt"
        source.mkdir()
        compiled = shutil.ignore_patterns("__pycache__", "*.sqlite3*")

        def ignored(folder: str, names: list[str]) -> set[str]:
            """As .dockerignore has it: compiled files everywhere, and what a run leaves in data/."""
            left = {"tables", "backups"} if Path(folder) == ROOT / "data" else set[str]()
            return compiled(folder, names) | left & set(names)

        for files in re.findall(r"^COPY (?!--from)(.+) \S+$", dockerfile(), re.MULTILINE):
            for name in files.split():
                if (ROOT / name).is_dir():
                    shutil.copytree(ROOT / name, source / name, ignore=ignored)
                else:
                    shutil.copy(ROOT / name, source / name)
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        install += ["--no-build-isolation", "--no-index", "--target", str(home), str(source)]
        done = subprocess.run(install, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        os.chmod(folder, 0o755)
        there = sorted(home.rglob("*"))
        another = NOBODY if os.geteuid() == 0 and _readable() else None
        for command in (("doctor", "--list"), ("sync", "--print"), ("tables", "--help")):
            code = f"import sys; sys.path.insert(0, {str(home)!r}); from bot.__main__ import main; sys.exit(main())"
            ran = subprocess.run(
                [sys.executable, "-P", "-c", code, *command],
                cwd="/",
                env={"PYTHONDONTWRITEBYTECODE": "1", "PATH": os.environ["PATH"], "HOME": "/nonexistent"},
                user=another,
                capture_output=True,
                text=True,
                check=False,
            )
            assert ran.returncode == 0, ran.stderr
            assert ran.stdout
        assert sorted(home.rglob("*")) == there


def _readable() -> bool:
    """Return True if another user can start this interpreter: it may lie in a private home folder."""
    try:
        subprocess.run([sys.executable, "-c", ""], user=NOBODY, check=True, cwd="/")
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


# --- compose ------------------------------------------------------------------------------------------------


def test_compose_file_uses_known_keys_and_existing_names() -> None:
    """Metrics and pages stay on this machine."""
    assert COMPOSE.keys() == {"name", "x-gops", "services", "configs", "volumes"}
    keys = {
        *("build", "image", "env_file", "environment", "volumes", "read_only", "tmpfs", "cap_drop", "security_opt"),
        *("restart", "stop_grace_period", "mem_limit", "ports", "command", "healthcheck", "network_mode", "profiles"),
        "configs",
    }
    for name, service in COMPOSE["services"].items():
        assert service.keys() <= keys, name
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert source in COMPOSE["volumes"] or (DEPLOY / source).exists(), source
        assert {one["source"] for one in service.get("configs", ())} <= COMPOSE["configs"].keys()
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ()))
        _, _, other = service.get("network_mode", "").partition("service:")
        assert not other or other in COMPOSE["services"]
    for text in COMPOSE["configs"].values():
        assert isinstance(yaml.safe_load(text["content"]), dict)


@pytest.mark.parametrize("name", ["bot", "backup"])
def test_service_with_the_token_has_few_rights(name: str) -> None:
    service = COMPOSE["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert set(service["environment"]) <= {name for name, _ in READERS.values()}
    assert DATABASE not in {*service["environment"], *re.findall(r"(GOPS_\w+)=", dockerfile())}
    assert (DEPLOY / service["build"]).resolve() == ROOT


def written_in(name: str) -> dict[str, str]:
    """Return the settings that the head of a compose file wants in .env."""
    head = (DEPLOY / name).read_text(encoding="utf-8").partition("\nname:")[0]
    return dict(re.findall(r"^# \* (GOPS_\w+)=([^,\s]+)", head, re.MULTILINE))


PROCESSES_YAML: dict[str, Any] = yaml.safe_load((DEPLOY / "processes.yaml").read_text(encoding="utf-8"))


def test_services_of_several_processes_are_alike_and_have_few_rights() -> None:
    assert PROCESSES_YAML.keys() == {"name", "x-bot", "services", "volumes"}
    services = {name: one for name, one in PROCESSES_YAML["services"].items() if name.startswith("bot-")}
    assert PROCESSES_YAML["services"].keys() == {*services, "database", "proxy"}
    assert len(services) == 3
    known = {*COMPOSE["services"]["bot"], "command", "depends_on", "volumes"}
    for name, service in services.items():
        assert service.keys() <= known
        own = {"volumes": [], "environment": {}}
        assert service | own == PROCESSES_YAML["x-bot"] | own
        assert service["environment"] == PROCESSES_YAML["x-bot"]["environment"] | {"GOPS_PEER": f"{name}:7300"}
        assert load({**written_in("processes.yaml"), **service["environment"]}).peer == f"{name}:7300"
        assert service["volumes"] == [f"{name}:/var/lib/gops"]
        assert name in PROCESSES_YAML["volumes"]
        assert set(service["environment"]) <= {name for name, _ in READERS.values()}
        assert DATABASE not in service["environment"]
        assert load(written_in("processes.yaml")).server.endswith("@database/gops"), "the file says what to write"
        assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert (DEPLOY / service["build"]).resolve() == ROOT
        assert service["depends_on"].keys() <= PROCESSES_YAML["services"].keys()
    database = PROCESSES_YAML["services"]["database"]
    assert "ports" not in database, "nobody else reaches it"
    assert database["volumes"] == ["database:/var/lib/postgresql/data"]


# --- Grafana ------------------------------------------------------------------------------------------------


class Still:
    def now(self) -> datetime:
        return datetime(2026, 11, 22, tzinfo=UTC)


def metrics() -> Metrics:
    return Metrics(Still(), InvalidRequests())


def names() -> set[str]:
    """Return the names of the metrics at /metrics, those with labels included, which have no sample at first."""
    families = [*metrics().registry.collect()]
    found = {sample.name for family in families for sample in family.samples}
    found |= {f"{family.name}_total" for family in families if family.type == "counter"}
    return found | {family.name for family in families if family.type == "gauge"}


def test_dashboard_shows_exported_metrics_and_all_of_them() -> None:
    shown: set[str] = set()
    for panel in BOARD["panels"]:
        for target in panel["targets"]:
            found = set(re.findall(r"\b(?:gops|process)_\w+", target["expr"]))
            assert found <= names(), panel["title"]
            shown |= found
    families = {family.name for family in metrics().registry.collect() if family.name.startswith("gops")}
    assert [one for one in families if not any(name.startswith(one) for name in shown)] == [], "nobody looks at these"


def test_alert_rules_use_exported_metrics_and_known_labels() -> None:
    rules = [rule for group in ALERTS["groups"] for rule in group["rules"]]
    assert len({rule["alert"] for rule in rules}) == len(rules) > 5
    exported = names() | {f"{name}_bucket" for name in names()} | {"up"}
    for rule in rules:
        assert rule.keys() - {"for"} == {"alert", "expr", "annotations"}
        assert rule["annotations"].keys() == {"summary"}
        assert set(re.findall(r"\b(?:gops|process)_\w+(?![\w\"])|\bup\b", rule["expr"])) <= exported, rule["alert"]
        assert rule["expr"].count("(") == rule["expr"].count(")")
    assert "job_name: gops\n" in COMPOSE["configs"]["prometheus"]["content"]
    figures = metrics()
    figures.gateway("lost", 1, 1)
    assert 'gops_gateway_total{what="lost"} 1.0' in figures.text().decode()


def test_dashboard_is_a_valid_grafana_board() -> None:
    assert {"uid", "title", "schemaVersion", "panels", "time", "templating"} <= BOARD.keys()
    assert "id" not in BOARD, "Grafana gives it one"
    panels = BOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        assert {"type", "title", "description", "datasource", "gridPos", "fieldConfig", "targets"} <= panel.keys()
        assert len({target["refId"] for target in panel["targets"]}) == len(panel["targets"])
        grid = panel["gridPos"]
        cells = {(grid["x"] + x, grid["y"] + y) for x in range(grid["w"]) for y in range(grid["h"])}
        assert grid["x"] + grid["w"] <= 24
        assert not cells & taken, panel["title"]
        taken |= cells
        for target in panel["targets"]:
            assert target["expr"].count("(") == target["expr"].count(")")
            assert target["datasource"]["uid"] == "gops"
