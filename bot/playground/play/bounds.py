"""What a value must be, as the end of a sentence."""


def between(least: float | None, most: float | None) -> str:
    """must be between 2 and 9; must be at least 0."""
    if least is None or most is None:
        return f"must be {_span(least, most)}"
    return f"must be between {least} and {most}"


def counting(least: int | None, most: int | None, unit: str) -> str:
    """takes 1 to 5 characters; takes at most 1 value."""
    last = least if most is None else most
    return f"takes {_span(least, most)} {unit}" + ("" if last == 1 else "s")


def _span(least: float | None, most: float | None) -> str:
    if least is None:
        return f"at most {most}"
    if most is None:
        return f"at least {least}"
    return f"{least}" if least == most else f"{least} to {most}"
