"""The rules card over sockets: every topic by its menus, and practice from it."""

from __future__ import annotations

import re

import pytest

from bot.engine.text.presets import list_offers
from tests.driver import Seen
from tests.e2e.house import House, behind_more, plain, told


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.by_http
async def test_every_game_and_preset_by_the_menu(scene: House) -> None:
    card = (await scene.ana.slash("/gops rules")).shown
    assert plain(card.text).startswith("┃ ### Classic GOPS\n")
    assert card.is_ephemeral
    for offer in list_offers():
        select = next(one for one in card.selects if one.placeholder == "Another game")
        card = (await scene.ana.choose(offer.name, select=select.custom_id, in_=card)).shown
        assert plain(card.text).startswith(f"┃ ### {offer.name}\n")


@pytest.mark.asyncio(loop_scope="module")
async def test_a_rule_is_changed_shown_and_practised(scene: House) -> None:
    ana = scene.ana
    card = (await ana.slash("/gops rules", game="classic")).shown
    select = next(one for one in card.selects if one.placeholder == "Change a rule of Classic")
    card = (await ana.choose("Early win", select=select.custom_id, in_=card)).shown
    assert plain(card.text).startswith("┃ ### Classic GOPS: early win\n")
    await ana.press("Show everyone", in_=card)
    shown = await scene.ben.sees("### Classic GOPS: early win")
    assert not shown.buttons
    console = (await ana.press("Practice match", in_=card)).shown
    assert console.is_ephemeral
    assert "against Sly (house) · round 1 of 13" in plain(console.text)
    rules = (await ana.press("Rules", in_=console)).shown
    assert plain(rules.text).startswith("┃ ### Classic GOPS: early win\n")


@pytest.mark.asyncio(loop_scope="module")
async def test_nothing_is_shown_to_everyone_in_a_dm(scene: House) -> None:
    """Nobody but the person would read the copy there."""
    ana = scene.ana
    board = (await scene.ben.press("Accept", in_=await scene.challenge(cards=3))).shown
    assert (await ana.press("Sheet", in_=board)).shown.has_button("Show everyone")
    console = await ana.sees(lambda seen: "round 1 of 3" in seen.text and "Ben" in seen.text, in_="dm")
    assert (await ana.slash("/gops rules")).shown.has_button("Show everyone")
    card = (await ana.slash("/gops rules", in_="dm")).shown
    assert [one.label for one in card.buttons] == ["Practice match", "Tips", "About"]
    sheet = (await ana.press("Sheet", in_=console)).shown
    assert [one.label for one in sheet.buttons] == ["◀ Earlier", "Later ▶", "As a grid", "◀ Cards"]
    grid = (await ana.press("As a grid", in_=sheet)).shown
    assert [one.label for one in grid.buttons] == ["◀ Earlier", "Later ▶", "As sentences", "◀ Cards"]


@pytest.mark.asyncio(loop_scope="module")
async def test_from_a_preset_for_three(scene: House) -> None:
    card = (await scene.ana.slash("/gops rules", game="three-handed")).shown
    console = (await scene.ana.press("Practice match", in_=card)).shown
    assert plain(console.text).count("(house)") >= 2


@pytest.mark.asyncio(loop_scope="module")
async def test_the_rules_in_force_behind_a_challenge_and_a_board(scene: House) -> None:
    challenge = await scene.challenge(game="blind", cards=5)
    expected = "┃ ### Classic GOPS: 5 cards, blind bids\n"
    assert told(await scene.ben.press("Rules", in_=challenge)).startswith(expected)
    board = (await scene.ben.press("Accept", in_=challenge)).shown
    assert told(await behind_more(scene.ben, "Rules", board)).startswith(expected)


COUNTS = ("(N!)³ games", "j × C(N, j)³", "3 + 54", "4 + 192 + 432")
ROSS = (
    "against a player who bids at random the best answer is the prize's own rank",
    "if both bid before the prize is turned up, bidding at random is best for both",
    "Goofspiel is a stochastic game, which is solved from its last round back to the first",
)
USES = (
    "Two firms that compete to buy the same goods (a duopsony)",
    "Two architects with limited time",
    "the better design gets the job",
    "Two generals who decide how many troops go to each of several battles",
)
READING = """
Dror, Simple Proof for Goofspiel, Advances in Applied Probability 21 (1989), 711-712
Epstein, Theory of Gambling and Statistical Logic (1977), 331
Gale, The Theory of Linear Economic Models (1960), 184-186, 189
Luce and Raiffa, Games and Decisions (1957), 44-47, 52
Nakai, Generalized Goofspiel, Journal of the Operations Research Society of Japan 23 (1980), 156-170
Owen, Game Theory, 2nd edition (1982), 3, 4
Ross, Goofspiel: The Game of Pure Strategy, Journal of Applied Probability 8 (1971), 621-625
Williams, The Compleat Strategyst (1954), 180
""".strip().splitlines()


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.by_http
async def test_the_theory_behind_about_says_what_kerr_says(scene: House) -> None:
    rules = (await scene.ana.slash("/gops rules")).shown
    about = (await scene.ana.press("About", in_=rules)).shown
    theory = (await scene.ana.press("Theory", in_=about)).shown
    assert theory.id == rules.id
    text = " ".join(plain(theory.text).replace("*", "").replace("┃ ", "").split())
    assert [part for part in (*COUNTS, *ROSS, *USES, *READING) if part not in text] == []
    assert plain(theory.text).count("\n┃ * ") == len(READING)
    about = (await scene.ana.press("About", in_=theory)).shown
    assert plain(about.text).startswith("┃ ### About these games")


USED_FOR = ("To think hard, or to teach game theory", "For a short game", "For puzzles and analysis")


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.by_http
async def test_which_rules_are_good_for_what_is_said_beside_a_set_up_card_that_stays(scene: House) -> None:
    ana = scene.ana
    card = (await ana.menu("Challenge to GOPS", scene.ben)).shown
    card = (await ana.choose("Vultures", select="Game", in_=card)).shown
    before = ana.now(card)
    which = (await ana.press("Which rules?", in_=card)).shown
    assert which.is_ephemeral
    assert which.id != card.id
    text = plain(which.text)
    assert text.startswith("┃ ### Which rules for what?\n")
    assert [use for use in USED_FOR if use not in text] == []
    assert before is not None
    assert ana.now(card) == before, "the choices stay"
    about = (await ana.press("About", in_=which)).shown
    assert (await ana.press("Which rules?", in_=about)).shown.text == which.text
    rules = (await ana.press("◀ Rules", in_=which)).shown
    assert plain(rules.text).startswith("┃ ### Vultures\n")


@pytest.mark.asyncio(loop_scope="module")
async def test_which_rules_are_good_for_what_is_said_beside_the_card_of_options_that_do_not_go_together(
    scene: House,
) -> None:
    ana = scene.ana
    card = (await ana.slash("/gops open", game="throps", seats=2)).shown
    assert card.has_button("Open a table")
    which = (await ana.press("Which rules?", in_=card)).shown
    assert plain(which.text).startswith("┃ ### Which rules for what?\n")
    await ana.press("Open a table", in_=card)
    await scene.ben.sees("opens a table: **Throps**")


def explained(words: Seen) -> set[str]:
    """The words that the glossary explains: those in bold, several of them with commas between."""
    found = re.findall(r"\*\*(.+?)\*\* \S", plain(words.text))
    return {word.lower() for each in found for word in each.split(", ")}


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.by_http
async def test_the_glossary_explains_the_words_of_hints_puzzles_reviews_and_odds(scene: House) -> None:
    ana = scene.ana
    rules = (await ana.slash("/gops rules")).shown
    words = (await ana.press("Glossary", in_=(await ana.press("About", in_=rules)).shown)).shown
    met = explained(words)
    assert {"random choice", "win chance", "expected lead", "cost", "perfect", "estimated"} <= met
    assert {"good", "mistake", "blunder", "luckiest round", "puzzle rating"} <= met
    text = plain(words.text)
    assert "mixed strategy" in text
    assert "regret" in text
