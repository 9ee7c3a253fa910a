"""Every game in the terminal, from its first deal to its end."""

import random
import re

import pytest

from bot.commands.play_terminal import Sitting
from bot.engine.match import new_match
from bot.engine.presets import find_offer, offers

MOST = 5000
"""questions of one match"""


@pytest.mark.parametrize("key", [offer.key for offer in offers()])
def test_every_game_is_played_to_its_end(key: str) -> None:
    dice, said = random.Random(key), list[str]()
    questions = iter(range(MOST))

    def ask(question: str) -> str:
        next(questions)
        named = re.search(r"Your (\d+) cards", question)
        line = next(line for line in reversed(said) if line.startswith(("Your cards: ", "Pick one of: ")))
        cards = line.partition(": ")[2].split()
        return " ".join(dice.sample(cards, int(named[1]) if named else 1))

    game, offer = find_offer(key)
    match = new_match(game, offer.seats or game.seats[0], offer.options)
    Sitting(match, ask, said.append, dice).play()
    assert said[-1].strip().startswith(("You win.", "House", "A draw."))
