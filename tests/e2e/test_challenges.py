"""Challenges: every way in which one is refused, answered, taken back or forgotten."""

import asyncio
from typing import Any

import pytest

from bot.engine.text.wording import list_rules
from bot.engine.variants import find_game
from tests.driver import Person
from tests.e2e.house import House, has, lines, plain, told

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.by_http]

ANNOUNCES = True


WORDS = list_rules(find_game("classic"))


async def someone(scene: House, name: str) -> object:
    """Who a table means by a name."""
    known: dict[str, object] = {"Ana": scene.ana, "Ben": scene.ben, "GOPS": scene.stage.bot("GOPS")}
    if name == "Rival":
        return scene.stage.bot(name)
    return known[name] if name in known else await scene.person(name)


@pytest.mark.parametrize(
    ("people", "options", "sentence"),
    [
        (["Ana"], {}, "You cannot challenge yourself. To play alone, use /gops practice."),
        (["GOPS"], {}, "I am the referee. To play the house, use /gops practice."),
        (["Rival"], {}, "Rival is a bot and cannot play."),
        (["Ben", "Ben"], {}, "You named Ben twice. Each seat needs another person."),
        (
            ["Ben"],
            {"game": "parlett"},
            "Gops for three is for 3 players: this opens a table, which Ben and others can join.",
        ),
        (["Ben", "Cem"], {"game": "sops"}, "SOPS is for exactly 2 players."),
        (
            ["Ben"],
            {"game": "three-handed"},
            "Three-handed is for 3 players: this opens a table, which Ben and others can join.",
        ),
        (["Ben", "Cem"], {"game": "welsh"}, "Welsh Warfare is for exactly 4 players."),
        (["Ben"], {"game": "pico", "cards": 5}, 'Pico is played as it is: it does not take "cards".'),
        (["Ben"], {"game": "sops", "options": "win-only"}, "Switching hands would show what win-only hides."),
        (["Ben"], {"game": "vultures", "options": "open prizes"}, "Prizes below zero cannot go with open prizes."),
        (
            ["Ben"],
            {"options": "custom order, order custom"},
            'Classic GOPS has no rule "custom order". It has: ' + WORDS,
        ),
        (
            ["Ben"],
            {"options": "order custom"},
            'A custom order needs the prizes listed, for example "prizes in the order K Q J 10 9 8 7 6 5 4 3 2 A".',
        ),
        (["Ben"], {"cards": 3, "options": "order A A 2"}, "The order must name each of 1 to 3 once."),
        (["Ben"], {"options": "row size many"}, "Row size must be a whole number from 1 to 25."),
        (["Ben"], {"game": "chess"}, 'I know no game "chess". All of them: /gops rules'),
        (["Ben"], {"options": "flying"}, 'Classic GOPS has no rule "flying". It has: ' + WORDS),
        (
            ["Ben"],
            {"options": "blind, known-order"},
            "A public prize order makes blind bids pointless. Choose one of the two.",
        ),
        (
            ["Ben"],
            {"options": "win-only", "ties": "split"},
            "Win-only cannot go with split ties: it would show the bids.",
        ),
    ],
)
async def test_invalid_challenge_is_refused_with_a_sentence(
    scene: House, people: list[str], options: dict[str, Any], sentence: str
) -> None:
    named = [await someone(scene, name) for name in people]
    asked = {"opponent": named[0], **{f"player{n}": one for n, one in enumerate(named[1:], 2)}}
    outcome = await scene.ana.slash("/gops challenge", **asked, **options)
    assert sentence in lines(outcome)
    about_what_was_typed = len(lines(outcome)) > 1
    assert about_what_was_typed is ("-# You typed: `/gops challenge" in told(outcome))
    assert about_what_was_typed is bool(options or len(people) > 7)
    assert outcome.shown.is_ephemeral
    assert scene.ben.pings == []


async def test_people_who_take_no_challenges(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    await ben.slash("/gops notify")
    await ben.press("Take challenges: on")
    not_taking = "Ben is not taking challenges. Try somebody else, or /gops open."
    assert told(await ana.slash("/gops challenge", opponent=ben)) == not_taking
    await ben.press("Take challenges: off")
    blocked = "Ana can no longer challenge you. They are not told. Undo it in /gops notify."
    assert told(await ben.slash("/gops block", player=ana)) == blocked
    assert told(await ben.slash("/gops block", player=ana)) == "Ana is blocked already."
    assert told(await ben.slash("/gops block", player=ben)) == "You cannot block yourself."
    assert told(await ana.slash("/gops challenge", opponent=ben)) == not_taking
    you_blocked = "You blocked Ana. Unblock them in /gops notify first."
    assert told(await ben.slash("/gops challenge", opponent=ana)) == you_blocked
    card = (await ben.slash("/gops notify")).shown
    await ben.choose("Ana", select="Unblock somebody", in_=card)
    await scene.match()


async def test_nobody_is_blocked_who_cannot_challenge(scene: House, hall: House) -> None:
    """The referee itself, and other bots."""
    world = await scene.stage.world()
    referee, rival = (next(one["id"] for one in world["bots"] if one["name"] == name) for name in ("GOPS", "Rival"))
    house = "I am the referee and challenge nobody, so there is nothing to block."
    assert told(await scene.ana.slash("/gops block", player=referee)) == house
    assert told(await scene.ana.slash("/gops block", player=rival)) == "Rival is a bot and cannot play."
    card = (await scene.ana.slash("/gops notify")).shown
    assert not [select for select in card.selects if select.placeholder == "Unblock somebody"]


async def test_challenge_to_a_former_member_is_refused(scene: House) -> None:
    cem = await scene.person("Cem")
    await scene.stage.leave(scene.server, cem)
    outcome = await scene.ana.slash("/gops challenge", opponent=cem)
    assert told(outcome) == "Cem is not in this server any more."


async def test_only_the_invited_player_may_answer(scene: House) -> None:
    challenge = await scene.challenge()
    cem = await scene.person("Cem")
    not_invited = "This challenge is for Ben. Start your own with /gops challenge."
    own = "This is your own challenge. Ben must accept; you can withdraw it."
    assert told(await cem.press("Accept", in_=challenge)) == not_invited
    assert told(await cem.press("Decline", in_=challenge)) == not_invited
    assert told(await scene.ana.press("Accept", in_=challenge)) == own
    assert told(await scene.ben.press("Withdraw", in_=challenge)) == "Only Ana can do that."
    assert told(await cem.press("Rules", in_=challenge)).startswith("┃ ### Classic GOPS")
    assert cem.pings == []


async def test_asked_already_and_declined_lately(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    challenge = await scene.challenge()
    link = f"https://discord.com/channels/{scene.server.id}/{challenge.channel_id}"
    assert told(await ana.slash("/gops challenge", opponent=ben)).startswith(f"You already asked Ben: {link}")
    assert told(await ben.press("Decline", in_=challenge)) == "Ben declined."
    lately = told(await ana.slash("/gops challenge", opponent=ben))
    assert lately.startswith("Ben declined a moment ago. You can ask again from <t:")
    await ben.slash("/gops challenge", opponent=ana)  # the other way round is nobody's nuisance
    await scene.stage.forward(601)
    await ana.sees("Nobody answered in time.")
    await scene.challenge()


async def test_after_a_decline_another_game_or_company_is_another_question(scene: House) -> None:
    ana, ben, cem = scene.ana, scene.ben, await scene.person("Cem")
    challenge = await scene.challenge()
    await ben.press("Decline", in_=challenge)
    lately = "Ben declined a moment ago. You can ask again from <t:"
    again: list[dict[str, Any]] = [{}, {"cards": 5}, {"game": "blind"}]
    for same in again:  # Classic is Classic, whatever its rules
        assert told(await ana.slash("/gops challenge", opponent=ben, **same)).startswith(lately)
    other = (await ana.slash("/gops challenge", opponent=ben, game="pico")).shown
    assert "challenges you to **Pico**" in plain(other.text)
    await ben.press("Decline", in_=await ben.sees("challenges you", in_=other))
    assert told(await ana.slash("/gops challenge", opponent=ben, game="pico")).startswith(lately)
    with_cem = (await ana.slash("/gops challenge", opponent=ben, player2=cem)).shown
    assert "Ben … asked" in plain(with_cem.text)


async def test_withdrawn_challenge_loses_its_buttons(scene: House) -> None:
    challenge = await scene.challenge()
    assert told(await scene.ana.press("Withdraw", in_=challenge)) == "Ana withdrew the challenge."
    now = await scene.ben.sees("withdrew the challenge")
    assert now.id == challenge.id
    assert now.buttons == []


@pytest.mark.parametrize(
    ("first", "second", "how"),
    [
        ("Withdraw", "Accept", "it was withdrawn"),
        ("Decline", "Withdraw", "it was declined"),
        ("Accept", "Withdraw", "it was accepted"),
    ],
)
async def test_too_late_by_a_moment(scene: House, first: str, second: str, how: str) -> None:
    """Both press what they still see; who comes second is told what has become of it."""
    challenge = await scene.challenge()
    by: dict[str, Person] = {"Withdraw": scene.ana, "Accept": scene.ben, "Decline": scene.ben}
    await scene.stage.reset_calls()
    await scene.stage.fault("slow", "* /interactions/*", seconds=30)
    early = asyncio.create_task(by[first].press(first, in_=challenge))
    await scene.stage.begun("* /interactions/*")
    late = told(await by[second].press(second, in_=challenge))
    await scene.stage.clear_faults()
    await early
    assert late == f"This challenge has ended: {how}. Send a new one with /gops challenge."


async def test_challenge_of_three_starts_when_all_have_accepted(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    cem, dee = await scene.person("Cem"), await scene.person("Dee")
    await ana.slash("/gops challenge", opponent=ben, player2=cem, player3=dee)
    challenge = await ben.sees("challenges you")
    await ben.press("Accept", in_=challenge)
    assert told(await ben.press("Accept", in_=challenge)) == "You already answered this challenge."
    assert told(await ben.press("Decline", in_=challenge)) == "You already answered this challenge."
    await ana.sees(has("Ben ✔ accepted", "Cem … asked", "Dee … asked", "Starts when all have accepted."))
    await cem.press("Decline", in_=challenge)
    await ana.sees(has("Cem ✘ declined"))
    await ana.press("Start with 2", in_=challenge)
    board = await dee.sees(has("Ana and Ben", "round 1 of 13", "equal bids cancel"))
    assert board.id == challenge.id
    assert told(await dee.press("Bid", in_=board)).startswith("You have no seat in #")


async def test_who_declined_gets_no_seat(scene: House) -> None:
    """After a *Decline* the last *Accept* starts nothing: the challenger does."""
    ana, ben = scene.ana, scene.ben
    cem, dee = await scene.person("Cem"), await scene.person("Dee")
    await ana.slash("/gops challenge", opponent=ben, player2=cem, player3=dee)
    challenge = await ben.sees("challenges you")
    await ben.press("Decline", in_=challenge)
    await cem.press("Accept", in_=challenge)
    assert "Starts when Ana says so." in told(await dee.press("Accept", in_=challenge))
    assert told(await dee.press("Start with 3", in_=challenge)) == "Only Ana can do that."
    board = (await ana.press("Start with 3", in_=challenge)).shown
    assert "Ana, Cem and Dee" in plain(board.text)
    await dee.sees(has("round 1 of 13", "Your bid is open"), in_="dm")


async def test_why_it_could_not_start_is_told_to_everybody(scene: House) -> None:
    scene.decide(matches=2)
    ana, ben = scene.ana, scene.ben
    cem, dee = await scene.person("Cem"), await scene.person("Dee")
    challenge = await scene.challenge()
    for other in (cem, dee):
        theirs = (await other.slash("/gops challenge", opponent=ben)).shown
        await ben.press("Accept", in_=await ben.sees("challenges you", in_=theirs))
    here = ben.now(challenge)
    assert here is not None
    why = "Ben is in 2 live matches already. Try again later."
    assert told(await ben.press("Accept", in_=here)) == why
    gone = await ana.sees(has(why))
    assert (gone.id, gone.buttons, gone.is_ephemeral) == (challenge.id, [], False)


async def test_who_plays_too_much_by_now_frees_a_seat(scene: House) -> None:
    scene.decide(matches=1)
    ana, ben = scene.ana, scene.ben
    cem, dee = await scene.person("Cem"), await scene.person("Dee")
    await ana.slash("/gops open", seats=3)
    table = await ben.sees("opens a table")
    await ben.press("Join", in_=table)
    await dee.slash("/gops challenge", opponent=ana)
    await ana.press("Accept", in_=await ana.sees("challenges you"))
    assert told(await cem.press("Join", in_=table)) == "Ana is in 1 live match already. Try again later."
    await cem.sees(has("opens a table", "Seats 1 of 3: Ben (host)"))
    assert "Seats 2 of 3: Ben (host), Cem" in told(await cem.press("Join", in_=table))


async def test_a_game_for_three_frees_everybody(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    cem = await scene.person("Cem")
    await ana.slash("/gops challenge", opponent=ben, player2=cem, game="Gops for three")
    challenge = await ben.sees("challenges you")
    assert "3 deals" in plain(challenge.text)
    await ben.press("Accept", in_=challenge)
    free = "Cem declined, and Gops for three cannot be played by those who are left. You are all free."
    assert told(await cem.press("Decline", in_=challenge)) == free
    await ana.slash("/gops challenge", opponent=ben, player2=await scene.person("Dee"), game="throps")
    challenge = await ben.sees("**Throps**")
    await ben.press("Accept", in_=challenge)
    await scene.stage.forward(601)
    await ben.sees(has("Not everybody answered in time (Dee did not). You are all free."))


async def test_options_are_typed_with_help(scene: House) -> None:
    """Rows of the picker are sent as they are, and the challenge and the board name what was chosen."""
    ana, ben = scene.ana, scene.ben
    shown = await ana.complete("/gops challenge", "options", "", opponent=ben)
    assert "blind bids" in shown
    assert len(shown) <= 25
    assert await ana.complete("/gops challenge", "options", "blind bids, win", opponent=ben, game="quick") == [
        "blind bids, win-only",
        "blind bids, fewest points win",
        "blind bids, early win",
    ]
    assert await ana.complete("/gops challenge", "options", "nonsense, ", opponent=ben) == []
    assert await ana.complete("/gops challenge", "options", "", opponent=ben, game="nonsense") == []
    orders = await ana.complete("/gops challenge", "options", "order 3", opponent=ben, cards=3)
    assert orders[-1] == "prizes in the order 3 A 2"
    await ana.slash("/gops challenge", opponent=ben, cards=3, series="Best of 3", options=f"win-only, {orders[-1]}")
    challenge = await ben.sees(
        has("3 cards, ties discarded, prizes in the order 3 A 2, win-only, best of 3, 2 minutes")
    )
    await ben.press("Accept", in_=challenge)
    await ana.sees(
        has("ties are discarded · 3 cards · prizes in a listed order · win-only · best of 3", "in this order: A 2")
    )


async def test_what_does_not_go_together_can_be_sent_without_it(scene: House) -> None:
    """Everything that was typed is kept but what is in the way; one press sends it."""
    ana, ben = scene.ana, scene.ben
    typed: dict[str, Any] = {"game": "vultures", "cards": 15, "clock": 300, "series": "Best of 3", "rated": False}
    card = await ana.slash("/gops challenge", opponent=ben, **typed)
    assert told(card).split("\n")[2:6] == [
        '┃ ⚠ Vultures is played as it is: it does not take "cards".',
        "┃ I left out 15 cards; the rest is as you typed it.",
        (
            "┃ -# You typed: `/gops challenge opponent:@Ben game:vultures cards:15 clock:5 minutes series:Best of 3"
            " rated:false`"
        ),
        "┃ -# With not rated.",
    ]
    await ana.press("Send the challenge", in_=card.shown)
    await ben.sees(has("challenges you to **Vultures**: best of 3, 5 minutes a bid, unrated"))


async def test_a_game_for_three_becomes_a_table(scene: House) -> None:
    """Challenged alone, the other can sit down there; nothing that was typed has to go."""
    card = await scene.ana.slash("/gops challenge", opponent=scene.ben, game="throps", clock=300)
    assert lines(card)[2] == "Throps is for 3 players: this opens a table, which Ben and others can join."
    assert "exactly" not in plain(card.shown.text)
    await scene.ana.press("Open a table", in_=card.shown)
    await scene.ben.sees(has("opens a table: **Throps**, 3 seats", "5 minutes a bid"))


async def test_a_table_that_cannot_be_is_put_right(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    card = (await ana.slash("/gops open", game="vultures", cards=15, seats=4, options="win-only, early win")).shown
    assert "I left out" in card.text
    assert "15 cards" in card.text
    await ana.press("Open a table", in_=card)
    table = await ben.sees(has("opens a table: **Vultures**"))
    assert "4 seats" in table.text
    nothing = (await ana.slash("/gops open", game="vulturs")).shown
    assert 'I know no game "vulturs". Did you mean Vultures?' in plain(nothing.text)
    assert "Vultures" in nothing.text
    near = (await ana.slash("/gops open", options="blind bids, known-order, win-only")).shown
    assert "win-only" in near.text.split("You typed: ")[1]


async def test_a_card_that_is_changed_keeps_what_was_typed(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    card = (await ana.slash("/gops challenge", opponent=ben, cards=7, ties="carry", options="blind, known-order")).shown
    assert "I left out blind bids; the rest is as you typed it." in plain(card.text)
    changed = (await ana.choose("Quick GOPS", select="Game", in_=card)).shown
    assert "With 7 cards, prize order shown beforehand." in plain(changed.text)
    changed = (await ana.choose("Vultures", select="Game", in_=changed)).shown
    assert "I left out" in plain(changed.text)
    changed = (await ana.choose("Classic GOPS", select="Game", in_=changed)).shown
    assert "With 7 cards, prize order shown beforehand." in plain(changed.text)
    changed = (await ana.choose("Vultures", select="Game", in_=changed)).shown
    await ana.press("Send the challenge", in_=changed)
    await ben.sees(has("challenges you to **Vultures**"))


async def test_a_series_that_cannot_be_read_keeps_what_was_typed(scene: House) -> None:
    card = (await scene.ana.slash("/gops challenge", opponent=scene.ben, series="banana", cards=5)).shown
    assert 'I cannot read "banana" as a series.' in plain(card.text)
    assert "-# You typed: `/gops challenge " in card.text
    assert {"series:banana", "cards:5"} <= {*plain(card.text).replace("`", " ").split()}
    assert card.has_button("Send the challenge")


async def test_a_table_for_a_game_of_more_says_once_how_many_it_takes(scene: House) -> None:
    for game in ("welsh", "throps"):
        card = (await scene.ana.slash("/gops challenge", opponent=scene.ben, game=game)).shown
        assert card.has_button("Open a table")
        assert plain(card.text).count(" players") == 1


async def test_games_are_offered_that_go_with_what_is_typed(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    cem = await scene.person("Cem")

    async def games(command: str, **typed: Any) -> list[str]:
        return [row.split(" · ")[0] for row in await ana.complete(command, "game", "", **typed)]

    assert "Vultures" in await games("/gops open")
    fitting = await games("/gops open", cards=15)
    assert "Vultures" not in fitting
    assert "Classic GOPS" in fitting
    assert "Throps" in await games("/gops challenge", opponent=ben)  # somebody else may still be named
    assert "SOPS" not in await games("/gops challenge", opponent=ben, player2=cem)
    assert "Pico" not in await games("/gops practice", cards=9)
    assert "Pico" in await games("/gops rules")


async def test_practice_that_cannot_be_is_offered_as_it_is(scene: House) -> None:
    ana = scene.ana
    chosen = told(await ana.slash("/gops practice", game="pico", cards=9, level="random"))
    assert "You typed: `/gops practice level:Random: any card game:pico cards:9`" in chosen
    answer = (await ana.slash("/gops practice", game="pico", cards=9)).shown
    assert plain(answer.content).split("\n") == [
        'Pico is played as it is: it does not take "cards".',
        "-# You typed: `/gops practice game:pico cards:9`",
    ]
    await ana.press("Practise Pico as it is", in_=answer)
    await ana.sees(has("against Sly (house)", ephemeral=True))


async def test_the_set_up_card_opens_a_table_for_three(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    card = (await ana.menu("Challenge to GOPS", ben)).shown
    await ana.choose("Throps", select="Game", in_=card)
    here = ana.now(card)
    assert here is not None
    assert "Throps is for 3 players: this opens a table, which Ben and others can join." in plain(here.text)
    await ana.press("Open a table", in_=card)
    table = await ben.sees(has("opens a table: **Throps**, 3 seats"))
    assert "Seats 2 of 3: Ana (host), Ben" in told(await ben.press("Join", in_=table))


async def test_unanswered_challenge_expires(scene: House) -> None:
    challenge = await scene.challenge()
    await scene.stage.forward(580)
    waiting = scene.ben.now(challenge)
    assert waiting is not None
    assert waiting.has_button("Accept")
    await scene.stage.forward(21)
    gone = await scene.ben.sees("Nobody answered in time.")
    assert gone.id == challenge.id
    assert gone.buttons == []


async def test_only_the_challenge_pings_the_opponent(scene: House) -> None:
    cem = await scene.person("Cem", display="@everyone <@1>")
    await cem.slash("/gops challenge", opponent=scene.ben)
    await scene.ben.pinged("challenges you to")
    assert len(scene.ben.pings) == 1
    assert scene.ana.pings == cem.pings == []
    challenge = await scene.ana.sees("challenges you")
    await scene.ben.press("Decline", in_=challenge)
    await scene.ana.sees(has("Ben declined."))
    assert len(scene.ben.pings) == 1
    assert scene.ana.pings == cem.pings == []


async def test_ten_matches_and_eight_boards(scene: House) -> None:
    ana, ben, talk = scene.ana, scene.ben, scene.server.channel("talk")
    codes: set[str] = set()
    for number in range(10):
        place = None if number < 8 else talk
        challenge = (await ana.slash("/gops challenge", opponent=ben, in_=place)).shown
        await ben.sees("challenges you", in_=challenge)
        await ben.press("Accept", in_=challenge)
        board = ben.now(challenge)
        assert board is not None
        codes.add(plain(board.text).split(" · ")[0])
    assert len(codes) == 10
    full = "This channel has 8 live boards, its limit. Use another channel, or wait for one to end."
    mine = "You are in 10 live matches, which is the most. Finish one first: /gops games"
    theirs = "Ben is in 10 live matches already. Try again later."
    cem, dee = await scene.person("Cem"), await scene.person("Dee")
    assert told(await cem.slash("/gops challenge", opponent=dee)) == full
    assert told(await ana.slash("/gops challenge", opponent=cem, in_=talk)) == mine
    assert told(await cem.slash("/gops challenge", opponent=ben, in_=talk)) == theirs
    listed = (await ana.slash("/gops games")).shown
    assert plain(listed.text).count("with Ben in") == 10
    which = (await ana.slash("/gops resign")).shown
    assert plain(which.text) == plain(listed.text), "the same list, with the same menu"
    code = min(codes).rpartition("#")[2]
    question = (await ana.choose(code, in_=which)).shown
    assert plain(question.content).startswith(f"Stop #{code}?")


async def test_an_answer_that_arrives_after_the_board(scene: House) -> None:
    """Two accept in the same moment, and what the first is shown arrives last: the board is there all the same."""
    ana, ben, cem = scene.ana, scene.ben, await scene.person("Cem")
    challenge = (await ana.slash("/gops challenge", opponent=ben, player3=cem)).shown
    await ben.sees("challenges you")
    await scene.stage.reset_calls()
    await scene.stage.fault("slow", "* /interactions/*", seconds=30)
    first = asyncio.create_task(ben.press("Accept", in_=challenge))
    await scene.stage.begun("* /interactions/*")
    await cem.press("Accept", in_=challenge)
    await scene.stage.clear_faults()
    assert "round 1 of 13" in told(await first)
    board = await ana.sees(has("round 1 of 13"), in_=challenge)
    assert board.has_button("Bid")
