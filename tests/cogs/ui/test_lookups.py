"""Look-ups, preferences and pings."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

import pytest

from bot.engine.text.presets import list_offers
from bot.engine.variants import GAMES
from bot.interactions.shared.match_rows import match_row
from bot.interactions.shared.setup_card import Selection, menu_values, read_selection, render_setup
from bot.interactions.shared.setup_repair import make_selection
from bot.referee.lobby.setups import Wish
from bot.referee.match.pauses import BUDGET, PauseStatus
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.model import DrawOffer, RatingChange
from bot.referee.model.people import Player
from bot.referee.model.seasons import FrozenPage, LeaderboardRow, Season
from bot.referee.model.views import Honours, LeaderboardView, PoolView, ProfileView, RecentView
from bot.ui.custom_ids.records_ids import Listing
from bot.ui.message import Menu
from bot.ui.screens import pings
from bot.ui.screens.server_posts import champions_message, hello_message
from cogs.match.boards import cards_card, more
from cogs.match.matches import games_list
from cogs.people.preferences import render_card
from cogs.records.profile_card import history, profile
from cogs.records.records import leaderboard_card
from cogs.server.settings import league_card, settings_card
from tests.cogs.ui.reading import keys, read, said
from tests.cogs.ui.views import CLOCK, START, begin, example

LINK = "https://discord.com/channels/1/2/3"


# --- pings ---------------------------------------------------------------------------------------------------


def test_every_ping_is_plain_and_names_the_match() -> None:
    view = example().view(1, draw=DrawOffer(0, frozenset({0})))
    over = example().finish().view(1)
    told = {
        "console": pings.render_first_dm(view, LINK),
        "nudge": pings.render_nudge(view, LINK),
        "warning": pings.render_warning(view, LINK),
        "last chance": pings.render_warning(example().view(1, misses={1: 2}), LINK),
        "channel": pings.render_channel_warning(view, [102]),
        "starts": pings.render_start_ping(view, [101, 102], LINK),
        "draw": pings.draw_offer(view, LINK),
        "draw in channel": pings.draw_offer(view, users=[102]),
        "rematch": pings.render_rematch_offer(over, 0, LINK, "M4TC"),
        "result": pings.render_result_note(over, LINK),
        "line": pings.render_result_line(over, LINK),
    }
    for message in told.values():
        assert not message.is_v2
        assert "\n" not in message.content
        assert "K7Q2" in message.content
        assert len(message.rows) <= 1
    assert read(told["nudge"]) == (
        f"#K7Q2 against Ana: your turn to bid for ♦Q (12), until {CLOCK}.\n[Open console] [Go to board]"
    )
    assert said(told["console"]) == f"#K7Q2 against Ana in <#2>: your turn to bid for ♦Q (12), until {CLOCK}."
    assert said(told["warning"]) == f"#K7Q2 against Ana: bid before {CLOCK}, or your lowest card is played."
    assert said(told["last chance"]) == (
        f"[#K7Q2]({LINK}): bid before {CLOCK}, or you are out. This would be your third miss in a row."
    )
    assert said(told["channel"]) == f"<@102>  #K7Q2: bid before {CLOCK}, or your lowest card is played."
    assert told["channel"].mentions == (102,)
    assert told["starts"].mentions == (101, 102)
    assert keys(told["draw"]) == ["[Accept draw] [Decline draw] [Go to board]"]
    assert said(told["result"]) == "#K7Q2 is over: Ana beats you 34–30."
    assert [button.url for button in told["nudge"].buttons] == ["", LINK]


def test_pings_of_other_games() -> None:
    picking = begin(options={"open": "draft"}).deal((3, 12, 8, 8, 1, 1)).play(6, 9).view(1)
    assert "your turn to pick" in said(pings.render_nudge(picking, LINK))
    pico = begin("pico").deal(hands=[[10, 6, 8, 5, 12], [4, 9, 7, 13, 16]]).view(0)
    assert said(pings.render_nudge(pico, LINK)) == f"#K7Q2 against Ben: your turn, until {CLOCK}."


# --- matches -------------------------------------------------------------------------------------------------


def test_live_matches_those_that_wait_for_you_first() -> None:
    waiting = replace(example().view(0, {0: 13}), id="AAAA")
    mine = replace(example().view(0), id="BBBB")
    assert read(games_list([waiting, mine], START)).splitlines() == [
        "### Your running matches",
        "**#BBBB** Classic with Ben in <#2>",
        f"Your turn until {CLOCK}",
        "[Bid]",
        "**#AAAA** Classic with Ben in <#2>",
        "Waiting for Ben",
        "[Bid]",
        "{Give up a match}",
        "(◀ Back) (Next ▶)",
    ]
    outside = replace(mine, guild=0, setup=replace(mine.setup, place="board"))
    assert mine.deadline is not None
    told = read(games_list([outside], mine.deadline))
    assert "Time ran out: press *Bid* on its board." in told
    assert "is open" not in told
    assert match_row(outside, mine.deadline) == "#BBBB · Ben · time ran out"
    assert read(games_list([], START)) == "You have no running match. Start one: /gops challenge"


def test_each_live_match_names_its_game() -> None:
    pico = begin("pico").deal(hands=[[10, 6, 8, 5, 12], [4, 9, 7, 13, 16]]).view(0)
    carried = begin(options={"ties": "carry"}).deal((7, 3)).view(0)
    told = read(games_list([pico, carried], START))
    assert "**#K7Q2** Pico with Ben in <#2>" in told
    assert "**#K7Q2** Classic (Carried ties) with Ben in <#2>" in told


def test_ten_live_matches_fit() -> None:
    views = [replace(example().view(0), id=f"M{n:012}") for n in range(25)]
    message = games_list(views, START, page=1)
    assert (message.components, message.is_sendable) == (37, True)
    assert keys(message) == ["{Give up a match}", "[◀ Back] [Next ▶]"]


def test_cards_card_lists_public_cards() -> None:
    played = begin(options={"ties": "carry"}).deal((7, 3, 12, 5)).play(9, 9).play(8, 4)
    assert read(cards_card(played.view())).splitlines() == [
        "### #K7Q2 · all cards",
        "**Ana** holds A 2 3 4 5 6 7 10 J Q K · spent 8 9 · won 3 7",
        "**Ben** holds A 2 3 5 6 7 8 10 J Q K · spent 4 9",
        "─────────",
        "Prizes left: 5",
    ]


def test_private_hands_stay_private_to_others() -> None:
    played = begin("throps", 3).deal(["7D", "4C"], [["QS", "9S"], ["QD", "9H"], ["2C", "9C"]])
    told = read(cards_card(played.view(0)))
    assert "**Ana** holds ♠9 ♠Q" in told
    assert "**Ben** holds 2 cards (hidden)" in told
    assert "♦Q" not in told


def test_more_offers_what_the_person_may_do() -> None:
    assert keys(more(example().view(0))) == [
        "[Rules] [Offer draw] [Resign] [Send my cards to my DMs]",
        "[Repost board] [Mute this match] [Verify]",
    ]
    assert keys(more(example().view(None), moderator=True)) == ["[Rules] [Verify]", "[Stop match (moderators)]"]
    assert keys(more(example().finish().view(0))) == ["[Sheet] [Replay] [Verify]", "[Export] [Rules]"]


def test_more_in_a_dm_offers_no_console_by_dm() -> None:
    assert keys(more(example().view(0), in_dm=True)) == [
        "[Rules] [Offer draw] [Resign] [Repost board]",
        "[Mute this match] [Verify]",
    ]


# --- people --------------------------------------------------------------------------------------------------


def board_of(count: int = 2, page: int = 0) -> LeaderboardView:
    rows = tuple(LeaderboardRow(n, 100 + n, f"P{n}", 1600 - n, 31, 20, n == 2) for n in range(1, count + 1))
    own = LeaderboardRow(23, 101, "Ana", 1433, 9, 3, False)
    return LeaderboardView("classic", ("classic", "throps"), page, 5, rows, 41, own)


def test_leaderboard_lists_places_and_ratings() -> None:
    assert read(leaderboard_card(board_of())).splitlines() == [
        "### Leaderboard · Classic",
        "1. **P1** · 1599 · 31 played, 20 won",
        "2. **P2** · 1598\\* · 31 played, 20 won",
        "─────────",
        "You: 23rd of 41 · 1433",
        "-# \\* New rating, not certain yet: fewer than 8 rated matches.",
        "{Another ranking: Classic}",
        "(◀ Back) [Next ▶] [My place] [Show everyone]",
    ]
    assert not leaderboard_card(board_of(), public=True).rows
    assert leaderboard_card(board_of(10)).components == 12
    empty = replace(board_of(0), size=0, own=None)
    assert read(leaderboard_card(empty)) == "Nobody has a rating here yet. The first rated match makes one."
    assert keys(leaderboard_card(replace(board_of(), own=None)))[-1].count("(") == 2


def test_a_leaderboard_of_a_season() -> None:
    going, over = Season(1, 2, "monthly", START, START), Season(1, 1, "quarterly", START, START, over=True)
    now = replace(board_of(), season=going, seasons=(going, over), moved=2)
    assert read(leaderboard_card(now)).splitlines() == [
        "### Leaderboard · Classic · November 2026",
        "1. **P1** · 1599 · 31 played, 20 won",
        "2. **P2** · 1598\\* · 31 played, 20 won",
        "─────────",
        "You: 23rd of 41 · 1433 · up 2 places in a week",
        "-# \\* New rating, not certain yet: fewer than 8 rated matches.",
        f"-# This season ends on <t:{int(START.timestamp())}>.",
        "{Another ranking: Classic}",
        "{Another season: November 2026, running}",
        "(◀ Back) [Next ▶] [My place] [Show everyone]",
    ]
    was = read(leaderboard_card(replace(board_of(), season=over, seasons=(going, over), voided=1, moved=-1)))
    assert was.splitlines()[0] == "### Leaderboard · Classic · quarter 4 of 2026"
    assert was.splitlines()[4:8] == [
        "You: 23rd of 41 · 1433 · down 1 place in a week",
        "-# \\* New rating, not certain yet: fewer than 8 rated matches.",
        "-# This season is over. Its ranking does not change any more.",
        "-# 1 match of this season was taken out of the ratings later; the ranking stays as it was.",
    ]
    assert "You: 23rd of 41 · 1433 · where you were a week ago" in read(leaderboard_card(replace(board_of(), moved=0)))
    unplaced = read(leaderboard_card(replace(board_of(), own=None, season=going, seasons=(going,))))
    assert "You have no rating in this season." in unplaced
    begun = replace(board_of(0), size=0, own=None, season=going, seasons=(going,))
    assert "No rated match has ended in this season yet." in read(leaderboard_card(begun))
    many = tuple(replace(going, number=number) for number in range(1, 60))
    assert leaderboard_card(replace(board_of(10), season=many[0], seasons=many)).is_sendable


def test_hello_leads_to_the_guided_match_and_the_daily_deal() -> None:
    message = hello_message(date(2026, 8, 3))
    assert [(one.label, one.id) for one in message.buttons] == [
        ("How it works", "g1:hm:lesson"),
        ("Daily deal", "g1:dp:20260803"),
    ]
    assert message.mentions == ()


def test_champions_are_listed_by_pool() -> None:
    lines = tuple(LeaderboardRow(n, 100 + n, f"P{n}", 1500 - n, 9, 5, False) for n in (1, 2, 3))
    tables = {"classic": FrozenPage(41, 0, lines), "pico": FrozenPage(1, 0, lines[:1])}
    season = Season(1, 1, "quarterly", START, START, over=True)
    assert read(champions_message(season, tables, follows=True)).splitlines() == [
        "**Quarter 4 of 2026 is over.** Its champions:",
        "Classic: 🏆 **P1** 1499, then P2 and P3",
        "Pico: 🏆 **P1** 1499",
        "The rankings stay in `/gops leaderboard`. A new season has begun.",
    ]
    tied = (lines[0], replace(lines[1], place=1))
    assert "🏆 **P1 and P2** 1499" in read(champions_message(season, {"sops": FrozenPage(2, 0, tied)}, follows=False))


def test_what_is_set_about_seasons() -> None:
    message = league_card(GuildSettings(1, seasons="monthly", champions=5))
    assert message.is_sendable
    assert read(message).splitlines()[0] == "### Seasons"
    assert "{Seasons: Monthly}" in read(message)


def test_profile_lists_pools_and_results() -> None:
    pools = (
        PoolView("classic", 1527, 81, 3, 41, 31, 20, 2, 9, False),
        PoolView("throps", 1210, 160, None, 6, 3, 1, 0, 2, True),
    )
    view = ProfileView(102, "Ben", pools, (5, 3, 0), 0.96)
    assert read(profile(view, graph=b"x", alt="Rises from 1400 to 1527")).splitlines() == [
        "### Ben",
        "**Classic** 1527 ± 81 · 3rd of 41",
        "31 played, 20 won, 2 drawn, 9 lost",
        "**Throps** 1210\\* ± 160",
        "3 played, 1 won, 0 drawn, 2 lost",
        "Against you: 5 played, 3 won by you",
        "Finished 96% of matches",
        "-# \\* New rating, not certain yet: fewer than 8 rated matches.",
        "-# ± says how exact the rating is. It grows while you do not play.",
        "<picture: Rises from 1400 to 1527>",
        "[History] [Show everyone]",
    ]
    assert "No rating yet." in read(profile(ProfileView(1, "x", (), None, None)))


def test_profile_says_that_wins_in_a_row_need_not_be_rated() -> None:
    view = ProfileView(1, "x", (), None, None, honours=Honours(wins=2, most_wins=3))
    assert "Win streak: 2 · best 3 (rated or not)" in read(profile(view)).splitlines()


def test_history_lists_results() -> None:
    people = ((101, "Ana"), (102, "Ben"))
    change = RatingChange(0, 1500, 1515, 9)
    won = RecentView("K7Q2", "classic", people, 0, (1, 2), ("91/2", "38"), 1, change, START)
    lost = replace(won, id="B", placings=(2, 1), change=None)
    drawn = replace(won, id="C", placings=(1, 1), change=None)
    many = replace(won, id="D", people=((101, "Ana"), (102, "Ben"), (103, "Cem")), placings=(2, 1, 3), change=None)
    stopped = replace(won, id="E", placings=None, termination=5, change=None)
    practice = replace(lost, id="F", people=((101, "Ana"), (0, "Sly (house)")), rated=False)
    message = history(Listing(101), "Ana", [won, lost, drawn, many, stopped, practice], more=True)
    day = f"<t:{int(START.timestamp())}:d>"
    assert read(message).splitlines() == [
        "### Finished matches of Ana",
        f"`#K7Q2` {day} · Classic · beat Ben 45 1/2–38 · rating +15",
        f"`#B` {day} · Classic · lost to Ben 45 1/2–38",
        f"`#C` {day} · Classic · drew with Ben 45 1/2–38",
        f"`#D` {day} · Classic · 2nd of 3",
        f"`#E` {day} · Classic · did not count, with Ben",
        f"`#F` {day} · Classic · lost to Sly (house) 45 1/2–38 · unrated",
        "{Open a match}",
        "(◀ Back) [Next ▶] [Show everyone]",
    ]
    [first, *_] = message.texts[-1].splitlines()
    assert first.endswith("beat \u2068Ben\u2069 45\u00a01/2–\u206038 · rating\u00a0+15"), "nothing of it is torn"
    assert read(history(Listing(101), "Ana", [])) == "No finished matches yet."
    assert Fraction("91/2") == 45.5


# --- preferences ---------------------------------------------------------------------------------------------


def test_preferences_card_lists_preferences() -> None:
    message = render_card(Player(101, two_step=True), [(102, "Ben")], "Saved: results off.")
    assert message.components == 28
    told = read(message).splitlines()
    assert told[:4] == [
        "### Your preferences",
        "Saved: results off.",
        "**Where you bid**",
        "{Where you bid: Server default}",
    ]
    usual = "once, when a quarter of the time is left, at most 2 hours before"
    assert told[-6:] == [
        "{Unblock a player}",
        (
            "[Two-step bids: on] [New message at each reveal: off]"
            " [Take challenges: on] [House learns from past matches: off]"
        ),
        "**Vacation**: all your slow matches stop, up to 7 days in 90 days. You have 7 days left.",
        "{For how long}",
        "-# You have no quiet hours. In quiet hours my messages make no sound. Set them in `/gops preferences quiet:`.",
        (
            f"-# A slow match has 15 minutes or more for each bid. In slow matches I warn you {usual}."
            " Change this in `/gops preferences warnings:`."
        ),
    ]
    quiet = Player(101, zone="Europe/Berlin", quiet_from=22 * 60, quiet_to=7 * 60 + 30)
    assert "You have quiet hours 22:00–7:30, Europe/Berlin." in read(render_card(quiet))
    assert "You have no quiet hours; time zone Europe/Berlin." in read(render_card(replace(quiet, quiet_to=22 * 60)))
    assert render_card(Player(101)).components == 26
    assert "I warn you 8 hours, 4 hours and 90 minutes before." in read(
        render_card(Player(101, reminders=(480, 240, 90)))
    )


def test_preferences_offer_no_more_of_a_pause_than_is_left() -> None:
    def offered(left: timedelta) -> list[str]:
        menus = [
            one for one in render_card(Player(1), paused=PauseStatus(None, left)).pressables if isinstance(one, Menu)
        ]
        return [option.label for menu in menus if menu.id == "g1:pf:pause" for option in menu.options]

    assert offered(BUDGET)[-2:] == ["6 days", "All that is left: 7 days"]
    assert offered(timedelta(days=1, hours=3)) == ["1 day", "All that is left: 27 hours"]
    assert offered(timedelta(hours=2)) == ["All that is left: 2 hours"]
    assert offered(timedelta(minutes=59)) == []
    spent = read(render_card(Player(1), paused=PauseStatus(None, timedelta())))
    assert "**Vacation**: you have used all 7 days of the last 90 days." in spent
    gone = read(render_card(Player(1), paused=PauseStatus(datetime(2026, 11, 30, tzinfo=UTC), timedelta(days=2))))
    assert "**You are on vacation** until <t:1795996800>" in gone
    assert "[End vacation]" in gone
    assert "opponents know" not in gone
    told = read(
        render_card(Player(1), paused=PauseStatus(datetime(2026, 11, 30, tzinfo=UTC), timedelta(days=2), told=True))
    )
    assert "your slow matches have stopped, and your opponents know." in told


def test_settings_card_lists_switches() -> None:
    message = settings_card(GuildSettings(1, channels=(5, 6), roles=(7,)))
    assert message.is_sendable
    assert keys(message)[-2:] == [
        "[Rated by default: on] [Result lines: on] [Card faces: pictures] [Boards in threads: off] [Rules and limits]",
        "[Seasons] [Audit log]",
    ]
    assert message.components == 36
    view = message.view
    assert view is not None
    assert not view.is_dispatchable()


def test_what_a_press_changed_stands_where_it_was_pressed() -> None:
    """Below its menu; of a button or a form, below the buttons. The card is higher than a phone."""
    settings = GuildSettings(1)
    below = read(settings_card(settings, "⚠ No.", "place")).splitlines()
    assert below.index("⚠ No.") == below.index("{Where players bid: In DMs}") + 1
    for pressed in ("rated", "options"):
        assert read(settings_card(settings, "⚠ No.", pressed)).splitlines()[-2] == "⚠ No."
    assert read(settings_card(settings, "⚠ No.")).splitlines()[-2] == "⚠ No."


def test_setup_card_lists_choices() -> None:
    choice = Selection(people=(10**18,))
    message = render_setup(choice, ["Ben"])
    assert message.components == 27
    assert read(message).splitlines() == [
        "### New match against Ben",
        *("**Game**", "{Game: Classic GOPS}"),
        *("**Cards**", "{Cards: 13}"),
        *("**Time for each bid**", "{Time for each bid: 2 minutes}"),
        *("**Ties**", "{Ties: Nobody gets the prize}"),
        *("**Series**", "{Series: One deal}"),
        *("**Rated**", "{Rated: Yes}"),
        *("**Players**", "{Add players (up to 6)}"),
        "[Send the challenge] [Which rules?] [Cancel]",
    ]
    changed = choice.with_value("game", "sops").with_value("ties", "split").with_value("clock", "300")
    changed = changed.with_value("cards", "7").with_value("rated", "n")
    parts = render_setup(changed, ["Ben"]).buttons[0].id.split(":")
    assert read_selection(parts[2:]) == (changed, parts[-1])
    assert read_selection(parts[2:], (7, 8)) == (replace(changed, people=(10**18, 7, 8)), parts[-1])
    assert all(len(item.id) <= 100 for item in message.pressables)
    pico = read(render_setup(choice.with_value("game", "pico"), ["Ben"]))
    assert not {"**Cards**", "**Ties**"} & {*pico.splitlines()}, "Pico has no choice of them"


@pytest.mark.parametrize(
    ("game", "house", "added", "label", "most"),
    [
        ("classic", 0, (), "Add players (up to 6)", 6),
        ("classic", 4, (), "Add players (up to 2)", 2),
        ("three-handed", 0, (), "Add 1 more player", 1),
        ("welsh", 0, (), "Add players (up to 2)", 2),
        ("three-handed", 0, (7, 8), "Add 1 more player", 2),
        ("pico", 0, (7,), "Players", 1),
    ],
)
def test_setup_takes_as_many_players_as_the_game(
    game: str, house: int, added: tuple[int, ...], label: str, most: int
) -> None:
    """The menu keeps players who were added for another game, because it is the only place that holds them."""
    card = render_setup(Selection(people=(1, *added), game=game, house=house), ["Ben"] * (1 + len(added)))
    menu = card.pressables[-4]
    assert isinstance(menu, Menu)
    assert (menu.placeholder, menu.most, menu.chosen) == (label, most, added)


def test_setup_of_a_game_for_two_has_no_menu_of_players() -> None:
    card = read(render_setup(Selection(people=(1,), game="pico"), ["Ben"]))
    assert "**Players**" not in card
    assert "Too few people?" not in card


def test_setup_with_house_players_is_never_rated() -> None:
    told = read(render_setup(Selection(people=(1,), house=2), ["Ben"])).splitlines()
    assert "-# Also: 2 house players." in told
    assert "Not rated: the house plays too." in told
    assert "**Rated**" not in told
    assert not menu_values(Selection(people=(1,), house=2), "rated")


def test_setup_lists_begin_with_the_default_but_numbers_rise() -> None:
    """Rules of the server change it; a choice on the card takes their place."""
    choice = Selection(people=(1,), words="ties split, cards 5, blind")

    def offered(choice: Selection) -> dict[str, list[str]]:
        menus = [one for one in render_setup(choice, ["Ben"]).pressables if isinstance(one, Menu)]
        return {menu.placeholder: [option.label for option in menu.options] for menu in menus}

    assert offered(choice)["Cards"] == [str(number) for number in range(2, 26)]
    assert "{Cards: 5}" in read(render_setup(choice, ["Ben"])).splitlines()
    assert offered(choice)["Ties"][:2] == ["The prize is split", "Nobody gets the prize"]
    assert "-# Also: blind bids." in read(render_setup(choice, ["Ben"]))
    changed = choice.with_value("cards", "13").with_value("ties", "carry")
    assert (changed.cards, changed.ties, changed.words) == (13, "carry", "blind")
    assert all(len(menu) <= 25 for menu in offered(Selection(people=(1,), game="open-row")).values())


def test_setup_asks_no_default_of_the_server_again() -> None:
    guild = GuildSettings(1, rated=False, clock=300)
    assert not make_selection(Wish(), [5], None, guild).rated
    assert make_selection(Wish(rated=True), [5], None, guild).rated


def test_setup_offers_every_game_and_preset() -> None:
    offered = [option.value for option in render_setup(Selection(people=(1,)), ["x"]).pressables[0].options]  # pyright: ignore
    assert offered == [offer.key for offer in list_offers()]
    assert {game.key for game in GAMES} <= set(offered)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("throps", "Throps is for 3 players."),
        ("welsh", "Welsh Warfare is for 4 players."),
        ("three-handed", "Three-handed is for 3 players."),
    ],
)
def test_setup_opens_a_table_for_a_game_that_needs_more(game: str, said: str) -> None:
    message = render_setup(Selection(people=(1,)).with_value("game", game), ["Ben"])
    told = read(message).splitlines()
    assert told[1] == f"{said} Add them below, or open a table that Ben and others can join."
    assert told[2] == "Too few people? The house can take the free places."
    assert told[-1] == "[Open a table] [Which rules?] [Cancel]"
    assert message.is_sendable


def test_deadlines_are_absolute() -> None:
    later = example().view(0, deadline=START + timedelta(days=3))
    assert f"<t:{int(START.timestamp()) + 259200}:f>" in said(pings.render_nudge(later, LINK))


def test_a_match_in_a_picker() -> None:
    view = example().view(1)
    assert view.deadline is not None
    now = view.deadline - timedelta(minutes=58)
    assert match_row(view, now) == "#K7Q2 · Ana · your turn · 58 minutes left"
    assert match_row(replace(view, deadline=None), now) == "#K7Q2 · Ana · your turn"
    assert match_row(example().view(0, sealed={0: 9}), now) == "#K7Q2 · Ben · waiting for Ben"
