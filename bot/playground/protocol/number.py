"""Numbers as they come in, from a path, a query or a body: whatever is none is refused as Discord does."""

import math

from bot.playground.protocol import refusal
from bot.playground.protocol.refusal import Where

MOST = 2**53
DIGITS = 25


def read_number(value: object) -> float | None:
    """A finite number, also where it is written as text; None for anything else."""
    if isinstance(value, str) and len(value) <= DIGITS:
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not -MOST <= value <= MOST:
        return None
    return value if math.isfinite(value) else None


def read_whole(value: object) -> int | None:
    number = read_number(value)
    return int(number) if number is not None and number == int(number) else None


def whole(where: Where, value: object, least: int = 0, most: int = MOST) -> int:
    """A whole number of a call of the API."""
    number = read_whole(value)
    if number is None:
        raise refusal.invalid(where, "NUMBER_TYPE_COERCE", f'Value "{str(value)[:DIGITS]}" is not int.')
    if not least <= number <= most:
        said = f"int value should be between {least} and {most}."
        raise refusal.invalid(where, "NUMBER_TYPE_RANGE", said)
    return number
