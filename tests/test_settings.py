"""Settings: read once, every problem named at once, and `.env.example` lists the same fields."""

from pathlib import Path

import pytest

from bot.errors import SettingsError
from bot.process.base.addresses import join_address, split_address
from bot.referee.model.guild_settings import SETTINGS
from bot.settings import PLACES, READERS, TOKEN_FILE, Settings, load, read_dotenv
from tests.conftest import ROOT


def test_env_example_lists_every_setting() -> None:
    problems: list[str] = []
    example = read_dotenv((ROOT / ".env.example").read_text(encoding="utf-8"), problems)
    assert problems == []
    names = list(dict.fromkeys(name for name, _ in READERS.values()))
    assert list(example) == [names[0], TOKEN_FILE, *names[1:]]
    assert load(example) == Settings()


def test_every_setting_has_a_reader() -> None:
    assert list(READERS) == list(Settings.__dataclass_fields__)


def test_environment_overrides_the_file(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("# mine\nexport GOPS_LOG='json'\nGOPS_DATABASE = /tmp/a.sqlite3\n", encoding="utf-8")
    settings = load({"GOPS_DATABASE": "/tmp/b.sqlite3"}, file)
    assert (settings.log, settings.database) == ("json", Path("/tmp/b.sqlite3"))


def test_every_problem_is_named_at_once(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("nonsense\nGOPS_LOG=loud\n", encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        load({"DISCORD_API_URL": "discord"}, file)
    assert len(caught.value.problems) == 3
    for name in (".env line 1", "GOPS_LOG", "DISCORD_API_URL"):
        assert name in str(caught.value)


@pytest.mark.parametrize("value", ["0", "-1", "long", "inf", "nan"])
def test_silence_that_is_no_positive_number_is_refused(value: str) -> None:
    with pytest.raises(SettingsError, match="GOPS_SILENCE must be a number of seconds above 0"):
        load({"GOPS_SILENCE": value})
    assert load({"GOPS_SILENCE": "1.5"}).silence == 1.5


def test_faces_must_be_on_or_off() -> None:
    with pytest.raises(SettingsError, match="GOPS_FACES must be on or off"):
        load({"GOPS_FACES": "yes"})
    assert not load({"GOPS_FACES": "off"}).faces


@pytest.mark.parametrize("value", ["dms", "table", "DM", "off"])
def test_default_console_that_is_no_place_is_refused(value: str) -> None:
    with pytest.raises(SettingsError, match="GOPS_DEFAULT_CONSOLE must be dm, channel or board"):
        load({"GOPS_DEFAULT_CONSOLE": value})
    assert [load({"GOPS_DEFAULT_CONSOLE": place}).console for place in SETTINGS["place"].values] == [*PLACES]


@pytest.mark.parametrize("value", ["14", "604801", "two", "-60", "1.5"])
def test_clock_that_is_no_allowed_number_of_seconds_is_refused(value: str) -> None:
    with pytest.raises(SettingsError, match="GOPS_CLOCK must be seconds, 15 to 604800"):
        load({"GOPS_CLOCK": value})
    assert load({"GOPS_CLOCK": "900"}).clock == 900


@pytest.mark.parametrize("value", ["here", "http://a.example", "https://", "https://a b", "https://a.example/>"])
def test_support_that_is_no_address_is_refused(value: str) -> None:
    with pytest.raises(SettingsError, match="GOPS_SUPPORT must be an address"):
        load({"GOPS_SUPPORT": value})
    assert load({"GOPS_SUPPORT": "https://a.example/gops"}).support == "https://a.example/gops"


def test_token_is_read_from_its_file(tmp_path: Path) -> None:
    secret = tmp_path / "token"
    secret.write_text("hunter2\n", encoding="utf-8")
    settings = load({"DISCORD_TOKEN_FILE": str(secret)})
    assert settings.token == "hunter2"
    assert "hunter2" not in repr(settings)


@pytest.mark.parametrize(
    ("content", "token", "says"),
    [
        (b"one", "two", "DISCORD_TOKEN and DISCORD_TOKEN_FILE are both set: leave one empty"),
        (b"two words", "", "DISCORD_TOKEN_FILE must hold one word"),
        (b"\xff\xfe", "", "DISCORD_TOKEN_FILE must hold one word"),
        (None, "", r"DISCORD_TOKEN_FILE must be a file that can be read \(No such file or directory\)"),
    ],
)
def test_bad_token_file_is_refused(tmp_path: Path, content: bytes | None, token: str, says: str) -> None:
    secret = tmp_path / "token"
    if content is not None:
        secret.write_bytes(content)
    with pytest.raises(SettingsError, match=says):
        load({"DISCORD_TOKEN_FILE": str(secret), "DISCORD_TOKEN": token})


def test_bans_must_be_lists_of_ids() -> None:
    settings = load({"GOPS_BANNED_USERS": "12, 34,", "GOPS_BANNED_SERVERS": "56"})
    assert (settings.banned_users, settings.banned_servers) == ({12, 34}, {56})
    for value in ("ana", "-1", "0", str(2**63)):
        with pytest.raises(SettingsError, match="GOPS_BANNED_USERS must be ids of Discord"):
            load({"GOPS_BANNED_USERS": value})


def test_token_is_in_no_repr() -> None:
    assert "hunter2" not in repr(load({"DISCORD_TOKEN": "hunter2"}))


@pytest.mark.parametrize(
    ("value", "listen"),
    [
        ("8080", ("127.0.0.1", 8080)),
        ("0.0.0.0:8080", ("0.0.0.0", 8080)),
        ("[::1]:0", ("::1", 0)),
        *((one, None) for one in ("http", "8080/", "a b:1", "1:65536", "host:", "x@y:1")),
    ],
)
def test_listen_address_is_read_or_refused(value: str, listen: tuple[str, int] | None) -> None:
    if listen is not None:
        assert load({"GOPS_LISTEN": value}).listen == listen
        return
    with pytest.raises(SettingsError, match="GOPS_LISTEN must be a port of this machine such as 8080"):
        load({"GOPS_LISTEN": value})


@pytest.mark.parametrize("value", ["10.0.0.5:7300", "gops-1.internal:7300", "[fd00::5]:7300", "127.0.0.1:0"])
def test_peer_address_is_read(value: str) -> None:
    assert load({"GOPS_PEER": value, "GOPS_DATABASE": "postgresql://db/gops"}).peer == value
    assert split_address(value)[0] not in ("", "[fd00::5]")
    assert join_address(*split_address(value)) == value


@pytest.mark.parametrize(
    "value", ["7300", ":7300", "0.0.0.0:7300", "[::]:7300", "host", "host:", "a b:1", "host:65536"]
)
def test_peer_address_that_nobody_reaches_is_refused(value: str) -> None:
    with pytest.raises(SettingsError, match="GOPS_PEER must be an address at which the other processes reach this one"):
        load({"GOPS_PEER": value})


def test_peer_address_with_a_file_as_database_is_refused() -> None:
    """Two processes on two files would be two bots with one token."""
    with pytest.raises(SettingsError, match="GOPS_PEER needs a PostgreSQL database in GOPS_DATABASE"):
        load({"GOPS_PEER": "10.0.0.5:7300"})


def test_endpoint_must_be_a_public_address_with_a_listen_port() -> None:
    for value in ("http://gops.example/", "gops.example", "https://", "https://me:you@gops.example"):
        with pytest.raises(SettingsError, match="GOPS_ENDPOINT must be an address such as https://"):
            load({"GOPS_ENDPOINT": value, "GOPS_LISTEN": "8080"})
    with pytest.raises(SettingsError, match="GOPS_ENDPOINT leads nowhere without GOPS_LISTEN"):
        load({"GOPS_ENDPOINT": "https://gops.example/"})
    assert load({"GOPS_ENDPOINT": "https://gops.example/x", "GOPS_LISTEN": "1"}).endpoint == "https://gops.example/x"


def test_calls_must_be_a_number_a_second() -> None:
    assert load({}).calls == 40
    assert load({"GOPS_CALLS": "120"}).calls == 120
    for value in ("0", "-1", "many", "4.5", "99999"):
        with pytest.raises(SettingsError, match="GOPS_CALLS must be a number of calls a second"):
            load({"GOPS_CALLS": value})


@pytest.mark.parametrize("address", ["postgresql://gops:word@db.example:5432/gops", "postgres:///gops?host=/run/pg"])
def test_database_can_be_a_server_address(address: str) -> None:
    settings = load({"GOPS_DATABASE": address})
    assert settings.where == address
    assert address not in repr(settings), "there is a password in it"
    assert load({"GOPS_DATABASE": "here.sqlite3"}).where == Path("here.sqlite3")


@pytest.mark.parametrize("address", ["postgresql://", "postgresql://host", "postgresql://host/a b", "postgres://h:0/x"])
def test_address_without_a_database_is_refused(address: str) -> None:
    with pytest.raises(SettingsError, match="GOPS_DATABASE must be a file, or an address such as postgresql://"):
        load({"GOPS_DATABASE": address})


def test_bot_without_a_gateway_needs_http() -> None:
    with pytest.raises(SettingsError, match="GOPS_GATEWAY=off needs GOPS_LISTEN: interactions have to come by HTTP"):
        load({"GOPS_GATEWAY": "off"})
    assert not load({"GOPS_GATEWAY": "off", "GOPS_LISTEN": "8080"}).gateway
