"""Presses on a board that everybody bids on: what they cost, what is shown, and what is told to one person alone."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from bot.interactions.answer import Answer
from bot.interactions.context import InteractionContext
from bot.interactions.shared.pressed_board import repost_board
from bot.messages import writer
from bot.referee.model.surfaces import Surface, SurfaceKind, SurfaceState, token_expiry
from tests.cogs.show.table import ANA, BEN, CEM, TableMode, staged
from tests.cogs.wire import ANSWER, COUNTED, DROP, FURTHER, IDS, TOKEN


@pytest.fixture
async def table() -> AsyncIterator[TableMode]:
    async with staged() as place:
        yield TableMode(place)


async def test_a_press_seals_and_is_answered_with_the_board(table: TableMode) -> None:
    await table.start(cards=4)
    asked = await table.lay(ANA, 3)
    assert table.answers == [7]
    assert "Ana 0, ✔ has bid" in table.shown
    assert "Waiting for **Ben**" in table.shown
    board = await table.board()
    assert board.token == asked.token.text
    (line,) = table.of(FURTHER)
    assert line.body["flags"] == 64
    assert "you sealed 3." in line.body["content"]
    await table.lay(BEN, 2)
    assert "round 2 of 4" in table.shown
    assert len(table.of(FURTHER)) == 1  # the last press reveals, and says nothing alone
    await table.place.publisher.idle()
    assert (table.counted, len(table.of(TOKEN))) == (0, 0)


async def test_a_round_of_two_is_three_free_calls_and_no_counted_one(table: TableMode) -> None:
    await table.start(cards=13)
    for card in range(1, 5):
        before = len(table.place.wire.calls)
        await table.lay(ANA, card)
        await table.lay(BEN, 14 - card)
        assert len(table.place.wire.calls) - before == 3
        table.place.table.clock.forward(60)
    await table.place.publisher.idle()
    assert (table.counted, len(table.of(FURTHER))) == (0, 1)


async def test_both_press_at_once_two_hundred_times(table: TableMode) -> None:
    rounds = 0
    while rounds < 200:
        await table.start(cards=25, ties="discard")
        for card in range(1, 25):
            prompt = await table.prompt()
            await asyncio.gather(table.lay(ANA, card, prompt), table.lay(BEN, 26 - card, prompt))
            assert f"round {card + 1} of 25" in table.shown or card == 24
            rounds += 1
        view = await table.place.referee.views.view(table.id)
        assert view.over
        ana = [one.bids[0].cards[0] for one in view.seen.rounds if one.bids[0] is not None]
        assert ana == list(range(1, 26))
        await table.place.publisher.idle()
        assert "Rematch" in table.shown
    assert rounds >= 200
    assert set(table.answers) == {7}
    assert table.counted == 0


@pytest.mark.parametrize("on_console", [False, True])
async def test_change_pressed_before_the_last_bid_counts_though_it_is_read_slowly(
    table: TableMode, monkeypatch: pytest.MonkeyPatch, on_console: bool
) -> None:
    """Both presses come in one write of the gateway, and the first one is the first to read from the store."""
    await table.start(cards=4)
    prompt = await table.prompt()
    await table.lay(ANA, 3, prompt)
    notes, read, tasks = table.place.publisher.notes, table.place.publisher.notes.surfaces, list[asyncio.Task[object]]()

    async def surfaces(id: str) -> object:
        if asyncio.current_task() in tasks:
            for _ in range(100):
                await asyncio.sleep(0)
        return await read(id)

    monkeypatch.setattr(notes, "surfaces", surfaces)
    verb, message = ("co", next(IDS)) if on_console else ("tk", 0)
    tasks += [asyncio.create_task(table.press(ANA, f"g1:{verb}:{table.id}:{prompt}:4", message, by_dm=on_console))]
    await asyncio.gather(*tasks, table.lay(BEN, 2, prompt))
    (first,) = (await table.place.referee.views.view(table.id)).seen.rounds
    assert [bid.cards for bid in first.bids if bid is not None] == [(4,), (2,)]


@pytest.mark.parametrize("waits_for", ["place", "clock"])
async def test_change_pressed_before_the_last_bid_counts_though_it_is_admitted_slowly(
    table: TableMode, monkeypatch: pytest.MonkeyPatch, waits_for: str
) -> None:
    """A press that finds the clock wrong waits until it is set; the one behind it brings a later time and need not."""
    await table.start(cards=4)
    prompt, admitted = await table.prompt(), list[object]()
    await table.lay(ANA, 3, prompt)

    async def admit(of: object, *more: object) -> None:
        admitted.append(of)
        for _ in range(100 if len(admitted) == 1 else 0):
            await asyncio.sleep(0)

    if waits_for == "place":
        monkeypatch.setattr(InteractionContext, "locate", admit)
    else:
        table.services.presence = SimpleNamespace(sync_clock=admit)
    await asyncio.gather(table.lay(ANA, 4, prompt), table.lay(BEN, 2, prompt))
    (first,) = (await table.place.referee.views.view(table.id)).seen.rounds
    assert [bid.cards for bid in first.bids if bid is not None] == [(4,), (2,)]


async def test_a_press_whose_board_is_busy_waits_then_hands_its_token_over(
    table: TableMode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "SHARED", 0.01)
    await table.start(cards=4)
    prompt = await table.prompt()
    held = table.place.wire.hold(ANSWER)
    first = asyncio.create_task(table.lay(ANA, 3, prompt))
    await table.place.wire.until(lambda: table.place.wire.count(ANSWER) == 1)
    table.place.table.clock.forward(0.1)
    second = await table.lay(BEN, 2, prompt)
    assert [call.body["type"] for call in table.of(ANSWER)] == [7, 6]
    assert "round 2 of 4" not in table.shown
    held.set()
    await first
    await table.place.publisher.idle()
    (edit,) = table.of(TOKEN)  # one, by the newest token, with the newest version
    assert "round 2 of 4" in table.shown
    assert (await table.board()).token == second.token.text
    assert table.place.wire.tokens[second.token.text] == edit.message
    assert table.counted == 0


@pytest.mark.parametrize("landed", [True, False])
async def test_a_502_is_mended_by_the_same_press(
    table: TableMode, monkeypatch: pytest.MonkeyPatch, landed: bool
) -> None:
    monkeypatch.setattr(writer, "PAUSES", (0.0, 0.0))
    await table.start(cards=4)
    for card in (1, 2, 3):
        for person, bid in ((ANA, card), (BEN, 5 - card)):
            table.place.wire.refuse(ANSWER, 502, landed=landed)
            await table.lay(person, bid)
            await table.place.publisher.idle()
            if person is ANA:
                assert "Ana" in table.shown
                assert "✔ has bid" in table.shown
    assert "Rematch" in table.shown
    assert table.counted == 0


async def test_a_press_that_came_too_late_leaves_the_board_to_the_token_before(table: TableMode) -> None:
    """10062: its token was never good, and the one before is."""
    await table.start(cards=4)
    first = await table.lay(ANA, 3)
    table.place.wire.refuse(ANSWER, 404, code=10062)
    await table.lay(BEN, 2)
    assert (await table.board()).token == first.token.text
    await table.place.publisher.idle()
    assert "round 2 of 4" in table.shown
    (edit,) = table.of(TOKEN)
    assert (edit.landed, edit.message) == (True, table.message)
    assert table.counted == 0


async def test_an_answer_that_was_there_already_leaves_the_board_to_an_edit(table: TableMode) -> None:
    """40060: an earlier try has arrived, with what nobody knows."""
    await table.start(cards=4)
    table.place.wire.refuse(ANSWER, 400, code=40060)
    asked = await table.lay(ANA, 3)
    await table.place.publisher.idle()
    assert "Ana 0, ✔ has bid" in table.shown
    (edit,) = table.of(TOKEN)
    assert table.place.wire.tokens[asked.token.text] == edit.message
    await table.lay(BEN, 2)
    assert "round 2 of 4" in table.shown
    assert table.counted == 0


@pytest.mark.parametrize("put_off", [False, True])
@pytest.mark.parametrize("reached", [True, False])
async def test_a_press_that_a_dead_process_answered_beside_the_board_shows_it_on_the_board(
    table: TableMode, monkeypatch: pytest.MonkeyPatch, reached: bool, put_off: bool
) -> None:
    """It had said that nothing changed, and the event came again: a board took the place of that sentence, and the
    people saw none."""
    await table.start(cards=4)
    wire, press, update, said = table.place.wire, table.place.wire.press, Answer.update, next(IDS)

    async def slowly(answer: Answer, *shown: Any, **how: Any) -> bool:
        answer._deferring = put_off  # on a busy machine; that was answered by 40060 too
        return await update(answer, *shown, **how)

    def answered(*asked: Any, **how: Any) -> Any:
        interaction = press(*asked, **how)
        wire.tokens[interaction.token] = said
        wire.answered.add(interaction.token)
        return interaction

    with monkeypatch.context() as patch:
        patch.setattr(wire, "press", answered)
        patch.setattr(Answer, "update", slowly)
        if not reached:
            wire.refuse(TOKEN, 404, code=10008, message=table.message)
        await table.lay(ANA, 3)
    await table.place.publisher.idle()
    assert "Ana 0, ✔ has bid" in table.shown
    await table.place.table.seal(table.id, BEN.user, 2)
    await table.place.publisher.idle()
    assert "round 2 of 4" in table.shown
    assert said not in wire.shown


async def test_a_token_is_used_until_half_past_fourteen_and_not_a_second_longer(table: TableMode) -> None:
    await table.start(cards=4, clock=0)
    await table.lay(ANA, 3)
    table.place.table.clock.forward(14 * 60 + 29)
    await table.place.table.seal(table.id, BEN.user, 2)
    await table.place.publisher.idle()
    assert (len(table.of(TOKEN)), table.counted) == (1, 0)
    table.place.table.clock.forward(2)
    await table.place.table.seal(table.id, ANA.user, 1)
    await table.place.table.seal(table.id, BEN.user, 1)
    await table.place.publisher.idle()
    await table.place.publisher.idle()
    assert len(table.of(TOKEN)) == 1
    assert table.counted >= 1
    assert "round 3 of 4" in table.shown


async def test_a_line_is_edited_for_twelve_minutes_and_then_replaced(table: TableMode) -> None:
    await table.start(cards=13, clock=0)
    await table.lay(ANA, 3)
    for minutes in (5, 6):
        table.place.table.clock.forward(60 * minutes)
        await table.lay(ANA, 3 + minutes)
    (line,) = table.of(FURTHER)
    assert [edit.message for edit in table.of(TOKEN)] == [line.message] * 2
    assert "you sealed 9" in table.place.wire.shown[line.message]["content"]
    table.place.table.clock.forward(120)
    await table.lay(ANA, 1)
    assert line.message not in table.place.wire.shown
    assert [drop.message for drop in table.of(DROP)] == [line.message]
    assert "you sealed A" in table.place.wire.shown[table.of(FURTHER)[-1].message]["content"]
    table.place.table.clock.forward(15 * 60)  # its token is dead: it stays where it is
    await table.lay(ANA, 2)
    assert (len(table.of(DROP)), len(table.of(FURTHER))) == (1, 3)


@pytest.mark.parametrize("landed", [True, False])
async def test_a_line_of_which_nothing_was_heard_is_not_said_a_second_time(table: TableMode, landed: bool) -> None:
    """It may be there: at most one new line a seat and 14 minutes, and *My bid* tells what was sealed."""
    await table.start(cards=13, clock=0)
    table.place.wire.refuse(FURTHER, 502, landed=landed)
    await table.lay(ANA, 3)
    for minutes in (1, 6, 7):
        table.place.table.clock.forward(60 * minutes)
        await table.lay(ANA, 3 + minutes)
    assert len(table.of(FURTHER)) == 1
    table.place.table.clock.forward(60)  # 15 minutes: whatever is there can be reached by nobody
    await table.lay(ANA, 1)
    assert len(table.of(FURTHER)) == 2
    assert "you sealed A" in table.place.wire.shown[table.of(FURTHER)[-1].message]["content"]


async def test_a_line_whose_token_is_dead_is_said_anew(table: TableMode) -> None:
    await table.start(cards=13, clock=0)
    await table.lay(ANA, 3)
    table.place.wire.refuse(TOKEN, 401, code=50027)
    await table.lay(ANA, 4)
    assert len(table.of(FURTHER)) == 2
    assert table.counted == 0


async def test_a_board_that_moves_while_it_is_pressed_leads_to_the_new_one(table: TableMode) -> None:
    """Two boards stood there, and two results in the end."""
    await table.start(cards=4)
    asked = await table.lay(ANA, 3)
    wire, board, old = table.place.wire, await table.board(), table.message
    answered = wire.hold(ANSWER, old)
    pressed = asyncio.create_task(table.lay(BEN, 2))
    await wire.until(lambda: any(not call.landed for call in table.of(ANSWER)))
    await repost_board(asked, board, await table.place.referee.views.view(table.id))
    answered.set()
    await pressed
    await table.place.publisher.idle()
    assert "moved to" in wire.text(old)
    assert "round 2 of 4" not in wire.text(old)


async def test_a_stale_key_bids_nothing_and_shows_the_board_as_it_is(table: TableMode) -> None:
    await table.start(cards=4)
    old = await table.prompt()
    await table.lay(ANA, 3)
    await table.lay(BEN, 2)
    late = await table.lay(ANA, 4, old)
    assert table.answers[-1] == 7
    assert "✔ has bid" not in table.shown
    assert (await table.board()).token == late.token.text
    said = table.of(TOKEN)[-1].body["content"]
    assert "Nothing was bid" in said or "Your bid was 3" in said
    view = await table.place.referee.views.view(table.id)
    assert not any(seat.sealed for seat in view.seats)


async def test_refusal_is_private_and_renews_no_token(table: TableMode) -> None:
    await table.start(cards=4)
    await table.lay(ANA, 3)
    first = await table.lay(BEN, 2)
    for person, card, words in (
        (ANA, 3, "You have already played 3 in round 1. Your cards: A 2 4."),  # the key is lit: Ben has his
        (CEM, 1, "You don't play in"),
    ):
        await table.lay(person, card)
        user, text = table.alone[-1]
        assert user == person.user
        assert words in text
    await table.lay(ANA, 1)
    await table.lay(ANA, 1)
    assert "A is already sealed" in table.alone[-1][1]
    await table.press(ANA, f"g1:bd:{table.id}:mine")
    assert "you sealed A." in table.alone[-1][1]
    await table.press(BEN, f"g1:bd:{table.id}:mine")
    assert "you had no sealed card when you pressed this" in table.alone[-1][1]
    assert first.token.text != (await table.board()).token
    assert table.answers == [7, 7, 7]


async def test_my_bid_says_only_what_stays_true_after_the_reveal(table: TableMode) -> None:
    await table.start(cards=4)
    await table.press(ANA, f"g1:bd:{table.id}:mine")
    assert table.alone[-1][1] == "Round 1: you had no sealed card when you pressed this."
    await table.lay(ANA, 3)
    await table.press(ANA, f"g1:bd:{table.id}:mine")
    answer = table.alone[-1][1]
    assert re.fullmatch(r"Round 1, ♦.*: you sealed 3\.", answer)


async def test_a_board_that_is_too_old_to_be_edited_is_answered_by_a_new_one(table: TableMode) -> None:
    await table.start(cards=4)
    old = table.message
    table.place.wire.refuse(ANSWER, 429, code=30046)
    asked = await table.lay(ANA, 3)
    (new,) = table.public
    board = await table.board()
    assert (board.message, board.token) == (new, asked.token.text)
    assert "✔ has bid" in table.place.wire.text(new)
    await table.place.publisher.idle()
    assert "moved to" in table.place.wire.text(old)
    assert table.counted == 0  # the old one points to it by the token of the press before
    table.message = new
    await table.lay(BEN, 2)
    assert "round 2 of 4" in table.shown


async def test_a_full_channel_hears_fewer_lines_and_loses_no_bid(table: TableMode) -> None:
    await table.start(cards=4)
    table.place.wire.refuse(FURTHER, 429)
    await table.lay(ANA, 3)
    assert "✔ has bid" in table.shown
    await table.lay(BEN, 2)
    assert "round 2 of 4" in table.shown


async def test_two_steps_need_a_keyboard_of_their_own(table: TableMode) -> None:
    await table.start(cards=4)
    await table.place.referee.people.set_preferences(ANA.user, two_step=True)
    await table.lay(ANA, 3)
    user, text = table.alone[-1]
    assert user == ANA.user
    assert "Seal 3" in text
    assert "✔ has bid" not in table.shown
    assert table.answers == []
    (console,) = [one for one in await table.place.publisher.notes.surfaces(table.id) if one.kind.ephemeral]
    assert console.kind is SurfaceKind.CONSOLE_BESIDE
    await table.lay(BEN, 2)
    await table.place.table.seal(table.id, ANA.user, 3)
    await table.place.publisher.idle()
    edits = {edit.message: str(edit.body) for edit in table.of(TOKEN)}
    assert "g1:cm" in edits.pop(console.message)  # by its own id: the token's own message is the board
    assert "g1:cm" not in str(edits)
    assert "g1:cm" not in table.shown
    assert table.counted == 0


@pytest.mark.parametrize("words", ["", "clinch"])
async def test_every_byte_for_others_is_the_same_whatever_was_sealed(table: TableMode, words: str) -> None:
    """But for the digits of the seal."""
    told: list[list[str]] = []
    for card in (1, 4):
        await table.start(game="fixed-order", cards=4, words=words)
        calls = len(table.place.wire.calls)
        await table.lay(ANA, card)
        view = await table.place.referee.views.view(table.id)
        seal, opening = view.seats[0].seal[:8], view.opening[:16]
        shared = [call for call in table.place.wire.calls[calls:] if call.message == table.message]
        assert shared
        text = [str(call.body) for call in shared]
        for code in (seal, opening):
            grouped = " ".join(code[start : start + 4] for start in range(0, len(code), 4))
            text = [one.replace(grouped, "-") for one in text]
        told.append([one.replace(table.id, "-") for one in text])
    assert told[0] == told[1]


async def test_three_deadlines_that_nobody_saw_cost_one_missed_bid(table: TableMode) -> None:
    """Where the bot is no member the prompt that was shown is ruled by the next press; what follows begins with it."""
    await table.start(cards=5, clock=120, outside=True)
    for missed in (1, 2):
        table.place.table.clock.forward(3 * 120 + 60)
        await table.place.table.fire()
        assert (await table.place.referee.views.view(table.id)).round == missed  # no clock rules where nobody is told
        await table.lay(BEN if missed == 1 else ANA, 5)
        view = await table.place.referee.views.view(table.id)
        assert (view.round, [seat.misses for seat in view.seats]) == (missed + 1, [missed, missed])
        assert not any(seat.sealed for seat in view.seats)  # that press has bid nothing
        assert f"round {missed + 1} of 5" in table.shown
    assert table.counted == 0


async def test_who_presses_after_the_clock_ran_out_reads_what_the_clock_did(table: TableMode) -> None:
    """Once nobody had bid, and once the other one had not."""
    await table.start(cards=4, clock=120, outside=True)
    table.place.table.clock.forward(3600)
    await table.lay(BEN, 2)
    told = [call.body["content"] for call in table.of(FURTHER)]
    assert told == ["Time ran out before your press. Your lowest card was played: A."]
    await table.lay(BEN, 3)
    table.place.table.clock.forward(3600)
    table.place.wire.calls.clear()
    await table.lay(BEN, 4)
    told = [call.body["content"] for call in table.of(FURTHER)]
    assert told == ["Time for round 2 ran out before your press. Your bid was 3."]


async def test_a_prompt_that_no_board_showed_is_never_missed(table: TableMode) -> None:
    """The round before was completed behind *Bid* while nothing reached the board."""
    await table.start(cards=4, clock=1800, outside=True)
    table.place.table.clock.forward(1000)  # the board's token is dead
    for person, card in ((ANA, 3), (BEN, 2)):
        await table.place.table.seal(table.id, person.user, card)
    await table.place.publisher.idle()
    assert "round 1 of 4" in table.shown
    for _ in range(3):
        table.place.table.clock.forward(1800 + 60)
        await table.place.table.fire()
    await table.press(ANA, f"g1:bd:{table.id}:bid")
    view = await table.place.referee.views.view(table.id)
    assert (view.round, [seat.misses for seat in view.seats]) == (2, [0, 0])
    assert "round 2 of 4" in table.shown
    await table.lay(ANA, 1)
    table.place.table.clock.forward(1800 + 60)
    await table.lay(ANA, 4)  # and now it was shown
    view = await table.place.referee.views.view(table.id)
    assert (view.round, [seat.misses for seat in view.seats]) == (3, [0, 1])
    assert table.counted == 0


async def test_a_key_of_a_console_rules_a_clock_that_ran_out_too(table: TableMode) -> None:
    await table.start(cards=4, clock=120, outside=True)
    old = await table.prompt()
    table.place.table.clock.forward(3600)
    await table.press(ANA, f"g1:co:{table.id}:{old}:3", message=10**17)
    view = await table.place.referee.views.view(table.id)
    assert (view.round, [seat.misses for seat in view.seats]) == (2, [1, 1])
    assert not any(seat.sealed for seat in view.seats)
    assert "⚠" in table.place.wire.text(10**17)
    assert "round 2 of 4" in table.place.wire.text(10**17)


async def test_a_channel_that_the_bot_may_not_see_any_more_lives_by_tokens(table: TableMode) -> None:
    """50001: presses show everything, and no counted call is tried while they do."""
    await table.start(cards=5, clock=0)
    await table.lay(ANA, 3)
    table.place.table.clock.forward(15 * 60)
    table.place.wire.refuse(COUNTED, 403, times=99, code=50001)
    await table.place.table.seal(table.id, BEN.user, 2)  # behind *Bid*: no press reaches the board
    async with asyncio.timeout(60):
        while (await table.board()).state is not SurfaceState.STUCK:  # noqa: ASYNC110 - a board tells nobody
            await asyncio.sleep(0)
    assert "round 2 of 5" not in table.shown
    tried = table.counted
    assert tried == 1
    for card in (1, 4):
        await table.lay(ANA, card)
        assert "✔ has bid" in table.shown
        await table.lay(BEN, 5 if card == 1 else card)
        assert f"round {3 if card == 1 else 4} of 5" in table.shown
    await table.place.publisher.idle()  # nothing waits to be tried again
    assert table.counted == tried


async def test_an_offered_draw_is_answered_on_the_board(table: TableMode) -> None:
    await table.start(cards=4)
    await table.lay(ANA, 3)
    await table.place.referee.matches.offer_draw(table.id, ANA.user)
    await table.place.publisher.idle()
    assert "Accept draw" in table.shown
    asked = await table.press(BEN, f"g1:dr:{table.id}:{await table.prompt()}:y")
    assert asked.answer.deferred or table.answers[-1] == 7
    assert "Drawn by agreement" in table.shown
    await table.place.publisher.idle()
    assert table.counted == 0


async def test_a_rematch_mentions_nobody_who_muted_the_match(table: TableMode) -> None:
    await table.start(cards=4)
    view = await table.place.referee.views.view(table.id)
    assert await table.place.publisher.split_by_dm(view, ANA.user) == ([], [BEN.user])
    await table.place.referee.people.toggle_mute(table.id, BEN.user)
    assert await table.place.publisher.split_by_dm(view, ANA.user) == ([], [])


async def test_a_channel_gets_at_most_25_new_lines_a_minute(table: TableMode) -> None:
    """Discord is believed to take 30 further messages; whoever reads none has *My bid*."""
    await table.start(cards=4)
    now, asides = table.place.table.clock.now(), table.place.publisher.asides

    def tell(match: str, token: str, channel: int) -> None:
        table.place.wire.tokens[token] = table.message
        until = token_expiry(now)
        asides.tell(Surface(match, SurfaceKind.CONSOLE_BESIDE, 1, channel, 0, 0, now, token, until, 7), "said")

    for number in range(40):
        tell(f"M{number}", f"x{number}", 2)
    await table.place.publisher.idle()
    assert len(table.of(FURTHER)) == 25
    tell("OTHER", "x1", 3)
    await table.place.publisher.idle()
    assert len(table.of(FURTHER)) == 26
