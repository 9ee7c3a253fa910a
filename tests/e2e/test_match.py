"""The used-by path, over real sockets, with the bot as its own process."""

from tests.e2e.house import House


async def test_a_match_by_dm_buttons(house: House) -> None:
    board = await house.match()
    ana, ben = house.ana, house.ben
    for number in range(1, 13):
        mine = await ana.sees(f"round {number} of 13")
        await ana.press(_name(number), in_=mine)
        theirs = await ben.sees(f"round {number} of 13", where="dm")
        await ben.press(_name(number + 1), in_=theirs)
    result = await ana.sees("beats")
    assert result.id == board.id


def _name(card: int) -> str:
    return {1: "A", 11: "J", 12: "Q", 13: "K"}.get(card, str(card))
