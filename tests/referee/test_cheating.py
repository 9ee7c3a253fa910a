"""A host who can write to the database cheats: what stops the match, what shows, and what the record says."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from bot.errors import RefereeError
from bot.referee.model.changes import PutSeal
from bot.referee.model.model import BROKEN_SEAL, LobbyState, Seal, StoredMatch
from bot.referee.proof import version2 as v2
from bot.referee.repository.live import Live
from bot.referee.repository.view_builder import lobby_view
from bot.referee.verify.check import verify, verify_text
from bot.referee.verify.findings import Claims
from tests.referee.stage import ANA, BEN, CEM, HERE, Table
from tests.referee.test_leaving import finish

CARDS = {"cards": 4, "ties": "discard"}


async def sealed(table: Table, id: str, user: int) -> Seal:
    stored = await table.store.match(id)
    assert stored is not None
    seat = stored.seat_of(user)
    return next(one for one in stored.sealed if one.seat == seat)


async def stored_of(table: Table, id: str) -> StoredMatch:
    found = await table.store.match(id)
    assert found is not None
    return found


async def tampered(table: Table, id: str, seal: Seal) -> Table:
    """Somebody writes into the database, and the bot is started again."""
    await table.store.write((PutSeal(id, (await stored_of(table, id)).prompt, seal),))
    return Table(table.store, table.clock, "again")


# --- before the reveal ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["choice", "salt", "digest", "unreadable"])
async def test_bid_changed_in_the_database_stops_the_match(table: Table, what: str) -> None:
    id = await table.start(**CARDS)
    await table.seal(id, ANA.user, 4)
    true = await sealed(table, id, ANA.user)
    changed: dict[str, Any] = {"choice": 1, "salt": bytes(16), "digest": bytes(32), "unreadable": "♠"}
    field = "choice" if what == "unreadable" else what
    again = await tampered(table, id, replace(true, **{field: changed[what]}))
    view, _ = await again.seal(id, BEN.user, 2)
    assert view.over
    assert view.why == BROKEN_SEAL
    assert view.outcome is not None
    assert not view.outcome.termination.counts
    assert view.seen.rounds == ()
    stored = await stored_of(table, id)
    assert [deal.decisions for deal in stored.deals] == [()]
    kept = {(one.seat, one.digest) for one in await table.store.earlier_seals(id)}
    assert (0, bytes(32) if what == "digest" else true.digest) in kept, "what was shown stays in the sheet"


async def test_bid_with_a_chosen_salt_stops_the_match(table: Table) -> None:
    """Choice, salt and digest fit each other, but the nonce gives another salt."""
    id = await table.start(**CARDS)
    await table.seal(id, ANA.user, 4)
    true = await sealed(table, id, ANA.user)
    forged = replace(true, choice=1, salt=bytes(16), digest=v2.seal_digest(bytes(16), id, (0, 0, 0), 0, 1))
    again = await tampered(table, id, forged)
    view, _ = await again.seal(id, BEN.user, 2)
    assert view.over
    assert view.why == BROKEN_SEAL


async def test_replaced_bid_shows_other_digits_than_the_board_did(table: Table) -> None:
    """Choice, salt and digest fit each other, but the seal on the board appears nowhere in the record."""
    id = await table.start(**CARDS)
    shown, _ = await table.seal(id, ANA.user, 4)
    stored = await stored_of(table, id)
    salt = v2.salt(stored.nonce, v2.agreement_hash(stored.agreement), (0, 0, 0), 0, 0)
    forged = replace(await sealed(table, id, ANA.user), choice=1, digest=v2.seal_digest(salt, id, (0, 0, 0), 0, 1))
    again = await tampered(table, id, forged)
    await again.seal(id, BEN.user, 2)
    await finish(again, id)
    record = await again.referee.views.record(id)
    assert verify(record).code == 0, "the file alone cannot tell"
    assert shown.seats[0].seal[:8] not in json.dumps(record), "but what somebody noted is not in it"
    assert shown.seats[0].seal[:8] not in await again.referee.views.proof_sheet(id)


async def test_exported_seals_are_the_seals_that_were_shown(table: Table) -> None:
    """A digest changed after the reveal is exported unchanged and fails verification."""
    id = await table.start(**CARDS)
    told: list[str] = []
    for card in (4, 3, 2):
        view, _ = await table.seal(id, ANA.user, card)
        told.append(view.seats[0].seal)
        await table.seal(id, BEN.user, card)
    record = await table.referee.views.record(id)
    assert [one[5] for one in record["fairness"]["seals"] if one[3] == 0] == told
    live = await table.referee.live(id)
    first, *rest = live.stored.deals[0].decisions
    deals = (replace(live.stored.deals[0], decisions=(replace(first, choice=3), *rest)),)
    from bot.referee.repository.view_builder import record_data

    forged = record_data(Live(replace(live.stored, deals=deals), live.match, live.turns))
    assert "Round 1, seat 1" in " ".join(one.what for one in verify(forged).findings if not one.holds)


async def test_bid_can_be_changed_at_most_fifteen_times(table: Table) -> None:
    id = await table.start(**CARDS)
    for number in range(v2.MOST_SEALS):
        await table.seal(id, ANA.user, 1 + number % 4)
    assert (await sealed(table, id, ANA.user)).n == 15
    with pytest.raises(RefereeError) as refused:
        await table.seal(id, ANA.user, 1)
    assert (refused.value.id, refused.value.data) == ("too-many-changes", {"card": "4", "n": 15})
    seals = await table.referee.views.list_seals(id)
    assert [(one.seat, one.n, one.state) for one in seals] == [
        *((0, n, "earlier") for n in range(15)),
        (0, 15, "sealed"),
    ]
    assert len({one.digest for one in seals}) == 16
    await table.seal(id, BEN.user, 1)
    await finish(table, id)
    report = verify(await table.referee.views.record(id))
    assert report.code == 0


async def test_seals_of_a_player_who_left_stay_in_the_sheet(table: Table) -> None:
    id = await table.start((ANA, BEN, CEM), **CARDS)
    for person, card in ((ANA, 1), (BEN, 2), (CEM, 3)):
        await table.seal(id, person.user, card)
    view, _ = await table.seal(id, CEM.user, 4)
    await table.referee.matches.resign(id, CEM.user)
    seals = await table.referee.views.list_seals(id)
    assert [one.digest for one in seals if (one.seat, one.state) == (2, "earlier")] == [view.seats[2].seal]


# --- before the match begins --------------------------------------------------------------------------------------


async def test_opening_stays_the_same_from_challenge_to_record(table: Table) -> None:
    lobby = await table.referee.challenges.open(HERE, ANA, [BEN], _wish())
    shown = lobby_view(lobby).opening
    assert shown == v2.opening(lobby.id, lobby.nonce)
    await table.referee.challenges.accept(lobby.id, BEN.user, 900)
    assert (await table.referee.views.view(lobby.id)).opening == shown
    await table.round(lobby.id, 1, 2)
    await finish(table, lobby.id)
    view, record = await table.referee.views.view(lobby.id), await table.referee.views.record(lobby.id)
    assert (view.opening, view.record) == (shown, record["fairness"]["record"])
    noted = Claims(view.record[:16], shown[:16], "900")
    assert verify_text(json.dumps(record), noted).code == 0
    agreed = record["fairness"]["agreement"]
    assert (agreed["message"], agreed["players"], agreed["clock"], agreed["rated"]) == ("900", ["10", "11"], 120, True)


def _wish() -> Any:
    from bot.referee.lobby.setups import Wish

    return Wish(cards=4, ties="discard", clock=120)


async def test_challenge_cannot_be_accepted_before_its_message_is_known(table: Table) -> None:
    """The agreement names the message that shows the opening."""
    lobby = await table.referee.challenges.open(HERE, ANA, [BEN], _wish())
    with pytest.raises(RefereeError, match="not-shown-yet"):
        await table.referee.challenges.accept(lobby.id, BEN.user)
    assert await table.store.match(lobby.id) is None
    kept = await table.store.lobby(lobby.id)
    assert kept is not None
    assert kept.state is LobbyState.OPEN
    assert isinstance(await table.referee.challenges.accept(lobby.id, BEN.user, 900), Live)


async def test_agreement_keeps_the_first_known_message(table: Table) -> None:
    lobby = await table.referee.challenges.open(HERE, ANA, [BEN, CEM], _wish())
    await table.referee.challenges.accept(lobby.id, BEN.user, 900)
    live = await table.referee.challenges.accept(lobby.id, CEM.user, 901)
    assert isinstance(live, Live)
    assert json.loads(live.stored.agreement)["message"] == "900"


async def test_challenge_ends_when_its_message_is_deleted(table: Table) -> None:
    lobby = await table.referee.challenges.open(HERE, ANA, [BEN], _wish())
    gone = await table.referee.lobbies.end_deleted(lobby.id)
    assert gone is not None
    assert gone.state is LobbyState.DELETED
    with pytest.raises(RefereeError) as refused:
        await table.referee.challenges.accept(lobby.id, BEN.user, 900)
    assert refused.value.data["how"] == "deleted"
    assert await table.referee.lobbies.end_deleted(lobby.id) is None, "once"
    again = await table.referee.challenges.open(HERE, ANA, [BEN], _wish())
    assert (again.id, again.nonce) != (lobby.id, lobby.nonce)


async def test_seats_of_a_table_do_not_follow_the_order_of_joining(table: Table) -> None:
    tables = table.referee.tables
    lobby = await tables.open(HERE, CEM, 3, _wish())
    await tables.join(lobby.id, BEN, 900)
    live = await tables.join(lobby.id, ANA, 900)
    assert isinstance(live, Live)
    assert [one.name for one in live.stored.seats] == ["Ana", "Ben", "Cem"]
    assert json.loads(live.stored.agreement)["players"] == ["10", "11", "12"]
