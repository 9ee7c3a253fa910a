"""What a server decides, over sockets: who may, every control of the card, the form after a restart, the audit log."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.driver import Person
from tests.e2e.house import Bot, House, code_of, has, lines, opened, plain, told

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
        assert lines(await mod.choose("5 minutes", select="Clock", in_=card))[1] in (
            "Saved: clock 5 minutes.",
            "Nothing changed: it is clock 5 minutes already.",
        )
        await scene.stage.member(scene.server, mod, roles=[])
        no = "Only people who may Manage Server can do that."
        assert told(await mod.choose("1 minute", select="Clock", in_=card)) == no
        assert told(await mod.press("Audit log", in_=card)) == no
        assert told(await mod.press("Rules and limits", in_=card)) == no
        assert told(await mod.slash("/gops settings show")) == no
    assert told(await scene.ana.slash("/gops settings show")) == no
    await scene.match(cards=3)
    await scene.ana.sees("Your bid is open", in_="dm")
    refused = told(await scene.ana.slash("/gops settings show", in_="dm"))
    assert refused == "This only works in a server that has added me."


async def test_the_owner_may_without_any_role(scene: House) -> None:
    """Everything that a moderator may; once the server is handed on, nothing."""
    owner, next_one = await scene.person("Olga"), await scene.person("Next")
    await scene.stage.hand_over(scene.server, owner)
    card = (await owner.slash("/gops settings show")).shown
    assert "Saved: clock 5 minutes." in told(await owner.choose("5 minutes", select="Clock", in_=card))
    assert "Olga" in told(await owner.press("Audit log", in_=card))
    code = code_of(await scene.match(cards=3))
    barred = await owner.slash("/gops settings bar", player=next_one, time=60, reason="a test")
    assert "may not play here" in told(barred)
    form = await owner.slash("/gops settings stop", match=code, reason="a test")
    assert told(await owner.submit(form)) == f"Done: #{code} is stopped. The players were told."
    await scene.stage.hand_over(scene.server, next_one)
    no = "Only people who may Manage Server can do that."
    assert told(await owner.choose("1 minute", select="Clock", in_=card)) == no
    assert told(await owner.slash("/gops settings bar", player=next_one, time=0)) == no
    assert "may play here again" in told(await next_one.slash("/gops settings bar", player=next_one, time=0))


async def test_every_control_of_the_card_saves_its_setting(scene: House) -> None:
    mod = await moderator(scene)
    card = (await mod.slash("/gops settings show")).shown
    games, talk = scene.server.channels
    role = await scene.stage.role(scene.server, "Players")

    async def chosen(*values: object, select: str) -> str:
        return lines(await mod.choose(*values, select=select, in_=card))[1]

    assert await chosen("Throps", select="Game") == "Saved: game Throps."
    assert await chosen("Classic GOPS", select="Game") == "Saved: game Classic GOPS."
    assert await chosen("Only behind the board's Bid", select="Place to bid") == (
        "Saved: place to bid behind the board's Bid."
    )
    assert await chosen("4", select="Live boards") == "Saved: live boards a channel 4."
    assert await chosen(games, talk, select="Everywhere") == f"Saved: channels <#{games.id}> and <#{talk.id}>."
    assert await chosen(role, select="Everybody") == f"Saved: roles <@&{role}>."
    assert await chosen(select="Everybody") == "Saved: roles everybody."
    for button, said in (
        ("Rated by default: on", "rated by default off"),
        ("DM consoles: allowed", "DM consoles not allowed"),
        ("Result lines: on", "result lines off"),
        ("Card faces: pictures", "card faces pictures for the colour-blind"),
    ):
        assert lines(await mod.press(button, in_=card))[1] == f"Saved: {said}."
    challenge = await scene.challenge()
    assert "unrated" in challenge.text
    found = told(await mod.press("Audit log", in_=card))
    assert "Mod: card faces pictures for the colour-blind, before pictures" in found
    assert "Mod: roles everybody, before" in found


async def test_log_channel_tells_of_changes_without_a_ping(scene: House) -> None:
    """What is changed is told there, without a ping; that nothing can be written there after all is said at once."""
    mod = await moderator(scene)
    card = (await mod.slash("/gops settings show")).shown
    _, talk = scene.server.channels
    await scene.stage.fault("answer", f"POST /channels/{talk.id}/messages", status=403, code=50013)
    refused = lines(await mod.choose(talk, select="Nowhere", in_=card))
    assert refused[1:3] == [
        f"Saved: log <#{talk.id}>.",
        f"I cannot write in <#{talk.id}>. Let me view that channel and send messages there.",
    ]
    await mod.choose("1 minute", select="Clock", in_=card)
    there = await scene.ana.sees(has("Mod changed the settings"), in_=talk)
    assert plain(there.text) == "Mod changed the settings: clock 1 minute, before 2 minutes."
    assert lines(await mod.choose(select="Nowhere", in_=card))[1] == "Saved: log nowhere."


async def test_changes_of_two_moderators_are_both_kept(scene: House) -> None:
    """Both look at the card; what the one has set is not undone by the other, who hears of it."""
    mod, other = await moderator(scene), await moderator(scene, "Other")
    card, theirs = (await mod.slash("/gops settings show")).shown, (await other.slash("/gops settings show")).shown
    await mod.choose("5 minutes", select="Clock", in_=card)
    await mod.press("Rated by default: on", in_=card)
    assert lines(await other.choose("2", select="Live boards", in_=theirs))[1] == "Saved: live boards a channel 2."
    again = (await mod.slash("/gops settings show")).shown
    await other.press("Result lines: on", in_=theirs)
    told_of = lines(await mod.press("Result lines: on", in_=again))[1]
    assert told_of == (
        "Somebody has changed that since you looked: result lines off. It stays so; choose again if you still want"
        " it otherwise."
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
        assert lines(saved)[1:3] == ["Saved: live matches a person 3.", "Saved: rules ties split, cards 10."] or lines(
            saved
        )[1:3] == ["Saved: live matches a person 3.", "Saved: rules cards 10, ties split."]
        assert "10 cards, ties split" in (await here.challenge()).text
        for rules, matches, said in (
            ("nonsense", "3", "has no rule"),
            ("", "1e3", "Matches must be 1 to 50."),
            ("", "51", "Matches must be 1 to 50."),
            ("", "٣", "Matches must be 1 to 50."),
            ("@everyone **x** <@1>" * 20, "3", "has no rule"),
        ):
            form = await mod.press("Rules and limits", in_=card)
            refused = await mod.submit(form, rules=rules, matches=matches)
            assert said in told(refused)
        form = await mod.press("Rules and limits", in_=card)
        both = told(await mod.submit(form, rules="nonsense", matches="51"))
        assert "has no rule" in both
        assert "Matches must be 1 to 50." in both
        audit = (await mod.press("Audit log", in_=card)).shown
        assert "before as the game has it" in plain(audit.text)
        file = (await mod.press("As a file", in_=audit)).shown.files[0]
        entries = [json.loads(line) for line in (await stage.link.read(file["url"])).decode().splitlines()]
        assert [(one["what"], one["before"], one["by"]) for one in entries] == [
            ("matches", 10, mod.id),
            ("options", "", mod.id),
        ]
        await stage.leave(server, "GOPS")
        await house.bot.logs(f"removed from server {server.id}")
        await stage.forward(30 * 24 * 3600 + 60)
        await house.bot.logs(f"the data of server {server.id} is gone")
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
        assert "Saved: lanterns made of glass." in told(await mod.press("Lanterns: made of paper", in_=card))
        await house.bot.kill()
        await house.bot.start()
        again = (await mod.slash("/gops settings show")).shown
        assert again.has_button("Lanterns: made of glass")
        assert "Mod: lanterns made of glass, before made of paper" in told(await mod.press("Audit log", in_=again))
