"""Moderation of a match or a person: the result, the ratings after it, the record, the audit log."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import permutations
from typing import Any

import pytest

from bot.engine.match import Termination
from bot.errors import RefereeError
from bot.referee.lobby.setups import Wish
from bot.referee.model.changes import SaveRating
from bot.referee.model.participant import Person
from bot.referee.model.people import Rating
from bot.referee.server.moderation import LONGEST_REASON
from bot.referee.server.rating_rebuild import rebuild
from bot.referee.verify.check import verify
from bot.solver.players.levels import SLY
from tests.referee.stage import ANA, BEN, CEM, HERE, Table

MOD = Person(99, "Mod")
GUILD = HERE.guild
FIRST, SECOND = (1, 2, 3), (2, 3, 1)


async def table_of(table: Table, pool: str = "classic") -> list[Rating]:
    return list(await table.store.ratings(GUILD, pool))


async def played(table: Table, ana: Sequence[int] = FIRST, ben: Sequence[int] = SECOND, **wish: Any) -> str:
    id = await table.start(cards=3, **wish)
    await table.play_out(id, ana, ben)
    table.clock.forward(3600 * 25)
    return id


# --- stopped ----------------------------------------------------------------------------------------------


async def test_stopped_match_is_unrated_and_shows_the_reason(table: Table) -> None:
    id = await table.start(cards=3)
    await table.seal(id, ANA.user, 2)
    view = await table.referee.moderating.stop(GUILD, id, MOD, "  spam,\n\tagain ")
    assert (view.over, view.reason, view.why, view.unrated) == (True, "spam, again", "moderator", "stopped")
    assert view.outcome is not None
    assert view.outcome.termination is Termination.ABORTED
    stored = await table.store.match(id)
    assert stored is not None
    assert (stored.reason, stored.sealed, await table_of(table)) == ("spam, again", (), [])
    [audit] = await table.store.audits(GUILD, 9)
    assert (audit.what, audit.match, audit.after, audit.user, audit.version) == ("stop", id, "spam, again", 99, 0)
    record = await table.referee.views.record(id)
    assert "why" not in record["ending"]
    assert "spam" not in str(record)
    with pytest.raises(RefereeError, match="admin-over"):
        await table.referee.moderating.stop(GUILD, id, MOD, "again")


@pytest.mark.parametrize("reason", ["", "   ", "\n\t\u202e\u200b", "\0"])
async def test_moderation_without_a_reason_is_refused(table: Table, reason: str) -> None:
    id = await table.start(cards=3)
    for act in (table.referee.moderating.stop, table.referee.moderating.unrate):
        with pytest.raises(RefereeError, match="reason-needed"):
            await act(GUILD, id, MOD, reason)
    assert (await table.referee.live(id)).stored.live
    assert (await table.referee.moderating.ban(HERE, MOD, ANA, timedelta(hours=1), reason)).reason == "", (
        "a ban needs none"
    )


async def test_long_reason_is_cut_to_the_limit(table: Table) -> None:
    view = await table.referee.moderating.stop(GUILD, await table.start(), MOD, "x" * 5000)
    assert view.reason == "x" * LONGEST_REASON


async def test_moderators_cannot_stop_matches_of_other_servers_or_private_practice(table: Table) -> None:
    id = await table.start()
    with pytest.raises(RefereeError, match="elsewhere"):
        await table.referee.moderating.stop(GUILD + 1, id, MOD, "no")
    alone = (await table.referee.practice.begin(HERE, ANA, SLY, Wish())).live.stored.id
    with pytest.raises(RefereeError, match="private-others"):
        await table.referee.moderating.stop(GUILD, alone, MOD, "no")
    with pytest.raises(RefereeError, match="unknown-match"):
        await table.referee.moderating.stop(GUILD, "ZZZZ", MOD, "no")
    assert await table.store.audits(GUILD, 9) == []


# --- decided ----------------------------------------------------------------------------------------------


async def test_decided_match_is_won_and_rated(table: Table) -> None:
    id = await table.start(cards=3)
    await table.round(id, 1, 3)
    view = await table.referee.moderating.decide(GUILD, id, MOD, ANA.user, "Ben is on holiday")
    assert view.outcome is not None
    assert (view.outcome.winner, view.why, view.unrated) == (0, "decided", "")
    assert [(one.user, one.won, one.lost) for one in await table_of(table)] == [(ANA.user, 1, 0), (BEN.user, 0, 1)]
    [audit] = await table.store.audits(GUILD, 9)
    assert (audit.what, audit.about) == ("decide", ANA.user)


async def test_decided_draw_is_a_draw_for_every_seat(table: Table) -> None:
    id = await table.start((ANA, BEN, CEM), cards=3)
    view = await table.referee.moderating.decide(GUILD, id, MOD, 0, "even")
    assert view.outcome is not None
    assert (view.outcome.winner, view.outcome.placings) == (None, (1, 1, 1))
    assert [one.drawn for one in await table_of(table)] == [1, 1, 1]


@pytest.mark.parametrize("winner", [ANA, BEN, CEM])
@pytest.mark.parametrize("sealed", [(), (ANA,), (ANA, BEN)])
async def test_sealed_bids_do_not_change_a_decided_result(
    table: Table, winner: Person, sealed: tuple[Person, ...]
) -> None:
    """In the last round a reveal would end the match otherwise, because the others have nearly won."""
    id = await table.start((ANA, BEN, CEM), cards=2)
    for person in sealed:
        await table.seal(id, person.user, 2)
    view = await table.referee.moderating.decide(GUILD, id, MOD, winner.user, "so be it")
    assert view.outcome is not None
    seat = next(seat.seat for seat in view.seats if seat.user == winner.user)
    assert view.outcome.winner == seat
    again = await table.referee.reload(id)
    assert again.match.outcome() == view.outcome, "as it is replayed from the store"
    assert again.stored.sealed == ()


async def test_seats_behind_forfeit_first_when_a_winner_is_decided(table: Table) -> None:
    id = await table.start((ANA, BEN, CEM), cards=4)
    for user, card in ((ANA.user, 4), (BEN.user, 3), (CEM.user, 2)):
        await table.seal(id, user, card)
    behind, ahead = sorted((1, 2), key=lambda seat: (table_totals(table, id)[seat], seat))
    view = await table.referee.moderating.decide(GUILD, id, MOD, ANA.user, "so be it")
    assert view.outcome is not None
    assert view.outcome.placings is not None
    assert view.outcome.placings[behind] >= view.outcome.placings[ahead] > 1


def table_totals(table: Table, id: str) -> Sequence[object]:
    known = table.referee.find_cached(id)
    assert known is not None
    return known.match.totals


async def test_record_of_a_decided_match_verifies_and_names_no_moderator(table: Table) -> None:
    for people in ((ANA, BEN), (ANA, BEN, CEM)):
        id = await table.start(people, cards=4)
        for person in people:
            await table.seal(id, person.user, 2 + people.index(person) % 2)
        await table.referee.moderating.decide(GUILD, id, MOD, BEN.user, "Ana is away")
        record = await table.referee.views.record(id)
        assert "why" not in str(record)
        assert verify(record).code in (0, 3), people
        await table.referee.moderating.unrate(GUILD, id, MOD, "next")


async def test_decided_winner_must_sit_in_the_match(table: Table) -> None:
    id = await table.start((ANA, BEN, CEM), cards=3)
    with pytest.raises(RefereeError, match="winner-not-in"):
        await table.referee.moderating.decide(GUILD, id, MOD, MOD.user, "me")
    assert (await table.referee.live(id)).stored.live


# --- unrated -------------------------------------------------------------------------------------------------


async def test_void_match_leaves_no_trace_in_the_ratings(table: Table) -> None:
    """The ratings equal, to the last digit, those without the match."""
    first = await played(table)
    await table.referee.moderating.unrate(GUILD, first, MOD, "for good")
    assert await table_of(table) == []
    second = await played(table, SECOND, FIRST)
    wanted, entries = await table_of(table), await table.store.rating_history(GUILD, "classic", 0)
    # the same with one in between that is then taken out
    spoiled = await table.start((BEN, CEM), cards=3)
    await table.seal(spoiled, BEN.user, 3)
    await table.seal(spoiled, CEM.user, 2)
    await table.referee.matches.resign(spoiled, CEM.user)
    assert await table_of(table) != wanted
    view = await table.referee.moderating.unrate(GUILD, spoiled, MOD, "bought")
    assert (view.unrated, view.reason) == ("moderator", "bought")
    assert await table_of(table) == wanted
    assert await table.store.rating_history(GUILD, "classic", 0) == entries
    assert (await table.referee.views.view(second)).unrated == ""
    assert (await rebuild(table.store, GUILD, "classic")).steps == ()


async def test_matches_after_a_void_match_are_rated_again(table: Table) -> None:
    first = await played(table)
    await played(table, SECOND, FIRST)
    other = Table(table.store, table.clock)
    await other.referee.moderating.unrate(GUILD, first, MOD, "by another process")
    after = await rebuild(table.store, GUILD, "classic")
    assert (after.matches, after.people, after.steps) == (1, 2, ())
    for one in await table_of(table):
        assert one.played == 1
    third = await played(table, FIRST, SECOND)
    assert (await rebuild(table.store, GUILD, "classic")).steps == ()
    assert (await table.store.match(third)) is not None


async def test_rebuild_keeps_the_order_of_matches_that_ended_at_the_same_time(table: Table) -> None:
    """A clock that stands still or goes back does not change the numbers of a rebuild."""
    for pair in permutations((ANA, BEN, CEM), 2):
        id = await table.start(pair, cards=3)
        for one, card in zip(pair, (1, 3), strict=True):
            await table.seal(id, one.user, card)
        table.clock.forward(-5)
        await table.referee.matches.resign(id, pair[1].user)
    assert len(await table_of(table)) == 3
    assert (await rebuild(table.store, GUILD, "classic")).steps == ()


async def test_match_that_ends_during_a_rebuild_is_rated(table: Table) -> None:
    first, second = await played(table), await table.start(cards=3)
    await table.seal(second, ANA.user, 1)
    await table.seal(second, BEN.user, 3)
    await asyncio.gather(
        table.referee.moderating.unrate(GUILD, first, MOD, "meanwhile"),
        table.referee.matches.resign(second, BEN.user),
    )
    assert [one.played for one in await table_of(table)] == [1, 1]
    assert (await rebuild(table.store, GUILD, "classic")).steps == ()


async def test_live_unrated_and_void_matches_cannot_be_voided(table: Table) -> None:
    live = await table.start(cards=3)
    with pytest.raises(RefereeError, match="admin-live"):
        await table.referee.moderating.unrate(GUILD, live, MOD, "no")
    await table.referee.moderating.stop(GUILD, live, MOD, "no")
    with pytest.raises(RefereeError, match="unrate-needless"):
        await table.referee.moderating.unrate(GUILD, live, MOD, "no")
    rated = await played(table)
    await table.referee.moderating.unrate(GUILD, rated, MOD, "once")
    with pytest.raises(RefereeError, match="unrate-twice"):
        await table.referee.moderating.unrate(GUILD, rated, MOD, "twice")
    assert [one.what for one in await table.store.audits(GUILD, 9)] == ["unrate", "stop"]


async def test_rebuild_repairs_a_changed_rating(table: Table) -> None:
    await played(table)
    right = await table_of(table)
    await table.store.write((SaveRating(replace(right[0], mu=99.0, won=7), None),))
    found = await rebuild(table.store, GUILD, "classic")
    assert (found.moved, len(found.steps)) == (1, 1)
    await table.store.write(found.steps)
    assert await table_of(table) == right


# --- banned -----------------------------------------------------------------------------------------------


async def test_banned_person_can_play_nothing_here_until_the_ban_ends(table: Table) -> None:
    referee = table.referee
    waiting = await referee.challenges.open(HERE, ANA, (BEN,), Wish(cards=3))
    open_table = await referee.tables.open(HERE, CEM, 3, Wish(game="classic", cards=3))
    live = await table.start((BEN, CEM), cards=3)
    ban = await referee.moderating.ban(HERE, MOD, BEN, timedelta(hours=1), "rude")
    refused = []
    for work in (
        lambda: referee.challenges.accept(waiting.id, BEN.user, 900),
        lambda: referee.tables.join(open_table.id, BEN, 900),
        lambda: referee.challenges.open(HERE, BEN, (CEM,), Wish()),
        lambda: referee.tables.open(HERE, BEN, 2, Wish()),
        lambda: referee.practice.begin(HERE, BEN, SLY, Wish()),
    ):
        with pytest.raises(RefereeError) as refusal:
            await work()
        refused.append((refusal.value.id, refusal.value.data))
    assert refused == [("banned-here", {"t": ban.until, "reason": "rude"})] * 5
    with pytest.raises(RefereeError, match="banned-them"):
        await referee.challenges.open(HERE, ANA, (CEM, BEN), Wish(cards=3))
    await table.seal(live, BEN.user, 3)
    await referee.challenges.open(replace(HERE, guild=7), ANA, (BEN,), Wish(cards=3))
    table.clock.forward(3599)
    with pytest.raises(RefereeError, match="banned-here"):
        await referee.tables.open(HERE, BEN, 2, Wish())
    table.clock.forward(1)
    await referee.tables.open(HERE, BEN, 2, Wish())


async def test_challenge_does_not_start_with_a_person_banned_after_accepting(table: Table) -> None:
    """The last person to accept reads why no match begins."""
    referee = table.referee
    lobby = await referee.challenges.open(HERE, ANA, (BEN, CEM), Wish(cards=3))
    await referee.challenges.accept(lobby.id, BEN.user, 900)
    await referee.moderating.ban(HERE, MOD, BEN, timedelta(hours=1), "rude")
    with pytest.raises(RefereeError, match="banned-them"):
        await referee.challenges.accept(lobby.id, CEM.user, 900)
    assert await table.store.match(lobby.id) is None


async def test_unbanred_person_can_play_again(table: Table) -> None:
    moderating = table.referee.moderating
    with pytest.raises(RefereeError, match="not-banned"):
        await moderating.unban(HERE, MOD, BEN)
    await moderating.ban(HERE, MOD, BEN, timedelta(hours=1), "rude")
    await moderating.unban(HERE, MOD, BEN)
    await table.start(cards=3)
    assert [(one.what, one.about) for one in await table.store.audits(GUILD, 9)] == [("unban", 11), ("ban", 11)]


async def test_ban_outlives_erased_data_and_its_end_deletes_the_id(table: Table) -> None:
    referee = table.referee
    made = await referee.moderating.ban(HERE, MOD, BEN, timedelta(hours=2), "rude")
    await referee.moderating.ban(HERE, MOD, CEM, timedelta(days=1), "rude, too")
    assert [one.until for one in await referee.privacy.bans(BEN.user)] == [made.until]
    await referee.privacy.erase(BEN.user)
    with pytest.raises(RefereeError) as refused:
        await referee.tables.open(HERE, BEN, 2, Wish())
    assert (refused.value.id, refused.value.data) == ("banned-bare", {"t": made.until})
    table.clock.forward(2 * 3600)
    await table.fire()
    assert [one.user for one in await table.store.bans(GUILD)] == [CEM.user]
    table.clock.forward(24 * 3600)
    await table.fire()
    assert (await table.store.bans(GUILD), await table.store.deadlines_of(f"bans {GUILD}")) == ([], [])


@pytest.mark.parametrize("length", [timedelta(), timedelta(days=-1), timedelta(days=367)])
async def test_ban_longer_or_shorter_than_allowed_is_refused(table: Table, length: timedelta) -> None:
    with pytest.raises(RefereeError, match="bad-value"):
        await table.referee.moderating.ban(HERE, MOD, BEN, length, "for ever")
