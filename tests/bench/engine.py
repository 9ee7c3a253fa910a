"""The engine: replaying a record, and random playouts of every game.

The baseline is what any referee of a JSON record must do: parse the record and write it back.
"""

import json
import random
import time

from bot.engine.choices import Bid, Choice, Kind, Pick, Prompt
from bot.engine.match import Match, new_match
from bot.engine.presets import find_offer, offers
from bot.engine.record import read_record
from bot.engine.replay import replay
from bot.engine.result import result_data
from bot.engine.series import SINGLE
from tests.bench.measure import row, seconds


def classic_record() -> str:
    """Thirteen rounds of Classic GOPS with mixed results."""
    decisions = [[seat, card] for turn in range(13) for seat, card in ((0, turn + 1), (1, turn * 5 % 13 + 1))]
    deal = {"stock": list(range(13, 0, -1)), "hands": [list(range(1, 14))] * 2, "decisions": decisions}
    return json.dumps({"game": "classic", "options": {}, "seats": 2, "deals": [deal]})


def choose(prompt: Prompt, dice: random.Random) -> Choice:
    if prompt.kind is Kind.PICK:
        return Pick(dice.choice(prompt.options))
    places = sorted(dice.sample(range(len(prompt.options)), prompt.size))
    return Bid(tuple(prompt.options[place] for place in places))


def playout(start: Match, dice: random.Random) -> Match:
    pack = list(start.rules.pack())
    dice.shuffle(pack)
    match, _ = start.begin(start.rules.deal(tuple(pack)))
    while not match.over:
        match, _ = match.resolve({prompt.seat: choose(prompt, dice) for prompt in match.prompts()})
    return match


def run() -> None:
    text = classic_record()
    baseline = row("parse and write one 13-round record", seconds(lambda: json.dumps(json.loads(text)), 2000))
    row(
        "replay it to its result",
        seconds(lambda: result_data(replay(read_record(json.loads(text))).match), 500),
        baseline,
    )
    print("random playouts of one deal, per second")
    dice = random.Random(1)
    for offer in offers():
        game, preset = find_offer(offer.key)
        start = new_match(game, preset.seats or game.seats[0], preset.options, SINGLE)
        played, begin = 0, time.perf_counter()
        while time.perf_counter() - begin < 0.5:
            playout(start, dice)
            played += 1
        print(f"  {offer.key:<14} {played / (time.perf_counter() - begin):8.0f}")
