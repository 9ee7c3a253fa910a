"""PRIVACY.md is true of the database, docs link to existing files, and the Dockerfile keeps its promises."""

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.referee.model import changes as c
from bot.referee.model.daily import NewDailyTry
from bot.referee.model.model import PERSONAL_NOTES, LobbyState
from bot.referee.model.people import Import, Player
from bot.referee.model.searches import NewSearch, schedule_search
from tests.conftest import ROOT
from tests.data import examples as ex
from tests.data.examples import ANA, BEN, CEM
from tests.sqlite_store import SqliteStore

PERSONAL = {
    "players": "your choices in `/gops preferences`",
    "pauses": "when you paused your slow matches",
    "members": "how you are called in a server",
    "blocks": "whom you blocked",
    "lobbies": "challenges: who asked whom",
    "lobby_people": "what was answered",
    "searches": "where and for what you look for an opponent",
    "seats": "matches: who sat where",
    "daily_tries": "your tries at the daily deal",
    "audit": "what you did as a moderator of a server",
    "bans": "until when and why you may not play",
    "surfaces": "which messages show a match, with a token",
    "ratings": "ratings",
    "season_ratings": "of the current season",
    "season_places": "tables of seasons that are over",
    "rating_history": "how each match moved them",
    "given_roles": "roles by rating that the bot gave you",
    "imports": "records from elsewhere that you brought in",
}
"""Tables that tell of a person, and the words in which PRIVACY.md tells of them."""


def privacy() -> str:
    return (ROOT / "PRIVACY.md").read_text(encoding="utf-8")


async def kept(path: Path, *, live: bool = True) -> None:
    """A database with something of Ana's in every such table."""
    async with await SqliteStore.open(path) as store:
        lobby = ex.lobby() if live else ex.lobby(state=LobbyState.DECLINED)
        await store.write((c.NewMatch(ex.over("OVER")), c.NewLobby(lobby)))
        await store.write((c.KeepImport(Import("MP2K", ANA, ex.NOW, "{}"), 3),))
        await store.write((NewDailyTry(5, ex.DAY, ANA, "OVER"), NewDailyTry(5, ex.DAY, BEN, "OVER")))
        await store.write((c.PutSurface(ex.surface("OVER", user=ANA)), c.SavePlayer(Player(ANA))))
        await store.write((c.SaveRating(ex.rating(guild=5), None, season=True), c.FreezeSeason(6, 1, (ex.frozen(),))))
        await store.write((c.NameMember(5, ANA, "Ana"), c.Block(ANA, BEN, on=True), c.Block(CEM, ANA, on=True)))
        await store.write((c.AddAudit(ex.audit(user=ANA)), c.AddAudit(ex.audit("ban", user=BEN, about=ANA))))
        await store.write((c.PutBan(ex.ban(ANA, by=BEN)), c.PutBan(ex.ban(BEN, by=ANA))))
        await store.write((NewSearch(ex.search(guild=5)), NewSearch(ex.search(BEN, guild=5))))
        await store.write((schedule_search(5, ANA, ex.NOW), schedule_search(5, BEN, ex.NOW)))
        await store.write((c.NewPause(ex.pause()), c.NoteRole(5, ANA, 6, given=True)))
        await store.write((c.SaveRating(ex.rating(ANA), 0), c.AddRatingEntry(ex.entry("OVER", ANA))))
        await store.write((c.SaveNote(f"mute OVER {ANA}", "1"), c.SaveNote(f"mute OVER {BEN}", "1")))
        for what in PERSONAL_NOTES:
            await store.write((c.SaveNote(f"{what} {ANA}", "[]"), c.SaveNote(f"{what} {BEN}", "[]")))


def holders(path: Path, wanted: int) -> set[str]:
    """Tables with this number in any column, or in any text."""
    found: set[str] = set()
    with closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for row in connection.execute(f"SELECT * FROM {table}"):
                if any(one == wanted or (isinstance(one, str) and str(wanted) in one.split()) for one in row):
                    found.add(table)
    return found


def test_privacy_page_names_every_table_about_people(tmp_path: Path) -> None:
    path = tmp_path / "gops.sqlite3"
    asyncio.run(kept(path))
    with closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        about = {
            table
            for table in tables
            for column in connection.execute(f"PRAGMA table_info({table})")
            if column[1] in ("user", "by_user", "host")
        }
    assert about == PERSONAL.keys()
    for table, words in PERSONAL.items():
        assert words in privacy(), table


def test_erase_command_of_the_privacy_page_leaves_no_data_of_a_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "gops.sqlite3"
    asyncio.run(kept(path, live=False))
    assert holders(path, ANA) == PERSONAL.keys() | {"notes", "deadlines"}
    others = holders(path, BEN)
    assert "`gops erase USER`" in privacy()
    monkeypatch.setenv("GOPS_DATABASE", str(path))
    assert main(["erase", str(ANA), "--env", str(tmp_path / "none")]) == 0
    assert capsys.readouterr().out.startswith("Erased. Matches that stay, with a former player: 1.")
    assert holders(path, ANA) == set()
    assert holders(path, BEN) == others - {"blocks"}

    async def shown() -> list[str]:
        async with await SqliteStore.open(path) as store:
            match = await store.match("OVER")
            assert match is not None
            return [one.name for one in match.seats]

    assert asyncio.run(shown()) == ["a former player", "player 102"]


def test_erase_command_says_why_it_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "gops.sqlite3"
    monkeypatch.setenv("GOPS_DATABASE", str(path))
    asked = ["erase", str(ANA), "--env", str(tmp_path / "none")]
    assert main(asked) == 1
    assert "there is no database" in capsys.readouterr().err
    asyncio.run(kept(path))
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE seats SET live = 1")
    connection.close()
    assert main(asked) == 1
    assert "this would resign live matches: 1. Add --yes to do that" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["erase", "Ana"])


@pytest.mark.parametrize("name", ["PRIVACY.md", "TERMS.md", "README.md", "docs/operating.md"])
def test_links_of_documents_lead_to_existing_files(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        if not link.startswith("http"):
            assert ((ROOT / name).parent / link).exists(), link


def test_image_holds_no_secrets_and_needs_no_rights() -> None:
    docker = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert re.search(r"^USER 10001:10001$", docker, re.MULTILINE)
    assert "-r requirements.txt" in docker
    assert 'CMD ["gops", "run"]' in docker
    assert re.search(r"^VOLUME /var/lib/gops$", docker, re.MULTILINE)
    assert not re.search(r"(ENV|ARG)[^#]*TOKEN", docker)
    taken = {line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[:1] == "!"}
    assert ".env" not in taken
    for source in re.findall(r"^COPY (?!--from=)(.+) \S+$", docker, re.MULTILINE):
        assert set(source.split()) <= taken


def test_every_protection_of_the_security_page_names_an_existing_test() -> None:
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("| ") and not line.endswith("| protection | test |")]
    assert len(lines) > 20
    for line in lines:
        named = re.search(r"`(tests/[a-z0-9_/]+[.]py)::(test_[a-z0-9_]+)` [|]$", line)
        assert named, line
        assert re.search(
            rf"^(async )?def {named[2]}[(]", (ROOT / named[1]).read_text(encoding="utf-8"), re.MULTILINE
        ), line
