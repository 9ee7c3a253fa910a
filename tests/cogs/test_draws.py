"""A draw that the players agree on: whether it counts, and when it may be offered again."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.engine.record.record import choice_data
from bot.errors import RefereeError
from bot.messages.display import Offer
from bot.messages.offers import draw_now, is_answered
from bot.referee.model.participant import Person
from bot.referee.model.surfaces import Surface, SurfaceKind
from bot.referee.model.views import MatchView
from bot.ui.custom_ids.records_ids import Listing
from bot.ui.screens.board import render_board
from bot.ui.screens.refusals import describe_error
from cogs.match import confirm
from cogs.records.profile_card import history, profile
from tests.cogs.ui.reading import plain, read
from tests.migrated import migrated
from tests.referee.stage import ANA, BEN, CEM, HERE, Table
from tests.referee.test_leaving import proven
from tests.referee.test_moderation import MOD
from tests.sqlite_store import SqliteStore

UNPLAYED = "Not rated: nobody had played a card."


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    async with await SqliteStore.open(migrated(tmp_path / "gops.sqlite3")) as store:
        yield Table(store)


async def agree(table: Table, id: str) -> MatchView:
    """Ana offers, and everyone else agrees."""
    view = await table.referee.matches.offer_draw(id, ANA.user)
    for seat in view.seats[1:]:
        view = await table.referee.matches.answer_draw(id, seat.user, True)
    return view


def lines(view: MatchView) -> list[str]:
    return plain(read(render_board(view))).splitlines()


@pytest.mark.parametrize("people", [(ANA, BEN), (ANA, BEN, CEM)])
@pytest.mark.parametrize("before", ["nothing", "a sealed bid", "a bid by the clock"])
async def test_a_draw_before_anyone_has_played_a_card_is_unrated(
    table: Table, people: tuple[Person, ...], before: str
) -> None:
    id = await table.start(people, cards=6, clock=60)
    if before == "a sealed bid":
        await table.seal(id, ANA.user, 2)
    elif before == "a bid by the clock":
        table.clock.forward(70)
        await table.fire()
    view = await agree(table, id)
    shown = lines(view)
    assert shown[0] == "### Drawn by agreement"
    assert UNPLAYED in shown
    assert "rating" not in " ".join(shown)
    assert (view.changes, list(await table.store.ratings(HERE.guild, "classic"))) == ((), [])


async def test_a_draw_after_a_round_is_rated(table: Table) -> None:
    id = await table.start(cards=3)
    await table.round(id, 1, 2)
    view = await agree(table, id)
    assert "fewer than 8 rated matches." in " ".join(lines(view))
    assert "Not rated" not in " ".join(lines(view))
    assert [one.drawn for one in await table.store.ratings(HERE.guild, "classic")] == [1, 1]


async def test_a_draw_that_a_moderator_decides_is_rated(table: Table) -> None:
    id = await table.start(cards=3)
    view = await table.referee.moderating.decide(HERE.guild, id, MOD, 0, "even")
    assert "Not rated" not in " ".join(lines(view))
    assert len(view.changes) == 2


async def three_with_a_round(table: Table, **wish: Any) -> str:
    """A match of three in its second round; Ana has won the only prize so far."""
    id = await table.start((ANA, BEN, CEM), cards=4, **wish)
    for person, card in ((ANA, 4), (BEN, 3), (CEM, 2)):
        await table.seal(id, person.user, card)
    return id


async def told_history(table: Table, person: Person) -> str:
    matches = await table.referee.people.history(HERE.guild, person.user, 0)
    return plain(read(history(Listing(person.user), person.name, matches)))


async def drawn_and_lost(table: Table, person: Person) -> str:
    view = await table.referee.people.profile(HERE.guild, person.user, person.name, person.user)
    return plain(read(profile(view)))


async def test_who_left_stands_below_those_who_agree_on_a_draw(table: Table) -> None:
    """Whatever they had won: their seat cannot win any more (RULING C5)."""
    id = await three_with_a_round(table)
    await table.referee.matches.resign(id, ANA.user)
    await table.referee.matches.offer_draw(id, BEN.user)
    await table.referee.matches.answer_draw(id, CEM.user, True)
    shown = lines(await table.referee.views.view(id))
    assert shown[0] == "### Drawn by agreement"
    placed = [line for line in shown if "\\. " in line]
    assert [line.split(" ")[:2] for line in placed] == [["1\\.", "Ben"], ["1\\.", "Cem"], ["3\\.", "Ana"]]
    assert " · left · " in placed[2]
    mine, theirs = await told_history(table, ANA), await told_history(table, BEN)
    assert "3rd of 3 · rating −" in mine
    assert "drew with Cem · rating +" in theirs
    assert "0 drawn, 1 lost" in await drawn_and_lost(table, ANA)
    assert "1 drawn, 0 lost" in await drawn_and_lost(table, BEN)
    again = Table(table.store, table.clock, "again")
    assert lines(await again.referee.views.view(id)) == shown, "as it is replayed from the store"


async def test_an_agreed_draw_of_three_is_told_as_one_in_the_history(table: Table) -> None:
    id = await three_with_a_round(table)
    await agree(table, id)
    assert "drew with Ben and Cem" in await told_history(table, ANA)
    assert "of 3" not in await told_history(table, ANA)


async def test_a_draw_to_which_the_rest_had_agreed_stands_when_the_last_one_asked_leaves(table: Table) -> None:
    id = await three_with_a_round(table)
    await table.referee.matches.offer_draw(id, BEN.user)
    offered = await table.referee.matches.answer_draw(id, CEM.user, True)
    where = Surface(id, SurfaceKind.CONSOLE_DM, ANA.user, 7, 8, 0, table.clock.now())
    asked = Offer(id, where, offered.prompt, "Ben offers a draw.")
    await table.seal(id, CEM.user, 3)
    await table.referee.matches.resign(id, ANA.user)
    view = await table.referee.views.view(id)
    shown = lines(view)
    assert shown[0] == "### Drawn by agreement"
    placed = [line for line in shown if "\\. " in line]
    assert [line.split(" ")[:2] for line in placed] == [["1\\.", "Ben"], ["1\\.", "Cem"], ["3\\.", "Ana"]]
    dm = draw_now(view, asked)
    assert (dm.content, dm.body) == ("Ben offers a draw.\nAll who were still playing agreed: the match is drawn.", ())
    await proven(table, id)
    again = Table(table.store, table.clock, "again")
    assert lines(await again.referee.views.view(id)) == shown, "as it is replayed from the store"


async def test_an_offer_by_dm_says_that_a_moderator_decided_the_draw(table: Table) -> None:
    """Nobody agreed to it."""
    id = await three_with_a_round(table)
    offered = await table.referee.matches.offer_draw(id, BEN.user)
    where = Surface(id, SurfaceKind.CONSOLE_DM, ANA.user, 7, 8, 0, table.clock.now())
    asked = Offer(id, where, offered.prompt, "Ben offers a draw.")
    view = await table.referee.moderating.decide(HERE.guild, id, CEM, 0, "no time left")
    dm = draw_now(view, asked)
    assert (dm.content, dm.body) == ("Ben offers a draw.\nA moderator decided: a draw.", ())


async def test_a_closed_offer_names_nobody_who_erased_their_data(table: Table) -> None:
    id = await three_with_a_round(table)
    offered = await table.referee.matches.offer_draw(id, BEN.user)
    where = Surface(id, SurfaceKind.CONSOLE_DM, ANA.user, 7, 8, 0, table.clock.now())
    asked = Offer(id, where, offered.prompt, "Ben offers a draw.")
    await table.referee.privacy.erase(BEN.user)
    assert "Ben" not in draw_now(await table.referee.views.view(id), asked).content


async def test_a_draw_stays_open_while_one_who_plays_has_not_answered(table: Table) -> None:
    id = await three_with_a_round(table)
    await table.referee.matches.offer_draw(id, BEN.user)
    view = await table.referee.matches.resign(id, ANA.user)
    assert "Ben offers a draw" in " ".join(lines(view))
    where = Surface(id, SurfaceKind.CONSOLE_DM, ANA.user, 7, 8, 0, table.clock.now())
    by_dm = Offer(id, where, view.prompt, "Ben offers a draw.")
    mention = replace(by_dm, users=frozenset({ANA.user, CEM.user}))
    live = await table.referee.live(id)
    assert (is_answered(live, by_dm), is_answered(live, mention)) == (True, False)
    left = f"You left #{id}. Your lowest cards are played for you."
    dm = draw_now(view, by_dm)
    assert (dm.content, dm.body) == (f"Ben offers a draw.\n{left}", ())
    assert "[Accept draw]" in read(draw_now(view, mention))
    view = await table.referee.matches.answer_draw(id, CEM.user, True)
    assert lines(view)[0] == "### Drawn by agreement"


async def test_a_match_that_was_agreed_to_be_unrated_says_that(table: Table) -> None:
    view = await agree(table, await table.start(cards=3, rated=False))
    assert "Not rated, as agreed." in lines(view)


# --- offering again ---------------------------------------------------------------------------------------


async def reveal(table: Table, id: str) -> None:
    """Everyone bids the lowest card."""
    live = await table.referee.live(id)
    for seat, prompt in live.prompts.items():
        await table.seal(id, live.stored.seats[seat].user, choice_data(prompt.lowest()), live.stored.prompt)


async def offer(table: Table, id: str) -> tuple[str, str]:
    """What Ana is asked before an offer in this round, and what she reads if she wants to offer again in the next."""
    again = await table.referee.matches.check_draw_offer(id, ANA.user)
    question = plain(confirm.draw_question(await table.referee.views.view(id, ANA.user), again).content)
    await table.referee.matches.offer_draw(id, ANA.user)
    await reveal(table, id)
    with pytest.raises(RefereeError) as refused:
        await table.referee.matches.check_draw_offer(id, ANA.user)
    return question.partition("; ")[2], describe_error(refused.value)


LATER = "you may offer again 3 rounds later."
NEXT_DEAL = ("you may offer again in a later deal, if there is one.", "You can offer again in a later deal.")
NEVER = ("you cannot offer again in this match.", "You can't offer another draw in this match.")


@pytest.mark.parametrize(
    ("wish", "revealed", "question", "refusal"),
    [
        ({"cards": 6}, 0, LATER, "You can offer again from round 4."),
        ({"cards": 6}, 1, LATER, "You can offer again from round 5."),
        ({"cards": 6}, 2, *NEVER),  # the last card is bid for everyone
        ({"cards": 4}, 0, *NEVER),
        ({"cards": 8, "options": {"bid_cards": 2}}, 0, *NEVER),
        ({"cards": 9, "options": {"bid_cards": 2}}, 0, LATER, "You can offer again from round 4."),
        ({"game": "psych"}, 0, LATER, "You can offer again from round 4."),
        ({"cards": 4, "series": {"mode": "deals", "deals": 2}}, 0, *NEXT_DEAL),
        ({"cards": 4, "series": {"mode": "deals", "deals": 2}}, 3, *NEVER),
        ({"cards": 4, "series": {"mode": "best-of", "games": 3}}, 3, *NEXT_DEAL),
        ({"cards": 4, "series": {"mode": "first-to", "wins": 1}}, 0, *NEXT_DEAL),
    ],
)
async def test_when_a_draw_may_be_offered_again(
    table: Table, wish: dict[str, Any], revealed: int, question: str, refusal: str
) -> None:
    id = await table.start(**wish)
    for _ in range(revealed):
        await reveal(table, id)
    asked, refused = await offer(table, id)
    assert asked == question
    assert refused.removeprefix("You offered a draw recently. ") == refusal


async def test_no_later_deal_is_begun_without_those_who_left(table: Table) -> None:
    id = await table.start((ANA, BEN, CEM), cards=4, series={"mode": "deals", "deals": 2})
    await reveal(table, id)
    await table.referee.matches.resign(id, CEM.user)
    again = await table.referee.matches.check_draw_offer(id, ANA.user)
    question = plain(confirm.draw_question(await table.referee.views.view(id, ANA.user), again).content)
    assert question.startswith("Offer Ben a draw?")
    assert question.endswith(f"; {NEVER[0]}")


async def test_history_shows_the_deals_won_of_a_series(table: Table) -> None:
    """As the result does: deals of a best of 3, not the points of its deals."""
    id = await table.start(cards=2, series={"mode": "best-of", "games": 3})
    while not (view := await table.referee.views.view(id)).over:
        await table.round(id, 2, 1)  # takes the first prize
    score = re.fullmatch(r"### Ben wins (2–[01]) .*", lines(view)[0])
    assert score is not None, lines(view)
    assert f"beat Ana {score[1]} ·" in await told_history(table, BEN)
    assert f"lost to Ben {score[1][::-1]} ·" in await told_history(table, ANA)


async def test_history_says_that_a_moderator_decided(table: Table) -> None:
    """Ben leads, and is told that he lost."""
    id = await table.start(cards=3)
    await table.round(id, 1, 2)
    await table.referee.moderating.decide(HERE.guild, id, MOD, ANA.user, "spam")
    assert re.search(r"beat Ben 0–\d, decided by a moderator", await told_history(table, ANA))
    assert ", decided by a moderator" in await told_history(table, BEN)
