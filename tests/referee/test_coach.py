"""The coach compares play with perfect play, never helps in a live match with people, and ends unwanted work."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.errors import RefereeError
from bot.referee.house.coach import Coach, read_position
from bot.referee.lobby.setups import Wish
from bot.solver.coach.advice import Inquiry, Review, can_review, list_leads
from bot.solver.coach.typed_position import TypedPosition, read_cards
from bot.solver.exact.endgame import Endgame
from bot.solver.exact.endgame_values import answer_endgame
from bot.solver.exact.position import Position
from bot.ui.screens.refusals import describe_error
from tests.referee.stage import ANA, BEN, HERE, Table
from tests.referee.test_house import level_of, play_out, practise
from tests.referee.test_moderation import MOD

HAND = "A 2 3 4"


async def play(table: Table, **wish: Any) -> str:
    """Ana bids her lowest cards against Matcher, to the end."""
    begun = await table.referee.practice.begin(HERE, ANA, level_of("matcher"), Wish(**{"cards": 4, **wish}))
    await play_out(table, begun.live.stored.id)
    return begun.live.stored.id


def typed(*words: Any, **more: Any) -> Inquiry:
    """mine, theirs, prize, left, ties, game; what was typed beside them."""
    return read_position(TypedPosition(*words, **more))


def hidden(*words: Any, **more: Any) -> Position:
    """A typed position before a prize is turned up."""
    here = typed(*words, **more).position
    assert isinstance(here, Position)
    assert here.up is None
    return here


@pytest.fixture
async def coach() -> Any:
    made = Coach()
    yield made
    await made.close()


async def test_analysis_gives_the_value_and_mix_of_a_position(table: Table, coach: Coach) -> None:
    """With four cards and prize 2 the mix is .5269, .3371 and .1360 on 3, A and 2, and the value is 0."""
    found = await coach.analyse(table.store, ANA.user, typed(HAND, "4 3 2 1", "2", "1 3 4", "discard"))
    assert found.value == pytest.approx(0, abs=1e-9)
    assert [card for card, _ in found.mix] == [3, 1, 2]
    assert [share for _, share in found.mix] == pytest.approx([0.5269, 0.3371, 0.1360], abs=1e-4)
    assert (found.chance, found.exact) == (pytest.approx(0.5), True)


async def test_analysis_counts_the_score_and_shows_payoffs(table: Table, coach: Coach) -> None:
    """Three points ahead of a last 2 and a pot of 1, the higher card need not even win."""
    asked = typed("A 2", "A 2", "2", "A", "carry", pot=1, lead=3, payoffs="win")
    found = await coach.analyse(table.store, ANA.user, asked)
    # Ace and Ace, or 2 and 2: the pot is 3 for the last 1, which the other pair ties: a lead of 3 stays.
    # Ace against 2 loses 3, then 2 against Ace wins 1: won. 2 against Ace wins.
    assert found.payoffs == ((1.0, 1.0), (1.0, 1.0))
    assert (found.chance, found.exact) == (1.0, True)
    in_points = await coach.analyse(table.store, ANA.user, replace(asked, payoffs="points"))
    assert in_points.payoffs == ((0.0, -2.0), (2.0, 0.0))
    assert in_points.value == pytest.approx(0.0)
    assert (await coach.analyse(table.store, ANA.user, replace(asked, payoffs=""))).payoffs == ()


async def test_first_bids_of_all_prizes_are_those_of_each_prize(table: Table, coach: Coach) -> None:
    whole = hidden(HAND, HAND)
    assert whole == Position((1, 2, 3, 4), (1, 2, 3, 4), (1, 2, 3, 4))
    plans = await coach.plan_first_bids(table.store, ANA.user, whole, "Classic")
    assert [one.prize for one in plans] == [1, 2, 3, 4]
    assert [card for card, _ in plans[1].mix] == [3, 1, 2]
    assert [share for _, share in plans[1].mix] == pytest.approx([0.5269, 0.3371, 0.1360], abs=1e-4)
    uneven = hidden("2 3", "A 2", left="A K")
    for one in await coach.plan_first_bids(table.store, ANA.user, uneven, "Classic"):
        asked = typed("2 3", "A 2", str(one.prize), "A" if one.prize == 13 else "K")
        found = await coach.analyse(table.store, ANA.user, asked)
        assert (found.value, found.mix) == (pytest.approx(one.value), one.mix)


async def test_first_bids_of_thirteen_cards_come_from_the_table(table: Table, coach: Coach) -> None:
    hand = " ".join(map(str, range(1, 14)))
    plans = await coach.plan_first_bids(table.store, ANA.user, hidden(hand, hand), "Classic")
    assert len(plans) == 13
    assert all(sum(share for _, share in one.mix) == pytest.approx(1, abs=0.01) for one in plans)
    eleven = " ".join(map(str, range(2, 13)))
    wide = hidden(eleven, eleven, left="10 11 12 13 14 15 16 17 18 19 20", ties="carry")
    with pytest.raises(RefereeError, match="analysis-long"):
        await coach.plan_first_bids(table.store, ANA.user, wide, "Classic")


@pytest.mark.parametrize("more", [{"ordered": True}, {"lead": 2}, {"payoffs": "win"}, {"game": "vultures"}])
def test_question_about_one_prize_needs_it(more: dict[str, Any]) -> None:
    with pytest.raises(RefereeError, match="analysis-prize"):
        typed("A 2", "A 2", **more)


async def test_analysis_that_would_take_too_long_are_refused_at_once(table: Table, coach: Coach) -> None:
    """The work is counted in advance: eleven cards with carried ties, and prizes beyond the table."""
    hand = " ".join(map(str, range(1, 12)))
    wide = typed(hand, hand, "20", "10 11 12 13 14 15 16 17 18 19", "carry")
    with pytest.raises(RefereeError, match="analysis-long") as refused:
        await coach.analyse(table.store, ANA.user, wide)
    assert refused.value.data["x"] >= 30


async def test_review_judges_every_round_of_a_match(table: Table, coach: Coach) -> None:
    id = await play(table)
    live = await table.referee.live(id)
    found: Review = await coach.review(ANA.user, live)
    view = await table.referee.views.view(id)
    assert view.reviewable
    assert len(found.rounds) == 3  # the last cards are bid for everybody
    for number, judged in enumerate(found.rounds):
        played = view.seen.rounds[number]
        assert judged.bids == tuple(bid.cards[0] for bid in played.bids if bid)
        assert all(sum(share for _, share in mix) == pytest.approx(1, abs=0.01) for mix in judged.mixes)
        assert min(judged.costs) >= 0
    score, hope = list_leads(found.rounds)
    assert score[0] == 0
    assert hope[-1] == pytest.approx(float(view.seen.scores[0] - view.seen.scores[1]))  # one card each: nothing is open
    # Lead and expectation tell one story: a round's swing takes one expectation to the next, but for the turn.
    assert all(judged.swing == pytest.approx(judged.after - judged.value) for judged in found.rounds)
    assert sum(judged.costs[0] for judged in found.rounds) > 0
    chances = [judged.chances for judged in found.rounds if judged.chances]
    assert len(chances) == len(found.rounds)
    assert chances[-1][1] == (view.seen.scores[0] > view.seen.scores[1])  # and nobody drew: all is decided


async def test_review_of_misere_counts_fewer_points_as_better(table: Table, coach: Coach) -> None:
    """Cards are shown as they were bid."""
    id = await play(table, game="misere")
    found = await coach.review(ANA.user, await table.referee.live(id))
    view = await table.referee.views.view(id)
    assert [judged.bids[0] for judged in found.rounds] == [1, 2, 3]
    _, hope = list_leads(found.rounds)
    assert hope[-1] == pytest.approx(float(view.seen.scores[1] - view.seen.scores[0]))


async def test_finished_review_is_kept_for_the_next_reader(table: Table, coach: Coach) -> None:
    id = await play(table)
    live = await table.referee.live(id)
    first = await coach.review(ANA.user, live)
    coach.worker.stop()
    assert await coach.review(BEN.user, live) is first


async def test_game_without_a_solution_has_no_review_and_no_analysis(table: Table, coach: Coach) -> None:
    id = await play(table, game="open-draft", cards=None)
    assert not (await table.referee.views.view(id)).reviewable
    with pytest.raises(RefereeError, match="no-review-rules"):
        await coach.review(ANA.user, await table.referee.live(id))
    hand = " ".join(map(str, range(14, 26)))
    here = typed(hand, hand, "25", hand[:-3], "discard")
    with pytest.raises(RefereeError, match="no-solution"):
        await coach.analyse(table.store, ANA.user, here)


async def test_review_of_pico_covers_both_deals(table: Table, coach: Coach) -> None:
    """The last chance shown is the result of the match."""
    id = await play(table, game="pico", cards=None)
    live = await table.referee.live(id)
    found = await coach.review(ANA.user, live)
    view = await table.referee.views.view(id)
    assert {judged.deal for judged in found.rounds} == {0, 1}
    assert all(judged.exact and judged.chances for judged in found.rounds)
    first = [judged for judged in found.rounds if judged.deal == 0]
    assert first[0].chances
    assert first[0].chances[0] != pytest.approx(0.5 + first[0].value / 2)
    last = found.rounds[-1].chances
    for judged in found.rounds:
        assert judged.own_chances
        (mine, kept), (theirs, theirs_kept) = judged.own_chances
        assert mine + theirs == pytest.approx(1)
        assert mine >= kept - 1e-9
        assert theirs >= theirs_kept - 1e-9
        assert judged.given_chance(1) == pytest.approx(max(0.0, theirs - theirs_kept))
    ahead = view.seats[0].total - view.seats[1].total
    assert last
    assert last[1] == (1 + (ahead > 0) - (ahead < 0)) / 2


async def test_analysis_solves_pico_and_vultures(table: Table, coach: Coach) -> None:
    here = typed("4 16", "5 13", "", "", "", "pico")
    found = await coach.analyse(table.store, ANA.user, here)
    assert found.exact
    assert sum(share for _, share in found.mix) == pytest.approx(1)
    vultures = typed("A 15", "2 3", "-5", "4", "discard", "vultures")
    found = await coach.analyse(table.store, ANA.user, vultures)
    assert found.value == pytest.approx(1)  # the Ace loses 5 to win 4, or the 15 wins 5 to lose 4
    assert (await coach.analyse(table.store, ANA.user, vultures)) == found


async def test_analysis_solves_the_endgames_of_bid_and_psych(table: Table, coach: Coach) -> None:
    """One card is no choice: the Ace of Bid takes 15 from a King, the Ace of Psych takes 1."""
    for game, worth, ace in (("bid", 15, 14), ("psych", 1, 1)):
        found = await coach.analyse(table.store, ANA.user, typed("A", "K", "A", "", "", game))
        assert (found.value, found.mix, found.chance, found.exact) == (
            worth,
            ((ace, 1.0),),
            1,
            True,
        )
    asked = typed("2 9 A", "3 9 Q", "A", "A K K 10 4", "", "bid", lead=-10, payoffs="win")
    found = await coach.analyse(table.store, ANA.user, asked)
    here = Endgame((2, 9, 14), (3, 9, 12), 15, (4, 10, 13, 13, 15))
    assert found.value == pytest.approx(answer_endgame(here).value, abs=1e-12)
    to_win = answer_endgame(replace(here, objective="win", lead=-10))
    assert found.chance == pytest.approx((1 + to_win.value) / 2, abs=1e-12)
    assert found.payoffs[2][0] == pytest.approx((1 + to_win.matrix[2][0]) / 2, abs=1e-12)


async def test_review_of_a_live_match_is_refused(table: Table, coach: Coach) -> None:
    live = await table.referee.live(await practise(table))
    assert can_review(live.rules)
    with pytest.raises(RefereeError, match="still-live"):
        await coach.review(ANA.user, live)


@pytest.mark.parametrize("game", ["classic", "open-draft"])
async def test_review_of_a_match_without_a_revealed_round_is_refused(table: Table, coach: Coach, game: str) -> None:
    """The reason is the same for games with and without an exact solution."""
    id = await table.start(game=game)
    await table.referee.moderating.decide(HERE.guild, id, MOD, ANA.user, "won")
    assert not (await table.referee.views.view(id)).reviewable
    with pytest.raises(RefereeError) as refused:
        await coach.review(ANA.user, await table.referee.live(id))
    assert describe_error(refused.value) == f"No round of #{id} was revealed, so there is nothing to review."


async def test_analysis_is_refused_when_a_rated_match_begins_meanwhile(table: Table, coach: Coach) -> None:
    coach.worker = held = Held()  # type: ignore[assignment]
    asking = asyncio.create_task(coach.analyse(table.store, ANA.user, typed("1", "2", "3", "", "discard")))
    await held.begun.wait()
    await table.start(cards=3, rated=True)
    held.go.set()
    with pytest.raises(RefereeError, match="analysis-live"):
        await asking


async def test_analysis_is_refused_during_a_rated_match(table: Table, coach: Coach) -> None:
    here = typed("1", "2", "3", "", "discard")
    await practise(table)  # practice is nobody's loss
    await coach.analyse(table.store, ANA.user, here)
    id = await table.start(cards=3, rated=True)
    for user in (ANA.user, BEN.user):
        with pytest.raises(RefereeError, match="analysis-live") as refused:
            await coach.analyse(table.store, user, here)
        assert refused.value.data["m"] == id
    await table.referee.matches.resign(id, ANA.user)
    await coach.analyse(table.store, ANA.user, here)


@pytest.mark.parametrize(
    ("words", "id", "x"),
    [
        (("A X", "1 2", "3", "4"), "analysis-parse", "X"),
        (("A 26", "1 2", "3", "4"), "analysis-parse", "26"),
        (("A A", "1 2", "3", "4"), "analysis-repeat", "A"),
        (("A 2 2", "1 2 3", "3", "4 5"), "analysis-repeat", "2"),
        (("A 1", "1 2", "3", "4"), "analysis-repeat", "1"),
        (("A 2", "1 2", "3 4", ""), "analysis-one-prize", None),
        (("A 2", "1 2", "3", "3"), "analysis-up-left", "3"),
        (("", "", "3", ""), "analysis-parse", ""),
        (("A 2", "1", "3", "4"), "analysis-cards", None),
        (("A 2", "1 2", "3", "4 5"), "analysis-cards", None),
        (("A 2", "1 2", "", "4"), "analysis-prize", None),
        (("A 2", "1 2", "-3", "4"), "analysis-parse", "-3"),
        (("4 -5", "6 7", "3", "4", "carry", "vultures"), "analysis-parse", "-5"),
        (("4 5", "6 7", "--3", "4", "carry", "vultures"), "analysis-parse", "--3"),
        (("4 5", "6 7", "3", "", "", "pico"), "analysis-no-prize", None),
        (("4 5", "5 7", "", "", "", "pico"), "analysis-pico", None),
        (("4 5", "14 7", "", "", "", "pico"), "analysis-pico", None),
        (("4", "6 7", "", "", "", "pico"), "analysis-pico", None),
        (("A 2 3 4 5 6", "A 2 3 4 5 6", "7", "7 8 9 9 10", "", "bid"), "analysis-end", None),
        (("4 5", "4", "7", "7 8", "", "psych"), "analysis-end", None),
        (("4 5", "4 6", "7", "", "", "psych"), "analysis-end", None),
        (("", "", "7", "", "", "bid"), "analysis-end", None),
        (("4 14", "4 6", "7", "8", "", "bid"), "analysis-parse", "14"),
        (("4 4", "4 6", "7", "8", "", "bid"), "analysis-repeat", "4"),
        (("4 5", "4 6", "7", "8 8 8", "", "bid"), "analysis-repeat", "8"),
        (("4 5", "4 6", "7", "7 7", "", "bid"), "analysis-repeat", "7"),
        (("4 5", "4 6", "7 8", "8", "", "bid"), "analysis-one-prize", None),
        (("4 5", "4 6", "", "8", "", "bid"), "analysis-prize", None),
    ],
)
def test_unreadable_position_is_refused_with_its_reason(words: tuple[str, ...], id: str, x: str | None) -> None:
    with pytest.raises(RefereeError, match=id) as refused:
        typed(*words)
    assert refused.value.data.get("x") == x


def test_cards_are_read_as_people_write_them() -> None:
    assert read_cards("k, 10 a,3 j Q") == (13, 10, 1, 3, 11, 12)
    assert read_cards("-5 −4 10", prizes=True) == (-5, -4, 10)
    assert typed("k, 10 a", "3 j Q", "2", "5 4").position == Position((1, 10, 13), (3, 11, 12), (2, 4, 5), 2)


def test_known_order_pot_and_score_are_read_as_people_write_them() -> None:
    known = typed("A 2 3", "A 2 3", "2", "3 A", ordered=True, pot=7, lead=-4)
    assert known.position == Position((1, 2, 3), (1, 2, 3), (2, 3, 1), 2, ties="carry", pot=7, ordered=True)
    assert known.lead == -4
    assert typed("A 2", "A 2", "2", "A", "split").position == Position((1, 2), (1, 2), (1, 2), 2, ties="split")
    for words, more, id in (
        (("A", "2", "3", "", "discard"), {"pot": 1}, "analysis-pot"),
        (("A", "2", "3"), {"pot": 251}, "analysis-pot"),
        (("A", "2", "3"), {"lead": 1001}, "analysis-lead"),
        (("4 5", "6 7", "", "", "", "pico"), {"ordered": True}, "analysis-no-prize"),
        (("4 5", "6 7", "3", "4", "", "bid"), {"ordered": True}, "analysis-unknown-order"),
        (("4 5", "6 7", "3", "4", "", "psych"), {"pot": 2}, "analysis-unknown-order"),
    ):
        with pytest.raises(RefereeError, match=id):
            typed(*words, **more)


async def test_second_review_continues_where_the_first_gave_up(table: Table, coach: Coach) -> None:
    id = await play(table)
    live = await table.referee.live(id)
    coach.worker = held = Held(2)  # type: ignore[assignment]
    first = asyncio.create_task(coach.review(ANA.user, live))
    await held.begun.wait()
    assert coach.get_progress(ANA.user) == (3, 4), "of 4 rounds the last had one card, and needs no look"
    assert coach.get_progress(BEN.user) == (0, 0)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    await held.ended.wait()
    assert coach.get_progress(ANA.user) == (0, 0)
    third = held.asked.pop()
    held.asked.clear()
    held.go.set()
    await coach.review(ANA.user, live)
    assert held.asked == [third], "and no round that was done before"


# --- who waits ------------------------------------------------------------------------------------------------


class Held:
    """A worker that answers when released, the first calls at once, and notes a cancelled call."""

    def __init__(self, free: int = 0) -> None:
        self.free = free
        self.begun = asyncio.Event()
        self.go = asyncio.Event()
        self.asked: list[Any] = []
        self.ended = asyncio.Event()

    async def think(self, work: Any, question: Any, patience: float) -> Any:
        self.asked.append(question)
        if len(self.asked) <= self.free:
            return question
        self.begun.set()
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.ended.set()
            raise
        return question

    def stop(self) -> None:
        pass


async def test_analysis_that_nobody_waits_for_is_stopped(table: Table, coach: Coach) -> None:
    coach.worker = held = Held()  # type: ignore[assignment]
    here = typed("1 2", "1 2", "3", "4", "discard")
    waits = [asyncio.create_task(coach.analyse(table.store, user, here)) for user in (ANA.user, BEN.user)]
    await held.begun.wait()
    with pytest.raises(RefereeError, match="coach-busy"):
        await coach.analyse(table.store, ANA.user, typed("1 3", "1 2", "3", "4", "discard"))
    waits[0].cancel()
    await asyncio.gather(waits[0], return_exceptions=True)
    assert not held.ended.is_set()  # Ben still waits
    waits[1].cancel()
    await asyncio.gather(waits[1], return_exceptions=True)
    await held.ended.wait()
    assert len(held.asked) == 1
    held.go.set()
    assert await coach.analyse(table.store, ANA.user, here) == here  # and it can be asked again


async def test_two_people_with_the_same_question_share_one_solve(table: Table, coach: Coach) -> None:
    coach.worker = held = Held()  # type: ignore[assignment]
    here = typed("1 2", "1 2", "3", "4", "discard")
    waits = [asyncio.create_task(coach.analyse(table.store, user, here)) for user in (ANA.user, BEN.user)]
    await held.begun.wait()
    held.go.set()
    assert await asyncio.gather(*waits) == [here, here]
    assert len(held.asked) == 1


# --- beside a practice -----------------------------------------------------------------------------------------


async def test_hint_in_a_round_without_exact_play_is_refused(table: Table) -> None:
    """The refusal used to say that no round with a choice was played yet."""
    id = await practise(table, level_of("matcher"), game="vultures", cards=None)
    view = await table.referee.views.view(id, ANA.user)
    assert (view.coached, view.can_hint) == (True, False)
    with pytest.raises(RefereeError, match="hint-early"):
        await table.referee.hints.before_bid(id, ANA.user, view.prompt)
    await table.seal(id, ANA.user, 2)
    with pytest.raises(RefereeError, match="explain-early"):
        await table.referee.hints.after_bid(id, ANA.user)


async def test_hint_counts_once_a_round_and_shows_in_the_result(table: Table, coach: Coach) -> None:
    id = await practise(table, level_of("matcher"), cards=4)
    hints = table.referee.hints
    view = await table.referee.views.view(id, ANA.user)
    assert (view.coached, view.can_hint, view.hints) == (True, True, 0)
    assert not (await table.referee.views.view(id, BEN.user)).coached
    with pytest.raises(RefereeError, match="hint-nothing-yet"):
        await hints.after_bid(id, ANA.user)
    spot = await hints.before_bid(id, ANA.user, view.prompt)
    found = await coach.hint(table.store, ANA.user, spot)
    assert [one.card for one in found.hand] == [1, 2, 3, 4]
    await hints.count_hint(id, spot)
    await hints.count_hint(id, await hints.before_bid(id, ANA.user, view.prompt))  # asked again
    await table.seal(id, ANA.user, 2)
    with pytest.raises(RefereeError, match="hint-late"):
        await hints.before_bid(id, ANA.user, view.prompt)
    past = await coach.hint(table.store, ANA.user, await hints.after_bid(id, ANA.user))
    last = (await table.referee.views.view(id, ANA.user)).last
    assert last is not None
    assert past.bids == tuple(bid.cards[0] for bid in last.bids if bid)
    late = await hints.before_bid(id, ANA.user, (await table.referee.views.view(id, ANA.user)).prompt)
    done = await play_out(table, id)
    assert (done.coached, done.hints) == (False, 1)
    with pytest.raises(RefereeError, match="hint-late"):  # it was thought of while the match ended
        await hints.count_hint(id, late)
    assert (await table.referee.views.view(id, ANA.user)).hints == 1


async def test_hints_are_refused_to_others_between_people_and_during_rated_matches(table: Table, coach: Coach) -> None:
    id = await practise(table, level_of("matcher"), cards=4)
    with pytest.raises(RefereeError, match="not-in-match"):
        await table.referee.hints.before_bid(id, BEN.user, 0)
    prompt = (await table.referee.views.view(id)).prompt
    spot = await table.referee.hints.before_bid(id, ANA.user, prompt)
    between = await table.start(cards=3, rated=True)
    with pytest.raises(RefereeError, match="hint-practice"):
        await table.referee.hints.before_bid(between, ANA.user, (await table.referee.views.view(between)).prompt)
    with pytest.raises(RefereeError, match="analysis-live"):
        await coach.hint(table.store, ANA.user, spot)


async def test_game_without_exact_play_has_no_hints(table: Table) -> None:
    id = await practise(table, level_of("matcher"), game="open-draft", cards=None)
    view = await table.referee.views.view(id, ANA.user)
    assert not view.coached
    with pytest.raises(RefereeError, match="no-hint"):
        await table.referee.hints.before_bid(id, ANA.user, view.prompt)
