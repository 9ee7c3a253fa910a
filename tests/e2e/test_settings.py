"""What a server decides, over sockets: who may, every control of the card, the form after a restart, the audit log."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.driver import Person
from tests.e2e.house import Bot, House, banner, code_of, has, opened, plain, told

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def moderator(house: House, name: str = "Mod", right: str = "MANAGE_GUILD") -> Person:
    """Somebody who may manage this house's server."""
    person = await house.person(name)
    role = await house.stage.role(house.server, f"{name}s", right)
    await house.stage.member(house.server, person, roles=[role])
    return person


async def test_only_moderators_may_see_and_change_settings(scene: House) -> None:
    """A moderator and an administrator; no member, nobody in a DM, and no longer whoever lost the right."""
    for right in ("MANAGE_GUILD", "ADMINISTRATOR"):
        mod = await moderator(scene, right.title(), right)
        card = (await mod.slash("/gops settings show")).shown
        assert card.is_ephemeral
        assert banner(await mod.choose("5 minutes", select="Default time", in_=card))[0] in (
            "✔ Default time: 2 minutes → 5 minutes",
            "Nothing changed. Default time: 5 minutes.",
        )
        await scene.stage.member(scene.server, mod, roles=[])
        no = "You need the Manage Server permission for this."
        assert told(await mod.choose("1 minute", select="Default time", in_=card)) == no
        assert told(await mod.press("Audit log", in_=card)) == no
        assert told(await mod.press("Rules and limits", in_=card)) == no
        assert told(await mod.slash("/gops settings show")) == no
    assert told(await scene.ana.slash("/gops settings show")) == no
    await scene.match(cards=3)
    await scene.ana.sees("Your turn", in_="dm")
    refused = told(await scene.ana.slash("/gops settings show", in_="dm"))
    assert refused == "This works only in a server that has added me."


async def test_the_owner_may_without_any_role(scene: House) -> None:
    """Everything that a moderator may; once the server is handed on, nothing."""
    owner, next_one = await scene.person("Olga"), await scene.person("Next")
    await scene.stage.hand_over(scene.server, owner)
    card = (await owner.slash("/gops settings show")).shown
    assert "✔ Default time: 2 minutes → 5 minutes" in told(
        await owner.choose("5 minutes", select="Default time", in_=card)
    )
    assert "Olga" in told(await owner.press("Audit log", in_=card))
    code = code_of(await scene.match(cards=3))
    banned = await owner.slash("/gops settings ban", player=next_one, time=60, reason="a test")
    assert "can't play GOPS here for" in told(banned)
    form = await owner.slash("/gops settings stop", match=code, reason="a test")
    assert told(await owner.submit(form)) == f"Done: #{code} is stopped. The players know."
    await scene.stage.hand_over(scene.server, next_one)
    no = "You need the Manage Server permission for this."
    assert told(await owner.choose("1 minute", select="Default time", in_=card)) == no
    assert told(await owner.slash("/gops settings ban", player=next_one, time=0)) == no
    assert "can play GOPS here again" in told(await next_one.slash("/gops settings ban", player=next_one, time=0))


async def test_every_control_of_the_card_saves_its_setting(scene: House) -> None:
    mod = await moderator(scene)
    card = (await mod.slash("/gops settings show")).shown
    games, talk = scene.server.channels
    role = await scene.stage.role(scene.server, "Players")

    async def chosen(*values: object, select: str) -> str:
        (line,) = banner(await mod.choose(*values, select=select, in_=card))
        return line

    assert await chosen("Throps", select="Default game") == "✔ Default game: Classic GOPS → Throps"
    assert await chosen("Classic GOPS", select="Default game") == "✔ Default game: Throps → Classic GOPS"
    assert await chosen("On the board", select="Where players bid") == "✔ Where players bid: in DMs → on the board"
    assert await chosen("4", select="Boards") == "✔ Boards a channel: 8 → 4"
    assert await chosen(games, talk, select="Everywhere") == (
        f"✔ Channels: everywhere → <#{games.id}> and <#{talk.id}>"
    )
    assert await chosen(role, select="Everybody") == f"✔ Roles: everybody → <@&{role}>"
    assert await chosen(select="Everybody") == f"✔ Roles: <@&{role}> → everybody"
    for button, said in (
        ("Rated by default: on", "off"),
        ("Result lines: on", "off"),
        ("Card faces: pictures", "pictures for the colour-blind"),
    ):
        assert banner(await mod.press(button, in_=card)) == [f"✔ {button} → {said}"]
    challenge = await scene.challenge()
    assert "unrated · bids on the board" in challenge.text
    found = told(await mod.press("Audit log", in_=card))
    assert "Mod: Card faces: pictures → pictures for the colour-blind" in found
    assert f"Mod: Roles: <@&{role}> → everybody" in found


async def test_log_channel_tells_of_changes_without_a_ping(scene: House) -> None:
    """What is changed is told there, without a ping; that nothing can be written there after all is said at once."""
    mod = await moderator(scene)
    card = (await mod.slash("/gops settings show")).shown
    _, talk = scene.server.channels
    await scene.stage.fault("answer", f"POST /channels/{talk.id}/messages", status=403, code=50013)
    refused = banner(await mod.choose(talk, select="Nowhere", in_=card))
    assert refused == [
        f"✔ Mod log: nowhere → <#{talk.id}>",
        f"⚠ I can't write in <#{talk.id}>. Allow me to view the channel and to send messages.",
    ]
    await mod.choose("1 minute", select="Default time", in_=card)
    there = await scene.ana.sees(has("Mod changed a setting"), in_=talk)
    assert plain(there.text) == "Mod changed a setting. Default time: 2 minutes → 1 minute"
    assert banner(await mod.choose(select="Nowhere", in_=card)) == [f"✔ Mod log: <#{talk.id}> → nowhere"]


async def test_changes_of_two_moderators_are_both_kept(scene: House) -> None:
    """Both look at the card; what the one has set is not undone by the other, who hears of it."""
    mod, other = await moderator(scene), await moderator(scene, "Other")
    card, theirs = (await mod.slash("/gops settings show")).shown, (await other.slash("/gops settings show")).shown
    await mod.choose("5 minutes", select="Default time", in_=card)
    await mod.press("Rated by default: on", in_=card)
    assert banner(await other.choose("2", select="Boards", in_=theirs)) == ["✔ Boards a channel: 8 → 2"]
    again = (await mod.slash("/gops settings show")).shown
    await other.press("Result lines: on", in_=theirs)
    (told_of,) = banner(await mod.press("Result lines: on", in_=again))
    assert told_of == (
        "⚠ Another moderator has just changed this setting. Result lines: off. Choose again if you want to change it."
    )


async def test_a_form_is_answered_after_a_restart(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        stage = house.stage
        server = await stage.server("Club", ["games"])
        ana, ben = await stage.person("ana", server=server), await stage.person("ben", server=server)
        here = House(stage, house.bot, ana, ben, server)
        mod = await moderator(here)
        card = (await mod.slash("/gops settings show")).shown
        form = await mod.press("Rules and limits", in_=card)
        await house.bot.kill()
        await house.bot.start()
        saved = await mod.submit(form, rules="10 cards, ties split", matches="3")
        assert banner(saved) in (
            ["✔ Running matches a player: 10 → 3", f"✔ Rules: default → {rules}"]
            for rules in ("ties split, cards 10", "cards 10, ties split")
        )
        assert "10 cards · ties: the prize is split" in (await here.challenge()).text
        for rules, matches, said in (
            ("nonsense", "3", "has no rule"),
            ("", "1e3", "Matches must be 1 to 50."),
            ("", "51", "Matches must be 1 to 50."),
            ("", "٣", "Matches must be 1 to 50."),
            ("@everyone **x** <@1>" * 20, "3", "has no rule"),
        ):
            form = await mod.press("Rules and limits", in_=card)
            refused = await mod.submit(form, rules=rules, matches=matches)
            assert said in banner(refused)[0]
        form = await mod.press("Rules and limits", in_=card)
        both = told(await mod.submit(form, rules="nonsense", matches="51"))
        assert "has no rule" in both
        assert "Matches must be 1 to 50." in both
        audit = (await mod.press("Audit log", in_=card)).shown
        assert "default →" in plain(audit.text)
        file = (await mod.press("As a file", in_=audit)).shown.files[0]
        entries = [json.loads(line) for line in (await stage.link.read(file["url"])).decode().splitlines()]
        assert [(one["what"], one["before"], one["by"]) for one in entries] == [
            ("matches", 10, mod.id),
            ("options", "", mod.id),
        ]
        await stage.leave(server, "GOPS")
        await house.bot.logs(f"removed from server {server.id}")
        await stage.forward(30 * 24 * 3600 + 60)
        await house.bot.logs(f"the data of server {server.id} is deleted")
        assert house.bot.trouble() == []


DECLARATION = """
    lanterns: str = setting(
        "paper", ChoiceSetting("lanterns", values={"paper": "made of paper", "glass": "made of glass"})
    )
"""
MIGRATION = "ALTER TABLE guilds ADD COLUMN lanterns TEXT NOT NULL DEFAULT 'paper';"


async def test_one_more_setting_takes_one_declaration_and_one_migration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sources with these two, run as a bot: the card shows it, a press saves it, a restart keeps it."""
    sources = tmp_path / "sources"
    for folder in ("bot", "cogs", "data"):
        shutil.copytree(ROOT / folder, sources / folder)
    declared = sources / "bot/referee/model/guild_settings.py"
    fields, _, after = declared.read_text(encoding="utf-8").partition("\n\n\nSETTINGS:")
    assert after, "where the declarations end"
    declared.write_text(f"{fields}{DECLARATION}\n\nSETTINGS:{after}", encoding="utf-8")
    (sources / "data/sqlite/migrations/0002_lanterns.sql").write_text(MIGRATION, encoding="utf-8")
    monkeypatch.setattr(Bot, "forked", False)
    monkeypatch.setattr(Bot, "command", ("-P", "-m", "bot", "run"))
    monkeypatch.setenv("PYTHONPATH", str(sources))
    async with opened(tmp_path) as house:
        stage = house.stage
        server = await stage.server("Club", ["games"])
        ana, ben = await stage.person("ana", server=server), await stage.person("ben", server=server)
        mod = await moderator(House(stage, house.bot, ana, ben, server))
        card = (await mod.slash("/gops settings show")).shown
        assert "✔ Lanterns: made of paper → made of glass" in told(await mod.press("Lanterns: made of paper", in_=card))
        await house.bot.kill()
        await house.bot.start()
        again = (await mod.slash("/gops settings show")).shown
        assert again.has_button("Lanterns: made of glass")
        assert "Mod: Lanterns: made of paper → made of glass" in told(await mod.press("Audit log", in_=again))


@pytest.mark.parametrize("place", ["channel", "board"])
async def test_operator_chooses_where_players_bid(tmp_path: Path, place: str) -> None:
    async with opened(tmp_path, start=False) as house:
        house.bot.settings["GOPS_DEFAULT_CONSOLE"] = place
        await house.bot.start()
        board = await house.match(cards=3)
        for person, card in ((house.ana, "A"), (house.ben, "2")):
            console = (await person.press("Bid", in_=board)).shown if place == "channel" else board
            await person.press(card, in_=console)
        await house.ana.sees(has("round 2 of 3"), in_=board)
        assert (await house.stage.calls()).of("POST /users/@me/channels") == 0, "no DM was opened"
