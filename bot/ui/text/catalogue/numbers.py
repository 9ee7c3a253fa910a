"""Numbers as words."""

from __future__ import annotations

from bot.engine.counted import ordinal

GAP = "\N{NO-BREAK SPACE}"
"""between a picture and its words, or a number and its unit"""

_CARDINALS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def percent(number: int) -> str:
    """62%."""
    return f"{number}%"


def percent_of(share: float, least: float = 0.005) -> str:
    """Whole per cent of a share; a small share is never 0%."""
    return f"<{percent(1)}" if share < least else percent(max(1, round(100 * share)))


def format_change(number: int) -> str:
    """+15; −14."""
    return f"{number:+}".replace("-", "−")


def score_pair(own: str, other: str) -> str:
    """6–4; 0 to −4 where a dash would meet a minus sign."""
    return f"{own} to {other}" if "−" in own + other else f"{own}–{other}"


def unbroken(own: str, other: str) -> str:
    """6–4 for a narrow column: no line ends after its dash, nor within 45 1/2."""
    return score_pair(own, other).replace("–", "–\N{WORD JOINER}").replace(" ", GAP)


def ordinal_word(number: int) -> str:
    """first, second ... tenth, 11th."""
    return _ORDINALS[number] if 0 < number < len(_ORDINALS) else ordinal(number)


def spelled(number: int) -> str:
    """three ... ten, 11."""
    return _CARDINALS[number] if number < len(_CARDINALS) else str(number)


def bids_in_a_row(number: int) -> str:
    """Three bids in a row; a bid."""
    return "a bid" if number == 1 else f"{spelled(number)} bids in a row"
