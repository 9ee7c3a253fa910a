"""Which console was pressed, as the store knows it."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from bot.interactions.shared.pressed_console import find_pressed_console
from bot.referee.model.surfaces import Surface, SurfaceKind
from tests.referee.stage import ANA, BEN, START

KIND = SurfaceKind.CONSOLE_EPHEMERAL
LATER = START + timedelta(minutes=15)
CHANNEL, PRESSED = 5, 77


def console(message: int, token: str, user: int = ANA.user, kind: SurfaceKind = KIND, id: int = 1) -> Surface:
    return Surface("K7Q2", kind, user, CHANNEL, message, 3, START, token, LATER, id=id)


async def own(*known: Surface) -> Surface:
    async def surfaces(_: str) -> list[Surface]:
        return list(known)

    publisher = SimpleNamespace(notes=SimpleNamespace(surfaces=surfaces))
    message = SimpleNamespace(ephemeral=True, channel=CHANNEL, id=PRESSED, posted_at=START)
    asked: Any = SimpleNamespace(user=ANA.user, message=message, services=SimpleNamespace(publisher=publisher))
    return await find_pressed_console(asked, "K7Q2")


async def test_console_known_by_its_token_alone_keeps_the_token() -> None:
    """Its keys were pressed before the bot had heard where Discord put it; if nobody waits for the answer to that press
    any more, the token of *Bid* is the only one that still reaches it."""
    dm = console(3, "", kind=SurfaceKind.CONSOLE_DM, id=2)
    found = await own(dm, console(0, "his", BEN.user, id=3), console(0, "mine"))
    assert (found.id, found.message, found.token, found.token_until) == (1, PRESSED, "mine", LATER)


async def test_pressed_console_is_found_by_its_message() -> None:
    assert await own(console(8, "other"), console(PRESSED, "mine", id=2)) == console(PRESSED, "mine", id=2)


async def test_unknown_console_does_not_take_the_token_of_another() -> None:
    """That one edits another message."""
    found = await own(console(8, "other"))
    assert (found.id, found.message, found.token) == (1, PRESSED, "")
