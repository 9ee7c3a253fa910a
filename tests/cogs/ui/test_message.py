"""Messages as values: counting, the last guard, and what discord.py makes of them."""

from typing import Any

import discord
import pytest
from discord.webhook.async_ import interaction_message_response_params

from bot.ui.message import (
    Attached,
    Attachment,
    Button,
    Menu,
    MenuOption,
    Message,
    Picture,
    Row,
    Section,
    Separator,
    Text,
    make_row,
)
from bot.ui.screens.board import render_board
from bot.ui.screens.challenge import render_lobby as draw_lobby
from bot.ui.screens.console import render_console
from tests.cogs.ui.reading import read
from tests.cogs.ui.views import arguments_of_edit, example, lobby

EVERYTHING = Message(
    body=(
        Text("### one"),
        Separator(),
        Section("two", Button("Bid", "g1:bd:K7Q2:bid")),
        Picture("a.png", "a curve that rises"),
        Attached("b.json"),
        make_row(Menu("g1:se:game", "Another game", (MenuOption("Classic", "classic", "one prize a round", True),))),
        make_row(Button("Go", url="https://x.y"), Button("No", "g1:bd:K7Q2:no", enabled=False)),
    ),
    attachments=(Attachment("a.png", b"a"), Attachment("b.json", b"{}")),
)


def test_components_are_counted_as_discord_does() -> None:
    view = EVERYTHING.view
    assert isinstance(view, discord.ui.LayoutView)

    def nested(component: dict[str, Any]) -> int:
        inside = [*component.get("components", ()), *([component["accessory"]] if "accessory" in component else ())]
        return 1 + sum(map(nested, inside))

    sent: list[dict[str, Any]] = view.to_components()
    assert sum(map(nested, sent)) == EVERYTHING.components == 13


def test_nothing_is_ever_dispatched_to() -> None:
    for message in (EVERYTHING, render_board(example().view()), render_console(example().view(0)), draw_lobby(lobby())):
        view = message.view
        assert view is not None
        assert not view.is_dispatchable()
        assert view.timeout is None
        assert message.view is not view


def test_a_plain_message_keeps_its_rows() -> None:
    view = draw_lobby(lobby()).view
    assert isinstance(view, discord.ui.View)
    assert [len(one["components"]) for one in view.to_components()] == [4]


def test_sending_pings_the_people_named_and_nobody_else() -> None:
    data = draw_lobby(lobby()).to_send()
    assert data["allowed_mentions"].to_dict() == {"parse": [], "users": [102]}
    assert render_board(example().view()).to_send()["allowed_mentions"].to_dict() == {"parse": []}
    assert "content" not in render_board(example().view()).to_send()


def test_editing_leaves_nothing_of_the_old_message() -> None:
    data = render_board(example().view()).edit_payload
    assert data["content"] is None
    assert data["attachments"] == []
    assert Message("Done.").edit_payload["components"] == []


@pytest.mark.asyncio
async def test_the_short_way_sends_what_discord_py_would() -> None:
    for message in (
        Message("Done."),
        draw_lobby(lobby()),
        render_board(example().view()),
        render_console(example().view(0)),
    ):
        sent = interaction_message_response_params(type=7, **arguments_of_edit(message)).payload
        assert sent is not None
        assert message.edit_payload == {key: value for key, value in sent["data"].items() if key != "tts"}


def test_files_are_new_each_time() -> None:
    first, second = EVERYTHING.files, EVERYTHING.files
    assert [file.filename for file in first] == ["a.png", "b.json"]
    assert first[0] is not second[0]


def test_what_is_too_long_falls_back_to_its_essence() -> None:
    keys = tuple(Row(tuple(Button("x", f"g1:{r}:{n}") for n in range(5))) for r in range(3))
    long = Message(body=(Text("### T\n" + "y" * 4000), *keys), essence="### T\nWaiting for Ben")
    assert not long.is_sendable
    assert read(long.fit()) == "### T\nWaiting for Ben\n" + "\n".join(["[x] [x] [x] [x] [x]"] * 3)
    assert long.view is not None


@pytest.mark.parametrize("rows", [7, 12])
def test_too_many_keys_are_cut_to_what_discord_takes(rows: int) -> None:
    keys = tuple(Row(tuple(Button("x", f"g1:{r}:{n}") for n in range(5))) for r in range(rows))
    cut = Message(body=(Text("### T"), *keys)).fit()
    assert cut.is_sendable
    assert cut.view is not None


def test_a_plain_message_too_long_is_cut_as_well() -> None:
    long = Message(content="One line.\n" + "z" * 2000, body=(make_row(Button("x", "g1:x")),))
    assert long.fit().content == "One line."
    assert long.fit().rows == long.rows


def test_messages_are_values() -> None:
    assert render_board(example().view()) == render_board(example().view())
    assert hash(render_board(example().view())) == hash(render_board(example().view()))
