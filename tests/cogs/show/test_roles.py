"""Roles by rating: who is given and loses which, over crashes, refusals and a busy wire."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.errors import RefereeError
from bot.messages.roles import AT_ONCE, BUSY, PAUSE, STUCK, RoleGiver
from bot.referee.model.changes import NameMember, NoteRole
from bot.referee.model.guild_settings import Band
from bot.referee.model.model import Deadline, DeadlineKind
from bot.referee.model.participant import Person
from bot.referee.model.people import RoleOf
from bot.referee.model.rating_changes import SOON
from bot.rest.call_result import CallResult
from bot.rest.delivery import Delivery
from bot.rest.server_roles import RoleStatus, ServerRoles
from tests.migrated import migrated
from tests.referee.stage import ANA, BEN, HERE, Table
from tests.referee.test_seasons import won
from tests.sqlite_store import SqliteStore

GUILD = HERE.guild
MOD = Person(99, "Mod")
GOLD, SILVER = 501, 500
BANDS = (Band(1050, GOLD), Band(900, SILVER))
"""of two newcomers the first win leads to 1069, and the first loss to 963"""


@dataclass
class Members:
    """Discord as far as roles go."""

    has: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    may: dict[int, RoleStatus] = field(default_factory=dict[int, RoleStatus])
    fates: list[CallResult] = field(default_factory=list[CallResult])
    """of the next calls, before all go well"""
    calls: list[tuple[int, int, bool]] = field(default_factory=list[tuple[int, int, bool]])
    budget: Any = field(default_factory=lambda: SimpleNamespace(free_share=1.0))
    asked: list[int] = field(default_factory=list[int])
    """the servers of which the roles were read"""

    async def read_roles(self, guild: int) -> Any:
        self.asked.append(guild)
        return SimpleNamespace(status=lambda role: self.may.get(role, RoleStatus.YES))  # pyright: ignore[reportUnknownLambdaType]

    async def set_role(self, guild: int, user: int, role: int, *, on: bool, why: str) -> CallResult:
        self.calls.append((user, role, on))
        fate = self.fates.pop(0) if self.fates else CallResult.DONE
        if fate is CallResult.DONE:
            (self.has.add if on else self.has.discard)((user, role))
        return fate


@dataclass
class Club:
    table: Table
    members: Members
    giver: RoleGiver

    async def decide(self, **fields: Any) -> None:
        known = await self.table.store.guild(GUILD)
        await self.table.referee.deciding.change(GUILD, MOD, known.version, **fields)

    async def due(self) -> list[Deadline]:
        """Looks that are owed."""
        return [one for one in await self.table.store.deadlines_of(f"roles {GUILD}") if one.kind is DeadlineKind.ROLES]

    async def bring(self) -> bool | timedelta:
        [one] = await self.due()
        done = await self.giver.bring(one)
        return done - self.table.clock.now() if isinstance(done, datetime) else done


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    store = await SqliteStore.open(migrated(tmp_path / "gops.sqlite3"))
    table, members = Table(store), Members()
    await table.referee.leaving.note_member(GUILD)
    club = Club(table, members, RoleGiver(table.referee, cast(Delivery, members)))
    await club.decide(bands=BANDS)
    yield club
    await store.close()


async def test_a_server_without_roles_by_rating_owes_nothing(tmp_path: Path) -> None:
    store = await SqliteStore.open(migrated(tmp_path / "gops.sqlite3"))
    table = Table(store)
    await won(table)
    assert await store.deadlines_of(f"roles {GUILD}") == []
    await store.close()


async def test_a_result_gives_and_a_void_takes(club: Club) -> None:
    """Each is looked at a moment after, by a deadline of the same write as the result."""
    for one in await club.due():
        await club.giver.bring(one)
    assert club.members.calls == []
    id = await club.table.start(cards=3)
    await club.table.seal(id, ANA.user, 2)
    await club.table.seal(id, BEN.user, 3)
    await club.table.referee.matches.resign(id, BEN.user)
    assert [one.due for one in await club.due()] == [club.table.clock.now() + SOON]
    assert await club.bring() is True
    assert club.members.has == {(ANA.user, GOLD), (BEN.user, SILVER)}
    assert await club.bring() is True
    assert len(club.members.calls) == 2, "what was given is not given again"
    await club.table.referee.moderating.unrate(GUILD, id, MOD, "a test")
    assert await club.bring() is True
    assert club.members.has == set()


async def test_the_next_band_comes_before_the_one_that_is_left(club: Club) -> None:
    await won(club.table)
    await club.bring()
    club.members.calls.clear()
    await won(club.table, BEN, ANA)
    await won(club.table, BEN, ANA)
    assert await club.bring() is True
    assert {*club.members.calls} >= {(BEN.user, GOLD, True), (BEN.user, SILVER, False)}
    gives = [place for place, call in enumerate(club.members.calls) if call[2]]
    takes = [place for place, call in enumerate(club.members.calls) if not call[2]]
    assert max(gives) < min(takes)
    assert len([one for one in club.members.has if one[0] == BEN.user]) == 1


async def test_a_crash_at_any_moment_leaves_nobody_with_two(club: Club) -> None:
    """Noted before Discord is asked: whoever may have got a role, and is in another band by then, loses it."""
    await won(club.table)
    await club.giver.referee.roles.note_giving(GUILD, RoleOf(ANA.user, SILVER))
    club.members.has.add((ANA.user, SILVER))  # and there the bot was killed
    assert await club.bring() is True
    assert club.members.has == {(ANA.user, GOLD), (BEN.user, SILVER)}
    await club.giver.referee.roles.note_giving(GUILD, RoleOf(ANA.user, GOLD))  # killed before it noted that it was done
    assert await club.bring() is True
    assert club.members.calls[-1] == (ANA.user, GOLD, True)


async def test_a_role_given_by_hand_is_never_taken(club: Club) -> None:
    club.members.has |= {(ANA.user, SILVER), (77, GOLD), (ANA.user, 9)}
    await won(club.table)
    await club.bring()
    await club.decide(bands=())
    await club.bring()
    assert club.members.has == {(ANA.user, SILVER), (77, GOLD), (ANA.user, 9)}
    assert {call[1] for call in club.members.calls} == {GOLD, SILVER}


@pytest.mark.parametrize(
    "may", [RoleStatus.ABOVE, RoleStatus.NO_RIGHT, RoleStatus.NEVER, RoleStatus.GONE, RoleStatus.UNKNOWN]
)
async def test_role_that_cannot_be_given_is_not_requested(club: Club, may: RoleStatus) -> None:
    """The other roles are; and it is looked again later, once the permission may be there."""
    club.members.may[GOLD] = may
    await won(club.table)
    assert await club.bring() == STUCK
    assert club.members.calls == [(BEN.user, SILVER, True)]
    club.members.may.clear()
    assert await club.bring() is True
    assert club.members.has == {(ANA.user, GOLD), (BEN.user, SILVER)}


async def test_a_role_that_is_gone_needs_no_taking(club: Club) -> None:
    await won(club.table)
    await club.bring()
    club.members.calls.clear()
    club.members.may[GOLD] = RoleStatus.GONE
    await club.decide(bands=BANDS[1:])
    assert await club.bring() is True
    assert club.members.calls == [(ANA.user, SILVER, True)]
    assert (await club.table.referee.roles.list_owed(GUILD)).take == []


@pytest.mark.parametrize("fate", [CallResult.FORBIDDEN, CallResult.ROLE_GONE])
async def test_a_refusal_is_not_asked_for_again_at_once(club: Club, fate: CallResult) -> None:
    await won(club.table)
    club.members.fates = [fate]
    assert await club.bring() == STUCK
    assert len(club.members.calls) == 2
    assert await club.bring() is True
    assert club.members.has == {(ANA.user, GOLD), (BEN.user, SILVER)}


async def test_person_who_left_is_not_looked_up_again(club: Club) -> None:
    await won(club.table)
    club.members.fates = [CallResult.MEMBER_GONE]
    assert await club.bring() is True
    assert await club.bring() is True
    assert club.members.calls == [(ANA.user, GOLD, True), (BEN.user, SILVER, True)]
    await club.table.store.write((NameMember(GUILD, BEN.user, "Ben", here=False),))
    club.members.fates = [CallResult.MEMBER_GONE]
    assert await club.bring() is True
    assert (await club.table.referee.roles.list_owed(GUILD)) == ([], [])


async def test_roles_wait_for_matches(club: Club) -> None:
    """No call while the budget is needed, few at a time, and none is lost by it."""
    await won(club.table)
    club.members.budget.free_share = 0.4
    assert await club.bring() == BUSY
    assert club.members.calls == []
    club.members.budget.free_share = 1.0
    club.members.fates = [CallResult.LATER]
    assert await club.bring() == BUSY
    await club.table.store.write(
        tuple(NoteRole(GUILD, user, SILVER, given=True) for user in range(1000, 1000 + 2 * AT_ONCE))
    )
    club.members.calls.clear()
    assert await club.bring() == PAUSE
    assert len(club.members.calls) == AT_ONCE
    while (more := await club.bring()) is not True:
        assert more == PAUSE
    assert len(club.members.calls) == 2 + 2 * AT_ONCE


async def test_where_the_bot_is_no_member_nothing_is_done(club: Club) -> None:
    await won(club.table)
    [owed] = await club.due()
    await club.table.referee.leaving.note_removed(GUILD)
    assert await club.giver.bring(owed) is True
    assert club.members.calls == club.members.asked == []
    await club.table.fire()
    assert await club.due() == []
    await club.table.referee.leaving.note_member(GUILD)
    assert len(await club.due()) == 1, "and looked at once it is back"


async def test_roles_of_a_season_follow_its_own_ratings(club: Club) -> None:
    """Roles go by the table that people see; when it is frozen a new one begins, with nobody in it."""
    await club.decide(seasons="monthly")
    await won(club.table)
    await club.bring()
    assert club.members.has == {(ANA.user, GOLD), (BEN.user, SILVER)}
    await club.table.fire()
    assert await club.due() == []
    club.table.clock.forward(10 * 24 * 3600)
    await club.table.sleeper.fire_due()
    assert await club.bring() is True
    assert club.members.has == set()


async def test_invalid_list_of_roles_is_refused(club: Club) -> None:
    for wrong in (
        (Band(1, 5), Band(1, 6)),
        (Band(1, 5), Band(2, 5)),
        (Band(0, 5),),
        (Band(10_000, 5),),
        (Band(5, 0),),
        (Band(5, 2**63),),
        tuple(Band(number, number) for number in range(1, 12)),
        ((5, 6),),
        [Band(5, 6)],
        "5",
    ):
        with pytest.raises(RefereeError) as refusal:
            await club.decide(bands=wrong)
        assert refusal.value.id == "bad-value"


def server_roles(**own: int) -> ServerRoles:
    """A server with roles at these positions by id; the bot has the role 3."""
    bots = {"permissions": own["permissions"], "position": own.get("position", 2), "managed": True}
    roles: dict[int, dict[str, Any]] = {7: {"position": 0}, 1: {"position": 1}, 2: {"position": 2}, 3: bots}
    roles[4] = {"position": 1, "managed": True}
    told = [{"id": str(id), "name": "", "permissions": "0", "managed": False, **role} for id, role in roles.items()]
    return ServerRoles(7, told, MEMBER)


MEMBER = {"roles": ["3"]}
MANAGE_ROLES, ADMINISTRATOR = 1 << 28, 1 << 3


@pytest.mark.parametrize("permissions", [MANAGE_ROLES, ADMINISTRATOR])
def test_bot_gives_roles_below_its_own_that_nothing_else_manages(permissions: int) -> None:
    roles = server_roles(permissions=permissions)
    found = {role: roles.status(role) for role in (1, 2, 4, 7, 9)}
    assert found == {
        1: RoleStatus.YES,
        2: RoleStatus.ABOVE,  # at the same position the older role is higher
        4: RoleStatus.NEVER,
        7: RoleStatus.NEVER,
        9: RoleStatus.GONE,
    }
    assert server_roles(permissions=permissions, position=3).status(2) is RoleStatus.YES


def test_bot_without_manage_roles_gives_no_role() -> None:
    assert server_roles(permissions=0).status(1) is RoleStatus.NO_RIGHT


async def test_roles_that_discord_does_not_tell_are_tried_again(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await won(club.table)

    async def silent(_: int) -> None:
        return None

    monkeypatch.setattr(club.members, "read_roles", silent)
    assert await club.bring() == STUCK
    assert club.members.calls == []
