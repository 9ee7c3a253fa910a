"""The score sheet: sentences, grid, pages, proofs."""

from __future__ import annotations

from typing import Any

from bot.referee.model.views import SealView
from cogs.records.sheets import seals_card, sheet
from tests.cogs.ui.reading import keys, read
from tests.cogs.ui.views import OPENING, Played, begin, example


def told(played: Played, seat: int | None = None, **changed: Any) -> list[str]:
    return read(sheet(played.view(seat, **changed))).splitlines()


def test_sheet_states_rounds_in_sentences() -> None:
    played = begin().deal((7, 3, 13, 5)).play_all((9, 6), (4, 4), (12, 11))
    assert told(played, sealed={0: 13}) == [
        "### #K7Q2 · score sheet",
        "1. ♦7: Ana 9, Ben 6. Ana +7",
        "2. ♦3: Ana 4, Ben 4. Nobody gets it",
        "3. ♦K: Ana Q, Ben J. Ana +13",
        "Total: Ana 20, Ben 0",
        "(◀ Earlier) (Later ▶) [As a grid] [Show everyone]",
    ]


def test_sheet_of_five_is_a_grid() -> None:
    played = begin(seats=5).deal((7, 3, 5)).play(9, 6, 2, 4, 8)
    message = sheet(played.view())
    assert read(message).splitlines()[:7] == [
        "### #K7Q2 · score sheet",
        "1 Ana · 2 Ben · 3 Cem · 4 Dee · 5 Eli",
        "```",
        " rd prize  1  2  3  4  5 to",
        "  1     7  9  6  2  4  8  1",
        "```",
        (
            "-# *rd*: round · *to*: the player who takes the prize, or - nobody · > the pot · = split"
            " · * several · ? hidden"
        ),
    ]
    assert keys(message) == ["(◀ Earlier) (Later ▶) [As sentences] [Show everyone]"]


def test_re_bids_are_lines_of_their_own() -> None:
    played = begin("bid").deal((10, 4, 5)).play(4, 4).play(9, 9)
    assert told(played)[1:3] == ["1. ♦10: Ana 4, Ben 4. Bid again", "1a. Ana 9, Ben 9. Bid again"]
    assert told(played.play(1, 13))[1:4] == [
        "1. ♦10: Ana 4, Ben 4. Bid again",
        "1a. Ana 9, Ben 9. Bid again",
        "1b. Ana A, Ben K. Ana +10",
    ]


def test_sheet_states_what_became_of_each_prize() -> None:
    assert "Stays in the pot" in told(begin(options={"ties": "carry"}).deal((7, 3, 5)).play(4, 4))[1]
    assert "3 1/2 each" in told(begin(options={"ties": "split"}).deal((7, 3, 5)).play(4, 4))[1]
    played = begin(options={"open": "draft"}).deal((3, 1, 2, 5, 8, 8)).play(6, 9).play({"pick": 3})
    assert told(played)[1] == "1. A 3: Ana 6, Ben 9. Ben +3, Ana +1"
    assert "Ana takes it" in told(begin("parlett", 3).deal((5, 9, 2)).play(9, 2, 3))[1]
    hidden = begin(options={"info": "win-only"}).deal((7, 3, 5)).play(9, 6)
    assert told(hidden)[1] == "1. ♦7: bids hidden. Ana +7"
    assert told(hidden, 0)[1] == "1. ♦7: Ana 9. Ana +7"


def test_finished_sheet_opens_at_round_one() -> None:
    view = example().finish().view()
    assert read(sheet(view)) == read(sheet(view, page=0, deal=1)), "of a match that is over it opens at round 1"
    last = sheet(view, page=9, deal=1)
    assert keys(last) == ["[◀ Earlier] (Later ▶) [As a grid] [Show everyone]"]
    assert "11. ♦8" in read(last)
    first = sheet(view, page=0, deal=1)
    assert keys(first) == ["(◀ Earlier) [Later ▶] [As a grid] [Show everyone]"]
    assert "10. " in read(first)
    assert "11. " not in read(first)
    assert [button.id for button in first.buttons] == [
        "g1:sh:K7Q2:1:0:s:ep",
        "g1:sh:K7Q2:1:1:s:lp",
        "g1:sh:K7Q2:1:0:g:f",
        "g1:sh:K7Q2:1:0:s:e",
    ]


def test_pagers_go_on_into_other_deals() -> None:
    played = begin(options={"cards": 2}, series={"mode": "deals", "deals": 3})
    for _ in range(2):
        played = played.deal((1, 2)).play(1, 2)
    view = played.deal((1, 2)).view()
    message = sheet(view, deal=2)
    assert read(message).splitlines()[0] == "### #K7Q2 · score sheet · deal 2"
    assert [button.id for button in message.buttons[:2]] == ["g1:sh:K7Q2:1:0:s:ep", "g1:sh:K7Q2:3:0:s:lp"]
    assert "This deal: Ana 2, Ben 1 · finished deals: Ana 4, Ben 2" in read(message)
    assert "No cards are revealed yet." in read(sheet(view))


def seal(round: int, seat: int, n: int = 0, state: str = "played", sub: int = 0, deal: int = 0) -> SealView:
    return SealView(deal, round, sub, seat, n, f"{round}{sub}{seat}{n}" * 16, state)


def test_every_seal_stands_behind_verify() -> None:
    """Newest first, earlier ones of a prompt among them; so many lines that they fit."""
    seals = (seal(0, 0), seal(0, 1), seal(1, 0, sub=1), seal(2, 0, state="earlier"), seal(2, 0, 1, "sealed"))
    message = seals_card(example().view(), seals)
    assert read(message).splitlines()[:8] == [
        "### #K7Q2 · seals",
        f"🔒 Deal seal `{OPENING}`",
        f"3 · Ana `{'2001' * 16}`",
        f"3 · Ana `{'2000' * 16}` (changed later)",
        f"2a · Ana `{'1100' * 16}`",
        f"1 · Ben `{'0010' * 16}`",
        f"1 · Ana `{'0000' * 16}`",
        "-# Newest first. When the match ends, *Verify* shows what is in each seal.",
    ]
    assert keys(message) == ["(◀ Earlier) (Later ▶)"]
    many = tuple(seal(number, seat, n) for number in range(10) for seat in range(2) for n in range(10))
    pages = [seals_card(example().view(), many, page) for page in range(10)]
    assert sum(len(read(page).splitlines()) - 4 for page in pages) == 200
    assert keys(pages[0]) == ["[◀ Earlier] (Later ▶)"]
    assert keys(pages[9]) == ["(◀ Earlier) [Later ▶]"]
    assert read(seals_card(example().view(), ())).splitlines()[2] == "Nothing was sealed yet."
    series = begin(options={"cards": 2}, series={"mode": "deals", "deals": 3}).deal((1, 2)).play(1, 2).deal((1, 2))
    assert f"deal 2, 1 · Ana `{'0000' * 16}`" in read(seals_card(series.view(), (seal(0, 0, deal=1),)))


def test_a_sheet_tells_no_digit() -> None:
    assert "`" not in read(sheet(example().view(sealed={0: 13})))
    assert "`" not in read(sheet(example().finish().view()))


def test_the_copy_for_everyone_and_the_record() -> None:
    message = sheet(example().view(), public=True, record=b"{}")
    assert not message.rows
    assert read(message).endswith("<file: gops-K7Q2.json>")
    assert [file.filename for file in message.files] == ["gops-K7Q2.json"]


def test_no_grid_is_wider_than_a_phone() -> None:
    options = {"cards": 25, "bid_cards": 3}
    for played in (
        begin(seats=8, options=options).deal(range(25, 0, -1)).play(*[[23, 24, 25]] * 8),
        begin(seats=8, options={"open": "draft"}).deal([13] * 8 + [12] * 8).play(*range(1, 9)),
    ):
        grid = read(sheet(played.view(), form="g")).split("```")[1]
        assert max(map(len, grid.splitlines())) <= 36
