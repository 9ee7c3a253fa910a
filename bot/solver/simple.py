"""A simple house player that can play every game: it looks at nothing but its observation."""

from bot.engine.choices import Bid, Choice, Kind, Pick
from bot.engine.rules import Rules
from bot.engine.view import Observation


def matcher(rules: Rules, seen: Observation, nudge: int = 0) -> Choice:
    """Bid as high within the hand as the prize stands among the prizes, `nudge` places off; pick the best."""
    prompt = seen.prompt
    assert prompt is not None
    if prompt.kind is Kind.PICK:
        return Pick(prompt.options[0])
    places = len(prompt.options) - prompt.size
    first = min(max(round(places * _stake(rules, seen)) + nudge, 0), places)
    return Bid(prompt.options[first : first + prompt.size])


def _stake(rules: Rules, seen: Observation) -> float:
    """From 0 to 1: how much the prize is worth among all that it could be. In the middle if there is none."""
    values = sorted({abs(rules.value(card)) for card in (*seen.exposed, *(seen.to_come or ()))})
    if not seen.exposed or len(values) < 2:
        return 0.5
    best = max(abs(rules.value(card)) for card in seen.exposed)
    share = values.index(best) / (len(values) - 1)
    return 1 - share if rules.least_wins else share
