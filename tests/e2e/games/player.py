"""A scripted person at a table: reads the console that is before them, and presses what it offers."""

from __future__ import annotations

import random
import re
from typing import Any

from tests.driver import Person, Refused, Seen
from tests.driver.seen import Button
from tests.e2e.house import plain as without_marks

SUITS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
RANKS = {"A": 1, "J": 11, "Q": 12, "K": 13}
SPOKEN = {"A high": "A+", "A low": "A-", "Joker": "Jk"}

ROUND, DEAL = re.compile(r"(?:round|trick) (\d+)"), re.compile(r"deal (\d+)")


def read_label(label: str) -> int | str:
    """A card as the label of its key tells it: 10, K, ♠Q, A high, Q ×2."""
    text = label.removeprefix("✔ ").removeprefix("• ").removeprefix("Take ").partition(" ×")[0]
    if text in SPOKEN:
        return SPOKEN[text]
    if text[0] in SUITS:
        return text[1:] + SUITS[text[0]]
    return RANKS.get(text) or int(text.replace("−", "-"))


def is_card(read: int | str, recorded: Any) -> bool:
    """Whether a key's card is the one that the record has; where keys are ranks, the record names the very card."""
    if read == recorded or (read == 1 and recorded == 14):
        return True
    if isinstance(read, int) and isinstance(recorded, str):
        rank = recorded[:-1]
        return read == (RANKS.get(rank) or (int(rank) if rank.isdigit() else 0))
    return False


class Player:
    """One seat. `seen` is every version of every message that was ever before this person."""

    def __init__(self, person: Person, seat: int, seed: str, by_dm: bool) -> None:
        self.person = person
        self.seat = seat
        self.seed = seed
        self.by_dm = by_dm
        self.code = ""
        self.board_id = ""
        self.answered: dict[int, list[int | str]] = {}
        """by prompt: the cards of the keys that were pressed and sealed, or the prize that was picked"""
        self.seen: list[Seen] = []
        screen: Any = person.screen
        read = screen._seen

        def looked_at(raw: Any) -> Seen:
            one: Seen = read(raw)
            self.seen.append(one)
            return one

        screen._seen = looked_at

    # --- reading -----------------------------------------------------------------------------------------

    def board(self) -> Seen | None:
        return next((one for one in self.person.screen.messages() if one.id == self.board_id), None)

    async def board_says(self, *words: str) -> str:
        """Wait until the board has one of these; its text."""

        def look() -> str | None:
            board = self.board()
            text = without_marks(board.text) if board is not None else ""
            return text if any(one in text for one in words) else None

        return await self.person.screen.wait(look, f"the board to say one of {words}", 30)

    def is_over(self) -> bool:
        board = self.board()
        return board is not None and board.has_button("Rematch")

    def round(self) -> int:
        """The round that board and console have reached; past all of them once a deal is over."""
        texts = [one.text.partition("\n")[0] for one in (self.board(), self.console()) if one is not None]
        later = [deal for text in texts for deal in map(int, DEAL.findall(text)) if deal > 1]
        return max([*(1000 for _ in later), *(int(number) for text in texts for number in ROUND.findall(text)), 0])

    def console(self) -> Seen | None:
        """Their newest console of the kind that they play by."""
        mine = [one for one in self.person.screen.messages() if self._is_console(one)]
        return mine[-1] if mine else None

    def _is_console(self, one: Seen) -> bool:
        title = one.text.partition("\n")[0]
        return f"#{self.code}" in one.text and " against " in title and one.is_ephemeral is not self.by_dm

    def asked(self) -> Seen | None:
        """The console, if it asks for something that was not answered yet."""
        console = self.console()
        if console is None or not any(prompt_of(key) not in self.answered for key in live_keys(console)):
            return None
        return console

    # --- acting ------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Who plays by the board presses *Bid* (or *Pick*), and keys open for nobody else."""
        if not self.by_dm:
            board = self.board()
            assert board is not None
            outcome = await self.person.press("Pick" if board.has_button("Pick") else "Bid", in_=board)
            assert outcome.shown.is_ephemeral

    async def play(self, rounds: int = 1000) -> None:
        """Answer whatever is asked in so many rounds, or until the match is over."""
        if self.console() is None:
            await self.open()
        while (asked := await self.turn(rounds)) is not None:
            await self.answer(asked)

    async def turn(self, rounds: int = 1000, patience: float = 60.0) -> Seen | None:
        """Wait until something is asked; None once so many rounds were played, or the match is over."""

        def look() -> tuple[Seen | None] | None:
            if self.is_over() or self.round() > rounds:
                return (None,)
            asked = self.asked()
            return None if asked is None else (asked,)

        return (await self.person.screen.wait(look, f"a question in #{self.code}", patience))[0]

    async def answer(self, asked: Seen) -> Seen | None:
        """One whole answer, by the keys that are lit; what came of it, or None if it was lost on the way."""
        prompt = prompt_of(live_keys(asked)[0])
        cards = self.choose(asked, prompt)
        shown = await self.bid(asked, cards)
        if shown is not None:
            self.answered[prompt] = [read_label(card) for card in cards]
        return shown

    def choose(self, asked: Seen, prompt: int) -> list[str]:
        """Labels of keys, varied but always the same for this seat and prompt. Often everybody thinks alike, so that
        equal bids happen."""
        labels = [plain(key) for key in live_keys(asked)]
        size = needed(asked)
        alike = random.Random(f"{self.seed} {prompt}")
        mood, place = alike.random(), alike.random()
        own = random.Random(f"{self.seed} {prompt} {self.seat}")
        if size > 1:
            return (alike if mood < 0.4 else own).sample(labels, size)
        if mood < 0.4:
            return [labels[int(place * len(labels))]]
        if mood < 0.5:
            return [labels[-1] if self.seat == alike.randrange(3) else labels[0]]
        return [own.choice(labels)]

    async def bid(self, asked: Seen, labels: list[str]) -> Seen | None:
        """Press these keys; where several make a bid, choose them and then press *Seal*."""
        if len(labels) == 1 and verb(live_keys(asked)[0]) != "cm":
            return await self.press(asked, labels[0])
        shown: Seen | None = asked
        for number, label in enumerate(labels, 1):
            assert shown is not None
            shown = await self.press(shown, label)
            assert shown is None or f"• {label}" in shown.text, f"{label} was not chosen:\n{shown}"
            if shown is None:
                return None
            assert sealing(shown).disabled is (number < len(labels))
        assert shown is not None
        button = sealing(shown)
        assert " = " in button.label or len(labels) == 1, f"the sum is shown: {button.label}"
        return await self.press(shown, button.label)

    async def press(self, message: Seen, label: str) -> Seen | None:
        """Press the button that reads like this; None when nobody answered."""
        found = next(one for one in message.buttons if plain(one) == label)
        assert found.custom_id is not None
        try:
            outcome = await self.person.press(found.custom_id, in_=message, may_fail=True)
        except Refused:  # the message was drawn anew while the press was on its way
            return None
        return None if outcome.failed else outcome.shown


# --- what a console offers -----------------------------------------------------------------------------------


def verb(button: Button) -> str:
    return (button.custom_id or "").split(":")[1] if button.custom_id else ""


def prompt_of(button: Button) -> int:
    assert button.custom_id is not None
    return int(button.custom_id.split(":")[3])


def plain(button: Button) -> str:
    return button.label.removeprefix("✔ ").removeprefix("• ")


def keys(console: Seen) -> list[Button]:
    """On a console; or on a board that carries them."""
    return [one for one in console.buttons if verb(one) in ("co", "cm", "pk", "tk", "tp")]


def live_keys(console: Seen) -> list[Button]:
    return [one for one in keys(console) if not one.disabled]


def sealing(console: Seen) -> Button:
    return next(one for one in console.buttons if verb(one) == "cs")


def needed(console: Seen) -> int:
    """How many cards the console asks for."""
    if verb(live_keys(console)[0]) != "cm":
        return 1
    words = console.text.partition("choose ")[2].split(" ")[0]
    return int(words) if words.isdigit() else 1
