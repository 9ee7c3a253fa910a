"""A bot that keeps everything in PostgreSQL: the same match, through a kill and a server that goes away."""

from pathlib import Path

import asyncpg

from bot.referee.model.changes import SaveGuild
from bot.referee.model.guild_settings import GuildSettings
from data.postgres.dialect import number_parameters, to_parameter
from data.sql.steps import build_statements
from tests import postgres
from tests.e2e.house import awaits, has, opened, through_a_kill, told
from tests.operate.commands import beside, gops


async def test_a_match_through_a_kill(tmp_path: Path, server: postgres.Server) -> None:
    async with opened(tmp_path, start=False) as house:
        house.bot.settings["GOPS_DATABASE"] = await postgres.emptied(server)
        await house.bot.start()
        await through_a_kill(house)
        assert not house.bot.database.exists()
        assert house.bot.trouble() == []


async def test_a_match_moves_from_a_file_to_a_server(tmp_path: Path, server: postgres.Server) -> None:
    async with opened(tmp_path) as house:
        board = await house.match(cards=2)
        console = await house.ana.sees(awaits(1, dm=True))
        await house.ben.press("2", in_=await house.ben.sees(awaits(1, dm=True)))
        assert await house.bot.stop() == 0
        address = await postgres.emptied(server)
        moved = await gops({}, "move", str(house.bot.database), address)
        assert moved.code == 0, moved
        house.bot.settings["GOPS_DATABASE"] = address
        await house.bot.start()
        await house.ana.press("A", in_=console)
        await house.ana.sees(has("[Rematch]"), in_=board)
        assert "1 played, 0 won" in told(await house.ana.slash("/gops leaderboard"))
        assert await house.bot.stop() == 0
        assert house.bot.trouble() == []
        await spoiled(address)
        for command, code, words in (
            ("--check", 1, "ratings changed: "),
            ("", 0, "ratings changed: "),
            ("--check", 0, "nothing changed"),
        ):
            rebuilt = await gops(
                {"GOPS_DATABASE": address}, "ratings", "rebuild", "--env", "/dev/null", *command.split()
            )
            assert (rebuilt.code, words in rebuilt.out) == (code, True), rebuilt


async def spoiled(address: str) -> None:
    """Somebody has changed ratings by hand."""
    link = await asyncpg.connect(address)
    try:
        await link.execute("UPDATE ratings SET mu = mu + 1")
    finally:
        await link.close()


async def choose_threads(address: str, guild: int) -> None:
    """Let a server have its boards in threads."""
    link = await asyncpg.connect(address)
    try:
        for one in build_statements((SaveGuild(GuildSettings(guild, threads=True), None),)):
            await link.execute(number_parameters(one.sql), *map(to_parameter, one.params))
    finally:
        await link.close()


async def test_commands_beside_a_bot_that_runs(tmp_path: Path, server: postgres.Server) -> None:
    """The bot itself does what changes its matches. What it cannot do is refused."""
    async with opened(tmp_path, start=False) as house:
        address = house.bot.settings["GOPS_DATABASE"] = await postgres.emptied(server)
        await house.bot.start()
        board = await house.match(cards=2)
        await house.ana.press("2", in_=await house.ana.sees(awaits(1, dm=True)))
        await house.ben.press("A", in_=await house.ben.sees(awaits(1, dm=True)))
        erased = await beside(house, "erase", str(house.ana.id), "--yes")
        assert erased.out.startswith("Erased. Matches that stay, with a former player: 1."), erased
        await house.ben.sees(has("a former player"), in_=board)
        await choose_threads(address, int((await house.stage.world())["servers"][0]["id"]))
        checks = ("database", "server", "integrity", "commands", "channels", "backups")
        looked = await beside(house, "doctor", *(word for check in checks for word in ("--run", check)))
        assert looked.code == 0, looked
        assert f"database: {address}, as set in the environment" in looked.out
        assert "warning  backups: this check cannot see those of a PostgreSQL server" in looked.out
        assert "it answers, and its tables have this version; a bot runs on it" in looked.out
        assert "the bot has its permissions in the chosen channels; servers that chose some: 1" in looked.out
        for command in (("backup",), ("restore", "latest")):
            said = await beside(house, *command)
            assert said.code == 1
            assert "pg_dump" in said.err
        assert house.bot.trouble() == []


async def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    address = f"postgresql://gops:secret@/gops?host={tmp_path}"
    settings = {"DISCORD_TOKEN": "x", "GOPS_DATABASE": address}
    said = await gops(settings, "run", "--env", "/dev/null")
    assert said.code == 1, "whoever supervises it tries again"
    assert "the PostgreSQL server does not answer" in said.err
    assert "secret" not in said.out + said.err
    looked = await gops(
        {"DISCORD_TOKEN": "x", "GOPS_DATABASE": address}, "doctor", "--run", "server", "--env", "/dev/null"
    )
    assert looked.code == 1
    assert "check GOPS_DATABASE" in looked.out
    assert "secret" not in looked.out + looked.err


async def test_role_that_may_make_no_tables_is_refused_with_a_sentence(tmp_path: Path, server: postgres.Server) -> None:
    """As PostgreSQL 15 and newer have it for every role that does not own the database."""
    address = await postgres.emptied(server, fresh=True)
    link = await asyncpg.connect(address)
    try:
        await link.execute("DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN")
        await link.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    finally:
        await link.close()
    said = await gops(
        {"DISCORD_TOKEN": "x", "GOPS_DATABASE": address.replace("gops@", "guest@")},
        "run",
        "--env",
        str(tmp_path / "none"),
    )
    assert said.code == 78, said
    assert said.err.splitlines()[-1] == (
        "gops run: GOPS_DATABASE: the server says: permission denied for schema public"
    )
