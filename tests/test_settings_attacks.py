"""Settings that would leak a secret, or end the bot with a traceback, are refused in one line."""

from pathlib import Path

import pytest

from bot.__main__ import main
from bot.errors import SettingsError
from bot.process.base.clock import SystemClock, read_offset
from bot.settings import load


def problem(given: dict[str, str], dotenv: Path | None = None) -> str:
    """Return the one problem of the settings."""
    with pytest.raises(SettingsError) as caught:
        load(given, dotenv)
    (line,) = caught.value.problems
    assert "\n" not in line
    return line


@pytest.mark.parametrize(
    "address",
    [
        "http://any-host",
        "http://discord.com/api/v10",
        "http://10.0.0.1/api/v10",
        "http://localhost.evil.example/api",
        "http://127.0.0.1.evil.example/api",
        "http://127.0.0.1@evil.example/api",
        "http://evil.example\\@127.0.0.1/api",
        "http://evil.example#@127.0.0.1/",
        "http://0.0.0.0:80/api",
        "ftp://127.0.0.1/",
        "https://",
        "https://user:secret@discord.com/api/v10",
        "https://discord.com:99999/api",
        "https://[::1/api",
        "https://discörd.com/api/v10",
        "https://discord.com/api/v10 ",
        "https://discord.com/api\tv10",
        "discord.com/api/v10",
    ],
)
def test_token_goes_only_to_https_or_to_this_machine(address: str) -> None:
    assert problem({"DISCORD_API_URL": address}).startswith("DISCORD_API_URL must b")


@pytest.mark.parametrize(
    "address", ["https://discord.com/api/v10", "https://proxy.lan:8443/api/v10", "http://127.0.0.1:8765/api/v10"]
)
def test_safe_api_addresses_are_accepted(address: str) -> None:
    assert load({"DISCORD_API_URL": address + "/"}).api_url == address
    assert load({"DISCORD_API_URL": "http://localhost:1/api/v10"}).api_url == "http://localhost:1/api/v10"
    assert load({"DISCORD_API_URL": "http://[::1]:1/api/v10"}).api_url == "http://[::1]:1/api/v10"


@pytest.mark.parametrize("address", ["ws://gateway.example", "https://gateway.discord.gg", "wss://", "gateway"])
def test_gateway_must_be_encrypted_or_on_this_machine(address: str) -> None:
    assert problem({"DISCORD_GATEWAY_URL": address}).startswith("DISCORD_GATEWAY_URL must b")
    assert load({"DISCORD_GATEWAY_URL": "wss://gateway.discord.gg"}).gateway_url == "wss://gateway.discord.gg"
    assert load({"DISCORD_GATEWAY_URL": "ws://127.0.0.1:1/gateway"}).gateway_url == "ws://127.0.0.1:1/gateway"


def test_clock_file_is_refused_unless_discord_is_on_this_machine(tmp_path: Path) -> None:
    """With a moved clock the bot would win any match on the real Discord."""
    clock = str(tmp_path / "clock")
    wanted = "GOPS_CLOCK_FILE is for a Discord on this machine: leave it empty for any other"
    assert problem({"GOPS_CLOCK_FILE": clock}) == wanted
    assert problem({"GOPS_CLOCK_FILE": clock, "DISCORD_API_URL": "https://proxy.example"}) == wanted
    assert load({"GOPS_CLOCK_FILE": clock, "DISCORD_API_URL": "http://127.0.0.1:1"}).clock_file == Path(clock)


@pytest.mark.parametrize("text", ["inf", "-inf", "nan", "1e300", "1e12", "soon", "\x00", "\ufeff5"])
def test_clock_file_must_hold_a_number_of_seconds(tmp_path: Path, text: str) -> None:
    clock = tmp_path / "clock"
    clock.write_text(text, encoding="utf-8")
    here = {"GOPS_CLOCK_FILE": str(clock), "DISCORD_API_URL": "http://127.0.0.1:1"}
    assert problem(here) == "GOPS_CLOCK_FILE must be a file with a number of seconds, ten years at most"
    clock.write_bytes("1".encode("utf-16"))
    assert problem(here) == "GOPS_CLOCK_FILE must be a file with a number of seconds, ten years at most"


@pytest.mark.parametrize("text", ["inf", "nan", "1e300"])
def test_invalid_clock_file_leaves_the_clock_unchanged(tmp_path: Path, text: str) -> None:
    file = tmp_path / "clock"
    file.write_text("60", encoding="utf-8")
    clock = SystemClock(file)
    assert clock.offset() == read_offset(file)
    kept = clock.offset()
    file.write_text(text, encoding="utf-8")
    assert clock.offset() == kept
    assert clock.now().tzinfo is not None


def test_byte_order_mark_of_the_settings_file_is_ignored(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes("DISCORD_TOKEN=abc\r\nGOPS_LOG=json\r\n".encode("utf-8-sig"))
    settings = load({}, file)
    assert (settings.token, settings.log) == ("abc", "json")


def test_settings_file_in_utf_16_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes("DISCORD_TOKEN=abc\n".encode("utf-16"))
    assert problem({}, file) == f"{file} must be text in UTF-8"


@pytest.mark.parametrize("path", ["/", ".", "..", "/dev/null", "/tmp", "a\x00b", "x" * 300, "/etc/hostname/x"])
def test_database_that_is_no_file_is_refused(path: str) -> None:
    assert problem({"GOPS_DATABASE": path}).startswith("GOPS_DATABASE must be a file")


@pytest.mark.parametrize("token", ["two words", "line\nbreak", "tökèn", "tab\t", "nul\x00"])
def test_token_that_fits_no_header_is_refused_without_showing_it(token: str) -> None:
    line = problem({"DISCORD_TOKEN": token})
    assert line == "DISCORD_TOKEN must be one word, as Discord's developer portal gives it"
    assert token not in line


@pytest.mark.parametrize("value", ["1e300", "86401"])
def test_endless_silence_is_refused(value: str) -> None:
    assert problem({"GOPS_SILENCE": value}).startswith("GOPS_SILENCE must be a number of seconds above 0")


@pytest.mark.parametrize(
    ("mode", "told"), [(0o644, True), (0o640, True), (0o602, True), (0o600, False), (0o400, False)]
)
def test_token_file_that_others_can_read_gets_a_warning(
    tmp_path: Path, mode: int, told: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / ".env"
    file.write_text("DISCORD_TOKEN=\n", encoding="utf-8")
    file.chmod(mode)
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    assert main(["run", "--env", str(file)]) == 78
    line = f"gops run: {file} holds the token, and others can read it: chmod 600 {file}"
    assert (line in capsys.readouterr().err.splitlines()) is told
