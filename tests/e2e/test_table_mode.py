"""Matches that are bid on the board itself: one tap, no DM, and no call that Discord counts."""

from __future__ import annotations

from bot.playground.driver import Outcome, Person, Seen
from tests.e2e.house import House, code_of, key, told


async def lay(person: Person, board: Seen, card: int) -> Outcome:
    """Press this card's key on the board."""
    return await person.press(key(card), in_=board)


async def test_a_whole_match_costs_no_counted_call(house: House) -> None:
    await house.stage.reset_calls()
    board = await house.match(place="table", cards=4, ties="discard")
    assert "Press a card to seal it" in board.text
    for card in (1, 2, 3):
        first = await lay(house.ana, board, card)
        assert first.answer == 7
        assert told(first).count("✔ sealed") == 1
        await lay(house.ben, board, 4 if card == 1 else card - 1)
    over = await house.ben.sees(lambda seen: seen.has_button("Rematch"), in_=board)
    assert code_of(over)
    await house.bot.stop()  # what it has still to do is done before
    calls = await house.stage.calls()
    assert calls.counted == 0
    assert not house.ana.finds("dm")
