"""Roles by rating over sockets: given, moved to the next band, taken when unrated; and what is missing, said once."""

from __future__ import annotations

import pytest

from bot.playground.protocol.wire import Json
from tests.driver import Person, Seen
from tests.e2e.house import House, banner, code_of, has, told
from tests.e2e.test_moderators import bid
from tests.e2e.test_settings import moderator

pytestmark = pytest.mark.asyncio(loop_scope="module")

GIVE = "PUT /guilds/*/members/*/roles/*"
TAKE = "DELETE /guilds/*/members/*/roles/*"


async def here(house: House) -> Json:
    """This server as Discord has it."""
    return next(one for one in (await house.stage.world())["servers"] if one["id"] == house.server.id)


async def roles_of(house: House, person: Person) -> list[str]:
    members = (await here(house))["members"]
    return next(one["roles"] for one in members if one["user"]["id"] == person.id)


async def own_role(house: House) -> str:
    """The bot's, which came with it."""
    return next(one["id"] for one in (await here(house))["roles"] if one["name"] == "GOPS")


async def won(house: House, *, by_ben: bool = False) -> Seen:
    """A rated match that Ana wins, or Ben, whatever the prizes are: three of four rounds; its result."""
    board = await house.match(cards=4)
    winner, loser = (house.ben, house.ana) if by_ben else (house.ana, house.ben)
    for number, high, low in ((1, 2, 1), (2, 3, 2), (3, 4, 3)):
        await bid(winner, number, high)
        await bid(loser, number, low)
    return await house.ana.sees(has("Ben wins" if by_ben else "Ana wins", "[Rematch]"), in_=board)


async def bands(house: House, mod: Person, **least: tuple[str, str]) -> None:
    """Bands are set by whoever may, and the bot may give them."""
    permissions = ["MANAGE_ROLES", "VIEW_CHANNEL", "SEND_MESSAGES"]
    await house.stage.change_role(house.server, await own_role(house), permissions=permissions)
    card = (await mod.slash("/gops settings show")).shown
    await mod.press("Seasons", in_=card)
    await mod.press("Roles by rating", in_=card)
    for role, rating in least.values():
        assert "✔ Roles by rating: " in await set_role(mod, role, rating, card)


async def set_role(mod: Person, role: str, least: str, card: object) -> str:
    form = await mod.choose(role, select="A role, to set its rating", in_=card)
    return told(await mod.submit(form, least=least))


async def test_roles_follow_the_rating(scene: House) -> None:
    stage, server = scene.stage, scene.server
    mod = await moderator(scene)
    gold, silver = await stage.role(server, "Gold"), await stage.role(server, "Silver")
    card = (await mod.slash("/gops settings show")).shown
    await mod.press("Seasons", in_=card)
    shown = told(await mod.press("Roles by rating", in_=card))
    assert "No role is given yet." in shown
    said = await set_role(mod, gold, "1050", card)
    assert f"✔ Roles by rating: <@&{gold}> from 1050 on" in said
    assert said.count("I need the Manage Roles permission here") == 1
    said = await set_role(mod, silver, "400", card)
    assert f"✔ Roles by rating: <@&{silver}> from 400 on" in said, "the list below has the others"
    assert "Another role already has this rating." in await set_role(mod, silver, "1050", card)
    assert "Rating must be 1 to 9999." in await set_role(mod, silver, "gold", card)
    said = await set_role(mod, silver, "900", card)
    assert said.count("I need the Manage Roles permission here") == 1, "once, not for each role"
    board = await won(scene)
    await scene.bot.logs("connected")
    assert await roles_of(scene, scene.ana) == await roles_of(scene, scene.ben) == []
    assert (await stage.calls()).of(GIVE) == 0, "a call that would be refused is not made"
    await stage.change_role(
        server, await own_role(scene), permissions=["MANAGE_ROLES", "VIEW_CHANNEL", "SEND_MESSAGES"]
    )
    await mod.press("◀ All settings", in_=card)
    await mod.press("Seasons", in_=card)
    assert "Manage Roles" not in told(await mod.press("Roles by rating", in_=card))
    await stage.called(GIVE, times=2)
    assert (await roles_of(scene, scene.ana), await roles_of(scene, scene.ben)) == ([gold], [silver])
    audit = (await here(scene))["audit"]
    assert {(one["what"], one["reason"]) for one in audit} == {("give", "GOPS: a role by rating")}
    form = await mod.slash("/gops settings unrate", match=code_of(board), reason="a test")
    await mod.submit(form)
    await stage.called(TAKE, times=2)
    assert await roles_of(scene, scene.ana) == await roles_of(scene, scene.ben) == []
    assert (await stage.calls()).invalid == 0


async def test_a_role_deleted_by_hand_and_one_above(scene: House) -> None:
    stage, server = scene.stage, scene.server
    mod = await moderator(scene)
    gold, silver = await stage.role(server, "Gold"), await stage.role(server, "Silver")
    own = await own_role(scene)
    await stage.change_role(server, own, permissions=["MANAGE_ROLES", "VIEW_CHANNEL", "SEND_MESSAGES"])
    await stage.change_role(server, gold, position=99)
    card = (await mod.slash("/gops settings show")).shown
    await mod.press("Seasons", in_=card)
    await mod.press("Roles by rating", in_=card)
    await set_role(mod, silver, "900", card)
    assert f"<@&{gold}> is above my highest role." in await set_role(mod, gold, "1050", card)
    await won(scene)
    await stage.called(GIVE, times=1)
    await stage.change_role(server, gold, position=1)
    await mod.press("◀ All settings", in_=card)
    await mod.press("Seasons", in_=card)
    await mod.press("Roles by rating", in_=card)
    await stage.called(GIVE, times=2)
    await stage.delete_role(server, gold)
    await mod.press("◀ All settings", in_=card)
    await mod.press("Seasons", in_=card)
    gone = await mod.press("Roles by rating", in_=card)
    assert "A role of this list was deleted." in told(gone)
    assert banner(await mod.press("Remove deleted roles", in_=card)) == [f"✔ Roles by rating: <@&{gold}> removed"]
    await stage.called(GIVE, times=3)
    for person in (scene.ana, scene.ben):
        assert await roles_of(scene, person) == [silver]
    assert (await stage.calls()).invalid == 0


async def test_a_result_moves_them_to_another_band(scene: House) -> None:
    """Who wins goes up and who loses goes down: one role is taken for each that is given, and no other is touched."""
    stage, server, mod = scene.stage, scene.server, await moderator(scene)
    gold, silver = await stage.role(server, "Gold"), await stage.role(server, "Silver")
    friend = await stage.role(server, "Friend of the house")
    for person in (scene.ana, scene.ben):
        await stage.member(server, person, roles=[friend])
    await bands(scene, mod, gold=(gold, "1000"), silver=(silver, "500"))
    await won(scene)
    await stage.called(GIVE, times=2)
    assert (await roles_of(scene, scene.ana), await roles_of(scene, scene.ben)) == ([friend, gold], [friend, silver])
    for times, ana in ((1, gold), (2, silver)):
        await won(scene, by_ben=True)
        await stage.called(GIVE, times=2 + times)
        await stage.called(TAKE, times=times)
        assert await roles_of(scene, scene.ben) == [friend, gold], "up by the first"
        assert await roles_of(scene, scene.ana) == [friend, ana], "and down by the second"
    last = [(one["what"], one["role"]) for one in (await here(scene))["audit"][-2:]]
    assert last == [("give", silver), ("take", gold)], "nobody is seen without"
    assert (await stage.calls()).invalid == 0
