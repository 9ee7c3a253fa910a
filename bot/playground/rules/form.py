"""A list of faults that grows while a body is read, and becomes one 50035 at the end."""

from typing import Any, cast

from bot.playground.protocol import refusal
from bot.playground.protocol.refusal import Where
from bot.playground.protocol.wire import Json


class Form:
    """Notes faults by place; `settle` refuses if there were any."""

    def __init__(self) -> None:
        self.faults: list[tuple[Where, str, str]] = []

    def fault(self, where: Where, code: str, message: str) -> None:
        self.faults.append((where, code, message))

    def required(self, where: Where) -> None:
        self.fault(where, "BASE_TYPE_REQUIRED", "This field is required")

    def length(self, where: Where, size: int, least: int, most: int) -> None:
        """Note a size outside of its bounds."""
        if not least <= size <= most:
            self.fault(where, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")

    def number(self, where: Where, value: object, least: int, most: int) -> None:
        if not isinstance(value, int) or not least <= value <= most:
            self.fault(where, "NUMBER_TYPE_RANGE", f"int value should be between {least} and {most}.")

    def text(self, body: Json, key: str, where: Where, most: int, *, least: int = 0, must: bool = False) -> str:
        """The text under a key, noted if it is missing though it must be there, or of a wrong length."""
        value = body.get(key)
        here = (*where, key)
        if value is None:
            if must:
                self.required(here)
            return ""
        if not isinstance(value, str):
            self.fault(here, "STRING_TYPE_CONVERT", f'Could not interpret "{value}" as string.')
            return ""
        self.length(here, len(value), least, most)
        return value

    def objects(self, body: Json, key: str, where: Where) -> list[Json]:
        """The list of objects under a key; whatever is none of that is noted and left out."""
        value: Any = body.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            self.fault((*where, key), "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        found: list[Json] = []
        for index, item in enumerate(cast("list[Any]", value)):
            if isinstance(item, dict):
                found.append(cast(Json, item))
            else:
                said = "Only dictionaries may be used in a DictType"
                self.fault((*where, key, index), "DICT_TYPE_CONVERT", said)
        return found

    def settle(self) -> None:
        if self.faults:
            raise refusal.invalid_form(self.faults)
