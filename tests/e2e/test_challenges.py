"""Challenges: every way in which one is refused, answered, taken back or forgotten."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from bot.engine.text.wording import list_rules
from bot.engine.variants import find_game
from bot.ui.custom_ids.shapes import CODE
from tests.driver import Person, Seen
from tests.e2e.house import ADD, House, find_add, has, lines, opened, plain, send_card, told

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.by_http]

ANNOUNCES = True


WORDS = list_rules(find_game("classic"))


async def someone(scene: House, name: str) -> object:
    """Who a table means by a name."""
    known: dict[str, object] = {"Ana": scene.ana, "Ben": scene.ben, "GOPS": scene.stage.bot("GOPS")}
    if name == "Rival":
        return scene.stage.bot(name)
    return known[name] if name in known else await scene.person(name)


REFEREE = (
    "I am the referee. To play the house, use /gops practice. To add house players to a match of people, use the option"
    " house of /gops challenge."
)


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("Ana", {}, "You cannot challenge yourself. To play alone, use /gops practice."),
        ("GOPS", {}, REFEREE),
        ("Rival", {}, "Rival is a bot and cannot play."),
        (
            "Ben",
            {"game": "parlett"},
            "Gops for three is for 3 players. Add them below, or open a table that Ben and others can join.",
        ),
        (
            "Ben",
            {"game": "three-handed"},
            "Three-handed is for 3 players. Add them below, or open a table that Ben and others can join.",
        ),
        ("Ben", {"game": "pico", "cards": 5}, 'Pico does not have the rule "cards". It works in: Classic GOPS, SOPS.'),
        ("Ben", {"game": "sops", "options": "win-only"}, "Swapping cards would show what win-only hides."),
        ("Ben", {"game": "vultures", "options": "open prizes"}, "Prizes below zero cannot go with open prizes."),
        (
            "Ben",
            {"options": "custom order, order custom"},
            'Classic GOPS has no rule "custom order". It has: ' + WORDS,
        ),
        (
            "Ben",
            {"options": "order custom"},
            'A custom order needs the prizes listed, for example "prizes in the order K Q J 10 9 8 7 6 5 4 3 2 A".',
        ),
        ("Ben", {"cards": 3, "options": "order A A 2"}, "The order must name each of 1 to 3 once."),
        ("Ben", {"options": "row size many"}, "Row size must be a whole number from 1 to 25."),
        ("Ben", {"game": "chess"}, 'There is no game "chess". All games: /gops rules'),
        ("Ben", {"options": "flying"}, 'Classic GOPS has no rule "flying". It has: ' + WORDS),
        (
            "Ben",
            {"options": "blind, known-order"},
            "A public prize order makes blind bids pointless. Choose one of the two.",
        ),
        (
            "Ben",
            {"options": "win-only", "ties": "split"},
            "Win-only cannot go with split ties: it would show the bids.",
        ),
    ],
)
async def test_invalid_challenge_is_refused_with_a_sentence(
    scene: House, name: str, options: dict[str, Any], sentence: str
) -> None:
    outcome = await scene.ana.slash("/gops challenge", opponent=await someone(scene, name), **options)
    assert sentence in lines(outcome)
    about_what_was_typed = len(lines(outcome)) > 1
    assert about_what_was_typed is ("-# You typed: `/gops challenge" in told(outcome))
    assert about_what_was_typed is bool(options)
    assert outcome.shown.is_ephemeral
    assert scene.ben.pings == []


async def test_people_who_take_no_challenges(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    await ben.slash("/gops preferences")
    await ben.press("Take challenges: on")
    not_taking = "Ben takes no challenges. Ask another player, or use /gops open."
    assert told(await ana.slash("/gops challenge", opponent=ben)) == not_taking
    await ben.press("Take challenges: off")
    blocked = "Ana can no longer challenge you. They won't be notified. Undo it in /gops preferences."
    assert told(await ben.slash("/gops block", player=ana)) == blocked
    assert told(await ben.slash("/gops block", player=ana)) == "Ana is blocked already."
    assert told(await ben.slash("/gops block", player=ben)) == "You cannot block yourself."
    assert told(await ana.slash("/gops challenge", opponent=ben)) == not_taking
    you_blocked = "You blocked Ana. Unblock them in /gops preferences first."
    assert told(await ben.slash("/gops challenge", opponent=ana)) == you_blocked
    card = (await ben.slash("/gops preferences")).shown
    await ben.choose("Ana", select="Unblock a player", in_=card)
    await scene.match()


async def test_nobody_is_blocked_who_cannot_challenge(scene: House, hall: House) -> None:
    """The referee itself, and other bots."""
    world = await scene.stage.world()
    referee, rival = (next(one["id"] for one in world["bots"] if one["name"] == name) for name in ("GOPS", "Rival"))
    house = "I am the referee and challenge nobody, so there is nothing to block."
    assert told(await scene.ana.slash("/gops block", player=referee)) == house
    assert told(await scene.ana.slash("/gops block", player=rival)) == "Rival is a bot and cannot play."
    card = (await scene.ana.slash("/gops preferences")).shown
    assert not [select for select in card.selects if select.placeholder == "Unblock a player"]


async def test_challenge_to_a_former_member_is_refused(scene: House) -> None:
    cem = await scene.person("Cem")
    await scene.stage.leave(scene.server, cem)
    outcome = await scene.ana.slash("/gops challenge", opponent=cem)
    assert told(outcome) == "Cem has left this server."


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
    assert told(await ana.slash("/gops challenge", opponent=ben)).startswith(
        f"Your challenge to Ben is still open: {link}"
    )
    assert told(await ben.press("Decline", in_=challenge)) == "Ben declined."
    lately = told(await ana.slash("/gops challenge", opponent=ben))
    assert lately.startswith("Ben declined a moment ago. You can ask again from <t:")
    await ben.slash("/gops challenge", opponent=ana)  # the other way round is nobody's nuisance
    await scene.stage.forward(601)
    await ana.sees(has("Ana did not answer Ben's challenge in time."))
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
    await send_card(ana, [ben, cem])
    await ben.sees(has("challenges you", "Ben … asked"))


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
    await send_card(ana, [ben, cem, dee])
    challenge = await ben.sees("challenges you")
    await ben.press("Accept", in_=challenge)
    assert told(await ben.press("Accept", in_=challenge)) == "You already answered this challenge."
    assert told(await ben.press("Decline", in_=challenge)) == "You already answered this challenge."
    await ana.sees(has("Ben ✔ accepted", "Cem … asked", "Dee … asked", "Starts when all have accepted."))
    await cem.press("Decline", in_=challenge)
    await ana.sees(has("Cem ✘ declined"))
    await ana.press("Start with 2", in_=challenge)
    board = await dee.sees(has("Ana and Ben", "round 1 of 13", "Ties: the prize stays in the pot"))
    assert board.id == challenge.id
    assert told(await dee.press("Bid", in_=board)).startswith("You don't play in #")


async def test_who_declined_gets_no_seat(scene: House) -> None:
    """After a *Decline* the last *Accept* starts nothing: the challenger does."""
    ana, ben = scene.ana, scene.ben
    cem, dee = await scene.person("Cem"), await scene.person("Dee")
    await send_card(ana, [ben, cem, dee])
    challenge = await ben.sees("challenges you")
    await ben.press("Decline", in_=challenge)
    await cem.press("Accept", in_=challenge)
    assert "Ana starts the match." in told(await dee.press("Accept", in_=challenge))
    assert told(await dee.press("Start with 3", in_=challenge)) == "Only Ana can do that."
    board = (await ana.press("Start with 3", in_=challenge)).shown
    assert "3 players" in plain(board.text)
    await dee.sees(has("round 1 of 13", "Your turn"), in_="dm")


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
    why = "Ben has 2 running matches, the most allowed. Try again later."
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
    assert told(await cem.press("Join", in_=table)) == "Ana has 1 running match, the most allowed. Try again later."
    await cem.sees(has("opens a table", "Players 1 of 3: Ben (host)"))
    assert "Players 2 of 3: Ben (host), Cem" in told(await cem.press("Join", in_=table))


async def test_a_game_for_three_frees_everybody(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    cem = await scene.person("Cem")
    await send_card(ana, [ben, cem], game="parlett")
    challenge = await ben.sees("challenges you")
    assert "3 deals" in plain(challenge.text)
    await ben.press("Accept", in_=challenge)
    free = "Cem declined, so there are too few players for Gops for three."
    assert told(await cem.press("Decline", in_=challenge)) == free
    await send_card(ana, [ben, await scene.person("Dee")], game="throps")
    challenge = await ben.sees("**Throps**")
    await ben.press("Accept", in_=challenge)
    await scene.stage.forward(601)
    await ben.sees(has("Dee did not answer Ana's challenge in time."))


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
        has("3 cards · ties: nobody gets the prize · prizes in the order 3 A 2 · win-only · best of 3 · 2 minutes")
    )
    await ben.press("Accept", in_=challenge)
    await ana.sees(
        has(
            "Ties: nobody gets the prize · 3 cards · prizes in a listed order · win-only · best of 3",
            "in this order: A 2",
        )
    )


async def test_what_does_not_go_together_can_be_sent_without_it(scene: House) -> None:
    """Everything that was typed is kept but what is in the way; one press sends it."""
    ana, ben = scene.ana, scene.ben
    typed: dict[str, Any] = {"game": "vultures", "cards": 15, "clock": 300, "series": "Best of 3", "rated": False}
    card = await ana.slash("/gops challenge", opponent=ben, **typed)
    assert told(card).split("\n")[1:4] == [
        '┃ ⚠ Vultures does not have the rule "cards". It works in: Classic GOPS, SOPS.',
        "┃ Not used, because it does not fit: 15 cards. The rest is as you typed it.",
        (
            "┃ -# You typed: `/gops challenge opponent:@Ben game:vultures cards:15 clock:5 minutes series:Best of 3"
            " rated:false`"
        ),
    ]
    await ana.press("Send the challenge", in_=card.shown)
    await ben.sees(has("challenges you to **Vultures**.\nBest of 3 · 5 minutes a bid · unrated"))


async def test_challenge_of_the_set_up_card_gets_a_new_time_after_downtime(tmp_path: Path) -> None:
    """It is a follow-up of the press on the card: by its token alone the card would be edited."""
    async with opened(tmp_path) as house:
        cem = await house.stage.person("Cem")
        await send_card(house.ana, [house.ben, cem])
        card = await house.ana.sees("Sent: https://")
        challenge = await house.ben.sees("challenges you")
        await house.bot.kill()
        await house.stage.forward(60)
        await house.bot.start()
        later = await house.ben.sees(lambda seen: seen.text != challenge.text, in_=challenge)
        assert time_in(later) >= time_in(challenge) + 60
        assert house.ana.now(card) == card
        assert "could not edit" not in house.bot.logged()


def time_in(challenge: Seen) -> int:
    """Return until when a challenge can be answered."""
    [until] = re.findall(r"Answer by <t:(\d+):t>", challenge.text)
    return int(until)


async def test_a_game_for_three_becomes_a_table(scene: House) -> None:
    """Challenged alone, the other can sit down there; nothing that was typed has to go."""
    card = await scene.ana.slash("/gops challenge", opponent=scene.ben, game="throps", clock=300)
    assert lines(card)[1] == "Throps is for 3 players. Add them below, or open a table that Ben and others can join."
    assert "exactly" not in plain(card.shown.text)
    await scene.ana.press("Open a table", in_=card.shown)
    await scene.ben.sees(has("opens a table: **Throps**, 3 players", "5 minutes a bid"))


async def test_a_table_that_cannot_be_is_put_right(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    card = (await ana.slash("/gops open", game="vultures", cards=15, seats=4, options="win-only, early win")).shown
    assert "Not used" in card.text
    assert "15 cards" in card.text
    await ana.press("Open a table", in_=card)
    table = await ben.sees(has("opens a table: **Vultures**"))
    assert "4 players" in table.text
    nothing = (await ana.slash("/gops open", game="vulturs")).shown
    assert 'There is no game "vulturs". Did you mean Vultures?' in plain(nothing.text)
    assert "Vultures" in nothing.text
    near = (await ana.slash("/gops open", options="blind bids, known-order, win-only")).shown
    assert "win-only" in near.text.split("You typed: ")[1]


async def test_a_card_that_is_changed_keeps_what_was_typed(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    card = (await ana.slash("/gops challenge", opponent=ben, cards=7, ties="carry", options="blind, known-order")).shown
    assert "Not used, because it does not fit: blind bids. The rest is as you typed it." in plain(card.text)
    changed = (await ana.choose("Quick GOPS", select="Game", in_=card)).shown
    assert "Also: prize order shown." in plain(changed.text)
    changed = (await ana.choose("Vultures", select="Game", in_=changed)).shown
    assert "Not used" in plain(changed.text)
    changed = (await ana.choose("Classic GOPS", select="Game", in_=changed)).shown
    assert "Also: prize order shown." in plain(changed.text)
    chosen = {select.placeholder: label for select in changed.selects for label, _, on in select.options if on}
    assert chosen["Cards"] == "7"
    changed = (await ana.choose("Vultures", select="Game", in_=changed)).shown
    await ana.press("Send the challenge", in_=changed)
    await ben.sees(has("challenges you to **Vultures**"))


async def test_a_series_that_cannot_be_read_keeps_what_was_typed(scene: House) -> None:
    card = (await scene.ana.slash("/gops challenge", opponent=scene.ben, series="banana", cards=5)).shown
    assert '"banana" is not a series.' in plain(card.text)
    assert "-# You typed: `/gops challenge " in card.text
    assert {"series:banana", "cards:5"} <= {*plain(card.text).replace("`", " ").split()}
    assert card.has_button("Send the challenge")


async def test_a_table_for_a_game_of_more_says_once_how_many_it_takes(scene: House) -> None:
    for game in ("welsh", "throps"):
        card = (await scene.ana.slash("/gops challenge", opponent=scene.ben, game=game)).shown
        assert card.has_button("Open a table")
        assert plain(card.text).count(" players.") == 1


async def test_games_are_offered_that_go_with_what_is_typed(scene: House) -> None:
    ana, ben = scene.ana, scene.ben

    async def games(command: str, **typed: Any) -> list[str]:
        return [row.split(" · ")[0] for row in await ana.complete(command, "game", "", **typed)]

    assert "Vultures" in await games("/gops open")
    fitting = await games("/gops open", cards=15)
    assert "Vultures" not in fitting
    assert "Classic GOPS" in fitting
    assert "Throps" in await games("/gops challenge", opponent=ben)  # players can be added on the card
    assert "SOPS" not in await games("/gops open", seats=3)
    assert "Pico" not in await games("/gops practice", cards=9)
    assert "Pico" in await games("/gops rules")


async def test_practice_that_cannot_be_is_offered_as_it_is(scene: House) -> None:
    ana = scene.ana
    chosen = told(await ana.slash("/gops practice", game="pico", cards=9, level="random"))
    assert "You typed: `/gops practice level:random game:pico cards:9`" in chosen
    answer = (await ana.slash("/gops practice", game="pico", cards=9)).shown
    assert plain(answer.content).split("\n") == [
        'Pico does not have the rule "cards". It works in: Classic GOPS, SOPS.',
        "-# You typed: `/gops practice game:pico cards:9`",
    ]
    await ana.press("Practice match with default rules", in_=answer)
    await ana.sees(has("against Sly (house)", ephemeral=True))


async def test_the_set_up_card_opens_a_table_for_three(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    card = (await ana.menu("Challenge to GOPS", ben)).shown
    await ana.choose("Throps", select="Game", in_=card)
    here = ana.now(card)
    assert here is not None
    assert "Throps is for 3 players. Add them below, or open a table that Ben and others can join." in plain(here.text)
    await ana.press("Open a table", in_=card)
    table = await ben.sees(has("opens a table: **Throps**, 3 players"))
    assert "Players 2 of 3: Ana (host), Ben" in told(await ben.press("Join", in_=table))


async def test_players_are_added_on_the_set_up_card(scene: House) -> None:
    ana, ben, cem, dee = scene.ana, scene.ben, await scene.person("Cem"), await scene.person("Dee")
    card = (await ana.menu("Challenge to GOPS", ben)).shown
    card = (await ana.choose(cem, dee, select=ADD, in_=card)).shown
    assert "### New match against Ben, Cem and Dee" in plain(card.text)
    card = (await ana.choose("Vultures", select="Game", in_=card)).shown
    assert "### New match against Ben, Cem and Dee" in plain(card.text), "another choice keeps them"
    card = (await ana.choose(dee, select=find_add(card), in_=card)).shown
    assert "### New match against Ben and Dee" in plain(card.text)
    await ana.press("Send the challenge", in_=card)
    challenge = await dee.sees(has("**Vultures**", "Ben … asked", "Dee … asked"))
    assert "Cem" not in plain(challenge.text)
    card = (await ana.menu("Challenge to GOPS", ben)).shown
    card = (await ana.choose(cem, select=ADD, in_=card)).shown
    card = (await ana.choose(select=ADD, in_=card)).shown
    assert "### New match against Ben\n" in plain(card.text)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Ana", "You cannot challenge yourself. To play alone, use /gops practice."),
        ("Ben", "You named Ben twice. Name each player once."),
        ("Rival", "Rival is a bot and cannot play."),
        ("GOPS", REFEREE),
    ],
)
async def test_who_cannot_be_added_is_refused_with_a_sentence(scene: House, name: str, sentence: str) -> None:
    card = (await scene.ana.menu("Challenge to GOPS", scene.ben)).shown
    one = await someone(scene, name)
    assert told(await scene.ana.choose(one, select=ADD, in_=card)) == sentence
    kept = scene.ana.now(card)
    assert kept is not None
    assert "### New match against Ben\n" in plain(kept.text)


async def test_a_game_for_fewer_than_were_added_is_refused_with_a_sentence(scene: House) -> None:
    ana, ben, cem = scene.ana, scene.ben, await scene.person("Cem")
    card = (await ana.menu("Challenge to GOPS", ben)).shown
    await ana.choose(cem, select=ADD, in_=card)
    card = (await ana.choose("SOPS", select="Game", in_=card)).shown
    assert "SOPS is for exactly 2 players." in plain(card.text)
    assert told(await ana.press("Send the challenge", in_=card)) == "SOPS is for exactly 2 players."
    card = (await ana.choose("Welsh Warfare", select="Game", in_=card)).shown
    assert "Welsh Warfare is for exactly 4 players." in plain(card.text)


@pytest.mark.parametrize("game", ["Classic GOPS", "Throps"])
async def test_the_set_up_card_sends_once(scene: House, game: str) -> None:
    """What was sent takes its place: a press too many sends nothing."""
    ana, ben = scene.ana, scene.ben
    card = (await ana.menu("Challenge to GOPS", ben)).shown
    card = (await ana.choose(game, select="Game", in_=card)).shown
    await ana.press("Open a table" if game == "Throps" else "Send the challenge", in_=card)
    posted = await ben.sees(has(f"**{game}**", ephemeral=False))
    left = await ana.sees(has("Sent: https://discord.com/channels/"), in_=card)
    assert left.text.endswith(f"/{posted.id}")
    assert not [*left.buttons, *left.selects]


def chosen_on(card: Seen) -> dict[str, str]:
    return {select.placeholder: label for select in card.selects for label, _, on in select.options if on}


async def test_a_second_card_for_the_same_person_begins_with_the_choices_of_the_first(scene: House) -> None:
    ana, ben, cem = scene.ana, scene.ben, await scene.person("Cem")
    card = (await ana.menu("Challenge to GOPS", ben)).shown
    card = (await ana.choose("7", select="Cards", in_=card)).shown
    card = (await ana.choose("The prize is split", select="Ties", in_=card)).shown
    card = (await ana.choose("5 minutes", select="Time for each bid", in_=card)).shown
    card = (await ana.choose("No", select="Rated", in_=card)).shown
    before = chosen_on(card)
    assert {"7", "The prize is split", "5 minutes", "No"} < {*before.values()}
    await ana.press("Send the challenge", in_=card)
    challenge = await ben.sees(has("challenges you"))
    await ben.press("Decline", in_=challenge)
    assert chosen_on((await ana.menu("Challenge to GOPS", ben)).shown) == before
    assert chosen_on((await ana.menu("Challenge to GOPS", cem)).shown)["Cards"] == "13", "another person"
    await scene.stage.forward(3700)
    assert chosen_on((await ana.menu("Challenge to GOPS", ben)).shown)["Cards"] == "13", "it was an hour ago"


async def test_the_set_up_card_stays_if_nothing_could_be_sent(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    await scene.challenge()
    card = (await ana.menu("Challenge to GOPS", ben)).shown
    assert "Your challenge to Ben is still open" in told(await ana.press("Send the challenge", in_=card))
    now = ana.now(card)
    assert now is not None
    assert now.has_button("Send the challenge")


async def test_unanswered_challenge_expires(scene: House) -> None:
    challenge = await scene.challenge()
    await scene.stage.forward(580)
    waiting = scene.ben.now(challenge)
    assert waiting is not None
    assert waiting.has_button("Accept")
    await scene.stage.forward(21)
    gone = await scene.ben.sees(has("Ben did not answer Ana's challenge in time."))
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
        codes.update(CODE.findall(plain(board.text)))
    assert len(codes) == 10
    full = "This channel has 8 boards, the most allowed. Use another channel, or wait until one ends."
    mine = "You have 10 running matches, the most allowed. Finish one first: /gops games"
    theirs = "Ben has 10 running matches, the most allowed. Try again later."
    cem, dee = await scene.person("Cem"), await scene.person("Dee")
    assert told(await cem.slash("/gops challenge", opponent=dee)) == full
    assert told(await ana.slash("/gops challenge", opponent=cem, in_=talk)) == mine
    assert told(await cem.slash("/gops challenge", opponent=ben, in_=talk)) == theirs
    listed = (await ana.slash("/gops games")).shown
    assert plain(listed.text).count("with Ben in") == 10
    which = (await ana.slash("/gops resign")).shown
    assert plain(which.text) == plain(listed.text), "the same list, with the same menu"
    code = min(codes)
    question = (await ana.choose(code, in_=which)).shown
    assert plain(question.content).startswith(f"Stop #{code}?")


async def test_an_answer_that_arrives_after_the_board(scene: House) -> None:
    """Two accept in the same moment, and what the first is shown arrives last: the board is there all the same."""
    ana, ben, cem = scene.ana, scene.ben, await scene.person("Cem")
    await send_card(ana, [ben, cem])
    challenge = await ben.sees("challenges you")
    await scene.stage.reset_calls()
    await scene.stage.fault("slow", "* /interactions/*", seconds=30)
    first = asyncio.create_task(ben.press("Accept", in_=challenge))
    await scene.stage.begun("* /interactions/*")
    await cem.press("Accept", in_=challenge)
    await scene.stage.clear_faults()
    assert "round 1 of 13" in told(await first)
    board = await ana.sees(has("round 1 of 13"), in_=challenge)
    assert board.has_button("Bid")
