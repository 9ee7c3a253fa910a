"""What was asked tells nobody of the card that was pressed."""

from datetime import UTC, datetime
from typing import Any, cast

from cogs.asked.asked import Asked, Token, Where
from cogs.who import Who


def test_neither_card_nor_token_is_in_its_repr() -> None:
    none = cast("Any", None)
    asked = Asked(none, none, Who(1, "Ana"), Where(1, 2), datetime.now(UTC), Token(7, "s3cret"))
    asked.parts, asked.values, asked.data = ("K7Q2", "4", "Jk"), ("Jk",), {"custom_id": "g1:co:K7Q2:4:Jk"}
    assert "Jk" not in repr(asked)
    assert "s3cret" not in f"{asked} {asked.token}"
