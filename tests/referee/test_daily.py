"""The daily deal: the same for everybody, played once, on its day, with a proof."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from unittest.mock import AsyncMock

import pytest

from bot.engine.cards import rank
from bot.engine.variants import DEFAULT
from bot.engine.view import observe
from bot.errors import RefereeError
from bot.referee.house.coach import Coach, refuse_help
from bot.referee.house.daily import DailyGame, best_margin
from bot.referee.house.lesson import PRIZES
from bot.referee.house.lesson import find_best as best_lesson
from bot.referee.model.daily import DailyRanking, longest_streak, streak
from bot.referee.model.participant import Person, Place
from bot.referee.proof import version2 as v2
from bot.referee.repository.live import Live
from bot.referee.repository.match_repository import INTERACTION, HandledInteraction
from bot.referee.verify.check import verify
from bot.referee.verify.findings import Claims
from bot.solver.exact.position import Position
from bot.solver.players.chance import Chance
from bot.solver.players.levels import Question, find_level
from bot.ui.screens.board import render_board
from tests.cogs.ui.reading import plain, read
from tests.referee.stage import ANA, BEN, CEM, HERE, Table
from tests.sqlite_store import SqliteStore

DAY = date(2026, 11, 21)
PLAN = (4, 7, 2, 6, 1, 5)


async def begin(table: Table, person: Person = ANA, place: Place = HERE) -> Live:
    live, _ = await table.referee.daily.begin(place, person)
    return live


async def play(table: Table, person: Person = ANA, plan: Sequence[int] = PLAN) -> Live:
    """To its end: the last card plays itself."""
    id = (await begin(table, person)).stored.id
    for card in plan:
        await table.seal(id, person.user, card)
    return await table.referee.live(id)


async def ranking_of(table: Table, person: Person = ANA, day: date = DAY) -> DailyRanking:
    return await table.referee.daily.rank(HERE.guild, day, person.user)


def bids(live: Live) -> list[object]:
    return [decision.choice for deal in live.stored.deals for decision in deal.decisions]


async def test_equal_play_in_the_daily_deal_gets_equal_answers_and_scores(table: Table) -> None:
    ana = await play(table, ANA)
    ben = await play(table, BEN)
    cem = await play(table, CEM, (7, 6, 5, 4, 3, 2))
    assert ana.stored.id != ben.stored.id
    assert ana.stored.agreement == ben.stored.agreement == cem.stored.agreement
    assert (bids(ana), ana.stored.totals) == (bids(ben), ben.stored.totals)
    assert ana.stored.deals[0].zones == cem.stored.deals[0].zones
    assert bids(cem) != bids(ana)
    agreed = json.loads(ana.stored.agreement)
    assert (agreed["match"], agreed["message"]) == ("D20261121-1", "0")
    assert agreed["players"] == ["anybody", "house:reader"]
    opened = [(await table.referee.views.view_live(live)).opening for live in (ana, ben)]
    assert opened == [agreed["opening"]] * 2
    elsewhere = await begin(table, ANA, Place(5, 6))
    assert elsewhere.stored.agreement != ana.stored.agreement


async def test_two_presses_at_once_begin_one_daily_try(table: Table) -> None:
    both = await asyncio.gather(begin(table), begin(table), begin(table, BEN))
    assert both[0].stored.id == both[1].stored.id != both[2].stored.id
    await play(table)
    again, new = await table.referee.daily.begin(HERE, ANA)
    assert (again.stored.id, new, again.stored.live) == (both[0].stored.id, False, False)
    with pytest.raises(RefereeError, match="server-only"):
        await begin(table, ANA, Place(0, 3))


def in_deal(live: Live, cards: int = 7) -> Position:
    """The first position of a daily deal, or one with so many cards to which bids can lead from there."""
    state = live.match.state
    assert state is not None
    [up] = map(int, state.exposed)
    if cards == 7:
        return Position(tuple(range(1, 8)), tuple(range(1, 8)), tuple(range(1, 8)), up)
    left = tuple(prize for prize in range(1, 8) if prize != up)[:cards]
    return Position(tuple(range(1, cards + 1)), tuple(range(8 - cards, 8)), left, left[0])


async def test_analysis_is_refused_only_for_positions_of_the_open_daily_deal(table: Table) -> None:
    """Another deal, other cards and spent prizes give no help in the daily deal."""
    live = await begin(table)
    first, later = in_deal(live), in_deal(live, 3)
    other = next(prize for prize in first.prizes if prize != first.up)
    open_ones = (
        replace(first, up=other),
        replace(later, mine=(1, 2, 8)),
        replace(later, prizes=(first.up or 0, *later.prizes[1:]), up=None),
        Position((1, 2), (1, 2), (9, 10)),
    )
    for here in open_ones:
        await refuse_help(table.store, ANA.user, here)
    mirrored = replace(later, mine=later.theirs, theirs=later.mine)
    with pytest.raises(RefereeError, match="analysis-daily"):
        await refuse_help(table.store, ANA.user, mirrored)
    await table.seal(live.stored.id, ANA.user, 4)
    with pytest.raises(RefereeError, match="analysis-daily"):
        await refuse_help(table.store, ANA.user, Position((1, 2), (1, 2), later.prizes[:2]))
    await refuse_help(table.store, ANA.user, replace(later, mine=(1, 2, 4), theirs=(3, 4, 5)))  # the 4 is spent
    await refuse_help(table.store, BEN.user, first)


async def test_daily_table_and_deal_are_hidden_before_ones_own_try(table: Table) -> None:
    with pytest.raises(RefereeError, match="daily-first"):
        await ranking_of(table)
    live = await begin(table)
    with pytest.raises(RefereeError, match="daily-first"):
        await ranking_of(table)
    for here in (in_deal(live), in_deal(live, 3), replace(in_deal(live, 3), ties="carry")):
        with pytest.raises(RefereeError, match="analysis-daily"):
            await refuse_help(table.store, ANA.user, here)
    with pytest.raises(RefereeError, match="analysis-daily"):
        await table.referee.hints.before_bid(live.stored.id, ANA.user, live.stored.prompt)
    assert not (await table.referee.views.view_live(live, ANA.user)).coached
    deal = await table.store.daily_deal(HERE.guild, DAY)
    assert deal is not None
    game = await table.referee.daily.game(HERE.guild, DAY)
    for told in (repr(deal), repr(game), repr(live.stored)):
        assert deal.nonce.hex() not in told
        assert repr(deal.nonce) not in told
    with pytest.raises(RefereeError, match="daily-spoils"):
        table.referee.daily.check_shown(DAY)
    table.clock.forward(86_400)
    table.referee.daily.check_shown(DAY)


async def test_daily_record_has_the_nonce_from_the_next_day_on(table: Table) -> None:
    live = await play(table)
    nonce = live.stored.nonce.hex()
    record = await table.referee.views.record(live.stored.id)
    view = await table.referee.views.view_live(live)
    digits = await table.referee.views.proof_sheet(live.stored.id)
    assert "nonce" not in record["fairness"]
    assert nonce not in json.dumps(record) + digits
    assert not any(one.salt.hex() in digits for deal in live.stored.deals for one in deal.decisions if one.salt)
    noted = Claims(record=view.record[:16], opening=view.opening[:16], message="")
    today = verify(record, noted)
    assert today.code == 3
    assert any("stays secret until its day is over" in one.line for one in today.findings)
    table.clock.time = datetime(2026, 11, 22, tzinfo=UTC)
    whole = await table.referee.views.record(live.stored.id)
    assert whole["fairness"]["nonce"] == nonce
    assert whole["fairness"]["record"] == record["fairness"]["record"]
    report = verify(whole, noted)
    assert report.code == 0, report.findings
    assert any("bids of the house are right for its level" in one.line for one in report.findings)
    forged = json.loads(json.dumps(whole))
    forged["deals"][0]["decisions"][1][1], forged["deals"][0]["decisions"][3][1] = (
        forged["deals"][0]["decisions"][3][1],
        forged["deals"][0]["decisions"][1][1],
    )
    assert verify(forged).code == 1


async def test_daily_try_goes_on_over_midnight_and_over_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "gops.sqlite3"
    async with await SqliteStore.open(path) as store:
        table = Table(store)
        table.clock.time = datetime(2026, 11, 21, 23, 59, tzinfo=UTC)
        id = (await begin(table)).stored.id
        await table.seal(id, ANA.user, 4)
        await begin(table, BEN)
        clock = table.clock
    async with await SqliteStore.open(path) as store:
        table = Table(store, clock, "after")
        assert (await begin(table)).stored.id == id
        clock.forward(120)
        for card in PLAN[1:]:
            await table.seal(id, ANA.user, card)
        other = await begin(table)
        assert other.stored.id != id
        assert other.stored.agreement != (await table.referee.live(id)).stored.agreement
        mine = await ranking_of(table)
        assert (mine.own is not None, mine.streak) == (True, 1)
        clock.forward(3600)
        late = (await table.referee.daily.find_try(HERE.guild, DAY, BEN.user)) or pytest.fail("no try")
        for card in PLAN:
            await table.seal(late.match, BEN.user, card)
        assert (await ranking_of(table, BEN)).own is None, "too late for its table"
        assert len((await ranking_of(table)).scores) == 1


async def test_unfinished_daily_try_ends_an_hour_after_its_day(table: Table) -> None:
    """The try leaves the list of live matches and stays used up."""
    table.clock.time = datetime(2026, 11, 21, 23, 0, tzinfo=UTC)
    unfinished = (await begin(table)).stored.id
    await table.seal(unfinished, ANA.user, 4)
    untouched = (await begin(table, BEN)).stored.id
    table.clock.forward(2 * 3600 - 1)
    await table.fire()
    assert len(await table.store.live_of(ANA.user)) == 1
    table.clock.forward(1)
    await table.fire()
    for id, person in ((unfinished, ANA), (untouched, BEN)):
        assert not await table.store.live_of(person.user)
        text = plain(read(render_board(await table.referee.views.view(id, person.user))))
        assert "It had to be finished by <t:" in text
        assert "is used up, and it is not in the ranking." in text
    assert (await ranking_of(table)).uncounted == "unfinished"


async def test_daily_table_ranks_scores_and_a_result_is_shared_once(table: Table) -> None:
    for person, plan in ((ANA, PLAN), (BEN, PLAN), (CEM, (7, 6, 5, 4, 3, 2))):
        await play(table, person, plan)
    seen = await ranking_of(table)
    margins = [one.margin for one in seen.scores]
    assert margins == sorted(margins, reverse=True)
    assert seen.own is not None
    places = {one.tried.name: seen.place(one) for one in seen.scores}
    assert places["Ana"] == places["Ben"]
    await table.referee.daily.share(HERE.guild, DAY, ANA.user)
    with pytest.raises(RefereeError, match="daily-shared"):
        await table.referee.daily.share(HERE.guild, DAY, ANA.user)
    assert (await ranking_of(table)).shared
    assert not (await ranking_of(table, BEN)).shared
    dan = Person(13, "Dan")
    await table.referee.matches.resign((await begin(table, dan)).stored.id, dan.user)
    given_up = await ranking_of(table, dan)
    assert (given_up.own, given_up.streak) == (None, 0)


@pytest.mark.parametrize(
    ("ago", "now", "ever"),
    [((), 0, 0), ((0,), 1, 1), ((1,), 1, 1), ((2,), 0, 1), ((0, 1, 3, 4, 5), 2, 3), ((1, 2, 3), 3, 3), ((0, 2), 1, 1)],
)
def test_daily_streaks_count_consecutive_days(ago: tuple[int, ...], now: int, ever: int) -> None:
    played = [DAY - timedelta(days=days) for days in ago]
    assert (streak(played, DAY), longest_streak(played)) == (now, ever)


def test_best_margin_equals_the_best_of_all_lines_of_play() -> None:
    """Five cards against Matcher, checked by the guided match too; fewer cards against Reader."""
    game = DailyGame({"cards": 5}, PRIZES, "matcher", bytes(32), "0" * 64)
    assert best_margin(game) == best_lesson().margin == 5
    reader = replace(game, options={"cards": 4}, level="reader")
    for pack in ((3, 1, 4, 2), (1, 2, 3, 4), (4, 3, 2, 1)):
        assert best_margin(replace(reader, pack=pack)) == every_way(replace(reader, pack=pack))


def every_way(game: DailyGame) -> int:
    """The same with nothing left out."""
    rules, margins = DEFAULT.rules(2, game.options), list[int]()
    for plan in itertools.permutations(sorted(game.pack, key=rank)):
        state = rules.start(rules.deal(game.pack))
        for number, card in enumerate(plan):
            chance = Chance(v2.house_key(game.nonce, game.agreed, (0, number, 0), 1))
            seen = observe(state, 1)
            level = find_level(game.level) or pytest.fail("no such level")
            answer = level.mind(Question(rules, DEFAULT.series, seen, (), chance))
            state, _ = rules.resolve(state, {0: rules.bid(card), 1: answer})
        mine, theirs = rules.score(state)
        margins.append(int(mine - theirs))
    return max(margins)


async def test_best_margin_is_stored_once_it_is_known(table: Table) -> None:
    await play(table)
    assert (await ranking_of(table)).best is None, (
        "nobody has worked it out: without a worker it is played all the same"
    )
    assert await table.referee.daily.game(HERE.guild, DAY) is not None
    await table.referee.daily.keep_best(HERE.guild, DAY, 16)
    assert (await ranking_of(table)).best == 16
    assert await table.referee.daily.game(HERE.guild, DAY) is None


async def test_best_margin_is_not_stored_as_work_of_the_interaction_that_asked(table: Table) -> None:
    """Else it was refused when Discord repeated the event, or the event was refused for it."""
    await play(table)
    coach = Coach()
    coach.worker.think = AsyncMock(return_value=16)
    token = INTERACTION.set(HandledInteraction(1))
    coach.find_best(table.referee.daily, HERE.guild, DAY)
    INTERACTION.reset(token)
    await next(task for task in asyncio.all_tasks() if task.get_name() == "daily-best")
    assert (await ranking_of(table)).best == 16
    assert not await table.store.is_handled(1)
