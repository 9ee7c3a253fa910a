"""The used-by path, over real sockets, with the bot as its own process."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.driver import Person, Seen
from tests.e2e.house import House, awaits, behind_more, code_of, has, key, plain, seal_of, told

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.by_http]


async def bid(person: Person, number: int, card: int) -> Seen:
    """A card by the console in the DM, when it asks for this round."""
    return (await person.press(key(card), in_=await person.sees(awaits(number, dm=True)))).shown


async def rounds(scene: House, first: int, last: int) -> None:
    """Ana bids the number of the round, Ben one more."""
    for number in range(first, last + 1):
        await bid(scene.ana, number, number)
        await bid(scene.ben, number, number + 1)


async def gops(*arguments: str) -> tuple[int, str]:
    """A command of the command line: exit code and what it printed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    out, _ = await process.communicate()
    return process.returncode or 0, out.decode()


async def test_a_match_by_dm_buttons(scene: House, tmp_path: Path) -> None:
    board = await scene.match()
    ana, ben = scene.ana, scene.ben
    await rounds(scene, 1, 12)
    result = await ana.sees(has("Ben wins"), in_=board)
    code = code_of(result)
    scores = plain(result.text).split("Ben wins ")[1].split("\n")[0]
    won, lost = scores.split("–")
    assert int(won) + int(lost) == 91
    await ana.sees(has(f"#{code}", f"### You lose {lost}–{won}"), in_="dm")

    ranking = told(await ana.slash("/gops leaderboard"))
    assert "1. **Ben** · 1069\\* · 1 played, 1 won" in ranking
    assert "2. **Ana** · 963\\* · 1 played, 0 won" in ranking
    assert "You: 2nd of 2 · 963" in ranking
    profile = told(await ana.slash("/gops profile", player=ben))
    assert "### Ben" in profile
    assert "1 played, 1 won, 0 drawn, 0 lost" in profile
    assert "Against you: 1 played, 0 won by you" in profile
    history = (await ana.slash("/gops history")).shown
    assert f"`#{code}`" in history.text
    assert f"lost to Ben {lost}–{won}" in plain(history.text)
    opened = await ana.choose(code, in_=history)
    assert told(opened).startswith(f"┃ ### You lose {lost}–{won}\n")

    sheet = (await behind_more(ana, "Sheet", result)).shown
    assert f"Total: Ana {lost}, Ben {won}" in plain(sheet.text)
    file = tmp_path / sheet.files[0]["filename"]
    file.write_bytes(await scene.stage.link.read(sheet.files[0]["url"]))
    exit_code, out = await gops("referee", str(file))
    assert exit_code == 0
    refereed = json.loads(out)
    assert (refereed["totals"], refereed["winner"]) == ([int(lost), int(won)], 1)
    exit_code, out = await gops("verify", str(file))
    assert exit_code == 0
    verified = told(await behind_more(ana, "Verify", result))
    for line in (
        "✔ The deal comes from the secret number.",
        "✔ 24 of 24 bids match the seals that were made at the time.",
    ):
        assert line in out
        assert line in verified
    assert f"✔ The record was played again: the match ends {lost}–{won}, too." in verified


async def test_a_match_by_the_boards_button(scene: House) -> None:
    """DM consoles are ignored: *Bid* on the board opens one's own keys, and these follow the match."""
    board = await scene.match(cards=5)
    ana, ben = scene.ana, scene.ben
    for person in (ana, ben):
        opened = (await person.press("Bid", in_=board)).shown
        assert opened.is_ephemeral
    for number in range(1, 5):
        await ana.press(key(number + 1), in_=await ana.sees(awaits(number, dm=False)))
        await ben.press(key(number), in_=await ben.sees(awaits(number, dm=False)))
    await ana.sees(has("Ana wins"), in_=board)
    await ben.sees(has("### You lose", ephemeral=True))


async def test_bid_can_be_changed_before_the_reveal(scene: House) -> None:
    board = await scene.match()
    ana, ben = scene.ana, scene.ben
    sealed = await bid(ana, 1, 13)
    assert "✔ Your **K is sealed.** Waiting for Ben. Press another card to change it" in plain(sealed.text)
    seal = await seal_of(ben, "Ana", board)
    same = told(await ana.press("✔ K", in_=sealed))
    assert "⚠ Your K is already sealed (hidden until all bid). Press another card to change it." in same
    changed = told(await ana.press("2", in_=sealed))
    assert "✔ Your **2 is sealed.**" in changed
    assert await seal_of(ben, "Ana", board) != seal
    await bid(ben, 1, 3)
    revealed = await ana.sees(has("round 2 of 13"), in_=board)
    assert "♥3 beats ♠2. **Ben takes" in plain(revealed.text)


@pytest.mark.parametrize("accepted", [True, False])
async def test_offered_draw_is_accepted_by_the_opponent(scene: House, accepted: bool) -> None:
    board = await scene.match()
    ana, ben = scene.ana, scene.ben
    asked = (await ana.slash("/gops draw")).shown
    question = "Offer Ben a draw? The offer ends when this round is revealed; you may offer again 3 rounds later."
    assert plain(asked.content) == question
    done = told(await ana.press("Offer draw", in_=asked))
    words = "Done. You offered a draw. Without an answer it ends when round 1 is revealed."
    assert done == words
    code = code_of(board)
    await ben.pinged("offers a draw")
    offer = await ben.sees(has(f"#{code}: Ana offers a draw. The offer ends when round 1 is revealed."), in_="dm")
    shown = await ana.sees(has("Ana offers a draw"), in_=board)
    own = "You made this offer; Ben must answer it."
    assert told(await ana.press("Accept draw", in_=shown)) == own
    assert told(await ana.slash("/gops draw")) == "Your offer is still open.", "and it asks nothing"
    more = (await ana.press("More", in_=shown)).shown
    assert told(await ana.press("Offer draw", in_=more)) == "Your offer is still open."
    if accepted:
        await ben.press("Accept draw", in_=offer)
        await ana.sees(has("Drawn by agreement"), in_=board)
        await ana.sees(has(f"{words}\nEverybody agreed: the match is drawn."), in_=asked)
        return
    await ben.press("Decline draw", in_=shown)
    await ana.sees(lambda now: "offers a draw" not in now.text, in_=board)
    await ana.sees(has("Ben declined the draw."), in_="dm")
    await ana.sees(has(f"{words}\nThe draw was declined."), in_=asked)
    assert told(await ana.slash("/gops draw")) == "You offered a draw recently. You can offer again from round 4."
    gone = await ben.sees(has("The draw was declined."), in_=offer)
    assert not gone.has_button("Accept draw"), "the offer by DM does not outlive its answer"


async def test_resigning_before_anything_was_revealed(scene: House) -> None:
    board = await scene.match()
    code = code_of(board)
    asked = (await scene.ben.slash("/gops resign")).shown
    assert told(await scene.ben.press("Keep playing", in_=asked)) == "Nothing changed."
    asked = (await scene.ben.slash("/gops resign", match=code.lower())).shown
    assert plain(asked.content) == f"Stop #{code}? Nothing was played yet, so it does not count."
    assert told(await scene.ben.press("Stop", in_=asked)) == f"Done. #{code} is stopped and does not count."
    over = plain((await scene.ana.sees(has("stopped in round 1"), in_=board)).text)
    assert "It does not count for the ratings." in over
    assert "It ended before anything was revealed." in over
    assert told(await scene.ana.slash("/gops leaderboard")).startswith("Nobody has a rating here yet.")
    assert told(await scene.ana.slash("/gops resign")) == "You have no running match."


async def test_resignation_after_a_reveal_is_rated(scene: House) -> None:
    board = await scene.match()
    await rounds(scene, 1, 1)
    code = code_of(board)
    more = (await scene.ben.press("More", in_=board)).shown
    asked = (await scene.ben.press("Resign", in_=more)).shown
    question = f"Resign #{code}? Ana wins, and the match counts as a loss for you. You can't undo this."
    assert plain(asked.content) == question
    assert told(await scene.ben.press("Resign", in_=asked)) == f"Done. You resigned #{code}."
    await scene.ana.sees(has("Ana wins because Ben resigned"), in_=board)
    await scene.ana.sees(has("### You win because Ben resigned"), in_="dm")
    assert "1. **Ana**" in told(await scene.ana.slash("/gops leaderboard"))


async def test_rematch_keeps_the_rules(scene: House) -> None:
    board = await scene.match(cards=3, ties="carry")
    ana, ben = scene.ana, scene.ben
    await rounds(scene, 1, 2)
    result = await ana.sees(has("[Rematch]"), in_=board)
    posted = (await ana.press("Rematch", in_=result)).shown
    assert plain(posted.text).startswith(
        "@Ben  **Ana** challenges you to **Classic GOPS**.\n3 cards · ties: the prize stays in the pot"
    )
    link = f"https://discord.com/channels/{scene.server.id}/{posted.channel_id}/{posted.id}"
    await ben.pinged(f"#{code_of(board)}: ")
    asked = await ben.sees(has(f"#{code_of(board)}: Ana asks for a rematch, {link}"), in_="dm")
    assert [ping.channel_id for ping in ben.pings[2:]] == [asked.channel_id]  # told once, where their console was
    answer = told(await ben.press("Rematch", in_=asked))
    assert answer == "The match of Ana and Ben has begun."
    again = await ana.sees(has("round 1 of 3"), in_=posted)
    assert code_of(again) != code_of(board)
    stranger = await scene.person("Cem")
    only = (
        f"Only the players of #{code_of(board)} can ask for a rematch."
        " Start your own with /gops challenge or /gops practice."
    )
    assert told(await stranger.press("Rematch", in_=result)) == only


async def test_rematch_from_a_dm_is_posted_where_the_match_was(scene: House) -> None:
    """The console of a finished match is in a DM: the challenge is posted where the match was played."""
    board = await scene.match(cards=3)
    ana, ben = scene.ana, scene.ben
    await ben.close_dms()
    await rounds_in_channel(scene, board)
    over = await ana.sees(has("[Rematch]"), in_="dm")
    answer = told(await ana.press("Rematch", in_=over))
    posted = await ben.sees(has("challenges you to **Classic GOPS**"), in_=board.channel_id)
    link = f"https://discord.com/channels/{scene.server.id}/{posted.channel_id}/{posted.id}"
    assert answer == f"Done. Your challenge is here: {link}"
    await ben.pinged("challenges you")
    await ben.press("Accept", in_=posted)
    await ana.sees(has("round 1 of 3"), in_=posted)


async def test_rematch_where_a_dm_was_closed_meanwhile(scene: House) -> None:
    board = await scene.match(cards=3)
    ana, ben = scene.ana, scene.ben
    await rounds(scene, 1, 2)
    result = await ana.sees(has("[Rematch]"), in_=board)
    await ben.close_dms()
    await ana.press("Rematch", in_=result)
    asked = await ben.pinged(f"#{code_of(board)}: ")
    assert "asks for a rematch, https://discord.com/channels/" in asked.text
    assert asked.channel_id == board.channel_id


async def test_rematch_before_there_is_anything_to_repeat(scene: House) -> None:
    """Who has never finished a match, and who is still at their first one."""
    ana = scene.ana
    assert told(await ana.slash("/gops rematch")) == "You have no finished match yet."
    assert told(await ana.slash("/gops review")) == "You have no finished match yet."
    code = code_of(await scene.match())
    later = f"#{code} is still being played. You can ask for a rematch when it ends."
    assert told(await ana.slash("/gops rematch")) == later
    assert told(await ana.slash("/gops rematch", match=code)) == later
    assert told(await ana.slash("/gops review")) == f"#{code} is still being played. This opens when it ends."


async def test_show_where_nothing_is_played(scene: House) -> None:
    talk = scene.server.channel("talk")
    assert told(await scene.ana.slash("/gops show", in_=talk)) == "You have no running match."
    code = code_of(await scene.match())
    elsewhere = f"You have no running match in this channel. For another one add its code, for example match:{code}."
    assert told(await scene.ana.slash("/gops show", in_=talk)) == elsewhere


async def rounds_in_channel(scene: House, board: Seen) -> None:
    """A match of three cards by the keys behind *Bid*."""
    for person in (scene.ana, scene.ben):
        await person.press("Bid", in_=board)
    for number in (1, 2):
        await scene.ana.press(key(number), in_=await scene.ana.sees(awaits(number, dm=False)))
        await scene.ben.press(key(number + 1), in_=await scene.ben.sees(awaits(number, dm=False)))


async def test_live_matches_and_moving_the_board(scene: House) -> None:
    ana, ben, stage = scene.ana, scene.ben, scene.stage
    assert told(await ana.slash("/gops games")) == "You have no running match. Start one: /gops challenge"
    board = await scene.match()
    code = code_of(board)
    games = (await ana.slash("/gops games")).shown
    assert f"**#{code}** Classic with Ben in <#{board.channel_id}>" in plain(games.text)
    assert "Your turn until <t:" in games.text
    console = (await ana.press("Bid", in_=games)).shown
    await ana.press("5", in_=console)
    assert "Waiting for Ben" in told(await ana.slash("/gops games"))
    lately = told(await ana.slash("/gops show"))
    link = f"https://discord.com/channels/{scene.server.id}/{board.channel_id}/{board.id}"
    assert lately == f"The board was posted a moment ago: {link}"
    await stage.forward(121)
    shown = (await ana.slash("/gops show", match=code)).shown
    assert shown.id != board.id
    link = f"https://discord.com/channels/{scene.server.id}/{shown.channel_id}/{shown.id}"
    old = await ben.sees(has(f"The board of #{code} moved to {link}."), in_=board)
    assert old.buttons == []
    more = (await ben.press("More", in_=shown)).shown
    await ben.press("Repost board", in_=more)
    moved = (await ben.sees("Done. The board is here: https://discord.com/channels/")).content
    third = await ana.sees(has("Ana and Ben · round", f"#{code}", ephemeral=False))
    assert third.id not in (board.id, shown.id)
    assert moved.endswith(f"/{third.id}")


async def test_user_menu_opens_the_challenge_card(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    card = (await ana.menu("Challenge to GOPS", ben)).shown
    assert "### New match against Ben" in plain(card.text)
    for select, choice in (("Game", "SOPS"), ("Time for each bid", "5 minutes"), ("Series", "Best of 3")):
        await ana.choose(choice, select=select, in_=card)
    await ana.press("Send the challenge", in_=card)
    challenge = await ben.sees(has("challenges you to **SOPS**", "best of 3 · 5 minutes a bid"))
    await ben.press("Accept", in_=challenge)
    await ana.sees(has("SOPS", "round 1 of"), in_=challenge)
    assert told(await ana.menu("Challenge to GOPS", ana)).startswith("You cannot challenge yourself.")


@pytest.mark.parametrize(
    ("select", "choice", "saved"),
    [
        ("Where you bid", "In DMs", "where you bid: in DMs"),
        ("Reminders", "Off", "reminders off"),
        ("Warnings", "Off", "warnings off"),
        ("Results", "Off", "results off"),
        ("Cards", "Letters, like QS: best for screen readers", "cards as letters"),
    ],
)
async def test_preferences_save_the_chosen_preference(scene: House, select: str, choice: str, saved: str) -> None:
    card = (await scene.ana.slash("/gops preferences")).shown
    after = (await scene.ana.choose(choice, select=select, in_=card)).shown
    assert f"Saved: {saved}." in after.text
    kept = (await scene.ana.slash("/gops preferences")).shown
    chosen = [label for label, _, is_chosen in kept.select(select).options if is_chosen]
    assert chosen == [choice]


async def test_bid_of_several_cards_is_chosen_and_then_sealed(scene: House) -> None:
    ana = scene.ana
    await ana.slash("/gops preferences")
    await ana.press("Two-step bids: off")
    await scene.match()
    console = await ana.sees(has("against Ben", "Your turn: choose, then seal"), in_="dm")
    chosen = (await ana.press("7", in_=console)).shown
    assert "• 7" in chosen.text
    assert "is sealed" not in chosen.text
    other = (await ana.press("8", in_=console)).shown
    assert "• 8" in other.text
    assert "• 7" not in other.text, "with one card a bid another takes its place"
    await ana.press("7", in_=console)
    assert "**7 is sealed.**" in told(await ana.press("Seal 7", in_=console))


@pytest.mark.parametrize(
    ("options", "title"), [({}, "Classic GOPS"), ({"game": "welsh"}, "Welsh Warfare"), ({"game": "Pico"}, "Pico")]
)
async def test_rules_are_shown_privately(scene: House, options: dict[str, Any], title: str) -> None:
    shown = (await scene.ana.slash("/gops rules", **options)).shown
    assert shown.is_ephemeral
    assert shown.text.startswith(f"┃ ### {title}")


async def test_show_everyone_posts_the_answer_in_the_channel(scene: House) -> None:
    rules = (await scene.ana.slash("/gops rules")).shown
    await scene.ana.press("Show everyone", in_=rules)
    seen = await scene.ben.sees(has("### Classic GOPS", ephemeral=False))
    assert not seen.has_button("Show everyone")
