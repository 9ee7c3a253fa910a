"""A review in words: each round, the whole, the best and the worst moment, and the chart for who does not see it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from bot.pictures.palette import LANE
from bot.referee.model.views import MatchView
from bot.solver.coach.advice import JudgedRound, Review, find_grade
from bot.ui.message import Message, Picture
from cogs.learning.review import chart, review, so_far
from tests.cogs.ui import reading
from tests.cogs.ui.views import Played, begin

PNG = b"png"


def figures(view: MatchView, found: Review, page: int = 0) -> str:
    """What stands behind *Numbers*."""
    return plain(review(view, found, page, numbers=True))


def plain(message: Message) -> str:
    return reading.plain("\n".join(message.texts)).replace("**", "").strip()


def judged(round: int, costs: tuple[float, float] = (0, 0), **more: Any) -> JudgedRound:
    """A round in which both bid 2."""
    mix = ((13, 0.612), (9, 0.208), (2, 0.18))
    return JudgedRound(
        **{
            "deal": 0,
            "round": round,
            "lead": 0.0,
            "value": 0.0,
            "after": 0.0,
            "bids": (2, 2),
            "mixes": (mix, mix),
            "costs": costs,
            "exact": True,
            **more,
        }
    )


def played(rounds: int = 3) -> Played:
    """A match in which both bid 1, 2, 3, ... for 13, 12, 11, ..."""
    match = begin("classic").deal(range(13, 0, -1))
    for card in range(1, rounds + 1):
        match = match.play(card, card)
    return match if match.match.over else match.leave(0)


def test_a_round_where_both_have_the_same_best_mix() -> None:
    found = Review((judged(0, (0.41, 0.08), bids=(12, 11), after=13.0),))
    assert plain(review(played().view(0), found)).splitlines()[:3] == [
        "### #K7Q2 · review",
        "Round 1 · prize ♦K",
        "Ana bid ♠Q: good.",
    ]
    told = figures(played().view(0), found)
    assert "Best plan for both: a random choice of K (61% of the time), 9 (21%), 2 (18%)." in told
    assert "Ana gained 13.0 points more than expected." in told


def test_person_with_the_name_of_a_house_player_is_told_apart_from_it() -> None:
    found = Review((judged(0, (0.41, 0.08), bids=(12, 11), after=13.0),))
    match = replace(played(), names=("Reader", "Reader (house)"), users=(101, 0))
    told = plain(review(match.view(0), found)).splitlines()
    assert told[2:4] == [
        "Reader bid ♠Q: good.",
        "Reader (house) bid ♥J: good, but unlucky against ♠Q (−13.0 points).",
    ]


def test_a_round_where_hands_differ() -> None:
    mixes = (((13, 1.0),), ((9, 0.996), (3, 0.004)))
    found = Review((judged(0), judged(1, (0, 2.5), mixes=mixes, bids=(13, 3), after=-2.0, pot=13)))
    assert plain(review(played().view(0), found, 1)).splitlines()[1:4] == [
        "Round 2 · prize ♦Q + pot 13",
        "Ana bid ♠K: good, but unlucky against ♥3 (−2.0 points).",
        "Ben bid ♥3: blunder, it gives away 2.50 points. Better: a random choice of ♥9 (>99% of the time), ♥3 (<1%).",
    ]
    told = figures(played().view(0), found, 1)
    assert "Ana's best plan: always ♠K.\nBen's best plan: a random choice of ♥9 (>99% of the time), ♥3 (<1%)." in told
    assert "Ben gained 2.0 points more than expected." in told


@pytest.mark.parametrize(
    ("given", "name"),
    [(0, "best"), (0.0049, "best"), (0.005, "fine"), (0.5, "costly"), (1.99, "costly"), (2, "blunder")],
)
def test_what_a_bid_for_points_is_called(given: float, name: str) -> None:
    assert find_grade(given, win=False) == name


@pytest.mark.parametrize(
    ("given", "name"),
    [(0, "best"), (0.0004, "best"), (0.0005, "fine"), (0.024, "fine"), (0.026, "costly"), (0.1, "blunder")],
)
def test_chance_is_graded_as_the_whole_per_cent_that_are_shown(given: float, name: str) -> None:
    assert find_grade(given, win=True) == name


def test_three_cards_of_a_mix_and_all_of_them() -> None:
    shares = ((13, 0.5), (9, 0.25), (5, 0.125), (3, 0.075), (1, 0.05))
    found = Review((judged(0, (2.5, 0), mixes=(shares, shares)),))
    view = played().view(0)
    assert [review(view, found, numbers=shown).buttons[3].enabled for shown in (False, True)] == [True, False]
    assert "Better: a random choice of ♠K (50% of the time), ♠9 (25%), ♠5 (12%), others (12%)." in plain(
        review(view, found)
    )
    assert "a random choice of K (50% of the time), 9 (25%), 5 (12%), 3 (8%), the Ace (5%)." in figures(view, found)


def test_verdicts_are_counted_per_seat() -> None:
    found = Review((judged(0, (0, 3)), judged(1, (0.1, 0)), judged(2, (0.6, 0))))
    told = plain(review(played().view(0), found))
    assert "Whole match: Ana 2 good bids, 1 mistake · Ben 2 good bids, 1 blunder.\n" in told
    assert "Whole match" not in plain(review(played().view(0), Review((judged(0), judged(1))))), "all were good"


def test_good_bid_that_lost_a_lot_is_called_unlucky() -> None:
    found = Review((judged(0, bids=(10, 11), **to_win(0.5, after=0.24)), judged(1, **to_win(0.5, after=0.41))))
    told = plain(review(played().view(0), found))
    assert "Ana bid ♠10: good, but unlucky against ♥J (Ana's win chance 50% → 24%).\nBen bid ♥J: good.\n" in told
    assert "unlucky" not in plain(review(played().view(0), found, 1))


def test_figure_of_a_blunder_is_told_from_a_fall_by_the_other_card() -> None:
    """Two falls that looked alike: 50% → 24% by the own bid, and 50% → 22% by the card of the other player."""
    blunder = judged(0, bids=(10, 11), **to_win(0.5, (0.26, 0), after=0.24))
    unlucky = judged(1, bids=(10, 11), **to_win(0.5, after=0.22))
    view = played().view(0)
    told = [plain(review(view, Review((blunder, unlucky)), page)).splitlines()[2] for page in (0, 1)]
    assert told[0].startswith("Ana bid ♠10: blunder, it gives away 26% win chance. Better: ")
    assert "→" not in told[0]
    assert told[1] == "Ana bid ♠10: good, but unlucky against ♥J (Ana's win chance 50% → 22%)."


def test_page_has_one_verdict_for_each_bid_and_no_figures_until_they_are_asked_for() -> None:
    found = Review((judged(0, (0.4, 0.1), **to_win(0.62, (0.07, 0.001))), judged(1)))
    told = plain(review(played().view(0), found))
    assert len(told.splitlines()) == 6
    for word in ("points", "average", "Dashed", "Textbooks", "best plan"):
        assert word not in told
        assert word in figures(played().view(0), found).replace("Best plan", "best plan")


def test_only_players_may_show_a_review() -> None:
    found, view = Review((judged(0), judged(1))), played().view()
    assert "Show everyone" in [one.label for one in review(played().view(0), found).buttons]
    assert "Show everyone" not in [one.label for one in review(view, found).buttons]


def test_the_chart_has_numbers_names_a_legend_and_this_round() -> None:
    rounds = tuple(judged(at, lead=3.0 * at, value=1.0) for at in range(3))
    picture = chart(played().view(0), Review(rounds), 1)
    for text in ("▲ Ana ahead", "▼ Ben ahead", "lead before the round", "expected final lead", "#K7Q2"):
        assert f">{text}<" in picture
    assert re.findall(r"middle\">(\d+)<", picture) == ["1", "2", "3"]
    assert {">0<", ">2<", ">8<"} <= set(re.findall(r">\d+<", picture))
    assert picture.count(LANE) == 1
    assert picture != chart(played().view(0), Review(rounds), 2)
    assert "Player 2" in chart(replace(played(), names=("Ana", "熊猫")).view(0), Review(rounds), 1)


def test_the_whole_match_and_its_moments() -> None:
    rounds = (judged(0, (0.5, 0), after=0.5), judged(1, (0, 3.25), after=4.0, bids=(2, 12)), judged(2, (1, 1)))
    view, found = played().view(0), Review(rounds)
    told = plain(review(view, found))
    assert "Whole match: on average a bid gave away 0.50 points (Ana), 1.42 points (Ben)." in figures(view, found)
    assert "Ana's luckiest round: 1 (0.5 points more than expected)." in told
    better = "Better: a random choice of ♥K (61% of the time), ♥9 (21%), ♥2 (18%)."
    assert f"Worst round: 2. Ben bid ♥Q: blunder, it gives away 3.25 points. {better}" in told
    own = plain(review(view, found, 1))
    assert own.count("it gives away 3.25 points.") == 1, "the page of the worst round has it already"
    assert "Ben's bid in this round was the worst of this review.\n" in own
    flawless = Review((judged(0),))
    assert "No bid cost anything." in plain(review(view, flawless))
    assert "luckiest" not in plain(review(view, flawless))
    assert "The points went as expected." in figures(view, flawless)
    assert "Nobody made a mistake." in plain(review(view, Review((judged(0, (0.1, 0)),))))


def test_the_chart_is_there_in_words() -> None:
    rounds = (judged(0, (2, 0), value=1.5, after=-0.5), judged(1, (0, 1), lead=-12.0, value=11.0, after=12.0))
    message = review(played().view(0), Review(rounds), png=PNG)
    assert plain(message) == plain(review(played().view(0), Review(rounds))), "without a picture the words are the same"
    told = figures(played().view(0), Review(rounds))
    assert "-# Dashed line: Ana's lead before each round. 0 −12" in told
    assert "-# Solid line: Ana's expected final lead, if both play well from there. +1.5 −1.0 0" in told
    [picture] = [node for node in message.body if isinstance(node, Picture)]
    assert picture.alt == (
        "Chart over 2 rounds, round 1 is marked. Dashed line: Ana's lead. Solid line: the expected final lead, from"
        " −1.0 to +1.5."
        " Worst round of Ana: 1. Worst round of Ben: 2."
    )
    assert [file.data for file in message.attachments] == [PNG]


def test_rounds_that_are_not_judged_by_their_own_rules_say_so() -> None:
    found = Review((judged(0, exact=False), judged(1)))
    told = plain(review(played().view(0), found))
    assert "Round 1 ≈ · prize" in told
    assert "Round 2 · prize" in plain(review(played().view(0), found, 1))
    assert "-# ≈ Estimated with a simpler rule for ties." in told
    assert "≈" not in plain(review(played().view(0), Review((judged(0),))))


def test_a_series_names_the_deal() -> None:
    match = begin("classic", 2, {"cards": 3}, {"mode": "deals", "deals": 2}).deal((3, 2, 1)).finish()
    match = match.deal((1, 2, 3)).play(1, 2).leave(0)
    found = Review((judged(0), judged(0, (0, 1), deal=1, bids=(1, 2))))
    told = plain(review(match.view(0), found))
    assert "Round 1 of deal 1 · prize ♦3" in told
    assert "Round 1 of deal 2 · prize ♠A" in plain(review(match.view(0), found, 1))
    assert "Worst round: 1 of deal 2. Ben bid ♣2: mistake, it gives away 1.00 points." in told


def test_second_bid_of_a_round_is_numbered() -> None:
    found = Review((judged(0), judged(0, (3, 0)), judged(1)))
    titles = [plain(review(played().view(0), found, page)).splitlines()[1] for page in range(3)]
    assert titles == ["Round 1 · prize ♦K", "Round 1, 2nd bid · prize ♦K", "Round 2 · prize ♦Q"]
    assert "Worst round: 1, 2nd bid. Ana bid ♠2" in plain(review(played().view(0), found))


def test_pages_and_the_worst_round() -> None:
    view = played(12).view(0)
    found = Review(tuple(judged(at, (0, 9.0 if at == 6 else 0.1)) for at in range(12)))

    def shown(message: Message) -> list[str]:
        return re.findall(r"^Round (\d+)", plain(message), re.MULTILINE)

    def pressable(message: Message) -> list[bool]:
        return [one.enabled for one in message.buttons]

    assert shown(review(view, found)) == ["1"]
    assert pressable(review(view, found)) == [False, True, True, True, True]
    assert shown(review(view, found, 11)) == ["12"]
    assert pressable(review(view, found, 11)) == [True, False, True, True, True]
    assert found.find_costliest_round(0, 1) == 6
    assert shown(review(view, found, 6)) == ["7"]
    assert shown(review(view, found, 99)) == ["12"]
    assert review(view, found, public=True).buttons == ()


def test_progress_of_a_review_is_stated() -> None:
    assert so_far(3, 12) == "Rounds checked: 3 of 12."
    assert so_far(0, 0) == ""


def to_win(before: float, given: tuple[float, float] = (0, 0), after: float | None = None) -> dict[str, Any]:
    """The fields of a round that is played to win: Ana's chance before it, what each bid gave up, the chance after."""
    own = (before, before - given[0]), (1 - before, 1 - before - given[1])
    return {"chances": (before, before if after is None else after), "own_chances": own}


def test_figures_tell_what_became_of_the_chance_to_win() -> None:
    found = Review((judged(0, **to_win(0.62, after=0.55)), judged(1)))
    told = figures(played().view(0), found)
    assert "Ana's win chance 62% → 55%." in told
    assert "→" not in figures(played().view(0), found, 1)
    assert "A draw counts as half a win." in told


def test_a_mistake_tells_what_it_gives_away() -> None:
    told = plain(review(played().view(0), Review((judged(0, (0.4, 0.1), **to_win(0.62, (0.07, 0.001))),))))
    better = "Better: a random choice of ♠K (61% of the time), ♠9 (21%), ♠2 (18%)."
    assert f"Ana bid ♠2: mistake, it gives away 7% win chance. {better}" in told
    assert "Ben bid ♥2: good.\n" in told


def test_a_bid_that_changes_no_chance_to_win_is_no_blunder() -> None:
    """The match is lost already: 6 points less change nothing, so no screen speaks of points."""
    found = Review((judged(0, (6.0, 0), **to_win(0.0)),))
    told = plain(review(played().view(0), found))
    assert "Ana bid ♠2: good.\n" in told
    assert "No bid cost anything." in told
    told = figures(played().view(0), found)
    assert "Ana's win chance 0% → 0%." in told
    assert "Whole match: on average a bid gave away 0% win chance (Ana), 0% win chance (Ben)." in told
    assert "6.00" not in told


def test_where_all_bids_lead_to_the_same_no_mix_is_best() -> None:
    found = Review((judged(0, alike=True, **to_win(1.0)),))
    assert "Ben bid ♥2: good.\nNo card could change the result here." in plain(review(played().view(0), found))
    assert "est plan" not in figures(played().view(0), found)


def test_totals_and_moments_go_by_the_chance_to_win() -> None:
    """The costliest bid in points is not the worst one."""
    rounds = (
        judged(0, (6.0, 0), after=6.0, **to_win(0.5, (0.01, 0))),
        judged(1, (0, 0.5), after=-0.5, bids=(2, 12), **to_win(0.5, (0, 0.2), after=0.7)),
    )
    found = Review(rounds)
    told = plain(review(played().view(0), found))
    assert "Whole match: on average a bid gave away <1% win chance (Ana), 10% win chance (Ben)." in figures(
        played().view(0), found
    )
    assert "luckiest" not in told, "Ana gains by what Ben gives away"
    assert "Worst round: 2. Ben bid ♥Q: blunder, it gives away 20% win chance." in told
    assert found.find_costliest_round(0, 1) == found.find_costliest_round(1) == 1
    assert found.find_costliest_round(0) == 0


def test_a_match_for_points_whose_last_deal_is_played_to_win() -> None:
    """Each deal has its own measure; what is a blunder in either is compared by how large a blunder it is."""
    match = begin("classic", 2, {"cards": 3}, {"mode": "deals", "deals": 2}).deal((3, 2, 1)).finish()
    match = match.deal((1, 2, 3)).play(1, 2).leave(0)
    found = Review((judged(0, (2.5, 0.1)), judged(0, (0.3, 3.0), deal=1, bids=(1, 2), **to_win(0.5, (0.2, 0)))))
    told = plain(review(match.view(0), found))
    assert "Whole match: Ana 2 blunders · Ben 2 good bids." in told
    assert "Worst round: 1 of deal 2. Ana bid ♥A: blunder, it gives away 20% win chance." in told
    told = figures(match.view(0), found)
    average = (
        "Whole match: on average a bid gave away 2.50 points and 20% win chance (Ana), "
        "0.10 points and 0% win chance (Ben)."
    )
    assert average in told
    assert "-# Good: the bid gives away less than 0.5 points. Mistake: 0.5 to 2 points. Blunder: 2 or more. " in told
    second = figures(match.view(0), found, 1)
    limits = "Good: the bid gives away less than 3% win chance. Mistake: 3% to 10%. Blunder: 10% or more."
    assert f"-# {limits} The card of the other player is luck. A draw counts as half a win." in second


def test_where_won_deals_count_the_chance_is_that_of_the_deal() -> None:
    match = begin("classic", 2, {"cards": 3}, {"mode": "first-to", "wins": 2}).deal((3, 2, 1)).play(1, 2).leave(0)
    found = Review((judged(0, **to_win(0.5, after=0.1)),))
    told = figures(match.view(0), found)
    assert "Ana's win chance in the deal 50% → 10%." in told
    assert "Solid line: Ana's expected lead at the end of the deal" in told
    assert "expected lead at the end of the deal" in chart(match.view(0), found, 0)


def test_a_chance_that_is_estimated_says_so() -> None:
    told = plain(review(played().view(0), Review((judged(0, near=True, **to_win(0.5)),))))
    assert "Round 1 ≈ · prize" in told
    assert "-# ≈ Estimated: too many cards for an exact answer." in told


def test_where_nobody_gave_anything_away_no_round_is_worst() -> None:
    """What counts as nothing in each round is nothing in the whole match."""
    found = Review(tuple(judged(at, (0.004, 0.0049)) for at in range(12)))
    message = review(played(12).view(0), found, png=PNG)
    told = plain(message)
    assert "No bid cost anything." in told
    assert "Whole match: on average a bid gave away 0 points (Ana), 0 points (Ben)." in figures(
        played(12).view(0), found
    )
    assert [one.enabled for one in message.buttons if one.label == "Worst round"] == [False]
    [picture] = [node for node in message.body if isinstance(node, Picture)]
    assert "Worst round" not in picture.alt


def test_only_a_seat_that_gave_something_away_has_a_worst_round() -> None:
    """In points Ben lost most in round 1, and nothing win chance in any round."""
    rounds = judged(0, (0, 1.01), **to_win(0.5)), judged(1, **to_win(0.5, (0.2, 0)))
    message = review(played().view(0), Review(rounds), png=PNG)
    [picture] = [node for node in message.body if isinstance(node, Picture)]
    assert "Worst round of Ana: 2." in picture.alt
    assert "of Ben" not in picture.alt
    assert [one.enabled for one in message.buttons if one.label == "Worst round"] == [True]


def test_the_chance_to_win_is_told_once_more_with_the_next_prize() -> None:
    """What one page ends with and the next begins with differ by the prize that is turned between them."""
    rounds = judged(0, **to_win(0.62, after=0.55)), judged(1, **to_win(0.57)), judged(2, **to_win(0.57, after=0.6))
    told = [figures(played().view(0), Review(rounds), page) for page in range(3)]
    assert "Ana's win chance 62% → 55%.\n" in told[0]
    assert "Ana's win chance 57% → 57%. It was 55% before this prize was turned up." in told[1]
    assert "Ana's win chance 57% → 60%.\n" in told[2]


def test_reader_in_the_second_seat_reads_of_their_own_chance_and_lead() -> None:
    rounds = judged(0, value=1.5, **to_win(0.62, after=0.55)), judged(1, lead=2.0, **to_win(0.55, after=0.95))
    view, found = played().view(1), Review(rounds)
    assert "Ben's luckiest round: 1 (win chance +7%)." in plain(review(view, found, png=PNG))
    told = figures(view, found)
    assert "Ben's win chance 38% → 45%." in told
    assert "Ana's win chance" not in told
    assert "-# Dashed line: Ben's lead before each round. 0 −2" in told
    assert "-# Solid line: Ben's expected final lead, if both play well from there. −1.5 −2.0 −2.0" in told
    [picture] = [node for node in review(view, found, png=PNG).body if isinstance(node, Picture)]
    assert "Dashed line: Ben's lead." in picture.alt
    for text in ("▲ Ben ahead", "▼ Ana ahead"):
        assert f">{text}<" in chart(view, found, 1)


def test_best_moment_is_no_other_side_of_the_worst_one() -> None:
    rounds = judged(0, **to_win(0.5, after=0.6)), judged(1, bids=(2, 12), **to_win(0.5, (0, 0.2), after=0.7))
    told = plain(review(played().view(0), Review(rounds)))
    assert "Ana's luckiest round: 1 (win chance +10%)." in told
    assert "Worst round: 2. Ben bid ♥Q: blunder, it gives away 20% win chance." in told


def test_average_of_a_small_loss_is_not_nothing() -> None:
    found = Review((judged(0, (0.006, 0)), judged(1)))
    assert "0.01 points (Ana), 0 points (Ben)." in figures(played().view(0), found)


@pytest.mark.parametrize("to_be_won", [True, False])
@pytest.mark.parametrize("given", [0.0, 0.0004, 0.0006, 0.004, 0.006, 0.04, 0.06, 0.3, 3.0])
def test_verdict_totals_and_worst_round_go_by_the_same_rule(given: float, to_be_won: bool) -> None:
    given = min(given, 0.9) if to_be_won else given
    one = judged(0, **to_win(0.9, (given, 0))) if to_be_won else judged(0, (given, 0))
    told = plain(review(played().view(0), Review((one,))))
    is_good = "Ana bid ♠2: good." in told
    assert is_good is (given < (0.03 if to_be_won else 0.5))
    assert is_good is ("Whole match: Ana 1 " not in told)
    assert is_good is ("the worst of this review" not in told)
    assert ("Nobody made a mistake." in told or "No bid cost anything." in told) is is_good
    assert ("No bid cost anything." in told) is (given < (0.0005 if to_be_won else 0.005))


def test_sum_of_losses_that_is_no_share_of_a_whole_is_told_as_an_average() -> None:
    found = Review(tuple(judged(at, **to_win(0.8, (0.71, 0.03 * at))) for at in (0, 1)))
    told = figures(played().view(0), found)
    assert "Whole match: on average a bid gave away 71% win chance (Ana), 2% win chance (Ben)." in told
    assert "142" not in told


def test_chances_of_several_deals_are_told_as_an_average() -> None:
    """Each deal has its own chance to win: half of one and half of another are not the whole of anything."""
    match = begin("classic", 2, {"cards": 3}, {"mode": "first-to", "wins": 2}).deal((3, 2, 1)).finish()
    match = match.deal((1, 2, 3)).play(1, 2).leave(0)
    found = Review((judged(0, **to_win(0.5, (0.4, 0))), judged(0, deal=1, bids=(1, 2), **to_win(0.5))))
    told = figures(match.view(0), found)
    assert "Whole match: on average a bid gave away 20% win chance (Ana), 0% win chance (Ben)." in told


def test_points_and_chances_are_averaged_over_their_own_rounds() -> None:
    match = begin("classic", 2, {"cards": 3}, {"mode": "deals", "deals": 2}).deal((3, 2, 1)).finish()
    match = match.deal((1, 2, 3)).play_all((1, 2), (2, 3))
    last = tuple(judged(at, deal=1, **to_win(0.8, (0.7, 0))) for at in (0, 1))
    found = Review((judged(0, (2.5, 0.1)), judged(1, (0.5, 0)), *last))
    told = figures(match.view(0), found)
    average = (
        "Whole match: on average a bid gave away 1.50 points and 70% win chance (Ana), "
        "0.05 points and 0% win chance (Ben)."
    )
    assert average in told


def test_review_of_the_last_rounds_names_the_first_of_them() -> None:
    found = Review(tuple(judged(at, (0.5, 0), **to_win(0.5)) for at in range(7, 12)))
    told = plain(review(played(12).view(0), found))
    assert "Earlier rounds have too many cards to be solved." in told
    assert "From round 8 on: no bid cost anything." in told
    told += figures(played(12).view(0), found)
    assert "From round 8 on: on average a bid gave away 0% win chance (Ana), 0% win chance (Ben)." in told
    assert "whole match" not in told.lower()


def test_review_of_the_last_rounds_of_several_deals_covers_the_rounds_that_are_solved() -> None:
    match = begin("classic", 2, {"cards": 4}, {"mode": "deals", "deals": 2}).deal((4, 3, 2, 1)).finish()
    match = match.deal((1, 2, 3, 4)).play_all((1, 2), (2, 3)).leave(0)
    found = Review((judged(1), judged(1, (0, 1), deal=1)))
    told = figures(match.view(0), found)
    assert "Rounds that are solved: on average a bid gave away 0 points (Ana), 0.50 points (Ben)." in told
    assert "whole match" not in told.lower()
