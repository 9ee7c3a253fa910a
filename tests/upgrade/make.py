"""`python -m tests.upgrade.make 0002`: leaves everything half done, and keeps what the bot left."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Any

from bot.playground.driver import Person, Seen
from tests.e2e.house import code_of
from tests.screens.acting import begun, bid, console, people, press, slash
from tests.screens.recorder import Recording, Studio, studio
from tests.upgrade.kept import DATABASE, DISCORD, write_database, write_discord

LEFT = Path(__file__).with_name("left")


async def half_done(scene: Recording) -> None:
    """One of every message, with every custom id that there is."""
    ana, ben, cem, dee = await people(scene, 4)
    await finished_matches(scene, ana, ben, cem)
    await practice(scene, ana, ben)
    await matches(scene, ana, ben, cem, dee)
    await lobbies(scene, ana, ben, cem, dee)
    for command in ("leaderboard", "profile", "history", "games", "rules", "notify"):
        await slash(scene, ana, command)
    await slash(scene, ana, "block", player=dee)
    await slash(scene, ana, "notify")
    cem.go("#talk")  # where there is room for more boards
    card = (await scene.step("a card", cem.menu("Challenge to GOPS", dee))).shown
    await choose(scene, cem, card, "clock", "300")
    card = (await scene.step("a card for three", cem.menu("Challenge to GOPS", dee))).shown
    await choose(scene, cem, card, "game", "parlett")
    await scene.step("a card to put away", cem.menu("Challenge to GOPS", ben))


async def finished_matches(scene: Recording, ana: Person, ben: Person, cem: Person) -> None:
    """With their results, sheets, a question and a review that was never asked for."""
    for guest in (ben, cem):
        board = await begun(scene, ana, guest, cards=3)
        for cards in ("A2", "2A"):
            await bid(scene, ana, cards[0])
            await bid(scene, guest, cards[1])
        sheet = (await press(scene, ana, "Sheet", board)).shown
    await press(scene, ana, "Show everyone", sheet)


async def practice(scene: Recording, ana: Person, ben: Person) -> None:
    """Over, in the middle, in a DM, and before a channel."""
    shown = (await slash(scene, ben, "practice", level="random", cards=3)).shown
    for card in ("2", "A"):
        await press(scene, ben, card, shown)
    shown = (await slash(scene, ana, "practice", cards=5)).shown
    await press(scene, ana, "3", shown)
    await slash(scene, ben, "practice", level="matcher", public=True)


async def matches(scene: Recording, ana: Person, ben: Person, cem: Person, dee: Person) -> None:
    """In the middle of a round, of a choice of cards, of a pick, of an offer, of a question."""
    board = await begun(scene, ana, ben)
    for cards in ("56", "KQ"):
        await bid(scene, ana, cards[0])
        await bid(scene, ben, cards[1])
    await bid(scene, ana, "3")
    await press(scene, ben, "Bid", board)
    more = (await press(scene, ben, "More", board)).shown
    asked = (await press(scene, ben, "Offer draw", more)).shown
    await press(scene, ben, "Offer draw", asked)
    await press(scene, ana, "More", board)
    for label in ("Sheet", "Cards", "More"):
        await press(scene, ana, label, board)
    for _ in range(2):
        await slash(scene, ana, "resign", match=code_of(board))

    board = await begun(scene, ana, cem, game="two-cards")
    await press(scene, cem, "2", await console(scene, cem))
    await slash(scene, cem, "draw", match=code_of(board))

    await begun(scene, ben, cem, game="open-draft")
    await bid(scene, ben, "4")
    await bid(scene, cem, "9")

    challenge = (await slash(scene, dee, "challenge", opponent=ben, player2=cem, game="parlett")).shown
    await press(scene, ben, "Accept", challenge)
    await press(scene, cem, "Accept", challenge)
    await begun(scene, dee, cem, game="pico")


async def lobbies(scene: Recording, ana: Person, ben: Person, cem: Person, dee: Person) -> None:
    """One of each for every way in which it can end."""
    await slash(scene, ana, "challenge", opponent=ben, player2=cem)
    await slash(scene, cem, "challenge", opponent=dee)
    await slash(scene, dee, "challenge", opponent=ana, ties="carry")
    table = (await slash(scene, ana, "open", seats=3)).shown
    await press(scene, ben, "Join", table)
    table = (await slash(scene, dee, "open", game="vultures", seats=5)).shown
    await press(scene, ben, "Join", table)
    await slash(scene, cem, "open", seats=2)


async def choose(scene: Recording, person: Person, card: Seen, what: str, value: str) -> None:
    await scene.caught_up()
    select = next(one for one in card.selects if one.custom_id.endswith(f":{what}"))
    await scene.step(f"{what}: {value}", person.choose(value, select=select.custom_id, in_=card))


async def make(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        async with studio(place) as made:
            await made.ask("seed", folder.name)
            server = await made.stage.server("Club", ["games", "talk"])
            with Recording(made, folder.name, server) as scene:
                await half_done(scene)
            await stopped(made)
            write_discord(made.core, folder / DISCORD)
            write_database(place / "gops.sqlite3", folder / DATABASE)


async def stopped(made: Studio) -> Any:
    await made.close()
    assert await made.bot.stop() == 0


if __name__ == "__main__":
    target = LEFT / sys.argv[1]
    target.mkdir(parents=True)
    asyncio.run(make(target))
