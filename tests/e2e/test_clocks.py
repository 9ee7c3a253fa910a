"""Clocks: warnings, nudges, missed bids, forfeits, and what a restart does to them."""

import asyncio
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.driver import Person, Seen
from tests.e2e.house import House, awaits, code_of, has, key, opened, plain, told

pytestmark = pytest.mark.asyncio(loop_scope="module")

MINUTE = 60
HOUR = 60 * MINUTE
CLOCK = 2 * MINUTE
GRACE = 3


async def bid(person: Person, number: int, card: int) -> Seen:
    return (await person.press(key(card), in_=await person.sees(awaits(number, dm=True)))).shown


async def test_one_warning_for_who_has_not_bid(scene: House) -> None:
    board = await scene.match()
    await bid(scene.ana, 1, 5)
    first = await scene.ben.sees(awaits(1, dm=True))
    pings = len(scene.ben.pings), len(scene.ana.pings)
    await scene.stage.forward(CLOCK - 29)
    warned = await scene.ben.pinged(", or your lowest card is played.")
    assert plain(warned.text).startswith(f"#{code_of(board)} against Ana: bid before <t:")
    console = await scene.ben.sees(lambda now: now.id == warned.message_id and awaits(1, dm=True)(now))
    await scene.ben.sees_no(lambda now: now.id == first.id)
    assert "**You take" in told(await scene.ben.press("6", in_=console))
    await scene.ana.sees(has("round 2 of 13"), in_=board)
    assert (len(scene.ben.pings), len(scene.ana.pings)) == (pings[0] + 1, pings[1])


async def test_no_warning_for_short_clocks_or_who_wants_none(scene: House) -> None:
    ben = scene.ben
    card = (await ben.slash("/gops preferences")).shown
    await ben.choose("Off", select="Warnings", in_=card)
    board = await scene.match()
    await bid(scene.ana, 1, 5)
    await ben.sees(awaits(1, dm=True))
    pings = len(ben.pings)
    await scene.stage.forward(CLOCK + GRACE + 1)
    await ben.sees(has("round 2 of 13"), in_=board)
    assert len(ben.pings) == pings


async def test_missed_bids_and_a_forfeit(scene: House) -> None:
    """RULING C4: the lowest card each time, and the third in a row ends it."""
    board = await scene.match()
    ana, stage = scene.ana, scene.stage
    for number in range(1, 4):
        await bid(ana, number, number + 7)
        await stage.forward(CLOCK + GRACE + 1)
        if number < 3:
            now = plain((await ana.sees(has(f"round {number + 1} of 13"), in_=board)).text)
            assert f"Time ran out for Ben: lowest card played (♥{key(number)})." in now
            assert f"missed {number} of 3" in now
    await ana.sees(has("Ana wins because Ben missed three bids in a row"), in_=board)
    assert "1. **Ana**" in told(await ana.slash("/gops leaderboard"))


async def test_a_bid_forgives_what_was_missed(scene: House) -> None:
    board = await scene.match()
    ana, ben, stage = scene.ana, scene.ben, scene.stage
    for number in (1, 2):
        await bid(ana, number, number + 7)
        await stage.forward(CLOCK + GRACE + 1)
        await ana.sees(has(f"round {number + 1} of 13", f"missed {number} of 3"), in_=board)
    last = await ben.sees(awaits(3, dm=True))
    await ben.press("K", in_=last)
    await bid(ana, 3, 10)
    now = await ana.sees(has("round 4 of 13"), in_=board)
    assert "missed" not in now.text


async def test_the_last_chance_says_so(scene: House) -> None:
    board = await scene.match()
    ana, ben, stage = scene.ana, scene.ben, scene.stage
    for number in (1, 2):
        await bid(ana, number, number + 7)
        await stage.forward(CLOCK + GRACE + 1)
        await ana.sees(has(f"round {number + 1} of 13"), in_=board)
    await bid(ana, 3, 10)
    await stage.forward(CLOCK - 29)
    warned = await ben.pinged("or you are out. This would be your third miss in a row.")
    assert f"#{code_of(board)}" in warned.text


async def test_the_last_chance_without_dms(scene: House) -> None:
    """Closed DMs: the one mention in the channel says it, with the board a press away."""
    await scene.ben.close_dms()
    board = await scene.match()
    ana, ben, stage = scene.ana, scene.ben, scene.stage
    for number in (1, 2):
        await bid(ana, number, number + 7)
        await stage.forward(CLOCK + GRACE + 1)
        await ana.sees(has(f"round {number + 1} of 13"), in_=board)
    await bid(ana, 3, 10)
    await stage.forward(CLOCK - 29)
    warned = await ben.pinged("or you are out. This would be your third miss in a row.")
    assert f"[#{code_of(board)}](https://discord.com/channels/" in warned.text
    assert warned.channel_id == board.channel_id
    console = (await ben.press("Bid", in_=board)).shown
    missed = "⚠ Time ran out in round 2: your lowest card was played, 2. If you miss 1 more in a row, you are out."
    assert missed in plain(console.text)


async def test_what_a_forfeit_is_told(scene: House) -> None:
    board = await scene.match()
    ana, ben, stage = scene.ana, scene.ben, scene.stage
    for number in range(1, 4):
        await bid(ana, number, number + 7)
        await stage.forward(CLOCK + GRACE + 1)
        if number < 3:
            await ben.sees(has(f"Time ran out in round {number}: your lowest card was played"), in_="dm")
    await ben.sees(has("Ana wins because you missed three bids in a row", code_of(board)), in_="dm")


async def test_match_without_bids_is_abandoned(scene: House) -> None:
    board = await scene.match()
    for number in (1, 2):
        await scene.stage.forward(CLOCK + GRACE + 1)
        await scene.ana.sees(has(f"round {number + 1} of 13"), in_=board)
    await scene.stage.forward(CLOCK + GRACE + 1)
    over = plain((await scene.ana.sees(has("abandoned after round 3"), in_=board)).text)
    assert "Nobody bid." in over
    assert "It does not count for the ratings." in over
    assert told(await scene.ana.slash("/gops leaderboard")).startswith("Nobody has a rating here yet.")


async def test_nobody_bids_in_a_short_match(scene: House) -> None:
    """Every number that is told is true there, and the board shows each round in the end."""
    board = await scene.match(cards=3)
    await scene.stage.forward(CLOCK + GRACE + 1)
    now = plain((await scene.ana.sees(has("round 2 of 3"), in_=board)).text)
    assert "Ana 0 · missed 1 bid" in now
    assert " of 3 ·" not in now.split("round 2 of 3")[1]
    await scene.ben.sees(has("Time ran out in round 1: your lowest card was played, A.\n"), in_="dm")
    await scene.stage.forward(CLOCK + GRACE + 1)
    over = plain((await scene.ana.sees(has("abandoned after round 2"), in_=board)).text)
    assert "Nobody bid." in over
    assert (
        "Round 1: Time ran out for Ana: lowest card played (♠A). Time ran out for Ben: lowest card played (♥A)." in over
    )
    assert (
        "Round 2: Time ran out for Ana: lowest card played (♠2). Time ran out for Ben: lowest card played (♥2)." in over
    )
    assert "✘" not in told(await scene.ana.slash("/gops verify", match=code_of(board)))
    stopped = f"Nobody bid in #{code_of(board)}, so it was abandoned. It does not count."
    await scene.ben.sees(has(stopped), in_="dm")


async def until_closing(scene: House, console: Seen, seconds: float) -> None:
    """Let so many seconds be gone since the time at which bids close, as shown; before it, if negative."""
    closes = re.search(r"bids close <t:(\d+):R>", console.text)
    assert closes is not None, console.text
    offset = float(scene.bot.clock_file.read_text(encoding="utf-8"))
    await scene.stage.forward(int(closes[1]) + seconds - datetime.now(UTC).timestamp() - offset)


@pytest.mark.parametrize("counts", [True, False])
async def test_a_press_counts_by_its_own_time(scene: House, counts: bool) -> None:
    """Shortly before the shown time is in time, shortly after it too late; to the second: `referee/test_bidding`."""
    board = await scene.match()
    ana, ben = scene.ana, scene.ben
    await bid(ana, 1, 5)
    await ben.sees(awaits(1, dm=True))
    await scene.stage.forward(CLOCK - 29)
    warned = await ben.pinged("or your lowest card is played.")
    console = await ben.sees(lambda now: now.id == warned.message_id and awaits(1, dm=True)(now))
    await until_closing(scene, console, -10 if counts else 1)
    answer = told(await ben.press("K", in_=console))
    if counts:
        revealed = await ana.sees(has("round 2 of 13"), in_=board)
        assert "♥K beats ♠5. **Ben takes" in plain(revealed.text)
        return
    assert "⚠ Time ran out before your press. Your lowest card was played: A." in answer
    assert "· bids close now" in answer
    assert ":R>" not in answer, "it would count on: bids close 2 seconds ago"
    await scene.stage.forward(GRACE)
    revealed = await ana.sees(has("round 2 of 13"), in_=board)
    assert "Time ran out for Ben: lowest card played (♥A)." in plain(revealed.text)


async def test_slow_match_reminds_each_player_once(scene: House) -> None:
    board = await scene.match(clock=15 * MINUTE)
    ana, ben, stage = scene.ana, scene.ben, scene.stage
    await ben.sees(awaits(1, dm=True))
    await ana.sees(awaits(1, dm=True))
    await bid(ana, 1, 5)
    await stage.forward(61)
    nudge = await ben.pinged(re.compile(r"Ana\W*: your turn to bid for"))
    assert plain(nudge.text).startswith(f"#{code_of(board)} against Ana: your turn to bid for ")
    await ben.sees(lambda now: now.id == nudge.message_id and awaits(1, dm=True)(now))
    pings = len(ben.pings)
    await stage.forward(15 * MINUTE * 3 // 4 - 60)
    warned = await ben.pinged("or your lowest card is played.")
    assert len(ben.pings) == pings + 1
    await ben.sees(lambda now: now.id == warned.message_id and awaits(1, dm=True)(now))
    await ben.sees_no(lambda now: now.channel_id == warned.channel_id and now.id != warned.message_id)
    assert len(ana.pings) == 1


async def test_quiet_hours_make_no_sound(scene: House) -> None:
    """The nudge is there, and nobody was woken by it; what cannot be read as hours or a zone is said."""
    ana, ben, stage = scene.ana, scene.ben, scene.stage
    assert told(await ben.slash("/gops preferences", quiet="22-7")).startswith("Add your time zone,")
    assert told(await ben.slash("/gops preferences", quiet="at night")).startswith(
        '"at night" is not a range of hours.'
    )
    assert told(await ben.slash("/gops preferences", zone="Atlantis")).startswith('"Atlantis" is not a time zone.')
    now = datetime.now(UTC) + timedelta(seconds=float(scene.bot.clock_file.read_text(encoding="utf-8")))
    first, last = now - timedelta(hours=2), now + timedelta(hours=2)
    card = told(await ben.slash("/gops preferences", quiet=f"{first:%H:%M}-{last:%H:%M}", zone="utc"))
    assert f"Saved: quiet hours {first.hour}:{first:%M}–{last.hour}:{last:%M}, UTC." in card
    await scene.match(clock=15 * MINUTE)
    await ben.sees(awaits(1, dm=True))
    await ana.sees(awaits(1, dm=True))
    await bid(ana, 1, 5)
    there = {one.id for one in ben.screen.messages()}
    await stage.forward(61)
    nudge = await ben.sees(lambda one: one.id not in there and awaits(1, dm=True)(one), in_="dm")
    assert not any(one.push for one in ben.pings if one.message_id not in there)
    await stage.forward(15 * MINUTE * 3 // 4 - 60)
    await ben.sees(lambda one: one.id not in {*there, nudge.id} and awaits(1, dm=True)(one), in_="dm")
    assert not any(one.push for one in ben.pings if one.message_id not in there)


async def told_anew(person: Person, known: Iterable[Seen]) -> Seen:
    """A console of the first round that is none of these."""
    ids = {one.id for one in known}
    return await person.sees(lambda one: one.id not in ids and awaits(1, dm=True)(one), in_="dm")


async def test_warnings_at_ones_own_rhythm(scene: House) -> None:
    """8, 4 and 1 hours before by DM, never earlier; the one in quiet hours is there and wakes nobody."""
    ana, ben, stage = scene.ana, scene.ben, scene.stage
    card = told(await ana.slash("/gops preferences", warnings="8h 4h 1h"))
    assert "Saved: warnings 8 hours, 4 hours and 1 hour before." in card
    await ben.slash("/gops preferences", warnings="485m 245m 65m")  # five minutes sooner each time
    now = datetime.now(UTC) + timedelta(seconds=float(scene.bot.clock_file.read_text(encoding="utf-8")))
    first, last = now + timedelta(hours=19), now + timedelta(hours=21)
    await ana.slash("/gops preferences", quiet=f"{first:%H:%M}-{last:%H:%M}", zone="utc")
    code = code_of(await scene.match(clock=24 * HOUR))
    names = {ana: "Ana", ben: "Ben"}
    consoles = {person: await person.sees(awaits(1, dm=True)) for person in (ben, ana)}
    passed = MINUTE + 1.0
    await stage.forward(passed)
    consoles = {person: await told_anew(person, consoles.values()) for person in (ben, ana)}
    for before, sound in ((8, True), (4, False), (1, True)):
        due = (24 - before) * HOUR
        for person, other, at in ((ben, ana, due - 5 * MINUTE), (ana, ben, due + 1)):
            await stage.forward(at - passed)
            passed = at
            consoles[person] = console = await told_anew(person, consoles.values())
            assert other.now(consoles[other]) is not None, "what the other one has is left alone"
            [ping] = [one for one in person.pings if one.message_id == console.id]
            assert ping.push is (sound or person is ben)
            if ping.push:
                assert plain(ping.text).startswith(f"#{code} against {names[other]}: bid before <t:")


async def test_a_pause_is_told_and_everybody_waits(tmp_path: Path) -> None:
    """Chosen in /gops preferences, told on the board and to the opponent, kept over a kill, and ended early."""
    async with opened(tmp_path) as house:
        ana, ben, stage = house.ana, house.ben, house.stage
        board = await house.match(clock=15 * MINUTE)
        await ben.sees(awaits(1, dm=True))
        card = (await ana.slash("/gops preferences", warnings="10m 5m")).shown
        assert "Saved: warnings 10 minutes and 5 minutes before." in plain(card.text)
        assert "is not a list of times" in told(await ana.slash("/gops preferences", warnings="soon"))
        chosen = await ana.choose("2 days", select="For how long", in_=card)
        assert "Saved: vacation until" in plain(chosen.shown.text)
        await ben.sees(has("is on vacation until", "; the clocks wait"), in_=board)
        await ben.sees(has("is on vacation until"), in_="dm")
        await house.bot.kill()
        await house.bot.start()
        await stage.forward(15 * MINUTE + GRACE)
        sheet = (await ben.press("Sheet", in_=board)).shown
        assert "Ana was on vacation " in plain(sheet.text)
        await ana.sees(has("is on vacation until", "round 1 of 13"), in_=board)
        card = (await ana.slash("/gops preferences")).shown
        assert "your slow matches have stopped, and your opponents know." in plain(card.text)
        ended = await ana.press("End vacation", in_=card)
        assert "Saved: vacation ended, your slow matches continue." in plain(ended.shown.text)
        await ben.sees(lambda one: "vacation" not in one.text and "round 1 of 13" in one.text, in_=board)
        await stage.forward(15 * MINUTE + GRACE)
        await ana.sees(has("round 2 of 13"), in_=board)


async def test_forced_bids_while_the_bot_is_down(tmp_path: Path) -> None:
    """What fell due during downtime is not held against anybody: every clock moves by as much."""
    async with opened(tmp_path) as house:
        board = await house.match()
        ana, ben, stage = house.ana, house.ben, house.stage
        await bid(ana, 1, 5)
        await ana.sees(has("✔ has bid"), in_=board)
        await house.bot.kill()
        await stage.forward(10 * MINUTE)
        await house.bot.start()
        away = plain((await ana.sees(has("The bot was away 10 minutes. Every clock"), in_=board)).text)
        assert "round 1 of 13" in away
        assert "✔ has bid" in away
        console = (await ben.press("Bid", in_=board)).shown
        assert "Your turn" in console.text
        await ben.press("6", in_=console)
        revealed = await ana.sees(has("round 2 of 13"), in_=board)
        assert "♥6 beats ♠5" in plain(revealed.text)
        assert "was away" not in revealed.text
        await house.bot.kill()
        await stage.forward(10)
        await house.bot.start()
        await stage.forward(CLOCK + GRACE + 10)
        await ana.sees(has("round 3 of 13"), in_=board)
        assert "Traceback" not in house.bot.logged()


async def test_discord_is_away_while_the_bot_lives(tmp_path: Path) -> None:
    """Nobody can press anything, so no clock runs out; afterwards every clock moves by as much, and boards say so."""
    async with opened(tmp_path, by_http=False) as house:  # by HTTP people go on playing
        board = await house.match()
        ana, ben, stage = house.ana, house.ben, house.stage
        await bid(ana, 1, 5)
        console = await ben.sees(awaits(1, dm=True))
        await ana.sees(has("✔ has bid"), in_=board)
        await stage.gateway("refuse", times=1000)
        await stage.gateway("close", code=4000)
        await stage.bot_gone()
        await house.bot.logs("no connection to Discord")  # it knows: else ten minutes would pass while it is there
        await stage.forward(10 * MINUTE)
        await stage.gateway("refuse", times=0)
        moved = has("round 1 of 13", "The bot was away 10 minutes. Every clock")
        await ana.sees(moved, in_=board, patience=30)
        await ben.press("6", in_=console)
        assert "♥6 beats ♠5" in plain((await ana.sees(has("round 2 of 13"), in_=board)).text)
        await stage.forward(CLOCK + GRACE + 1)
        await ana.sees(has("round 3 of 13"), in_=board)


async def test_a_challenge_lives_longer_by_the_time_in_which_the_bot_was_down(tmp_path: Path) -> None:
    """Nobody could accept it meanwhile. Its message says when it ends now."""
    async with opened(tmp_path) as house:
        challenge = await house.challenge()
        assert await house.bot.stop() == 0
        await house.stage.bot_gone()
        await house.stage.forward(30 * MINUTE)
        await house.bot.start()
        before = ends(challenge)
        await house.ben.sees(lambda now: now.id == challenge.id and ends(now) >= before + 30 * MINUTE)
        await house.stage.forward(9 * MINUTE)
        await house.ben.press("Decline", in_=challenge)
        await house.ana.sees(has("Ben declined."), in_=challenge)
        assert house.bot.trouble() == []


def ends(challenge: Seen) -> int:
    found = re.search(r"Answer by <t:(\d+):t>", challenge.text)
    assert found, challenge.text
    return int(found[1])


async def test_a_slow_dm_of_one_match_holds_up_no_other(tmp_path: Path) -> None:
    """Discord takes 20 s for a warning; a bid missed in another match is revealed meanwhile, and so is one in this."""
    async with opened(tmp_path) as house:
        ana, ben, stage = house.ana, house.ben, house.stage
        slow = await house.match()
        console = await ben.sees(awaits(1, dm=True))
        cem = await house.person("Cem")
        await stage.forward(30)
        await ana.slash("/gops challenge", opponent=cem, clock=MINUTE)
        challenge = await cem.sees("challenges you")
        await cem.press("Accept", in_=challenge)
        await cem.sees(awaits(1, dm=True))
        await stage.fault("slow", f"POST /channels/{console.channel_id}/messages", seconds=600, when="after")
        await stage.forward(CLOCK - 29 - 30)
        await ben.pinged("or your lowest card is played.")  # it is there, but the bot does not hear of that for long
        await stage.forward(GRACE)
        await ana.sees(has("round 2 of 13"), in_=challenge)
        await stage.forward(MINUTE / 2)
        await ana.sees(has("round 2 of 13"), in_=slow)
        await stage.clear_faults()
        assert await house.bot.stop() == 0
        assert "Traceback" not in house.bot.logged()


async def test_two_matches_that_run_out_together_notify_each_on_its_own(scene: House) -> None:
    """Two matches of the same people run out together; each is told of its own."""
    boards = [await scene.match(), await scene.match()]
    await scene.stage.forward(CLOCK + GRACE + 1)
    await asyncio.gather(*(scene.ana.sees(has("round 2 of 13"), in_=board) for board in boards))
    assert len({code_of(board) for board in boards}) == 2
