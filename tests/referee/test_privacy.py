"""A person exports or erases their data: what they get, what goes, and what stays for the others."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from bot.errors import RefereeError
from bot.referee.lobby.setups import Wish
from bot.referee.model.model import FORMER
from bot.referee.model.participant import Person
from bot.referee.people.privacy import Erasure
from bot.referee.server.rating_rebuild import rebuild
from bot.referee.verify.check import verify
from bot.referee.verify.findings import Claims
from bot.solver.players.levels import SLY
from cogs.people.privacy import erase_question, split_files
from tests.referee.stage import ANA, BEN, CEM, HERE, Table
from tests.referee.test_leaving import finish


async def over(table: Table, **wish: Any) -> str:
    id = await table.start(cards=3, **wish)
    await table.play_out(id, [1, 2, 3], [2, 3, 1])
    return id


async def test_results_and_ratings_of_others_stay_after_an_erasure(table: Table) -> None:
    id = await over(table)
    table.clock.forward(1)
    other = await table.start((ANA, CEM), cards=3)
    for card in (1, 2):
        await table.seal(other, ANA.user, card)
        await table.seal(other, CEM.user, card + 1)
    published = (await table.referee.views.view(id)).record
    ratings = {one.user: one for one in await table.store.ratings(HERE.guild, "classic")}
    assert list((await table.referee.privacy.erase(ANA.user)).matches) == [id, other]
    after = {one.user: one for one in await table.store.ratings(HERE.guild, "classic")}
    assert after.keys() == {-1, BEN.user, CEM.user}
    assert (after[BEN.user], after[CEM.user]) == (ratings[BEN.user], ratings[CEM.user])
    assert (after[-1].mu, after[-1].sigma) == (ratings[ANA.user].mu, ratings[ANA.user].sigma)
    board = await table.referee.people.leaderboard(HERE.guild, BEN.user)
    assert [row.user for row in board.rows] == [CEM.user, BEN.user] or board.size == 2
    view = await table.referee.views.view(id)
    assert [seat.user for seat in view.seats] == [-1, BEN.user]
    assert [seat.name for seat in view.seats] == ["a former player", "Ben"]
    assert view.record == published
    [found] = await table.referee.people.history(HERE.guild, BEN.user, 0)
    assert found.people[0] == (-1, "a former player")


async def test_record_after_an_erasure_keeps_the_agreement_hash_and_the_seal(table: Table) -> None:
    id = await over(table)
    before = await table.referee.views.record(id)
    assert str(ANA.user) in json.dumps(before["fairness"]["agreement"]["players"])
    await table.referee.privacy.erase(ANA.user)
    for again in (False, True):  # the second to leave changes nothing of it
        if again:
            await table.referee.privacy.erase(BEN.user)
        record = await table.referee.views.record(id)
        assert set(record["fairness"]["agreement"]) == {"hash"}
        assert record["fairness"]["record"] == before["fairness"]["record"]
        assert record["deals"] == before["deals"]
        assert "Ana" not in json.dumps(record)
        noted = Claims(before["fairness"]["record"][:16], "", "")
        report = verify(record, noted)
        assert report.code == 3
        lines = "\n".join(one.line for one in report.findings)
        assert "✔ That is the match seal that you gave." in lines
        assert "The agreement was erased with a player's data" in lines
        assert verify(record, Claims("0" * 16, "", "")).code == 1
    assert "message  erased" in await table.referee.views.proof_sheet(id)
    live = await table.referee.live(id)
    assert len(await table.referee.views.tape(live)) > 2


async def test_two_erased_players_get_two_numbers(table: Table) -> None:
    await over(table)
    await table.referee.privacy.erase(ANA.user)
    await table.referee.privacy.erase(BEN.user)
    numbers = {one.user for one in await table.store.ratings(HERE.guild, "classic")}
    assert numbers == {-1, -2}
    assert (await table.referee.people.leaderboard(HERE.guild, CEM.user)).size == 0


async def test_erasure_resigns_live_matches_with_people(table: Table) -> None:
    id = await table.start(cards=5)
    for user, card in ((ANA.user, 1), (BEN.user, 2)):
        await table.seal(id, user, card)
    assert (await table.referee.privacy.preview_erase(ANA.user)).given_up == 1
    parted = await table.referee.privacy.erase(ANA.user)
    assert (list(parted.matches), list(parted.going)) == ([id], [])
    view = await table.referee.views.view(id)
    assert (view.over, view.outcome and view.outcome.winner) == (True, 1)
    assert [change.seat for change in view.changes] == [0, 1], "rated as resignations are"
    assert view.seats[0].user == -1


async def test_match_that_goes_on_loses_the_name_at_once_and_the_id_at_its_end(table: Table) -> None:
    id = await table.start((ANA, BEN, CEM), cards=5)
    for person, card in ((ANA, 1), (BEN, 2), (CEM, 3)):
        await table.seal(id, person.user, card)
    parted = await table.referee.privacy.erase(ANA.user)
    assert (list(parted.matches), list(parted.going)) == ([], [id])
    view = await table.referee.views.view(id)
    assert not view.over
    first = view.seats[0]
    assert (first.user, first.name, first.left) == (-1, FORMER, "resigned")
    assert (await table.referee.privacy.preview_erase(ANA.user)).given_up == 0
    await finish(table, id)
    stored = await table.store.match(id)
    assert stored is not None
    assert json.loads(stored.agreement).keys() == {"hash"}
    record = await table.referee.views.record(id)
    assert verify(record, Claims(record["fairness"]["record"][:16], "", "")).code == 3
    assert [one.user for one in await table.store.ratings(HERE.guild, "classic") if one.user < 0] == [-1]


async def test_rating_of_a_former_player_follows_a_later_void(table: Table) -> None:
    await over(table)
    after_one = await table.store.rating(HERE.guild, "classic", ANA.user)
    assert after_one is not None
    table.clock.forward(1)
    second = await over(table)
    await table.referee.privacy.erase(ANA.user)
    await table.referee.moderating.unrate(HERE.guild, second, CEM, "a slip")
    former = await table.store.rating(HERE.guild, "classic", -1)
    assert former is not None
    assert (former.played, former.mu) == (1, after_one.mu)
    assert (await rebuild(table.store, HERE.guild, "classic")).steps == ()


# --- the question -----------------------------------------------------------------------------------------


def test_erase_question_says_what_goes_and_what_stays() -> None:
    [said] = erase_question(Erasure(0, 0, 0, 0, 0), in_lesson=False).content.splitlines()
    assert "Your settings and your name are deleted now" in said
    assert 'Your matches, results and ratings stay, under the name "a former player".' in said
    assert "Other messages with your name stay: old challenges, shown sheets, DMs" in said


async def question(table: Table) -> list[str]:
    """Return the lines about Ana in her erase question, without the line that every such question has."""
    ends, lesson = await table.referee.privacy.preview_erase(ANA.user), await table.referee.lessons.load(ANA.user)
    return erase_question(ends, in_lesson=bool(lesson.bids)).content.splitlines()[1:]


async def begun(table: Table, *people: Person, **wish: Any) -> str:
    """A match in which a round was revealed."""
    id = await table.start((ANA, *people), cards=5, **wish)
    for user, card in [(ANA.user, 1)] + [(person.user, 2) for person in people]:
        await table.seal(id, user, card)
    return id


async def test_erase_question_lists_nothing_without_live_matches(table: Table) -> None:
    assert await question(table) == []


async def test_erase_question_says_that_a_match_without_a_round_does_not_count(table: Table) -> None:
    id = await table.start(cards=5)
    assert await question(table) == ["You give up 1 live match with other people. It does not count for the ratings."]
    await table.referee.privacy.erase(ANA.user)
    assert (await table.referee.views.view(id)).unrated == "stopped"


async def test_erase_question_counts_the_rated_live_matches(table: Table) -> None:
    """One match is stopped, one is unrated, one of two seats is a loss, and one of three seats goes on."""
    free = await table.start(cards=5)
    unrated = await begun(table, BEN, rated=False)
    lost, left = await begun(table, CEM), await begun(table, BEN, CEM)
    assert await question(table) == ["You give up 4 live matches with other people. 2 of them count for the ratings."]
    await table.referee.privacy.erase(ANA.user)
    assert [(await table.referee.views.view(id)).unrated for id in (free, unrated, lost)] == ["stopped", "asked", ""]
    await finish(table, left)
    assert len((await table.referee.views.view(left)).changes) == 3


async def test_erase_question_says_when_all_live_matches_count(table: Table) -> None:
    await begun(table, BEN)
    assert await question(table) == ["You give up 1 live match with other people. It counts for the ratings."]
    await begun(table, CEM)
    assert await question(table) == ["You give up 2 live matches with other people. All of them count for the ratings."]


async def test_erase_question_counts_a_fourth_match_stopped_at_its_start(table: Table) -> None:
    ids = [await table.start(people, cards=5) for people in ((ANA, BEN), (ANA, CEM)) for _ in range(2)]
    assert await question(table) == ["You give up 4 live matches with other people. 1 of them counts for the ratings."]
    await table.referee.privacy.erase(ANA.user)
    ends = [(await table.referee.views.view(id)).unrated for id in ids]
    assert (ends.count("stopped"), ends.count("")) == (3, 1)


async def test_erase_question_counts_at_most_five_matches_of_a_pair_a_day(table: Table) -> None:
    for _ in range(6):
        await begun(table, BEN)
    assert await question(table) == ["You give up 6 live matches with other people. 5 of them count for the ratings."]
    await table.referee.privacy.erase(ANA.user)
    rating = await table.store.rating(HERE.guild, "classic", BEN.user)
    assert rating is not None
    assert rating.played == 5


async def test_erase_question_names_lessons_practice_and_challenges_that_end(table: Table) -> None:
    await table.referee.lessons.bid(ANA.user, [2])
    assert await question(table) == ["This ends: your first match in *How it works*."]
    for _ in range(2):
        await table.referee.practice.begin(HERE, ANA, SLY, Wish())
    await table.referee.daily.begin(HERE, ANA)
    await table.referee.challenges.open(HERE, ANA, [BEN], Wish())
    await table.referee.challenges.open(HERE, CEM, [ANA], Wish())
    assert await question(table) == [
        "This ends: 2 practice matches, your daily deal and your first match in *How it works*.",
        "1 open challenge is withdrawn.",
    ]
    await table.referee.tables.open(HERE, ANA, 3, Wish())
    assert (await question(table))[-1] == "2 open challenges are withdrawn."


async def test_erasure_stops_practice_and_the_daily_deal(table: Table) -> None:
    practice = (await table.referee.practice.begin(HERE, ANA, SLY, Wish())).live.stored.id
    daily, _ = await table.referee.daily.begin(HERE, ANA)
    assert (await table.referee.privacy.preview_erase(ANA.user)).given_up == 0
    parted = await table.referee.privacy.erase(ANA.user)
    assert {*parted.matches} == {practice, daily.stored.id}
    assert (await table.referee.views.view(practice)).why == "erased"
    assert await table.store.live_of(ANA.user) == []


async def test_erasure_ends_challenges_and_tables_of_the_person(table: Table) -> None:
    hers = await table.referee.challenges.open(HERE, ANA, [BEN], Wish())
    his = await table.referee.challenges.open(HERE, CEM, [ANA], Wish())
    open_table = await table.referee.tables.open(HERE, ANA, 3, Wish())
    await table.referee.privacy.erase(ANA.user)
    for id in (hers.id, his.id, open_table.id):
        lobby = await table.store.lobby(id)
        assert lobby is not None
        assert lobby.state.name in ("WITHDRAWN", "DECLINED")
        assert all(one.user != ANA.user for one in lobby.people)
        assert lobby.host != ANA.user
    assert list(await table.store.invited(ANA.user)) == []


@pytest.mark.parametrize("accepts", [True, False])
async def test_erasure_removes_the_person_from_an_answered_challenge(table: Table, accepts: bool) -> None:
    lobby = await table.referee.challenges.open(HERE, BEN, [ANA, CEM], Wish(game="three-handed"))
    if accepts:
        await table.referee.challenges.accept(lobby.id, ANA.user)
    else:
        lobby = await table.referee.challenges.open(HERE, BEN, [ANA, CEM, Person(13, "Dan")], Wish(cards=4))
        await table.referee.challenges.decline(lobby.id, ANA.user)
    await table.referee.privacy.erase(ANA.user)
    after = await table.store.lobby(lobby.id)
    assert after is not None
    assert all(one.user != ANA.user for one in after.people)


async def test_rematch_with_a_former_player_is_refused(table: Table) -> None:
    id = await over(table)
    await table.referee.privacy.erase(ANA.user)
    with pytest.raises(RefereeError) as refused:
        await table.referee.challenges.rematch(id, BEN.user, [BEN], HERE, table.clock.now())
    assert refused.value.id == "rematch-former"


async def test_returning_player_begins_without_old_data(table: Table) -> None:
    await over(table)
    await table.referee.people.set_preferences(ANA.user, two_step=True)
    await table.referee.privacy.erase(ANA.user)
    assert not (await table.store.player(ANA.user)).two_step
    assert await table.store.rating(HERE.guild, "classic", ANA.user) is None
    await over(table)
    rating = await table.store.rating(HERE.guild, "classic", ANA.user)
    assert rating is not None
    assert rating.played == 1


async def test_export_is_allowed_once_an_hour(table: Table) -> None:
    id = await over(table)
    kept = await table.referee.privacy.export(ANA.user)
    assert [one["id"] for one in kept["matches"]] == [id]
    with pytest.raises(RefereeError) as refused:
        await table.referee.privacy.export(ANA.user)
    assert refused.value.data["t"] == table.clock.now() + timedelta(hours=1)
    table.clock.forward(3600)
    await table.referee.privacy.export(ANA.user)


def test_export_larger_than_an_upload_comes_in_parts() -> None:
    rows = [{"match": f"M{number}", "choice": "x" * 90} for number in range(100)]
    kept = {"about": "all of it", "user": "7", "seats": [{"seat": 1}], "decisions": rows}
    assert [json.loads(part) for part in split_files(kept)] == [kept]
    parts = [json.loads(part) for part in split_files(kept, 3000)]
    assert len(parts) > 4
    assert all(len(part) <= 3000 for part in split_files(kept, 3000))
    assert all((part["about"], part["user"]) == ("all of it", "7") for part in parts)
    assert [row for part in parts for row in part.get("decisions", ())] == rows
