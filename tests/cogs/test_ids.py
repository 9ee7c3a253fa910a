"""Custom ids: what each feature writes has the shape that it reads, and says the same again."""

import itertools
import re
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.ui.custom_ids import challenge_ids as challenge
from bot.ui.custom_ids import learning_ids as learning
from bot.ui.custom_ids import match_ids as match
from bot.ui.custom_ids import records_ids as records
from bot.ui.custom_ids import server_ids as server
from bot.ui.custom_ids.shapes import IdKind, read_id
from tests.conftest import discord_side_files

M, L, DAY = "K7Q2", "C9XX", date(2026, 11, 22)

WRITTEN = [
    (match.CARD, match.card(M, 4, 11), "g1:co:K7Q2:4:J", match.read_card, (M, 4, "J")),
    (match.TABLE_CARD, match.table_card(M, 4, 11), "g1:tk:K7Q2:4:J", match.read_card, (M, 4, "J")),
    (match.TABLE_PICK, match.table_pick(M, 4, -5), "g1:tp:K7Q2:4:-5", match.read_card, (M, 4, -5)),
    (match.CARD, match.card(M, 4, -5), "g1:co:K7Q2:4:-5", match.read_card, (M, 4, -5)),
    (match.PICK, match.pick(M, 4, "QS"), "g1:pk:K7Q2:4:QS", match.read_card, (M, 4, "QS")),
    (match.TOGGLE, match.toggle(M, 4, 20, "A+"), "g1:cm:K7Q2:4:14:A+", match.read_toggle, (M, 4, 20, "A+")),
    (match.SEAL, match.seal(M, 4, 31), "g1:cs:K7Q2:4:1f", match.read_seal, (M, 4, 31)),
    (match.CLEAR, match.clear(M, 4), "g1:cc:K7Q2:4", match.read_match, M),
    (match.OPEN_CONSOLE, match.open_console(M), "g1:oc:K7Q2", match.read_match, M),
    (match.BOARD, match.board(M, "sheet"), "g1:bd:K7Q2:sheet", match.read_button, (M, "sheet")),
    (match.MORE, match.more(M, "dm"), "g1:mo:K7Q2:dm", match.read_button, (M, "dm")),
    (match.DRAW, match.draw(M, 4, yes=True), "g1:dr:K7Q2:4:y", match.read_draw, (M, 4, True)),
    (match.CONFIRM, match.confirm("draw", M, yes=False), "g1:cf:draw:K7Q2:n", match.read_confirm, ("draw", M, False)),
    (match.GAMES, match.games(2, "next"), "g1:gl:2:next", match.read_games, (2, "next")),
    (challenge.CHALLENGE, challenge.challenge(L, "a"), "g1:ch:C9XX:a", challenge.read_button, (L, "a")),
    (challenge.CHALLENGE_RULES, challenge.challenge(L, "r"), "g1:ch:C9XX:r", challenge.read_button, (L, "r")),
    (challenge.TABLE_RULES, challenge.table(L, "r"), "g1:tb:C9XX:r", challenge.read_button, (L, "r")),
    (challenge.TABLE, challenge.table(L, "j"), "g1:tb:C9XX:j", challenge.read_button, (L, "j")),
    (challenge.OFFER, challenge.offer(M, L), "g1:ro:K7Q2:C9XX", challenge.read_offer, (M, L)),
    (
        challenge.SETUP,
        challenge.setup(challenge.write_people(10**18, 0), "sops", "", 300, "", ["", "y", ""], "send"),
        "g1:su:7lieexzx4kxs:sops:-:300:-:-:y:-:send",
        challenge.read_setup,
        (10**18, 0, ["sops", "", "300", "", "", "y", ""], "send"),
    ),
    (
        challenge.SETUP,
        challenge.setup(challenge.write_people(0, 3), "sops", "split", 300, "", ["", "nb", ""], "add"),
        "g1:su:-3:sops:split:300:-:-:nb:-:add",
        challenge.read_setup,
        (0, 3, ["sops", "split", "300", "", "", "nb", ""], "add"),
    ),
    (records.SEALS, records.seals(M, 2), "g1:sl:K7Q2:2", records.read_seals, (M, 2)),
    (records.SEALS, records.seals(M, 0, "l"), "g1:sl:K7Q2:0:l", records.read_seals, (M, 0)),
    (records.SHEET, records.sheet(M, 1, 2, "g"), "g1:sh:K7Q2:1:2:g", records.read_sheet, (M, 1, 2, "g", False)),
    (records.SHEET, records.sheet(M, 1, 2, "s", "e"), "g1:sh:K7Q2:1:2:s:e", records.read_sheet, (M, 1, 2, "s", True)),
    (
        records.REPLAY_REVIEW,
        records.replay(M, 12, "review"),
        "g1:rp:K7Q2:12:review",
        records.read_replay,
        (M, 12, "review"),
    ),
    (records.REPLAY, records.replay(M, 12, "turn"), "g1:rp:K7Q2:12:turn", records.read_replay, (M, 12, "turn")),
    (records.REPLAY_DEAL, records.replay_deal(M), "g1:rp:K7Q2:deal", records.read_replay_deal, M),
    (
        records.LEADERBOARD,
        records.leaderboard("classic", 1, "mine"),
        "g1:lb:classic:1:mine",
        records.read_leaderboard,
        ("classic", 1, "mine", 0),
    ),
    (
        records.LEADERBOARD,
        records.leaderboard("classic", 1, "mine", 3),
        "g1:lb:classic:1:3:mine",
        records.read_leaderboard,
        ("classic", 1, "mine", 3),
    ),
    (
        records.HISTORY,
        records.history(records.Listing(7, season=3), 3, "next"),
        "g1:hi:7:-:3:-:0:3:next",
        records.read_history,
        (records.Listing(7, season=3), 3, "next"),
    ),
    (records.POOL, records.pool(3), "g1:se:pool:3", records.read_pool, 3),
    (records.SEASON, records.season("pico"), "g1:se:season:pico", records.read_season, "pico"),
    (
        records.HISTORY,
        records.history(records.Listing(7), 0, "all"),
        "g1:hi:7:-:0:all",
        records.read_history,
        (records.Listing(7), 0, "all"),
    ),
    (
        records.HISTORY,
        records.history(records.Listing(7, "pico"), 3, "back"),
        "g1:hi:7:pico:3:back",
        records.read_history,
        (records.Listing(7, "pico"), 3, "back"),
    ),
    (
        records.HISTORY,
        records.history(records.Listing(7, "", "won", 9), 3, "next"),
        "g1:hi:7:-:3:won:9:next",
        records.read_history,
        (records.Listing(7, "", "won", 9), 3, "next"),
    ),
    (records.PROFILE, records.profile(7, "history"), "g1:pr:7:history", records.read_profile, (7, "history")),
    (records.POOL, records.pool(), "g1:se:pool", list, ["pool"]),
    (records.OPEN, records.open_match(), "g1:se:open", list, ["open"]),
    (learning.RULES, learning.rules("sops", "all"), "g1:ru:sops:all", learning.read_rules, ("sops", "all")),
    (
        learning.RULES,
        learning.rules("classic.ties=split", "practise"),
        "g1:ru:classic.ties=split:practise",
        learning.read_rules,
        ("classic.ties=split", "practise"),
    ),
    (match.RANDOM, match.random(M, 3), "g1:rc:K7Q2:3", match.read_random, (M, 3)),
    (match.BACK, match.back(M, 3, 0b101), "g1:ba:K7Q2:3:5", match.read_draft, 0b101),
    (learning.TOPIC, learning.topic("game"), "g1:se:game", list, ["game"]),
    (learning.TOPIC, learning.topic("rule", 1), "g1:se:rule:1", list, ["rule", "1"]),
    (learning.PUZZLE, learning.puzzle(41, "7"), "g1:pz:41:7", learning.read_puzzle, (41, "7")),
    (learning.PUZZLE, learning.puzzle(41, "next"), "g1:pz:41:next", learning.read_puzzle, (41, "next")),
    (learning.PUZZLE, learning.puzzle(41, "why"), "g1:pz:41:why", learning.read_puzzle, (41, "why")),
    (learning.PUZZLE, learning.puzzle(41, "why7"), "g1:pz:41:why7", learning.read_puzzle, (41, "why7")),
    (learning.HINT, learning.hint(M, 3, "past"), "g1:hi:K7Q2:3:past", learning.read_hint, (M, 3, "past")),
    (
        learning.REVIEW,
        learning.review(M, 2, "worst"),
        "g1:rv:K7Q2:2:worst",
        learning.read_review,
        (M, 2, "worst"),
    ),
    (server.PREFERENCE, server.preference("two-step"), "g1:pf:two-step", server.read_preference, "two-step"),
    (server.SETTINGS, server.settings("log", 7), "g1:st:log:7", server.read_settings, ("log", 7)),
    (server.RULES, server.rules(7), "g1:sf:7", server.read_rules, 7),
    (server.BAND, server.band(7, 9), "g1:sb:7:9", server.read_band, (7, 9)),
    (server.MODERATE, server.stop(M), "g1:md:stop:K7Q2", server.read_moderate, ("stop", M, 0)),
    (server.MODERATE, server.unrate(M), "g1:md:unrate:K7Q2", server.read_moderate, ("unrate", M, 0)),
    (server.MODERATE, server.decide(M, 7), "g1:md:decide:K7Q2:7", server.read_moderate, ("decide", M, 7)),
    (server.AUDIT, server.audit(2, "file"), "g1:au:2:file", server.read_audit, (2, "file")),
    (server.ERASE, server.erase(yes=True), "g1:cf:erase:y", server.read_erase, True),
    (learning.HOME_LESSON, learning.guide(), "g1:hm:lesson", learning.read_guide, ""),
    (learning.HOME_LESSON, learning.guide("pico"), "g1:hm:lesson:pico", learning.read_guide, "pico"),
    (learning.HOME_DAILY, learning.home("daily"), "g1:hm:daily", learning.read_home, "daily"),
    (learning.HOME_WHO, learning.home("who"), "g1:hm:who", learning.read_home, "who"),
    (challenge.SEARCH, challenge.search("stop"), "g1:fd:stop", challenge.read_search, "stop"),
    (learning.HOME, learning.home("guide"), "g1:hm:guide", learning.read_home, "guide"),
    (learning.LESSON, learning.lesson([], "4"), "g1:le:-:4", learning.read_lesson, ([], "4")),
    (learning.LESSON, learning.lesson([4, 1], "skip"), "g1:le:41:skip", learning.read_lesson, ([4, 1], "skip")),
    (learning.DAILY, learning.daily(DAY, "share"), "g1:dy:20261122:share", learning.read_daily, (DAY, "share")),
]

MODULES = (match, challenge, records, learning, server)
KINDS = {id(one): one for module in MODULES for one in vars(module).values() if isinstance(one, IdKind)}
SHARED = [
    (one, other)
    for one, other in itertools.permutations(KINDS.values(), 2)
    if one.verb == other.verb and one.shape != other.shape
]


@pytest.mark.parametrize(
    ("kind", "written", "text", "reader", "said"), WRITTEN, ids=[text for _, _, text, _, _ in WRITTEN]
)
def test_written_id_is_read_back(kind: IdKind, written: str, text: str, reader: object, said: object) -> None:
    assert written == text, "messages that were sent stay as they are"
    found = read_id(written)
    assert found is not None
    verb, rest = found
    assert verb == kind.verb
    assert re.fullmatch(kind.shape, rest)
    assert callable(reader)
    assert reader(rest.split(":")) == said


def test_every_kind_of_id_is_written_in_a_test() -> None:
    assert KINDS.keys() - {id(learning.PLAY)} == {id(kind) for kind, *_ in WRITTEN}
    assert learning.play(DAY) == "g1:dp:20261122"  # nobody reads it: whose day it was is known


@pytest.mark.parametrize(("one", "other"), SHARED, ids=lambda kind: f"{kind.verb}:{kind.shape}"[:40])
@settings(max_examples=30)
@given(st.data())
def test_kinds_of_one_verb_have_disjoint_shapes(one: IdKind, other: IdKind, data: st.DataObject) -> None:
    """A hint and a page of somebody's history begin alike, and stand in messages that were sent: what is an id of one
    of them is none of the other."""
    assert re.fullmatch(other.shape, data.draw(st.from_regex(one.shape, fullmatch=True))) is None


def test_ids_are_made_of_parts_only_where_they_are_at_home() -> None:
    """No other module of a feature knows what stands where in an id."""
    at_home = {"context.py", "component.py"}
    files = [path for path in discord_side_files() if path.parent.name != "custom_ids"]
    others = [path for path in files if path.name not in at_home]
    assert not [
        path
        for path in others
        if re.search(r"asked\.parts\[|\bKind\(|\bPREFIX\b|\"g1", path.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize("forged", ["02", "-0", "00", "٢"])
def test_a_forged_card_is_no_number(forged: str) -> None:
    """The rules refuse what is no card as they write it."""
    assert match.read_card(("K7Q2", "4", forged)) == ("K7Q2", 4, forged)


@pytest.mark.parametrize(
    ("custom_id", "more"),
    [
        (match.bid("K7Q2", 4), True),
        (match.bid("K7Q2", 3), False),
        (match.bid("OTHR", 4), False),
        (match.board("K7Q2", "bid"), False),
        (match.board("K7Q2", "more"), False),
        (match.board("K7Q2", "replay"), True),
        (match.draw("K7Q2", 4, yes=True), True),
        (match.draw("K7Q2", 3, yes=True), False),
        ("no id of ours", False),
    ],
)
def test_a_message_shows_how_far_its_match_had_come(custom_id: str, more: bool) -> None:
    assert match.is_later([match.board("K7Q2", "sheet"), custom_id], "K7Q2", 3) is more


@pytest.mark.parametrize(
    ("custom_ids", "mask"),
    [
        ([match.toggle("K7Q2", 3, 5, 2), match.toggle("K7Q2", 3, 5, 3)], 5),
        ([match.board("K7Q2", "sheet"), match.seal("K7Q2", 3, 4)], 4),
        ([match.toggle("K7Q2", 2, 5, 2)], 0),
        ([match.toggle("OTHR", 3, 5, 2)], 0),
        ([match.card("K7Q2", 3, 5), match.clear("K7Q2", 3), "no id of ours"], 0),
    ],
)
def test_a_console_holds_the_draft_of_its_prompt(custom_ids: list[str], mask: int) -> None:
    assert match.find_draft(custom_ids, "K7Q2", 3) == mask
