"""The used-by path, over real sockets, with the bot as its own process."""

from tests.e2e.house import House, awaits, key


async def test_a_match_by_dm_buttons(house: House) -> None:
    board = await house.match()
    ana, ben = house.ana, house.ben
    for number in range(1, 13):
        await ana.press(key(number), in_=await ana.sees(awaits(number, dm=True)))
        await ben.press(key(number + 1), in_=await ben.sees(awaits(number, dm=True)))
    result = await ana.sees("Ben⁩ beats")
    assert result.id == board.id
    await ana.slash("/gops leaderboard")
    ranking = await ana.sees("1. **⁨Ben")
    print(result.text)
    print(ranking.text)
    print(ana.screen)
    await ana.slash("/gops profile")
    await ana.press("Verify", in_=result)
    await ana.press("Sheet", in_=result)
    print(ana.screen)
    print(await house.stage.calls())
