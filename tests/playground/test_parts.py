"""Parts alone: clock, ids, the API description, the command line, and allowed imports."""

import ast
import asyncio
import json
import signal
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from bot import playground as package
from bot.playground.protocol import schema
from bot.playground.protocol.refusal import Refusal
from bot.playground.protocol.schema import Schema
from bot.playground.world.clock import Clock, Mint, fixed, time_of
from tests.driver import Stage

FILES = sorted(Path(package.__file__).parent.rglob("*.py"))


def test_clock_follows_its_file(tmp_path: Path) -> None:
    path = tmp_path / "clock"
    clock = Clock(path)
    assert clock.offset == 0
    path.write_text("3600\n")
    assert clock.offset == 3600
    clock.set_offset(timedelta(seconds=-5))
    assert (path.read_text(), clock.offset) == ("-5.0\n", -5)
    path.unlink()
    assert clock.offset == 0


def test_ids_carry_the_time_and_never_repeat() -> None:
    clock = Clock()
    mint = Mint(clock)
    made = [mint.new() for _ in range(10_000)]
    clock.set_offset(timedelta(hours=1))
    later = mint.new()
    assert abs(time_of(later) - clock.now()) < timedelta(seconds=1)
    clock.set_offset(timedelta(hours=0))
    made += [mint.new() for _ in range(10_000)]
    assert len({*made, later}) == 20_001
    assert fixed("app", 1, "name") == fixed("app", 1, "name") != fixed("app", 2, "name")


def test_playground_imports_nothing_of_the_bot() -> None:
    """Of other libraries the playground imports only aiohttp, those of jsonschema, and PyNaCl."""
    allowed = {*sys.stdlib_module_names, "aiohttp", "jsonschema", "referencing", "nacl"}
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert name.startswith("bot.playground") or name.split(".")[0] in allowed, f"{path.name}: {name}"


def test_playground_files_have_at_most_400_lines() -> None:
    for path in [*FILES, *Path(__file__).parent.glob("*.py")]:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path.name


@pytest.fixture(scope="module")
def described() -> Schema:
    path = schema.find()
    assert path is not None
    return Schema(path)


MESSAGES = "/channels/{channel_id}/messages"


def test_api_description_names_the_place_of_a_fault(described: Schema) -> None:
    button = {"type": 2, "style": 1, "label": "x" * 81, "custom_id": "x"}
    body = {"content": "x", "components": [{"type": 1, "components": [button]}]}
    with pytest.raises(Refusal) as refused:
        described.check_request("POST", MESSAGES, body)
    at = refused.value.errors or {}
    assert at["components"]["0"]["components"]["0"]["label"]["_errors"][0]["code"] == "BASE_TYPE_INVALID"
    described.check_request("POST", MESSAGES, {"content": "x", "message_reference": {"message_id": 1}})


def test_answers_are_checked_against_the_api_description(described: Schema) -> None:
    assert described.answer_faults("GET", MESSAGES, 200, [{"id": "1"}]) != []
    assert described.answer_faults("GET", MESSAGES, 404, {"message": "Unknown Channel", "code": 10003}) == []
    assert described.answer_faults("GET", MESSAGES, 404, {"code": "?"}) != []
    assert described.answer_faults("DELETE", MESSAGES + "/{message_id}", 204, None) == []


async def test_playground_command_prints_its_address_and_stops_on_sigterm(tmp_path: Path) -> None:
    """The stand-in runs as a process of its own."""
    clock = tmp_path / "clock"
    options = [
        "--port",
        "0",
        "--print-address",
        "--no-schema",
        "--clock-file",
        str(clock),
        "--name",
        "Referee",
    ]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot.playground", *options, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    told = json.loads(await process.stdout.readline())
    assert told["gateway"] == told["address"].replace("http", "ws") + "/gateway"
    async with Stage.connect(told["address"]) as stage:
        ana = await stage.person("Ana")
        await ana.say("hello")
        assert (await ana.sees("hello")).author == "Ana"
        await stage.forward(60)
        assert clock.read_text() == "60.0\n"
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0


async def test_bad_option_ends_with_exit_code_2() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot.playground", "--port", "x", stderr=asyncio.subprocess.PIPE
    )
    _, said = await process.communicate()
    assert process.returncode == 2
    assert b"invalid int value" in said
