"""Names: nothing in them pings, formats, reorders, breaks a line or looks like somebody else."""

import json

import pytest

from bot.ui.message import Message
from bot.ui.screens.board import render_board
from bot.ui.text.names import Names, clean_name, escape_markdown, format_name, quote
from tests.cogs.ui.reading import plain, read
from tests.cogs.ui.views import begin, example

HOSTILE = {
    "*" * 32: r"\*" * 32,
    "||x||": r"\|\|x\|\|",
    "[a](b)": r"\[a\]\(b\)",
    "<@1>": r"\<\@1\>",
    "@everyone": r"\@everyone",
    "# big": r"\# big",
    "\u202eevil": "evil",
    "a\u200b\u200d\u2066b": "ab",
    "two\nlines\tand   spaces": "two lines and spaces",
    "`code` ~~s~~ __u__": r"\`code\` \~\~s\~\~ \_\_u\_\_",
    "😀🎉": "😀🎉",
    "http://x.y": r"http\://x.y",
    "\x00\x1bnul": "nul",
    "x" * 40: "x" * 31 + "…",
    "עברית": "עברית",
}


@pytest.mark.parametrize("raw", HOSTILE, ids=ascii)
def test_a_hostile_name(raw: str) -> None:
    name = Names([(101, raw)])[0]
    assert name.startswith("\u2068")
    assert name.endswith("\u2069")
    assert plain(name) == HOSTILE[raw]


@pytest.mark.parametrize("raw", ["", "   ", "\u200b", "\u3164\u2800", "\u0301", "\u2069\u202e"], ids=ascii)
def test_a_blank_name(raw: str) -> None:
    assert [plain(name) for name in Names([(1, "Ana"), (2, raw)]).texts] == ["Ana", "Player 2"]
    assert plain(format_name(raw)) == "Player 1"


def test_alike_deleted_and_house() -> None:
    names = Names([(1, "Ana"), (2, "Ana"), (3, "Ana\u200b"), (-1, "gone"), (0, "Sage"), (6, "Sage (house)")])
    assert [plain(name) for name in names.texts] == [
        "Ana",
        "Ana (2)",
        "Ana (3)",
        "a former player",
        "Sage (house)",
        "Sage",  # nobody names themselves into the house
    ]
    assert plain(names.short[4]) == "Sage (house)"
    assert plain(Names([(1, "Ana"), (0, "Sage (house)")]).short[1]) == "Sage"


def test_house_seats_of_one_level_can_be_told_apart() -> None:
    names = Names([(1, "Ana"), (0, "Sly (house)"), (0, "Reader (house)"), (0, "Sly (house)"), (6, "Sly")])
    assert [plain(name) for name in names.texts[1:]] == ["Sly (house)", "Reader (house)", "Sly (house) (2)", "Sly"]
    assert [plain(name) for name in names.short[1:]] == ["Sly (house)", "Reader", "Sly (2)", "Sly"]


def test_names_are_cut_shorter_where_five_share_a_screen() -> None:
    long = ["abcdefghijklmnopqrstuvwxyz"] * 5
    assert [len(label) for label in Names(enumerate(long, 1)).labels[:2]] == [20, 24]
    assert Names([(1, long[0])]).labels == [long[0]]


def test_typed_text_is_harmless() -> None:
    assert plain(quote("@here <@1> `x`")) == r"\@here \<\@1\> \`x\`"
    assert clean_name("a\u0085b") == "a b"
    assert escape_markdown("7*8") == r"7\*8"


@pytest.mark.parametrize("raw", HOSTILE, ids=ascii)
def test_lines_and_numbers_stay_put(raw: str) -> None:
    """The board of people with such names has the very lines of Ana's and Ben's board."""
    calm = read(render_board(example().view())).replace("Ana", "N1").replace("Ben", "N2")
    played = example()
    named = type(played)(played.match, names=(raw, "Ben", *played.names[2:]))
    shown_name = plain(Names([(101, raw)])[0])
    loud = read(render_board(named.view())).replace(shown_name, "N1").replace("Ben", "N2")
    assert loud == calm
    assert "<@" not in loud


def test_eight_people_of_one_name() -> None:
    played = begin(seats=8, names=("*" * 32,) * 8).deal((7, 5, 6))
    message = render_board(played.view())
    assert message.is_sendable
    assert len({line.split(" 0")[0] for line in read(message).splitlines() if " 0" in line}) == 8


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("### {} wins 5–1", "### A former player wins 5–1"),
        ("Over.\n**{} takes 7**", "Over.\n**A former player takes 7**"),
        ("9 beats 6. **{} takes 7**", "9 beats 6. **A former player takes 7**"),
        ("* {} left", "* A former player left"),
        ("You lost to {}: {} had 7", "You lost to a former player: a former player had 7"),
        ("1. **{}** · 1069", "1. **A former player** · 1069"),
    ],
)
def test_a_former_player_begins_a_sentence_with_a_capital(text: str, shown: str) -> None:
    name = Names([(-1, "gone")])[0]
    message = Message(text.replace("{}", name))
    assert plain(message.to_send()["content"]) == shown
    assert plain(message.edit_payload["content"]) == shown
    assert shown in plain(json.dumps(message.as_v2().edit_payload, ensure_ascii=False)).replace("\\n", "\n")
