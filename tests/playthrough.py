"""Golden playthroughs: one game each, step by step, with what every seat sees.

`python -m tests.playthrough` writes them.
Read the difference before you commit it: it is what players would notice.
"""

import json
from pathlib import Path

from bot.engine.cards import Card, faces, format_points
from bot.engine.choices import Prompt
from bot.engine.counted import ordinal
from bot.engine.match import Match
from bot.engine.record.record import Record, choice_data, read_record
from bot.engine.record.replay import replay
from bot.engine.record.result import result_data
from bot.engine.record.transcript import NAMES, Teller
from bot.engine.variants import GAMES
from bot.engine.view import Observation, observe
from tests import golden_cases

FOLDER = Path(__file__).parent / "playthroughs"

SHOWN = {
    "classic": "G1.1 carry",
    "parlett": "G9.1",
    "throps": "3.2 whole deal",
    "vultures": "G11.1",
    "pico": "G12.1",
    "psych": "G13.2",
    "sops": "G14.1 carry",
    "bid": "G15.1",
    "welsh": "G16.2",
}
"""The golden case that each game's playthrough follows."""


def record_of(key: str) -> Record:
    return read_record(next(case["record"] for case in golden_cases.load(key) if case["case"] == SHOWN[key]))


def play_through(record: Record) -> str:
    """The whole match as text."""
    start = record.start
    lines = [
        f"# {start.rules.game.name}: {start.rules.game.title}",
        f"# options {json.dumps(record.data()['options'])}, seats {start.rules.seats}, {start.series}",
    ]
    for number, deal in enumerate(record.deals):
        lines += ["", f"=== deal {number} ==="]
        teller = Teller(start.rules)
        for at in range(len(deal.decisions) + 1):
            shorter = Record(
                start,
                (*record.deals[:number], type(deal)(deal.deal, deal.given, deal.decisions[:at])),
            )
            match = replay(shorter).match
            if at and (match.over or match.deal_number > number):
                break
            if at == 0 or _moved(shorter, match):
                lines += _step(match, teller)
        played = replay(Record(start, record.deals[: number + 1])).match
        lines += ["", *(f"round {n}: {_told(teller, r.events)}" for n, r in enumerate(played.deals[number].rounds, 1))]
    lines += ["", json.dumps(result_data(replay(record).match), ensure_ascii=False)]
    return "\n".join(lines) + "\n"


def _told(teller: Teller, events: tuple[object, ...]) -> str:
    return teller.story(events)  # pyright: ignore[reportArgumentType]


def _moved(record: Record, match: Match) -> bool:
    """Whether the last decision completed a round or a pick."""
    deal = record.deals[-1]
    shorter = Record(record.start, (*record.deals[:-1], type(deal)(deal.deal, deal.given, deal.decisions[:-1])))
    return replay(shorter).match != match


def _step(match: Match, teller: Teller) -> list[str]:
    state = match.state
    assert state is not None
    seen = observe(state, None)
    head = f"round {seen.number}" + (f", {ordinal(seen.sub_round + 1)} bid" if seen.sub_round else "")
    prompts = {prompt.seat: prompt for prompt in match.prompts()}
    return [
        "",
        f"--- {head}: {teller.seats(sorted(prompts))} awaited",
        f"public: {_common(seen)}",
        *(_line(observe(state, seat), prompts.get(seat)) for seat in range(seen.seats)),
    ]


def _common(seen: Observation) -> str:
    parts = [f"prizes [{faces(seen.exposed)}]"]
    if seen.pot:
        parts.append(f"pot [{faces(seen.pot)}]")
    if seen.worth is not None:
        parts.append(f"worth {format_points(seen.worth)}")
    parts.append(f"stock {seen.stock_left}" + (f" [{faces(seen.to_come)}]" if seen.to_come else ""))
    parts.append("scores " + " ".join(map(format_points, seen.scores)))
    if any(seen.table):
        parts.append("table " + " ".join("-" if card is None else faces((card,)) for card in seen.table))
    parts.append("hands " + " ".join(map(_hand, seen.hands)))
    return ", ".join(parts)


def _hand(cards: tuple[Card, ...] | None) -> str:
    return "[hidden]" if cards is None else f"[{faces(cards)}]"


def _line(seen: Observation, prompt: Prompt | None) -> str:
    assert seen.seat is not None
    asked = "nothing" if prompt is None else f"{prompt.kind.value} {prompt.size} of [{faces(prompt.options)}]"
    forced = f", forced {json.dumps(choice_data(prompt.lowest()))}" if prompt is not None and prompt.is_forced else ""
    return f"{NAMES[seen.seat]} sees hands {' '.join(map(_hand, seen.hands))}; asked for {asked}{forced}"


if __name__ == "__main__":
    for game in GAMES:
        (FOLDER / f"{game.key}.txt").write_text(play_through(record_of(game.key)), encoding="utf-8")
