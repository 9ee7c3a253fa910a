"""Finished matches by opponent and result, and how two people did against each other."""

from __future__ import annotations

from bot.ui.custom_ids.records_ids import Listing
from cogs.records.profile_card import Meetings, chart, history
from tests.cogs.ui.reading import read
from tests.referee.stage import ANA, BEN, CEM, HERE, Table


async def meet(table: Table, *gains: bool) -> None:
    """One match for each: whether Ana wins it. Who bids the last card on the highest prize has it."""
    for ana in gains:
        id = await table.start(cards=2, rated=False, options={"order": "ascending"})
        await table.round(id, *((1, 2) if ana else (2, 1)))
        table.clock.forward(3600)


async def test_head_to_head_lists_matches_and_the_score_of_two_people(table: Table) -> None:
    people = table.referee.people
    assert await people.head_to_head(HERE.guild, ANA.user, BEN.user) is None
    await meet(table, True, True, False, True)
    other = await table.start((ANA, CEM), cards=2, rated=False)
    await table.referee.matches.resign(other, CEM.user)
    view = await people.head_to_head(HERE.guild, ANA.user, BEN.user)
    assert view is not None
    assert (view.played, view.won, view.lost, view.drawn, view.leads) == (4, 3, 1, 0, (0, 1, 2, 1, 2))
    back = await people.head_to_head(HERE.guild, BEN.user, ANA.user)
    assert back is not None
    assert back.leads == (0, -1, -2, -1, -2)
    lost = await people.history(HERE.guild, ANA.user, 0, "", BEN.user, "lost")
    assert len(lost) == 1
    assert len(await people.history(HERE.guild, ANA.user, 0, "", BEN.user)) == 4
    drawing = chart(view, "Ana", "Ben")
    assert ">matches that Ana has won more<" in drawing
    assert ">−1<" in drawing, "who was never ahead is named below the line of nobody"
    wanted = Listing(ANA.user, "", "lost", BEN.user)
    shown = read(history(wanted, "Ana", lost, met=Meetings("Ben", view, b"png"), own=True)).splitlines()
    assert shown[0] == "### Ana against Ben"
    assert shown[1] == "Matches of these two players: 4. Ana won 3, Ben won 1, drawn 0."
    assert shown[2] == "<picture: Chart of the last 4 matches: how many more Ana had won, from 0 to 2, at last 2.>"
    assert "lost to Ben" in shown[3]
    assert read(history(wanted, "Ana", [], met=Meetings("Ben"))) == "No such match found."


async def test_head_to_head_of_few_matches_has_no_chart(table: Table) -> None:
    await meet(table, True, False)
    view = await table.referee.people.head_to_head(HERE.guild, ANA.user, BEN.user)
    assert view is not None
    assert chart(view, "Ana", "Ben") == ""
